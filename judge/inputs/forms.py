"""What an input consists of: the values of the key `input:`, after reading.

A body is a series of lines, blocks and relations. A line has fields; a field has a kind of value.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct, field

from judge.inputs.domains import Integer, Kind, Scalar, Word
from judge.inputs.expressions import Expression, Range

END_OF_FILE = "end of file"
_Part = TypeVar("_Part")


class Listed(Kind, frozen=True, kw_only=True):
    """Values in a row, with one space between them.

    Attributes:
        count: how many; unless it is exact, the list ends with its line.
        copies: how often a value may occur; 1 means that all are distinct, None that it does not matter.
        order: `ascending`, `strictly ascending`, `descending`, `strictly descending`, or "" for any.
        index: the name by which the bounds of a value know its number, from 1; "" without one.
    """

    item: Scalar
    count: Range
    copies: int | None = None
    order: str = ""
    index: str = ""

    @property
    def size(self) -> Range:
        return self.count

    @property
    def is_open(self) -> bool:
        return not self.count.is_exact


class Permutation(Kind, frozen=True, kw_only=True):
    """The integers from `first` on, in any order.

    Attributes:
        count: how many.
    """

    count: Expression
    first: int = 1

    @property
    def size(self) -> Range:
        return Range(low=self.count, high=self.count)


class Line(Struct, frozen=True, kw_only=True):
    """A line: its fields in order, with one space between them."""

    fields: tuple[tuple[str, Kind], ...]


class Text(Struct, frozen=True):
    """A line that is always the same; an empty text is a blank line."""

    text: str


class Relation(Struct, frozen=True):
    """What must hold between the values before it."""

    expression: Expression


class Repeat(Struct, frozen=True, kw_only=True):
    """A body that is repeated.

    Attributes:
        count: how often; unless it is exact, `until` says where it ends.
        until: `end of file`, or the text of the line that ends it; "" if the count says it.
        is_tests: each repetition is a test of its own.
        sums: the highest totals of some expressions over all repetitions.
        distinct: the fields whose values together differ in all repetitions.
        orders: fields whose values are in order, with the order.
        characters: how often some characters occur in the words of all repetitions together.
        index: the name of the number of the repetition, from 1; "" without one.
        previous: the fields whose value in the repetition before is used.
        columns: the fields that are lists of all their values after the block.
        is_condition: it is there once or not at all.
    """

    count: Range
    body: "Body"
    until: str = ""
    is_tests: bool = False
    sums: tuple[tuple[Expression, Expression], ...] = ()
    distinct: tuple[str, ...] = ()
    orders: tuple[tuple[str, str], ...] = ()
    characters: tuple[tuple[str, Range], ...] = ()
    index: str = ""
    previous: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    is_condition: bool = False

    @property
    def has_end_line(self) -> bool:
        """Whether a line of its own ends it."""
        return self.until not in ("", END_OF_FILE)


class Graph(Struct, frozen=True, kw_only=True):
    """One line for each edge: its two nodes, and its weight if there is one.

    Attributes:
        first: the number of the first node.
        is_tree: connected without a cycle, so that there is one edge less than nodes.
        is_simple: no loops, and no two edges between the same nodes (in the same direction if it is directed).
        is_acyclic: directed without a cycle.
        weight: of each edge.
    """

    nodes: Expression
    edges: Expression
    first: int = 1
    is_tree: bool = False
    is_simple: bool = True
    is_connected: bool = False
    is_directed: bool = False
    is_acyclic: bool = False
    weight: Integer | None = None


class Either(Struct, frozen=True):
    """One of some lines; they begin with different texts."""

    options: tuple[Line, ...]


Item = Line | Text | Relation | Repeat | Graph | Either


class Body(Struct, frozen=True, kw_only=True):
    """Items in order.

    Attributes:
        limits: the relations that a field completes, as (operator, expression), by the field's name.
    """

    items: tuple[Item, ...]
    limits: Mapping[str, tuple[tuple[str, Expression], ...]] = field(default_factory=dict)


def walk(body: Body) -> Iterator[Item]:
    """Yield all items, those of blocks after the block."""
    for item in body.items:
        yield item
        if isinstance(item, Repeat):
            yield from walk(item.body)


def fields_of(item: Item) -> tuple[tuple[str, Kind], ...]:
    """Return the fields of the lines that an item may be."""
    match item:
        case Line(fields=fields):
            return fields
        case Either(options):
            return tuple(each for line in options for each in line.fields)
        case _:
            return ()


def own_fields(body: Body) -> dict[str, Kind]:
    """Return the fields of the lines of a body, without those of its blocks."""
    return {name: kind for item in body.items if isinstance(item, Line) for name, kind in item.fields}


def counted_words(body: Body, trees: Sequence[Any]) -> Iterator[tuple[list[Any], int, Word]]:
    """Yield the words whose characters a block counts: the line of values, the position there, and the kind."""
    for tree in trees:
        for item, node in zip(body.items, tree, strict=True):
            for at, (_, kind) in enumerate(item.fields if isinstance(item, Line) else ()):
                if isinstance(kind, Word) and kind.length is not None:
                    yield node, at, kind


def find_parts(value: object, wanted: type[_Part]) -> Iterator[_Part]:
    """Yield the parts of a form that are of a type, such as its expressions; a form itself is one of its parts."""
    if isinstance(value, wanted):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from find_parts(each, wanted)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from find_parts(getattr(value, name), wanted)


def first_text(line: Line) -> str | None:
    """Return the text that a line always begins with, if there is one."""
    kind = line.fields[0][1]
    if isinstance(kind, Integer) and len(kind.ranges) == 1 and kind.ranges[0].is_exact:
        value = kind.ranges[0].low.constant
        return None if value is None else str(value)
    if isinstance(kind, Word) and kind.length is None and kind.pattern.count == 1:
        return kind.pattern.nth(0)
    return None
