"""Mutants of Python sources that `judge strength` does not make: mistakes that are larger than one wrong symbol.

`bench_correlation` runs them to see whether they predict more. They do not, so they stay here. Pure functions.
"""

import ast
import random
from collections.abc import Iterator

from judge.strength.mutation.mutant import Mutant
from judge.strength.mutation.probe import SourceText, parses
from judge.strength.mutation.python import python_mutants

SECOND_ORDER = "two mistakes"
_LIMITS = (1, 10, 100, 1000, 100_000)
_ROUNDS = (2, 5, 20, 100, 1000)
_BITS = (31, 15, 7)
_RENAMED = 0.3  # of the names, which would otherwise be most of the mutants
_LARGE = 100  # a constant that may be a start value or a limit
_WRAPPED = "(lambda x: (x + (1 << {0})) % (1 << {0} + 1) - (1 << {0}) if type(x) is int else x)({1})"
_Edit = tuple[str, ast.expr, str]  # kind, what is replaced, replacement


def larger_mistakes(text: bytes, most: int) -> list[Mutant]:
    """Return a seeded part of the mutants of a Python source: at most so many, and half as many with two mistakes."""
    chance = random.Random(len(text))
    source, tree = SourceText(text), ast.parse(text)
    names = sorted({each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and _is_stored(each)})
    found: dict[bytes, Mutant] = {}
    for node in ast.walk(tree):
        for kind, place, replacement in _edits(node, names, chance):
            start, end = source.span(place)
            mutant = Mutant(
                operator=kind, start=start, end=end, replacement=replacement.encode(), line=source.line_of(start)
            )
            if parses(mutant.apply(text)):
                found[mutant.apply(text)] = mutant
    found.pop(text, None)
    first = python_mutants(text)
    pairs = [chance.sample(first, 2) for _ in range(most // 2)] if len(first) > 1 else []
    twice = [
        Mutant(
            operator=SECOND_ORDER,
            start=0,
            end=len(text),
            replacement=one.apply(other.apply(text)),
            line=one.line,
        )
        for one, other in pairs
        if one.end <= other.start
    ]
    return [*chance.sample(list(found.values()), min(most, len(found))), *twice]


def _edits(node: ast.AST, names: list[str], chance: random.Random) -> Iterator[_Edit]:
    match node:
        case ast.If(test=test):
            yield "the condition is not checked", test, "True"
        case ast.IfExp(body=body):
            yield "the condition is not checked", node, f"({ast.unparse(body)})"
        case ast.Compare():
            yield from (("a comparison is constant", node, each) for each in ("True", "False"))
        case ast.For(iter=each):
            name = ast.unparse(each)
            bounds = ("[:-1]", "[1:]", "[::-1]", *(f"[:{count}]" for count in _ROUNDS))
            yield from (("a loop ends early, or runs in reverse", each, f"list({name}){bound}") for bound in bounds)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Pow()):
            name = ast.unparse(node)
            yield from (("a type is too small", node, _WRAPPED.format(bits, name)) for bits in _BITS)
        case ast.Constant(value=int() | float() as value) if value >= _LARGE:
            yield from (("a start value is too small", node, each) for each in ("0", "10", "1000"))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            yield "a start value is too small", node, "0"
        case ast.Call(func=ast.Name(id=name)):
            yield from _call_edits(node, name)
        case ast.Name(id=name) if name in names and not _is_stored(node) and chance.random() < _RENAMED:
            yield "another variable", node, chance.choice(names)


def _call_edits(node: ast.Call, name: str) -> Iterator[_Edit]:
    shown = ast.unparse(node)
    match name, node.args:
        case "max" | "min", [each]:
            yield "the first instead of the best", node, f"list({ast.unparse(each)})[0]"
        case "max" | "min", [_, _]:
            yield from (("the first instead of the best", node, f"({ast.unparse(each)})") for each in node.args)
        case "int", [_]:
            yield from (("right only up to a limit", node, f"min({shown}, {limit})") for limit in _LIMITS)
        case "map", [ast.Name(id="int"), _]:
            yield from (("right only up to a limit", node, f"(min(x, {limit}) for x in {shown})") for limit in _LIMITS)


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)
