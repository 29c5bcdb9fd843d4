"""The native layout: problems/<id>/problem.yaml, testcases/<id>/*.yaml, solutions/<id>/<expectation>/.

docs/format.md is the specification. The errors of all files of a problem are reported together.
"""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.links import find_wrong_links
from judge.languages.table import is_source
from judge.model import EXPECTATIONS, Case, Problem, Solution
from judge.problems.assets import AssetRoot
from judge.problems.paths import (
    find_file_error,
    has_problem_file,
    is_folder,
    is_ignored,
    list_folder,
    problem_ids,
    shown_path,
)
from judge.problems.yaml.text import describe_unknown, quote

if TYPE_CHECKING:  # imported when a problem is read: `judge.problems.cache` has most problems already
    from judge.problems.problem_file import ProblemConfig

_ID = re.compile(r"[a-z0-9_-]+")


def load_problem(root: Path, problem_id: str) -> Problem:
    """Read a problem with its cases and solutions.

    Raises:
        UsageError: there is no such problem; the message lists all problems.
        DataError: its files are wrong; carries the errors of all of them.
    """
    root = Path(os.path.abspath(root))  # noqa: PTH100 - not resolve(): links stay as they are
    is_name = problem_id and "/" not in problem_id and not is_ignored(problem_id)
    if not is_name or not has_problem_file(root / "problems" / problem_id):
        raise UsageError(describe_unknown("problem", problem_id, problem_ids(root)))
    places = [root / top / problem_id for top in ("problems", "testcases", "solutions")]
    links = find_wrong_links(places, os.path.realpath(root))
    diagnostics = [Diagnostic(path=shown_path(link, root), message=error) for link, error in links]
    if diagnostics:  # nothing is read, since messages show parts of files
        raise DataError(diagnostics)
    from judge.problems.problem_file import check_case_names, read_problem_file

    folder = root / "problems" / problem_id
    if not _ID.fullmatch(problem_id):
        message = f"the folder's name is the id {quote(problem_id)}: use lower-case letters, digits, `_` and `-`"
        diagnostics.append(Diagnostic(path=shown_path(folder, root), message=message))
    if os.path.lexists(folder / "problem.yml"):
        diagnostics.append(_wrong_suffix(shown_path(folder / "problem.yml", root)))
    solution_assets = AssetRoot.in_repository(root / "solutions" / problem_id, root)
    of_solutions: list[Diagnostic] = []  # reported last
    solutions = read_solutions(solution_assets, of_solutions)
    by_path = {solution.path: solution for solution in solutions}
    config = read_problem_file(folder, solution_assets, by_path, root, diagnostics)
    assets = AssetRoot.in_repository(root / "testcases" / problem_id, root)
    cases = _read_groups(assets, config, diagnostics)
    if config.problem.checker_tests:
        diagnostics.extend(check_case_names(config.document.shown, config.problem.checker_tests, cases))
    diagnostics.extend(of_solutions)
    if diagnostics:
        raise DataError(diagnostics)
    return replace(config.problem, cases=cases)


def _read_groups(assets: AssetRoot, config: "ProblemConfig", diagnostics: list[Diagnostic]) -> tuple[Case, ...]:
    """Read all groups: in the order of the subtasks, or else `sample` first, then by name."""
    from judge.problems.case_file import read_cases

    folder, shown = assets.folder, assets.shown
    names = [entry.name for entry in list_folder(folder, shown, diagnostics)]
    misnamed = [name for name in names if name.lower().endswith((".yml", ".yaml")) and not name.endswith(".yaml")]
    diagnostics.extend(_wrong_suffix(shown / name) for name in misnamed)
    groups = sorted((name for name in names if name.endswith(".yaml")), key=lambda name: (name != "sample.yaml", name))
    if config.problem.groups is not None:
        from judge.problems.problem_file import check_files

        stems = [name.removesuffix(".yaml") for name in groups]
        diagnostics.extend(check_files(config.document, config.problem.groups, stems, shown))
        order = {f"{group.name}.yaml": position for position, group in enumerate(config.problem.groups.groups)}
        groups.sort(key=lambda name: order.get(name, len(order)))
    cases: list[Case] = []
    for group in groups:
        cases += read_cases(folder / group, assets, config, diagnostics, already=len(cases))
    return tuple(cases)


def _wrong_suffix(file: Path) -> Diagnostic:
    return Diagnostic(path=file, message=f"wrong suffix: rename it to {quote(file.stem + '.yaml')}")


def read_solutions(assets: AssetRoot, diagnostics: list[Diagnostic]) -> tuple[Solution, ...]:
    """Return the solutions of a problem, by expectation (accepted first), then by name.

    The folder solutions/<id> need not exist. What is wrong with files and folders is added to the diagnostics.
    """
    groups: dict[str, list[Solution]] = {name: [] for name in EXPECTATIONS}
    shown = assets.shown
    for entry in list_folder(assets.folder, shown, diagnostics):
        name = entry.name
        if is_folder(entry) and name in EXPECTATIONS:
            for each in list_folder(assets.folder / name, shown / name, diagnostics):
                path, shown_file = assets.folder / name / each.name, shown / name / each.name
                error = find_file_error(path) if is_source(each.name) else None
                if is_folder(each):
                    error = "is a folder: a solution is a single file, move it one folder up"
                elif is_source(each.name):
                    display_path = str(shown_file)
                    groups[name].append(Solution(path=path, display_path=display_path, expectation=EXPECTATIONS[name]))
                diagnostics += [Diagnostic(path=shown_file, message=error)] if error else []
        elif is_folder(entry):
            message = describe_unknown("folder", name, tuple(EXPECTATIONS))
            diagnostics.append(Diagnostic(path=shown / name, message=message))
        elif is_source(name):
            message = "not in a folder: move it into the folder of its expected verdict, such as `accepted`"
            diagnostics.append(Diagnostic(path=shown / name, message=message))
    return tuple(solution for group in groups.values() for solution in group)
