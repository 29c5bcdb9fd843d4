"""Programs are compiled ahead on all workers, only if they are needed, and a run never waits for another's compiler."""

import json
import os
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from judge.cli.main import run_cli

SOURCE = '#include <stdio.h>\nint main(void) {{ puts("1"); return 0 * {number}; }}\n'
SOLUTIONS = 4


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with four solutions; the compiler takes half a second and records when it begins and ends."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no gcc on this machine")
    tools = tmp_path / "tools"
    tools.mkdir()
    script = (
        f"#!/bin/sh\ndate +%s%N > times\nsleep 0.5\n"
        f'{compiler} "$@" || exit 1\nstatus=$?\ndate +%s%N >> times\nexit $status\n'
    )
    (tools / "gcc").write_text(script)
    (tools / "gcc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    cases = tmp_path / "cases"
    cases.mkdir()
    for number in range(3):
        (cases / f"{number}.in").write_text("1\n")
        (cases / f"{number}.ans").write_text("1\n")
    for number in range(SOLUTIONS):
        (tmp_path / f"{number}.c").write_text(SOURCE.format(number=number))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*options: str) -> int:
    solutions = [word for number in range(SOLUTIONS) for word in ("-s", f"{number}.c")]
    return run_cli(["run", *solutions, "--cases", "cases", *options])


def state() -> Path:
    return Path(os.environ["XDG_CACHE_HOME"])


def compiled() -> list[tuple[int, int]]:
    """Return when each compiler in the build cache began and ended."""
    files = sorted(state().rglob("programs/*/times"))
    return sorted((int(first), int(last)) for first, last in (file.read_text().split() for file in files))


def overlaps(times: list[tuple[int, int]]) -> int:
    return sum(second[0] < first[1] for first, second in pairwise(times))


def test_compilers_run_on_all_workers(log: Path) -> None:
    assert log.exists()
    assert run("-j", "2") == 0
    times = compiled()
    assert len(times) == SOLUTIONS
    assert overlaps(times) >= 1


def test_one_worker_compiles_one_program_after_the_other(log: Path) -> None:
    assert log.exists()
    assert run("-j", "1") == 0
    assert overlaps(compiled()) == 0


def test_nothing_is_compiled_whose_results_are_known(log: Path) -> None:
    assert run("-j", "2") == 0
    shutil.rmtree(next(state().rglob("programs")))
    (log / "2.c").write_text(SOURCE.format(number=7))
    assert run("-j", "2") == 0
    assert len(compiled()) == 1


def test_fail_fast_compiles_nothing_after_the_failure(log: Path) -> None:
    (log / "0.c").write_text(SOURCE.format(number=0).replace('"1"', '"2"'))
    assert run("-j", "1", "--fail-fast") == 1
    assert len(compiled()) == 1


def test_the_events_say_how_many_are_left(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert log.exists()
    monkeypatch.setattr("judge.runner.run._PATIENCE", 0.1)
    assert run("-j", "2", "--format", "jsonl") == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    left = [event["remaining"] for event in events if event["event"] == "compiling"]
    assert left[0] == SOLUTIONS
    assert left == sorted(left, reverse=True)
    assert left[-1] >= 1
