"""Edits of an input, and its neighbours: a few random edits.

The tree of an input is the record of the choices that make it, and None in it leaves a choice open. An edit changes
some of them. Then the builder follows the tree as far as the grammar allows: counts follow, values are moved into their
ranges, graphs stay connected.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from judge.inputs.choose import Chooser, GrammarError, Guided, Random, Rejected
from judge.inputs.forms import Body
from judge.inputs.parse import Tree
from judge.inputs.sites import Edits, Path, Site, Sites, put

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


def get(tree: Tree, path: Path) -> Any:
    """Return a part of a tree."""
    part: Any = tree
    for step in path:
        part = part[step]
    return part


def single_changes(body: Body, tree: Tree) -> Iterator[Tree]:
    """Yield valid trees in which one field or one count differs, and some with more of everything."""
    for edits in _single_edits(tree, body.find_sites(tree)):
        try:
            yield body.build(Guided(Chooser()), edit(tree, edits))
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


def neighbours(body: Body, tree: Tree, rng: random.Random) -> Iterator[Tree]:
    """Yield valid trees that differ a little; without end, unless nothing can be changed."""
    sites = body.find_sites(tree)
    failures = 0
    while failures < _MAX_FAILURES:
        found, current = tree, sites
        try:
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                guide = edit(found, _choose_edits(found, current, rng))
                found = body.build(Guided(Random(rng, None)), guide, most=_MAX_VALUES)
                current = body.find_sites(found)
        except (Rejected, GrammarError):
            found = tree
        if found == tree:
            failures += 1
        else:
            failures = 0
            yield found


def _choose_edits(tree: Tree, sites: Sites, rng: random.Random) -> Edits:
    """Return a change. Raises Rejected if this kind of change is not possible here."""
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
