"""The problems that rows name: read and prepared once, and kept while they are used."""

import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import digest
from judge.base.errors import DataError, JudgeError, UsageError, describe_error
from judge.base.links import leads_out
from judge.base.units import Seconds
from judge.grading.recent import Recent
from judge.grading.values import GradeOptions, Task
from judge.model import Case, Problem, ProblemType
from judge.preparation.cases import PreparedCase, ReadyCase, diagnose
from judge.problems.contest import read_contest
from judge.problems.folder import load_cases
from judge.problems.folder_file import read_rules
from judge.problems.paths import has_problem_file, is_package
from judge.runner.cache import case_identity
from judge.runner.options import RunOptions
from judge.runner.run import add_static_cases
from judge.runner.time_limit import infer_time_limit, with_time_limit
from judge.workspace.packages import contest_tools
from judge.workspace.query import Query, absolute_path
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # few problems have programs that judge
    from judge.judging.programs import JudgePrograms
    from judge.languages.options import BuildOptions


class PreparedProblem(Struct, frozen=True, kw_only=True):
    """A problem whose cases are ready.

    Attributes:
        cases: with the limits and the checker that apply.
        programs: of the problem, that judge; None if it has none.
        folder: for the sources of submissions.
        tools: compilers and interpreters that contests use, as for `judge run`.
        digest: of everything in it that decides verdicts.
    """

    problem: Problem
    cases: Sequence[PreparedCase]
    programs: "JudgePrograms | None"
    folder: Path
    session: Session
    tools: Mapping[str, str]
    digest: str

    def run_options(self, tools: Mapping[str, str]) -> RunOptions:
        """Return how submissions are built; the user's tools come first."""
        return replace(self.session.run_options(use_cache=False), tools={**self.tools, **tools})

    def override(self, task: Task) -> "PreparedProblem":
        """Return the problem with the limits and the checker that a row gives."""
        if not task.limit_overrides and task.checker_override is None:
            return self

        def change(case: Case) -> Case:
            checker = task.checker_override or case.checker
            return replace(case, limits=case.limits.override(**task.limit_overrides), checker=checker)

        return replace(self, cases=[replace(each, case=change(each.case)) for each in self.cases])

    def check(self, task: Task) -> None:
        """Check that the checker of a row can replace that of the problem.

        Raises:
            UsageError: it cannot.
        """
        if task.checker_override is None:
            return
        if ProblemType.INTERACTIVE in self.problem.types or self.problem.passes > 1:
            raise UsageError(f"checker: programs of {self.problem.id} decide on its cases: remove `checker`")
        if not task.names_checker and any(each.case.checker.program for each in self.cases):
            raise UsageError(
                f"checker: that of {self.problem.id} is a program, without options: remove `checker`, or name another "
                "one, such as tokens"
            )


