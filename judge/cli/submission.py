"""One file of the user's and the problem that it solves, as `check` and `bundle` need them."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from judge.cli.select import select
from judge.cli.targets import absolute, problem_of_file
from judge.cli.workspace import root_of
from judge.errors import ToolError, UsageError
from judge.languages.source import read_source
from judge.problems.native import problem_ids
from judge.runner import Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A file with what is known of its problem.

    Attributes:
        path: absolute.
        data: its bytes.
        root: the repository's root; the file's folder where there is no repository.
        selection: its problem with all cases and this one solution; None where no problem is known.
    """

    path: Path
    data: bytes
    root: Path
    selection: Selection | None


def submission_of(args: argparse.Namespace) -> Submission:
    """Return what `FILE` and `--problem` name.

    Raises:
        UsageError: there is no such file or problem.
        DataError: the problem's files are wrong.
    """
    root = _root(args)
    path = absolute(args.file, root or Path.cwd())
    if not path.exists():
        raise UsageError(f"{args.file}: there is no such file")
    if path.is_dir():
        raise UsageError(f"{args.file}: a folder; expected one source file")
    try:
        data = read_source(path)
    except ToolError as error:
        raise UsageError(str(error)) from error
    selection = None
    if root is not None:
        problem = args.problem or problem_of_file(path, root, problem_ids(root))
        selection = _selection(args, path, problem) if problem else None
    return Submission(path=path, data=data, root=root or path.parent, selection=selection)


def _root(args: argparse.Namespace) -> Path | None:
    """Return the repository's root; None where there is none and none is needed."""
    try:
        return root_of(args)
    except UsageError:
        if args.problem or args.root:
            raise
        return None


def _selection(args: argparse.Namespace, path: Path, problem: str) -> Selection:
    words = argparse.Namespace(
        targets=[problem], solution=[path], cases=None, case=[], group=[], root=args.root, data=args.data
    )
    (selection,) = select(words).selections
    return selection
