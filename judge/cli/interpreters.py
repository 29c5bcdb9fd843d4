"""Which Pythons are on this machine: by a version such as 3.8, on PATH or where version managers keep them."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.cli.python import find_python
from judge.errors import SandboxError, UsageError
from judge.files import found_below
from judge.model import Ending, Level, Limits
from judge.sandbox.box import Box, Command
from judge.units import GIB, MIB, Bytes, Seconds

VERSION = re.compile(r"(\d+)\.(\d+)")
_LIMITS = Limits(cpu=Seconds(10.0), wall=Seconds(21.0), memory=Bytes(GIB), output=Bytes(MIB))
_PROBE = """\
import platform, sys
print(sys.version_info[0], sys.version_info[1], platform.python_implementation(), platform.python_version())
"""
# Where pyenv, asdf, mise and uv keep the interpreters that they installed, each in a folder of its own.
_KEPT = (".pyenv/versions", ".asdf/installs/python", ".local/share/mise/installs/python", ".local/share/uv/python")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An interpreter of this machine.

    Attributes:
        path: absolute.
        version: of the language.
        name: such as `CPython 3.8.18`.
    """

    path: str
    version: tuple[int, int]
    name: str


def named_python(wanted: str) -> Found:
    """Return the interpreter that `--python` names: a version, or a command.

    Raises:
        UsageError: there is none.
    """
    if not (version := VERSION.fullmatch(wanted)):
        return described(find_python(wanted))
    number = (int(version[1]), int(version[2]))
    if found := python_of(number, (f"python{wanted}", f"pypy{wanted}")):
        return found
    raise UsageError(
        f"--python {wanted}: no python{wanted} on PATH, nor where pyenv, asdf, mise and uv keep theirs; "
        "install it, or name one by its path"
    )


def python_of(version: tuple[int, int], commands: Sequence[str]) -> Found | None:
    """Return an interpreter of just this version, by the first command that leads to one; None if there is none."""
    for command in (*commands, *_kept(version, commands)):
        try:
            found = described(find_python(command))
        except UsageError:  # not there, or a version manager's script that leads nowhere
            continue
        if found.version == version:
            return found
    return None


def _kept(version: tuple[int, int], commands: Sequence[str]) -> Iterator[str]:
    text = f"{version[0]}.{version[1]}"
    prefixes = [prefix for prefix in ("python", "pypy") if any(command.startswith(prefix) for command in commands)]
    names = {"python": (f"{text}", f"{text}.*", f"cpython-{text}.*"), "pypy": (f"pypy{text}*",)}
    homes = [Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"]
    homes += [Path("~").expanduser() / kept for kept in _KEPT]
    for home in dict.fromkeys(homes):
        for prefix in prefixes:
            for name in names[prefix]:
                yield from (str(path) for path in found_below(home, f"{name}/bin/python3"))


def described(path: str) -> Found:
    """Ask an interpreter what it is.

    Raises:
        UsageError: it does not say.
    """
    probe = Command(argv=(path, "-I", "-c", _PROBE), folder=Path.cwd())
    try:
        with Box(levels=[Level.LIMITS]) as box:  # a program that the user names
            ran = box.run(probe, _LIMITS)
    except SandboxError as error:
        raise UsageError(f"--python {path}: {error}") from error
    words = ran.stdout.decode(errors="replace").split()
    if ran.result.ending is not Ending.EXITED or ran.result.exit_code != 0 or len(words) != 4:
        raise UsageError(f"--python {path}: it does not say which version it is; expected a Python 3 interpreter")
    return Found(path=path, version=(int(words[0]), int(words[1])), name=f"{words[2]} {words[3]}")
