"""Which paths a program needs to read besides the system's: its own home."""

import os
import sys
from functools import lru_cache
from pathlib import Path

from judge.interpreter import base_python
from judge.sandbox.namespaces import SYSTEM


@lru_cache(maxsize=256)
def home_of(program: str) -> tuple[str, ...]:
    """Return what a program needs to start: its installation folders, or the file itself; none of the system's.

    An installation is recognised by `bin`: `/opt/pypy/bin/pypy3` lives in `/opt/pypy`. A home folder and what holds one
    is never taken for an installation.
    """
    real = os.path.realpath(program)
    found = [_home(Path(program)), _home(Path(real))]
    if real == base_python():
        found += [Path(sys.base_prefix), Path(sys.base_exec_prefix)]
    return tuple(dict.fromkeys(str(path) for path in found if not is_below(str(path), SYSTEM)))


def is_below(path: str, folders: "tuple[str, ...] | list[str]") -> bool:
    """Tell whether a path is one of some folders or below one."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _home(program: Path) -> Path:
    home = program.parent.parent
    if program.parent.name != "bin" or _own_home().is_relative_to(home):
        return program
    return home


def _own_home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without a name, as in containers
        return Path("/nonexistent")
