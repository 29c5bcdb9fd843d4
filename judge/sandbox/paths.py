"""Which paths a program needs to read besides the system's: its own home."""

import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from judge.interpreter import base_python
from judge.sandbox.namespaces import SYSTEM


@lru_cache(maxsize=256)
def home_of(program: str) -> tuple[str, ...]:
    """Return what a program needs to start: its installation folders, or the file itself; none of the system's.

    An installation is recognised by `bin`: `/opt/pypy/bin/pypy3` lives in `/opt/pypy`. A home folder and what holds one
    is never taken for an installation, and a folder in it only when it is one beyond doubt. Of a virtual environment
    only its own parts are needed: some stand in the folder of a project, beside its answers.
    """
    real = os.path.realpath(program)
    found = [*_parts(_home(Path(program))), *_parts(_home(Path(real)))]
    if real == base_python():
        found += [Path(sys.base_prefix), Path(sys.base_exec_prefix)]
    return tuple(dict.fromkeys(str(path) for path in found if not is_of_system(str(path))))


def shown_by(path: str, programs: Iterable[str]) -> str:
    """Return the folder above a path that runs of some programs are shown, and the path with it; "" if there is none.

    Args:
        path: absolute, without symbolic links.
        programs: absolute paths; this interpreter's counts too.
    """
    homes = (home for program in (base_python(), *programs) for home in home_of(program))
    return next((folder for folder in (*SYSTEM, *homes) if is_below(path, (folder,))), "")


def is_of_system(path: str) -> bool:
    """Tell whether a path is shown to every run, or holds what is, as /usr does: what else it holds is not needed."""
    return is_below(path, SYSTEM) or any(part.startswith(path.rstrip("/") + "/") for part in SYSTEM)


def is_below(path: str, folders: "tuple[str, ...] | list[str]") -> bool:
    """Tell whether a path is one of some folders or below one."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


# What only an installation of its own has beside `bin`: a Python's library or environment, a JDK.
_MARKS = ("pyvenv.cfg", "lib/python3*/os.py", "lib/pypy3*/os.py", "lib-python/3/os.py", "release")


_ENVIRONMENT = ("pyvenv.cfg", "bin", "lib", "lib64")


def _parts(home: Path) -> list[Path]:
    if not (home / _ENVIRONMENT[0]).is_file():
        return [home]
    return [home / name for name in _ENVIRONMENT if (home / name).exists()]


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
