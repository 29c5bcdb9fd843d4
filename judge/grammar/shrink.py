"""Simpler inputs that are still valid: fewer tests, rows and tokens first, then smaller numbers and words.

A part is taken out of the tree of an input, and the builder repairs what no longer fits: counts follow, values are
moved into their ranges, graphs stay connected.
"""

from collections.abc import Iterator

from judge.grammar.build import Builder, GrammarError
from judge.grammar.choose import Chooser, Guided, Rejected
from judge.grammar.domains import Integers, Reals, Words
from judge.grammar.forms import Body, Integer, Member, Real, Word
from judge.grammar.parse import Tree
from judge.grammar.sites import (
    Group,
    Scalar,
    Sites,
    copy_tree,
    find_graphs,
    find_sites,
    get,
    nodes_without,
    put,
    resize,
)

_ANY = Integers(((-(10**1000), 10**1000),))


def simpler_trees(body: Body, tree: Tree, counts: frozenset[str]) -> Iterator[Tree]:
    """Yield valid trees that are mostly simpler, the most promising ones first."""
    sites = find_sites(body, tree, counts)
    for guide in _guides(body, tree, sites):
        try:
            yield Builder(body, counts, Guided(Chooser()), {}).build(guide)
        except (Rejected, GrammarError):
            continue


def _guides(body: Body, tree: Tree, sites: Sites) -> Iterator[Tree]:
    groups = sorted(sites.groups, key=lambda group: (len(group.members[0]), -group.size))
    yield from _remove_parts(tree, groups)
    yield from _remove_nodes(body, tree, groups)
    yield from _simplify(tree, sites.scalars)


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


def _remove_nodes(body: Body, tree: Tree, groups: list[Group]) -> Iterator[Tree]:
    """Yield trees in which a graph has a node less."""
    for path, graph in find_graphs(body, tree):
        names = graph.nodes.names
        edges = get(tree, path)
        used = sorted({node for one, other, _ in edges for node in (one, other)}, reverse=True)
        scalar = _field_path(body, tree, path, names[0]) if len(names) == 1 else None
        if scalar is None:
            continue
        for node in used:
            changed = nodes_without(tree, path, node)
            put(changed, scalar, get(tree, scalar) - 1)
            for group in groups:
                if group.count is not None and path in group.members and group.path != scalar:
                    put(changed, group.path, group.value_for(len(get(changed, path))) or 0)
            yield changed


def _field_path(body: Body, tree: Tree, path: tuple[int, ...], name: str) -> tuple[int, ...] | None:
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
