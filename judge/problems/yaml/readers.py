"""Readers of Structs, and which type has which reader.

A Struct's fields, with their bounds and patterns, come from msgspec's description of it; `judge.problems.schema` derives
the JSON Schemas from the same description.
"""

import re
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Table
from functools import cache
from typing import Any, ClassVar, Final, Protocol, TypeVar

from msgspec import Struct, UnsetType, inspect

from judge.problems.yaml.parse import Mapping, Mistake, Node, Scalar, Sequence
from judge.problems.yaml.rules import Rule
from judge.problems.yaml.scalars import HALF_CHARACTER, UNSURE, listed, nearest, quoted, reading, unknown


class _Broken:
    """Stands where a value was wrong; an instance of no type that is expected anywhere."""

    def __repr__(self) -> str:
        return "BROKEN"


INVALID: Final = _Broken()
Notes = list[Mistake]
T = TypeVar("T")


def is_sound(value: object) -> bool:
    """Whether a value is not BROKEN; to be asked where its type alone cannot tell."""
    return value is not INVALID


def sound(values: Iterable[T] | UnsetType) -> list[T]:
    """Return the items of a list that are not BROKEN; none when the list is, or is not there."""
    return [value for value in values if is_sound(value)] if isinstance(values, list) else []


class Reader(Protocol):
    """Reads nodes of one type."""

    @property
    def expected(self) -> str:
        """The type, for messages that say `expected ...`."""
        ...

    @property
    def takes(self) -> tuple[type[Node], ...]:
        """The kinds of node that can be of this type."""
        ...

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """Return the node's value, with BROKEN in the place of whatever was noted as wrong."""
        ...


def refuse(node: Node, label: str, message: str, notes: Notes) -> object:
    """Note what is wrong with the value of the key `label` ("" for the file itself), and return BROKEN."""
    notes.append(Mistake(node.place, f"{quoted(label)}: {message}" if label else message))
    return INVALID


def mismatch(reader: Reader, node: Node, label: str, notes: Notes) -> object:
    """Note that the node is not what the reader expects, and return BROKEN."""
    return refuse(node, label, f"expected {reader.expected}, found {found(node)}", notes)


def found(node: Node) -> str:
    """Say what a node is: `a list`, ``the number `3` ``, ``the text `x` ``."""
    if not isinstance(node, Scalar):
        return node.kind
    seen = reading(node.text) if node.plain else None
    return seen.found if seen else f"the text {quoted(node.text)}"


_LONGEST_ADVICE = 60  # characters that a message repeats
_BARE_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


class TextKind(Struct, frozen=True, kw_only=True):
    """What a JSON Schema does not say of a text: `Meta(extra={"text": TextKind(...)})`.

    Attributes:
        expected: what the text is, for messages that say `expected ...`.
        check: raises ValueError with a whole message when the text is not that.
        number: what to do about a bare number, with `{}` in the number's place.
        quote: what to do about another word that YAML does not read as a text, likewise.
        keeps_lines: whether line ends matter; then texts whose lines YAML would join are refused.
    """

    expected: str = "a text"
    check: Callable[[str], object] | None = None
    number: str = 'quote it, `"{}"`'
    quote: str = 'quote it, `"{}"`'
    keeps_lines: bool = False


class TextReader(Struct, frozen=True, kw_only=True):
    """Reads texts; what YAML takes for something else is refused, never turned into a text."""

    takes: ClassVar = (Scalar,)
    kind: TextKind
    pattern: re.Pattern[str] | None = None
    shortest: int = 0
    longest: int | None = None

    @property
    def expected(self) -> str:
        """See `Reader`."""
        return self.kind.expected

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        if not isinstance(node, Scalar):
            return mismatch(self, node, label, notes)
        if node.plain and (seen := reading(node.text)):
            return refuse(
                node, label, f"expected {self.expected}, found {seen.found}: {self._advice(node.text)}", notes
            )
        if node.joined and self.kind.keeps_lines:
            return refuse(node, label, "YAML joins these lines into one: begin the text with `|` and a new line", notes)
        if wrong := self._wrong(node.text):
            return refuse(node, label, wrong, notes)
        return node.text

    def _advice(self, text: str) -> str:
        if text in ("", "~"):
            return "write it, or remove the key"
        if len(text) > _LONGEST_ADVICE or '"' in text or "\\" in text:
            return self.kind.quote.partition(",")[0]
        return (self.kind.number if _BARE_NUMBER.fullmatch(text) else self.kind.quote).replace("{}", text)

    def _wrong(self, text: str) -> str | None:
        if self.longest is not None and len(text) > self.longest:
            return f"expected {self.expected}, found {len(text)} characters, more than {self.longest}"
        try:
            text.encode()
            if self.kind.check:
                self.kind.check(text)
        except UnicodeEncodeError:
            return HALF_CHARACTER
        except ValueError as error:
            return str(error)
        if len(text) < self.shortest or (self.pattern and not self.pattern.fullmatch(text)):
            return f"expected {self.expected}, found {quoted(text)}"
        return None


