"""`judge config`: every setting with its value and its origin."""

import json
import re
from pathlib import Path
from typing import Annotated

from judge.base.errors import UsageError
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option
from judge.reporters.escape import align
from judge.settings import Setting
from judge.settings.files import KEYS
from judge.settings.load import user_file
from judge.workspace.workspace import Workspace

EPILOG = """\
Settings are read from your own file (see --path) and from judge.toml in the repository, or in or above a folder of
files. `judge help settings` describes the files.

examples:
  judge config
  judge config --profile ci
  $EDITOR "$(judge config --path)"
"""


class Options(shared.Arguments, frozen=True, kw_only=True):
    """What `judge config` shows: the path of the user's file only, or all settings as text or JSON."""

    path: Annotated[bool, option("only print the path of your own file, which need not exist")] = False
    format: Annotated[str, option("the format (default: plain)", "-f", choices=("plain", "json"))] = "plain"
    profile: shared.Profile = None


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
        record = {
            "version": 1,
            "profile": settings.profile or None,
            "profiles": list(settings.profiles),
            "files": [str(path) for path in settings.files],
            "settings": {key: _setting_record(settings.values.get(key), KEYS[key].default) for key in KEYS},
        }
        print(json.dumps(record, indent=2))
    else:
        rows = [("setting", "value", "origin")]
        for key, known in KEYS.items():
            setting = settings.values.get(key)
            if setting is None:  # one row stands for all languages that have the default
                row = (re.sub(r"^language\.[^.]+\.", "language.ID.", key), known.default, "default")
            else:
                value = setting.value
                row = (key, " ".join(value) or "none" if isinstance(value, tuple) else str(value), str(setting))
            rows += [row] if row not in rows else []
        files = ", ".join(map(str, settings.files)) or f"none; yours would be {user_file()}"
        print("\n".join([*align(rows), "", f"files: {files}"]))
        if settings.profiles:
            print(f"profiles: {', '.join(settings.profiles)}")
    return ExitStatus.SUCCESS


def _setting_record(setting: Setting | None, default: str) -> dict[str, object]:
    """Return a setting as a JSON object; a default is described in words, since it may depend on the machine."""
    if setting is None:
        return {"value": None, "origin": "default", "default": default}
    value = str(setting.value) if isinstance(setting.value, Path) else setting.value
    if setting.variable:
        return {"value": value, "origin": "environment", "variable": setting.variable}
    place = {"file": str(setting.file), "line": setting.line, "profile": setting.profile or None}
    return {"value": value, "origin": "file", **place}
