"""What a solution lacks here, and what to do: that `--include` helps, and that advice is not repeated."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.units import MIB, Bytes, Seconds
from judge.cli.main import run_cli
from judge.languages.source import single_file
from judge.languages.table import find_language
from judge.model import (
    DEFAULT_LIMITS,
    EXPECTATIONS,
    Case,
    CaseResult,
    CheckerConfig,
    Ending,
    Inline,
    RunResult,
    Solution,
    Verdict,
)
from judge.runner.hints import describe_missing, find_hint

CapSys = pytest.CaptureFixture[str]
MODULE = "exit status 1: ModuleNotFoundError: No module named 'util'"
HEADER = "line 1: fatal error: geo/my.h: No such file or directory"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one case and solutions in `day`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path.parent))
    for name, text in {
        "t/a.in": "",
        "t/a.ans": "42\n",
        "day/x.py": "import util\nprint(util.answer)\n",
        "day/x.cpp": '#include "geo/my.h"\n#include <cstdio>\nint main() { std::puts(ANSWER); }\n',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def describe(reason: str, path: str, tools: dict[str, str] | None = None) -> str:
    solution = Solution(path=Path(path).absolute(), display_path=path, expectation=EXPECTATIONS["accepted"])
    return describe_missing(reason, solution, tools or {}, Path.cwd())


def test_a_module_beside_the_solution_is_merged_or_included(folder: Path) -> None:
    (folder / "day/util.py").touch()
    expected = "day/util.py exists: merge it with `judge bundle day/x.py`, or add `--include day`"
    assert describe(MODULE, "day/x.py") == expected
    assert describe(MODULE.replace("'util'", "'util.more'"), "day/x.py") == expected


def test_a_module_or_header_above_the_solution_is_included(folder: Path) -> None:
    (folder / "util").mkdir()
    (folder / "util/__init__.py").touch()
    assert describe(MODULE, "day/x.py") == "util/__init__.py exists: add `--include .`"
    (folder / "geo").mkdir()
    (folder / "geo/my.h").touch()
    assert describe(HEADER, "day/x.cpp") == "geo/my.h exists: add `--include .`"
    clang = HEADER.replace("geo/my.h: No such file or directory", "'geo/my.h' file not found")
    assert describe(clang, "day/x.cpp") == "geo/my.h exists: add `--include .`"


def test_a_folder_of_modules_needs_no_init(folder: Path) -> None:
    (folder / "util").mkdir()
    assert "exists" not in describe(MODULE, "day/x.py")
    (folder / "util/more.py").touch()
    assert describe(MODULE, "day/x.py") == "util exists: add `--include .`"


@pytest.mark.usefixtures("folder")
def test_a_module_that_is_nowhere_is_not_of_the_standard_library() -> None:
    assert describe(MODULE, "day/x.py").startswith("solutions have the standard library only, as on most online judges")
    assert describe(MODULE, "day/x.py", {"python": "/opt/pypy3"}) == "/opt/pypy3 does not have it"
    assert describe(HEADER, "day/x.cpp") == ""
    assert describe("exit status 1: ValueError: x", "day/x.py") == ""


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("day/A.java", "line 1: error: cannot find symbol: variable util"),
        ("day/A.java", "line 9: error: cannot find symbol: class util"),
        ("day/a.js", "exit status 1: Error: Cannot find module './util' (line 1)"),
        ("day/a.rs", "line 1: file not found for module `util`"),
        ("day/a.rb", "exit status 1: LoadError: cannot load such file -- /tmp/judge-session/programs/e7/util (line 1)"),
        ("day/a.php", "exit status 255: Error: Failed opening required 'util.php' (include_path='.:/x') (line 1)"),
        ("day/a.lua", "exit status 1: module 'util' not found: (line 1)"),
        ("day/a.pas", "line 1: Fatal: Can't find unit util used by Program"),
        ("day/a.hs", "line 1: error: Could not find module `util'"),
    ],
)
def test_a_file_in_another_language_beside_the_solution_is_named(folder: Path, path: str, reason: str) -> None:
    assert describe(reason, path) == ""
    beside = (folder / path).with_stem("util")
    beside.touch()
    is_java = path.endswith(".java")
    remedy = ": add `--include day`" if is_java else ", but a solution is one file: copy it there"
    assert describe(reason, path) == f"{beside.relative_to(folder)} exists{remedy}"


def test_folders_above_the_home_folder_are_not_searched(folder: Path) -> None:
    (folder.parent / "util.py").touch()
    try:
        assert "standard library only" in describe(MODULE, "day/x.py")
    finally:
        (folder.parent / "util.py").unlink()


@pytest.mark.parametrize(
    "reason",
    [
        *(
            f"line 1: fatal error: {name}: No such file or directory"
            for name in ("/etc/hostname", "/x.h", "../../t.h", "./t", "t/a.in", "", ".", f"{MODULE * 9}.h")
        ),
        "line 1: error: #error fatal error: t.h: No such file or directory",
        "exit status 1: fatal error: t.h: No such file or directory",
        *(
            f"exit status 1: ModuleNotFoundError: No module named '{name}'"
            for name in (".x", "", "..", "/etc", "../util", "a/b", "$(id)", "x" * 5000, "*", "x\0", "\udcff", "t")
        ),
    ],
)  # fmt: skip
def test_a_message_that_a_program_makes_up_leads_to_no_advice(folder: Path, reason: str) -> None:
    for name in ("t.h", "day/t.h", "day/t/a.in", "util.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    assert "exists" not in describe(reason, "day/x.py")


@pytest.mark.parametrize("cwd", [".", "day", "home/day", "home"])
def test_the_advice_names_a_folder_of_the_repository_quoted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, cwd: str
) -> None:
    monkeypatch.setenv("HOME", str(folder.parent if cwd == "." else folder / "home"))
    place = folder / cwd / "a b; id"
    place.mkdir(parents=True)
    monkeypatch.chdir(folder / cwd)
    for above in (folder, folder / "home", folder.parent):
        above.mkdir(exist_ok=True)
        (above / "util.py").touch()
    solution = Solution(path=place / "x.py", display_path="x.py", expectation=EXPECTATIONS["accepted"])
    advice = describe_missing(MODULE, solution, {}, Path.cwd())
    (folder.parent / "util.py").unlink()
    assert ("--include" in advice) == (cwd == ".")  # else, it exists only in the home folder or above the repository
    (place / "util.py").touch()
    shown = shlex.quote(str(place.relative_to(Path.cwd())))
    assert f"add `--include {shown}`" in describe_missing(MODULE, solution, {}, Path.cwd())


def judged(capsys: CapSys, *argv: str) -> dict[str, str]:
    capsys.readouterr()
    run_cli(["run", "-f", "json", "--cases", "t", *argv])
    out, _ = capsys.readouterr()
    case: dict[str, str] = json.loads(out)["problems"][0]["solutions"][0]["cases"][0]
    return case


def test_the_message_says_what_to_do_and_it_works(folder: Path, capsys: CapSys) -> None:
    case = judged(capsys, "-s", "day/x.py")
    assert (case["verdict"], "standard library only" in case["reason"]) == ("RTE", True)
    (folder / "util.py").write_text("answer = 42\n")
    assert judged(capsys, "-s", "day/x.py")["reason"].endswith("; util.py exists: add `--include .`")  # not cached
    assert judged(capsys, "-s", "day/x.py", "--include", ".")["verdict"] == "AC"
    (folder / "util.py").write_text("answer = 43\n")
    assert judged(capsys, "-s", "day/x.py", "--include", ".")["verdict"] == "WA"


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_a_header_works_likewise(folder: Path, capsys: CapSys) -> None:
    (folder / "geo").mkdir()
    (folder / "geo/my.h").write_text('#define ANSWER "42"\n')
    assert judged(capsys, "-s", "day/x.cpp")["reason"].endswith("; geo/my.h exists: add `--include .`")
    assert judged(capsys, "-s", "day/x.cpp", "--include", ".")["verdict"] == "AC"
    (folder / "geo/my.h").write_text('#define ANSWER "43"\n')
    assert judged(capsys, "-s", "day/x.cpp", "--include", ".")["verdict"] == "WA"


@pytest.mark.usefixtures("folder")
def test_an_included_folder_must_exist(capsys: CapSys) -> None:
    assert run_cli(["run", "-s", "day/x.py", "--cases", "t", "--include", "nothing"]) == 2
    assert capsys.readouterr().err.startswith("judge: --include nothing: no such folder\n")


@pytest.mark.usefixtures("folder")
def test_a_rerun_includes_the_same_folders(capsys: CapSys) -> None:
    run_cli(["run", "-f", "plain", "-s", "day/x.py", "--cases", "t", "--include", "day"])
    assert "--include " in capsys.readouterr().out.partition("rerun")[2]


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_a_header_above_the_folder_of_a_source_is_found_from_its_place(folder: Path, capsys: CapSys) -> None:
    (folder / "day/x.cpp").write_text('#include "../lib/a.h"\nint main() { std::puts(ANSWER); }\n')
    (folder / "lib").mkdir()
    (folder / "lib/a.h").write_text('#include "../b.h"\n')
    (folder / "b.h").write_text('#include <cstdio>\n#define ANSWER "42"\n')
    hint = "lib/a.h exists: add `--include .`"
    assert describe(HEADER.replace("geo/my.h", "../lib/a.h"), "day/x.cpp") == hint
    assert run_cli(["run", "day/x.cpp", "--cases", "t", "--include", "."]) == 0
    assert run_cli(["run", "day/x.cpp", "--cases", "t", "--include", "day"]) == 1
    assert hint in capsys.readouterr().out


def test_advice_that_was_followed_is_not_repeated(folder: Path) -> None:
    (folder / "day/util.py").touch()
    (folder / "day/geo").mkdir()
    (folder / "day/geo/my.h").touch()
    solution = Solution(path=folder / "day/x.cpp", display_path="day/x.cpp", expectation=EXPECTATIONS["accepted"])
    for reason in (MODULE, HEADER):
        assert describe_missing(reason, solution, {}, folder, [folder]) != ""
        assert describe_missing(reason, solution, {}, folder, [folder / "day"]) == ""


PROCESSES = "a solution may start threads, but no processes"
NETWORK = "a solution has no network"
FILE = "it opens `sum.in`, which is not there: the input is standard input; use `--input-file sum.in`"
FILES = f"{FILE[:-1]} --output-file sum.out`"
OUTPUT = "it writes `sum.out`, but the output is standard output; use `--output-file sum.out`"
IN_THREAD = b'Exception in thread "Thread-0" java.lang.RuntimeException: x\n\tat A.run(A.java:3)\n'
PYTHON_THREAD = b"""Exception in thread Thread-1 (f):
Traceback (most recent call last):
  File "threading.py", line 1045, in run
  File "/home/me/a.py", line 2, in f
