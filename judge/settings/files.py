"""The keys of settings, and reading a file of them: TOML, with an error at the line of each wrong one."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from stat import S_ISREG
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.links import LEADS_OUT, leads_out
from judge.base.serialization import parse_toml
from judge.languages.names import find_language_id
from judge.languages.table import LANGUAGES
from judge.model import MAX_JOBS
from judge.settings import FORMATS, LAYOUTS, PROJECT_FILE, VARIABLES, Setting, SettingValue

_MAX_FILE = 1 << 20  # bytes
_MAX_NAMES = 5  # of a key: profile.NAME.language.ID.flags


class Key(Struct, frozen=True, kw_only=True):
    """A key of the files.

    Attributes:
        parse: returns the value that a TOML value in a file of some folder means; raises ValueError.
        is_private: only the user's file may have it.
    """

    parse: Callable[[object, Path], SettingValue]
    default: str
    is_private: bool = False


def quoted_list(words: Sequence[str]) -> str:
    """Return words as a choice: `a`, `b` or `c`."""
    return " or ".join(", ".join(f"`{word}`" for word in words).rsplit(", ", 1))


def _expect(expected: str, is_right: Callable[[Any], bool]) -> Callable[[object, Path], Any]:
    def parse(value: object, _: Path) -> object:
        if not is_right(value):
            raise ValueError(f"expected {expected}, found {_shown(value)}")
        return value

    return parse


def _parse_default_language(value: object, _: Path) -> str:
    try:
        return parse_language(value if isinstance(value, str) else "")
    except ValueError:
        raise ValueError(f"expected {quoted_list([each.id for each in LANGUAGES])}, found {_shown(value)}") from None


def _parse_flags(value: object, _: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(flag, str) for flag in value):
        raise ValueError(f'expected a list such as ["-O2", "-Wall"], found {_shown(value)}')
    if wrong := [flag for flag in value if not flag.startswith("-") or "\0" in flag]:
        raise ValueError(f"expected flags that start with `-`, found {_shown(wrong[0])}")
    return tuple(value)


def _parse_path(value: object, folder: Path) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError(f"expected the path of a file, found {_shown(value)}")
    try:
        return folder / Path(value).expanduser()
    except RuntimeError as error:  # no such user
        raise ValueError(f"{value}: {error}") from error


KEYS: dict[str, Key] = {
    "default-language": Key(parse=_parse_default_language, default=LANGUAGES[0].id),
    "layout": Key(
        parse=_expect(quoted_list(LAYOUTS), LAYOUTS.__contains__), default="repository in a repository, else folder"
    ),
    "jobs": Key(
        parse=_expect(f"a number from 1 to {MAX_JOBS}", lambda each: type(each) is int and 1 <= each <= MAX_JOBS),
        default="one per CPU core",
    ),
    "format": Key(
        parse=_expect(quoted_list(FORMATS), FORMATS.__contains__),
        default="rich on a terminal, github in its Actions, else plain",
    ),
    **{f"language.{each.id}.flags": Key(parse=_parse_flags, default="none") for each in LANGUAGES if each.takes_flags},
    **{
        f"language.{each.id}.template": Key(parse=_parse_path, default="built in", is_private=True)
        for each in LANGUAGES
    },
    "testlib": Key(parse=_parse_path, default="none", is_private=True),
    "submit-browser": Key(
        parse=_expect("true or false", lambda each: type(each) is bool), default="false", is_private=True
    ),
    "credentials.kattisrc": Key(parse=_parse_path, default="~/.kattisrc", is_private=True),
    "credentials.netrc": Key(parse=_parse_path, default="~/.netrc", is_private=True),
}
"""All keys of the files, in the order of `judge config`; each is also a key of a profile."""


def environment_settings() -> dict[str, Setting]:
    """Return the settings of environment variables; an empty variable counts as unset.

    Raises:
        UsageError: the value of one is not valid.
    """
    found = {}
    for name, variable in VARIABLES.items():
        if text := os.environ.get(variable, ""):
            is_number = name == "jobs" and text.isascii() and text.isdecimal() and len(text) < 10
            try:
                value = KEYS[name].parse(int(text) if is_number else text, Path.cwd())
            except ValueError as error:
                raise UsageError(f"${variable}: {error}") from error
            found[name] = Setting(value=value, variable=variable)
    return found


def parse_language(text: str) -> str:
    """Return the id of the language that a word means; see `find_language_id`.

    Raises:
        ValueError: it means none; the message follows the word.
    """
    if found := find_language_id(text):
        return found
    raise ValueError(f"no such language; {suggest(text, [language.id for language in LANGUAGES])}")


def suggest(word: str, known: Sequence[str]) -> str:
    """Return a question with the nearest of some words, or the words."""
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"did you mean `{near[0]}`?" if near else f"expected {quoted_list(known)}"


def quoted(text: str) -> str:
    """Return a text in quotes; the file may be a stranger's, so control characters are escaped."""
    return f"`{text}`" if text.isprintable() else ascii(text)


