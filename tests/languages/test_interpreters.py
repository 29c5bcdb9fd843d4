"""Interpreters: `--python` finds them on PATH and in the folders of version managers, by version or command."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.base.errors import UsageError
from judge.languages.interpreters import (
    _candidates,
    find_interpreter,
    find_interpreter_by_version,
)
from judge.sandbox.installations import base_python

HERE = sys.version_info[:2]
_VARIABLES = ("PYENV_ROOT", "ASDF_DATA_DIR", "MISE_DATA_DIR", "UV_PYTHON_INSTALL_DIR")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder without version managers; PATH has the system's commands only."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    for variable in _VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def install(path: Path, script: str | None = None) -> Path:
    """Create an interpreter: a link to the judge's own, or a script in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if script is None:
        path.symlink_to(base_python())
    else:
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return path


def pretend(version: str) -> str:
    """Return a script that answers as an interpreter of some version."""
    minor = version.split(".")[1]
    return f"printf 'Python 3\\n%s\\n{minor}\\nCPython {version}\\n' \"$0\""


def test_an_interpreter_is_found_by_its_command(home: Path) -> None:
    install(home / "bin" / "python3")
    found = find_interpreter("python3")
    assert (found.path, found.version) == (base_python(), HERE)
    assert found.name == f"CPython {'.'.join(map(str, sys.version_info[:3]))}"


def test_an_interpreter_is_found_by_its_version(home: Path) -> None:
    install(home / "bin" / f"python{HERE[0]}.{HERE[1]}")
    install(home / "bin" / "python3.1", "exit 1")
    assert find_interpreter(f"{HERE[0]}.{HERE[1]}").version == HERE
    with pytest.raises(
        UsageError, match=r"^--python 3\.1: python3\.1 found neither on PATH nor in the folders of pyenv"
    ):
        find_interpreter("3.1")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-command", "command not found on PATH; expected a Python 3 interpreter, such as pypy3"),
        ("true", "not a Python interpreter; expected a Python 3"),
        ("old", "this is Python 2; expected a Python 3"),
    ],
)
def test_a_command_that_is_not_python_3_is_a_usage_error(home: Path, command: str, message: str) -> None:
    install(home / "bin" / "old", "echo Python 2")
    with pytest.raises(UsageError) as caught:
        find_interpreter(command)
    assert str(caught.value).startswith(f"--python {command}: {message}")


@pytest.mark.parametrize(
    ("variable", "folder"),
    [
        ("", ".pyenv/versions/3.77.1"),
        ("", ".asdf/installs/python/3.77.1"),
        ("", ".local/share/mise/installs/python/3.77"),
        ("", ".local/share/uv/python/cpython-3.77.1-linux-x86_64-gnu"),
        ("PYENV_ROOT", "versions/3.77.1"),
        ("ASDF_DATA_DIR", "installs/python/3.77.1"),
        ("MISE_DATA_DIR", "installs/python/3.77.1"),
        ("UV_PYTHON_INSTALL_DIR", "cpython-3.77.1+freethreaded-linux-x86_64-gnu"),
    ],
)
def test_every_version_manager_is_searched(
    home: Path, monkeypatch: pytest.MonkeyPatch, variable: str, folder: str
) -> None:
    root = home
    if variable:
        root = home / "elsewhere"
        monkeypatch.setenv(variable, str(root))
    path = install(root / folder / "bin" / "python3", pretend("3.77.1"))
    found = find_interpreter("3.77")
    assert (found.path, found.version) == (str(path), (3, 77))


def test_the_interpreters_of_a_shim_on_path_are_found(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manager = home / "manager"
    install(manager / "shims" / "python3.98", "exit 127")
    path = install(manager / "versions/3.98.2/bin/python3", pretend("3.98.2"))
    monkeypatch.setenv("PATH", f"{manager / 'shims'}:/usr/bin:/bin")
    assert find_interpreter("3.98").path == str(path)


def test_an_interpreter_of_another_version_is_not_taken(home: Path) -> None:
    install(home / "bin" / "python3.98", pretend("3.97.0"))
    assert find_interpreter_by_version((3, 98)) is None


@pytest.mark.parametrize(
    ("scripts", "commands", "order"),  # commands that are not scripts are programs
    [
        (
            "pypy3.8 pypy3 python3.8",
            "pypy3.8 pypy3 python3.8",
            "managed/pypy3.8-7 pypy3.8 pypy3 managed/3.8.10 managed/3.8.9 python3.8",
        ),
        (
            "pypy3.8 pypy3",
            "pypy3.8 pypy3 python3.8",
            "managed/pypy3.8-7 pypy3.8 pypy3 python3.8 managed/3.8.10 managed/3.8.9",
        ),
        (
            "python3.8",
            "python3.8 pypy3.8",
            "managed/3.8.10 managed/3.8.9 python3.8 pypy3.8 managed/pypy3.8-7",
        ),
        ("", "python3.8 pypy3.8", "python3.8 managed/3.8.10 managed/3.8.9 pypy3.8 managed/pypy3.8-7"),
    ],
)
def test_each_implementation_is_searched_everywhere_before_the_next_and_shims_come_last(
    home: Path, monkeypatch: pytest.MonkeyPatch, scripts: str, commands: str, order: str
) -> None:
    for name in commands.split():
        (home / name).write_bytes(b"#!/bin/sh\n" if name in scripts.split() else b"\x7fELF")
        (home / name).chmod(0o755)
    for name in ("3.8.9", "3.8.10", "3.9.1", "pypy3.8-7"):
        install(home / "versions" / name / "bin" / "python3", "exit 1")
    monkeypatch.setenv("PATH", str(home))
    monkeypatch.setenv("PYENV_ROOT", str(home))
    managed = str(home / "versions")
    tried = [
        each.replace(managed, "managed").removesuffix("/bin/python3") for each in _candidates((3, 8), commands.split())
    ]
    assert tried == order.split()


def test_folders_that_cannot_be_read_are_skipped(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "glob", refuse)  # such as root's folder in an inherited PYENV_ROOT
    monkeypatch.setenv("PYENV_ROOT", str(home))
    with pytest.raises(UsageError, match=r"python3\.1 found neither on PATH"):
        find_interpreter("3.1")


def test_the_current_folder_does_not_say_what_is_started(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(home / "bin/python3.98", f"[ -e .tool-versions ] && touch {home}/started; {pretend('3.98.0')}")
    here = install(home / "here/python3.97", pretend("3.97.0")).parent
    (here / ".tool-versions").write_text("python path:.\n")
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", f".::../here:{home / 'bin'}:/usr/bin:/bin")
    assert find_interpreter("python3.98").version == (3, 98)
    assert not (home / "started").exists()
    assert find_interpreter_by_version((3, 97)) is None
    assert find_interpreter("./python3.97").version == (3, 97), "a path is the user's own choice"
    with pytest.raises(UsageError, match="not found on PATH"):
        find_interpreter("python3.97")
