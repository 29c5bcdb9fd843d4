"""`judge config`: every setting with its value and its origin."""

import argparse
import json
import re
from pathlib import Path

from msgspec import Struct

from judge.base.errors import UsageError
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.settings.keys import KEYS
from judge.settings.load import Settings, user_file
from judge.settings.values import Setting, SettingValue
from judge.workspace.workspace import Workspace

EPILOG = """\
Settings are read from your own file (see --path) and from judge.toml in the repository, or in or above a folder of
files. `judge help settings` describes the files.

examples:
  judge config
  judge config --profile ci
  $EDITOR "$(judge config --path)"
"""


class Options(Struct, frozen=True, kw_only=True):
    """What `judge config` shows: the path of the user's file only, or all settings as text or JSON."""

    root: Path | None
    path: bool
    format: str
    profile: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge config`."""
    parser.add_argument(
        "--path", action="store_true", help="only print the path of your own file, which need not exist"
    )
    parser.add_argument(
        "-f", "--format", choices=("plain", "json"), default="plain", help="the format (default: plain)"
    )
    shared.add_profile(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    return Options(root=args.root, path=args.path, format=args.format, profile=args.profile)


def execute(options: Options) -> ExitStatus:
    """Show the settings; return the exit status."""
    if options.path:
        path = user_file()
        if path is None:
            raise UsageError("there is no home folder: set HOME or XDG_CONFIG_HOME")
        print(path)
        return ExitStatus.SUCCESS
    settings = Workspace.find_or_use(options.root).load_settings(options.profile)
    if options.format == "json":
        print(json.dumps(_record(settings), indent=2))
    else:
        print("\n".join(_lines(settings)))
    return ExitStatus.SUCCESS


def _lines(settings: Settings) -> list[str]:
    rows = [("setting", "value", "origin")]
    for key, known in KEYS.items():
        setting = settings.values.get(key)
        row = (key, _text(setting.value), str(setting)) if setting else (_general(key), known.default, "default")
        rows += [row] if row not in rows else []
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = [f"{key:<{widths[0]}}  {value:<{widths[1]}}  {origin}" for key, value, origin in rows]
    files = [str(path) for path in settings.files]
    lines += ["", f"files: {', '.join(files) or f'none; yours would be {user_file()}'}"]
    return [*lines, f"profiles: {', '.join(settings.profiles)}"] if settings.profiles else lines


def _general(key: str) -> str:
    """Return a key without its language: one row stands for all languages that have the default."""
    return re.sub(r"^language\.[^.]+\.", "language.ID.", key)


def _text(value: SettingValue) -> str:
    return " ".join(value) or "none" if isinstance(value, tuple) else str(value)


def _record(settings: Settings) -> dict[str, object]:
    return {
        "version": 1,
        "profile": settings.profile or None,
        "profiles": list(settings.profiles),
        "files": [str(path) for path in settings.files],
        "settings": {key: _setting_record(settings.values.get(key), KEYS[key].default) for key in KEYS},
    }


def _setting_record(setting: Setting | None, default: str) -> dict[str, object]:
    """Return a setting as a JSON object; a default is described in words, since it may depend on the machine."""
    if setting is None:
        return {"value": None, "origin": "default", "default": default}
    value = str(setting.value) if isinstance(setting.value, Path) else setting.value
    if setting.variable:
        return {"value": value, "origin": "environment", "variable": setting.variable}
    place = {"file": str(setting.file), "line": setting.line, "profile": setting.profile or None}
    return {"value": value, "origin": "file", **place}
