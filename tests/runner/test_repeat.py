"""`--repeat`: how often a solution passes, which cases wobble, and that the cache keeps no draw."""

import re
from pathlib import Path
from shutil import which

import pytest

from judge.model import CaseResult, Verdict
from judge.runner import cache
from judge.runner.repeat import least_rate
from tests.cli.command_line import CapSys, judge
from tests.files import write_files

CASES = {"1.in": "1\n", "1.ans": "1\n", "2.in": "2\n", "2.ans": "2\n"}
WOBBLES = "import random\nn = int(input())\nprint(n if n == 1 or random.random() < 0.5 else 0)\n"


@pytest.mark.parametrize(
    ("passes", "runs", "rate"), [(0, 5, 0.0), (299, 299, 0.99003), (199, 200, 0.97650), (1, 2, 0.02532)]
)
def test_the_least_rate_is_that_of_clopper_and_pearson(passes: int, runs: int, rate: float) -> None:
    assert least_rate(passes, runs) == pytest.approx(rate, abs=1e-5)


@pytest.mark.parametrize(
    ("sure", "runs", "rate"), [(0.9, 29, 90.2), pytest.param(None, 299, 99.0, marks=pytest.mark.thorough)]
)
def test_a_solution_that_wobbles_is_reported_with_its_case(  # noqa: PLR0917 - pytest gives them by name
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys, sure: float | None, runs: int, rate: float
) -> None:
    monkeypatch.chdir(write_files(tmp_path, CASES | {"a.py": WOBBLES, "b.py": "print(input())\n"}))
    if sure is not None:  # else as shipped
        monkeypatch.setattr("judge.runner.repeat._SURE", sure)
    _, out, err = judge("run", "a.py", "b.py", "--repeat", "until-sure", "-f", "short", capsys=capsys)
    warning = next(line for line in out.splitlines() if ": warning: " in line)
    assert warning.startswith("a.py:1:1: warning: passes ")
    assert f"{tmp_path.name}/2 fails in 3: WA: " in warning
    assert f"{tmp_path.name}/1" not in warning
    assert f"b.py: passes {runs} of {runs} runs; at least {rate}% at 95% confidence" in err


def test_what_never_ran_has_no_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    files = {"a.c": "int main(void) { return }\n", "a.sh": "echo 1\n", "open/c.py": "print(1)\n", "open/1.in": "1\n"}
    monkeypatch.chdir(write_files(tmp_path, CASES | files))
    monkeypatch.setattr("judge.languages.tools.find_program", lambda name, **_: None if name == "bash" else which(name))
    for name in ("a.c", "a.sh", "open/c.py"):
        _, out, err = judge("run", name, "--repeat", "2", "-f", "short", capsys=capsys)
        assert " of 2 runs" not in out + err, name


def test_an_error_of_the_judge_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    monkeypatch.chdir(write_files(tmp_path, CASES | {"a\nb.py": "print(input())\n"}))
    monkeypatch.setattr(
        "judge.runner.repeat.judge_one", lambda _, job: CaseResult(case=job[1].case, verdict=Verdict.JE, reason="why")
    )
    _, out, err = judge("run", "a\nb.py", "--repeat", "until-sure", "-f", "short", capsys=capsys)
    assert out == ""
    assert "note: a\\nb.py is not repeated after 0 runs: " in err
    assert err.endswith("is JE: why\n")


def test_the_cache_keeps_no_result_that_depends_on_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(write_files(tmp_path, CASES | {"a.py": "import sys, random\nprint(input())\n"}))
    for _ in range(2):
        assert "2 runs in" in judge("run", "a.py", capsys=capsys)[1]


DRAWS = """\
import random
import sys, random
import os, secrets as s
from random import *
from time import time
from secrets import randbelow
time.time_ns()
datetime.now()
np.random.rand(3)
srand (time (NULL));
srand(time( 0 ));
int x = rand () % 6;
t = clock ();
clock_gettime(CLOCK_MONOTONIC, &t);
mt19937 g(1);
auto t = chrono::steady_clock::now();
Collections.shuffle(a);
System.nanoTime()
Math.random()
x = Random.nextInt(5)
t := time.Now()
Randomize;
x := Random(10);
my $x = int(rand(10));
a.shuffle.first
DateTime.Now.Ticks
"""
NO_DRAWS = """\
import sys, math
int operand(int x);
brand(3)
double runtime(double x);
strand(1); mktime(0)
# the order is random
bool random_access = true;
int time = 0;
"""


def test_what_draws_or_reads_the_clock_is_known_from_its_source() -> None:
    assert [line for line in DRAWS.splitlines() if not re.search(cache._CHANCE, line.encode())] == []
    assert [line for line in NO_DRAWS.splitlines() if re.search(cache._CHANCE, line.encode())] == []


def test_a_wrong_number_is_an_error(capsys: CapSys) -> None:
    status, _, err = judge("run", "--repeat", "often", capsys=capsys)
    assert (status, err.splitlines()[0]) == (
        2,
        "judge: --repeat often: expected `until-sure` or a number from 1 to 100000",
    )
