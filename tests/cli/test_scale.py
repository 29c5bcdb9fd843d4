"""`judge scale` measures growth with real runs, and says clearly what cannot be measured."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.judging.judge import run_submission
from judge.model import FileNames, Limits
from judge.runner.executors import Interrupted
from judge.sandbox.box import Box, Command, Outcome
from judge.scaling import experiment as scaling
from judge.scaling.experiment import Experiment
from judge.scaling.plot import SVG_START
from judge.scaling.result import Point
from judge.scaling.sized_inputs import ScalingOptions
from judge.workspace.session import Session
from judge.workspace.workspace import SourceSelection
from tests.cli.command_line import PAGE, CapSys, held_by, judge, write

GENERATOR = "import sys\nn = int(sys.argv[1])\nprint(n)\nprint(*range(n))\n"
SUM = "n = int(input())\nprint(sum(map(int, input().split())))\n"
# From 64 elements on, it fails; before, it needs no time.
FRAGILE = SUM + "assert n < 64, 'too deep'\n"
PAIRS = "n = int(input())\nprint(sum(i ^ j for i in range(n) for j in range(n)))\n"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each run take 60 ms by the clock of the experiment, so that `--time` means a number of runs."""
    runs = 0
    init, run = Experiment.__init__, Box.run

    def count_run(box: Box, command: Command, limits: Limits) -> Outcome:
        nonlocal runs
        runs += 1
        return run(box, command, limits)

    def start(self: Experiment, source: SourceSelection, session: Session, options: ScalingOptions) -> None:
        init(self, source, session, options, clock=lambda: 0.06 * runs)

    monkeypatch.setattr(Box, "run", count_run)
    monkeypatch.setattr(Experiment, "__init__", start)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"gen.py": GENERATOR, "sum.py": SUM, "fragile.py": FRAGILE, "pairs.py": PAIRS}.items():
        write(tmp_path / name, text)
    return tmp_path


@pytest.mark.thorough
def test_a_slow_program_is_measured_up_to_its_limit(folder: Path, capsys: CapSys) -> None:
    given = ("scale", "pairs.py", "--gen", "gen.py", "--time-limit", "200 ms", "--time", "6", "--svg", "plot.svg")
    status, out, err = judge(*given, "-f", "json", capsys=capsys)
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["version"] == 1
    assert found["inputs"] == "gen.py {n} {seed}"
    assert found["largest_by"] == "time limit"
    sizes = [each["size"] for each in found["points"]]
    assert sizes == sorted(set(sizes))
    assert 50 < found["largest"] < 20_000
    assert found["time"]["exponent"]["low"] > 1
    assert fromstring((folder / "plot.svg").read_text()).tag.endswith("svg")


@pytest.mark.usefixtures("folder", "interrupted_page")
def test_a_crash_at_some_size_is_found_and_fails(capsys: CapSys) -> None:
    status, out, _ = judge("scale", "fragile.py", "--gen", "gen.py", "--time", "5", "-f", "json", *PAGE, capsys=capsys)
    found = json.loads(out)
    assert held_by("page.html", "<svg ", "too deep") == found
    assert status == 1
    assert found["failure"]["verdict"] == "RTE"
    assert "too deep" in found["failure"]["reason"]
    assert found["failure"]["size"] >= 64
    assert found["largest"] is not None
    assert found["largest"] < 64


@pytest.mark.usefixtures("folder")
def test_the_report_for_people_has_a_plot(capsys: CapSys) -> None:
    given = ("--gen", "gen.py {n}", "--max", "64", "--time", "4", "--min", "2")
    status, out, _ = judge("scale", "sum.py", *given, capsys=capsys)
    assert status == 0
    assert out.startswith("sum.py: ")
    assert "inputs    gen.py {n}: n = 2 to 64" in out
    assert "largest   n = 64: all sizes are within" in out
    assert "verified " in out


NATIVE = {
    "problems/sums/problem.yaml": "name: Sums\nprofile: icpc\nlimits: {time: 1 s}\ngenerators: [generators/g.py]\n",
    "problems/sums/generators/g.py": "def numbers(random, count=2, top=1):\n"
    "    return [str(count), ' '.join(str(random.randint(0, top)) for _ in range(count))]\n",
    "testcases/sums/large.yaml": "cases:\n- {name: all, generate: numbers, parameters: {count: 64, top: 9}, seed: 1, "
    "answer: '0'}\n",
    "solutions/sums/accepted/sum.py": SUM,
}


def test_a_generator_of_the_problem_and_its_largest_number_are_found(folder: Path, capsys: CapSys) -> None:
    for name, text in NATIVE.items():
        write(folder / name, text)
    given = ("solutions/sums/accepted/sum.py", "--time", "4", "-f", "json")
    status, out, _ = judge("scale", *given, capsys=capsys)
    found = json.loads(out)
    assert status == 0
    assert found["inputs"] == "numbers(count={n}, top=9)"
    assert (found["size_name"], found["largest_wanted"], found["largest"]) == ("count", 64, 64)
    assert found["time_limit_s"] == 1.0
    _, _, err = judge("scale", *given, "--gen", "numbers", "--size", "colour", capsys=capsys)
    assert "the generator numbers has no parameter `colour` that is a number" in err


