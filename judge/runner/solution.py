"""One solution in a run: build it once, judge it case by case, and sum up the results."""

import hashlib
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from judge.base.errors import JudgeError, SandboxError, ToolError, describe_error, join_lines
from judge.base.units import Seconds
from judge.history.records import case_row, row_bytes
from judge.history.results import CaseAt, StoredSummary
from judge.languages import table
from judge.languages.options import copy_file
from judge.languages.program_source import program_fingerprint, read_source
from judge.languages.source import Source, solution_options
from judge.languages.variants import Variant
from judge.model import Case, CaseResult, Problem, RunResult, Scores, Solution, SolutionResult, Verdict
from judge.preparation.cases import InvalidCase, PreparedCase, ReadyCase, SkippedCase
from judge.runner.options import RunOptions
from judge.sandbox.box import Box

if TYPE_CHECKING:  # where nothing changed, nothing runs; few problems have programs that judge, scores or requirements
    from judge.judging.judge import Job
    from judge.judging.programs import JudgePrograms, ReadyProgram
    from judge.languages.build import CompileError, Program
    from judge.model.programs import JudgeProgram
    from judge.runner.grading import Grading
    from judge.runner.requirements import RequirementChecks

    Built = Program | CompileError | JudgeError

T = TypeVar("T")
_LANGUAGES = Path(table.__file__).parent


class BuildQueue:
    """The programs that will be needed next: a worker that would wait for one builds another one meanwhile.

    So compilers run on all workers, but never instead of a run that is possible. A queue that is not filled, as with
    `fail_fast`, leaves every program to the first worker that needs it.

    Args:
        first: what builds the programs that all solutions need, each once.
    """

    def __init__(self, first: Iterable[Callable[[Box], object]] = ()) -> None:
        self._first = deque(first)
        self._added: list[SolutionBuild] = []
        self._next: deque[SolutionBuild] = deque()

    def add(self, solution: "SolutionBuild") -> None:
        """Add a solution that has to be built; does nothing if it was the last one. Only the main thread adds."""
        if not self._added or self._added[-1] is not solution:
            self._added.append(solution)
            self._next.append(solution)

    def build_next(self, box: Box) -> bool:
        """Build the next program that no worker has begun; return False if there is none."""
        if self._added and (build_first := _pop(self._first)) is not None:
            build_first(box)
            return True
        while (solution := _pop(self._next)) is not None:
            if solution.build_unless_begun(box):
                return True
        return False

    def remaining(self) -> int:
        """Return how many of the solutions are not built yet. May be called from any thread."""
        return sum(not solution.is_built for solution in self._added)


def _pop(items: deque[T]) -> T | None:
    """Take the first item; None if there is none. Another thread may take one at the same time."""
    try:
        return items.popleft()
    except IndexError:
        return None


