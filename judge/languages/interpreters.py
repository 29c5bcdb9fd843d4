"""Python interpreters: the judge's own, those that `--python` names, and all others on this machine.

Solutions run with the judge's interpreter in a virtual environment without packages. A `.pth` file in the machine's
site-packages runs code at every start of the interpreter (25 to 50 ms each if a package installs one), and `-S` would
remove `exit()`. The empty environment has the standard library and nothing else, as on an online judge.
"""

import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from msgspec import Struct

from judge.base.errors import SandboxError, ToolError, UsageError
from judge.base.files import find_program, search_path
from judge.base.units import GIB, MIB, Bytes, Seconds
from judge.model import Ending, Level, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.installations import base_python

Version = tuple[int, int]

PROBE_LIMITS = Limits(cpu=Seconds(10.0), wall=Seconds(21.0), memory=Bytes(GIB), output=Bytes(MIB))

# The path of a virtual environment's interpreter is kept: with its real path, it would not find its packages.
_PROBE = """\
import os, sys
is_venv = getattr(sys, "base_prefix", sys.prefix) != sys.prefix
print("Python %d" % sys.version_info[0])
print(sys.executable if is_venv else os.path.realpath(sys.executable))
print(sys.version_info[1])
name = sys.implementation.name if sys.version_info[0] > 2 else "python"
print({"cpython": "CPython", "pypy": "PyPy"}.get(name, name) + " " + sys.version.split()[0])
"""

# A version manager's shim reads these variables to find the selected version.
_SHIM_VARIABLES = ("PATH", "HOME", "PYENV_", "ASDF_", "MISE_")

# Where pyenv, asdf, mise and uv install interpreters, each in its own folder: (variable, default, subfolder).
_VERSION_MANAGERS = (
    ("PYENV_ROOT", "~/.pyenv", "versions"),
    ("ASDF_DATA_DIR", "~/.asdf", "installs/python"),
    ("MISE_DATA_DIR", "~/.local/share/mise", "installs/python"),
    ("UV_PYTHON_INSTALL_DIR", "~/.local/share/uv/python", ""),
)

_VERSION = re.compile(r"(\d+)\.(\d+)")

_EXPECTED = "expected a Python 3 interpreter, such as pypy3"

_venv_lock = threading.Lock()


class Interpreter(Struct, frozen=True, kw_only=True):
    """A Python 3 interpreter of this machine.

    Attributes:
        path: absolute; not a version manager's shim, which costs 50 to 120 ms per start.
        name: implementation and version, such as `CPython 3.8.18`.
    """

    path: str
    version: Version
    name: str


def find_interpreter(wanted: str) -> Interpreter:
    """Return the interpreter that `--python` names: a version such as 3.8, or a command.

    Raises:
        UsageError: there is no such interpreter, or it is not Python 3.
    """
    if not (version := _VERSION.fullmatch(wanted)):
        return _probe(wanted)
    number = (int(version[1]), int(version[2]))
    if found := find_interpreter_by_version(number, (f"python{wanted}", f"pypy{wanted}")):
        return found
    raise UsageError(
        f"--python {wanted}: python{wanted} found neither on PATH nor in the folders of pyenv, asdf, mise and uv; "
        "install it, or name an interpreter by its path"
    )


def find_pypy() -> str:
    """Return the path of the PyPy 3 on PATH; "" if there is none. Only a shim of a version manager is run for that."""
    path = find_program("pypy3") or ""
    if not path or not _is_script(path):
        return path
    try:
        return _probe("pypy3").path
    except UsageError:  # a shim without a selected version
        return ""


def find_interpreter_by_version(version: Version, commands: Sequence[str] = ()) -> Interpreter | None:
    """Return an interpreter of exactly this version, or None; the first of the commands is preferred."""
    for command in _candidates(version, commands or (f"python{version[0]}.{version[1]}",)):
        try:
            found = _probe(command)
        except UsageError:  # not installed, or a shim without a selected version
            continue
        if found.version == version:
            return found
    return None


def _probe(command: str) -> Interpreter:
    """Run a command to find out which interpreter it starts.

    Raises:
        UsageError: there is no such command, or it is not Python 3.
    """
    path = find_program(command)
    if path is None:
        raise UsageError(f"--python {command}: command not found on PATH; {_EXPECTED}")
    try:
        outcome = _run_probe(path, "-I")
    except SandboxError as error:
        raise UsageError(f"--python {command}: {error}; {_EXPECTED}") from error
    result, lines = outcome.result, outcome.stdout.decode(errors="replace").splitlines()
    if result.ending is Ending.EXITED and result.exit_code == 0 and lines[:1] == ["Python 3"] and len(lines) == 4:
        return Interpreter(path=lines[1], version=(3, int(lines[2])), name=lines[3])
    if lines[:1] and lines[0].startswith("Python "):
        raise UsageError(f"--python {command}: this is {lines[0]}; {_EXPECTED}")
    errors = result.stderr_tail.decode(errors="replace").strip().splitlines()
    raise UsageError(f"--python {command}: not a Python interpreter{f' ({errors[0]})' if errors else ''}; {_EXPECTED}")


