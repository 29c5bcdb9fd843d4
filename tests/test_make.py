"""The README's two commands: they prepare themselves once, and say in one line what is missing."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what `make` needs, and no virtual environment."""
    for part in ("Makefile", "pyproject.toml", ".ci"):
        source = ROOT / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / part)
    return tmp_path


def fake_python(clone: Path, script: str) -> Path:
    """Put an interpreter that behaves as the script says; everything else it leaves to the real one."""
    path = clone / "fake-python"
    path.write_text(f'#!/bin/sh\ncase "$*" in\n{script}\nesac\nexec python3 "$@"\n')
    path.chmod(0o755)
    return path


def make(clone: Path, *args: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(["make", *args], cwd=clone, env=environment, capture_output=True, text=True, check=False)


def complaints(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return our own lines on standard error; make adds one that names the rule."""
    return [line for line in done.stderr.splitlines() if not line.startswith(("make: ***", "make[", "making "))]


def test_too_old_a_python_is_one_clear_line(clone: Path) -> None:
    python = fake_python(clone, "*version_info*) exit 1;;\n-V) echo Python 3.8.1; exit;;")
    done = make(clone, "judge", f"PYTHON={python}")
    assert done.returncode != 0
    assert complaints(done) == [
        f"make: {python} is Python 3.8.1; Python 3.11 or newer is needed: make PYTHON=python3.12"
    ]


def test_no_python_at_all_is_one_clear_line(clone: Path) -> None:
    done = make(clone, "judge", "PYTHON=no-such-python")
    assert complaints(done) == [
        "make: no-such-python is not there; install Python 3.11 or newer, or name one: make PYTHON=python3.12"
    ]


def test_no_venv_module_is_one_clear_line(clone: Path) -> None:
    python = fake_python(clone, '*"import venv"*) exit 1;;')
    done = make(clone, "test", f"PYTHON={python}")
    assert len(complaints(done)) == 1
    assert "has no venv module; install it (on Debian and Ubuntu: apt install python3-venv)" in complaints(done)[0]


def test_no_network_is_one_clear_line_and_nothing_half_made_stays(clone: Path) -> None:
    # the environment is made by the real interpreter; its pip is told that there is no registry
    (clone / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["no-such-backend-for-the-tests"]\nbuild-backend = "x"\n'
    )
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PYTHON": "python3"}
    environment.pop("PIP_FIND_LINKS", None)
    done = subprocess.run(
        ["sh", ".ci/make-venv", ".venv"], cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert len(complaints(done)) == 1
    assert "cannot install what pyproject.toml lists; is the package registry reachable?" in complaints(done)[0]
    assert not (clone / ".venv").exists()


def test_a_second_time_installs_nothing_and_a_changed_list_installs_again(clone: Path) -> None:
    ready = clone / ".venv" / ".ready"
    ready.parent.mkdir()
    ready.touch()
    assert make(clone, "--question", ".venv/.ready").returncode == 0
    later = time.time() + 10
    os.utime(clone / "pyproject.toml", (later, later))
    assert make(clone, "--question", ".venv/.ready").returncode == 1


def test_make_alone_lists_what_there_is(clone: Path) -> None:
    done = make(clone)
    assert done.returncode == 0
    for command in ("judge", "test", "check", "bench", "clean"):
        assert any(line.startswith(command) for line in done.stdout.splitlines())


def test_clean_removes_what_the_other_commands_made(clone: Path) -> None:
    for name in (".venv", ".judge", ".pytest_cache", "build", "x.egg-info"):
        (clone / name).mkdir()
    for name in ("objects", "programs"):
        (clone / ".judge" / name).mkdir()
    for name in ("facts.json", "results.sqlite", "results.sqlite-wal", "history.sqlite", "submissions.sqlite"):
        (clone / ".judge" / name).write_text("")
    assert make(clone, "clean").returncode == 0
    assert {path.name for path in clone.iterdir()} == {"Makefile", "pyproject.toml", ".ci", ".judge"}
    assert {path.name for path in (clone / ".judge").iterdir()} == {"history.sqlite", "submissions.sqlite"}
