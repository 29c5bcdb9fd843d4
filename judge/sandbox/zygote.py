"""The zygote: a tiny process that starts every run, supervises it, and ends it.

Theory of operation. The judge itself is a large process, and whatever it forks starts with its size in `ru_maxrss`. So
it never forks a submission. Instead it starts this program once per worker, with `-I -S` and built-in modules only, and
talks to it over one socket (see `protocol`).

At startup the zygote finds the best level that works here by trying: for `full` it forks a child that leaves the
machine's namespaces and becomes process 1 of new ones, where it serves. If that fails, it tries the next level. A trial
run checks the rest of the level and measures how much memory a run seems to use before its exec.

Per run, a child confines itself (see `confine`) and calls exec, without any Python (see `launcher`). A step that fails
yields the answer "failed", never a verdict. A run that does not exec (a warm run) is a full fork of the zygote that is
confined before it is back in Python. Where the launcher does not work, Python does everything after a fork, and a pipe
reports how much CPU time the setup took (the run is not charged for it) or what failed.

Nothing survives a run. In namespaces, every other process is killed; without them, the zygote is a child subreaper:
whatever a run leaves behind becomes its child, is killed and reaped, and its CPU time counts. When the judge ends (its
end of the socket closes), the run is killed and the zygote exits; when the zygote is killed, the kernel kills the run
(PR_SET_PDEATHSIG; the end of process 1 ends its namespace).
"""

import _signal  # type: ignore[import-not-found]  # see confine
import _socket
import errno
import marshal
import os
import select
import sys
import time

from judge.sandbox import kernel, namespaces, proc, seccomp, waiting
from judge.sandbox.confine import Confinement
from judge.sandbox.fork_server import ForkServers
from judge.sandbox.launcher import Launcher, Step, Table, make_calls
from judge.sandbox.protocol import CONTROL_FD, FULL, MAX_MESSAGE, STOP, Request, Settings
from judge.sandbox.shell_limits import LIMITS_TO_START, find_low_limit, raise_limits, run_needs
from judge.sandbox.supervisor import PipeSupervisor, Supervisor
from judge.sandbox.work_folder import has_no_room, remove

TYPE_CHECKING = False
if TYPE_CHECKING:  # see protocol
    from collections.abc import Callable, Sequence

_SIGINT, _SIGKILL, _SIGSEGV, _SIGXCPU = 2, 9, 11, 24
_MSG_NOSIGNAL = 0x4000
_NO_REPORT, _IN_LAUNCHER = -1, -2  # where to find a forked child's report, if not in a pipe
_NOT_EXECUTABLE = 126 << 8  # exit status 126, which shells give (POSIX, "Exit Status for Commands")
_NO_PROGRAM = "/dev/null/trial"  # no one can create it
_READY = b"\0"  # the level works; any other text says what failed
_KILL_INTERVAL_S = 0.0002
_MAX_REQUESTS = 8
_SEVERAL_S = 0.1  # after which no further run of one message starts
_ROOM = 256  # bytes of a message for what is measured in a run
_MAX_ERRORS = 8192  # bytes of standard error in a message: as many as a result keeps
_MAX_ATTEMPTS = 100


class ChildExit(BaseException):
    """Raised in a child that continues as the program: unwinds all frames of the zygote."""


def execute(request: Request) -> None:
    """Become the program of a request."""
    os.execve(request.argv[0], request.argv, request.environment)


class Plan:
    """How the runs of one request start.

    Attributes:
        key: what it depends on besides the request.
        calls: the system calls of the child.
        memory: what they point to.
        table: the calls for the launcher.
    """

    def __init__(self, key: object, calls: "list[Step]", memory: bytes) -> None:
        self.key = key
        self.calls = calls
        self.memory = memory
        self.table = Table(calls)


