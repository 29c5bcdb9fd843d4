"""The text of a tree."""

from collections.abc import Iterator, Sequence
from typing import Any

from judge.inputs.forms import Body, Either, Graph, Line, Relation, Repeat, Text
from judge.inputs.parse import Tree


def render(body: Body, tree: Tree) -> bytes:
    """Return the input that has these values."""
    lines = list(lines_of_tree(body, tree))
    lines.append("")
    return "\n".join(lines).encode()


def lines_of_tree(body: Body, tree: Tree) -> Iterator[str]:  # noqa: C901 - one case for each form
    """Yield the lines, without their ends."""
    for item, node in zip(body.items, tree, strict=True):
        match item:
            case Line():
                yield _write_line(node)
            case Text(text):
                yield text
            case Relation():
                continue
            case Repeat(body=inner):
                for each in node:
                    yield from lines_of_tree(inner, each)
                if item.has_end_line:
                    yield item.until
            case Graph():
                for one, other, weight in node:
                    yield f"{one} {other}" if weight is None else f"{one} {other} {weight}"
            case Either():
                yield _write_line(node[1])


def _write_line(values: Sequence[Any]) -> str:
    tokens: list[str] = []
    for value in values:
        if isinstance(value, list):
            tokens.extend(map(str, value))
        else:
            tokens.append(str(value))
    return " ".join(tokens)
