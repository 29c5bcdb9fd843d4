"""One solution in a run: build it once, judge it case by case, and sum up the results."""

import hashlib
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from judge.errors import JudgeError, SandboxError, ToolError, describe_error
from judge.judging.judge import Job, judge_with_output
from judge.languages.build import CompileError, Program, build, program_fingerprint
from judge.languages.source import read_source
from judge.languages.table import find_language
from judge.model import CaseResult, Problem, Solution, SolutionResult, Verdict
from judge.preparation.cases import InvalidCase, PreparedCase, SkippedCase
from judge.runner.options import RunOptions
from judge.sandbox.box import Box
from judge.units import Seconds

_NO_FLAGS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class SolutionBuild:
    """A solution and its program, which the first worker that needs it builds.

    Args:
        flags: the problem's flags of compilers, by the id of the language.
        is_named: the user named the solution: it is an error if it cannot be built here.
    """

    def __init__(
        self,
        solution: Solution,
        options: RunOptions,
        *,
        is_named: bool,
        flags: Mapping[str, tuple[str, ...]] = _NO_FLAGS,
    ) -> None:
        self.solution = solution
        self.options = options
        self._build_options = options.build.add_flags(flags)
        self.is_named = is_named
        self.notice = ""  # why the solution cannot be judged on this machine
        self._lock = threading.Lock()
        self._result: Program | CompileError | JudgeError | None = None
        self._compile_start: float | None = None  # by `time.monotonic`, while the program is being built
        try:
            self.text: bytes | None = read_source(solution.path)
        except (JudgeError, OSError):  # `build` reports it
            self.text = None

    @property
    def language(self) -> str:
        """The name of the language; "" if the suffix is unknown."""
        try:
            return find_language(self.solution.path).name
        except ToolError:
            return ""

    @property
    def digest(self) -> str:
        """The SHA-256 of the source, in hex; "" if the file cannot be read."""
        return "" if self.text is None else hashlib.sha256(self.text).hexdigest()

    def identity(self) -> tuple[str, ...] | None:
        """Return what determines the program (`program_fingerprint`); None if it cannot be built here."""
        if self.text is None:
            return None
        try:
            return program_fingerprint(self.solution.path, self.text, self.options.tools, self._build_options)
        except (JudgeError, OSError):  # `build` reports it
            return None

    def build(self, box: Box) -> Program | CompileError | JudgeError:
        """Build the program on the first call; return the same result on every call."""
        with self._lock:
            if self._result is None:
                self._compile_start = time.monotonic()
                self._result = self._build(box)
                self._compile_start = None
            return self._result

    def explain(self, result: CaseResult) -> CaseResult:
        """Return a result whose reason says what to do about a module or header that was not found.

        Not stored in the cache: which files exist beside the solution does not belong to its key.
        """
        if result.verdict not in (Verdict.RTE, Verdict.CE):
            return result
        from judge.runner.missing import describe_missing

        hint = describe_missing(result.reason, self.solution, self.options.tools)
        return replace(result, reason=f"{result.reason}; {hint}") if hint else result

    def compile_time(self) -> Seconds | None:
        """Return for how long the program has been compiling; None if it is not. May be called from any thread."""
        start = self._compile_start
        return None if start is None else Seconds(time.monotonic() - start)

    def _build(self, box: Box) -> Program | CompileError | JudgeError:
        store = self.options.store
        try:
            return build(
                self.solution.path,
                store.build,
                box,
                self.options.tools,
                store.programs,
                text=self.text,
                options=self._build_options,
            )
        except (JudgeError, OSError) as error:
            self.notice = f"{self.solution.display_path} cannot be judged on this machine: {describe_error(error)}"
            return error if isinstance(error, JudgeError) else SandboxError(describe_error(error))


