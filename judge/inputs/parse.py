"""The bytes of an input to a tree of values, or to the first fault with its place; and back.

This is the definition of what is valid. Long rows and columns of integers are read at once; only if something is wrong
with them, they are read one by one to find out what.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from itertools import repeat
from operator import le
from typing import Any, NoReturn

from msgspec import Struct

from judge.base.errors import shorten
from judge.base.units import format_count
from judge.inputs.domains import MAX_DIGITS, MAX_LISTED, Integer, Kind, Real, Scalar, Word, show_range
from judge.inputs.expressions import ExpressionError, number_range, previous_name
from judge.inputs.forms import (
    END_OF_FILE,
    Body,
    Either,
    Graph,
    Item,
    Line,
    Listed,
    Permutation,
    Relation,
    Repeat,
    Text,
    counted_words,
    first_text,
    own_fields,
)
from judge.inputs.graphs import find_bad_edge, find_bad_graph
from judge.inputs.patterns import Pattern

Node = Any
"""The values of an item: of a line, a list; of `either`, its number and its values; of a block, a list of bodies; of a
graph, a list of (node, node, weight or None); None for what has no values."""

Tree = list[Node]
"""The nodes of a body, one for each item."""

_LONGEST = 40  # characters of a token in a message


class Fault(Struct, frozen=True, kw_only=True):
    """What is wrong with an input.

    Attributes:
        line, column: 1-based; the column in bytes.
        found, expected: in words.
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


def parse(body: Body, data: bytes) -> Tree:
    """Return the values of an input.

    Raises:
        FaultError: it is not valid.
    """
    parser = _Parser(data)
    try:
        tree = parser.body(body)
        parser.finish()
    except ExpressionError as error:  # a bound that has no value, such as n/(m-m)
        parser.fail_at_values(f"other values ({error})")
    return tree


