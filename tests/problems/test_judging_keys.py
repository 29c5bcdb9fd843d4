"""Keys of problem.yaml about judging: programs that judge, interactors and passes, points, and tests of programs."""

import os
from pathlib import Path

import pytest

from judge.model import CheckerConfig, CheckerTest, InFile, Inline, ProblemType, ValidatorTest
from judge.model.groups import Aggregation, Rules
from judge.model.programs import JudgeProgram, Protocol
from judge.problems import cache
from judge.problems.cache import load_problem as load_cached
from judge.problems.native import load_problem
from tests.repositories import CASES, PROBLEM, load, make, mistakes

# ---- checkers and tests of programs ----------------------------------------------------------------------------------

HEAD = "name: X\nprofile: icpc\nreference: accepted/right.py\n"
CASE = "cases:\n  - {name: one, input: '1'}\n"
CHECKER = "problems/p/check.py"


def with_checker(checker: str = "", case: str = CASE, more: str = "") -> dict[str, str | bytes | None]:
    checker_line = f"checker: {checker}\n" if checker else ""
    return {
        "problems/p/problem.yaml": HEAD + checker_line + more,
        "testcases/p/sample.yaml": case,
        CHECKER: "",
        "problems/p/tests/1.in": "1\n",
    }


@pytest.mark.parametrize(
    ("checker", "protocol", "args"),
    [
        ("{program: check.py}", Protocol.ICPC, ()),
        ("{program: check.py, protocol: icpc, args: [a, 'b c', '']}", Protocol.ICPC, ("a", "b c", "")),
        ("{program: check.py, protocol: testlib}", Protocol.TESTLIB, ()),
    ],
)
def test_a_checker_may_be_a_program(tmp_path: Path, checker: str, protocol: Protocol, args: tuple[str, ...]) -> None:
    problem = load(tmp_path, with_checker(checker))
    program = JudgeProgram(source=tmp_path / CHECKER, protocol=protocol)
    assert problem.checker == CheckerConfig(name="program", program=program, args=args)
    assert problem.cases[0].checker == problem.checker


def test_groups_and_cases_change_the_arguments(tmp_path: Path) -> None:
    case = (
        "checker_args: [group]\ncases:\n  - {name: one, input: '1'}\n  - {name: two, input: '2', checker_args: [own]}\n"
        "  - {name: three, input: '3', checker: tokens}\n"
    )
    found = load(tmp_path, with_checker("{program: check.py, args: [problem]}", case))
    assert [each.checker.args for each in found.cases] == [("group",), ("own",), ()]
    assert found.checker.args == ("problem",)
    assert found.cases[2].checker == CheckerConfig()


@pytest.mark.parametrize(
    ("checker", "message"),
    [
        ("{program: chek.py}", "3:20: error: `chek.py` does not exist: did you mean `check.py`?"),
        ("{program: ../p/check.py}", "leads out of its folder"),
        ("{program: check.txt}", "no language has the suffix `.txt`"),
        ("{program: check.py, name: tokens}", "`program` and `name` are mutually exclusive"),
        ("{program: check.py, case_sensitive: true}", "`program` and `case_sensitive` are mutually exclusive"),
        ("{protocol: icpc}", "`protocol` requires `program`: add `program`, or remove `protocol`"),
        ("{name: tokens, args: [x]}", "`args` requires `program`"),
        ("{program: check.py, protocol: kattis}", "protocol"),
        ("{}", "no checker: add one of `name` and `program`"),
    ],
)
def test_what_is_wrong_with_a_program_is_reported_where_it_is(tmp_path: Path, checker: str, message: str) -> None:
    found = mistakes(tmp_path, {**with_checker(checker), "problems/p/check.txt": ""})
    assert any(message.partition("error: ")[2] in each or message in each for each in found), found
    assert all("problems/p/problem.yaml:" in each for each in found)


def test_arguments_need_a_program(tmp_path: Path) -> None:
    (found,) = mistakes(tmp_path, with_checker("lines", f"checker_args: [x]\n{CASE}"))
    assert "testcases/p/sample.yaml:1:15: error: the checker `lines` is no program" in found


TESTS = """\
checker_tests:
  accept:
    - {case: sample/one, output: "1\\n"}
    - {input_file: tests/1.in, answer: "1", output: "1", args: [x], message: fine}
  reject:
    - {input: "1", output_file: tests/1.in}
validator: check.py
validator_tests:
  valid: ["1\\n", {input_file: tests/1.in, args: [--dirty]}]
  invalid:
    - {input: "x", message: number}
"""


def test_the_tests_of_programs_are_read_with_their_lines(tmp_path: Path) -> None:
    problem = load(tmp_path, with_checker("{program: check.py}", more=TESTS))
    origin, file = Path("problems/p/problem.yaml"), InFile(tmp_path / "problems/p/tests/1.in")
    assert problem.checker_tests == (
        CheckerTest(accepts=True, case="sample/one", output=Inline(b"1\n"), origin=origin, line=7),
        CheckerTest(
            accepts=True, input=file, answer=Inline(b"1"), output=Inline(b"1"), args=("x",), message="fine",
            origin=origin, line=8,
        ),
        CheckerTest(accepts=False, input=Inline(b"1"), output=file, origin=origin, line=10),
    )  # fmt: skip
    assert problem.validator_tests == (
        ValidatorTest(accepts=True, input=Inline(b"1\n"), origin=origin, line=13),
        ValidatorTest(accepts=True, input=file, args=("--dirty",), origin=origin, line=13),
        ValidatorTest(accepts=False, input=Inline(b"x"), message="number", origin=origin, line=15),
    )


