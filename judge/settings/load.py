"""The settings that apply in a folder; where nothing is set, that costs a look for the files."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field

from judge.base.links import list_above
from judge.settings import PROJECT_FILE, VARIABLES, Setting

T = TypeVar("T")


class Settings(Struct, frozen=True, kw_only=True):
    """All values that are set; a key that is not here has its default.

    Attributes:
        values: by key, such as `jobs` or `language.cpp.flags`.
    """

    values: Mapping[str, Setting] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    profile: str = ""
    profiles: tuple[str, ...] = ()

    def get(self, key: str, kind: type[T]) -> T | None:
        """Return the value of a key, which has this type; None if it has its default."""
        setting = self.values.get(key)
        return setting.value if setting and isinstance(setting.value, kind) else None

    @property
    def flags(self) -> dict[str, tuple[str, ...]]:
        """The additional flags of compilers, by the id of the language."""
        found = {key.split(".")[1]: self.get(key, tuple) for key in self.values if key.endswith(".flags")}
        return {language: flags for language, flags in found.items() if flags}

    def flag_origins(self, root: Path) -> dict[str, str]:
        """Return where the flags of each language come from; files below the root by their relative path."""
        found = {language: self.values[f"language.{language}.flags"] for language in self.flags}
        return {language: str(setting).removeprefix(f"{root}/") for language, setting in found.items()}


def load_settings(root: Path, *, is_repository: bool, profile: str | None = None) -> Settings:
    """Return the settings that apply in a folder.

    Args:
        root: the root of a repository, or any other folder.
        is_repository: only the file in the root counts, none above it.
        profile: the name of a profile, or "" for none; None for the one that JUDGE_PROFILE names, if any.

    Raises:
        DataError: a file cannot be read or is not valid; carries all errors in it.
        UsageError: no file has the profile, or an environment variable is not valid.
    """
    variable = os.environ.get("JUDGE_PROFILE", "") if profile is None else ""
    wanted = profile or variable
    user = user_file()
    folders = (root,) if is_repository else list_above(root)
    project = next(filter(os.path.lexists, (folder / PROJECT_FILE for folder in folders)), None)
    paths = tuple(path for path in (user, project) if path and os.path.lexists(path))
    if not paths and not wanted and not any(map(os.environ.get, VARIABLES.values())):
        return Settings()
    from judge.settings.files import read_files

    values, profiles = read_files(paths, wanted, "$JUDGE_PROFILE" if variable else "--profile", user_file=user)
    return Settings(values=values, files=paths, profile=wanted, profiles=profiles)


def user_file() -> Path | None:
    """Return the path of the user's file (XDG Base Directory Specification 0.8); None if there is no home folder."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    try:
        folder = Path(given) if given.startswith("/") else Path.home() / ".config"
    except RuntimeError:
        return None
    return folder / "judge" / "config.toml"
