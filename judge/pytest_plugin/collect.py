"""Solutions as test files, and their cases as the tests in them; problems with the tests of their programs."""

import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

from judge.base.errors import Diagnostic, JudgeError, UsageError, describe_error
from judge.languages.options import BuildOptions
from judge.languages.table import SUFFIXES
from judge.model import Case, Problem, Solution, SolutionResult, Verdict
from judge.problems.paths import find_package, is_ignored, is_polygon
from judge.pytest_plugin.session import JudgeSession, NotJudgedError
from judge.reporters import formatting
from judge.reporters.escape import PLAIN
from judge.reporters.failure import failure_lines
from judge.reporters.lines import DisplayOptions, line_text
from judge.workspace.options import SessionOptions
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle  # pytest does not export them

    from judge.packages.verification.program_tests import ProgramTest

T = TypeVar("T")

EXPECTATION = "expectation"
"""The name of the test for what no single case shows: a wrong solution must fail at least once."""


class Solutions:
    """The plugin, registered in sessions with `--judge`.

    Raises:
        pytest.UsageError: there is no repository of problems.
    """

    def __init__(self, config: pytest.Config) -> None:
        given = str(config.getini("judge_root"))
        base = config.inipath.parent if config.inipath else config.rootpath
        try:
            self.workspace = Workspace.find_problems(base / given if given else config.invocation_params.dir)
        except UsageError as error:
            raise pytest.UsageError(f"--judge: {error}") from None
        if given and self.workspace.root != Path(os.path.abspath(base / given)):  # noqa: PTH100 - links are kept
            raise pytest.UsageError(f"--judge: judge_root is {given}, but {base / given} has no folder `problems`")
        is_one_of_many = hasattr(config, "workerinput")  # pytest-xdist runs several sessions at once
        if config.getoption("dist", "no") == "load":
            config.option.dist = "loadfile"  # the cases of a solution are judged together
        self.judge_session = JudgeSession(self.workspace, workers=1 if is_one_of_many else None)
        solutions = self.workspace.root / "solutions"
        if config.args_source is pytest.Config.ArgsSource.TESTPATHS and solutions.is_dir():
            config.args.append(str(solutions))  # `testpaths` selects the usual tests; --judge adds these
            config.args.append(str(self.workspace.root / "problems"))

    def pytest_report_header(self) -> list[str]:
        """Say which compile flags the settings add: they may change a verdict."""
        try:
            options = self.workspace.with_settings(SessionOptions())
        except JudgeError as error:
            raise pytest.UsageError(str(error)) from error
        build = BuildOptions(flags=options.flags, flags_from=options.flags_from)
        return [f"judge: {text}" for text in build.describe_flags()]

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Collect a solution, and let no other plugin collect it: importing it as a test would run it."""
        others = yield
        if file_path.name == "problem.yaml" and _is_same(file_path.parent.parent, self.workspace.root / "problems"):
            problem = file_path.parent.name
            tests = ProblemTests.from_parent(
                parent, path=file_path, judge_session=self.judge_session, problem_id=problem
            )
            return [*others, tests]
        problem_id = self._problem_of(file_path)
        if problem_id is None:
            return others
        return [
            SolutionFile.from_parent(parent, path=file_path, judge_session=self.judge_session, problem_id=problem_id)
        ]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note all cases of the session, so that those of a solution are judged together."""
        wanted: dict[Path, set[str]] = {}
        for item in session.items:
            if isinstance(item, CaseItem | ExpectationItem):
                cases = item.problem.cases if item.case is None else [item.case]
                wanted.setdefault(item.solution.path, set()).update(case.id for case in cases)
        self.judge_session.wanted = wanted

    def pytest_unconfigure(self) -> None:
        """End all runs, however the session ended."""
        self.judge_session.close()

    def _problem_of(self, path: Path) -> str | None:
        """Return the id of the problem that a file solves, or the path of its package; None if it is no solution."""
        if path.suffix.lower() not in SUFFIXES or is_ignored(path.name):
            return None
        if (package := find_package(path)) is not None:
            return str(package) if _is_first(path, package) else None
        problem = path.parent.parent
        return problem.name if _is_same(problem.parent, self.workspace.root / "solutions") else None


class _File(pytest.File):
    """A file of a problem with tests."""

    def __init__(self, *, judge_session: JudgeSession, problem_id: str, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]  # pytest's own, from `from_parent`
        self._judge_session = judge_session
        self._problem_id = problem_id

    def _load_problem(self) -> Problem:
        try:
            return self._judge_session.problem(self._problem_id)
        except (JudgeError, OSError) as error:
            raise self.CollectError(describe_error(error)) from None


class SolutionFile(_File):
    """One solution."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each case, and one for the expectation if the cases alone cannot show it."""
        problem = self._load_problem()
        for solution in problem.solutions:
            if not self._is_of(solution):
                continue
            expectation = solution.expectation
            by_verdict = expectation.by_verdict
            cases_say_all = expectation.permitted <= expectation.required and not (by_verdict and problem.is_graded)
            for case in problem.cases if cases_say_all or not by_verdict else ():
                yield CaseItem.from_parent(
                    self, name=case.id, judge_session=self._judge_session, problem=problem, solution=solution, case=case
                )
            if not cases_say_all:
                yield ExpectationItem.from_parent(
                    self, name=EXPECTATION, judge_session=self._judge_session, problem=problem, solution=solution
                )

    def _is_of(self, solution: Solution) -> bool:
        if self.path.is_relative_to(solution.path):
            return True
        return solution.path.parts[-3:] == self.path.parts[-3:]  # a link may lead to the repository


