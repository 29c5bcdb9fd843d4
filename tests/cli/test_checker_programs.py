"""Problems whose checker is a program, for their user: `judge run`, `judge check PROBLEM`, and reports."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.command_line import CapSys, judge
from tests.files import write_files
from tests.parameters import first_of

PROBLEM = """\
name: Two numbers with a sum
profile: icpc
checker: {program: check.py, args: [strict]}
reference: accepted/half.py
validator: validate.py
checker_tests:
  accept:
    - {case: sample/ten, output: "1 9\\n"}
  reject:
    - {case: sample/ten, output: "1 8\\n", message: the sum is 9}
    - {input: "5\\n", output: ""}
validator_tests:
  valid: ["5\\n"]
  invalid: ["x\\n", {input: "5 5\\n", message: one number}]
"""
CHECK = """\
import sys
def reject(text):
    with open(sys.argv[3] + "judgemessage.txt", "w") as file:
        file.write(text)
    sys.exit(43)
try:
    first, second = map(int, sys.stdin.read().split())
except ValueError as error:
    reject(f"not two numbers\\n{error}")
total = int(open(sys.argv[1]).read())
if first + second != total:
    reject(f"the sum is {first + second}, not {total}")
sys.exit(42)
"""
VALIDATE = """\
import sys
words = sys.stdin.read().split()
if len(words) != 1:
    sys.exit("expected one number")
sys.exit(42 if words[0].isdigit() else "no digits")
"""
FILES = {
    "problems/pair/problem.yaml": PROBLEM,
    "problems/pair/check.py": CHECK,
    "problems/pair/validate.py": VALIDATE,
    "testcases/pair/sample.yaml": 'cases:\n  - {name: ten, input: "10\\n"}\n  - {name: three, input: "3\\n"}\n',
    "solutions/pair/accepted/half.py": "n = int(input())\nprint(n // 2, n - n // 2)\n",
    "solutions/pair/accepted/zero.py": "print(0, input())\n",
    "solutions/pair/wrong_answer/twice.py": "n = int(input()) // 2\nprint(n, n)\n",
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a problem with many right answers; the current folder."""
    root = tmp_path / "repository"
    write_files(root, FILES)
    monkeypatch.chdir(root)
    return root


def verdicts(out: str) -> dict[str, list[str]]:
    (problem,) = json.loads(out)["problems"]
    return {Path(each["path"]).name: [case["verdict"] for case in each["cases"]] for each in problem["solutions"]}


def test_a_program_decides_and_an_edit_of_it_judges_again(repository: Path, capsys: CapSys) -> None:
    status, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert status == 0
    assert verdicts(out) == {"half.py": ["AC", "AC"], "zero.py": ["AC", "AC"], "twice.py": ["AC", "WA"]}
    status, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert (status, json.loads(out)["run_count"]) == (0, 0)
    cached = json.loads(out)["problems"][0]["solutions"][-1]["cases"][1]
    assert (cached["reason"], cached["message"]) == ("the sum is 2, not 3", "the sum is 2, not 3")
    path = repository / "problems/pair/check.py"
    path.write_text(CHECK.replace("if first + second", "if first == 0 or first + second"))
    status, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert (status, verdicts(out)["zero.py"]) == (1, ["WA", "WA"])
    problem = repository / "problems/pair/problem.yaml"
    problem.write_text(PROBLEM.replace("strict", "lenient"))
    status, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert json.loads(out)["cached_count"] == 0


def test_the_report_of_a_rejection_has_the_message_and_both_texts(repository: Path, capsys: CapSys) -> None:
    (repository / "solutions/pair/accepted/bad.py").write_text("print('x')\n")
    status, out, _ = judge("run", "-f", "plain", "solutions/pair/accepted/bad.py", capsys=capsys)
    assert status == 1
    assert "verdict  WA: not two numbers" in out
    assert "checker  not two numbers\n           invalid literal" in out
    assert "expected 1 | 5 5" in out
    assert "found    1 | x" in out


def test_a_checker_that_does_not_compile_is_one_error_and_no_case_is_judged(repository: Path, capsys: CapSys) -> None:
    (repository / "problems/pair/check.py").write_text("x = = 1\n")
    (repository / "problems/pair/problem.yaml").write_text(PROBLEM.partition("reference")[0])
    cases = 'cases:\n  - {name: a, input: "1", answer: ""}\n  - {name: b, input: "2", answer: ""}\n'
    (repository / "testcases/pair/sample.yaml").write_text(cases)
    status, out, err = judge("run", "-f", "json", capsys=capsys)
    assert status == 2
    assert all(set(each) == {"SK"} for each in verdicts(out).values())
    assert err.count("does not compile") == 1
    assert "problems/pair/check.py: error: the checker check.py does not compile: line 1" in err


