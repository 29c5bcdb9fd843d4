"""The user's own rows of the language table: `languages.toml` beside the user's settings.

Only the user's own file is read: a row names commands, and a project's files may come from a stranger.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from judge.base.errors import Diagnostic, UsageError
from judge.base.files import read_regular

_ID = re.compile(r"[a-z][a-z0-9]*")
_SUFFIX = re.compile(r"\.[\w+-]{1,16}")
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
        try:
            row[key.replace("-", "_")] = _KEYS[key](value)
        except ValueError as error:
            raise _error(path, f"[{name}] {key}: expected {error}") from error
    return row


def _text(value: object) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("a text")
    return value


def _words(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) and "\0" not in word for word in value):
        raise ValueError('a list of words, such as ["{cc}", "-o", "{binary}", "{source}"]')
    return tuple(value)


def _suffixes(value: object) -> tuple[str, ...]:
    words = _words(value)
    if not words or not all(_SUFFIX.fullmatch(word) for word in words):
        raise ValueError('a list of suffixes, such as [".abc"]')
    return words


def _tools(value: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict) or not value:
        raise ValueError('a table of commands, such as { cc = ["gcc", "clang"] }')
    return {name: (_text(each),) if isinstance(each, str) else _words(each) for name, each in value.items()}


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError('a table of texts, such as { HOME = "{folder}" }')  # noqa: TRY004 - all are wrong values
    return {name: _text(each) for name, each in value.items()}


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("`true` or `false`")  # noqa: TRY004 - all are wrong values
    return value


_KEYS: dict[str, Callable[[object], object]] = {
    "name": _text,
    "suffixes": _suffixes,
    "tools": _tools,
    "compile": _words,
    "run": _words,
    "environment": _texts,
    "main-files": _words,
    "compiles-all": _flag,
    "may-fork": _flag,
    "writes-files": _flag,
}


def _error(path: Path, message: str) -> UsageError:
    return UsageError(str(Diagnostic(path=path, message=message)))
