"""The programs of `bench.bench_sanitize` are what it says; the bench itself judges them."""

from pathlib import Path

import pytest

from bench import bench_sanitize
from bench.bench_sanitize import CLEAN, find_warnings, read_programs, write_program


def test_each_program_has_cases_and_a_name_of_its_own() -> None:
    programs = read_programs()
    assert sum(len(group) for kind, group in programs.items() if kind != CLEAN) == 100
    for kind, group in programs.items():
        assert len({program.name for program in group}) == len(group), kind
        assert all(program.cases and program.source for program in group), kind


def test_a_program_that_is_never_accepted_counts_as_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_sanitize, "TRIES", 1)
    right, *_ = (program for program in read_programs()[CLEAN] if program.name == "sorted-set")
    path = str(Path(write_program(right, tmp_path)).relative_to(tmp_path))
    assert find_warnings([path], tmp_path) == (set(), {path: []})
    Path(tmp_path, path).write_text("print(1)")
    assert find_warnings([path], tmp_path) == ({path}, {path: []})
