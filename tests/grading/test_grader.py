"""Rows that are graded: verdicts with their evidence, functions, order, repeats; in threads and event loops."""

import asyncio
import json
import shutil
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

import judge as package
from judge.base.errors import JudgeError, UsageError
from judge.base.units import Bytes, Seconds
from judge.grading import submission
from judge.grading.grade_row import CaseOrder, _conclude_again, grade_row
from judge.grading.grader import Grader, GradeStream
from judge.grading.problems import PreparedProblem, ProblemStore
from judge.grading.rows import parse_row
from judge.grading.stream import LineReader, Stream
from judge.grading.values import Grade, GradeOptions, Task
from judge.model import Case, CaseResult, CheckerConfig, Ending, Inline, Level, Limits, RunResult, Verdict
from judge.sandbox.box import Box
from tests.cli.command_line import write
from tests.files import write_files
from tests.runner import scoring

TESTS = [{"input": f"{number} 1\n", "output": f"{number + 1}\n"} for number in range(4)]
SUM = "print(sum(map(int, input().split())))"
SCHEMA = json.loads((Path(package.__file__).parent / "schemas/grade.schema.json").read_text())


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(GradeOptions(jobs=2)) as opened:
        yield opened


def grade(grader: Grader, code: str, **more: Any) -> Grade:
    result = grader.grade_one({"id": "a", "code": code, "tests": TESTS, **more})
    jsonschema.validate(result.to_dict(), SCHEMA)
    return result


@pytest.mark.parametrize(
    ("code", "verdict", "reason"),
    [
        (SUM, "AC", ""),
        ("print(1)", "WA", "expected `2`, found `1`"),
        ("1 / 0", "RTE", "ZeroDivisionError"),
        ("print((", "CE", "was never closed"),
        ("", "CE", "the source is empty"),
        ("while True: pass", "TLE", "CPU time limit exceeded"),
        ("import time; time.sleep(60)", "TLE", "wall-clock limit exceeded"),
        ("x = bytearray(1 << 30)", "MLE", "memory limit exceeded"),
        ("import os\nwhile True: os.write(1, b'x' * 65536)", "OLE", "output limit exceeded"),
        ("#" * (1 << 21), "CE", "at most 1.0 MiB are graded"),
    ],
)
def test_every_verdict_has_its_evidence(grader: Grader, code: str, verdict: str, reason: str) -> None:
    limits = {"time_s": 0.5, "wall_s": 1.5, "memory_bytes": 64 << 20, "output_bytes": 1 << 20}
    result = grade(grader, code, limits=limits)
    assert (result.verdict, result.score, result.fault) == (verdict, float(verdict == "AC"), "")
    assert result.total == len(TESTS)
    assert (result.first_failure is None) == (verdict == "AC")
    if result.first_failure is not None:
        assert reason in result.first_failure.reason
    if verdict == "WA":
        assert result.first_failure is not None
        assert (result.first_failure.expected, result.first_failure.found) == ("2\n", "1\n")
    if verdict in ("AC", "WA"):
        assert result.margin is not None
        assert result.margin > 0
    if verdict in ("TLE", "MLE"):
        assert result.margin is not None
        assert result.margin <= 0


def test_other_languages_are_compiled_and_graded(grader: Grader) -> None:
    code = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }'
    assert grade(grader, code, language="c").verdict is Verdict.AC
    wrong = grade(grader, code.replace("a + b);", "a + b)"), language="c")
    assert (wrong.verdict, wrong.score) == (Verdict.CE, 0.0)


METHOD = "class Solution:\n  def f(self, a: List[int], b=2): print('noise'); return {}"


