"""Readers of lists, mappings with free keys, of one type or another, and of anything."""

from typing import ClassVar

from msgspec import Struct

from judge.yamlfile.nodes import Mapping, Node, Scalar, Sequence
from judge.yamlfile.one_scalar import TextKind, TextReader
from judge.yamlfile.reader import Notes, Reader, mismatch, refuse
from judge.yamlfile.scalars import UNSURE, reading
from judge.yamlfile.words import quoted

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
