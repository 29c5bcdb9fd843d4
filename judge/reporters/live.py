"""The live line on standard error; it is gone before anything else is written, and the cursor is back after any end."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from judge.events import Event
from judge.reporters.canvas import styled
from judge.reporters.progress import Progress
from judge.reporters.reporter import Options, can_redraw, shows_unicode, wants_colour
from judge.reporters.visible import ASCII, UNICODE


class LiveLine:
    """Shows the progress where the stream is a terminal; elsewhere it does nothing."""

    def __init__(self, stream: TextIO, options: Options) -> None:
        self._progress = Progress(marks=UNICODE if shows_unicode(stream) else ASCII)
        self._live: Live | None = None
        if can_redraw(stream, options):
            self._live = self._make(stream, options)

    def _make(self, stream: TextIO, options: Options) -> Live:
        console = Console(
            file=stream,
            width=options.width,
            force_terminal=True,
            color_system="standard" if wants_colour(stream, options) else None,
            no_color=False,
            legacy_windows=False,
            _environ=options.environment,  # what we were told, as for everything else
        )
        return Live(
            console=console,
            get_renderable=lambda: self._text(console.width),
            refresh_per_second=8,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def _text(self, columns: int) -> Text:
        text = styled(self._progress.line(time.monotonic(), columns - 1))
        text.no_wrap, text.overflow = True, "crop"
        return text

    def listen(self, event: Event) -> None:
        """Take in one event; the line appears with the first."""
        self._progress.listen(event, time.monotonic())
        if self._live:
            self._live.start()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Take the line away while something else is written."""
        shown = self._live is not None and self._live.is_started
        self.stop()
        yield
        if self._live and shown:
            self._live.start()

    def stop(self) -> None:
        """Take the line away and show the cursor."""
        if self._live:
            self._live.stop()
