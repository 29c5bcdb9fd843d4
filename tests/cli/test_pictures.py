"""Pictures of inputs on the command line: of a case, in the report of a search, and in pages."""

import os
import re
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.runner.executors import Interrupted
from tests.cli.command_line import CapSys, judge, search_text
from tests.files import write_files

TREE = "4\n1 2\n1 3\n3 4\n"
FILES: Mapping[str, str] = {
    "a.py": "print(1, 4)\n", "b.py": "print(2, 4)\n",
    "1.in": TREE, "1.ans": "2 4\n", "2.in": "5\n1 2\n1 3\n3 4\n3 5\n", "2.ans": "2 4\n",
}  # fmt: skip
PICTURE = re.compile(r'<svg [^>]*class="picture"[^>]* aria-label="(.*?)"')
MARKED = "tree of 4 nodes (guessed); expected: nodes 2, 4; found: nodes 1, 4"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two solutions and two cases."""
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, FILES)


def test_that_show_draws_a_case_on_the_screen_and_into_a_file(capsys: CapSys) -> None:
    status, out, _ = judge("show", "a.py/1", "--picture", capsys=capsys)
    assert status == 0
    assert out.startswith("  picture  tree of 4 nodes (guessed)\n")
    for _ in range(2):  # its own file is overwritten
        words = ("show", "a.py/1", "-s", "a.py", "--picture", "a.svg")
        assert judge(*words, capsys=capsys) == (0, "", "note: a.py: 2 cases in 1.in, 2.in\nwrote a.svg\n")
    text = Path("a.svg").read_text(encoding="utf-8")
    assert "expected: nodes 2, 4" in text
    assert "found: nodes 1, 4" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.py/1", "--picture", "a.png"], "--picture a.png: expected a file.svg"),
        (["--picture", "a.py/1"], "--picture a.py/1: expected a file.svg; the case comes first"),
        (
            ["a.py/1", "--picture", "mine.svg"],
            "--picture mine.svg: exists, and is not a picture of judge; choose another file",
        ),
        (["a.py/1", "--picture", "d.svg"], "--picture d.svg: is a folder; expected a file, such as d.svg/report.svg"),
        (["a.py/1", "--picture", "pipe.svg"], "--picture pipe.svg: is not a regular file"),
        (["word.py/1", "--picture"], "word.py/1: nothing to draw: expected a tree, a graph, "),
        (["a.py", "--picture"], "a.py: --picture needs a case"),
    ],
)
def test_that_errors_say_what_to_do(folder: Path, capsys: CapSys, arguments: list[str], message: str) -> None:
    os.mkfifo("pipe.svg")
    write_files(
        folder, {"mine.svg": "<svg/>", "d.svg/a": "", "word.py": "", "word/1.in": "hello\n", "word/1.ans": "x\n"}
    )
    status, out, err = judge("show", *arguments, capsys=capsys)
    assert (status, out) == (2, "")
    assert f"judge: {message}" in err


@pytest.mark.parametrize("name", ["1.in", "1.ans", "lone/big.txt"])
def test_that_the_file_of_an_input_is_a_case(name: str, folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"lone/big.txt": TREE, "lone/big.out": "2 4\n", "lone/deep/1.in": "x"})
    status, out, _ = judge("show", name, "--picture", "-s", "a.py", capsys=capsys)
    assert (status, out.splitlines()[0]) == (0, "  picture  tree of 4 nodes (guessed)")
    assert "expected [nodes 2, 4]" in out
    assert "found    (nodes 1, 4)" in out
    status, out, _ = judge("show", name, capsys=capsys)
    assert (status, "input    4 lines" in out, "answer   1 line" in out) == (0, True, True)
    for option, message in (("--grammar", "are about a problem or a source file, not a case"), ("--output", "-s")):
        assert (judge("show", name, option, capsys=capsys)[0], bool(message)) == (2, True)


def test_that_a_page_about_a_run_draws_what_failed(capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge("run", "a.py", "--html", "run.html", capsys=capsys)[0] == 1
    assert PICTURE.findall(Path("run.html").read_text(encoding="utf-8")) == [MARKED]

    def interrupt(*_: object, **__: object) -> None:
        raise Interrupted

    monkeypatch.setattr("judge.reporters.pictures.draw_case", interrupt)
    assert judge("run", "a.py", "--html", "run.html", capsys=capsys)[0] == 1
    text = Path("run.html").read_text(encoding="utf-8")
    assert (">WA<" in text, PICTURE.findall(text)) == (True, [])


def test_that_a_search_draws_what_it_finds(folder: Path, capsys: CapSys) -> None:
    reads = "n = int(input())\nassert len({tuple(input().split()) for _ in range(n - 1)}) == 3\n"
    write_files(
        folder, {"gen.py": f"print({TREE!r})\n", "c.py": f"{reads}print(1, 4)\n", "d.py": f"{reads}print(2, 4)\n"}
    )
    words = ("stress", "c.py", "d.py", "--gen", "gen.py", "--max-inputs", "1", "--html", "stress.html")
    status, out, err = search_text(*words, capsys=capsys)
    assert status == 1, err
    assert re.search("^  picture  ", out, re.MULTILINE)
    assert len(PICTURE.findall(Path("stress.html").read_text(encoding="utf-8"))) == 1


HOSTILE = "<svg xmlns='http://www.w3.org/2000/svg' onload='fail()'><script>fail()</script><text>{}</text></svg>"
PACKAGE: Mapping[str, str] = {
    "problem.yaml": "name: Tree\nproblem_format_version: 2025-09\nlimits: {time_limit: 5}\n",
    "data/secret/1.in": TREE,
    "data/secret/1.ans": "2 4\n",
    "data/secret/1.yaml": "input_visualizer_args: [red]\noutput_visualizer_args: [blue]\n",
    "submissions/wrong_answer/w.py": "print(1, 4)\n",
    "input_visualizer/draw.py": f'import sys\nopen("testcase.svg", "w").write("""{HOSTILE}""".format(sys.argv[3:]))\n',
    "output_visualizer/draw.py": 'import sys\nopen(sys.argv[3] + "/teamimage.png", "w").write(sys.argv[4] + input())\n',
}


def test_that_visualizers_of_a_package_draw_in_the_sandbox(folder: Path, capsys: CapSys) -> None:
    write_files(folder / "tree", PACKAGE)
    words = ("show", "tree/secret/1", "-s", "tree/submissions/wrong_answer/w.py", "--picture")
    _, out, _ = judge(*words, capsys=capsys)
    assert "testcase.svg of the input visualizer" in out
    assert "teamimage.png of the output visualizer" in out
    assert judge(*words, "tree.svg", capsys=capsys)[0] == 0
    text = Path("tree.svg").read_text(encoding="utf-8")
    assert "script" not in text  # it is in an image, encoded, where it does not run
    images = [b64decode(each).decode() for each in re.findall(r'href="data:image/[a-z+]+;base64,(.*?)"', text)]
    assert images == [HOSTILE.format("['red']"), "blue1 4"]


def test_that_a_visualizer_that_fails_is_named_and_the_judge_draws(folder: Path, capsys: CapSys) -> None:
    write_files(folder / "tree", {**PACKAGE, "input_visualizer/draw.py": "raise ValueError(1)\n"})
    status, out, err = judge("show", "tree/secret/1", "--picture", capsys=capsys)
    assert status == 0
    assert "tree of 4 nodes (guessed)" in out
    assert "note: the input_visualizer fails: exit status 1: ValueError: 1" in err
