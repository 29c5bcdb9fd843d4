"""The live line on standard error; it is gone before anything else is written, and the cursor is back after any end."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from judge.events import CaseJudged, Event, Preparing, ProblemBegan, RunBegan, SolutionBegan
from judge.reporters.canvas import styled
from judge.reporters.escape import ASCII, UNICODE, Glyphs, one_line, pad, shorten, width
from judge.reporters.lines import Line, Span, Style, line
from judge.reporters.reporter import OutputOptions, can_redraw, shows_unicode, wants_colour

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ASCII_FRAMES = "|/-\\"
_FRAMES_PER_SECOND = 8
_LEAST_NAME, _MOST_NAME = 16, 44
_BAR = 24


@dataclass(slots=True, kw_only=True)
class Progress:
    """What is known of the run so far.

    Attributes:
        began: when the first solution began, on the clock that `line` is asked with; None before.
    """

    marks: Glyphs
    total: int = 0
    done: int = 0
    now: str = ""
    began: float | None = None

    def listen(self, event: Event, clock: float) -> None:
        """Take in one event; `clock` is in seconds."""
        match event:
            case RunBegan(runs=runs):
                self.total = runs
            case Preparing(problem=problem, inputs_left=left) if left:
                self.now = f"{self._text(problem.id)} making inputs, {left:,} left"
            case Preparing(problem=problem, done=done, total=total):
                self.now = f"{self._text(problem.id)} making test data {done:,}/{total:,}"
            case ProblemBegan(problem=problem):
                self.now = self._text(problem.id)
            case SolutionBegan(problem=problem, solution=solution):
                self.now = self._text(_tail(problem.id, solution.shown))
                self.began = clock if self.began is None else self.began
            case CaseJudged():
                self.done += 1
            case _:
                pass

    def _text(self, text: str) -> str:
        return one_line(text, self.marks)

    def line(self, clock: float, columns: int) -> Line:
        """Return the line at a time; what matters least is left out where columns are few."""
        frames = _ASCII_FRAMES if self.marks.ascii_only else _FRAMES
        frame = frames[int(clock * _FRAMES_PER_SECOND) % len(frames)]
        known = [f"{self.done:,}/{self.total:,}", *self._speed(clock)]
        while len(known) > 1 and _LEAST_NAME + len("  ".join(known)) + 4 > columns:
            known.pop()
        tail = "  ".join(known)
        room = max(columns - len(tail) - 4, 1)
        with_bar = room - _BAR - 2 >= _LEAST_NAME
        most = min(room - _BAR - 2, _MOST_NAME) if with_bar else room
        name = shorten(self.now, most, self.marks.cut)
        share = self.done / self.total if self.total else 0
        bar = [Span(pad("", most - width(name) + 2)), *bar_spans(share, _BAR, self.marks)] if with_bar else []
        return line(Span(f"{frame} ", Style.COMMAND), name, *bar, Span(f"  {tail}", Style.DIM))

    def _speed(self, clock: float) -> list[str]:
        elapsed = clock - self.began if self.began is not None else 0
        if not self.done or elapsed <= 0:
            return []
        rate = self.done / elapsed
        left = max(self.total - self.done, 0) / rate
        return [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s", f"{_clock(left)} left"]


def bar_spans(share: float, columns: int, marks: Glyphs, role: Style = Style.COMMAND) -> Line:
    """Return a bar that is filled to a share; less than nothing is empty, more than all is full."""
    halves = round(min(max(share, 0), 1) * columns * 2)
    filled = marks.bar * (halves // 2) + marks.half * (halves % 2)
    return Span(filled, role), Span(marks.rest * (columns - len(filled)), Style.DIM)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _tail(problem: str, shown: str) -> str:
    """Return the problem and the last two parts of a path, which name the expectation and the file."""
    return f"{problem} {'/'.join(shown.split('/')[-2:])}"


class LiveLine:
    """Shows the progress where the stream is a terminal; elsewhere it does nothing."""

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        self._progress = Progress(marks=UNICODE if shows_unicode(stream) else ASCII)
        self._live: Live | None = None
        if can_redraw(stream, options):
            self._live = self._make(stream, options)

    def _make(self, stream: TextIO, options: OutputOptions) -> Live:
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
