"""Judge a selection: one call of `run` yields the events in the order that `judge.events` promises."""

import os
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from judge.errors import DataError, Diagnostic, JudgeError, describe_error
from judge.events import (
    CaseJudged,
    Event,
    Notice,
    Preparing,
    ProblemBegan,
    ProblemJudged,
    RunBegan,
    RunEnded,
    SolutionBegan,
    SolutionJudged,
)
from judge.executors import Interrupted, LocalExecutor
from judge.model import CaseResult, InFile, Level, Problem, Verdict
from judge.preparation.cases import Generating, InvalidCase, LazyCases, PreparedCase, ReadyCase, SkippedCase
from judge.preparation.lock import Lock, read_lock
from judge.runner.cache import ResultCache
from judge.runner.options import NO_OVERRIDES, ProblemSelection, RunOptions
from judge.runner.solution import ResultSummary, SolutionBuild, judge_one, skip
from judge.sandbox.installations import find_exposing_folder
from judge.units import Seconds


def run(selections: Sequence[ProblemSelection], executor: LocalExecutor, options: RunOptions) -> Iterator[Event]:
    """Judge all selections, one problem after the other.

    Raises:
        SandboxError: no program can be run at all.
    """
    state = _Run(executor, options)
    yield RunBegan(
        runs=sum(len(each.problem.solutions) * len(each.problem.cases) for each in selections),
        workers=executor.workers,
        level=executor.level,
    )
    if executor.is_warm:
        yield Notice(text="warm runs are forked from a running interpreter: repeat without --warm for final verdicts")
    if executor.level is not Level.LIMITS:  # at that level, runs can read every file anyway
        yield from _exposure_notices(selections, options.tools.values())
    for diagnostic in options.diagnostics:
        yield state.report_error(diagnostic)
    interrupted = False
    try:
        for selection in selections:
            yield from state.judge_problem(selection)
            if state.is_stopped:
                break
    except Interrupted:
        interrupted = True
        yield from state.close_open()
    finally:
        state.cache.flush()
    if options.results is not None and options.results.warning:
        yield Notice(text=options.results.warning)
    yield state.end(interrupted=interrupted)


