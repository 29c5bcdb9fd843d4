"""What makes inputs large, to measure how time grows."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from judge.inputs.expressions import Expression, ExpressionError
from judge.inputs.forms import END_OF_FILE, Body, Integer, Kind, Listed, Repeat, Word, fields_of

_SMALL = 1000  # values: tests of at most so many are counted themselves


class Dominant(Struct, frozen=True, kw_only=True):
    """The count that makes inputs large.

    Attributes:
        name: a parameter of `Grammar.generate`; "" if there is none.
        highest: its highest value.
        lowest: counts that should be as low as possible: the tests, if it is the size of one.
    """

    name: str = ""
    highest: int = 0
    lowest: frozenset[str] = frozenset()


def find_dominant(body: Body, counts: frozenset[str]) -> Dominant:
    """Return the count that makes inputs large: that of a test rather than the number of tests, unless it is small."""
    survey = _Survey(counts)
    survey.add(body)
    tests = {name: most for name, most in survey.tests.items() if most > 1}
    inner = {name: most for name, most in survey.found.items() if name not in tests and most > 1}
    if tests and max(inner.values(), default=0) < _SMALL:
        inner, tests = tests, {}
    if not inner:
        return Dominant()
    name = max(inner, key=lambda each: inner[each])  # the first of several
    return Dominant(name=name, highest=inner[name], lowest=frozenset(tests))


class _Survey(Struct):
    """All counts with their highest values.

    Attributes:
        found: by the names of fields, lists, words and blocks.
        tests: those that count tests.
    """

    counts: frozenset[str]
    found: dict[str, int] = field(default_factory=dict)
    tests: dict[str, int] = field(default_factory=dict)
    _most: dict[str, Any] = field(default_factory=dict)  # the highest values of the fields so far

    def add(self, body: Body) -> None:
        """Look at all items of a body."""
        for item in body.items:
            for name, kind in fields_of(item):
                self._add_field(name, kind, body)
            if isinstance(item, Repeat):
                self._add_block(item)

    def _add_field(self, name: str, kind: Kind, body: Body) -> None:
        high = max((self._evaluate(each) for each in _upper_ends(kind)), default=0)
        for operator, other in body.limits.get(name, ()):
            limit = self._evaluate(other)
            if operator in ("<", "<=", "==") and limit > 0:
                high = min(high, limit)
        if isinstance(kind, Integer):
            self._most[name] = high
        if name in self.counts or (isinstance(kind, Listed | Word) and high > 1):
            self.found[name] = high

    def _add_block(self, block: Repeat) -> None:
        names = [name for name in block.count.names if name in self.found]
        if not block.count.is_exact:
            names.append("tests" if block.is_tests else "repeat")
            self.found[names[-1]] = self._evaluate(block.count.high)
        if block.is_tests or block.until == END_OF_FILE:
            self.tests.update({name: self.found[name] for name in names})
        self.add(block.body)
        for what, limit in block.sums:
            if what.text in self.found:
                self.found[what.text] = min(self.found[what.text], self._evaluate(limit))

    def _evaluate(self, expression: Expression) -> int:
        try:
            return int(expression.evaluate(self._most))
        except ExpressionError:
            return 0


def _upper_ends(kind: Kind) -> Iterator[Expression]:
    """Yield the upper ends of an integer; of the length of a list or a word that has one of its own."""
    match kind:
        case Integer(ranges=ranges):
            yield from (each.high for each in ranges)
        case Listed(count=count) if not count.is_exact:
            yield count.high
        case Word(length=length) if length is not None and not length.is_exact:
            yield length.high
