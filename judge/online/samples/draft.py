"""A problem to be: all that is known of it before its files are written."""

from dataclasses import dataclass

from judge.units import Bytes, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One input with its answer, byte for byte as they came; `name` can be a case's name."""

    name: str
    input: bytes
    answer: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The problems that came together: one click on a contest's page sends many.

    Attributes:
        size: how many problems it has.
    """

    id: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A problem to be.

    Attributes:
        id: its folder's name.
        title: what people call it.
        profile: the online judge whose ways are followed.
        source, url: where it was first set; "" when that is not known.
        cpu, memory: its limits; None where they are not known.
        program: the name and the text of a solution that came along.
        is_interactive: its samples show a dialogue and are no input and output.
        notes: what a person should know about it.
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
