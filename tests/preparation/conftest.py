"""Fixtures: a small problem in files, where its data is kept, and workers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.model import DEFAULT_LIMITS, CheckerConfig, Problem
from judge.model.programs import JudgeProgram
from judge.preparation.cases import DataStore
from judge.runner.executors import LocalExecutor
from tests.preparation.sums import GENERATORS, SUM, VALIDATE, make_store


@pytest.fixture(scope="session")
def executor(all_folders: Path) -> Iterator[LocalExecutor]:
    with LocalExecutor(2, work_folder=all_folders) as made:
        yield made


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    for name, text in (("make.py", GENERATORS), ("ref.py", SUM), ("ind.py", SUM), ("validate.py", VALIDATE)):
        (tmp_path / name).write_text(text)
    return Problem(
        id="sums",
        name="Sums",
        limits=DEFAULT_LIMITS,
        checker=CheckerConfig(name="lines"),
        folder=tmp_path,
        validator=JudgeProgram(source=tmp_path / "validate.py"),
        generators=(tmp_path / "make.py",),
        reference=tmp_path / "ref.py",
        independent=tmp_path / "ind.py",
        lock=tmp_path / "cases.lock",
    )


@pytest.fixture
def store(tmp_path: Path) -> DataStore:
    return make_store(tmp_path)