class SolutionBuild:
    """A solution and its program, which the first worker that needs it builds.

    Attributes:
        grading: of a problem that is graded, if all of its cases are judged.
        is_decided: the results so far decide everything, so no further case is judged.
        language: its name; "" if the source cannot be read, as for `digest`, its SHA-256 in hex.
        files: the contents of its files.

    Args:
        problem: if the solution is in its folder, its links must not lead out.
        programs: the programs of the problem that judge; None if it has none.
        is_named: the user named the solution: it is an error if it cannot be built here.
        queue: what to build while another worker builds this one.
        source: of the solution, if it was read already.
    """

    def __init__(
        self,
        solution: Solution,
        problem: Problem,
        options: RunOptions,
        programs: "JudgePrograms | None",
        *,
        is_named: bool = False,
        queue: BuildQueue | None = None,
        source: Source | None = None,
    ) -> None:
        self.solution = solution
        self.problem = problem
        self._queue = BuildQueue() if queue is None else queue
        self.programs = programs
        self.options = options
        self._build_options = options.build.add_flags(problem.compile_flags)
        self.is_named = is_named
        self.grading: Grading | None = None
        self.is_decided = False
        self.notice = ""  # why the solution cannot be judged on this machine
        self._lock = threading.Lock()
        self._result: Built | None = None
        self._compile_start: float | None = None  # by `time.monotonic`, while the program is being built
        self._source_options = solution_options(solution, problem.folder)
        try:
            self._source: Source | None = source or read_source(solution.path, self._source_options)
        except Exception:  # noqa: BLE001 - `build` reports it
            self._source = None
        self.language = self.digest = ""
        self.files: tuple[bytes, ...] = ()
        self._lacks_pypy = False
        if self._source is not None:
            language = self._source.language
            self.language, self.digest, self.files = language.name, self._source.digest, (*self._source.files.values(),)
            is_python = language.id == "python3" and problem.prefers_pypy
            self._lacks_pypy = is_python and not is_pypy(options.tools.get("python", ""))

    @property
    def name(self) -> str:
        """Its path in messages."""
        return join_lines(self.solution.display_path)

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants of its language."""
        return () if self._source is None else self._source.language.variants

    @property
    def crash_variant(self) -> Variant | None:
        """The variant whose crashes name a line, if its language has one."""
        return None if self._source is None else self._source.language.crash_variant

    def has_chance(self, variant: Variant) -> bool:
        """Return whether its files look as if the variant might show something."""
        pattern = re.compile(variant.pattern)
        return any(map(pattern.search, self.files))

    def vary(self, variant: Variant, more_flags: tuple[str, ...] = ()) -> "SolutionBuild":
        """Return the build of a variant of the program."""
        flags, build = (*variant.flags, *more_flags), self.options.build
        if variant.header:
            header = copy_file(_LANGUAGES / variant.header, self.options.store.build)
            macros = (f'-D{name}="{value}"' for name, value in variant.variables.items())
            # each of several files defines the functions of the header
            flags = (*flags, *macros, "-include", variant.header, "-Wl,-z,muldefs")
            build = replace(build, include=(*build.include, header))
        source = self._source
        if source is not None:
            if variant.language:
                source = replace(source, language=table.language_by_id(variant.language, source.path))
            build = build.add_flags({source.language.id: flags})
        build = replace(build, run=variant.run, variables=variant.variables)
        tools = {**self.options.tools, **variant.tools}
        options = replace(self.options, build=build, tools=tools, on_output=None)
        return SolutionBuild(self.solution, self.problem, options, self.programs, source=source)

    def identity(self) -> tuple[str, ...] | None:
        """Return what determines the program (`program_fingerprint`); None if it cannot be built here."""
        if self._source is None:
            return None
        try:
            return program_fingerprint(self._source, self.options.tools, self._build_options)
        except Exception:  # noqa: BLE001 - `build` reports it
            return None

    def build(self, box: Box) -> "Built":
        """Build the program on the first call; return the same result on every call."""
        while (result := self._result) is None:
            if not self.build_unless_begun(box) and not self._queue.build_next(box):
                with self._lock:  # wait for the other worker
                    pass
        return result

    def build_unless_begun(self, box: Box) -> bool:
        """Build the program unless a worker has begun to; return whether this call has built it."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self.is_built:
                return False
            self._compile_start = time.monotonic()
            self._result = self._build(box)
            self._compile_start = None
        finally:
            self._lock.release()
        return True

    @property
    def is_built(self) -> bool:
        """Whether the program has been built, or failed to."""
        return self._result is not None

    def explain(self, result: CaseResult) -> CaseResult:
        """Return a result whose reason says what the program lacks here: a module, a file, memory, PyPy.

        Not stored in the cache: which files exist beside the solution does not belong to its key.
        """
        if result.verdict is Verdict.TLE and self._lacks_pypy:
            return replace(result, reason=f"{result.reason}; with CPython, and contest systems use PyPy")
        if result.verdict not in (Verdict.RTE, Verdict.CE, Verdict.MLE, Verdict.WA) or self._source is None:
            return result
        source = self._source
        from judge.runner.hints import describe_missing, find_hint

        def explain() -> CaseResult:
            hint = find_hint(result, source)
            if not hint and result.verdict in (Verdict.RTE, Verdict.CE):
                included = [each.path for each in self._build_options.include]
                hint = describe_missing(result.reason, self.solution, self.options.tools, self.options.root, included)
            return replace(result, reason=f"{result.reason}; {hint}") if hint else result

        return contain(result.case, explain)

    def compile_time(self) -> Seconds | None:
        """Return for how long the program has been compiling; None if it is not. May be called from any thread."""
        start = self._compile_start
        return None if start is None else Seconds(time.monotonic() - start)

    def _build(self, box: Box) -> "Built":
        from judge.languages.build import build

        store = self.options.store
        try:
            return build(
                self.solution.path,
                store.build,
                box,
                self.options.tools,
                store.programs,
                source=self._source,
                source_options=self._source_options,
                options=self._build_options,
            )
        except Exception as error:  # noqa: BLE001 - as in `contain`
            self.notice = f"{self.name} cannot be judged on this machine: {describe_error(error)}"
            return error if isinstance(error, JudgeError) else SandboxError(describe_error(error))