class ProblemStore:
    """Reads and prepares problems; may be used by several threads.

    Args:
        options: `root`, where ids and relative paths start, and `folders`.
        folder: for the sources of submissions.
    """

    def __init__(self, options: GradeOptions, session: Session, folder: Path) -> None:
        self._options = options
        self._session = session
        self._folder = folder
        self._lock = threading.Lock()
        self._known = Recent[str, PreparedProblem | str](256)  # the least recently used are dropped first

    def get(self, name: str) -> PreparedProblem:
        """Return a problem.

        Raises:
            JudgeError: there is no such problem, or its files are wrong; the same error each time.
        """

        def prepare() -> PreparedProblem | str:
            try:
                return self._prepare(name)
            except (JudgeError, OSError) as error:
                return describe_error(error)

        with self._lock:
            found = self._known.get(name, prepare)
        if isinstance(found, str):
            raise JudgeError(found)
        return found

    def _prepare(self, name: str) -> PreparedProblem:
        problem = self._load(name)
        tools = contest_tools() if problem.prefers_pypy else {}
        prepared: Sequence[PreparedCase] = list(self._session.prepare(problem, problem.cases))
        if wrong := diagnose(prepared):
            raise DataError(wrong)
        if problem.needs_time_limit:
            problem, prepared = self._infer_time_limit(problem, prepared, tools)
        problem, prepared = add_static_cases(problem, prepared)
        programs = self._session.store.judge_programs(problem)
        return PreparedProblem(
            problem=problem,
            cases=prepared,
            programs=programs,
            folder=self._folder,
            session=self._session,
            tools=tools,
            digest=_digest(problem, prepared, programs, tools, self._session.run_options(use_cache=False).build),
        )

    def _infer_time_limit(
        self, problem: Problem, prepared: Sequence[PreparedCase], tools: Mapping[str, str]
    ) -> tuple[Problem, list[PreparedCase]]:
        """Return a problem and its cases with the time limit that follows from its submissions, if one does."""
        options = self._session.run_options(use_cache=False)
        options = replace(options, tools={**tools, **options.tools})
        steps = infer_time_limit(problem, prepared, options, self._session.executor)
        limit: Seconds | None = None
        try:
            while True:
                next(steps)
        except StopIteration as end:
            limit = end.value
        if limit is None:  # as for `judge run`
            return problem, list(prepared)
        limited = with_time_limit(problem, limit)
        limits = {case.id: case for case in limited.cases}
        return limited, [replace(each, case=limits[each.case.id]) for each in prepared]

    def _load(self, name: str) -> Problem:
        """Read the problem that a row names.

        Raises:
            UsageError: there is none, or it is not exactly one.
            DataError: its files are wrong.
        """
        root = self._options.root
        workspace, target = Workspace.find_or_use(root), name
        place = (root or Path()).joinpath(name)
        place = place if place.exists() else absolute_path(Path(name), workspace.root)
        if place.exists():
            if leads_out(place, os.path.realpath(workspace.root)) and (fault := self._options.find_fault(place)):
                raise UsageError(f"{name} {fault}")
            if _has_only_cases(place):  # a problem.yaml in it has the rules
                rules = read_rules(place) if has_problem_file(place) else Problem()
                cases, diagnostics = load_cases(place, rules)
                if diagnostics:
                    raise DataError(diagnostics)
                return replace(rules, id=place.name, name=place.name, cases=cases)
            workspace, target = Workspace.find_or_use(place if place.is_dir() else place.parent), str(place)
        elif not (workspace.is_repository or workspace.packages):
            raise UsageError(f"{name}: no such folder, and no repository of problems in or above {workspace.root}")
        if name in workspace.problem_ids():
            return workspace.load_problem(name)
        selection = workspace.select(Query(targets=(target,)))
        if selection.diagnostics:
            raise DataError(selection.diagnostics)
        problems = [each.problem for each in selection.problems]
        problems = problems or list(selection.unsolved)
        if len(problems) != 1:
            raise UsageError(f"{name} is not one problem: expected an id, or the folder of a problem or package")
        return problems[0]


def find_problems(root: Path | None) -> dict[str, Path]:
    """Return the folders of the problems in a folder, by name: of a repository, packages, or folders of cases.

    They are in the order of the contest. A folder that is a problem itself is the only one.

    Raises:
        UsageError: there are none.
    """
    if root is not None and not root.is_dir():
        raise UsageError(f"--problems {root}: no such folder")
    here = Path(os.path.abspath(root or Path()))  # noqa: PTH100 - links are kept
    workspace = Workspace.find_or_use(here)
    place, known = workspace.root / "problems", dict[str, Path]()
    folders = [here / "problems", here]
    if workspace.is_repository and (root is None or here in (workspace.root, place) or here.parent == place):
        known, folders = {name: place / name for name in workspace.problem_ids()}, [place]
    for folder in folders:
        known |= {name: folder / name for name in read_contest(folder).packages}
    if here in known.values() or is_package(here):
        return {here.name: here}
    for folder in () if known else folders:
        known = {each.name: each for each in sorted(folder.glob("[!._]*")) if _has_only_cases(each)}
        if known:
            break
    if not known and _has_only_cases(here):
        return {here.name: here}
    if not known:
        raise UsageError(
            f"no problems in {here}: expected a repository, packages, or folders with inputs and answers, one for each "
            "problem; to name their folder: --problems DIR"
        )
    return known


def _has_only_cases(folder: Path) -> bool:
    """Return whether a folder has cases, and is neither a package nor a problem of a repository."""
    if not folder.is_dir() or is_package(folder) or (folder.parent.name == "problems" and has_problem_file(folder)):
        return False
    try:
        return len(load_cases(folder, Problem())[0]) > 0
    except UsageError:
        return False


def _digest(
    problem: Problem,
    prepared: Sequence[PreparedCase],
    programs: "JudgePrograms | None",
    tools: Mapping[str, str],
    build: "BuildOptions",
) -> str:
    """Return a hash of what decides verdicts: cases, limits, checkers, the problem's programs, tools and flags."""
    hasher = hashlib.blake2b(digest_size=16)
    hasher.update(repr((sorted(build.flags.items()), sorted(problem.compile_flags.items()), build.include)).encode())
    if tools:
        hasher.update(repr(sorted(tools.items())).encode())
    for each in prepared:
        hasher.update(repr((each.case.id, case_identity(each.case, programs))).encode())
        if isinstance(each, ReadyCase):
            hasher.update(digest(each.input).encode())
            hasher.update(b"-" if each.answer is None else digest(each.answer).encode())
    if programs is not None and problem.static_validator:
        hasher.update(repr(programs.identity(problem.static_validator)).encode())
    return hasher.hexdigest()