@pytest.mark.parametrize(
    ("tests", "message"),
    [
        ("checker_tests: {accept: [{case: sample/on, output: '1'}]}", "unknown case `sample/on`"),
        ("checker_tests: {accept: [{case: sample/one}]}", "the test has no output"),
        ("checker_tests: {accept: [{output: '1'}]}", "the test has no input"),
        ("checker_tests: {accept: [{case: sample/one, answer: '1', output: '1'}]}", "mutually exclusive"),
        ("checker_tests: {reject: [{input: '1', output_file: tests/2.in}]}", "`tests/2.in` does not exist"),
        ("validator_tests: {valid: ['1']}", "the problem has no `validator`"),
    ],
)
def test_what_is_wrong_with_a_test_is_reported(tmp_path: Path, tests: str, message: str) -> None:
    found = mistakes(tmp_path, with_checker(more=tests + "\n"))
    assert len(found) == 1
    assert message in found[0]


def test_a_stored_problem_has_its_programs_and_tests(tmp_path: Path) -> None:
    root = make(tmp_path / "root", with_checker("{program: check.py, protocol: testlib, args: [x]}", more=TESTS))
    for path in root.rglob("*"):
        if path.is_file():
            os.utime(path, (1, 1))
    first = load_cached(root, "p", tmp_path / "stored")
    assert load_cached(root, "p", tmp_path / "stored") == first
    assert first.checker.program is not None
    assert first.checker_tests


# ---- interactors and passes ------------------------------------------------------------------------------------------

TALK, CHECK = "problems/p/talk.py", "problems/p/check.py"


def with_talk(lines: str, case: str = CASE) -> dict[str, str | bytes | None]:
    return {
        "problems/p/problem.yaml": f"name: X\nprofile: icpc\n{lines}\n",
        "testcases/p/sample.yaml": case,
        TALK: "",
        CHECK: "",
    }


def test_an_interactor_decides_with_its_arguments_or_those_of_the_case(tmp_path: Path) -> None:
    case = "cases:\n  - {name: one, input: '1'}\n  - {name: two, input: '2', answer: '3', checker_args: [own]}\n"
    problem = load(tmp_path, with_talk("interactor: {program: talk.py, args: [a]}", case))
    program = JudgeProgram(source=tmp_path / TALK)
    assert (problem.interactor, problem.passes, problem.types) == (program, 1, frozenset({ProblemType.INTERACTIVE}))
    assert problem.checker == CheckerConfig(name="program", program=program, args=("a",))
    assert [each.checker.args for each in problem.cases] == [("a",), ("own",)]
    assert problem.cases[0].answer is None


def test_a_checker_may_judge_what_a_testlib_interactor_leaves(tmp_path: Path) -> None:
    lines = "interactor: {program: talk.py, protocol: testlib}\nchecker: {program: check.py, protocol: testlib}"
    problem = load(tmp_path, with_talk(lines))
    assert problem.interactor == JudgeProgram(source=tmp_path / TALK, protocol=Protocol.TESTLIB)
    assert problem.cases[0].checker.program == JudgeProgram(source=tmp_path / CHECK, protocol=Protocol.TESTLIB)


@pytest.mark.parametrize("program", ["checker: {program: check.py}", "interactor: {program: talk.py}"])
def test_a_problem_may_have_several_passes(tmp_path: Path, program: str) -> None:
    problem = load(tmp_path, with_talk(f"{program}\npasses: 3"))
    assert problem.passes == 3
    assert problem.types - {ProblemType.INTERACTIVE} == {ProblemType.MULTI_PASS}


def test_stored_problems_have_their_interactor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.problems.cache._RECENT_NS", 0)
    make(tmp_path, with_talk("interactor: {program: talk.py, args: [a]}\npasses: 3"))
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
    (found, *more) = mistakes(tmp_path, with_talk(lines))
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
        (found,) = mistakes(tmp_path, with_talk(lines, case))
        assert message in found
        assert found.startswith("testcases/p/sample.yaml:")


# ---- points ----------------------------------------------------------------------------------------------------------

MORE = {"testcases/p/small.yaml": CASES, "testcases/p/big.yaml": CASES, "solutions/p/partially_accepted/x.py": ""}
SUBTASKS = """\
subtasks:
  small: 30
  big: {points: 70, requires: [sample, small], aggregation: min}
"""


def with_subtasks(more: str) -> dict[str, str | bytes | None]:
    return {**MORE, "problems/p/problem.yaml": PROBLEM + more}


def test_subtasks_become_groups_in_their_order(tmp_path: Path) -> None:
    problem = load(tmp_path, with_subtasks(SUBTASKS))
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
    problem = load(tmp_path, {**with_subtasks(SUBTASKS + scores), "solutions/p/partially_accepted/y.py": ""})
    found = {each.path.name: [more.score for more in each.expectation.more if more.score] for each in problem.solutions}
    assert found == {"right.py": [(100, 100)], "other.py": [], "wrong.py": [], "x.py": [(20, 40)], "y.py": [(20, 40)]}


def test_groups_and_scores_survive_the_cache_of_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_RECENT_NS", 0)
    root = make(tmp_path / "r", with_subtasks(SUBTASKS + "scores: {partially_accepted/x.py: 30}\n"))
    read = load_problem(root, "p")
    first = load_cached(root, "p", tmp_path / "r/.judge/problems")
    assert list((tmp_path / "r/.judge/problems").iterdir())
    stored = load_cached(root, "p", tmp_path / "r/.judge/problems")
    assert read == first == stored
    assert repr(read.groups) == repr(stored.groups)  # a part of keys of results: numbers keep their types


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
    found = mistakes(tmp_path, with_subtasks(more))
    assert len(found) == 1, found
    assert expected in found[0]
