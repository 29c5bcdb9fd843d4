"""Settings: the values that a user sets once, in two TOML files and in environment variables.

    config.toml     the user's, in $XDG_CONFIG_HOME/judge or ~/.config/judge
    judge.toml      the project's: beside problems/, or else the nearest one in or above a folder of files

Each of these wins over the ones before it: the default, the user's file, the project's file, the chosen profile in the
user's file, the same profile in the project's file, an environment variable. The commands let their options win over
all of these.

A project's file may come from a stranger. So it cannot name other files: templates and credentials are settings of the
user's file only.

    load    where the files are; all settings that apply
    files   the keys, and which values each may have; reading a file, with located errors
"""

from pathlib import Path

from msgspec import Struct

PROJECT_FILE = "judge.toml"
FORMATS = ("rich", "plain", "json", "jsonl", "short", "github", "junit", "ctrf")  # of the report of `judge run`
LAYOUTS = ("repository", "folder", "contest")  # of what `judge listen` and `judge import` write

VARIABLES = {
    "default-language": "JUDGE_DEFAULT_LANGUAGE",
    "layout": "JUDGE_LAYOUT",
    "jobs": "JUDGE_JOBS",
    "format": "JUDGE_FORMAT",
    "testlib": "JUDGE_TESTLIB",
    "credentials.kattisrc": "KATTISRC",
    "credentials.netrc": "NETRC",
}
"""The environment variables that win over the files, by key."""

SettingValue = str | int | tuple[str, ...] | Path


class Setting(Struct, frozen=True, kw_only=True):
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
