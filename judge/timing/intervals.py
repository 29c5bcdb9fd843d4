"""How many times as long the new program takes: two intervals from the same pairs, and what both allow.

Both rest on one fact only: which of a pair ran first was drawn by lot. If the new program takes exactly r times the
CPU time of the old one, then in each pair (old x r, new) might as well have come out the other way round, whatever the
noise looks like and however it drifts. The coverage below is exact for that, not an approximation for many pairs.

- `of_the_floor` looks at the quickest runs of each side. The minimum of the CPU time of CPU-bound code hardly depends
  on who else uses the machine, so this one is narrow for such code.
- `of_the_middle` inverts Wilcoxon's signed-rank test on the logarithms of the pairs' ratios (Hollander and Wolfe,
  Nonparametric Statistical Methods, section 3.3). It is the narrower one where runs scatter evenly around a middle and
  have no floor, as memory-bound code does.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from statistics import NormalDist, median

from judge.timing.comparison import Interval, Pair

# How many of one side's runs must be quicker than all of the other's. By lot that happens in 2 x 2^-11.
FLOOR_RUNS = 11
MISSES = 2.0 ** (1 - FLOOR_RUNS)  # how often one interval misses the truth: 0.1 %


_EXACT_UP_TO = 65
_ROUNDING = 1e-9  # bounds that touch may miss each other by this much


def of_the_floor(pairs: Sequence[Pair]) -> Interval | None:
    """Return the interval by the quickest runs; it misses the truth in at most `MISSES`. None for too few pairs.

    Were the new program more than r times as slow, its quickest run would be slower than the 11 quickest of the old one
    times r: those are from 11 pairs, and each fell on its side by lot.
    """
    if len(pairs) < FLOOR_RUNS:
        return None
    old, new = sorted(pair.old for pair in pairs), sorted(pair.new for pair in pairs)
    return Interval(low=new[0] / old[FLOOR_RUNS - 1], high=new[FLOOR_RUNS - 1] / old[0])


def of_the_middle(pairs: Sequence[Pair]) -> Interval | None:
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
    floor, middle = of_the_floor(pairs), of_the_middle(pairs)
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