@pytest.mark.parametrize(
    ("code", "inputs", "outputs", "verdict"),
    [
        (METHOD.format("sum(a) + b"), [[[1, 2], 3]], [6], "AC"),
        (METHOD.format("(a, b)"), [[[1], 3]], [[[1], 3]], "AC"),
        (METHOD.format("sum(a)"), [[[1, 2], 3]], [[3]], "AC"),  # APPS wraps some values in a list
        (METHOD.format("sum(a)"), [[[1, 2], 3]], [4], "WA"),
        (METHOD.format("set(a)"), [[[1, 2], 3]], [[1, 2]], "WA"),
        (METHOD.format("{1: 2}"), [[[1]]], [{"1": 2}], "AC"),
        (METHOD.format("None"), [[[1]]], [None], "AC"),
        (METHOD.format("True"), [[[1]]], [1], "AC"),
        (METHOD.format("0.1 + 0.2"), [[[1]]], [0.3], "WA"),
        (f"from decimal import Decimal\n{METHOD.format('[Decimal(3) / 2]')}", [[[1]]], [[1.5]], "AC"),
        (f"from decimal import Decimal\n{METHOD.format('Decimal(1) / 10')}", [[[1]]], [0.1], "WA"),  # as in Python
        (f"from fractions import Fraction\n{METHOD.format('Fraction(6, 2)')}", [[[1]]], [3], "AC"),
        (METHOD.format("{'ratio': ['3/1'], 'not JSON': 3}"), [[[1]]], [3], "WA"),
        ("def f(a, b):\n  return max(a, b)", [[1, 3]], [3], "AC"),
        ("f = lambda text: text[::-1]", [["ä\ud800"]], ["\ud800ä"], "AC"),
        ("def g(a): return a", [[1]], [1], "RTE"),
        ("def f(a): raise ValueError", [[1]], [1], "RTE"),
        ("def f(a): import os; os._exit(0)", [[1]], [1], "WA"),
        ("print('1')", [[1]], [1], "RTE"),
        ("def f(a): (", [[1]], [1], "CE"),
    ],
)
def test_functions_are_called_and_their_values_compared(
    grader: Grader, code: str, inputs: list[Any], outputs: list[Any], verdict: str
) -> None:
    given = json.dumps({"fn_name": "f", "inputs": inputs, "outputs": outputs})
    assert grader.grade_one({"id": "a", "code": code, "input_output": given}).verdict == verdict


PROMPT = 'from typing import List\n\ndef add(a: List[int]) -> int:\n    """Add."""\n'
HUMAN_EVAL = {
    "prompt": PROMPT,
    "entry_point": "add",
    "test": "def check(candidate):\n    assert candidate([1, 2]) == 3\n",
}
MBPP = {
    "code": "def add(a): return 0",
    "test_list": ["assert add([1, 2]) == 3", "assert add([V]) == 7"],
    "test_setup_code": "V = 7",
}
FILES = {"public_tests": {"input": ["1 2\n"], "output": ["3\n"]}, "input_file": "in.txt", "output_file": "out.txt"}


@pytest.mark.parametrize(
    ("row", "code", "verdict", "reason"),
    [
        (HUMAN_EVAL, "    return sum(a)\n", "AC", ""),
        (HUMAN_EVAL, "def add(a: List[int]): return sum(a)\n", "AC", ""),
        (HUMAN_EVAL, "    return 0\n", "WA", "line 2 of the tests: AssertionError"),
        (HUMAN_EVAL, "    return a.x\n", "RTE", "AttributeError: 'list' object has no attribute 'x' (line 5)"),
        (HUMAN_EVAL, "    exit()\n", "WA", "it ended before the end of the tests"),
        (HUMAN_EVAL, "    return (\n", "CE", "line 5: '(' was never closed"),
        (MBPP, "def add(a): return sum(a)", "AC", ""),
        (MBPP, "def add(a): return len(a) + 1", "WA", "line 2 of the tests: AssertionError"),
        (FILES, "print(3, file=open('out.txt', 'w')) if open('in.txt').read() == '1 2\\n' else 0", "AC", ""),
        (FILES, "print(3)", "WA", ""),
    ],
)
def test_tests_that_assert_and_programs_with_files_are_graded(
    grader: Grader, row: dict[str, Any], code: str, verdict: str, reason: str
) -> None:
    result = grader.grade_one({**row, ("completion" if "test" in row or row is MBPP else "code"): code, "id": "a"})
    assert (result.verdict, result.fault) == (verdict, "")
    assert reason in (result.first_failure.reason if result.first_failure else "")


BENCH = {"metadata": json.dumps({"func_name": "f"})}


DATA_CLASS = """\
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class P:
    x: int
def f(a): return P(a).x
"""