def test_a_generator_of_the_problem_may_be_a_program(folder: Path, capsys: CapSys) -> None:
    script = "import sys\nn = int(sys.argv[1][4:])\nprint(n)\nprint(*([sys.argv[2]] * n))\n"
    entry = "{name: all, generate: script, parameters: {n: 64}, answer: '0'}"
    more = {"problems/sums/generators/script.py": script, "testcases/sums/script.yaml": f"cases:\n- {entry}\n"}
    for name, text in {**NATIVE, **more}.items():
        write(folder / name, text.replace("[generators/g.py]", "[generators/g.py, generators/script.py]"))
    given = ("solutions/sums/accepted/sum.py", "--time", "1", "-f", "json", "--gen")
    _, out, err = judge("scale", *given, "script", capsys=capsys)
    assert (json.loads(out)["inputs"], json.loads(out)["largest_wanted"]) == ("script.py --n={n} {seed}", 64), err
    _, _, err = judge("scale", *given, "scrip", capsys=capsys)
    assert "--gen scrip: no such file, and not a generator of the cases (numbers, script)" in err


def test_the_grammar_of_the_problem_makes_inputs(folder: Path, capsys: CapSys) -> None:
    for name, text in NATIVE.items():
        write(folder / name, text)
    grammar = "input:\n- {n: 1..200}\n- {a: {list: 0..9, count: n}}\n"
    write(folder / "problems/sums/problem.yaml", NATIVE["problems/sums/problem.yaml"] + grammar)
    given = ("solutions/sums/accepted/sum.py", "--gen", "grammar", "--time", "4", "-f", "json")
    status, out, err = judge("scale", *given, capsys=capsys)
    assert status == 0, err
    found = json.loads(out)
    assert (found["size_name"], found["largest_wanted"]) == ("n", 200)


PACKAGE = {
    "problem.yaml": "problem_format_version: 2023-07-draft\nname: Sums\nlimits: {time_limit: 1.0}\n",
    "generators/generators.yaml": "solution: /submissions/accepted/sum.py\ndata:\n  sample:\n    data: {}\n"
    "  secret:\n    data:\n    - big: make.py --top 1000000 40 {seed}\n",
    "generators/make.py": "import sys\nn = int(sys.argv[3])\nprint(n)\nprint(*([sys.argv[2]] * n))\n",
    "submissions/accepted/sum.py": SUM,
}


@pytest.mark.thorough
def test_the_argument_of_a_package_generator_that_is_the_size_is_found(folder: Path, capsys: CapSys) -> None:
    for name, text in PACKAGE.items():
        write(folder / "sums" / name, text)
    status, out, err = judge("scale", "sums/submissions/accepted/sum.py", "--time", "4", "-f", "json", capsys=capsys)
    assert status == 0, err
    found = json.loads(out)
    assert found["inputs"] == "make.py --top 1000000 {n} {seed}"
    assert found["largest_wanted"] == 40


