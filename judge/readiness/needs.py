"""What a source needs of its interpreter: a version from which something exists, or before which it was removed."""

import ast
from dataclasses import dataclass

from judge.readiness.judges import Version

FIRST: Version = (3, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
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
