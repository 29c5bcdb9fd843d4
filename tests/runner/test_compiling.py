"""A compiler that takes long is reported while it runs."""

import json
import shutil
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from judge.reporters import progress
from judge.runner import run


@pytest.fixture
def slow_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A C compiler that takes a second longer, first on PATH."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no gcc on this machine")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gcc").write_text(f'#!/bin/sh\nsleep 1\nexec {compiler} "$@"\n')
    (tools / "gcc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    monkeypatch.setattr(run, "_PATIENCE", 0.2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cases = tmp_path / "cases"
    cases.mkdir()
    (cases / "1.in").write_text("1\n")
    (cases / "1.ans").write_text("1\n")
    (tmp_path / "a.c").write_text('#include <stdio.h>\nint main(void) { puts("1"); }\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("slow_compiler", "folder")
def test_events_tell_for_how_long_a_solution_has_been_compiling(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["run", "-s", "a.c", "--cases", "cases", "--format", "jsonl"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    compiling = [event for event in events if event["event"] == "compiling"]
    assert [event["path"] for event in compiling] == ["a.c"] * len(compiling)
    assert len(compiling) >= 2
    assert 0 < compiling[0]["elapsed_s"] < compiling[-1]["elapsed_s"]


@pytest.mark.usefixtures("slow_compiler", "folder")
def test_a_log_says_what_is_being_compiled(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "LOG_INTERVAL_S", 0.5)
    assert run_cli(["run", "-s", "a.c", "--cases", "cases", "--format", "plain"]) == 0
    out, err = capsys.readouterr()
    assert "compiling" not in out
    assert "running 0/1: cases compiling a.c, " in err
