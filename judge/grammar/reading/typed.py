"""What the reading code in C++ and in Java has in common: it reads token by token."""

from abc import abstractmethod
from collections.abc import Sequence

from judge.grammar.expressions import Expression
from judge.grammar.forms import (
    END_OF_FILE,
    Kind,
    Line,
    Listed,
    Permutation,
    Repeat,
    Word,
    first_text,
    is_open,
    own_fields,
)
from judge.grammar.patterns import parse_pattern
from judge.grammar.reading.expressions import identifier, typed_text
from judge.grammar.reading.writer import Writer

_ANY = parse_pattern(".")


class Typed(Writer):
    """Writes one program."""

    @abstractmethod
    def call(self, name: str, arguments: list[str]) -> str:
        """Return a call of a function of the grammar."""

    @abstractmethod
    def read_scalar(self, name: str, kind: Kind) -> None:
        """Read one value."""

    @abstractmethod
    def read_list(self, name: str, item: object, count: str) -> None:
        """Read values in a row; `item` is None for plain integers."""

    @abstractmethod
    def read_open(self, fields: Sequence[tuple[str, Kind]]) -> None:
        """Read a line whose last field ends with it."""

    @abstractmethod
    def until(self, block: Repeat) -> str:
        """Return the condition under which another repetition follows."""

    def end_until(self) -> None:
        """Skip the line that ends a block."""

    @abstractmethod
    def begin_column(self, name: str, kind: object) -> None:
        """Declare a list of the values of a field in all repetitions."""

    @abstractmethod
    def add_to_column(self, name: str) -> None:
        """Add a value."""

    @abstractmethod
    def end_column(self, name: str, kind: object) -> None:
        """Give the list the name of the field."""

    @abstractmethod
    def equals(self, name: str, text: str) -> str:
        """Return whether a word is the same as a text."""

    def text(self, expression: Expression) -> str:
        """Return an expression in the language."""
        return typed_text(expression.source, self.call)

    def line(self, line: Line) -> None:
        """Read the fields of a line."""
        fields = line.fields
        if is_open(fields[-1][1]):
            self.read_open(fields)
            return
        for name, kind in fields:
            self.read(identifier(name), kind)

    def read(self, name: str, kind: Kind) -> None:
        """Read a field."""
        match kind:
            case Listed(item=item, count=count):
                self.read_list(name, item, self.text(count.low))
            case Permutation(count=count):
                self.read_list(name, None, self.text(count))
            case _:
                self.read_scalar(name, kind)

    def condition(self, block: Repeat) -> None:
        """Read what is there only if something holds."""
        self.emit(f"if ({self.text(block.count.low)}) {{")
        self.depth += 1
        self.body(block.body)
        self.depth -= 1
        self.emit("}")

    def repeat(self, block: Repeat) -> None:
        """Read a block."""
        fields = own_fields(block.body)
        for name in block.columns:
            self.begin_column(name, fields[name])
        self.emit(self._head(block))
        self.depth += 1
        self.body(block.body)
        for name in block.columns:
            self.add_to_column(name)
        if block.is_tests or block.until == END_OF_FILE:
            self.emit("// solve")
        self.depth -= 1
        self.emit("}")
        if block.has_end_line:
            self.end_until()
        for name in block.columns:
            self.end_column(name, fields[name])

    def _head(self, block: Repeat) -> str:
        index = identifier(block.index)
        if block.until:
            condition = self.until(block)
            return f"for (long {index} = 1; {condition}; {index}++) {{" if index else f"while ({condition}) {{"
        count = self.text(block.count.low)
        if index:
            return f"for (long {index} = 1; {index} <= {count}; {index}++) {{"
        at = "i" * self.depth
        return f"for (long {at} = 0; {at} < {count}; {at}++) {{"

    def either(self, options: Sequence[Line]) -> None:
        """Read one of some lines."""
        kind = self.fresh("kind")
        self.read_scalar(kind, Word(pattern=_ANY))
        for at, line in enumerate(options):
            condition = self.equals(kind, first_text(line) or "")
            self.emit(f"{'} else ' if at else ''}if ({condition}) {{")
            self.depth += 1
            if fields := line.fields[1:]:
                self.line(Line(fields=fields))
            self.depth -= 1
        self.emit("}")


def escape(text: str) -> str:
    """Return a text as it stands within double quotes."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
