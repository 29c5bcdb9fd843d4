"""`judge stress` and `judge hack` after Ctrl-C while they shrink, and on a full disk: nothing found is lost."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from judge.cli.commands.session import print_lines
from judge.reporters.html.page import read_page
from judge.reporters.lines import DisplayOptions, Line
from judge.runner.executors import Interrupted
from tests.cli.command_line import CapSys, judge, write

JUDGE = (sys.executable, "-m", "judge")
GENERATOR = """\
import random, sys
random.seed(int(sys.argv[-1]))
print(400)
print(*(random.randint(-9, 9) for _ in range(400)))
"""
READ = "n = int(input())\na = list(map(int, input().split()))\n"
RIGHT = READ + "print(max(a))\n"
SLOWLY_WRONG = """\
import time
time.sleep(0.2)
n = int(input())
a = list(map(int, input().split()))
print(max(a) + (sum(each < 0 for each in a) > 3))
"""
WRONG = READ + "print(max(a) + (n > 2))\n"
VALIDATOR = """\
import sys
lines = sys.stdin.read().split("\\n")
n, a = int(lines[0]), list(map(int, lines[1].split()))
sys.exit(42 if 1 <= n == len(a) <= 400 else 1)
"""
CASE = f"400\n{' '.join(str(each % 19 - 9) for each in range(400))}\n"
PACKAGE = {
    "problem.yaml": "name: The largest\nproblem_format_version: legacy\n",
    ".timelimit": "4\n",
    "data/secret/1.in": CASE,
    "data/secret/1.ans": "9\n",
    "input_validators/validate.py": VALIDATOR,
    "submissions/accepted/right.py": RIGHT,
    "submissions/wrong_answer/slow.py": SLOWLY_WRONG,
}
STRESS = ("stress", "slow.py", "right.py", "--gen", "gen.py")
HACK = ("hack", "p/submissions/wrong_answer/slow.py", "--problem", "p")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    programs = {"gen.py": GENERATOR, "right.py": RIGHT, "slow.py": SLOWLY_WRONG, "wrong.py": WRONG}
    for name, text in {**programs, **{f"p/{name}": text for name, text in PACKAGE.items()}}.items():
        write(name, text)
    return tmp_path


def interrupt(phase: str, *args: str) -> tuple[int, str, str]:
    """Run the judge, and press Ctrl-C a moment after a phase has begun; return status, output and messages."""
    master, slave = pty.openpty()
    with subprocess.Popen([*JUDGE, *args], stdout=-1, stderr=slave, stdin=slave, start_new_session=True) as process:
        os.close(slave)
        text = b""
        while not re.search(phase.encode(), text):
            text += os.read(master, 1 << 16)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        while process.poll() is None:
            if select.select([master], [], [], 0.1)[0]:
                text += _read(master)
        assert process.stdout is not None
        out = process.stdout.read().decode()
        text += _read(master)
    os.close(master)
    return process.returncode, out, text.decode()


def _read(file: int) -> bytes:
    try:
        return os.read(file, 1 << 16)
    except OSError:  # the other side is closed
        return b""


@pytest.mark.parametrize("args", [pytest.param(STRESS, marks=pytest.mark.thorough), HACK])
def test_ctrl_c_while_it_shrinks_shows_and_keeps_the_smallest_input_so_far(args: tuple[str, ...]) -> None:
    status, out, err = interrupt("shrinking", *args, "--keep", "--time", "100")
    assert status == 1
    assert "WA" in out
    assert "interrupted" in out
    assert "expected" in out
    assert "input    2 lines" in out
    assert "Traceback" not in out + err
    assert "cannot be run" not in out + err
    kept = Path("tests/slow" if args == STRESS else "stress")
    assert sorted(path.name for path in kept.iterdir()) == ["1.ans", "1.in"]
    count, values = (kept / "1.in").read_text().splitlines()
    assert int(count) == len(values.split())
    assert sum(int(each) < 0 for each in values.split()) > 3


def test_ctrl_c_before_anything_is_found(folder: Path) -> None:
    status, out, err = interrupt(
        "searching .* [1-9]+ inputs", "stress", "right.py", "right.py", "--gen", "gen.py", "--keep", "--time", "100"
    )
    assert status == 130
    assert "no counterexample found; interrupted" in out
    assert "cannot be run" not in out
    assert "Traceback" not in out + err
    assert not (folder / "tests").exists()


@pytest.mark.parametrize("args", [STRESS, HACK])
def test_ctrl_c_before_the_search_begins_and_during_the_report_writes_the_page(
    args: tuple[str, ...], capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise Interrupted

    def print_and_interrupt(make_lines: Callable[[DisplayOptions], Iterable[Line]]) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        print_lines(make_lines)

    monkeypatch.setattr("judge.hack.hack_programs.build_all", interrupt)
    monkeypatch.setattr("judge.cli.commands.counterexample.print_lines", print_and_interrupt)
    status, out, _ = judge(*args, "--html", "page.html", capsys=capsys)
    page = read_page(Path("page.html"))
    assert (status, page.record["inputs"], page.text) == (130, 0, out)
    assert "nothing was tried; interrupted; 0 inputs in" in out


@pytest.fixture
def full(folder: Path, command: str) -> Iterator[Path]:
    """Yield the folder for what a command keeps, on a disk with room for one small file more."""
    disk = folder / ("tests/wrong" if command == "stress" else "stress")
    disk.mkdir(parents=True)
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=False, capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted: {mounted.stderr}")
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        (disk / "filler").write_bytes(bytes((1 << 16) - page))
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["stress", "hack"])
def test_a_full_disk_loses_nothing_and_leaves_no_half(command: str, full: Path, capsys: CapSys) -> None:
    write("p/submissions/wrong_answer/wrong.py", WRONG)
    args = {
        "stress": ("stress", "wrong.py", "right.py", "--gen", "gen.py"),
        "hack": ("hack", "p/submissions/wrong_answer/wrong.py", "--problem", "p"),
    }[command]
    status, out, err = judge(*args, "--time", "100", "--keep", capsys=capsys)
    assert status == 2
    assert "WA on an input of 4 tokens" in out
    assert "an input cannot be kept: No space left on device; it is:\n3\n" in err
    assert "Traceback" not in out + err
    assert [path.name for path in full.iterdir()] == ["filler"]
