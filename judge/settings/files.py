"""Reading a file of settings: TOML, checked key by key, with an error at the line of each wrong one."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from stat import S_ISREG

from msgspec import Struct

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.links import LEADS_OUT, leads_out
from judge.settings.keys import KEYS, environment_settings, parse_language, quoted, suggest
from judge.settings.values import PROJECT_FILE, Setting

_MAX_FILE = 1 << 20  # bytes
_MAX_NAMES = 5  # of a key: profile.NAME.language.ID.flags


class _File(Struct, frozen=True, kw_only=True):
    """What a file sets: at its top level, and in each profile."""

    path: Path
    values: dict[str, Setting]
    profiles: dict[str, dict[str, Setting]]


def read_files(
    paths: Sequence[Path], profile: str, source: str, *, user_file: Path | None
) -> tuple[dict[str, Setting], tuple[str, ...]]:
    """Return what files and environment variables set, and the names of all profiles.

    Later files and a chosen profile win.

    Args:
        paths: the files.
        profile: the chosen profile, or "".
        source: who chose it, for messages.
        user_file: the one that may set everything.

    Raises:
        DataError: a file cannot be read or is not valid; carries all errors in it.
        UsageError: no file has the profile, or an environment variable is not valid.
    """
    files = [_read_file(path, user_file) for path in paths]
    profiles = tuple(sorted({name for file in files for name in file.profiles}))
    if profile and profile not in profiles:
        raise UsageError(_unknown_profile(profile, source, profiles, paths or (PROJECT_FILE, user_file)))
    values: dict[str, Setting] = {}
    for file in files:
        values |= file.values
    for file in files:
        values |= file.profiles.get(profile, {})
    return values | environment_settings(), profiles


def _read_file(path: Path, user_file: Path | None) -> _File:
    if path != user_file and leads_out(path, os.path.realpath(path.parent)):
        raise DataError([Diagnostic(path=path, message=LEADS_OUT)])
    table, text = _parse_toml(path, _read_bytes(path))
    lines = _find_lines(text)
    file = _File(path=path, values={}, profiles={})
    diagnostics = []
    for names, value in _leaves(table):
        line = next((lines[part] for end in range(len(names), 0, -1) if (part := names[:end]) in lines), 0)
        try:
            _set(file, names, value, line=line, user_file=user_file)
        except ValueError as error:
            diagnostics.append(Diagnostic(path=path, line=line, message=str(error)))
    if diagnostics:
        raise DataError(sorted(diagnostics, key=lambda each: each.line))
    return file


def _read_bytes(path: Path) -> bytes:
    try:
        mode = path.stat().st_mode
        if not S_ISREG(mode):
            raise DataError([Diagnostic(path=path, message="not a regular file: expected a TOML file")])
        with path.open("rb") as file:
            data = file.read(_MAX_FILE + 1)
    except OSError as error:
        raise DataError([Diagnostic(path=path, message=f"cannot be read: {error.strerror}")]) from error
    if len(data) > _MAX_FILE:
        raise DataError([Diagnostic(path=path, message=f"expected at most {_MAX_FILE >> 20} MiB of settings")])
    return data


_PLACE = r" \(at line (\d+), column (\d+)\)$"  # these patterns are compiled when there is a file to read


def _parse_toml(path: Path, data: bytes) -> tuple[dict[str, object], str]:
    import tomllib  # only users with a file pay for it

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError([Diagnostic(path=path, line=line, message="not UTF-8 text")]) from error
    try:
        return tomllib.loads(text), text
    except tomllib.TOMLDecodeError as error:
        found = re.search(_PLACE, str(error))
        message = f"not valid TOML: {re.sub(_PLACE, '', str(error)).removesuffix(' (at end of document)')}"
        line, column = (int(found[1]), int(found[2])) if found else (data.count(b"\n") + 1, 0)
        raise DataError([Diagnostic(path=path, line=line, column=column, message=message)]) from error
    except ValueError as error:  # of an integer
        found = re.search("[0-9_]{4000}", text)
        line = text.count("\n", 0, found.start()) + 1 if found else 0
        raise DataError(
            [Diagnostic(path=path, line=line, message="not valid: a number has too many digits")]
        ) from error
    except RecursionError as error:
        brackets = [each.count("[") + each.count("{") for each in text.split("\n")]
        line = brackets.index(max(brackets)) + 1
        raise DataError([Diagnostic(path=path, line=line, message="not valid: nested too deeply")]) from error


def _leaves(table: Mapping[str, object], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the path and the value of everything that is not a table with content; no key is in more tables than 5."""
    for name, value in table.items():
        if isinstance(value, dict) and value and len(above) < _MAX_NAMES:
            yield from _leaves(value, (*above, name))
        else:
            yield (*above, name), value


