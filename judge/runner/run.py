"""Judge a selection: one call of `run` yields the events in the order that `judge.model.events` promises."""

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, JudgeError, describe_error
from judge.base.units import Seconds, format_count
from judge.languages.table import LANGUAGES, SUFFIXES, Language, find_language
from judge.model import CaseResult, InFile, Level, Problem, Produced, Solution, SolutionResult, Verdict
from judge.model.events import (
    CaseJudged,
    Compiling,
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
from judge.preparation.cases import InvalidCase, LazyCases, PreparedCase, ReadyCase, SkippedCase, diagnose
from judge.preparation.store import Lock, read_lock
from judge.runner.cache import ResultCache
from judge.runner.executors import Interrupted, LocalExecutor
from judge.runner.options import NO_OVERRIDES, ProblemSelection, RunOptions
from judge.runner.solution import BuildQueue, ResultSummary, SolutionBuild, is_pypy, judge_one, may_overlap, omit, skip
from judge.sandbox.box import Box
from judge.sandbox.installations import find_exposing_folder

if TYPE_CHECKING:  # few problems have programs that judge, or scores
    from judge.judging.programs import JudgePrograms

_PASSED = frozenset({Verdict.AC, Verdict.SK, Verdict.NA})
_WITHOUT_RUN = frozenset({Verdict.CE, Verdict.JE, Verdict.SK, Verdict.NA})
_PYTHON_SUFFIXES = next(each.suffixes for each in LANGUAGES if each.id == "python3")
_PATIENCE = Seconds(2.0)  # how long to wait for a result before saying what takes so long


def run(selections: Sequence[ProblemSelection], executor: LocalExecutor, options: RunOptions) -> Iterator[Event]:
    """Judge all selections, one problem after the other.

    Raises:
        SandboxError: no program can be run at all.
    """
    state = _Run(executor, options)
    flagged = _find_flagged(selections, options) if options.build.flags else ()
    yield RunBegan(
        runs=sum(len(each.problem.solutions) * len(each.problem.cases) for each in selections),
        workers=executor.workers,
        level=executor.level,
        flags={language.id: options.build.flags_of(language) for language in flagged},
    )
    yield from (Notice(text=text) for text in options.build.describe_flags(flagged))
    if executor.is_warm:
        yield Notice(text="warm runs are forked from a running interpreter: repeat without --warm for final verdicts")
    if executor.level is not Level.LIMITS:  # at that level, runs can read every file anyway
        yield from _exposure_notices(selections, options.tools.values())
    yield from _describe_python(selections, options.tools, is_warm=executor.is_warm)
    yield from (Notice(text=note) for note in options.notes)
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
    for language, names in state.unexamined.items():
        more = f" and {format_count(len(names) - 1, 'other solution')}" if len(names) > 1 else ""
        yield Notice(text=f"--sanitize has no checks for {language}: does not examine {names[0]}{more}")
    if options.results is not None and options.results.warning:
        yield Notice(text=options.results.warning)
    yield state.end(interrupted=interrupted)


class _Run:
    """The state of one call of `run`: the counters, and the problem and the solution that are being judged."""

    def __init__(self, executor: LocalExecutor, options: RunOptions) -> None:
        self.executor = executor
        self.options = options
        self.start = time.monotonic()
        self.cache = ResultCache(options, level=executor.level, is_warm=executor.is_warm, place=executor.place)
        self.solutions = self.unexpected = self.runs = self.cached = self.judged = 0
        self.had_errors = False
        self.is_stopped = False
        self.last: SolutionResult | None = None
        self.omitted: set[str] = set()  # the cases on which the solution was not judged
        self.problem: Problem | None = None
        self.lock: Lock = {}  # of the problem
        self.contradicts_lock = False  # the solution is the reference, and prints other answers than the locked ones
        self.summary: ResultSummary | None = None
        self.cases = 0  # of the solution
        self.programs: JudgePrograms | None = None  # of the problem
        self.unexamined: dict[str, list[str]] = {}  # accepted solutions in languages without checks for luck

    def report_error(self, error: str | DataError | Diagnostic) -> Notice:
        """Return an error notice; the run counts as failed."""
        self.had_errors = True
        diagnostics = error.diagnostics if isinstance(error, DataError) else ()
        if isinstance(error, Diagnostic):
            diagnostics = (error,)
        return Notice(text=str(error), is_error=True, diagnostics=diagnostics)

    def judge_problem(self, selection: ProblemSelection) -> Iterator[Event]:
        problem = selection.problem
        prepared: Sequence[PreparedCase]
        self.programs = self.options.store.judge_programs(selection.whole or problem)
        options = self.options
        if selection.tools and not self.executor.is_warm:  # the problem's own tools, where the user names none
            options = replace(options, tools={**selection.tools, **options.tools})
        try:
            self.lock = {}
            self.lock = read_lock(problem.lock)
            if selection.whole is not None and selection.overrides.cpu is None:
                problem = yield from self.set_time_limit(problem, selection.whole, options)
            prepared = yield from self.prepare(problem)
        except DataError as error:  # in a file that all cases depend on
            yield self.report_error(error)
            prepared = [InvalidCase(case, "the problem's files are wrong") for case in problem.cases]
        except (JudgeError, OSError) as error:  # the other problems can still be judged
            yield self.report_error(f"{problem.id}: cannot prepare the test data: {describe_error(error)}")
            return
        else:
            yield from self.data_notices(problem, prepared)
        problem, prepared = _adapt(problem, prepared, selection)
        self.problem = problem
        yield ProblemBegan(
            problem=problem,
            solutions=len(problem.solutions),
            cases=len(problem.cases),
            tools=None if self.executor.place else options.tools,
        )
        queue = BuildQueue(self.judge_builds(problem, prepared))
        builds = [
            SolutionBuild(each, problem, options, self.programs, is_named=each.path in selection.named, queue=queue)
            for each in problem.solutions
        ]
        self.cache.begin(prepared, self.programs, problem.groups)
        complete = selection.is_complete
        known = {each: self.known_summary(problem, each, is_complete=complete) for each in builds}
        if complete and problem.is_graded:  # the score of some cases says nothing
            self.begin_grading(problem, [build for build in builds if known[build] is None])
        self.queue_builds(queue, builds if self.cache.is_unread and _find_ready(prepared) else ())
        jobs = ((build, case) for build in builds if known[build] is None for case in prepared)
        known_or_queued = partial(self.find_or_queue, queue)
        results = self.executor.map(judge_one, jobs, known_or_queued, patience=_PATIENCE, may_overlap=may_overlap)
        for build, found in known.items():
            self.contradicts_lock = False
            if found is not None:
                yield from self.report_known(*found, prepared)
            else:
                self.summary = ResultSummary(build, is_complete=complete)
                yield from self.judge_solution(self.summary, results, prepared, queue)
            yield from self.find_luck(build, prepared)
            self.is_stopped |= self.options.fail_fast and self.unexpected > 0
            if self.is_stopped:
                break
        self.problem = None
        yield ProblemJudged(problem=problem)

    def begin_grading(self, problem: Problem, builds: Sequence[SolutionBuild]) -> None:
        from judge.runner.grading import Grading, grade_in_worker

        for build in builds:
            build.grading = Grading(problem, grade_in_worker(self.programs, self.executor))

    def set_time_limit(self, problem: Problem, whole: Problem, options: RunOptions) -> Generator[Event, None, Problem]:
        """Return a problem with the time limit that follows from all its submissions, on all its cases."""
        from judge.runner.time_limit import infer_time_limit, with_time_limit

        if not whole.needs_time_limit:
            return problem
        prepared = yield from self.prepare(whole)
        limit = yield from infer_time_limit(whole, prepared, options, self.executor)
        return problem if limit is None else with_time_limit(problem, limit)

    def judge_builds(self, problem: Problem, prepared: Sequence[PreparedCase]) -> list[Callable[[Box], object]]:
        """Return what builds the programs that judge; the first checker that is a program stands for all."""
        if self.programs is None or _find_ready(prepared) is None:
            return []
        checker = next((each.case.checker.program for each in prepared if each.case.checker.program), None)
        wanted = dict.fromkeys((problem.interactor, checker))
        return [partial(self.programs.get, each) for each in wanted if each is not None]

    def find_or_queue(self, queue: BuildQueue, job: tuple[SolutionBuild, PreparedCase]) -> CaseResult | None:
        """Return the result of a job if it is known; otherwise queue the build of its program, too."""
        found = self.find_result(job)
        if found is None and isinstance(job[1], ReadyCase):
            self.queue_builds(queue, job[:1])
        return found

    def queue_builds(self, queue: BuildQueue, builds: Iterable[SolutionBuild]) -> None:
        """Queue the builds of programs; nothing with `fail_fast`, since they may not be needed."""
        if not self.options.fail_fast:
            for build in builds:
                queue.add(build)

    def find_result(self, job: tuple[SolutionBuild, PreparedCase]) -> CaseResult | None:
        """Return the result of a job that needs no run: it is known already, or the case is omitted."""
        build, prepared = job
        found = self.cache.find(job)
        if build.is_decided:
            return omit(prepared.case)
        if build.grading is not None:
            found = build.grading.find_omission(prepared.case) or found
            build.grading.look_up(found)
        return found

    def prepare(self, problem: Problem) -> Generator[Event, None, Sequence[PreparedCase]]:
        """Prepare the cases of a problem, yielding the progress, and return them."""
        if problem.reference is None and not problem.validates_inputs:
            try:
                return LazyCases(problem.cases)
            except ValueError:
                pass  # an input has to be generated
        from judge.preparation.prepare import prepare

        done: list[PreparedCase] = []
        for each in prepare(
            problem, problem.cases, self.options.store, self.lock, self.executor.map, workers=self.executor.workers
        ):
            left = each if isinstance(each, int) else 0
            done += [] if isinstance(each, int) else [each]
            yield Preparing(problem=problem, done=len(done), total=len(problem.cases), inputs_left=left)
        return done

    def data_notices(self, problem: Problem, prepared: Sequence[PreparedCase]) -> Iterator[Notice]:
        """Yield what is wrong with the test data, which cases are skipped, and which are not locked."""
        if not isinstance(prepared, LazyCases):  # those are all ready; walking through very many of them takes long
            made = sum(isinstance(each.case.input, Produced) for each in prepared)
            if made and problem.is_package:
                cases = format_count(len(prepared), "case")
                yield Notice(text=f"{problem.id}: the inputs of {made:,} of {cases} are made by its generators")
            for diagnostic in diagnose(prepared):
                yield self.report_error(diagnostic)
            for each in prepared:
                if isinstance(each, SkippedCase):
                    yield Notice(text=f"{problem.id}: {each.case.id} is skipped: {each.reason}", is_summarized=True)
            ready = (each for each in prepared if isinstance(each, ReadyCase))
            unlocked = [
                each.case.id
                for each in ready
                if each.locked and not each.locked.has_data_of(self.lock.get(each.case.id))
            ]
            if problem.lock and unlocked:
                cases = f"{unlocked[0]} is" if len(unlocked) == 1 else f"{len(unlocked)} cases ({unlocked[0]}, ...) are"
                yield Notice(text=f"{problem.id}: {cases} new or changed; run `judge lock {problem.id}` to record them")
        if self.options.store.objects.warning:
            yield Notice(text=self.options.store.objects.warning)
            self.options.store.objects.warning = ""

    def known_summary(
        self, problem: Problem, build: SolutionBuild, *, is_complete: bool
    ) -> tuple[ResultSummary, SolutionResult] | None:
        """Return the summary of a solution whose results are all in the cache, and its result; None to judge cases."""
        stored = self.cache.find_summary(build) if self.options.skips_cases else None
        if stored is None or self.options.skips_cases is None:
            return None
        summary = ResultSummary(build, is_complete=is_complete, stored=stored)
        is_accepted = stored.counts.keys() <= {Verdict.AC, Verdict.SK}
        if stored.omitted and (self.options.sanitize or self.options.repeat):
            return None  # which cases are omitted
        needs_cases = self.options.lazy or build.solution.path == problem.reference  # it may contradict the lock
        if (needs_cases and not is_accepted) or (self.options.fail_fast and summary.failures):
            return None
        result = summary.result()
        return (summary, result) if self.options.skips_cases(problem, result) else None

    def report_known(
        self, summary: ResultSummary, result: SolutionResult, prepared: Sequence[PreparedCase]
    ) -> Iterator[Event]:
        if self.executor.is_stopping:
            raise Interrupted
        problem, solution = summary.problem, summary.solution.solution
        yield SolutionBegan(problem=problem, solution=solution, cases=len(prepared))
        self.summary, self.omitted = summary, set()
        skipped = [skip(each) for each in prepared if isinstance(each, SkippedCase)]
        for each in skipped:  # reports say why
            yield CaseJudged(problem=problem, solution=solution, result=each)
        known = len(prepared) - len(skipped) - summary.omitted
        self.cached += known
        self.judged += known
        yield from self.close_solution(result)

    def judge_solution(
        self,
        summary: ResultSummary,
        results: Iterator[CaseResult | None],
        prepared: Sequence[PreparedCase],
        queue: BuildQueue,
    ) -> Iterator[Event]:
        problem, solution = summary.problem, summary.solution.solution
        self.cases, self.omitted = len(prepared), set()
        yield SolutionBegan(problem=problem, solution=solution, cases=self.cases)
        waits_for_grader = solution.expectation.by_verdict and summary.solution.grading is not None
        for number in range(len(prepared)):  # a case is created on access
            while (result := next(results)) is None:
                if (elapsed := summary.solution.compile_time()) is not None:
                    remaining = max(1, queue.remaining())
                    yield Compiling(problem=problem, solution=solution, elapsed=elapsed, remaining=remaining)
            for diagnostic in self.programs.take_diagnostics() if self.programs else ():
                yield self.report_error(diagnostic)
            if summary.solution.is_decided:  # it ran ahead
                result = omit(result.case)
            if result.verdict is Verdict.CE and summary.has(Verdict.CE):
                result = replace(result, message="")  # what the compiler wrote is kept once
            result = self.locate_crash(summary, prepared, number, result)
            self.cache.put(result)
            if summary.solution.grading is not None:
                result = summary.solution.grading.take(result)
            explained = summary.solution.explain(result)
            summary.add(explained if explained.verdict is Verdict.JE else result)
            self.omitted |= {result.case.id} if result.is_omitted else set()
            result = explained
            if result.verdict is not Verdict.AC and not summary.solution.is_decided:
                summary.solution.is_decided = summary.is_decided(result.verdict)
            self.runs += result.run is not None and not result.is_cached
            self.cached += result.is_cached
            self.judged += result.verdict not in (Verdict.SK, Verdict.JE)
            self.had_errors |= result.verdict is Verdict.JE
            is_locked = result.case.answer is None and result.case.id in self.lock
            is_other = is_locked and result.verdict in (Verdict.WA, Verdict.PE)
            self.contradicts_lock |= is_other and solution.path == problem.reference
            yield CaseJudged(problem=problem, solution=solution, result=result)
            if self.options.fail_fast and not waits_for_grader and summary.failures:
                summary.is_complete = False
                break
        self.is_stopped |= self.options.fail_fast and bool(summary.failures)
        self.cache.put_summary(summary.solution, summary.to_store())
        yield from self.close_solution()

    def locate_crash(
        self, summary: ResultSummary, prepared: Sequence[PreparedCase], number: int, result: CaseResult
    ) -> CaseResult:
        """Return the result of a case with the line of the crash, if it is the first unexpected one of the solution."""
        is_new = result.verdict is Verdict.RTE and not (result.is_cached or summary.has(Verdict.RTE))
        if not is_new or Verdict.RTE in summary.solution.solution.expectation.permitted:
            return result
        from judge.runner.sanitize import locate_crash  # few programs crash

        return locate_crash(summary.solution, prepared[number], result, self.executor)

    def find_luck(self, build: SolutionBuild, prepared: Sequence[PreparedCase]) -> Iterator[Notice]:
        """Run the last solution again; where cases are scored, only one that has passed them all: others may fail."""
        if self.last is None or not (self.options.sanitize or self.options.repeat):
            return
        has_passed = Verdict.AC in self.last.counts and self.last.counts.keys() <= _PASSED
        ready = [
            each
            for each in prepared
            if isinstance(each, ReadyCase) and not each.case.is_static and each.case.id not in self.omitted
        ]
        if self.options.sanitize and has_passed:
            from judge.runner.sanitize import find_luck

            if not build.variants:
                self.unexamined.setdefault(build.language, []).append(build.name)
            found = [*find_luck(build, ready, self.executor)]
            yield from found
            if build.problem.input_format and not any(each.diagnostics for each in found):
                from judge.runner.reorder import find_dependence

                yield from find_dependence(build, ready, self.executor)
        has_run = has_passed or not (build.problem.is_graded or self.last.verdict in _WITHOUT_RUN)
        if self.options.repeat and has_run and Verdict.AC in build.solution.expectation.required:
            from judge.runner.repeat import judge_repeatedly

            yield from judge_repeatedly(build, ready, self.executor, self.options.repeat)

    def close_solution(self, known: SolutionResult | None = None) -> Iterator[Event]:
        summary, self.summary = self.summary, None
        if summary is None:
            return
        result, name = known or summary.result(), summary.solution.name
        self.last = result
        self.solutions += 1
        self.unexpected += not result.as_expected
        self.had_errors |= result.verdict is Verdict.JE
        if summary.solution.notice:
            self.had_errors |= summary.solution.is_named
            is_error = summary.solution.is_named
            yield Notice(text=summary.solution.notice, is_error=is_error, is_summarized=not is_error)
        yield SolutionJudged(problem=summary.problem, result=result)
        if lenient := summary.lenient:
            yield Notice(text=f"{name}: {lenient.case.id} is AC, but {lenient.leniency}")
        if self.contradicts_lock:
            yield Notice(
                text=f"{summary.problem.id}: the reference {name} prints other answers than "
                f"the locked ones; if the new ones are right, run `judge lock {summary.problem.id}`"
            )

    def close_open(self) -> Iterator[Event]:
        """After an interrupt, report what is known of the solution and the problem that were being judged."""
        if self.summary is not None:
            self.summary.is_complete = False
            self.summary.unfinished = self.cases - self.summary.total
            if self.summary.solution.grading is not None:
                self.summary.solution.grading.stop()
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


def _find_ready(prepared: Iterable[PreparedCase]) -> ReadyCase | None:
    """Return the first case that can be judged."""
    return next((each for each in prepared if isinstance(each, ReadyCase)), None)


def _adapt(
    problem: Problem, prepared: Sequence[PreparedCase], selection: ProblemSelection
) -> tuple[Problem, Sequence[PreparedCase]]:
    """Return a problem and its cases with what the user gives, and with the static cases if all are judged."""
    overrides = selection.overrides
    if overrides != NO_OVERRIDES:
        prepared = [replace(each, case=overrides.override_case(each.case)) for each in prepared]
        problem = overrides.override_display(problem)
    return add_static_cases(problem, prepared) if selection.is_complete else (problem, prepared)


def add_static_cases(problem: Problem, prepared: Sequence[PreparedCase]) -> tuple[Problem, Sequence[PreparedCase]]:
    """Return a problem and all of its cases with the static validation cases, which come first."""
    if problem.static_validator is None:
        return problem, prepared
    from judge.judging.program_checker import static_cases

    static = tuple(static_cases(problem))
    ready = [ReadyCase(case=each, input=b"", answer=b"") for each in static]
    return replace(problem, cases=(*static, *problem.cases)), [*ready, *prepared]


def _find_flagged(selections: Iterable[ProblemSelection], options: RunOptions) -> Sequence[Language]:
    """Return the languages of the solutions for which the user adds flags."""
    sources = {solution.path.suffix: solution.path for each in selections for solution in each.problem.solutions}
    used = {find_language(source).id for suffix, source in sources.items() if suffix.lower() in SUFFIXES}
    return [language for language in LANGUAGES if language.id in used and options.build.flags_of(language)]


def _exposure_notices(selections: Iterable[ProblemSelection], programs: Iterable[str]) -> Iterator[Notice]:
    """Yield a notice for each folder with problems or cases that the sandbox lets runs read.

    `programs` are the absolute paths of interpreters that run solutions, besides the default one.
    """
    tools = list(programs)
    for folder in sorted({folder for each in selections for folder in _data_folders(each.problem)}):
        if parent := find_exposing_folder(os.path.realpath(folder), tools):
            yield Notice(
                text=f"{folder} is in {parent}, which runs can read: solutions can read the answers; "
                "move it to another folder"
            )


def _describe_python(
    selections: Sequence[ProblemSelection], tools: Mapping[str, str], *, is_warm: bool
) -> Iterator[Notice]:
    """Yield which Python runs the submissions of packages: contest systems have PyPy, which may be faster.

    The user's tools come first; warm runs are forked from the judge's own interpreter.
    """
    of_packages = [each for each in selections if each.problem.prefers_pypy]
    package = next((each for each in of_packages if any(map(_is_python3, each.problem.solutions))), None)
    if package is None:
        return
    python = package.tools.get("python", "")
    if "python" in tools:
        text = f"Python 3 submissions run with {tools['python']}"
    elif is_pypy(python) and not is_warm:
        text = f"Python 3 submissions of packages run with {python}, as at contests; with CPython: --python python3"
    else:
        why = "warm runs do not use PyPy" if is_warm else "pypy3 is not installed"
        text = f"Python 3 submissions run with CPython, since {why}; contest systems use PyPy, which may be faster"
    yield Notice(text=text)


def _is_python3(solution: Solution) -> bool:
    return solution.language == "python3" or (not solution.language and solution.path.suffix in _PYTHON_SUFFIXES)


def _data_folders(problem: Problem) -> Iterator[Path]:
    """Yield the folders with a problem and with its cases; the first case stands for all."""
    if problem.folder:
        yield problem.folder.parent
    if problem.cases:
        case = problem.cases[0]
        yield case.origin.parent
        yield from (data.path.parent for data in (case.input, case.answer) if isinstance(data, InFile))
