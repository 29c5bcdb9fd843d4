"""Structs as JSON arrays of their fields, for files that only the same version of the judge reads.

JSON, because reading it runs no code: the folder of such a file may come with a repository from somewhere else.
"""

import json
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T", bound=Struct)


def dump(value: object) -> bytes:
    """Return a value as JSON: bytes as Latin-1, paths as text, enumerations by value, structs and sets as lists."""
    return _encode(value).encode()


def fields_of(value: Any) -> list[object]:
    """Return the fields of a struct, in order."""
    return [getattr(value, name) for name in value.__struct_fields__]


def restore(kind: type[T], values: Sequence[Any], /, **decoders: Callable[[Any], object]) -> T:
    """Return the struct that `dump` wrote as an array.

    Args:
        kind: the class.
        values: its fields in order.
        decoders: by the name of a field; called unless the value is None.

    Raises:
        TypeError: the array has another number of fields.
        ValueError: likewise, or from a decoder.
    """
    fields = dict(zip(kind.__struct_fields__, values, strict=True))
    for name, decode in decoders.items():
        if fields[name] is not None:
            fields[name] = decode(fields[name])
    return kind(**fields)


def to_bytes(text: str) -> bytes:
    """Return the bytes that `dump` wrote as a text."""
    return text.encode("latin-1")


def _to_json(value: Any) -> object:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, frozenset):
        return sorted(value)
    return value.value if isinstance(value, Enum) else fields_of(value)


_encode = json.JSONEncoder(default=_to_json, separators=(",", ":")).encode
