"""What an input consists of: the values of the key `input:`, after reading.

A body is a series of lines, blocks and relations. A line has fields; a field has a kind of value.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from judge.grammar.expressions import Expression, Range
from judge.grammar.patterns import Pattern

END_OF_FILE = "end of file"


class Integer(Struct, frozen=True, kw_only=True):
    """An integer in one of some ranges, without leading zeros."""

    ranges: tuple[Range, ...]


class Real(Struct, frozen=True, kw_only=True):
    """A number with a decimal point; the value is its text.

    Attributes:
        low, high: texts such as `-1.5`, both included.
        decimals: how many digits follow the point; without any there is no point.
    """

    low: str
    high: str
    decimals: tuple[int, int]


class Word(Struct, frozen=True, kw_only=True):
    """A word of a pattern.

    Attributes:
        length: the number of characters, all of one class; None if the pattern says it.
    """

    pattern: Pattern
    length: Range | None = None


class Listed(Struct, frozen=True, kw_only=True):
    """Values in a row, with one blank between them.

    Attributes:
        count: how many; unless it is exact, the list ends with its line.
        copies: how often a value may occur; 1 means that all are distinct, None that it does not matter.
        order: `ascending`, `strictly ascending`, `descending`, `strictly descending`, or "" for any.
    """

    item: "Integer | Real | Word"
    count: Range
    copies: int | None = None
    order: str = ""


class Permutation(Struct, frozen=True, kw_only=True):
    """The integers from `first` on, in any order.

    Attributes:
        count: how many.
    """

    count: Expression
    first: int = 1


Kind = Integer | Real | Word | Listed | Permutation


class Line(Struct, frozen=True, kw_only=True):
    """A line: its fields in order, with one blank between them."""

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
    """

    count: Range
    body: "Body"
    until: str = ""
    is_tests: bool = False
    sums: tuple[tuple[Expression, Expression], ...] = ()
    distinct: tuple[str, ...] = ()


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


def lines_of(item: Item) -> tuple[Line, ...]:
    """Return the lines that an item may be."""
    match item:
        case Line():
            return (item,)
        case Either(options):
            return options
        case _:
            return ()


def first_text(line: Line) -> str | None:
    """Return the text that a line always begins with, if there is one."""
    kind = line.fields[0][1]
    if isinstance(kind, Integer) and len(kind.ranges) == 1 and kind.ranges[0].is_exact:
        value = kind.ranges[0].low.constant
        return None if value is None else str(value)
    if isinstance(kind, Word) and kind.length is None and kind.pattern.count == 1:
        return kind.pattern.nth(0)
    return None
