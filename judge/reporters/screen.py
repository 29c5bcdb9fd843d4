"""The reporter for terminals: progress on standard error; tables and failing cases on standard output."""

from collections.abc import Iterator, Sequence
from typing import TextIO, assert_never

from msgspec import Struct
from rich.table import Table
from rich.text import Text

from judge.base.units import format_count, format_seconds
from judge.model import CaseResult, Level, Problem, SolutionResult, Verdict
from judge.model.events import (
    CaseJudged,
    Compiling,
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
from judge.reporters import OutputOptions, Reporter, formatting
from judge.reporters.canvas import STYLES, Canvas, render_line
from judge.reporters.cases import CaseDetails
from judge.reporters.escape import one_line, shorten, width, wrap
from judge.reporters.failure import failure_lines
from judge.reporters.lines import DisplayOptions, Line, Span, Style, join_facts, make_line, notice_lines, wrap_line
from judge.reporters.live import make_progress
from judge.reporters.progress import bar_spans
from judge.reporters.summary import Summary


class ScreenReporter(Reporter):
    """Shows a problem when all of its solutions are judged."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._out = Canvas(stdout, options)
        self._err = Canvas(stderr, options)
        self._progress = make_progress(stderr, options)
        self._verbosity = options.verbosity
        self._details = CaseDetails(options.verbosity)
        self._summary = Summary(self._out.display.glyphs)
        self._problem: ProblemBegan | None = None
        self._results: list[SolutionResult] = []

    def handle(self, event: Event) -> None:
        """Show an event."""
        self._summary.handle(event)
        self._progress.handle(event)
        match event:
            case CaseJudged():  # the most frequent event comes first
                pass
            case ProblemBegan():
                self._problem = event
            case SolutionJudged(result=result):
                self._results.append(result)
            case ProblemJudged():
                self._show_problem()
            case Notice():
                if not event.is_summarized:
                    with self._progress.hide():
                        self._err.write(*notice_lines(event, self._err.display))
            case RunEnded():
                self._show_problem()
                self._progress.stop()
                self._out.write(*self._summary.lines(event, self._out.display))
            case RunBegan() | Preparing() | SolutionBegan() | Compiling():
                pass
            case _:
                assert_never(event)
        if lines := list(self._details.lines(event, self._out.display)):
            with self._progress.hide():
                self._out.write(*lines)

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
            if problem.has_scores:
                from judge.reporters.cases import group_lines  # few problems have groups

                self._out.write(*group_lines(problem, self._results, display, self._verbosity))
            self._out.write(*failure_lines(problem, self._results, display))
        self._problem = None
        self._results = []


def _heading_lines(problem: Problem, cases: int, level: Level | None, display: DisplayOptions) -> Iterator[Line]:
    """Yield the id and the name of a problem, its limits, its checker, the number of cases, and the sandbox level."""
    glyphs = display.glyphs
    name = "" if problem.name == problem.id else f"  {one_line(problem.name, glyphs)}"
    yield from wrap_line(make_line(Span(one_line(problem.id, glyphs), Style.STRONG), name), display)
    facts = [
        formatting.format_limits(problem.limits),
        formatting.describe_judging(problem),
        format_count(cases, "case"),
        formatting.describe_level(level),
    ]
    for text in join_facts(facts, display):
        yield make_line(Span(text, Style.DIM))


_BAR_WIDTH = 8
_NAME_WIDTH = 48  # longer names are broken before other columns are dropped
_CASE_WIDTH = 28
_CASE = "case"
_GAP = 2


class _Column(Struct, frozen=True, kw_only=True):
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
    """Return the table; long names of solutions are broken, everything else is on one line."""
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    columns = _fit_columns(_make_columns(problem, results, display), display.width)
    if not any(column.title == _CASE for column in columns):  # a time says nothing if its case is not shown
        columns = _fit_columns(_make_columns(problem, results, display, shows_case=False), display.width)
    for number, column in enumerate(columns):
        table.add_column(
            column.title,
            justify="right" if column.align_right else "left",
            no_wrap=number > 0,
            overflow="fold",  # only where a screen is narrower than the columns that are never dropped
            min_width=None if number == 0 else column.width,
        )
    available = display.remaining(sum(_GAP + column.width for column in columns[1:]))
    for name, *cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(Text("\n".join(wrap(name.plain, available))), *cells)
    return table


def _fit_columns(columns: list[_Column], available: int | None) -> list[_Column]:
    """Drop optional columns until the others fit."""
    kept = columns
    name = min(columns[0].width, _NAME_WIDTH)
    while available is not None and name + sum(_GAP + column.width for column in kept[1:]) > available:
        last = max(kept, key=lambda column: column.priority)
        if not last.priority:
            break
        kept = [column for column in kept if column is not last]
    return kept


def _make_columns(
    problem: Problem, results: Sequence[SolutionResult], display: DisplayOptions, *, shows_case: bool = True
) -> list[_Column]:
    timed = [formatting.deciding_case(each) if shows_case else _slowest(each) for each in results]
    names = [_text(formatting.solution_name(problem, each, display.glyphs)) for each in results]
    skipped = [_text(str(formatting.count_unavailable(each) or ""), Style.DIM) for each in results]
    omitted = [_text(str(each.omitted or ""), Style.DIM) for each in results]
    not_judged = [_text(str(each.not_judged or ""), Style.FAULT) for each in results]
    unanswered = [_text(str(formatting.count_unanswered(each) or ""), Style.DIM) for each in results]
    cached = [_text(formatting.cached_share(each), Style.DIM) for each in results]
    passed = [_text(formatting.passed_share(each)) for each in results]
    columns = [
        _Column(title="solution", cells=names),
        _Column(title="verdict", cells=[_verdict(problem, each, display) for each in results]),
        _Column(title="score", cells=[_score(problem, each) for each in results], align_right=True),
        _Column(title="passed", cells=passed, align_right=True),
        _Column(title="skipped", cells=skipped, align_right=True),
        _Column(title="omitted", cells=omitted, priority=6, align_right=True),
        _Column(title="unanswered", cells=unanswered, align_right=True),
        _Column(title="not judged", cells=not_judged, align_right=True),
        _Column(title="cached", cells=cached, priority=5, align_right=True),
        _Column(title="time" if shows_case else "slowest", cells=[*map(_time, timed)], priority=1, align_right=True),
        _Column(
            title="of limit", cells=[_time_bar(*pair, display) for pair in zip(results, timed, strict=True)], priority=4
        ),
        _Column(title=_CASE, cells=[_case(each, display) if shows_case else Text() for each in timed], priority=3),
        _Column(title="memory", cells=[_memory(each) for each in results], priority=2, align_right=True),
    ]
    return [column for column in columns if any(column.cells)]


def _text(text: str, style: Style = Style.TEXT) -> Text:
    return Text(text, STYLES[style])


def _verdict(problem: Problem, result: SolutionResult, display: DisplayOptions) -> Text:
    if result.verdict is Verdict.SK:
        return _text("not judged", Style.DIM)
    if result.verdict is Verdict.NA:
        return _text("no answer", Style.DIM)
    if result.verdict is Verdict.JE:
        return _text(f"{display.glyphs.bad} {result.verdict}", Style.FAULT)
    if result.is_undecided:
        state = "not finished" if result.unfinished else "not exposed"
        return _text(f"{display.glyphs.dot} {result.verdict}, {state}", Style.DIM)
    if result.as_expected:
        return _text(f"{display.glyphs.ok} {result.verdict}", Style.GOOD)
    verdict = formatting.describe_verdict(result)
    if not formatting.is_lone(problem, result):
        verdict += f", expected {formatting.label_expectation(result.solution.expectation)}"
    return _text(f"{display.glyphs.bad} {verdict}", Style.BAD)


def _score(problem: Problem, result: SolutionResult) -> Text:
    if not problem.has_scores:
        return Text()
    return _text(formatting.describe_score(result.score, result.max_score))


_Timed = tuple[str, CaseResult] | None
"""The case whose time a row shows, after what it is: "failed" or "slowest"."""


def _slowest(result: SolutionResult) -> _Timed:
    return ("slowest", result.slowest) if result.slowest else None


def _time(timed: _Timed) -> Text:
    run = timed[1].run if timed else None
    return _text(format_seconds(run.cpu)) if run else Text()


def _time_bar(result: SolutionResult, timed: _Timed, display: DisplayOptions) -> Text:
    run = timed[1].run if timed else None
    if timed is None or run is None:
        return Text()
    share = run.cpu / timed[1].limits.cpu
    style = Style.GOOD if share <= 0.5 else Style.FAULT if share <= 1 or result.as_expected else Style.BAD
    return render_line(bar_spans(share, _BAR_WIDTH, display.glyphs, style))


def _case(timed: _Timed, display: DisplayOptions) -> Text:
    if timed is None:
        return Text()
    word, result = timed
    name = shorten(one_line(result.case.id, display.glyphs), _CASE_WIDTH, display.glyphs.ellipsis)
    return _text(f"{word} {name}", Style.TEXT if word == "failed" else Style.DIM)


def _memory(result: SolutionResult) -> Text:
    largest = result.largest
    return _text(formatting.format_memory(largest.run)) if largest and largest.run else Text()
