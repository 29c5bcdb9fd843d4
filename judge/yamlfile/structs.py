"""Readers of Structs, and which type has which reader.

A Struct's fields, with their bounds and patterns, come from msgspec's description of it; `judge.layouts.schema` derives
the JSON Schemas from the same description.
"""

import re
from collections.abc import Mapping as Table
from functools import cache
from typing import Any, ClassVar

from msgspec import Struct, inspect

from judge.yamlfile.containers import AnyReader, ListReader, MapReader, UnionReader
from judge.yamlfile.nodes import Mapping, Node
from judge.yamlfile.one_scalar import TextKind, TextReader, ValueReader, WordReader
from judge.yamlfile.reader import BROKEN, Notes, Reader, mismatch, refuse
from judge.yamlfile.rules import Rule
from judge.yamlfile.words import nearest, quoted, unknown


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
                values.setdefault(nearest(key, self.fields) or key, BROKEN)
        self._check_rules(node, values, notes)
        known = {key: value for key, value in values.items() if key in self.fields}
        return self.struct(**dict.fromkeys(self.required, BROKEN) | known)

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