def _set(file: _File, names: tuple[str, ...], value: object, *, line: int, user_file: Path | None) -> None:
    """Add a setting to what a file sets.

    Raises:
        ValueError: the key is unknown or not allowed in this file, or the value is not valid.
    """
    profile = ""
    values = file.values
    if names[0] == "profile" and len(names) > 1:
        profile, names = names[1], names[2:]
        values = file.profiles.setdefault(profile, {})
        if not names:
            if value != {}:
                name = f"profile.{profile}"
                raise ValueError(f"{quoted(name)} is a table: expected a line `[profile.NAME]` and its keys")
            return
    name = _key_name(names)
    key = KEYS.get(name)
    if key is None:
        if value != {} or not _is_table(name):
            raise ValueError(_unknown_key(name))
        return
    if key.is_private and file.path != user_file:
        raise ValueError(f"`{name}` is not allowed in a project's file: set it in your own, {user_file}")
    try:
        parsed = key.parse(value, file.path.parent)
    except ValueError as error:
        raise ValueError(f"`{name}`: {error}") from error
    values[name] = Setting(value=parsed, file=file.path, line=line, profile=profile)


def _key_name(names: tuple[str, ...]) -> str:
    """Return the name of a key; another word for a language becomes its id.

    Raises:
        ValueError: there is no such language.
    """
    if names[0] == "language" and len(names) > 1:
        try:
            names = ("language", parse_language(names[1]), *names[2:])
        except ValueError as error:
            raise ValueError(f"{quoted(f'language.{names[1]}')}: {error}") from error
    return ".".join(names)


def _is_table(name: str) -> bool:
    return name == "profile" or any(key.startswith(f"{name}.") for key in KEYS)


def _unknown_key(name: str) -> str:
    if name == "language":
        return "`language` is a table of languages; the language of new files is `default-language`"
    if _is_table(name):
        return f"`{name}` is a table: expected a line `[{name}{'.ci' if name == 'profile' else ''}]` and its keys"
    return f"unknown key {quoted(name)}; {suggest(name, tuple(KEYS))}"


def _find_lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the 1-based line that sets each key, or that begins a table.

    Keys and headers are recognized line by line, so a key in an inline table has the line of that table.
    """
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if found := re.match(_HEADER, line):
            path = table = _split_key(found[1])
        elif found := re.match(_ASSIGNMENT, line):
            path = (*table, *_split_key(found[1]))
        else:
            continue
        lines.setdefault(path[: _MAX_NAMES + 1], number)
    return lines


_HEADER = r"\s*\[\[?([^\]]+)\]"
_ASSIGNMENT = r"""((?>(?:[\w.\-\s]|"[^"]*"|'[^']*')+))="""  # an atomic group: any line is read once
_KEY_PART = r""""([^"]*)"|'([^']*)'|([\w-]+)"""


def _split_key(text: str) -> tuple[str, ...]:
    return tuple("".join(found.groups(default="")) for found in re.finditer(_KEY_PART, text))


def _unknown_profile(name: str, source: str, known: Sequence[str], paths: Sequence[object]) -> str:
    if known:
        return f"{source} {name}: no such profile; {suggest(name, known)}"
    places = " or ".join(map(str, paths))
    return f"{source} {name}: there are no profiles; add a table `[profile.{name}]` to {places}"
