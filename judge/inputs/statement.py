"""The section of a problem statement about the input, as Markdown."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import assert_never

from judge.inputs import forms
from judge.inputs.domains import Integer, Kind, Scalar, tex_often
from judge.inputs.expressions import Range
from judge.inputs.read import Description

_SMALL_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def write_statement(description: Description) -> str:
    """Return the section, with its heading."""
    lines = ["## Input", "", *_items(description.body, 0)]
    if description.also:
        lines += ["", *(f"{rule[0].upper()}{rule[1:].rstrip('.')}." for rule in description.also)]
    return "\n".join(lines) + "\n"


def _items(body: forms.Body, depth: int) -> Iterator[str]:
    """Yield the sentences of a body as a list, those of the bodies in it below them."""
    own = [item for item in body.items if not isinstance(item, forms.Relation)]
    only = "A line that" if depth else "The only line"
    for item in body.items:
        start = only if len(own) == 1 else "The first line" if own and item is own[0] else "The next line"
        sentence, *below = _item(item, start, depth)
        yield f"{'  ' * max(0, depth - 1)}- {sentence}"
        yield from below


def _item(item: forms.Item, start: str, depth: int) -> list[str]:
    match item:
        case forms.Relation(expression):
            return [f"It is guaranteed that ${expression.tex}$."]
        case forms.Line():
            return [f"{start} contains {_line(item)}."]
        case forms.Text(text):
            return [f"{start} is `{text}`." if text else f"{start} is blank."]
        case forms.Repeat(body=body):
            sentence, body = _condition(item) if item.is_condition else _repeat(item)
            return [sentence, *_items(body, max(2, depth + 1))]
        case forms.Graph():
            return [_graph(item)]
        case forms.Either(options):
            inner = "  " * max(1, depth)
            below = [f"{inner}- `{forms.first_text(line)}`: {_line(line)}." for line in options]
            return [f"{start} has one of these forms, by its first word:", *below]
    assert_never(item)


def _condition(block: forms.Repeat) -> tuple[str, forms.Body]:
    text = block.count.low.tex
    text = f"\\text{{not }} {text[4:]}" if text.startswith("not ") else text
    return f"If ${text}$:", block.body


def _repeat(block: forms.Repeat) -> tuple[str, forms.Body]:
    """Return the sentence about a block, and what is left to say about its body."""
    relations = tuple(item for item in block.body.items if isinstance(item, forms.Relation))
    line = next((item for item in block.body.items if isinstance(item, forms.Line)), None)
    line = line if len(block.body.items) == len(relations) + 1 else None
    is_one = (times := block.count.tex) == "$1$"
    thing = "test case" if block.is_tests else "line" if line else "block"
    parts = [f"{times} {thing} follows" if is_one else f"{times} {thing}s follow"]
    if block.until:
        end = ", up to the end of the file" if block.until == forms.END_OF_FILE else ", terminated by a line `{}`"
        parts[0] += end.format(block.until)
    parts += [f"the sum of ${what.tex}$ is at most ${most.tex}$" for what, most in block.sums]
    if block.distinct:
        parts.append(f"no two have the same {' and '.join(f'${name}$' for name in block.distinct)}")
    parts += [f"${name}$ is in {order} order" for name, order in block.orders]
    parts += [f"all of them together have {part}" for part in tex_often(block.characters)]
    parts += [f"they are numbered ${block.index} = 1, 2, \\dots$"] if block.index else []
    verb = "consists of:" if line is None else "is a line that contains" if block.is_tests else "contains"
    contents = f"{'It' if is_one else 'Each'} {verb}{f' {_line(line)}.' if line else ''}"
    return f"{'; '.join(parts)}. {contents}", forms.Body(items=relations) if line else block.body


def _line(line: forms.Line) -> str:
    return ", then ".join(_fields(line.fields))


def _fields(fields: Sequence[tuple[str, Kind]]) -> Iterator[str]:
    """Yield the fields of a line; neighboring integers with the same constant bounds are one phrase."""
    for limits, group in groupby(fields, lambda field: _constant_limits(field[1])):
        members = list(group)
        names = [name for name, _ in members]
        if limits is None or len(names) == 1:
            yield from (_field(*each) for each in members)
        else:
            listed = f"{', '.join(f'${name}$' for name in names[:-1])} and ${names[-1]}$"
            count = _SMALL_NUMBERS.get(len(names), str(len(names)))
            yield f"{count} integers {listed} ({limits.tex_around(', '.join(names))})"


def _constant_limits(kind: Kind) -> Range | None:
    limits = kind.ranges[0] if isinstance(kind, Integer) and len(kind.ranges) == 1 else None
    is_constant = limits and limits.low.constant is not None and limits.high.constant is not None
    return limits if is_constant else None


def _field(name: str, kind: Kind) -> str:
    match kind:
        case forms.Permutation(count=count, first=first):
            last = f"${count.tex}$" if first == 1 else f"${first} + {count.tex} - 1$"
            return f"a permutation ${name}$ of the integers from ${first}$ to {last}"
        case forms.Listed(item=item, copies=copies, order=order):
            rules = ["all different" if copies == 1 else f"none of them more than {copies} times"] if copies else []
            rules += [f"in {order} order"] if order else []
            return ", ".join([f"{kind.count.tex} {item.phrase(f'{name}_i', is_list=True)}", *rules])
        case Scalar():
            return kind.phrase(name, is_list=False)
    raise TypeError(kind)


def _graph(graph: forms.Graph) -> str:
    words = {"simple": graph.is_simple, "connected": graph.is_connected, "directed": graph.is_directed}
    words |= {"acyclic": graph.is_acyclic}
    kind = "tree" if graph.is_tree else " ".join([*(word for word, holds in words.items() if holds), "graph"])
    weight = f" and its weight ({graph.weight.ranges[0].tex_around('w')})" if graph.weight else ""
    edges = f"${graph.nodes.tex} - 1$" if graph.is_tree else f"${graph.edges.tex}$"
    return (
        f"{edges} lines follow: the edges of a {kind} with ${graph.nodes.tex}$ nodes, numbered from "
        f"${graph.first}$. Each line contains the two nodes of an edge{weight}."
    )
