"""Small repositories of problems that tests write and load."""

from collections.abc import Mapping
from pathlib import Path

from judge.base.errors import DataError
from judge.model import Problem
from judge.problems.native import load_problem
from tests.files import write_files

PROBLEM = """\
name: A problem
profile: icpc
generators: [generators/hands.py]
reference: accepted/right.py
"""
CASES = """\
cases:
  - name: one
    input: |
      1 2
"""
GENERATORS = """\
def near_misses(random, lines=3, *, suit="S"):
    return ["x"]

def needy(random, deck, *, cut):
    return ""

def open_handed(random, **more):
    return ""

def card(text):
    return text

def by_position(random, deck, /):
    return ""

def _private(random):
    return ""
"""
FILES: Mapping[str, str | bytes] = {
    "problems/p/problem.yaml": PROBLEM,
    "problems/p/validate.py": "",
    "problems/p/generators/hands.py": GENERATORS,
    "testcases/p/sample.yaml": CASES,
    "testcases/p/data/big.in": "1 2\n",
    "testcases/p/data/big.ans": "3\n",
    "solutions/p/accepted/right.py": "",
    "solutions/p/accepted/other.py": "",
    "solutions/p/wrong_answer/wrong.py": "",
}


def make(root: Path, files: Mapping[str, str | bytes | None] | None = None) -> Path:
    """Write a whole repository with the problem `p`; `files` overrides or, with None, leaves out."""
    return write_files(root, {**FILES, **(files or {})})


def load(root: Path, files: Mapping[str, str | bytes | None] | None = None) -> Problem:
    """Write a repository and load its problem `p`."""
    return load_problem(make(root, files), "p")


def mistakes(root: Path, files: Mapping[str, str | bytes | None] | None = None) -> list[str]:
    """Write a repository and return the findings of its problem `p`, one line each."""
    make(root, files)
    return found_in(root)


def found_in(root: Path) -> list[str]:
    """Return the findings of the problem `p`, one line each; none when it loads."""
    try:
        load_problem(root, "p")
    except DataError as error:
        return [str(diagnostic) for diagnostic in error.diagnostics]
    return []
