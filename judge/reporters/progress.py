"""The progress line of a run on standard error. It is removed before any other output, and however the run ends."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from rich.live import Live
from rich.text import Text

from judge.events import CaseJudged, Event, Preparing, ProblemBegan, RunBegan, SolutionBegan, SolutionJudged
from judge.reporters.canvas import make_console, render_line
from judge.reporters.escape import ASCII, UNICODE, Glyphs, one_line, pad, shorten, width
from judge.reporters.lines import Line, Span, Style, make_line
from judge.reporters.reporter import OutputOptions, can_redraw, supports_unicode, wants_colour

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ASCII_FRAMES = "|/-\\"
_FRAMES_PER_SECOND = 8
_MIN_NAME, _MAX_NAME = 16, 44
_BAR_WIDTH = 24


@dataclass(slots=True, kw_only=True)
class Progress:
    """The state of a run, as far as the progress line shows it.

    Attributes:
        done_before: cases before those of the current solution.
        start: when the first solution began, in seconds on the clock of the caller; None before that.
    """

    glyphs: Glyphs
    total: int = 0
    done: int = 0
    done_before: int = 0
    current: str = ""
    start: float | None = None

    def handle(self, event: Event, clock: float) -> None:
        """Take in an event; `clock` is in seconds."""
        match event:
            case RunBegan(runs=runs):
                self.total = runs
            case Preparing(problem=problem, inputs_left=left) if left:
                self.current = f"{self._text(problem.id)} generating inputs, {left:,} left"
            case Preparing(problem=problem, done=done, total=total):
                self.current = f"{self._text(problem.id)} preparing test data {done:,}/{total:,}"
            case ProblemBegan(problem=problem):
                self.current = self._text(problem.id)
            case SolutionBegan(problem=problem, solution=solution):
                name = "/".join(solution.display_path.split("/")[-2:])  # the expectation and the file
                self.current = self._text(f"{problem.id} {name}")
                self.start = clock if self.start is None else self.start
                self.done_before = self.done
            case CaseJudged():
                self.done += 1
            case SolutionJudged(result=result):  # perhaps without events for its cases
                self.done = self.done_before + result.total
            case _:
                pass

    def _text(self, text: str) -> str:
        return one_line(text, self.glyphs)

    def line(self, clock: float, columns: int) -> Line:
        """Return the line to show at a time; if it does not fit, the least important parts are left out."""
        frames = _ASCII_FRAMES if self.glyphs.ascii_only else _FRAMES
        frame = frames[int(clock * _FRAMES_PER_SECOND) % len(frames)]
        facts = [f"{self.done:,}/{self.total:,}", *self._speed(clock)]
        while len(facts) > 1 and _MIN_NAME + len("  ".join(facts)) + 4 > columns:
            facts.pop()
        tail = "  ".join(facts)
        available = max(columns - len(tail) - 4, 1)
        has_bar = available - _BAR_WIDTH - 2 >= _MIN_NAME
        name_width = min(available - _BAR_WIDTH - 2, _MAX_NAME) if has_bar else available
        name = shorten(self.current, name_width, self.glyphs.ellipsis)
        bar: Line = ()
        if has_bar:
            share = self.done / self.total if self.total else 0
            bar = (Span(pad("", name_width - width(name) + 2)), *bar_spans(share, _BAR_WIDTH, self.glyphs))
        return make_line(Span(f"{frame} ", Style.COMMAND), name, *bar, Span(f"  {tail}", Style.DIM))

    def _speed(self, clock: float) -> list[str]:
        elapsed = clock - self.start if self.start is not None else 0
        if not self.done or elapsed <= 0:
            return []
        rate = self.done / elapsed
        left = max(self.total - self.done, 0) / rate
        return [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s", f"{_format_clock(left)} left"]


def bar_spans(share: float, columns: int, glyphs: Glyphs, style: Style = Style.COMMAND) -> Line:
    """Return a bar that is filled to a share, which is limited to 0 to 1."""
    halves = round(min(max(share, 0), 1) * columns * 2)
    filled = glyphs.bar * (halves // 2) + glyphs.half * (halves % 2)
    return Span(filled, style), Span(glyphs.rest * (columns - len(filled)), Style.DIM)


def _format_clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class LiveProgress:
    """Shows the progress line if the stream is a terminal; otherwise it does nothing."""

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        self._progress = Progress(glyphs=UNICODE if supports_unicode(stream) else ASCII)
        self._live = self._make_live(stream, options) if can_redraw(stream, options) else None

    def _make_live(self, stream: TextIO, options: OutputOptions) -> Live:
        console = make_console(stream, options, options.width, has_colour=wants_colour(stream, options))
        return Live(
            console=console,
            get_renderable=lambda: self._render(console.width),
            refresh_per_second=_FRAMES_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def _render(self, columns: int) -> Text:
        text = render_line(self._progress.line(time.monotonic(), columns - 1))
        text.no_wrap, text.overflow = True, "crop"
        return text

    def handle(self, event: Event) -> None:
        """Take in an event; the first one makes the line appear."""
        self._progress.handle(event, time.monotonic())
        if self._live:
            self._live.start()

    @contextmanager
    def hide(self) -> Iterator[None]:
        """Remove the line while something else is written."""
        was_shown = self._live is not None and self._live.is_started
        self.stop()
        yield
        if self._live and was_shown:
            self._live.start()

    def stop(self) -> None:
        """Remove the line and show the cursor."""
        if self._live:
            self._live.stop()
