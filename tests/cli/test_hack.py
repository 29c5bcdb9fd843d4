"""`judge hack`: a native problem, a package and loose files; what counts as valid, who answers, and what is kept."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from judge.base.units import Seconds
from judge.hack.hack_request import find_request
from judge.hack.hacking import HackContext
from judge.hack.values import SearchOptions
from judge.problems.native import load_problem
from judge.workspace.options import SessionOptions
from judge.workspace.workspace import Workspace
from tests.cli.command_line import FEW, PAGE, CapSys, held_by, judge, search, search_text, write
from tests.problems.polygon.packages import write as write_polygon

hack = partial(search, "hack")

READ = "n = int(input())\na = list(map(int, input().split()))\n"
RIGHT = READ + "print(max(a))\n"
SECOND = READ + "a.sort()\nprint(a[-1])\n"
WRONG = READ + "print(max(0, max(a)))\n"
FOUR = READ + "print(max(a[:4]))\n"
VALIDATOR = """\
import re, sys
lines = sys.stdin.read().split("\\n")
if len(lines) != 3 or lines[2] or not all(re.fullmatch(r"-?[0-9]+( -?[0-9]+)*", line) for line in lines[:2]):
    sys.exit("two lines of integers")
(n,), a = list(map(int, lines[0].split())), list(map(int, lines[1].split()))
if not (1 <= n == len(a) <= 50 and all(abs(each) <= 1000 for each in a)):
    sys.exit("out of range")
sys.exit(42)
"""
CHECKTESTDATA = "INT(1, 50, n) NEWLINE\nREP(n, SPACE) INT(-1000, 1000) END NEWLINE\n"
NATIVE = {
    "problems/p/problem.yaml": """\
name: The largest
profile: icpc
validator: validate.py
reference: accepted/right.py
independent: accepted/second.py
""",
    "problems/p/validate.py": VALIDATOR,
    "testcases/p/sample.yaml": """\
cases:
  - name: one
    input: |
      3
      1 2 3
  - name: two
    input: |
      5
      7 1 9 7 2