class Zygote:
    """Answers requests until the judge closes its end of the socket.

    `become` is what a child does after its setup; it returns only on failure.
    """

    def __init__(
        self, control: "_socket.socket", confinement: Confinement, become: "Callable[[Request], None]" = execute
    ) -> None:
        self.control = control
        self.confinement = confinement
        self.become = become
        self.scratch = ""
        self.launcher = _create_launcher(forks=become is not execute)
        if self.launcher is not None and become is execute:
            self.launcher.isolate_memory([confinement.shared_arena, confinement.arena])
        self.fork_servers: ForkServers | None = None
        if self.launcher is not None and become is execute and confinement.level == FULL:
            restriction = seccomp.build_restriction(kernel.MACHINE)
            try:
                self.fork_servers = ForkServers(self.launch_server, self.reap, restriction)
            except OSError:  # every run then starts in the ordinary way
                pass
        self.requests: dict[bytes, Request] = {}  # by the last few messages
        self.plans: dict[Request, Plan] = {}  # of these
        self.last_request: Request | None = None
        self.last_plan: Plan | None = None
        self.report_text = b""  # the part of a forked child's report that was read

    def serve(self) -> None:
        """Answer requests until the judge is gone; then remove the folder that it cannot remove any more."""
        while self.answer():
            pass
        if self.scratch:
            remove(self.scratch)

    def answer(self) -> bool:
        """Answer one request; return False when the judge is gone."""
        try:
            message, ancillary, _, _ = self.control.recvmsg(MAX_MESSAGE, _socket.CMSG_SPACE(12))
        except OSError:
            return False
        if not message:
            return False
        if message == STOP:  # it was sent before the judge knew that the run had ended
            return True
        if not ancillary:
            cores = os.sched_getaffinity(0)
            if self.confinement.core >= 0:  # the zygote and tiny runs wake each other all the time
                os.sched_setaffinity(0, {self.confinement.core})
            is_sent = self.answer_several(*marshal.loads(message))
            os.sched_setaffinity(0, cores)
            return is_sent
        data = ancillary[0][2]
        fds = [int.from_bytes(data[at : at + 4], sys.byteorder) for at in range(0, 12, 4)]
        reply = self.try_run(message, fds)
        for fd in fds:
            os.close(fd)
        return reply is not None and _send(self.control, reply)

    def answer_several(self, message: bytes, inputs: "list[bytes]") -> bool:
        """Run a program on the first of some inputs; return False when the judge is gone.

        The rest waits for another request if a run exceeds a limit or writes much, or all of them take long: so the
        judge can do what it does after such a run, and it can end the search in between.
        """
        end = time.monotonic() + _SEVERAL_S
        room = MAX_MESSAGE // 2
        replies = []
        is_sent = False
        for data in inputs:
            fds = [os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)]
            fds += [os.memfd_create(name) for name in ("stdout", "stderr")]
            os.write(fds[0], data)
            os.lseek(fds[0], 0, os.SEEK_SET)
            kernel.seal(fds[0])
            reply = self.try_run(message, fds)
            output, errors = (os.fstat(fd).st_size for fd in fds[1:])
            room -= _ROOM + output + errors
            is_large = room < 0 or errors > _MAX_ERRORS
            texts = (None, None) if is_large else (os.pread(fds[1], output, 0), os.pread(fds[2], errors, 0))
            replies.append((reply, *texts))
            is_last = is_large or not reply or reply[0] != "ran" or reply[1] or time.monotonic() > end
            if is_last or len(replies) == len(inputs):
                is_sent = reply is not None and _send(self.control, replies, fds[1:] if is_large else ())
            for fd in fds:
                os.close(fd)
            if is_last:
                break
        return is_sent

    def try_run(self, message: bytes, fds: "list[int]") -> "tuple[object, ...] | None":
        """Return the answer for the judge to a request, or None when the judge is gone."""
        try:
            return self.run(self.read_request(message), fds)
        except Exception as error:  # noqa: BLE001 - out of processes or descriptors: our error, never a verdict
            self.reap()
            too_low = find_low_limit(run_needs(cpu=0, memory=0, file_size=0))
            return ("failed", too_low or f"the sandbox: {error if isinstance(error, OSError) else repr(error)}")

    def read_request(self, message: bytes) -> Request:
        """Decode a request.

        Runs of the same program differ in their input only, which is not part of the message. So a few requests are
        kept, with what was prepared for them.
        """
        request = self.requests.get(message)
        if request is None:
            request = Request.unpack(message)
            if len(self.requests) >= _MAX_REQUESTS:
                self.requests.clear()
                self.plans.clear()
            self.requests[message] = request
        if request is not self.last_request:
            if request.has_scratch:
                self.scratch = os.path.dirname(request.cwd)
            if self.become is not execute:  # the run inherits the environment
                os.environ.clear()
                os.environ.update(request.environment)
            self.last_request = request
        return request

    def run(self, request: Request, fds: "list[int]") -> "tuple[object, ...] | None":
        """Run a program to its end; return the answer for the judge, or None when the judge is gone."""
        if request.writable and os.getuid() == 0:  # it may belong to the user of another worker
            _chown_tree(request.writable, self.confinement.user)
        needs = _needs(request)
        if too_low := find_low_limit({each: needs[each] for each in LIMITS_TO_START}):
            return ("failed", too_low)
        begun = time.monotonic()
        pid, error, report = self.start(request, fds)
        try:
            return self.supervise(request, fds, pid, error, report, begun=begun)
        finally:
            if report >= 0:
                os.close(report)

    def supervise(
        self, request: Request, fds: "list[int]", pid: int, error: str, report: int, *, begun: float
    ) -> "tuple[object, ...] | None":
        """Supervise a run that was started; return the answer for the judge, or None when the judge is gone.

        `begun` is the time before its start: with a later one, a tiny program would have more CPU time than time.
        """

        def setup_cpu() -> "float | None":
            return self.poll_setup_cpu(report)

        is_full = self.confinement.level == FULL
        if request.has_pipes:
            names = _close_pipes(fds)
            supervisor: Supervisor = PipeSupervisor(
                pid, request, names, fds[0], send=self.send, setup=setup_cpu, has_own_network=is_full
            )
        else:
            supervisor = Supervisor(
                pid,
                request,
                (fds[1], fds[2]),
                setup=setup_cpu,
                has_own_network=is_full,
                has_core=self.confinement.core >= 0 and not request.may_fork,
                others=self.fork_servers.pids if self.fork_servers else set(),
            )
        broken = supervisor.wait(CONTROL_FD)
        supervisor.report_end()
        if broken:
            proc.kill_group(pid)
        _, status, usage = os.wait4(pid, 0)
        wall = time.monotonic() - begun
        orphans_cpu, orphans_memory = self.reap()
        setup = 0.0
        if report != _NO_REPORT:
            setup, error = self.read_report(request, report)
        if broken == "gone":
            return None
        refusal = _report_refusal(request, error, fds[-1])
        if error and not refusal:
            return ("failed", error)
        status = refusal or status
        wall = max(0.0, wall - setup)
        # wait4 covers all processes that were waited for; the others (children that no one waits for) were seen alive
        waited = max(0.0, usage.ru_utime + usage.ru_stime - setup)
        seen = supervisor.cpu_times.get(pid, 0.0) - setup + supervisor.descendants_cpu()
        cpu = max(waited + orphans_cpu, seen)
        memory = max(usage.ru_maxrss * 1024, orphans_memory, supervisor.peak_memory)
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        if broken is None and signal == _SIGXCPU and cpu > request.cpu:
            broken = "time"
        if broken is None and supervisor.exceeds_disk_limit():
            broken = "output"
        if broken is None and (fault := _find_machine_fault(request, code, signal)):
            return ("failed", fault)
        return ("ran", broken, code, signal, cpu, wall, memory, supervisor.was_disturbed())

    def send(self, message: "tuple[object, ...]") -> None:
        """Send the judge a message during a run."""
        _send(self.control, message)

    def start(self, request: Request, fds: "list[int]") -> "tuple[int, str, int]":
        """Start a run.

        Returns:
            (pid, error message or "", a descriptor for `read_report`, or `_IN_LAUNCHER` or `_NO_REPORT`).

        Raises:
            ChildExit: in a child that does not exec.
        """
        if self.launcher is None:
            return self.fork(request, fds)
        if self.fork_servers is not None:
            if request.may_fork or request.has_pipes:  # these runs are alone with the zygote
                self.fork_servers.close()
            elif request.has_fork_server and (pid := self.fork_servers.fork(request, fds)):
                return pid, "", _NO_REPORT
        if self.become is execute:
            return *self.launch(request, fds), _NO_REPORT
        pid = self.launcher.fork(self.plan(request, fds).table)
        if pid == 0:
            self.become(request)
        return pid, "", _IN_LAUNCHER

    def launch(self, request: Request, fds: "list[int]") -> "tuple[int, str]":
        """Start a program in a child that runs no Python; return its pid, and an error message or ""."""
        assert self.launcher is not None
        pid, failed, number = self.launcher.launch(self.plan(request, fds).table)
        return pid, _describe_failure(request, failed, number) if failed else ""

    def launch_server(self, request: Request, fds: "list[int]") -> int:
        """Start a fork server; return its pid, also if its exec failed."""
        pid, _ = self.launch(request, fds)
        del self.plans[request]
        return pid

    def plan(self, request: Request, fds: "list[int]", status: int = -1) -> Plan:
        """Return the system calls of a run: those of an earlier one if only the input differs."""
        key = (tuple(fds), status, self.confinement.prepare(request))
        plan = self.plans.get(request)
        if plan is None or plan.key != key:
            self.last_plan = None  # its memory is overwritten, also if the next call fails
            steps = self.confinement.steps(request, fds, os.getpid(), status)
            if self.launcher is not None and self.become is execute:
                steps.add_exec(request.argv, request.environment)
            elif self.launcher is not None:
                steps.calls += self.launcher.final_steps()
            plan = self.plans[request] = Plan(key, steps.calls, self.confinement.arena.save())
        elif plan is not self.last_plan:
            self.confinement.arena.restore(plan.memory)
        self.last_plan = plan
        return plan

    def fork(self, request: Request, fds: "list[int]") -> "tuple[int, str, int]":
        """Start a run where the launcher does not work; see `start`."""
        receive, status = os.pipe()
        self.report_text = b""
        try:
            calls = self.plan(request, fds, status).calls  # before the fork: in the child, every page costs a copy
            pid = os.fork()
        except OSError:
            os.close(receive)
            os.close(status)
            raise
        if pid == 0:
            self.run_child(request, calls, status)
        os.close(status)
        return pid, "", receive

    def run_child(self, request: Request, steps: "list[Step]", status: int) -> None:
        """Become the run; never returns. Failures are written to `status`.

        Raises:
            ChildExit: from `become`.
        """
        try:
            try:
                make_calls(steps)
                status = CONTROL_FD
                os.write(status, b"%.9f\n" % time.process_time())
                if self.become is not execute:
                    os.close(status)
                self.become(request)
            except OSError as error:
                text = _describe_failure(request, error.filename or "execve", error.errno or 0)
                try:
                    os.write(status, f"0\n{text}".encode())
                except OSError:  # a step has moved it to its final descriptor
                    os.write(CONTROL_FD, f"0\n{text}".encode())
        except ChildExit:
            raise
        except BaseException:  # noqa: BLE001, S110 - the child must never become a second zygote
            pass
        os._exit(127)

    def poll_setup_cpu(self, report: int) -> "float | None":
        """Return the CPU time that the run's setup took, or None while it is not known."""
        if report == _NO_REPORT:
            return 0.0
        if report == _IN_LAUNCHER and self.launcher is not None:
            return self.launcher.setup_cpu() if self.launcher.is_set_up() else None
        if b"\n" not in self.report_text and select.select([report], [], [], 0)[0]:
            self.report_text += os.read(report, 4096)
        line, is_complete, _ = self.report_text.partition(b"\n")
        return float(line) if is_complete else None

    def read_report(self, request: Request, report: int) -> "tuple[float, str]":
        """Read what a forked child reported during its setup; it must have ended, with all its descendants.

        Returns:
            (CPU time of the setup in seconds, error message or "").
        """
        if report == _IN_LAUNCHER and self.launcher is not None:
            failed, number = self.launcher.failure()
            setup, error = self.launcher.setup_cpu(), _describe_failure(request, failed, number) if failed else ""
            is_complete = bool(failed) or self.launcher.is_set_up()
        else:
            text, _, error = (self.report_text + proc.read_all(report)).decode(errors="replace").partition("\n")
            setup, error, is_complete = float(text or 0), error.removeprefix("0\n"), bool(text)
        return setup, error if is_complete else "the run ended during its setup"

    def reap(self) -> "tuple[float, int]":
        """Kill and reap everything that a run left behind; return its CPU time and largest peak memory in bytes."""
        servers = self.fork_servers.pids if self.fork_servers else set()
        cpu, memory, attempts = 0.0, 0, 0
        while True:
            try:
                pid, _, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return cpu, memory
            if pid in servers:
                servers.remove(pid)
            elif pid:
                cpu += usage.ru_utime + usage.ru_stime
                memory = max(memory, usage.ru_maxrss * 1024)
            elif self.kill_others(attempts):
                attempts += 1
                select.select([], [], [], _KILL_INTERVAL_S)
            else:
                return cpu, memory

    def kill_others(self, attempts: int) -> bool:
        """Kill every process but this one and the fork servers; return whether there may be one.

        `attempts` is how often this did not suffice.
        """
        if self.fork_servers is not None and self.fork_servers.pids:
            if attempts < _MAX_ATTEMPTS:
                self.fork_servers.stop()
                strays = self.fork_servers.strays()
                for stray in strays:
                    proc.kill_group(stray)
                return bool(strays)
            self.fork_servers.close()  # a server starts processes all the time
        if self.confinement.level == FULL:  # this is process 1: all others belong to the run
            proc.kill_all()
        else:
            for orphan in proc.child_pids(os.getpid()):
                proc.kill_group(orphan)
        return True

    def trial(self) -> int:
        """Do everything that a run does except its exec; return the peak memory until then in bytes.

        Raises:
            OSError: the level does not work here; the text says what failed.
        """
        request = Request(
            argv=(_NO_PROGRAM,),
            cpu=1.0,
            cwd="",
            disk=0,
            environment={},
            has_fork_server=False,
            has_pipes=False,
            has_scratch=False,
            is_compiled=False,
            may_fork=False,
            memory=1 << 26,
            output=1 << 16,
            readable=(),
            wall=1.0,
            writable="",
        )
        become = self.become
        if become is not execute:
            self.become = lambda _: os._exit(0)
        fds = [os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC) for _ in range(3)]
        try:
            pid, error, report = self.start(request, fds)
            _, _, usage = os.wait4(pid, 0)
            if report != _NO_REPORT:
                _, error = self.read_report(request, report)
            if report >= 0:
                os.close(report)
        finally:
            self.become = become
            self.plans.clear()
            for fd in fds:
                os.close(fd)
        if error and not error.startswith(_NO_PROGRAM):
            raise OSError(0, error)
        return int(usage.ru_maxrss) * 1024