@pytest.mark.thorough
@pytest.mark.usefixtures("folder")
def test_what_was_measured_before_an_interruption_is_reported(capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = Experiment.measure

    def stop(experiment: Experiment) -> Iterator[Point]:
        for number, point in enumerate(measure(experiment)):
            yield point
            if number == 7:
                raise Interrupted

    monkeypatch.setattr(Experiment, "measure", stop)
    status, out, err = judge("scale", "pairs.py", "--gen", "gen.py", "-f", "json", capsys=capsys)
    assert (status, err) == (130, "judge: interrupted\n")
    found = json.loads(out)
    assert (len(found["points"]), found["verification"]) == (8, None)
    assert found["law"]
    assert found["warnings"][0].startswith("interrupted")


def simulate(monkeypatch: pytest.MonkeyPatch, cost: Callable[[int], float]) -> None:
    """Let a run on an input of size n take `cost(n)` seconds."""

    def run(command: Command, names: FileNames | None, limits: Limits, box: Box) -> Outcome:
        outcome = run_submission(command, names, limits, box)
        assert isinstance(command.stdin, bytes)
        return replace(outcome, result=replace(outcome.result, cpu=Seconds(cost(int(command.stdin.split()[0])))))

    monkeypatch.setattr(scaling, "run_submission", run)


SCALE = ("scale", "sum.py", "--gen", "gen.py", "--time", "5", "-f", "json")


@pytest.mark.usefixtures("folder")
def test_a_program_that_becomes_slower_than_the_law_says(capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    simulate(monkeypatch, lambda size: 0.01 + 1e-4 * size + 5e-5 * max(0, size - 10_000))
    _, out, _ = judge(*SCALE, capsys=capsys)
    found = json.loads(out)
    assert 0.9 * 16_600 < found["largest"] <= 16_600
    assert found["verification"]["within_limits"]


@pytest.mark.usefixtures("folder")
def test_a_repeated_run_that_is_disturbed_does_not_count(capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set[int]()

    def cost(size: int) -> float:
        is_repeated = size in seen
        seen.add(size)
        return 5 if is_repeated else 0.01 + 1e-4 * size

    simulate(monkeypatch, cost)
    _, out, _ = judge(*SCALE, capsys=capsys)
    assert json.loads(out)["law"] == "n"
    assert json.loads(out)["failure"] is None


def test_a_crash_at_the_predicted_size_is_reported_as_one(
    folder: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "sum.py", SUM + "assert n < 19_000, 'too deep'\n")
    simulate(monkeypatch, lambda size: 0.01 + 1e-4 * size)
    status, out, _ = judge(*SCALE, "--max", "100000", capsys=capsys)
    found = json.loads(out)
    largest = max(each["size"] for each in found["points"])
    assert status == 1
    assert found["failure"]["verdict"] == "RTE"
    assert found["failure"]["size"] == 19_000
    assert found["largest"] == found["verification"]["size"] == largest < 19_000
    assert "too deep" in found["largest_by"]


@pytest.mark.usefixtures("folder")
def test_the_reason_of_a_time_limit_has_both_times(capsys: CapSys) -> None:
    _, _, err = judge("scale", "pairs.py", "--gen", "gen.py", "--min", "5000", "--time-limit", "200 ms", capsys=capsys)
    assert "TLE at the smallest size, n = 5000: more than 200 ms of CPU time; the limit is 200 ms; choose" in err


SAME = "print(7)\n"
PICKY = "import sys\nn = int(sys.argv[1])\nassert n > 5\nprint(n)\nprint(*range(n))\n"


@pytest.mark.parametrize(
    ("words", "files", "message"),
    [
        (["nothing.py", "--gen", "gen.py"], {}, "nothing.py: no such file"),
        (["sum.py"], {}, "no generator of inputs is known; name one: --gen gen.py"),
        (["sum.py", "--gen", "make.py"], {}, "--gen make.py: no such file"),
        (["sum.py", "--gen", "gen.py 5"], {}, "--gen gen.py 5: put {n} where the size goes"),
        (["sum.py", "--gen", "gen.py '{n}"], {}, "No closing quotation"),
        (["sum.py", "--gen", "broken.py"], {"broken.py": "x ="}, "broken.py: the generator does not compile"),
        (["sum.py", "--gen", "failing.py"], {"failing.py": "import sys; sys.exit('no')"}, "`failing.py 4 1` fails"),
        (
            ["echo.py", "--gen", "same.py"],
            {"same.py": SAME, "echo.py": "print(input())"},
            "makes the same input of 2 B",
        ),
        (
            ["sum.py", "--gen", "one.py"],
            {"one.py": "import sys\nprint(sys.argv[1])"},
            "RTE at the smallest size, n = 4",
        ),
        (["broken.py", "--gen", "gen.py"], {"broken.py": "x ="}, "broken.py does not compile"),
        (["loop.py", "--gen", "gen.py", "--time-limit", "0.1"], {"loop.py": "while 1: pass"}, "at the smallest size"),
        (["sum.py", "--gen", "gen.py", "--min", "9", "--max", "9"], {}, "--min 9: expected less than --max 9"),
        (["sum.py", "--gen", "gen.py", "--max", "0"], {}, "--max 0: expected a number from 1 to 1000000000000000000"),
        (["sum.py", "--gen", "gen.py", "--size", "n"], {}, "--size n: only for the problem's own generators"),
        (["sum.py", "--svg", "my.svg"], {"my.svg": "<svg/>"}, "my.svg: exists, and is not a plot of judge; choose an"),
        (["sum.py", "--svg", "own.svg"], {"own.svg": SVG_START}, "no generator of inputs is known"),
    ],
    ids=lambda each: each[:30] if isinstance(each, str) else None,
)
def test_what_cannot_be_measured(
    words: list[str], files: dict[str, str], message: str, folder: Path, capsys: CapSys
) -> None:
    for name, text in files.items():
        write(folder / name, text)
    status, out, err = judge("scale", *words, "--time", "3", capsys=capsys)
    assert (status, out) == (2, "")
    assert message in err


def test_a_generator_that_needs_more_elements_gets_them(folder: Path, capsys: CapSys) -> None:
    write(folder / "picky.py", PICKY)
    status, out, _ = judge(
        "scale", "sum.py", "--gen", "picky.py", "--max", "200", "--time", "3", "-f", "json", capsys=capsys
    )
    assert status == 0
    assert json.loads(out)["points"][0]["size"] == 16
