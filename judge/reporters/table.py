"""The end of a report for people: how many solutions did what they should, what was skipped, what surprised."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from judge.events import CaseJudged, Event, ProblemBegan, RunBegan, RunEnded, SolutionJudged
from judge.model import Level, Problem, SolutionResult, Verdict
from judge.reporters import formatting as words
from judge.reporters.canvas import STYLES, styled
from judge.reporters.escape import Glyphs, one_line, shorten, width
from judge.reporters.lines import DisplayOptions, Line, Span, Style, facts, labelled, line
from judge.reporters.progress import bar_spans
from judge.units import format_seconds

_BAR = 8
_CASE = 28
_GAP = 2


def heading_lines(problem: Problem, cases: int, level: Level | None, look: DisplayOptions) -> Iterator[Line]:
    """Yield the problem's id and name, its limits, checker and number of cases, and the sandbox's level."""
    marks = look.marks
    yield line(Span(one_line(problem.id, marks), Style.STRONG), f"  {one_line(problem.name, marks)}")
    known = [words.limits(problem.limits), words.checker(problem.checker), words.count(cases, "case"), sandbox(level)]
    for text in facts(known, look):
        yield line(Span(text, Style.DIM))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A column of the table.

    Attributes:
        optional: left out where there is no room, the highest number first; 0 is never left out.
    """

    title: str
    cells: Sequence[Text]
    optional: int = 0
    right: bool = False

    @property
    def width(self) -> int:
        return max(width(self.title), *(cell.cell_len for cell in self.cells))


