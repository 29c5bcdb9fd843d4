"""A form of the grammar is a class: what reads, makes, changes and describes inputs knows nothing else of it."""

import random
from collections.abc import Iterator
from itertools import islice
from types import ModuleType
from typing import Any

import pytest

from judge.inputs import Grammar, blocks, domains, edges, forms
from judge.inputs.domains import Domain, Integer, Integers, Kind, Scalar
from judge.inputs.expressions import Range, number_range, parse_expression
from judge.inputs.forms import Body, Item, Line, Listed
from judge.inputs.read import Description

BASES = ("Domain", "Kind", "Scalar", "Item", "ListRules")


@pytest.mark.parametrize("module", [domains, forms, blocks, edges])
def test_each_form_defines_what_its_bases_leave_open(module: ModuleType) -> None:
    """A struct cannot be an abstract class, so nothing else notices a method that is missing."""
    for form in vars(module).values():
        if isinstance(form, type) and issubclass(form, (Domain, Kind, Item)) and form.__name__ not in BASES:
            for name in dir(form):
                member = getattr(form, name)
                code = getattr(getattr(member, "fget", member), "__code__", None)
                assert "NotImplementedError" not in (code.co_names if code else ()), (form.__name__, name)


N = parse_expression("n", ["n"], {})
SIZE = Line(fields=(("n", Integer(ranges=(number_range(1, 4),))),))


class _Hexes(Domain, frozen=True):
    """Integers in hexadecimal digits, as texts."""

    integers: Integers

    def describe(self) -> str:
        return f"{self.integers.describe()}, in hexadecimal digits"

    @property
    def count(self) -> int:
        return self.integers.count

    def nth(self, index: int) -> str:
        return f"{self.integers.nth(index):x}"

    def has(self, value: object) -> bool:
        return isinstance(value, str) and value in map(self.nth, range(self.count))


class _Hex(Scalar, frozen=True, kw_only=True):
    limits: Range

    def domain(self, env: dict[str, Any]) -> _Hexes:
        return _Hexes(Integers((self.limits.evaluate(env),)))

    def phrase(self, name: str, *, is_list: bool) -> str:
        return f"{'numbers' if is_list else 'a number'} ${name}$ in hexadecimal digits"

    def simpler(self, value: str) -> Iterator[str]:
        return iter(["a", value[:-1]])


HEX = _Hex(limits=number_range(10, 300))


def test_a_new_kind_of_value_is_read_made_changed_and_described() -> None:
    line = Line(fields=(("t", Listed(item=HEX, count=Range(low=N, high=N))),))
    grammar, rng, data = Grammar(Description(body=Body(items=(SIZE, line)))), random.Random(1), b"2\nff 1a\n"
    assert grammar.accepts(data)
    fault = grammar.check(b"1\n1f4\n")
    assert str(fault).startswith("line 2, column 1: found `1f4`, expected `t`, an integer from 10")
    assert "in hex" in grammar.statement()
    assert "vector<string> t(n);" in grammar.reading_code("cpp")
    made = [grammar.generate(rng) for _ in range(20)] + [grammar.propose(rng, (3,)) for _ in range(20)]
    changed = [*islice(grammar.mutations(data, rng), 20), *grammar.single_changes(data)]
    simplest = list(islice(grammar.smallest(), 5))
    assert simplest[0] == b"1\na\n"
    assert all(map(grammar.accepts, [*made, *changed, *simplest]))
    assert len(set(made)) > 10
    assert len(set(changed)) > 10
    assert {b"1\n1a\n", b"2\n" + data[2:].replace(b"ff", b"a")} <= set(grammar.shrinks(data))
