"""The reporter for pipes, logs and CI: whole lines without colours; nothing is cut, and all symbols are ASCII."""

from typing import TextIO

from judge.base.units import format_count, format_seconds
from judge.model import Problem, SolutionResult, Verdict
from judge.model.events import Event, Notice, ProblemBegan, ProblemJudged, RunEnded, SolutionJudged
from judge.reporters import OutputOptions, Reporter, formatting
from judge.reporters.cases import CaseDetails
from judge.reporters.escape import one_line, pad, width
from judge.reporters.lines import EMPTY, Line, Log, make_line, write_notice
from judge.reporters.progress import RunProgress
from judge.reporters.summary import Summary

_UNEXPECTED = "UNEXPECTED"


class PlainReporter(Reporter):
    """Writes a line when a solution is judged, and the failing cases when all solutions of a problem are."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._log = Log(stdout, options.environment)
        self._stdout = stdout
        self._stderr = stderr
        self._display = self._log.display
        self._details = CaseDetails(options.verbosity)
        self._progress = RunProgress(stderr, options)
        self._summary = Summary(self._display.glyphs)
        self._verbosity = options.verbosity
        self._problem: Problem | None = None
        self._groups: list[Line] = []
        self._shown: list[SolutionResult] = []
        self._name_width = self._expectation_width = 0

    def handle(self, event: Event) -> None:
        """Show an event."""
        self._progress.handle(event)
        self._summary.handle(event)
        match event:
            case ProblemBegan():
                self._write_heading(event)
            case SolutionJudged(problem=problem, result=result):
                self._write_solution(problem, result)
            case ProblemJudged():
                self._log.write(EMPTY)
                self._write_failures()
            case Notice():
                if not event.is_summarized:
                    write_notice(event, self._stderr)
            case RunEnded():
                self._write_failures()
                self._log.write(*self._summary.lines(event))
            case _:
                pass
        self._log.write(*self._details.lines(event, self._display))

    def close(self) -> None:
        """Flush the stream."""
        self._stdout.flush()

    def _write_heading(self, event: ProblemBegan) -> None:
        problem, glyphs = event.problem, self._display.glyphs
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
        self._log.write(make_line(f"{one_line(problem.id, glyphs)}{name}"), make_line(f"  {'; '.join(facts)}"))

    def _write_solution(self, problem: Problem, result: SolutionResult) -> None:
        glyphs = self._display.glyphs
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
        self._log.write(make_line("  ", "  ".join(facts)))
        if result.groups:
            from judge.reporters.cases import group_lines  # few problems have groups

            self._groups += group_lines(problem, [result], glyphs, self._verbosity)
        if not result.as_expected or result.unanswered:
            self._problem = problem
            self._shown.append(result)

    def _write_failures(self) -> None:
        groups, self._groups = self._groups, []
        self._log.write(*groups)
        if self._problem and self._shown:
            from judge.reporters.failure import failure_lines

            self._log.write(*failure_lines(self._problem, self._shown, self._display))
        self._problem = None
        self._shown = []


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
