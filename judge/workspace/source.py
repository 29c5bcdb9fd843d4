"""One source file of the user and the problem that it solves, as `check`, `bundle` and `submit` need them."""

from dataclasses import dataclass
from pathlib import Path

from judge.errors import ToolError, UsageError
from judge.languages.source import read_source
from judge.runner.options import ProblemSelection
from judge.workspace.query import Query, absolute_path, guess_problem
from judge.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSelection:
    """A source file and its problem.

    Attributes:
        problem: the problem with all cases and this solution only; None if the problem is not known.
    """

    path: Path
    data: bytes
    problem: ProblemSelection | None


def select_source(file: Path, workspace: Workspace, problem_id: str | None = None) -> SourceSelection:
    """Read a source file and find the problem that it solves: by its id, or else by the file's place or name.

    Raises:
        UsageError: there is no such file or problem.
        DataError: the problem's files are wrong.
    """
    path = absolute_path(file, workspace.root)
    if not path.exists():
        raise UsageError(f"{file}: no such file")
    if path.is_dir():
        raise UsageError(f"{file} is a folder; expected one source file")
    try:
        data = read_source(path)
    except ToolError as error:
        raise UsageError(str(error)) from error
    if not workspace.is_repository:
        return SourceSelection(path=path, data=data, problem=None)
    found = problem_id or guess_problem(path, workspace.root, workspace.problem_ids())
    problem = None
    if found:
        (problem,) = workspace.select(Query(targets=(found,), solutions=(path,))).problems
    return SourceSelection(path=path, data=data, problem=problem)
