"""Installations: a program may read its own, and nothing else of a home folder."""

from pathlib import Path

import pytest

from judge.sandbox.installations import required_paths


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_a_system_program_needs_no_other_paths() -> None:
    for program in ("/usr/bin/env", "/usr/local/bin/python3", "/bin/sh"):  # otherwise /usr/src would be readable
        assert required_paths(program) == ()


def test_of_a_shared_folder_only_the_tool_itself_is_readable(home: Path) -> None:
    touch(home / ".local" / "share" / "keyrings" / "login")
    for tool in (touch(home / ".local" / "bin" / "pypy3"), touch(home / "bin" / "tool"), touch(home / "tool")):
        assert required_paths(str(tool)) == (str(tool),)


@pytest.mark.parametrize("file", ["lib/python3.11/os.py", "lib/pypy3.10/os.py", "release"])
def test_an_installation_in_a_home_is_readable_as_a_whole(home: Path, file: str) -> None:
    touch(home / "opt" / "it" / file)
    assert required_paths(str(touch(home / "opt" / "it" / "bin" / "it"))) == (str(home / "opt" / "it"),)


def test_a_virtual_environment_in_a_project_does_not_expose_the_project(home: Path) -> None:
    project = home / "project"
    config, python = touch(project / "pyvenv.cfg"), touch(project / "bin" / "python")
    touch(project / "cases" / "1.ans")
    assert required_paths(str(python)) == (str(config), str(python.parent))


def test_a_link_and_the_installation_that_it_points_to_are_readable(home: Path) -> None:
    touch(home / "real" / "lib" / "python3.12" / "os.py")
    real = touch(home / "real" / "bin" / "python3.12")
    link = home / ".local" / "bin" / "python3"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    assert required_paths(str(link)) == (str(link), str(home / "real"))