def contain(case: Case, judge: Callable[[], CaseResult]) -> CaseResult:
    """Judge a case; an error that nothing expects is JE: it costs one solution, not the run.

    Raises:
        JudgeError: from `judge`: it concerns all solutions.
    """
    try:
        return judge()
    except JudgeError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is
        return CaseResult(case=case, verdict=Verdict.JE, reason=describe_error(error))


def judge_one(box: Box, job: tuple[SolutionBuild, PreparedCase]) -> CaseResult:
    """Judge a solution on a case. Workers call this."""
    return contain(job[1].case, lambda: _judge_one(box, *job))


def may_overlap(job: tuple[SolutionBuild, PreparedCase]) -> bool:
    """Return whether all that `judge_one` runs for a job is the solution, once: it is built, and no program judges."""
    solution, prepared = job
    has_interactor = solution.programs is not None and solution.programs.interactor is not None
    return solution.is_built and prepared.case.checker.program is None and not has_interactor


def _judge_one(box: Box, solution: SolutionBuild, prepared: PreparedCase) -> CaseResult:
    from judge.languages.build import CompileError, Program

    case = prepared.case
    omitted = None if solution.grading is None else solution.grading.find_omission(case)
    if solution.is_decided or omitted:  # since, by a result of another worker
        return omitted or omit(case)
    if not isinstance(prepared, ReadyCase):
        return skip(prepared)
    checker = _find_program(solution, case.checker.program, box)
    interactor = _find_program(solution, solution.programs.interactor if solution.programs else None, box)
    if isinstance(checker, str) or isinstance(interactor, str):
        reason = checker if isinstance(checker, str) else str(interactor)
        return CaseResult(case=case, verdict=Verdict.SK, reason=reason, has_invalid_data=True)
    match solution.build(box):
        case Program() as program:
            return _judge_program(solution, program, prepared, box, checker=checker, interactor=interactor)
        case CompileError() as error:
            return CaseResult(case=case, verdict=Verdict.CE, reason=error.message, message=error.text)
        case error:
            verdict = Verdict.JE if solution.is_named or not isinstance(error, ToolError) else Verdict.SK
            return CaseResult(case=case, verdict=verdict, reason=describe_error(error))