@pytest.mark.parametrize(
    ("row", "code", "verdict"),
    [
        ({"input_output": {"fn_name": "f", "inputs": [[{"1": 7}]], "outputs": [7]}}, "def f(d): return d[1]", "AC"),
        (
            {"input_output": {"fn_name": "f", "inputs": ["1\n[2, 3]"], "outputs": ["6"]}},
            "def f(a, b): return a + 5",
            "AC",
        ),
        ({**BENCH, "public_test_cases": [{"input": "[0, 1]", "output": "[0, 1]"}]}, "def f(a): return a[0]", "WA"),
        ({"function": "f", "tests": [{"input": [[0, 1]], "output": [0, 1]}]}, "def f(a): return a[0]", "WA"),
        ({"function": "f", "tests": [{"input": [[0, 1]], "output": None}]}, "def f(a): a.sort()", "AC"),
        ({"tests": [{"input": [[2]], "output": [2], "fn_name": "f"}]}, "def f(a): return a[0]", "AC"),
        ({"tests": [{"input": "[2]", "output": "2", "metadata": {"func_name": "f"}}]}, "def f(a): return a[0]", "AC"),
        ({"function": "f", "tests": [{"input": [9], "output": 10**5000}]}, "def f(a): return 10**5000", "AC"),
        ({"function": "factorial", "tests": [{"input": [3], "output": 6}]}, "# factorial", "RTE"),
        ({"function": "gcd", "tests": [{"input": [4, 6], "output": 2}]}, "def gcd(a, b): return math.gcd(a, b)", "AC"),
        ({"function": "f", "tests": [{"input": [3], "output": 3}]}, "def f(a): stdout.write('debug'); return a", "AC"),
        (
            {"function": "f", "tests": [{"input": "ab", "output": "ba"}, {"input": "12", "output": "21"}]},
            "def f(a): return a[::-1]",
            "AC",
        ),
        ({"function": "f", "tests": [{"input": "1\n2", "output": 3}]}, "def f(a, b): return a + b", "AC"),
        (
            {"function": "f", "tests": [{"input": [3], "output": 3}]},
            "import os\ndef f(a):\n    os.write(1, b'x')\n    print('x', file=sys.__stdout__)\n    return a",
            "AC",
        ),
        (
            {"function": "f", "tests": [{"input": [3], "output": 3}]},
            DATA_CLASS,
            "AC",
        ),
    ],
)
def test_functions_follow_the_rules_of_their_data_set(
    grader: Grader, row: dict[str, Any], code: str, verdict: str
) -> None:
    assert grader.grade_one({"id": "a", "code": code, **row}).verdict == verdict


NAMES = "sqrt, sys.maxsize, deepcopy, reduce, xor, ascii_lowercase, comb, json.dumps, datetime.date, defaultdict, time"


@pytest.mark.parametrize(
    "code",
    [
        f"names = ({NAMES})\nprint(int(sys.stdin.readline()) + 1)",
        "from __future__ import annotations\nn = int(input())\nassert pow(2, n, 3) == 2\nprint(n + 1)",
        "def depth(n): return n and 1 + depth(n - 1)\nprint(depth(5000) and int(input()) + 1)",
        "if __name__ == '__main__': print(len(str(10**5000)) - 4999)",
    ],
)
@pytest.mark.parametrize("shape", ["input_output", "public_test_cases"])
def test_programs_of_data_sets_find_what_their_evaluators_import(grader: Grader, code: str, shape: str) -> None:
    tests: object = [{"input": "1\n", "output": "2\n"}]
    if shape == "input_output":
        tests = {"inputs": ["1\n"], "outputs": ["2\n"]}
    assert grader.grade_one({"id": "a", "code": code, shape: tests}).verdict == "AC"
    assert grader.grade_one({"id": "a", "code": "print((", shape: tests}).verdict == "CE"


def test_a_submission_stops_at_its_first_failure_unless_all_tests_are_wanted(grader: Grader) -> None:
    code = "a, b = map(int, input().split())\nprint(a + b if a != 1 else 0)"
    first = grade(grader, code, task="stops")
    assert (first.passed, first.total, first.score) == (1, 4, 0.0)
    assert grade(grader, code, task="stops").passed == 0  # the test that rejected it comes first now
    with Grader(GradeOptions(jobs=1, runs_all=True)) as other:
        result = grade(other, code)
        assert (result.verdict, result.passed, result.score) == ("WA", 3, 0.75)
    with Grader(GradeOptions(jobs=1, in_order=True)) as other:
        assert [grade(other, code, task="stops").passed for _ in range(2)] == [1, 1]


