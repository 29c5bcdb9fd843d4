"""Modules and headers that a solution needs and that are not in its one file: where they are, and what to do."""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from judge.base.errors import ToolError
from judge.languages.table import find_language
from judge.model import Solution

# What a program prints is not trusted: these match plain names only, no paths out of a folder, and no test data.
_MODULE = re.compile(r".*(?:ModuleNotFoundError|ImportError): No module named '?(?P<name>[^\W\d]\w*(?:\.\w+)*)'?")
_FOLDER, _SUFFIX = r"(?!\.\.?/)[^'\0/]+/", r"\.(?:h|hh|hpp|hxx|inc|inl|ipp|tcc|tpp|c|cc|cpp)"
_HEADER = re.compile(
    rf"line \d+: fatal error: '?(?P<name>(?:{_FOLDER})*[^'\0/]+{_SUFFIX})'?"
    r"(?:: No such file or directory| file not found)"
)


def describe_missing(reason: str, solution: Solution, tools: Mapping[str, str], root: Path) -> str:
    """Return what to do about the module or header that a failure names; "" if it names none.

    Args:
        reason: the last line of a traceback, or the compiler's first error. The program may have made it up, so the
            advice names only the folder of the solution or one above it in the repository.
        solution: what failed.
        tools: replace the usual interpreters.
        root: the repository.
    """
    if found := _HEADER.fullmatch(reason):
        header = _find_above(solution.path, root, found["name"])
        return "" if header is None else f"{_shown(header)} exists: add {_include(header, found['name'])}"
    if not (found := _MODULE.fullmatch(reason)):
        return ""
    names = found["name"].split(".")
    for name in (f"{names[0]}.py", f"{names[0]}/__init__.py", names[0]):  # a package may have no `__init__.py`
        if module := _find_above(solution.path, root, name):
            remedy = f"add {_include(module, name)}"
            if _is_python3(solution.path) and module.is_relative_to(solution.path.parent):  # where `bundle` looks
                remedy = f"merge it with `judge bundle {shlex.quote(solution.display_path)}`, or {remedy}"
            return f"{_shown(module)} exists: {remedy}"
    if interpreter := tools.get("python"):
        return f"{interpreter} does not have it"
    return "solutions have the standard library only, as on most online judges (--python names another interpreter)"


def _find_above(source: Path, root: Path, name: str) -> Path | None:
    """Return a file with this name, or a folder with Python files, beside a source or above it in the repository."""
    paths = (folder / name for folder in _folders_above(source, root))
    return next((path for path in paths if os.path.isfile(path) or _has_modules(path)), None)  # noqa: PTH113 - any text


def _folders_above(source: Path, root: Path) -> Iterator[Path]:
    """Yield the folder of a source and those above it in the repository, but neither the user's home nor one above."""
    home = Path(os.path.abspath(os.path.expanduser("~")))  # noqa: PTH100, PTH111 - there may be none
    for folder in source.parents:
        if home.is_relative_to(folder) or not (folder == source.parent or folder.is_relative_to(root)):
            return
        yield folder


def _has_modules(folder: Path) -> bool:
    return os.path.isdir(folder) and any(folder.glob("*.py"))  # noqa: PTH112 - any text


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
