"""`--failed` and `--changed`: of what a command line asks for, only what failed before, or what was edited."""

import argparse
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from judge.cli.select import Chosen
from judge.cli.workspace import cache_of, say_warning
from judge.errors import UsageError
from judge.git import changed_since, commit_of
from judge.history.history import History
from judge.model import Problem, Solution

_WHOLE_PROBLEM = ("problems", "testcases")  # a file there concerns every solution of its problem


def narrowed(chosen: Chosen, args: argparse.Namespace) -> Chosen:
    """Return what is left of a choice; it may be nothing.

    Raises:
        UsageError: git cannot tell what changed.
    """
    if args.failed:
        with closing(History(cache_of(chosen.root) / "history.sqlite")) as history:
            failed = set(history.failed())
            say_warning(history)
        chosen = _filtered(chosen, lambda problem, solution: (problem.id, solution.display_path) in failed)
    if args.changed or args.since:
        files = _changed_files(chosen.root, args.since or "HEAD")
        chosen = _filtered(chosen, lambda problem, solution: _concerns(files, chosen.root, problem, solution))
    return chosen


def nothing_left(args: argparse.Namespace) -> str:
    """Say why nothing is judged; that is no fault."""
    if args.failed:
        return "nothing to judge: all that is asked for did what it should when it was judged last, or was never judged"
    return f"nothing to judge: no file of what is asked for differs from {args.since or 'HEAD'}"


def _filtered(chosen: Chosen, keeps: Callable[[Problem, Solution], bool]) -> Chosen:
    selections = []
    for each in chosen.selections:
        kept = tuple(solution for solution in each.problem.solutions if keeps(each.problem, solution))
        if kept:
            selections.append(replace(each, problem=replace(each.problem, solutions=kept)))
    return replace(chosen, selections=selections)


def _changed_files(root: Path, since: str) -> Collection[Path]:
    commit = commit_of(root, since)
    files = changed_since(root, commit) if commit else None
    if files is None:
        if since == "HEAD":
            raise UsageError(f"--changed: {root} is no git repository with a commit, so nobody knows what changed")
        raise UsageError(f"--since {since}: {root} has no such commit, branch or tag")
    return [path for path in files if not _is_baseline(path)]


def _is_baseline(path: Path) -> bool:
    return path.parts[:1] == ("testcases",) and fnmatchcase(path.name, "baseline*.lock")


def _concerns(files: Collection[Path], root: Path, problem: Problem, solution: Solution) -> bool:
    """Whether a file is, is in, or holds (as a submodule does) what decides on a solution."""
    real = solution.path.resolve()  # a link changes with the file that it leads to
    own = [solution.path, *(root / top / problem.id for top in _WHOLE_PROBLEM)]
    if real.is_relative_to(root.resolve()):
        own.append(root / real.relative_to(root.resolve()))
    return any(_one_in_the_other(root / path, each) for path in files for each in own)


def _one_in_the_other(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)