def test_the_order_of_tests_follows_their_rejections() -> None:
    order = CaseOrder()
    assert order.order("a", ["p", "q", "r", "s"]) == [0, 1, 2, 3]
    for case in ("s", "q", "s"):
        order.count("a", case)
    assert order.order("a", ["p", "q", "r", "s"]) == [3, 1, 0, 2]
    assert order.order("a", ["p", "q"]) == [1, 0]
    assert order.order("b", ["p", "q"]) == [0, 1]


class Scripted(submission.TestedSubmission):
    """A submission whose runs are given: (verdict, CPU time in seconds)."""

    def __init__(self, task: Task, warm: Box, runs: list[tuple[str, float]]) -> None:
        store: Any = None
        super().__init__(task, store, {}, warm)
        self.warm = warm
        self.runs = runs
        self.boxes: list[str] = []

    def judge(self, index: int, box: Box, limits: Limits) -> tuple[CaseResult, bytes]:
        """Return the next result, stopped at the limits if it takes longer."""
        self.boxes.append("warm" if box is self.warm else "cold")
        verdict, cpu = self.runs.pop(0)
        case = replace(self.cases[index].case, limits=limits)
        is_stopped = cpu > limits.cpu
        if is_stopped:
            verdict, cpu = "TLE", limits.cpu
        ending = Ending.TIME_LIMIT if is_stopped else Ending.EXITED
        run = RunResult(
            ending=ending,
            exit_code=0,
            cpu=Seconds(cpu),
            wall=Seconds(cpu),
            memory=Bytes(1),
            output_bytes=Bytes(0),
            level=Level.FULL,
        )
        return CaseResult(case=case, verdict=Verdict(verdict), run=None if verdict in ("CE", "JE") else run), b""


def test_a_run_that_waited_for_a_processor_is_not_too_slow() -> None:
    limits = Limits(cpu=Seconds(1.0), wall=Seconds(3.0), memory=Bytes(2), output=Bytes(1))
    case = Case(
        group="g", name="1", input=Inline(b""), limits=limits, checker=CheckerConfig(), origin=Path("/x/cases.yaml")
    )
    run = RunResult(
        ending=Ending.EXITED,
        exit_code=0,
        cpu=Seconds(0.5),
        wall=Seconds(3.2),
        memory=Bytes(1),
        output_bytes=Bytes(0),
        level=Level.FULL,
    )
    accepted = CaseResult(case=case, verdict=Verdict.AC, run=run)
    assert _conclude_again(accepted, limits).verdict is Verdict.AC
    late = replace(accepted, run=replace(run, ending=Ending.WALL_LIMIT, exit_code=None))
    assert _conclude_again(late, limits).verdict is Verdict.TLE


@pytest.mark.parametrize(
    ("runs", "boxes", "verdict", "is_uncertain"),
    [
        ([("AC", 0.2)], "warm", "AC", False),
        ([("WA", 0.2)], "warm", "WA", False),
        ([("AC", 1.0), ("AC", 1.0)], "warm cold", "AC", False),  # what takes long is not run warm to its end
        ([("WA", 1.0), ("WA", 1.79)], "warm cold", "WA", False),
        ([("AC", 9.0), ("AC", 1.81), ("AC", 1.9)], "warm cold cold", "AC", False),
        ([("AC", 9.0), ("AC", 1.81), ("AC", 2.1), ("AC", 2.1)], "warm cold cold cold", "TLE", True),
        ([("AC", 9.0), ("AC", 2.1), ("AC", 1.9), ("AC", 1.9)], "warm cold cold cold", "AC", True),
        ([("AC", 9.0), ("AC", 2.1), ("AC", 2.1)], "warm cold cold", "TLE", False),
        ([("AC", 9.0), ("AC", 9.0)], "warm cold", "TLE", False),  # stopped beyond the band: no repeat
        ([("RTE", 0.1), ("RTE", 0.1)], "warm cold", "RTE", False),
        ([("RTE", 0.1), ("CE", 0.0)], "warm cold", "CE", False),
        ([("RTE", 0.1), ("AC", 0.1)], "warm cold", "AC", False),
        ([("JE", 0.0), ("AC", 0.1)], "warm cold", "AC", False),
        ([("JE", 0.0), ("JE", 0.0)], "warm cold", "JE", False),
    ],
)
def test_runs_near_a_limit_and_verdicts_that_are_not_clean_are_repeated_cold(
    runs: list[tuple[str, float]], boxes: str, verdict: str, *, is_uncertain: bool
) -> None:
    from judge.sandbox.warm_box import SharedWarmBox

    task = parse_row({"id": "a", "code": "x", "tests": TESTS[:1]}, 1, GradeOptions())
    assert isinstance(task, Task)
    with SharedWarmBox() as warm:
        scripted = Scripted(task, warm, list(runs))
        result = grade_row(warm, task, GradeOptions(), lambda *_: scripted, CaseOrder())
    assert (" ".join(scripted.boxes), result.verdict, result.uncertain) == (boxes, verdict, is_uncertain)
    assert scripted.runs == []
    assert (result.score is None) == (verdict == "JE")


