"""problem.yaml in a folder that is no repository: how the sources there are judged, beside their cases.

Its keys are those of a problem of a repository, none of them required. A file with keys of a contest package, such as
older versions of `judge fetch` wrote, counts too. `judge run --save` writes the options of the command line into it.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import DataError, Severity, UsageError
from judge.base.files import write_atomically
from judge.base.links import find_link_error
from judge.model import Limits, Problem
from judge.problems.case_source import FolderRules
from judge.problems.conventions import PACKAGE_DATA
from judge.problems.file_format import FOLDER_FILE, PROBLEM_FILE, ProblemFile
from judge.problems.paths import AssetRoot, shown_path
from judge.problems.problem_file import read_folder_problem
from judge.problems.yaml import parse
from judge.problems.yaml.document import Document, read_document

NAME = "problem.yaml"
_LIMITS = ("time", "wall", "memory", "output")
_COMMON = ("name", "source", "limits")  # keys of both formats


def read_rules(folder: Path, defaults: Limits) -> FolderRules:
    """Return what the problem.yaml of a folder says; `defaults` are the limits that the file of a package does not set.

    Raises:
        DataError: a file of our own is wrong.
    """
    document, assets = _read(folder)
    if document is None or _is_of_package(document.root):
        return _read_package_rules(folder, defaults)
    problem = read_folder_problem(document, assets)
    has_limits = document.value is not None and document.value.limits is not None
    return FolderRules(problem=problem, limits_from=NAME if has_limits else "")


def _read(folder: Path) -> tuple[Document[ProblemFile] | None, AssetRoot]:
    """Return the problem.yaml of a folder, and its files; None for that of a package, or one that is not there."""
    path = folder / NAME
    assets = AssetRoot(folder, shown_path(folder, Path.cwd()), os.path.realpath(folder))
    is_package = any(os.path.lexists(folder / name) for name in _PACKAGE_FILES)
    if is_package or not os.path.lexists(path) or find_link_error(path, assets.root):
        return None, assets
    return read_document(path, shown_path(path, Path.cwd()), FOLDER_FILE), assets


def save_keys(folder: Path, keys: Mapping[str, str], limits: Mapping[str, str]) -> Path:
    """Set keys of the problem.yaml of a folder, each to YAML, and some of its limits; return its path.

    YAML of several lines starts with the end of the first one.

    All other lines stay.

    Raises:
        UsageError: the file is that of a package.
        DataError: the file is wrong, or a key does not fit the others; it is not changed then.
        OSError: it cannot be written.
    """
    path = folder / NAME
    document, assets = _read(folder)
    if os.path.lexists(path) and (document is None or _is_of_package(document.root)):
        raise UsageError(f"{path}: has keys of a contest package; set the keys of docs/format.md there, or remove it")
    if document is not None and document.diagnostics:
        raise DataError(document.sorted_diagnostics())
    root = document.root if document else None
    old = root.values.get("limits") if isinstance(root, parse.Mapping) else None
    entries = old.values if isinstance(old, parse.Mapping) else {}
    known = {key: node.text for key in _LIMITS if isinstance(node := entries.get(key), parse.Scalar)}
    values = dict(keys)
    if limits:
        values["limits"] = "{" + ", ".join(f"{key}: {value}" for key, value in {**known, **limits}.items()) + "}"
    text = path.read_text() if document else ""
    for key, value in values.items():
        block = re.compile(rf"^{key}:.*\n?(?:(?:[ \t-].*|[ \t]*)(?:\n|\Z))*", re.MULTILINE)
        before, *rest = block.split(text, maxsplit=1)
        before += "" if before.endswith("\n") or not before else "\n"
        text = f"{before}{key}:{'' if value.startswith(chr(10)) else ' '}{value}\n{''.join(rest)}"
    changed = read_document(text.encode(), shown_path(path, Path.cwd()), FOLDER_FILE)
    read_folder_problem(changed, assets)
    write_atomically(path, text.encode())
    return path


def _is_of_package(root: parse.AnyNode | None) -> bool:
    """Return whether keys are those of a contest package: some are unknown to our format, and none is only in ours."""
    if not isinstance(root, parse.Mapping):
        return False
    limits, source = root.values.get("limits"), root.values.get("source")
    if isinstance(limits, parse.Mapping) and limits.values.keys() & {"time", "wall"}:
        return False
    if root.values.keys() & (PROBLEM_FILE.types.keys() - {*_COMMON}):
        return False
    if isinstance(limits, parse.Mapping) and any(_is_package_limit(*each) for each in limits.values.items()):
        return True
    return isinstance(source, parse.Scalar) or not root.values.keys().isdisjoint(_PACKAGE_KEYS)


_PACKAGE_FILES = (".timelimit", "domjudge-problem.ini", *(f"data/{name}" for name in PACKAGE_DATA))
_PACKAGE_KEYS = frozenset(
    {
        "allow_file_writing",
        "author",
        "constants",
        "credits",
        "embargo_until",
        "grading",
        "keywords",
        "languages",
        "license",
        "problem_format_version",
        "rights_owner",
        "source_url",
        "type",
        "uuid",
        "validation",
        "validator_flags",
        "version",
    }
)


def _is_package_limit(key: str, value: parse.AnyNode) -> bool:
    return key not in _LIMITS or (isinstance(value, parse.Scalar) and value.text.isdecimal())


def _read_package_rules(folder: Path, defaults: Limits) -> FolderRules:
    """Return the limits and the comparison of outputs of a package, or of a part of one."""
    from judge.problems.icpc.default_validator import read_rules  # takes a while, and few sources need it
    from judge.problems.icpc.files import PackageFolder

    package = PackageFolder.at(folder)
    problem = Problem(limits=defaults)
    try:
        rules = read_rules(package, defaults)
    except DataError as error:
        return FolderRules(problem=problem, diagnostics=tuple(error.diagnostics))
    found = rules.problem
    source = found.source if found.source and found.source.url else None
    errors = tuple(each for each in package.found() if each.severity is Severity.ERROR)
    problem = replace(problem, limits=found.limits, checker=found.checker, source=source)
    return replace(rules, problem=problem, diagnostics=errors)
