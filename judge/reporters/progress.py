"""The progress of a run, or how far something else is: one line, redrawn on a terminal, or lines of a log.

The line is removed before any other output, and however the command ends.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self, TextIO

from msgspec import Struct
from msgspec.structs import replace

from judge.base.units import format_count
from judge.model.events import (
    CaseJudged,
    Compiling,
    Event,
    Preparing,
    ProblemBegan,
    RunBegan,
    RunEnded,
    SolutionBegan,
    SolutionJudged,
)
from judge.reporters import OutputOptions, Verbosity, can_redraw, log_glyphs, screen_glyphs, wants_colour
from judge.reporters.escape import Glyphs, one_line, pad, shorten, width
from judge.reporters.lines import EMPTY, Line, Span, Style, make_line

if TYPE_CHECKING:  # only a terminal needs it
    from rich.text import Text

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ASCII_FRAMES = "|/-\\"
_MIN_NAME, _MAX_NAME = 16, 44
_BAR_WIDTH = 24
_FRAMES_PER_SECOND = 8
LOG_INTERVAL_S = 5  # between two lines of progress in a log


class Progress(Struct, kw_only=True):
    """The state of a run, as far as its progress is shown.

    Attributes:
        done_before: cases before those of the current solution.
        start: when the first solution began, in seconds on the clock of the caller; None before that.
        runs: how many of the results do not come from the cache, which takes almost no time.
        solution: what is being judged: the problem and the solution.
    """

    glyphs: Glyphs
    total: int = 0
    done: int = 0
    done_before: int = 0
    current: str = ""
    start: float | None = None
    runs: int = 0
    solution: str = ""
    _is_announced: bool = False

    def handle(self, event: Event, clock: float) -> None:
        """Take in an event; `clock` is in seconds."""
        match event:
            case CaseJudged(result=result):  # the most frequent event comes first
                self.done += 1
                self.runs += not result.is_cached
                self.current = self.solution  # which is compiled now
            case RunBegan(runs=runs):
                self.total = runs
            case Preparing(problem=problem, inputs_left=left) if left:
                self.current = f"{self._text(problem.id)} generating inputs, {left:,} left"
            case Preparing(problem=problem, runs_left=left) if left:
                self.current = f"{self._text(problem.id)} measuring the time limit, {format_count(left, 'run')} left"
            case Preparing(problem=problem, done=done, total=total):
                self.current = f"{self._text(problem.id)} preparing test data {done:,}/{total:,}"
            case ProblemBegan(problem=problem):
                self.current = self._text(problem.id)
            case SolutionBegan(problem=problem, solution=solution):
                name = "/".join(solution.display_path.split("/")[-2:])  # the expectation and the file
                self.current = self.solution = self._text(f"{problem.id} {name}")
                self.done_before = self.done
                self.start = clock if self.start is None else self.start
            case Compiling(problem=problem, solution=solution, elapsed=elapsed, remaining=remaining):
                name = solution.display_path.split("/")[-1]
                others = f", {remaining:,} left" if remaining > 1 else ""
                self.current = self._text(f"{problem.id} compiling {name}, {elapsed:.0f} s{others}")
            case SolutionJudged(result=result):  # perhaps without events for its cases, which are from the cache then
                self.done = self.done_before + result.total
            case _:
                pass

    def _text(self, text: str) -> str:
        return one_line(text, self.glyphs)

    def line(self, clock: float, columns: int) -> Line:
        """Return the line to show at a time; if it does not fit, the least important parts are left out."""
        frames = _ASCII_FRAMES if self.glyphs.ascii_only else _FRAMES
        frame = frames[int(clock * _FRAMES_PER_SECOND) % len(frames)]
        facts = [f"{self.done:,}/{self.total:,}"]
        if (left := self.seconds_left(clock)) is not None:
            rate = self._rate(clock)
            minutes, rest = divmod(round(left), 60)
            hours, minutes = divmod(minutes, 60)
            time = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
            facts += [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s", f"{time} left"]
        while len(facts) > 1 and _MIN_NAME + len("  ".join(facts)) + 4 > columns:
            facts.pop()
        tail = "  ".join(facts)
        available = max(columns - len(tail) - 4, 1)
        has_bar = available - _BAR_WIDTH - 2 >= _MIN_NAME
        name_width = min(available - _BAR_WIDTH - 2, _MAX_NAME) if has_bar else available
        name = shorten(self.current, name_width, self.glyphs.ellipsis)
        bar: tuple[Span, ...] = ()
        if has_bar:
            share = self.done / self.total if self.total else 0
            bar = (Span(pad("", name_width - width(name) + 2)), *bar_spans(share, _BAR_WIDTH, self.glyphs))
        return make_line(Span(f"{frame} ", Style.COMMAND), name, *bar, Span(f"  {tail}", Style.DIM))

    def log_line(self, clock: float) -> str:
        """Return the line that a log has at a time."""
        if self.start is None:
            return f"preparing: {self.current}"
        left = self.seconds_left(clock)
        about = f", about {format_about(left)} left" if left else ""
        return f"running {self.done:,}/{self.total:,}{about}: {self.current}"

    def announce(self, clock: float) -> Iterator[str]:
        """Yield, once and only if a run takes long, how long it takes: after 5 s, if at least 30 s are left."""
        left = self.seconds_left(clock)
        if self._is_announced or self.start is None or left is None or clock - self.start < 5:
            return
        self._is_announced = True
        if left >= 30:
            whole = format_about(left + clock - self.start)
            yield f"note: these {self.total:,} cases take about {whole}; later runs judge only what changed"

    def seconds_left(self, clock: float) -> float | None:
        """Return about how long the rest takes if it has to be run at the same speed; None if that is unknown."""
        rate = self._rate(clock)
        return max(self.total - self.done, 0) / rate if rate else None

    def _rate(self, clock: float) -> float:
        """Return how many cases are judged per second; 0 if that is unknown: the first runs wait for compilers."""
        elapsed = clock - self.start if self.start is not None else 0
        runs = self.runs or self.done
        return runs / elapsed if elapsed > 0 and runs >= min(10, self.total) else 0


def bar_spans(share: float, columns: int, glyphs: Glyphs, style: Style = Style.COMMAND) -> tuple[Span, ...]:
    """Return a bar that is filled to a share, which is limited to 0 to 1."""
    halves = round(min(max(share, 0), 1) * columns * 2)
    filled = glyphs.bar * (halves // 2) + glyphs.half * (halves % 2)
    return Span(filled, style), Span(glyphs.rest * (columns - len(filled)), Style.DIM)


def format_about(seconds: float) -> str:
    """Return a time as precisely as it is known: `20 s`, `3 min`, `1.5 h`."""
    if seconds < 57.5:
        return f"{max(round(seconds / 5), 1) * 5} s"
    return f"{max(round(seconds / 60), 1)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def progress_beside(report: str, stream: TextIO, options: OutputOptions | None = None) -> OutputOptions:
    """Return how to show progress on a stream beside a report: with `json`, only to a person at a terminal.

    A program that reads the report may read standard error, too.
    """
    options = options or OutputOptions()
    return options if report != "json" or stream.isatty() else replace(options, verbosity=Verbosity.QUIET)


class StatusLine:
    """A line that is redrawn on a terminal that can do so, and written every few seconds to any other stream.

    Leaving its context removes it.

    Args:
        stream: standard error.
        options: how to write; a quiet line is never shown.
        is_log: write whole lines to a terminal, too, as where the report goes to a pipe that ends on it.
        clock: returns seconds.
    """

    def __init__(
        self,
        stream: TextIO,
        options: OutputOptions | None = None,
        *,
        is_log: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        options = options or OutputOptions()
        self._stream = stream
        self._clock = clock
        self._last = clock()
        self._line: Callable[[int], Line] = lambda _: EMPTY
        self._is_quiet = options.verbosity is Verbosity.QUIET
        self._live = None
        if not (is_log or self._is_quiet) and can_redraw(stream, options):
            from rich.live import Live

            from judge.reporters.canvas import make_console, render_line

            console = make_console(stream, options, has_colour=wants_colour(stream, options))

            def draw() -> "Text":
                text = render_line(self._line(console.width - 1))
                text.no_wrap, text.overflow = True, "crop"
                return text

            self._live = Live(
                console=console,
                get_renderable=draw,
                refresh_per_second=_FRAMES_PER_SECOND,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )

    def __enter__(self) -> Self:
        """Return the line, of which nothing is shown yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the line."""
        self.stop()

    def show(self, text: Callable[[], str]) -> None:
        """Show a text, which is called whenever the line is drawn."""
        self._show(lambda _: make_line(text()), lambda: [text()])

    def _show(self, line: Callable[[int], Line], make_log: Callable[[], list[str]]) -> None:
        if self._live is not None:
            self._line = line
            self._live.start()
        elif not self._is_quiet and (now := self._clock()) >= self._last + LOG_INTERVAL_S:
            self._last = now
            self._stream.writelines(f"{text}\n" for text in make_log())
            self._stream.flush()

    @contextmanager
    def hide(self) -> Iterator[None]:
        """Remove the line while something else is written."""
        was_shown = self._live is not None and self._live.is_started
        self.stop()
        yield
        if was_shown and self._live is not None:
            self._live.start()

    def stop(self) -> None:
        """Remove the line and show the cursor. May be called twice."""
        if self._live is not None:
            self._live.stop()


class RunProgress(StatusLine):
    """The progress of a run; the arguments are those of `StatusLine`."""

    def __init__(
        self,
        stream: TextIO,
        options: OutputOptions,
        *,
        is_log: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(stream, options, is_log=is_log, clock=clock)
        make_glyphs = screen_glyphs if self._live is not None else log_glyphs
        self._progress = Progress(glyphs=make_glyphs(stream, options.environment))

    def handle(self, event: Event) -> None:
        """Take in an event; the first one makes the line appear, a log gets one if it is time."""
        now = self._clock()
        self._progress.handle(event, now)
        if isinstance(event, RunEnded):
            return
        self._show(
            lambda columns: self._progress.line(self._clock(), columns),
            lambda: [self._progress.log_line(now), *self._progress.announce(now)],
        )
        if self._live is not None:
            for text in self._progress.announce(now):
                self._live.console.print(text)
