"""What stands on the screen of a watch: lines that fit its width and its height."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from judge.events import Event, Notice, RunEnded
from judge.model import Level, Problem, SolutionResult, Verdict
from judge.reporters import formatting as words
from judge.reporters.canvas import notice_lines
from judge.reporters.escape import one_line, pad, shorten, width
from judge.reporters.failure import surprise_lines
from judge.reporters.lines import DisplayOptions, Line, Span, Style, line
from judge.reporters.table import sandbox
from judge.units import format_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchStarted:
    """Why a round begins, and what it judges.

    Attributes:
        edited, new, gone: names of solutions.
        notices: what is wrong with files, so that something is not judged.
        solutions: how many are judged.
    """

    edited: Sequence[str] = ()
    new: Sequence[str] = ()
    gone: Sequence[str] = ()
    notices: Sequence[Notice] = ()
    solutions: int = 0

    def phrases(self) -> list[str]:
        """Return in words what happened: `saved a.py`, `gone: b.py`."""
        edited = [name for name in self.edited if name not in self.new]
        named = (("saved", edited), ("new:", self.new), ("gone:", self.gone))
        return [f"{verb} {_some(names)}" for verb, names in named if names]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How all that is watched stands.

    Attributes:
        results: the last of every solution.
        as_expected: all of it is judged as its files are now, and earned what it should.
        waiting: how many solutions are still to be judged.
        stale: paths, as shown, of those of them whose result is an old one.
        has_faults: some file is wrong, so that something is not judged.
    """

    results: Sequence[tuple[Problem, SolutionResult]] = ()
    as_expected: bool = False
    waiting: int = 0
    stale: frozenset[str] = frozenset()
    has_faults: bool = False

    @property
    def surprises(self) -> list[tuple[Problem, SolutionResult]]:
        """The results that are not as expected."""
        return [each for each in self.results if not each[1].as_expected]

    def headline(self) -> str:
        """Return the standing in a few words."""
        current = [result for _, result in self.results if result.solution.shown not in self.stale]
        good, total = sum(result.as_expected for result in current), len(current) + self.waiting
        share = f"{good:,} of {words.count(total, 'solution')}"
        if good == total:
            share = words.count(total, "solution")
        rest = [f"{self.waiting:,} to be judged"] if self.waiting else []
        rest += ["something is wrong with the files"] if self.has_faults else []
        return ", ".join([f"{share} as expected", *rest])


class WatchView(Protocol):
    """Shows a watch; closed at its end, however that comes."""

    def begin(self, outset: BatchStarted, before: Status) -> None:
        """Say that a round begins; its events follow."""

    def early(self, event: Event) -> None:
        """Take an event of the cases that are judged before all others; the round judges them again."""

    def handle(self, event: Event) -> None:
        """Take an event of the round."""

    def end(self, standing: Status) -> None:
        """Say that the round is over, or was broken off by a change."""

    def remark(self, text: str) -> None:
        """Say something about the watching itself."""

    def redraw(self) -> None:
        """Show the same once more: the window has another size. Called from any thread."""

    def close(self) -> None:
        """Give the terminal back; may be called twice."""


_NAMED = 3


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


