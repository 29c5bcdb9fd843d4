"""Files and folders on disk: which entries count, and what is a package."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from judge.base.errors import Diagnostic
from judge.base.links import list_above
from judge.base.units import format_bytes

# vim: .swa to .swp; JetBrains: ___jb_tmp___ and others; Emacs and gedit: ~; Python; C and Java compilers.
_LEFTOVERS = (
    *(f".sw{letter}" for letter in "abcdefghijklmnop"),
    *(f"___jb_{kind}___" for kind in ("bak", "old", "tmp")),
    *("~", ".bak", ".pyc", ".pyo", ".class", ".o"),
)
# ICPC problem package format, "General Requirements" and "Overview" of all versions; DOMjudge's file of settings.
_PACKAGE_FILES = ("problem.yaml", "domjudge-problem.ini")
_PACKAGE_PARTS = ("data", "submissions", "problem_statement", "statement", "generators/generators.yaml")
# Packages of Polygon.
_POLYGON_PARTS = ("files", "solutions", "tests", "statements")
ARCHIVES = (".zip", ".kpp")  # "General Requirements" of all versions of the ICPC format


def is_leftover(name: str) -> bool:
    """Return whether a file or folder is hidden or made by an editor, an interpreter or a compiler."""
    if name.startswith((".", "#")):  # .git, our own .new-X, vim's .x.swp, Kate's .x.kate-swp, Emacs's .#x and #x#
        return name[0] == "." or name.endswith("#")
    return name.endswith(_LEFTOVERS) or name == "__pycache__"


def is_ignored(name: str) -> bool:
    """Return whether the entry of a folder does not count: a leftover, or private (`_x`)."""
    return name.startswith("_") or is_leftover(name)


def shown_path(path: Path, root: Path) -> Path:
    """Return the path as messages show it: relative to the root if it is inside."""
    return path.relative_to(root) if path.is_relative_to(root) else path


def problem_ids(root: Path) -> list[str]:
    """Return the ids of all problems, by name: the folders in problems/ with a problem.yaml that are no packages."""
    problems = root / "problems"
    folders = [problems / entry.name for entry in list_folder(problems, Path("problems"), [])]
    return [folder.name for folder in folders if has_problem_file(folder) and not is_package(folder)]


def has_problem_file(folder: Path) -> bool:
    """Return whether a folder has a problem.yaml, or a problem.yml, which is reported."""
    return _has_any(folder, ("problem.yaml", "problem.yml"))


def is_package(folder: Path) -> bool:
    """Return whether a folder is a package of a contest: by names only, since many folders are asked about.

    It has a problem.yaml or domjudge-problem.ini, and one of the folders of a package, or BAPCtools' generators.yaml;
    or it is a package of Polygon.
    A folder `problems/ID` is none if there is `testcases/ID` or `solutions/ID` beside `problems`: then it belongs to a
    repository.
    """
    return (_is_icpc(folder) or _has_polygon_files(folder)) and not _is_in_repository(folder)


def is_archive(path: Path) -> bool:
    """Return whether a file has the name of a zip file with a package."""
    return path.suffix.lower() in ARCHIVES


def is_polygon(package: Path) -> bool:
    """Return whether a package is one of Polygon: it has a problem.xml, and is no package of another format."""
    return _has_polygon_files(package) and not _is_icpc(package)


def submission_folder(package: Path) -> Path:
    """Return the folder with the submissions of a package."""
    return package / ("solutions" if is_polygon(package) else "submissions")


def _is_icpc(folder: Path) -> bool:
    return _has_any(folder, _PACKAGE_FILES) and _has_any(folder, _PACKAGE_PARTS)


def _has_polygon_files(folder: Path) -> bool:
    return _has_any(folder, ("problem.xml",)) and _has_any(folder, _POLYGON_PARTS)


def _has_any(folder: Path, names: Iterable[str]) -> bool:
    return any(os.path.lexists(folder / name) for name in names)


def _is_in_repository(folder: Path) -> bool:
    """Return whether a folder is `problems/ID` of a repository that has cases or solutions of this problem."""
    root = folder.parent.parent
    beside = (root / top / folder.name for top in ("testcases", "solutions"))
    return folder.parent.name == "problems" and any(map(os.path.lexists, beside))


def find_package(path: Path) -> Path | None:
    """Return the innermost package that an absolute path is or lies in; None if there is none."""
    return next((folder for folder in list_above(path) if is_package(folder)), None)


def package_names(folder: Path) -> list[str]:
    """Return the names of the packages directly in a folder, sorted; none if it cannot be listed."""
    entries = list_folder(folder, folder, [])
    return [entry.name for entry in entries if is_folder(entry) and is_package(folder / entry.name)]


def contest_folders(folder: Path) -> list[Path]:
    """Return the folder if it has packages, or else the folders below that have some, such as the rounds of a contest.

    Sorted; none if it cannot be listed, or has inputs: then it is a folder of cases and solutions. The same holds for
    the folders below, of which at most 1,000 of one depth are looked at, and none deeper than cases.
    """
    from judge.problems.conventions import is_input  # a problem of the repository needs no conventions

    found, level = [], [folder]
    for _ in range(5):  # `repository/2019/finals/problems`, and one more
        has_cases = False
        below: list[Path] = []
        for each in level[:1000]:
            try:
                entries = list(scan_folder(each))
            except OSError:
                continue
            folders = [each / entry.name for entry in entries if is_folder(entry)]
            if any(map(is_package, folders)):
                found.append(each)
            elif any(is_input(entry.name) for entry in entries):
                has_cases = True
            else:
                below += folders
        level = [] if has_cases else below
    return sorted(found)


def archives_in(folder: Path) -> list[Path]:
    """Return the zip files directly in a folder that may be packages, sorted; none if it cannot be listed."""
    try:
        return sorted(folder / entry.name for entry in scan_folder(folder) if is_archive(Path(entry.name)))
    except OSError:
        return []


def is_repository(root: Path) -> bool:
    """Return whether a folder is a repository: it has a folder `problems` that is not just a folder of packages.

    Then `problems` has no package, or it also has a problem with cases or solutions in the repository.
    """
    problems = root / "problems"
    if not os.path.isdir(problems):  # noqa: PTH112 - Path.is_dir raises where it may not look
        return False
    try:
        if any(_is_in_repository(problems / entry.name) for entry in scan_folder(problems)):
            return True
    except OSError:  # reported when the problems are listed
        return True
    return not package_names(problems)


def list_folder(folder: Path, shown: Path, diagnostics: list[Diagnostic]) -> list[os.DirEntry[str]]:
    """Return the entries of a folder that count, by name; none if there is no such folder.

    Messages show it as `shown`; an error is added to the diagnostics.
    """
    try:
        return sorted(scan_folder(folder), key=lambda entry: entry.name)
    except OSError as error:
        diagnostics.append(listing_error(shown, error))
        return []


def scan_folder(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of a folder that count, in any order; none if there is no such folder.

    Raises:
        OSError: the folder cannot be listed completely.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not is_ignored(entry.name):
                    yield entry
    except FileNotFoundError:
        return


def listing_error(shown: Path, error: OSError) -> Diagnostic:
    """Return the diagnostic for a folder that cannot be listed."""
    return Diagnostic(path=shown, message=f"cannot be listed: {error.strerror}")


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a folder or a link to one; False if that cannot be determined."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def find_file_error(path: Path | str, *, max_size: int | None = None) -> str | None:
    """Return why a path is not a readable file of at most `max_size` bytes, in words that follow its name.

    None if it is one.

    A str is accepted because a large folder needs this often, and making a `Path` takes as long as the check.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 - see above
    except FileNotFoundError:
        return "is a broken link" if os.path.islink(path) else "does not exist"  # noqa: PTH114 - see above
    except (OSError, ValueError) as error:
        return f"cannot be read: {error.strerror if isinstance(error, OSError) else error}"
    if S_ISDIR(status.st_mode):
        return "is a folder: expected a file"
    if not S_ISREG(status.st_mode):
        return "is not a regular file"
    if max_size is not None and status.st_size > max_size:
        found, most = format_bytes(status.st_size), format_bytes(max_size)
        if found == most:  # only rounded
            found, most = f"{status.st_size:,} bytes", f"{max_size:,}"
        return f"has {found}; expected at most {most}"
    return None if os.access(path, os.R_OK) else "cannot be read: Permission denied"


def is_program(path: str) -> bool:
    """Return whether a file is what a compiler made, such as `a.out`: executable, with the magic number of ELF."""
    try:
        if not os.stat(path).st_mode & 0o111:  # noqa: PTH116 - called for every answer; a Path costs more
            return False
        with open(path, "rb") as file:  # noqa: PTH123 - see above
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False