""",
    "solutions/p/accepted/right.py": RIGHT,
    "solutions/p/accepted/second.py": SECOND,
    "solutions/p/wrong_answer/wrong.py": WRONG,
    "solutions/p/wrong_answer/four.py": FOUR,
}
PACKAGE = {
    "problem.yaml": "name: The largest\nproblem_format_version: legacy\n",
    ".timelimit": "2\n",
    "data/sample/1.in": "3\n1 2 3\n",
    "data/sample/1.ans": "3\n",
    "data/secret/2.in": "5\n7 1 9 7 2\n",
    "data/secret/2.ans": "9\n",
    "input_validators/validate.py": VALIDATOR,
    "submissions/accepted/right.py": RIGHT,
    "submissions/accepted/second.py": SECOND,
    "submissions/wrong_answer/wrong.py": WRONG,
}
WRONG_FILE = "solutions/p/wrong_answer/wrong.py"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def native(**changes: str) -> None:
    for name, text in NATIVE.items():
        write(name, changes.get(Path(name).stem, text))


def test_a_small_counterexample_of_a_problem(capsys: CapSys) -> None:
    native()
    status, found = hack(WRONG_FILE, "--problem", "p", "--seed", "7", *PAGE, capsys=capsys)
    assert status == 1
    assert held_by("page.html", "WA on an input of 2 tokens", "<mark>-1</mark>") == found
    assert (found["verdict"], found["input"], found["expected"], found["output"]) == ("WA", "1\n-1\n", "-1\n", "0\n")


def test_white_space_that_some_cases_allow_is_tried_beside_a_grammar(capsys: CapSys) -> None:
    grammar = "input:\n  lines:\n    - n: 1..50\n    - {a: {list: -1000..1000, count: n}}\n"
    read = "n, *a = map(int, open(0).read().split())\n"
    right, second = RIGHT.replace(READ, read), SECOND.replace(READ, read)
    native(problem=NATIVE["problems/p/problem.yaml"] + grammar, wrong=RIGHT, right=right, second=second)
    write("problems/p/validate.py", f"import sys\nif sys.argv[1:]:\n    sys.exit(42)\n{VALIDATOR}")
    write("testcases/p/dirty.yaml", 'validator_args: [--dirty]\ncases: [{name: a, input: "1\\n 1\\n"}]\n')
    _, found = hack(WRONG_FILE, "--problem", "p", "--max-inputs", "200", capsys=capsys)
    assert (found["verdict"], found["strategy"]) == ("RTE", "white space")


def test_a_rule_in_words_is_not_checked_without_a_validator(capsys: CapSys) -> None:
    """The solutions agree on distinct numbers only, which the grammar does not require."""
    grammar = "input:\n  lines:\n    - n: 1..9\n    - {a: {list: 1..99, count: n}}\n  also: the values are distinct\n"
    native(problem=NATIVE["problems/p/problem.yaml"].replace("validator: validate.py\n", grammar))
    write("solutions/p/accepted/second.py", READ + "print(max(a) if len(set(a)) == n else 0)\n")
    _, found = hack("solutions/p/accepted/second.py", *FEW, capsys=capsys)
    assert "no validator checks the rules in words of the grammar; what is found may not be valid" in str(
        found["notes"]
    )
    write("solutions/p/accepted/third.py", READ + "print(max(a) if len(set(a)) == n else 0)\n")
    _, found = hack(WRONG_FILE, *FEW, capsys=capsys)
    assert not any(each["is_certain"] for each in found["disagreements"])  # type: ignore[attr-defined]


def test_a_right_solution(capsys: CapSys) -> None:
    native()
    status, found = hack("solutions/p/accepted/second.py", *FEW, capsys=capsys)
    assert (status, found["found"]) == (0, False)
    assert int(str(found["inputs"])) > 0


@pytest.mark.thorough
def test_a_package_is_not_changed(folder: Path, capsys: CapSys) -> None:
    for name, text in PACKAGE.items():
        write(f"largest/{name}", text)
    before = sorted(path for path in folder.joinpath("largest").rglob("*"))
    status, found = search(
        "hack", "largest", "--solution", "largest/submissions/wrong_answer/wrong.py", "--keep", capsys=capsys
    )
    assert (status, found["input"]) == (1, "1\n-1\n")
    assert sorted(path for path in folder.joinpath("largest").rglob("*")) == before
    assert Path("stress/1.in").read_text() == "1\n-1\n"
    assert Path("stress/1.ans").read_text() == "-1\n"


@pytest.mark.thorough
def test_a_file_of_checktestdata_is_a_validator(capsys: CapSys) -> None:
    files = {**PACKAGE, "input_validators/v.ctd": CHECKTESTDATA}
    del files["input_validators/validate.py"]
    for name, text in files.items():
        write(f"largest/{name}", text)
    status, out, _ = judge("show", "largest", "--grammar", capsys=capsys)
    assert (status, out) == (0, "input:\n- {n: 1..50}\n- x: {list: -1000..1000, count: n}\n")
    status, found = hack("largest", "--solution", "largest/submissions/wrong_answer/wrong.py", capsys=capsys)
    assert (status, found["input"]) == (1, "1\n-1\n")


def test_inputs_at_the_limits_leave_time_for_other_sources() -> None:
    for name, text in PACKAGE.items():
        write(f"largest/{name}", text)
    workspace = Workspace.find_or_use(Path("largest"))
    request = find_request(workspace, Path("largest/submissions/wrong_answer/wrong.py"), "largest")
    with workspace.open_session(SessionOptions(jobs=1)) as session:
        plan = HackContext(request, session).search(SearchOptions(budget=Seconds(0.0))).plan
    (first,), (later,) = ([each for each in some if each.name == "limits"] for some in (plan.first, plan.sources))
    assert first.next() is None
    assert later.next() is not None


@pytest.mark.thorough
def test_accepted_solutions_that_disagree_are_shown_both(capsys: CapSys) -> None:
    native(second=READ + "print(abs(max(a)))\n")
    status, found = hack(WRONG_FILE, "--max-inputs", "100", capsys=capsys)
    assert status == 2
    shown: dict[str, list[str]] = found["disagreements"][0]  # type: ignore[index]
    first, second = map(int, shown["outputs"])
    assert first == -second
    assert found["found"] is False


@pytest.mark.parametrize(
    ("case", "status", "is_certain"), [("7\n", 2, True), pytest.param("9\n", 0, False, marks=pytest.mark.thorough)]
)
def test_accepted_solutions_that_disagree_without_a_validator(
    case: str, status: int, is_certain: bool, capsys: CapSys
) -> None:
    """On a case one of them is wrong; any other input may not be valid."""
    files = {**PACKAGE, "data/sample/1.in": "3\n", "data/secret/2.in": case}
    del files["input_validators/validate.py"]
    for name, output in (("accepted/right", 7), ("accepted/second", 8), ("wrong_answer/wrong", 9)):
        files[f"submissions/{name}.py"] = f"n = int(input())\nprint({output} if n == 7 else n)\n"
    for path, text in files.items():
        write(f"largest/{path}", text)
    found = search("hack", "largest", "--solution", "largest/submissions/wrong_answer/wrong.py", *FEW, capsys=capsys)
    assert found[0] == status
    shown: dict[str, object] = found[1]["disagreements"][0]  # type: ignore[index]
    assert (shown["input"], shown["is_certain"]) == ("7\n", is_certain)


@pytest.mark.thorough
def test_several_findings_are_kept_as_cases_of_the_problem(capsys: CapSys) -> None:
    native()
    write("solutions/p/wrong_answer/both.py", READ + "assert n != 4\nprint(max(0, max(a)))\n")
    status, out, err = search_text(
        "hack", "solutions/p/wrong_answer/both.py", "--findings", "2", "--keep", capsys=capsys
    )
    assert (status, "did not fail again" in out + err) == (1, False)
    cases = [case for case in load_problem(Path.cwd(), "p").cases if case.group == "hacks"]
    assert [case.id for case in cases] == ["hacks/case-1", "hacks/case-2"]


@pytest.fixture
def loose() -> None:
    write("a.py", WRONG)
    write("brute.py", RIGHT)
    for number, text in enumerate(("3\n1 2 3\n", "2\n7 5\n"), 1):
        write(f"tests/{number}.in", text)
        write(f"tests/{number}.ans", f"{max(map(int, text.split()[1:]))}\n")


@pytest.mark.thorough
@pytest.mark.usefixtures("loose")
def test_what_no_sample_shows_is_named_in_the_report(capsys: CapSys) -> None:
    _, out, _ = search_text("hack", "a.py", "--reference", "brute.py", capsys=capsys)
    shown = " ".join(out.split())
    assert "outside what the samples show: check that the statement allows x = -1" in shown
    assert "note: no validator says what is valid; input (guessed): n: 1.., x: n integers" in shown


def test_with_a_grammar_no_sample_is_needed(capsys: CapSys) -> None:
    write("a.py", WRONG)
    write("brute.py", RIGHT)
    text = "[{n: 2..3}, {a: {list: -9..9, count: n}}]"
    assert hack("a.py", "--reference", "brute.py", "--input", text, capsys=capsys)[1]["input"] == "2\n-1 -1\n"
    _, _, err = search_text("hack", "a.py", "--reference", "brute.py", "--input", "1 <= n <= 3", capsys=capsys)
    assert "no sample has a format that is recognized; write the format as notation" in err


@pytest.mark.usefixtures("loose")
def test_the_guessed_format_is_shown_as_a_grammar_that_the_option_takes(capsys: CapSys) -> None:
    status, out, err = judge("show", "a.py", "--grammar", capsys=capsys)
    assert (status, out) == (0, "input:\n- {n: 1..30}\n- x: {list: 0..100, count: n}\n")
    assert "input (guessed): n: 1.., x: n integers" in err
    write("format.yaml", out.replace("0..100", "-9..9"))
    assert hack("a.py", "--reference", "brute.py", "--input", "format.yaml", capsys=capsys)[1]["input"] == "1\n-1\n"


def test_without_a_case_of_usable_size_no_format_is_shown(capsys: CapSys) -> None:
    write("a.py", RIGHT)
    write("tests/1.in", "1 " * (1 << 20))
    write("tests/1.ans", "1\n")
    _, _, err = judge("show", "a.py", "--grammar", capsys=capsys)
    assert "judge: a: no case can be used: all are larger than 1 MiB" in err


@pytest.mark.usefixtures("loose")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 <= n <= 3, -2 <= a_i <= 9", "1\n-1\n"),
        ("format.yaml", "2\n-1 -1\n"),
    ],
)
def test_a_user_says_what_is_valid(text: str, expected: str, capsys: CapSys) -> None:
    write("format.yaml", "input:\n  - n: 2..3\n  - a: {list: -9..9, count: n}\n")
    _, found = hack("a.py", "--reference", "brute.py", "--input", text, capsys=capsys)
    assert (found["input"], found["not_shown"]) == (expected, [])


@pytest.mark.usefixtures("loose")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 <= n <= 2", "a sample is not valid: line 1, column 1: found `3`"),
        ("words", "expected constraints such as"),
        ("[{n: 1..m}]", "--input:1:6: error: `m` is not known here"),
        ("- n: [", "--input:2:1: error: expected a value, found the end of the file"),
        ("1 <= n <= 3, -1 <= a_i <= 9, 1 <= b_i <= 2", "nothing in that format is `b`"),
    ],
)
def test_a_format_that_is_wrong_is_an_error_or_a_note(text: str, message: str, capsys: CapSys) -> None:
    _, out, err = search_text("hack", "a.py", "--reference", "brute.py", "--input", text, capsys=capsys)
    assert message in out + err


def test_a_reference_that_contradicts_a_known_answer_is_named(capsys: CapSys) -> None:
    write("a.py", RIGHT)
    write("brute.py", READ + "print(1)\n")
    write("tests/1.in", "2\n3 4\n")
    write("tests/1.ans", "4\n")
    _, out, _ = search_text("hack", "a.py", "--reference", "brute.py", *FEW, capsys=capsys)
    assert "brute.py is wrong on a known case: line 1, token 1: expected `4`, found `1`" in out


@pytest.mark.thorough
def test_a_grammar_that_allows_more_than_the_validator_hides_no_failure(capsys: CapSys) -> None:
    grammar = "input:\n  - n: 1..50\n  - a: {list: -1000..1000, count: n}\n"
    validator = VALIDATOR.replace("abs(each) <= 1000", "0 <= each <= 1000")
    native(problem=NATIVE["problems/p/problem.yaml"] + grammar, validate=validator)
    write("solutions/p/wrong_answer/cap.py", READ + "print(max(a) if 0 < max(a) < 900 else 0)\n")
    status, out, _ = search_text("hack", "solutions/p/wrong_answer/cap.py", "--seed", "1", capsys=capsys)
    assert (status, "the validator rejects what the grammar allows" in out) == (1, True)
    assert "input    2 lines" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("none.py",), "none.py: expected a solution; to name a problem: judge hack none.py --solution FILE"),
        (("p",), "p: expected a solution"),
        (("p", "--solution", "none.py"), "none.py"),
        (("p", "--problem", "p", "--solution", WRONG_FILE), "name the problem once"),
        ((WRONG_FILE, "--reference", "none.py"), "--reference none.py: no such file"),
        ((WRONG_FILE, "--reference", "broken.py"), "the reference broken.py does not compile: "),
    ],
)
def test_a_message_names_what_is_wrong(args: tuple[str, ...], message: str, capsys: CapSys) -> None:
    native()
    write("broken.py", "print(\n")
    status, _, err = search_text("hack", *args, capsys=capsys)
    assert status == 2
    assert message in err


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("code", "note", "summary", "status"),
    [
        ("sys.exit(43)", "rejects every case that was tried: perhaps no", "it was run on no input; ", 2),
        ("sys.exit(42)", "accepts everything that was tried: what is", "no counterexample found; ", 0),
    ],
)
def test_a_validator_that_says_always_the_same(code: str, note: str, summary: str, status: int, capsys: CapSys) -> None:
    """One that rejects everything leaves nothing to try; with one that accepts everything, crashes of all count not."""
    for name, text in PACKAGE.items():
        write(f"largest/{name}", text)
    write("largest/input_validators/validate.py", f"import sys\n{code}\n")
    suspect = "largest/submissions/accepted/second.py"
    found, out, _ = search_text("hack", "largest", "--solution", suspect, *FEW, capsys=capsys)
    assert found == status
    assert f"note: the validator validate.py {note}" in out
    assert f"second.py: {summary}" in out


def test_a_checker_that_fails_on_everything(capsys: CapSys) -> None:
    for name, text in PACKAGE.items():
        write(f"largest/{name}", text)
    settings = "largest/problem.yaml"
    write(settings, PACKAGE["problem.yaml"] + "validation: custom\n")
    write("largest/output_validators/check/check.py", "1 / 0\n")
    write("largest/submissions/wrong_answer/zero.py", "print(0)\n")
    status, _, err = search_text(
        "hack", "largest", "--solution", "largest/submissions/wrong_answer/zero.py", capsys=capsys
    )
    assert status == 2
    assert "no output can be checked: the checker check: exit status 1, expected 42 (accepted)" in err


@pytest.mark.thorough
def test_a_checker_that_fails_on_what_the_solution_prints_is_an_error_with_the_smallest_input(capsys: CapSys) -> None:
    checker = """import sys
