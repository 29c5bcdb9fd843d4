"""Grading one row: a submission in, its result out. The unit that runs on a worker, of this machine or another."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import JudgeError, describe_error
from judge.base.units import Seconds
from judge.grading.recent import Recent
from judge.grading.submission import Submission
from judge.grading.values import MEMORY_BAND, TIME_BAND, Failure, Grade, GradeOptions, Task, blame_judge
from judge.judging.judge import conclude
from judge.model import CaseResult, CheckResult, Ending, Limits, RunResult, Verdict
from judge.preparation.cases import ReadyCase
from judge.sandbox.box import Box
from judge.sandbox.warm_box import SharedWarmBox

if TYPE_CHECKING:  # few problems have scores
    from judge.runner.grading import Grading

_MAX_REASON = 500  # characters
_WARM_CPU, _WARM_WALL = Seconds(0.25), Seconds(0.5)  # some 20 times what a cold start costs

_CLEAN = (Verdict.AC, Verdict.WA, Verdict.PE, Verdict.NA, Verdict.SK)
_TOO_SLOW = (Ending.TIME_LIMIT, Ending.WALL_LIMIT)
_KILLED = (*_TOO_SLOW, Ending.MEMORY_LIMIT)
_NO_BLAME = (Verdict.JE, Verdict.SK, Verdict.NA)  # the judge's fault, or the data's


class CaseOrder:
    """In which order the tests of a task are tried: those first that rejected most submissions so far.

    A submission is accepted if it passes all tests, whatever their order; the order decides how soon a wrong one fails.
    May be used by several threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rejections = Recent[str, Counter[str]](4096)  # tasks

    def order(self, group: str, names: Sequence[str]) -> list[int]:
        """Return the indices of all tests of a task, best first; `names` are those of its tests."""
        with self._lock:
            counts = self._rejections.get(group, Counter)
            ranks = {name: rank for rank, (name, _) in enumerate(counts.most_common())}
        return sorted(range(len(names)), key=lambda index: ranks.get(names[index], len(ranks)))

    def count(self, group: str, case: str) -> None:
        """Count that a test rejected a submission."""
        with self._lock:
            self._rejections.get(group, Counter)[case] += 1


def grade_row(
    box: Box,
    task: Task,
    options: GradeOptions,
    open_submission: Callable[[Task, Box], Submission],
    order: CaseOrder,
) -> Grade:
    """Grade a row in the box of a worker; whatever goes wrong becomes a result with a fault.

    `open_submission` prepares the row for runs; it gets the box for cold ones. All workers count in the same `order`.
    """
    cold = box.cold if isinstance(box, SharedWarmBox) else box
    if task.language != "python3" or options.python:  # only the judge's own interpreter starts warm
        box = cold
    try:
        with open_submission(task, cold) as submission:
            runs = _Runs(task=task, submission=submission, options=options, order=order, box=box, cold=cold)
            return runs.grade_cases() if submission.scoring is None else runs.grade_scored(submission.scoring)
    except (JudgeError, OSError) as error:
        return blame_judge(task, describe_error(error)[:_MAX_REASON])


