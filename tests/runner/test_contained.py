"""An error of the judge about one solution costs that solution alone, and the message says what to report."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.cli.main import run_cli

CapSys = pytest.CaptureFixture[str]
REPORT = "please report it with"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a case, a solution that fails, and one that is right."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    for name, text in {"tests/1.in": "", "tests/1.ans": "7\n", "a.py": "exit(1)\n", "b.py": "print(7)\n"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def fail_about(found: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a function that fails if one of its arguments is about a file."""

    def fail(*args: object, **kwargs: object) -> object:
        if name in repr((args, kwargs)):
            raise IndexError("no\nsuch index")
        return found(*args, **kwargs)

    return fail


@pytest.mark.parametrize(
    "where",
    [
        "judge.runner.hints.describe_missing",
        "judge.runner.solution.read_source",
        "judge.languages.build.build",
        "judge.runner.solution.program_fingerprint",
        "judge.runner.solution.judge_job",
        "judge.judging.judge.restore_paths",
    ],
)
def test_an_error_about_one_solution_costs_that_one(
    monkeypatch: pytest.MonkeyPatch, capsys: CapSys, where: str
) -> None:
    module, _, name = where.rpartition(".")
    found = getattr(__import__(module, fromlist=[name]), name)
    monkeypatch.setattr(where, fail_about(found, "a.py"))
    status = run_cli(["run", "-f", "json"])
    first, second = json.loads(capsys.readouterr().out)["problems"][0]["solutions"]
    assert second["verdict"] == "AC"
    if where.endswith(("read_source", "program_fingerprint")):  # they are tried again, or only the cache needs them
        assert (status, first["verdict"]) == (1, "RTE")
    else:
        assert (status, first["verdict"]) == (2, "JE")
        assert "IndexError: no\nsuch index (test_contained.py, line " in first["cases"][0]["reason"]
        assert REPORT in first["cases"][0]["reason"]


def test_a_result_that_cannot_be_shown_ends_neither_the_run_nor_well(
    monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    from judge.reporters.plain import PlainReporter

    monkeypatch.setattr(PlainReporter, "handle", fail_about(PlainReporter.handle, "SolutionJudged(problem=Problem"))
    assert run_cli(["run", "b.py", "-f", "plain"]) == 2
    assert REPORT in "".join(capsys.readouterr())


def test_an_error_about_one_row_costs_that_one(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    from judge.grading import grade_row

    rows = [{"id": each, "code": "print(7)", "tests": [{"input": "", "output": "7"}]} for each in ("good", "bad")]
    (folder / "rows").write_text("\n".join(map(json.dumps, rows)))
    monkeypatch.setattr(grade_row, "_Runs", fail_about(grade_row._Runs, "id='bad'"))
    assert run_cli(["grade", "rows", "-o", "out"]) == 1
    grades = {each["id"]: each for each in map(json.loads, (folder / "out").read_text().splitlines())}
    assert (grades["good"]["score"], grades["bad"]["score"], grades["bad"]["verdict"]) == (1.0, None, "JE")
    assert REPORT in grades["bad"]["fault"]


@pytest.mark.parametrize("error", [IndexError(2), RecursionError(), MemoryError()], ids=repr)
def test_an_error_of_the_judge_is_status_2_in_every_command(
    monkeypatch: pytest.MonkeyPatch, capsys: CapSys, error: Exception
) -> None:
    def fail(_: object) -> None:
        raise error

    monkeypatch.setattr("judge.cli.main._run", fail)
    assert run_cli(["list"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last):\n")
    assert err.endswith(f"judge: this is an error of the judge; {REPORT} the lines above\n")
