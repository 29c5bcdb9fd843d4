"""A workspace: the repository of problems that a user works in, and the folder for the state that belongs to it."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import Diagnostic, ToolError, UsageError
from judge.base.files import user_cache_folder
from judge.base.links import list_above
from judge.model import Problem
from judge.problems.paths import archives_in, contest_folders, is_package, is_repository, package_names
from judge.runner.options import ProblemSelection
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query, absolute_path, resolve_query
from judge.workspace.resolution import Resolution

if TYPE_CHECKING:  # imported when they are used: the help of a command needs none of them
    from judge.history.history import History
    from judge.settings.load import Settings
    from judge.workspace.select import LoadProblem, Selection
    from judge.workspace.session import ExecutorFactory, Session

STATE = ".judge"  # in the repository's root: caches, the history, and the record of submissions; ignored by git


class SourceSelection(Struct, frozen=True, kw_only=True):
    """A source file of the user and the problem that it solves.

    Attributes:
        problem: the problem with all cases and this solution only; None if the problem is not known.
        notes: how it was found, a line each.
        diagnostics: errors in files of the problem that are left out.
    """

    path: Path
    data: bytes
    problem: ProblemSelection | None
    notes: Sequence[str] = ()
    diagnostics: Sequence[Diagnostic] = ()


class Workspace(Struct, frozen=True, kw_only=True):
    """A folder that holds problems/, testcases/ and solutions/; packages of contests; or any other folder with files.

    Attributes:
        root: absolute; paths that are shown are relative to it.
        state_folder: for the cache, the history and the record of submissions; created when something is written.
        is_repository: whether the root is a repository in our own layout.
        packages: the packages that belong to it, by id: the root itself, those directly in it, or in `problems`.
        place: the folder that the history belongs to: that of the packages, or else the root.
    """

    root: Path
    state_folder: Path
    is_repository: bool
    packages: Mapping[str, Path] = field(default_factory=dict)
    place: Path | None = None

    @classmethod
    def find(cls, start: Path | None = None) -> "Workspace":
        """Return the workspace of the nearest repository: `start` (default: the current folder) or above.

        Raises:
            UsageError: there is none.
        """
        return cls._of_repository(find_root((start or Path.cwd()).absolute()))

    @classmethod
    def find_or_use(cls, start: Path | None = None) -> "Workspace":
        """Return the workspace of the nearest repository or package, or else of the folder itself."""
        here = Path(os.path.abspath(start or Path.cwd()))  # noqa: PTH100 - not resolve(): links are kept
        for folder in list_above(here):
            if is_repository(folder):
                return cls._of_repository(folder)
            if is_package(folder):
                return cls._of_packages(folder, {folder.name: folder}, folder.parent)
            if folder == here and (packages := _packages_in(here) or _packages_in(here / "problems")):
                return cls._of_packages(folder, packages, next(iter(packages.values())).parent)
        return cls._of_packages(here, {}, here)

    @classmethod
    def _of_repository(cls, root: Path) -> "Workspace":
        packages = _packages_in(root / "problems")
        return cls(root=root, state_folder=_state_folder(root), is_repository=True, packages=packages)

    @classmethod
    def _of_packages(cls, root: Path, packages: Mapping[str, Path], place: Path) -> "Workspace":
        state = _user_state_folder(root if not packages else None)
        return cls(root=root, state_folder=state, is_repository=False, packages=packages, place=place)

    @classmethod
    def find_problems(cls, start: Path | None = None) -> "Workspace":
        """Return the workspace of the nearest repository or package, or of the packages in the folder.

        Raises:
            UsageError: there is none.
        """
        found = cls.find_or_use(start)
        return found if found.is_repository or found.packages else cls.find(start)

    def problem_ids(self) -> list[str]:
        """Return the ids of all problems, sorted; none outside of a repository."""
        from judge.problems.paths import problem_ids

        return problem_ids(self.root) if self.is_repository else []

    def require_problems(self, ids: Sequence[str] = ()) -> Sequence[str]:
        """Return these ids, or those of all problems.

        Raises:
            UsageError: there are no problems.
        """
        known = self.problem_ids()
        if not known:
            raise UsageError(f"no problems in {self.root / 'problems'}; create one with `judge new ID`")
        return ids or known

    def load_problem(self, problem_id: str) -> Problem:
        """Read a problem with its cases and solutions.

        Raises:
            UsageError: there is no such problem.
            DataError: its files are wrong.
        """
        from judge.problems.cache import load_problem

        return load_problem(self.root, problem_id, self.state_folder / "problems")

    def select(self, query: Query, *, load: "LoadProblem | None" = None) -> "Selection":
        """Return what a query selects.

        Raises:
            UsageError: a word of the query is unknown, or nothing is selected.
            DataError: the files of all selected problems are wrong.
        """
        from judge.workspace.select import select

        load = load or (lambda _, problem_id: self.load_problem(problem_id))
        return select(self._complete(query), self.root, known=self.problem_ids(), packages=self.packages, load=load)

    def select_source(
        self, file: Path, problem_id: str | None = None, case_source: Path | None = None, *, needs_cases: bool = True
    ) -> SourceSelection:
        """Read a source file and find the problem that it solves, by the rule of `judge.workspace.match`.

        Unless it `needs_cases`, a file without any has one with an empty line as its input.

        Raises:
            UsageError: there is no such file or problem.
            DataError: the problem's files are wrong.
        """
        from judge.languages.source import read_file
        from judge.workspace.match import UnmatchedError

        path = absolute_path(file, self.root)
        if path.is_dir():
            raise UsageError(f"{file} is a folder; expected one source file")
        if not path.exists():
            raise UsageError(f"{file} is a broken link" if path.is_symlink() else f"{file}: no such file")
        try:
            data = read_file(path)
        except ToolError as error:
            raise UsageError(str(error)) from error
        query = Query(
            targets=(problem_id,) if problem_id else (),
            solutions=(path,),
            case_source=case_source,
            standard_input=None if needs_cases else lambda: b"\n",
        )
        try:
            selection = self.select(query)
        except UnmatchedError:
            return SourceSelection(path=path, data=data, problem=None)
        (problem,) = selection.problems
        return SourceSelection(
            path=path, data=data, problem=problem, notes=selection.notes, diagnostics=selection.diagnostics
        )

    def resolve(self, query: Query) -> Resolution:
        """Return what a query selects of each problem, without reading the problems of the repository.

        Raises:
            UsageError: a word of the query is unknown.
            DataError: the cases that the query names cannot be read.
        """
        return resolve_query(self._complete(query), self.root, self.problem_ids(), self.packages)

    def _complete(self, query: Query) -> Query:
        """Return a query with a target: outside of a repository, everything is its packages, or the sources in it."""
        if self.is_repository or query.targets:
            return query
        folders = list(self.packages.values())
        if folders == [self.root]:
            return replace(query, targets=(str(self.root),))
        if query.solutions:
            return query
        if folders:
            return replace(query, targets=(str(folders[0].parent),))
        from judge.problems.nearby import list_sources

        if not contest_folders(self.root) and not list_sources(self.root) and not archives_in(self.root):
            find_root(self.root)  # raises the error that says what to do
        return replace(query, targets=(str(self.root),))

    def load_settings(self, profile: str | None = None) -> "Settings":
        """Return the settings that apply here.

        Raises:
            DataError: a file of settings is not valid.
            UsageError: there is no such profile, or an environment variable is not valid.
        """
        from judge.settings.load import load_settings

        return load_settings(self.root, is_repository=self.is_repository, profile=profile)

    def with_settings(self, options: SessionOptions) -> SessionOptions:
        """Return session options in which the settings that apply here fill in what is not given.

        Raises:
            DataError: a file of settings is not valid.
            UsageError: there is no such profile, or an environment variable is not valid.
        """
        settings = self.load_settings(options.profile)
        testlib = options.testlib or settings.get("testlib", Path)
        options = replace(options, jobs=options.jobs or settings.get("jobs", int), testlib=testlib)
        if options.flags or not settings.flags:
            return options
        return replace(options, flags=settings.flags, flags_from=settings.flag_origins(self.root))

    def open_session(
        self, options: SessionOptions | None = None, open_executor: "ExecutorFactory | None" = None
    ) -> "Session":
        """Start workers, or use those of another executor, and open the stores; the session is a context manager."""
        from judge.workspace.session import Session

        return Session(
            self.root, self.state_folder, options or SessionOptions(), place=self.place, open_executor=open_executor
        )

    def baseline_folder(self, problem_id: str, package: Path | None = None) -> Path:
        """Return the folder with the baselines of a problem; those of a package are kept outside of it."""
        if package is None:
            return self.root / "testcases" / problem_id
        return self.state_folder / "packages" / hashlib.sha256(os.fsencode(package)).hexdigest()[:16]

    def open_history(self) -> "closing[History]":
        """Open the history of runs; use it as a context manager."""
        from judge.history.history import History, history_file

        return closing(History(history_file(self.place or self.root, self.state_folder)))


def _packages_in(folder: Path) -> dict[str, Path]:
    return {name: folder / name for name in package_names(folder)}


def find_root(start: Path) -> Path:
    """Return the nearest folder, `start` or above, that has a folder `problems`; absolute.

    Raises:
        UsageError: there is none.
    """
    here = Path(os.path.abspath(start))  # noqa: PTH100 - not resolve(): links are kept
    for folder in list_above(here):
        if is_repository(folder):
            return folder
    raise UsageError(
        f"no folder `problems` in {here} or above it: change to a repository of problems, or start one with "
        "`judge new ID`; to judge a file without a repository: judge run FILE"
    )


def _user_state_folder(fallback: Path | None) -> Path:
    """Return the user's cache folder: folders of others are left as they are.

    Raises:
        UsageError: there is no home and no fallback.
    """
    try:
        return user_cache_folder()
    except RuntimeError as error:
        if fallback is None:
            raise UsageError(
                "there is no home folder for the judge's cache, and a package is left as it is: set XDG_CACHE_HOME"
            ) from error
        return _state_folder(fallback)


def _state_folder(root: Path) -> Path:
    """Return the folder for the state in a folder that may come from anyone.

    Raises:
        UsageError: it is a link: the judge would change other files.
    """
    state = root / STATE
    if state.is_symlink():
        raise UsageError(f"{state} is a link, and the judge writes into no other folder: remove the link")
    return state