def find_python2(commands: tuple[str, ...]) -> str:
    """Return the path of a Python 2.7: one of the commands, or what version managers have installed.

    Raises:
        ToolError: there is none.
    """
    if found := _search_python2(commands, search_path()):
        return found
    wanted = " or ".join(f"`{command}`" for command in commands[:2])
    raise ToolError(f"Python 2 needs {wanted}: found neither on PATH nor in the folders of pyenv, asdf, mise and uv")


@cache
def _search_python2(commands: tuple[str, ...], _path: str) -> str:
    """Return the path of a Python 2.7, or ""; searched once per value of PATH."""
    for command in _candidates((2, 7), commands):
        path = find_program(command)
        if path is None:
            continue
        lines: list[str] = []
        with suppress(SandboxError):
            lines = _run_probe(path, "-E").stdout.decode(errors="replace").splitlines()
        if lines[:1] == ["Python 2"] and len(lines) == 4:
            return lines[1]
    return ""


def _run_probe(path: str, option: str) -> Outcome:
    environment = {name: value for name, value in os.environ.items() if name.startswith(_SHIM_VARIABLES)}
    # Not in the current folder: its files may make a version manager start a program that they name.
    probe = Command(argv=(str(Path(path).absolute()), option, "-c", _PROBE), environment=environment, cwd=Path("/"))
    with Box(levels=[Level.LIMITS]) as box:  # the user's program, which may read the user's settings
        return box.run(probe, PROBE_LIMITS)


def _candidates(version: Version, commands: Sequence[str]) -> Iterator[str]:
    """Yield the commands, and after those of each implementation what version managers have installed of it.

    Shims of version managers come last: they lead to the same interpreters, are slow, and often fail.
    """
    for implementation in dict.fromkeys(map(_implementation, commands)):
        own = [command for command in commands if _implementation(command) == implementation]
        shims = [command for command in own if _is_script(command)]
        yield from (command for command in own if command not in shims)
        yield from map(str, _managed_interpreters(version, implementation))
        yield from shims


def _implementation(command: str) -> str:
    return command.rstrip(".0123456789")


def _is_script(command: str) -> bool:
    try:
        with Path(find_program(command) or "").open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def _managed_interpreters(version: Version, implementation: str) -> Iterator[Path]:
    """Yield what version managers have installed: by their variables, defaults, and shims on PATH."""
    text = f"{version[0]}.{version[1]}"
    if implementation == "pypy":
        patterns: tuple[str, ...] = (f"pypy{text}[!0-9]*", f"pypy{text}", f"pypy-{text}.*")
    else:
        patterns = (text, f"{text}.*", f"cpython-{text}.*")
    folders = []
    for variable, default, subfolder in _VERSION_MANAGERS:
        roots = [os.environ[variable]] if os.environ.get(variable) else []
        folders += [Path(root).expanduser() / subfolder for root in (*roots, default)]
    shims = [Path(folder).parent for folder in search_path().split(os.pathsep) if Path(folder).name == "shims"]
    folders += [root / subfolder for root in shims for subfolder in ("versions", "installs/python")]
    for folder in dict.fromkeys(folders):
        for pattern in patterns:
            found: list[Path] = []
            with suppress(OSError):  # the folder cannot be read
                found = sorted(folder.glob(f"{pattern}/bin/python{version[0]}"))
            yield from sorted(
                found, key=lambda path: list(map(int, re.findall(r"\d+", path.parent.parent.name))), reverse=True
            )


def create_bare_venv(folder: Path) -> str:
    """Return the judge's interpreter in a virtual environment without packages inside `folder`; created if necessary.

    Layout and keys of a virtual environment: https://docs.python.org/3/library/site.html, `pyvenv.cfg`.
    """
    base, root = base_python(), folder / "python"
    python, config = root / "bin" / "python3", root / "pyvenv.cfg"
    with _venv_lock:
        try:
            if not python.exists():
                python.parent.mkdir(parents=True)
                config.write_text(f"home = {Path(base).parent}\ninclude-system-site-packages = false\n")
                python.symlink_to(base)
                for created in (python.parent, root):
                    created.chmod(0o755)  # the sandbox may run programs as another user, whatever the umask
                config.chmod(0o644)
        except OSError:  # no space left, for instance: slower, but correct
            return base
    return str(python)


def package_fingerprint(python: Path) -> list[str]:
    """Return texts that change when packages are installed for an interpreter: its package folders and their times.

    The path must be that of the environment: its interpreter is a link to another one.
    """
    prefixes = dict.fromkeys((python.parent.parent, python.parent.parent / "local", python.resolve().parent.parent))
    folders = sorted(folder for prefix in prefixes for folder in prefix.glob("lib*/py*/*-packages"))
    folders += [prefix / "pyvenv.cfg" for prefix in prefixes if (prefix / "pyvenv.cfg").exists()]
    return [f"{folder} {folder.stat().st_mtime_ns}" for folder in folders]
