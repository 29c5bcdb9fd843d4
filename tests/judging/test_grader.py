"""Custom graders: what they are given, what they may say, and what wrong and hostile ones achieve."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.base.units import MIB
from judge.judging.program_checker import parse_result, run_grader
from judge.judging.programs import JudgePrograms, ReadyProgram
from judge.judging.scoring import SubResult
from judge.model import DEFAULT_LIMITS, CheckerConfig, Level, Problem, Verdict
from judge.model.programs import JudgeProgram
from judge.sandbox.box import Box
from tests.programs import limits

LIMITS = limits(cpu=1.0, wall=3.0, output=1 * MIB)
RESULTS: list[SubResult] = [(Verdict.AC, 10.5), (Verdict.PE, 0.0), (Verdict.MLE, 25.0)]

Grade = Callable[..., SubResult | str]


@pytest.fixture(scope="module")
def box(all_folders: Path) -> Iterator[Box]:
    with Box(work_folder=all_folders) as made:
        yield made


@pytest.fixture
def grade(box: Box, tmp_path: Path) -> Grade:
    """Run the text of a grader on the results."""
    (tmp_path / "build").mkdir(mode=0o755)
    problem = Problem(
        id="p", name="p", limits=DEFAULT_LIMITS, checker=CheckerConfig(), folder=None, checker_limits=LIMITS
    )

    def run(text: str, *args: str) -> SubResult | str:
        source = tmp_path / "g.py"
        source.write_text(text)
        ready = JudgePrograms(problem, tmp_path / "build", None).get(JudgeProgram(source=source), box)
        assert isinstance(ready, ReadyProgram), ready
        return run_grader(ready, args, RESULTS, box)

    return run


def test_a_grader_reads_verdicts_of_the_format_and_its_flags(grade: Grade) -> None:
    text = """
import sys
lines = sys.stdin.read().split("\\n")
assert lines == ["AC 10.5", "WA 0", "RTE 25", ""], lines
print("AC", float(lines[0].split()[1]) * int(sys.argv[1]))
"""
    assert grade(text, "3") == (Verdict.AC, 31.5)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (b"AC 42.5\n", (Verdict.AC, 42.5)),
        (b" WA  0\n\n", (Verdict.WA, 0.0)),
        (b"AC 1e2", (Verdict.AC, 100.0)),
        (b"TLE -3", (Verdict.TLE, -3.0)),
        (b"", "the grader g: expected a verdict and a score, such as `AC 42.5`, found ``"),
        (b"AC", "the grader g: expected a verdict and a score, such as `AC 42.5`, found `AC`"),
        (b"AC nan", "the grader g: expected a verdict and a score, such as `AC 42.5`, found `AC nan`"),
        (b"AC 1 2", "the grader g: expected a verdict and a score, such as `AC 42.5`, found `AC 1 2`"),
        (b"OK 1", "the grader g: expected a verdict and a score, such as `AC 42.5`, found `OK 1`"),
        (b"JE 0", "the grader g says JE: a judge error"),
        (b"AC 1e999", "the grader g: expected a verdict and a score, such as `AC 42.5`, found `AC 1e999`"),
    ],
)
def test_a_grader_says_a_verdict_and_a_score(output: bytes, expected: SubResult | str) -> None:
    assert parse_result("the grader g", output) == expected


HOSTILE = {
    "fails": ("raise ValueError('no score')", "ended with exit status 1, expected 0: ValueError: no score"),
    "kills itself": ("import os; os.kill(os.getpid(), 9)", "killed by signal 9"),
    "never ends": ("while True: pass", "CPU time limit exceeded"),
    "sleeps": ("import time; time.sleep(100)", "wall"),
    "floods": ("while True: print('AC 1' * 1000)", "output limit exceeded"),
    "eats memory": ("kept = []\nwhile True: kept.append(bytearray(1 << 24))", "memory limit exceeded"),
    "starts processes": ("import os\nwhile True: os.fork()", "exit status 1|limit exceeded"),
    "kills the judge": ("import os; os.kill(os.getppid(), 9)", "exit status 1"),
    "writes a file": ("open('/tmp/score', 'w')", "exit status 1"),
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(each, marks=pytest.mark.thorough if each in ("sleeps", "starts processes") else ())
        for each in HOSTILE
    ],
)
def test_a_grader_that_is_wrong_or_hostile_is_reported_and_the_next_one_works(
    attack: str, grade: Grade, box: Box
) -> None:
    if box.level is Level.LIMITS:
        pytest.skip("the level `limits` stops few attacks")
    text, reason = HOSTILE[attack]
    said = grade(text)
    assert isinstance(said, str)
    assert said.startswith("the grader g.py ")
    assert re.search(reason, said)
    assert grade("print('AC 1')") == (Verdict.AC, 1.0)
