"""What a program may read to start: its installation, and never more of somebody's home."""

from pathlib import Path

import pytest

from judge.sandbox.paths import home_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_a_program_of_the_system_needs_nothing_more() -> None:
    for program in ("/usr/bin/env", "/usr/local/bin/python3", "/bin/sh"):  # else /usr/src was shown, with what is there
        assert home_of(program) == ()


def test_a_tool_in_a_folder_that_holds_much_else_is_shown_alone(home: Path) -> None:
    touch(home / ".local" / "share" / "keyrings" / "login")
    for tool in (touch(home / ".local" / "bin" / "pypy3"), touch(home / "bin" / "tool"), touch(home / "tool")):
        assert home_of(str(tool)) == (str(tool),)


@pytest.mark.parametrize("mark", ["lib/python3.11/os.py", "lib/pypy3.10/os.py", "release"])
def test_an_installation_in_a_home_is_shown_whole(home: Path, mark: str) -> None:
    touch(home / "opt" / "it" / mark)
    assert home_of(str(touch(home / "opt" / "it" / "bin" / "it"))) == (str(home / "opt" / "it"),)


def test_an_environment_in_a_project_does_not_show_the_project(home: Path) -> None:
    project = home / "project"
    config, python = touch(project / "pyvenv.cfg"), touch(project / "bin" / "python")
    touch(project / "cases" / "1.ans")
    assert home_of(str(python)) == (str(config), str(python.parent))


def test_a_link_leads_to_the_installation_that_it_points_to(home: Path) -> None:
    touch(home / "real" / "lib" / "python3.12" / "os.py")
    real = touch(home / "real" / "bin" / "python3.12")
    link = home / ".local" / "bin" / "python3"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    assert home_of(str(link)) == (str(link), str(home / "real"))
