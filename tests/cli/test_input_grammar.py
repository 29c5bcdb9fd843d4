"""The key `input` of problem.yaml: as a validator, as a generator, and against the validator."""

import json
from pathlib import Path

import pytest
import yaml

from judge.base.errors import DataError
from judge.inputs import Grammar
from judge.problems.cache import load_problem as load_cached
from judge.problems.native import load_problem
from tests.cli.command_line import CapSys, run_judge, write

PROBLEM = """\
name: Sum
profile: icpc
reference: accepted/add.py
input:
  - n: 1..5
  - a: {list: 1..100, count: n}
"""
VALIDATE = """\
import sys
n, *numbers = map(int, sys.stdin.read().split())
if not (1 <= n <= 5 and len(numbers) == n and all(1 <= each <= 100 for each in numbers)):
    sys.exit("not valid")
sys.exit(42)
"""
SAMPLE = 'cases:\n  - {name: two, input: "2\\n3 4\\n"}\n'
RANDOM = "cases:\n  - {name: r, generate: grammar, seeds: 1-3, parameters: {size: 0.5, n: 3}}\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one problem that has a grammar and no validator; the current folder."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "problems/sum/problem.yaml", PROBLEM)
    write(tmp_path / "testcases/sum/sample.yaml", SAMPLE)
    write(tmp_path / "solutions/sum/accepted/add.py", "input()\nprint(sum(map(int, input().split())))\n")
    return tmp_path


def add_validator(root: Path, text: str = VALIDATE) -> None:
    write(root / "problems/sum/validate.py", text)
    write(root / "problems/sum/problem.yaml", PROBLEM + "validator: validate.py\n")


def test_a_grammar_alone_validates_and_generates(repository: Path, capsys: CapSys) -> None:
    write(repository / "testcases/sum/random.yaml", RANDOM)
    status, out = run_judge("run", "-f", "json", capsys=capsys)
    assert status == 0, out
    cases = json.loads(out.partition("\nnote:")[0])["problems"][0]["solutions"][0]["cases"]
    assert [case["verdict"] for case in cases] == ["AC"] * 4
    write(repository / "testcases/sum/sample.yaml", SAMPLE.replace("3 4", "3"))
    status, out = run_judge("run", capsys=capsys)
    assert status == 2
    assert "does not match `input` of problem.yaml: line 2, column 2: found the end of the line, expected `a`" in out


def test_the_cache_restores_the_grammar(repository: Path, tmp_path: Path) -> None:
    for _ in range(2):
        grammar = load_cached(repository, "sum", tmp_path / ".judge" / "problems").grammar
        assert grammar is not None
        assert grammar.check(b"1\n5\n") is None


def test_errors_have_their_places(repository: Path) -> None:
    write(repository / "problems/sum/problem.yaml", PROBLEM.replace("count: n", "count: m"))
    with pytest.raises(DataError, match=r"problem.yaml:6:\d+: error: `m` is not known here"):
        load_problem(repository, "sum")
    write(repository / "problems/sum/problem.yaml", PROBLEM)
    write(repository / "testcases/sum/random.yaml", RANDOM.replace("n: 3", "k: 3"))
    with pytest.raises(DataError, match="unknown parameter `k`"):
        load_problem(repository, "sum")
    write(repository / "testcases/sum/random.yaml", RANDOM.replace("0.5", "5"))
    with pytest.raises(DataError, match="expected a size from 0"):
        load_problem(repository, "sum")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("validator", "findings"),
    [
        (VALIDATE, ["the validator accepts an input that the grammar rejects: line "]),
        (VALIDATE.replace("<= 100", "<= 50"), ["the grammar makes an input that the validator rejects: not valid"]),
        ("import sys\nsys.exit('no')\n", ["the grammar makes an input that the validator rejects: no; the input is"]),
    ],
)
def test_the_grammar_and_the_validator_are_compared(
    validator: str, findings: list[str], repository: Path, capsys: CapSys
) -> None:
    add_validator(repository, validator)
    write(repository / "testcases/sum/sample.yaml", SAMPLE.replace("name: two", "name: two, answer: '7'"))
    status, out = run_judge("check", "sum", capsys=capsys)
    assert status == 1
    for finding in findings:
        assert f"problems/sum/problem.yaml:4:1: error: {finding}" in out


