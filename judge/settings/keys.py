"""The keys of settings, and which values each may have."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from judge.base.errors import UsageError
from judge.languages.table import LANGUAGES
from judge.model import MAX_JOBS
from judge.settings.values import FORMATS, LAYOUTS, VARIABLES, Setting, SettingValue


class Key(Struct, frozen=True, kw_only=True):
    """A key of the files.

    Attributes:
        parse: returns the value that a TOML value in a file of some folder means; raises ValueError.
        default: the default in words.
        is_private: only the user's file may have it.
    """

    parse: Callable[[object, Path], SettingValue]
    default: str
    is_private: bool = False


def _parse_jobs(value: object, _: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_JOBS:
        raise ValueError(f"expected a number from 1 to {MAX_JOBS}, found {_shown(value)}")
    return value


def _parse_switch(value: object, _: Path) -> bool:
    if value is not True and value is not False:
        raise ValueError(f"expected true or false, found {_shown(value)}")
    return value


def _parse_word(words: tuple[str, ...]) -> Callable[[object, Path], str]:
    def parse(value: object, _: Path) -> str:
        if value not in words:
            raise ValueError(f"expected {quoted_list(words)}, found {_shown(value)}")
        return str(value)

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
    "layout": Key(parse=_parse_word(LAYOUTS), default="repository in a repository, else folder"),
    "jobs": Key(parse=_parse_jobs, default="one per CPU core"),
    "format": Key(parse=_parse_word(FORMATS), default="rich on a terminal, github in its Actions, else plain"),
    **{f"language.{each.id}.flags": Key(parse=_parse_flags, default="none") for each in LANGUAGES if each.takes_flags},
    **{
        f"language.{each.id}.template": Key(parse=_parse_path, default="built in", is_private=True)
        for each in LANGUAGES
    },
    "testlib": Key(parse=_parse_path, default="none", is_private=True),
    "submit-browser": Key(parse=_parse_switch, default="false", is_private=True),
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
    """Return the id of the language that a word means: its id, its name or a suffix.

    Raises:
        ValueError: it means none; the message follows the word.
    """
    words: dict[str, str] = {}
    for language in LANGUAGES:
        name = language.name.lower()
        for word in (language.id, name, name.partition(" ")[0], *(suffix[1:] for suffix in language.suffixes)):
            words.setdefault(word, language.id)
    try:
        return words[text.lower()]
    except KeyError:
        raise ValueError(f"no such language; {suggest(text, [language.id for language in LANGUAGES])}") from None


def suggest(word: str, known: Sequence[str]) -> str:
    """Return a question with the nearest of some words, or the words."""
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"did you mean `{near[0]}`?" if near else f"expected {quoted_list(known)}"


def quoted(text: str) -> str:
    """Return a text in quotes; the file may be a stranger's, so control characters are escaped."""
    return f"`{text}`" if text.isprintable() else ascii(text)


def quoted_list(words: Sequence[str]) -> str:
    """Return words as a choice: `a`, `b` or `c`."""
    *others, last = (f"`{word}`" for word in words)
    return f"{', '.join(others)} or {last}" if others else last


def _shown(value: object) -> str:
    """Return a value as TOML writes it."""
    try:
        text = str(value).lower() if isinstance(value, bool) else ascii(value)
    except ValueError:
        return "a number of too many digits"
    if isinstance(value, str):
        text = f'"{value}"' if value.isprintable() else ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