(output,) = sys.stdin.read().split()
sys.exit(42 if output == open(sys.argv[2]).read().strip() else 43)
"""
    for name, text in PACKAGE.items():
        write(f"largest/{name}", text)
    write("largest/problem.yaml", PACKAGE["problem.yaml"] + "validation: custom\n")
    write("largest/output_validators/check/check.py", checker)
    suspect = write("largest/submissions/wrong_answer/wrong.py", READ)  # it prints nothing
    status, found = hack("largest", "--solution", str(suspect), *FEW, capsys=capsys)
    failure: dict[str, Any] = found["judging_failure"]  # type: ignore[assignment]
    assert (status, found["found"], failure["is_certain"]) == (2, False, True)
    assert "ValueError: not enough values to unpack" in failure["reason"]
    assert failure["output"] == ""
    _, out, _ = search_text("hack", "largest", "--solution", str(suspect), "--max-inputs", "2", capsys=capsys)
    assert "!! judging fails\n" in out


@pytest.mark.thorough
def test_an_interactor_that_fails_on_an_early_end_is_an_error(capsys: CapSys) -> None:
    write_guess()
    write("guess/submissions/wrong_answer/wrong.py", "")
    status, found = hack("guess", "--solution", "guess/submissions/wrong_answer/wrong.py", *FEW, capsys=capsys)
    failure: dict[str, Any] = found["judging_failure"]  # type: ignore[assignment]
    assert (status, failure["output"]) == (2, None)
    assert failure["reason"].startswith("the interactor v.py: exit status 1")


@pytest.mark.thorough
def test_a_validator_that_is_too_slow_to_be_tried(capsys: CapSys) -> None:
    for name, text in {**PACKAGE, "input_validators/validate.py": f"import time\ntime.sleep(1)\n{VALIDATOR}"}.items():
        write(f"largest/{name}", text)
    suspect = "largest/submissions/accepted/second.py"
    _, out, _ = judge("hack", "largest", "--solution", suspect, "--time", "1", capsys=capsys)
    assert "note: the validator validate.py was not tried on damaged inputs, for lack of time; for more: --time" in out


def test_no_case_is_valid(capsys: CapSys) -> None:
    native(validate="import sys\nsys.exit(43)\n")
    status, out, _ = search_text("hack", WRONG_FILE, *FEW, capsys=capsys)
    assert status == 2
    assert "note: no case can be used: case sample/one: the validator validate.py rejects the input" in out
    assert "no accepted solution is known" not in out
    assert "wrong.py: it was run on no input; " in out


POLYGON_VALIDATOR = """\
import sys
first, second = map(int, input().split())
sys.exit(0 if 1 <= first <= 99 and 1 <= second <= 99 and sys.argv[1:] == ["--testset", "tests"] else 3)
"""


@pytest.mark.thorough
def test_validators_of_polygon_say_what_is_valid(folder: Path, capsys: CapSys) -> None:
    crashes = "a, b = map(int, input().split())\nif not (a < 90 and 0 < b < 100): 1 / 0\nprint(a + b)\n"
    files = {"files/val.py": POLYGON_VALIDATOR, "solutions/wrong.py": crashes}
    validators = '<validators><validator><source path="files/val.py" type="python.3"/></validator></validators>'
    write_polygon(folder / "sum", files, assets=validators)
    status, found = hack("sum", "--solution", "sum/solutions/wrong.py", capsys=capsys)
    assert (status, found["verdict"], found["notes"]) == (1, "RTE", [])
    first, second = map(int, str(found["input"]).split())
    assert 90 <= first <= 99
    assert 1 <= second <= 99


INTERACTOR = """\
import sys
secret = int(open(sys.argv[1]).read())
for _ in range(10):
    guess = input()
    print("=" if int(guess) == secret else "<" if secret < int(guess) else ">", flush=True)
    if int(guess) == secret:
        sys.exit(42)
