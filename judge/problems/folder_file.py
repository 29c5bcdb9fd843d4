"""problem.yaml in a folder that is no repository: how the sources there are judged, beside their cases.

Its keys are those of a problem of a repository, none of them required. `judge run --save` writes the options of the
command line into it.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from judge.base.errors import DataError, Diagnostic
from judge.base.files import write_atomically
from judge.base.links import find_link_error
from judge.model import Problem
from judge.problems.assets import AssetRoot
from judge.problems.file_format import FOLDER_FILE, ProblemFile
from judge.problems.paths import find_file_error, shown_path
from judge.problems.problem_file import read_folder_problem
from judge.problems.yaml import parse
from judge.problems.yaml.document import Document, read_document

NAME = "problem.yaml"
_LIMITS = ("time", "wall", "memory", "output")


def read_rules(folder: Path) -> Problem:
    """Return how the sources of a folder are judged by its problem.yaml: a problem without an id and without cases.

    Raises:
        DataError: it is wrong, or leads out of the folder.
    """
    return read_folder_problem(*_read(folder))


def _read(folder: Path) -> tuple[Document[ProblemFile], AssetRoot]:
    path, shown = folder / NAME, shown_path(folder / NAME, Path.cwd())
    assets = AssetRoot(folder, shown.parent, os.path.realpath(folder))
    if error := find_link_error(path, assets.root):
        raise DataError([Diagnostic(path=shown, message=error)])
    content = path if find_file_error(path) else upgrade(path.read_bytes())
    return read_document(content, shown, FOLDER_FILE), assets


def upgrade(text: bytes) -> bytes:
    """Return the text of a file; limits without units, as `judge import` wrote them until 0.2, get theirs."""
    time = re.compile(rb"^  time_limit: ([0-9]+(?:\.[0-9]+)?)$", re.MULTILINE)
    text = time.sub(lambda found: b"  time: %d ms" % round(float(found[1]) * 1000), text)
    return re.sub(rb"(?m)^(  memory: [0-9]+)$", rb"\1 MiB", text)


def save_keys(folder: Path, keys: Mapping[str, str], limits: Mapping[str, str]) -> Path:
    """Set keys of the problem.yaml of a folder, each to YAML, and some of its limits; return its path.

    YAML of several lines starts with the end of the first one. All other lines stay.

    Raises:
        DataError: the file is wrong, or a key does not fit the others; it is not changed then.
        OSError: it cannot be written.
    """
    path = folder / NAME
    document, assets = _read(folder)
    is_new = not os.path.lexists(path)
    if document.diagnostics and not is_new:
        raise DataError(document.sorted_diagnostics())
    root = document.root
    old = root.values.get("limits") if isinstance(root, parse.Mapping) else None
    entries = old.values if isinstance(old, parse.Mapping) else {}
    known = {key: node.text for key in _LIMITS if isinstance(node := entries.get(key), parse.Scalar)}
    values = dict(keys)
    if limits:
        values["limits"] = "{" + ", ".join(f"{key}: {value}" for key, value in {**known, **limits}.items()) + "}"
    text = "" if is_new else upgrade(path.read_bytes()).decode()
    for key, value in values.items():
        block = re.compile(rf"^{key}:.*\n?(?:(?:[ \t-].*|[ \t]*)(?:\n|\Z))*", re.MULTILINE)
        before, *rest = block.split(text, maxsplit=1)
        before += "" if before.endswith("\n") or not before else "\n"
        text = f"{before}{key}:{'' if value.startswith(chr(10)) else ' '}{value}\n{''.join(rest)}"
    read_folder_problem(read_document(text.encode(), document.shown, FOLDER_FILE), assets)
    write_atomically(path, text.encode())
    return path
