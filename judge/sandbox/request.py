"""What the judge and the zygote say to each other: marshal of plain tuples over a SOCK_SEQPACKET socket.

judge -> zygote   a `Setting`, once; answer: ("ready", level, floor of memory, refusals) or ("failed", text)
judge -> zygote   a `Request` with three descriptors: 0, 1 and 2 of the run
zygote -> judge   ("ran", broken limit, code, signal, cpu, wall, memory, disturbed) or ("failed", text)
"""

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

CONTROL = 3  # the descriptor of the zygote's end

FULL, LANDLOCK, LIMITS = "full", "landlock", "limits"


class _Fields:
    """A value of named fields that crosses the socket as a tuple; dataclasses would double the zygote's start-up."""

    __slots__: "tuple[str, ...]" = ()

    def __init__(self, **values: object) -> None:
        for name in self.__slots__:
            setattr(self, name, values[name])

    @classmethod
    def unpacked(cls, message: bytes) -> "Self":
        """Return the value that crossed."""
        return cls(**dict(zip(cls.__slots__, marshal.loads(message), strict=True)))

    def packed(self) -> bytes:
        """Return what crosses the socket."""
        return marshal.dumps(tuple(getattr(self, name) for name in self.__slots__))


class Setting(_Fields):
    """How all runs of a zygote are shut in.

    Attributes:
        belongings: a folder that is removed when the judge is killed and cannot do it, or "".
        levels: what to try, best first.
        shown: paths that the runs of this zygote may be allowed to read.
        writable: paths that they may be allowed to write.
        core: the processor that runs are bound to, or -1.
        user: the unused uid and gid for the runs, when the judge is root, or 0.
    """

    __slots__ = ("cleanup_folder", "core", "levels", "shown", "user", "writable")
    cleanup_folder: str
    core: int
    levels: "tuple[str, ...]"
    shown: "tuple[str, ...]"
    user: int
    writable: "tuple[str, ...]"


class Request(_Fields):
    """One run.

    Attributes:
        argv: the program and its arguments.
        environment: all of its environment.
        folder: its current folder, or "" for the one that the level has.
        has_scratch: the folder is to be removed when the judge goes.
        readable: paths that it may read besides the system's.
        writable: a folder that it may write, or "".
        may_fork: it may make processes, not only threads.
        cpu, wall: limits in seconds.
        memory, output: limits in bytes.
    """

    __slots__ = (
        "argv",
        "cpu",
        "environment",
        "folder",
        "has_scratch",
        "may_fork",
        "memory",
        "output",
        "readable",
        "wall",
        "writable",
    )
    argv: "tuple[str, ...]"
    cpu: float
    environment: "dict[str, str]"
    folder: str
    has_scratch: bool
    may_fork: bool
    memory: int
    output: int
    readable: "tuple[str, ...]"
    wall: float
    writable: str
