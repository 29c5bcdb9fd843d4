"""Where in the files of the user a result has its cause: for editors, and for annotations of CI systems."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from judge.model import CaseResult

_COMPILER_LINE = r"^(?:\S*/)?{name}:(\d+):(?:(\d+):)? *(?:(?:fatal )?(error|warning|note): *)?(.*)$"


class Place(Struct, frozen=True, kw_only=True):
    """A line of a source, and what a compiler says about it.

    Attributes:
        line, column: 1-based; a column that is not known is 1.
        severity: as GCC names it.
    """

    line: int
    column: int = 1
    severity: str = "error"
    message: str


def compiler_places(source: Path, text: str) -> Iterator[Place]:
    """Yield the errors and warnings about a source in what its compiler wrote; notes belong to those before them."""
    for found in re.finditer(_COMPILER_LINE.format(name=re.escape(source.name)), text, re.MULTILINE):
        line, column, severity, message = found.groups()
        if severity != "note" and message:
            yield Place(line=int(line), column=int(column or 1), severity=severity or "error", message=message)


def crash_line(source: Path, result: CaseResult) -> int:
    """Return the line of a source at which a run ended, by its exception or its standard error; 0 if unknown."""
    if result.run is None:
        return 0
    return result.run.crash_line or last_line(source, result.run.stderr_tail.decode(errors="replace"))


def last_line(source: Path, text: str) -> int:
    """Return the line of a source that a text names last, such as a traceback; 0 if it names none."""
    name = re.escape(source.name)
    found = re.findall(rf'{name}(?::|", line )([0-9]+)', text) or re.findall(r"^line ([0-9]+)", text)
    return int(found[-1]) if found else 0
