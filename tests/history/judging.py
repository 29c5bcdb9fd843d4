"""What the tests of comparisons and of the history share: a git repository with a problem, and commands in it."""

import json
import subprocess
from pathlib import Path
from typing import Any

from judge.cli.main import run_cli
from tests.cli.command_line import CapSys

MINE = "solutions/sums/accepted/mine.py"


def git(root: Path, *words: str) -> str:
    """Run git as a test user."""
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    return subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True, text=True).stdout


def compare(capsys: CapSys, *argv: str) -> tuple[int, dict[str, Any]]:
    """Compare; return the exit status, and the changes by the solution's file name."""
    capsys.readouterr()
    status = run_cli(["compare", "-f", "json", *argv])
    out, _ = capsys.readouterr()
    found = json.loads(out)
    assert found["regression"] == (status == 1)
    return status, {Path(each["path"]).name: each for each in found["changes"]}