open(sys.argv[3] + "/judgemessage.txt", "w").write("too many guesses")
sys.exit(43)
"""
GUESSER = """\
low, high = 0, 1000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    match input():
        case "<": high = middle - 1
        case ">": low = middle + 1
        case _: break
"""


GUESS = {
    "problem.yaml": "name: x\nproblem_format_version: legacy\nvalidation: custom interactive\n",
    "output_validators/v.py": INTERACTOR,
    "input_validators/v.py": "import sys\nline = sys.stdin.read()\n"
    "sys.exit(42 if line == f'{int(line)}\\n' and 0 <= int(line) <= 1000 else 43)\n",
    "submissions/accepted/right.py": GUESSER,
    "submissions/wrong_answer/wrong.py": GUESSER.replace("high = 0, 1000", "high = 0, 990"),
    "data/secret/1.in": "500\n",
    "data/secret/1.ans": "",
}


def write_guess() -> None:
    """Write an interactive package with one case, into the current folder."""
    for name, text in GUESS.items():
        write(f"guess/{name}", text)


@pytest.mark.thorough
def test_the_input_of_an_interactor_is_searched(capsys: CapSys) -> None:
    write_guess()
    status, found = hack("guess", "--solution", "guess/submissions/wrong_answer/wrong.py", capsys=capsys)
    assert (status, found["verdict"], found["reason"], found["notes"]) == (1, "WA", "too many guesses", [])
    assert 990 < int(str(found["input"])) <= 1000
    status, out, _ = search_text(
        "hack", "guess", "--solution", "guess/submissions/wrong_answer/wrong.py", capsys=capsys
    )
    assert (status, "WA: too many guesses" in out, "interactor" in out) == (1, True, True)
    status, found = search("hack", "guess", "--solution", "guess/submissions/accepted/right.py", *FEW, capsys=capsys)
    assert (status, found["found"]) == (0, False)
    assert "no accepted solution is known: what is found may be the fault of the problem" in str(found["notes"])


@pytest.mark.thorough
def test_an_interactor_that_may_need_an_answer_needs_an_accepted_solution(capsys: CapSys) -> None:
    write_guess()
    write("guess/data/secret/1.ans", "500\n")
    write("guess/output_validators/v.py", INTERACTOR.replace("argv[1]", "argv[2]"))
    status, _, err = search_text("hack", "guess", "--solution", "guess/submissions/accepted/right.py", capsys=capsys)
    assert status == 2
    assert "may need the answer of an input" in err
    wrong = "guess/submissions/wrong_answer/wrong.py"
    status, found = hack("guess", "--solution", wrong, *FEW, capsys=capsys)
    assert (status, found["found"]) == (0, False), "nothing is blamed that only lacks the answer"


def test_a_problem_without_programs_is_refused(capsys: CapSys) -> None:
    for name, text in PACKAGE.items():
        write(f"largest/{name}", text)
    write("largest/problem.yaml", "name: x\nproblem_format_version: 2025-09\ntype: submit-answer\nuuid: 1\n")
    status, _, err = search_text(
        "hack", "largest", "--solution", "largest/submissions/wrong_answer/wrong.py", capsys=capsys
    )
    assert status == 2
    assert "wants outputs, not programs; `judge hack` and `stress` search for inputs of programs" in err


@pytest.mark.thorough
def test_a_weak_technique_of_the_source_is_attacked(capsys: CapSys) -> None:
    """Random inputs of this size hardly ever make the recursion deep."""
    sort = "def sort(a):\n    if len(a) < 2: return a\n    pivot, *rest = a\n"
    sort += "    return [*sort([x for x in rest if x < pivot]), pivot, *sort([x for x in rest if x >= pivot])]\n"
    write("quick.py", f"{sort}input()\nprint(*sort(list(map(int, input().split()))))\n")
    write("right.py", "input()\nprint(*sorted(map(int, input().split())))\n")
    write("in.yaml", "- n: 1..1500\n- a: {list: 1..1000000000, count: n}\n")
    options = ("--reference", "right.py", "--input", "in.yaml", "--max-inputs", "60")
    _, found = hack("quick.py", *options, capsys=capsys)
    assert (found["verdict"], str(found["strategy"])[:44]) == ("RTE", "values in an order that is bad for sorting w")
