"""Checkers that are programs in problem.yaml, and the tests of programs there."""

from pathlib import Path

import pytest

from judge.model import CheckerConfig, CheckerTest, InFile, Inline, ValidatorTest
from judge.problems.cache import load_problem as load_cached
from judge.programs import JudgeProgram, Protocol
from tests.repositories import load, make, mistakes

HEAD = "name: X\nprofile: icpc\nreference: accepted/right.py\n"
CASE = "cases:\n  - {name: one, input: '1'}\n"
CHECKER = "problems/p/check.py"


def files(checker: str = "", case: str = CASE, more: str = "") -> dict[str, str | bytes | None]:
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
    problem = load(tmp_path, files(checker))
    program = JudgeProgram(source=tmp_path / CHECKER, protocol=protocol)
    assert problem.checker == CheckerConfig(name="program", program=program, args=args)
    assert problem.cases[0].checker == problem.checker


def test_groups_and_cases_change_the_arguments(tmp_path: Path) -> None:
    case = (
        "checker_args: [group]\ncases:\n  - {name: one, input: '1'}\n  - {name: two, input: '2', checker_args: [own]}\n"
        "  - {name: three, input: '3', checker: tokens}\n"
    )
    found = load(tmp_path, files("{program: check.py, args: [problem]}", case))
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
    found = mistakes(tmp_path, {**files(checker), "problems/p/check.txt": ""})
    assert any(message.partition("error: ")[2] in each or message in each for each in found), found
    assert all("problems/p/problem.yaml:" in each for each in found)


def test_arguments_need_a_program(tmp_path: Path) -> None:
    (found,) = mistakes(tmp_path, files("lines", f"checker_args: [x]\n{CASE}"))
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
    problem = load(tmp_path, files("{program: check.py}", more=TESTS))
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
    found = mistakes(tmp_path, files(more=tests + "\n"))
    assert len(found) == 1
    assert message in found[0]


def test_a_stored_problem_has_its_programs_and_tests(tmp_path: Path) -> None:
    root = make(tmp_path / "root", files("{program: check.py, protocol: testlib, args: [x]}", more=TESTS))
    for path in root.rglob("*"):
        if path.is_file():
            import os

            os.utime(path, (1, 1))
    first = load_cached(root, "p", tmp_path / "stored")
    assert load_cached(root, "p", tmp_path / "stored") == first
    assert first.checker.program is not None
    assert first.checker_tests
