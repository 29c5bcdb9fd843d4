"""The parts of an input that can be changed: what is counted, and single values.

A path leads to a part of a tree: the numbers of items, repetitions, fields and values on the way.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from judge.grammar.expressions import Expression, ExpressionError, Range
from judge.grammar.forms import (
    Body,
    Either,
    Graph,
    Integer,
    Kind,
    Line,
    Listed,
    Member,
    Permutation,
    Real,
    Repeat,
    Word,
)
from judge.grammar.parse import Tree

Path = tuple[int, ...]

_MAX_SITES = 200_000  # values of an input that are looked at one by one


class Group(Struct):
    """Everything that one count counts.

    Attributes:
        count: the expression; None if the grammar leaves the count open.
        name: the field in it, with its path and value; None if the count is open.
        size: the count.
        members: the paths of lists, blocks, graphs, permutations and words of that size.
    """

    count: Expression | None
    name: str = ""
    path: Path = ()
    value: int = 0
    size: int = 0
    members: list[Path] = field(default_factory=list)

    def value_for(self, size: int) -> int | None:
        """Return the value of the field with which the count is `size`, if that is found."""
        assert self.count is not None
        change = size - self.size
        for value in (self.value + change, self.value * size // max(1, self.size), self.value + 1, self.value - 1):
            try:
                if self.count.evaluate({self.name: value}) == size:
                    return value
            except ExpressionError:
                continue
        return None


class Scalar(Struct, frozen=True):
    """A single value; `name` is that of its field."""

    path: Path
    name: str
    kind: Integer | Real | Word | Member
    is_count: bool = False


class Sites(Struct):
    """The groups and the values of one input."""

    groups: list[Group]
    scalars: list[Scalar]


def find_sites(body: Body, tree: Tree, counts: frozenset[str]) -> Sites:
    """Return what can be changed in an input."""
    finder = _Finder(counts)
    finder.body(body, tree, (), {})
    return Sites(list(finder.groups.values()), finder.scalars)


class _Finder:
    def __init__(self, counts: frozenset[str]) -> None:
        self.groups: dict[Any, Group] = {}
        self.scalars: list[Scalar] = []
        self._counts = counts

    def body(self, body: Body, tree: Tree, path: Path, known: dict[str, tuple[Path, Any]]) -> None:
        """Look at all items; `known` has the fields so far."""
        for at, (item, node) in enumerate(zip(body.items, tree, strict=True)):
            place = (*path, at)
            match item:
                case Line():
                    self._line(item, node, place, known)
                case Either(options):
                    self._line(options[node[0]], node[1], (*place, 1), known)
                case Repeat(body=inner, count=count):
                    if not item.is_condition:
                        self._count(count, place, len(node), known)
                    for number, each in enumerate(node):
                        self.body(inner, each, (*place, number), dict(known))
                case Graph():
                    self._expression(item.edges, place, len(node), known)
                    if item.weight is not None:
                        for number in range(len(node)):
                            self._scalar(Scalar((*place, number, 2), "weight", item.weight))

    def _line(self, line: Line, values: Sequence[Any], path: Path, known: dict[str, tuple[Path, Any]]) -> None:
        for at, ((name, kind), value) in enumerate(zip(line.fields, values, strict=True)):
            place = (*path, at)
            self._field(name, kind, value, place, known)
            known[name] = place, value

    def _field(self, name: str, kind: Kind, value: Any, path: Path, known: dict[str, tuple[Path, Any]]) -> None:
        match kind:
            case Listed(item=item, count=count):
                self._count(count, path, len(value), known)
                for at in range(len(value)):
                    self._scalar(Scalar((*path, at), name, item))
            case Permutation(count=count):
                self._expression(count, path, len(value), known)
            case Word(length=length) if length is not None:
                self._count(length, path, len(value), known)
                self._scalar(Scalar(path, name, kind))
            case Integer() | Real() | Word() | Member():
                self._scalar(Scalar(path, name, kind, is_count=name in self._counts))

    def _scalar(self, scalar: Scalar) -> None:
        if len(self.scalars) < _MAX_SITES:
            self.scalars.append(scalar)

    def _count(self, count: Range, path: Path, size: int, known: dict[str, tuple[Path, Any]]) -> None:
        if count.is_exact:
            self._expression(count.low, path, size, known)
        else:
            self.groups[path] = Group(None, size=size, members=[path])

    def _expression(self, count: Expression, path: Path, size: int, known: dict[str, tuple[Path, Any]]) -> None:
        if len(count.names) != 1:
            return
        name = count.names[0]
        where, value = known.get(name, ((), None))
        if isinstance(value, int):
            key = (where, count.source)
            self.groups.setdefault(key, Group(count, name, where, value, size)).members.append(path)


def copy_tree(part: Any) -> Any:
    """Return a copy of a tree whose lists can be changed."""
    return [copy_tree(each) for each in part] if isinstance(part, list) else part


def get(tree: Tree, path: Path) -> Any:
    """Return a part of a tree."""
    part: Any = tree
    for step in path:
        part = part[step]
    return part


def put(tree: Tree, path: Path, value: Any) -> None:
    """Replace a part of a tree; an edge, which is a tuple, as a whole."""
    parent = get(tree, path[:-1])
    if isinstance(parent, tuple):
        changed = list(parent)
        changed[path[-1]] = value
        put(tree, path[:-1], tuple(changed))
    else:
        parent[path[-1]] = value


def resize(tree: Tree, group: Group, keep: Sequence[int | None]) -> Tree | None:
    """Return a copy of a tree in which a group has other members.

    Args:
        tree: stays as it is.
        group: of the tree.
        keep: the old numbers of the members, in their new order; None for one that is new.

    Returns:
        The tree, whose numbers may not fit together yet; None if the count cannot be changed.
    """
    changed: Tree = copy_tree(tree)
    if group.count is not None:
        value = group.value_for(len(keep))
        if value is None:
            return None
        put(changed, group.path, value)
    for path in group.members:
        part = get(changed, path)
        if isinstance(part, str):
            put(changed, path, "".join("" if at is None else part[at] for at in keep))
        else:
            part[:] = [None if at is None or at >= len(part) else copy_tree(part[at]) for at in keep]
    return changed


def find_graphs(body: Body, tree: Tree, path: Path = ()) -> Iterator[tuple[Path, Graph]]:
    """Yield all graphs with their paths."""
    for at, (item, node) in enumerate(zip(body.items, tree, strict=True)):
        if isinstance(item, Graph):
            yield (*path, at), item
        elif isinstance(item, Repeat):
            for number, each in enumerate(node):
                yield from find_graphs(item.body, each, (*path, at, number))
