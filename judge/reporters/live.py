"""Lines that are redrawn on a terminal: the progress of a run, or one line about how far something else is.

They are removed before any other output, and however the command ends. Any other stream gets a log.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self, TextIO

from judge.model.events import Event
from judge.reporters import OutputOptions, Verbosity, can_redraw, screen_glyphs, wants_colour
from judge.reporters.progress import FRAMES_PER_SECOND, LOG_INTERVAL_S, Progress, ProgressView, log_progress

if TYPE_CHECKING:  # only a terminal needs them
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text


class LiveProgress(ProgressView):
    """Shows the progress line on a terminal that can redraw it."""

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        self._progress = Progress(glyphs=screen_glyphs(stream, options.environment))
        self._live = make_live(stream, options, self._render)

    def _render(self, console: "Console") -> "Text":
        from judge.reporters.canvas import render_line

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


class StatusLine:
    """A line that is redrawn on a terminal that can do so, and written every few seconds to any other stream.

    Leaving its context removes it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._last = time.monotonic()
        self._text: Callable[[], str] = str
        self._live = make_live(stream, OutputOptions(), self._render) if can_redraw(stream, OutputOptions()) else None

    def __enter__(self) -> Self:
        """Return the line, of which nothing is shown yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the line."""
        if self._live is not None:
            self._live.stop()

    def show(self, text: Callable[[], str]) -> None:
        """Show a text, which is called whenever the line is drawn."""
        self._text = text
        if self._live is not None:
            self._live.start()
        elif (now := time.monotonic()) >= self._last + LOG_INTERVAL_S:
            self._last = now
            self._stream.write(text() + "\n")
            self._stream.flush()

    def _render(self, _: "Console") -> "Text":
        from rich.text import Text

        return Text(self._text())


def make_live(stream: TextIO, options: OutputOptions, render: "Callable[[Console], Text]") -> "Live":
    """Return what redraws a text, cut at the end of the line, until it is stopped."""
    from rich.live import Live

    from judge.reporters.canvas import make_console

    console = make_console(stream, options, options.width, has_colour=wants_colour(stream, options))

    def draw() -> "Text":
        text = render(console)
        text.no_wrap, text.overflow = True, "crop"
        return text

    return Live(
        console=console,
        get_renderable=draw,
        refresh_per_second=FRAMES_PER_SECOND,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
