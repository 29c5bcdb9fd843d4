"""The runner: plans the runs, has them judged, and yields events. It prints nothing and decides nothing by itself."""

import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge.errors import DataError, Finding, JudgeError, SandboxError, ToolError, told
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
from judge.judging import Job, judge
from judge.languages import CompileError, Program, build, language_of
from judge.model import CaseResult, Problem, Solution, SolutionResult, Verdict
from judge.sandbox.box import Box
from judge.testdata.lock import Lock, read_lock
from judge.testdata.prepare import prepare_visibly
from judge.testdata.prepared import Broken, Generating, GivenCases, PreparedCase, Ready, Shelf, Skipped
from judge.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is to be judged of one problem.

    Attributes:
        problem: with the selected cases and solutions only.
        complete: all cases of the problem are selected, so that a required verdict must show.
        named: paths of solutions that the user named: one that cannot be judged here is an error, not skipped.
    """

    problem: Problem
    complete: bool = True
    named: frozenset[Path] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How it is to be judged.

    Attributes:
        fail_fast: stop at the first verdict that is not expected.
        tools: compilers and interpreters to use instead of the usual ones, such as `{"python": "pypy3"}`.
        findings: what is wrong with files that are not judged; said at the start.
        words: of the command line, that judging a part again needs too.
    """

    shelf: Shelf
    fail_fast: bool = False
    tools: Mapping[str, str] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    words: tuple[str, ...] = ()


def run(selections: Sequence[Selection], executor: LocalExecutor, options: Options) -> Iterator[Event]:
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
    for finding in options.findings:
        session.had_errors = True
        yield Notice(text=str(finding), is_error=True)
    interrupted = False
    try:
        for selection in selections:
            yield from session.judge_problem(selection)
            if session.stopped:
                break
    except Interrupted:
        interrupted = True
        yield from session.leftovers()
    yield session.ended(interrupted=interrupted)


class _Session:
    """The state of one call of `run`: counters, and what has begun and not ended."""

    def __init__(self, executor: LocalExecutor, options: Options) -> None:
        self.executor = executor
        self.options = options
        self.start = time.monotonic()
        self.solutions = self.surprises = self.runs = self.judged = 0
        self.had_errors = False
        self.stopped = False
        self.open_problem: Problem | None = None
        self.open_tally: _Tally | None = None

    def judge_problem(self, selection: Selection) -> Iterator[Event]:
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
            yield Notice(text=f"{problem.id}: its test data cannot be prepared: {told(error)}", is_error=True)
            return
        yield from self.notices(problem, prepared, lock)
        self.open_problem = problem
        yield ProblemBegan(problem=problem, solutions=len(problem.solutions), cases=len(problem.cases))
        submissions = [
            _Submission(solution, self.options, is_named=solution.path in selection.named)
            for solution in problem.solutions
        ]
        results = self.executor.map(_judge_one, ((each, case) for each in submissions for case in prepared))
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
                return GivenCases(problem.cases)
            except ValueError:
                pass  # some input is to be made
        made: list[PreparedCase] = []
        for each in prepare_visibly(
            problem, problem.cases, self.options.shelf, lock, self.executor.map, workers=self.executor.workers
        ):
            left = each.left if isinstance(each, Generating) else 0
            if not isinstance(each, Generating):
                made.append(each)
            yield Preparing(problem=problem, done=len(made), total=len(problem.cases), inputs_left=left)
        return made

    def judge_solution(
        self, selection: Selection, submission: "_Submission", results: Iterator[CaseResult], cases: int
    ) -> Iterator[Event]:
        problem, solution = selection.problem, submission.solution
        tally = self.open_tally = _Tally(problem, submission, is_complete=selection.complete)
        yield SolutionBegan(problem=problem, solution=solution, cases=cases)
        for _ in range(cases):
            result = next(results)
            tally.add(result)
            self.runs += result.run is not None
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
        for each in prepared:
            if isinstance(each, Broken):
                self.had_errors = True
                yield Notice(text=str(each.finding), is_error=True)
        for each in prepared:
            if isinstance(each, Skipped):
                yield Notice(text=f"{problem.id}: {each.case.id} is skipped: {each.reason}")
        fresh = [e.case.id for e in prepared if isinstance(e, Ready) and e.locked and lock.get(e.case.id) != e.locked]
        if problem.lock and fresh:
            some = f"{fresh[0]} is" if len(fresh) == 1 else f"{len(fresh)} cases ({fresh[0]}, ...) are"
            yield Notice(text=f"{problem.id}: {some} new or changed; `judge lock {problem.id}` records them")
        if self.options.shelf.objects.warning:
            yield Notice(text=self.options.shelf.objects.warning)
            self.options.shelf.objects.warning = ""

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
            as_expected=not (self.surprises or had_errors or interrupted),
            had_errors=had_errors,
            interrupted=interrupted,
            wall=Seconds(time.monotonic() - self.start),
        )


