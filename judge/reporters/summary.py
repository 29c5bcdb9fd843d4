"""The summary at the end of a report for people."""

from collections.abc import Iterator

from judge.base.units import format_count
from judge.model import Level, Problem, SolutionResult, Verdict
from judge.model.events import CaseJudged, Event, ProblemBegan, RunBegan, RunEnded, SolutionJudged
from judge.reporters import formatting
from judge.reporters.escape import Glyphs, one_line
from judge.reporters.lines import Fit, Line, Span, Style, label_line, make_line

_NAMED_CASES = 3
_NO_DATA = "its data is not on this machine"
_UNDECIDED, _UNFINISHED = "not exposed by the judged cases", "not finished"
_UNANSWERED, _NOT_JUDGED = "without an answer to compare with", "not judged"
_OTHERS = (_UNDECIDED, _UNFINISHED, _UNANSWERED, _NOT_JUDGED)


class Summary:
    """Collects from the events the little that the summary shows."""

    def __init__(self, glyphs: Glyphs) -> None:
        self.level: Level | None = None
        self._glyphs = glyphs
        self._problems = 0
        self._others = dict.fromkeys(_OTHERS, 0)  # solutions that are neither as expected nor unexpected
        self._lone = 0
        self._last: SolutionResult | None = None
        self._skipped: dict[str, dict[str, None]] = {}  # by reason: what was skipped, in order
        self._skipped_cases: dict[str, str] = {}  # of the current solution, with their reasons
        self._unexpected: list[str] = []

    def handle(self, event: Event) -> None:
        """Take in an event."""
        match event:
            case CaseJudged(problem=problem, result=result):  # the most frequent event comes first
                is_reported = result.has_invalid_data or result.is_omitted  # by an error, or by the result of a group
                if result.verdict is Verdict.SK and not is_reported:
                    name = one_line(f"{problem.id} {result.case.id}", self._glyphs)
                    self._skipped_cases[name] = one_line(result.reason, self._glyphs) or _NO_DATA
            case RunBegan(level=level):
                self.level = level
            case ProblemBegan():
                self._problems += 1
            case SolutionJudged(problem=problem, result=result):
                self._handle_solution(problem, result)
            case _:
                pass

    def _handle_solution(self, problem: Problem, result: SolutionResult) -> None:
        name = formatting.full_name(problem, result, self._glyphs)
        skipped, self._skipped_cases = self._skipped_cases, {}
        if result.verdict is Verdict.SK and result.message:
            skipped = {name: one_line(result.message, self._glyphs)}
        self._others[_NOT_JUDGED] += result.verdict is Verdict.SK
        self._others[_UNANSWERED] += result.verdict is Verdict.NA
        self._others[_UNFINISHED if result.unfinished else _UNDECIDED] += result.is_undecided
        for skipped_name, reason in skipped.items():
            self._skipped.setdefault(reason, {})[skipped_name] = None
        if not result.as_expected:
            self._unexpected.append(f"{name}: {formatting.describe_mismatch(problem, result)}")
        self._lone += formatting.is_lone(problem, result)
        self._last = result

    def lines(self, end: RunEnded) -> Iterator[Line]:
        """Yield the summary."""
        is_good = end.as_expected and not end.interrupted
        glyph, style = (self._glyphs.ok, Style.GOOD) if is_good else (self._glyphs.bad, Style.BAD)
        facts = "".join(
            f" {self._glyphs.dot} {fact}"
            for fact in (formatting.describe_effort(end), formatting.describe_level(self.level))
        )
        outcome = Span(self._outcome(end), Style.STRONG)
        yield make_line(Span(f"{glyph} ", style), outcome, Span(facts, Style.DIM), fit=Fit.WRAP, head=1)
        if end.had_errors:
            yield label_line("errors", "the judge or the test data failed: see above", Style.FAULT)
        for reason, names in self._skipped.items():
            some = formatting.list_some(list(names), _NAMED_CASES)
            yield label_line("skipped", f"{some}: {reason}")
        if len(self._unexpected) > 1 or self._problems > 1:
            for text in self._unexpected:
                yield label_line("solution", text, Style.BAD)

    def _outcome(self, end: RunEnded) -> str:
        """Return how many solutions got the expected verdicts, or were accepted if nothing else was expected."""
        if end.interrupted and not end.solutions:
            return "interrupted before any solution was judged"
        if self._last and self._lone == end.solutions == 1 and not end.interrupted:
            return _describe_lone(self._last)
        aim = "accepted" if self._lone == end.solutions > 0 else "as expected"
        good = end.solutions - end.unexpected - sum(self._others.values())
        if good == end.solutions == 2 and not end.interrupted:
            share = "both solutions"
        elif good == end.solutions and not end.interrupted:
            share = f"{'all ' if good > 1 else ''}{format_count(good, 'solution')}"
        else:
            share = f"{good:,} of {format_count(end.solutions, 'solution')}"
        parts = [f"{share} {aim}"]
        parts += [f"{count:,} {what}" for what, count in self._others.items() if count]
        parts += [f"{end.unexpected:,} unexpected"] if end.unexpected and aim != "accepted" else []
        if not (end.as_expected or end.unexpected or end.had_errors or end.interrupted):
            parts.append("but nothing was run")
        if end.had_errors and not (end.unexpected or self._others[_NOT_JUDGED]):
            parts.append("but with errors")
        text = ", ".join(parts)
        return f"interrupted: {text}, so far" if end.interrupted else text


def _describe_lone(result: SolutionResult) -> str:
    unanswered, judged = formatting.count_unanswered(result), result.judged
    if result.verdict is Verdict.NA:
        return f"{format_count(unanswered, 'case')} run, with no answer to compare the output with"
    accepted = result.counts.get(Verdict.AC, 0)
    if result.verdict is Verdict.CE or not judged:
        return formatting.VERDICT_NAMES[result.verdict]
    share = f"{accepted:,} of {format_count(judged, 'case')}"
    if accepted == judged:
        share = f"{'all ' if judged > 1 else ''}{format_count(judged, 'case')}"
    more = f", {unanswered:,} without an answer" if unanswered else ""
    return f"{formatting.describe_verdict(result)}: {share} accepted{more}"
