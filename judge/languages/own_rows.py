"""The user's own rows of the language table: `languages.toml` beside the user's settings.

Only the user's own file is read: a row names commands, and a project's files may come from a stranger.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, ValidationError, convert

from judge.base.errors import Diagnostic, UsageError
from judge.base.files import read_regular

_ID = re.compile(r"[a-z][a-z0-9]*")
_FIELD = re.compile(r"\{(\w+)\}")
# What commands may name besides the tools of their row.
_FIELDS = frozenset(
    {"source", "sources", "binary", "folder", "scratch", "main", "stem", "flags", "heap", "isolation", "standard"}
)

Row = dict[str, object]


def read_rows(path: Path) -> dict[str, Row]:
    """Return the fields of each row, by its id, as `Language` has them.

    Raises:
        UsageError: the file cannot be read, is not TOML, or a value is wrong; the message names the key.
    """
    try:
        tables = tomllib.loads(read_regular(path).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise _error(path, f"cannot be read: {error}") from error
    return {name: _read_row(path, name, table) for name, table in tables.items()}


def check_fields(path: Path, name: str, tools: Mapping[str, object], commands: tuple[str, ...]) -> None:
    """Check that commands name only tools and known fields.

    Raises:
        UsageError: one names something else.
    """
    known = {*tools, *_FIELDS}
    for word in commands:
        for found in _FIELD.findall(word):
            if found not in known:
                raise _error(path, f"[{name}] has no tool or field `{{{found}}}`; expected {', '.join(sorted(known))}")


def _read_row(path: Path, name: str, table: object) -> Row:
    if not _ID.fullmatch(name) or not isinstance(table, dict):
        raise _error(
            path, f"expected tables such as `[mylang]`, found `{name}`; an id has lower-case letters and digits"
        )
    row: Row = {"id": name}
    for key, value in table.items():
        if key not in _KEYS:
            raise _error(path, f"[{name}] has an unknown key `{key}`; expected one of {', '.join(_KEYS)}")
        kind, expected = _KEYS[key]
        given = value
        if key == "tools" and isinstance(value, dict):  # a single command needs no list
            given = {tool: [each] if isinstance(each, str) else each for tool, each in value.items()}
        try:
            row[key.replace("-", "_")] = convert(given, kind)
        except ValidationError as error:
            raise _error(path, f"[{name}] {key}: expected {expected}") from error
    return row


_Text = Annotated[str, Meta(pattern=r"\A[^\0]+\Z")]
_Words = tuple[Annotated[str, Meta(pattern=r"\A[^\0]*\Z")], ...]
_Suffix = Annotated[str, Meta(pattern=r"\A\.[\w+-]{1,16}\Z")]
_WORDS = (_Words, 'a list of words, such as ["{cc}", "-o", "{binary}", "{source}"]')
_FLAG = (bool, "`true` or `false`")
_KEYS: dict[str, tuple[Any, str]] = {
    "name": (_Text, "a text"),
    "suffixes": (Annotated[tuple[_Suffix, ...], Meta(min_length=1)], 'a list of suffixes, such as [".abc"]'),
    "tools": (
        Annotated[dict[str, _Words], Meta(min_length=1)],
        'a table of commands, such as { cc = ["gcc", "clang"] }',
    ),
    "compile": _WORDS,
    "run": _WORDS,
    "environment": (dict[str, _Text], 'a table of texts, such as { HOME = "{folder}" }'),
    "main-files": _WORDS,
    "compiles-all": _FLAG,
    "may-fork": _FLAG,
    "writes-files": _FLAG,
}
"""What a row may have: the type of each value, and what a message says of it."""


def _error(path: Path, message: str) -> UsageError:
    return UsageError(str(Diagnostic(path=path, message=message)))
