"""Rules that no input can meet, whatever its values: found while a grammar is read."""

from collections.abc import Mapping

from judge.grammar.expressions import Expression, Range
from judge.grammar.forms import Integer, Kind, Word
from judge.grammar.intervals import ANY, Interval, hull, interval_of, interval_of_range, show, size


def values_of(kind: Kind | None, known: Mapping[str, Interval]) -> Interval:
    """Return an interval that has all values of a field."""
    return hull([interval_of_range(each, known) for each in kind.ranges]) if isinstance(kind, Integer) else ANY


def find_empty_range(limits: Range, known: Mapping[str, Interval]) -> str:
    """Return why a range is always empty; "" if it may have values."""
    low, high = interval_of_range(limits, known)
    if low <= high:
        return ""
    ends = f"`{limits.low.text}` is at least {show(low)}, `{limits.high.text}` at most {show(high)}"
    return f"the range `{limits}` is always empty: {ends}"


def find_few_values(count: Range, kind: Kind, copies: int, known: Mapping[str, Interval]) -> str:
    """Return why there are too few values for a list or a block in which each occurs `copies` times at most."""
    if isinstance(kind, Integer):
        most = sum(size(interval_of_range(each, known)) for each in kind.ranges)
    elif isinstance(kind, Word) and kind.length is None:
        most = kind.pattern.count
    else:
        return ""
    least = interval_of(count.low, known)[0]
    if least <= most * copies:
        return ""
    often = "" if copies == 1 else f", each at most {copies} times"
    return f"there are only {show(most)} different values{often}, and at least {show(least)} needed"


def find_high_total(count: Range, what: Expression, most: Expression, known: Mapping[str, Interval]) -> str:
    """Return why the total of an expression over all repetitions is always too high."""
    often, least = interval_of(count.low, known)[0], interval_of(what, known)[0]
    highest = interval_of(most, known)[1]
    if min(often, least) <= 0 or often * least <= highest:
        return ""
    total = f"at least {show(often)} repetitions with at least {show(least)} each"
    return f"the total of `{what.text}` is always more than {show(highest)}: {total}"
