"""`judge debug`: one case on the user's own terminal, by default the one that fails."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

from judge.cli.main import run_cli
from tests.files import write_files

_DEADLINE_S = 90  # the machine may be busy
# Makes standard input the controlling terminal, then executes the command that follows.
_SET_TERMINAL = """\
import os, sys, termios
from fcntl import ioctl
ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
ADD = """\
import sys
a, b = map(int, open(0).read().split())
print("adding", file=sys.stderr)
if a > 4:
    a += 1
print(a + b)
"""
OVERFLOW = """\
#include <iostream>
#include <vector>
int main() {
    int a, b;
    std::cin >> a >> b;
    std::vector<int> v(2);
    int *p = v.data();
    std::cout << a + b << std::endl;
    return p[a] > 99;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the cases t/1 and t/2 and a Python solution that is wrong on the second."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t").mkdir()
    for name, text in {"1.in": "1 2\n", "1.ans": "3\n", "2.in": "5 6\n", "2.ans": "11\n"}.items():
        (tmp_path / "t" / name).write_text(text)
    (tmp_path / "add.py").write_text(ADD)
    return tmp_path


def debug(*argv: str) -> tuple[int, str, str]:
    """Run the command with pipes; return its exit status, output and messages."""
    command = [sys.executable, "-m", "judge", "debug", *argv]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.usefixtures("folder")
def test_the_first_case_that_fails_is_debugged() -> None:
    status, out, err = debug("add.py", "--cases", "t")
    assert (status, out) == (1, "12\n")
    assert err.splitlines() == [
        "t/t/2, WA: line 1, token 1: expected `11`, found `12`; not sandboxed, no limits",
        "adding",
        "exit status 0; WA: line 1, token 1: expected `11`, found `12`",
    ]


@pytest.mark.usefixtures("folder")
def test_a_case_can_be_named() -> None:
    for words in (["1"], ["t/1"], ["--case", "1"]):
        status, out, err = debug("add.py", *words, "--cases", "t")
        assert (status, out) == (0, "3\n")
        assert err.endswith("adding\nexit status 0; the output is right\n")
    assert debug("add.py", "3", "--cases", "t")[0] == 2
    assert "the pattern matches 2 cases; name one: t/1 or t/2" in debug("add.py", "*", "--cases", "t")[2]


def test_a_solution_that_is_right_runs_on_the_first_case(folder: Path) -> None:
    (folder / "add.py").write_text("print(sum(map(int, input().split())))\n")
    status, out, err = debug("add.py", "--cases", "t")
    assert (status, out) == (0, "3\n")
    assert err.startswith("t/t/1, since no case fails; not sandboxed, no limits\n")


def test_a_case_without_time_or_memory_limit(folder: Path) -> None:
    (folder / "add.py").write_text("x = b'x' * (300 << 20)\nprint(sum(map(int, input().split())))\n")
    status, out, err = debug("add.py", "--cases", "t")
    assert (status, out) == (0, "3\n")
    assert err.startswith("t/t/1, MLE: ")


def test_a_crash_shows_the_users_file_and_the_exit_status(folder: Path) -> None:
    (folder / "add.py").write_text("import os\nos.abort()\n")
    status, _, err = debug("add.py", "--cases", "t")
    assert status == 1
    assert f'File "{folder / "add.py"}", line 2' in err  # of the fault handler, which -X dev turns on
    assert "RTE: killed by signal 6 (SIGABRT); line 1, " in err


def test_modules_are_hidden_as_in_a_run_unless_they_are_included(folder: Path) -> None:
    (folder / "util.py").write_text("answer = 11\n")
    (folder / "add.py").write_text("import util\nprint(util.answer)\n")
    status, _, err = debug("add.py", "2", "--cases", "t")
    assert (status, "No module named 'util'" in err) == (1, True)
    assert debug("add.py", "2", "--cases", "t", "--include", ".")[:2] == (0, "11\n")


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_sanitizers_name_the_line_of_the_users_file(folder: Path) -> None:
    (folder / "x.cpp").write_text(OVERFLOW)
    status, out, err = debug("x.cpp", "2", "--cases", "t")
    if re.search("cannot find .*(asan|ubsan)", err):
        pytest.skip("the compiler has no sanitizer libraries on this machine")
    assert (status, out) == (1, "11\n")
    assert "heap-buffer-overflow" in err
    assert f"{folder / 'x.cpp'}:9" in err
    assert err.splitlines()[-1] == "RTE: exit status 1; the output is right"


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_a_source_that_does_not_compile_is_at_fault_itself(folder: Path) -> None:
    (folder / "x.cpp").write_text("int main() { return nothing; }\n")
    status, _, err = debug("x.cpp", "--cases", "t")
    assert status == 1
    assert err.startswith("judge: x.cpp does not compile: line 1: error: ")
    assert "does not compile for debugging: line 1: error: " in debug("x.cpp", "1", "--cases", "t")[2]


def test_a_file_is_debugged_on_the_cases_beside_it_and_may_have_no_answer(folder: Path) -> None:
    (folder / "t").rename(folder / "tests")
    status, out, err = debug("add.py")
    assert (status, out) == (1, "12\n")
    assert "2 cases in tests/" in err
    (folder / "tests/2.ans").unlink()
    status, out, err = debug("add.py", "2")
    assert (status, out) == (0, "12\n")
    assert err.endswith("exit status 0; no answer to compare the output with\n")


@pytest.mark.usefixtures("folder")
def test_a_debugger_needs_a_terminal() -> None:
    assert "judge: --pdb needs a terminal" in debug("add.py", "--pdb", "--cases", "t")[2]


def test_a_problem_of_a_repository_is_found_as_by_judge_run(
    locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    root = shutil.copytree(locked_sums, tmp_path / "repository")
    monkeypatch.chdir(root)
    (path,) = root.glob("solutions/sums/wrong_answer/*.py")
    assert run_cli(["debug", str(path.relative_to(root))]) == 1
    assert "sums/" in capfd.readouterr().err


# ---- on a terminal ---------------------------------------------------------------------------------------------------


class DebugProcess:
    """A debugger on a terminal of its own; ended at the end of the `with` block."""

    def __init__(self, *argv: str) -> None:
        self.main, side = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SET_TERMINAL, sys.executable, "-m", "judge", "debug", *argv],
            stdin=side,
            stdout=side,
            stderr=side,
            start_new_session=True,
            env={**os.environ, "TERM": "dumb"},
        )
        os.close(side)
        self.output = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.main)

    def expect(self, text: str) -> str:
        """Read until a text appears; return what came up to it."""
        deadline = time.monotonic() + _DEADLINE_S
        while text not in self.output:
            assert time.monotonic() < deadline, self.output
            if select.select([self.main], [], [], 1)[0]:
                try:
                    self.output += os.read(self.main, 4096).decode(errors="replace").replace("\r", "")
                except OSError:
                    break
        found, separator, self.output = self.output.partition(text)
        assert separator, found
        return found

    def send(self, line: str) -> None:
        """Type a line."""
        os.write(self.main, f"{line}\n".encode())

    def end(self) -> int:
        """Return the exit status, and keep the rest of the output."""
        deadline = time.monotonic() + _DEADLINE_S
        while True:
            assert time.monotonic() < deadline, self.output
            if select.select([self.main], [], [], 1)[0]:
                try:
                    self.output += os.read(self.main, 4096).decode(errors="replace").replace("\r", "")
                except OSError:  # the end
                    return self.process.wait(_DEADLINE_S)


def test_in_pdb_the_terminal_is_the_debuggers_while_the_program_reads_the_case(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(folder, {".pdbrc": "print('of the folder')\n", "home/.pdbrc": "print('of the user')\n"})
    monkeypatch.setenv("HOME", str(folder / "home"))
    with DebugProcess("add.py", "--pdb", "--cases", "t") as process:
        found = process.expect("(Pdb) ")
        assert "answer: 11" in found
        assert ("of the user" in found, "of the folder" in found) == (True, False)
        process.send("break 4")
        process.expect("(Pdb) ")
        process.send("continue")
        assert "add.py(4)" in process.expect("(Pdb) ")
        process.send("print(a * 100 + b)")
        assert "506" in process.expect("(Pdb) ")
        process.send("continue")
        assert process.end() == 0
        assert "12\n" in process.output
        assert "the program has ended" in process.output


def test_pdb_stops_where_an_exception_was_raised(folder: Path) -> None:
    (folder / "add.py").write_text("def half(number):\n    return 1 / number\n\nhalf(int(input()[1:]) - 6)\n")
    (folder / "t/2.in").write_text("06\n")
    with DebugProcess("add.py", "2", "--pdb", "--cases", "t") as process:
        process.expect("(Pdb) ")
        process.send("continue")
        found = process.expect("(Pdb) ")
        assert "ZeroDivisionError" in found
        assert "pdb_driver" not in found
        process.send("print(number + 40)")
        assert "40" in process.expect("(Pdb) ")
        process.send("q")
        assert process.end() == 0


def test_ctrl_c_stops_the_program_and_not_the_judge(folder: Path) -> None:
    (folder / "add.py").write_text("print('ready', flush=True)\nwhile True:\n    pass\n")
    with DebugProcess("add.py", "1", "--cases", "t") as process:
        process.expect("ready")
        os.write(process.main, b"\x03")
        assert process.end() == 130
        assert "KeyboardInterrupt" in process.output
        assert "RTE: killed by signal 2 (SIGINT); line 1, " in process.output


def test_closing_the_terminal_ends_the_program_and_the_judge(folder: Path) -> None:
    (folder / "add.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(600)\n")
    with DebugProcess("add.py", "1", "--cases", "t") as process:
        process.expect("ready")
        os.close(process.main)
        process.main = os.open(os.devnull, os.O_RDONLY)
        assert process.process.wait(timeout=60) == 129


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("g++") or not shutil.which("gdb"), reason="no g++ or no gdb on this machine")
def test_gdb_runs_the_program_on_the_case(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"x.cpp": OVERFLOW, ".gdbinit": "echo of the folder\n", "home/.gdbinit": "set auto-load safe-path /\n"}
    write_files(folder, files)
    monkeypatch.setenv("HOME", str(folder / "home"))
    with DebugProcess("x.cpp", "2", "--gdb", "--cases", "t") as process:
        found = process.expect("(gdb) ")
        assert "of the folder" not in found
        if "ptrace: Operation not permitted" in found:
            pytest.skip("this machine forbids ptrace, which gdb needs")
        assert "x.cpp:" in found
        process.send("break 8")
        process.expect("(gdb) ")
        process.send("continue")
        process.expect("(gdb) ")
        process.send("print a * 100 + b")
        assert "506" in process.expect("(gdb) ")
        process.send("set confirm off")
        process.send("quit")
        assert process.end() == 0


def test_a_folder_is_not_debugged(folder: Path) -> None:
    assert debug("t")[2] == f"judge: {folder / 't'} is a folder; expected one source file\n"


@pytest.mark.usefixtures("folder")
def test_a_debugger_of_another_language_is_refused() -> None:
    with DebugProcess("add.py", "2", "--gdb", "--cases", "t") as process:
        assert process.end() == 2
        assert "--gdb does not debug Python 3; expected --pdb" in process.output
