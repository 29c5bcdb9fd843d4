"""`judge stress`: a wrong, a crashing and a slow program, shrunk inputs, other programs' faults, and what is kept."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.cli.command_line import FEW, PAGE, CapSys, held_by, judge, search, search_text, write
from tests.parameters import first_of

stress = partial(search, "stress")

GENERATOR = """\
import random, sys
random.seed(int(sys.argv[-1]))
n = random.randint(1, 12)
print(n)
print(*(random.randint(-9, 9) for _ in range(n)))
"""
FUNCTIONS = """\
def numbers(random, n=100):
    k = random.randint(1, n)
    return f"{k}\\n{' '.join(str(random.randint(-9, 9)) for _ in range(k))}\\n"
"""
READ = "n = int(input())\na = list(map(int, input().split()))\n"
RIGHT = READ + "print(max(a))\n"
WRONG = READ + "print(max(0, max(a)))\n"
CRASHING = READ + "if n > 2: a[n]\nprint(max(a))\n"
SLOW = READ + "while n > 4: pass\nprint(max(a))\n"
RANDOM = READ + "import os\nprint(os.urandom(4).hex())\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, text in {
        "gen.py": GENERATOR, "functions.py": FUNCTIONS, "right.py": RIGHT, "wrong.py": WRONG, "crashing.py": CRASHING,
        "slow.py": SLOW, "random_output.py": RANDOM,
    }.items():  # fmt: skip
        write(name, text)
    return tmp_path


@pytest.mark.parametrize("generator", first_of(["gen.py", "functions.py", "gen.py 7 {seed}"], 2))
def test_a_wrong_answer_is_found_and_shrunk(generator: str, capsys: CapSys) -> None:
    status, found = stress("wrong.py", "right.py", "--gen", generator, *PAGE, capsys=capsys)
    assert status == 1
    assert held_by("page.html", "WA on an input of 2 tokens", "<mark>-1</mark>", "<mark>0</mark>") == found
    assert (found["verdict"], found["input"], found["expected"], found["output"]) == ("WA", "1\n-1\n", "-1\n", "0\n")
    assert (found["tokens"], found["found"], found["is_confirmed"]) == (2, True, True)


def test_a_crash_stays_the_same_crash(capsys: CapSys) -> None:
    status, found = stress("crashing.py", "--gen", "gen.py", capsys=capsys)
    assert (status, found["verdict"], found["tokens"]) == (1, "RTE", 4)
    assert "IndexError" in str(found["reason"])


@pytest.mark.thorough
def test_a_program_that_is_too_slow(capsys: CapSys) -> None:
    status, found = stress("slow.py", "right.py", "--gen", "gen.py", "--time-limit", "100 ms", capsys=capsys)
    assert (status, found["verdict"], found["tokens"]) == (1, "TLE", 6)


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
@pytest.mark.parametrize(("reference", "status"), first_of([("right.py", 1), ("a.cpp", 0)], 1))
def test_a_compiled_solution(reference: str, status: int, capsys: CapSys) -> None:
    """It may be its own reference: then one of its two programs is the reference's, too."""
    write("a.cpp", "#include <iostream>\nint main() { int n, x; std::cin >> n >> x; std::cout << x << '\\n'; }\n")
    assert stress("a.cpp", reference, "--gen", "gen.py", *FEW, capsys=capsys)[0] == status


def test_equal_programs(capsys: CapSys) -> None:
    status, found = stress("right.py", "right.py", "--gen", "gen.py", *FEW, capsys=capsys)
    assert (status, found["found"], found["verdict"], found["inputs"], found["seed"]) == (0, False, None, 15, 1)


def test_a_reference_that_crashes_is_named_and_nothing_is_found(capsys: CapSys) -> None:
    status, out, _ = search_text("stress", "right.py", "crashing.py", "--gen", "gen.py", *FEW, capsys=capsys)
    assert status == 0
    assert "note: crashing.py crashes on " in out
    assert "IndexError" in out


