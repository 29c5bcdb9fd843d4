"""A grammar as a Python function that accepts valid inputs, at ten times the speed of `judge.grammar.parse`.

The function is compiled from a text that is made here. Its parts are expressions that were compiled from a list of
allowed nodes, patterns and numbers; no text of a user gets into it as it is. What it does not accept is parsed: that
decides, and finds the place of the fault.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from judge.grammar.expressions import GLOBALS, Range, parse_range, previous_name
from judge.grammar.forms import (
    END_OF_FILE,
    Body,
    Either,
    Graph,
    Integer,
    Item,
    Line,
    Listed,
    Member,
    Permutation,
    Real,
    Relation,
    Repeat,
    Text,
    Word,
    expressions_of,
    first_text,
    members_of,
    own_fields,
    walk,
)
from judge.grammar.graphs import fits
from judge.grammar.parse import INTEGER

Accept = Callable[[str], bool]

_FEW = 5000  # values that are worth a set
_SHORT = 40  # values among which counting one by one is faster


class _UnsupportedError(Exception):
    """A form for which there is no fast code."""


def compile_accept(body: Body) -> Accept:
    """Return a function that returns True for valid inputs only; False means that it does not know."""
    writer = _Writer(body)
    try:
        source = writer.write()
        namespace: dict[str, Any] = {**GLOBALS, **writer.values}
        exec(compile(source, "<input>", "exec"), namespace)  # noqa: S102 - see the docstring of this module
    except (_UnsupportedError, SyntaxError, RecursionError, MemoryError):
        return lambda _: False
    run = namespace["_accepts"]

    def accept(data: str) -> bool:
        try:
            return bool(run(data))
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return False

    return accept


def at_most(values: list[Any], copies: int) -> bool:
    """Return whether no value occurs more often."""
    different = set(values)
    if len(different) == len(values):
        return True
    if copies == 1:
        return False
    if len(values) < _SHORT:
        return max(map(values.count, different)) <= copies
    return max(Counter(values).values()) <= copies


# What the written function calls, each by its name after an underscore.
_CALLED = (list, map, int, len, set, enumerate, str, all, sorted, Decimal, at_most, fits)


class _Writer:
    """Writes the function; `values` are the names that it uses."""

    def __init__(self, body: Body) -> None:
        self.values: dict[str, Any] = {f"_{each.__name__}": each for each in _CALLED}
        self._body = body
        self._used = _used_names(body)
        self._members = {name for item in body.items for name in members_of(item)}
        self._lines: list[str] = []
        self._depth = 0
        self._number = 0

    def write(self) -> str:
        self._emit("def _accepts(_data):")
        with self._indented():
            self._emit("_L = _data.split('\\n')")
            self._emit("if _L.pop(): return False")
            self._emit("_n = _len(_L)")
            self._emit("_i = 0")
            self._write_body(self._body)
            self._emit("return _i == _n")
        return "\n".join(self._lines)

    def _emit(self, text: str) -> None:
        self._lines.append("    " * self._depth + text)

    @contextmanager
    def _indented(self) -> Iterator[None]:
        self._depth += 1
        yield
        self._depth -= 1

    def _require(self, condition: str) -> None:
        self._emit(f"if not ({condition}): return False")

    def _name(self, prefix: str) -> str:
        self._number += 1
        return f"_{prefix}{self._number}"

    def _constant(self, prefix: str, value: object) -> str:
        name = self._name(prefix)
        self.values[name] = value
        return name

    def _write_body(self, body: Body) -> None:
        for item in body.items:
            self._write_item(item)

    def _write_item(self, item: Item) -> None:
        match item:
            case Line():
                self._emit("_l = _L[_i]; _i += 1")
                self._write_line(item)
            case Text(text):
                self._require(f"_L[_i] == {text!r}")
                self._emit("_i += 1")
            case Relation(expression):
                self._require(expression.source)
            case Repeat():
                self._write_repeat(item)
            case Graph():
                self._write_graph(item)
            case Either(options):
                self._emit("_l = _L[_i]; _i += 1")
                self._write_either(options)

    def _write_either(self, options: Sequence[Line]) -> None:
        self._emit("_b = _l.partition(' ')[0]")
        for at, line in enumerate(options):
            self._emit(f"{'elif' if at else 'if'} _b == {first_text(line)!r}:")
            with self._indented():
                self._write_line(line)
        self._emit("else: return False")

    # Lines: `_l` is the line, `_t` its tokens

    def _write_line(self, line: Line) -> None:
        *before, (name, last) = line.fields
        if isinstance(last, Word) and " " in last.pattern.alphabet:
            if any(isinstance(kind, Listed | Permutation) for _, kind in before):
                raise _UnsupportedError
            self._emit(f"_t = _l.split(' ', {len(before)})")
        else:
            self._emit("_t = _l.split(' ') if _l else []")
        rows = {_field_regex(kind) for _, kind in line.fields if isinstance(kind, Listed | Permutation)}
        is_mixed = len(rows) > 1  # the regular expression of one row may take values of the next
        known = [self._token_set(kind) is not None for _, kind in line.fields]
        if not is_mixed and not all(known):
            pattern = re.compile("".join(map(_field_regex, (kind for _, kind in line.fields)))).fullmatch
            is_empty = "" if any(known) else "not _t or "
            self._require(f"{is_empty}{self._constant('r', pattern)}(' ' + _l)")
        at = "0"
        for name, kind in line.fields:
            end = self._write_field(name, kind, at)
            if is_mixed:
                pattern = re.compile(_field_regex(kind)).fullmatch
                self._require(f"{self._constant('r', pattern)}(' '.join(['', *_t[{at}:{end}]]))")
            at = end
        if at != "_len(_t)":
            self._require(f"_len(_t) == {at}")

    def _write_field(self, name: str, kind: Any, at: str) -> str:
        """Write the check of a field whose first token is number `at`; return the number of the token after it."""
        match kind:
            case Listed():
                return self._write_list(name, kind, at)
            case Permutation(count=count, first=first):
                end = _add(at, f"({count.source})")
                values = name if name in self._used else "_v"
                self._emit(f"{values} = _list(_map(_int, _t[{at}:{end}]))")
                self._require(f"_len({values}) == {count.source} == _len(_set({values}))")
                self._require(f"not {values} or {first} <= min({values})")
                self._require(f"not {values} or max({values}) < {first} + ({count.source})")
                self._write_members(name)
                return end
        self._write_scalar(name, kind, f"_t[{at}]")
        return _add(at, "1")

    def _write_members(self, name: str) -> None:
        """Keep the texts of a list of which other fields have values."""
        if name in self._members:
            self._emit(f"_m_{name} = _set(_map(_str, {name}))")

    def _write_scalar(self, name: str, kind: Any, token: str) -> None:  # noqa: C901 - one case for each kind
        allowed = self._token_set(kind)
        if allowed is not None:
            self._require(f"{token} in {allowed}")
        match kind:
            case Integer(ranges=ranges):
                if allowed is None or name in self._used:
                    value = name if name in self._used else "_v"
                    self._emit(f"{value} = _int({token})")
                    if allowed is None:
                        self._require(" or ".join(_between(value, each) for each in ranges))
                return
            case Real(low=low, high=high):
                low, high = self._constant("d", Decimal(low)), self._constant("d", Decimal(high))
                self._require(f"{low} <= _Decimal({token}) <= {high}")
            case Member(source=source, item=item):
                self._require(f"{token} in _m_{source}")
                if isinstance(item, Integer) and name in self._used:
                    token = f"_int({token})"
            case Word(length=length, characters=characters) if length is not None:
                self._require(_between(f"_len({token})", length))
                for char, often in characters:
                    self._require(_between(f"{token}.count({char!r})", often))
        if name in self._used:
            self._emit(f"{name} = {token}")

    def _write_list(self, name: str, kind: Listed, at: str) -> str:
        end = _add(at, f"({kind.count.low.source})") if kind.count.is_exact else "_len(_t)"
        values = name if name in self._used else self._name("v")
        whole = at == "0"
        self._emit(f"{values} = _t" if whole and end == "_len(_t)" else f"{values} = _t[{at}:{end}]")
        self._require(_between(f"_len({values})", kind.count))
        allowed = self._token_set(kind.item)
        if allowed is not None:
            self._require(f"{allowed}.issuperset({values})")
        self._write_values(name, kind, values, is_checked=allowed is not None)
        self._write_members(name)
        return end

    def _write_values(self, name: str, kind: Listed, values: str, *, is_checked: bool) -> None:  # noqa: C901, PLR0912 - one case for each rule
        needs_value = name in self._used or bool(kind.order)
        match kind.item:
            case Integer(ranges=ranges):
                if needs_value or not is_checked:
                    self._emit(f"{values} = _list(_map(_int, {values}))")
                if not is_checked and kind.index:
                    condition = " or ".join(_between("_w", each) for each in ranges)
                    self._require(f"_all([{condition} for {kind.index}, _w in _enumerate({values}, 1)])")
                elif not is_checked:
                    self._write_bounds(values, ranges)
            case Member(source=source, item=item):
                self._require(f"_m_{source}.issuperset({values})")
                if isinstance(item, Integer) and needs_value:
                    self._emit(f"{values} = _list(_map(_int, {values}))")
                if isinstance(item, Real) and needs_value:
                    raise _UnsupportedError
            case Real(low=low, high=high):
                low, high = self._constant("d", Decimal(low)), self._constant("d", Decimal(high))
                numbers = self._name("v")
                self._emit(f"{numbers} = _list(_map(_Decimal, {values}))")
                self._require(f"not {numbers} or {low} <= min({numbers}) and max({numbers}) <= {high}")
                if kind.order or kind.copies is not None:
                    raise _UnsupportedError
            case Word(length=length, characters=characters) if length is not None:
                number = f"{kind.index}, _w in _enumerate({values}, 1)" if kind.index else f"_w in {values}"
                self._require(f"_all([{_between('_len(_w)', length)} for {number}])")
                for char, often in characters:
                    self._require(f"_all([{_between(f'_w.count({char!r})', often)} for {number}])")
        if kind.copies is not None or kind.order.startswith("strictly"):
            self._require(f"_at_most({values}, {1 if kind.order.startswith('strictly') else kind.copies})")
        if kind.order:
            reverse = ", reverse=True" if kind.order.endswith("descending") else ""
            self._require(f"{values} == _sorted({values}{reverse})")

    def _write_bounds(self, values: str, ranges: Sequence[Range]) -> None:
        if len(ranges) == 1:
            low, high = ranges[0].low.source, ranges[0].high.source
            self._require(f"not {values} or ({low}) <= min({values}) and max({values}) <= ({high})")
        else:
            condition = " or ".join(_between("_w", each) for each in ranges)
            self._require(f"_all([{condition} for _w in {values}])")

    def _token_set(self, kind: Any) -> str | None:
        """Return the name of the set of all tokens of a kind, if they are few."""
        if isinstance(kind, Listed):
            kind = kind.item
        tokens = _few_tokens(kind)
        if tokens is None:
            return None
        for name, value in self.values.items():
            if value == tokens and isinstance(value, frozenset):
                return name
        return self._constant("s", tokens)

    # Blocks

    def _write_repeat(self, block: Repeat) -> None:  # noqa: C901 - one case for each rule
        own = self._name("b")  # its variables begin so
        for at, (_, most) in enumerate(block.sums):
            self._emit(f"{own}_total{at} = 0; {own}_most{at} = {most.source}")
        if block.distinct:
            self._emit(f"{own}_seen = _set()")
        for name, _ in block.orders:
            if isinstance(own_fields(block.body)[name], Real):
                raise _UnsupportedError
            self._emit(f"_last_{name} = None")
        for name in block.columns:
            self._emit(f"_column_{name} = []")
        for name in block.previous:
            self._emit(f"{previous_name(name)} = None")
        if block.characters:
            self._emit(f"{own}_words = []")
        is_plain = len(block.body.items) == 1 and isinstance(block.body.items[0], Line | Either)
        if is_plain and not block.has_end_line:
            self._write_rows(block, own)
        else:
            self._write_loop(block, own)
        if block.characters:
            self._emit(f"{own}_words = ''.join({own}_words)")
            for char, often in block.characters:
                self._require(_between(f"{own}_words.count({char!r})", often))
        for name in block.columns:
            self._emit(f"{name} = _column_{name}")
            self._write_members(name)

    def _write_rows(self, block: Repeat, own: str) -> None:
        """Write the check of a block that has one line in each repetition."""
        low, high = block.count.low.source, block.count.high.source
        rows = self._name("rows")
        end = "_n" if block.until else f"_i + ({low})"
        if not block.until:
            self._require(f"({low}) >= 0")
        self._emit(f"{rows} = _L[_i:{end}]; _i += _len({rows})")
        self._require(f"({low}) <= _len({rows}) <= ({high})")
        if self._are_columns(block):
            self._write_columns(block.body.items[0], rows)
            return
        self._emit(f"for {block.index}, _l in _enumerate({rows}, 1):" if block.index else f"for _l in {rows}:")
        with self._indented():
            item = block.body.items[0]
            if isinstance(item, Line):
                self._write_line(item)
            elif isinstance(item, Either):
                self._write_either(item.options)
            self._write_rules(block, own)

    def _write_loop(self, block: Repeat, own: str) -> None:
        """Write the check of any other block."""
        low, high = block.count.low.source, block.count.high.source
        count = self._name("count")
        self._emit(f"{count} = 0")
        if not block.until:
            self._emit(f"while {count} < ({low}):")
        elif block.until == END_OF_FILE:
            self._emit("while _i < _n:")
        else:
            self._emit(f"while {count} < ({low}) or _L[_i] != {block.until!r}:")
        with self._indented():
            if block.index:
                self._emit(f"{block.index} = {count} + 1")
            self._write_body(block.body)
            self._emit(f"{count} += 1")
            self._write_rules(block, own)
        if block.until:
            self._require(f"({low}) <= {count} <= ({high})")
        if block.has_end_line:
            self._emit("_i += 1")

    def _write_rules(self, block: Repeat, own: str) -> None:
        for at, (what, _) in enumerate(block.sums):
            self._emit(f"{own}_total{at} += {what.source}")
            self._require(f"{own}_total{at} <= {own}_most{at}")
        if block.distinct:
            names = ", ".join(block.distinct)
            self._emit(f"_k = ({names},)")
            self._require(f"_k not in {own}_seen")
            self._emit(f"{own}_seen.add(_k)")
        for name, order in block.orders:
            sign = (">" if order.endswith("ascending") else "<") + ("" if order.startswith("strictly") else "=")
            self._require(f"_last_{name} is None or {name} {sign} _last_{name}")
            self._emit(f"_last_{name} = {name}")
        for name in block.columns:
            self._emit(f"_column_{name}.append({name})")
        for name in block.previous:
            self._emit(f"{previous_name(name)} = {name}")
        for name, kind in own_fields(block.body).items() if block.characters else ():
            if isinstance(kind, Word) and kind.length is not None:
                self._emit(f"{own}_words.append({name})")

    def _are_columns(self, block: Repeat) -> bool:
        """Return whether all values of a field can be checked together."""
        line = block.body.items[0]
        has_rules = block.sums or block.distinct or block.orders or block.characters or block.columns or block.previous
        if not isinstance(line, Line) or has_rules:
            return False
        own = {*(name for name, _ in line.fields), block.index}
        for name, kind in line.fields:
            if not isinstance(kind, Integer) or len(kind.ranges) != 1 or name in self._used:
                return False
            if own.intersection(kind.ranges[0].names):
                return False
        return True

    def _write_columns(self, line: Item, rows: str) -> str:
        """Check rows of integers column by column; return the name of the list of all values."""
        assert isinstance(line, Line)
        width = len(line.fields)
        text, values = self._name("text"), self._name("v")
        self._emit(f"{text} = '\\n'.join({rows})")
        row = " ".join([INTEGER] * width)
        pattern = re.compile(row + _all(f"\\n{row}")).fullmatch
        self._require(f"not {rows} or {self._constant('r', pattern)}({text})")
        self._emit(f"{values} = _list(_map(_int, {text}.split()))")
        for at, (_, kind) in enumerate(line.fields):
            assert isinstance(kind, Integer)
            column = values if width == 1 else self._name("v")
            if width > 1:
                self._emit(f"{column} = {values}[{at}::{width}]")
            self._write_bounds(column, kind.ranges)
        return values

    def _write_graph(self, graph: Graph) -> None:
        rows, nodes = self._name("rows"), self._name("nodes")
        self._emit(f"{nodes} = {graph.nodes.source}")
        self._require(f"({graph.edges.source}) >= 0")
        self._emit(f"{rows} = _L[_i:_i + ({graph.edges.source})]; _i += _len({rows})")
        self._require(f"_len({rows}) == {graph.edges.source}")
        node = Integer(ranges=(parse_range(f"{graph.first}..{graph.first} + {nodes} - 1", [nodes], {}),))
        fields = [("_one", node), ("_other", node)]
        if graph.weight is not None:
            fields.append(("_weight", graph.weight))
            if len(graph.weight.ranges) != 1:
                raise _UnsupportedError
        values = self._write_columns(Line(fields=tuple(fields)), rows)
        name = self._constant("graph", graph)
        width = len(fields)
        self._require(f"_fits({name}, {nodes}, {values}[0::{width}], {values}[1::{width}])")


def _between(value: str, limits: Range) -> str:
    if limits.is_exact:
        return f"{value} == ({limits.low.source})"
    return f"({limits.low.source}) <= {value} <= ({limits.high.source})"


def _add(at: str, more: str) -> str:
    if at.isdecimal() and more.isdecimal():
        return str(int(at) + int(more))
    return more if at == "0" else f"{at} + {more}"


def _all(regex: str) -> str:
    """Return a pattern for as many repetitions as there are.

    An atomic group: Python 3.11.2, that of Debian 12, matches some possessive quantifiers wrongly.
    """
    return f"(?>(?:{regex})*)"


def _field_regex(kind: Any) -> str:
    match kind:
        case Listed(item=item):
            return _all(f" {_scalar_regex(item)}")
        case Permutation():
            return _all(f" {INTEGER}")
        case _:
            return f" {_scalar_regex(kind)}"


def _scalar_regex(kind: Any) -> str:
    match kind:
        case Integer():
            return INTEGER
        case Real(decimals=(least, most)):
            if most == 0:
                return r"-?(?:0|[1-9][0-9]{0,99})"
            point = rf"\.[0-9]{{{max(1, least)},{most}}}"
            return r"-?(?:0|[1-9][0-9]{0,99})" + (point if least else f"(?:{point})?")
        case Member(item=item):
            return _scalar_regex(item)
        case Word(pattern=pattern, length=None):
            return f"(?:{pattern.regex})"
        case Word(pattern=pattern):
            return _all(pattern.regex)
    raise _UnsupportedError


def _few_tokens(kind: Any) -> frozenset[str] | None:
    match kind:
        case Integer(ranges=ranges):
            found: list[str] = []
            for each in ranges:
                low, high = each.low.constant, each.high.constant
                if low is None or high is None or high - low >= _FEW:
                    return None
                found += map(str, range(low, high + 1))
            return frozenset(found)
        case Word(pattern=pattern, length=None) if pattern.count <= _FEW and pattern.longest < _SHORT:
            return None if " " in pattern.alphabet else frozenset(pattern.words())
        case _:
            return None


def _used_names(body: Body) -> set[str]:
    """Return the fields whose values other parts need."""
    used = {name for item in body.items for each in expressions_of(item) for name in each.names}
    used.update(name for item in body.items for name in members_of(item))
    for item in walk(body):
        if isinstance(item, Repeat):
            used.update(item.distinct, item.columns, item.previous, (name for name, _ in item.orders))
            if item.characters:
                used.update(own_fields(item.body))
    return used
