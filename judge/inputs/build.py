"""From choices to an input: what the forms ask for where there is a choice, and what is left to choose from."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from judge.inputs.choose import MAX_VALUES, Chooser, GrammarError, Rejected
from judge.inputs.domains import Choices, Domain, Integer, Integers, Scalar, Word, Words
from judge.inputs.expressions import Expression, previous_name


class TooLargeError(GrammarError):
    """An input has more values than it may have."""


class Rows(Struct):
    """A field of a block about which a rule between repetitions says something.

    Attributes:
        count: the number of repetitions; `at` is the number of the current one, from 0.
        drawn: all values, if they were chosen before the block.
    """

    block: object
    count: int
    order: str
    at: int = 0
    drawn: list[Any] = field(default_factory=list)


class Builder:
    """The values of a tree that is being built, and what may still be chosen; for the arguments, see `Body.build`."""

    def __init__(
        self, counts: frozenset[str], chooser: Chooser, fixed: Mapping[str, Any], most: int = MAX_VALUES
    ) -> None:
        self._most = most
        self._counts = counts
        self.chooser = chooser
        self.fixed = fixed
        self.env: dict[str, Any] = {}
        self.left: dict[str, tuple[int, int]] = {}  # of fields with a total: what is left, for how many repetitions
        self._values = 0  # that were chosen so far
        self.rows: dict[str, Rows] = {}  # of fields about which rules between repetitions say something

    def note(self, name: str, value: Any) -> None:
        """Take in the value of a field."""
        self.env[name] = value
        if name in self.left and isinstance(value, int):
            left, often = self.left[name]
            self.left[name] = left - value, often - 1

    def value(self, name: str, kind: Scalar, limits: Sequence[tuple[str, Expression]], guide: Any) -> Any:
        """Choose the value of a field."""
        if isinstance(kind, Integer):
            return self._integer(name, kind, limits, guide)
        domain = self.domain(kind)
        fixed = self.fixed.get(name)
        if isinstance(kind, Word) and kind.characters:
            length = guide if isinstance(guide, str) else None
            return self.placed(kind, self.chooser.value(domain, name, length))
        if isinstance(domain, Words) and domain.length is not None and type(fixed) is int:
            domain = Words(domain.pattern, narrow(domain.length, fixed))
        elif fixed is not None:
            return require(domain, fixed)
        return self.chooser.value(domain, name, guide)

    def placed(self, kind: Scalar, value: Any) -> Any:
        """Return a value in which characters occur as often as they must."""
        if not isinstance(kind, Word) or not kind.characters:
            return value
        rules = [(char, *often.evaluate(self.env)) for char, often in kind.characters]
        (word,) = place_characters([value], rules, [kind.pattern.alphabet], self.chooser.below)
        return word

    def _integer(self, name: str, kind: Integer, limits: Sequence[tuple[str, Expression]], guide: Any) -> int:
        ranges = self.limited([each.evaluate(self.env) for each in kind.ranges], limits)
        if name in self.left:
            left, often = self.left[name]
            lowest = min(low for low, _ in ranges) if ranges else 0
            ranges = _restrict(ranges, "<=", left - (often - 1) * max(0, lowest))
        ranges = self._restrict_to_rows(name, kind, ranges)
        ranges = [(low, high) for low, high in ranges if low <= high]
        if not ranges:
            raise Rejected
        domain = Integers(tuple(ranges))
        if name in self.fixed:
            return int(require(domain, self.fixed[name]))
        if name in self._counts:
            low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
            count = self.chooser.count(name, low, high, guide if isinstance(guide, int) else None)
            near = domain.nearest(count)
            assert near is not None
            return near
        return int(self.chooser.value(domain, name, guide))

    def limited(
        self, ranges: Sequence[tuple[int, int]], limits: Sequence[tuple[str, Expression]]
    ) -> Sequence[tuple[int, int]]:
        """Return the ranges that some limits leave."""
        for operator, other in limits:
            ranges = _restrict(ranges, operator, other.evaluate(self.env))
        return ranges

    def _restrict_to_rows(
        self, name: str, kind: Integer, ranges: Sequence[tuple[int, int]]
    ) -> Sequence[tuple[int, int]]:
        """Restrict a value by the one in the row before, and leave room for the rows after it."""
        rows = self.rows.get(name)
        if rows is None:
            return ranges
        last = self.env.get(previous_name(name)) if rows.order else None
        if last is not None:
            sign = (">" if rows.order.endswith("ascending") else "<") + ("" if "strictly" in rows.order else "=")
            ranges = _restrict(ranges, sign, last)
        sources = [(each.low.source, each.high.source) for each in kind.ranges]
        rises = rows.order.endswith("ascending") or any("_previous_" in low for low, _ in sources)
        falls = rows.order.endswith("descending") or any("_previous_" in high for _, high in sources)
        is_chain = rows.order or rises != falls or not (rises or falls)
        left = rows.count - rows.at
        if not is_chain or left <= 1 or not self.chooser.narrows:
            return ranges
        if falls:
            return [(max(low, high - 2 * (high - low) // left), high) for low, high in ranges]
        return [(low, min(high, low + 2 * (high - low) // left)) for low, high in ranges]

    def domain(self, kind: Scalar) -> Domain:
        """Return the values that may be chosen. Raises Rejected if there are none."""
        match domain := kind.domain(self.env):
            case Integers(ranges=ranges):
                if found := tuple((low, high) for low, high in ranges if low <= high):
                    return Integers(found)
            case Words(pattern=pattern, length=(low, high)):
                if high >= max(0, low):
                    self.add(max(0, low))
                    return Words(pattern, (max(0, low), min(high, max(low, MAX_VALUES))))
            case Choices(values=()):
                pass
            case _:
                return domain
        raise Rejected

    def count(self, name: str, low: int, high: int, guide: Sequence[Any] | None) -> int:
        """Choose how many values follow; raises what `_add` does."""
        if low > high:
            raise Rejected
        count = low if low == high else self.chooser.count(name, low, high, None if guide is None else len(guide))
        return self.add(count)

    def add(self, count: Any) -> int:
        """Return the number of values that follow. Raises Rejected if it is negative, and TooLargeError."""
        if not isinstance(count, int) or count < 0:
            raise Rejected
        self._values += count
        if self._values > self._most:
            raise TooLargeError(f"more than {self._most:,} values: ask for a smaller input")
        return count


def _restrict(ranges: Sequence[tuple[int, int]], operator: str, other: Any) -> list[tuple[int, int]]:
    if not isinstance(other, int):
        return list(ranges)
    match operator:
        case "<" | "<=":
            return [(low, min(high, other - (operator == "<"))) for low, high in ranges]
        case ">" | ">=":
            return [(max(low, other + (operator == ">")), high) for low, high in ranges]
        case "==":
            return [(max(low, other), min(high, other)) for low, high in ranges]
        case _:
            parts = [(low, min(high, other - 1)) for low, high in ranges]
            return parts + [(max(low, other + 1), high) for low, high in ranges]


def narrow(ends: tuple[int, int], value: int) -> tuple[int, int]:
    """Return the range of one value; raises Rejected if it is outside."""
    if ends[0] <= value <= ends[1]:
        return value, value
    raise Rejected


def require(domain: Domain, value: Any) -> Any:
    """Return a value; raises Rejected if a domain has another kind of values."""
    if isinstance(domain, Integers) is (type(value) is int) and domain.has(value):
        return value
    raise Rejected


def place_characters(  # noqa: C901 - two passes over the rules
    words: Sequence[str], rules: Sequence[tuple[str, int, int]], alphabets: Sequence[str], below: Callable[[int], int]
) -> list[str]:
    """Return words in which as few characters as possible have changed, so that some occur as often as they must.

    A rule is a character, and how often it occurs at least and at most; each word has its alphabet. `below` returns a
    number from 0 to one less than its argument. Raises Rejected if that is not possible.
    """
    found = [list(word) for word in words]
    special = {char for char, _, _ in rules}
    places: dict[str, list[tuple[int, int]]] = {char: [] for char in special}
    others: list[tuple[int, int]] = []
    for number, word in enumerate(found):
        for at, char in enumerate(word):
            places.get(char, others).append((number, at))

    def take(free: list[tuple[int, int]], wanted: str) -> tuple[int, int]:
        """Remove a place where a character is allowed."""
        for _ in range(len(free)):
            at = below(len(free))
            free[at], free[-1] = free[-1], free[at]
            if wanted in alphabets[free[-1][0]]:
                return free.pop()
        raise Rejected

    for char, _, most in rules:
        while len(places[char]) > most:
            number, at = take(places[char], char)
            left = [each for each in alphabets[number] if each not in special]
            left = left or [each for each, least, _ in rules if each in alphabets[number] and len(places[each]) < least]
            if not left:
                raise Rejected
            found[number][at] = left[below(len(left))]
            places.get(found[number][at], others).append((number, at))
    for char, least, _ in rules:
        while len(places[char]) < least:
            spare = next((places[each] for each, low, _ in rules if each != char and len(places[each]) > low), [])
            number, at = take(others or spare, char)
            found[number][at] = char
            places[char].append((number, at))
    return ["".join(word) for word in found]
