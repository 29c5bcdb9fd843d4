"""The progress of a run on standard error: its state, and how a log shows it."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TextIO

from msgspec import Struct

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
from judge.reporters import OutputOptions, Verbosity, log_glyphs
from judge.reporters.escape import Glyphs, one_line, pad, shorten, width
from judge.reporters.lines import Line, Span, Style, make_line

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ASCII_FRAMES = "|/-\\"
_MIN_NAME, _MAX_NAME = 16, 44
_BAR_WIDTH = 24
FRAMES_PER_SECOND = 8
LOG_INTERVAL_S = 5  # between two lines of progress in a log
_ANNOUNCE_AFTER_S = 5  # of judging
_ANNOUNCE_FROM_S = 30  # that are left
_MIN_RUNS = 10  # before a speed says anything: the first ones wait for compilers


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
        frame = frames[int(clock * FRAMES_PER_SECOND) % len(frames)]
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
        about = f", about {_format_about(left)} left" if left else ""
        return f"running {self.done:,}/{self.total:,}{about}: {self.current}"

    def announce(self, clock: float) -> Iterator[str]:
        """Yield, once and only if a run takes long, how long it takes."""
        left = self.seconds_left(clock)
        if self._is_announced or self.start is None or left is None or clock - self.start < _ANNOUNCE_AFTER_S:
            return
        self._is_announced = True
        if left >= _ANNOUNCE_FROM_S:
            whole = _format_about(left + clock - self.start)
            yield f"note: these {self.total:,} cases take about {whole}; later runs judge only what changed"

    def seconds_left(self, clock: float) -> float | None:
        """Return about how long the rest takes if it has to be run at the same speed; None if that is unknown."""
        rate = self._rate(clock)
        return max(self.total - self.done, 0) / rate if rate else None

    def _rate(self, clock: float) -> float:
        """Return how many cases are judged per second; 0 if that is unknown."""
        elapsed = clock - self.start if self.start is not None else 0
        runs = self.runs or self.done
        return runs / elapsed if elapsed > 0 and runs >= min(_MIN_RUNS, self.total) else 0


def bar_spans(share: float, columns: int, glyphs: Glyphs, style: Style = Style.COMMAND) -> tuple[Span, ...]:
    """Return a bar that is filled to a share, which is limited to 0 to 1."""
    halves = round(min(max(share, 0), 1) * columns * 2)
    filled = glyphs.bar * (halves // 2) + glyphs.half * (halves % 2)
    return Span(filled, style), Span(glyphs.rest * (columns - len(filled)), Style.DIM)


def _format_about(seconds: float) -> str:
    """Return a time as precisely as it is known: `20 s`, `3 min`, `1.5 h`."""
    if seconds < 57.5:
        return f"{max(round(seconds / 5), 1) * 5} s"
    return f"{max(round(seconds / 60), 1)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class ProgressView(Protocol):
    """Shows the progress of a run."""

    def handle(self, event: Event) -> None:
        """Take in an event."""

    def hide(self) -> AbstractContextManager[None]:
        """Remove what is shown while something else is written."""

    def stop(self) -> None:
        """Remove what is shown. May be called twice."""


class LogProgress(ProgressView):
    """Writes the progress as a whole line every few seconds.

    Args:
        stream: a log, or a terminal that cannot redraw a line.
        environment: see `OutputOptions`.
        interval: the time between two lines; infinite to write nothing.
        clock: returns seconds.
    """

    def __init__(
        self,
        stream: TextIO,
        environment: Mapping[str, str],
        interval: float = LOG_INTERVAL_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._interval = interval
        self._clock = clock
        self._progress = Progress(glyphs=log_glyphs(stream, environment))
        self._next: float | None = None

    def handle(self, event: Event) -> None:
        """Take in an event; write a line if it is time."""
        now = self._clock()
        self._progress.handle(event, now)
        if self._next is None:
            self._next = now + self._interval
        if now >= self._next and not isinstance(event, RunEnded):
            self._next = now + self._interval
            lines = [self._progress.log_line(now), *self._progress.announce(now)]
            self._stream.write("".join(f"{line}\n" for line in lines))
            self._stream.flush()

    def hide(self) -> AbstractContextManager[None]:
        """Do nothing: a log keeps what was written."""
        return nullcontext()

    def stop(self) -> None:
        """Do nothing, likewise."""


def log_progress(stream: TextIO, options: OutputOptions) -> LogProgress:
    """Return what logs the progress, or nothing if quiet."""
    is_quiet = options.verbosity is Verbosity.QUIET
    return LogProgress(stream, options.environment, math.inf if is_quiet else LOG_INTERVAL_S)
