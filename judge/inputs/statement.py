"""The section of a problem statement about the input, as Markdown."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import assert_never

from judge.inputs import forms
from judge.inputs.expressions import Expression, Range
from judge.inputs.patterns import AnyOf
from judge.inputs.read import Description

_LONG = 10**4  # numbers from here on have their digits in groups
_MOST_NAMED = 8  # words of a choice that are listed
_SMALL_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_TEX = (("<=", "\\le "), (">=", "\\ge "), ("!=", "\\ne "), ("==", "="), ("*", " \\cdot "))


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
            return [f"It is guaranteed that ${_math(expression)}$."]
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
    text = _math(block.count.low)
    text = f"\\text{{not }} {text[4:]}" if text.startswith("not ") else text
    return f"If ${text}$:", block.body


def _repeat(block: forms.Repeat) -> tuple[str, forms.Body]:
    """Return the sentence about a block, and what is left to say about its body."""
    relations = tuple(item for item in block.body.items if isinstance(item, forms.Relation))
    line = next((item for item in block.body.items if isinstance(item, forms.Line)), None)
    line = line if len(block.body.items) == len(relations) + 1 else None
    is_one = (times := _amount(block.count)) == "$1$"
    thing = "test case" if block.is_tests else "line" if line else "block"
    parts = [f"{times} {thing} follows" if is_one else f"{times} {thing}s follow"]
    if block.until:
        end = ", up to the end of the file" if block.until == forms.END_OF_FILE else ", terminated by a line `{}`"
        parts[0] += end.format(block.until)
    parts += [f"the sum of ${_math(what)}$ is at most ${_math(most)}$" for what, most in block.sums]
    if block.distinct:
        parts.append(f"no two have the same {' and '.join(f'${name}$' for name in block.distinct)}")
    parts += [f"${name}$ is in {order} order" for name, order in block.orders]
    parts += [f"all of them together have {part}" for part in _often(block.characters)]
    parts += [f"they are numbered ${block.index} = 1, 2, \\dots$"] if block.index else []
    verb = "consists of:" if line is None else "is a line that contains" if block.is_tests else "contains"
    contents = f"{'It' if is_one else 'Each'} {verb}{f' {_line(line)}.' if line else ''}"
    return f"{'; '.join(parts)}. {contents}", forms.Body(items=relations) if line else block.body


def _line(line: forms.Line) -> str:
    return ", then ".join(_fields(line.fields))


def _fields(fields: Sequence[tuple[str, forms.Kind]]) -> Iterator[str]:
    """Yield the fields of a line; neighboring integers with the same constant bounds are one phrase."""
    for limits, group in groupby(fields, lambda field: _constant_limits(field[1])):
        members = list(group)
        names = [name for name, _ in members]
        if limits is None or len(names) == 1:
            yield from (_field(*each) for each in members)
        else:
            listed = f"{', '.join(f'${name}$' for name in names[:-1])} and ${names[-1]}$"
            count = _SMALL_NUMBERS.get(len(names), str(len(names)))
            yield f"{count} integers {listed} ({_between(', '.join(names), limits)})"


def _constant_limits(kind: forms.Kind) -> Range | None:
    limits = kind.ranges[0] if isinstance(kind, forms.Integer) and len(kind.ranges) == 1 else None
    is_constant = limits and limits.low.constant is not None and limits.high.constant is not None
    return limits if is_constant else None


def _field(name: str, kind: forms.Kind) -> str:
    match kind:
        case forms.Permutation(count=count, first=first):
            last = f"${_math(count)}$" if first == 1 else f"${first} + {_math(count)} - 1$"
            return f"a permutation ${name}$ of the integers from ${first}$ to {last}"
        case forms.Listed(item=item, copies=copies, order=order):
            rules = ["all different" if copies == 1 else f"none of them more than {copies} times"] if copies else []
            rules += [f"in {order} order"] if order else []
            return ", ".join([f"{_amount(kind.count)} {_scalar(f'{name}_i', item, is_list=True)}", *rules])
    return _scalar(name, kind, is_list=False)


def _scalar(name: str, kind: forms.Scalar, *, is_list: bool) -> str:
    match kind:
        case forms.Integer(ranges=ranges):
            bounds = " or ".join(_between(name, each) for each in ranges)
            return f"{'integers' if is_list else 'an integer'} ${name}$ ({bounds})"
        case forms.Real(low=low, high=high, decimals=(least, most)):
            digits = f"{least}" if least == most else f"{least} to {most}"
            what = "numbers" if is_list else "a number"
            return f"{what} ${name}$ with {digits} decimals (${low} \\le {name} \\le {high}$)"
        case forms.Member(source=source):
            return f"{f'values ${name}$, each' if is_list else f'${name}$,'} one of the values of ${source}$"
        case forms.Word():
            return f"words ${name}$, each {_word(kind)}" if is_list else f"{_word(kind)} ${name}$"
    assert_never(kind)


def _word(kind: forms.Word) -> str:
    pattern = kind.pattern
    if kind.length is not None:
        often = "".join(f", with {part}" for part in _often(kind.characters))
        return f"a word of {_amount(kind.length)} characters `{pattern.text}`{often}"
    if " " not in pattern.alphabet and pattern.count == 1:
        return f"the word `{pattern.nth(0)}`"
    if " " not in pattern.alphabet and pattern.count <= _MOST_NAMED and isinstance(pattern.node, AnyOf):
        return "one of " + ", ".join(f"`{word}`" for word in pattern.words())
    return f"a {'text' if ' ' in pattern.alphabet else 'word'} of the pattern `{pattern.text}`"


def _often(characters: Sequence[tuple[str, Range]]) -> Iterator[str]:
    """Yield how often some characters occur."""
    for char, limits in characters:
        yield f"`{char}` {_amount(limits)} times" if str(limits) != "1" else f"`{char}` once"


def _graph(graph: forms.Graph) -> str:
    words = {"simple": graph.is_simple, "connected": graph.is_connected, "directed": graph.is_directed}
    words |= {"acyclic": graph.is_acyclic}
    kind = "tree" if graph.is_tree else " ".join([*(word for word, holds in words.items() if holds), "graph"])
    weight = f" and its weight ({_between('w', graph.weight.ranges[0])})" if graph.weight else ""
    edges = f"${_math(graph.nodes)} - 1$" if graph.is_tree else f"${_math(graph.edges)}$"
    return (
        f"{edges} lines follow: the edges of a {kind} with ${_math(graph.nodes)}$ nodes, numbered from "
        f"${graph.first}$. Each line contains the two nodes of an edge{weight}."
    )


def _between(name: str, limits: Range) -> str:
    low, high = _math(limits.low), _math(limits.high)
    return f"${name} = {low}$" if limits.is_exact else f"${low} \\le {name} \\le {high}$"


def _amount(limits: Range) -> str:
    return f"${_math(limits.low)}$" if limits.is_exact else f"${_math(limits.low)}$ to ${_math(limits.high)}$"


def _math(expression: Expression) -> str:
    """Return an expression in the notation of TeX, as far as that is simple."""
    text, value = expression.text, expression.constant
    if value is not None and "^" not in text:
        text = f"{value:,}".replace(",", "\\,") if abs(value) >= _LONG else str(value)
    text = re.sub(r"\bprevious\((\w+),\s*([^()]*)\)", r"\\text{previous } \1 \\text{ (at first } \2\\text{)}", text)
    text = re.sub(r"(\w)\[([^\[\]]*)\]", r"\1_{\2}", text)
    for sign, tex in _TEX:
        text = text.replace(sign, tex)
    return text
