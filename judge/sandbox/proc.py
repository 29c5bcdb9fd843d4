"""Reading other processes: CPU clocks, memory, children, and how long they waited for a processor. proc(5).

Whatever is gone answers with nothing: a process may end at any moment.
"""

import os
import time

_PAGE = os.sysconf("SC_PAGE_SIZE")
_PF_EXITING = 0x4
_KERNEL_MEMORY_OF_A_THREAD = 1 << 15  # a stack of 16 KiB, struct task_struct and what belongs to it


def cpu_clock(pid: int) -> float:
    """Return the CPU time of all threads of a process, in seconds; 0 when it is gone.

    The clock id of another process is `(~pid << 3) | 2` (CPUCLOCK_SCHED, include/linux/posix-timers.h).
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def children_of(pid: int) -> list[int]:
    """Return the pids of the children of all threads of a process."""
    found: list[int] = []
    for thread in _entries(f"/proc/{pid}/task"):
        path = f"/proc/{pid}/task/{thread}/children"
        found.extend(int(word) for word in _read(path).split())
    if not found and not _tells_children():
        return [each for each in map(int, filter(str.isdigit, _entries("/proc"))) if _parent_of(each) == pid]
    return found


def descendants_of(pid: int) -> list[int]:
    """Return all descendants of a process, parents first."""
    found = children_of(pid)
    for child in found:
        found.extend(children_of(child))  # grows while it is walked: breadth first
    return found


def resident(pid: int) -> int:
    """Return a process's resident memory in bytes.

    A process whose first thread has ended tells nothing of its memory; each of its other threads tells all.
    """
    return _resident(f"/proc/{pid}") or next(filter(None, map(_resident, _threads(pid))), 0)


def uncounted(pid: int) -> int:
    """Return a process's memory that is not resident memory, in bytes.

    That is page tables (512 bytes for each page that was only read, and never counted), what was swapped out, huge
    pages of the machine's pool, and what the kernel keeps for each thread.
    """
    status = _read(f"/proc/{pid}/status")
    if b"VmPTE:" not in status:  # the first thread has ended: see `resident`
        others = (_read(f"{thread}/status") for thread in _threads(pid))
        status = next((other for other in others if b"VmPTE:" in other), status)
    found = 0
    for line in status.splitlines():
        name, _, value = line.partition(b":")
        if name in (b"VmPTE", b"VmSwap", b"HugetlbPages"):
            found += int(value.split()[0]) * 1024
        elif name == b"Threads":
            found += int(value) * _KERNEL_MEMORY_OF_A_THREAD
    return found


def proportional(pid: int) -> int:
    """Return a process's share of memory in bytes: pages shared with others count in part."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return resident(pid)


def run_delays(pid: int) -> dict[str, int]:
    """Return how long each thread of a process could have run but got no processor, in nanoseconds.

    Second field of `schedstat` (Documentation/scheduler/sched-stats.rst); nothing where the kernel does not tell.
    """
    found = {}
    for thread in _entries(f"/proc/{pid}/task"):
        fields = _read(f"/proc/{pid}/task/{thread}/schedstat").split()
        if len(fields) > 1:
            found[thread] = int(fields[1])
    return found


def is_ending(pid: int) -> bool:
    """Tell whether a process is about to end: it closes its files before its children are told.

    False where /proc does not tell. PF_EXITING of the seventh field behind the name in `stat` (include/linux/sched.h).
    """
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return bool(fields) and (fields[0] in (b"Z", b"X") or bool(int(fields[6]) & _PF_EXITING))


def _resident(folder: str) -> int:
    fields = _read(f"{folder}/statm").split()
    return int(fields[1]) * _PAGE if fields else 0


def _tells_children() -> bool:
    """Tell whether the kernel lists children (CONFIG_PROC_CHILDREN); else every process is asked for its parent."""
    me = os.getpid()
    return os.path.exists(f"/proc/{me}/task/{me}/children")


def _parent_of(pid: int) -> int:
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return int(fields[1]) if len(fields) > 1 else 0


def _threads(pid: int) -> "list[str]":
    return [f"/proc/{pid}/task/{thread}" for thread in _entries(f"/proc/{pid}/task")]


def _read(path: str) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        parts = []
        while part := os.read(fd, 65536):  # one call gives a page at most (fs/seq_file.c): some 600 children
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(fd)


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
