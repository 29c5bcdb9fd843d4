"""Sessions of a command: opened with signal handling, and judged with progress on the terminal."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from judge.commands.signals import stop_on_signal
from judge.errors import DataError, JudgeError
from judge.events import Event, Notice, RunEnded
from judge.executors import Interrupted
from judge.workspace.options import SessionOptions
from judge.workspace.session import Session, require_level
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported while the first sandbox starts
    from judge.history.history import History
    from judge.history.records import SolutionRecord
    from judge.workspace.select import Selection


@contextmanager
def open_session(workspace: Workspace, options: SessionOptions | None = None) -> Iterator[Session]:
    """Open a session that a signal interrupts; everything is cleaned up at the end, however it comes.

    Raises:
        UsageError: this machine does not offer the required sandbox level.
        KeyboardInterrupt: a signal asked to stop, and the block did not handle it.
    """
    with stop_on_signal() as stop, workspace.open_session(options) as session:  # signals last, until all is cleaned up
        try:
            stop.attach(session.executor)
            if session.options.required_level is not None:
                require_level(session.executor.level, session.options.required_level)
            yield session
        except Interrupted:
            raise KeyboardInterrupt from None
        finally:
            stop.start_clean_up()


def judge_records(session: Session, selection: "Selection") -> "list[SolutionRecord]":
    """Judge a selection with progress on standard error; return a record of each solution, to be compared.

    Raises:
        KeyboardInterrupt: a signal asked to stop; half of a comparison is of no use.
        JudgeError: some test data is wrong.
    """
    from judge.history.recorder import Collector

    collector = Collector()
    for event in _show_progress(session.run(selection)):
        collector.handle(event)
    _require_complete(collector.end, selection)
    return collector.records


def _show_progress(events: Iterable[Event]) -> Iterator[Event]:
    from judge.reporters.lines import write_notice
    from judge.reporters.progress import LiveProgress
    from judge.reporters.reporter import OutputOptions

    live = LiveProgress(sys.stderr, OutputOptions())
    try:
        for event in events:
            live.handle(event)
            if isinstance(event, Notice):
                with live.hide():
                    write_notice(event, sys.stderr)
            yield event
    finally:
        live.stop()


def _require_complete(end: RunEnded | None, selection: "Selection") -> None:
    if end is None or end.interrupted:
        raise KeyboardInterrupt
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    if end.had_errors:
        raise JudgeError("the test data or the judge has errors (see above); nothing is compared or saved")


def warn_about_history(history: "History") -> None:
    """Print why a history knows less than it should."""
    if history.warning:
        from judge.reporters.lines import write_notice

        write_notice(Notice(text=history.warning), sys.stderr)
