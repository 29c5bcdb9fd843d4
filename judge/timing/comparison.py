"""The result of comparing CPU times, as a value and as a sentence."""

from enum import StrEnum
from typing import assert_never

from msgspec import Struct

from judge.units import Seconds


class ComparisonKind(StrEnum):
    """How the new program compares with the old one."""

    SLOWER = "slower"
    FASTER = "faster"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


class Work(StrEnum):
    """Whether the new program does more work, by exact counts; the value follows `more work:` in the sentence."""

    MORE = "yes"
    LESS = "no, less"
    SAME = "no"
    UNKNOWN = "unknown"


_NO_START = Seconds(0.0)


class Pair(Struct, frozen=True, kw_only=True):
    """The CPU times of one run of each program, one right after the other, in random order.

    Attributes:
        old: CPU time of the old program, its start included.
        new: CPU time of the new program, its start included.
        start: the quickest run so far of a program that does nothing; 0 if the start is not to be subtracted.
    """

    old: Seconds
    new: Seconds
    start: Seconds = _NO_START


class Interval(Struct, frozen=True, kw_only=True):
    """Bounds, both inclusive, of the ratio of new to old CPU time."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The upper bound divided by the lower; below 1 if the interval is empty."""
        return self.high / self.low


class Comparison(Struct, frozen=True, kw_only=True):
    """The answer that pairs of runs give.

    Attributes:
        ratio: new CPU time divided by the old one; None without any pair.
        interval: what the ratio lies in, see `statistics`; None with too few pairs.
        pairs: number of pairs.
        reason: why the answer is inconclusive; else "".
    """

    kind: ComparisonKind
    ratio: float | None = None
    interval: Interval | None = None
    pairs: int = 0
    reason: str = ""

    def describe(self, work: Work = Work.UNKNOWN) -> str:
        """Return the sentence, such as `1.31 x slower (29 to 33%, 9 pairs; more work: yes)`."""
        match self.kind:
            case ComparisonKind.INCONCLUSIVE:
                return f"inconclusive: {self.reason}"
            case ComparisonKind.SAME:
                assert self.interval is not None
                bound = max(self.interval.high - 1, 1 - self.interval.low)
                more = "" if work in (Work.UNKNOWN, Work.SAME) else f"; more work: {work}"
                return f"no change (within {_format_percent(bound)}%{more})"
            case ComparisonKind.SLOWER | ComparisonKind.FASTER:
                assert self.ratio is not None
                assert self.interval is not None
                colon = ":" if self.kind is ComparisonKind.FASTER else ""
                span = format_interval(self.interval)
                ratio = _format_ratio(self.ratio)
                return f"{ratio} x{colon} {self.kind} ({span}, {self.pairs} pairs; more work: {work})"
            case _:
                assert_never(self.kind)

    def __str__(self) -> str:
        return self.describe()


def inconclusive(reason: str, pairs: int = 0) -> Comparison:
    """Return a comparison without an answer."""
    return Comparison(kind=ComparisonKind.INCONCLUSIVE, pairs=pairs, reason=reason)


def format_interval(interval: Interval) -> str:
    """Return by how much the new time is larger, or smaller if the whole interval is below 1, such as `29 to 33%`."""
    low, high = interval.low - 1, interval.high - 1
    if low * high < 0:
        return f"{low * 100:+.1f} to {high * 100:+.1f}%"
    near, far = sorted((abs(low), abs(high)))
    return f"{_format_percent(near)} to {_format_percent(far)}%"


def _format_percent(share: float) -> str:
    """Return a share in percent, with one decimal below 10."""
    percent = share * 100
    return f"{percent:.1f}" if percent < 9.95 else f"{percent:.0f}"


def _format_ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:.0f}"
