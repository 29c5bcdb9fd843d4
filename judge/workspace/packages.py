"""Packages of contests as problems of a selection: loaded, named, and checked for what the judge cannot do yet."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.base.units import format_count
from judge.model import Problem
from judge.problems.paths import is_polygon, shown_path

if TYPE_CHECKING:  # few commands read the files of validators
    from judge.problems.icpc.package_files import PackageFiles


class LoadedPackage(Struct, frozen=True, kw_only=True):
    """A package and what is wrong with it.

    Attributes:
        errors: in files that are left out; the rest can be judged.
        warnings: what is unusual, and may matter for judging.
    """

    problem: Problem
    errors: Sequence[Diagnostic] = ()
    warnings: Sequence[Diagnostic] = ()


def load_package(folder: Path, root: Path) -> LoadedPackage:
    """Read a package.

    Raises:
        DataError: nothing of it can be judged.
    """
    if is_polygon(folder):
        from judge.problems.polygon.load import load_polygon as load
    else:
        from judge.problems.icpc.load import load_package as load

    problem, diagnostics = load(folder, root_for_display=root)
    return LoadedPackage(
        problem=problem,
        errors=[each for each in diagnostics if each.severity is Severity.ERROR],
        warnings=[each for each in diagnostics if each.severity is not Severity.ERROR and each.rule != "format"],
    )


def read_package_files(problem: Problem) -> "PackageFiles":
    """Return the files of a package, of either format.

    Raises:
        DataError: they are wrong.
    """
    folder = problem.folder
    assert folder is not None  # that of every package is known
    if is_polygon(folder):
        from judge.problems.polygon.load import read_polygon_files

        return read_polygon_files(folder, problem.cases, root_for_display=folder)[0]
    from judge.problems.icpc.package_files import read_package_files

    return read_package_files(folder, root_for_display=folder)[0]


def load_all(
    folders: Collection[Path], archives: Mapping[Path, Path], root: Path
) -> tuple[dict[Path, LoadedPackage], list[Diagnostic]]:
    """Read packages; return those that can be read, by their absolute folders, and the errors of the others.

    `archives` are the zip files that some were extracted from; paths in messages start from `root`.
    """
    loaded: dict[Path, LoadedPackage] = {}
    diagnostics: list[Diagnostic] = []
    for folder, problem_id in package_ids(folders).items():
        archive = archives.get(folder)
        try:
            found = load_package(folder, folder.parent if archive else root)
        except DataError as error:
            diagnostics += [_inside(archive, each, root) for each in error.diagnostics]
            continue
        problem = replace(
            found.problem,
            id=problem_id,
            target=_target(archive or folder),
            solutions=tuple(
                replace(each, display_path=str(shown_path(each.path, folder))) for each in found.problem.solutions
            ),
        )
        loaded[folder] = LoadedPackage(
            problem=problem,
            errors=[_inside(archive, each, root) for each in found.errors],
            warnings=[_inside(archive, each, root) for each in found.warnings],
        )
    return loaded, diagnostics


def package_ids(folders: Iterable[Path]) -> dict[Path, str]:
    """Return the id of each package: the name of its folder, with as many folders above as make it unique."""
    waiting, ids, parts = list(folders), dict[Path, str](), 1
    while waiting:
        names = ["/".join(folder.parts[-parts:]) for folder in waiting]
        ids |= {folder: name for folder, name in zip(waiting, names, strict=True) if names.count(name) == 1}
        waiting = [folder for folder, name in zip(waiting, names, strict=True) if names.count(name) > 1]
        parts += 1
    return {folder: ids[folder] for folder in folders}


def describe_warnings(package: LoadedPackage) -> list[str]:
    """Return the warnings to show in a report: the first ones, and how many more there are."""
    shown = [str(each) for each in package.warnings[:3]]  # of a package, in the report of a run
    more = len(package.warnings) - len(shown)
    name = package.problem.target or package.problem.id
    return [*shown, f"{package.problem.id}: {format_count(more, 'more warning')}: judge list {name}"] if more else shown


def contest_tools() -> Mapping[str, str]:
    """Return the tools for submissions of packages: PyPy for Python 3 where it is installed, as contests have it."""
    from judge.languages.interpreters import find_pypy  # loads the sandbox

    path = find_pypy()
    return {"python": path} if path else {}


def _target(path: Path) -> str:
    """Return how to name a path on the command line: relative to the current folder, or as it is."""
    here = Path.cwd()
    if path.is_relative_to(here) or here.is_relative_to(path):
        return os.path.relpath(path, here)
    return str(path)


def _inside(archive: Path | None, diagnostic: Diagnostic, root: Path) -> Diagnostic:
    """Return a diagnostic that names the zip file before a path in it."""
    return replace(diagnostic, path=shown_path(archive, root) / diagnostic.path) if archive else diagnostic
