"""One call of `run`: the events in the order that `judge.events` promises."""

import os
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from judge.errors import DataError, JudgeError, describe_error
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
from judge.preparation.cases import Broken, Generating, LazyCases, PreparedCase, Ready, Skipped
from judge.preparation.lock import Lock, read_lock
from judge.preparation.prepare import prepare_with_progress
from judge.runner.cache import ResultCache
from judge.runner.options import NO_OVERRIDES, ProblemSelection, RunOptions
from judge.runner.submission import ResultSummary, SolutionBuild, judge_one
from judge.sandbox.installations import find_exposing_folder
from judge.units import Seconds


def exposed_answers(selections: Iterable[ProblemSelection], programs: Iterable[str]) -> Iterator[Notice]:
    """Yield a notice for each folder with problems or cases that runs are shown.

    Args:
        selections: what is judged.
        programs: interpreters that run solutions, besides our own: absolute paths.
    """
    tools = list(programs)
    for folder in sorted({folder for each in selections for folder in _folders(each.problem)}):
        if shown := find_exposing_folder(os.path.realpath(folder), tools):
            text = f"{folder} lies in {shown}, which runs are shown: a solution can read its answers; keep it elsewhere"
            yield Notice(text=text)


def _folders(problem: Problem) -> Iterator[Path]:
    """Yield where a problem and its cases lie, as the first case shows it."""
    if problem.folder:
        yield problem.folder.parent
    if problem.cases:
        case = problem.cases[0]
        yield case.origin.parent
        yield from (data.path.parent for data in (case.input, case.answer) if isinstance(data, InFile))


def run(selections: Sequence[ProblemSelection], executor: LocalExecutor, options: RunOptions) -> Iterator[Event]:
    """Judge everything that is selected; yield events in the order that `judge.events` promises.

    Raises:
        SandboxError: nothing can be run at all.
    """
    session = _Session(executor, options)
    yield RunBegan(
        runs=sum(len(each.problem.solutions) * len(each.problem.cases) for each in selections),
        workers=executor.workers,
        level=executor.level,
    )
    if executor.is_warm:
        yield Notice(text="warm runs: they fork from a ready interpreter; verdicts that count come from cold runs")
    if executor.level is not Level.LIMITS:  # there runs can read everything, and the level says so
        yield from exposed_answers(selections, options.tools.values())
    for diagnostic in options.diagnostics:
        session.had_errors = True
        yield Notice(text=str(diagnostic), is_error=True)
    interrupted = False
    try:
        for selection in selections:
            yield from session.judge_problem(selection)
            if session.stopped:
                break
    except Interrupted:
        interrupted = True
        yield from session.leftovers()
    finally:
        session.recall.flush()
    if options.results is not None and options.results.warning:
        yield Notice(text=options.results.warning)
    yield session.ended(interrupted=interrupted)


