"""The resources of a package: files that its programs, or submissions, are compiled with.

A resource without a type is for statements. One with <assets> is for these: `solution` stands for submissions in the
languages of `for-types`. One without <assets> is for the checker, the interactor and the validators.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from judge.problems.polygon.document import Element
from judge.problems.polygon.files import PolygonFolder
from judge.problems.polygon.solutions import LANGUAGES

_SOLUTION = "solution"
_HEADERS = (".h", ".hpp", ".hh", ".hxx")
_SEPARATOR = re.compile(r"[;:,\s]+")  # Polygon API, `forTypes`: "Colon or semicolon separated list"


def find_program_files(folder: PolygonFolder, asset: str) -> tuple[Path, ...]:
    """Return the files that a program of the package may include; `asset` is the name of its element."""
    return tuple(dict.fromkeys(path for path, _ in _find_files(folder, asset)))


def find_submission_files(folder: PolygonFolder) -> dict[str, tuple[Path, ...]]:
    """Return the files that submissions are compiled with, such as graders, by the id of their language.

    `default` stands for the languages that problem.xml cannot name.
    """
    found: dict[str, dict[Path, None]] = {}
    for path, element in _find_files(folder, _SOLUTION):
        for language in _list_languages(element.get("for-types") or "*"):
            found.setdefault(language, {})[path] = None
    return {language: tuple(paths) for language, paths in found.items()}


def _find_files(folder: PolygonFolder, asset: str) -> Iterator[tuple[Path, Element]]:
    """Yield the resources of an asset; one may be listed several times, for other types."""
    for element in folder.root.all("files/resources/file"):
        name = element.get("path")
        if (element.get("type") or name.endswith(_HEADERS)) and _is_for(element, asset):
            path = folder.find(element, name, is_optional=asset != _SOLUTION)
            if path is not None:
                yield path, element


def _is_for(element: Element, asset: str) -> bool:
    assets = element.first("assets")
    if assets is None:
        return asset != _SOLUTION
    return any(each.get("name") == asset for each in assets.all("asset"))


def _list_languages(for_types: str) -> Iterator[str]:
    """Yield the ids of the languages that types such as `cpp.*;java11` stand for."""
    for mask in filter(None, _SEPARATOR.split(for_types.lower())):
        stem, star, _ = mask.partition("*")
        fitting = [language for prefix, language in LANGUAGES if stem.startswith(prefix)]
        if star:
            fitting += [language for prefix, language in LANGUAGES if prefix.startswith(stem)]
        else:
            fitting = fitting[:1]
        if "pypy3" in fitting:
            fitting.append("python3")  # one language for included files, as in ICPC packages
        yield from fitting if stem else (*fitting, "default")