@pytest.mark.thorough
def test_a_reference_that_is_too_slow_for_the_search_is_named(capsys: CapSys) -> None:
    write("sleeping.py", "import time\ntime.sleep(99)\n")
    status, out, _ = judge("stress", "right.py", "sleeping.py", "--gen", "gen.py", "--time", "5", capsys=capsys)
    assert (status, "note: sleeping.py takes longer than " in out) == (2, True)


@pytest.mark.parametrize("text", ["import time\ntime.sleep(99)\n", "def endless(random, n=1):\n    while True: pass\n"])
def test_a_generator_that_does_not_end_is_named_soon(text: str, capsys: CapSys) -> None:
    write("endless.py", text)
    status, _, err = judge("stress", "wrong.py", "--gen", "endless.py", "-j", "1", "--time", "0.5", capsys=capsys)
    assert status == 2
    assert "judge: the generator `endless" in err
    assert "500 ms" in err


def test_a_generator_that_ignores_the_seed_is_named(capsys: CapSys) -> None:
    write("constant.py", "print(1, 5, sep='\\n')\n")
    status, out, _ = search_text(
        "stress", "right.py", "right.py", "--gen", "constant.py", "--max-inputs", "30", capsys=capsys
    )
    assert (status, "note: the generator prints the same input for every seed" in out) == (0, True)


def test_a_reference_that_is_not_deterministic_is_named(capsys: CapSys) -> None:
    status, _, err = search_text("stress", "right.py", "random_output.py", "--gen", "gen.py", *FEW, capsys=capsys)
    assert status == 2
    assert "random_output.py is not deterministic" in err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("none.py", "right.py", "--gen", "gen.py"), "none.py: no such file"),
        (("wrong.py", "right.py", "--gen", "none.py"), "none.py: no such file"),
        (("wrong.py", "right.py"), "without one: judge hack wrong.py --reference right.py"),
        (("wrong.py", "right.py", "--gen", "silent.py"), "prints nothing; expected an input on standard output"),
        (("wrong.py", "right.py", "--gen", "broken.py"), "NameError"),
        (("wrong.py", "syntax.py", "--gen", "gen.py"), "the reference syntax.py does not compile: line 1"),
        (("wrong.py", "right.py", "--gen", "gen.py", "--findings", "0"), "--findings 0: expected a number from 1"),
        (("wrong.py", "right.py", "--gen", "gen.py", "--max-inputs", "0"), "--max-inputs 0: expected a number from 1"),
        (("wrong.py", "right.py", "--gen", "gen.py", "--checker", "no"), "--checker no: no such file"),
    ],
)  # fmt: skip
def test_a_message_names_what_is_wrong(args: tuple[str, ...], message: str, capsys: CapSys) -> None:
    write("silent.py", "pass\n")
    write("broken.py", "print(x)\n")
    write("syntax.py", "print(\n")
    status, _, err = search_text("stress", *args, capsys=capsys)
    assert status == 2
    assert message in err


def test_what_is_found_is_kept_under_free_names(capsys: CapSys) -> None:
    write("tests/wrong/1.in", "1\n1\n")
    write("tests/wrong/1.ans", "1\n")
    search_text("stress", "wrong.py", "right.py", "--gen", "gen.py", "--keep", capsys=capsys)
    assert Path("tests/wrong/2.in").read_bytes() == b"1\n-1\n"
    assert Path("tests/wrong/2.ans").read_bytes() == b"-1\n"
    status, out, _ = judge("run", "wrong.py", "-f", "plain", capsys=capsys)
    assert (status, "1/2 passed" in out) == (1, True)


def test_a_checker_program_decides(capsys: CapSys) -> None:
    write("check.py", "import sys\nsys.exit(42)\n")
    status, found = search(
        "stress", "wrong.py", "right.py", "--gen", "gen.py", "--checker", "check.py", *FEW, capsys=capsys
    )
    assert (status, found["found"]) == (0, False)


@pytest.mark.thorough
def test_several_failures_are_distinct(capsys: CapSys) -> None:
    write("both.py", READ + "if n > 3: a[n]\nprint(max(0, max(a)))\n")
    _, found = stress("both.py", "right.py", "--gen", "gen.py", "--findings", "2", capsys=capsys)
    assert {each["verdict"] for each in found["findings"]} == {"WA", "RTE"}  # type: ignore[attr-defined]