class _Session:
    """The state of one call of `run`: counters, and what has begun and not ended."""

    def __init__(self, executor: LocalExecutor, options: RunOptions) -> None:
        self.executor = executor
        self.options = options
        self.start = time.monotonic()
        self.recall = ResultCache(options, level=executor.level, is_warm=executor.is_warm)
        self.solutions = self.surprises = self.runs = self.cached = self.judged = 0
        self.had_errors = False
        self.stopped = False
        self.open_problem: Problem | None = None
        self.open_tally: ResultSummary | None = None

    def judge_problem(self, selection: ProblemSelection) -> Iterator[Event]:
        problem = selection.problem
        prepared: Sequence[PreparedCase]
        try:
            lock = read_lock(problem.lock)
            prepared = yield from self.prepared(problem, lock)
        except DataError as error:
            self.had_errors = True
            yield Notice(text=str(error), is_error=True)
            return
        except (JudgeError, OSError) as error:  # it costs this problem only
            self.had_errors = True
            yield Notice(text=f"{problem.id}: its test data cannot be prepared: {describe_error(error)}", is_error=True)
            return
        yield from self.notices(problem, prepared, lock)
        if selection.overrides != NO_OVERRIDES:
            prepared = [replace(each, case=selection.overrides.case(each.case)) for each in prepared]
            problem = selection.overrides.shown(problem)
            selection = replace(selection, problem=problem)
        self.open_problem = problem
        yield ProblemBegan(problem=problem, solutions=len(problem.solutions), cases=len(problem.cases))
        submissions = [
            SolutionBuild(solution, self.options, is_named=solution.path in selection.named)
            for solution in problem.solutions
        ]
        self.recall.begin()
        results = self.executor.map(
            judge_one, ((each, case) for each in submissions for case in prepared), self.recall.find
        )
        for submission in submissions:
            yield from self.judge_solution(selection, submission, results, len(prepared))
            if self.stopped:
                break
        self.open_problem = None
        yield ProblemJudged(problem=problem)

    def prepared(self, problem: Problem, lock: Lock) -> Generator[Event, None, Sequence[PreparedCase]]:
        """Prepare a problem's cases, yielding how far that is; return them."""
        if problem.reference is problem.validator is None:
            try:
                return LazyCases(problem.cases)
            except ValueError:
                pass  # some input is to be made
        made: list[PreparedCase] = []
        for each in prepare_with_progress(
            problem, problem.cases, self.options.store, lock, self.executor.map, workers=self.executor.workers
        ):
            left = each.left if isinstance(each, Generating) else 0
            if not isinstance(each, Generating):
                made.append(each)
            yield Preparing(problem=problem, done=len(made), total=len(problem.cases), inputs_left=left)
        return made

    def judge_solution(
        self, selection: ProblemSelection, submission: SolutionBuild, results: Iterator[CaseResult], cases: int
    ) -> Iterator[Event]:
        problem, solution = selection.problem, submission.solution
        tally = self.open_tally = ResultSummary(problem, submission, is_complete=selection.complete)
        yield SolutionBegan(problem=problem, solution=solution, cases=cases)
        for _ in range(cases):
            result = next(results)
            self.recall.learn(result)
            tally.add(result)
            self.runs += result.run is not None and not result.is_cached
            self.cached += result.is_cached
            self.judged += result.verdict not in (Verdict.SK, Verdict.JE)
            self.had_errors |= result.verdict is Verdict.JE
            yield CaseJudged(problem=problem, solution=solution, result=result)
            if self.options.fail_fast and tally.failures:
                self.stopped = True
                tally.is_complete = False
                break
        yield from self.close_tally()
        self.stopped |= self.options.fail_fast and self.surprises > 0

    def close_tally(self) -> Iterator[Event]:
        tally, self.open_tally = self.open_tally, None
        if tally is None:
            return
        result = tally.result()
        self.solutions += 1
        self.surprises += not result.as_expected
        if tally.submission.notice:
            self.had_errors |= tally.submission.is_named
            yield Notice(text=tally.submission.notice, is_error=tally.submission.is_named)
        yield SolutionJudged(problem=tally.problem, result=result)

    def notices(self, problem: Problem, prepared: Sequence[PreparedCase], lock: Lock) -> Iterator[Notice]:
        """Say what is wrong with the test data, what is skipped, and what is not locked."""
        if not isinstance(prepared, LazyCases):  # else nothing can be, and a walk through very many takes its time
            yield from self.about(problem, prepared, lock)
        if self.options.store.objects.warning:
            yield Notice(text=self.options.store.objects.warning)
            self.options.store.objects.warning = ""

    def about(self, problem: Problem, prepared: Sequence[PreparedCase], lock: Lock) -> Iterator[Notice]:
        for each in prepared:
            if isinstance(each, Broken):
                self.had_errors = True
                yield Notice(text=str(each.diagnostic), is_error=True)
        for each in prepared:
            if isinstance(each, Skipped):
                yield Notice(text=f"{problem.id}: {each.case.id} is skipped: {each.reason}")
        fresh = [e.case.id for e in prepared if isinstance(e, Ready) and e.locked and lock.get(e.case.id) != e.locked]
        if problem.lock and fresh:
            some = f"{fresh[0]} is" if len(fresh) == 1 else f"{len(fresh)} cases ({fresh[0]}, ...) are"
            yield Notice(text=f"{problem.id}: {some} new or changed; `judge lock {problem.id}` records them")

    def leftovers(self) -> Iterator[Event]:
        """End what an interrupt left open: what is known by then is told."""
        if self.open_tally is not None:
            self.open_tally.is_complete = False
        yield from self.close_tally()
        if self.open_problem is not None:
            yield ProblemJudged(problem=self.open_problem)

    def ended(self, *, interrupted: bool) -> RunEnded:
        nothing = self.judged == 0 and not interrupted  # a quiet success would be a lie
        had_errors = self.had_errors or nothing
        return RunEnded(
            solutions=self.solutions,
            surprises=self.surprises,
            runs=self.runs,
            cached=self.cached,
            as_expected=not (self.surprises or had_errors or interrupted),
            had_errors=had_errors,
            interrupted=interrupted,
            wall=Seconds(time.monotonic() - self.start),
        )
