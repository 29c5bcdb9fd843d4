"""The programs of a problem that judge, and what they say: checkers, interactors, static validators and graders."""

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from judge.base.units import Seconds


class Protocol(StrEnum):
    """How a program is called, and how it reports its verdict."""

    ICPC = "icpc"  # input, answer, feedback folder; the output on standard input; exit status 42 or 43
    TESTLIB = "testlib"  # input, output, answer; exit status 0 (AC), 1 (WA), 2 (PE), 3 (fail), 4 (dirt), 7 (points)


class JudgeProgram(Struct, frozen=True, kw_only=True):
    """A program of a problem that judges.

    Attributes:
        source: a source file, or a folder with the sources of one program; absolute.
        include: files, and folders with files, that it needs for compiling, such as `testlib.h`.
        others: further checkers, which must accept the output, too (ICPC legacy, "Output validators").
    """

    source: Path
    protocol: Protocol = Protocol.ICPC
    include: tuple[Path, ...] = ()
    others: tuple["JudgeProgram", ...] = ()


class RawScore(Struct, frozen=True, kw_only=True):
    """What a checker gave for a case: texts, not checked against any rule.

    Attributes:
        score: `score.txt`, or the points of testlib; None without any.
        multiplier: `score_multiplier.txt`; None without one.
    """

    score: str | None = None
    multiplier: str | None = None


class TranscriptEntry(Struct, frozen=True, kw_only=True):
    """What one side of an interaction wrote in one piece.

    Attributes:
        is_solution: the solution wrote it; else the interactor.
        time: seconds since the start of the pass.
        data: the bytes, cut to the budget of the transcript.
        pass_number: 1-based.
    """

    is_solution: bool
    time: Seconds
    data: bytes
    pass_number: int = 1


class Transcript(Struct, frozen=True, kw_only=True):
    """What a solution and an interactor wrote to each other, or what the passes of a solution read and wrote.

    Attributes:
        entries: in the order of time.
        skipped: the number of bytes that are left out.
        skipped_at: the number of entries before the gap.
        verdict: of the recorded run, if that is a second run with another verdict; else "".
        has_interactor: else, what the solution did not write is the input of a pass.
    """

    entries: tuple[TranscriptEntry, ...] = ()
    skipped: int = 0
    skipped_at: int = 0
    verdict: str = ""
    has_interactor: bool = True
