"""`judge check PACKAGE...`: check packages of a contest themselves, with their own validators."""

import os
from collections.abc import Sequence
from pathlib import Path

from judge.commands.session import open_archives, open_session
from judge.commands.status import ExitStatus
from judge.errors import UsageError
from judge.problems.paths import contest_folders, is_archive, is_package, package_names
from judge.workspace.options import SessionOptions
from judge.workspace.workspace import Workspace


def find_packages(path: Path) -> list[Path]:
    """Return the packages that a path names, absolute: itself, a zip file, or all in the folder or its subfolders."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): a link keeps its name
    if is_package(absolute) or (is_archive(path) and path.is_file()):
        return [absolute]
    return [folder / name for folder in contest_folders(absolute) for name in package_names(folder)]


def check_packages(
    workspace: Workspace, paths: Sequence[Path], session_options: SessionOptions, *, as_json: bool
) -> ExitStatus:
    """Check packages and report each; return the exit status, which warnings do not change.

    Args:
        workspace: where what is found out is kept.
        paths: packages, zip files, and folders of packages.
        session_options: how programs are run.
        as_json: print one document about all packages.

    Raises:
        UsageError: a path is no package.
        DataError: a zip file cannot be read.
    """
    from judge.reporters.package_report import render_json, render_text
    from judge.workspace.package_check import PackageReport, check_package

    packages = list(dict.fromkeys(each for path in paths for each in _require_packages(path)))
    reports: list[PackageReport] = []
    with open_archives() as unpack, open_session(workspace, session_options) as session:
        for path in packages:
            is_archive = path.is_file()
            folder = unpack(path) if is_archive else path
            root = folder.parent if is_archive else Path.cwd()
            report = check_package(folder, root, session, shown=_shown(path))
            reports.append(report)
            if not as_json:
                print(render_text(report), end="", flush=True)
    if as_json:
        print(render_json(reports), end="")
    return ExitStatus.FAILURE if any(report.errors for report in reports) else ExitStatus.SUCCESS


def _require_packages(path: Path) -> Sequence[Path]:
    if found := find_packages(path):
        return found
    raise UsageError(f"{path}: not a package, nor a folder of packages: name either of them, or one solution alone")


def _shown(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
