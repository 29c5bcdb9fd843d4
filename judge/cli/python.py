"""`--python COMMAND`: which interpreter that is, found out once and before anything is judged."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from judge.errors import SandboxError, UsageError
from judge.model import Ending, Level, Limits
from judge.sandbox.box import Box, Command
from judge.units import GIB, MIB, Bytes, Seconds

_LIMITS = Limits(cpu=Seconds(10.0), wall=Seconds(21.0), memory=Bytes(GIB), output=Bytes(MIB))

# A virtual environment's own path must stay, or its packages are not found.
_PROBE = """\
import os, sys
own = getattr(sys, "base_prefix", sys.prefix) != sys.prefix
print("Python", sys.version_info[0])
print(sys.executable if own else os.path.realpath(sys.executable))
print(sys.version_info[1])
name = sys.implementation.name
print({"cpython": "CPython", "pypy": "PyPy"}.get(name, name), sys.version.split()[0])
"""

# Version managers put a script in an interpreter's place, which looks here for the version that is wanted.
_VARIABLES = ("PATH", "HOME", "PYENV_", "ASDF_", "MISE_")

_EXPECTED = "expected a Python 3 interpreter, such as pypy3"


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


def find_python(command: str) -> Found:
    """Ask a command which interpreter it is in the end: a version manager's script costs 50 to 120 ms a start.

    Raises:
        UsageError: there is no such command, or it is no Python 3.
    """
    found = shutil.which(command)
    if found is None:
        raise UsageError(f"--python {command}: there is no such command on PATH and no such program; {_EXPECTED}")
    environment = {name: value for name, value in os.environ.items() if name.startswith(_VARIABLES)}
    probe = Command(argv=(str(Path(found).absolute()), "-I", "-c", _PROBE), environment=environment, folder=Path.cwd())
    try:
        with Box(levels=[Level.LIMITS]) as box:  # a program that the user names, which reads the user's own settings
            ran = box.run(probe, _LIMITS)
    except SandboxError as error:
        raise UsageError(f"--python {command}: {error}; {_EXPECTED}") from error
    said = ran.stdout.decode(errors="replace").splitlines()
    if ran.result.ending is Ending.EXITED and ran.result.exit_code == 0 and said[:1] == ["Python 3"] and len(said) == 4:
        return Found(path=said[1], version=(3, int(said[2])), name=said[3])
    if said[:1] and said[0].startswith("Python "):
        raise UsageError(f"--python {command}: this is {said[0]}; {_EXPECTED}")
    errors = ran.result.stderr_tail.decode(errors="replace").strip().splitlines()
    raise UsageError(f"--python {command}: this is no Python{f' ({errors[0]})' if errors else ''}; {_EXPECTED}")