def judge_one(box: Box, job: tuple[SolutionBuild, PreparedCase]) -> CaseResult:
    """Judge a solution on a case. Workers call this."""
    solution, prepared = job
    case = prepared.case
    if isinstance(prepared, SkippedCase):
        return CaseResult(case=case, verdict=Verdict.SK, reason=prepared.reason)
    if isinstance(prepared, InvalidCase):
        reason = prepared.diagnostic.message
        return CaseResult(case=case, verdict=Verdict.SK, reason=reason, has_invalid_data=True)
    match solution.build(box):
        case Program() as program:
            judged = Job(program=program, case=case, input=prepared.input, answer=prepared.answer)
            result, output = judge_with_output(judged, box, keeps_data=solution.options.keeps_data)
            if (on_output := solution.options.on_output) is not None and result.run is not None:
                on_output(result, output, prepared.answer)
            return result
        case CompileError(message=message):
            return CaseResult(case=case, verdict=Verdict.CE, reason=message)
        case error:
            verdict = Verdict.JE if solution.is_named or not isinstance(error, ToolError) else Verdict.SK
            return CaseResult(case=case, verdict=verdict, reason=describe_error(error))


_WITHOUT_VERDICT = frozenset({Verdict.SK, Verdict.NA})  # neither as expected nor unexpected
_HARMLESS = _WITHOUT_VERDICT | {Verdict.AC}
_MAX_UNANSWERED = 5


class ResultSummary:
    """Sums up the results of one solution; keeps only the few results that a report shows."""

    def __init__(self, problem: Problem, solution: SolutionBuild, *, is_complete: bool) -> None:
        self.problem = problem
        self.solution = solution
        self.is_complete = is_complete
        self.failures: dict[Verdict, CaseResult] = {}
        self._counts: dict[Verdict, int] = {}
        self._first_failed: CaseResult | None = None
        self._unanswered: list[CaseResult] = []
        self._slowest: CaseResult | None = None
        self._largest: CaseResult | None = None
        self._compile_error = ""
        self._cached = 0
        self._not_judged = 0

    def add(self, result: CaseResult) -> None:
        """Add the result of the next case."""
        if result.data is not None:  # may be large
            result = replace(result, data=None)
        verdict = result.verdict
        self._counts[verdict] = self._counts.get(verdict, 0) + 1
        self._cached += result.is_cached
        self._not_judged += result.has_invalid_data
        if verdict is Verdict.CE:
            self._compile_error = result.reason
        if verdict not in _HARMLESS and self._first_failed is None:
            self._first_failed = result
        if verdict is Verdict.NA and len(self._unanswered) < _MAX_UNANSWERED:
            self._unanswered.append(result)
        if verdict not in self.solution.solution.expectation.permitted and verdict not in _WITHOUT_VERDICT:
            self.failures.setdefault(verdict, result)
        if result.run is not None:
            if self._slowest is None or self._slowest.run is None or result.run.cpu > self._slowest.run.cpu:
                self._slowest = result
            if self._largest is None or self._largest.run is None or result.run.memory > self._largest.run.memory:
                self._largest = result

    def result(self) -> SolutionResult:
        """Return the result of the solution on the cases that were added."""
        judged = self._counts.keys() - _WITHOUT_VERDICT
        is_complete = self.is_complete and not self._counts.keys() & _WITHOUT_VERDICT
        has_required = bool(judged & self.solution.solution.expectation.required)
        return SolutionResult(
            solution=self.solution.solution,
            language=self.solution.language,
            verdict=self._verdict(),
            as_expected=not self.failures and (has_required or not is_complete),
            counts=dict(self._counts),
            slowest=self._slowest,
            largest=self._largest,
            failures=tuple(self.failures.values()),
            unanswered=tuple(self._unanswered),
            first_failed=self._first_failed,
            message=self._compile_error or self.solution.notice,
            rerun_args=self.solution.options.rerun_args,
            cached=self._cached,
            not_judged=self._not_judged,
            source_digest=self.solution.digest,
            is_complete=is_complete,
        )

    def _verdict(self) -> Verdict:
        if Verdict.JE in self._counts:
            return Verdict.JE
        if self._first_failed is not None:
            return self._first_failed.verdict
        return next((each for each in (Verdict.AC, Verdict.NA) if each in self._counts), Verdict.SK)
