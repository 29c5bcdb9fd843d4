"""A repository with a problem that has subtasks, and what the tests of its scores share."""

from collections.abc import Mapping
from pathlib import Path

from tests.files import write_files

PROBLEM = """\
name: Sums
profile: icpc
subtasks:
  sample: 0
  small: 30
  large: {points: 50, requires: small}
  each: {points: 20, aggregation: sum}
"""
RIGHT = "print(sum(map(int, input().split())))\n"
WRONG_FROM = "a, b = map(int, input().split())\nprint(a + b if a < LIMIT else 0)\n"
EACH_CASE = '  - {{name: c{0}, input: "{1} 1\\n", answer: "{2}\\n"}}\n'
GROUPS = {"sample": [1], "small": [2, 3], "large": [1000, 1001, 1002], "each": [5000, 60000]}


def write(root: Path, files: Mapping[str, str]) -> None:
    """Write the repository, with the files given here, besides or in place of the usual ones."""
    cases = {
        f"testcases/p/{name}.yaml": "cases:\n"
        + "".join(EACH_CASE.format(number, value, value + 1) for number, value in enumerate(values))
        for name, values in GROUPS.items()
    }
    usual = {"problems/p/problem.yaml": PROBLEM, "solutions/p/accepted/right.py": RIGHT}
    write_files(root, {**usual, **cases, **files})


def wrong_from(limit: int) -> str:
    """Return a solution that is wrong from this number on."""
    return WRONG_FROM.replace("LIMIT", str(limit))
