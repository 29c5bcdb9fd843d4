"""What makes inputs large, to measure how time grows."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from judge.inputs.blocks import Repeat
from judge.inputs.domains import Integer
from judge.inputs.expressions import Expression, ExpressionError, Range
from judge.inputs.forms import END_OF_FILE, Body

_SMALL = 1000  # values: tests of at most so many are counted themselves


class Dominant(Struct, frozen=True, kw_only=True):
    """The count that makes inputs large.

    Attributes:
        name: a parameter of `Grammar.generate`; "" if there is none.
        lowest: counts that should be as low as possible: the tests, if it is the size of one.
    """

    name: str = ""
    highest: int = 0
    lowest: frozenset[str] = frozenset()


def find_dominant(body: Body) -> Dominant:
    """Return the count that makes inputs large: that of a test rather than the number of tests, unless it is small."""
    survey = _Survey(body.counts)
    survey.add(body)
    tests = {name: most for name, most in survey.tests.items() if most > 1}
    inner = {name: most for name, most in survey.found.items() if name not in tests and most > 1}
    if tests and max(inner.values(), default=0) < _SMALL:
        inner, tests = tests, {}
    if not inner:
        return Dominant()
    name = max(inner, key=lambda each: inner[each])  # the first of several
    return Dominant(name=name, highest=inner[name], lowest=frozenset(tests))


class _Survey:
    """The highest values of all counts, by name, and of those that count tests."""

    def __init__(self, counts: frozenset[str]) -> None:
        self.found: dict[str, int] = {}
        self.tests: dict[str, int] = {}
        self._counts = counts
        self._most: dict[str, Any] = {}  # the highest values of the fields so far

    def add(self, body: Body) -> None:
        """Look at all items of a body."""
        for item in body.items:
            for name, kind in item.fields:
                ends: Sequence[Range] = kind.ranges if isinstance(kind, Integer) else ()
                if kind.size is not None and not kind.size.is_exact:
                    ends = (kind.size,)
                high = max((self._evaluate(each.high) for each in ends), default=0)
                for operator, other in body.limits.get(name, ()):
                    limit = self._evaluate(other)
                    high = min(high, limit) if operator in ("<", "<=", "==") and limit > 0 else high
                if isinstance(kind, Integer):
                    self._most[name] = high
                if name in self._counts or (kind.size is not None and high > 1):
                    self.found[name] = high
            if isinstance(item, Repeat):
                self._add_block(item)

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