ValueError: x
"""
EMPTY = "line 1, token 1: expected `7`, found nothing"
MPOOL = b'  File "/usr/lib/python3.11/multiprocessing/synchronize.py", line 57, in __init__'


@pytest.mark.parametrize(
    ("name", "text", "verdict", "reason", "stderr", "hint"),
    [
        ("a.py", "", "RTE", "exit status 1: FileNotFoundError: [Errno 2] (line 3)", MPOOL, PROCESSES),
        ("A.java", "", "RTE", "x", b'java.io.IOException: Cannot run program "echo": error=1', PROCESSES),
        ("a.py", "", "RTE", "x: FileNotFoundError: [Errno 2] No such file or directory: 'sum.in' (line 1)", b"", FILE),
        ("A.java", "", "RTE", "x: java.io.FileNotFoundException: sum.in (No such file or directory)", b"", FILE),
        ("a.js", "", "RTE", "x: Error: ENOENT: no such file or directory, open 'sum.in' (line 1)", b"", FILE),
        ("a.rb", "", "RTE", "Errno::ENOENT: No such file or directory @ rb_sysopen - sum.in (line 1)", b"", FILE),
        ("a.go", "", "RTE", "exit status 2: panic: open sum.in: no such file or directory", b"", FILE),
        ("a.cpp", 'freopen("sum.in", "r", stdin);', "WA", EMPTY, b"", FILE),
        ("a.cpp", 'std::ifstream in("sum.in");', "WA", EMPTY, b"", FILE),
        ("a.cpp", 'FILE *f = fopen( "sum.in" , "r");', "WA", EMPTY, b"", FILE),
        ("a.cpp", 'ifstream in("sum.in"); ofstream out("sum.out");', "WA", EMPTY, b"", FILES),
        ("a.cpp", 'freopen("sum.in", "r", stdin); freopen("sum.out", "w", stdout);', "WA", EMPTY, b"", FILES),
        ("a.pas", "assign(input, 'sum.in'); assign(output, 'sum.out');", "WA", EMPTY, b"", FILES),
        ("a.cpp", 'freopen("sum.out", "w", stdout);', "WA", EMPTY, b"", OUTPUT),
        ("A.java", 'new PrintWriter("sum.out")', "WA", EMPTY, b"", OUTPUT),
        ("a.py", "open('sum.out', 'w')", "RTE", "x: OSError: [Errno 30] Read-only file system: 'sum.out'", b"", OUTPUT),
        ("a.js", "writeFileSync('sum.out', x)", "RTE", "x: Error: EROFS: read-only file system, open", b"", OUTPUT),
        ("a.py", "", "RTE", "x", b"socket.gaierror: [Errno -3] Temporary failure in name resolution", NETWORK),
        ("A.java", "", "RTE", "x", b"java.net.UnknownHostException: example.com", NETWORK),
        ("A.java", "", "WA", EMPTY, IN_THREAD, "a thread ended with java.lang.RuntimeException: x (line 3)"),
        ("a.py", "", "WA", EMPTY, PYTHON_THREAD, "a thread ended with ValueError: x (line 2)"),
        ("a.c", "", "RTE", "exit status 3", b"", "`main` has to return 0"),
        ("a.c", "", "RTE", "exit status 3", b"error", ""),
        ("a.c", "", "RTE", "killed by signal 11 (SIGSEGV)", b"", "`judge debug` names the line"),
        ("a.cpp", "int main() {}", "WA", EMPTY, b"", ""),
        ("a.js", "", "MLE", "x", b"", "an empty program in JavaScript takes about 39.0 MiB"),
        ("a.c", "", "MLE", "x", b"", ""),
        ("a.py", "", "RTE", "x: ValueError", b"", ""),
    ],
)
def test_what_the_surroundings_lack_is_named(  # noqa: PLR0917 - the columns of the table
    name: str, text: str, verdict: str, reason: str, stderr: bytes, hint: str
) -> None:
    run = RunResult(
        ending=Ending.EXITED,
        exit_code=3 if reason == "exit status 3" else None,
        cpu=Seconds(0),
        wall=Seconds(0),
        memory=Bytes(0),
        output_bytes=Bytes(0),
        stderr_tail=stderr,
    )
    limits = replace(DEFAULT_LIMITS, memory=Bytes(32 * MIB))
    case = Case(group="g", name="n", input=Inline(b""), limits=limits, checker=CheckerConfig(), origin=Path(name))
    result = CaseResult(case=case, verdict=Verdict(verdict), reason=reason, run=run)
    source = single_file(Path("/") / name, text.encode(), find_language(Path(name)))
    assert find_hint(result, source) == hint


def test_advice_on_files_that_was_followed_names_what_is_left(folder: Path, capsys: CapSys) -> None:
    (folder / "a.py").write_text("open('a.in').read(); print(42, file=open('a.out', 'w'))\n")
    assert judged(capsys, "a.py")["reason"].endswith("; use `--input-file a.in --output-file a.out`")
    assert judged(capsys, "a.py", "--input-file", "a.in")["reason"].endswith("; use `--output-file a.out`")
    assert judged(capsys, "a.py", "--input-file", "a.in", "--output-file", "a.out")["verdict"] == "AC"
