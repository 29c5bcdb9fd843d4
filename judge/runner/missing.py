"""Modules and headers that a solution needs and that are not in its one file: where they are, and what to do."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from judge.errors import ToolError
from judge.languages.table import find_language
from judge.model import Solution

_MODULE = re.compile(r"(?:ModuleNotFoundError|ImportError): No module named '?(?P<name>[\w.]+)'?$")
_HEADER = re.compile(r"fatal error: '?(?P<name>[^':]+)'?(?:: No such file or directory| file not found)$")


def describe_missing(reason: str, solution: Solution, tools: Mapping[str, str]) -> str:
    """Return what to do about the module or header that a failure names; "" if it names none.

    The reason is the last line of a traceback, or the compiler's first error; `tools` replace the usual interpreters.
    """
    if found := _HEADER.search(reason):
        header = _find_above(solution.path, found["name"])
        return "" if header is None else f"{_shown(header)} exists: add {_include(header, found['name'])}"
    if not (found := _MODULE.search(reason)):
        return ""
    names = found["name"].split(".")
    for name in (f"{names[0]}.py", f"{names[0]}/__init__.py", names[0]):  # a package may have no `__init__.py`
        if module := _find_above(solution.path, name):
            remedy = f"add {_include(module, name)}"
            if _is_python3(solution.path) and module.is_relative_to(solution.path.parent):  # where `bundle` looks
                remedy = f"merge it with `judge bundle {shlex.quote(solution.display_path)}`, or {remedy}"
            return f"{_shown(module)} exists: {remedy}"
    if interpreter := tools.get("python"):
        return f"{interpreter} does not have it"
    return "solutions have the standard library only, as on most online judges (--python names another interpreter)"


def _find_above(source: Path, name: str) -> Path | None:
    """Return a file beside a source or in a folder above it, but not in or above the user's home.

    A folder counts if it has Python files.
    """
    paths = (folder / name for folder in _folders_above(source))
    return next((path for path in paths if path.is_file() or any(path.glob("*.py"))), None)


def _folders_above(source: Path) -> Iterator[Path]:
    yield source.parent
    for folder in source.parent.parents:
        if folder == folder.parent or Path("~").expanduser().is_relative_to(folder):
            return
        yield folder


def _include(path: Path, name: str) -> str:
    """Return the option for the folder in which a path has this name."""
    folder = path.parents[len(Path(name).parts) - 1]
    return f"`--include {shlex.quote(_shown(folder))}`"


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _is_python3(source: Path) -> bool:
    try:
        return find_language(source).id == "python3"
    except ToolError:
        return False