def _judge_program(
    solution: SolutionBuild,
    program: "Program",
    prepared: ReadyCase,
    box: Box,
    *,
    checker: "ReadyProgram | None",
    interactor: "ReadyProgram | None",
) -> CaseResult:
    case = prepared.case
    if case.is_static:
        from judge.judging.program_checker import judge_source

        assert checker is not None
        return judge_source(checker, case, program, solution.solution.entry_point, box)
    from judge.judging.judge import Job

    judged = Job(
        program=program,
        case=case,
        input=prepared.input,
        answer=prepared.answer,
        checker=checker,
        interactor=interactor,
        passes=1 if solution.programs is None else solution.programs.passes,
    )
    on_output = solution.options.on_output
    result, output = judge_job(judged, box, keeps_data=solution.options.keeps_data, needs_output=on_output is not None)
    if on_output is not None and result.run is not None:
        on_output(result, output, prepared.answer)
    return result


def _find_program(solution: SolutionBuild, wanted: "JudgeProgram | None", box: Box) -> "ReadyProgram | str | None":
    """Return a program that judges, built; why it cannot be used; None for none."""
    if wanted is None:
        return None
    from judge.judging.programs import UnusableProgram

    assert solution.programs is not None
    found = solution.programs.get(wanted, box)
    return found.reason if isinstance(found, UnusableProgram) else found


def is_pypy(python: str) -> bool:
    """Return whether the path of an interpreter is that of PyPy; "" is the judge's own."""
    return "pypy" in python.lower()


def judge_job(job: "Job", box: Box, *, keeps_data: bool = False, needs_output: bool = True) -> tuple[CaseResult, bytes]:
    """Judge a program on a case of any kind; return what it wrote, too: b"" with an interactor or several passes.

    A job whose output is not needed may be judged on another machine, if the box can do that; it then returns b"".

    Raises:
        JudgeError: that place is lost.
    """
    from judge.judging.judge import JobDelegate, judge_with_output

    if isinstance(box, JobDelegate) and not (needs_output or keeps_data):
        result = box.judge_remotely(job)
        if result is not None:
            return result, b""
    if job.interactor is None and (job.passes == 1 or job.checker is None):
        return judge_with_output(job, box, keeps_data=keeps_data)
    from judge.judging.passes import judge_passes  # few problems have several passes or an interactor

    return judge_passes(job, box, keeps_data=keeps_data), b""


_WITHOUT_VERDICT = frozenset({Verdict.SK, Verdict.NA})  # neither as expected nor unexpected
_HARMLESS = _WITHOUT_VERDICT | {Verdict.AC}
_ALL_BUT_ERRORS = frozenset(Verdict) - {Verdict.JE}
_OF_A_RUN = _ALL_BUT_ERRORS - _WITHOUT_VERDICT - {Verdict.CE}
_MAX_UNANSWERED = 5


def skip(prepared: SkippedCase | InvalidCase) -> CaseResult:
    """Return the result of a case whose data is not on this machine, or is wrong."""
    is_invalid = isinstance(prepared, InvalidCase)
    reason = prepared.diagnostic.message if isinstance(prepared, InvalidCase) else prepared.reason
    return CaseResult(case=prepared.case, verdict=Verdict.SK, reason=reason, has_invalid_data=is_invalid)


DECIDED = "an earlier case decides"


def omit(case: Case) -> CaseResult:
    """Return the result of a case that is not judged, since the solution is decided."""
    return CaseResult(case=case, verdict=Verdict.SK, reason=DECIDED, is_omitted=True)


_NOTHING_STORED = StoredSummary(counts={}, first=(), slowest=None, largest=None, cases_digest="")


