"""Limits and a checker from the command line apply to the judged runs; the test data is prepared without them."""

import json
from pathlib import Path

import pytest

from judge.cli.main import run_cli

CapSys = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one case, t/a, and a solution."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "t").mkdir()
    (tmp_path / "t/a.in").write_text("1 3\n")
    (tmp_path / "t/a.ans").write_text("0.33333\n")
    (tmp_path / "third.py").write_text("a, b = map(int, input().split())\nprint(a / b)\n")
    return tmp_path


def judged(capsys: CapSys, *argv: str) -> dict[str, object]:
    """Judge; return the first case of the first solution's report."""
    capsys.readouterr()
    run_cli(["run", "-f", "json", *argv])
    out, _ = capsys.readouterr()
    case: dict[str, object] = json.loads(out)["problems"][0]["solutions"][0]["cases"][0]
    return case


def verdict(capsys: CapSys, *argv: str) -> object:
    return judged(capsys, "-s", "third.py", "--cases", "t", *argv)["verdict"]


@pytest.mark.usefixtures("folder")
def test_a_float_tolerance_forgives_digits(capsys: CapSys) -> None:
    assert verdict(capsys) == "WA"
    assert verdict(capsys, "--float-tolerance", "1e-4") == "AC"
    assert verdict(capsys, "--float-tolerance", "1e-9") == "WA"


def test_a_checker_decides(folder: Path, capsys: CapSys) -> None:
    (folder / "third.py").write_text("print('0.33333  ')\n")
    assert verdict(capsys) == "AC"
    assert verdict(capsys, "--checker", "exact") == "PE"
    assert verdict(capsys, "--checker", "lines") == "AC"


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        ("while True: pass", ("--time-limit", "0.2"), "TLE"),
        ("while True: pass", ("--time-limit", "200 ms"), "TLE"),
        ("import time; time.sleep(9)", ("--time-limit", "0.1"), "TLE"),
        ("x = b'x' * (99 << 20)", ("--memory-limit", "64"), "MLE"),
        ("x = b'x' * (99 << 20); print(0.33333)", ("--memory-limit", "1 GiB"), "AC"),
    ],
)
def test_limits_hold(folder: Path, capsys: CapSys, source: str, words: tuple[str, str], expected: str) -> None:
    (folder / "third.py").write_text(source + "\n")
    assert verdict(capsys, *words) == expected


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--time-limit", "x"], "--time-limit x: expected a time with its unit, such as `2 s` or `800 ms`"),
        (["--time-limit", "0"], "greater than zero"),
        (["--time-limit", "nan"], "--time-limit nan: expected a time"),
        (["--time-limit", "1e-1"], "found `1e-1`; a bare number is in s"),
        (["--time-limit", "9" * 29], "expected at most 1440 min"),
        (["--memory-limit", "9" * 27], "expected at most 1024 GiB"),
        (["--memory-limit", "64 MB"], "found the unit `MB`"),
        (["--float-tolerance", "abc"], "--float-tolerance abc: expected a number such as 1e-6"),
        (["--float-tolerance", "-1"], "--float-tolerance -1: expected a number such as 1e-6"),
        (["--float-tolerance", "inf"], "--float-tolerance inf: expected a number such as 1e-6"),
        (
            ["--checker", "exact", "--float-tolerance", "1e-6"],
            "the checker exact has no float tolerance: add `--checker tokens`",
        ),
    ],
)
def test_an_invalid_value_is_one_clear_error(capsys: CapSys, words: list[str], message: str) -> None:
    assert run_cli(["run", "-s", "third.py", "--cases", "t", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("Traceback")) == ("", 0)
    assert message in err


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the problem `sums`, whose reference computes the answers; the current folder."""
    monkeypatch.chdir(tmp_path)
    assert run_cli(["new", "sums"]) == 0
    return tmp_path


@pytest.mark.thorough
def test_overrides_do_not_apply_to_the_programs_of_a_problem(repository: Path, capsys: CapSys) -> None:
    reference = repository / "solutions/sums/accepted/split.py"
    text = reference.read_text()
    busy = "import time\nuntil = time.process_time() + 0.3\nwhile time.process_time() < until: pass\n"
    reference.write_text(busy + text)
    mine = repository / "mine.py"
    mine.write_text(text)
    case = judged(capsys, "sums", "-s", str(mine), "--case", "statement", "--time-limit", "0.2")
    assert case["verdict"] == "AC"
    case = judged(capsys, "sums", "-s", str(reference), "--case", "statement", "--time-limit", "0.2")
    assert case["verdict"] == "TLE"
    case = judged(capsys, "sums", "-s", str(reference), "--case", "statement")
    assert case["verdict"] == "AC"


@pytest.mark.usefixtures("folder")
def test_the_rerun_command_has_the_options(capsys: CapSys) -> None:
    words = ("--float-tolerance", "1e-9", "--memory-limit", "64 MiB")
    run_cli(["run", "-s", "third.py", "--cases", "t", *words, "-f", "plain"])
    out, _ = capsys.readouterr()
    (rerun,) = (line for line in out.splitlines() if line.startswith("  rerun "))
    assert "--memory-limit '64 MiB' --float-tolerance 1e-09" in rerun
    assert "64.0 MiB; checker tokens, float_absolute_tolerance 1e-09" in out


def test_a_tolerance_for_a_problem_with_another_checker_is_refused(repository: Path, capsys: CapSys) -> None:
    problem = repository / "problems/sums/problem.yaml"
    problem.write_text(problem.read_text().replace("checker: lines", "checker: exact"))
    capsys.readouterr()
    assert run_cli(["run", "sums", "--float-tolerance", "1e-6"]) == 2
    assert "the checker exact has no float tolerance: add `--checker tokens`" in capsys.readouterr().err


def test_a_tolerance_applies_to_the_cases_not_to_the_checker_of_the_problem(repository: Path, capsys: CapSys) -> None:
    problem = repository / "problems/sums/problem.yaml"
    problem.write_text(problem.read_text().replace("checker: lines", "checker: exact"))
    for cases in (repository / "testcases/sums").glob("*.yaml"):
        cases.write_text(f"checker: tokens\n{cases.read_text()}")
    capsys.readouterr()
    assert run_cli(["run", "sums", "-s", "solutions/sums/accepted/split.py", "--float-tolerance", "1e-6"]) == 0