def _shown(value: object) -> str:
    """Return a value as TOML writes it."""
    try:
        text = str(value).lower() if isinstance(value, bool) else ascii(value)
    except ValueError:
        return "a number with too many digits"
    if isinstance(value, str):
        text = f'"{value}"' if value.isprintable() else text
    return text if len(text) <= 60 else f"{text[:57]}..."


# ---- files -----------------------------------------------------------------------------------------------------------


_Layers = dict[str, dict[str, Setting]]
"""What a file sets, by key: at its top level, which is "", and in each profile."""


def read_files(
    paths: Sequence[Path], profile: str, source: str, *, user_file: Path | None
) -> tuple[dict[str, Setting], tuple[str, ...]]:
    """Return what files and environment variables set, and the names of all profiles.

    Later files and a chosen profile win. `source` says who chose it; only `user_file` may set everything.

    Raises:
        DataError: a file cannot be read or is not valid; carries all errors in it.
        UsageError: no file has the profile, or an environment variable is not valid.
    """
    files = [_read_file(path, user_file) for path in paths]
    profiles = tuple(sorted({name for file in files for name in file if name}))
    if profile and profiles and profile not in profiles:
        raise UsageError(f"{source} {profile}: no such profile; {suggest(profile, profiles)}")
    if profile and not profiles:
        places = " or ".join(map(str, paths or (PROJECT_FILE, user_file)))
        message = f"there are no profiles; add a table `[profile.{profile}]` to {places}"
        raise UsageError(f"{source} {profile}: {message}")
    values: dict[str, Setting] = {}
    for layer in ("", profile):
        for file in files:
            values |= file.get(layer, {})
    return values | environment_settings(), profiles


def _read_file(path: Path, user_file: Path | None) -> _Layers:
    if path != user_file and leads_out(path, os.path.realpath(path.parent)):
        raise _error(path, LEADS_OUT)
    try:
        if not S_ISREG(path.stat().st_mode):
            raise _error(path, "not a regular file: expected a TOML file")
        with path.open("rb") as file:
            data = file.read(_MAX_FILE + 1)
    except OSError as error:
        raise _error(path, f"cannot be read: {error.strerror}") from error
    if len(data) > _MAX_FILE:
        raise _error(path, f"expected at most {_MAX_FILE >> 20} MiB of settings")
    table, text = _parse_toml(path, data)
    lines = _find_lines(text)
    layers: _Layers = {"": {}}
    diagnostics = []
    for names, value in _leaves(table):
        line = next((lines[part] for end in range(len(names), 0, -1) if (part := names[:end]) in lines), 0)
        try:
            _set(layers, names, value, Setting(value="", file=path, line=line), user_file)
        except ValueError as error:
            diagnostics.append(Diagnostic(path=path, line=line, message=str(error)))
    if diagnostics:
        raise DataError(sorted(diagnostics, key=lambda each: each.line))
    return layers


def _error(path: Path, message: str, line: int = 0, column: int = 0) -> DataError:
    return DataError([Diagnostic(path=path, line=line, column=column, message=message)])


# These patterns are compiled when there is a file to read.
_PLACE = r" \(at (?:line (\d+), column (\d+)|end of document)\)$"


def _parse_toml(path: Path, data: bytes) -> tuple[dict[str, object], str]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _error(path, "not UTF-8 text", data.count(b"\n", 0, error.start) + 1) from error
    try:
        return parse_toml(text), text
    except ValueError as error:
        found = re.search(_PLACE, str(error))
        message = re.sub(_PLACE, "", str(error))
        place = (int(found[1] or data.count(b"\n") + 1), int(found[2] or 0)) if found else (0, 0)
        raise _error(path, f"not valid TOML: {message}", *place) from error


def _leaves(table: Mapping[str, object], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the path and the value of everything that is not a table with content; no key is in more tables than 5."""
    for name, value in table.items():
        if isinstance(value, dict) and value and len(above) < _MAX_NAMES:
            yield from _leaves(value, (*above, name))
        else:
            yield (*above, name), value


def _set(layers: _Layers, names: tuple[str, ...], value: object, origin: Setting, user_file: Path | None) -> None:
    """Add a setting, which has an origin, to what a file sets.

    Raises:
        ValueError: the key is unknown or not allowed in this file, or the value is not valid.
    """
    profile = ""
    if names[0] == "profile" and len(names) > 1:
        profile, names = names[1], names[2:]
        layers.setdefault(profile, {})
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
    assert origin.file is not None
    if key.is_private and origin.file != user_file:
        raise ValueError(f"`{name}` is not allowed in a project's file: set it in your own, {user_file}")
    try:
        parsed = key.parse(value, origin.file.parent)
    except ValueError as error:
        raise ValueError(f"`{name}`: {error}") from error
    layers[profile][name] = replace(origin, value=parsed, profile=profile)


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
