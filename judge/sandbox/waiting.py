"""Whether a run waits, and for what: the system calls that its threads are in. proc(5), `/proc/PID/syscall`.

Loaded by the zygote: imports only built-in modules. Where the kernel or a security policy hides the system calls of
other processes, no run ever seems to wait.
"""

import os

from judge.sandbox import kernel
from judge.sandbox.proc import read_file, threads
from judge.sandbox.syscalls import NUMBERS

TYPE_CHECKING = False
if TYPE_CHECKING:  # see protocol
    from collections.abc import Iterable

# What a run waits for: that the other side writes, that it reads, or another thread or process of the run.
INPUT, OUTPUT, ITSELF = "input", "output", "itself"

_SIGALRM = 14
_INT_SIGN = 1 << 31

_READS = ("read", "readv")
_WRITES = ("write", "writev")
# Calls that return when one of several descriptors is ready: (argument with the timeout, it is a pointer).
_POLLS = {
    "poll": (2, False),
    "epoll_wait": (3, False),
    "epoll_pwait": (3, False),
    "epoll_pwait2": (3, True),
    "ppoll": (2, True),
    "select": (4, True),
    "pselect6": (4, True),
}
_FUTEX_WAITS = (0, 9)  # FUTEX_WAIT and FUTEX_WAIT_BITSET: include/uapi/linux/futex.h
_FUTEX_FLAGS = 128 | 256
_CHILD_WAITS = ("wait4", "waitid")

_NAMES = {
    number: name
    for name in (*_READS, *_WRITES, *_POLLS, *_CHILD_WAITS, "futex")
    if kernel.MACHINE in ("x86_64", "aarch64") and (number := NUMBERS[name][kernel.IS_AARCH64]) is not None
}

# What a program may poll: these become ready by what some process of the interaction does, unlike timers.
_PASSIVE = ("pipe:", "/", "anon_inode:[eventpoll]", "anon_inode:[eventfd]")


def pipe_name(fd: int) -> str:
    """Return the name of an open pipe, as links in `/proc/PID/fd` have it."""
    return f"pipe:[{os.fstat(fd).st_ino}]"


def what_blocks(pids: "Iterable[int]") -> str:
    """Return what processes wait for if none of their threads can continue by itself, else "".

    Each thread must read from or write to a pipe, poll without a timeout, or wait for another thread or a child; and no
    timer may be set. Then only the other side of the interaction can wake them. Threads are looked at one after the
    other: the result holds for one moment only if the processes have used no CPU time meanwhile.
    """
    found = ""
    for pid in pids:
        polls = False
        for folder in threads(pid):
            name, arguments = _current_call(folder)
            if name in _READS + _WRITES:
                if not _link(f"{folder}/fd/{arguments[0]}").startswith("pipe:"):
                    return ""
                found = OUTPUT if name in _WRITES else found or INPUT
            elif name in _POLLS:
                if not _is_endless(name, arguments):
                    return ""
                polls, found = True, found or INPUT
            elif not (name in _CHILD_WAITS or (name == "futex" and _is_endless_futex(arguments)) or _is_zombie(folder)):
                return ""
        if _may_wake_by_timer(pid) or (polls and not _polls_nothing_else(pid)):
            return ""
    return found or ITSELF


def waits_for(pids: "Iterable[int]", stdin: str, stdout: str) -> str:
    """Return what some thread waits for at one of these pipes, even if other threads go on; "" for nothing."""
    for pid in pids:
        for folder in threads(pid):
            name, arguments = _current_call(folder)
            if name in _READS and _link(f"{folder}/fd/{arguments[0]}") == stdin:
                return INPUT
            if name in _WRITES and _link(f"{folder}/fd/{arguments[0]}") == stdout:
                return OUTPUT
    return ""


def has_as(pid: int, fd: int, pipe: str) -> bool:
    """Return whether a process has a pipe open as this descriptor."""
    return _link(f"/proc/{pid}/fd/{fd}") == pipe


def holds(pids: "Iterable[int]", pipe: str) -> bool:
    """Return whether a process has a pipe open; True if that is not visible."""
    for pid in pids:
        for folder in (f"/proc/{pid}", *threads(pid)):  # a first thread that has ended shows no descriptors
            try:
                names = os.listdir(f"{folder}/fd")
            except (FileNotFoundError, ProcessLookupError):
                continue
            except OSError:
                return True
            if any(_link(f"{folder}/fd/{name}") == pipe for name in names):
                return True
    return False


def written_bytes(pids: "Iterable[int]") -> int:
    """Return how many bytes processes and their children that have ended have passed to write(2); 0 if unknown.

    `wchar` in `/proc/PID/io`. Data that is spliced does not count.
    """
    total = 0
    for pid in pids:
        _, _, rest = read_file(f"/proc/{pid}/io").partition(b"wchar: ")
        total += int(rest.split(b"\n", 1)[0] or 0)
    return total


def _current_call(folder: str) -> "tuple[str, list[int]]":
    """Return the name and the arguments of the system call that a thread waits in; ("", []) if none of ours."""
    words = read_file(f"{folder}/syscall").split()
    if len(words) < 7 or not words[0].isdigit():  # `running`, or -1 outside system calls
        return "", []
    return _NAMES.get(int(words[0]), ""), [int(word, 16) for word in words[1:7]]


def _is_endless(name: str, arguments: "list[int]") -> bool:
    """Return whether a polling call has no timeout."""
    at, is_pointer = _POLLS[name]
    return arguments[at] == 0 if is_pointer else bool(arguments[at] & _INT_SIGN)


def _is_endless_futex(arguments: "list[int]") -> bool:
    return arguments[1] & ~_FUTEX_FLAGS in _FUTEX_WAITS and arguments[3] == 0


def _is_zombie(folder: str) -> bool:
    return read_file(f"{folder}/stat").rpartition(b")")[2].split()[:1] in ([b"Z"], [b"X"])


def _may_wake_by_timer(pid: int) -> bool:
    """Return whether a signal of a timer may wake a process: it has POSIX timers, or handles SIGALRM."""
    _, _, caught = read_file(f"/proc/{pid}/status").partition(b"SigCgt:")
    mask = int(caught.split(b"\n", 1)[0] or b"0", 16)
    return bool(mask >> (_SIGALRM - 1) & 1) or bool(read_file(f"/proc/{pid}/timers"))


def _polls_nothing_else(pid: int) -> bool:
    """Return whether all descriptors of a process belong to files, pipes and the like."""
    folder = f"/proc/{pid}/fd"
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    return all(_link(f"{folder}/{name}").startswith(_PASSIVE) for name in names)


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:  # closed meanwhile, or not accessible
        return ""
