"""The file itself: its size, what is not text, and how a Java class has to be called."""

import ast
import io
import re
import sys
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from judge.languages.source import java_names
from judge.online.lint.judges import OnlineJudge, Version, version_text
from judge.units import format_bytes


class Severity(StrEnum):
    """How sure it is that the judge objects."""

    ERROR = "error"  # it will
    WARNING = "warning"  # it may


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """Something to mend before a file is submitted.

    Attributes:
        check: which check found it: `version`, `import`, `access`, `source`, `output`, `time` or `verdict`.
        line: 1-based line of the source, or 0 when the whole file or its output is meant.
        column: 1-based column in characters, or 0.
        reason: what is there and why the judge objects; one line.
        fix: what to do; one line.
    """

    check: str
    severity: Severity
    line: int = 0
    column: int = 0
    reason: str
    fix: str


def in_order(obstacles: Iterable[Obstacle]) -> tuple[Obstacle, ...]:
    """Return them by place, each once; those without a place come last."""
    unique = dict.fromkeys(obstacles)
    return tuple(sorted(unique, key=lambda each: (each.line == 0, each.line, each.column, each.reason)))


FIRST: Version = (3, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One place of a source that does not run on every Python.

    Attributes:
        line, column: 1-based; columns in characters.
        what: what is there, as the source writes it.
        since: the first version that has it.
        until: the first version that does not have it any more; None if it stayed.
        is_sure: it is that, without doubt; else it is likely.
        is_syntax: the file is not even parsed without it, so no `try` around it helps.
        fix: what to write instead; "" for the usual advice.
    """

    line: int
    column: int = 0
    what: str
    since: Version = FIRST
    until: Version | None = None
    is_sure: bool = True
    is_syntax: bool = False
    fix: str = ""


def place_of(node: ast.AST) -> tuple[int, int]:
    """Return a node's line and column, 1-based; 0, 0 where it has none. A column is of bytes: equal in ASCII."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1


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


_BOM = b"\xef\xbb\xbf"
_PACKAGE = re.compile(rb"^\s*package\s+[\w.]+\s*;", re.MULTILINE)
_MAIN_WANTED = frozenset({"uva", "atcoder"})  # they run the class `Main`; the others find the class with `main`


def source_obstacles(data: bytes, suffix: str, judge: OnlineJudge) -> Iterator[Obstacle]:
    """Yield what is wrong with a source, whatever its language.

    Args:
        data: the file's bytes.
        suffix: of its name, lower case, with the dot.
        judge: where it goes to.
    """
    if not data.strip():
        yield _obstacle(0, "the file is empty", "write the solution")
        return
    limit = judge.source_limit
    if limit is not None and len(data) > limit:
        yield Obstacle(
            check="source",
            severity=Severity.ERROR if judge.is_limit_sure else Severity.WARNING,
            reason=f"the source has {len(data)} bytes; {judge.name} takes {limit} ({format_bytes(limit)})",
            fix="shorten it: tables can be computed, comments left out",
        )
    if b"\0" in data:
        yield _obstacle(data[: data.index(b"\0")].count(b"\n") + 1, "a NUL byte: no compiler takes it", "take it out")
    if data.startswith(_BOM) and suffix != ".py":
        yield _obstacle(1, "the file begins with a byte order mark", "save it as UTF-8 without one")
    if suffix == ".java":
        yield from _java(data, judge)


def _java(data: bytes, judge: OnlineJudge) -> Iterator[Obstacle]:
    if found := _PACKAGE.search(data):
        line = data[: found.end()].count(b"\n") + 1
        yield _obstacle(line, "a package: the judge compiles one file of none", "take the `package` line out")
    main = java_names(data, "Main.java")[1].rpartition(".")[2]
    if judge.id in _MAIN_WANTED and main != "Main":
        line = next((at for at, text in enumerate(data.splitlines(), 1) if f"class {main}".encode() in text), 0)
        yield _obstacle(line, f"the class with `main` is `{main}`; {judge.name} runs `Main`", "call it `Main`")


def _obstacle(line: int, reason: str, fix: str) -> Obstacle:
    return Obstacle(check="source", severity=Severity.ERROR, line=line, reason=reason, fix=fix)
