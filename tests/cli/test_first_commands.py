"""The first commands that users of other tools type in their own folders, each with the screen that it gives.

The screens are in tests/golden/first_commands/; `UPDATE_GOLDEN=1 pytest` updates them. Figures that differ from run to
run are masked.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec import Struct

from tests.files import write_files
from tests.golden_files import check_golden
from tests.parameters import with_thorough

SUM = "print(sum(map(int, open(0).read().split())))\n"
WRONG_SUM = "print(sum(map(abs, map(int, open(0).read().split()))))\n"
CRASHING_SUM = "import sys\nprint('reading', file=sys.stderr)\nprint(int(input()) + int(input()))\n"
SUM_CPP = '#include <cstdio>\nint main() { long a, b; scanf("%ld%ld", &a, &b); printf("%ld\\n", a + b); }\n'
BROKEN_CPP = "#include <cstdio>\nint main() {\n    long a, b\n    return 0;\n}\n"

TWO_CASES = {1: ("1 2\n", "3\n"), 2: ("4 -5\n", "-1\n")}


def _cases(inputs: str, answers: str) -> dict[str, str]:
    """Return the files of the two cases; `%` in a name stands for the number of the case."""
    files = {}
    for number, (text, answer) in TWO_CASES.items():
        files[inputs.replace("%", str(number))] = text
        files[answers.replace("%", str(number))] = answer
    return files


PACKAGE = {
    "problem.yaml": "problem_format_version: 2023-07-draft\nname: Sum\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/2.in": "4 -5\n",
    "data/secret/2.ans": "-1\n",
    "submissions/accepted/sum.py": SUM,
    "submissions/wrong_answer/abs.py": WRONG_SUM,
}

FOLDERS: Mapping[str, Mapping[str, str]] = {
    "oj": {"a.py": SUM, "b.cpp": SUM_CPP, **_cases("test/sample-%.in", "test/sample-%.out")},
    "oj-wrong": {"a.py": WRONG_SUM, **_cases("test/sample-%.in", "test/sample-%.out")},
    "oj-crash": {"a.py": CRASHING_SUM, **_cases("test/sample-%.in", "test/sample-%.out")},
    "cf-tool": {"a.cpp": SUM_CPP, **_cases("in%.txt", "ans%.txt")},
    "kattis": {"sum.py": SUM, **_cases("%.in", "%.ans")},
    "package": PACKAGE,
    "samples": {"main.py": SUM, **_cases("samples/%.in", "samples/%.out")},
    "tests": {"main.py": SUM, **_cases("tests/%.in", "tests/%.out")},
    "input-output": {"main.py": SUM, "input.txt": "1 2\n", "output.txt": "3\n"},
    "beside": {"a.py": SUM, "a.in": "1 2\n", "a.out": "3\n", "b.py": WRONG_SUM, "b.in": "4 -5\n", "b.out": "-1\n"},
    "contest": {
        "a.py": SUM, "b.cpp": SUM_CPP, "c.py": WRONG_SUM,
        **_cases("tests/a/%.in", "tests/a/%.out"),
        **_cases("tests/b/%.in", "tests/b/%.out"),
        **_cases("tests/c/%.in", "tests/c/%.out"),
    },
    "inputs-only": {"a.py": SUM, "test/1.in": "1 2\n"},
    "no-cases": {"a.py": SUM},
    "broken-cpp": {"b.cpp": BROKEN_CPP, **_cases("test/sample-%.in", "test/sample-%.out")},
    "empty": {},
}  # fmt: skip


class First(Struct, frozen=True):
    """A command: who types it, where, and the exit status."""

    tool: str
    folder: str
    command: str
    status: int
    stdin: str | None = None

    @property
    def name(self) -> str:
        """The name of the golden file."""
        words = re.sub(r"[^A-Za-z0-9.]+", "-", self.command.removeprefix("judge")).strip("-") or "judge"
        return f"{self.folder}-{words}{'-piped' if self.stdin is not None else ''}"


COMMANDS = (
    # oj
    First("oj", "oj", "judge run a.py", 0),
    First("oj", "oj", "judge run b.cpp", 0),
    First("oj", "oj", "judge run a.py b.cpp", 0),
    First("oj", "oj", "judge run", 0),
    First("oj", "oj", "judge test a.py", 2),
    First("oj", "oj", "judge t -c 'python3 a.py'", 2),
    First("oj", "oj-wrong", "judge run a.py", 1),
    First("oj", "oj-crash", "judge run a.py", 1),
    First("oj", "oj", "judge run a.py --cases 'test/%s.in:%s.out'", 0),
    First("oj", "oj", "judge d https://atcoder.jp/contests/abc300/tasks/abc300_a", 2),
    First("oj", "inputs-only", "judge run a.py", 0),
    # cph and cf-tool
    First("cph", "beside", "judge run a.py", 0),
    First("cph", "beside", "judge run .", 1),
    First("cph", "contest", "judge run .", 1),
    First("cph", "contest", "judge run c.py", 1),
    First("cph", "no-cases", "judge run a.py", 2),
    First("cph", "no-cases", "judge run a.py", 0, stdin="1 2\n"),
    First("cph", "broken-cpp", "judge run b.cpp", 1),
    First("cf-tool", "cf-tool", "judge run a.cpp", 0),
    First("cf-tool", "cf-tool", "judge parse 1234", 2),
    First("cf-tool", "input-output", "judge run main.py", 0),
    # Kattis: problemtools, kattis-cli
    First("kattis-cli", "kattis", "judge run sum.py", 0),
    First("kattis-cli", "kattis", "judge submit sum.py", 2),
    First("problemtools", "package", "judge run submissions/accepted/sum.py", 0),
    First("problemtools", "package", "judge verifyproblem .", 2),
    # BAPCtools, rbx
    First("BAPCtools", "package", "judge run submissions/wrong_answer/abs.py", 0),
    First("BAPCtools", "package", "judge new_problem", 2),
    First("BAPCtools", "empty", "judge new sums", 0),
    First("rbx", "empty", "judge create sums", 2),
    First("rbx", "samples", "judge run main.py", 0),
    First("rbx", "samples", "judge build", 2),
    # cargo-nextest, pytest
    First("nextest", "tests", "judge run", 0),
    First("nextest", "tests", "judge list", 0),
    First("nextest", "tests", "judge run --no-fail-fast", 2),
    First("nextest", "oj-wrong", "judge run a.py --format github", 1),
    First("pytest", "tests", "judge main.py", 0),
    First("pytest", "tests", "judge run main.py -v", 0),
    First("pytest", "tests", "judge run main.py -q", 0),
    First("pytest", "tests", "judge run main.py -x", 0),
    First("pytest", "tests", "judge run main.py -k 1", 2),
    First("pytest", "tests", "judge run --lf", 2),
    First("pytest", "tests", "judge run mian.py", 2),
    First("pytest", "empty", "judge run", 2),
    # anyone
    First("anyone", "tests", "judge", 2),
    First("anyone", "tests", "judge rnu main.py", 2),
    First("anyone", "tests", "judge run main.py --time-limt 1", 2),
    First("anyone", "tests", "judge run main.py --cases tests/1.in", 0),
    First("anyone", "tests", "judge run main.py --cases tests.zip", 0),
    First("anyone", "tests", "judge run tests/1.in", 2),
    First("anyone", "oj-wrong", "judge run a.py --case 1", 2),
    First("anyone", "tests", "judge debug main.py", 0),
    First("anyone", "oj-wrong", "judge debug a.py", 1),
    First("anyone", "tests", "judge config", 0),
    First("anyone", "tests", "judge bundle main.py", 0),
    First("anyone", "tests", "judge help verdicts", 0),
)


@pytest.fixture
def home() -> Iterator[Path]:
    """A home folder whose path always has the same length: the screen cuts long paths."""
    with tempfile.TemporaryDirectory(prefix="home-", dir="/tmp") as name:
        yield Path(name)


@pytest.mark.parametrize(
    "first",
    with_thorough(COMMANDS, [each for number, each in enumerate(COMMANDS) if number % 3]),
    ids=lambda first: first.name,
)
def test_the_first_command_gives_a_helpful_screen(first: First, home: Path) -> None:
    """The exit status is right, and the screen is the one that was looked at."""
    if any(name.endswith(".cpp") for name in FOLDERS[first.folder]) and not shutil.which("g++"):
        pytest.skip("no g++ on this machine")
    folder = home / first.folder
    folder.mkdir()
    write_files(folder, FOLDERS[first.folder])
    if first.command.endswith(".zip"):
        _zip(folder / "tests", folder / "tests.zip")
    screen, status = _type(first, folder, home)
    check_golden(f"first_commands/{first.name}", (_mask(f"$ {first.command}\n{screen}", home), ""))
    assert status == first.status


def test_forty_commands_of_seven_tools() -> None:
    """The table covers the tools that users come from."""
    assert len({first.name for first in COMMANDS}) == len(COMMANDS) >= 40
    assert {first.tool for first in COMMANDS} >= {
        "oj", "cph", "BAPCtools", "rbx", "problemtools", "nextest", "pytest",
    }  # fmt: skip


def _type(first: First, folder: Path, home: Path) -> tuple[str, int]:
    """Return what the terminal shows after a command, and its exit status."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "JUDGE_", "GITHUB_"))},
        "HOME": str(home), "TERM": "dumb", "COLUMNS": "96", "LC_ALL": "C.UTF-8",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }  # fmt: skip
    terminal, theirs = os.openpty()
    stdin = theirs if first.stdin is None else subprocess.PIPE
    with subprocess.Popen(
        first.command, shell=True, cwd=folder, env=environment, stdin=stdin, stdout=theirs, stderr=theirs,
        start_new_session=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        if process.stdin is not None:
            process.stdin.write((first.stdin or "").encode())
            process.stdin.close()
        screen = b""
        while True:
            try:
                screen += (read := os.read(terminal, 65536))
            except OSError:  # EIO: everyone has closed it
                break
            if not read:
                break
        status = process.wait(60)
    os.close(terminal)
    return screen.decode().replace("\r\n", "\n"), status


def _zip(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, path.name)


def _mask(screen: str, tmp_path: Path) -> str:
    """Replace what differs from run to run and from machine to machine, and the widths of columns that depend on it."""
    for pattern, text in (
        (re.escape(str(tmp_path)), "~"),
        (r"/tmp/[^\"\n]*…", "~…"),  # a path that was cut
        (r"(?m)^ *│ +[~^]+\n", ""),  # Pythons mark the place of an error differently
        (r"\b[0-9a-f]{32}\b", "#"),
        (r"[0-9.]+( ms\b| s(?= of limit))", r"#\1"),
        (r"(?<= in )[0-9.]+ s\b", "# ms"),
        (r"[0-9]+\.[0-9] MiB", "# MiB"),
        (r"(?<=slowest )[a-z-]+/[\w-]+", "#"),
        (r"[━─╸╺╴╶█▏▎▍▌▋▊▉]{8}", "────────"),
        (r"sandbox (full|landlock|limits)", "sandbox #"),
        (r"\nsandbox #", " · sandbox #"),  # a longer time breaks the line
        (r"note: Python 3 submissions (of packages )?run with .*\n( {6}.*\n)*", ""),  # with PyPy, or without
        (r"(?<=time limit 1.00 s, )from .*\n( {6}.*\n)*", "#\n"),  # of two fast submissions, either is the slowest
    ):
        screen = re.sub(pattern, text, screen)
    return "\n".join(re.sub(r"(?<=\S) {2,}", "  ", line).rstrip() for line in screen.split("\n"))
