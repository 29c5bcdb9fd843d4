"""Which size to measure next: sizes grow geometrically to a good part of the limit, then the gaps are filled.

A few runs suffice for every law: a size whose run exceeds the limit bounds the sizes from above, and the next one is
in the middle. The gaps are filled where the times of neighbours differ most, which spreads the sizes evenly for powers
of n as well as for 2^n.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

from judge.scaling.fit import Sample

_SMALL = 32  # below this size and time, one more element may take several times as long

# The factor to the next size while no growth shows, for sizes below a bound: 2^n needs small steps, and what is not
# visible for a thousand elements is at most about n^2.
_STEPS = ((_SMALL, 2), (1 << 10, 4), (1 << 20, 8), (1 << 63, 16))


def larger_size(samples: Sequence[Sample], failed: int | None, largest: int, limit: float) -> int | None:
    """Return the next size beyond those that were measured; None if none is wanted.

    The samples are in the order of their sizes, at least one. `failed` is the smallest size that could not be measured,
    `largest` the last one that makes sense, and `limit` that of a run in CPU seconds.
    """
    last = samples[-1]
    if last.value >= 0.35 * limit:  # a longer run costs more than it adds
        return None
    if failed is not None:
        is_steep = last.size < _SMALL and last.value < 0.1 * limit
        is_near = failed <= last.size + 1 or (failed / last.size < 1.25 and not is_steep)
        return None if is_near else _middle(last.size, failed)
    if last.size >= largest:
        return None
    factor = 2 if _is_visible(last.value, samples) else next(factor for size, factor in _STEPS if last.size < size)
    return min(last.size * factor, largest)


def size_between(samples: Sequence[Sample]) -> int | None:
    """Return a size between the two neighbours whose times differ most, or None."""
    if sum(_is_visible(each.value, samples) for each in samples) >= 14:
        return None
    pairs = [(low, high) for low, high in pairwise(samples) if high.size > low.size + 1]
    gaps = [(high.value / low.value, low.size, high.size) for low, high in pairs if _is_visible(high.value, samples)]
    ratio, low_size, high_size = max(gaps, default=(0.0, 0, 0))
    if ratio > 1.6:
        return _middle(low_size, high_size)
    if len(samples) < 10 and pairs:  # all are quick: only many of them show whether there is any growth
        low, high = max(pairs, key=lambda pair: pair[1].size / pair[0].size)
        return _middle(low.size, high.size)
    return None


def _is_visible(value: float, samples: Sequence[Sample]) -> bool:
    """Return whether a time is more than that of the start of the program."""
    return value > 1.5 * samples[0].value + 0.002


def _middle(low: int, high: int) -> int:
    return min(max(math.isqrt(low * high), low + 1), high - 1)
