"""A form of the grammar is a class: what reads, makes, changes and describes inputs knows nothing else of it."""

import random
from collections.abc import Iterator
from itertools import islice
from types import ModuleType
from typing import Any

import pytest

from judge.inputs import Grammar, blocks, domains, edges, forms
from judge.inputs.build import Builder
from judge.inputs.domains import Domain, Integer, Integers, Kind, Scalar
from judge.inputs.expressions import Expression, Range, number_range, parse_expression
from judge.inputs.forms import Body, Item, Line, Listed
from judge.inputs.parse import Node, Parser, Tokens
from judge.inputs.read import Description
from judge.inputs.sites import Known, Path, Site, Sites

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


class _Triangle(Item, frozen=True, kw_only=True):
    """Rows of one, two, three and more values."""

    rows: Expression
    item: Scalar

    def parse(self, parser: Parser) -> list[list[Any]]:
        found = []
        for size in range(1, self.rows.evaluate(parser.env) + 1):
            tokens = Tokens(parser.next_line(f"row {size}"), parser)
            found.append([parser.scalar("t", self.item, tokens) for _ in range(size)])
            tokens.finish()
        return found

    def lines(self, node: Node) -> Iterator[str]:
        return (" ".join(map(str, row)) for row in node)

    def build(self, builder: Builder, _body: Body, guide: Node) -> list[list[Any]]:
        domain = builder.domain(self.item)
        known = {(row, at): each for row, values in enumerate(guide or ()) for at, each in enumerate(values or ())}
        rows = range(builder.add(self.rows.evaluate(builder.env)))
        return [[builder.chooser.value(domain, "t", known.get((row, at))) for at in range(row + 1)] for row in rows]

    def note(self, sites: Sites, node: Node, path: Path, known: Known) -> None:
        sites.add_count(Range(low=self.rows, high=self.rows), path, len(node), known)
        for row, values in enumerate(node):
            for at in range(len(values)):
                sites.add(Site((*path, row, at), "t", self.item))

    def outline(self) -> Iterator[str]:
        yield f"t: a triangle of {self.rows.text} rows"

    def sentence(self, _start: str, _depth: int) -> list[str]:
        return [f"${self.rows.tex}$ lines follow: a triangle of {self.item.phrase('t', is_list=True)}."]


HEX = _Hex(limits=number_range(10, 300))
LISTED = Line(fields=(("t", Listed(item=HEX, count=Range(low=N, high=N))),))
WRITTEN = {  # the new form; a valid input; the fault of an invalid one; what the statement and C++ say
    "value": (
        LISTED,
        b"2\nff 1a\n",
        (b"1\n1f4\n", "line 2, column 1: found `1f4`, expected `t`, an integer from 10"),
        "in hex",
        "vector<string> t(n);",
    ),
    "item": (
        _Triangle(rows=N, item=HEX),
        b"2\n1a\nff b\n",
        (b"2\na\n", "line 3, column 1: found the end"),
        "a triangle of",
        "// read this here: t: a triangle of n rows",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_new_form_is_read_made_changed_and_described(name: str) -> None:
    form, data, (wrong, fault), phrase, code = WRITTEN[name]
    grammar, rng = Grammar(Description(body=Body(items=(SIZE, form)))), random.Random(1)
    assert grammar.accepts(data)
    assert str(grammar.check(wrong)).startswith(fault)
    assert phrase in grammar.statement()
    assert code in grammar.reading_code("cpp")
    made = [grammar.generate(rng) for _ in range(20)] + [grammar.propose(rng, (3,)) for _ in range(20)]
    changed = [*islice(grammar.mutations(data, rng), 20), *grammar.single_changes(data)]
    simplest = list(islice(grammar.smallest(), 5))
    assert simplest[0] == b"1\na\n"
    assert all(map(grammar.accepts, [*made, *changed, *simplest]))
    assert len(set(made)) > 10
    assert len(set(changed)) > 10
    assert {b"1\n1a\n", b"2\n" + data[2:].replace(b"ff", b"a")} <= set(grammar.shrinks(data))
