"""The zygote: a tiny process that starts every run, watches it, and ends it.

Theory of operation. The judge itself is a fat process; what it forks starts life with its size in `ru_maxrss`, so it
never forks a submission. It execs this file once per worker, with `-I -S` and built-in modules only, and talks to it
over one SOCK_SEQPACKET socket (descriptor 3, the only one besides the standard three):

    judge -> zygote   marshal of a `Request`, with three descriptors: 0, 1 and 2 of the run
    zygote -> judge   marshal of ("ran", broken limit, code, signal, cpu, wall, memory) or ("failed", message)

Per run: fork; the child makes a session of its own, takes the three descriptors, sets its limits and execs. A CLOEXEC
pipe tells how much CPU time the set-up took (it is not charged to the run), or what failed: then the answer is
"failed", never a verdict. The parent polls the run's CPU clock, memory and output size, and ends it when one is over
its limit.

Nothing survives: the zygote is a child subreaper, so whatever a run leaves behind becomes its child, is killed, reaped,
and its CPU time counted. When the judge goes (its end of the socket closes), the run is killed and the zygote exits;
when the zygote is killed, the kernel kills the run (PR_SET_PDEATHSIG).

This file stands alone: it imports nothing of the package, since it has to stay small and start in a few milliseconds.
"""

import _signal  # type: ignore[import-not-found]  # `signal` imports enum, which doubles the start-up
import _socket
import ctypes
import marshal
import os
import resource
import select
import sys
import time

LIBC = ctypes.CDLL(None)
CONTROL = 3
PAGE = os.sysconf("SC_PAGE_SIZE")

# Polling: a run of some milliseconds is looked at once or never; a long one every TICK_LATE, which bounds how far a
# submission that allocates as fast as the kernel hands out pages gets beyond its memory limit.
TICK_EARLY_MS = 4
TICK_LATE_MS = 8
EARLY_S = 0.1
TREE_EVERY = 4  # look for children of the run at every fourth tick only: it costs a directory walk

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

# A backstop for a zygote that is stopped or starved: the kernel's CPU limit is up to a second late and early
# enough to fire wrongly, so it stands well above the real limit.
CPU_BACKSTOP_FACTOR = 1.25
CPU_BACKSTOP_EXTRA_S = 2

MAX_OPEN_FILES = 128

# argv, environment, folder, CPU seconds, wall seconds, bytes of memory, bytes of output
Request = tuple[tuple[str, ...], dict[str, str], str, float, float, int, int]


def cpu_clock(pid: int) -> float | None:
    """Return the CPU time of all threads of a process, in seconds; None when it is gone.

    The clock id of another process is `(~pid << 3) | 2` (CPUCLOCK_SCHED, include/linux/posix-timers.h).
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None


def read_file(path: str) -> bytes:
    """Return the bytes of a small file in /proc, b"" when it is gone."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(fd, 65536)
    except OSError:
        return b""
    finally:
        os.close(fd)


def entries(folder: str) -> list[str]:
    """Return the names in a folder of /proc, none when it is gone."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def children_of(pid: int) -> list[int]:
    """Return the pids of the children of all threads of a process."""
    found: list[int] = []
    for thread in entries(f"/proc/{pid}/task"):
        found.extend(int(word) for word in read_file(f"/proc/{pid}/task/{thread}/children").split())
    return found


def descendants_of(pid: int) -> list[int]:
    """Return all descendants of a process, parents first."""
    found = children_of(pid)
    for child in found:
        found.extend(children_of(child))  # grows while it is walked: breadth first
    return found


def resident(pid: int) -> int:
    """Return a process's resident memory in bytes, 0 when it is gone."""
    fields = read_file(f"/proc/{pid}/statm").split()
    return int(fields[1]) * PAGE if fields else 0


