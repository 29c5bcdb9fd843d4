"""Installations: which files a program needs besides the system's, and the judge's own Python."""

import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from judge.sandbox.protocol import SYSTEM

# What only the root of an installation has beside `bin`: a Python's library or environment, a JDK, a Rust toolchain.
_INSTALLATION_FILES = (
    "pyvenv.cfg",
    "lib/python[23]*/os.py",
    "lib/pypy[23]*/os.py",
    "lib-python/[23]*/os.py",
    "release",
    "lib/rustlib",
)

_VENV_PARTS = ("pyvenv.cfg", "bin", "lib", "lib64")


def base_python() -> str:
    """Return the real path of the interpreter that runs the judge, outside any virtual environment.

    The real path matters: a version manager's shim costs 50 to 120 ms per start.
    """
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


@lru_cache(maxsize=256)
def required_paths(program: str) -> tuple[str, ...]:
    """Return what a program needs to start: its installation folders or the file itself, without the system's paths.

    An installation is recognized by `bin`: `/opt/pypy/bin/pypy3` belongs to `/opt/pypy`. A home folder and its parents
    never count as an installation; a folder directly in a home folder counts only if it holds files that only an
    installation has. Of a virtual environment only its own parts are needed, because its folder may be a project with
    answers beside them.
    """
    real = os.path.realpath(program)
    paths = [*_parts(_installation(Path(program))), *_parts(_installation(Path(real)))]
    if real == base_python():
        paths += [Path(sys.base_prefix), Path(sys.base_exec_prefix)]
    return tuple(dict.fromkeys(str(path) for path in paths if not _is_system_path(str(path))))


def find_exposing_folder(path: str, programs: Iterable[str]) -> str:
    """Return the readable folder that contains a path, or the path itself; "" if programs cannot read it.

    Args:
        path: absolute, without symbolic links.
        programs: absolute paths of the programs that run; the judge's own interpreter always counts.
    """
    folders = (folder for program in (base_python(), *programs) for folder in required_paths(program))
    return next((folder for folder in (*SYSTEM, *folders) if is_below(path, (folder,))), "")


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path is one of the folders or below one."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _is_system_path(path: str) -> bool:
    """Return whether every run can read a path, or it contains such paths, as /usr does: the rest is not needed."""
    return is_below(path, SYSTEM) or any(part.startswith(path.rstrip("/") + "/") for part in SYSTEM)


def _parts(installation: Path) -> list[Path]:
    if not (installation / "pyvenv.cfg").is_file():
        return [installation]
    return [installation / name for name in _VENV_PARTS if (installation / name).exists()]


def _installation(program: Path) -> Path:
    """Return the root of the installation that a program belongs to, or the program itself."""
    root, home = program.parent.parent, _user_home()
    if program.parent.name != "bin" or home.is_relative_to(root):
        return program
    is_shared = root.is_relative_to(home) or root.parent == Path("/")  # such as ~/.local and /opt
    if is_shared and not any(next(root.glob(name), None) for name in _INSTALLATION_FILES):
        return program
    return root


def _user_home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without an entry in the password database, as in containers
        return Path("/dev/null/home")
