"""The reporter for pipes, logs and CI: whole lines without colours; nothing is cut, and all symbols are ASCII.

The summary at the end of a run is also that of the other reporters for people.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from judge.base.units import format_count, format_seconds
from judge.model import Level, Problem, SolutionResult, Verdict
from judge.model.events import (
    CaseJudged,
    Event,
    Notice,
    ProblemBegan,
    ProblemJudged,
    RunBegan,
    RunEnded,
    SolutionJudged,
)
from judge.reporters import OutputOptions, Reporter, Verbosity, formatting
from judge.reporters.escape import Glyphs, one_line, pad, width
from judge.reporters.lines import EMPTY, Fit, Line, Log, Span, Style, label_line, make_line, notice_lines
from judge.reporters.progress import RunProgress

if TYPE_CHECKING:  # only the reporter for terminals, which is made of this one, loads `rich`
    from rich.table import Table

    from judge.reporters.canvas import Canvas
    from judge.reporters.cases import CaseDetails


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
        skipped, self._skipped_cases = self._skipped_cases, {}
        if result.verdict is Verdict.SK and result.message:
            name = formatting.full_name(problem, result, self._glyphs)
            skipped = {name: one_line(result.message, self._glyphs)}
        self._others[_NOT_JUDGED] += result.verdict is Verdict.SK
        self._others[_UNANSWERED] += result.verdict is Verdict.NA
        self._others[_UNFINISHED if result.unfinished else _UNDECIDED] += result.is_undecided
        for skipped_name, reason in skipped.items():
            self._skipped.setdefault(reason, {})[skipped_name] = None
        if not result.as_expected:
            name = formatting.full_name(problem, result, self._glyphs)
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
            some = formatting.list_some(list(names), 3)
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


_UNEXPECTED = "UNEXPECTED"


def _make_details(verbosity: Verbosity) -> "CaseDetails":
    from judge.reporters.cases import CaseDetails  # most reports have none

    return CaseDetails(verbosity)


class PlainReporter(Reporter):
    """Writes a line when a solution is judged, and the failing cases when all solutions of a problem are."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        out, err = (Log(stream, options.environment) for stream in (stdout, stderr))
        self._begin(out, err, RunProgress(stderr, options), options.verbosity)

    def _begin(self, out: "Canvas | Log", err: "Canvas | Log", progress: RunProgress, verbosity: Verbosity) -> None:
        self._out, self._err, self._progress, self._verbosity = out, err, progress, verbosity
        # --show-output is verbose, unless --quiet is given, too
        self._details = None if verbosity is Verbosity.NORMAL else _make_details(verbosity)
        self._summary = Summary(out.display.glyphs)
        self._began: ProblemBegan | None = None
        self._results: list[SolutionResult] = []
        self._name_width = self._expectation_width = 0

    def handle(self, event: Event) -> None:
        """Show an event."""
        self._progress.handle(event)
        self._summary.handle(event)
        match event:
            case ProblemBegan():
                self._began, self._results = event, []
                self._begin_problem(event)
            case SolutionJudged(problem=problem, result=result):
                self._results.append(result)
                self._show_solution(problem, result)
            case ProblemJudged():
                self._end_problem(is_whole=True)
            case Notice(is_summarized=False):
                with self._progress.hide():
                    self._err.write(*notice_lines(event, self._err.display.glyphs))
            case RunEnded():
                self._end_problem(is_whole=False)
                self._progress.stop()
                self._out.write(*self._summary.lines(event))
            case _:
                pass
        if self._details is not None:
            self._write(*self._details.lines(event, self._out.display))

    def close(self) -> None:
        """Remove the progress line and show the cursor."""
        self._progress.stop()

    def _write(self, *lines: "Line | Table") -> None:
        if lines:
            with self._progress.hide():
                self._out.write(*lines)  # type: ignore[arg-type]  # only a canvas gets tables

    def _begin_problem(self, event: ProblemBegan) -> None:
        problem, glyphs = event.problem, self._out.display.glyphs
        counts = f"{format_count(event.cases, 'case')}, {format_count(event.solutions, 'solution')}"
        facts = [*formatting.describe_rules(problem), counts, formatting.describe_level(self._summary.level)]
        names = [one_line(solution.display_path, glyphs) for solution in problem.solutions]
        expectations = [formatting.label_expectation(solution.expectation) for solution in problem.solutions]
        self._name_width = max(map(width, names), default=0)
        self._expectation_width = max(map(len, expectations), default=0)
        name = "" if problem.name == problem.id else f": {one_line(problem.name, glyphs)}"
        self._write(make_line(f"{one_line(problem.id, glyphs)}{name}"), make_line(f"  {'; '.join(facts)}"))

    def _show_solution(self, problem: Problem, result: SolutionResult) -> None:
        glyphs = self._out.display.glyphs
        is_lone = formatting.is_lone(problem, result)
        name = pad(one_line(result.solution.display_path, glyphs), self._name_width)
        expected = formatting.label_expectation(result.solution.expectation)
        verdict = f"{formatting.describe_verdict(result):<3}"
        if not is_lone:
            verdict += f"  expected {expected:<{self._expectation_width}}"
        facts = [f"{describe_status(result, is_lone=is_lone):<{len(_UNEXPECTED)}}", name, verdict]
        if problem.has_scores:
            facts.append(f"score {formatting.describe_score(result.score, result.max_score)}")
        facts.append(describe_passed(result))
        if deciding := formatting.deciding_case(result):
            word, case = deciding
            assert case.run is not None
            time = f"{format_seconds(case.run.cpu):>7} of {format_seconds(case.limits.cpu)}"
            facts.append(f"{word:<7} {time} {one_line(case.case.id, glyphs)}")
        if result.largest and result.largest.run:
            facts.append(f"peak {formatting.format_memory(result.largest.run)}")
        if result.is_undecided:
            facts.append(formatting.describe_undecided(result))
        self._write(make_line("  ", "  ".join(facts)))

    def _end_problem(self, *, is_whole: bool) -> None:
        """Show what is known of a problem when all its solutions are judged; if not `is_whole`, after an interrupt."""
        if self._began is None:
            return
        problem, self._began = self._began.problem, None
        lines: list[Line] = [EMPTY] if is_whole else []
        if any(result.groups for result in self._results):
            from judge.reporters.cases import group_lines  # few problems have groups

            lines += group_lines(problem, self._results, self._out.display.glyphs, self._verbosity)
        if any(not result.as_expected or Verdict.NA in result.counts for result in self._results):
            from judge.reporters.failure import failure_lines  # most runs have nothing to explain

            lines += failure_lines(problem, self._results, self._out.display)
        self._write(*lines)


def describe_passed(result: SolutionResult) -> str:
    """Return how many cases were accepted, and how many were not judged and why."""
    passed = f"{formatting.passed_share(result):>7} passed"
    if skipped := formatting.count_unavailable(result):
        passed += f", {skipped} skipped"
    if result.omitted:
        passed += f", {result.omitted} omitted"
    if unanswered := formatting.count_unanswered(result):
        passed += f", {unanswered} without an answer"
    if result.not_judged:
        passed += f", {result.not_judged} not judged"
    if result.cached:
        passed += f", {formatting.cached_share(result)} cached"
    return passed


def describe_status(result: SolutionResult, *, is_lone: bool) -> str:
    """Return whether a solution did what is expected of it, in a word or two."""
    if not result.as_expected:
        return "failed" if is_lone else _UNEXPECTED
    if result.verdict is Verdict.SK:
        return "not judged" if result.not_judged or result.unfinished else "skipped"
    if result.verdict is Verdict.NA:
        return "no answer"
    return "undecided" if result.is_undecided else "ok"