@pytest.mark.thorough
def test_the_input_that_needs_the_most_memory_is_shrunk(capsys: CapSys) -> None:
    write("larger.py", READ + "b = bytearray(sum(each > 5 for each in a) * 5_000_000)\nprint(len(b))\n")
    status, found = stress("larger.py", "--gen", "gen.py", "--largest", *FEW, capsys=capsys)
    count, *numbers = found["slowest"]["input"].split()  # type: ignore[index]
    assert (status, int(count)) == (0, len(numbers))
    assert found["slowest"]["memory_bytes"] > 20_000_000  # type: ignore[index]
    assert all(int(each) > 5 for each in numbers)


@pytest.mark.thorough
def test_the_slowest_input_is_shrunk(capsys: CapSys) -> None:
    write("slower.py", READ + "for _ in range(10**6 if n > 4 else 0): pass\nprint(max(a))\n")
    status, found = stress("slower.py", "--gen", "gen.py", "--slowest", *FEW, capsys=capsys)
    count, *numbers = found["slowest"]["input"].split()  # type: ignore[index]
    assert (status, len(numbers)) == (0, int(count))
    assert 5 <= int(count) <= 8  # of up to 12; how far it comes is a matter of time


@pytest.fixture
def problem(folder: Path, capsys: CapSys) -> Path:
    """A repository with the problem of the scaffold that has a checker, and a generator for it."""
    write("problems/.keep", "")
    for kind, name in (("checker", "terms"), ("interactive", "guess")):
        assert judge("new", name, "--type", kind, capsys=capsys)[0] == 0
    write("numbers.py", "import random, sys\nrandom.seed(int(sys.argv[-1]))\nprint(random.randint(0, 100))\n")
    return folder / "solutions"


@pytest.mark.thorough
def test_the_checker_of_the_problem_decides_unless_another_is_named(problem: Path, capsys: CapSys) -> None:
    files = (str(problem / "terms/accepted/one.py"), str(problem / "terms/accepted/halves.py"), "--gen", "numbers.py")
    status, out, err = search_text("stress", *files, *FEW, capsys=capsys)
    assert (status, "no counterexample found" in out) == (0, True)
    assert "one.py is a solution of terms, whose programs and limits apply" in err
    assert stress(*files, "--checker", "tokens", capsys=capsys)[1]["verdict"] == "WA"


def test_a_grammar_rejects_what_the_generator_should_not_make_and_a_case_is_kept(problem: Path, capsys: CapSys) -> None:
    files = (str(problem / "terms/wrong_answer/even_only.py"), str(problem / "terms/accepted/one.py"))
    write("zeros.py", "import sys\nprint(int(sys.argv[-1]) % 2)\n")
    assert stress(*files, "--gen", "zeros.py", *FEW, capsys=capsys)[1]["runs"] == 0
    _, found = stress(*files, "--gen", "numbers.py", "--keep", capsys=capsys)
    assert (found["input"], found["reason"]) == ("3\n", "the sum is 2, not 3")
    assert "      3\n" in (problem.parent / "testcases/terms/hacks.yaml").read_text()


@pytest.mark.thorough
def test_the_interactor_of_the_problem_talks_to_its_solutions(problem: Path, capsys: CapSys) -> None:
    write("numbers.py", "import sys\nprint(int(sys.argv[-1]) % 100 + 1)\n")
    for name, verdict in (("wrong_answer/counts_up.py", "WA"), ("accepted/bisection.py", None)):
        _, found = stress(str(problem / "guess" / name), "--gen", "numbers.py", *FEW, capsys=capsys)
        assert found["verdict"] == verdict


@pytest.mark.usefixtures("problem")
def test_a_program_that_only_has_the_name_of_a_problem_is_none_of_its_solutions(capsys: CapSys) -> None:
    write("contest/terms.py", "n = int(input())\nprint(n)\n")
    write("contest/brute.py", "n = int(input())\nprint(max(n, 1))\n")
    write("contest/zeros.py", "print(0)\n")
    _, found = stress("contest/terms.py", "contest/brute.py", "--gen", "contest/zeros.py", capsys=capsys)
    assert (found["input"], found["verdict"]) == ("0\n", "WA")


