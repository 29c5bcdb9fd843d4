"""Python source files: decode and parse them, and answer small questions about their text and tree."""

import ast
import io
import sys
import tokenize
import warnings
from collections.abc import Iterator
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
        line, column = getattr(error, "lineno", None) or 0, getattr(error, "offset", None) or 0
        message = f"not a valid Python {format_version(HOST)} program: {getattr(error, 'msg', None) or error}"
        fix = "fix the syntax; if the file needs a newer Python, run `judge` with that version"
        raise DataError([_invalid(path, line, column, message, fix)]) from error
    return PythonSource(path=path, data=data, text=text, tree=tree)


def _invalid(path: Path, line: int, column: int, message: str, fix: str) -> Diagnostic:
    return Diagnostic(path=path, line=line, column=column, rule="version", message=message, fix=fix)


def find_bundled(source: PythonSource) -> Iterator[tuple[str, PythonSource]]:
    """Yield the names and the sources of the modules in a bundle of `judge bundle`, with the lines of the bundle.

    Raises:
        DataError: one of them is not a program of this Python.
    """
    for node in source.tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Attribute(value=ast.Name(id=loader)), slice=ast.Constant(value=name))],
                value=ast.Tuple(elts=[_, ast.Constant(value=str(text), lineno=line)]),
            ) if loader.startswith("_Bundle"):
                yield str(name), parse_source(source.path, ("\n" * (line - 1) + text).encode())


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
