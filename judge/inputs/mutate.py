"""The parts of an input that can be changed, and its neighbours: a few random changes, repaired by the builder.

A path leads to a part of a tree: the numbers of items, repetitions, fields and values on the way.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from judge.inputs.build import Builder, GrammarError
from judge.inputs.choose import Guided, Random, Rejected
from judge.inputs.expressions import Expression, ExpressionError, Range
from judge.inputs.forms import (
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
from judge.inputs.parse import Tree

Path = tuple[int, ...]

_MAX_SITES = 200_000  # values of an input that are looked at one by one
_FAR = 10**18
_MAX_VALUES = 100_000  # of a neighbour
_MAX_FAILURES = 300  # in a row; an input may have no neighbours


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
    for path in sorted(group.members, key=len, reverse=True):  # rows before the block that has them
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


def neighbours(body: Body, tree: Tree, counts: frozenset[str], rng: random.Random) -> Iterator[Tree]:
    """Yield valid trees that differ a little; without end, unless nothing can be changed."""
    sites = find_sites(body, tree, counts)
    failures = 0
    while failures < _MAX_FAILURES:
        guide: Tree | None = tree
        current = sites
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            guide = _change(guide, current, rng) if guide is not None else None
            if guide is None:
                break
            try:
                guide = Builder(body, counts, Guided(Random(rng, None)), {}, most=_MAX_VALUES).build(guide)
            except (Rejected, GrammarError):
                guide = None
                break
            current = find_sites(body, guide, counts)
        if guide is None or guide == tree:
            failures += 1
        else:
            failures = 0
            yield guide


def _change(tree: Tree, sites: Sites, rng: random.Random) -> Tree | None:
    """Return a tree with one change; None if this kind of change is not possible here."""
    groups = [group for group in sites.groups if group.size or group.count is None]
    if groups and (rng.random() < 0.4 or not sites.scalars):
        return _change_group(tree, rng.choice(groups), rng)
    if not sites.scalars:
        return None
    return _change_value(tree, rng.choice(sites.scalars), sites.scalars, rng)


def _change_group(tree: Tree, group: Group, rng: random.Random) -> Tree | None:
    keep: list[int | None] = list(range(group.size))
    kind = rng.choice(("drop", "copy", "new", "swap", "reverse", "rotate", "replace"))
    if not keep and kind != "new":
        return None
    at = rng.randrange(len(keep)) if keep else 0
    end = min(len(keep), at + rng.choice((1, 1, 2, 4)))
    other = rng.randrange(len(keep)) if keep else 0
    match kind:
        case "drop":
            del keep[at:end]
        case "copy":
            keep[other:other] = keep[at:end]
        case "new":
            keep.insert(at, None)
        case "swap":
            keep[at], keep[other] = keep[other], keep[at]
        case "reverse":
            low, high = sorted((at, other))
            keep[low : high + 1] = keep[low : high + 1][::-1]
        case "rotate":
            keep = keep[at:] + keep[:at]
        case _:
            keep[at] = keep[other]
    return resize(tree, group, keep)


def _change_value(tree: Tree, scalar: Scalar, scalars: Sequence[Scalar], rng: random.Random) -> Tree:
    changed: Tree = copy_tree(tree)
    value = get(tree, scalar.path)
    same = [each for each in rng.sample(scalars, min(len(scalars), 20)) if each.name == scalar.name]
    if same and rng.random() < 0.3:
        put(changed, scalar.path, get(tree, rng.choice(same).path))
    elif scalar.is_count:  # small steps: each may add as many values
        put(changed, scalar.path, rng.choice((value + 1, value - 1, value // 2, 0, 1, min(2 * value, value + 100))))
    elif isinstance(scalar.kind, Integer):
        steps = (value + 1, value - 1, -value, 2 * value, value // 2, _FAR, -_FAR, 0, 1, None)
        put(changed, scalar.path, rng.choice(steps))
    elif isinstance(scalar.kind, Word) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        put(changed, scalar.path, value[:at] + rng.choice(scalar.kind.pattern.alphabet) + value[at + 1 :])
    else:
        put(changed, scalar.path, None)
    return changed
