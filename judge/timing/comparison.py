"""What a comparison of times comes to, as a value and as the sentence that people read."""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from judge.units import Seconds


class ComparisonKind(StrEnum):
    """What the times say about the new program."""

    SLOWER = "slower"
    FASTER = "faster"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


class Work(StrEnum):
    """What exact counts say about the new program's work; the value answers `more work:`."""

    MORE = "yes"
    LESS = "no, less"
    SAME = "no"
    UNKNOWN = "unknown"


_NO_START = Seconds(0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The CPU times of one run of each program, made one right after the other, in random order.

    Attributes:
        old, new: greater than `start`, but for noise.
        start: of a program of that language that does nothing, so far; 0 where both shall be taken as a whole.
    """

    old: Seconds
    new: Seconds
    start: Seconds = _NO_START


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Bounds, both inclusive, of the new CPU time as a multiple of the old one."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """How many times the upper bound is as large as the lower; below 1 when nothing lies between them."""
        return self.high / self.low


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What pairs of runs say.

    Attributes:
        ratio: the new CPU time as a multiple of the old one; None where no pair was made.
        interval: what it lies in, see `intervals`; None where there are too few pairs for one.
    """

    kind: ComparisonKind
    ratio: float | None = None
    interval: Interval | None = None
    pairs: int = 0
    reason: str = ""

    def words(self, work: Work = Work.UNKNOWN) -> str:
        """Return the sentence, such as `1.31 x slower (29 to 33%, 9 pairs; more work: yes)`."""
        match self.kind:
            case ComparisonKind.INCONCLUSIVE:
                return f"inconclusive: {self.reason}"
            case ComparisonKind.SAME:
                assert self.interval is not None
                more = "" if work in (Work.UNKNOWN, Work.SAME) else f"; more work: {work}"
                distance = max(self.interval.high - 1, 1 - self.interval.low)
                return f"no change (within {_percent(distance)}%{more})"
            case ComparisonKind.SLOWER | ComparisonKind.FASTER:
                assert self.ratio is not None
                assert self.interval is not None
                colon = ":" if self.kind is ComparisonKind.FASTER else ""
                span = percents(self.interval)
                return f"{_times(self.ratio)} x{colon} {self.kind} ({span}, {self.pairs} pairs; more work: {work})"
            case _:
                assert_never(self.kind)

    def __str__(self) -> str:
        return self.words()


def inconclusive(reason: str, pairs: int = 0) -> Comparison:
    """Return a comparison that could not be made, and why."""
    return Comparison(kind=ComparisonKind.INCONCLUSIVE, pairs=pairs, reason=reason)


def percents(interval: Interval) -> str:
    """Return by how much the new time is larger (or smaller, where all of the interval is), such as `29 to 33%`."""
    bounds = sorted((interval.low - 1, interval.high - 1), key=abs)
    if bounds[0] * bounds[1] < 0:
        return f"{(interval.low - 1) * 100:+.1f} to {(interval.high - 1) * 100:+.1f}%"
    return f"{_percent(abs(bounds[0]))} to {_percent(abs(bounds[1]))}%"


def _percent(share: float) -> str:
    """Write a share in percent: one decimal below 10, none from there on."""
    percent = share * 100
    return f"{percent:.1f}" if percent < 9.95 else f"{percent:.0f}"


def _times(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:.0f}"
