"""Keeping a new case: in a case file of a problem of the repository, beside a source, or in the current folder."""

import sys
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from judge.problems.paths import shown_path

if TYPE_CHECKING:  # imported when a case is kept: help and completion need none of it
    from judge.model import Problem
    from judge.problems.added_cases import NewCase

_FOLDER = "stress"  # for what belongs to no problem that may be changed


def keep_case(
    problem: "Problem | None",
    data: bytes,
    answer: bytes | None,
    *,
    is_computed: bool,
    file: str,
    why: str,
    helpers: Collection[Path] = (),
) -> str:
    """Keep an input and its answer as a case of a problem; return what was done, for the user.

    Args:
        problem: None, and packages, are left as they are: the case is written to `stress/1.in` and so on.
        data: the input.
        answer: None if it is not known.
        is_computed: the answer need not be kept where a problem has a reference, which computes it.
        file: for a problem of the repository, the case file.
        why: for such a case, its reason.
        helpers: other sources of the folder that solve the same problem, or that help to.

    Raises:
        OSError: a file cannot be written.
        UsageError: a file that has the cases cannot be read.
    """
    from judge.problems.added_cases import NewCase
    from judge.workspace.new_cases import add_beside, find_known, numbered, write_case

    if problem is not None:
        if known := find_known(problem.cases, data):
            return f"not kept: case {known.id} has this input"
        if problem.folder is None:
            own = {*helpers, *(each.path for each in problem.solutions)}
            return _name(add_beside(problem.solutions[0].path, problem.cases, data, answer, own))
        has_reference = problem.reference not in (None, *(each.path for each in problem.solutions[:1]))
        is_complete = has_reference or answer is not None or problem.interactor is not None or problem.passes > 1
        if is_complete and not problem.is_package:
            kept = None if is_computed and has_reference else answer
            if text := _add_to_case_file(problem, NewCase(why=why, input=data, answer=kept), file):
                return text
    folder = Path.cwd() / _FOLDER
    return _name(write_case(numbered(folder), data, answer, folder.parent))


def _name(files: tuple[Path, ...]) -> str:
    return f"kept: {' and '.join(str(shown_path(path, Path.cwd())) for path in files)}"


def _add_to_case_file(problem: "Problem", case: "NewCase", file: str) -> str:
    """Add a case to a problem of a repository; return what was done, "" if that is not possible."""
    from judge.problems.added_cases import LayoutError, add_cases

    assert problem.folder is not None
    path = problem.folder.parent.parent / "testcases" / problem.id / file
    try:
        added = add_cases(path, "case", [case])
    except LayoutError as error:
        print(f"{path}: no case can be added: {error}", file=sys.stderr)
        return ""
    if added.names:
        return f"kept: case {path.stem}/{added.names[0]} in {path}"
    return f"not kept: {path} has a case with this input" if added.known else ""
