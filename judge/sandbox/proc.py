"""Reading other processes: CPU clocks, memory, children, and how long they waited for a processor. proc(5).

Whatever is gone answers with nothing: a process may end at any moment.
"""

import os
import time

_PAGE = os.sysconf("SC_PAGE_SIZE")
_PF_EXITING = 0x4
# A stack of 16 KiB, a page at least (of 64 KiB on some arm64); struct task_struct and what belongs to it.
_KERNEL_MEMORY_OF_A_THREAD = max(1 << 14, _PAGE) + (1 << 14)

_SOCKET_BUFFER = 212992  # bytes: the kernel's own choice, where it does not tell (socket(7), wmem_default)


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


def unmapped(pid: int) -> int:
    """Return how much shared memory a process keeps beyond what is resident in it, in bytes; 0 where nobody tells.

    Pages of a shared anonymous mapping live as long as any part of it is mapped, whether it was unmapped or discarded
    (MADV_DONTNEED). What the whole of it takes is told to the machine's root alone: its `map_files`, proc(5).
    """
    found, seen = 0, set()
    place = f"/proc/{pid}"
    maps = _read(f"{place}/maps")
    if not maps:  # the first thread has ended: each of the others tells
        place, maps = next(((each, maps) for each in _as_processes(pid) if (maps := _read(f"{each}/maps"))), ("", b""))
    for line in maps.splitlines():
        if not (line.endswith(b" /dev/zero (deleted)") or b" [anon_shmem:" in line):  # MAP_SHARED | MAP_ANONYMOUS
            continue
        start, end = (int(word, 16) for word in line.split(b" ", 1)[0].split(b"-"))
        try:
            about = os.stat(f"{place}/map_files/{start:x}-{end:x}")
        except OSError:
            continue
        if about.st_ino not in seen:
            seen.add(about.st_ino)
            found += about.st_blocks * 512
    if not found:
        return 0
    status = _read(f"{place}/status").partition(b"RssShmem:")[2].split(b"kB", 1)[0]
    return max(0, found - int(status or 0) * 1024)


def socket_memory() -> int:
    """Return how much the sockets of this network namespace hold when their buffers are full, in bytes.

    It belongs to no process. Nor do numbers of descriptors bound it: a thread that waits for a socket (poll(2)) keeps
    it when its number is closed and used again.
    """
    name, _, sockets = _read("/proc/self/net/sockstat").partition(b"\n")[0].rpartition(b" ")
    if name != b"sockets: used" or sockets == b"0":
        return 0
    return int(sockets) * int(_read("/proc/sys/net/core/wmem_default") or _SOCKET_BUFFER)


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


def _as_processes(pid: int) -> "list[str]":
    """Return what tells of a process by each of its threads' numbers; unlike `task`, this has `map_files`."""
    return [f"/proc/{thread}" for thread in _entries(f"/proc/{pid}/task")]


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
