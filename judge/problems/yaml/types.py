"""Descriptions of what a YAML file may contain, from which both the reader and the JSON Schema follow.

A type reads a node to a value. A wrong value is reported and read as None, so that one pass finds all errors; after
an error the values are good for finding more errors only.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Generic, TypeVar, cast, overload

from msgspec import Struct

from judge.problems.yaml import parse
from judge.problems.yaml.parse import SURROGATE, AnyNode, Scalar
from judge.problems.yaml.scalars import AMBIGUOUS, resolve
from judge.problems.yaml.text import describe_unknown, nearest, quote, quote_all

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Schema = dict[str, object]
Values = Mapping[str, object]
"""The values of a mapping in the order of the file; a wrong one is None."""


class Rule(Struct, frozen=True):
    """A condition on the keys of a mapping.

    Attributes:
        find: returns the violations: the key that is wrong (None: the whole mapping), and a message.
        schema: the same as a JSON Schema.
    """

    find: Callable[[Values], Iterable[tuple[str | None, str]]]
    schema: Schema


def exactly_one(keys: tuple[str, ...], missing: str) -> Rule:
    """Return the rule that exactly one of the keys is there; `missing` is the message if none is."""

    def find(values: Values) -> Iterable[tuple[str | None, str]]:
        present = [key for key in values if key in keys]
        if not present:
            return [(None, f"{missing}: add one of {quote_all(keys)}")]
        return [(key, _exclusive(present[0], key)) for key in present[1:]]

    return Rule(find, {"oneOf": [{"required": [key]} for key in keys]})


def not_together(*keys: str) -> Rule:
    """Return the rule that at most one of two keys is there."""

    def find(values: Values) -> Iterable[tuple[str | None, str]]:
        present = [key for key in values if key in keys]
        return [(present[1], _exclusive(*present))] if len(present) > 1 else []

    return Rule(find, {"not": {"required": list(keys)}})


def requires(key: str, other: str) -> Rule:
    """Return the rule that a key has no meaning without another one."""
    message = _requires(key, other)
    schema: Schema = {"dependentRequired": {key: [other]}}
    return Rule(lambda values: [(key, message)] if key in values and other not in values else [], schema)


def options_of(key: str, value: str) -> Rule:
    """Return the rule that other keys are allowed only where `key` is `value`."""

    def find(values: Values) -> Iterable[tuple[str | None, str]]:
        word = values.get(key, value)
        wrong = [each for each in values if each != key] if isinstance(word, str) and word != value else []
        return [
            (each, f"{quote(str(word))} has no option {quote(each)}: remove it, or use {quote(value)}")
            for each in wrong
        ]

    return Rule(find, {"if": {"properties": {key: {"const": value}}}, "else": {"maxProperties": 1}})


def allowed_with(key: str, others: tuple[str, ...]) -> Rule:
    """Return the rule that with `key` only some other keys are allowed, which have no meaning without it."""

    def find(values: Values) -> Iterable[tuple[str | None, str]]:
        for each in values:
            if key in values and each not in (key, *others):
                yield each, f"{quote(key)} and {quote(each)} are mutually exclusive: remove {quote(each)}"
            if key not in values and each in others:
                yield each, _requires(each, key)

    return Rule(
        find,
        {
            "if": {"required": [key]},
            "then": {"propertyNames": {"enum": [key, *others]}},
            "else": {"properties": dict.fromkeys(others, False)},
        },
    )


def _exclusive(first: str, second: str) -> str:
    return f"{quote(first)} and {quote(second)} are mutually exclusive: keep one of them"


def _requires(key: str, other: str) -> str:
    return f"{quote(key)} requires {quote(other)}: add {quote(other)}, or remove {quote(key)}"


Report = Callable[[AnyNode, str], None]  # records what is wrong with a node


class _UnknownWordError(ValueError):
    """The message says what kind of word it is, so it needs no key."""


class Type(ABC, Generic[T_co]):
    """What a value may be.

    Attributes:
        expected: the type, for messages of the form `expected ...`.
        nodes: the kinds of node that can have this type.
    """

    expected: str
    nodes: tuple[type[AnyNode], ...]
    parts: Sequence["Type[object]"] = ()

    def read(self, node: AnyNode, key: str, report: Report) -> T_co | None:
        """Return the value of a node; report what is wrong, and return None in its place. The key is for messages."""
        try:
            if isinstance(node, self.nodes):
                return self._read(node, key, report)
            fault = _mismatch(self.expected, node)
        except _UnknownWordError as error:
            report(node, str(error))
            return None
        except ValueError as error:
            fault = str(error)
        report(node, f"{quote(key)}: {fault}" if key else fault)
        return None

    @abstractmethod
    def _read(self, node: Any, key: str, report: Report) -> T_co | None:
        """Return the value of a node of one of these kinds; what is wrong in it is reported.

        Raises:
            ValueError: the value itself is wrong.
        """

    @abstractmethod
    def schema(self) -> Schema:
        """Return the JSON Schema of the type; mappings with known keys are references to `#/$defs`."""


def describe(node: AnyNode) -> str:
    """Return what a node is: `a list`, ``the number `3` ``, ``the string `x` ``."""
    if not isinstance(node, Scalar):
        return node.description
    resolved = resolve(node.text) if node.is_plain else None
    return resolved.found if resolved else f"the string {quote(node.text)}"


def _mismatch(expected: str, node: AnyNode) -> str:
    return f"expected {expected}, found {describe(node)}"


@dataclass(frozen=True)
class String(Type[T]):
    """A string; what YAML reads as something else is an error, never turned into a string.

    Attributes:
        expected: what the string is, for messages of the form `expected ...`.
        pattern: what it must match; where there is a `parse`, only the JSON Schema uses the pattern.
        parse: returns what the string means; raises ValueError with a complete message if it is not valid.
        min_length, max_length: in characters, inclusive.
        number_fix: how to fix a bare number, with `{}` for the number.
        quote_fix: how to fix another word that YAML does not read as a string, likewise.
        keeps_lines: whether line ends matter; then lines that YAML would join are an error.
    """

    nodes = (Scalar,)
    expected: str = "a string"
    _: KW_ONLY
    pattern: str = ""
    parse: Callable[[str], T] | None = None
    min_length: int = 0
    max_length: int | None = None
    number_fix: str = 'quote it, `"{}"`'
    quote_fix: str = 'quote it, `"{}"`'
    keeps_lines: bool = False
    examples: tuple[str, ...] = ()

    def _read(self, node: Scalar, key: str, report: Report) -> T:
        text = node.text
        if node.is_plain and (resolved := resolve(text)):
            raise ValueError(f"expected {self.expected}, found {resolved.found}: {self._fix(text)}")
        if node.is_folded and self.keeps_lines:
            raise ValueError("YAML joins these lines into one: start the text with `|` and a new line")
        if self.max_length is not None and len(text) > self.max_length:
            raise ValueError(f"expected {self.expected}, found {len(text)} characters, more than {self.max_length}")
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
            raise ValueError(SURROGATE)
        if self.parse:
            return self.parse(text)
        if len(text) < self.min_length or (self.pattern and not re.fullmatch(self.pattern, text)):
            raise ValueError(f"expected {self.expected}, found {quote(text)}")
        return cast("T", text)

    def _fix(self, text: str) -> str:
        if text in ("", "~"):
            return "write a value, or remove the key"
        if len(text) > 60 or '"' in text or "\\" in text:
            return self.quote_fix.partition(",")[0]
        return (self.number_fix if _BARE_NUMBER.fullmatch(text) else self.quote_fix).replace("{}", text)

    def schema(self) -> Schema:
        optional = {
            "examples": list(self.examples),
            "type": "string",
            "maxLength": self.max_length,
            "minLength": self.min_length,
            "pattern": self.pattern,
        }
        return {key: value for key, value in optional.items() if value}


_BARE_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


class Word(Type[str]):
    """One word of a fixed set; `kind` names the set in messages, in the singular."""

    nodes = (Scalar,)

    def __init__(self, kind: str, *words: str) -> None:
        self.kind = kind
        self.words = words
        self.expected = f"one of {quote_all(words)}"

    def _read(self, node: Scalar, key: str, report: Report) -> str:
        if not node.text:
            raise ValueError(_mismatch(self.expected, node))
        if node.text not in self.words:
            raise _UnknownWordError(describe_unknown(self.kind, node.text, self.words))
        return node.text

    def schema(self) -> Schema:
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Value(Type[T]):
    """A number or a boolean: of one of the Python types `kinds` exactly; it is read as the last of them."""

    nodes = (Scalar,)
    expected: str
    name: str  # of the type in a JSON Schema
    kinds: tuple[Any, ...]
    minimum: int | None = None
    maximum: int | None = None

    def _read(self, node: Scalar, key: str, report: Report) -> T:
        resolved = resolve(node.text)
        if resolved is None:
            raise ValueError(_mismatch(self.expected, node))
        if not self._fits(resolved.value):
            words = [word for word in resolved.alternatives if (found := resolve(word)) and self._fits(found.value)]
            fix = f": write {' or '.join(map(quote, words))}" if words else ""
            raise ValueError(f"expected {self.expected}, found {resolved.found}{fix}")
        if not node.is_plain:
            raise ValueError(f"expected {self.expected}, found the string {quote(node.text)}: remove the quotes")
        return cast("T", self.kinds[-1](resolved.value))

    def _fits(self, value: Any) -> bool:
        if type(value) not in self.kinds:
            return False
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)

    def schema(self) -> Schema:
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": self.name} | {key: value for key, value in bounds.items() if value is not None}


BOOLEAN: Type[bool] = Value("`true` or `false`", "boolean", (bool,))


def integer(minimum: int, maximum: int) -> Type[int]:
    """Return the type of an integer with inclusive bounds."""
    return Value(f"an integer from {minimum:g} to {maximum:g}", "integer", (int,), minimum, maximum)


def number(minimum: int) -> Type[float]:
    """Return the type of a number with an inclusive lower bound."""
    return Value(f"a number of at least {minimum:g}", "number", (int, float), minimum)


class Anything(Type[object]):
    """Whatever YAML can express, as None, booleans, numbers, strings, lists and dicts."""

    nodes = (Scalar, parse.Sequence, parse.Mapping)
    expected = "a value"

    def _read(self, node: AnyNode, key: str, report: Report) -> object:
        if isinstance(node, parse.Sequence):
            return [self.read(item, key, report) for item in node.items]
        if isinstance(node, parse.Mapping):
            return _read_entries(node, self, report)
        resolved = resolve(node.text) if node.is_plain else None
        if resolved is None:
            return _STRING.read(node, key, report)
        if resolved.value is AMBIGUOUS:
            instead = " or ".join(map(quote, resolved.alternatives))
            fix = f"write {instead}, or quote it" if instead else "quote it"
            raise ValueError(f"found {resolved.found}: {fix}")
        return resolved.value

    def schema(self) -> Schema:
        return {}


_STRING: Type[str] = String()


class List(Type[list[T | None]], Generic[T]):
    """A list whose items have one type; lengths are inclusive."""

    nodes = (parse.Sequence,)

    def __init__(
        self, item: Type[T], *, min_length: int = 0, max_length: int | None = None, is_set: bool = False
    ) -> None:
        self._item = item
        self.parts = (item,)
        self._min_length = min_length
        self._max_length = max_length
        self._is_set = is_set  # for the JSON Schema only
        self.expected = f"a list, each item {item.expected}"

    def _read(self, node: parse.Sequence, key: str, report: Report) -> list[T | None]:
        if len(node.items) < self._min_length:
            raise ValueError("the list is empty: write at least one item")
        if self._max_length is not None and len(node.items) > self._max_length:
            raise ValueError(f"expected at most {self._max_length} items, found {len(node.items)}")
        return [self._item.read(item, key, report) for item in node.items]

    def schema(self) -> Schema:
        schema: Schema = {"uniqueItems": True} if self._is_set else {}
        schema |= {"type": "array", "items": self._item.schema()}
        if self._max_length is not None:
            schema |= {"maxItems": self._max_length, "minItems": self._min_length}
        return schema


class Dict(Type[dict[str, T | None]], Generic[T]):
    """A mapping whose keys are free and whose values have one type."""

    nodes = (parse.Mapping,)
    expected = "a mapping"

    def __init__(self, value: Type[T]) -> None:
        self._value = value
        self.parts = (value,)

    def _read(self, node: parse.Mapping, _: str, report: Report) -> dict[str, T | None]:
        return _read_entries(node, self._value, report)

    def schema(self) -> Schema:
        values = self._value.schema()
        return {"type": "object"} | ({"additionalProperties": values} if values else {})


def _read_entries(node: parse.Mapping, value: Type[T], report: Report) -> dict[str, T | None]:
    for key in node.keys.values():
        if key.is_plain and (resolved := resolve(key.text)):
            report(key, f'expected a key, found {resolved.found}: quote it, `"{key.text}"`')
    return {key: value.read(item, key, report) for key, item in node.values.items()}


class Either(Type[T]):
    """One of several types, no two of which have the same kind of node."""

    def __init__(self, *options: Type[T]) -> None:
        self.parts = self._options = options
        self.expected = " or ".join(option.expected for option in options)
        self.nodes = tuple(kind for option in options for kind in option.nodes)

    def _read(self, node: AnyNode, key: str, report: Report) -> T | None:
        for option in self._options:
            if isinstance(node, option.nodes) and not (isinstance(node, Scalar) and node.is_empty):
                return option.read(node, key, report)
        raise ValueError(_mismatch(self.expected, node))

    def schema(self) -> Schema:
        return {"anyOf": [option.schema() for option in self.parts]}


class _Key(Struct, frozen=True):
    """A key of a record; the description is for the JSON Schema."""

    kind: Type[Any]
    description: str
    is_required: bool


def key(kind: Type[T], description: str, *, is_required: bool = False) -> T | None:
    """Describe a key of a `Record`; in its class, that stands for the value."""
    return cast("T | None", _Key(kind, description, is_required))


class Record:
    """The value of a mapping with known keys.

    A subclass has an attribute for each key: `seed = key(SEED, "The seed.")`. A value is None where the key is absent,
    and where its value is wrong.

    Attributes:
        given: the keys of the mapping; the nearest valid key for one that is unknown.
    """

    rules: ClassVar[tuple[Rule, ...]] = ()
    given: AbstractSet[str]
    _node: parse.Mapping
    _report: Report

    def report(self, message: str, *path: str | int, at_key: bool = False) -> None:
        """Report what is wrong at the value, or at the key, that `path` leads to: `"parameters", "n"`."""
        self._report(parse.find(self._node, *path, at_key=at_key), message)

    def locate(self, *path: str | int, at_key: bool = False) -> parse.Location:
        """Return the position of a value or of its key, likewise."""
        return parse.find(self._node, *path, at_key=at_key).location


R = TypeVar("R", bound=Record)


class Fields(Type[T], Generic[R, T]):
    """A mapping whose keys are those of a Record; with `make`, it stands for what that returns."""

    nodes = (parse.Mapping,)

    @overload
    def __init__(self: "Fields[R, R]", record: type[R], *, is_partial: bool = False) -> None: ...
    @overload
    def __init__(self, record: type[R], make: Callable[[R], T]) -> None: ...
    def __init__(self, record: type[R], make: Callable[[R], T] | None = None, *, is_partial: bool = False) -> None:
        self._keys = {name: each for name, each in vars(record).items() if isinstance(each, _Key)}
        self.types: Mapping[str, Type[object]] = {name: each.kind for name, each in self._keys.items()}
        self._is_partial = is_partial  # no key is required
        self.name = record.__name__
        self.parts = tuple(self.types.values())
        self._record = record
        self._make = make
        self._required = [name for name, each in self._keys.items() if each.is_required]
        self.expected = f"a mapping (`{next(iter(self.types))}: ...`)"

    def _read(self, node: parse.Mapping, _: str, report: Report) -> T:
        values: dict[str, object] = {}
        for name, value in node.values.items():
            if field := self.types.get(name):
                values[name] = field.read(value, name, report)
            else:
                report(node.keys[name], self._describe_unknown(name))
                values.setdefault(nearest(name, self.types) or name, None)
        for key in () if self._is_partial else self._required:
            if key not in values:
                report(node, f"the key {quote(key)} is missing: expected {self.types[key].expected}")
        for rule in self._record.rules:
            for wrong, message in rule.find(values):
                report(node.keys.get(wrong, node) if wrong else node, message)
        record = self._record()
        known = {name: value for name, value in values.items() if name in self.types}
        vars(record).update(dict.fromkeys(self.types), given=known.keys(), _node=node, _report=report)
        vars(record).update(known)
        return self._make(record) if self._make else cast("T", record)

    def _describe_unknown(self, key: str) -> str:
        for name, field in self.types.items():
            if isinstance(field, Fields) and key in field.types:
                return f"unknown key {quote(key)}: it belongs under {quote(name)}"
        return describe_unknown("key", key, tuple(self.types))

    def schema(self) -> Schema:
        return {"$ref": f"#/$defs/{self.name}"}

    def definition(self) -> Schema:
        """Return what the reference of `schema` refers to."""
        rules = [rule.schema for rule in self._record.rules]
        return {
            "title": self.name.removesuffix("Entry").lower(),
            "description": self._record.__doc__,
            "type": "object",
            "properties": {
                name: {"description": each.description, **each.kind.schema()} for name, each in self._keys.items()
            },
            "required": self._required,
            "additionalProperties": False,
        } | ({"allOf": rules} if rules else {})