class _Run:
    """The state of one call of `run`: the counters, and the problem and the solution that are being judged."""

    def __init__(self, executor: LocalExecutor, options: RunOptions) -> None:
        self.executor = executor
        self.options = options
        self.start = time.monotonic()
        self.cache = ResultCache(options, level=executor.level, is_warm=executor.is_warm)
        self.solutions = self.unexpected = self.runs = self.cached = self.judged = 0
        self.had_errors = False
        self.is_stopped = False
        self.problem: Problem | None = None
        self.summary: ResultSummary | None = None

    def report_error(self, error: str | DataError | Diagnostic) -> Notice:
        """Return an error notice; the run counts as failed."""
        self.had_errors = True
        return Notice(text=str(error), is_error=True, is_diagnostic=not isinstance(error, str))

    def judge_problem(self, selection: ProblemSelection) -> Iterator[Event]:
        problem = selection.problem
        prepared: Sequence[PreparedCase]
        try:
            lock = read_lock(problem.lock)
            prepared = yield from self.prepare(problem, lock)
        except DataError as error:
            yield self.report_error(error)
            return
        except (JudgeError, OSError) as error:  # the other problems can still be judged
            yield self.report_error(f"{problem.id}: cannot prepare the test data: {describe_error(error)}")
            return
        yield from self.data_notices(problem, prepared, lock)
        if selection.overrides != NO_OVERRIDES:
            prepared = [replace(each, case=selection.overrides.override_case(each.case)) for each in prepared]
            problem = selection.overrides.override_display(problem)
        self.problem = problem
        yield ProblemBegan(problem=problem, solutions=len(problem.solutions), cases=len(problem.cases))
        builds = [
            SolutionBuild(solution, self.options, is_named=solution.path in selection.named)
            for solution in problem.solutions
        ]
        self.cache.begin(prepared)
        complete = selection.is_complete
        known = {each: self.known_summary(problem, each, is_complete=complete) for each in builds}
        jobs = ((build, case) for build in builds if known[build] is None for case in prepared)
        results = self.executor.map(judge_one, jobs, self.cache.find)
        for build, summary in known.items():
            if summary is not None:
                yield from self.report_known(summary, prepared)
            else:
                self.summary = ResultSummary(problem, build, is_complete=complete)
                yield from self.judge_solution(self.summary, results, len(prepared))
            self.is_stopped |= self.options.fail_fast and self.unexpected > 0
            if self.is_stopped:
                break
        self.problem = None
        yield ProblemJudged(problem=problem)

    def prepare(self, problem: Problem, lock: Lock) -> Generator[Event, None, Sequence[PreparedCase]]:
        """Prepare the cases of a problem, yielding the progress, and return them."""
        if problem.reference is problem.validator is None:
            try:
                return LazyCases(problem.cases)
            except ValueError:
                pass  # an input has to be generated
        from judge.preparation.prepare import prepare_with_progress

        done: list[PreparedCase] = []
        for each in prepare_with_progress(
            problem, problem.cases, self.options.store, lock, self.executor.map, workers=self.executor.workers
        ):
            left = 0
            if isinstance(each, Generating):
                left = each.remaining
            else:
                done.append(each)
            yield Preparing(problem=problem, done=len(done), total=len(problem.cases), inputs_left=left)
        return done

    def data_notices(self, problem: Problem, prepared: Sequence[PreparedCase], lock: Lock) -> Iterator[Notice]:
        """Yield what is wrong with the test data, which cases are skipped, and which are not locked."""
        if not isinstance(prepared, LazyCases):  # those are all ready; walking through very many of them takes long
            for each in prepared:
                if isinstance(each, InvalidCase):
                    yield self.report_error(each.diagnostic)
            for each in prepared:
                if isinstance(each, SkippedCase):
                    yield Notice(text=f"{problem.id}: {each.case.id} is skipped: {each.reason}")
            unlocked = [
                each.case.id
                for each in prepared
                if isinstance(each, ReadyCase) and each.locked and lock.get(each.case.id) != each.locked
            ]
            if problem.lock and unlocked:
                cases = f"{unlocked[0]} is" if len(unlocked) == 1 else f"{len(unlocked)} cases ({unlocked[0]}, ...) are"
                yield Notice(text=f"{problem.id}: {cases} new or changed; run `judge lock {problem.id}` to record them")
        if self.options.store.objects.warning:
            yield Notice(text=self.options.store.objects.warning)
            self.options.store.objects.warning = ""

    def known_summary(self, problem: Problem, build: SolutionBuild, *, is_complete: bool) -> ResultSummary | None:
        """Return the summary of a solution whose results are all in the cache, unless its cases are to be reported."""
        stored = self.cache.find_summary(build) if self.options.skips_cases else None
        if stored is None or self.options.skips_cases is None:
            return None
        summary = ResultSummary(problem, build, is_complete=is_complete, stored=stored)
        stops_early = self.options.fail_fast and summary.failures
        return None if stops_early or not self.options.skips_cases(problem, summary.result()) else summary

    def report_known(self, summary: ResultSummary, prepared: Sequence[PreparedCase]) -> Iterator[Event]:
        if self.executor.is_stopping:
            raise Interrupted
        problem, solution = summary.problem, summary.solution.solution
        yield SolutionBegan(problem=problem, solution=solution, cases=len(prepared))
        self.summary = summary
        skipped = [skip(each) for each in prepared if isinstance(each, SkippedCase)]
        for result in skipped:  # reports say why
            yield CaseJudged(problem=problem, solution=solution, result=result)
        self.cached += len(prepared) - len(skipped)
        self.judged += len(prepared) - len(skipped)
        yield from self.close_solution()

    def judge_solution(self, summary: ResultSummary, results: Iterator[CaseResult], cases: int) -> Iterator[Event]:
        problem, solution = summary.problem, summary.solution.solution
        yield SolutionBegan(problem=problem, solution=solution, cases=cases)
        for _ in range(cases):
            result = next(results)
            self.cache.put(result)
            summary.add(result)
            self.runs += result.run is not None and not result.is_cached
            self.cached += result.is_cached
            self.judged += result.verdict not in (Verdict.SK, Verdict.JE)
            self.had_errors |= result.verdict is Verdict.JE
            yield CaseJudged(problem=problem, solution=solution, result=result)
            if self.options.fail_fast and summary.failures:
                self.is_stopped = True
                summary.is_complete = False
                break
        self.cache.put_summary(summary.solution, summary.to_store())
        yield from self.close_solution()

    def close_solution(self) -> Iterator[Event]:
        summary, self.summary = self.summary, None
        if summary is None:
            return
        result = summary.result()
        self.solutions += 1
        self.unexpected += not result.as_expected
        if summary.solution.notice:
            self.had_errors |= summary.solution.is_named
            yield Notice(text=summary.solution.notice, is_error=summary.solution.is_named)
        yield SolutionJudged(problem=summary.problem, result=result)

    def close_open(self) -> Iterator[Event]:
        """After an interrupt, report what is known of the solution and the problem that were being judged."""
        if self.summary is not None:
            self.summary.is_complete = False
        yield from self.close_solution()
        if self.problem is not None:
            yield ProblemJudged(problem=self.problem)

    def end(self, *, interrupted: bool) -> RunEnded:
        had_errors = self.had_errors or (self.judged == 0 and not interrupted)  # a run of nothing is not a success
        return RunEnded(
            solutions=self.solutions,
            unexpected=self.unexpected,
            runs=self.runs,
            cached=self.cached,
            as_expected=not (self.unexpected or had_errors or interrupted),
            had_errors=had_errors,
            interrupted=interrupted,
            wall=Seconds(time.monotonic() - self.start),
        )


def _exposure_notices(selections: Iterable[ProblemSelection], programs: Iterable[str]) -> Iterator[Notice]:
    """Yield a notice for each folder with problems or cases that the sandbox lets runs read.

    Args:
        selections: what is judged.
        programs: absolute paths of interpreters that run solutions, besides the default one.
    """
    tools = list(programs)
    for folder in sorted({folder for each in selections for folder in _data_folders(each.problem)}):
        if parent := find_exposing_folder(os.path.realpath(folder), tools):
            yield Notice(
                text=f"{folder} is in {parent}, which runs can read: solutions can read the answers; "
                "move it to another folder"
            )


def _data_folders(problem: Problem) -> Iterator[Path]:
    """Yield the folders with a problem and with its cases; the first case stands for all."""
    if problem.folder:
        yield problem.folder.parent
    if problem.cases:
        case = problem.cases[0]
        yield case.origin.parent
        yield from (data.path.parent for data in (case.input, case.answer) if isinstance(data, InFile))
