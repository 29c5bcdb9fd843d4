"""The user's own rows of the language table: `languages.toml` beside the user's settings.

Only the user's own file is read: a row names commands, and a project's files may come from a stranger.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert
from msgspec.structs import asdict

from judge.base.errors import Diagnostic, UsageError
from judge.base.files import read_regular
from judge.base.serialization import parse_toml

_ID = re.compile(r"[a-z][a-z0-9]*")
_FIELD = re.compile(r"\{(\w+)\}")
# What commands may name besides the tools of their row.
_FIELDS = frozenset(
    {"source", "sources", "binary", "folder", "scratch", "main", "stem", "flags", "heap", "isolation", "standard"}
)

Row = dict[str, object]

_Text = Annotated[str, Meta(pattern=r"\A[^\0]+\Z")]
_Word = Annotated[str, Meta(pattern=r"\A[^\0]*\Z")]
_Suffix = Annotated[str, Meta(pattern=r"\A\.[\w+-]{1,16}\Z")]


class _Row(Struct, forbid_unknown_fields=True, rename="kebab"):
    """What a row may have; a tool with a single command needs no list."""

    name: _Text | UnsetType = UNSET
    suffixes: Annotated[tuple[_Suffix, ...], Meta(min_length=1)] | UnsetType = UNSET
    tools: Annotated[dict[str, _Word | tuple[_Word, ...]], Meta(min_length=1)] | UnsetType = UNSET
    compile: tuple[_Word, ...] | UnsetType = UNSET
    run: tuple[_Word, ...] | UnsetType = UNSET
    environment: dict[str, _Text] | UnsetType = UNSET
    main_files: tuple[_Word, ...] | UnsetType = UNSET
    compiles_all: bool | UnsetType = UNSET
    may_fork: bool | UnsetType = UNSET
    writes_files: bool | UnsetType = UNSET


def read_rows(path: Path) -> dict[str, Row]:
    """Return the fields of each row, by its id, as `Language` has them.

    Raises:
        UsageError: the file cannot be read, is not TOML, or a value is wrong; the message names the key.
    """
    try:
        tables = parse_toml(read_regular(path).decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise _error(path, f"cannot be read: {error}") from error
    rows: dict[str, Row] = {}
    for name, table in tables.items():
        if not _ID.fullmatch(name):
            raise _error(path, f"found `{name}`; an id has lower-case letters and digits, as in `[mylang]`")
        try:
            row = convert(table, _Row)
        except ValidationError as error:
            raise _error(path, f"[{name}] {error}; the keys are {', '.join(_Row.__struct_encode_fields__)}") from error
        if row.tools is not UNSET:
            row.tools = {tool: (each,) if isinstance(each, str) else each for tool, each in row.tools.items()}
        rows[name] = {"id": name} | {key: value for key, value in asdict(row).items() if value is not UNSET}
    return rows


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


def _error(path: Path, message: str) -> UsageError:
    return UsageError(str(Diagnostic(path=path, message=message)))
