"""Simpler inputs that are still valid: fewer tests, rows and tokens first, then smaller numbers and words.

A part is taken out of the tree of an input, and the builder repairs what no longer fits: counts follow, values are
moved into their ranges, graphs stay connected.
"""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any

from msgspec import Struct

from judge.inputs.build import Builder, GrammarError
from judge.inputs.choose import Chooser, Guided, Rejected
from judge.inputs.domains import Integers, Reals, Words
from judge.inputs.forms import Body, Graph, Integer, Member, Real, Word
from judge.inputs.mutate import (
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
from judge.inputs.parse import Tree

_MAX_GAPS = 20  # between the values of an input, that are closed
_ANY = Integers(((-(10**1000), 10**1000),))


def simpler_trees(body: Body, tree: Tree, counts: frozenset[str], is_over: Callable[[], bool]) -> Iterator[Tree]:
    """Yield valid trees that are mostly simpler, the most promising ones first.

    Args:
        body: the grammar.
        tree: of a valid input.
        counts: see `find_counts`.
        is_over: whether the time is over; no more trees are yielded then.
    """
    sites = find_sites(body, tree, counts)
    size = _size(tree)
    graphs = list(_find_graphs(body, tree, sites))
    for guides, most in (
        (_remove_parts(tree, _in_order(sites.groups), graphs), size - 1),
        (_remove_nodes(tree, sites, graphs), size),  # a node without edges is no value
        (_simplify(tree, sites.scalars), size),
    ):
        for guide in guides:
            if is_over():
                return
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


class _Place(Struct, frozen=True):
    """A graph in a tree.

    Attributes:
        path: of the graph.
        graph: the graph.
        field: the path of the field that the number of nodes depends on.
        name: of that field.
        nodes: all nodes.
    """

    path: Path
    graph: Graph
    field: Path
    name: str
    nodes: range


def _find_graphs(body: Body, tree: Tree, sites: Sites) -> Iterator[_Place]:
    """Yield the graphs whose number of nodes depends on one field."""
    fields: dict[str, list[Path]] = {}
    for scalar in sites.scalars:
        fields.setdefault(scalar.name, []).append(scalar.path)
    for path, graph in find_graphs(body, tree):
        name = graph.nodes.names[0] if len(graph.nodes.names) == 1 else ""
        at = bisect(fields.get(name, ()), path)  # the last one before the graph
        if at:
            field = fields[name][at - 1]
            if path[: len(field) - 2] != field[:-2]:  # of another test: not all values of a huge input are known
                continue
            count = graph.nodes.evaluate({name: get(tree, field)})
            yield _Place(path, graph, field, name, range(graph.first, graph.first + count))


def _remove_parts(tree: Tree, groups: list[Group], graphs: Sequence[_Place]) -> Iterator[Tree]:
    """Yield trees without a part of a group: large parts of all groups first."""
    connected = {each.path: len(each.nodes) - 1 for each in graphs if each.graph.is_connected or each.graph.is_tree}
    removable = [group.size - max((connected.get(path, 0) for path in group.members), default=0) for group in groups]
    step = max(removable, default=0)
    while step:
        for group, most in zip(groups, removable, strict=True):
            if group.size >= step or step == 1:
                for start in range(0, group.size if step <= most else 0, step):
                    keep = [at for at in range(group.size) if not start <= at < start + step]
                    changed = resize(tree, group, keep)
                    if changed is None:
                        break
                    yield changed
        step = step // 2


def _remove_nodes(tree: Tree, sites: Sites, graphs: Sequence[_Place]) -> Iterator[Tree]:
    """Yield trees in which a graph has fewer nodes: some are cut off, or merged with a neighbour each."""
    for place in graphs:
        order, parents = _span(place.nodes, [(one, other) for one, other, _ in get(tree, place.path)])
        starts = _starts(order, parents)
        for start, end in _ranges(len(order) - 1):  # the first node stays
            for gone, merges in ((order[min(starts[start:end]) : end], False), (order[start:end], True)):
                numbers = _number(place, gone, parents)
                yield _without_nodes(tree, sites, place, set(gone), numbers, merges=merges)


def _number(place: _Place, gone: Sequence[int], parents: Mapping[int, int]) -> dict[int, int]:
    """Return the new number of each node; one that is taken out has that of the nearest one above it that stays."""
    taken = set(gone)
    stays = [node for node in place.nodes if node not in taken]
    numbers = {node: place.graph.first + at for at, node in enumerate(stays)}
    for node in reversed(gone):  # parents come first
        numbers[node] = numbers[parents[node]]
    return numbers


def _without_nodes(
    tree: Tree, sites: Sites, place: _Place, gone: AbstractSet[int], numbers: Mapping[int, int], *, merges: bool
) -> Tree:
    """Return a tree in which a graph has lost nodes, and all that refers to nodes has followed.

    Args:
        tree: stays as it is.
        sites: of the tree.
        place: of the graph.
        gone: the nodes.
        numbers: the new number of each node.
        merges: move the edges of the nodes to those that they are merged with; else they are gone, too.
    """
    changed: Tree = copy_tree(tree)
    around = place.field[:-2]  # where the field means the same
    for scalar in sites.scalars:
        is_node = isinstance(scalar.kind, Integer) and any(place.name in each.names for each in scalar.kind.ranges)
        if is_node and scalar.path[: len(around)] == around and scalar.path[: len(place.path)] != place.path:
            value = get(tree, scalar.path)
            put(changed, scalar.path, numbers.get(value, value))
    for group in sites.groups:
        if group.path == place.field and group.size == len(place.nodes) and place.path not in group.members:
            keep = [at for at, node in enumerate(place.nodes) if node not in gone]
            changed = resize(changed, group, keep) or changed
    edges: dict[Any, tuple[int, int, Any]] = {}
    for at, (one, other, weight) in enumerate(get(tree, place.path)):
        pair = numbers[one], numbers[other]
        if (pair[0] == pair[1] and one != other) or (not merges and (one in gone or other in gone)):
            continue
        key: Any = pair if place.graph.is_directed else tuple(sorted(pair))
        edges.setdefault(key if place.graph.is_simple else at, (*pair, weight))
    put(changed, place.path, list(edges.values()))
    for group in sites.groups:
        if group.count is not None and place.path in group.members and group.path != place.field:
            put(changed, group.path, group.value_for(len(edges)) or 0)
    put(changed, place.field, get(tree, place.field) - len(gone))
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
    yield from _close_gaps(tree, scalars)
    for scalar, value in _in_turn([(scalar, _simpler(scalar, get(tree, scalar.path))) for scalar in scalars]):
        changed = copy_tree(tree)
        put(changed, scalar.path, value)
        yield changed


def _close_gaps(tree: Tree, scalars: list[Scalar]) -> Iterator[Tree]:
    """Yield trees with all integers from one on lowered, so that it is close to the next lower one; large gaps first.

    What is between two others, or equal to another, remains so.
    """
    integers = [scalar for scalar in scalars if isinstance(scalar.kind, Integer) and not scalar.is_count]
    values = sorted({0, *(get(tree, scalar.path) for scalar in integers)})
    gaps = sorted(((high - low, high) for low, high in pairwise(values) if high > 0), reverse=True)
    for gap, least in gaps[:_MAX_GAPS]:
        for change in dict.fromkeys((gap - 1, gap // 2)):
            changed = copy_tree(tree)
            for scalar in integers:
                if (value := get(tree, scalar.path)) >= least and change:
                    put(changed, scalar.path, value - change)
            yield changed


def _in_turn(proposals: list[tuple[Scalar, Iterator[object]]]) -> Iterator[tuple[Scalar, object]]:
    """Yield the first value for each, then the second one for each, and so on."""
    while proposals:
        left = []
        for scalar, values in proposals:
            for value in values:
                yield scalar, value
                left.append((scalar, values))
                break
        proposals = left


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
