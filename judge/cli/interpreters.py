"""Which Pythons are on this machine: by a version such as 3.8, on PATH or where version managers keep them."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.cli.python import Found, find_python
from judge.errors import UsageError
from judge.files import found_below

VERSION = re.compile(r"(\d+)\.(\d+)")
# Where pyenv, asdf, mise and uv keep the interpreters that they installed, each in a folder of its own.
_KEPT = (".pyenv/versions", ".asdf/installs/python", ".local/share/mise/installs/python", ".local/share/uv/python")


def named_python(wanted: str) -> Found:
    """Return the interpreter that `--python` names: a version, or a command.

    Raises:
        UsageError: there is none.
    """
    if not (version := VERSION.fullmatch(wanted)):
        return find_python(wanted)
    number = (int(version[1]), int(version[2]))
    if found := python_of(number, (f"python{wanted}", f"pypy{wanted}")):
        return found
    raise UsageError(
        f"--python {wanted}: no python{wanted} on PATH, nor where pyenv, asdf, mise and uv keep theirs; "
        "install it, or name one by its path"
    )


def python_of(version: tuple[int, int], commands: Sequence[str]) -> Found | None:
    """Return an interpreter of just this version, by the first command that leads to one; None if there is none."""
    for command in _candidates(version, commands):
        try:
            found = find_python(command)
        except UsageError:  # not there, or a version manager's script that leads nowhere
            continue
        if found.version == version:
            return found
    return None


def _candidates(version: tuple[int, int], commands: Sequence[str]) -> Iterator[str]:
    """Yield the commands, and with those of one implementation what version managers keep of it.

    A version manager's script comes after that: it leads there, takes its time, and often leads nowhere.
    """
    for kind in dict.fromkeys(_kind(command) for command in commands):
        own = [command for command in commands if _kind(command) == kind]
        scripts = [command for command in own if _is_script(command)]
        yield from (command for command in own if command not in scripts)
        yield from _kept(version, kind)
        yield from scripts


def _kind(command: str) -> str:
    return command.rstrip(".0123456789")


def _is_script(command: str) -> bool:
    try:
        with Path(shutil.which(command) or "").open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def _kept(version: tuple[int, int], kind: str) -> Iterator[str]:
    text = f"{version[0]}.{version[1]}"
    names = (f"pypy{text}*",) if kind == "pypy" else (text, f"{text}.*", f"cpython-{text}.*")
    homes = [Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"]
    homes += [Path("~").expanduser() / kept for kept in _KEPT]
    for home in dict.fromkeys(homes):
        for name in names:
            yield from (str(path) for path in found_below(home, f"{name}/bin/python3"))
