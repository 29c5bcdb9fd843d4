"""The value of the key `input:`: the places of its ranges."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from judge.inputs.expressions import ExpressionError, parse_expression
from judge.inputs.read import is_line


class Place(Struct):
    """A field of the notation; `key` leads to its range in `part`, and is "" for what the format decides."""

    part: dict[str, Any]
    key: str
    name: str
    is_row: bool
    is_length: bool = False

    def set_range(self, low: str, high: str) -> None:
        """Replace the ends that are given."""
        if self.key:
            first, _, last = str(self.part[self.key]).partition("..")
            low, high = low or first, high or last or first
            self.part[self.key] = f"{_number(low)}..{_number(high)}" if self.key == "real" else f"{low}..{high}"


def places_of(items: Sequence[Any], *, is_row: bool = False) -> Iterator[Place]:
    """Yield the fields of lines, in order, with the ends and the weights of edges."""
    for item in items:
        if not isinstance(item, dict):
            continue
        for key in ("lines", "else", "either"):
            yield from places_of(item.get(key, ()), is_row=is_row or "tests" not in item)
        if "graph" in item:
            yield from (Place(item, "", each, is_row=True) for each in "uv")
            if "weight" in item["graph"]:
                yield Place(item["graph"], "weight", "weight", is_row=True)
        for name in item if is_line(item) else ():
            yield from _places_of_field(item, name, name, is_row=is_row)


def _places_of_field(part: dict[str, Any], key: str, name: str, *, is_row: bool) -> Iterator[Place]:
    kind = part[key]
    if isinstance(kind, str):
        yield Place(part, key, name, is_row)
    elif isinstance(kind, dict) and "list" in kind:
        yield from _places_of_field(kind, "list", name, is_row=True)
    elif isinstance(kind, dict) and "permutation" in kind:
        yield Place(kind, "", name, is_row=True)
    elif isinstance(kind, dict) and "real" in kind:
        yield Place(kind, "real", name, is_row)
    elif isinstance(kind, dict) and ".." in str(kind.get("length")):
        yield Place(kind, "length", name, is_row, is_length=True)


def _number(text: str) -> str:
    """Return an end of a range of real numbers, of which the notation has no expressions."""
    try:
        return str(parse_expression(text, (), {}).constant)
    except ExpressionError:
        return text.replace("(", "").replace(")", "")
