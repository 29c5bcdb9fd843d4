"""Other processes: CPU clocks, memory, children, time spent waiting for a processor, and killing them. proc(5).

A process may end at any moment: one that is gone has no memory, no children and no CPU time, and is never an error.
"""

import os
import time

_SIGKILL = 9
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PF_EXITING = 0x4
# A stack of 16 KiB, at least one page (64 KiB on some arm64), and struct task_struct with what it refers to.
_KERNEL_MEMORY_PER_THREAD = max(1 << 14, _PAGE) + (1 << 14)

_SOCKET_BUFFER = 212992  # bytes: the kernel's default, where wmem_default is not readable (socket(7))


def cpu_time(pid: int) -> float:
    """Return the CPU time of all threads of a process in seconds.

    The clock id of another process is `(~pid << 3) | 2` (CPUCLOCK_SCHED, include/linux/posix-timers.h).
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def child_pids(pid: int) -> list[int]:
    """Return the pids of the children of all threads of a process."""
    children: list[int] = []
    for thread in _entries(f"/proc/{pid}/task"):
        children.extend(int(word) for word in read_file(f"/proc/{pid}/task/{thread}/children").split())
    if not children and not _kernel_lists_children():
        return [each for each in map(int, filter(str.isdigit, _entries("/proc"))) if _parent_pid(each) == pid]
    return children


def descendant_pids(pid: int) -> list[int]:
    """Return the pids of all descendants of a process, parents first."""
    pids = child_pids(pid)
    for child in pids:
        pids.extend(child_pids(child))  # the list grows during the loop: breadth first
    return pids


def resident_memory(pid: int) -> int:
    """Return a process's resident memory in bytes.

    A process whose first thread has ended shows no memory; each of its other threads shows all of it.
    """
    return _resident(f"/proc/{pid}") or next(filter(None, map(_resident, threads(pid))), 0)


def nonresident_memory(pid: int) -> int:
    """Return a process's memory in bytes that does not count as resident.

    That is page tables (512 bytes for each page that was only read), swapped memory, huge pages of the machine's pool,
    and what the kernel keeps for each thread.
    """
    status = read_file(f"/proc/{pid}/status")
    if b"VmPTE:" not in status:  # the first thread has ended: see `resident_memory`
        others = (read_file(f"{thread}/status") for thread in threads(pid))
        status = next((other for other in others if b"VmPTE:" in other), status)
    total = 0
    for line in status.splitlines():
        name, _, value = line.partition(b":")
        if name in (b"VmPTE", b"VmSwap", b"HugetlbPages"):
            total += int(value.split()[0]) * 1024
        elif name == b"Threads":
            total += int(value) * _KERNEL_MEMORY_PER_THREAD
    return total


def unmapped_memory(*pids: int) -> int:
    """Return how much shared memory processes keep beyond their resident part, in bytes; 0 if that is unknown.

    Pages of a shared anonymous mapping exist as long as any part of it is mapped, even if they were unmapped or
    discarded (MADV_DONTNEED). Only the machine's root can read the size of the whole: `map_files`, proc(5). What
    several processes share counts once, and as much of it is resident as in the process that has most of it, or more.
    """
    sizes: dict[int, int] = {}  # by inode
    resident = 0
    for pid in pids:
        folder = f"/proc/{pid}"
        maps = read_file(f"{folder}/maps")
        if not maps:  # the first thread has ended: ask the others
            # the folder of each thread directly below /proc: unlike those in `task`, they have `map_files`
            others = [f"/proc/{thread}" for thread in _entries(f"/proc/{pid}/task")]
            folder, maps = next(((each, maps) for each in others if (maps := read_file(f"{each}/maps"))), ("", b""))
        has_shared = False
        for line in maps.splitlines():
            if not (line.endswith(b" /dev/zero (deleted)") or b" [anon_shmem:" in line):  # MAP_SHARED | MAP_ANONYMOUS
                continue
            start, end = (int(word, 16) for word in line.split(b" ", 1)[0].split(b"-"))
            try:
                file = os.stat(f"{folder}/map_files/{start:x}-{end:x}")
            except OSError:
                continue
            has_shared = True
            sizes[file.st_ino] = file.st_blocks * 512
        if has_shared:
            own = read_file(f"{folder}/status").partition(b"RssShmem:")[2].split(b"kB", 1)[0]
            resident = max(resident, int(own or 0) * 1024)
    return max(0, sum(sizes.values()) - resident)


def socket_memory() -> int:
    """Return how many bytes the sockets of this network namespace hold when their buffers are full.

    That memory belongs to no process, and the limit on descriptors does not bound it: a thread that waits for a socket
    (poll(2)) keeps it alive after its descriptor is closed and reused.
    """
    name, _, sockets = read_file("/proc/self/net/sockstat").partition(b"\n")[0].rpartition(b" ")
    if name != b"sockets: used" or sockets == b"0":
        return 0
    return int(sockets) * _socket_buffer()


def open_socket_memory(pids: "tuple[int, ...]", limit: int) -> int:
    """Return how many bytes the sockets that processes have open hold when their buffers are full.

    Counting stops soon after `limit`. Sockets that have no descriptor any more are not seen, unlike by `socket_memory`.
    """
    sockets: set[str] = set()
    buffer = _socket_buffer()
    for pid in pids:
        for fd in _entries(f"/proc/{pid}/fd"):
            try:
                target = os.readlink(f"/proc/{pid}/fd/{fd}")
            except OSError:  # closed meanwhile
                continue
            if target.startswith("socket:"):
                sockets.add(target)
        if len(sockets) * buffer > limit:
            break
    return len(sockets) * buffer


def _socket_buffer() -> int:
    return int(read_file("/proc/sys/net/core/wmem_default") or _SOCKET_BUFFER)


def proportional_memory(pid: int) -> int:
    """Return a process's share of memory in bytes: pages shared with other processes count in part."""
    for line in read_file(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return resident_memory(pid)


def run_delays(pid: int) -> dict[str, int]:
    """Return how long each thread of a process was ready to run but had no processor, in nanoseconds.

    Second field of `schedstat` (Documentation/scheduler/sched-stats.rst); empty if the kernel does not provide it.
    """
    delays = {}
    for thread in _entries(f"/proc/{pid}/task"):
        fields = read_file(f"/proc/{pid}/task/{thread}/schedstat").split()
        if len(fields) > 1:
            delays[thread] = int(fields[1])
    return delays


def is_exiting(pid: int) -> bool:
    """Return whether all threads of a process are exiting: its files are closed before anyone is notified.

    False if /proc is not readable. PF_EXITING in the seventh field after the name in `stat` (include/linux/sched.h).
    """
    states = [read_file(f"{thread}/stat").rpartition(b")")[2].split() for thread in threads(pid)]
    return any(states) and all(
        not fields or fields[0] in (b"Z", b"X") or int(fields[6]) & _PF_EXITING for fields in states
    )


def kill_all() -> None:
    """Kill every process of this pid namespace except this one."""
    try:
        os.kill(-1, _SIGKILL)
    except ProcessLookupError:
        pass


def kill_group(pid: int) -> None:
    """Kill a process and its process group."""
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, _SIGKILL)
        except ProcessLookupError:
            pass


