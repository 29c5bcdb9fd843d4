"""This project's own layout: problems/<id>/problem.yaml, testcases/<id>/*.yaml, solutions/<id>/<expectation>/.

docs/format.md is the contract. All mistakes of all files of a problem are reported together.
"""

import os
import re
from dataclasses import replace
from pathlib import Path

from judge.errors import DataError, Diagnostic, UsageError
from judge.languages.table import SUFFIXES
from judge.model import EXPECTATIONS, Case, Expectation, Problem, Solution
from judge.problems.case_file import GroupContext, read_cases
from judge.problems.file_format import MOST_CASES
from judge.problems.paths import asset_root, is_folder, list_folder, shown_path, why_no_file
from judge.problems.problem_file import read_problem_file
from judge.problems.yaml.scalars import quoted, unknown


def read_solutions(folder: Path, root: Path, diagnostics: list[Diagnostic]) -> tuple[Solution, ...]:
    """Return the solutions below a problem's folder, by expectation (accepted first), then by name.

    Args:
        folder: solutions/<id>; need not exist.
        root: the repository's root.
        diagnostics: what is wrong with files and folders is added here.
    """
    groups: dict[str, list[Solution]] = {name: [] for name in EXPECTATIONS}
    for entry in list_folder(folder, shown_path(folder, root), diagnostics):
        path = folder / entry.name
        if not is_folder(entry):
            diagnostics.extend(_misplaced(path, root))
        elif entry.name not in EXPECTATIONS:
            message = unknown("folder", entry.name, tuple(EXPECTATIONS))
            diagnostics.append(Diagnostic(path=shown_path(path, root), message=message))
        else:
            groups[entry.name] = _solutions(path, EXPECTATIONS[entry.name], root, diagnostics)
    return tuple(solution for group in groups.values() for solution in group)


def _solutions(folder: Path, expectation: Expectation, root: Path, diagnostics: list[Diagnostic]) -> list[Solution]:
    solutions = []
    for entry in list_folder(folder, shown_path(folder, root), diagnostics):
        path = folder / entry.name
        shown = shown_path(path, root)
        if is_folder(entry):
            diagnostics.append(Diagnostic(path=shown, message="a folder: a solution is one file, put it one folder up"))
        elif _is_source(entry):
            if reason := why_no_file(path):
                diagnostics.append(Diagnostic(path=shown, message=reason))
            solutions.append(Solution(path=path, display_path=str(shown), expectation=expectation))
    return solutions


def _is_source(entry: os.DirEntry[str]) -> bool:
    return Path(entry.name).suffix.lower() in SUFFIXES


def _misplaced(path: Path, root: Path) -> list[Diagnostic]:
    if path.suffix.lower() not in SUFFIXES:
        return []
    message = (
        f"{quoted(path.name)} stands in no folder: put it into the folder of what it should earn, such as `accepted`"
    )
    return [Diagnostic(path=shown_path(path, root), message=message)]


_ID = re.compile(r"[a-z0-9_-]+")


def find_root(start: Path) -> Path:
    """Return the nearest folder, `start` or above, that has a folder `problems`; absolute.

    Raises:
        UsageError: there is none.
    """
    here = Path(os.path.abspath(start))  # noqa: PTH100 - not resolve(): a link stays where it stands
    for folder in (here, *here.parents):
        if os.path.isdir(folder / "problems"):  # noqa: PTH112 - Path.is_dir raises where it may not look
            return folder
    raise UsageError(
        f"no folder `problems` in {here} or above it: go into a repository of problems, or begin one with "
        "`judge new ID`; to judge a file without any: judge run -s FILE --cases DIR"
    )


def problem_ids(root: Path) -> list[str]:
    """Return the ids of all problems, by name: the folders in problems/ that have a problem.yaml."""
    entries = list_folder(root / "problems", Path("problems"), [])
    return [entry.name for entry in entries if _described(Path(entry.path))]


def load_problem(root: Path, problem_id: str) -> Problem:
    """Read a problem with its cases and solutions.

    Args:
        root: the repository's root, as from `find_root`.
        problem_id: the name of its folder.

    Raises:
        UsageError: there is no such problem; the message says which there are.
        DataError: its files are wrong; carries all mistakes of all of them.
    """
    root = Path(os.path.abspath(root))  # noqa: PTH100 - see find_root
    ids = problem_ids(root)
    if problem_id not in ids:
        raise UsageError(unknown("problem", problem_id, ids))
    diagnostics: list[Diagnostic] = []
    problem = _load(root, problem_id, diagnostics)
    if diagnostics:
        raise DataError(diagnostics)
    return problem


def _load(root: Path, problem_id: str, diagnostics: list[Diagnostic]) -> Problem:
    folder = root / "problems" / problem_id
    if not _ID.fullmatch(problem_id):
        message = f"the id {quoted(problem_id)} is the folder's name: use lower-case letters, digits, `_` and `-`"
        diagnostics.append(Diagnostic(path=shown_path(folder, root), message=message))
    if os.path.lexists(folder / "problem.yml"):
        diagnostics.append(_renamed(shown_path(folder / "problem.yml", root)))
    solutions_home = asset_root(root / "solutions" / problem_id, root)
    late: list[Diagnostic] = []  # what is wrong with solutions is told last
    solutions = read_solutions(solutions_home.folder, root, late)
    by_path = {solution.path: solution for solution in solutions}
    described = read_problem_file(folder, solutions_home, by_path, root, diagnostics)
    within = GroupContext(
        home=asset_root(root / "testcases" / problem_id, root),
        settings=described.settings,
        functions=described.functions,
        makes_answers=described.makes_answers,
    )
    cases = _cases(within, diagnostics)
    diagnostics.extend(late)
    statement = folder / "statement.md"
    return Problem(
        id=problem_id,
        name=described.name,
        source=described.source,
        profile=described.profile,
        limits=described.settings.limits,
        checker=described.settings.checker,
        folder=folder,
        statement=None if why_no_file(statement) else statement,
        validator=described.validator,
        generators=described.generators,
        reference=described.reference,
        independent=described.independent,
        lock=within.home.folder / "cases.lock",
        cases=cases,
        solutions=solutions,
    )


def _cases(within: GroupContext, diagnostics: list[Diagnostic]) -> tuple[Case, ...]:
    """Read all groups: `sample` first, then by name."""
    folder, shown = within.home.folder, within.home.shown
    names = [entry.name for entry in list_folder(folder, shown, diagnostics)]
    diagnostics.extend(_renamed(shown / name) for name in names if _is_misnamed(name))
    groups = sorted((name for name in names if name.endswith(".yaml")), key=lambda name: (name != "sample.yaml", name))
    cases: list[Case] = []
    for group in groups:
        cases += read_cases(folder / group, replace(within, room=MOST_CASES - len(cases)), diagnostics)
    return tuple(cases)


def _renamed(file: Path) -> Diagnostic:
    return Diagnostic(path=file, message=f"not read: rename it to {quoted(file.stem + '.yaml')}")


def _is_misnamed(name: str) -> bool:
    return name.lower().endswith((".yml", ".yaml")) and not name.endswith(".yaml")


def _described(folder: Path) -> bool:
    return any(os.path.lexists(folder / name) for name in ("problem.yaml", "problem.yml"))
