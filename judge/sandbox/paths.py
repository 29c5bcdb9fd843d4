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
    is never taken for an installation, and a folder in it only when it is one beyond doubt.
    """
    real = os.path.realpath(program)
    found = [_home(Path(program)), _home(Path(real))]
    if real == base_python():
        found += [Path(sys.base_prefix), Path(sys.base_exec_prefix)]
    return tuple(dict.fromkeys(str(path) for path in found if not is_below(str(path), SYSTEM)))


def is_below(path: str, folders: "tuple[str, ...] | list[str]") -> bool:
    """Tell whether a path is one of some folders or below one."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


# What only an installation of its own has beside `bin`: a Python's library or environment, a JDK.
_MARKS = ("pyvenv.cfg", "lib/python3*/os.py", "lib/pypy3*/os.py", "lib-python/3/os.py", "release")


def _home(program: Path) -> Path:
    home, own = program.parent.parent, _own_home()
    if program.parent.name != "bin" or own.is_relative_to(home):
        return program
    holds_more = home.is_relative_to(own) or home.parent == Path("/")  # such as ~/.local and /opt
    if holds_more and not any(next(home.glob(mark), None) for mark in _MARKS):
        return program
    return home


def _own_home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without a name, as in containers
        return Path("/nonexistent")
