"""The judging behind a pytest session: one session, and a run for each solution when its first test asks for it."""

from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, JudgeError
from judge.model import Case, CaseResult, Problem, Solution, SolutionResult, Verdict
from judge.model.events import CaseJudged, Notice, RunEnded, SolutionJudged
from judge.runner.options import ProblemSelection
from judge.workspace.options import SessionOptions
from judge.workspace.packages import contest_tools, load_all
from judge.workspace.select import Selection
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # few problems have tests of their programs
    from judge.packages.verification.program_tests import ProgramTest

_WITHOUT_FAILURE = (Verdict.SK, Verdict.NA)


class NotJudgedError(JudgeError):
    """A case cannot be judged because of an error that an earlier test reported."""


class JudgeSession:
    """Judges the solutions of a workspace; closed at the end of the pytest session.

    Args:
        workspace: the repository.
        workers: parallel runs; None for one per CPU core.

    Attributes:
        wanted: by solution, the ids of the cases that the session will ask for: they are judged together, in the order
            of the problem.
    """

    def __init__(self, workspace: Workspace, workers: int | None) -> None:
        self.wanted: Mapping[Path, Collection[str]] = {}
        self._workspace = workspace
        self._options = SessionOptions(jobs=workers)
        self._problems: dict[str, Problem] = {}
        self._invalid: set[str] = set()
        self._reported: set[str] = set()  # errors in files
        self._results: dict[Path, dict[str, CaseResult]] = {}
        self._summaries: dict[Path, SolutionResult] = {}
        self._errors: dict[Path, list[str]] = {}  # of the runs of solutions

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

    def judge(self, problem: Problem, solution: Solution, case: Case | None) -> SolutionResult:
        """Return the result of a solution on one case of a problem; None for all of them.

        Raises:
            NotJudgedError: test data is wrong, and an earlier call has raised the error.
            JudgeError: it cannot be judged.
        """
        if solution.path not in self._results:
            self._run(problem, solution)
        known = self._results[solution.path]
        for each in problem.cases if case is None else [case]:
            result = known.get(each.id)
            if result is None or result.has_invalid_data:
                raise self._describe_error(solution, "no result" if result is None else result.reason)
            if result.verdict is Verdict.JE:
                raise JudgeError(f"case {each.id}: {result.reason}")
        whole = self._summaries[solution.path]
        if case is None:
            return whole
        result = known[case.id]
        has_failed = result.verdict not in (*solution.expectation.permitted, *_WITHOUT_FAILURE)
        return replace(
            whole,
            verdict=result.verdict,
            as_expected=not has_failed,
            counts={result.verdict: 1},
            failures=(result,) if has_failed else (),
            message=whole.message if result.verdict is Verdict.CE else result.reason or whole.message,
            unmet=(),
        )

    def run_test(self, problem: Problem, test: "ProgramTest") -> Diagnostic | None:
        """Run a test of a problem's checker or validator; return what is wrong, or None.

        Raises:
            NotJudgedError: the problem's lock file is wrong, and an earlier call has raised the error.
            JudgeError: it cannot be run.
        """
        from judge.packages.verification.program_tests import run_tests
        from judge.preparation.store import read_lock

        try:
            lock = read_lock(problem.lock)
        except DataError as error:
            if (text := str(error)) in self._reported:
                raise NotJudgedError("not judged: the problem's files are wrong") from None
            self._reported.add(text)
            raise
        (found,) = run_tests(problem, [test], self._session.store, lock, self._session.executor.map)
        return found

    def close(self) -> None:
        """End all runs and store the results; may be called twice."""
        if "_session" in vars(self):
            self._session.close()
            del self._session

    def _run(self, problem: Problem, solution: Solution) -> None:
        cases = tuple(case for case in problem.cases if case.id in self.wanted[solution.path])
        part = ProblemSelection(
            problem=replace(problem, solutions=(solution,), cases=cases),
            is_complete=len(cases) == len(problem.cases),
            tools=contest_tools() if problem.prefers_pypy else {},
            whole=problem if problem.needs_time_limit else None,
        )
        results, errors = dict[str, CaseResult](), list[str]()
        for event in self._session.run(Selection(root=self._workspace.root, problems=[part])):
            match event:
                case CaseJudged(result=result):
                    results[result.case.id] = result
                case SolutionJudged(result=whole):
                    self._summaries[solution.path] = whole
                case Notice(is_error=True, text=text):
                    errors.append(text)
                case RunEnded(interrupted=True):
                    raise KeyboardInterrupt
                case _:
                    pass
        self._results[solution.path], self._errors[solution.path] = results, errors

    def _describe_error(self, solution: Solution, reason: str) -> JudgeError:
        """Return why a case was not judged: the first time with all that is wrong."""
        new = [each for each in self._errors[solution.path] if each not in self._reported]
        self._reported.update(new)
        return JudgeError("\n".join(new)) if new else NotJudgedError(f"not judged: {reason}")

    @cached_property
    def _session(self) -> Session:
        """The workers, started when the first case needs them."""
        return self._workspace.open_session(self._workspace.with_settings(self._options))