_MOST_SURPRISES = 6  # lines; the first of them has its block below
_MOST_NOTICES = 8  # lines
_MOST_NAME = 40
KEYS = "q quit   Enter all again   f all again, nothing from the cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All that the screen shows.

    Attributes:
        heading: what is watched, and how changes are noticed.
        happened: why the last round began.
        clock: when it ended, for people; "" while it goes on.
        judging: what is judged now; "" between rounds.
        early: what the round that goes on knows already of solutions that failed before, by problem and path.
        edited: names of solutions.
        ended: of the last round.
        keys: which keys can be pressed; "" when none can.
    """

    heading: str
    keys: str
    level: Level | None = None
    standing: Status = field(default_factory=Status)
    happened: str = ""
    clock: str = ""
    judging: str = ""
    early: Mapping[tuple[str, str], SolutionResult] = field(default_factory=dict)
    edited: Sequence[str] = ()
    notices: Sequence[Notice] = ()
    ended: RunEnded | None = None


def page_lines(page: Page, look: DisplayOptions, height: int) -> list[Line]:
    """Return the lines; the keys are the last of as many as there are rows."""
    shown = [*_head(page, look), (), *_notices(page, look), *_solutions(page, look)]
    room = max(height - 1, 1)
    block = [(), *_block(page, look)]
    if len(shown) + len(block) > room:
        block = [*block[: max(room - len(shown) - 1, 0)], line(Span("  ...", Style.DIM))]
    shown = [*shown, *block][:room]
    shown += [()] * (room - len(shown))
    return [*shown, line(Span(page.keys, Style.DIM))]


def _head(page: Page, look: DisplayOptions) -> Iterator[Line]:
    dot = f" {look.marks.dot} "
    heading = dot.join([f"judge watch  {one_line(page.heading, look.marks)}", sandbox(page.level)])
    yield line(Span(_fitted(heading, look), Style.STRONG))
    good = page.standing.as_expected
    if page.judging:
        yield line(Span(_fitted(f"judging {one_line(page.judging, look.marks)}", look), Style.COMMAND))
    elif page.clock:
        mark, role = (look.marks.ok, Style.GOOD) if good else (look.marks.bad, Style.BAD)
        headline = _fitted(page.standing.headline(), look, width(mark) + 1)
        effort = [words.effort(page.ended)] if page.ended else []
        rest = _fitted(dot.join(["", *effort, page.clock]), look, width(mark) + 1 + width(headline))
        yield line(Span(f"{mark} ", role), Span(headline, Style.STRONG), Span(rest, Style.DIM))
    yield line(Span(_fitted(one_line(page.happened, look.marks), look), Style.DIM))


def _notices(page: Page, look: DisplayOptions) -> list[Line]:
    found = [each for notice in page.notices for each in notice_lines(notice, look)]
    if len(found) > _MOST_NOTICES:
        found = [*found[: _MOST_NOTICES - 1], line(Span(f"       and {len(found) - _MOST_NOTICES + 1} lines more"))]
    return [*found, ()] if found else []


def _solutions(page: Page, look: DisplayOptions) -> Iterator[Line]:
    """Yield a line for each surprise, for what was edited, and one for all others."""
    standing = page.standing
    edited = [each for each in standing.results if each[1].as_expected and each[1].solution.shown in page.edited]
    shown = [*standing.surprises[:_MOST_SURPRISES], *edited[:_MOST_SURPRISES]]
    names = [words.full_name(problem, result, look.marks) for problem, result in shown]
    columns = min(max(map(width, names), default=0), _MOST_NAME)
    for name, (problem, result) in zip(names, shown, strict=True):
        title = pad(shorten(name, columns, look.marks.cut), columns)
        yield _solution(title, result, page.early.get((problem.id, result.solution.shown)), standing, look)
    if (more := len(standing.surprises) - _MOST_SURPRISES) > 0:
        yield line(Span(f"{look.marks.bad} and {words.count(more, 'surprise')} more", Style.BAD))
    named = {result.solution.shown for _, result in (*shown, *standing.surprises)} | standing.stale
    if fine := sum(result.solution.shown not in named for _, result in standing.results):
        others = (" other" if fine == 1 else " others") if shown else ""
        yield line(Span(f"{look.marks.ok} ", Style.GOOD), f"{fine:,}{others} as expected")
    if standing.waiting:
        yield line(Span(f"  {standing.waiting:,} to be judged", Style.DIM))


def _solution(
    name: str, result: SolutionResult, early: SolutionResult | None, standing: Status, look: DisplayOptions
) -> Line:
    good = result.as_expected
    role = Style.GOOD if good else Style.FAULT if result.verdict is Verdict.JE else Style.BAD
    verdict = words.got(result) if good else f"{words.got(result)}, {words.expected(result)}"
    facts = [f"{words.passed(result)} passed"]
    if result.slowest and result.slowest.run:
        facts.append(f"slowest {format_seconds(result.slowest.run.cpu)}")
    if early is not None:
        facts = ["the case that failed passes now" if early.as_expected else "still"]
    elif result.solution.shown in standing.stale:
        role, verdict, facts = Style.DIM, f"was {words.got(result)}", ["judging"]
    mark = look.marks.dot if role is Style.DIM else look.marks.ok if good else look.marks.bad
    rest = f"  {verdict}  {f' {look.marks.dot} '.join(facts)}"
    return line(Span(f"{mark} ", role), name, Span(rest, Style.TEXT if good and role is not Style.DIM else role))


def _block(page: Page, look: DisplayOptions) -> list[Line]:
    """Return all about the first surprise, as it was told last."""
    for problem, result in page.standing.surprises[:1]:
        newest = page.early.get((problem.id, result.solution.shown), result)
        if newest.as_expected:
            return []
        return list(surprise_lines(problem, [newest], look))
    return []


def _fitted(text: str, look: DisplayOptions, used: int = 0) -> str:
    return text if look.width is None else shorten(text, max(look.width - used, 1), look.marks.cut)
