"""The values that are set, each with its origin; the constants that describe them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judge.languages.table import LANGUAGES

PROJECT_FILE = "judge.toml"
FORMATS = ("rich", "plain", "json", "jsonl", "github")  # of the report of `judge run`
LAYOUTS = ("repository", "folder", "contest")  # of what `judge listen` and `judge import` write

VARIABLES = {
    "default-language": "JUDGE_DEFAULT_LANGUAGE",
    "layout": "JUDGE_LAYOUT",
    "jobs": "JUDGE_JOBS",
    "format": "JUDGE_FORMAT",
    "credentials.kattisrc": "KATTISRC",
    "credentials.netrc": "NETRC",
}
"""The environment variables that win over the files, by key."""

SettingValue = str | int | tuple[str, ...] | Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A value and where it comes from.

    Attributes:
        file, line: the line of the file that sets it; None and 0 otherwise.
        variable: the environment variable that sets it, or "".
        profile: the profile of the file that sets it, or "".
    """

    value: SettingValue
    file: Path | None = None
    line: int = 0
    variable: str = ""
    profile: str = ""

    def __str__(self) -> str:
        """Return the origin as messages show it."""
        if self.variable:
            return f"${self.variable}"
        profile = f", profile {self.profile}" if self.profile else ""
        return f"{self.file}:{self.line}{profile}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All values that are set; a key that is not here has its default.

    Attributes:
        values: by key, such as `jobs` or `language.cpp.flags`.
        files: the files that were read.
        profile: the chosen profile, or "".
        profiles: the names of all profiles in the files.
    """

    values: Mapping[str, Setting] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    profile: str = ""
    profiles: tuple[str, ...] = ()

    @property
    def jobs(self) -> int | None:
        """The number of parallel runs."""
        value = self._value("jobs")
        return value if isinstance(value, int) else None

    @property
    def format(self) -> str | None:
        """The format of the report of `judge run`."""
        return self._text("format")

    @property
    def layout(self) -> str | None:
        """Where `judge listen` and `judge import` write."""
        return self._text("layout")

    @property
    def default_language(self) -> str | None:
        """The id of the language of new solutions."""
        return self._text("default-language")

    @property
    def flags(self) -> dict[str, tuple[str, ...]]:
        """The additional flags of compilers, by the id of the language."""
        found = {language.id: self._value(f"language.{language.id}.flags") for language in LANGUAGES}
        return {name: value for name, value in found.items() if isinstance(value, tuple) and value}

    def flag_origins(self, root: Path) -> dict[str, str]:
        """Return where the flags of each language come from; files below the root by their relative path."""
        found = {language: self.values[f"language.{language}.flags"] for language in self.flags}
        return {language: str(setting).removeprefix(f"{root}/") for language, setting in found.items()}

    def template(self, language: str) -> Path | None:
        """Return the template of new solutions in a language, which is given by its id."""
        return self._path(f"language.{language}.template")

    @property
    def kattisrc(self) -> Path | None:
        """The file with the credentials for Kattis."""
        return self._path("credentials.kattisrc")

    @property
    def netrc(self) -> Path | None:
        """The file with the credentials for DOMjudge."""
        return self._path("credentials.netrc")

    def _value(self, key: str) -> SettingValue | None:
        setting = self.values.get(key)
        return setting.value if setting else None

    def _text(self, key: str) -> str | None:
        value = self._value(key)
        return value if isinstance(value, str) else None

    def _path(self, key: str) -> Path | None:
        value = self._value(key)
        return value if isinstance(value, Path) else None


def user_file() -> Path | None:
    """Return the path of the user's file (XDG Base Directory Specification 0.8); None if there is no home folder."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    try:
        folder = Path(given) if given.startswith("/") else Path.home() / ".config"
    except RuntimeError:
        return None
    return folder / "judge" / "config.toml"