def proportional(pid: int) -> int:
    """Return a process's share of memory in bytes: pages shared with others count in part."""
    for line in read_file(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return resident(pid)


def queued(pid: int) -> float:
    """Return how long a process could have run but got no processor, in seconds: that is not the program's idleness.

    Second field of `schedstat`, in nanoseconds (Documentation/scheduler/sched-stats.rst); the largest of the threads',
    0 where the kernel does not tell.
    """
    waits = [0]
    for thread in entries(f"/proc/{pid}/task"):
        fields = read_file(f"/proc/{pid}/task/{thread}/schedstat").split()
        waits.append(int(fields[1]) if len(fields) > 1 else 0)
    return max(waits) / 1e9


class Watch:
    """The supervision of one run: what it used so far, and whether a limit is broken."""

    def __init__(self, pid: int, request: Request, fds: list[int]) -> None:
        self.pid = pid
        _, _, _, self.cpu_limit, self.wall_limit, self.memory_limit, self.output_limit = request
        self.fds = fds
        self.start = time.monotonic()
        self.ticks = 0
        self.tree_peak = 0  # of the whole tree, when the run has children
        self.children: list[int] = []

    def broken_limit(self) -> str | None:
        """Return the name of a limit that is broken now, or None."""
        self.ticks += 1
        if self.ticks % TREE_EVERY == 0:
            # of the zygote, since orphans of the run become its children
            self.children = [pid for pid in descendants_of(os.getpid()) if pid != self.pid]
        cpu = cpu_clock(self.pid)
        if cpu is None:
            return None
        memory = resident(self.pid)
        if self.children:
            cpu += sum(filter(None, map(cpu_clock, self.children)))
            memory = sum(map(proportional, [self.pid, *self.children]))
            self.tree_peak = max(self.tree_peak, memory)
        if memory > self.memory_limit:
            self.tree_peak = max(self.tree_peak, memory)
            return "memory"
        if cpu > self.cpu_limit:
            return "time"
        if any(os.fstat(fd).st_size > self.output_limit for fd in self.fds[1:]):
            return "output"
        elapsed = time.monotonic() - self.start
        if elapsed > self.wall_limit and elapsed - queued(self.pid) > self.wall_limit:
            return "wall"
        return None

    def tick_ms(self) -> int:
        """Return how long to wait until the next look."""
        return TICK_EARLY_MS if time.monotonic() - self.start < EARLY_S else TICK_LATE_MS


def set_limits(cpu: float, memory: int, output: int) -> None:
    """Set the child's resource limits; raises OSError or ValueError."""
    one_more = output + 1  # so that an output of exactly the limit can be told from one that was cut
    for which, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, one_more),
        (resource.RLIMIT_CPU, int(cpu * CPU_BACKSTOP_FACTOR + CPU_BACKSTOP_EXTRA_S)),
        (resource.RLIMIT_NOFILE, MAX_OPEN_FILES),
        (resource.RLIMIT_STACK, memory),  # deep recursion is limited by memory alone, as on online judges
    ):
        hard = resource.getrlimit(which)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (allowed, allowed))


def child(request: Request, fds: list[int], status: int, parent: int) -> None:
    """Become the run: never returns. What goes wrong is written to `status`."""
    argv, env, folder, cpu, _, memory, output = request
    try:
        os.setsid()
        LIBC.prctl(PR_SET_PDEATHSIG, _signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)  # the zygote died before the line above
        os.chdir(folder)
        for number in (_signal.SIGPIPE, _signal.SIGXFSZ, _signal.SIGINT):
            _signal.signal(number, _signal.SIG_DFL)  # Python ignores the first two, and exec would keep that
        for target, fd in enumerate(fds):
            os.dup2(fd, target)
        os.dup2(status, CONTROL, False)
        os.closerange(CONTROL + 1, 1 << 30)
        status = CONTROL
        set_limits(cpu, memory, output)
        os.write(status, b"%.9f\n" % time.process_time())
        os.execve(argv[0], argv, env)
    except (OSError, ValueError) as error:
        what = getattr(error, "filename", None) or argv[0]
        os.write(status, f"0\n{what}: {getattr(error, 'strerror', None) or error}".encode())
    finally:
        os._exit(127)


