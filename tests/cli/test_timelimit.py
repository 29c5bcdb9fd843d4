"""`judge timelimit` proposes a limit and shows the margins on both sides."""

import json
from pathlib import Path

import pytest

from judge.base.units import Seconds
from judge.cli.commands.timelimit import render_margins
from judge.cli.main import run_cli
from judge.model import TimeRule
from judge.reporters.escape import PLAIN
from judge.timing.time_limit import Margins, SlowestRun
from tests.files import write_files
from tests.report_scenarios import problem, solution

PROBLEM = """\
name: Sums
profile: icpc
limits: {time: 1 s}
"""
BUSY = "import time\nend = time.process_time() + %s\nwhile time.process_time() < end: pass\n"
SUM = "print(sum(map(int, input().split())))\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    write_files(
        tmp_path,
        {
            "problems/sums/problem.yaml": PROBLEM,
            "testcases/sums/sample.yaml": 'cases:\n- {name: one, input: "1 2\\n", answer: "3\\n"}\n',
            "solutions/sums/accepted/quick.py": SUM,
            "solutions/sums/time_limit_exceeded/slow.py": BUSY % 1.3 + SUM,
            "solutions/sums/wrong_answer/zero.py": "print(0)\n",
        },
    )
    return tmp_path


def timelimit(repository: Path, capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    status = run_cli(["-C", str(repository), "timelimit", *args])
    out, err = capsys.readouterr()
    return status, out or err


def test_a_limit_within_its_margins(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "solutions/sums/time_limit_exceeded/slow.py").write_text(BUSY % 1.7 + SUM)
    status, out = timelimit(repository, capsys, "sums")
    assert status == 0
    assert "sums: time limit 1.00 s (problem.yaml)" in out
    assert "accepted/quick.py" in out
    assert "time_limit_exceeded/slow.py" in out
    assert "proposed: 1.00 s" in out
    assert "zero.py" not in out


@pytest.mark.parametrize(
    ("limits", "origin"),
    [
        ("limits: {time: 1 s}", "1.00 s (problem.yaml)"),
        ("limits: {time: 2 s}", "2.00 s (problem.yaml)"),
        ("limits: {memory: 1 GiB}", "2.00 s (the default)"),
        ("", "2.00 s (the default)"),
    ],
)
def test_the_limit_says_what_sets_it(
    repository: Path, capsys: pytest.CaptureFixture[str], limits: str, origin: str
) -> None:
    text = PROBLEM.replace("limits: {time: 1 s}", limits)
    write_files(repository, {"problems/sums/problem.yaml": text})
    (repository / "solutions/sums/time_limit_exceeded/slow.py").unlink()
    assert f"sums: time limit {origin}" in timelimit(repository, capsys, "sums")[1]


def test_the_limit_of_a_file_of_your_own_says_what_sets_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, {"a.py": SUM, "tests/1.in": "1 2\n", "tests/1.ans": "3\n"})
    assert "a: time limit 2.00 s (the default)" in timelimit(tmp_path, capsys, "a.py")[1]
    write_files(tmp_path, {"problem.yaml": "limits: {time: 1 s}\n"})
    assert "a: time limit 1.00 s (set beside the file)" in timelimit(tmp_path, capsys, "a.py")[1]


@pytest.mark.thorough
def test_a_submission_that_is_hardly_too_slow_is_a_problem(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out = timelimit(repository, capsys, "sums", "-f", "json")
    (found,) = json.loads(out)["problems"]
    assert status == 1
    assert "less than 1.5 times the limit" in found["problems"][0]
    assert found["too_slow"][0]["cpu_s"] >= 1.3
    assert not found["too_slow"][0]["exceeds"]
    assert found["proposed_s"] == 1.0


def test_an_accepted_submission_that_fails_is_named(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "solutions/sums/time_limit_exceeded/slow.py").unlink()
    (repository / "solutions/sums/accepted/wrong.py").write_text("print(4)\n")
    _, out = timelimit(repository, capsys, "sums")
    assert "solutions/sums/accepted/wrong.py: WA on sample/one: its times say nothing" in out


def test_a_submission_that_waits_bounds_no_limit(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.timing.time_limit.MAX_LIMIT", Seconds(0.2))  # a start may take half of that
    (repository / "solutions/sums/time_limit_exceeded/slow.py").write_text("import time\ntime.sleep(99)\n")
    (repository / "problems/sums/problem.yaml").write_text(PROBLEM.replace("time: 1 s", "time: 100 ms"))
    (repository / "solutions/sums/accepted/waits.py").write_text("import time\ntime.sleep(99)\n")
    _, out = timelimit(repository, capsys, "sums")
    assert "slow.py  waits on sample/one instead of computing" in out
    assert "too slow takes" not in out
    assert "no limit can be proposed" in out


def test_without_an_accepted_submission_nothing_is_proposed(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "solutions/sums/accepted/quick.py").rename(repository / "solutions/sums/time_limit_exceeded/slow.py")
    _, out = timelimit(repository, capsys, "sums")
    assert "no limit can be proposed: there is no accepted submission" in out


def test_an_unknown_problem_is_an_error(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["-C", str(repository), "timelimit", "summs"]) == 2
    assert "did you mean sums?" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_bars_fit_the_screen_and_the_mark_is_at_the_limit(columns: int) -> None:
    uva = problem()
    fast, slow = solution(uva, "accepted/a.py"), solution(uva, "time_limit_exceeded/b.py")
    margins = Margins(
        problem=uva,
        rule=TimeRule(given=Seconds(2.0), origin="problem.yaml"),
        in_time=[SlowestRun(solution=fast, seconds=Seconds(0.5), case="g/1")],
        too_slow=[SlowestRun(solution=slow, seconds=Seconds(8.0), case="g/2", is_cut=True)],
        proposed=Seconds(1.0),
    )
    lines = render_margins(margins, columns, PLAIN).splitlines()
    bars = [line for line in lines if "=" in line]
    assert max(map(len, bars)) <= max(columns, 52)
    assert {line.index("|") for line in bars} == {next(line for line in lines if "^" in line).index("^")}
