"""From a source's bytes to its tree, or the one obstacle that says why there is none.

The Python that the judge runs on parses it. A source may be newer than that Python: then nothing else can be told,
and this says so instead of guessing.
"""

import ast
import io
import re
import sys
import tokenize
import warnings
from dataclasses import dataclass

from judge.readiness.judges import Version, version_text
from judge.readiness.obstacle import Obstacle, Severity

HOST: Version = sys.version_info[:2]

# How a line looks that a newer Python parses: what, since when, and a pattern for the line of the error.
_NEWER: tuple[tuple[str, Version, re.Pattern[str]], ...] = (
    ("a type alias statement", (3, 12), re.compile(r"^\s*type\s+\w+\s*(\[.*\])?\s*=")),
    ("type parameters", (3, 12), re.compile(r"^\s*(async\s+)?(def|class)\s+\w+\s*\[")),
    ("an f-string with such an inner expression", (3, 12), re.compile(r"\b(rf|fr|f)(\"|')", re.IGNORECASE)),
    ("a template string", (3, 14), re.compile(r"(?<![\w.])(rt|tr|t)(\"|')", re.IGNORECASE)),
    ("`except` of several without parentheses", (3, 14), re.compile(r"^\s*except\*?\s+[\w.]+\s*,")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A source's text and tree."""

    text: str
    tree: ast.Module


def parsed(data: bytes) -> Parsed | Obstacle:
    """Parse a source; return what is wrong with it if that cannot be done."""
    try:
        text = decoded(data)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        reason = f"the text is not in the encoding that it says, or in none: {error}"
        return _error(0, 0, reason, "save the file as UTF-8")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SyntaxWarnings are not what is asked
            return Parsed(text=text, tree=ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", None) or 0, getattr(error, "offset", None) or 0
        return _unparsed(text, line, column, getattr(error, "msg", None) or str(error))


def decoded(data: bytes) -> str:
    r"""Return a source's text with `\n` at the ends of lines, by the rules of PEP 263.

    Raises:
        SyntaxError, UnicodeDecodeError, LookupError: its encoding is unknown or not what it says.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def _unparsed(text: str, line: int, column: int, message: str) -> Obstacle:
    lines = text.split("\n")
    there = lines[line - 1] if 0 < line <= len(lines) else ""
    for what, since, pattern in _NEWER:
        if since > HOST and pattern.search(there):
            return _error(
                line, column,
                f"{what}: needs Python {version_text(since)}; `judge` runs on {version_text(HOST)} and cannot read on",
                f"write it without, or run `judge` with Python {version_text(since)} to see the rest",
            )  # fmt: skip
    return _error(
        line, column, f"no Python {version_text(HOST)} program: {message}",
        "mend it; if it needs a newer Python, run `judge` with that one",
    )  # fmt: skip


def _error(line: int, column: int, reason: str, fix: str) -> Obstacle:
    return Obstacle(check="version", severity=Severity.ERROR, line=line, column=column, reason=reason, fix=fix)
