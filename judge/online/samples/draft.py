"""A problem before its files are written."""

from dataclasses import dataclass

from judge.units import Bytes, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One input with its answer, byte for byte; `name` is valid as a case's name."""

    name: str
    input: bytes
    answer: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The problems of one click in the browser: a contest's page sends many; `size` is their number."""

    id: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A problem before its files are written.

    Attributes:
        id: the name of its folders.
        title: its display name.
        profile: the online judge whose rules apply.
        source, url: where the problem comes from; "" if unknown.
        cpu, memory: its limits; None if unknown.
        program: the file name and the bytes of a solution that came with it.
        is_interactive: its samples are a dialogue, not an input and an output.
        notes: what the user should know about it.
    """

    id: str
    title: str
    profile: str = "icpc"
    source: str = ""
    url: str = ""
    cpu: Seconds | None = None
    memory: Bytes | None = None
    samples: tuple[Sample, ...] = ()
    program: tuple[str, bytes] | None = None
    is_interactive: bool = False
    batch: Batch | None = None
    notes: tuple[str, ...] = ()
