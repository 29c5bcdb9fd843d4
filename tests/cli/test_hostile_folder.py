"""Commands in a folder full of modules and programs with the names of others: none runs outside the sandbox."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from judge.cli.commands import COMMANDS
from tests.cli.command_line import copy_repository
from tests.files import write_files
from tests.history.judging import git
from tests.hostile_folder import write_command, write_modules

_DEADLINE_S = 300  # the machine may be busy
_RUN_ALL = """\
import shlex, sys
from judge.cli.main import run_process
print(*[run_process(shlex.split(line)) for line in sys.argv[1:]])
"""
ROW = {"id": "a", "code": "import random; print(3)", "tests": [{"input": "", "output": "3\n"}]}
FILES = {
    "mine.py": "print(int(input()) + 1)\n",
    "other.py": "print(1 + int(input()))\n",
    "gen.py": "import sys\nprint(sys.argv[1])\n",
    "t/1.in": "2\n",
    "t/1.ans": "3\n",
    "rows.jsonl": json.dumps(ROW) + "\n",
}
PROGRAMS = ("bin/git", "cc", "g++", "gcc", "git", "java", "node", "pypy3", "python3", "python3.12", "true", "xclip")
# What each command does; `judge listen` and `judge watch` end with a signal.
LINES = {
    "run": "run; run mine.py --cases t; run mine.py --cases t --warm; run --changed",
    "compare": "compare; compare mine.py other.py --cases t",
    "baseline": "baseline save",
    "history": "history",
    "grade": "grade rows.jsonl --shard 1/1 -o results.jsonl",
    "merge": "merge results.jsonl -o merged.jsonl",
    "list": "list",
    "add": "add mine.py --from clipboard; add mine.py --from t/1.in",
    "hack": "hack solutions/sums/wrong_answer/no_signs.py",
    "stress": "stress mine.py other.py --gen gen.py --max-inputs 5",
    "debug": "debug mine.py 1 --cases t",
    "show": "show sums; show sums --grammar",
    "timelimit": "timelimit sums",
    "strength": "strength sums --mutants 1 --search 0",
    "scale": "scale mine.py --cases t --gen gen.py --max 2 --time 1",
    "lock": "lock",
    "export": "export sums --to kattis -o sums.zip",
    "statement": "statement sums --html sums.html",
    "new": "new more",
    "demo": "demo",
    "import": "import t --id imported",
    "check": "check mine.py --cases t; check sums",
    "bundle": "bundle mine.py --cases t",
    "submit": "submit mine.py --cases t --to uva --as 100",
    "fetch": "fetch",
    "config": "config",
    "doctor": "doctor",
    "schema": "schema problem",
    "editor": "editor vscode",
    "completion": "completion bash",
}


@pytest.fixture
def hostile(locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a repository with the problem `sums`, loose files, hostile modules and programs."""
    root = write_files(copy_repository(locked_sums, tmp_path, monkeypatch), FILES)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    for name in PROGRAMS:
        write_files(root, {name: f"#!/bin/sh\necho program-{name} >> {tmp_path}/mark\n"})
        (root / name).chmod(0o755)
    for name, value in {"BROWSER": "true", "DISPLAY": ":0", "PATH": f".::bin:{os.environ['PATH']}"}.items():
        monkeypatch.setenv(name, value)
    return write_modules(root, tmp_path / "mark")


@pytest.mark.thorough
@pytest.mark.usefixtures("hostile")
def test_no_command_runs_something_of_the_current_folder(tmp_path: Path) -> None:
    assert LINES.keys() == COMMANDS.keys() - {"listen", "watch"}
    lines = [line for each in LINES.values() for line in each.split("; ")]
    write_files(tmp_path / "bin", {"all.py": _RUN_ALL})
    command = [sys.executable, str(tmp_path / "bin/all.py"), *lines]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    statuses = dict(zip(lines, done.stdout.splitlines()[-1].split(), strict=True))
    assert started(tmp_path) == ""
    others = {line: status for line, status in statuses.items() if status != "0"}
    clipboard = LINES["add"].partition("; ")[0], LINES["submit"]
    assert others == {LINES["hack"]: "1", **dict.fromkeys(clipboard, "2")}, (
        done.stderr
    )  # a failure is found; no clipboard


@pytest.mark.parametrize(
    ("words", "is_module"), [("watch mine.py --cases t", False), ("listen --port 0", False), ("watch sums", True)]
)
@pytest.mark.usefixtures("hostile")
def test_commands_that_wait_run_nothing_of_the_current_folder(tmp_path: Path, words: str, *, is_module: bool) -> None:
    command = [sys.executable, "-P", "-m", "judge"] if is_module else write_command(tmp_path / "bin")
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, *words.split()], stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=_DEADLINE_S)
    assert started(tmp_path) == ""


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("words", ["", pytest.param("--collect-only", marks=pytest.mark.thorough)])
def test_the_plugin_of_pytest_runs_nothing_of_the_current_folder(tmp_path: Path, words: str) -> None:
    source = "import pytest\nif __name__ == '__main__':\n    raise SystemExit(pytest.console_main())\n"
    write_files(tmp_path / "bin", {"pytest-command": source})
    command = [
        sys.executable,
        str(tmp_path / "bin/pytest-command"),
        "--judge",
        "-p",
        "no:cacheprovider",
        *words.split(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (started(tmp_path), done.returncode) == ("", 0), done.stdout
    assert "sums" in done.stdout


@pytest.mark.usefixtures("hostile")
def test_the_folder_is_hostile(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", "import json"], check=True)
    assert "json" in started(tmp_path)


def started(folder: Path) -> str:
    """Return the names of the hostile modules and programs that ran outside the sandbox."""
    mark = folder / "mark"
    return mark.read_text() if mark.exists() else ""
