"""A watch in a pipe, a file or a log: lines are added, none is ever taken back."""

import time
from typing import TextIO

from judge.events import Event, Notice, RunEnded
from judge.reporters.canvas import write_notice
from judge.reporters.escape import ASCII, PLAIN, one_line
from judge.reporters.plain import PlainReporter
from judge.reporters.reporter import OutputOptions, shows_unicode
from judge.reporters.watch_view import BatchStarted, Status, WatchView


class WatchLog(WatchView):
    """Writes each round as `judge run` does in a pipe, between a line that says why and one that says how all stands.

    Args:
        stdout, stderr: for results, and for notices.
        heading: what is watched.
    """

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions, heading: str) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._options = options
        self._marks = PLAIN if shows_unicode(stdout) else ASCII
        self._round: PlainReporter | None = None
        self._write(f"watching {heading}")

    def begin(self, outset: BatchStarted, before: Status) -> None:  # noqa: ARG002 - a screen needs it
        """Say that a round begins; its events follow."""
        for phrase in outset.phrases():
            self._write(phrase)
        for notice in outset.notices:
            write_notice(notice, self._stderr)
        self._round = PlainReporter(self._stdout, self._stderr, self._options)

    def early(self, event: Event) -> None:
        """Say nothing: the round says the same for good."""

    def handle(self, event: Event) -> None:
        """Take an event of the round."""
        is_cut = isinstance(event, RunEnded) and event.interrupted  # `end` says so
        if self._round is not None and not is_cut:
            self._round.handle(event)

    def end(self, standing: Status) -> None:
        """Say that the round is over, or was broken off by a change."""
        self._round = None
        outcome = "as expected" if standing.as_expected else "NOT AS EXPECTED"
        then = "broken off" if standing.waiting else "waiting for changes"
        self._write(f"{outcome}: {standing.headline()}; {then}", "")

    def remark(self, text: str) -> None:
        """Say something about the watching itself."""
        write_notice(Notice(text=text), self._stderr)

    def redraw(self) -> None:
        """Do nothing: what is written stays."""

    def close(self) -> None:
        """Leave nothing in the buffer."""
        self._stdout.flush()

    def _write(self, *texts: str) -> None:
        now = time.strftime("%H:%M:%S")
        for text in texts:
            self._stdout.write(f"[{now}] {one_line(text, self._marks)}\n" if text else "\n")
        self._stdout.flush()
