"""The progress line on a terminal. It is removed before any other output, and however the run ends."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.text import Text

from judge.events import Event
from judge.reporters import OutputOptions, Verbosity, can_redraw, supports_unicode
from judge.reporters.canvas import render_line
from judge.reporters.escape import ASCII, UNICODE
from judge.reporters.progress import Progress, ProgressView, log_progress
from judge.reporters.status_line import make_live


class LiveProgress(ProgressView):
    """Shows the progress line on a terminal that can redraw it."""

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        self._progress = Progress(glyphs=UNICODE if supports_unicode(stream, options.environment) else ASCII)
        self._live = make_live(stream, options, self._render)

    def _render(self, console: Console) -> Text:
        return render_line(self._progress.line(time.monotonic(), console.width - 1))

    def handle(self, event: Event) -> None:
        """Take in an event; the first one makes the line appear."""
        now = time.monotonic()
        self._progress.handle(event, now)
        self._live.start()
        for text in self._progress.announce(now):
            self._live.console.print(text)

    @contextmanager
    def hide(self) -> Iterator[None]:
        """Remove the line while something else is written."""
        was_shown = self._live.is_started
        self.stop()
        yield
        if was_shown:
            self._live.start()

    def stop(self) -> None:
        """Remove the line and show the cursor."""
        self._live.stop()


def make_progress(stream: TextIO, options: OutputOptions) -> ProgressView:
    """Return what shows the progress on standard error: a line that is redrawn, else a log."""
    if can_redraw(stream, options) and options.verbosity is not Verbosity.QUIET:
        return LiveProgress(stream, options)
    return log_progress(stream, options)