class ResultSummary:
    """Sums up the results of one solution; keeps only the few results that a report shows.

    Attributes:
        unfinished: how many cases were not reached before an interrupt.
        total: how many results were added.
        omitted: how many cases were not judged, by the rules of the test groups or since earlier ones decide.

    Args:
        stored: the results of all cases, which are all in the cache; then none is added.
    """

    def __init__(self, solution: SolutionBuild, *, is_complete: bool, stored: StoredSummary = _NOTHING_STORED) -> None:
        self.problem = solution.problem
        self.solution = solution
        self.is_complete = is_complete
        self.unfinished = 0
        self._unanswered: list[CaseResult] = []  # such results are never stored
        self._counts = dict(stored.counts)
        self._first = {each[1].verdict: each for each in stored.first}
        self._explained: dict[int, CaseResult] = {}  # by position; a search for what a program lacks takes long
        self._slowest, self._largest = stored.slowest, stored.largest
        self.total = sum(stored.counts.values())
        self._cached = self.total - stored.counts.get(Verdict.SK, 0)
        self._not_judged = 0
        self.omitted = stored.omitted
        self._stored_scores, self._stored_unmet = stored.scores, stored.unmet
        self._checks: RequirementChecks | None = None
        if more := solution.solution.expectation.more:
            from judge.runner import requirements

            self._checks = requirements.RequirementChecks(solution.problem, more)
        self._stored_digest = stored.cases_digest
        self._hash = hashlib.sha256()

    def add(self, result: CaseResult) -> None:
        """Add the result of the next case, not explained yet."""
        if result.data is not None:  # may be large
            result = replace(result, data=None)
        verdict, run, position = result.verdict, result.run, self.total
        self.total += 1
        self._counts[verdict] = self._counts.get(verdict, 0) + 1
        self._cached += result.is_cached
        self._not_judged += result.has_invalid_data
        self.omitted += result.is_omitted
        if self._checks is not None:
            self._checks.add(result)
        if verdict is Verdict.NA and len(self._unanswered) < _MAX_UNANSWERED:
            self._unanswered.append(result)
        self._hash.update(row_bytes(case_row(result)))
        if verdict not in self._first or (result.leniency and not self._first[verdict][1].leniency):
            self._first[verdict] = (position, result)
        if run is not None:
            if self._slowest is None or run.cpu > _run(self._slowest).cpu:
                self._slowest = (position, result)
            if self._largest is None or run.memory > _run(self._largest).memory:
                self._largest = (position, result)

    def to_store(self) -> StoredSummary:
        """Return what to store if all results are in the cache."""
        return StoredSummary(
            counts=self._counts,
            first=tuple(self._first.values()),
            slowest=self._slowest,
            largest=self._largest,
            cases_digest=self._hash.hexdigest(),
            omitted=self.omitted,
            scores=self._scores(),
            unmet=self._unmet(),
        )

    def is_decided(self, last: Verdict) -> bool:
        """Return whether no further case needs to be judged after one with the verdict `last`.

        A contest stops at the first case that is not accepted. Here nothing is omitted that might still contradict the
        expectation: only if that is about the first case (`by_verdict`), or if a submission of a package has to fail
        somehow, and a required verdict has occurred. Cases cost little unless the solution is slow, so all are judged
        until one exceeds the time limit. With the option `lazy`, the first case that is not accepted decides for every
        solution, once a required verdict has occurred.
        """
        options, expectation = self.solution.options, self.solution.solution.expectation
        may_fail_anyhow = Verdict.AC not in expectation.required and expectation.permitted >= _OF_A_RUN
        by_first = expectation.by_verdict or (self.problem.is_package and may_fail_anyhow)
        is_late = by_first and last is Verdict.TLE and self.is_complete and not options.keeps_data
        if not (options.lazy or is_late) or expectation.more or self.problem.is_graded:
            return False
        if self._first_failed() is None:
            return False
        return bool(self.failures or self._counts.keys() & expectation.required)

    @property
    def lenient(self) -> CaseResult | None:
        """The first case whose output is accepted although it differs, if the solution is accepted."""
        first = self._first.get(Verdict.AC)
        return first[1] if first and first[1].leniency and self._verdict() is Verdict.AC else None

    def has(self, verdict: Verdict) -> bool:
        """Whether a case has the verdict."""
        return verdict in self._counts

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        """The first case of each verdict that the expectation does not permit."""
        expectation = self.solution.solution.expectation
        permitted = expectation.permitted | _WITHOUT_VERDICT
        first = self._first_failed()
        whole = self._verdict() if self.problem.is_graded or first is None else first[1].verdict
        if expectation.by_verdict and whole in expectation.permitted - {Verdict.AC} | expectation.required:
            permitted = _ALL_BUT_ERRORS
            if first is not None and whole not in expectation.required and not self.problem.is_graded:
                permitted = _ALL_BUT_ERRORS - {whole} if self._is_conclusive else permitted  # later cases do not count
        return tuple(self._explain(case) for verdict, case in self._first.items() if verdict not in permitted)

    def result(self) -> SolutionResult:
        """Return the result of the solution on the cases that were added."""
        verdict = self._verdict()
        has_required = self.solution.solution.expectation.has_required(self._counts, verdict)
        compile_error = self._explain(self._first[Verdict.CE]).reason if Verdict.CE in self._first else ""
        failures, failed, is_complete = self.failures, self._first_failed(), self._has_all_verdicts
        scores, unmet = self._scores(), self._unmet()
        fault = scores.reason if scores and Verdict.JE not in self._counts else ""
        result = SolutionResult(
            solution=self.solution.solution,
            language=self.solution.language,
            verdict=verdict,
            as_expected=not (failures or unmet or fault) and (has_required or not self._is_conclusive),
            counts=dict(self._counts),
            slowest=self._slowest and self._explain(self._slowest),
            largest=self._largest and self._explain(self._largest),
            failures=failures,
            unanswered=tuple(self._unanswered),
            first_failed=failed and self._explain(failed),
            message=compile_error or self.solution.notice or fault,
            rerun_args=self.solution.options.rerun_args,
            cached=self._cached,
            not_judged=self._not_judged,
            omitted=self.omitted,
            unfinished=self.unfinished,
            source_digest=self.solution.digest,
            is_complete=is_complete,
            cases_digest=self._stored_digest or self._hash.hexdigest(),
            unmet=unmet,
        )
        if not (scores and self.problem.has_scores and self.problem.groups):
            return result
        from judge.judging.scoring import best_score

        score = scores.score if is_complete else None
        return replace(result, score=score, max_score=best_score(self.problem.groups), groups=scores.groups)

    @property
    def _has_all_verdicts(self) -> bool:
        """Whether all cases of the problem were judged, but for those that are omitted."""
        unknown = self._counts.get(Verdict.SK, 0) - self.omitted + self._counts.get(Verdict.NA, 0)
        return self.is_complete and not unknown

    @property
    def _is_conclusive(self) -> bool:
        """Whether a required verdict must have occurred: samples alone need not catch a mistake."""
        return self._has_all_verdicts and not self.problem.has_samples_only

    def _scores(self) -> Scores | None:
        """Return the scores so far; None for a problem that is not graded."""
        if self._stored_scores is not None or self.solution.grading is None:
            return self._stored_scores
        return self.solution.grading.finish()

    def _unmet(self) -> tuple[str, ...]:
        if self._stored_digest or self._checks is None:
            return self._stored_unmet
        return tuple(self._checks.unmet(self._scores(), self._verdict(), is_complete=self._is_conclusive))

    def _verdict(self) -> Verdict:
        if Verdict.JE in self._counts:
            return Verdict.JE
        scores = self._scores()
        if scores is not None and scores.verdict is not None and Verdict.CE not in self._counts:
            return scores.verdict
        first_failed = self._first_failed()
        if first_failed is not None:
            return first_failed[1].verdict
        return next((each for each in (Verdict.AC, Verdict.NA) if each in self._counts), Verdict.SK)

    def _first_failed(self) -> CaseAt | None:
        return next((case for verdict, case in self._first.items() if verdict not in _HARMLESS), None)

    def _explain(self, case: CaseAt) -> CaseResult:
        position, result = case
        if position not in self._explained:
            self._explained[position] = self.solution.explain(result)
        return self._explained[position]


def _run(case: CaseAt) -> RunResult:
    run = case[1].run
    assert run is not None
    return run
