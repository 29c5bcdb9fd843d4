"""The value of the key `input:` to forms; all errors at once, each with the keys that lead to it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from keyword import iskeyword
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from judge.inputs.blocks import Repeat
from judge.inputs.domains import Integer, Member, Real, Scalar, Word
from judge.inputs.edges import Graph
from judge.inputs.expressions import (
    RESERVED,
    Expression,
    ExpressionError,
    Range,
    condition_as_count,
    constant,
    is_name,
    parse_expression,
    parse_range,
    parse_ranges,
)
from judge.inputs.forms import (
    END_OF_FILE,
    AnyKind,
    Body,
    Either,
    Item,
    Line,
    Listed,
    Permutation,
    Relation,
    Text,
    find_parts,
    own_fields,
    walk,
)
from judge.inputs.intervals import ANY, Interval, find_empty_range, find_limits, interval_of, values_of
from judge.inputs.patterns import PatternError, parse_pattern

Path = tuple[str | int, ...]
_Parsed = TypeVar("_Parsed")
Report = Callable[..., None]
"""Called with a message, and then the keys and positions that lead to what is wrong."""

_TOP_KEYS = ("lines", "constants", "also")
_REPEAT_KEYS = ("lines", "until", "sum", "distinct", "order", "characters", "index")
_GRAPH_KEYS = ("nodes", "edges", "first", "simple", "connected", "directed", "acyclic", "weight")
_TREE_KEYS = ("nodes", "first", "weight")
_ORDERS = ("ascending", "strictly ascending", "descending", "strictly descending")
_KINDS: Mapping[str, tuple[str, ...]] = {
    "integer": (),
    "real": ("decimals",),
    "word": ("length", "characters"),
    "text": (),
    "choice": (),
    "list": ("count", "distinct", "copies", "order", "index"),
    "permutation": ("first",),
    "member": (),
}
_DECIMAL = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?")
_MAX_ITEMS = 1000
_MAX_DECIMALS = 30
_EXAMPLE = "`n: 1..100`"


class Description(Struct, frozen=True, kw_only=True):
    """A whole input.

    Attributes:
        also: rules in words that the grammar cannot express.
    """

    body: Body
    also: tuple[str, ...] = ()


def read_description(value: object, report: Report) -> Description | None:
    """Read what `input:` says; None if something is wrong, which is then reported."""
    reader = _Reader(report)
    found = reader.read(value)
    return None if reader.has_failed else found


class _Reader:
    def __init__(self, report: Report) -> None:
        self.has_failed = False
        self._report_error = report
        self._constants: dict[str, int] = {}
        self._kinds: dict[str, AnyKind] = {}  # of the fields that were read last
        self._items = 0
        self._intervals: dict[str, Interval] = {}  # of the integers that were read last
        self._rows: tuple[str, ...] = ()  # the fields of the blocks around
        self._columns: tuple[str, ...] = ()  # the fields of the blocks before, which are lists now

    def read(self, value: object) -> Description | None:
        path: Path = ()
        also: tuple[str, ...] = ()
        if isinstance(value, Mapping):
            self._check_keys(value, _TOP_KEYS, ())
            self._read_constants(value.get("constants", {}))
            also = self._read_texts(value.get("also", []), ("also",))
            if "lines" not in value:
                self._fail("the key `lines` is missing: expected a list of lines", ())
                return None
            value, path = value["lines"], ("lines",)
        body = self._body(value, (), path)
        return Description(body=body, also=also) if body else None

    def _fail(self, message: str, path: Path, *, at_key: bool = False) -> None:
        self.has_failed = True
        self._report_error(message, *path, at_key=at_key)

    def _check_keys(self, value: Mapping[str, object], keys: Sequence[str], path: Path) -> None:
        for key in value:
            if key not in keys:
                near = get_close_matches(key, keys, 1)
                fix = f": did you mean `{near[0]}`?" if near else f": expected {_quote_all(keys)}"
                self._fail(f"unknown key `{key}`{fix}", (*path, key), at_key=True)

    def _read_texts(self, value: object, path: Path) -> tuple[str, ...]:
        texts = [value] if isinstance(value, str) else value
        if isinstance(texts, list) and all(isinstance(each, str) and each for each in texts):
            return tuple(texts)
        self._fail("expected a text, or a list of texts", path)
        return ()

    def _read_constants(self, value: object) -> None:
        if not isinstance(value, Mapping):
            return self._fail("expected a mapping such as `MAX: 200000`", ("constants",))
        for name, each in value.items():
            path = ("constants", name)
            if not self._is_free(name, self._constants, path):
                continue
            expression = self._expression(each, (), path)
            if expression is not None and type(expression.constant) is int:
                self._constants[name] = expression.constant
            elif expression is not None:
                self._fail("expected a number such as `200000` or `2*10^5`", path)
        return None

    def _is_free(self, name: object, taken: Mapping[str, object] | Sequence[str], path: Path) -> bool:
        if not is_name(name):
            self._fail(f"`{name}` is not a name: expected letters, digits and `_`, a letter first", path, at_key=True)
        elif iskeyword(str(name)) or name in RESERVED:
            self._fail(f"the name `{name}` has a meaning of its own: choose another", path, at_key=True)
        elif name in taken or name in self._constants:
            self._fail(f"the name `{name}` is already taken: choose another", path, at_key=True)
        else:
            return True
        return False

    # Bodies

    def _body(self, value: object, names: tuple[str, ...], path: Path) -> Body | None:
        """Read a list of lines and blocks; a mapping stands for a list with one item."""
        if isinstance(value, Mapping | str):
            entries: Sequence[tuple[object, Path]] = [(value, path)]
        elif isinstance(value, list) and value:
            entries = [(each, (*path, at)) for at, each in enumerate(value)]
        else:
            self._fail(f"expected a list of lines, each with its fields, such as {_EXAMPLE}", path)
            return None
        items: list[Item] = []
        inner, columns = list(names), self._columns
        for each, place in entries:
            self._items += 1
            if self._items > _MAX_ITEMS:
                self._fail(f"more than {_MAX_ITEMS} lines", place)
                break
            found = self._item(each, inner, place)
            items += found
            is_last = place == entries[-1][1] and len(place) <= 1 + (place[:1] == ("lines",))
            for block in found:
                if isinstance(block, Repeat) and block.until == END_OF_FILE and not is_last:
                    self._fail("only the last block of an input can go on until its end", (*place, "until"))
                if isinstance(block, Repeat) and not block.is_condition:
                    fields = {name: kind for name, kind in own_fields(block.body).items() if isinstance(kind, Scalar)}
                    self._columns += tuple(name for name in fields if name not in inner)
                    self._kinds.update(fields)
        self._columns = columns
        items = _mark_columns(items)
        return Body(items=tuple(items), limits=find_limits(items, names, self._intervals)) if items else None

    def _item(self, value: object, names: list[str], path: Path) -> list[Item]:
        if isinstance(value, str):
            if value.isascii() and (not value or value.isprintable()):
                return [Text(value)]
            self._fail("a line that is always the same has printable ASCII characters only", path)
            return []
        if not isinstance(value, Mapping) or not value:
            self._fail(f"expected a line with its fields, such as {_EXAMPLE}, or a block such as `repeat: n`", path)
            return []
        if key := next((key for key in self.ITEMS if key in value), None):
            return self.ITEMS[key](self, value, names, path)
        line = self._line(value, names, path)
        return [line] if line else []

    def _line(self, value: object, names: list[str], path: Path) -> Line | None:
        if not isinstance(value, Mapping) or not value:
            self._fail(f"expected the fields of a line, such as {_EXAMPLE}", path)
            return None
        fields: list[tuple[str, AnyKind]] = []
        for name, each in value.items():
            place = (*path, name)
            if fields and fields[-1][1].is_open:
                self._fail(
                    f"`{fields[-1][0]}` ends with its line, so nothing can follow it: give it an exact count",
                    (*path, fields[-1][0]),
                )
            is_free = self._is_free(name, names, place)
            kind = self._kind(each, names, place)
            if is_free and name in self._columns:
                self._columns = tuple(each for each in self._columns if each != name)
            self._intervals[name] = values_of(kind, self._intervals)
            if kind and is_free:
                fields.append((name, kind))
                self._kinds[name] = kind
                names.append(name)
            elif is_free:
                names.append(name)  # so that its uses are not errors, too
                self._kinds.pop(name, None)
        return Line(fields=tuple(fields)) if fields else None

    def _repeat(self, value: Mapping[str, Any], names: list[str], path: Path) -> list[Item]:
        key = "tests" if "tests" in value else "repeat"
        self._check_keys(value, (key, *_REPEAT_KEYS), path)
        count = self._range(value[key], names, (*path, key))
        until = value.get("until", "")
        if not isinstance(until, str) or not until.isascii() or "\n" in until:
            self._fail(f"expected `{END_OF_FILE}`, or the text of the line that ends the block", (*path, "until"))
            until = END_OF_FILE
        if count and not count.is_exact and "until" not in value:
            message = f"nothing says where the block ends: add `until: {END_OF_FILE}`, or give an exact count"
            self._fail(message, (*path, key))
        if "lines" not in value:
            self._fail("the key `lines` is missing: expected what is repeated", path)
            return []
        index = value.get("index", "")
        outer = [*names]
        if "index" in value and self._is_free(index, names, (*path, "index")):
            outer.append(index)
        if outer != names:
            self._intervals[index] = (1, float("inf") if count is None else interval_of(count.high, self._intervals)[1])
        around, self._rows = self._rows, (*self._rows, *_field_names(value["lines"]))
        body = self._body(value["lines"], tuple(outer), (*path, "lines"))
        self._rows = around
        inner = [*outer, *own_fields(body)] if body else []
        sums = self._sums(value.get("sum", {}), inner, names, (*path, "sum")) if body else ()
        distinct = tuple(_as_list(value.get("distinct", [])))
        for name in distinct if body else ():
            if name not in inner or name in names:
                self._fail(f"`{name}` is not a field of the block", (*path, "distinct"))
        if body is None or count is None:
            return []
        sources = " ".join(each.source + " " for each in find_parts(body, Expression))
        return [
            Repeat(
                count=count,
                body=body,
                until=until,
                is_tests=key == "tests",
                sums=sums,
                distinct=distinct,
                orders=self._orders(value.get("order", {}), body, (*path, "order")),
                characters=self._block_characters(value, body, names, path),
                index=index if isinstance(index, str) else "",
                previous=tuple(name for name in own_fields(body) if f"_previous_{name} " in sources),
            )
        ]

    def _orders(self, value: object, body: Body, path: Path) -> tuple[tuple[str, str], ...]:
        if not isinstance(value, Mapping):
            self._fail("expected the order of each field, such as `x: ascending`", path)
            return ()
        fields = own_fields(body)
        for name, order in value.items():
            if not isinstance(fields.get(name), Integer | Word | Real):
                self._fail(f"`{name}` is not a field of the block with one value", (*path, name), at_key=True)
            elif order not in _ORDERS:
                self._fail(f"expected {_quote_all(_ORDERS)}", (*path, name))
        return tuple(value.items())

    def _block_characters(
        self, value: Mapping[str, Any], body: Body, names: Sequence[str], path: Path
    ) -> tuple[tuple[str, Range], ...]:
        words = [kind for kind in own_fields(body).values() if isinstance(kind, Word) and kind.length is not None]
        if "characters" in value and not words:
            self._fail("the block has no word with a `length`", (*path, "characters"), at_key=True)
            return ()
        return self._characters(value.get("characters", {}), words, names, (*path, "characters"))

    def _characters(
        self, value: object, words: Sequence[Word], names: Sequence[str], path: Path
    ) -> tuple[tuple[str, Range], ...]:
        if not isinstance(value, Mapping):
            self._fail('expected how often each character occurs, such as `{"#": 1}`', path)
            return ()
        found = []
        for key, often in value.items():
            char, count = str(key), self._range(often, names, (*path, key))
            if not any(char in word.pattern.alphabet for word in words) or len(char) != 1:
                self._fail(f"`{char}` is not a character of the word", (*path, key), at_key=True)
            elif count is not None:
                found.append((char, count))
        return tuple(found)

    def _condition(self, value: Mapping[str, Any], names: list[str], path: Path) -> list[Item]:
        self._check_keys(value, ("if", "lines", "else"), path)
        condition = self._expression(value["if"], names, (*path, "if"))
        if "lines" not in value:
            self._fail("the key `lines` is missing: expected what follows if this holds", path)
            return []
        found: list[Item] = []
        for key in ("lines", "else"):
            if key not in value:
                continue
            body = self._body(value[key], tuple(names), (*path, key))
            if body is not None and condition is not None:
                count = condition_as_count(condition, negated=key == "else")
                found.append(Repeat(count=Range(low=count, high=count), body=body, is_condition=True))
        return found

    def _sums(
        self, value: object, inner: Sequence[str], outer: Sequence[str], path: Path
    ) -> tuple[tuple[Expression, Expression], ...]:
        if not isinstance(value, Mapping):
            self._fail("expected the highest total of each field, such as `n: 200000`", path)
            return ()
        found = []
        for text, highest in value.items():
            what = self._expression(text, inner, (*path, text))
            most = self._expression(highest, outer, (*path, text))
            if what and most:
                found.append((what, most))
        return tuple(found)

    def _relations(self, value: Mapping[str, Any], names: Sequence[str], path: Path) -> list[Item]:
        self._check_keys(value, ("where",), path)
        texts, path = value["where"], (*path, "where")
        found: list[Item] = []
        for at, text in enumerate(_as_list(texts)):
            place = (*path, at) if isinstance(texts, list) else path
            expression = self._expression(text, names, place, self._rows)
            if expression and not re.search(r"[<>=≠≤≥!]|\bdistinct\b", expression.text):
                self._fail(f"`{expression.text}` is not a relation: expected one such as `a < b`", place)
            elif expression and expression.constant is not None and not expression.constant:
                self._fail(f"`{expression.text}` never holds", place)
            elif expression:
                found.append(Relation(expression))
        return found

    def _graph(self, value: Mapping[str, Any], names: list[str], path: Path) -> list[Item]:
        key = "graph" if "graph" in value else "tree"
        self._check_keys(value, (key,), path)
        place = (*path, key)
        options = value[key]
        if key == "tree" and not isinstance(options, Mapping):
            options = {"nodes": options}
        if not isinstance(options, Mapping):
            self._fail("expected a mapping such as `{nodes: n, edges: m}`", place)
            return []
        self._check_keys(options, _GRAPH_KEYS if key == "graph" else _TREE_KEYS, place)
        missing = [each for each in ("nodes", "edges")[: 2 if key == "graph" else 1] if each not in options]
        if missing:
            self._fail(f"the key `{missing[0]}` is missing", place)
            return []
        nodes = self._expression(options["nodes"], names, (*place, "nodes"))
        edges = self._expression(options.get("edges", f"({options['nodes']}) - 1"), names, (*place, "edges"))
        weight = self._integer(options["weight"], names, (*place, "weight")) if "weight" in options else None
        first = self._whole(options.get("first", 1), (*place, "first"))
        flags = {each: self._flag(options, each, place, default=each == "simple") for each in _GRAPH_KEYS[3:7]}
        if nodes is None or edges is None or first is None:
            return []
        return [
            Graph(
                nodes=nodes,
                edges=edges,
                first=first,
                is_tree=key == "tree",
                is_simple=flags["simple"],
                is_connected=flags["connected"] or key == "tree",
                is_directed=flags["directed"] or flags["acyclic"],
                is_acyclic=flags["acyclic"],
                weight=weight,
            )
        ]

    def _either(self, value: Mapping[str, Any], names: list[str], path: Path) -> list[Item]:
        self._check_keys(value, ("either",), path)
        place = (*path, "either")
        options = value["either"]
        if not isinstance(options, list) or len(options) < 2:
            self._fail("expected a list of at least two lines", place)
            return []
        lines: list[Line] = []
        begins: set[str] = set()
        for at, each in enumerate(options):
            line = self._line(each, list(names), (*place, at))
            if line is None:
                continue
            text = line.first_text
            if text is None or text in begins:
                self._fail(
                    "each of these lines must begin with a value of its own, such as `type: 1` or `type: {word: add}`",
                    (*place, at),
                )
            begins.add(text or "")
            lines.append(line)
        return [Either(tuple(lines))] if len(lines) == len(options) else []

    ITEMS: Mapping[str, Callable[..., list[Item]]] = {  # by the key that only they have; all else is a line
        "repeat": _repeat,
        "tests": _repeat,
        "if": _condition,
        "where": _relations,
        "graph": _graph,
        "tree": _graph,
        "either": _either,
    }

    # Fields

    def _kind(self, value: object, names: Sequence[str], path: Path) -> AnyKind | None:  # noqa: PLR0911
        if not isinstance(value, Mapping):
            return self._integer(value, names, path)
        keys = [key for key in value if key in _KINDS]
        if len(keys) != 1:
            self._fail(f"expected a range such as `1..100`, or exactly one of the keys {_quote_all(_KINDS)}", path)
            return None
        key = keys[0]
        self._check_keys(value, (key, *_KINDS[key]), path)
        place = (*path, key)
        match key:
            case "integer":
                return self._integer(value[key], names, place)
            case "real":
                return self._real(value, path)
            case "word" | "text":
                return self._word(value, key, names, path)
            case "choice":
                return self._choice(value[key], place)
            case "list":
                return self._list(value, names, path)
            case "member":
                return self._member(value[key], names, place)
            case _:
                count = self._expression(value[key], names, place)
                first = self._whole(value.get("first", 1), (*path, "first"))
                return Permutation(count=count, first=first) if count and first is not None else None

    def _integer(self, value: object, names: Sequence[str], path: Path) -> Integer | None:
        if isinstance(value, str) and value[:1] in "[(/" and ".." not in value:
            self._fail(f'expected a range such as `1..100`; for words write `{{word: "{value}"}}`', path)
            return None
        ranges = self._parse(parse_ranges, value, "a range of integers such as `1..100`", names, path, rows=self._rows)
        if ranges is None:
            return None
        for each in ranges:
            self._require_values(each, path)
        return Integer(ranges=ranges)

    def _require_values(self, limits: Range, path: Path) -> None:
        if message := find_empty_range(limits, self._intervals):
            self._fail(message, path)

    def _real(self, value: Mapping[str, Any], path: Path) -> Real | None:
        low, dots, high = str(value["real"]).partition("..")
        low, high = low.strip(), (high if dots else low).strip()
        if not _DECIMAL.fullmatch(low) or not _DECIMAL.fullmatch(high) or float(low) > float(high):
            self._fail("expected a range of numbers such as `0.0..1.0`", (*path, "real"))
            return None
        least, dots, most = str(value.get("decimals", "0..6")).partition("..")
        most = most if dots else least
        if not (least.strip().isdecimal() and most.strip().isdecimal() and int(least) <= int(most) <= _MAX_DECIMALS):
            self._fail("expected the number of decimals, such as `2` or `0..6`", (*path, "decimals"))
            return None
        return Real(low=low, high=high, decimals=(int(least), int(most)))

    def _word(self, value: Mapping[str, Any], key: str, names: Sequence[str], path: Path) -> Word | None:  # noqa: PLR0911 - one for each error
        text = value[key]
        if isinstance(text, int) and not isinstance(text, bool):
            text = str(text)
        if not isinstance(text, str):
            self._fail('expected a pattern in quotes, such as `"[a-z]{1,20}"`', (*path, key))
            return None
        try:
            pattern = parse_pattern(text)
        except PatternError as error:
            self._fail(str(error), (*path, key))
            return None
        if key == "word" and (" " in pattern.alphabet or (pattern.shortest == 0 and "length" not in value)):
            self._fail("a word has no spaces and is not empty: for a whole line of text write `text:`", (*path, key))
            return None
        if "length" not in value:
            if "characters" in value:
                self._fail("`characters` needs a word with a `length`", (*path, "characters"), at_key=True)
            return Word(pattern=pattern)
        length = self._range(value["length"], names, (*path, "length"))
        if pattern.longest != 1:
            message = "with `length`, the pattern is that of one character, such as `[a-z]`"
            self._fail(message, (*path, key))
            return None
        if length is None:
            return None
        word = Word(pattern=pattern, length=length)
        characters = self._characters(value.get("characters", {}), [word], names, (*path, "characters"))
        return replace(word, characters=characters)

    def _member(self, value: object, names: Sequence[str], path: Path) -> Member | None:
        kind = self._kinds.get(str(value)) if value in (*names, *self._columns) else None
        match kind:
            case Listed(item=item):
                pass
            case Permutation(count=count, first=first):
                item = Integer(ranges=(Range(low=constant(first), high=count),))
            case Integer() | Real() | Word() | Member() if value in self._columns:
                item = kind
            case _:
                self._fail(f"`{value}` is not an earlier list, nor a field of an earlier block", path)
                return None
        if item.is_open:
            self._fail(f"`{value}` has texts, which go on to the end of their lines: expected words", path)
        return Member(source=str(value), item=item.item if isinstance(item, Member) else item)

    def _choice(self, value: object, path: Path) -> Word | None:
        words = value if isinstance(value, list) else []
        texts = [str(each) for each in words if isinstance(each, str | int) and not isinstance(each, bool)]
        wrong = [each for each in texts if not each.isascii() or not each.isprintable() or " " in each or not each]
        if not texts or len(texts) != len(words) or wrong:
            self._fail("expected a list of words such as `[YES, NO]`", path)
            return None
        escaped = "|".join(re.sub(r"([^A-Za-z0-9])", r"\\\1", each) for each in texts)
        return Word(pattern=parse_pattern(escaped))

    def _list(self, value: Mapping[str, Any], names: Sequence[str], path: Path) -> Listed | None:
        index = value.get("index", "")
        has_index = "index" in value and self._is_free(index, names, (*path, "index"))
        if has_index:
            self._intervals[index] = ANY
        item = self._kind(value["list"], [*names, index] if has_index else names, (*path, "list"))
        if has_index and {"distinct", "copies", "order"}.intersection(value):
            self._fail("with `index`, a list has no `distinct`, `copies` or `order`", (*path, "index"), at_key=True)
        if item is not None and (not isinstance(item, Scalar) or item.is_open):
            what = "a text in a list" if isinstance(item, Word) else "a list in a list"
            self._fail(f"{what}: use a block (`repeat: n`) with one line for each", (*path, "list"))
            return None
        if "count" not in value:
            self._fail("the key `count` is missing: how many values are there?", path)
            return None
        count = self._range(value["count"], names, (*path, "count"))
        order = value.get("order", "")
        if order and order not in _ORDERS:
            self._fail(f"expected {_quote_all(_ORDERS)}", (*path, "order"))
        copies = self._whole(value["copies"], (*path, "copies")) if "copies" in value else None
        if copies is not None and copies < 1:
            self._fail("expected at least 1", (*path, "copies"))
        if self._flag(value, "distinct", path, default=False):
            copies = 1
        if item is None or count is None:
            return None
        return Listed(item=item, count=count, copies=copies, order=order, index=index if has_index else "")

    # Single values

    def _parse(
        self,
        parse: Callable[..., _Parsed],
        value: object,
        expected: str,
        names: Sequence[str],
        path: Path,
        *,
        rows: Sequence[str] = (),
    ) -> _Parsed | None:
        """Parse the text of an expression or a range; lists and words are checked by the functions that take them."""
        if isinstance(value, bool | float | list | Mapping) or value is None:
            self._fail(f"expected {expected}, found {_describe(value)}", path)
            return None
        try:
            return parse(str(value), [*names, *self._columns], self._constants, rows)
        except ExpressionError as error:
            self._fail(str(error), path)
            return None

    def _expression(
        self, value: object, names: Sequence[str], path: Path, rows: Sequence[str] = ()
    ) -> Expression | None:
        return self._parse(parse_expression, value, "an expression such as `n` or `2*10^5`", names, path, rows=rows)

    def _range(self, value: object, names: Sequence[str], path: Path) -> Range | None:
        found = self._parse(parse_range, value, "a number or a range such as `1..100`", names, path)
        if found is not None:
            self._require_values(found, path)
        return found

    def _whole(self, value: object, path: Path) -> int | None:
        expression = self._expression(value, (), path)
        if expression is not None and type(expression.constant) is not int:
            self._fail("expected a number", path)
            return None
        return expression.constant if expression else None

    def _flag(self, value: Mapping[str, Any], key: str, path: Path, *, default: bool) -> bool:
        found = value.get(key, default)
        if not isinstance(found, bool):
            self._fail("expected `true` or `false`", (*path, key))
            return default
        return found


def is_line(item: Any) -> bool:
    """Return whether an item of the notation is a line, with names of fields as its keys."""
    return isinstance(item, Mapping) and not _Reader.ITEMS.keys() & item.keys()


def _field_names(value: Any) -> Iterator[str]:
    """Yield the fields of lines that are not read yet."""
    for item in value if isinstance(value, list) else [value]:
        if is_line(item):
            yield from (name for name in item if isinstance(name, str))


def _mark_columns(items: Sequence[Item]) -> list[Item]:
    """Return items in which blocks know which of their fields are used after them, as lists."""
    found = []
    for at, item in enumerate(items):
        if isinstance(item, Repeat) and not item.is_condition:
            used: set[str] = set()
            for later in items[at + 1 :]:
                inner = walk(later.body) if isinstance(later, Repeat) else ()
                own = {name for each in inner if isinstance(each, Line) for name, _ in each.fields}
                used |= {name for each in find_parts(later, Expression) for name in each.names if name not in own}
                used |= {each.source for each in find_parts(later, Member)}
            columns = tuple(name for name, kind in own_fields(item.body).items() if isinstance(kind, Scalar))
            item = replace(item, columns=tuple(name for name in columns if name in used))  # noqa: PLW2901
        found.append(item)
    return found


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _quote_all(words: object) -> str:
    quoted = [f"`{word}`" for word in words]  # type: ignore[attr-defined]
    return ", ".join(quoted[:-1]) + f" or {quoted[-1]}" if len(quoted) > 1 else quoted[0]


def _describe(value: object) -> str:
    number = f"the number `{value}`"
    return {type(None): "no value", bool: "a boolean", float: number, list: "a list"}.get(type(value), "a mapping")
