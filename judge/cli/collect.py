"""Judging for a comparison: all that is selected, with progress on a terminal, as sheets."""

import sys
from collections.abc import Sequence

from judge.cli.select import Chosen
from judge.errors import DataError, Diagnostic, JudgeError
from judge.events import Notice, RunEnded
from judge.executors import LocalExecutor
from judge.history.recorder import Collector
from judge.history.records import SolutionRecord
from judge.history.results import ResultStore
from judge.preparation.cases import DataStore
from judge.reporters.lines import write_notice
from judge.reporters.progress import LiveProgress
from judge.reporters.reporter import OutputOptions as Showing
from judge.runner import RunOptions, run


def sheets_of(
    chosen: Chosen, executor: LocalExecutor, store: DataStore, results: ResultStore, *, fresh: bool = False
) -> list[SolutionRecord]:
    """Judge what is chosen; return what is to be remembered of each solution.

    Raises:
        KeyboardInterrupt: somebody asked to stop; half of a comparison is none.
        JudgeError: some test data is wrong, so that nothing can be said.
    """
    collector = Collector()
    live = LiveProgress(sys.stderr, Showing())
    try:
        for event in run(chosen.selections, executor, RunOptions(store=store, results=results, fresh=fresh)):
            collector.handle(event)
            live.handle(event)
            if isinstance(event, Notice):
                with live.hide():
                    write_notice(event, sys.stderr)
    finally:
        live.stop()
    _check(collector.end, chosen.diagnostics)
    return collector.sheets


def _check(end: RunEnded | None, diagnostics: Sequence[Diagnostic]) -> None:
    if end is None or end.interrupted:
        raise KeyboardInterrupt
    if diagnostics:
        raise DataError(diagnostics)
    if end.had_errors:
        raise JudgeError("the test data or the judge is at fault (see above); nothing is compared or saved")