class _Parser:
    def __init__(self, data: bytes) -> None:
        self._lines = data.split(b"\n")
        self._is_unfinished = bool(self._lines[-1])
        if not self._is_unfinished:
            self._lines.pop()
        self._at = 0  # the next line
        self._env: dict[str, Any] = {}

    def fail(self, found: str, expected: str, *, line: int | None = None, column: int = 1) -> NoReturn:
        """Raise the fault; without a line, at the next one."""
        line = self._at + 1 if line is None else line
        raise FaultError(Fault(line=line, column=column, found=found, expected=expected))

    def fail_at_values(self, expected: str) -> NoReturn:
        """Raise the fault that a bound has no value, at the last line that was read."""
        self.fail("values for which a bound has none", expected, line=max(1, self._at))

    def finish(self) -> None:
        """Check that nothing follows."""
        if self._at < len(self._lines):
            self.fail(_quote(self._lines[self._at]), "the end of the input")
        if self._is_unfinished:
            length = len(self._lines[-1])
            self.fail("the end of the input", "a line end", line=len(self._lines), column=length + 1)

    def body(self, body: Body) -> Tree:
        return [self._item(item) for item in body.items]

    def _item(self, item: Item) -> Node:
        match item:
            case Line():
                return self._line(item)
            case Text(text):
                if self._next_line(f"the line `{text}`") != text.encode():
                    self._at -= 1
                    self.fail(_quote(self._lines[self._at]), f"the line `{text}`" if text else "a blank line")
                return None
            case Relation(expression):
                if not expression.evaluate(self._env):
                    known = [(name, self._env[name]) for name in expression.names if name in self._env]
                    values = ", ".join(f"{name} = {shorten(str(value), _LONGEST)}" for name, value in known)
                    self.fail(values, f"`{expression.text}`", line=max(1, self._at))
                return None
            case Repeat():
                return self._repeat(item)
            case Graph():
                return self._graph(item)
            case Either(options):
                return self._either(options)

    def _next_line(self, expected: str) -> bytes:
        if self._at >= len(self._lines):
            self.fail("the end of the input", expected)
        self._at += 1
        return self._lines[self._at - 1]

    def _either(self, options: Sequence[Line]) -> Node:
        begins = [first_text(line) or "" for line in options]
        data = self._next_line("a line that begins with " + " or ".join(f"`{each}`" for each in begins))
        token = data.partition(b" ")[0]
        self._at -= 1
        if token.decode("latin-1") not in begins:
            self.fail(_quote(token), " or ".join(f"`{each}`" for each in begins))
        at = begins.index(token.decode("latin-1"))
        return [at, self._line(options[at])]

    def _line(self, line: Line) -> list[Any]:
        if self._at >= len(self._lines):
            self.fail("the end of the input", f"a line with {' '.join(f'`{name}`' for name, _ in line.fields)}")
        self._at += 1
        tokens = _Tokens(self._lines[self._at - 1], self)
        values = []
        for name, kind in line.fields:
            value = self._field(name, kind, tokens)
            self._env[name] = value
            values.append(value)
        tokens.finish()
        return values

    def _field(self, name: str, kind: Kind, tokens: "_Tokens") -> Any:
        match kind:
            case Listed():
                return self._list(name, kind, tokens)
            case Permutation():
                return self._permutation(name, kind, tokens)
            case Scalar():
                return self.scalar(name, kind, tokens)
        raise TypeError(kind)

    def scalar(self, name: str, kind: Scalar, tokens: "_Tokens") -> Any:
        """Take one token, or all that is left of the line if only its end says where the value ends."""
        token = tokens.take_rest() if kind.is_open else tokens.take()
        domain = kind.domain(self._env)
        is_there = token.isascii() and (token or kind.is_open or (tokens.has_taken and kind.may_be_empty))
        value = domain.read(token.decode()) if is_there else None
        if value is None:
            expected = f"`{name}`, {domain.describe()}"
            if not token and not kind.is_open:
                tokens.fail_at_missing(expected)
            tokens.fail_at_last(_quote(token), expected)
        return value

    def _list(self, name: str, kind: Listed, tokens: "_Tokens") -> list[Any]:
        low, high = kind.count.evaluate(self._env)
        texts = tokens.rest[:high] if kind.count.is_exact else tokens.rest
        known = self._read_list(name, kind, texts) if low <= len(texts) <= high else None
        if known is not None:
            tokens.skip(len(known))
            return known
        values: list[Any] = []
        seen: dict[Any, int] = {}
        while len(values) < high if kind.count.is_exact else not tokens.is_done:
            if len(values) >= high:
                self.fail(
                    f"value {len(values) + 1} of `{name}`", f"at most {high}", line=self._at, column=tokens.next_column
                )
            if kind.index:
                self._env[kind.index] = len(values) + 1
            value = self.scalar(name, kind.item, tokens)
            if kind.copies is not None:
                seen[value] = seen.get(value, 0) + 1
                if seen[value] > kind.copies:
                    often = "a new value" if kind.copies == 1 else f"each value at most {kind.copies} times"
                    tokens.fail_at_last(f"{_quote(str(value).encode())} in `{name}` again", often)
            if kind.order and values and not is_ordered(kind.item, kind.order, values[-1], value):
                tokens.fail_at_last(f"{value} after {values[-1]}", f"`{name}` in {kind.order} order")
            values.append(value)
        if len(values) < low:
            many = f"{low}" if kind.count.is_exact else f"at least {low}"
            self.fail(
                f"{format_count(len(values), 'value')} of `{name}`", many, line=self._at, column=tokens.next_column
            )
        return values

    def _read_list(self, name: str, kind: Listed, texts: Sequence[bytes]) -> list[Any] | None:
        """Return the values of a list; None if there is a fault, or if they have to be read one by one."""
        values: list[Any] | None = None
        match kind:
            case Listed(item=Integer() as item, index=""):
                values = self._read_integers(texts, [(name, item)])
            case Listed(item=Word(pattern=pattern, length=None)) if pattern.count <= MAX_LISTED:
                words = _words(pattern)
                values = [words.get(text) for text in texts]
                values = None if None in values else values
        if values is None:
            return None
        copies = 1 if kind.order.startswith("strictly") else kind.copies
        if copies == 1 and len(set(values)) < len(values):
            return None
        if copies is not None and copies > 1 and max(Counter(values).values(), default=0) > copies:
            return None
        return values if not kind.order or values == sorted(values, reverse=kind.order.endswith("descending")) else None

    def _read_integers(self, rows: Sequence[bytes], fields: Sequence[tuple[str, Integer]]) -> list[int] | None:
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
            ranges = [each.evaluate(self._env) for each in kind.ranges]
            return all(any(low <= value <= high for low, high in ranges) for value in values)
        low, high = (
            columns[end.source] if end.source in columns else end.evaluate(self._env)
            for end in (kind.ranges[0].low, kind.ranges[0].high)
        )
        is_above = all(map(le, low, values)) if isinstance(low, list) else low <= min(values)
        return is_above and (all(map(le, values, high)) if isinstance(high, list) else max(values) <= high)

    def _permutation(self, name: str, kind: Permutation, tokens: "_Tokens") -> list[int]:
        count = kind.count.evaluate(self._env)
        last = kind.first + count - 1
        item = Integer(ranges=(number_range(kind.first, last),))
        seen: set[int] = set()
        values = []
        for _ in range(count):
            value = self.scalar(name, item, tokens)
            if value in seen:
                expected = f"each number from {kind.first} to {last} once"
                tokens.fail_at_last(f"{value} in `{name}` again", expected)
            seen.add(value)
            values.append(value)
        return values

    def _repeat(self, block: Repeat) -> list[Tree]:  # noqa: C901 - one step for each rule
        low, high = block.count.evaluate(self._env)
        if (table := self._read_table(block, low, high)) is not None:
            return table
        limits = [most.evaluate(self._env) for _, most in block.sums]
        totals = [0] * len(limits)
        seen: set[Any] = set()
        found: list[Tree] = []
        rows: list[dict[str, Any]] = []  # the values that rules between repetitions need
        for name in block.previous:
            self._env[previous_name(name)] = None
        while len(found) < low or not self._is_end(block, len(found), high):
            if len(found) >= low and len(found) >= high:
                end = "the end of the input" if block.until == END_OF_FILE else f"the line `{block.until}`"
                self.fail(_quote(self._lines[self._at]), f"{end} after at most {high} repetitions")
            if self._at >= len(self._lines):
                self.fail("the end of the input", f"number {len(found) + 1} of {block.count} repetitions")
            start = self._at + 1
            if block.index:
                self._env[block.index] = len(found) + 1
            found.append(self.body(block.body))
            self._check_order(block, rows, start)
            for at, (what, most) in enumerate(block.sums):
                totals[at] += what.evaluate(self._env)
                if totals[at] > limits[at]:
                    total = f"a total of {totals[at]} for `{what.text}`"
                    self.fail(total, f"at most {limits[at]} (`{most.text}`)", line=start)
            if block.distinct:
                key = tuple(hashable(self._env[name]) for name in block.distinct)
                if key in seen:
                    names = ", ".join(f"`{name}`" for name in block.distinct)
                    self.fail("the same as before", f"different values of {names}", line=start)
                seen.add(key)
        if block.has_end_line:
            self._at += 1
        self._check_characters(block, found)
        for name in block.columns:
            self._env[name] = [row[name] for row in rows]
        return found

    def _read_table(self, block: Repeat, low: int, high: int) -> list[Tree] | None:
        """Return the repetitions of a block of integers without rules between them; None for others and faults."""
        fields = _table_fields(block)
        rows = self._lines[self._at :] if block.until else self._lines[self._at : self._at + max(0, low)]
        if fields is None or not low <= len(rows) <= high or self._is_unfinished:
            return None
        values = self._read_integers(rows, fields)
        if values is None:
            return None
        self._at += len(rows)
        width = len(fields)
        return [[values[at : at + width]] for at in range(0, len(values), width)]

    def _check_order(self, block: Repeat, rows: list[dict[str, Any]], start: int) -> None:
        """Add the values of a repetition that rules need, and check that they are in order."""
        names = {*block.columns, *block.previous, *(name for name, _ in block.orders)}
        row = {name: self._env[name] for name in names}
        for name, order in block.orders:
            if rows and not is_ordered(own_fields(block.body)[name], order, rows[-1][name], row[name]):
                self.fail(f"{name} = {row[name]} after {rows[-1][name]}", f"`{name}` in {order} order", line=start)
        for name in block.previous:
            self._env[previous_name(name)] = row[name]
        rows.append(row)

    def _check_characters(self, block: Repeat, found: Sequence[Tree]) -> None:
        if not block.characters:
            return
        words = "".join(values[number] for values, number, _ in counted_words(block.body, found))
        for char, often in block.characters:
            low, high = often.evaluate(self._env)
            if not low <= words.count(char) <= high:
                expected = f"`{char}` {show_range(low, high)} times"
                self.fail(f"`{char}` {words.count(char)} times", expected, line=max(1, self._at))

    def _is_end(self, block: Repeat, done: int, high: int) -> bool:
        if block.until == END_OF_FILE:
            return self._at >= len(self._lines)
        if block.until:
            if self._at >= len(self._lines):
                self.fail("the end of the input", f"the line `{block.until}`")
            return self._lines[self._at] == block.until.encode()
        return done >= high

    def _graph(self, graph: Graph) -> list[tuple[int, int, int | None]]:
        nodes, count = graph.nodes.evaluate(self._env), graph.edges.evaluate(self._env)
        node = Integer(ranges=(number_range(graph.first, graph.first + nodes - 1),))
        start = self._at + 1
        fields = [("", node), ("", node)]
        fields += [] if graph.weight is None else [("", graph.weight)]
        rows = self._lines[self._at : self._at + max(0, count)]
        values = self._read_integers(rows, fields) if len(rows) == count and not self._is_unfinished else None
        edges: list[tuple[int, int, int | None]] = []
        if values is not None:
            self._at += count
            weights = repeat(None) if graph.weight is None else values[2::3]
            edges = list(zip(values[:: len(fields)], values[1 :: len(fields)], weights, strict=False))
        for at in range(count if values is None else 0):
            tokens = _Tokens(self._next_line(f"number {at + 1} of {count} edges"), self)
            one, other = (self.scalar("node", node, tokens) for _ in range(2))
            weight = self.scalar("weight", graph.weight, tokens) if graph.weight else None
            tokens.finish()
            edges.append((one, other, weight))
        pairs = [(one, other) for one, other, _ in edges]
        kind = "a tree" if graph.is_tree else "a simple graph"
        if bad := find_bad_edge(graph, pairs):
            self.fail(bad[1], kind, line=start + bad[0])
        if wrong := find_bad_graph(graph, nodes, pairs):
            expected = "a graph without a cycle" if graph.is_acyclic and "cycle" in wrong else "a connected graph"
            self.fail(wrong, expected, line=max(1, self._at))
        return edges


