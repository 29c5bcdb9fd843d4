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


def join_texts(body: Body, inputs: Sequence[bytes]) -> bytes | None:
    """Return the tests of several inputs as one input, without parsing them; it may not be valid.

    Returns:
        None unless an input consists of tests only, up to the end of the file or after their number.
    """
    match body.items:
        case (Repeat() as block,) if block.until == END_OF_FILE:
            return b"".join(inputs)
        case (Line(fields=((name, _),)), Repeat(until="", count=count)) if count.is_exact and count.low.text == name:
            parts = [each.partition(b"\n") for each in inputs]
            if all(head.isdigit() for head, _, _ in parts):
                total = sum(int(head) for head, _, _ in parts)
                return b"%d\n%b" % (total, b"".join(rest for _, _, rest in parts))
    return None


def name_of_count(body: Body) -> str | None:
    """Return the parameter of `Grammar.generate` that decides how many tests there are; None if there is none."""
    at = find_tests(body)
    if at is None:
        return None
    block = body.items[at]
    assert isinstance(block, Repeat)
    if block.count.is_exact:
        lines = [item for item in body.items[:at] if isinstance(item, Line)]
        return next((name for line in lines for name, _ in line.fields if name == block.count.low.text), None)
    return "tests" if block.is_tests else "repeat"