def read_all(fd: int) -> bytes:
    """Read a pipe to its end."""
    parts = []
    while part := os.read(fd, 4096):
        parts.append(part)
    return b"".join(parts)


def start(request: Request, fds: list[int]) -> tuple[int, float, str]:
    """Fork a run and wait until it execs.

    Returns (pid, CPU seconds of the set-up, message); the message is empty when the exec worked.
    """
    receive, status = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        child(request, fds, status, parent)
    os.close(status)
    report = read_all(receive)  # ends when exec closes the pipe
    os.close(receive)
    setup, _, message = report.decode(errors="replace").partition("\n")
    if not report:
        message = "the run ended before it began"
    return pid, float(setup or 0), message.removeprefix("0\n")


def kill_tree(pid: int) -> None:
    """Kill the run's session leader and its process group; gone ones are fine."""
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, _signal.SIGKILL)
        except ProcessLookupError:
            pass


def sweep() -> tuple[float, int]:
    """Kill and reap everything that a run left behind; return its CPU time and largest peak memory in bytes."""
    cpu, memory = 0.0, 0
    me = os.getpid()
    while True:
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return cpu, memory
        if pid:
            cpu += usage.ru_utime + usage.ru_stime
            memory = max(memory, usage.ru_maxrss * 1024)
            continue
        for orphan in children_of(me):
            kill_tree(orphan)
        select.select([], [], [], 0.0002)


def watch(pid: int, request: Request, fds: list[int]) -> tuple[str | None, Watch, bool]:
    """Wait for the run's end, or end it; return (the broken limit or None, Watch, whether the judge is gone)."""
    state = Watch(pid, request, fds)
    pidfd = os.pidfd_open(pid)
    poller = select.poll()
    poller.register(pidfd, select.POLLIN)
    poller.register(CONTROL, 0)  # only POLLHUP and POLLERR: the judge is gone
    try:
        while True:
            ready = [fd for fd, _ in poller.poll(state.tick_ms())]
            if CONTROL in ready:
                return None, state, True
            if pidfd in ready:
                return None, state, False
            if broken := state.broken_limit():
                return broken, state, False
    finally:
        os.close(pidfd)


def run(request: Request, fds: list[int]) -> tuple[str | float | None, ...] | None:
    """Run one request to its end; return the answer for the judge, or None when the judge is gone."""
    pid, setup, message = start(request, fds)
    if message:
        kill_tree(pid)
        sweep()
        return ("failed", message)
    broken, state, gone = watch(pid, request, fds)
    if broken or gone:
        kill_tree(pid)
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - state.start
    orphans_cpu, orphans_memory = sweep()
    if gone:
        return None
    cpu = max(0.0, usage.ru_utime + usage.ru_stime - setup) + orphans_cpu
    memory = max(usage.ru_maxrss * 1024, orphans_memory, state.tree_peak)
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    if broken is None and number == _signal.SIGXCPU:
        broken = "time"
    if broken is None and number == _signal.SIGXFSZ:
        broken = "output"
    return ("ran", broken, code, number, cpu, wall, memory)


def serve() -> None:
    """Answer requests until the judge closes its end."""
    control = _socket.socket(fileno=CONTROL)
    while True:
        message, ancillary, _, _ = control.recvmsg(1 << 18, _socket.CMSG_SPACE(12))
        if not message:
            return
        data = ancillary[0][2]
        fds = [int.from_bytes(data[at : at + 4], sys.byteorder) for at in range(0, 12, 4)]
        try:
            answer = run(marshal.loads(message), fds)
        except (OSError, ValueError) as error:  # no process left, no descriptor left: ours, never a verdict
            sweep()
            answer = ("failed", f"the sandbox: {error}")
        for fd in fds:
            os.close(fd)
        if answer is None:
            return
        control.send(marshal.dumps(answer))


if __name__ == "__main__":
    os.setsid()  # Ctrl-C on the terminal is for the judge alone
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    serve()
