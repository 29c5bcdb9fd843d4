"""The lines of an input, read token by token, up to the first fault with its place.

The forms say what they expect (`forms`, `blocks`, `edges`). Together this is the definition of what is valid. Long rows
and columns of integers are read at once; only if something is wrong with them, they are read one by one to find out
what.
"""

from collections.abc import Mapping, Sequence
from operator import le
from typing import Any, NoReturn

from msgspec import Struct

from judge.base.errors import shorten
from judge.inputs.domains import MAX_DIGITS, Integer, Scalar

Node = Any
"""The values of an item: of a line, a list; of `either`, its number and its values; of a block, a list of bodies; of a
graph, a list of (node, node, weight or None); None for what has no values."""

Tree = list[Node]
"""The nodes of a body, one for each item."""

LONGEST = 40  # characters of a token in a message


class Fault(Struct, frozen=True, kw_only=True):
    """What is wrong with an input.

    Attributes:
        line, column: 1-based; the column in bytes.
    """

    line: int
    column: int
    found: str
    expected: str

    def __str__(self) -> str:
        """Return one line."""
        return f"line {self.line}, column {self.column}: {self.message}"

    @property
    def message(self) -> str:
        """What was found and what was expected."""
        return f"found {self.found}, expected {self.expected}"


class FaultError(ValueError):
    """An input is not valid; carries the fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Parser:
    """The lines of an input, and the values so far.

    Attributes:
        lines: all, without their ends.
        at: the next line, from 0.
        env: the values of the fields so far.
        is_unfinished: the last line has no end.
    """

    def __init__(self, data: bytes) -> None:
        self.lines = data.split(b"\n")
        self.is_unfinished = bool(self.lines[-1])
        if not self.is_unfinished:
            self.lines.pop()
        self.at = 0
        self.env: dict[str, Any] = {}

    def fail(self, found: str, expected: str, *, line: int | None = None, column: int = 1) -> NoReturn:
        """Raise the fault; without a line, at the next one."""
        line = self.at + 1 if line is None else line
        raise FaultError(Fault(line=line, column=column, found=found, expected=expected))

    def finish(self) -> None:
        """Check that nothing follows."""
        if self.at < len(self.lines):
            self.fail(quote(self.lines[self.at]), "the end of the input")
        if self.is_unfinished:
            length = len(self.lines[-1])
            self.fail("the end of the input", "a line end", line=len(self.lines), column=length + 1)

    def next_line(self, expected: str) -> bytes:
        """Take a line."""
        if self.at >= len(self.lines):
            self.fail("the end of the input", expected)
        self.at += 1
        return self.lines[self.at - 1]

    def scalar(self, name: str, kind: Scalar, tokens: "Tokens") -> Any:
        """Take one token, or all that is left of the line if only its end says where the value ends."""
        token = tokens.take_rest() if kind.is_open else tokens.take()
        domain = kind.domain(self.env)
        is_there = token.isascii() and (token or kind.is_open or (tokens.has_taken and kind.may_be_empty))
        value = domain.read(token.decode()) if is_there else None
        if value is None:
            expected = f"`{name}`, {domain.describe()}"
            if not token and not kind.is_open:
                tokens.fail_at_missing(expected)
            tokens.fail_at_last(quote(token), expected)
        return value

    def read_integers(self, rows: Sequence[bytes], fields: Sequence[tuple[str, Integer]]) -> list[int] | None:
        """Return the integers of rows that have one for each field; None if there is a fault somewhere."""
        width = len(fields)
        if max(map(len, rows), default=0) > MAX_DIGITS:
            return None
        row = b" ".join([b"%d"] * width) + b"\n"
        try:
            values = list(map(int, b" ".join(rows).split(b" ") if width > 1 else rows))
            if len(values) != width * len(rows) or row * len(rows) % tuple(values) != b"\n".join([*rows, b""]):
                return None  # a number is missing, or written in another way, such as `+1` or `01`
            columns: dict[str, list[int]] = {}
            for at, (name, kind) in enumerate(fields):
                columns[name] = values if width == 1 else values[at::width]
                if values and not self._are_inside(columns[name], kind, columns):
                    return None
        except ValueError:
            return None
        return values

    def _are_inside(self, values: Sequence[int], kind: Integer, columns: Mapping[str, list[int]]) -> bool:
        """Return whether integers are in the ranges of a kind; an end may be a value of the same row."""
        if len(kind.ranges) > 1:
            ranges = [each.evaluate(self.env) for each in kind.ranges]
            return all(any(low <= value <= high for low, high in ranges) for value in values)
        low, high = (
            columns[end.source] if end.source in columns else end.evaluate(self.env)
            for end in (kind.ranges[0].low, kind.ranges[0].high)
        )
        is_above = all(map(le, low, values)) if isinstance(low, list) else low <= min(values)
        return is_above and (all(map(le, values, high)) if isinstance(high, list) else max(values) <= high)


class Tokens:
    """The tokens of a line, with one space between them."""

    def __init__(self, data: bytes, parser: Parser) -> None:
        self._data = data
        self._tokens = data.split(b" ") if data else []
        self._parser = parser
        self._next = 0
        self._column = 1  # of the next token
        self._last = 1  # of the last one that was taken
        self.has_taken = False  # whether the last one was there, maybe empty

    @property
    def is_done(self) -> bool:
        """Whether no token is left."""
        return self._next >= len(self._tokens)

    @property
    def next_column(self) -> int:
        """The column of the next token."""
        return min(self._column, len(self._data) + 1)

    @property
    def rest(self) -> list[bytes]:
        """The tokens that are left."""
        return self._tokens[self._next :] if self._next else self._tokens

    def skip(self, count: int) -> None:
        """Take tokens that are valid."""
        self._column += sum(map(len, self._tokens[self._next : self._next + count])) + count
        self._next += count

    def take(self) -> bytes:
        """Return the next token; empty if there is none, or a space in its place."""
        self.has_taken = not self.is_done or (not self._data and self._next == 0)
        if self.is_done:
            self._next += not self._data and self._next == 0  # the empty token of an empty line
            return b""
        token = self._tokens[self._next]
        self._next += 1
        self._last = self._column
        self._column += len(token) + 1
        return token

    def fail_at_missing(self, expected: str) -> NoReturn:
        """Raise the fault of a token that `take` did not find."""
        if self._next == 0 or self._next > len(self._tokens) or (self._next == len(self._tokens) and self._tokens[-1]):
            self._parser.fail("the end of the line", expected, line=self._line, column=len(self._data) + 1)
        is_last = self._next == len(self._tokens) and self._next > 1
        found = "a space at the end of the line" if is_last else "a space"
        self._parser.fail(found, "a line end" if is_last else expected, line=self._line, column=self._last)

    def take_rest(self) -> bytes:
        """Return all that is left of the line."""
        self._last = self._column
        self._next = len(self._tokens)
        return self._data[self._column - 1 :]

    def fail_at_last(self, found: str, expected: str) -> NoReturn:
        """Raise the fault of the token that was taken last."""
        self._parser.fail(found, expected, line=self._line, column=self._last)

    def finish(self) -> None:
        """Check that nothing follows."""
        if not self.is_done:
            token = self._tokens[self._next]
            found = quote(token) if token else "a space"
            self._parser.fail(found, "a line end", line=self._line, column=max(1, self._column - (not token)))

    @property
    def _line(self) -> int:
        return self._parser.at


def quote(data: bytes) -> str:
    """Return a token for a message."""
    if not data:
        return "a blank line"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = shorten(text, LONGEST)
    return f"`{text}`" if text.isascii() and text.isprintable() else repr(text)
