"""The section of a problem statement about the input, as Markdown."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import assert_never

from judge.grammar.expressions import Expression, Range
from judge.grammar.forms import (
    END_OF_FILE,
    Body,
    Either,
    Graph,
    Integer,
    Item,
    Kind,
    Line,
    Listed,
    Member,
    Permutation,
    Real,
    Relation,
    Repeat,
    Text,
    Word,
    first_text,
)
from judge.grammar.patterns import AnyOf, Pattern
from judge.grammar.read import Description

_LONG = 10**4  # numbers from here on have their digits in groups
_MOST_NAMED = 8  # words of a choice that are listed
_SMALL_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def write_statement(description: Description) -> str:
    """Return the section, with its heading."""
    lines = ["## Input", ""]
    lines += _items(description.body, 0)
    if description.also:
        lines += ["", *(f"{rule[0].upper()}{rule[1:].rstrip('.')}." for rule in description.also)]
    return "\n".join(lines) + "\n"


def _items(body: Body, depth: int) -> list[str]:
    """Return the sentences of a body: a paragraph at the top, a list below."""
    found: list[str] = []
    indent = "  " * max(0, depth - 1)
    position = ["The first line", "The next line"]
    count = 0
    for item in body.items:
        if isinstance(item, Relation):
            found.append(f"{indent}- It is guaranteed that ${_math(item.expression)}$.")
            continue
        start = position[min(count, 1)]
        if count == 0 and _is_only_item(body):
            start = "A line that" if depth else "The only line"
        count += 1
        sentence, *below = _item(item, start, depth)
        found += [f"{indent}- {sentence}", *below]
    return found


def _is_only_item(body: Body) -> bool:
    return sum(not isinstance(item, Relation) for item in body.items) == 1


def _only_line(body: Body) -> Line | None:
    """Return the line that a body consists of, besides relations; None if there is more, or another form."""
    lines = [item for item in body.items if isinstance(item, Line)]
    return lines[0] if lines and _is_only_item(body) else None


def _item(item: Item, start: str, depth: int) -> list[str]:  # noqa: PLR0911 - one for each form
    match item:
        case Line():
            return [f"{start} contains {_line(item)}."]
        case Text(text):
            return [f"{start} is `{text}`." if text else f"{start} is blank."]
        case Repeat(is_condition=True):
            return [f"If ${_condition(item.count.low)}$:", *_items(item.body, depth + 1 if depth else 2)]
        case Repeat():
            relations = [each for each in item.body.items if isinstance(each, Relation)]
            body = Body(items=tuple(relations)) if _only_line(item.body) else item.body
            return [_repeat(item), *_items(body, depth + 1 if depth else 2)]
        case Graph():
            return [_graph(item)]
        case Either(options):
            inner = "  " * max(1, depth)
            head = f"{start} has one of these forms, by its first word:"
            return [head, *(f"{inner}- `{first_text(line)}`: {_line(line)}." for line in options)]
        case _:
            return []


def _repeat(block: Repeat) -> str:
    times = _amount(block.count)
    line = _only_line(block.body)
    thing = "test case" if block.is_tests else "block" if line is None else "line"
    sentence = f"{times} {thing} follows" if times == "$1$" else f"{times} {thing}s follow"
    if block.until == END_OF_FILE:
        sentence += ", up to the end of the file"
    elif block.until:
        sentence += f", terminated by a line `{block.until}`"
    parts = [f"the sum of ${_math(what)}$ is at most ${_math(most)}$" for what, most in block.sums]
    if block.distinct:
        parts.append(f"no two have the same {' and '.join(f'${name}$' for name in block.distinct)}")
    parts += [f"${name}$ is in {order} order" for name, order in block.orders]
    parts += [f"all of them together have {part}" for part in _often(block.characters)]
    if block.index:
        parts.append(f"they are numbered ${block.index} = 1, 2, \\dots$")
    subject = "It" if times == "$1$" else "Each"
    if line is None:
        contents = f"{subject} consists of:"
    else:
        contents = f"{subject} {'is a line that contains' if block.is_tests else 'contains'} {_line(line)}."
    return f"{sentence}{''.join(f'; {part}' for part in parts)}. {contents}"


def _line(line: Line) -> str:
    return ", then ".join(_fields(line.fields))


def _fields(fields: Sequence[tuple[str, Kind]]) -> Iterator[str]:
    """Yield the fields of a line; neighboring integers with the same bounds are one phrase."""
    for limits, group in groupby(fields, lambda field: _shared_limits(field[1])):
        members = list(group)
        if limits is None or len(members) == 1:
            yield from (_field(*each) for each in members)
            continue
        names = [name for name, _ in members]
        listed = f"{', '.join(f'${name}$' for name in names[:-1])} and ${names[-1]}$"
        count = _SMALL_NUMBERS.get(len(names), str(len(names)))
        yield f"{count} integers {listed} ({_between(', '.join(names), limits)})"


def _shared_limits(kind: Kind) -> Range | None:
    """Return the bounds of an integer with one constant range, which neighbors may share."""
    if not isinstance(kind, Integer) or len(kind.ranges) != 1:
        return None
    (limits,) = kind.ranges
    return limits if limits.low.constant is not None and limits.high.constant is not None else None


def _field(name: str, kind: Kind) -> str:
    match kind:
        case Integer(ranges=ranges):
            return f"an integer ${name}$ ({' or '.join(_between(name, each) for each in ranges)})"
        case Real(low=low, high=high, decimals=(least, most)):
            digits = f"{least}" if least == most else f"{least} to {most}"
            return f"a number ${name}$ with {digits} decimals (${low} \\le {name} \\le {high}$)"
        case Word():
            return f"{_word(kind)} ${name}$"
        case Permutation(count=count, first=first):
            last = f"${_math(count)}$" if first == 1 else f"${first} + {_math(count)} - 1$"
            return f"a permutation ${name}$ of the integers from ${first}$ to {last}"
        case Member(source=source):
            return f"${name}$, one of the values of ${source}$"
        case Listed():
            return _list(name, kind)
    assert_never(kind)


def _list(name: str, kind: Listed) -> str:
    rules = []
    if kind.copies == 1:
        rules.append("all different")
    elif kind.copies is not None:
        rules.append(f"none of them more than {kind.copies} times")
    if kind.order:
        rules.append(f"in {kind.order} order")
    match kind.item:
        case Integer(ranges=ranges):
            what = f"integers ${name}_i$ ({' or '.join(_between(f'{name}_i', each) for each in ranges)})"
        case Real(low=low, high=high):
            what = f"numbers ${name}_i$ (${low} \\le {name}_i \\le {high}$)"
        case Member(source=source):
            what = f"values ${name}_i$, each one of the values of ${source}$"
        case word:
            what = f"words ${name}_i$, each {_word(word)}"
    return ", ".join([f"{_amount(kind.count)} {what}", *rules])


def _word(kind: Word) -> str:
    if kind.length is not None:
        often = "".join(f", with {part}" for part in _often(kind.characters))
        return f"a word of {_amount(kind.length)} characters `{kind.pattern.text}`{often}"
    if " " in kind.pattern.alphabet:
        return f"a text of the pattern `{kind.pattern.text}`"
    words = list(_choices(kind.pattern))
    if words:
        return "one of " + ", ".join(f"`{word}`" for word in words) if len(words) > 1 else f"the word `{words[0]}`"
    return f"a word of the pattern `{kind.pattern.text}`"


def _often(characters: Sequence[tuple[str, Range]]) -> Iterator[str]:
    """Yield how often some characters occur."""
    for char, limits in characters:
        yield f"`{char}` {_amount(limits)} times" if str(limits) != "1" else f"`{char}` once"


def _choices(pattern: Pattern) -> Iterator[str]:
    if pattern.count <= _MOST_NAMED and (isinstance(pattern.node, AnyOf) or pattern.count == 1):
        yield from pattern.words()


def _graph(graph: Graph) -> str:
    kind = "tree" if graph.is_tree else "graph"
    if not graph.is_tree:
        words = [
            "simple" if graph.is_simple else "",
            "connected" if graph.is_connected else "",
            "directed" if graph.is_directed else "",
            "acyclic" if graph.is_acyclic else "",
        ]
        kind = " ".join([*(word for word in words if word), kind])
    weight = " and its weight " + f"({_between('w', graph.weight.ranges[0])})" if graph.weight else ""
    edges = f"${_math(graph.nodes)} - 1$" if graph.is_tree else f"${_math(graph.edges)}$"
    return (
        f"{edges} lines follow: the edges of a {kind} with ${_math(graph.nodes)}$ nodes, numbered from "
        f"${graph.first}$. Each line contains the two nodes of an edge{weight}."
    )


def _between(name: str, limits: Range) -> str:
    if limits.is_exact:
        return f"${name} = {_math(limits.low)}$"
    return f"${_math(limits.low)} \\le {name} \\le {_math(limits.high)}$"


def _amount(limits: Range) -> str:
    if limits.is_exact:
        return f"${_math(limits.low)}$"
    return f"${_math(limits.low)}$ to ${_math(limits.high)}$"


def _math(expression: Expression) -> str:
    """Return an expression in the notation of TeX, as far as that is simple."""
    text = expression.text if expression.constant is None else _number(expression)
    text = re.sub(r"\bprevious\((\w+),\s*([^()]*)\)", r"\\text{previous } \1 \\text{ (at first } \2\\text{)}", text)
    text = re.sub(r"(\w)\[([^\[\]]*)\]", r"\1_{\2}", text)
    for sign, tex in (("<=", "\\le "), (">=", "\\ge "), ("!=", "\\ne "), ("==", "="), ("*", " \\cdot ")):
        text = text.replace(sign, tex)
    return text


def _condition(count: Expression) -> str:
    """Return the condition that a count of 1 or 0 stands for."""
    text = _math(count)
    return f"\\text{{not }} {text[4:]}" if text.startswith("not ") else text


def _number(expression: Expression) -> str:
    value = expression.constant or 0
    if "^" in expression.text:
        return expression.text
    return f"{value:,}".replace(",", "\\,") if abs(value) >= _LONG else str(value)
