"""The judging behind a pytest session: one executor and one cache, from the first case to the end."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, JudgeError
from judge.model import Case, CaseResult, Problem, Solution, SolutionResult, Verdict
from judge.preparation.cases import InvalidCase, PreparedCase, diagnose
from judge.runner.cache import ResultCache
from judge.runner.grading import Grading, grade_in_worker
from judge.runner.solution import ResultSummary, SolutionBuild, judge_one
from judge.workspace.options import SessionOptions
from judge.workspace.packages import contest_tools, load_all
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # few problems have a program as their checker
    from judge.judging.programs import JudgePrograms
    from judge.packages.verification.program_tests import ProgramTest


_WRONG_FILES = "not judged: the problem's files are wrong"


class NotJudgedError(JudgeError):
    """A case cannot be judged because of an error that an earlier test reported."""


class JudgeSession:
    """Judges one case at a time; closed at the end of the pytest session.

    Args:
        workspace: the repository.
        workers: parallel runs while test data is generated; None for one per CPU core.

    Attributes:
        wanted: by problem, the cases that the session will ask for: their data is generated together.
    """

    def __init__(self, workspace: Workspace, workers: int | None) -> None:
        self.wanted: Mapping[str, Iterable[Case]] = {}
        self._workspace = workspace
        self._options = SessionOptions(jobs=workers)
        self._problems: dict[str, Problem] = {}
        self._invalid: set[str] = set()
        self._reported: set[tuple[str, Path | None, str]] = set()  # causes of invalid cases, by problem
        self._unprepared: set[str] = set()  # problems with a wrong file that all cases depend on
        self._prepared: dict[str, dict[str, PreparedCase]] = {}
        self._programs: dict[str, JudgePrograms | None] = {}  # by problem
        self._builds: dict[Path, SolutionBuild] = {}
        self._current = ""  # the problem that was judged last
        self._results: dict[tuple[Path, str], CaseResult] = {}

    def problem(self, problem_id: str) -> Problem:
        """Return a problem, by its id or by the absolute path of a package.

        Raises:
            JudgeError: its files are wrong; the message lists all errors the first time.
        """
        if problem_id in self._invalid:
            raise JudgeError(f"{problem_id}: its files are wrong; see the first error")
        if problem_id not in self._problems:
            try:
                self._problems[problem_id] = self._load(problem_id)
            except JudgeError:
                self._invalid.add(problem_id)
                raise
        return self._problems[problem_id]

    def _load(self, problem_id: str) -> Problem:
        folder = Path(problem_id)
        if not folder.is_absolute():
            return self._workspace.load_problem(problem_id)
        loaded, errors = load_all([folder], {}, self._workspace.root)
        for package in loaded.values():
            errors += package.errors
        if errors:
            raise DataError(errors)
        return loaded[folder].problem

    def judge(self, problem: Problem, solution: Solution, case: Case) -> CaseResult:
        """Return the result of a solution on a case; each is judged once in a session.

        Raises:
            NotJudgedError: its test data is wrong, and an earlier call has raised the error.
            JudgeError: it cannot be judged.
        """
        result = self._results.get((solution.path, case.id))
        if result is None:
            result = self._judge(problem, solution, case)
            self._results[solution.path, case.id] = result
        return result

    def run_test(self, problem: Problem, test: "ProgramTest") -> Diagnostic | None:
        """Run a test of a problem's checker or validator; return what is wrong, or None.

        Raises:
            NotJudgedError: the problem's files are wrong, and an earlier call has raised the error.
            JudgeError: it cannot be run.
        """
        from judge.packages.verification.program_tests import run_tests
        from judge.preparation.store import read_lock

        if problem.id in self._unprepared:
            raise NotJudgedError(_WRONG_FILES)
        try:
            lock = read_lock(problem.lock)
        except DataError:
            self._unprepared.add(problem.id)
            raise
        (found,) = run_tests(problem, [test], self._session.store, lock, self._session.executor.map)
        return found

    def summarize(self, problem: Problem, solution: Solution, results: Iterable[CaseResult]) -> SolutionResult:
        """Return the summary of a solution's results, with its score if they are those of all cases."""
        build, results = self._build(problem, solution), list(results)
        is_complete = len(results) == len(problem.cases)
        try:
            if is_complete and problem.is_graded:
                run_grader = grade_in_worker(self._judge_programs(problem), self._session.executor)
                build.grading = grading = Grading(problem, run_grader)
                results = [grading.take(each) for each in results]
            summary = ResultSummary(build, is_complete=is_complete)
            for result in results:
                summary.add(result)
            return summary.result()
        finally:
            build.grading = None

    def close(self) -> None:
        """End all runs and store the results; may be called twice."""
        if "_session" in vars(self):
            self._session.close()
            del self._session

    def _judge(self, problem: Problem, solution: Solution, case: Case) -> CaseResult:
        prepared = self._prepare(problem, case)
        if isinstance(prepared, InvalidCase):
            raise self._error(problem, prepared)
        if problem.id != self._current:
            self._current = problem.id
            self._cache.begin(programs=self._judge_programs(problem))
        job = (self._build(problem, solution), prepared)
        result = next(self._session.executor.map(judge_one, [job], self._cache.find))
        self._cache.put(result)
        if result.verdict is Verdict.JE:
            raise JudgeError(f"case {case.id}: {result.reason}")
        if result.has_invalid_data:
            raise self._program_error(problem, result)
        return result

    def _program_error(self, problem: Problem, result: CaseResult) -> JudgeError:
        """Return the error of a program that judges and cannot be used: the first time with what to do."""
        programs = self._judge_programs(problem)
        diagnostics = programs.take_diagnostics() if programs else []
        if diagnostics:
            return JudgeError("\n".join(map(str, diagnostics)))
        return NotJudgedError(f"not judged: {result.reason}")

    def _error(self, problem: Problem, invalid: InvalidCase) -> JudgeError:
        """Return the error of a case: the first time with its cause and all cases of that."""
        cause = (problem.id, *invalid.cause)
        if cause in self._reported:
            return NotJudgedError(f"not judged: {invalid.diagnostic.message}")
        self._reported.add(cause)
        together = (each for each in self._prepared[problem.id].values() if isinstance(each, InvalidCase))
        diagnostics = diagnose(each for each in together if each.cause == invalid.cause)
        return JudgeError("\n".join(map(str, diagnostics)))

    def _prepare(self, problem: Problem, case: Case) -> PreparedCase:
        """Return a case's data; all cases of a problem that the session will ask for are prepared together."""
        known = self._prepared.setdefault(problem.id, {})
        if case.id not in known:
            if problem.id in self._unprepared:
                raise NotJudgedError(_WRONG_FILES)
            together = {each.id: each for each in self.wanted.get(problem.id, ())} if not known else {}
            self._cache.begin()
            try:
                for each in self._session.prepare(problem, list({**together, case.id: case}.values())):
                    known[each.case.id] = each
            except DataError:
                self._unprepared.add(problem.id)
                raise
        return known[case.id]

    def _judge_programs(self, problem: Problem) -> "JudgePrograms | None":
        if problem.id not in self._programs:
            self._programs[problem.id] = self._session.store.judge_programs(problem)
        return self._programs[problem.id]

    def _build(self, problem: Problem, solution: Solution) -> SolutionBuild:
        if solution.path not in self._builds:
            options = self._session.run_options()
            if problem.prefers_pypy:
                options = replace(options, tools={**contest_tools(), **options.tools})
            programs = self._judge_programs(problem)
            self._builds[solution.path] = SolutionBuild(solution, problem, options, programs)
        return self._builds[solution.path]

    @cached_property
    def _session(self) -> Session:
        """The workers, started when the first case needs them."""
        return self._workspace.open_session(self._workspace.with_settings(self._options))

    @cached_property
    def _cache(self) -> ResultCache:
        return ResultCache(self._session.run_options(), level=self._session.executor.level, is_warm=False)
