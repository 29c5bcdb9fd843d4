"""The parts of an input that can be changed, edits of them, and its neighbours: a few random edits.

The tree of an input is the record of the choices that make it, and None in it leaves a choice open. An edit changes
some of them. Then the builder follows the tree as far as the grammar allows: counts follow, values are moved into their
ranges, graphs stay connected. A path leads to a part of a tree: the numbers of items, repetitions, fields and values.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from judge.inputs.build import Builder
from judge.inputs.choose import Chooser, GrammarError, Guided, Random, Rejected
from judge.inputs.domains import Kind, Scalar
from judge.inputs.expressions import Expression, ExpressionError, Range
from judge.inputs.forms import Body, Either, Graph, Line, Listed, Repeat
from judge.inputs.parse import Tree

Path = tuple[int, ...]

Edits = Mapping[Path, Callable[[Any], Any]]
"""What becomes of some parts of a tree."""

_MAX_SITES = 200_000  # values of an input that are looked at one by one
_MAX_VALUES = 100_000  # of a neighbour
_MAX_GROUPS = 4  # that change their size
_MANY = 1_200  # members of a group that grows, if there may be so many: more than Python calls in each other
_FAR = 10**30  # which is moved into the range of a value
_MAX_FAILURES = 300  # in a row; an input may have no neighbours


def edit(part: Any, edits: Edits) -> Any:
    """Return a part of a tree with some edits, the inner ones first; what they do not reach is shared, not copied."""
    inner: dict[int, dict[Path, Callable[[Any], Any]]] = {}
    for path, change in edits.items():
        if path:
            inner.setdefault(path[0], {})[path[1:]] = change
    if inner:
        part = type(part)([edit(each, inner[at]) if at in inner else each for at, each in enumerate(part)])
    return edits[()](part) if () in edits else part


def put(value: Any) -> Callable[[Any], Any]:
    """Return the edit that replaces a part."""
    return lambda _: value


def get(tree: Tree, path: Path) -> Any:
    """Return a part of a tree."""
    part: Any = tree
    for step in path:
        part = part[step]
    return part


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

    def resize(self, keep: Sequence[int | None]) -> Edits | None:
        """Return what gives the group other members: their old numbers in the new order; None for one that is new.

        Returns:
            None if the count cannot be changed like this.
        """

        def pick(part: Any) -> Any:
            if isinstance(part, str):
                return "".join("" if at is None else part[at] for at in keep)
            return [None if at is None or at >= len(part) else part[at] for at in keep]

        edits: dict[Path, Callable[[Any], Any]] = dict.fromkeys(self.members, pick)
        if self.count is not None:
            if (value := self.value_for(len(keep))) is None:
                return None
            edits[self.path] = put(value)
        return edits


class Site(Struct, frozen=True):
    """A single value; `name` is that of its field."""

    path: Path
    name: str
    kind: Scalar
    is_count: bool = False


class Place(Struct, frozen=True):
    """A graph whose number of nodes depends on one field.

    Attributes:
        path: of the graph.
        graph: the graph.
        field: the path of the field.
        name: of the field.
        nodes: all nodes.
    """

    path: Path
    graph: Graph
    field: Path
    name: str
    nodes: range


class Sites(Struct):
    """What can be changed in an input: the groups, the values and the graphs."""

    groups: list[Group]
    scalars: list[Site]
    graphs: list[Place]


def find_sites(body: Body, tree: Tree, counts: frozenset[str]) -> Sites:
    """Return what can be changed in an input."""
    finder = _Finder(counts)
    finder.body(body, tree, (), {})
    return Sites(list(finder.groups.values()), finder.scalars, finder.graphs)


class _Finder:
    def __init__(self, counts: frozenset[str]) -> None:
        self.groups: dict[Any, Group] = {}
        self.scalars: list[Site] = []
        self.graphs: list[Place] = []
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
                    self._graph(item, node, place, known)

    def _line(self, line: Line, values: Sequence[Any], path: Path, known: dict[str, tuple[Path, Any]]) -> None:
        for at, ((name, kind), value) in enumerate(zip(line.fields, values, strict=True)):
            place = (*path, at)
            self._field(name, kind, value, place, known)
            known[name] = place, value

    def _field(self, name: str, kind: Kind, value: Any, path: Path, known: dict[str, tuple[Path, Any]]) -> None:
        if kind.size is not None:
            self._count(kind.size, path, len(value), known)
        if isinstance(kind, Listed):
            for at in range(len(value)):
                self._site(Site((*path, at), name, kind.item))
        elif isinstance(kind, Scalar):
            self._site(Site(path, name, kind, is_count=name in self._counts))

    def _graph(self, graph: Graph, edges: Sequence[Any], path: Path, known: dict[str, tuple[Path, Any]]) -> None:
        self._expression(graph.edges, path, len(edges), known)
        if graph.weight is not None:
            for number in range(len(edges)):
                self._site(Site((*path, number, 2), "weight", graph.weight))
        name = graph.nodes.names[0] if len(graph.nodes.names) == 1 else ""
        where, value = known.get(name, ((), None))
        if isinstance(value, int):
            nodes = range(graph.first, graph.first + graph.nodes.evaluate({name: value}))
            self.graphs.append(Place(path, graph, where, name, nodes))

    def _site(self, scalar: Site) -> None:
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


def single_changes(body: Body, tree: Tree, counts: frozenset[str]) -> Iterator[Tree]:
    """Yield valid trees in which one field or one count differs, and some with more of everything."""
    for edits in _single_edits(tree, find_sites(body, tree, counts)):
        try:
            yield Builder(body, counts, Guided(Chooser()), {}).build(edit(tree, edits))
        except (Rejected, GrammarError):
            continue


def _single_edits(tree: Tree, sites: Sites) -> Iterator[Edits]:
    """Yield what changes a field (all its values, the first, or the last one), a count, or all counts and a field."""
    fields: dict[str, list[Site]] = {}
    for scalar in sites.scalars:
        if not scalar.is_count:
            fields.setdefault(scalar.name, []).append(scalar)
    extremes: list[Edits] = []
    for part in (slice(None), slice(1), slice(-1, None)):
        for far in (_FAR, -_FAR, 0):
            changed = [same[part] for same in fields.values()]
            extremes += [
                {each.path: put(each.kind.extreme(get(tree, each.path), far)) for each in same} for same in changed
            ]
        extremes += [{each.path: put(get(tree, same[0].path)) for each in same[part]} for same in fields.values()]
    yield from extremes
    many = _MANY if len(sites.groups) == 1 else _MANY // 10
    every_many: Edits = {}
    for group in sites.groups[:_MAX_GROUPS]:
        every: list[int | None] = list(range(group.size))
        larger = [at % group.size for at in range(many)] if every else [None] * many
        resized = [group.resize(keep) for keep in (larger, every[:1], [], every[:-1], [*every, *every[:1]])]
        yield from (edits for edits in resized if edits is not None)
        every_many = {**every_many, **(resized[0] or {})}
    for edits in extremes[: 2 * len(fields)] if every_many else ():
        yield {
            **edits,
            **every_many,
            **{path: _after(edits[path], every_many[path]) for path in edits if path in every_many},
        }


def _after(one: Callable[[Any], Any], other: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda part: other(one(part))


def neighbours(body: Body, tree: Tree, counts: frozenset[str], rng: random.Random) -> Iterator[Tree]:
    """Yield valid trees that differ a little; without end, unless nothing can be changed."""
    sites = find_sites(body, tree, counts)
    failures = 0
    while failures < _MAX_FAILURES:
        found, current = tree, sites
        try:
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                guide = edit(found, _choose_edits(found, current, rng))
                found = Builder(body, counts, Guided(Random(rng, None)), {}, most=_MAX_VALUES).build(guide)
                current = find_sites(body, found, counts)
        except (Rejected, GrammarError):
            found = tree
        if found == tree:
            failures += 1
        else:
            failures = 0
            yield found


def _choose_edits(tree: Tree, sites: Sites, rng: random.Random) -> Edits:
    """Return a change.

    Raises:
        Rejected: this kind of change is not possible here.
    """
    groups = [group for group in sites.groups if group.size or group.count is None]
    edits: Edits | None = None
    if groups and (rng.random() < 0.4 or not sites.scalars):
        group = rng.choice(groups)
        edits = group.resize(_choose_members(group.size, rng))
    elif sites.scalars:
        scalar = rng.choice(sites.scalars)
        edits = {scalar.path: put(_choose_value(tree, scalar, sites.scalars, rng))}
    if edits is None:
        raise Rejected
    return edits


def _choose_members(size: int, rng: random.Random) -> list[int | None]:
    """Return other members for a group: see `Group.resize`."""
    keep: list[int | None] = list(range(size))
    at, other = (rng.randrange(max(1, size)) for _ in range(2))
    low, high = min(at, other), max(at, other) + 1
    end = at + rng.choice((1, 1, 2, 4))
    match rng.choice(("drop", "copy", "new", "swap", "reverse", "rotate", "replace")) if keep else "new":
        case "drop":
            del keep[at:end]
        case "copy":
            keep[other:other] = keep[at:end]
        case "new":
            keep.insert(at, None)
        case "swap":
            keep[at], keep[other] = keep[other], keep[at]
        case "reverse":
            keep[low:high] = keep[low:high][::-1]
        case "rotate":
            keep = keep[at:] + keep[:at]
        case _:
            keep[at] = keep[other]
    return keep


def _choose_value(tree: Tree, scalar: Site, scalars: Sequence[Site], rng: random.Random) -> Any:
    """Return another value, which may not be valid; None for any."""
    value = get(tree, scalar.path)
    same = [each for each in rng.sample(scalars, min(len(scalars), 20)) if each.name == scalar.name]
    if same and rng.random() < 0.3:
        return get(tree, rng.choice(same).path)
    if scalar.is_count:  # small steps: each may add as many values
        return rng.choice((value + 1, value - 1, value // 2, 0, 1, min(2 * value, value + 100)))
    return scalar.kind.near(value, rng)
