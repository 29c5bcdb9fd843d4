"""The packages of a contest: the subfolders of its folder, or those that a file of the contest lists.

`problems.yaml` of BAPCtools and DOMjudge is a list of maps; `id` is the name of a package's folder. A contest of
Polygon has its packages in `problems`, and beside that folder a `contest.xml`, where the last part of the address of a
problem is the name of the folder. The order of the list is that of the contest.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from judge.base.errors import DataError, Diagnostic
from judge.base.links import LinkRoot
from judge.base.units import MIB
from judge.problems.paths import package_names
from judge.problems.yaml.text import quote

CONTEST_FILE = "problems.yaml"
_MAX_SIZE = MIB


class Contest(Struct, frozen=True):
    """The packages in a folder.

    Attributes:
        packages: the names of their folders: in the order of the contest file, or else sorted.
        left_out: the names of packages that the contest file does not list.
    """

    packages: tuple[str, ...] = ()
    file: str = ""
    left_out: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def read_contest(folder: Path) -> Contest:
    """Return the packages directly in a folder; none if it cannot be listed."""
    found = package_names(folder)
    places = [folder / CONTEST_FILE, *([folder.parent / "contest.xml"] if folder.name == "problems" else [])]
    path = next(filter(os.path.lexists, places), None)
    if not found or path is None:
        return Contest(tuple(found))
    if fault := LinkRoot.of(path.parent).find_error(path):
        return Contest(tuple(found), diagnostics=(Diagnostic(path=path, message=fault),))
    try:
        listed = dict.fromkeys(_read_ids(path))
    except DataError as error:
        return Contest(tuple(found), diagnostics=error.diagnostics)
    packages = tuple(name for name in listed if name in found) or tuple(found)
    missing = tuple(
        Diagnostic(path=path, message=f"lists {quote(name)}, which is no package in this folder")
        for name in listed
        if name not in found
    )
    return Contest(packages, path.name, tuple(name for name in found if name not in packages), missing)


def _read_ids(path: Path) -> Iterator[str]:
    """Yield the ids that a contest file lists; none if it has another form."""
    if path.name != CONTEST_FILE:
        from judge.problems.polygon.files import read_document  # few contests need it

        for problem in read_document(path, path).all("problems/problem"):
            yield problem.get("url").rstrip("/").rpartition("/")[2]
        return
    from judge.problems.yaml.parse import Mapping, Scalar, Sequence, parse_file  # few folders need it

    root, _ = parse_file(path, path, max_size=_MAX_SIZE, advice="", merges=True)
    for item in root.items if isinstance(root, Sequence) else ():
        name = item.values.get("id") if isinstance(item, Mapping) else None
        if isinstance(name, Scalar):
            yield name.text
