"""A solution on its way to being a program, and what becomes of it on one case."""

import hashlib
import threading

from judge.errors import JudgeError, SandboxError, ToolError, told
from judge.judging import Job, judge
from judge.languages import CompileError, Program, build, identity, language_of
from judge.model import CaseResult, Solution, Verdict
from judge.runner.plan import Options
from judge.sandbox.box import Box
from judge.sources import read_source
from judge.testdata.prepared import Broken, PreparedCase, Skipped


class Submission:
    """A solution on its way to being a program: built once, by the worker that needs it first."""

    def __init__(self, solution: Solution, options: Options, *, is_named: bool) -> None:
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
            return language_of(self.solution.path).name
        except ToolError:
            return ""

    @property
    def digest(self) -> str:
        """The source's SHA-256, in hex; "" when it cannot be read."""
        return "" if self.text is None else hashlib.sha256(self.text).hexdigest()

    def identity(self) -> tuple[str, ...] | None:
        """Return all that decides what the program does (see `languages.identity`); None when it cannot be one here."""
        if self.text is None:
            return None
        try:
            return identity(self.solution.path, self.text, self.options.tools)
        except (JudgeError, OSError):
            return None  # building it says why

    def built(self, box: Box) -> Program | CompileError | JudgeError:
        """Return the program, building it if nobody has."""
        with self._lock:
            if self._built is None:
                self._built = self._build(box)
            return self._built

    def _build(self, box: Box) -> Program | CompileError | JudgeError:
        shelf = self.options.shelf
        try:
            built = build(self.solution.path, shelf.build, box, self.options.tools, shelf.programs, text=self.text)
        except (JudgeError, OSError) as error:
            self.notice = f"{self.solution.shown} cannot be judged here: {told(error)}"
            return error if isinstance(error, JudgeError) else SandboxError(told(error))
        return built

    def _read(self) -> bytes | None:
        """Return the source; None when it cannot be read, which building it says."""
        try:
            return read_source(self.solution.path)
        except (JudgeError, OSError):
            return None


def judge_one(box: Box, job: tuple[Submission, PreparedCase]) -> CaseResult:
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
