"""The verdict: one for every combination of measurements, by the documented precedence."""

import hashlib
import os
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.base.data import data_digest
from judge.base.units import Bytes, Seconds
from judge.judging.judge import Job, conclude, judge_with_output
from judge.languages.build import Program, build
from judge.model import (
    DEFAULT_LIMITS,
    Case,
    CaseResult,
    CheckerConfig,
    CheckResult,
    Ending,
    InFile,
    Limits,
    RunResult,
    Verdict,
)
from judge.sandbox.box import Box, Command, Outcome

LIMITS = Limits(cpu=Seconds(1.0), wall=Seconds(3.0), memory=Bytes(1000), output=Bytes(100))
FINE = RunResult(
    ending=Ending.EXITED,
    exit_code=0,
    cpu=Seconds(0.5),
    wall=Seconds(0.6),
    memory=Bytes(500),
    output_bytes=Bytes(10),
)

endings = st.one_of(
    st.builds(lambda code: {"ending": Ending.EXITED, "exit_code": code}, st.integers(0, 255)),
    st.builds(lambda number: {"ending": Ending.SIGNALED, "exit_code": None, "signal": number}, st.integers(1, 64)),
    st.sampled_from(Ending).filter(lambda e: e.value.endswith("limit")).map(
        lambda e: {"ending": e, "exit_code": None, "signal": 9}
    ),
)  # fmt: skip
runs = st.builds(
    lambda ending, cpu, memory: replace(FINE, **ending, cpu=Seconds(cpu), memory=Bytes(memory)),
    endings,
    st.floats(0, 10),
    st.integers(0, 5000),
)
checks = st.sampled_from([Verdict.AC, Verdict.WA, Verdict.PE, Verdict.JE]).map(lambda v: CheckResult(verdict=v))


def verdict(run: RunResult, limits: Limits = LIMITS, check: Verdict = Verdict.AC) -> Verdict:
    return conclude(run, limits, lambda: CheckResult(verdict=check)).verdict


@given(runs, checks)
def test_every_run_gets_a_verdict_and_every_rejection_a_reason(run: RunResult, check: CheckResult) -> None:
    concluded = conclude(run, LIMITS, lambda: check)
    assert concluded.verdict in set(Verdict) - {Verdict.CE, Verdict.SK}
    assert concluded.reason or concluded is check


@given(runs, checks, st.floats(1, 5), st.integers(1, 5))
def test_looser_limits_never_worsen_a_verdict(run: RunResult, check: CheckResult, time: float, memory: int) -> None:
    looser = replace(LIMITS, cpu=Seconds(LIMITS.cpu * time), memory=Bytes(LIMITS.memory * memory))
    if conclude(run, LIMITS, lambda: check).verdict is Verdict.AC:
        assert conclude(run, looser, lambda: check).verdict is Verdict.AC


@given(runs)
def test_the_checker_is_called_only_if_the_run_succeeded_within_its_limits(run: RunResult) -> None:
    asked = []

    def checker() -> CheckResult:
        asked.append(run)
        return CheckResult(verdict=Verdict.AC)

    conclude(run, LIMITS, checker)
    well = run.exit_code == 0 and run.cpu <= LIMITS.cpu and run.memory <= LIMITS.memory
    assert bool(asked) == (well and run.ending is Ending.EXITED)


def test_limits_are_inclusive() -> None:
    exact = replace(FINE, cpu=LIMITS.cpu, memory=LIMITS.memory)
    assert verdict(exact) is Verdict.AC
    assert verdict(replace(exact, cpu=Seconds(1.001))) is Verdict.TLE
    assert verdict(replace(exact, memory=Bytes(1001))) is Verdict.MLE


def test_the_limit_that_killed_the_run_takes_precedence() -> None:
    over = replace(FINE, exit_code=None, signal=9, cpu=Seconds(5), memory=Bytes(5000))
    assert verdict(replace(over, ending=Ending.TIME_LIMIT)) is Verdict.TLE
    assert verdict(replace(over, ending=Ending.WALL_LIMIT)) is Verdict.TLE
    assert verdict(replace(over, ending=Ending.MEMORY_LIMIT)) is Verdict.MLE
    assert verdict(replace(over, ending=Ending.OUTPUT_LIMIT)) is Verdict.OLE


def test_memory_over_the_limit_takes_precedence_over_the_crash_that_it_caused() -> None:
    assert verdict(replace(FINE, exit_code=1, memory=Bytes(1001))) is Verdict.MLE


