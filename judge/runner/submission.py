"""One solution's results, summed up as they come."""

import hashlib
import threading

from judge.errors import JudgeError, SandboxError, ToolError, describe_error
from judge.judging.judge import Job, judge
from judge.languages.source import read_source
from judge.languages.table import CompileError, Program, build, find_language, program_fingerprint
from judge.model import CaseResult, Problem, Solution, SolutionResult, Verdict
from judge.preparation.cases import Broken, PreparedCase, Skipped
from judge.runner.options import RunOptions
from judge.sandbox.box import Box


class SolutionBuild:
    """A solution on its way to being a program: built once, by the worker that needs it first."""

    def __init__(self, solution: Solution, options: RunOptions, *, is_named: bool) -> None:
        self.solution = solution
        self.options = options
        self.is_named = is_named
        self.notice = ""  # why it cannot be judged on this machine
        self._lock = threading.Lock()
        self._built: Program | CompileError | JudgeError | None = None
        self.text = self._read()

    @property
    def language(self) -> str:
        """The language's name; "" when the suffix is unknown."""
        try:
            return find_language(self.solution.path).name
        except ToolError:
            return ""

    @property
    def digest(self) -> str:
        """The source's SHA-256, in hex; "" when it cannot be read."""
        return "" if self.text is None else hashlib.sha256(self.text).hexdigest()

    def identity(self) -> tuple[str, ...] | None:
        """Return what determines the program's behavior (`program_fingerprint`); None if it cannot be built here."""
        if self.text is None:
            return None
        try:
            return program_fingerprint(self.solution.path, self.text, self.options.tools)
        except (JudgeError, OSError):
            return None  # building it says why

    def built(self, box: Box) -> Program | CompileError | JudgeError:
        """Return the program, building it if nobody has."""
        with self._lock:
            if self._built is None:
                self._built = self._build(box)
            return self._built

    def _build(self, box: Box) -> Program | CompileError | JudgeError:
        store = self.options.store
        try:
            built = build(self.solution.path, store.build, box, self.options.tools, store.programs, text=self.text)
        except (JudgeError, OSError) as error:
            self.notice = f"{self.solution.shown} cannot be judged here: {describe_error(error)}"
            return error if isinstance(error, JudgeError) else SandboxError(describe_error(error))
        return built

    def _read(self) -> bytes | None:
        """Return the source; None when it cannot be read, which building it says."""
        try:
            return read_source(self.solution.path)
        except (JudgeError, OSError):
            return None


def judge_one(box: Box, job: tuple[SolutionBuild, PreparedCase]) -> CaseResult:
    """Judge one submission on one case; runs in a worker."""
    submission, prepared = job
    case = prepared.case
    if isinstance(prepared, Skipped):
        return CaseResult(case=case, verdict=Verdict.SK, reason=prepared.reason)
    if isinstance(prepared, Broken):
        return CaseResult(case=case, verdict=Verdict.JE, reason=prepared.diagnostic.message)
    match submission.built(box):
        case Program() as program:
            return judge(Job(program=program, case=case, input=prepared.input, answer=prepared.answer), box)
        case CompileError(message=message):
            return CaseResult(case=case, verdict=Verdict.CE, reason=message)
        case error:
            verdict = Verdict.JE if submission.is_named or not isinstance(error, ToolError) else Verdict.SK
            return CaseResult(case=case, verdict=verdict, reason=describe_error(error))


class ResultSummary:
    """Sums up one solution's results as they come; keeps no more of them than a report shows."""

    def __init__(self, problem: Problem, submission: SolutionBuild, *, is_complete: bool) -> None:
        self.problem = problem
        self.submission = submission
        self.is_complete = is_complete
        self.expectation = submission.solution.expectation
        self.counts: dict[Verdict, int] = {}
        self.first: Verdict | None = None
        self.failures: dict[Verdict, CaseResult] = {}
        self.slowest: CaseResult | None = None
        self.largest: CaseResult | None = None
        self.message = ""  # the compiler's first error
        self.cached = 0

    def add(self, result: CaseResult) -> None:
        """Take one more result."""
        verdict = result.verdict
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        self.cached += result.is_cached
        if verdict is Verdict.CE:
            self.message = result.reason
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
            message=self.message or self.submission.notice,
            options=self.submission.options.words,
            cached=self.cached,
            source_digest=self.submission.digest,
            is_complete=complete,
        )
