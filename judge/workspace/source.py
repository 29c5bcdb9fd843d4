"""One source file of the user and the problem that it solves, as `check`, `bundle` and `submit` need them."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from judge.errors import Diagnostic, ToolError, UsageError
from judge.languages.source import read_file
from judge.runner.options import ProblemSelection
from judge.workspace.query import Query, absolute_path
from judge.workspace.workspace import Workspace


class SourceSelection(Struct, frozen=True, kw_only=True):
    """A source file and its problem.

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


def select_source(
    file: Path, workspace: Workspace, problem_id: str | None = None, case_source: Path | None = None
) -> SourceSelection:
    """Read a source file and find the problem that it solves, by the rule of `judge.workspace.match`.

    Raises:
        UsageError: there is no such file or problem.
        DataError: the problem's files are wrong.
    """
    path = absolute_path(file, workspace.root)
    if path.is_dir():
        raise UsageError(f"{file} is a folder; expected one source file")
    if not path.exists():
        raise UsageError(f"{file} is a broken link" if path.is_symlink() else f"{file}: no such file")
    try:
        data = read_file(path)
    except ToolError as error:
        raise UsageError(str(error)) from error
    from judge.workspace.match import UnmatchedError

    query = Query(targets=(problem_id,) if problem_id else (), solutions=(path,), case_source=case_source)
    try:
        selection = workspace.select(query)
    except UnmatchedError:
        return SourceSelection(path=path, data=data, problem=None)
    (problem,) = selection.problems
    return SourceSelection(
        path=path, data=data, problem=problem, notes=selection.notes, diagnostics=selection.diagnostics
    )