def _create_launcher(*, forks: bool) -> "Launcher | None":
    try:
        launcher = Launcher()
        if forks:
            launcher.prepare_forks()
    except OSError:  # another architecture, or memory must not become executable: slower, but correct
        return None
    return launcher


def _describe_failure(request: Request, call: str, number: int) -> str:
    subjects = {"execve": request.argv[0], "chdir": request.cwd}
    return f"{subjects.get(call, call)}: {os.strerror(number)}"


def _report_refusal(request: Request, error: str, stderr: int) -> int:
    """Return the wait status of a program that the kernel cannot execute because of its content, else 0.

    A source can have a section `.interp`, for example; it must not turn its verdict into an error of the sandbox.
    """
    path, _, cause = error.rpartition(": ")
    causes = (errno.ENOEXEC, errno.ENOENT, errno.EACCES, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ELIBBAD)
    if not request.is_compiled or path != request.argv[0] or cause not in map(os.strerror, causes):
        return 0
    if not os.access(path, os.X_OK) or os.statvfs(path).f_flag & os.ST_NOEXEC:
        return 0
    os.write(stderr, f"the program cannot be executed: {cause}\n".encode())
    return _NOT_EXECUTABLE


def _needs(request: Request, *, overflows_stack: bool = False) -> "dict[int, int]":
    file_size = max(request.output, request.disk)
    return run_needs(cpu=request.cpu, memory=request.memory, file_size=file_size, overflows_stack=overflows_stack)


