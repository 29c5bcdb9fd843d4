"""A node and the type that it should have, to a value and mistakes: what all readers share.

What is wrong is noted and stands as BROKEN in the value, so that all the rest of the file is still looked at.
"""

from collections.abc import Iterable
from typing import Final, Protocol, TypeVar

from msgspec import UnsetType

from judge.yamlfile.nodes import Mistake, Node, Scalar
from judge.yamlfile.scalars import reading
from judge.yamlfile.words import quoted


class _Broken:
    """Stands where a value was wrong; an instance of no type that is expected anywhere."""

    def __repr__(self) -> str:
        return "BROKEN"


BROKEN: Final = _Broken()
Notes = list[Mistake]
T = TypeVar("T")


def is_sound(value: object) -> bool:
    """Whether a value is not BROKEN; to be asked where its type alone cannot tell."""
    return value is not BROKEN


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
    return BROKEN


def mismatch(reader: Reader, node: Node, label: str, notes: Notes) -> object:
    """Note that the node is not what the reader expects, and return BROKEN."""
    return refuse(node, label, f"expected {reader.expected}, found {found(node)}", notes)


def found(node: Node) -> str:
    """Say what a node is: `a list`, ``the number `3` ``, ``the text `x` ``."""
    if not isinstance(node, Scalar):
        return node.kind
    seen = reading(node.text) if node.plain else None
    return seen.found if seen else f"the text {quoted(node.text)}"