def test_a_crash_takes_precedence_over_a_wrong_answer() -> None:
    assert verdict(replace(FINE, exit_code=1), check=Verdict.WA) is Verdict.RTE
    assert verdict(replace(FINE, ending=Ending.SIGNALED, exit_code=None, signal=11), check=Verdict.WA) is Verdict.RTE


def test_wall_clock_time_alone_never_decides() -> None:
    assert verdict(replace(FINE, wall=Seconds(1000))) is Verdict.AC


def test_the_reason_of_a_crash_names_the_exception() -> None:
    run = replace(FINE, exit_code=1, stderr_tail=b"Traceback ...\n  ...\nKeyError: 'T'\n")
    assert conclude(run, LIMITS, lambda: CheckResult(verdict=Verdict.AC)).reason == "exit status 1: KeyError: 'T'"


class Editing(Box):
    """A box that writes `text` to a file after each run, or removes the file if `text` is None."""

    def __init__(self, path: Path, text: str | None) -> None:
        super().__init__()
        self.path = path
        self.text = text

    def run(self, command: Command, limits: Limits) -> Outcome:  # noqa: D102 - as the base class
        outcome = super().run(command, limits)
        if self.text is None:
            self.path.unlink()
        else:
            self.path.write_text(self.text)
        return outcome


def judged(folder: Path, source: Path, answer: bytes | Path, box: Box) -> CaseResult:
    """Judge a program that prints the sum of its first line."""
    case = Case(
        group="edge", name="one", input=InFile(source), limits=DEFAULT_LIMITS, checker=CheckerConfig(), origin=source
    )
    (folder / "x.py").write_text("print(sum(map(int, input().split())))\n")
    with Box() as maker:
        program = build(folder / "x.py", folder, maker)
        assert isinstance(program, Program)
        return judge_with_output(Job(program=program, case=case, input=source, answer=answer), box)[0]


SMALL, LARGE = "1 2\n", "1 2\n" + " " * (2 << 20)


@pytest.mark.parametrize("text", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("later", ["5 6\n", None], ids=["edited", "removed"])
def test_an_input_that_changes_during_the_run_does_not_affect_the_verdict(
    tmp_path: Path, text: str, later: str | None
) -> None:
    source = tmp_path / "x.in"
    source.write_text(text)
    with Editing(source, later) as box:
        right = judged(tmp_path, source, b"3\n", box)
    source.write_text(text)
    with Editing(source, later) as box:
        wrong = judged(tmp_path, source, b"4\n", box)
    assert (right.verdict, wrong.verdict) == (Verdict.AC, Verdict.WA)
    if text == SMALL:  # it was kept in memory
        expected = data_digest(hashlib.sha256(text.encode()).hexdigest(), hashlib.sha256(b"3\n").hexdigest())
        assert right.data_digest == expected
        assert wrong.excerpt is not None
    else:  # it is unknown which data was judged, so the result is not cached
        assert (right.data_digest, wrong.data_digest) == ("", "")
        assert (wrong.excerpt is None) == (later is None)


@pytest.mark.parametrize("size", [3, 1 << 20, (1 << 20) + 1])
def test_a_small_answer_is_compared_as_it_was_before_the_run(tmp_path: Path, size: int) -> None:
    source, answer = tmp_path / "x.in", tmp_path / "x.ans"
    source.write_text("1 2\n")
    answer.write_text("3".ljust(size))
    with Editing(answer, "4") as box:
        result = judged(tmp_path, source, answer, box)
    assert (result.verdict is Verdict.AC) == (size <= 1 << 20)
    assert bool(result.data_digest) == (size <= 1 << 20)


@pytest.mark.thorough
def test_an_input_of_gigabytes_is_judged_in_flat_memory(tmp_path: Path) -> None:
    source = tmp_path / "x.in"
    source.touch()
    try:
        os.truncate(source, 3 << 30)
    except OSError as error:
        pytest.skip(f"no file of 3 GiB here: {error}")
    (tmp_path / "x.py").write_text(
        "import sys\nsize = 0\nwhile part := sys.stdin.buffer.read(1 << 20): size += len(part)\nprint(size)\n"
    )
    slow = replace(DEFAULT_LIMITS, cpu=Seconds(60.0), wall=Seconds(120.0))
    case = Case(group="edge", name="one", input=InFile(source), limits=slow, checker=CheckerConfig(), origin=source)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with Box() as box:
        program = build(tmp_path / "x.py", tmp_path, box)
        assert isinstance(program, Program)
        result, _ = judge_with_output(Job(program=program, case=case, input=source, answer=b"0\n"), box)
    assert result.verdict is Verdict.WA
    assert result.data_digest
    assert result.excerpt is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10