@cache
def _words(pattern: Pattern) -> dict[bytes, str]:
    return {word.encode(): word for word in pattern.words()}


def _table_fields(block: Repeat) -> list[tuple[str, Integer]] | None:
    """Return the fields of a block whose rows are integers, each between fields or numbers that rows do not change."""
    has_rules = block.sums or block.distinct or block.orders or block.characters or block.columns or block.previous
    line = block.body.items[0]
    if has_rules or block.has_end_line or len(block.body.items) > 1 or not isinstance(line, Line):
        return None
    fields: list[tuple[str, Integer]] = []
    own = {*(name for name, _ in line.fields), block.index}
    for name, kind in line.fields:
        if not isinstance(kind, Integer):
            return None
        ends = [end for each in kind.ranges for end in (each.low, each.high)]
        if any(own.intersection(end.names) and (end.source not in own or len(ends) > 2) for end in ends):
            return None
        fields.append((name, kind))
    return fields


class _Tokens:
    """The tokens of a line, with one space between them."""

    def __init__(self, data: bytes, parser: _Parser) -> None:
        self._data = data
        self._tokens = data.split(b" ") if data else []
        self._parser = parser
        self._next = 0
        self._column = 1  # of the next token
        self._last = 1  # of the last one that was taken
        self.has_taken = False  # whether the last one was there, maybe empty

    @property
    def is_done(self) -> bool:
        return self._next >= len(self._tokens)

    @property
    def next_column(self) -> int:
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
        self._last = self._column
        self._next = len(self._tokens)
        return self._data[self._column - 1 :]

    def fail_at_last(self, found: str, expected: str) -> NoReturn:
        self._parser.fail(found, expected, line=self._line, column=self._last)

    def finish(self) -> None:
        if not self.is_done:
            token = self._tokens[self._next]
            found = _quote(token) if token else "a space"
            self._parser.fail(found, "a line end", line=self._line, column=max(1, self._column - (not token)))

    @property
    def _line(self) -> int:
        return self._parser._at  # noqa: SLF001 - the two are one


