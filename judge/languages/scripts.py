"""Programs that consist of scripts: validators and other programs of problem packages, never submissions.

A folder may have a `build` script, which makes the program `run`, or only `run` (ICPC 2025-09, "Other programs"). A
single executable file names its interpreter in its first line.
"""

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from judge.languages.table import Language
from judge.sandbox.box import ENVIRONMENT
from judge.sandbox.installations import base_python, required_paths

# Scripts may assume a shell and these on the search path (ICPC 2025-09, "Other programs").
_TOOLS = {"python3": ("python3",), "cc": ("cc", "gcc", "clang"), "c++": ("c++", "g++", "clang++")}

RUN = Language(
    id="scripts",
    name="a `run` script",
    suffixes=(),
    tools={},
    compile=(),
    run=("{source}",),
    may_fork=True,
    is_script=True,
)
BUILD_AND_RUN = replace(RUN, name="`build` and `run` scripts", compile=("{build}",), run=("{run}",))
EXECUTABLE = replace(RUN, id="executable", name="an executable file")

_USUAL_PATH = ENVIRONMENT["PATH"]


def find_tools() -> dict[str, str]:
    """Return the paths of the tools that scripts may use, by name, as far as they are on this machine."""
    found = {}
    for name, commands in _TOOLS.items():
        path = shutil.which(name, path=_USUAL_PATH)
        path = path or (base_python() if name == "python3" else next(filter(None, map(shutil.which, commands)), None))
        if path is not None:
            found[name] = str(Path(path).absolute())
    return found


def search_path(tools: Mapping[str, str], folder: Path) -> tuple[str, tuple[Path, ...]]:
    """Return a value of PATH on which scripts find the tools under their names, and what they need to read for that.

    Args:
        tools: the paths of the tools, by name.
        folder: for links to the tools that are not on the usual path.

    Raises:
        OSError: a link cannot be made.
    """
    missing = {name: path for name, path in tools.items() if shutil.which(name, path=_USUAL_PATH) != path}
    if not missing:
        return _USUAL_PATH, ()
    links = folder / "script-tools"
    links.mkdir(exist_ok=True)
    links.chmod(0o755)
    for name, path in missing.items():
        with suppress(FileExistsError):
            (links / name).symlink_to(path)
    needed = dict.fromkeys(part for path in missing.values() for part in required_paths(path))
    return f"{_USUAL_PATH}:{links}", (links, *map(Path, needed))
