"""`subtasks` and `scores` of problem.yaml: the groups and requirements that they stand for, and their errors."""

from pathlib import Path

import pytest

from judge.groups import Aggregation, Rules
from judge.model import ProblemType
from judge.problems import cache
from judge.problems.native import load_problem
from tests.repositories import CASES, PROBLEM, load, make, mistakes

MORE = {"testcases/p/small.yaml": CASES, "testcases/p/big.yaml": CASES, "solutions/p/partially_accepted/x.py": ""}
SUBTASKS = """\
subtasks:
  small: 30
  big: {points: 70, requires: [sample, small], aggregation: min}
"""


def files(more: str) -> dict[str, str | bytes | None]:
    return {**MORE, "problems/p/problem.yaml": PROBLEM + more}


def test_subtasks_become_groups_in_their_order(tmp_path: Path) -> None:
    problem = load(tmp_path, files(SUBTASKS))
    root = problem.groups
    assert root is not None
    assert problem.types == {ProblemType.SCORING}
    assert (root.name, root.rules, root.max_score) == ("", Rules.MAX_SCORES, 100)
    assert [(each.name, each.aggregation, each.max_score, each.require_pass) for each in root.groups] == [
        ("sample", Aggregation.PASS_FAIL, None, ()),
        ("small", Aggregation.PASS_FAIL, 30, ()),
        ("big", Aggregation.MIN, 70, ("sample", "small")),
    ]
    assert [case.group for case in problem.cases] == ["sample", "small", "big"]


def test_without_subtasks_a_problem_has_no_scores(tmp_path: Path) -> None:
    problem = load(tmp_path)
    assert problem.groups is None
    assert not problem.types


def test_scores_become_requirements_of_files_and_folders(tmp_path: Path) -> None:
    scores = "scores: {partially_accepted: [20, 40], accepted/right.py: 100}\n"
    problem = load(tmp_path, {**files(SUBTASKS + scores), "solutions/p/partially_accepted/y.py": ""})
    found = {each.path.name: [more.score for more in each.expectation.more if more.score] for each in problem.solutions}
    assert found == {"right.py": [(100, 100)], "other.py": [], "wrong.py": [], "x.py": [(20, 40)], "y.py": [(20, 40)]}


def test_groups_and_scores_survive_the_cache_of_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_RECENT_NS", 0)
    root = make(tmp_path / "r", files(SUBTASKS + "scores: {partially_accepted/x.py: 30}\n"))
    read = load_problem(root, "p")
    first = cache.load_problem(root, "p", tmp_path / "r/.judge/problems")
    assert list((tmp_path / "r/.judge/problems").iterdir())
    stored = cache.load_problem(root, "p", tmp_path / "r/.judge/problems")
    assert read == first == stored


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("subtasks: {small: 30}\n", "5:1: error: `big` has no points: add `big: 0` if it is not scored"),
        (
            "subtasks: {small: 30, big: 70, huge: 1}\n",
            "5:32: error: `huge` has no cases: there is no testcases/p/huge.yaml",
        ),
        (
            "subtasks: {big: {points: 70, requires: small}, small: 30}\n",
            "5:40: error: `small` is not before `big`: move it up, groups are judged in this order",
        ),
        (
            "subtasks: {small: {points: 30, aggregation: sum}, big: {points: 70, requires: small}}\n",
            "5:79: error: `small` is not `pass-fail`: a group can only require one that is accepted or not",
        ),
        ("subtasks: {small: 0, big: 0}\n", "5:11: error: all groups have 0 points: give one of them some"),
        ("subtasks: {small: -1, big: 5}\n", "expected a number of at least 0"),
        ("subtasks: {small: {points: 3, agregation: sum}, big: 5}\n", "unknown key `agregation`: did you mean"),
        (SUBTASKS + "scores: {accepted/rihgt.py: 3}\n", "unknown solution `accepted/rihgt.py`: did you mean"),
        (SUBTASKS + "scores: {accepted: [5, 3]}\n", "the range is reversed: write `[3, 5]`"),
        ("scores: {accepted: 5}\n", "the problem has no scores: add `subtasks`"),
    ],
)
def test_an_error_says_where_it_is_and_what_to_do(tmp_path: Path, more: str, expected: str) -> None:
    found = mistakes(tmp_path, files(more))
    assert len(found) == 1, found
    assert expected in found[0]