def is_ordered(kind: Kind, order: str, one: Any, other: Any) -> bool:
    """Return whether a value may follow another one in an order."""
    if isinstance(kind, Real):
        one, other = Decimal(one), Decimal(other)
    if one == other:
        return "strictly" not in order
    return bool((one < other) == order.endswith("ascending"))


def hashable(value: Any) -> Any:
    """Return a value that can be in a set."""
    return tuple(value) if isinstance(value, list) else value


def _quote(data: bytes) -> str:
    if not data:
        return "a blank line"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = shorten(text, _LONGEST)
    return f"`{text}`" if text.isascii() and text.isprintable() else repr(text)


def render(body: Body, tree: Tree) -> bytes:
    """Return the input that has these values."""
    lines = list(lines_of_tree(body, tree))
    lines.append("")
    return "\n".join(lines).encode()


def lines_of_tree(body: Body, tree: Tree) -> Iterator[str]:  # noqa: C901 - one case for each form
    """Yield the lines, without their ends."""
    for item, node in zip(body.items, tree, strict=True):
        match item:
            case Line():
                yield _write_line(node)
            case Text(text):
                yield text
            case Relation():
                continue
            case Repeat(body=inner):
                for each in node:
                    yield from lines_of_tree(inner, each)
                if item.has_end_line:
                    yield item.until
            case Graph():
                for one, other, weight in node:
                    yield f"{one} {other}" if weight is None else f"{one} {other} {weight}"
            case Either():
                yield _write_line(node[1])


def _write_line(values: Sequence[Any]) -> str:
    tokens: list[str] = []
    for value in values:
        if isinstance(value, list):
            tokens.extend(map(str, value))
        else:
            tokens.append(str(value))
    return " ".join(tokens)
