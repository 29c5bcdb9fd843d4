"""Mutants of Python: what each operator does, and what holds for all of them."""

import ast
from pathlib import Path

import pytest

from judge.strength.mutation.python import OPERATORS, python_mutants

ROOT = Path(__file__).parents[3]
SHIPPED = sorted(ROOT.glob("solutions/*/accepted/*.py"))

TABLE = [
    ("comparison", "x = a < b", "x = a <= b"),
    ("comparison", "x = a == b", "x = a != b"),
    ("comparison", "x = a not in b", "x = a in b"),
    ("comparison", "x = a is b", "x = a is not b"),
    ("boundary", "x = a == 4", "x = a >= 4"),
    ("connective", "x = a and b", "x = a or b"),
    ("missing-condition", "x = a and b", "x = (a)"),
    ("missing-condition", "x = [i for i in b if i]", "x = [i for i in b if True]"),
    ("negation", "if a: b()", "if not (a): b()"),
    ("negation", "x = not a", "x = a"),
    ("negation", "x = -a", "x = a"),
    ("missing-case", "if a: b()", "if False: b()"),
    ("arithmetic", "x = a + b", "x = a - b"),
    ("arithmetic", "x = a // b", "x = a / b"),
    ("arithmetic", "x += 1", "x -= 1"),
    ("operand-order", "x = a - b", "x = (b - a)"),
    ("constant", "x = 3", "x = 4"),
    ("constant", "x = 0", "x = (-1)"),
    ("constant", "x = True", "x = False"),
    ("missing-symbol", "x = 'A234'", "x = '234'"),
    ("missing-symbol", "x = [1, 2, 3]", "x = [1, 2]"),
    ("range", "for i in range(n): f(i)", "for i in range(n - 1): f(i)"),
    ("range", "for i in range(n): f(i)", "for i in range(1, n): f(i)"),
    ("index", "x = [a[i] for i in range(n)]", "x = [a[i + 1] for i in range(n)]"),
    ("slice", "x = a[i:j]", "x = a[i:j - 1]"),
    ("slice", "x = a[i:]", "x = a[i:-1]"),
    ("slice", "x = a[:j]", "x = a[1:j]"),
    ("missing-statement", "f()", "pass"),
    ("missing-statement", "x = 1\nx = 2", "x = 1\npass"),
    ("loop-exit", "while a:\n    break", "while a:\n    continue"),
    ("early-exit", "while a:\n    b()", "while a:\n    b(); break"),
    ("not-reset", "for i in a:\n    n = 0", "for i in a:\n    n = n if 'n' in locals() else 0"),
    ("extreme", "x = min(a)", "x = max(a)"),
    ("order", "x = sorted(a)", "x = list(a)"),
    ("order", "x = sorted(a)", "x = sorted(a, reverse=True)"),
    ("order", "x = sorted(a, key=f)", "x = sorted(a)"),
    ("argument-order", "f(a, b)", "f(b, a)"),
]


@pytest.mark.parametrize(("operator", "source", "expected"), TABLE)
def test_an_operator_makes_this_mistake(operator: str, source: str, expected: str) -> None:
    mutants = {(each.operator, each.apply(source.encode()).decode()) for each in python_mutants(source.encode())}
    assert (operator, expected) in mutants


def test_the_table_has_every_operator() -> None:
    assert {row[0] for row in TABLE} == OPERATORS.keys()


@pytest.mark.parametrize(
    "source",
    [
        "import sys",
        "from math import gcd",
        '"""A text with 3 < 4."""',
        "def f(a: int) -> int: ...",
        "x: list[int]",
        "sys.setrecursionlimit(10000)",
        "@cache(1)\ndef f(): ...",
        'if __name__ == "__main__": x',
        "x = f'{a + 1}'",
    ],
)
def test_what_is_no_mistake_stays(source: str) -> None:
    assert [each.apply(source.encode()) for each in python_mutants(source.encode())] == []


def test_columns_count_bytes() -> None:
    source = "x = 'größe', a < b".encode()
    assert "x = 'größe', a <= b" in [each.apply(source).decode() for each in python_mutants(source)]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_mutant_parses_differs_and_occurs_once(path: Path) -> None:
    text = path.read_bytes()
    mutated = [each.apply(text) for each in python_mutants(text)]
    assert len(mutated) > 50
    assert len({*mutated, text}) == len(mutated) + 1
    for each in mutated:
        ast.parse(each)


def test_a_source_that_does_not_parse_is_an_error() -> None:
    with pytest.raises(SyntaxError):
        python_mutants(b"x = (")


def test_changed_lines_are_shown_without_the_rest() -> None:
    source = b"a = 1\nif a < 2:\n    f(a)\n"
    (mutant,) = [each for each in python_mutants(source) if each.operator == "comparison"]
    assert (mutant.line, mutant.before(source), mutant.after(source)) == (2, "if a < 2:", "if a <= 2:")
