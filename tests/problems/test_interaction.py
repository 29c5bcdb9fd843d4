"""Interactors and passes in problem.yaml."""

from pathlib import Path

import pytest

from judge.model import CheckerConfig, ProblemType
from judge.problems.cache import load_problem as load_cached
from judge.programs import JudgeProgram, Protocol
from tests.repositories import load, make, mistakes

CASE = "cases:\n  - {name: one, input: '1'}\n"
TALK, CHECK = "problems/p/talk.py", "problems/p/check.py"


def files(lines: str, case: str = CASE) -> dict[str, str | bytes | None]:
    return {
        "problems/p/problem.yaml": f"name: X\nprofile: icpc\n{lines}\n",
        "testcases/p/sample.yaml": case,
        TALK: "",
        CHECK: "",
    }


def test_an_interactor_decides_with_its_arguments_or_those_of_the_case(tmp_path: Path) -> None:
    case = "cases:\n  - {name: one, input: '1'}\n  - {name: two, input: '2', answer: '3', checker_args: [own]}\n"
    problem = load(tmp_path, files("interactor: {program: talk.py, args: [a]}", case))
    program = JudgeProgram(source=tmp_path / TALK)
    assert (problem.interactor, problem.passes, problem.types) == (program, 1, frozenset({ProblemType.INTERACTIVE}))
    assert problem.checker == CheckerConfig(name="program", program=program, args=("a",))
    assert [each.checker.args for each in problem.cases] == [("a",), ("own",)]
    assert problem.cases[0].answer is None


def test_a_checker_may_judge_what_a_testlib_interactor_leaves(tmp_path: Path) -> None:
    lines = "interactor: {program: talk.py, protocol: testlib}\nchecker: {program: check.py, protocol: testlib}"
    problem = load(tmp_path, files(lines))
    assert problem.interactor == JudgeProgram(source=tmp_path / TALK, protocol=Protocol.TESTLIB)
    assert problem.cases[0].checker.program == JudgeProgram(source=tmp_path / CHECK, protocol=Protocol.TESTLIB)


@pytest.mark.parametrize("program", ["checker: {program: check.py}", "interactor: {program: talk.py}"])
def test_a_problem_may_have_several_passes(tmp_path: Path, program: str) -> None:
    problem = load(tmp_path, files(f"{program}\npasses: 3"))
    assert problem.passes == 3
    assert problem.types - {ProblemType.INTERACTIVE} == {ProblemType.MULTI_PASS}


def test_stored_problems_have_their_interactor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.problems.cache._RECENT_NS", 0)
    make(tmp_path, files("interactor: {program: talk.py, args: [a]}\npasses: 3"))
    first = load_cached(tmp_path, "p", tmp_path / ".judge" / "problems")
    monkeypatch.setattr("judge.problems.native.load_problem", None)  # a second read would fail
    assert load_cached(tmp_path, "p", tmp_path / ".judge" / "problems") == first
    assert first.interactor is not None
    assert first.passes == 3


TALKS, TESTLIB = "interactor: {program: talk.py}", "interactor: {program: talk.py, protocol: testlib"
CHECKS = "{program: check.py}"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("interactor: {program: tlk.py}", "3:23: error: `tlk.py` does not exist: did you mean `talk.py`?"),
        ("interactor: {protocol: icpc}", "`program`"),
        ("interactor: talk.py", "3:13: error: "),
        ("interactor:", "3:"),
        ("passes: 1", "expected an integer from 2 to 1000"),
        ("passes: 2", "3:9: error: `passes` requires an `interactor` or a `checker` that is a program"),
        ("passes: 2\nchecker: {program: check.py, protocol: testlib}", "`passes` requires an `interactor`"),
        (f"passes: 2\n{TESTLIB}}}", "the protocol `testlib` has only one pass"),
        (f"{TALKS}\nchecker: tokens", "4:10: error: the interactor decides: remove `checker`"),
        (f"{TALKS}\nchecker: {CHECKS}", "4:10: error: the interactor decides: remove `checker`"),
        (f"{TESTLIB}}}\nchecker: lines", "only a program can check what an interactor leaves"),
        (f"{TESTLIB}, args: [x]}}\nchecker: {CHECKS}", "the checker has the arguments of the cases: remove `args`"),
        (f"{TALKS}\nreference: accepted/right.py", "4:12: error: no solution computes the answers of a problem with"),
        (f"{TALKS}\nindependent: accepted/right.py", "and cases need none: remove `independent`"),
        (f"checker: {CHECKS}\npasses: 2\nreference: accepted/right.py", "a problem with several passes"),
        (
            f"{TALKS}\nchecker_tests: {{accept: [{{input: '1', output: '2'}}]}}",
            "4:1: error: an interactor is not tested",
        ),
    ],
)
def test_what_makes_no_sense_is_reported_where_it_is(tmp_path: Path, lines: str, message: str) -> None:
    (found, *more) = mistakes(tmp_path, files(lines))
    assert message in found
    assert found.startswith("problems/p/problem.yaml:")
    assert not more


@pytest.mark.parametrize(
    ("lines", "checker", "message"),
    [
        (TALKS, "tokens", "the problem has an interactor, which decides on all cases: remove `checker`"),
        (f"checker: {CHECKS}\npasses: 2", "tokens", "the problem has several passes: expected a program by"),
    ],
)
def test_cases_have_no_checker_that_does_not_fit(tmp_path: Path, lines: str, checker: str, message: str) -> None:
    for case in (f"checker: {checker}\n{CASE}", f"cases:\n  - {{name: one, input: '1', checker: {checker}}}\n"):
        (found,) = mistakes(tmp_path, files(lines, case))
        assert message in found
        assert found.startswith("testcases/p/sample.yaml:")
