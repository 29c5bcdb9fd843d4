"""What commands print: whole, aligned, in the reader's own time, and each fact once; in real runs."""

import re
import shutil
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from judge.history.submissions import open_submissions

CapSys = pytest.CaptureFixture[str]


@pytest.fixture
def repository(locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one small problem, `sums`; the current folder."""
    root = tmp_path / "repository"
    shutil.copytree(locked_sums, root)
    monkeypatch.chdir(root)
    return root


def judge(*argv: str, capsys: CapSys) -> tuple[int, str, str]:
    """Run a command line in this process; return its status and what it printed."""
    capsys.readouterr()
    status = run_cli(argv)
    out, err = capsys.readouterr()
    return status, out, err


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


# ---- lists -----------------------------------------------------------------------------------------------------------


def test_list_aligns_long_ids_and_names(repository: Path, capsys: CapSys) -> None:
    long = "sums_with_an_id_that_is_longer_than_most"
    assert run_cli(["new", long]) == 0
    lines = judge("list", capsys=capsys)[1].splitlines()
    assert len({line.index("icpc") for line in lines}) == 1
    assert any(line.startswith(f"{long}  ") for line in lines)
    name = "a-case-whose-name-is-longer-than-its-neighbours-are"
    write(repository / "testcases/sums/more.yaml", f'cases:\n  - name: {name}\n    input: "1 2\\n"\n')
    lines = judge("list", "sums", capsys=capsys)[1].splitlines()
    cases = lines[lines.index("cases") + 1 : lines.index("solutions") - 1]
    assert len({re.search(r"\S  +(\d+ lines?|\w+, seed)", line).start(1) for line in cases}) == 1  # type: ignore[union-attr]


def test_one_case_is_not_called_cases(repository: Path, capsys: CapSys) -> None:
    for path in (repository / "testcases/sums").glob("*.yaml"):
        path.unlink()
    write(repository / "testcases/sums/one.yaml", 'cases:\n  - name: one\n    input: "1 2\\n"\n')
    assert "cases     1 in 1 group\n" in judge("show", "sums", capsys=capsys)[1]
    assert "sums: 1 case locked: 1 new" in judge("lock", capsys=capsys)[1]


def test_submissions_are_listed_in_local_time(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    with open_submissions(repository / ".judge") as submissions:
        submissions.begin(judge="Kattis", host="https://k", problem="hello", sha256="0" * 64, language="Python 3")
        (row,) = submissions.all()
    monkeypatch.setenv("TZ", "Etc/GMT-5")
    time.tzset()
    try:
        out = judge("history", "--submissions", capsys=capsys)[1]
    finally:
        monkeypatch.undo()
        time.tzset()
    shown, recorded = datetime.fromisoformat(out[:19]), datetime.fromisoformat(row.time)
    assert shown - recorded == timedelta(hours=5)
