"""The solutions of a problem: solutions/<id>/<expectation>/, one file a solution."""

import os
from pathlib import Path

from judge.errors import Finding
from judge.languages import SUFFIXES
from judge.layouts.paths import is_folder, list_folder, shown_path, why_no_file
from judge.model import EXPECTATIONS, Expectation, Solution
from judge.yamlfile.words import quoted, unknown


def read_solutions(folder: Path, root: Path, findings: list[Finding]) -> tuple[Solution, ...]:
    """Return the solutions below a problem's folder, by expectation (accepted first), then by name.

    Args:
        folder: solutions/<id>; need not exist.
        root: the repository's root.
        findings: what is wrong with files and folders is added here.
    """
    groups: dict[str, list[Solution]] = {name: [] for name in EXPECTATIONS}
    for entry in list_folder(folder, shown_path(folder, root), findings):
        path = folder / entry.name
        if not is_folder(entry):
            findings.extend(_misplaced(path, root))
        elif entry.name not in EXPECTATIONS:
            message = unknown("folder", entry.name, tuple(EXPECTATIONS))
            findings.append(Finding(file=shown_path(path, root), message=message))
        else:
            groups[entry.name] = _solutions(path, EXPECTATIONS[entry.name], root, findings)
    return tuple(solution for group in groups.values() for solution in group)


def _solutions(folder: Path, expectation: Expectation, root: Path, findings: list[Finding]) -> list[Solution]:
    solutions = []
    for entry in list_folder(folder, shown_path(folder, root), findings):
        path = folder / entry.name
        shown = shown_path(path, root)
        if is_folder(entry):
            findings.append(Finding(file=shown, message="a folder: a solution is one file, put it one folder up"))
        elif _is_source(entry):
            if reason := why_no_file(path):
                findings.append(Finding(file=shown, message=reason))
            solutions.append(Solution(path=path, shown=str(shown), expectation=expectation))
    return solutions


def _is_source(entry: os.DirEntry[str]) -> bool:
    return Path(entry.name).suffix.lower() in SUFFIXES


def _misplaced(path: Path, root: Path) -> list[Finding]:
    if path.suffix.lower() not in SUFFIXES:
        return []
    message = (
        f"{quoted(path.name)} stands in no folder: put it into the folder of what it should earn, such as `accepted`"
    )
    return [Finding(file=shown_path(path, root), message=message)]