def test_the_reason_is_given_if_no_input_is_valid(problem: Path, capsys: CapSys) -> None:
    write("spaces.py", "import sys\nprint(int(sys.argv[-1]) % 7 + 5, end=' \\n')\n")
    files = (str(problem / "terms/accepted/one.py"), str(problem / "terms/accepted/halves.py"), "--gen", "spaces.py")
    status, found = stress(*files, *FEW, capsys=capsys)
    assert (status, found["runs"]) == (2, 0)
    note = str(found["notes"])
    assert "no input of the generator is valid, such as '" in note
    assert ": the grammar of terms says: line 1, column " in note
    assert "found a space, expected a line end" in note


def test_a_program_that_the_command_names_takes_the_place_of_a_broken_one(problem: Path, capsys: CapSys) -> None:
    write("problems/terms/check.py", "def (\n")
    write("accept.py", "import sys\nsys.exit(42)\n")
    files = (str(problem / "terms/wrong_answer/even_only.py"), str(problem / "terms/accepted/one.py"))
    status, out, err = search_text(
        "stress", *files, "--gen", "numbers.py", *FEW, "--checker", "accept.py", capsys=capsys
    )
    assert (status, "no counterexample found" in out) == (0, True), err
    status, _, err = search_text("stress", *files, "--gen", "numbers.py", *FEW, capsys=capsys)
    assert (status, "check.py" in err) == (2, True)


WORDS = """\
import random, sys
random.seed(int(sys.argv[-1]))
count = random.randint(1, 10)
print(count)
for _ in range(count):
    word = "".join(random.choice("ab") for _ in range(random.randint(1, 9)))
    print(len(word), word, sep="\\n")
"""
VALID_WORDS = """\
import sys
lines = sys.stdin.read().split("\\n")
count, rows, end = int(lines[0]), lines[1:-1], lines[-1]
is_valid = 1 <= count == len(rows) / 2 and not end
sys.exit(42 if is_valid and all(len(word) == int(n) > 0 for n, word in zip(rows[::2], rows[1::2])) else 43)
"""


@pytest.mark.thorough
def test_inputs_shrink_as_far_with_a_validator_as_without_one(capsys: CapSys) -> None:
    """The suspect does not reset what it counts: two words are needed, and two counts follow from each that goes."""
    write("words.py", WORDS)
    write("val.py", VALID_WORDS)
    read = "total = 0\nfor _ in range(int(input())):\n    input()\n"
    write("right.py", read + "    print(input().count('a'))\n")
    write("wrong.py", read + "    total += input().count('a')\n    print(total)\n")
    for more in ((), ("--validator", "val.py")):
        assert stress("wrong.py", "right.py", "--gen", "words.py", *more, capsys=capsys)[1]["tokens"] == 5


@pytest.mark.thorough
def test_a_case_that_is_kept_has_the_answer_unless_another_program_computes_it(problem: Path, capsys: CapSys) -> None:
    """The reference is the suspect; another limit, checker or validator than the problem's makes no case."""
    write("solutions/terms/accepted/halves.py", (problem / "terms/wrong_answer/even_only.py").read_text())
    files = (str(problem / "terms/accepted/halves.py"), str(problem / "terms/accepted/one.py"), "--gen", "numbers.py")
    search_text("stress", *files, "--keep", "--time-limit", "1", capsys=capsys)
    assert not Path("testcases/terms/hacks.yaml").exists()
    assert Path("stress/1.in").read_text() == "3\n"
    search_text("stress", *files, "--keep", capsys=capsys)
    assert "answer: |\n      2 1\n" in Path("testcases/terms/hacks.yaml").read_text()


def test_a_case_file_to_which_nothing_can_be_appended_stays_as_it_is(problem: Path, capsys: CapSys) -> None:
    text = "cases: [{name: mine, input: x}]\n"
    path = write("testcases/terms/hacks.yaml", text)
    files = (str(problem / "terms/wrong_answer/even_only.py"), str(problem / "terms/accepted/one.py"))
    search_text("stress", *files, "--gen", "numbers.py", "--keep", capsys=capsys)
    assert path.read_text() == text
