"""Loading the settings that apply in a folder; where nothing is set, that costs a look for the files and no more."""

import os
from collections.abc import Iterator
from pathlib import Path

from judge.settings.values import PROJECT_FILE, VARIABLES, Settings, user_file


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
    paths = tuple(_find_files(root, is_repository=is_repository))
    if not paths and not wanted and not any(map(os.environ.get, VARIABLES.values())):
        return Settings()
    from judge.settings.files import read_files

    values, profiles = read_files(paths, wanted, "$JUDGE_PROFILE" if variable else "--profile")
    return Settings(values=values, files=paths, profile=wanted, profiles=profiles)


def _find_files(root: Path, *, is_repository: bool) -> Iterator[Path]:
    """Yield the files that exist, the user's first."""
    user = user_file()
    if user and os.path.lexists(user):
        yield user
    for folder in (root,) if is_repository else (root, *root.parents):
        path = folder / PROJECT_FILE
        if os.path.lexists(path):
            yield path
            return
