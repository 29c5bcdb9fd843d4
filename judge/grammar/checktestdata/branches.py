"""What is left of commands, and of their conditions, once the value of one variable is known."""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from judge.grammar.checktestdata.parts import Field
from judge.grammar.checktestdata.reader import Command, Value
from judge.grammar.checktestdata.words import takes_whole_words
from judge.grammar.patterns import parse_pattern

_FEW = 20  # values that are tried one by one
_TESTS: Mapping[str, Callable[..., bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "!": operator.not_,
    "&&": lambda one, other: one and other,
    "||": lambda one, other: one or other,
}


def values_of(found: Field) -> Iterator[tuple[int | str, str]]:
    """Yield each value of a field, and the pattern that has only this value; none if there are many."""
    if found.kind == "integer" and found.low.isdecimal() and found.high.isdecimal():
        low, high = int(found.low), int(found.high)
        yield from ((each, str(each)) for each in range(low, high + 1) if high - low < _FEW)
    elif found.kind == "word" and takes_whole_words(found.matched) and (text := found.pattern()):
        pattern = parse_pattern(text)
        words = pattern.words() if pattern.count <= _FEW else ()
        yield from ((each, re.sub(r"([^A-Za-z0-9])", r"\\\1", each)) for each in words)


def choose_branch(commands: Sequence[Command], variable: str, value: int | str) -> list[Command] | None:
    """Return what is left if a variable has a value; None if a condition depends on something else."""
    found: list[Command] = []
    for command in commands:
        if command.name != "IF":
            found.append(command)
            continue
        holds = _evaluate(command.arguments[0], variable, value)
        inner = None if holds is None else choose_branch(command.body if holds else command.otherwise, variable, value)
        if inner is None:
            return None
        found += inner
    return found


def _evaluate(test: Value, variable: str, value: int | str) -> int | str | None:
    """Return whether a condition holds, or the value of an expression; None if that is not known."""
    match test.kind:
        case "name" if test.text == variable and not test.parts:
            return value
        case "string":
            return test.text
        case "number" if test.text.isdecimal():
            return int(test.text)
    parts = [_evaluate(each, variable, value) for each in test.parts]
    if test.kind not in _TESTS or None in parts or len({isinstance(each, str) for each in parts}) > 1:
        return None
    return _TESTS[test.kind](*parts)