class ProblemTests(_File):
    """A problem with the tests of its checker and validator."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the tests."""
        problem = self._load_problem()
        if not (problem.checker_tests or problem.validator_tests or problem.input_format):
            return
        from judge.packages.verification.program_tests import describe_test, problem_tests

        for test in problem_tests(problem):
            yield ProgramTestItem.from_parent(
                self, name=describe_test(test), judge_session=self._judge_session, problem=problem, test=test
            )


class ProgramTestItem(pytest.Item):
    """What a problem's checker or validator must accept or reject."""

    def __init__(self, *, judge_session: JudgeSession, problem: Problem, test: "ProgramTest", **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]  # pytest's own, from `from_parent`
        self._judge_session = judge_session
        self._problem = problem
        self._test = test
        self._found: Diagnostic | None = None

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        """Return where the test is, for reports."""
        return self.path, self._test.line - 1, f"{self._test.origin}::{self.name}"

    def setup(self) -> None:
        """Run the test: what keeps it from running is an error, not a failure."""
        self._found = _do_or_skip(lambda: self._judge_session.run_test(self._problem, self._test))

    def runtest(self) -> None:
        """Fail if the program does something else."""
        if self._found is not None:
            pytest.fail(str(self._found), pytrace=False)


class _Judged(pytest.Item):
    """A test of a solution: on one case, or on all of them."""

    case: Case | None = None

    def __init__(self, *, judge_session: JudgeSession, problem: Problem, solution: Solution, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]  # pytest's own, from `from_parent`
        self.judge_session = judge_session
        self.problem = problem
        self.solution = solution
        self.found: SolutionResult | None = None

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        """Return where the test is, for reports."""
        return self.path, None, f"{self.solution.display_path}::{self.name}"

    def setup(self) -> None:
        """Judge it: an error here is not a failure of the solution, and pytest reports a failed set-up as an error."""
        self.found = _do_or_skip(lambda: self.judge_session.judge(self.problem, self.solution, self.case))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: "TracebackStyle | None" = None
    ) -> "str | TerminalRepr":
        """Return the text of our own failures as it is: pytest would put `Failed: ` before the verdict."""
        if isinstance(excinfo.value, pytest.fail.Exception) and not excinfo.value.pytrace:
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def block(self) -> str:
        """Return the report of the failure, as in a log; pytest's short summary shows the first line of it."""
        assert self.found is not None
        display = DisplayOptions(width=None, glyphs=PLAIN)
        block = "\n".join(map(line_text, failure_lines(self.problem, [self.found], display))).rstrip()
        return f"{formatting.describe_failure(self.found.failures[0], PLAIN)}\n{block}"


class CaseItem(_Judged):
    """A solution on one case: its verdict must be permitted."""

    def __init__(self, *, case: Case, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]  # those of `_Judged`
        self.case = case

    def runtest(self) -> None:
        """Fail if the verdict is not permitted."""
        assert self.found is not None
        if self.found.verdict is Verdict.SK:
            pytest.skip(self.found.message)
        if self.found.failures:
            pytest.fail(self.block(), pytrace=False)


class ExpectationItem(_Judged):
    """A solution on all cases: one of them must get a required verdict.

    It asks for every case, whichever of them are tests of the session.
    """

    def runtest(self) -> None:
        """Fail if no case got one, or if the verdict on the whole decides and is another one."""
        assert self.found is not None
        expectation = self.solution.expectation
        if expectation.by_verdict and self.found.failures:
            pytest.fail(self.block(), pytrace=False)
        if expectation.has_required(self.found.counts, self.found.verdict) and not self.found.unmet:
            return
        if self.found.verdict is Verdict.SK or formatting.count_skipped(self.found) > self.found.omitted:
            pytest.skip(f"{formatting.count_skipped(self.found)} of {self.found.total} cases were not judged")
        pytest.fail(f"{self.solution.display_path}: {formatting.describe_missing_verdict(self.found)}", pytrace=False)


def _do_or_skip(work: Callable[[], T]) -> T:
    """Return what the work does; if the judge cannot do it, fail the test, or skip it."""
    try:
        return work()
    except NotJudgedError as error:
        outcome: BaseException = pytest.skip.Exception(str(error))
    except (JudgeError, OSError) as error:
        outcome = pytest.fail.Exception(describe_error(error), pytrace=False)
    raise outcome  # outside the handler, so that the traceback is not shown


def _is_first(path: Path, package: Path) -> bool:
    """Return whether a file is a submission, or the first source of a submission that is a folder."""
    if is_polygon(package):
        return path.parent == package / "solutions"
    parts = path.relative_to(package).parts
    if parts[0] != "submissions" or len(parts) <= 2:
        return False
    folder = package / "submissions" / parts[1]
    if path.parent == folder:
        return True
    top = folder / path.relative_to(folder).parts[0]
    sources = (each for each in top.rglob("*") if each.suffix.lower() in SUFFIXES and not is_ignored(each.name))
    return path == min(sources, default=None)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one == other or one.samefile(other)
    except OSError:
        return False
