"""A watch on a terminal: one page on the alternate screen, drawn anew only when something on it changes."""

import os
import time
from dataclasses import replace
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from judge.events import CaseJudged, Event, Notice, Preparing, RunBegan, RunEnded, SolutionBegan, SolutionJudged
from judge.reporters.canvas import styled
from judge.reporters.escape import ASCII, UNICODE, one_line
from judge.reporters.lines import DisplayOptions
from judge.reporters.progress import Progress
from judge.reporters.reporter import OutputOptions, shows_unicode, wants_colour
from judge.reporters.watch_view import KEYS, BatchStarted, Page, Status, WatchView, page_lines

_REDRAW_EVERY_S = 0.1  # while a round goes on


class WatchScreen(WatchView):
    """Shows a watch as one page.

    Args:
        stdout: a terminal.
        heading: what is watched.
        has_keys: keys can be pressed.
    """

    def __init__(self, stdout: TextIO, options: OutputOptions, heading: str, *, has_keys: bool) -> None:
        self._stdout = stdout
        self._options = options
        self._marks = UNICODE if shows_unicode(stdout) else ASCII
        self._page = Page(heading=heading, keys=KEYS if has_keys else "Ctrl-C quit")
        self._progress = Progress(marks=self._marks)
        self._drawn = 0.0
        columns, rows = self._size()
        self._console = Console(
            file=stdout,
            width=columns,
            height=rows,
            force_terminal=True,
            color_system="standard" if wants_colour(stdout, options) else None,
            no_color=False,
            legacy_windows=False,
        )
        self._live = Live(
            console=self._console,
            get_renderable=self._rendered,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def begin(self, outset: BatchStarted, before: Status) -> None:
        """Say that a round begins; its events follow."""
        self._progress = Progress(marks=self._marks)
        happened = "; ".join(outset.phrases()) or self._page.happened
        self._show(
            replace(
                self._page,
                standing=before,
                happened=happened,
                notices=outset.notices,
                edited=outset.edited or self._page.edited,
                early={},
                judging=f"{outset.solutions:,}" if outset.solutions else "",
            )
        )

    def early(self, event: Event) -> None:
        """Take an event of the cases that are judged before all others; the round judges them again."""
        if isinstance(event, SolutionJudged):
            known = {**self._page.early, (event.problem.id, event.result.solution.shown): event.result}
            self._show(replace(self._page, early=known))

    def handle(self, event: Event) -> None:
        """Take an event of the round."""
        self._progress.listen(event, time.monotonic())
        match event:
            case RunBegan(level=level):
                self._page = replace(self._page, level=level)
            case Notice():
                self._show(replace(self._page, notices=[*self._page.notices, event]))
            case RunEnded():
                self._page = replace(self._page, ended=event)
            case Preparing() | SolutionBegan() | CaseJudged() if time.monotonic() - self._drawn > _REDRAW_EVERY_S:
                done = f"{self._progress.now}  {self._progress.done:,}/{self._progress.total:,}"
                self._show(replace(self._page, judging=done))
            case _:
                pass

    def end(self, standing: Status) -> None:
        """Say that the round is over, or was broken off by a change."""
        self._show(replace(self._page, standing=standing, judging="", early={}, clock=time.strftime("%H:%M:%S")))

    def remark(self, text: str) -> None:
        """Say something about the watching itself."""
        self._show(replace(self._page, happened=text))

    def redraw(self) -> None:
        """Show the same once more: the window has another size. Called from any thread."""
        if self._live.is_started:
            self._draw()

    def close(self) -> None:
        """Give the terminal back, and say on it how all stood; may be called twice."""
        if not self._live.is_started:
            return
        self._live.stop()
        mark = self._marks.ok if self._page.standing.as_expected else self._marks.bad
        headline = f"{mark} {one_line(self._page.heading, self._marks)}: {self._page.standing.headline()}"
        self._stdout.write(headline + "\n")
        self._stdout.flush()

    def _show(self, page: Page) -> None:
        self._page = page
        self._drawn = time.monotonic()
        self._draw()

    def _draw(self) -> None:
        self._console.size = self._size()
        self._live.refresh()

    def _rendered(self) -> Text:
        look = DisplayOptions(width=self._console.width, marks=self._marks)
        text = Text("\n").join(styled(each) for each in page_lines(self._page, look, self._console.height))
        text.no_wrap, text.overflow = True, "crop"
        return text

    def _size(self) -> tuple[int, int]:
        """Return the window's columns and rows; `COLUMNS` and `LINES` tell what they were once."""
        try:
            columns, rows = os.get_terminal_size(self._stdout.fileno())
        except (OSError, ValueError):
            columns, rows = 0, 0
        return self._options.width or columns or 80, rows or 24
