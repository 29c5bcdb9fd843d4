"""Inputs with several tests: to inputs with one test each, and back."""

from collections.abc import Sequence

from judge.grammar.forms import END_OF_FILE, Body, Line, Repeat
from judge.grammar.parse import Tree


def find_tests(body: Body) -> int | None:
    """Return the item whose repetitions are tests: one with `tests`, or the only item, up to the end of the file."""
    for at, item in enumerate(body.items):
        if isinstance(item, Repeat) and item.is_tests:
            return at
    only = body.items[0]
    return 0 if len(body.items) == 1 and isinstance(only, Repeat) and only.until == END_OF_FILE else None


def with_tests(body: Body, at: int, tree: Tree, tests: Sequence[Tree]) -> Tree | None:
    """Return a tree with other tests, and their number where it is; None if that is not a field of its own."""
    block = body.items[at]
    assert isinstance(block, Repeat)
    changed = list(tree)
    changed[at] = list(tests)
    if not block.count.is_exact:
        return changed
    if block.count.low.constant is not None:
        return changed if block.count.low.constant == len(tests) else None
    for number, item in enumerate(body.items[:at]):
        names = [name for name, _ in item.fields] if isinstance(item, Line) else []
        if block.count.low.text in names:
            line = list(tree[number])
            line[names.index(block.count.low.text)] = len(tests)
            changed[number] = line
            return changed
    return None


def are_alike(body: Body, at: int, one: Tree, other: Tree) -> bool:
    """Return whether two trees differ only in their tests."""
    moved = with_tests(body, at, other, one[at])
    return moved == one