class _Runs(Struct, kw_only=True):
    """The runs of one submission, and what they add up to."""

    task: Task
    submission: Submission
    options: GradeOptions
    order: CaseOrder
    box: Box
    cold: Box
    cpu: float = 0.0
    wall: float = 0.0
    memory: int = 0
    margin: float | None = None
    is_uncertain: bool = False
    level: str = ""
    passed: int = 0

    def grade_scored(self, scoring: "Grading") -> Grade:
        """Judge all cases in their order but those that earlier results decide; the score is a share of the best.

        Where the best score is not known, it is 1 for a submission that is accepted, and else 0.
        """
        failures: dict[int, tuple[CaseResult, bytes]] = {}
        for index, prepared in enumerate(self.submission.cases):
            result, output = scoring.find_omission(prepared.case), b""
            if result is None:
                result, output = self.judge(index)
            scoring.take(result)
            self.passed += result.verdict is Verdict.AC
            if result.verdict is not Verdict.AC and not result.is_omitted:
                failures[index] = result, output
            if result.verdict is Verdict.CE:
                break
        grade = self.conclude(failures, has_all=True)
        if grade.score is None or grade.verdict is Verdict.CE:
            return grade
        scores, best = scoring.finish(), self.submission.best
        verdict = scores.verdict or grade.verdict
        if verdict is Verdict.JE:
            return replace(grade, score=None, verdict=verdict, fault=scores.reason[:_MAX_REASON] or "the grader failed")
        if scores.score is None or not best:
            return replace(grade, score=float(scores.verdict is Verdict.AC), verdict=verdict)
        return replace(grade, score=min(1.0, max(0.0, scores.score / best)), verdict=verdict)

    def grade_cases(self) -> Grade:
        """Judge the cases that reject most first, until one fails."""
        options, names = self.options, self.submission.names
        order = range(len(names)) if options.in_order else self.order.order(self.task.group, names)
        failures: dict[int, tuple[CaseResult, bytes]] = {}
        for index in order:
            result, output = self.judge(index)
            if result.verdict is Verdict.AC:
                self.passed += 1
                continue
            failures[index] = result, output
            if result.verdict not in _NO_BLAME:
                self.order.count(self.task.group, names[index])
            if not options.runs_all or result.verdict is Verdict.CE:
                break
        return self.conclude(failures, has_all=options.runs_all)

    def judge(self, index: int) -> tuple[CaseResult, bytes]:
        """Judge a case; repeat it cold unless the verdict is clean and no limit is near."""
        limits = self.submission.cases[index].case.limits
        first: CaseResult | None = None
        if self.box is not self.cold:
            first, output = self.run_warm(index, limits)
            # a clean verdict does not depend on how fast the machine was, or how warm
            if first is not None and first.verdict in _CLEAN and not _is_near_limit(first):
                return first, output
        second, output = self.run_cold(index, limits)
        if first is None:
            if not _is_near_limit(second) or (_is_too_slow(second) and not self.submission.is_interactive):
                return second, output
            first = second
            second, output = self.run(index, self.cold, limits)
        if second.verdict == first.verdict or not (_is_near_limit(first) or _is_near_limit(second)):
            return second, output
        self.is_uncertain = True
        third, third_output = self.run(index, self.cold, limits)
        return (second, output) if third.verdict == second.verdict else (third, third_output)

    def run_warm(self, index: int, limits: Limits) -> tuple[CaseResult | None, bytes]:
        """Run a case warm; None if it takes so long that a cold start does not matter: then the rest runs cold, too.

        So what hangs does not exceed its limit twice.
        """
        patience = replace(limits, cpu=min(limits.cpu, _WARM_CPU), wall=min(limits.wall, _WARM_WALL))
        result, output = self.submission.judge(index, self.box, patience)
        if patience != limits and _is_too_slow(result):
            self.box = self.cold
            return None, b""
        result = _with_limits(result, limits)
        self.measure(result)
        return result, output

    def run_cold(self, index: int, limits: Limits) -> tuple[CaseResult, bytes]:
        """Run a case cold, up to the end of the band beyond its time limits: what is stopped there need not run again.

        An interaction keeps its limits: with longer ones, the interactor may give its verdict first.
        """
        if self.submission.is_interactive:
            return self.run(index, self.cold, limits)
        beyond = 1 + TIME_BAND
        longer = replace(limits, cpu=Seconds(limits.cpu * beyond), wall=Seconds(limits.wall * beyond))
        result, output = self.submission.judge(index, self.cold, longer)
        result = _conclude_again(result, limits)
        self.measure(result)
        return result, output

    def run(self, index: int, box: Box, limits: Limits) -> tuple[CaseResult, bytes]:
        """Run a case with its limits."""
        result, output = self.submission.judge(index, box, limits)
        self.measure(result)
        return result, output

    def measure(self, result: CaseResult) -> None:
        run = result.run
        if run is None:
            return
        self.cpu, self.wall = max(self.cpu, run.cpu), max(self.wall, run.wall)
        self.memory = max(self.memory, run.memory)
        self.level = run.level.value
        left = min(1 - used for used in _used_shares(run, result.case.limits))
        if run.ending is Ending.OUTPUT_LIMIT:  # how much more it would have printed is not known
            left = min(left, 0.0)
        self.margin = left if self.margin is None else min(self.margin, left)

    def conclude(self, failures: dict[int, tuple[CaseResult, bytes]], *, has_all: bool) -> Grade:
        """Return the result; a failure of the submission counts more than a fault.

        With `has_all`, all cases were judged, so the score is the share that passed.
        """
        real = [index for index in sorted(failures) if failures[index][0].verdict not in _NO_BLAME]
        faults = [index for index in sorted(failures) if failures[index][0].verdict in _NO_BLAME]
        verdict, score, fault = Verdict.AC, 1.0, ""
        has_run = self.margin is not None
        if real:
            verdict = failures[real[0]][0].verdict
            is_compiled = verdict is not Verdict.CE
            score = self.passed / len(self.submission.cases) if has_all and is_compiled else 0.0
        elif faults:
            verdict, fault = failures[faults[0]][0].verdict, failures[faults[0]][0].reason or "not judged"
        elif not self.submission.cases:
            verdict, fault = Verdict.SK, "there are no cases"
        is_partial = bool(real and faults and has_all)  # the share of passed tests is not known
        return Grade(
            id=self.task.id,
            line=self.task.line,
            task=self.task.group,
            verdict=verdict,
            score=None if fault or is_partial else score,
            fault=(fault or (failures[faults[0]][0].reason if is_partial else ""))[:_MAX_REASON],
            passed=self.passed,
            total=len(self.submission.cases),
            first_failure=self.describe(real[0], *failures[real[0]]) if real else None,
            cpu_s=round(self.cpu, 6) if has_run else None,
            wall_s=round(self.wall, 6) if has_run else None,
            memory_bytes=self.memory if has_run else None,
            margin=None if self.margin is None else round(self.margin, 4),
            uncertain=self.is_uncertain,
            sandbox=self.level,
            digest=self.task.digest,
        )

    def describe(self, index: int, result: CaseResult, output: bytes) -> Failure:
        prepared = self.submission.cases[index]
        given, expected = (prepared.input, prepared.answer) if isinstance(prepared, ReadyCase) else (b"", None)
        has_run = result.run is not None
        if result.run:
            stderr = self.submission.name_source(result.run.stderr_tail)[-1000:]
        else:
            stderr = result.message[:1000].encode(errors="replace")
        return Failure(
            case=self.submission.names[index],
            verdict=result.verdict,
            reason=" ".join(result.reason.splitlines())[:_MAX_REASON],
            input=_beginning(given) if has_run else "",
            expected=_beginning(expected) if has_run and expected is not None else "",
            found=_beginning(output),
            stderr=_decode(stderr),
        )


