"""Own folders: a checker, an interactor and files for input and output, by options or by problem.yaml."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command_line import CapSys, judge
from tests.files import write_files

CHECK = """import sys
given = int(open(sys.argv[1]).read())
sys.exit(42 if sum(map(int, sys.stdin.read().split())) == given else 43)
"""
TALK = """import sys
print(open(sys.argv[1]).read(), flush=True)
sys.exit(42 if sum(map(int, input().split())) == int(open(sys.argv[1]).read()) else 43)
"""
FILES = "with open('sum.in') as given, open('sum.out', 'w') as out:\n    print(1, int(given.read()) - 1, file=out)\n"
SOURCES = {"a.py": "print(1, int(input()) - 1)\n", "wrong.py": "print(1)\n", "files.py": FILES}
OPTIONS = {
    "check": ("--checker", "check.py"),
    "talk": ("--interactor", "talk.py"),
    "files": ("--input-file", "sum.in", "--output-file", "sum.out", "--checker", "check.py"),
}
KEYS = {
    "check": 'checker: {program: "check.py"}\n',
    "talk": 'interactor: {program: "talk.py"}\n',
    "files": 'checker: {program: "check.py"}\ninput_file: "sum.in"\noutput_file: "sum.out"\n',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path, {**SOURCES, "check.py": CHECK, "talk.py": TALK, "tests/1.in": "7\n", "tests/1.ans": "3 4\n"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verdicts(out: str) -> dict[str, str]:
    problems = json.loads(out)["problems"]
    return {each["path"]: each["verdict"] for problem in problems for each in problem["solutions"]}


@pytest.mark.parametrize("kind", OPTIONS)
def test_options_apply_once_or_are_saved_for_all_commands(folder: Path, capsys: CapSys, kind: str) -> None:
    right = "files.py" if kind == "files" else "a.py"
    arguments = ("run", "-f", "json", right, "wrong.py")
    _, once, _ = judge(*arguments, *OPTIONS[kind], "--save", capsys=capsys)
    assert verdicts(once) == {right: "AC", "wrong.py": "WA"}
    saved = (folder / "problem.yaml").read_text()
    assert sorted(saved.splitlines()) == sorted(KEYS[kind].splitlines())
    _, later, _ = judge(*arguments, capsys=capsys)
    assert verdicts(later) == verdicts(once)
    assert judge("check", right, "--for", "codeforces", capsys=capsys)[0] == 0
    status, _, err = judge("debug", right, capsys=capsys)
    assert status == (2 if kind == "talk" else 0)
    if kind == "talk":  # the command that it names
        words = err.split("`")[1].split()[1:]
        assert "dialogue the solution wrote" in judge(*words, capsys=capsys)[1]
    assert judge("check", "wrong.py", "--for", "codeforces", capsys=capsys)[0] == 1


def test_an_option_for_one_file_leaves_the_other_one(folder: Path, capsys: CapSys) -> None:
    arguments = ("run", "-f", "json", "files.py", "--checker", "check.py", "--save")
    judge(*arguments, "--output-file", "sum.out", capsys=capsys)
    assert verdicts(judge(*arguments, "--input-file", "sum.in", capsys=capsys)[1]) == {"files.py": "AC"}
    assert (folder / "problem.yaml").read_text().count("_file: ") == 2


def test_a_program_that_judges_is_no_solution_of_its_folder(folder: Path, capsys: CapSys) -> None:
    (folder / "problem.yaml").write_text(KEYS["check"])
    (folder / "talk.py").unlink()
    _, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert sorted(verdicts(out)) == ["a.py", "files.py", "wrong.py"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--checker", "chekc.py"), "--checker chekc.py: no such file, and not one of tokens, lines, exact"),
        (("--interactor", "tests/1.in"), "--interactor"),
        (("--interactor", "talk.py", "--checker", "check.py"), "the interactor decides"),
        (("--interactor", "talk.py", "--input-file", "a.in"), "standard input and output, not files"),
        (("--output-file", "x/a.out"), "--output-file x/a.out: expected the name of a file, without a folder"),
        (("--save",), "--save: nothing to save"),
    ],
)
def test_options_that_do_not_fit_are_one_error(
    folder: Path, capsys: CapSys, arguments: tuple[str, ...], message: str
) -> None:
    status, _, err = judge("run", "a.py", *arguments, capsys=capsys)
    assert (status, folder.joinpath("problem.yaml").exists()) == (2, False)
    assert message in err


@pytest.mark.parametrize(
    ("output", "judges", "status"),
    [("YES", "atcoder uva", 1), (" Yes", "atcoder uva", 1), ("YES", "codeforces kattis", 0), ("Yes", "atcoder", 0)],
)
def test_an_output_that_differs_is_ready_only_for_a_tolerant_judge(
    folder: Path, capsys: CapSys, output: str, judges: str, status: int
) -> None:
    write_files(folder, {"a.py": f"print({output!r})\n", "tests/1.ans": "Yes\n"})
    for name in judges.split():
        assert judge("check", "a.py", "--for", name, capsys=capsys)[0] == status
    _, _, err = judge("run", "a.py", capsys=capsys)
    assert ("note: a.py: tests/1 is AC, but only" in err) == (output != "Yes")


def test_a_case_that_is_added_is_judged(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys, pipe: Callable[[str], None]
) -> None:
    (folder / "problem.yaml").write_text(KEYS["check"])
    pipe("8\n")
    assert judge("add", "a.py", "--answer", "tests/1.ans", capsys=capsys)[:2] == (
        0, "kept: tests/2.in and tests/2.ans\n  next: judge run a.py\n"
    )  # fmt: skip
    (folder / "bin").mkdir()
    for text in ("9", "10\n"):  # the text of a page often ends without a newline
        (folder / "bin/wl-paste").write_text(f"#!/bin/sh\nprintf '{text}'\n")
        (folder / "bin/wl-paste").chmod(0o755)
        monkeypatch.setenv("WAYLAND_DISPLAY", "x")
        monkeypatch.setenv("PATH", f"{folder}/bin:{os.environ['PATH']}")
        assert judge("add", "a.py", "--from", "clipboard", capsys=capsys)[0] == 0
    assert [(folder / f"tests/{number}.in").read_text() for number in (2, 3, 4)] == ["8\n", "9\n", "10\n"]
    assert not (folder / "tests/3.ans").exists()
    arguments = ("add", "a.py", "--from", "tests/3.in", "--answer", "tests/1.ans")
    assert judge(*arguments, capsys=capsys)[1].startswith(
        "kept: tests/3.ans\n"
    )  # the input is known, its answer is new
    _, out, _ = judge("run", "-f", "json", "a.py", capsys=capsys)
    assert json.loads(out)["problems"][0]["solutions"][0]["counts"] == {"AC": 4}


def test_what_cannot_be_added_is_one_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys, pipe: Callable[[str], None]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    table = {
        "a.py": "judge: the input is empty; type or paste it, pipe it, or name a file with --from\n",
        "b.py": "judge: b.py: no such file\n",
        "a.py --from no.in": "judge: no.in: No such file or directory; expected a file with the input",
        "a.py --answer -": "judge: --answer -: the input is read from there; name a file with --from or --answer\n",
        "a.py --from clipboard": "judge: the clipboard cannot be read; expected wl-paste, xclip or xsel",
    }
    for words, message in table.items():
        pipe("")
        status, _, err = judge("add", *words.split(), capsys=capsys)
        assert (status, message in err) == (2, True), err
    known = judge("add", "a.py", "--from", "tests/1.in", capsys=capsys)
    assert known[:2] == (0, "not kept: case tests/1 has this input\n  next: judge run a.py\n")
    assert sorted(path.name for path in (folder / "tests").iterdir()) == ["1.ans", "1.in"]


def test_on_a_terminal_an_input_is_asked_for(folder: Path, terminal: Callable[[bytes], None], capsys: CapSys) -> None:
    terminal(b"8\n\x043 5\n\x04")
    _, _, err = judge("add", "a.py", capsys=capsys)
    assert err.endswith("type or paste the input, then Ctrl-D:\ntype or paste the answer, then Ctrl-D:\n")
    assert (folder / "tests/2.ans").read_text() == "3 5\n"
    terminal(b"9\n\x04")
    status, out, _ = judge("run", "a.py", "--cases", "-", "-f", "plain", capsys=capsys)
    assert status == 0
    assert "1 | 1 8" in out


def test_the_input_of_a_hack_is_remembered_for_the_folder(folder: Path, capsys: CapSys) -> None:
    (folder / "problem.yaml").write_text("name: Sum\ninput: [n: 1..9]\n# mine\n")
    write_files(folder, {"less.py": "print(2, int(input()) - 1)\n", "tests/2.in": "4\n", "tests/2.ans": "4\n"})
    arguments = ("hack", "less.py", "--reference", "a.py", "--max-inputs", "3", "-j", "1")
    status, _, err = judge(*arguments, "--input", "3 <= n <= 7", "--save", capsys=capsys)
    assert (status, "saved in problem.yaml" in err) == (1, True), err
    assert (folder / "problem.yaml").read_text() == "name: Sum\ninput:\n- {a: 3..7}\n# mine\n"
    for case in (folder / "tests").iterdir():
        case.unlink()
    status, out, _ = judge(*arguments, "-f", "json", capsys=capsys)
    assert (status, 3 <= int(json.loads(out)["input"]) <= 7) == (1, True)
    status, _, err = judge(*arguments, "--save", capsys=capsys)
    assert (status, "--save: nothing to save; add --input" in err) == (2, True)


TESTLIB = "enum { OK = 0, WA = 1, FAIL = 3 };\n"
HEAD = '#include "testlib.h"\n#include <cstdio>\n'
ACCEPTS = f"{HEAD}int main(int, char** argv) {{ return getc(fopen(argv[2], \"r\")) == '3' ? OK : WA; }}\n"


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_programs_of_the_user_may_use_testlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    """In C++, by the header beside them: a checker, and a generator and a validator for a search."""
    files = {
        **dict.fromkeys(("a.py", "brute.py"), "print(input())\n"),
        "tests/1.in": "3\n",
        "tests/1.ans": "4\n",
        "tests/2.in": "5\n",
        "tests/2.ans": "5\n",
        "check.cpp": ACCEPTS,
        "gen.cpp": f'{HEAD}int main() {{ puts(OK ? "" : "7"); }}\n',
        "validate.cpp": f"{HEAD}int main() {{ return getchar() == '7' ? OK : FAIL; }}\n",
        "testlib.h": TESTLIB,
    }
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    _, out, err = judge("run", "a.py", "--checker", "check.cpp", "-f", "json", capsys=capsys)
    (solution,) = json.loads(out)["problems"][0]["solutions"]
    assert [case["verdict"] for case in solution["cases"]] == ["AC", "WA"], err
    words = ("a.py", "brute.py", "--gen", "gen.cpp", "--validator", "validate.cpp", "--max-inputs", "2", "-f", "json")
    status, out, err = judge("stress", *words, capsys=capsys)
    found = json.loads(out)
    assert (status, bool(found["inputs"]), found["rejected"]) == (0, True, 0), err


def test_an_answer_is_added_only_where_answers_are(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    own = folder / "own"
    write_files(own, {"a.py": "print(1)\n", "ans": "1\n", "tests/input/2.txt": "2\n"})
    write_files(own, {"tests/input/1.txt": "1\n", "tests/output/1.txt": "1\n"})
    monkeypatch.chdir(own)
    words = ("add", "a.py", "--from", "tests/input/2.txt", "--answer", "ans")
    assert judge(*words, capsys=capsys)[1].startswith("not kept: put the answer of input/2 beside tests/output/1.txt\n")
    assert not (own / "tests/input/2.ans.txt").exists()
    (own / "tests").rename(folder / "elsewhere")
    (own / "tests").symlink_to(folder / "elsewhere")
    write_files(folder / "elsewhere", {"9.in": "9\n"})
    status, _, err = judge("add", "a.py", "--from", "tests/9.in", "--answer", "ans", capsys=capsys)
    assert not (folder / "elsewhere/9.ans").exists(), (status, err)
