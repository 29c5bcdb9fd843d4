"""A git repository with the problem `sums`."""

import shutil
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from tests.cli.command_line import copy_repository
from tests.history.judging import MINE, git


@pytest.fixture(scope="module")
def committed(locked_sums: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with the problem `sums` and one more solution, committed and judged; to be copied."""
    root = tmp_path_factory.mktemp("committed") / "repository"
    shutil.copytree(locked_sums, root)
    (root / MINE).write_text("import sys\nfor line in sys.stdin:\n    print(sum(map(int, line.split())))\n")
    (root / ".gitignore").write_text(".judge/\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(root)
        assert run_cli(["run", "-q"]) == 0
    (root / ".judge/history.sqlite").unlink()
    return root


@pytest.fixture
def repository(committed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `committed`; the current folder."""
    monkeypatch.setattr("judge.history.changes._cost_changes", lambda _: {})  # a busy machine changes what a run costs
    return copy_repository(committed, tmp_path, monkeypatch)
