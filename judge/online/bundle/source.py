"""A source with its tree, and changes of its text at places of the tree: all else stays as it was written."""

import ast
import io
import re
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

from judge.errors import DataError, Diagnostic


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedSource:
    r"""A Python file.

    Attributes:
        data: its bytes.
        text: decoded, with `\n` at the ends of lines.
    """

    path: Path
    data: bytes
    text: str
    tree: ast.Module


def read_source_text(path: Path) -> ParsedSource:
    """Read and parse a file.

    Raises:
        DataError: it is no Python text; says where.
        OSError: it cannot be read.
    """
    data = path.read_bytes()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        tree = ast.parse(text)
        compile(tree, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, LookupError, RecursionError) as error:
        message = f"no Python text: {getattr(error, 'msg', None) or error}; mend it, then bundle"
        line, column = getattr(error, "lineno", None) or 0, getattr(error, "offset", None) or 1
        raise DataError([Diagnostic(path=path, line=line, column=column, message=message)]) from error
    return ParsedSource(path=path, data=data, text=text, tree=tree)


@dataclass(slots=True)
class Edits:
    """Changes of a text; places are those of a tree: 1-based lines, 0-based columns in UTF-8 bytes."""

    text: str
    _lines: list[bytes] = field(init=False)
    _starts: list[int] = field(init=False)
    _changes: list[tuple[int, int, bytes]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._lines = [line.encode() for line in self.text.split("\n")]
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def replace(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Put a text in the place of what stands from `start` up to `end`."""
        self._changes.append((self._offset(start), self._offset(end), text.encode()))

    def replace_node(self, node: ast.stmt | ast.expr, text: str) -> None:
        """Put a text in the place of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        self.replace((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset), text)

    def insert(self, at: tuple[int, int], text: str) -> None:
        """Insert a text at a place."""
        self.replace(at, at, text)

    def add_argument(self, call: ast.Call, last: ast.expr, text: str) -> None:
        """Add an argument to a call after its last one, which may stand in parentheses or before a comma."""
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        assert call.end_lineno is not None
        assert call.end_col_offset is not None
        start, end = (last.end_lineno, last.end_col_offset), (call.end_lineno, call.end_col_offset - 1)
        between = self.text.encode()[self._offset(start) : self._offset(end)]
        self.insert(end, f" {text}" if b"," in re.sub(rb"#[^\n]*", b"", between) else f", {text}")

    def insert_after_line(self, line: int, text: str) -> None:
        """Insert whole lines after a line."""
        if line < len(self._lines):
            self.insert((line + 1, 0), text)
        else:
            self.insert((line, len(self._lines[line - 1])), "\n" + text)

    def find(self, text: str, start: tuple[int, int]) -> tuple[int, int]:
        """Return the place where a text stands first, from `start` on; it has to be there."""
        at = self.text.encode().index(text.encode(), self._offset(start))
        line = max(number for number, begin in enumerate(self._starts, 1) if begin <= at)
        return line, at - self._starts[line - 1]

    def result(self) -> str:
        """Return the changed text."""
        data = self.text.encode()
        for start, end, text in sorted(self._changes, reverse=True):
            data = data[:start] + text + data[end:]
        return data.decode()

    def _offset(self, place: tuple[int, int]) -> int:
        line, column = place
        return self._starts[line - 1] + column


def first_line(node: ast.stmt) -> int:
    """Return the line where a statement begins, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is a text alone; a docstring when it is the first."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_future(node: ast.stmt) -> bool:
    """Whether a statement is `from __future__ import ...`."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.level == 0


def indented(text: str, margin: str = "    ") -> str:
    """Return a text with all lines moved to the right, but for those that begin inside a string."""
    inside = _lines_inside_strings(text)
    lines = text.split("\n")
    return "\n".join(
        line if number in inside or not line.strip() else margin + _FORM_FEED.sub("", line)
        for number, line in enumerate(lines, 1)
    )


_FORM_FEED = re.compile(r"[ \t\f]*\f")  # indentation is counted anew after it


def _lines_inside_strings(text: str) -> set[int]:
    """Return the 1-based lines that begin inside a string; f-strings are several tokens from Python 3.12 on."""
    found: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            found.update(range(token.start[0] + 1, token.end[0] + 1))
        elif kind in ("FSTRING_START", "TSTRING_START"):
            opened.append(token.start[0])
        elif kind in ("FSTRING_END", "TSTRING_END"):
            found.update(range(opened.pop() + 1, token.end[0] + 1))
    return found
