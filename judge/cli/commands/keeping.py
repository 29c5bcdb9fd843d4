"""What commands keep for later ones: cases, and in the problem.yaml of a folder, options.

A case goes into a case file of a problem of the repository, beside a source, or into the current folder.
"""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge.base.errors import UsageError
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
    is_found: bool,
    file: str,
    why: str,
    helpers: Collection[Path] = (),
) -> str:
    """Keep an input and its answer as a case of a problem; return what was done, for the user.

    Args:
        problem: None, and packages, are left as they are: the case is written to `stress/1.in` and so on.
        data: the input.
        answer: None if it is not known.
        is_found: by a search with the problem's solution, which may be the reference. Then the answer is not kept where
            another reference computes it, and what no case file can hold is written to `stress/1.in`, too.
        file: for a problem of the repository, the case file.
        why: for such a case, its reason.
        helpers: other sources of the folder that solve the same problem, or that help to.

    Raises:
        OSError: a file cannot be written.
        UsageError: a file that has the cases cannot be read, or a case file cannot hold a case that no search found.
    """
    from judge.model import InFile
    from judge.problems.added_cases import NewCase
    from judge.workspace.new_cases import add_answer, add_beside, find_known, numbered, write_case

    if problem is not None:
        if known := find_known(problem.cases, data):
            has_none = known.answer is None and problem.folder is None
            if answer is not None and has_none and isinstance(known.input, InFile):
                place = known.input.path.parent
                others = [each.answer.path for each in problem.cases if isinstance(each.answer, InFile)]
                if any(each.parent != place for each in others):
                    return f"not kept: put the answer of {known.id} beside {shown_path(others[0], Path.cwd())}"
                return _name(add_answer(known.input.path, answer, problem.solutions[0].path.parent))
            return f"not kept: case {known.id} has this input"
        if problem.folder is None:
            own = {*helpers, *(each.path for each in problem.solutions)}
            return _name(add_beside(problem.solutions[0].path, problem.cases, data, answer, own))
        suspect = problem.solutions[0].path if is_found else None
        has_reference = problem.reference not in (None, suspect)
        is_complete = has_reference or answer is not None or problem.interactor is not None or problem.passes > 1
        if is_complete and not problem.is_package:
            kept = None if is_found and has_reference else answer
            if text := _add_to_case_file(problem, NewCase(why=why, input=data, answer=kept), file):
                return text
        if not is_found:
            raise UsageError(f"{problem.id}: no case file can hold this case: name its files in one (docs/format.md)")
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


def save_keys_beside(
    problems: "Sequence[Problem]",
    to_yaml: Callable[[Path], tuple[Mapping[str, str], Mapping[str, str]]],
    *,
    has_own_cases: bool,
) -> None:
    """Write keys into problem.yaml, beside the solutions of problems or beside their cases; say where.

    Args:
        problems: what the keys are for.
        to_yaml: returns the keys for a folder, and those of `limits`, each with its value as YAML.
        has_own_cases: the cases are those that the solutions have by their place.

    Raises:
        UsageError: a problem has its own place for them.
        DataError, OSError: the file is wrong, or cannot be written.
    """
    from judge.problems.folder_file import NAME, save_keys

    places: set[Path] = set()
    for problem in problems:
        if problem.folder is not None:
            raise UsageError(f"--save: {problem.id} has its own files; edit its {NAME}")
        beside = problem.cases[0].origin.parent if problem.cases and has_own_cases else None
        for folder in (each.path.parent for each in problem.solutions):
            is_inside = beside is not None and beside.is_relative_to(folder) and (beside / NAME).exists()
            places.add(beside if beside is not None and is_inside else folder)
    for folder in sorted(places):
        path = save_keys(folder, *to_yaml(folder))
        print(f"saved in {shown_path(path, Path.cwd())}", file=sys.stderr)