def table(problem: Problem, results: Sequence[SolutionResult], look: DisplayOptions) -> Table:
    """Return the table; the names of solutions are folded where they do not fit, all else is on one line."""
    shown = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    columns = _fitting(_columns(problem, results, look), look.width)
    for number, column in enumerate(columns):
        shown.add_column(
            column.title,
            justify="right" if column.right else "left",
            no_wrap=number > 0,
            overflow="fold",
            min_width=None if number == 0 else column.width,
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        shown.add_row(*cells)
    return shown


def _fitting(columns: list[_Column], room: int | None) -> list[_Column]:
    """Leave out optional columns until the rest fits."""
    kept = columns
    while room is not None and sum(column.width + _GAP for column in kept) - _GAP > room:
        last = max(kept, key=lambda column: column.optional)
        if not last.optional:
            break
        kept = [column for column in kept if column is not last]
    return kept


def _columns(problem: Problem, results: Sequence[SolutionResult], look: DisplayOptions) -> list[_Column]:
    skipped = [_text(str(words.skipped(each) or ""), Style.DIM) for each in results]
    cached = [_text(words.cached(each), Style.DIM) for each in results]
    columns = [
        _Column(title="solution", cells=[_text(words.name_of(problem, each, look.marks)) for each in results]),
        _Column(title="verdict", cells=[_verdict(each, look) for each in results]),
        _Column(title="passed", cells=[_text(words.passed(each)) for each in results], right=True),
        _Column(title="skipped", cells=skipped, right=True),
        _Column(title="cached", cells=cached, optional=5, right=True),
        _Column(title="slowest", cells=[_time(each) for each in results], optional=1, right=True),
        _Column(title="of limit", cells=[_bar(each, look) for each in results], optional=3),
        _Column(title="case", cells=[_case(each, look) for each in results], optional=4),
        _Column(title="memory", cells=[_memory(each) for each in results], optional=2, right=True),
    ]
    return [column for column in columns if any(column.cells)]


def _text(text: str, role: Style = Style.TEXT) -> Text:
    return Text(text, STYLES[role])


def _verdict(result: SolutionResult, look: DisplayOptions) -> Text:
    if result.verdict is Verdict.SK:
        return _text("not judged", Style.DIM)
    if result.verdict is Verdict.JE:
        return _text(f"{look.marks.bad} {result.verdict}", Style.FAULT)
    if result.as_expected:
        return _text(f"{look.marks.ok} {result.verdict}", Style.GOOD)
    return _text(f"{look.marks.bad} {words.got(result)}, not {words.wanted(result.solution.expectation)}", Style.BAD)


def _time(result: SolutionResult) -> Text:
    slowest = result.slowest
    return _text(format_seconds(slowest.run.cpu)) if slowest and slowest.run else Text()


def _bar(result: SolutionResult, look: DisplayOptions) -> Text:
    slowest = result.slowest
    if slowest is None or slowest.run is None:
        return Text()
    share = slowest.run.cpu / slowest.limits.cpu
    role = Style.GOOD if share <= 0.5 else Style.FAULT if share <= 1 or result.as_expected else Style.BAD
    return styled(bar_spans(share, _BAR, look.marks, role))


def _case(result: SolutionResult, look: DisplayOptions) -> Text:
    slowest = result.slowest
    return (
        _text(shorten(one_line(slowest.case.id, look.marks), _CASE, look.marks.cut), Style.DIM) if slowest else Text()
    )


def _memory(result: SolutionResult) -> Text:
    largest = result.largest
    return _text(words.memory(largest.run)) if largest and largest.run else Text()


_LEVELS = {
    Level.FULL: "sandbox full",
    Level.LANDLOCK: "sandbox landlock (no namespaces)",
    Level.LIMITS: "sandbox limits (resource limits only)",
}
_NAMED = 3
_NO_DATA = "its data is not on this machine"


def sandbox(level: Level | None) -> str:
    """Return how well the runs were shut in."""
    return "sandbox not started" if level is None else _LEVELS[level]


class Summary:
    """Listens to the events and remembers the little that the end needs."""

    def __init__(self, marks: Glyphs) -> None:
        self.level: Level | None = None
        self._marks = marks
        self._problems = 0
        self._not_judged = 0
        self._skipped: dict[str, dict[str, None]] = {}
        self._skipped_now: dict[str, str] = {}
        self._surprises: list[str] = []

    def listen(self, event: Event) -> None:
        """Remember what counts."""
        match event:
            case CaseJudged(problem=problem, result=result):  # first: there are many
                if result.verdict is Verdict.SK:
                    name = one_line(f"{problem.id} {result.case.id}", self._marks)
                    self._skipped_now[name] = one_line(result.reason, self._marks) or _NO_DATA
            case RunBegan(level=level):
                self.level = level
            case ProblemBegan():
                self._problems += 1
            case SolutionJudged(problem=problem, result=result):
                self._listen_to_solution(problem, result)
            case _:
                pass

    def _listen_to_solution(self, problem: Problem, result: SolutionResult) -> None:
        name = words.full_name(problem, result, self._marks)
        skipped, self._skipped_now = self._skipped_now, {}
        if result.verdict is Verdict.SK:
            self._not_judged += 1
        if result.verdict is Verdict.SK and result.message:
            skipped = {name: one_line(result.message, self._marks)}
        for what, reason in skipped.items():
            self._skipped.setdefault(reason, {})[what] = None
        if not result.as_expected:
            self._surprises.append(f"{name}: {words.got(result)}, {words.expected(result)}")

    def lines(self, end: RunEnded, look: DisplayOptions) -> Iterator[Line]:
        """Yield the summary."""
        yield from self._headline(end, look)
        if end.had_errors:
            yield from labelled("errors", "the judge or the test data failed: see above", look, Style.FAULT)
        for reason, cases in self._skipped.items():
            yield from labelled("skipped", f"{_some(list(cases))}: {reason}", look)
        for surprise in self._surprises if len(self._surprises) > 1 or self._problems > 1 else ():
            yield from labelled("surprise", surprise, look, Style.BAD)

    def _headline(self, end: RunEnded, look: DisplayOptions) -> Iterator[Line]:
        good = end.as_expected and not end.interrupted
        mark = look.marks.ok if good else look.marks.bad
        outcome = f"{mark} {words.outcome(end, self._not_judged)}"
        first, *others = facts([outcome, words.effort(end), sandbox(self.level)], look)
        split = min(len(outcome), len(first))
        role = Style.GOOD if good else Style.BAD
        yield line(
            Span(first[: len(mark)], role), Span(first[len(mark) : split], Style.STRONG), Span(first[split:], Style.DIM)
        )
        for other in others:
            yield line(Span(other, Style.DIM))


def _some(cases: list[str]) -> str:
    more = len(cases) - _NAMED
    return ", ".join(cases[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
