"""Python source files: decode and parse them, and answer small questions about their text and tree."""

import ast
import io
import re
import sys
import tokenize
import warnings
from pathlib import Path

from msgspec import Struct

from judge.base.errors import DataError, Diagnostic

Version = tuple[int, int]
HOST: Version = sys.version_info[:2]
"""The Python that `judge` itself runs on; it parses all sources."""


def format_version(version: Version) -> str:
    """Write a version for people: `3.5`."""
    return f"{version[0]}.{version[1]}"


class PythonSource(Struct, frozen=True, kw_only=True):
    r"""A parsed file.

    Attributes:
        data: the file's bytes.
        text: decoded, with `\n` line endings.
    """

    path: Path
    data: bytes
    text: str
    tree: ast.Module


def parse_source(path: Path, data: bytes, *, compiles: bool = False) -> PythonSource:
    """Decode and parse a file; `compiles` also requires what only the compiler checks, such as no top-level `return`.

    Raises:
        DataError: the file is not text in its declared encoding, or not a program of this Python.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)  # PEP 263
        text = data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        message = f"the file is not text in its declared encoding (UTF-8 by default): {error}"
        raise DataError([_invalid(path, 0, 0, message, "save the file as UTF-8")]) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a SyntaxWarning does not keep a program from running
            tree = ast.parse(text)
            if compiles:
                compile(tree, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise DataError([_explain(path, text, error)]) from error
    return PythonSource(path=path, data=data, text=text, tree=tree)


# Syntax that only a newer Python than ours may parse: its name, its first version, and how its line looks.
_NEWER_SYNTAX: tuple[tuple[str, Version, re.Pattern[str]], ...] = (
    ("a type alias statement", (3, 12), re.compile(r"^\s*type\s+\w+\s*(\[.*\])?\s*=")),
    ("type parameters", (3, 12), re.compile(r"^\s*(async\s+)?(def|class)\s+\w+\s*\[")),
    ("an f-string that only PEP 701 allows", (3, 12), re.compile(r"\b(rf|fr|f)(\"|')", re.IGNORECASE)),
    ("a template string", (3, 14), re.compile(r"(?<![\w.])(rt|tr|t)(\"|')", re.IGNORECASE)),
    ("`except` of several types without parentheses", (3, 14), re.compile(r"^\s*except\*?\s+[\w.]+\s*,")),
)


def _explain(path: Path, text: str, error: BaseException) -> Diagnostic:
    line, column = getattr(error, "lineno", None) or 0, getattr(error, "offset", None) or 0
    lines = text.split("\n")
    content = lines[line - 1] if 0 < line <= len(lines) else ""
    for what, since, pattern in _NEWER_SYNTAX:
        if since > HOST and pattern.search(content):
            needed, own = format_version(since), format_version(HOST)
            message = f"{what}: needs Python {needed}; `judge` runs on {own} and cannot check the rest of the file"
            return _invalid(path, line, column, message, f"avoid it, or run `judge` with Python {needed}")
    reason = getattr(error, "msg", None) or str(error)
    message = f"not a valid Python {format_version(HOST)} program: {reason}"
    fix = "fix the syntax; if the file needs a newer Python, run `judge` with that version"
    return _invalid(path, line, column, message, fix)


def _invalid(path: Path, line: int, column: int, message: str, fix: str) -> Diagnostic:
    return Diagnostic(path=path, line=line, column=column, rule="version", message=message, fix=fix)


# ---- questions about a tree ------------------------------------------------------------------------------------------


def is_import_call(function: ast.expr) -> bool:
    """Whether calling this imports a module by its name."""
    return ast.unparse(function) in ("__import__", "import_module", "importlib.import_module")


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is a string alone; it is a docstring if it comes first."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_future_import(node: ast.stmt) -> bool:
    """Whether a statement is `from __future__ import ...`."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.level == 0


def find_future_imports(tree: ast.Module) -> set[str]:
    """Return the names of the features that `from __future__ import ...` turns on."""
    found = [node for node in tree.body if isinstance(node, ast.ImportFrom) and is_future_import(node)]
    return {alias.name for node in found for alias in node.names}