def _is_too_slow(result: CaseResult) -> bool:
    """Return whether a run was stopped at the time limit that it had."""
    return result.run is not None and result.run.ending in _TOO_SLOW


def _with_limits(result: CaseResult, limits: Limits) -> CaseResult:
    return replace(result, case=replace(result.case, limits=limits))


def _conclude_again(result: CaseResult, limits: Limits) -> CaseResult:
    """Return what the result of a run with longer time limits is under these limits."""
    result, run = _with_limits(result, limits), result.run
    if run is None or result.verdict is Verdict.MLE:
        return result
    if run.ending not in _TOO_SLOW and run.cpu <= limits.cpu:  # its wall-clock time may be waiting for a processor
        return result
    found = conclude(run, limits, lambda: CheckResult(verdict=Verdict.TLE))
    return replace(result, verdict=found.verdict, reason=found.reason)


def _used_shares(run: RunResult, limits: Limits) -> tuple[float, float, float]:
    return run.cpu / limits.cpu, run.wall / limits.wall, run.memory / limits.memory


def _is_near_limit(result: CaseResult) -> bool:
    """Return whether a run was stopped at a limit of time or memory, or ended within the band of one."""
    run = result.run
    if run is None:
        return False
    if run.ending in _KILLED:
        return True
    cpu, wall, memory = _used_shares(run, result.case.limits)
    return max(cpu, wall) >= 1 - TIME_BAND or memory >= 1 - MEMORY_BAND


def _beginning(data: Data) -> str:
    """Return the beginning of some data as text: up to 400 bytes."""
    if isinstance(data, Path):
        try:
            with data.open("rb") as file:
                data = file.read(401)
        except OSError:
            return ""
    return _decode(data[:400]) + ("..." if len(data) > 400 else "")


def _decode(data: bytes) -> str:
    return data.decode(errors="replace")
