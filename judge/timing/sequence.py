"""When to stop: looks at the pairs so far, few of them, planned beforehand.

Each look may be wrong, so their number is bounded and each misses the truth rarely: seven looks at two intervals, each
wrong in 0.1 %, are wrong in at most 1.4 % together (Bonferroni's inequality: whatever they have in common). What is
asked besides, a distance of 1 % from no change at all, makes it much less for identical code.
"""

from collections.abc import Sequence

from judge.timing.comparison import Comparison, Interval, Kind, Pair, inconclusive, percents
from judge.timing.intervals import FLOOR_RUNS, estimate
from judge.units import Seconds, format_seconds

LOOKS = (11, 20, 36, 65, 115, 205, 365)  # after how many pairs; each 1.8 times the one before

# Less than this is hardly the code's doing: the same code takes a little longer where it lies elsewhere in memory.
DIFFERENT_FROM = 0.01
SAME_WITHIN = 0.03
_RESTLESS = 0.02  # the minimum of CPU-bound code stays within this where nobody disturbs

# Of a program's own work, without the interpreter's start; the start alone differs by a millisecond from run to run.
SHORTEST = Seconds(0.010)
SMALLEST = Seconds(0.001)  # what is less counts as this much: a ratio to next to nothing says nothing


def conclude(pairs: Sequence[Pair]) -> Comparison:
    """Return what the pairs allow to say.

    Args:
        pairs: as many as `LOOKS` says, or fewer when there will be no more.
    """
    number = len(pairs)
    if number < FLOOR_RUNS:
        return inconclusive(f"only {number} pairs of runs in the time that there was; {FLOOR_RUNS} tell", number)
    own = without_start(pairs)
    if is_too_short(pairs):
        longest = max(min(pair.old for pair in own), min(pair.new for pair in own))
        found = f"{format_seconds(longest)} of work beside {format_seconds(min(pair.start for pair in pairs))} of start"
        return inconclusive(f"too short to tell: {found}; take a case that takes longer", number)
    ratio, interval = estimate(own)
    kind = Kind.INCONCLUSIVE if interval is None else _kind(interval)
    reason = _reason(own, ratio, interval) if kind is Kind.INCONCLUSIVE else ""
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


def _kind(interval: Interval) -> Kind:
    if interval.low > 1 + DIFFERENT_FROM:
        return Kind.SLOWER
    if interval.high < 1 / (1 + DIFFERENT_FROM):
        return Kind.FASTER
    if interval.low >= 1 / (1 + SAME_WITHIN) and interval.high <= 1 + SAME_WITHIN:
        return Kind.SAME
    return Kind.INCONCLUSIVE


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
