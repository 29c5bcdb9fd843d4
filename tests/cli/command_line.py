"""What the tests of commands share: a command line in this process, and a repository of their own to run it in."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from judge.cli.main import run_cli
from judge.reporters.html.page import read_page

CapSys = pytest.CaptureFixture[str]
JUDGE = [sys.executable, "-m", "judge"]
PAGE = ("--html", "page.html")
FEW = ("--max-inputs", "15")


def copy_repository(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy a repository that must not be changed, and make the copy the current folder."""
    root = tmp_path / "repository"
    shutil.copytree(repository, root)
    monkeypatch.chdir(root)
    return root


def judge(*argv: str, capsys: CapSys) -> tuple[int, str, str]:
    """Run a command line in this process; return its status and what it printed."""
    capsys.readouterr()
    status = run_cli(argv)
    out, err = capsys.readouterr()
    return status, out, err


def run_judge(*argv: str, capsys: CapSys) -> tuple[int, str]:
    """Do what `judge` does; return the status, and all that was printed."""
    status, out, err = judge(*argv, capsys=capsys)
    return status, out + err


def search_text(*argv: str, capsys: CapSys) -> tuple[int, str, str]:
    """Run `judge hack` or `judge stress`, which ends with the first failure or by `--max-inputs`, not by seconds."""
    return judge(*argv, "-j", "1", "--time", "100", capsys=capsys)


def search(*argv: str, capsys: CapSys) -> tuple[int, dict[str, object]]:
    """Run `judge hack` or `judge stress`; return its status and its report."""
    status, out, err = search_text(*argv, "-f", "json", capsys=capsys)
    assert out, err
    return status, json.loads(out)


def held_by(page: str, *shown: str) -> Any:
    """Return the report for programs that a page holds; check that the page shows some texts."""
    text = Path(page).read_text(encoding="utf-8")
    assert [each for each in shown if each not in text] == []
    return read_page(Path(page)).record


def write(path: str | Path, text: str | bytes) -> Path:
    """Write a file, in a folder that is created if necessary."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def report(out: str) -> dict[str, dict[str, str]]:
    """Return the verdict, the expected one and the message of every solution of a JSON report, by its file's name."""
    return {
        Path(solution["path"]).name: solution
        for problem in json.loads(out)["problems"]
        for solution in problem["solutions"]
    }
