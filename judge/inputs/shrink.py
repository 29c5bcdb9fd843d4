"""Simpler inputs that are still valid: fewer tests, rows and tokens first, then smaller numbers and words.

Each pass yields edits of the tree of an input: `_remove_parts` takes out what is counted, `_remove_nodes` the nodes of
graphs with all that refers to them, and `_simplify` keeps the counts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, repeat, zip_longest
from typing import Any

from judge.inputs.choose import Chooser, GrammarError, Guided, Rejected
from judge.inputs.domains import Integer
from judge.inputs.forms import Body
from judge.inputs.mutate import edit, get
from judge.inputs.parse import Tree
from judge.inputs.sites import Edits, Path, Place, Site, Sites, put
from judge.inputs.structure import INTEGER

_MAX_GAPS = 20  # between the values of an input, that are closed


def simpler_trees(body: Body, tree: Tree, is_over: Callable[[], bool]) -> Iterator[Tree]:
    """Yield valid trees that are mostly simpler than a valid one, the most promising first, while there is time."""
    sites = body.find_sites(tree)
    size = _size(tree)
    fewer = zip(_remove_parts(sites), repeat(size - 1))
    others = chain(_remove_nodes(tree, sites), _simplify(tree, sites.scalars))  # a node without edges is no value
    for edits, most in chain(fewer, zip(others, repeat(size))):
        if is_over():
            return
        try:
            found = body.build(Guided(Chooser(is_over)), edit(tree, edits))
        except (Rejected, GrammarError):
            continue
        if _size(found) <= most:  # the builder may have replaced what was taken out
            yield found


def _size(part: Any) -> int:
    """Return the number of values in a part of a tree; each character of a word counts."""
    if isinstance(part, list | tuple):
        return sum(map(_size, part))
    return len(part) if isinstance(part, str) else 1


def _remove_parts(sites: Sites) -> Iterator[Edits]:
    """Yield what removes a part of a group: large parts of all groups first, of the outer groups and large ones."""
    connected = {
        each.path: len(each.nodes) - 1 for each in sites.graphs if each.graph.is_connected or each.graph.is_tree
    }
    groups = sorted(sites.groups, key=lambda group: (len(group.members[0]), -group.size))
    removable = [group.size - max((connected.get(path, 0) for path in group.members), default=0) for group in groups]
    step = max(removable, default=0)
    while step:
        for group, most in zip(groups, removable, strict=True):
            for start in range(0, group.size, step) if step <= most else ():
                edits = group.resize([at for at in range(group.size) if not start <= at < start + step])
                if edits is None:
                    break
                yield edits
        step //= 2


def _remove_nodes(tree: Tree, sites: Sites) -> Iterator[Edits]:
    """Yield what removes nodes of a graph: some are cut off, or merged with a neighbour each."""
    for place in sites.graphs:
        order, parents = _span(place.nodes, [(one, other) for one, other, _ in get(tree, place.path)])
        starts = _starts(order, parents)
        step = len(order) - 1  # the first node stays
        while step > 0:
            for start in range(0, len(order) - 1, step):
                end = min(start + step, len(order) - 1)
                yield _without_nodes(tree, sites, place, order[min(starts[start:end]) : end], parents, merges=False)
                yield _without_nodes(tree, sites, place, order[start:end], parents, merges=True)
            step //= 2


def _without_nodes(
    tree: Tree, sites: Sites, place: Place, gone: Sequence[int], parents: Mapping[int, int], *, merges: bool
) -> Edits:
    """Return what removes the nodes that are `gone`, each of which comes after those below it.

    All that refers to one of them refers then to the nearest one above it that stays (`parents`). Its edges move there,
    too, if it `merges`; else they are gone.
    """
    taken = set(gone)
    keep = [at for at, node in enumerate(place.nodes) if node not in taken]
    numbers = {place.nodes[at]: place.graph.first + number for number, at in enumerate(keep)}
    for node in reversed(gone):
        numbers[node] = numbers[parents[node]]
    edges: dict[Any, tuple[int, int, Any]] = {}
    for at, (one, other, weight) in enumerate(get(tree, place.path)):
        pair = numbers[one], numbers[other]
        if (pair[0] == pair[1] and one != other) or (not merges and (one in taken or other in taken)):
            continue
        key: Any = pair if place.graph.is_directed else tuple(sorted(pair))
        edges.setdefault(key if place.graph.is_simple else at, (*pair, weight))
    edits: dict[Path, Callable[[Any], Any]] = {}
    around = place.field[:-2]  # where the field means the same
    for scalar in sites.scalars:
        is_node = isinstance(scalar.kind, Integer) and any(place.name in each.names for each in scalar.kind.ranges)
        if is_node and scalar.path[: len(around)] == around and scalar.path[: len(place.path)] != place.path:
            value = get(tree, scalar.path)
            edits[scalar.path] = put(numbers.get(value, value))
    for group in sites.groups:
        if group.count is not None and place.path in group.members:
            edits[group.path] = put(group.value_for(len(edges)) or 0)
        elif group.path == place.field and group.size == len(place.nodes):
            edits |= group.resize(keep) or {}
    return edits | {place.path: put(list(edges.values())), place.field: put(get(tree, place.field) - len(gone))}


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


def _simplify(tree: Tree, scalars: Sequence[Site]) -> Iterator[Edits]:
    """Yield what makes values simpler: of a whole field at once, and one by one."""
    by_name: dict[str, list[Site]] = {}
    for scalar in scalars:
        if not scalar.is_count:
            by_name.setdefault(scalar.name, []).append(scalar)
    for same in by_name.values():
        for part in (same, same[: len(same) // 2], same[len(same) // 2 :]):
            if len(part) > 1:
                simplest = ((scalar, next(scalar.kind.simpler(get(tree, scalar.path)), None)) for scalar in part)
                yield {scalar.path: put(value) for scalar, value in simplest if value is not None}
    yield from _close_gaps(tree, scalars)
    proposals = [zip(repeat(scalar.path), scalar.kind.simpler(get(tree, scalar.path))) for scalar in scalars]
    for in_turn in zip_longest(*proposals):
        yield from ({each[0]: put(each[1])} for each in in_turn if each is not None)


def _close_gaps(tree: Tree, scalars: Sequence[Site]) -> Iterator[Edits]:
    """Yield what lowers all integers from one on, so that it is close to the next lower one; large gaps first.

    What is between two others, or equal to another, remains so.
    """
    integers = [scalar for scalar in scalars if isinstance(scalar.kind, Integer) and not scalar.is_count]
    values = {scalar.path: get(tree, scalar.path) for scalar in integers}
    gaps = [(high - low, high) for low, high in pairwise(sorted({0, *values.values()})) if high > 0]
    for gap, least in sorted(gaps, reverse=True)[:_MAX_GAPS]:
        for change in {gap - 1: None, gap // 2: None}:
            if change:
                yield {path: put(value - change) for path, value in values.items() if value >= least}


def measure(data: bytes) -> tuple[int, int, int, bytes]:
    """Return a key that is lower for simpler inputs: the tokens, the bytes, the sum of the numbers, and the text."""
    numbers = sum(abs(int(each)) for each in data.split() if INTEGER.fullmatch(each))
    return len(data.split()), len(data), min(numbers, 10**30), data
