"""Walks a grammar, and emits the lines of a program."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import count

from judge.grammar.forms import (
    Body,
    Either,
    Graph,
    Integer,
    Item,
    Line,
    Listed,
    Member,
    Real,
    Relation,
    Repeat,
    Text,
    Word,
)

_INT = 2**31 - 1


def plain(kind: object) -> object:
    """Return what the values are: of a value of another list, what those are."""
    return kind.item if isinstance(kind, Member) else kind


def is_text(kind: object) -> bool:
    """Return whether the values are words, or numbers that are kept as words."""
    return isinstance(plain(kind), Word)


def is_large(kind: object) -> bool:
    """Return whether integers may not fit into 32 bits."""
    match plain(kind):
        case Integer(ranges=ranges):
            ends = [end.constant for each in ranges for end in (each.low, each.high)]
            return any(end is not None and not -_INT <= end <= _INT for end in ends)
        case Listed(item=item):
            return is_large(item)
        case _:
            return False


def type_of(kind: object, *, word: str, large: str) -> str:
    """Return the type of a value, with the names of types that languages do not have in common."""
    match plain(kind):
        case Word():
            return word
        case Real():
            return "double"
        case value:
            return large if is_large(value) else "int"


class Writer(ABC):
    """Writes one program.

    Attributes:
        lines: of the program so far.
        depth: of the indentation.
        used: what the program needs at its top.
        names: of its own variables.
    """

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self.depth = depth
        self.used: set[str] = set()
        self.names: set[str] = set()

    def emit(self, text: str) -> None:
        """Add a line."""
        self.lines.append("    " * self.depth + text if text else "")

    def fresh(self, name: str) -> str:
        """Return a name that no variable of the program has yet."""
        found = next(
            each for number in count(1) if (each := name if number == 1 else f"{name}{number}") not in self.names
        )
        self.names.add(found)
        return found

    def body(self, body: Body) -> None:
        """Read what a body describes."""
        for item in body.items:
            self.item(item)

    def item(self, item: Item) -> None:
        """Read one item."""
        match item:
            case Line():
                self.line(item)
            case Text():
                self.skip_line()
            case Relation():
                return
            case Repeat(is_condition=True):
                self.condition(item)
            case Repeat():
                self.repeat(item)
            case Graph():
                self.graph(item)
            case Either(options):
                self.either(options)

    @abstractmethod
    def line(self, line: Line) -> None:
        """Read the fields of a line."""

    @abstractmethod
    def skip_line(self) -> None:
        """Read a line that is always the same."""

    @abstractmethod
    def condition(self, block: Repeat) -> None:
        """Read what is there only if something holds."""

    @abstractmethod
    def repeat(self, block: Repeat) -> None:
        """Read a block."""

    @abstractmethod
    def graph(self, graph: Graph) -> None:
        """Read edges."""

    @abstractmethod
    def either(self, options: Sequence[Line]) -> None:
        """Read one of some lines."""

    @abstractmethod
    def finish(self) -> str:
        """Return the program."""
