"""What `judge hack` and `judge stress` are asked: a solution, the problem that it solves, and what of it counts."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, UsageError
from judge.model import Case, Inline, Problem
from judge.runner.options import ProblemSelection
from judge.workspace.match import UnmatchedError
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace


class HackRequest(Struct, frozen=True, kw_only=True):
    """What to hack.

    Attributes:
        part: the problem with all its cases, and the submission as its only solution.
        whole: the problem with all its cases and solutions, of which the accepted ones are references.
        references: solutions that are right, besides those of the problem; absolute paths.
        validator: a program that accepts valid inputs in place of those of the problem.
        input_format: what is valid, as the user says it; "" for nothing.
        uses_cases: which known cases may be tried; None for all.
        sources: names of sources to use; None for all. For comparing them.
        notes: how the problem of the solution was found.
    """

    part: ProblemSelection
    whole: Problem
    references: tuple[Path, ...] = ()
    validator: Path | None = None
    input_format: str = ""
    uses_cases: Callable[[Case], bool] | None = None
    sources: frozenset[str] | None = None
    notes: tuple[str, ...] = ()


def find_request(
    workspace: Workspace,
    solution: Path,
    problem: str | None = None,
    *,
    references: Sequence[Path] = (),
    input_format: str = "",
    case_source: Path | None = None,
    samples_only: bool = False,
) -> HackRequest:
    """Return what to hack: a solution, and the problem that it solves.

    The problem is an id, or the folder of a package; without one, it is found. `case_source` replaces its cases; of the
    cases, `samples_only` uses only those of the group `sample`.

    Raises:
        UsageError: there is no such file or problem.
        DataError: the problem's files are wrong.
    """
    for each in references:
        if not each.is_file():
            raise UsageError(f"--reference {each}: no such file")
    query = Query(targets=(problem,) if problem else (), solutions=(solution,), case_source=case_source)
    try:
        selection = workspace.select(query)
    except UnmatchedError as error:
        selection = workspace.select(replace(query, standard_input=lambda: b"\n"))
        if not (input_format or selection.problems[0].problem.input_format):
            raise UsageError(f"{error}; or say what is valid with --input, then no case is needed") from error
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    if len(selection.problems) != 1 or len(selection.problems[0].problem.solutions) != 1:
        raise UsageError(f"{solution}: expected one solution of one problem")
    part = selection.problems[0]
    if [case.input for case in part.problem.cases] == [Inline(b"\n")]:
        part = replace(part, problem=replace(part.problem, cases=()))
    whole = part.problem
    if whole.folder is not None:  # a problem of the repository, or a package
        every = workspace.select(Query(targets=(whole.target or whole.id,)))
        whole = every.problems[0].problem if every.problems else whole
    return HackRequest(
        part=part,
        whole=whole,
        references=tuple(each.absolute() for each in references),
        input_format=input_format,
        uses_cases=(lambda case: case.group.startswith("sample")) if samples_only else None,
        notes=selection.notes,
    )
