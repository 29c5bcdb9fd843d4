"""One thing that stands between a file and its acceptance, with its place, why it matters, and what to do."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


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