def _find_machine_fault(request: Request, code: "int | None", signal: "int | None") -> str:
    """Return why a run that exceeded no limit may have failed because of the machine; "" if it has not."""
    folder = request.writable or (request.cwd if request.has_scratch else "")
    if folder and not request.may_fork and has_no_room(folder):  # a compiler removes its files, and says more
        return "the folder for temporary files is full: free space, or set TMPDIR to another folder"
    if code or signal:
        return find_low_limit(_needs(request, overflows_stack=signal == _SIGSEGV))
    return ""


def _chown_tree(folder: str, user: int) -> None:
    """Make a user the owner of a folder and everything in it, without following links."""
    os.chown(folder, user, user)
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            _chown_tree(entry.path, user)
        else:
            os.chown(entry.path, user, user, follow_symlinks=False)


def _close_pipes(fds: "list[int]") -> "tuple[str, str]":
    """Close standard input and output of a run that was started; return their names.

    Otherwise they would stay open as long as the run's supervisor.
    """
    names = waiting.pipe_name(fds[0]), waiting.pipe_name(fds[1])
    for fd in fds[:2]:
        os.close(fd)
    del fds[:2]
    return names


def _send(control: "_socket.socket", message: object, fds: "Sequence[int]" = ()) -> bool:
    """Send a message, perhaps with descriptors; return False when the judge is gone."""
    data = b"".join(fd.to_bytes(4, sys.byteorder) for fd in fds)
    ancillary = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, data)] if fds else []
    try:
        control.sendmsg([marshal.dumps(message)], ancillary, _MSG_NOSIGNAL)  # type: ignore[arg-type]  # plain values
    except OSError:
        return False
    return True


