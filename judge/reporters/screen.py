"""The reporter for terminals: progress on standard error; tables and failing cases on standard output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO, assert_never

from rich.table import Table
from rich.text import Text

from judge.events import (
    CaseJudged,
    Event,
    Notice,
    Preparing,
    ProblemBegan,
    ProblemJudged,
    RunBegan,
    RunEnded,
    SolutionBegan,
    SolutionJudged,
)
from judge.model import Level, Problem, SolutionResult, Verdict
from judge.reporters import formatting
from judge.reporters.canvas import STYLES, Canvas, render_line
from judge.reporters.escape import one_line, shorten, width
from judge.reporters.failure import failure_lines
from judge.reporters.lines import DisplayOptions, Line, Span, Style, join_facts, make_line, notice_lines
from judge.reporters.progress import LiveProgress, bar_spans
from judge.reporters.reporter import OutputOptions, Reporter
from judge.reporters.summary import Summary
from judge.units import format_count, format_seconds


class ScreenReporter(Reporter):
    """Shows a problem when all of its solutions are judged."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._out = Canvas(stdout, options)
        self._err = Canvas(stderr, options)
        self._progress = LiveProgress(stderr, options)
        self._summary = Summary(self._out.display.glyphs)
        self._problem: ProblemBegan | None = None
        self._results: list[SolutionResult] = []

    def handle(self, event: Event) -> None:
        """Show an event."""
        self._summary.handle(event)
        self._progress.handle(event)
        match event:
            case ProblemBegan():
                self._problem = event
            case SolutionJudged(result=result):
                self._results.append(result)
            case ProblemJudged():
                self._show_problem()
            case Notice():
                with self._progress.hide():
                    self._err.write(*notice_lines(event, self._err.display))
            case RunEnded():
                self._show_problem()
                self._progress.stop()
                self._out.write(*self._summary.lines(event, self._out.display))
            case RunBegan() | Preparing() | SolutionBegan() | CaseJudged():
                pass
            case _:
                assert_never(event)

    def close(self) -> None:
        """Remove the progress line and show the cursor."""
        self._progress.stop()

    def _show_problem(self) -> None:
        if self._problem is None:
            return
        problem, display = self._problem.problem, self._out.display
        with self._progress.hide():
            self._out.write(*_heading_lines(problem, self._problem.cases, self._summary.level, display), ())
            if self._results:
                self._out.write(_make_table(problem, self._results, display), ())
            self._out.write(*failure_lines(problem, self._results, display))
        self._problem = None
        self._results = []


def _heading_lines(problem: Problem, cases: int, level: Level | None, display: DisplayOptions) -> Iterator[Line]:
    """Yield the id and the name of a problem, its limits, its checker, the number of cases, and the sandbox level."""
    glyphs = display.glyphs
    yield make_line(Span(one_line(problem.id, glyphs), Style.STRONG), f"  {one_line(problem.name, glyphs)}")
    facts = [
        formatting.format_limits(problem.limits),
        formatting.describe_checker(problem.checker),
        format_count(cases, "case"),
        formatting.describe_level(level),
    ]
    for text in join_facts(facts, display):
        yield make_line(Span(text, Style.DIM))


_BAR_WIDTH = 8
_CASE_WIDTH = 28
_GAP = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column of the table.

    Attributes:
        priority: if the table does not fit, the columns with the highest number are dropped first; 0 is never dropped.
    """

    title: str
    cells: Sequence[Text]
    priority: int = 0
    align_right: bool = False

    @property
    def width(self) -> int:
        return max(width(self.title), *(cell.cell_len for cell in self.cells))


def _make_table(problem: Problem, results: Sequence[SolutionResult], display: DisplayOptions) -> Table:
    """Return the table; long names of solutions are folded, everything else is on one line."""
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    columns = _fit_columns(_make_columns(problem, results, display), display.width)
    for number, column in enumerate(columns):
        table.add_column(
            column.title,
            justify="right" if column.align_right else "left",
            no_wrap=number > 0,
            overflow="fold",
            min_width=None if number == 0 else column.width,
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*cells)
    return table


def _fit_columns(columns: list[_Column], available: int | None) -> list[_Column]:
    """Drop optional columns until the others fit."""
    kept = columns
    while available is not None and sum(column.width + _GAP for column in kept) - _GAP > available:
        last = max(kept, key=lambda column: column.priority)
        if not last.priority:
            break
        kept = [column for column in kept if column is not last]
    return kept


def _make_columns(problem: Problem, results: Sequence[SolutionResult], display: DisplayOptions) -> list[_Column]:
    names = [_text(formatting.solution_name(problem, each, display.glyphs)) for each in results]
    skipped = [_text(str(formatting.count_skipped(each) or ""), Style.DIM) for each in results]
    unanswered = [_text(str(formatting.count_unanswered(each) or ""), Style.DIM) for each in results]
    cached = [_text(formatting.cached_share(each), Style.DIM) for each in results]
    passed = [_text(formatting.passed_share(each)) for each in results]
    columns = [
        _Column(title="solution", cells=names),
        _Column(title="verdict", cells=[_verdict(each, display) for each in results]),
        _Column(title="passed", cells=passed, align_right=True),
        _Column(title="skipped", cells=skipped, align_right=True),
        _Column(title="unanswered", cells=unanswered, align_right=True),
        _Column(title="cached", cells=cached, priority=5, align_right=True),
        _Column(title="slowest", cells=[_slowest_time(each) for each in results], priority=1, align_right=True),
        _Column(title="of limit", cells=[_slowest_bar(each, display) for each in results], priority=3),
        _Column(title="case", cells=[_slowest_case(each, display) for each in results], priority=4),
        _Column(title="memory", cells=[_memory(each) for each in results], priority=2, align_right=True),
    ]
    return [column for column in columns if any(column.cells)]


def _text(text: str, style: Style = Style.TEXT) -> Text:
    return Text(text, STYLES[style])


def _verdict(result: SolutionResult, display: DisplayOptions) -> Text:
    if result.verdict is Verdict.SK:
        return _text("not judged", Style.DIM)
    if result.verdict is Verdict.NA:
        return _text("no answer", Style.DIM)
    if result.verdict is Verdict.JE:
        return _text(f"{display.glyphs.bad} {result.verdict}", Style.FAULT)
    if result.as_expected:
        return _text(f"{display.glyphs.ok} {result.verdict}", Style.GOOD)
    expected = formatting.label_expectation(result.solution.expectation)
    return _text(f"{display.glyphs.bad} {formatting.describe_verdict(result)}, expected {expected}", Style.BAD)


def _slowest_time(result: SolutionResult) -> Text:
    slowest = result.slowest
    return _text(format_seconds(slowest.run.cpu)) if slowest and slowest.run else Text()


def _slowest_bar(result: SolutionResult, display: DisplayOptions) -> Text:
    slowest = result.slowest
    if slowest is None or slowest.run is None:
        return Text()
    share = slowest.run.cpu / slowest.limits.cpu
    style = Style.GOOD if share <= 0.5 else Style.FAULT if share <= 1 or result.as_expected else Style.BAD
    return render_line(bar_spans(share, _BAR_WIDTH, display.glyphs, style))


def _slowest_case(result: SolutionResult, display: DisplayOptions) -> Text:
    if result.slowest is None:
        return Text()
    name = one_line(result.slowest.case.id, display.glyphs)
    return _text(shorten(name, _CASE_WIDTH, display.glyphs.ellipsis), Style.DIM)


def _memory(result: SolutionResult) -> Text:
    largest = result.largest
    return _text(formatting.format_memory(largest.run)) if largest and largest.run else Text()