def test_a_checker_that_does_not_compile_is_one_error_of_its_tests(repository: Path, capsys: CapSys) -> None:
    (repository / "problems/pair/check.py").write_text("def (:\n")
    status, out, _ = judge("check", "pair", capsys=capsys)
    assert (status, out.count("does not compile")) == (1, 1)
    assert "problems/pair/check.py: error: the checker check.py does not compile: line 1" in out


def test_a_checker_that_fails_is_a_judge_error_with_its_output(repository: Path, capsys: CapSys) -> None:
    (repository / "problems/pair/problem.yaml").write_text(PROBLEM.partition("reference")[0])
    cases = 'cases:\n  - {name: a, input: "1", answer: ""}\n'
    (repository / "testcases/pair/sample.yaml").write_text(cases)
    (repository / "problems/pair/check.py").write_text(
        "import sys\nprint('first', file=sys.stderr)\nraise KeyError(1)\n"
    )
    status, out, _ = judge("run", "-f", "plain", "solutions/pair/accepted/zero.py", capsys=capsys)
    assert status == 2
    assert "JE: the checker check.py: exit status 1, expected 42 (accepted) or 43 (wrong answer): KeyError: 1" in out
    assert "an error of the problem or the machine" in out
    assert "checker  first" in out
    assert str(repository / "problems/pair/check.py") in out


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "import os\nos.abort()\n",
            "problems/pair/check.py: error: the checker fails on cases sample/ten, ",
        ),
        ("import sys\nsys.exit(43)\n", ": the checker rejects the output of the reference accepted/half.py: "),
    ],
)
def test_the_checker_is_blamed_where_it_fails_or_rejects_answers(
    code: str, message: str, repository: Path, capsys: CapSys
) -> None:
    (repository / "problems/pair/check.py").write_text(code)
    status, _, err = judge("run", capsys=capsys)
    assert (status, message in err) == (2, True), err


def test_answers_are_confirmed_with_the_checker(repository: Path, capsys: CapSys) -> None:
    (repository / "solutions/pair/accepted/half.py").write_text("print(1, 1)\n")
    _, _, err = judge("run", capsys=capsys)
    assert "the checker rejects the output of the reference accepted/half.py: the sum is 2, not 10" in err


# ---- judge check PROBLEM --------------------------------------------------------------------------------------------


def test_the_tests_of_programs_pass(repository: Path, capsys: CapSys) -> None:
    assert judge("check", "pair", capsys=capsys)[:2] == (0, "pair: 2 cases checked, 6 tests passed\n")
    status, out, _ = judge("check", "pair", "-f", "json", capsys=capsys)
    assert (status, json.loads(out)) == (
        0,
        {"version": 1, "problem": "pair", "passed": True, "cases": 2, "tests": 6, "findings": []},
    )
    assert repository.is_dir()


@pytest.mark.parametrize(
    ("file", "edit", "line", "message"),
    first_of(
        [
            ("check.py", ("sys.exit(42)", "sys.exit(43)"), 8, "cannot be run: case sample/ten"),
            ("check.py", ('    reject(f"the sum', '    print(f"the sum'), 10, "the checker accepts this output"),
            ("validate.py", ("42 if", "43 if"), 13, "the validator validate.py rejects the input"),
            ("validate.py", ("one number", "a number"), 14, "the message is"),
            ("check.py", ("the sum is", "the total is"), 10, "the message is 'the total is 9, not 10'"),
            ("check.py", ('    reject(f"not', '    sys.exit(f"not'), 11, "the checker check.py: exit status 1"),
            ("validate.py", ('"no digits"', "42"), 14, "the validator accepts this input"),
            (
                "validate.py",
                ('sys.exit("expected', 'raise KeyError("expected'),
                14,
                "the validator crashes on this input",
            ),
        ],
        4,
    ),
)
def test_a_test_that_fails_is_reported_at_its_line(
    capsys: CapSys, repository: Path, file: str, edit: tuple[str, str], *, line: int, message: str
) -> None:
    path = repository / "problems/pair" / file
    assert edit[0] in path.read_text()
    path.write_text(path.read_text().replace(*edit))
    status, out, _ = judge("check", "pair", capsys=capsys)
    assert status == 1
    assert any(f"problem.yaml:{line}:1: error: {message}" in each for each in out.splitlines()), out


def test_cases_are_checked_too(repository: Path, capsys: CapSys) -> None:
    write_files(repository, {"testcases/pair/wrong.yaml": 'cases: [{name: words, input: "x y\\n"}]\n'})
    status, out, _ = judge("check", "pair", capsys=capsys)
    assert (status, out.splitlines()[-1]) == (1, "pair: 3 cases checked, with errors, 6 tests passed")
    assert "testcases/pair/wrong.yaml:1:1: error: case wrong/words: " in out


def test_a_problem_without_tests_and_an_unknown_problem_are_errors(repository: Path, capsys: CapSys) -> None:
    (repository / "problems/pair/problem.yaml").write_text(PROBLEM.partition("checker_tests")[0])
    status, out, _ = judge("check", "pair", capsys=capsys)
    assert (status, out) == (0, "pair: 2 cases checked, no `checker_tests` or `validator_tests`\n")
    (repository / "testcases/pair/sample.yaml").unlink()
    status, _, err = judge("check", "pair", capsys=capsys)
    assert status == 2
    assert "pair has no cases, and no tests of its checker or validator; add `checker_tests`" in err
    status, _, err = judge("check", "unknown", capsys=capsys)
    assert status == 2
    assert "unknown: no such file" in err


