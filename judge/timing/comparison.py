"""What pairs of CPU times say about the ratio of new to old time, and after how many pairs to ask.

The pairs are looked at a few times only, at numbers that are planned beforehand. Seven looks at two intervals, each of
which misses the true ratio in 0.1 % of cases, miss it in at most 1.4 % together (Bonferroni's inequality, which needs
no independence). For identical code it is much less, since an answer also needs a distance of 1 % from no change.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations_with_replacement
from statistics import NormalDist, median
from typing import assert_never

from msgspec import Struct

from judge.base.units import Seconds, format_count, format_seconds


class ComparisonKind(StrEnum):
    """How the new program compares with the old one."""

    SLOWER = "slower"
    FASTER = "faster"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


class Pair(Struct, frozen=True, kw_only=True):
    """The CPU times of one run of each program, one right after the other, in random order; their start included.

    `start` is the quickest run so far of a program that does nothing; 0 if the start is not to be subtracted.
    """

    old: Seconds
    new: Seconds
    start: Seconds = Seconds(0.0)


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
        interval: what the ratio lies in, see `estimate`; None with too few pairs.
        reason: why the answer is inconclusive; else "".
        case: the id of the case that was timed; "" if none was.
    """

    kind: ComparisonKind
    ratio: float | None = None
    interval: Interval | None = None
    pairs: int = 0
    reason: str = ""
    case: str = ""

    def __str__(self) -> str:
        """Return the sentence, such as `1.31 x slower (29 to 33%, 9 pairs) on big`."""
        place = f" on {self.case}" if self.case else ""
        match self.kind:
            case ComparisonKind.INCONCLUSIVE:  # the reason may be long and name a file
                return f"{self.case}: inconclusive: {self.reason}" if self.case else f"inconclusive: {self.reason}"
            case ComparisonKind.SAME:
                assert self.interval is not None
                bound = max(self.interval.high - 1, 1 - self.interval.low)
                return f"no change (within {_format_percent(bound)}%){place}"
            case ComparisonKind.SLOWER | ComparisonKind.FASTER:
                assert self.ratio is not None
                assert self.interval is not None
                colon = ":" if self.kind is ComparisonKind.FASTER else ""
                span = format_interval(self.interval)
                digits = 2 if self.ratio < 9.995 else 1 if self.ratio < 99.95 else 0
                ratio = f"{self.ratio:.{digits}f}"
                return f"{ratio} x{colon} {self.kind} ({span}, {self.pairs} pairs){place}"
            case _:
                assert_never(self.kind)


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


# ---- what pairs say -------------------------------------------------------------------------------------------------


LOOKS = (11, 20, 36, 65, 115, 205, 365)
"""After how many pairs to ask for an answer; each is 1.8 times the one before."""

MIN_PAIRS = LOOKS[0]
ERROR_RATE = 2.0 ** (1 - MIN_PAIRS)
"""How often one interval misses the true ratio: 0.1 %, as often as eleven coins show the same side."""

# A smaller difference may come from the position of the code in memory.
DIFFERENT_FROM = 0.01
SAME_WITHIN = 0.03


def conclude(pairs: Sequence[Pair]) -> Comparison:
    """Return the answer of one of the numbers of pairs in `LOOKS`, or of fewer if there will be no more."""
    number = len(pairs)
    if number < MIN_PAIRS:
        return inconclusive(
            f"only {format_count(number, 'pair')} of runs fit into the time; at least {MIN_PAIRS} are needed", number
        )
    own = subtract_start(pairs)
    if is_too_short(pairs):
        longest = max(min(pair.old for pair in own), min(pair.new for pair in own))
        start = min(pair.start for pair in pairs)
        found = f"{format_seconds(longest)} of work and {format_seconds(start)} of start"
        return inconclusive(f"too short to compare: {found}; use a case that takes longer", number)
    ratio, interval = estimate(own)
    kind = ComparisonKind.INCONCLUSIVE
    if interval is not None:
        if interval.low > 1 + DIFFERENT_FROM:
            kind = ComparisonKind.SLOWER
        elif interval.high < 1 / (1 + DIFFERENT_FROM):
            kind = ComparisonKind.FASTER
        elif interval.low >= 1 / (1 + SAME_WITHIN) and interval.high <= 1 + SAME_WITHIN:
            kind = ComparisonKind.SAME
    reason = _reason(own, ratio, interval) if kind is ComparisonKind.INCONCLUSIVE else ""
    return Comparison(kind=kind, ratio=ratio, interval=interval, pairs=number, reason=reason)


