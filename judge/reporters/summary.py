"""The end of a report for people: how many solutions did what they should, what was skipped, what surprised."""

from collections.abc import Iterator

from judge.events import CaseJudged, Event, ProblemBegan, RunBegan, RunEnded, SolutionJudged
from judge.model import Level, Problem, SolutionResult, Verdict
from judge.reporters import words
from judge.reporters.lines import Line, Look, Role, Span, facts, labelled, line
from judge.reporters.visible import Marks, one_line

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

    def __init__(self, marks: Marks) -> None:
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

    def lines(self, end: RunEnded, look: Look) -> Iterator[Line]:
        """Yield the summary."""
        yield from self._headline(end, look)
        if end.had_errors:
            yield from labelled("errors", "the judge or the test data failed: see above", look, Role.FAULT)
        for reason, cases in self._skipped.items():
            yield from labelled("skipped", f"{_some(list(cases))}: {reason}", look)
        for surprise in self._surprises if len(self._surprises) > 1 or self._problems > 1 else ():
            yield from labelled("surprise", surprise, look, Role.BAD)

    def _headline(self, end: RunEnded, look: Look) -> Iterator[Line]:
        good = end.as_expected and not end.interrupted
        mark = look.marks.ok if good else look.marks.bad
        outcome = f"{mark} {words.outcome(end, self._not_judged)}"
        first, *others = facts([outcome, words.effort(end), sandbox(self.level)], look)
        split = min(len(outcome), len(first))
        role = Role.GOOD if good else Role.BAD
        yield line(
            Span(first[: len(mark)], role), Span(first[len(mark) : split], Role.STRONG), Span(first[split:], Role.DIM)
        )
        for other in others:
            yield line(Span(other, Role.DIM))


def _some(cases: list[str]) -> str:
    more = len(cases) - _NAMED
    return ", ".join(cases[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
