"""When to stop: looks at the pairs so far, few of them, planned beforehand.

Each look may be wrong, so their number is bounded and each misses the truth rarely: seven looks at two intervals, each
wrong in 0.1 %, are wrong in at most 1.4 % together (Bonferroni's inequality: whatever they have in common). What is
asked besides, a distance of 1 % from no change at all, makes it much less for identical code.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from statistics import NormalDist, median

from judge.timing.comparison import Comparison, ComparisonKind, Interval, Pair, inconclusive, percents
from judge.units import Seconds, format_seconds

# How many of one side's runs must be quicker than all of the other's. By lot that happens in 2 x 2^-11.
FLOOR_RUNS = 11
MISSES = 2.0 ** (1 - FLOOR_RUNS)  # how often one interval misses the truth: 0.1 %


_EXACT_UP_TO = 65
_ROUNDING = 1e-9  # bounds that touch may miss each other by this much


def minimum_interval(pairs: Sequence[Pair]) -> Interval | None:
    """Return the interval by the quickest runs; it misses the truth in at most `MISSES`. None for too few pairs.

    Were the new program more than r times as slow, its quickest run would be slower than the 11 quickest of the old one
    times r: those are from 11 pairs, and each fell on its side by lot.
    """
    if len(pairs) < FLOOR_RUNS:
        return None
    old, new = sorted(pair.old for pair in pairs), sorted(pair.new for pair in pairs)
    return Interval(low=new[0] / old[FLOOR_RUNS - 1], high=new[FLOOR_RUNS - 1] / old[0])


def wilcoxon_interval(pairs: Sequence[Pair]) -> Interval | None:
    """Return the interval by Wilcoxon's signed ranks, which is as sure. None for too few pairs."""
    left_out = _rank_left_out(len(pairs))
    if left_out < 1:
        return None
    averages = sorted(_averages(pairs))
    return Interval(low=math.exp(averages[left_out - 1]), high=math.exp(averages[-left_out]))


def estimate(pairs: Sequence[Pair]) -> tuple[float, Interval | None]:
    """Return the ratio and what it lies in: both intervals at once, missing the truth in at most 2 x `MISSES`.

    The ratio is that of the minima or, where the middle says more than the floor, that of the middle (Hodges and
    Lehmann's estimate). The interval is None for too few pairs, and when the two exclude each other.
    """
    floor, middle = minimum_interval(pairs), wilcoxon_interval(pairs)
    minima = min(pair.new for pair in pairs) / min(pair.old for pair in pairs)
    if floor is None or middle is None:
        return minima, None
    both = Interval(low=max(floor.low, middle.low), high=min(floor.high, middle.high))
    ratio = minima if floor.width <= middle.width else math.exp(median(_averages(pairs)))
    if both.width < 1 - _ROUNDING:
        return ratio, None
    both = Interval(low=min(both.low, both.high), high=max(both.low, both.high))
    return min(max(ratio, both.low), both.high), both


def _averages(pairs: Sequence[Pair]) -> list[float]:
    """Return Walsh's averages: of the logarithms of every two ratios, each with itself too."""
    logs = [math.log(pair.new / pair.old) for pair in pairs]
    return [(one + other) / 2 for one, other in combinations_with_replacement(logs, 2)]


@cache
def _rank_left_out(pairs: int) -> int:
    """Return the rank of Walsh's averages, from each end, that bounds the interval; 0 when there are too few.

    Up to 65 pairs by the exact distribution: in how many of the 2^n ways of signs the ranks 1 to n sum to each value.
    From there on by the normal distribution of the same mean and variance, whose tails are heavier: the safe side.
    """
    if pairs > _EXACT_UP_TO:
        mean, variance = pairs * (pairs + 1) / 4, pairs * (pairs + 1) * (2 * pairs + 1) / 24
        return int(NormalDist(mean, math.sqrt(variance)).inv_cdf(MISSES / 2))
    ways = [1]
    for rank in range(1, pairs + 1):
        longer = ways + [0] * rank
        for total, number in enumerate(ways):
            longer[total + rank] += number
        ways = longer
    allowed, seen = MISSES / 2 * 2**pairs, 0
    for total, number in enumerate(ways):
        seen += number
        if seen > allowed:
            return total
    return 0