def subtract_start(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the CPU times of the programs' own work: less the quickest start, and at least a millisecond.

    The start is the same for both and would make a change of the work look smaller than it is.
    """
    start = min((pair.start for pair in pairs), default=Seconds(0.0))

    def own(cpu: Seconds) -> Seconds:
        return max(Seconds(cpu - start), Seconds(0.001))  # a ratio to almost nothing means nothing

    return [Pair(old=own(pair.old), new=own(pair.new)) for pair in pairs]


def is_too_short(pairs: Sequence[Pair]) -> bool:
    """Return whether neither program works for 10 ms, so that its time means something; more pairs cannot help.

    The start, which is not part of that, alone differs by a millisecond from run to run.
    """
    own = subtract_start(pairs)
    return bool(own) and max(min(pair.old for pair in own), min(pair.new for pair in own)) < 0.010


def minimum_interval(pairs: Sequence[Pair]) -> Interval | None:
    """Return the interval by the quickest runs, which misses the true ratio at `ERROR_RATE`; None for too few pairs.

    If the new program took more than r times as long, its quickest run would be slower than the 11 quickest of the old
    one times r. Those are from 11 pairs, in each of which either run was as likely to be the quicker one.
    """
    if len(pairs) < MIN_PAIRS:
        return None
    old, new = sorted(pair.old for pair in pairs), sorted(pair.new for pair in pairs)
    return Interval(low=new[0] / old[MIN_PAIRS - 1], high=new[MIN_PAIRS - 1] / old[0])


def wilcoxon_interval(pairs: Sequence[Pair]) -> Interval | None:
    """Return the interval by Wilcoxon's signed ranks, with the same error rate; None for too few pairs."""
    rank = _critical_rank(len(pairs))
    if rank < 1:
        return None
    averages = sorted(_walsh_averages(pairs))
    return Interval(low=math.exp(averages[rank - 1]), high=math.exp(averages[-rank]))


def estimate(pairs: Sequence[Pair]) -> tuple[float, Interval | None]:
    """Return the ratio and the intersection of both intervals, which misses it in at most 2 x `ERROR_RATE`.

    The ratio is that of the minima or, if the Wilcoxon interval is narrower, Hodges and Lehmann's estimate. The
    interval is None for too few pairs, and when the two intervals exclude each other.
    """
    by_minimum, by_ranks = minimum_interval(pairs), wilcoxon_interval(pairs)
    minima = min(pair.new for pair in pairs) / min(pair.old for pair in pairs)
    if by_minimum is None or by_ranks is None:
        return minima, None
    both = Interval(low=max(by_minimum.low, by_ranks.low), high=min(by_minimum.high, by_ranks.high))
    ratio = minima if by_minimum.width <= by_ranks.width else math.exp(median(_walsh_averages(pairs)))
    if both.width < 1 - 1e-9:  # bounds that touch may be rounded
        return ratio, None
    both = Interval(low=min(both.low, both.high), high=max(both.low, both.high))
    return min(max(ratio, both.low), both.high), both


def _walsh_averages(pairs: Sequence[Pair]) -> list[float]:
    """Return the averages of the logarithms of every two ratios, including each with itself."""
    logs = [math.log(pair.new / pair.old) for pair in pairs]
    return [(one + other) / 2 for one, other in combinations_with_replacement(logs, 2)]


@cache
def _critical_rank(pairs: int, most_exact: int = 65) -> int:
    """Return the rank of Walsh's averages, from each end, that bounds the interval; 0 if there are too few pairs.

    Up to `most_exact` pairs by the exact distribution: how many of the 2^n choices of signs give each sum of the ranks
    1 to n. From there on by the normal distribution of the same mean and variance, whose heavier tails are on the safe
    side.
    """
    if pairs > most_exact:
        mean, variance = pairs * (pairs + 1) / 4, pairs * (pairs + 1) * (2 * pairs + 1) / 24
        return int(NormalDist(mean, math.sqrt(variance)).inv_cdf(ERROR_RATE / 2))
    ways = [1]
    for rank in range(1, pairs + 1):
        longer = ways + [0] * rank
        for total, number in enumerate(ways):
            longer[total + rank] += number
        ways = longer
    allowed, seen = ERROR_RATE / 2 * 2**pairs, 0
    for total, number in enumerate(ways):
        seen += number
        if seen > allowed:
            return total
    return 0


def _reason(pairs: Sequence[Pair], ratio: float, interval: Interval | None) -> str:
    """Return why the answer is inconclusive, and what would help."""
    if interval is None:
        return f"the minimum and the median of {len(pairs)} pairs disagree; is one of the programs not deterministic?"
    found = f"{(ratio - 1) * 100:+.1f}% is likely, {format_interval(interval)} is possible after {len(pairs)} pairs"
    noise = repeatability(pairs) - 1
    if noise > 0.02:  # on a quiet machine, the minimum of CPU-bound code repeats within this
        return f"{found}; the same code varies by {noise * 100:.0f}%; try again on a quieter machine"
    return f"{found}; a longer case or more time would narrow it"


def repeatability(pairs: Sequence[Pair]) -> float:
    """Return the factor, at least 1, by which two measurements of the same program differ; the larger one of both.

    Compares the minimum of the first half of the pairs with that of the second half, like A and A' in a series A B A'.
    It describes how restless the machine is and decides nothing: the random order of each pair balances drift.
    """
    half = len(pairs) // 2
    sides = ([pair.old for pair in pairs], [pair.new for pair in pairs])
    minima = [(min(side[:half]), min(side[half:])) for side in sides]
    return max(max(each) / min(each) for each in minima)
