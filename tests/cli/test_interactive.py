"""Interactive and multi-pass problems in problem.yaml, for their user: `judge run`, `show`, `check` and `debug`."""

import json
import re
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from judge.reporters import OutputOptions
from judge.reporters.canvas import Canvas
from tests.cli.command_line import CapSys, judge, write
from tests.parameters import first_of

TALK = """\
import sys
secret = int(open(sys.argv[1]).read())
limit = int(sys.argv[4]) if len(sys.argv) > 4 else 10
def finish(status, text):
    with open(sys.argv[3] + "judgemessage.txt", "w") as file:
        file.write(text)
    sys.exit(status)
for _ in range(limit):
    try:
        guess = int(input())
    except (EOFError, ValueError) as error:
        finish(43, f"no number: {error}")
    print("right" if guess == secret else "lower" if guess > secret else "higher", flush=True)
    if guess == secret:
        finish(42, "found")
finish(43, f"not found after {limit} guesses")
"""
SEARCH = """\
low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "right":
        break
    if answer == "lower":
        high = middle - 1
    else:
        low = middle + 1
"""
SILENT = SEARCH.replace(", flush=True", "").replace("input()", "sys.stdin.readline().strip()")  # `input` flushes
COUNT = """\
for guess in range(1, 101):
    print(guess, flush=True)
    if input() == "right":
        break
"""
INTERACTIVE = {
    "problems/guess/problem.yaml": (
        "name: Guess\nprofile: icpc\nlimits: {time: 2 s}\nvalidator: validate.py\n"
        "interactor: {program: talk.py, args: ['7']}\n"
    ),
    "problems/guess/talk.py": TALK,
    "problems/guess/validate.py": "import sys\nsys.exit(42 if 1 <= int(input()) <= 100 else 43)\n",
    "testcases/guess/sample.yaml": (
        'cases:\n  - {name: far, input: "73\\n"}\n  - {name: near, input: "1\\n", checker_args: ["10"]}\n'
    ),
    "solutions/guess/accepted/search.py": SEARCH,
    "solutions/guess/wrong_answer/count.py": COUNT,
    "solutions/guess/time_limit_exceeded/silent.py": f"import sys\n{SILENT}",
}
DOUBLE = """\
import sys
value = int(sys.stdin.read())
if value != 2 * int(open(sys.argv[1]).read()):
    sys.exit(43)
if value < 20:
    with open(sys.argv[3] + "nextpass.in", "w") as file:
        file.write(f"{value}\\n")
sys.exit(42)
"""
MULTI_PASS = {
    "problems/double/problem.yaml": "name: Double\nprofile: icpc\nchecker: {program: check.py}\npasses: 4\n",
    "problems/double/check.py": DOUBLE,
    "testcases/double/sample.yaml": 'cases:\n  - {name: three, input: "3\\n"}\n',
    "solutions/double/accepted/right.py": "print(2 * int(input()))\n",
    "solutions/double/wrong_answer/small.py": "n = int(input())\nprint(2 * n if n < 12 else n)\n",
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with an interactive problem and one with several passes; the current folder."""
    for name, text in {**INTERACTIVE, **MULTI_PASS}.items():
        write(tmp_path / name, text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def results(out: str) -> dict[str, list[tuple[str, str, int]]]:
    """Return the verdict, the reason and the passes of each case, by the name of the solution."""
    (problem,) = json.loads(out)["problems"]
    return {
        Path(each["path"]).stem: [
            (case["verdict"], case.get("reason", ""), case.get("passes", 0)) for case in each["cases"]
        ]
        for each in problem["solutions"]
    }


@pytest.mark.usefixtures("repository")
def test_an_interactor_decides(capsys: CapSys) -> None:
    status, out, err = judge("run", "guess", "--format", "json", capsys=capsys)
    assert status == 0, err
    found = results(out)
    assert [verdict for verdict, *_ in found["search"]] == ["AC", "AC"]
    assert [verdict for verdict, *_ in found["count"]] == ["WA", "AC"]
    assert "not found after 7 guesses" in out
    assert found["silent"][0][:2] == ("TLE", "both processes wait for input: is a flush missing?")
    again = judge("run", "guess", "--format", "json", capsys=capsys)[1]
    assert results(again) == found


@pytest.mark.usefixtures("repository")
def test_a_checker_asks_for_passes(capsys: CapSys) -> None:
    status, out, err = judge("run", "double", "--format", "json", capsys=capsys)
    assert status == 0, err
    found = results(out)
    assert [(verdict, passes) for verdict, _, passes in found["right"]] == [("AC", 3)]
    assert [(verdict, passes) for verdict, _, passes in found["small"]] == [("WA", 3)]


def test_an_edit_of_the_interactor_judges_again(repository: Path, capsys: CapSys) -> None:
    judge("run", "guess", "--format", "json", capsys=capsys)
    write(repository / "problems/guess/talk.py", TALK.replace("finish(42", "finish(43"))
    status, out, _ = judge("run", "guess", "--format", "json", capsys=capsys)
    assert status == 1
    assert [verdict for verdict, *_ in results(out)["search"]] == ["WA", "WA"]


def test_an_interactor_that_does_not_compile_is_one_error(repository: Path, capsys: CapSys) -> None:
    write(repository / "problems/guess/talk.py", "(\n")
    status, _, err = judge("run", "guess", capsys=capsys)
    assert status == 2
    assert err.count("problems/guess/talk.py: error: the interactor talk.py does not compile: line 1") == 1


@pytest.mark.usefixtures("repository")
def test_inputs_are_locked_without_answers(capsys: CapSys) -> None:
    assert judge("lock", "guess", capsys=capsys)[:2] == (0, "guess: 2 cases locked: 2 new, 0 changed, 0 removed\n")
    assert judge("lock", "--check", "guess", capsys=capsys)[0] == 0
    assert judge("run", "guess", capsys=capsys)[0] == 0


@pytest.mark.usefixtures("repository")
def test_show_names_the_interactor_and_the_passes(capsys: CapSys) -> None:
    assert "profile   icpc, interactor talk.py 7 (icpc)\n" in judge("show", "guess", capsys=capsys)[1]
    assert "profile   icpc, checker check.py (icpc), at most 4 passes\n" in judge("show", "double", capsys=capsys)[1]
    assert "answer none: the problem's program decides" in judge("show", "guess/far", capsys=capsys)[1]


DIALOGUE = """\
  dialogue the solution wrote 6 B, the interactor 20 B
                     solution | interactor
               TIME  50       |
               TIME           | higher
               TIME  75       |
               TIME           | lower
"""
TURNS = SEARCH.replace("while True", "for _ in range(2)")
PASSES = """\
  passes   the solution read 8 B and wrote 9 B
                     solution | input
           pass 1
               TIME           | 3
               TIME  6        |
           pass 2
               TIME           | 6
               TIME  12       |
           pass 3
               TIME           | 12
               TIME  12       |
"""


def without_times(out: str) -> str:
    return re.sub(r"(?m)^ {9,}[0-9.]+ m?s ", f"{'TIME':>19} ", out)


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("is_terminal", [True, False], ids=["80 columns", "pipe"])
def test_show_has_the_whole_dialogue(capsys: CapSys, monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool) -> None:
    write("turns.py", f"import sys\nsys.stderr.write('note')\n{TURNS}")
    if is_terminal:
        options = OutputOptions(environment={"COLUMNS": "80", "NO_COLOR": "1"})
        monkeypatch.setattr("judge.cli.commands.show.make_canvas", lambda stream: Canvas(stream, options))
    status, out, _ = judge("show", "guess/far", "--solution", "turns.py", capsys=capsys)
    assert status == 0
    assert "turns.py: WA: no number: EOF when reading a line (run now)" in " ".join(out.split())
    assert DIALOGUE.partition("\n")[2] in without_times(out).replace("│", "|")
    assert not is_terminal or all(len(line) <= 80 for line in out.splitlines())
    assert judge("show", "guess/far", "--solution", "turns.py", "--stderr", capsys=capsys)[1] == "note"
    status, out, err = judge("show", "guess/far", "--solution", "turns.py", "--output", capsys=capsys)
    assert (status, out) == (2, "")
    assert "without --output, all of it is shown" in err


@pytest.mark.usefixtures("repository")
def test_show_has_every_pass(capsys: CapSys) -> None:
    status, out, _ = judge("show", "double/three", "-s", "solutions/double/wrong_answer/small.py", capsys=capsys)
    assert status == 0
    assert PASSES.partition("\n")[2] in without_times(out).replace("│", "|")
    assert "passes   the solution read 7 B and wrote 8 B" in out


@pytest.mark.parametrize(
    ("problem", "source", "message"),
    first_of(
        [
            ("guess", COUNT, "WA on sample/far"),
            ("double", MULTI_PASS["solutions/double/accepted/right.py"], ""),
            ("guess", SEARCH, ""),
            ("double", MULTI_PASS["solutions/double/wrong_answer/small.py"], "WA on sample/three"),
        ],
        2,
    ),
)
@pytest.mark.usefixtures("repository")
def test_check_judges_as_run_does(problem: str, source: str, message: str, capsys: CapSys) -> None:
    write("x.py", source)
    status, out, _ = judge("check", "x.py", "--problem", problem, capsys=capsys)
    assert status == bool(message)
    assert message in out
    assert "does not end with a newline" not in out


@pytest.mark.usefixtures("repository")
def test_debug_says_what_one_run_cannot_show(capfd: pytest.CaptureFixture[str]) -> None:
    write("x.py", COUNT)
    assert run_cli(["debug", "x.py", "far", "--problem", "guess"]) == 2
    assert "guess is interactive, and nothing would answer the program" in (err := capfd.readouterr().err)
    assert "`judge show guess/far --solution x.py`" in err
    write("x.py", MULTI_PASS["solutions/double/accepted/right.py"])
    assert run_cli(["debug", "x.py", "--problem", "double"]) == 0
    out, err = capfd.readouterr()
    assert out == "6\n"
    assert "note: only the first of at most 4 passes is run and checked\n" in err
