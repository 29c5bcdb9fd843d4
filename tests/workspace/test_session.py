"""The temporary folder of a judge that was killed is removed by the next one; that of a running one never."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.workspace.session import open_temporary_folder

_HOLD = """
import sys, time
from judge.workspace.session import open_temporary_folder
with open_temporary_folder() as folder:
    (folder / "programs").mkdir()
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder the one for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def other() -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Another process with a folder of an hour ago."""
    with subprocess.Popen([sys.executable, "-c", _HOLD], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        os.utime(folder, (1e9, 1e9))
        yield process, folder
        process.kill()


def test_the_folder_is_removed_at_the_end(temporary: Path) -> None:
    with open_temporary_folder() as folder:
        (folder / "x").touch()
        assert list(temporary.iterdir()) == [folder]
    assert list(temporary.iterdir()) == []


def test_the_folder_of_a_running_judge_is_kept(other: tuple[subprocess.Popen[str], Path]) -> None:
    with open_temporary_folder():
        assert (other[1] / "programs").is_dir()


def test_the_folder_of_a_killed_judge_is_removed(other: tuple[subprocess.Popen[str], Path]) -> None:
    process, folder = other
    process.kill()
    process.wait()
    assert folder.is_dir()
    with open_temporary_folder():
        assert not folder.exists()


def test_a_folder_that_was_just_created_is_kept(temporary: Path) -> None:
    (temporary / "judge-session-new").mkdir()
    with open_temporary_folder():
        assert (temporary / "judge-session-new").is_dir()


def test_links_and_other_files_are_kept(temporary: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (temporary / "judge-session-link").symlink_to(elsewhere)
    (temporary / "judge-session-file").touch()
    for path in (elsewhere, temporary / "judge-session-file"):
        os.utime(path, (1e9, 1e9))
    with open_temporary_folder():
        assert elsewhere.is_dir()
        assert (temporary / "judge-session-file").exists()
