"""`make judge` and `make test` create their virtual environment once, and report in one line what is missing."""

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
    """Create an interpreter that handles some arguments as the script says and passes all others to the real one."""
    path = clone / "fake-python"
    path.write_text(f'#!/bin/sh\ncase "$*" in\n{script}\nesac\nexec python3 "$@"\n')
    path.chmod(0o755)
    return path


def make(clone: Path, *args: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(["make", *args], cwd=clone, env=environment, capture_output=True, text=True, check=False)


def errors(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the errors of the script on standard error; make adds lines that name the rule."""
    return [line for line in done.stderr.splitlines() if not line.startswith(("make: ***", "make[", "creating "))]


def test_a_python_that_is_too_old_is_one_clear_line(clone: Path) -> None:
    python = fake_python(clone, "*version_info*) exit 1;;\n-V) echo Python 3.8.1; exit;;")
    done = make(clone, "judge", f"PYTHON={python}")
    assert done.returncode != 0
    assert errors(done) == [f"make: {python} is Python 3.8.1; expected Python 3.11 or newer: make PYTHON=python3.12"]


def test_a_missing_python_is_one_clear_line(clone: Path) -> None:
    done = make(clone, "judge", "PYTHON=no-such-python")
    assert errors(done) == [
        "make: no-such-python: command not found; install Python 3.11 or newer, or name one: make PYTHON=python3.12"
    ]


def test_a_missing_venv_module_is_one_clear_line(clone: Path) -> None:
    python = fake_python(clone, '*"import venv"*) exit 1;;')
    done = make(clone, "test", f"PYTHON={python}")
    assert len(errors(done)) == 1
    assert "has no venv module; install it (on Debian and Ubuntu: apt install python3-venv)" in errors(done)[0]


@pytest.mark.thorough
def test_no_network_is_one_clear_line_and_leaves_no_environment(clone: Path) -> None:
    # the real interpreter creates the environment, but pip may not use a registry
    (clone / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["no-such-backend-for-the-tests"]\nbuild-backend = "x"\n'
    )
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PYTHON": "python3"}
    environment.pop("PIP_FIND_LINKS", None)
    done = subprocess.run(
        ["sh", ".ci/make-venv", ".venv"], cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert len(errors(done)) == 1
    assert "cannot install the dependencies in pyproject.toml; is the package registry reachable?" in errors(done)[0]
    assert not (clone / ".venv").exists()


def test_the_second_time_installs_nothing_and_a_changed_list_installs_again(clone: Path) -> None:
    ready = clone / ".venv" / ".ready"
    ready.parent.mkdir()
    ready.touch()
    assert make(clone, "--question", ".venv/.ready").returncode == 0
    later = time.time() + 10
    os.utime(clone / "pyproject.toml", (later, later))
    assert make(clone, "--question", ".venv/.ready").returncode == 1


def test_make_without_a_target_lists_the_targets(clone: Path) -> None:
    done = make(clone)
    assert done.returncode == 0
    for command in ("judge", "test", "check", "bench", "clean"):
        assert any(line.startswith(command) for line in done.stdout.splitlines())


def test_clean_deletes_what_can_be_made_again_and_keeps_the_history(clone: Path) -> None:
    for name in (".venv", ".judge", ".pytest_cache", "build", "x.egg-info"):
        (clone / name).mkdir()
    for name in ("objects", "problems", "programs"):
        (clone / ".judge" / name).mkdir()
    for name in ("facts.json", "results.sqlite", "results.sqlite-wal", "history.sqlite", "submissions.sqlite"):
        (clone / ".judge" / name).write_text("")
    assert make(clone, "clean").returncode == 0
    assert {path.name for path in clone.iterdir()} == {"Makefile", "pyproject.toml", ".ci", ".judge"}
    assert {path.name for path in (clone / ".judge").iterdir()} == {"history.sqlite", "submissions.sqlite"}
