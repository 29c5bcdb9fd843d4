"""One line about how far something is, on standard error; a run of solutions has its own, in `progress` and `live`."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self, TextIO

from judge.reporters import OutputOptions, can_redraw, wants_colour

if TYPE_CHECKING:  # only a terminal needs them
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text


class StatusLine:
    """A line that is redrawn on a terminal that can do so, and written now and then to any other stream.

    Leaving its context removes it.

    Args:
        stream: where to write.
        interval: seconds between two lines of a stream that keeps them.
    """

    def __init__(self, stream: TextIO, interval: float) -> None:
        self._stream = stream
        self._interval = interval
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
        elif (now := time.monotonic()) >= self._last + self._interval:
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
    from judge.reporters.progress import FRAMES_PER_SECOND

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