LOOKS = (11, 20, 36, 65, 115, 205, 365)  # after how many pairs; each 1.8 times the one before

# Less than this is hardly the code's doing: the same code takes a little longer where it lies elsewhere in memory.
DIFFERENT_FROM = 0.01
SAME_WITHIN = 0.03
_RESTLESS = 0.02  # the minimum of CPU-bound code stays within this where nobody disturbs

# Of a program's own work, without the interpreter's start; the start alone differs by a millisecond from run to run.
SHORTEST = Seconds(0.010)
SMALLEST = Seconds(0.001)  # what is less counts as this much: a ratio to next to nothing says nothing


def conclude(pairs: Sequence[Pair]) -> Comparison:
    """Return what the pairs allow to say: as many as `LOOKS` says, or fewer when there will be no more."""
    number = len(pairs)
    if number < FLOOR_RUNS:
        return inconclusive(f"only {number} pairs of runs in the time that there was; {FLOOR_RUNS} tell", number)
    own = without_start(pairs)
    if is_too_short(pairs):
        longest = max(min(pair.old for pair in own), min(pair.new for pair in own))
        found = f"{format_seconds(longest)} of work beside {format_seconds(min(pair.start for pair in pairs))} of start"
        return inconclusive(f"too short to tell: {found}; take a case that takes longer", number)
    ratio, interval = estimate(own)
    kind = ComparisonKind.INCONCLUSIVE if interval is None else _kind(interval)
    reason = _reason(own, ratio, interval) if kind is ComparisonKind.INCONCLUSIVE else ""
    return Comparison(kind=kind, ratio=ratio, interval=interval, pairs=number, reason=reason)


def without_start(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the CPU times of the programs' own work: less the quickest start, and at least a millisecond.

    The start is the same for both; it would make a change of the work look smaller than it is.
    """
    start = min((pair.start for pair in pairs), default=Seconds(0.0))

    def own(cpu: Seconds) -> Seconds:
        return max(Seconds(cpu - start), SMALLEST)

    return [Pair(old=own(pair.old), new=own(pair.new)) for pair in pairs]


def is_too_short(pairs: Sequence[Pair]) -> bool:
    """Whether neither program works long enough for its time to mean something; more pairs do not change that."""
    own = without_start(pairs)
    return bool(own) and max(min(pair.old for pair in own), min(pair.new for pair in own)) < SHORTEST


def _kind(interval: Interval) -> ComparisonKind:
    if interval.low > 1 + DIFFERENT_FROM:
        return ComparisonKind.SLOWER
    if interval.high < 1 / (1 + DIFFERENT_FROM):
        return ComparisonKind.FASTER
    if interval.low >= 1 / (1 + SAME_WITHIN) and interval.high <= 1 + SAME_WITHIN:
        return ComparisonKind.SAME
    return ComparisonKind.INCONCLUSIVE


def _reason(pairs: Sequence[Pair], ratio: float, interval: Interval | None) -> str:
    """Say what the times look like, and what would help."""
    if interval is None:
        return f"the quickest and the middle of {len(pairs)} pairs disagree; is one of the programs not deterministic?"
    found = f"{(ratio - 1) * 100:+.1f}% is likely, {percents(interval)} is possible after {len(pairs)} pairs"
    scatter = reproduced(pairs) - 1
    if scatter > _RESTLESS:
        return f"{found}; the same code differs from itself by {scatter * 100:.0f}%; try again on a quieter machine"
    return f"{found}; a longer case or more time would narrow it"


def reproduced(pairs: Sequence[Pair]) -> float:
    """Return by what factor two measurements of the same program differ: 1 or more, of old and new the larger one.

    It is the A and A' of a series A B A': the minimum of one half of the pairs against that of the other half. It says
    how restless the machine is, and decides nothing: drift favours neither side when each pair's order is drawn by lot.
    """
    half = len(pairs) // 2
    sides = ([pair.old for pair in pairs], [pair.new for pair in pairs])
    minima = [(min(side[:half]), min(side[half:])) for side in sides]
    return max(max(each) / min(each) for each in minima)