# ---- testlib --------------------------------------------------------------------------------------------------------

TESTLIB = "#define RESULT 1\n"  # stands for the user's file
CPP = '#include "testlib.h"\n#include <cstdio>\nint main() { fprintf(stderr, "wrong answer no"); return RESULT; }\n'


@pytest.fixture
def testlib_problem(repository: Path) -> Path:
    """A problem with a checker for testlib."""
    if not (shutil.which("g++") or shutil.which("clang++")):
        pytest.skip("no C++ compiler")
    (repository / "problems/pair/problem.yaml").write_text(
        "name: X\nprofile: icpc\nchecker: {program: check.cpp, protocol: testlib}\n"
    )
    (repository / "problems/pair/check.cpp").write_text(CPP)
    (repository / "testcases/pair/sample.yaml").write_text('cases:\n  - {name: a, input: "1", answer: "2"}\n')
    return repository


def test_testlib_is_the_users_file(
    testlib_problem: Path, tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ("run", "-f", "json", "solutions/pair/accepted/zero.py")
    status, _, err = judge(*run, capsys=capsys)
    assert status == 2
    assert "check.cpp: error: the checker check.cpp cannot be used: testlib.h is not in" in err
    assert "download it from https://github.com/MikeMirzayanov/testlib" in err
    own = tmp_path / "own" / "testlib.h"
    own.parent.mkdir()
    own.write_text(TESTLIB)
    monkeypatch.setenv("JUDGE_TESTLIB", str(own.parent))
    _, out, _ = judge(*run, capsys=capsys)
    assert verdicts(out) == {"zero.py": ["WA"]}
    (testlib_problem / "problems/pair/testlib.h").write_text(TESTLIB.replace("1", "2"))  # nearer
    _, out, _ = judge(*run, capsys=capsys)
    assert verdicts(out) == {"zero.py": ["PE"]}
    (testlib_problem / "problems/pair/testlib.h").unlink()
    (testlib_problem / "problems/pair/testlib.h").symlink_to(own)
    status, _, err = judge(*run, capsys=capsys)
    assert (status, "testlib.h: error: is a link that leads out of the repository" in err) == (2, True)


SETTERS = {
    "problems/pair/problem.yaml": (
        "name: X\nprofile: icpc\nchecker: {program: check.cpp, protocol: testlib}\nreference: accepted/zero.py\n"
        "validator: {program: validate.cpp, protocol: testlib}\ngenerators: [gen.cpp]\n"
    ),
    "problems/pair/check.cpp": '#include "testlib.h"\nint main() { return OK; }\n',
    "problems/pair/gen.cpp": (
        '#include "testlib.h"\n#include <cstdio>\nint main(int, char** argv) { printf("%s%s\\n", argv[1], argv[2]); }\n'
    ),
    "problems/pair/validate.cpp": (
        '#include "testlib.h"\n#include <cstdio>\nint main() { int n; scanf("%d", &n); if (n < 90) return OK;\n'
        'fprintf(stderr, "FAIL n is %d", n); return FAIL; }\n'
    ),
    "testcases/pair/sample.yaml": "cases:\n  - {name: made, generate: gen, parameters: [8], seeds: 1-2}\n",
}


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_all_programs_of_a_setter_may_use_testlib(
    repository: Path, tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(repository, SETTERS)
    write_files(tmp_path, {"own/testlib.h": "const int OK = 0, FAIL = 3;\n"})
    run = ("run", "-f", "json", "solutions/pair/accepted/zero.py")
    status, _, err = judge(*run, capsys=capsys)
    assert (status, err.count("testlib.h is not in")) == (2, 1), "only the generator: it comes first"
    assert "problems/pair/gen.cpp: error: the generator cannot be used for cases sample/made-1, sample/made-2: " in err
    monkeypatch.setenv("JUDGE_TESTLIB", str(tmp_path / "own"))
    status, out, err = judge(*run, capsys=capsys)
    assert (status, verdicts(out)) == (0, {"zero.py": ["AC", "AC"]}), err
    _, out, _ = judge("show", "pair/sample/made-2", capsys=capsys)
    assert "output of `gen.cpp 8 2`" in out
    assert "| 82\n" in out
    cases = repository / "testcases/pair/sample.yaml"
    cases.write_text(cases.read_text().replace("[8]", '["{seed}", 9]').replace("1-2", "[2, 9]"))
    status, out, err = judge(*run, capsys=capsys)
    assert (status, verdicts(out)) == (2, {"zero.py": ["AC", "SK"]})
    assert "case sample/made-9: the validator validate.cpp rejects the input: FAIL n is 99" in err
