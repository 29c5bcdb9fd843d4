"""Filters of a selection: what failed in the last run, or what changed since a commit."""

from collections.abc import Callable, Collection
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec.structs import replace

from judge.errors import UsageError
from judge.git import list_changed_files, resolve_commit
from judge.history.history import History
from judge.model import Problem, Solution
from judge.problems.paths import submission_folder
from judge.workspace.select import Selection

_FOLDERS_OF_A_PROBLEM = ("problems", "testcases")  # a file there affects every solution of its problem


def keep_failed(selection: Selection, history: History) -> Selection:
    """Return the solutions that did not do what was expected when they were judged last; there may be none."""
    failed = history.failed()
    return _filter(selection, lambda problem, solution: (problem.id, solution.display_path) in failed)


def keep_changed(selection: Selection, since: str = "HEAD") -> Selection:
    """Return the solutions that a change since a commit affects; there may be none.

    Raises:
        UsageError: git does not know the commit, or there is no repository of git.
    """
    files = _changed_files(selection.root, since)
    return _filter(selection, lambda problem, solution: _affects(files, selection.root, problem, solution))


def _filter(selection: Selection, keeps: Callable[[Problem, Solution], bool]) -> Selection:
    problems = []
    for each in selection.problems:
        kept = tuple(solution for solution in each.problem.solutions if keeps(each.problem, solution))
        if kept:
            problems.append(replace(each, problem=replace(each.problem, solutions=kept)))
    return replace(selection, problems=problems, notes=(), unsolved=())


def _changed_files(root: Path, since: str) -> Collection[Path]:
    commit = resolve_commit(root, since)
    files = list_changed_files(root, commit) if commit else None
    if files is None:
        if resolve_commit(root, "HEAD") is None:
            raise UsageError(f"{root} is not a git repository with a commit; --changed and --since compare with one")
        raise UsageError(f"--since {since}: {root} has no such commit, branch or tag")
    return [path for path in files if not _is_baseline(path)]


def _is_baseline(path: Path) -> bool:
    return path.parts[:1] == ("testcases",) and fnmatchcase(path.name, "baseline*.lock")


def _affects(files: Collection[Path], root: Path, problem: Problem, solution: Solution) -> bool:
    """Return whether a file is, lies in, or contains (as a submodule does) what decides about a solution."""
    if problem.is_package and problem.folder is not None:
        return _affects_package([root / file for file in files], problem.folder, solution)
    real = solution.path.resolve()  # a link changes with the file that it leads to
    own = [solution.path, *(root / folder / problem.id for folder in _FOLDERS_OF_A_PROBLEM)]
    if real.is_relative_to(root.resolve()):
        own.append(root / real.relative_to(root.resolve()))
    return any((root / file).is_relative_to(path) or path.is_relative_to(root / file) for file in files for path in own)


def _affects_package(files: Collection[Path], folder: Path, solution: Solution) -> bool:
    """Return whether a file decides about a submission of a package: it is part of it, or no submission at all."""
    submissions = submission_folder(folder)
    for file in files:
        if file.is_relative_to(solution.path) or folder.is_relative_to(file):
            return True
        if file.is_relative_to(folder) and (not file.is_relative_to(submissions) or file.parent == submissions):
            return True
    return False
