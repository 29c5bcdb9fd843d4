"""Answers that runs can read, since they lie in what every run is shown."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from judge.events import Notice
from judge.model import InFile, Problem
from judge.runner.plan import Selection
from judge.sandbox.paths import shown_by


def exposed_answers(selections: Iterable[Selection], programs: Iterable[str]) -> Iterator[Notice]:
    """Yield a notice for each folder with problems or cases that runs are shown.

    Args:
        selections: what is judged.
        programs: interpreters that run solutions, besides our own: absolute paths.
    """
    tools = list(programs)
    for folder in sorted({folder for each in selections for folder in _folders(each.problem)}):
        if shown := shown_by(os.path.realpath(folder), tools):
            text = f"{folder} lies in {shown}, which runs are shown: a solution can read its answers; keep it elsewhere"
            yield Notice(text=text)


def _folders(problem: Problem) -> Iterator[Path]:
    """Yield where a problem and its cases lie, as the first case shows it."""
    if problem.folder:
        yield problem.folder.parent
    if problem.cases:
        case = problem.cases[0]
        yield case.origin.parent
        yield from (data.path.parent for data in (case.input, case.answer) if isinstance(data, InFile))
