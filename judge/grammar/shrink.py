"""Simpler inputs that are still valid: fewer tests, rows and tokens first, then smaller numbers and words.

A part is taken out of the tree of an input, and the builder repairs what no longer fits: counts follow, values are
moved into their ranges, graphs stay connected.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from judge.grammar.build import Builder, GrammarError
from judge.grammar.choose import Chooser, Guided, Rejected
from judge.grammar.domains import Integers, Reals, Words
from judge.grammar.forms import Body, Graph, Integer, Member, Real, Word
from judge.grammar.parse import Tree
from judge.grammar.sites import (
    Group,
    Path,
    Scalar,
    Sites,
    copy_tree,
    find_graphs,
    find_sites,
    get,
    put,
    resize,
)

_ANY = Integers(((-(10**1000), 10**1000),))


def simpler_trees(body: Body, tree: Tree, counts: frozenset[str]) -> Iterator[Tree]:
    """Yield valid trees that are mostly simpler, the most promising ones first."""
    sites = find_sites(body, tree, counts)
    size = _size(tree)
    smaller = chain(_remove_parts(tree, _in_order(sites.groups)), _remove_nodes(body, tree, sites))
    for guides, most in ((smaller, size - 1), (_simplify(tree, sites.scalars), size)):
        for guide in guides:
            try:
                found = Builder(body, counts, Guided(Chooser()), {}).build(guide)
            except (Rejected, GrammarError):
                continue
            if _size(found) <= most:  # the builder may have replaced what was taken out
                yield found


def _in_order(groups: Sequence[Group]) -> list[Group]:
    """Return the outer groups first, and large ones before small ones."""
    return sorted(groups, key=lambda group: (len(group.members[0]), -group.size))


def _size(part: Any) -> int:
    """Return the number of values in a part of a tree; each character of a word counts."""
    if isinstance(part, list | tuple):
        return sum(map(_size, part))
    return len(part) if isinstance(part, str) else 1


def _ranges(length: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of numbers below `length`: all, halves, quarters, and so on down to single ones."""
    step = length
    while step:
        yield from ((start, min(start + step, length)) for start in range(0, length, step))
        step //= 2


def _remove_parts(tree: Tree, groups: list[Group]) -> Iterator[Tree]:
    """Yield trees without a part of a group: large parts of all groups first."""
    step = max((group.size for group in groups), default=0)
    while step:
        for group in groups:
            if group.size >= step or step == 1:
                for start in range(0, group.size, step):
                    keep = [at for at in range(group.size) if not start <= at < start + step]
                    changed = resize(tree, group, keep)
                    if changed is None:
                        break
                    yield changed
        step = step // 2


def _remove_nodes(body: Body, tree: Tree, sites: Sites) -> Iterator[Tree]:
    """Yield trees in which a graph has fewer nodes: some are cut off, or merged with a neighbour each."""
    for path, graph in find_graphs(body, tree):
        name = graph.nodes.names[0] if len(graph.nodes.names) == 1 else ""
        place = _field_path(body, tree, path, name)
        if place is None:
            continue
        nodes = range(graph.first, graph.first + graph.nodes.evaluate({name: get(tree, place)}))
        order, parents = _span(nodes, [(one, other) for one, other, _ in get(tree, path)])
        starts = _starts(order, parents)
        for start, end in _ranges(len(order) - 1):  # the first node stays
            for gone, merges in ((order[min(starts[start:end]) : end], False), (order[start:end], True)):
                yield _without_nodes(
                    tree, sites, _Removal(path, graph, place, name, nodes, gone, parents), merges=merges
                )


class _Removal(Struct, frozen=True):
    """Nodes that are taken out of a graph.

    Attributes:
        path: of the graph.
        graph: the graph.
        place: the path of the field that the number of nodes depends on.
        name: of that field.
        nodes: all nodes.
        gone: those that are taken out.
        parents: the node next to each towards the first node.
    """

    path: Path
    graph: Graph
    place: Path
    name: str
    nodes: range
    gone: Sequence[int]
    parents: Mapping[int, int]

    def numbers(self) -> dict[int, int]:
        """Return the new number of each node; one that is taken out has that of the nearest node that stays."""
        gone = set(self.gone)
        found: dict[int, int] = {}
        stays = [node for node in self.nodes if node not in gone]
        new = {node: self.graph.first + at for at, node in enumerate(stays)}
        for node in self.nodes:
            kept = node
            while kept in gone:
                kept = self.parents[kept]
            found[node] = new[kept]
        return found


