"""The messages between the judge and the zygote: marshal of plain tuples over a SOCK_SEQPACKET socket.

judge -> zygote   `Settings`, once; answer: ("ready", level, base memory in bytes) or ("failed", message)
judge -> zygote   a `Request` with three descriptors: 0, 1 and 2 of the run
zygote -> judge   ("ran", broken limit, code, signal, cpu, wall, memory, disturbed) or ("failed", message)

judge -> zygote   a packed `Request` and several inputs, without descriptors: the program runs on one after the other
zygote -> judge   for each of the first of them, at least one: the answer of the run, its output, and its errors. If
                  those of the last run are None, because they are large, the message has their two descriptors

If a request says that descriptors 0 and 1 are pipes to another run, there are messages during the run:

judge -> zygote   `STOP`: end the run; the broken limit is then "stopped". Ignored after the end of the run.
zygote -> judge   (WAITING, since, until, for what): it has certainly waited all the time; repeated while it waits
                  (CLOSED, "input" or "output"): the run has closed that pipe
                  (ENDED, when, bytes written, waits for what): before "ran"; the last is the best guess

All times are those of `time.monotonic`.
"""

import marshal
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

CONTROL_FD = 3  # the zygote's end of the socket
MAX_MESSAGE = 1 << 16  # bytes; to receive more, each call would map and unmap memory
FORK_SERVER = "JUDGE_FORK_SERVER"  # the environment variable that makes a program one: see fork_server

STOP = b"stop"
WAITING, CLOSED, ENDED = "waiting", "closed", "ended"

FULL, LANDLOCK, LIMITS = "full", "landlock", "limits"


def _list_folder(folder: str) -> "list[str]":
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


# The system's folders in /usr and /usr/local: Filesystem Hierarchy Standard 3.0, chapter 4. Without `src`: container
# images keep projects there, including answers.
_PARTS = ("bin", "include", "lib", "lib32", "lib64", "libexec", "libx32", "sbin", "share")

# Readable by every run: the system's programs and libraries, and the few settings that they read.
SYSTEM = (
    *(f"/usr/{part}" for part in _PARTS),
    *(f"/usr/local/{part}" for part in _PARTS),
    *(f"/usr/{name}" for name in _list_folder("/usr") if "-linux" in name),  # cross compilers
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/nix/store",
    "/gnu/store",
    *(f"/etc/{name}" for name in _list_folder("/etc") if name.startswith("java")),  # settings of Debian's Java
)


class _Message:
    """A record that crosses the socket as a tuple; dataclasses would double the zygote's start-up time."""

    def __init__(self, **values: object) -> None:
        vars(self).update(values)

    @classmethod
    def unpack(cls, data: bytes) -> "Self":
        """Return the record that was packed into these bytes."""
        return cls(**dict(zip(cls.__annotations__, marshal.loads(data), strict=True)))

    def pack(self) -> bytes:
        """Return the bytes that cross the socket."""
        return marshal.dumps(tuple(map(vars(self).__getitem__, type(self).__annotations__)))


class Settings(_Message):
    """What all runs of a zygote have in common.

    Attributes:
        cleanup_folder: a folder to remove when the judge is killed and cannot do it, or "".
        core: the processor that runs are bound to, or -1.
        shown: paths that runs of this zygote may be allowed to read.
        user: the unused uid and gid for the runs when the judge is root, or 0.
        writable: paths that runs may be allowed to write.
    """

    cleanup_folder: str
    core: int
    levels: "tuple[str, ...]"
    shown: "tuple[str, ...]"
    user: int
    writable: "tuple[str, ...]"


class Request(_Message):
    """One run.

    Attributes:
        cpu, wall: limits in seconds.
        cwd: the current folder, or "" for the default of the level.
        disk: limit in bytes on all files in `writable` together; 0 for a multiple of `output`.
        has_fork_server: the program may start as a fork server.
        has_pipes: descriptors 0 and 1 are pipes to another run.
        has_scratch: `cwd` is to be removed when the judge is gone.
        is_compiled: a compiler made the program from a source.
        may_fork: the run may create processes, not only threads.
        memory, output: limits in bytes.
        readable: paths that the run may read besides the system's.
        writable: a folder that the run may write, or "".
    """

    argv: "tuple[str, ...]"
    cpu: float
    cwd: str
    disk: int
    environment: "dict[str, str]"
    has_fork_server: bool
    has_pipes: bool
    has_scratch: bool
    is_compiled: bool
    may_fork: bool
    memory: int
    output: int
    readable: "tuple[str, ...]"
    wall: float
    writable: str
