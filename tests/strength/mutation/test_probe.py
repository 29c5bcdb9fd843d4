"""Probes: the program behaves as before, and standard error says whether a mutant would have mattered."""

import pytest

from judge.sandbox.box import Box
from judge.strength.mutation.probe import INFECTED, REACHED, python_probe
from judge.strength.mutation.python import python_mutants
from tests.programs import run_python

SOURCE = b'''\
"""A docstring."""
from __future__ import annotations
import sys
total = 0
for word in sys.stdin.read().split():
    n = int(word)
    if n > 10:
        total += 2
    if n >= 100:
        total -= 1
print(total)
'''


@pytest.mark.parametrize(
    ("operator", "line", "given", "written"),
    [
        ("comparison", 7, b"1 20", REACHED),
        ("comparison", 7, b"1 10", REACHED + INFECTED),
        ("comparison", 9, b"", b""),
        ("missing-statement", 10, b"100", REACHED),
        ("missing-statement", 10, b"99", b""),
        ("missing-statement", 8, b"11", REACHED),
    ],
)
def test_a_probe_reports_and_changes_nothing(operator: str, line: int, given: bytes, written: bytes) -> None:
    (mutant,) = [each for each in python_mutants(SOURCE) if (each.operator, each.line) == (operator, line)]
    probe = python_probe(SOURCE, mutant)
    assert probe is not None
    with Box() as box:
        original, found = (run_python(box, each.decode(), given) for each in (SOURCE, probe))
    assert (found.stdout, found.result.exit_code) == (original.stdout, 0)
    assert found.stderr == written


def test_what_may_not_be_evaluated_twice_has_no_expression_to_compare() -> None:
    source = b"x = a.pop() < 3\ny = next(b) < 3\n"
    assert not any(each.has_probe for each in python_mutants(source) if each.operator == "comparison")


def test_an_elif_has_no_place_for_a_mark() -> None:
    source = b"if a.pop():\n    f()\nelif b.pop():\n    g()\n"
    probes = [python_probe(source, each) for each in python_mutants(source) if each.line == 3]
    assert probes == [None] * len(probes)
