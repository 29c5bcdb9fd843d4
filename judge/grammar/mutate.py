"""Neighbours of an input that are still valid: one or a few random changes, repaired by the builder."""

import random
from collections.abc import Iterator, Sequence

from judge.grammar.build import Builder, GrammarError
from judge.grammar.choose import Guided, Random, Rejected
from judge.grammar.forms import Body, Integer, Word
from judge.grammar.parse import Tree
from judge.grammar.sites import Group, Scalar, Sites, copy_tree, find_sites, get, put, resize

_FAR = 10**18
_MAX_VALUES = 100_000  # of a neighbour
_MAX_FAILURES = 300  # in a row; an input may have no neighbours


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