def prefer_for_oom_kill(pid: int) -> None:
    """Make the kernel kill this process first when the machine runs out of memory (proc(5), oom_score_adj)."""
    try:
        fd = os.open(f"/proc/{pid}/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
    except OSError:  # not accessible, or it has ended: the kernel then kills the largest process, as usual
        return
    try:
        os.write(fd, b"1000")
    except OSError:
        pass
    finally:
        os.close(fd)


def _resident(folder: str) -> int:
    fields = read_file(f"{folder}/statm").split()
    return int(fields[1]) * _PAGE if fields else 0


def _kernel_lists_children() -> bool:
    """Return whether the kernel lists children (CONFIG_PROC_CHILDREN); without that, every process is checked."""
    pid = os.getpid()
    return os.path.exists(f"/proc/{pid}/task/{pid}/children")


def _parent_pid(pid: int) -> int:
    fields = read_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return int(fields[1]) if len(fields) > 1 else 0


def threads(pid: int) -> "list[str]":
    """Return the folders of the threads of a process."""
    return [f"/proc/{pid}/task/{thread}" for thread in _entries(f"/proc/{pid}/task")]


def read_file(path: str) -> bytes:
    """Return the content of a file; b"" if it cannot be read, as after the end of a process."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return read_all(fd)  # one call returns at most a page (fs/seq_file.c): some 600 children
    except OSError:
        return b""
    finally:
        os.close(fd)


def read_all(fd: int) -> bytes:
    """Return everything that can be read from a descriptor, up to its end."""
    parts = []
    while part := os.read(fd, 65536):
        parts.append(part)
    return b"".join(parts)


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