class WordReader(Struct, frozen=True, kw_only=True):
    """Reads one word of a fixed set; `what` names the set in messages."""

    takes: ClassVar = (Scalar,)
    what: str
    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        """See `Reader`."""
        return f"one of {listed(self.words)}"

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        if not isinstance(node, Scalar) or not node.text:
            return mismatch(self, node, label, notes)
        if node.text not in self.words:
            return refuse(node, "", unknown(self.what, node.text, self.words), notes)
        return node.text


class ValueReader(Struct, frozen=True, kw_only=True):
    """Reads numbers or truth values: whatever `types` says, exactly, from `least` to `most` inclusive."""

    takes: ClassVar = (Scalar,)
    expected: str
    types: tuple[type, ...]
    least: float | None = None
    most: float | None = None

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        seen = reading(node.text) if isinstance(node, Scalar) else None
        if seen is None:
            return mismatch(self, node, label, notes)
        if not self._fits(seen.value):
            words = [word for word in seen.instead if self._means(word)]
            advice = f": write {' or '.join(map(quoted, words))}" if words else ""
            return refuse(node, label, f"expected {self.expected}, found {seen.found}{advice}", notes)
        if isinstance(node, Scalar) and not node.plain:
            return refuse(
                node, label, f"expected {self.expected}, found the text {quoted(node.text)}: remove its quotes", notes
            )
        return seen.value

    def _fits(self, value: object) -> bool:
        if type(value) not in self.types:
            return False
        assert isinstance(value, int | float)
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def _means(self, word: str) -> bool:
        seen = reading(word)
        return seen is not None and self._fits(seen.value)


_TEXT = TextReader(kind=TextKind())


class ListReader(Struct, frozen=True, kw_only=True):
    """Reads lists whose items are of one type."""

    takes: ClassVar = (Sequence,)
    item: Reader
    shortest: int = 0
    longest: int | None = None

    @property
    def expected(self) -> str:
        """See `Reader`."""
        return f"a list, each item {self.item.expected}"

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        if not isinstance(node, Sequence):
            return mismatch(self, node, label, notes)
        if len(node.items) < self.shortest:
            return refuse(node, label, "the list is empty: write at least one item", notes)
        if self.longest is not None and len(node.items) > self.longest:
            return refuse(node, label, f"expected at most {self.longest} items, found {len(node.items)}", notes)
        return [self.item.read(item, label, notes) for item in node.items]


class UnionReader(Struct, frozen=True, kw_only=True):
    """Reads what one of several readers takes; no two of them take the same kind of node."""

    options: tuple[Reader, ...]

    @property
    def expected(self) -> str:
        """See `Reader`."""
        return " or ".join(option.expected for option in self.options)

    @property
    def takes(self) -> tuple[type[Node], ...]:
        """See `Reader`."""
        return tuple(kind for option in self.options for kind in option.takes)

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        for option in self.options:
            if isinstance(node, option.takes) and not _is_empty(node):
                return option.read(node, label, notes)
        return mismatch(self, node, label, notes)


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.plain and not node.text


class AnyReader(Struct, frozen=True, kw_only=True):
    """Reads whatever YAML can say, as None, truth values, numbers, texts, lists and dicts."""

    takes: ClassVar = (Scalar, Sequence, Mapping)
    expected: str = "a value"

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        match node:
            case Scalar():
                return self._scalar(node, label, notes)
            case Sequence():
                return [self.read(item, label, notes) for item in node.items]
            case Mapping():
                return _entries(node, self, notes)

    def _scalar(self, node: Scalar, label: str, notes: Notes) -> object:
        seen = reading(node.text) if node.plain else None
        if seen is None:
            return _TEXT.read(node, label, notes)
        if seen.value is not UNSURE:
            return seen.value
        instead = " or ".join(map(quoted, seen.instead))
        return refuse(
            node, label, f"found {seen.found}: " + (f"write {instead}, or quote it" if instead else "quote it"), notes
        )


class MapReader(Struct, frozen=True, kw_only=True):
    """Reads mappings whose keys are free and whose values are of one type."""

    takes: ClassVar = (Mapping,)
    value: Reader
    expected: str = "a mapping"

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        return _entries(node, self.value, notes) if isinstance(node, Mapping) else mismatch(self, node, label, notes)


