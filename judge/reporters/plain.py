"""The reporter for pipes, logs and CI: whole lines without colours; nothing is cut, and all symbols are ASCII."""

from typing import TYPE_CHECKING, TextIO

from judge.base.units import format_count, format_seconds
from judge.model import Problem, SolutionResult, Verdict
from judge.model.events import Event, Notice, ProblemBegan, ProblemJudged, RunEnded, SolutionJudged
from judge.reporters import OutputOptions, Reporter, Verbosity, formatting
from judge.reporters.cases import CaseDetails, group_lines
from judge.reporters.escape import one_line, pad, width
from judge.reporters.failure import failure_lines
from judge.reporters.lines import EMPTY, Line, Log, make_line, notice_lines
from judge.reporters.progress import RunProgress
from judge.reporters.summary import Summary

if TYPE_CHECKING:  # only the reporter for terminals, which is made of this one, loads `rich`
    from rich.table import Table

    from judge.reporters.canvas import Canvas

_UNEXPECTED = "UNEXPECTED"


class PlainReporter(Reporter):
    """Writes a line when a solution is judged, and the failing cases when all solutions of a problem are."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        out, err = (Log(stream, options.environment) for stream in (stdout, stderr))
        self._begin(out, err, RunProgress(stderr, options), options.verbosity)

    def _begin(self, out: "Canvas | Log", err: "Canvas | Log", progress: RunProgress, verbosity: Verbosity) -> None:
        self._out, self._err, self._progress, self._verbosity = out, err, progress, verbosity
        self._details = CaseDetails(verbosity)
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
        facts = [
            formatting.format_limits(problem.limits),
            formatting.describe_judging(problem),
            f"{format_count(event.cases, 'case')}, {format_count(event.solutions, 'solution')}",
            formatting.describe_level(self._summary.level),
        ]
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
        groups = group_lines(problem, self._results, self._out.display.glyphs, self._verbosity)
        self._write(*([EMPTY] if is_whole else []), *groups, *failure_lines(problem, self._results, self._out.display))


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