def test_show_prints_the_statement_and_the_reading_code(repository: Path, capsys: CapSys) -> None:
    assert run_judge("show", "sum", "--grammar", capsys=capsys)[1].startswith(
        "## Input\n\n- The first line contains an integer"
    )
    assert run_judge("show", "sum", "--code", "python3", capsys=capsys) == (
        0,
        "n = int(input())\na = list(map(int, input().split()))\n",
    )
    write(repository / "problems/sum/problem.yaml", PROBLEM.partition("input:")[0])
    status, out = run_judge("show", "sum", "--code", "cpp", capsys=capsys)
    assert (status, "sum: without a validator, no grammar can be inferred" in out) == (2, True)


PAIRS_VALIDATOR = """\
import sys
lines = sys.stdin.read().split("\\n")
n, k = map(int, lines[0].split(" "))
assert 1 <= k <= n <= 1000
assert lines[1:] and len(lines) == n + 2 and lines[-1] == ""
for line in lines[1:-1]:
    low, high = map(int, line.split(" "))
    assert -500 <= low <= high <= 10**6
sys.exit(42)
"""


def test_a_grammar_is_inferred_from_the_cases_and_the_validator(repository: Path, capsys: CapSys) -> None:
    write(repository / "problems/sum/problem.yaml", "name: Sum\nprofile: icpc\nvalidator: validate.py\n")
    write(repository / "problems/sum/validate.py", PAIRS_VALIDATOR)
    inputs = {"a": "3 2\n1 5\n-4 4\n7 100\n", "b": "2 1\n3 3\n-2 0\n"}
    cases = [{"name": name, "input": text, "answer": "1\n"} for name, text in inputs.items()]
    write(repository / "testcases/sum/sample.yaml", json.dumps({"cases": cases}))  # which is YAML, too
    status, out = run_judge("show", "sum", "--grammar", capsys=capsys)
    assert status == 0, out
    value = yaml.safe_load(out[out.index("input:") :].rpartition("this grammar is a guess")[0])["input"]
    inferred = Grammar.from_yaml(value)
    for data, is_valid in [
        (b"1 1\n-500 1000000\n", True),
        (b"2 1\n3 3\n-2 0\n", True),
        (b"1 1\n-501 1\n", False),
        (b"1 1\n1 1000001\n", False),
        (b"1 1\n2 1\n", False),
        (b"1 2\n1 2\n", False),
    ]:
        assert (inferred.check(data) is None) is is_valid, (value, data)


def test_cases_that_the_grammar_rejects_are_found(repository: Path, capsys: CapSys) -> None:
    add_validator(repository)
    write(repository / "testcases/sum/sample.yaml", SAMPLE.replace("3 4", "3  4"))
    _, out = run_judge("check", "sum", capsys=capsys)
    assert "the grammar rejects the case sample/two: line 2, column 3: found a space" in out


def test_a_grammar_that_contradicts_itself_is_found_without_a_validator_and_cases(
    repository: Path, capsys: CapSys
) -> None:
    (repository / "testcases/sum/sample.yaml").unlink()
    write(repository / "problems/sum/problem.yaml", PROBLEM + "  - where: n > 5\n")
    status, out = run_judge("check", "sum", capsys=capsys)
    assert (status, "problem.yaml:4:1: error: the grammar makes no input: " in out) == (1, True), out


def test_a_case_that_the_grammar_rejects_fails_its_test_without_a_solution(repository: Path, capsys: CapSys) -> None:
    (repository / "solutions/sum/accepted/add.py").unlink()
    write(repository / "problems/sum/problem.yaml", PROBLEM.replace("reference: accepted/add.py\n", ""))
    write(repository / "testcases/sum/sample.yaml", 'cases:\n  - {name: two, input: "2\\n3\\n", answer: "3\\n"}\n')
    status, out = run_judge("check", "sum", capsys=capsys)
    assert (status, "sum: 1 case checked, with errors, 1 of 2 tests failed" in out) == (1, True), out
