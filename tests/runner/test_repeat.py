"""`--repeat`: how often a solution passes, which cases wobble, and that the cache keeps no draw."""

from pathlib import Path

import pytest

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


def test_a_solution_that_wobbles_is_reported_with_its_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(write_files(tmp_path, CASES | {"a.py": WOBBLES, "b.py": "print(input())\n"}))
    _, out, err = judge("run", "a.py", "b.py", "--repeat", "until-sure", "-f", "short", capsys=capsys)
    warning = next(line for line in out.splitlines() if ": warning: " in line)
    assert warning.startswith("a.py:1:1: warning: passes ")
    assert f"{tmp_path.name}/2 fails in 3: WA: " in warning
    assert f"{tmp_path.name}/1" not in warning
    assert "b.py: passes 299 of 299 runs; at least 99.0% at 95% confidence" in err


def test_the_cache_keeps_no_result_that_depends_on_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(write_files(tmp_path, CASES | {"a.py": "import random\nprint(input())\n"}))
    for _ in range(2):
        assert "2 runs in" in judge("run", "a.py", capsys=capsys)[1]


def test_a_wrong_number_is_an_error(capsys: CapSys) -> None:
    status, _, err = judge("run", "--repeat", "often", capsys=capsys)
    assert (status, err.splitlines()[0]) == (
        2,
        "judge: --repeat often: expected `until-sure` or a number from 1 to 100000",
    )
