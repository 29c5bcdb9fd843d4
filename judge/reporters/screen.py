"""The reporter for terminals: progress on standard error; tables and failing cases on standard output."""

from collections.abc import Mapping, Sequence
from typing import TextIO

from rich.table import Table
from rich.text import Text

from judge.base.units import format_count, format_seconds
from judge.model import Problem, SolutionResult, Verdict
from judge.model.events import ProblemBegan
from judge.reporters import OutputOptions, formatting
from judge.reporters.canvas import STYLES, Canvas, mark_breaks, render_line
from judge.reporters.escape import Glyphs, one_line, shorten
from judge.reporters.lines import EMPTY, DisplayOptions, Fit, Line, Span, Style, make_line
from judge.reporters.plain import PlainReporter
from judge.reporters.progress import RunProgress, bar_spans


class ScreenReporter(PlainReporter):
    """Shows a problem when all of its solutions are judged."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        out, err = (Canvas(stream, options) for stream in (stdout, stderr))
        self._begin(out, err, RunProgress(stderr, options, is_log=False), options.verbosity)

    def _begin_problem(self, event: ProblemBegan) -> None:
        """Show nothing yet."""

    def _show_solution(self, problem: Problem, result: SolutionResult) -> None:
        """Show nothing yet."""

    def _end_problem(self, *, is_whole: bool) -> None:  # noqa: ARG002 - an empty line ends the table in any case
        if self._began is None:
            return
        problem, display = self._began.problem, self._out.display
        glyphs = display.glyphs
        name = "" if problem.name == problem.id else one_line(problem.name, glyphs)
        head = make_line(Span(f"{one_line(problem.id, glyphs)}  ", Style.STRONG), name, fit=Fit.WRAP, head=1)
        level = formatting.describe_level(self._summary.level)
        facts = [*formatting.describe_rules(problem), format_count(self._began.cases, "case"), level]
        self._write(head, make_line(Span(f" {glyphs.dot} ".join(facts), Style.DIM), fit=Fit.WRAP), EMPTY)
        if self._results:
            self._write(_make_table(problem, self._results, display))
        super()._end_problem(is_whole=bool(self._results))


_GAP = 2
_LEFT = ("solution", "verdict", "of limit", "case")
_OPTIONAL = ("omitted", "cached", "of limit", "case", "memory", "time", "slowest")
"""The columns that are dropped if the table does not fit, in this order."""


def _make_table(problem: Problem, results: Sequence[SolutionResult], display: DisplayOptions) -> Table:
    """Return the table; long names of solutions are broken, everything else is on one line."""
    columns = _fit_columns([_make_row(problem, each, display.glyphs) for each in results], display.width)
    if "case" not in columns:  # a time says nothing if its case is not shown
        rows = [_make_row(problem, each, display.glyphs, shows_case=False) for each in results]
        columns = _fit_columns(rows, display.width)
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    for number, (title, cells) in enumerate(columns.items()):
        table.add_column(
            title,
            justify="left" if title in _LEFT else "right",
            no_wrap=number > 0,
            overflow="fold",  # only where a screen is narrower than the columns that are never dropped
            min_width=_width(title, cells) if number else None,
        )
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


def _fit_columns(rows: Sequence[Mapping[str, Text]], available: int | None) -> dict[str, list[Text]]:
    """Return the columns that have a text, without optional ones if they do not fit."""
    kept = {title: cells for title in rows[0] if any(cells := [row[title] for row in rows])}
    width = sum(_GAP + _width(title, cells) for title, cells in kept.items()) - _GAP
    width -= max(_width("solution", kept["solution"]) - 48, 0)  # longer names are broken first
    for title in _OPTIONAL:
        if available is not None and width > available and title in kept:
            width -= _GAP + _width(title, kept.pop(title))
    return kept


def _width(title: str, cells: Sequence[Text]) -> int:
    return max(len(title), *(cell.cell_len for cell in cells))


def _make_row(problem: Problem, result: SolutionResult, glyphs: Glyphs, *, shows_case: bool = True) -> dict[str, Text]:
    """Return the cells of a solution by the titles of their columns."""
    time, bar, case = Text(), Text(), Text()
    slowest = ("slowest", result.slowest) if result.slowest else None
    timed = formatting.deciding_case(result) if shows_case else slowest
    if timed is not None and (run := timed[1].run) is not None:
        word, shown = timed
        share = run.cpu / shown.limits.cpu
        style = Style.GOOD if share <= 0.5 else Style.FAULT if share <= 1 or result.as_expected else Style.BAD
        name = shorten(one_line(shown.case.id, glyphs), 28, glyphs.ellipsis)
        time = _text(format_seconds(run.cpu))
        bar = render_line(Line(bar_spans(share, 8, glyphs, style)))
        case = _text(f"{word} {name}", Style.TEXT if word == "failed" else Style.DIM)
    largest = result.largest
    return {
        "solution": _text(mark_breaks(formatting.solution_name(problem, result, glyphs))),
        "verdict": _verdict(problem, result, glyphs),
        "score": _text(formatting.describe_score(result.score, result.max_score) if problem.has_scores else ""),
        "passed": _text(formatting.passed_share(result)),
        "skipped": _text(str(formatting.count_unavailable(result) or ""), Style.DIM),
        "omitted": _text(str(result.omitted or ""), Style.DIM),
        "unanswered": _text(str(formatting.count_unanswered(result) or ""), Style.DIM),
        "not judged": _text(str(result.not_judged or ""), Style.FAULT),
        "cached": _text(formatting.cached_share(result), Style.DIM),
        "time" if shows_case else "slowest": time,
        "of limit": bar,
        "case": case if shows_case else Text(),
        "memory": _text(formatting.format_memory(largest.run) if largest and largest.run else ""),
    }


def _text(text: str, style: Style = Style.TEXT) -> Text:
    return Text(text, STYLES[style])


def _verdict(problem: Problem, result: SolutionResult, glyphs: Glyphs) -> Text:
    if result.verdict is Verdict.SK:
        return _text("not judged", Style.DIM)
    if result.verdict is Verdict.NA:
        return _text("no answer", Style.DIM)
    if result.verdict is Verdict.JE:
        return _text(f"{glyphs.bad} {result.verdict}", Style.FAULT)
    if result.is_undecided:
        state = "not finished" if result.unfinished else "not exposed"
        return _text(f"{glyphs.dot} {result.verdict}, {state}", Style.DIM)
    if result.as_expected:
        return _text(f"{glyphs.ok} {result.verdict}", Style.GOOD)
    verdict = formatting.describe_verdict(result)
    if not formatting.is_lone(problem, result):
        verdict += f", expected {formatting.label_expectation(result.solution.expectation)}"
    return _text(f"{glyphs.bad} {verdict}", Style.BAD)