class _Startup:
    """The start of a zygote: finds the best level that works, and serves at it."""

    def __init__(self, control: "_socket.socket", settings: Settings, become: "Callable[[Request], None]") -> None:
        self.become = become
        self.control = control
        self.settings = settings
        self.judge = os.getppid()

    def serve(self) -> None:
        """Try the levels, best first; the first that works serves until the judge is gone."""
        failures = []
        for level in self.settings.levels:
            try:
                self.serve_in_child(level)
            except OSError as error:
                failures.append(f"{level}: {error.strerror or error}")
            else:
                return
        _send(self.control, ("failed", "; ".join(failures)))

    def serve_in_child(self, level: str) -> None:
        """Serve in a child and wait for its end.

        The child is smaller than this process, because a fork leaves the pages of program files behind, and a run's
        peak memory starts at the size of the process that starts it.

        Raises:
            OSError: the level does not work.
        """
        receive, report = os.pipe()
        pid = os.fork()
        if pid == 0:
            self.run_child(level, report)
        os.close(report)
        message = proc.read_all(receive)  # ends when the child serves or has ended
        os.close(receive)
        if message != _READY:
            os.waitpid(pid, 0)
            raise OSError(0, message.decode(errors="replace") or "killed at startup, possibly by a security policy")
        self.control.close()  # only the child answers from now on, and notices when the judge is gone
        wait_for_server(pid)
        if self.settings.cleanup_folder and (proc.is_exiting(self.judge) or os.getppid() != self.judge):
            remove(self.settings.cleanup_folder)

    def run_child(self, level: str, report: int) -> None:
        """Serve; returns only by ChildExit, in a run. `_READY` or what failed is written to `report`."""
        try:
            kernel.prctl(kernel.PR_SET_PDEATHSIG, _SIGKILL)
            if level == FULL:
                namespaces.unshare(users=os.getuid() != 0)
                pid = os.fork()
                if pid:
                    os.close(report)
                    self.control.close()
                    wait_for_server(pid)
                    os._exit(0)
                kernel.prctl(kernel.PR_SET_PDEATHSIG, _SIGKILL)
                namespaces.enter_file_tree(self.settings.shown, self.settings.writable)
            else:
                kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
            zygote = Zygote(self.control, Confinement(level, self.settings), self.become)
            base_memory = zygote.trial()
        except BaseException as error:  # noqa: BLE001 - reported as the failure of this level
            try:
                os.write(report, (getattr(error, "strerror", None) or repr(error)).encode())
            finally:
                os._exit(0)
        os.write(report, _READY)
        os.close(report)
        try:
            if _send(self.control, ("ready", level, base_memory)):
                zygote.serve()
        except ChildExit:
            raise
        except BaseException:  # noqa: BLE001, S110 - the child must never become a second zygote
            pass
        os._exit(0)


def wait_for_server(pid: int) -> None:
    """Wait for the end of the process that serves, killing it if a run stops it; then kill what it leaves behind."""
    while os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1]):
        os.kill(pid, _SIGKILL)
    while True:
        for orphan in proc.child_pids(os.getpid()):
            proc.kill_group(orphan)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def main(become: "Callable[[Request], None]" = execute) -> None:
    """Be a zygote; returns when the judge is gone."""
    # Ctrl-C in the terminal is for the judge alone. No new session: Linux gives each session a scheduling group
    # (sched_autogroup, sched(7)), and switching between the groups of two runs that talk would cost a third more.
    os.setpgid(0, 0)
    os.umask(0o022)  # whatever the user's is: runs are another user, who must read the file tree and compiled programs
    _signal.signal(_SIGINT, _signal.SIG_DFL)  # process 1 is immune to signals of its runs unless it handles them
    raise_limits()  # again, where the judge is a library
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    control = _socket.socket(fileno=CONTROL_FD)
    try:
        message = control.recv(MAX_MESSAGE)
    except OSError:  # the judge is gone already
        return
    if message:
        _Startup(control, Settings.unpack(message), become).serve()
