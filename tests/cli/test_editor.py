"""`-f short` and `judge editor`: what editors read, parsed by their own expressions."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from judge.cli.commands.editor import EPILOG
from judge.reporters import OutputOptions
from judge.reporters.watch import WatchLog
from judge.watch.view import Batch, Status
from tests.cli.command_line import CapSys, judge
from tests.files import write_files

FILES = {
    "1.in": "1\n",
    "1.ans": "1\n",
    "2.in": "2\n",
    "2.ans": "2\n",
    "one.py": "print(1)\n",
    "crash.py": "n = int(input())\nassert n == 1\nprint(1)\n",
    "my file.c": "int main(void) {\n    return x;\n    return y;\n}\n",
    "right.py": "print(input())\n",
}
PLACES = [
    ("my file.c", "2", "12", "error"),
    ("my file.c", "3", "12", "error"),
    ("one.py", "1", "1", "error"),
    ("crash.py", "2", "1", "error"),
]
GNU = r"^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<severity>error|warning): "  # GNU coding standards, 4.4


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_files(tmp_path, FILES))
    return tmp_path


def places(pattern: str, text: str) -> list[tuple[str, ...]]:
    return [tuple(re.match(pattern, line)[number] for number in range(1, 5)) for line in text.splitlines()]  # type: ignore[index]


@pytest.mark.usefixtures("folder")
@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_every_failure_is_a_line_that_editors_read(capsys: CapSys) -> None:
    status, out, _ = judge("run", "my file.c", "one.py", "crash.py", "right.py", "-f", "short", capsys=capsys)
    tasks = json.loads(judge("editor", "vscode", capsys=capsys)[1])["tasks"]
    for pattern in (tasks[0]["problemMatcher"]["pattern"]["regexp"], GNU):
        assert sorted(places(pattern, out)) == sorted(PLACES), out
    assert (status, "case " in out, "AssertionError (line 2)" in out) == (1, True, True)
    assert judge("run", "one.py", "-f", "short", capsys=capsys)[1] == (
        f"one.py:1:1: error: case {Path.cwd().name}/2: WA: line 1, token 1: expected `2`, found `1`\n"
    )


def test_a_case_without_an_answer_is_no_error(folder: Path, capsys: CapSys) -> None:
    (folder / "1.ans").unlink()
    out = judge("run", "one.py", "-f", "short", capsys=capsys)[1]
    assert out == f"one.py:1:1: error: case {folder.name}/2: WA: line 1, token 1: expected `2`, found `1`\n"


def test_a_watch_marks_where_a_batch_begins_and_ends(capsys: CapSys) -> None:
    tasks = json.loads(judge("editor", "vscode", capsys=capsys)[1])["tasks"]
    marks = tasks[1]["problemMatcher"]["background"]
    out = io.StringIO()
    log = WatchLog(out, io.StringIO(), OutputOptions(environment={}), "a.py", "short")
    log.start_batch(Batch(edited=["a.py"]), Status())
    log.end_batch(Status())
    begin, change, end, _ = out.getvalue().splitlines()
    for line in (begin, change):
        assert re.search(marks["beginsPattern"], line)
    assert re.search(marks["endsPattern"], end)
    assert not re.search(marks["endsPattern"], begin)


@pytest.mark.thorough
@pytest.mark.usefixtures("folder")
@pytest.mark.skipif(not shutil.which("vim"), reason="needs vim with +quickfix: apt install vim")
def test_vim_jumps_to_each_place(folder: Path, capsys: CapSys) -> None:
    out = judge("run", "my file.c", "crash.py", "-f", "short", capsys=capsys)[1]
    write_files(folder, {"compiler/judge.vim": judge("editor", "vim", capsys=capsys)[1], "errors": out})
    commands = ["set rtp^=.", "compiler judge", "cgetfile errors"]
    commands += ["call writefile(map(getqflist(), 'bufname(v:val.bufnr) .. \":\" .. v:val.lnum'), 'places')", "qa!"]
    options = [word for command in commands for word in ("-c", command)]
    subprocess.run(["vim", "-u", "NONE", "-N", "-es", *options], check=True, stdin=subprocess.DEVNULL)
    assert (folder / "places").read_text().split("\n") == ["my file.c:2", "my file.c:3", "crash.py:2", ""]


@pytest.mark.thorough
@pytest.mark.usefixtures("folder")
@pytest.mark.skipif(not shutil.which("emacs"), reason="needs emacs: apt install emacs-nox")
def test_emacs_reads_the_commands(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"judge.el": judge("editor", "emacs", capsys=capsys)[1]})
    command = [
        "emacs",
        "--batch",
        "-l",
        "judge.el",
        "--eval",
        "(princ (list (commandp 'judge-run) (commandp 'judge-watch)))",
    ]
    assert subprocess.run(command, check=True, stdout=-1, text=True).stdout == "(t t)"


def test_the_commands_of_the_help_work_as_pasted(tmp_path: Path) -> None:
    commands = [line.partition("     ")[0] for line in EPILOG.splitlines() if " editor " in line]
    environment = {**os.environ, "HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command in commands:
        subprocess.run(["sh", "-e", "-c", command], cwd=tmp_path, env=environment, check=True)
    written = (tmp_path / name for name in (".vscode/tasks.json", ".vim/compiler/judge.vim", ".emacs"))
    assert all("judge" in path.read_text() for path in written)