def test_faults_of_the_row_or_the_machine_have_no_score(grader: Grader, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = grade(grader, SUM, tests=[{"input": "1"}])
    assert (bad.verdict, bad.score) == ("SK", None)
    assert "no output" in bad.fault
    gone = grader.grade_one({"id": "a", "code": SUM, "problem": "gone"})
    assert (gone.verdict, gone.score) == ("SK", None)
    assert gone.fault
    monkeypatch.setenv("PATH", "/nonexistent")
    lacking = grade(grader, "program x\nend program", language="fortran")
    assert (lacking.verdict, lacking.score) == ("JE", None)
    assert "command not found" in lacking.fault
    monkeypatch.setattr("judge.grading.submission.read_source", lambda *_: 1 / 0)
    broken = grade(grader, SUM)
    assert (broken.verdict, broken.score) == ("JE", None)
    assert broken.fault.startswith("internal error: ZeroDivisionError: division by zero (test_grader.py, line ")


def test_an_internal_error_of_the_reader_ends_the_stream(
    grader: Grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in.jsonl").write_text("{}\n")
    monkeypatch.setattr("judge.grading.stream.parse_line", lambda *_: 1 / 0)
    with LineReader(tmp_path / "in.jsonl") as reader, pytest.raises(ZeroDivisionError):
        list(Stream(grader, reader, None, None, "out.jsonl").results())


def test_a_row_may_name_a_problem_of_the_repository(
    locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = next((locked_sums / "solutions/sums/accepted").glob("*.py")).read_text()
    wrong = next((locked_sums / "solutions/sums/wrong_answer").glob("*.py")).read_text()
    before = sorted(locked_sums.rglob("*"))
    with Grader(GradeOptions(root=locked_sums, jobs=2)) as opened:
        rows = [{"id": "r", "code": right}, {"id": "w", "code": wrong}, {"id": "s", "code": "x = ("}]
        results = {each.id: each for each in opened.grade({**row, "problem": "sums"} for row in rows)}
    assert (results["r"].verdict, results["r"].score) == ("AC", 1.0)
    assert results["r"].passed == results["r"].total > 3
    assert (results["w"].verdict, results["s"].verdict) == ("WA", "CE")
    assert results["w"].first_failure is not None
    assert "/" in results["w"].first_failure.case
    assert results["r"].task == "sums"
    assert [path for path in sorted(locked_sums.rglob("*")) if path not in before and ".judge" not in path.parts] == []
    row = {"id": "r", "code": right, "problem": str(locked_sums / "problems/sums")}
    monkeypatch.setenv("HOME", str(locked_sums))
    with Grader(GradeOptions(root=tmp_path, jobs=2)) as opened:
        for name in (row["problem"], "~/problems/sums", "~/problems/sums/problem.yaml", "/", "/dev/zero"):
            refused = opened.grade_one({**row, "problem": name})
            assert f"{name} is not in {Path.cwd()}; to allow another folder: --allow-paths DIR" in refused.fault
        assert "~nobody/x: no such folder" in opened.grade_one({**row, "problem": "~nobody/x"}).fault
    with Grader(GradeOptions(root=tmp_path, folders=(locked_sums,), jobs=2)) as opened:
        elsewhere = opened.grade_one(row)
    assert (elsewhere.verdict, elsewhere.task) == ("AC", str(locked_sums / "problems/sums"))


def test_a_row_is_graded_while_another_problem_is_prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {f"{name}/1.{end}": "1\n" for name in ("one", "two") for end in ("in", "out")})
    may_run, is_graded, prepare = threading.Event(), threading.Event(), ProblemStore._prepare
    monkeypatch.chdir(tmp_path)
    with Grader(GradeOptions(jobs=1)) as opened:
        first, second = (
            parse_row({"problem": name, "code": "print(input())"}, 1, opened.options) for name in ("one", "two")
        )
        opened._session.executor.submit(lambda *_: may_run.wait(), None, lambda *_: None)
        opened.start(opened.prepare(first), lambda grade: is_graded.set() if grade.is_accepted else None)

        def prepare_during_a_run(store: ProblemStore, name: str) -> PreparedProblem:
            may_run.set()
            assert is_graded.wait(30), "the worker waits for the problem, which waits for the worker"
            return prepare(store, name)

        monkeypatch.setattr(ProblemStore, "_prepare", prepare_during_a_run)
        assert isinstance(opened.prepare(second), Task)


def test_the_digest_covers_the_flags_of_the_settings_and_of_the_problem(locked_sums: Path, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    shutil.copytree(locked_sums, root)

    def find_digest() -> str:
        with Grader(GradeOptions(root=root, jobs=1)) as opened:
            row = {"id": "r", "code": "int main() {}", "language": "cpp", "problem": "sums"}
            task = opened.prepare(parse_row(row, line=1, options=opened.options))
            assert isinstance(task, Task)
            return task.digest

    plain = find_digest()
    assert plain == find_digest()
    (root / "judge.toml").write_text('[language.cpp]\nflags = ["-DX"]\n')
    with_settings = find_digest()
    (root / "judge.toml").unlink()
    problem = root / "problems/sums/problem.yaml"
    problem.write_text(problem.read_text() + "compile_flags: {cpp: [-DY]}\n")
    with_problem = find_digest()
    assert len({plain, with_settings, with_problem}) == 3


def test_a_row_replaces_only_what_it_gives_of_a_problem_and_options_replace_nothing(tmp_path: Path) -> None:
    write(
        tmp_path / "problems/p/problem.yaml",
        "name: P\nprofile: icpc\nlimits: {memory: 1 GiB}\nchecker: {program: check.py}\n",
    )
    write(tmp_path / "problems/p/check.py", "import sys; sys.exit(42 if sys.stdin.read() == 'ok\\n' else 43)\n")
    write(tmp_path / "testcases/p/sample.yaml", 'cases:\n- {name: one, input: "1\\n", answer: "1\\n"}\n')
    row = {"code": "a = bytearray(350 << 20)\nprint('ok')", "problem": "p"}
    with Grader(GradeOptions(root=tmp_path, jobs=1, cpu=Seconds(9.0), memory=Bytes(8 << 20), tolerance=1.0)) as opened:
        assert opened.grade_one(row).verdict == "AC"
        assert opened.grade_one({**row, "limits": {"time_s": 5}}).verdict == "AC"
        assert opened.grade_one({**row, "limits": {"memory_bytes": 64 << 20}}).verdict == "MLE"
        assert opened.grade_one({**row, "checker": "tokens"}).verdict == "WA"
        unfit = opened.grade_one({**row, "checker": {"float_tolerance": 1}})
    assert (unfit.verdict, unfit.score) == ("SK", None)
    assert "that of p is a program, without options" in unfit.fault


def test_rows_that_wait_when_a_grader_closes_get_a_result(grader: Grader) -> None:
    del grader  # its workers stay idle
    opened = Grader(GradeOptions(jobs=1))
    with ThreadPoolExecutor(3) as pool:
        row = {"code": "while True: pass", "tests": TESTS, "limits": {"time_s": 60}}
        waiting = [pool.submit(opened.grade_one, row) for _ in range(3)]
        time.sleep(0.5)
        opened.close()
        found = [each.result(timeout=30) for each in waiting]
    assert {each.verdict for each in found} == {Verdict.JE}
    assert {each.score for each in found} == {None}


def test_standard_error_is_the_same_for_each_run(grader: Grader) -> None:
    code = "import sys\nx = 1\n1 / 0"
    found = {grade(grader, code).first_failure for _ in range(2)}
    assert len(found) == 1
    assert 'File "submission.py", line 3' in str(found)


def test_a_problem_with_scores_gives_the_share_of_its_best_score(tmp_path: Path) -> None:
    scoring.write(tmp_path, {})
    codes = {"all": scoring.RIGHT, "30": scoring.wrong_from(1000), "90": scoring.wrong_from(60_000), "0": "print(("}
    with Grader(GradeOptions(root=tmp_path, jobs=2)) as opened:
        rows = ({"id": name, "code": code, "problem": "p"} for name, code in codes.items())
        found = {each.id: (str(each.verdict), each.score) for each in opened.grade(rows)}
    assert found["all"] == ("AC", 1.0)
    assert found["30"][1] == pytest.approx(0.3)
    assert found["90"][1] == pytest.approx(0.9)
    assert found["0"] == ("CE", 0.0)


def rows(count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield {"id": str(number), "code": SUM if number % 3 else "print(0)", "tests": TESTS[:2]}


def expected(count: int) -> dict[str, str]:
    return {str(number): "AC" if number % 3 else "WA" for number in range(count)}


def test_rows_are_taken_only_as_fast_as_results(grader: Grader) -> None:
    taken = 0

    def count_rows() -> Iterator[dict[str, Any]]:
        nonlocal taken
        for row in rows(1000):
            taken += 1
            yield row

    results = grader.grade(count_rows())
    for number, _ in zip(range(1, 6), results, strict=False):
        assert taken <= number + grader.window
    assert {each.id: each.verdict for each in grader.grade(rows(20))} == expected(20)


def test_several_threads_share_a_grader(grader: Grader) -> None:
    found: list[dict[str, str]] = []
    threads = [
        threading.Thread(target=lambda: found.append({each.id: each.verdict for each in grader.grade(rows(10))}))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected(10)] * 4


def test_an_event_loop_gets_the_same_results_and_is_never_blocked() -> None:
    async def slow_rows() -> AsyncIterator[dict[str, Any]]:
        for row in rows(8):
            await asyncio.sleep(0)
            yield row

    def blocking_rows() -> Iterator[dict[str, Any]]:
        time.sleep(1.5)
        yield from rows(8)

    async def collect(source: Any) -> dict[str, str]:
        longest = 0.0

        async def tick() -> None:
            nonlocal longest
            while True:
                begun = time.monotonic()
                await asyncio.sleep(0.001)
                longest = max(longest, time.monotonic() - begun)

        ticker = asyncio.create_task(tick())
        stream = GradeStream(source, lambda: Grader(GradeOptions(jobs=2)))
        found = {each.id: str(each.verdict) async for each in stream}
        ticker.cancel()
        assert longest < 1.0  # a row takes 1.5 s to come
        return found

    for source in (slow_rows(), rows(8), blocking_rows()):
        assert asyncio.run(collect(source)) == expected(8)


def test_an_error_of_the_rows_reaches_whoever_takes_the_results(grader: Grader) -> None:
    def failing() -> Iterator[dict[str, Any]]:
        yield from rows(2)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(grader.grade(failing()))

    async def failing_when_all_is_taken(has_last: asyncio.Event) -> AsyncIterator[dict[str, Any]]:
        for row in rows(2):
            yield row
        await has_last.wait()
        raise OSError("the disk is gone")

    async def collect(*, is_late: bool) -> None:
        has_last = asyncio.Event()
        taken = 0
        async for _ in grader.grade_async(failing_when_all_is_taken(has_last) if is_late else failing()):
            taken += 1
            if taken == 2:
                has_last.set()
                await asyncio.sleep(0.01)  # the rows end meanwhile

    for is_late in (False, True):
        with pytest.raises(OSError, match="the disk is gone"):
            asyncio.run(collect(is_late=is_late))


def test_a_grader_that_cannot_work_says_so() -> None:
    with pytest.raises(UsageError, match="jobs=0: expected a number from 1"):
        Grader(GradeOptions(jobs=0))
    closed = Grader(GradeOptions(jobs=1))
    closed.close()
    with pytest.raises(JudgeError, match="this Grader is closed"):
        closed.grade_one({"id": "a", "code": SUM, "tests": TESTS})
    asynchronous = GradeStream(_no_rows(), Grader)
    with pytest.raises(UsageError, match="use `async for`"):
        next(iter(asynchronous))


async def _no_rows() -> AsyncIterator[dict[str, Any]]:
    for _ in ():
        yield {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"time_limit": 1e9}, "time_limit=1000000000.0: expected a number from 0.001 to 86400"),
        ({"memory_limit": 1}, "memory_limit=1: expected a number from"),
        ({"checker": "foo"}, "checker='foo' is not known"),
        ({"float_tolerance": -1}, "float_tolerance: -1; expected a number such as 1e-6"),
        ({"python": "nosuch"}, "python='nosuch': no such file"),
    ],
)
def test_an_argument_of_the_public_grader_is_checked_at_once(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        package.Grader(**arguments)