def _without_nodes(tree: Tree, sites: Sites, removal: _Removal, *, merges: bool) -> Tree:
    """Return a tree in which a graph has lost nodes, and all that refers to nodes has followed.

    Args:
        tree: stays as it is.
        sites: of the tree.
        removal: the nodes.
        merges: move the edges of the nodes to those that they are merged with; else they are gone, too.
    """
    graph, gone, numbers = removal.graph, set(removal.gone), removal.numbers()
    changed: Tree = copy_tree(tree)
    around = removal.place[:-2]  # where the field means the same
    for scalar in sites.scalars:
        is_node = isinstance(scalar.kind, Integer) and any(removal.name in each.names for each in scalar.kind.ranges)
        if is_node and scalar.path[: len(around)] == around and scalar.path[: len(removal.path)] != removal.path:
            value = get(tree, scalar.path)
            put(changed, scalar.path, numbers.get(value, value))
    for group in sites.groups:
        if group.path == removal.place and group.size == len(removal.nodes) and removal.path not in group.members:
            keep = [at for at, node in enumerate(removal.nodes) if node not in gone]
            changed = resize(changed, group, keep) or changed
    edges: dict[Any, tuple[int, int, Any]] = {}
    for at, (one, other, weight) in enumerate(get(tree, removal.path)):
        pair = numbers[one], numbers[other]
        if (pair[0] == pair[1] and one != other) or (not merges and (one in gone or other in gone)):
            continue
        key: Any = pair if graph.is_directed else tuple(sorted(pair))
        edges.setdefault(key if graph.is_simple else at, (*pair, weight))
    put(changed, removal.path, list(edges.values()))
    for group in sites.groups:
        if group.count is not None and removal.path in group.members and group.path != removal.place:
            put(changed, group.path, group.value_for(len(edges)) or 0)
    put(changed, removal.place, get(tree, removal.place) - len(removal.gone))
    return changed


def _span(nodes: range, edges: Sequence[tuple[int, int]]) -> tuple[list[int], dict[int, int]]:
    """Return the nodes, and the parent of each in a forest of edges.

    Each node comes right after all nodes below it, so the first node, which is no one's child, is the last. It stands
    for the missing parents of the other roots.
    """
    others: dict[int, list[int]] = {node: [] for node in nodes}
    for one, other in edges:
        others[one].append(other)
        others[other].append(one)
    order: list[int] = []
    parents: dict[int, int] = {}
    for root in nodes:
        stack = [] if root in parents else [root]
        parents.setdefault(root, nodes[0])
        while stack:
            node = stack.pop()
            order.append(node)
            for other in others[node]:
                if other not in parents:
                    parents[other] = node
                    stack.append(other)
    return order[::-1], parents


def _starts(order: Sequence[int], parents: Mapping[int, int]) -> list[int]:
    """Return for each node in order where the nodes below it begin."""
    places = {node: at for at, node in enumerate(order)}
    found = list(range(len(order)))
    for at, node in enumerate(order[:-1]):
        parent = places[parents[node]]
        found[parent] = min(found[parent], found[at])
    return found


def _field_path(body: Body, tree: Tree, path: Path, name: str) -> Path | None:
    """Return the path of the field `name` that a graph at `path` refers to."""
    found = None
    for scalar in find_sites(body, tree, frozenset()).scalars:
        if scalar.name == name and scalar.path < path:
            found = scalar.path
    return found


def _simplify(tree: Tree, scalars: list[Scalar]) -> Iterator[Tree]:
    """Yield trees with simpler values: of a whole field at once, and one by one."""
    by_name: dict[str, list[Scalar]] = {}
    for scalar in scalars:
        if not scalar.is_count:
            by_name.setdefault(scalar.name, []).append(scalar)
    for same in by_name.values():
        for part in (same, same[: len(same) // 2], same[len(same) // 2 :]):
            if len(part) > 1:
                changed = copy_tree(tree)
                for scalar in part:
                    put(changed, scalar.path, next(_simpler(scalar, get(tree, scalar.path)), get(tree, scalar.path)))
                yield changed
    for scalar in scalars:
        for value in _simpler(scalar, get(tree, scalar.path)):
            changed = copy_tree(tree)
            put(changed, scalar.path, value)
            yield changed


def _simpler(scalar: Scalar, value: object) -> Iterator[object]:
    match scalar.kind:
        case Integer():
            if isinstance(value, int):
                yield from _ANY.simpler(value)
        case Real() as kind:
            yield from Reals(kind).simpler(value)
        case Member():
            return
        case Word(pattern=pattern, length=length):
            assert isinstance(value, str)
            yield from Words(pattern, None if length is None else (len(value), len(value))).simpler(value)


def simplicity(data: bytes) -> tuple[int, int, bytes]:
    """Return a key that is lower for simpler inputs: the tokens, then the bytes, then the text itself."""
    return len(data.split()), len(data), data