class _Submission:
    """A solution on its way to being a program: built once, by the worker that needs it first."""

    def __init__(self, solution: Solution, options: Options, *, is_named: bool) -> None:
        self.solution = solution
        self.options = options
        self.is_named = is_named
        self.message = ""  # the compiler's first error
        self.notice = ""  # why it cannot be judged on this machine
        self._lock = threading.Lock()
        self._built: Program | CompileError | JudgeError | None = None

    @property
    def language(self) -> str:
        """The language's name; "" when the suffix is unknown."""
        try:
            return language_of(self.solution.path).name
        except ToolError:
            return ""

    def built(self, box: Box) -> Program | CompileError | JudgeError:
        """Return the program, building it if nobody has."""
        with self._lock:
            if self._built is None:
                self._built = self._build(box)
            return self._built

    def _build(self, box: Box) -> Program | CompileError | JudgeError:
        shelf = self.options.shelf
        try:
            built = build(self.solution.path, shelf.build, box, self.options.tools, shelf.programs)
        except (JudgeError, OSError) as error:
            self.notice = f"{self.solution.shown} cannot be judged here: {told(error)}"
            return error if isinstance(error, JudgeError) else SandboxError(told(error))
        if isinstance(built, CompileError):
            self.message = built.message
        return built


def _judge_one(box: Box, job: tuple[_Submission, PreparedCase]) -> CaseResult:
    """Judge one submission on one case; runs in a worker."""
    submission, prepared = job
    case = prepared.case
    if isinstance(prepared, Skipped):
        return CaseResult(case=case, verdict=Verdict.SK, reason=prepared.reason)
    if isinstance(prepared, Broken):
        return CaseResult(case=case, verdict=Verdict.JE, reason=prepared.finding.message)
    match submission.built(box):
        case Program() as program:
            return judge(Job(program=program, case=case, input=prepared.input, answer=prepared.answer), box)
        case CompileError(message=message):
            return CaseResult(case=case, verdict=Verdict.CE, reason=message)
        case error:
            verdict = Verdict.JE if submission.is_named or not isinstance(error, ToolError) else Verdict.SK
            return CaseResult(case=case, verdict=verdict, reason=told(error))


class _Tally:
    """Sums up one solution's results as they come; keeps no more of them than a report shows."""

    def __init__(self, problem: Problem, submission: _Submission, *, is_complete: bool) -> None:
        self.problem = problem
        self.submission = submission
        self.is_complete = is_complete
        self.expectation = submission.solution.expectation
        self.counts: dict[Verdict, int] = {}
        self.first: Verdict | None = None
        self.failures: dict[Verdict, CaseResult] = {}
        self.slowest: CaseResult | None = None
        self.largest: CaseResult | None = None

    def add(self, result: CaseResult) -> None:
        """Take one more result."""
        verdict = result.verdict
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        if verdict not in (Verdict.AC, Verdict.SK) and self.first is None:
            self.first = verdict
        if verdict not in self.expectation.permitted and verdict is not Verdict.SK:
            self.failures.setdefault(verdict, result)
        if result.run is not None:
            if self.slowest is None or self.slowest.run is None or result.run.cpu > self.slowest.run.cpu:
                self.slowest = result
            if self.largest is None or self.largest.run is None or result.run.memory > self.largest.run.memory:
                self.largest = result

    def verdict(self) -> Verdict:
        """Return the solution's verdict: JE, else that of the first case that failed, else AC, or SK."""
        if Verdict.JE in self.counts:
            return Verdict.JE
        if self.first is not None:
            return self.first
        return Verdict.AC if Verdict.AC in self.counts else Verdict.SK

    def result(self) -> SolutionResult:
        """Return the summary of what was added."""
        judged = self.counts.keys() - {Verdict.SK}
        complete = self.is_complete and Verdict.SK not in self.counts
        shown = not complete or bool(judged & self.expectation.required)
        return SolutionResult(
            solution=self.submission.solution,
            language=self.submission.language,
            verdict=self.verdict(),
            as_expected=not self.failures and shown,
            counts=dict(self.counts),
            slowest=self.slowest,
            largest=self.largest,
            failures=tuple(self.failures.values()),
            message=self.submission.message or self.submission.notice,
            options=self.submission.options.words,
        )