def _entries(node: Mapping, value: Reader, notes: Notes) -> dict[str, object]:
    for key in node.keys.values():
        if key.plain and (seen := reading(key.text)):
            refuse(key, "", f'expected a key, found {seen.found}: quote it, `"{key.text}"`', notes)
    return {key: value.read(item, key, notes) for key, item in node.values.items()}


class StructReader(Struct, frozen=True, kw_only=True):
    """Reads mappings whose keys are the fields of a Struct."""

    takes: ClassVar = (Mapping,)
    struct: type[Struct]
    fields: Table[str, Reader]
    required: tuple[str, ...]
    rules: tuple[Rule, ...]

    @property
    def expected(self) -> str:
        """See `Reader`."""
        return f"a mapping (`{next(iter(self.fields))}: ...`)"

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """Return an instance of the Struct; see `Reader`."""
        if not isinstance(node, Mapping):
            return mismatch(self, node, label, notes)
        values: dict[str, object] = {}
        for key, value in node.values.items():
            field = self.fields.get(key)
            if field:
                values[key] = field.read(value, key, notes)
            else:
                refuse(node.keys[key], "", self._unknown(key), notes)
                values.setdefault(nearest(key, self.fields) or key, INVALID)
        self._check_rules(node, values, notes)
        known = {key: value for key, value in values.items() if key in self.fields}
        return self.struct(**dict.fromkeys(self.required, INVALID) | known)

    def _unknown(self, key: str) -> str:
        for name, field in self.fields.items():
            if isinstance(field, StructReader) and key in field.fields:
                return f"unknown key {quoted(key)}: it belongs below {quoted(name)}"
        return unknown("key", key, tuple(self.fields))

    def _check_rules(self, node: Mapping, values: Table[str, object], notes: Notes) -> None:
        for name in self.required:
            if name not in values:
                refuse(node, "", f"the key {quoted(name)} is missing: expected {self.fields[name].expected}", notes)
        for rule in self.rules:
            for key, message in rule.broken(values):
                refuse(node.keys.get(key, node) if key else node, "", message, notes)


@cache
def struct_reader(struct: type[Struct]) -> StructReader:
    """Return the reader for a Struct."""
    described = inspect.type_info(struct)
    assert isinstance(described, inspect.StructType)
    return StructReader(
        struct=struct,
        fields={field.encode_name: _reader(field.type, field.encode_name, {}) for field in described.fields},
        required=tuple(field.encode_name for field in described.fields if field.required),
        rules=getattr(struct, "rules", ()),
    )


def _reader(kind: inspect.Type, name: str, extra: Table[str, Any]) -> Reader:
    match kind:
        case inspect.Metadata():
            return _reader(kind.type, name, kind.extra or extra)
        case inspect.StructType():
            return struct_reader(kind.cls)
        case inspect.DictType():
            return MapReader(value=_reader(kind.value_type, name, extra))
        case inspect.ListType():
            item = _reader(kind.item_type, name, extra)
            return ListReader(item=item, shortest=kind.min_length or 0, longest=kind.max_length)
        case inspect.UnionType():
            return UnionReader(options=tuple(_reader(option, name, extra) for option in kind.types))
    return _leaf_reader(kind, name, extra)


def _leaf_reader(kind: inspect.Type, name: str, extra: Table[str, Any]) -> Reader:
    match kind:
        case inspect.LiteralType():
            return WordReader(what=extra.get("what", name), words=tuple(str(word) for word in kind.values))
        case inspect.StrType():
            pattern = re.compile(kind.pattern) if kind.pattern else None
            text = extra.get("text", TextKind())
            return TextReader(kind=text, pattern=pattern, shortest=kind.min_length or 0, longest=kind.max_length)
        case inspect.IntType():
            return _number_reader(kind, "a whole number", (int,))
        case inspect.FloatType():
            return _number_reader(kind, "a number", (int, float))
        case inspect.BoolType():
            return ValueReader(expected="`true` or `false`", types=(bool,))
        case inspect.AnyType():
            return AnyReader()
    raise TypeError(f"no reader for {kind}")


def _number_reader(kind: inspect.IntType | inspect.FloatType, what: str, types: tuple[type, ...]) -> Reader:
    bounds = "" if kind.ge is None else f" from {kind.ge:g} {'up' if kind.le is None else f'to {kind.le:g}'}"
    return ValueReader(expected=what + bounds, types=types, least=kind.ge, most=kind.le)
