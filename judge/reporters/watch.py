"""The views of `judge watch`: a page on a terminal, and a log for pipes and files."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TextIO

from msgspec import Struct, field
from msgspec.structs import replace
from rich.console import Console
from rich.live import Live
from rich.text import Text

from judge.base.units import format_seconds
from judge.model import Level, Problem, SolutionResult, Verdict
from judge.model.events import (
    CaseJudged,
    Compiling,
    Event,
    Notice,
    Preparing,
    RunBegan,
    RunEnded,
    SolutionBegan,
    SolutionJudged,
)
from judge.reporters import (
    OutputOptions,
    Reporter,
    formatting,
    log_glyphs,
    make_reporter,
    screen_glyphs,
    wants_colour,
)
from judge.reporters.canvas import STYLES, lay_out, make_console
from judge.reporters.escape import Glyphs, one_line, pad, shorten, width
from judge.reporters.failure import failure_lines
from judge.reporters.lines import DisplayOptions, Fit, Line, Span, Style, make_line, notice_lines, write_notice
from judge.reporters.progress import Progress
from judge.watch.view import Batch, Status, WatchView


def describe_changes(batch: Batch) -> list[str]:
    """Return what changed: `changed: a.py`, `removed: b.py`."""
    edited = [name for name in batch.edited if name not in batch.new]
    named = (("changed", edited), ("added", batch.new), ("removed", batch.gone))
    return [f"{verb}: {formatting.list_some(names, 3)}" for verb, names in named if names]


# ---- the log ------------------------------------------------------------------------------------------------------


class WatchLog(WatchView):
    """Writes each batch as `judge run` does in a format, between lines with the changes and with the status."""

    def __init__(
        self, stdout: TextIO, stderr: TextIO, options: OutputOptions, heading: str, kind: str, *, address: str = ""
    ) -> None:
        self._kind = kind
        self._stdout = stdout
        self._stderr = stderr
        self._options = options
        self._glyphs = log_glyphs(stdout, options.environment)
        self._reporter: Reporter | None = None
        self._write(f"watching {heading}", *([f"page: {address}"] if address else []))

    def start_batch(self, batch: Batch, status: Status) -> None:  # noqa: ARG002 - only a screen shows the status
        """Write the changes."""
        self._write(*describe_changes(batch))
        for notice in batch.notices:
            write_notice(notice, self._stderr)
        self._reporter = make_reporter(self._kind, self._stdout, self._stderr, self._options)

    def handle(self, event: Event) -> None:
        """Write an event of the batch."""
        is_interrupted = isinstance(event, RunEnded) and event.interrupted  # `end_batch` reports that
        if self._reporter is not None and not is_interrupted:
            self._reporter.handle(event)

    def end_batch(self, status: Status) -> None:
        """Write the status."""
        self._reporter = None
        outcome = "as expected" if status.as_expected else "NOT AS EXPECTED"
        state = "interrupted by a change" if status.waiting else "waiting for changes"
        self._write(f"{outcome}: {status.headline()}; {state}", "")

    def show_message(self, text: str) -> None:
        """Write a message as a notice."""
        write_notice(Notice(text=text), self._stderr)

    def close(self) -> None:
        """Flush the stream."""
        self._stdout.flush()

    def _write(self, *texts: str) -> None:
        now = time.strftime("%H:%M:%S")
        for text in texts:
            self._stdout.write(f"[{now}] {one_line(text, self._glyphs)}\n" if text else "\n")
        self._stdout.flush()


# ---- the page on a terminal ---------------------------------------------------------------------------------------

KEYS = "q quit   Enter rerun all   f rerun all without the cache"
_MAX_UNEXPECTED = 6  # lines; the first of them has its block below


class Page(Struct, frozen=True, kw_only=True):
    """The content of the page.

    Attributes:
        heading: what is watched, and how changes are noticed.
        keys: which keys can be pressed; "" if there is no keyboard.
        address: of the page in a browser; "" without one.
        level: the sandbox level; None before the first run.
        changes: why the last batch was judged, or the last message.
        clock: the time of day when the last batch ended; "" before that.
        current: what is being judged; "" between batches.
        early: by problem and path, the new results of solutions on the cases that failed last.
    """

    heading: str
    keys: str
    address: str = ""
    level: Level | None = None
    status: Status = field(default_factory=Status)
    changes: str = ""
    clock: str = ""
    current: str = ""
    early: Mapping[tuple[str, str], SolutionResult] = field(default_factory=dict)
    edited: Sequence[str] = ()
    notices: Sequence[Notice] = ()
    ended: RunEnded | None = None


def render_page(page: Page, console: Console, glyphs: Glyphs) -> Text:
    """Return exactly as many lines as the screen has rows (but at least two); the last one has the keys."""

    def lay_out_all(lines: Iterable[Line]) -> list[Text]:
        return [text for line in lines for text in lay_out(line, console, glyphs)]

    notices = lay_out_all(line for notice in page.notices for line in notice_lines(notice, glyphs))
    if (more := len(notices) - 8) > 0:
        notices = [*notices[:7], Text(f"       and {more + 1} more lines")]
    solutions = lay_out_all(_solutions(page, glyphs))
    shown = [*lay_out_all(_head(page, glyphs)), Text(), *notices, *([Text()] if notices else []), *solutions]
    available = max(console.height - 1, 1)
    block = [Text()]
    for problem, result in page.status.unexpected[:1]:
        newest = page.early.get((problem.id, result.solution.display_path), result)
        display = DisplayOptions(width=console.width, glyphs=glyphs)
        block += lay_out_all(failure_lines(problem, [newest], display))
    if len(shown) + len(block) > available:
        block = [*block[: max(available - len(shown) - 1, 0)], Text("  ...", STYLES[Style.DIM])]
    shown = [*shown, *block][:available]
    shown += [Text()] * (available - len(shown))
    return Text("\n", no_wrap=True, overflow="crop").join([*shown, Text(page.keys, STYLES[Style.DIM])])


def _head(page: Page, glyphs: Glyphs) -> Iterator[Line]:
    dot = f" {glyphs.dot} "
    title = f"judge watch  {one_line(page.heading, glyphs)}{dot}{formatting.describe_level(page.level)}"
    yield make_line(Span(title, Style.STRONG), fit=Fit.CUT)
    if page.address:
        yield make_line(Span(f"page: {page.address}", Style.DIM), fit=Fit.CUT)
    if page.current:
        yield make_line(Span(f"judging {one_line(page.current, glyphs)}", Style.COMMAND), fit=Fit.CUT)
    elif page.clock:
        glyph, style = (glyphs.ok, Style.GOOD) if page.status.as_expected else (glyphs.bad, Style.BAD)
        effort = [formatting.describe_effort(page.ended)] if page.ended else []
        yield make_line(
            Span(f"{glyph} ", style),
            Span(page.status.headline(), Style.STRONG),
            Span(dot.join(["", *effort, page.clock]), Style.DIM),
            fit=Fit.CUT,
        )
    yield make_line(Span(one_line(page.changes, glyphs), Style.DIM), fit=Fit.CUT)


def _solutions(page: Page, glyphs: Glyphs) -> Iterator[Line]:
    """Yield a line for each unexpected and each edited solution, and one line for all others."""
    status = page.status
    edited = [each for each in status.results if each[1].as_expected and each[1].solution.display_path in page.edited]
    shown = [*status.unexpected[:_MAX_UNEXPECTED], *edited[:_MAX_UNEXPECTED]]
    names = [formatting.full_name(problem, result, glyphs) for problem, result in shown]
    columns = min(max(map(width, names), default=0), 40)
    for name, (problem, result) in zip(names, shown, strict=True):
        title = pad(shorten(name, columns, glyphs.ellipsis), columns)
        yield _solution(title, problem, result, page, glyphs)
    if (more := len(status.unexpected) - _MAX_UNEXPECTED) > 0:
        yield make_line(Span(f"{glyphs.bad} and {more:,} more unexpected", Style.BAD))
    named = {result.solution.display_path for _, result in (*shown, *status.unexpected)} | status.stale
    if good := sum(result.solution.display_path not in named for _, result in status.results):
        others = (" other" if good == 1 else " others") if shown else ""
        yield make_line(Span(f"{glyphs.ok} ", Style.GOOD), f"{good:,}{others} as expected")
    if status.waiting:
        yield make_line(Span(f"  {status.waiting:,} pending", Style.DIM))


def _solution(name: str, problem: Problem, result: SolutionResult, page: Page, glyphs: Glyphs) -> Line:
    early = page.early.get((problem.id, result.solution.display_path))
    verdict = formatting.describe_verdict(result)
    if result.as_expected:
        glyph, style = glyphs.ok, Style.GOOD
    else:
        glyph, style = glyphs.bad, Style.FAULT if result.verdict is Verdict.JE else Style.BAD
        verdict = formatting.describe_mismatch(problem, result)
    rest_style = Style.TEXT if result.as_expected else style
    facts = [f"{formatting.passed_share(result)} passed"]
    if problem.has_scores:
        facts.insert(0, f"score {formatting.describe_score(result.score, result.max_score)}")
    if result.slowest and result.slowest.run:
        facts.append(f"slowest {format_seconds(result.slowest.run.cpu)}")
    if result.is_undecided:
        facts.append(formatting.describe_undecided(result))
    if early is not None:
        facts = ["the failing case passes now" if early.as_expected else "still failing"]
    elif result.solution.display_path in page.status.stale:
        glyph, style, rest_style = glyphs.dot, Style.DIM, Style.DIM
        verdict, facts = f"was {formatting.describe_verdict(result)}", ["judging"]
    rest = f"  {verdict}  {f' {glyphs.dot} '.join(facts)}"
    return make_line(Span(f"{glyph} ", style), name, Span(rest, rest_style), fit=Fit.CUT)


class WatchScreen(WatchView):
    """Shows a watch as a page on the alternate screen, redrawn only if something on it changes."""

    def __init__(
        self, stdout: TextIO, options: OutputOptions, heading: str, *, has_keys: bool, address: str = ""
    ) -> None:
        self._stdout = stdout
        self._options = options
        self._glyphs = screen_glyphs(stdout, options.environment)
        self._page = Page(heading=heading, keys=KEYS if has_keys else "Ctrl-C quit", address=address)
        self._progress = Progress(glyphs=self._glyphs)
        self._drawn = 0.0
        self._console = make_console(stdout, options, *self._size(), has_colour=wants_colour(stdout, options))
        self._live = Live(
            console=self._console,
            get_renderable=lambda: render_page(self._page, self._console, self._glyphs),
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def start_batch(self, batch: Batch, status: Status) -> None:
        """Show the changes, and that their batch is judged."""
        self._progress = Progress(glyphs=self._glyphs)
        self._show(
            status=status,
            changes="; ".join(describe_changes(batch)) or self._page.changes,
            notices=batch.notices,
            edited=batch.edited or self._page.edited,
            early={},
            current=f"{batch.solutions:,}" if batch.solutions else "",
        )

    def handle_early(self, event: Event) -> None:
        """Show a new result on the cases that failed last."""
        if isinstance(event, SolutionJudged):
            key = (event.problem.id, event.result.solution.display_path)
            self._show(early={**self._page.early, key: event.result})

    def handle(self, event: Event) -> None:
        """Show the progress of the batch."""
        self._progress.handle(event, time.monotonic())
        match event:
            case RunBegan(level=level):
                self._page = replace(self._page, level=level)
            case Notice():
                self._show(notices=[*self._page.notices, event])
            case RunEnded():
                self._page = replace(self._page, ended=event)
            case Compiling() | Preparing() | SolutionBegan() | CaseJudged() if (
                time.monotonic() - self._drawn > 0.1  # while a batch is judged
            ):
                current = f"{self._progress.current}  {self._progress.done:,}/{self._progress.total:,}"
                self._show(current=current)
            case _:
                pass

    def end_batch(self, status: Status) -> None:
        """Show the status."""
        self._show(status=status, current="", early={}, clock=time.strftime("%H:%M:%S"))

    def show_message(self, text: str) -> None:
        """Show a message in place of the changes."""
        self._show(changes=text)

    def redraw(self) -> None:
        """Draw the page at the new size of the window."""
        if self._live.is_started:
            self._show()

    def close(self) -> None:
        """Restore the terminal, and write the status to it."""
        if not self._live.is_started:
            return
        self._live.stop()
        status = self._page.status
        glyph = self._glyphs.ok if status.as_expected else self._glyphs.bad
        self._stdout.write(f"{glyph} {one_line(self._page.heading, self._glyphs)}: {status.headline()}\n")
        self._stdout.flush()

    def _show(self, **changes: object) -> None:
        """Draw the page with what has changed."""
        self._page = replace(self._page, **changes)
        self._drawn = time.monotonic()
        self._console.size = self._size()
        self._live.refresh()

    def _size(self) -> tuple[int, int]:
        """Return the columns and rows of the window; `COLUMNS` and `LINES` do not follow a resize."""
        try:
            columns, rows = os.get_terminal_size(self._stdout.fileno())
        except (OSError, ValueError):
            columns, rows = 0, 0
        return columns or 80, rows or 24
