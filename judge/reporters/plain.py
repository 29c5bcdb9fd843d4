"""The reporter for pipes, logs and CI: whole lines, no colours, nothing cut, signs of ASCII only."""

from typing import TextIO, assert_never

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
from judge.model import Problem, SolutionResult, Verdict
from judge.reporters import formatting as words
from judge.reporters.canvas import write_notice
from judge.reporters.escape import ASCII, PLAIN, one_line, pad, width
from judge.reporters.failure import surprise_lines
from judge.reporters.lines import DisplayOptions, Line, text_of
from judge.reporters.reporter import OutputOptions, Reporter, shows_unicode
from judge.reporters.table import Summary, sandbox
from judge.units import format_seconds


class PlainReporter(Reporter):
    """Writes a line for each solution as soon as it is judged, then a block for each surprise."""

    def __init__(self, stdout: TextIO, stderr: TextIO, _options: OutputOptions) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._look = DisplayOptions(width=None, marks=PLAIN if shows_unicode(stdout) else ASCII)
        self._summary = Summary(self._look.marks)
        self._problem: Problem | None = None
        self._surprises: list[SolutionResult] = []
        self._name_width = self._wanted_width = 0

    def handle(self, event: Event) -> None:
        """Show one event."""
        self._summary.listen(event)
        match event:
            case CaseJudged():  # first: there are many
                pass
            case ProblemBegan():
                self._heading(event)
            case SolutionJudged(problem=problem, result=result):
                self._solution(problem, result)
            case ProblemJudged():
                self._write("")
                self._blocks()
            case Notice():
                write_notice(event, self._stderr)
            case RunEnded():
                self._blocks()
                self._write(*self._summary.lines(event, self._look))
            case RunBegan() | Preparing() | SolutionBegan():
                pass
            case _:
                assert_never(event)

    def close(self) -> None:
        """Leave nothing in the buffer."""
        self._stdout.flush()

    def _write(self, *lines: Line | str) -> None:
        for line in lines:
            self._stdout.write((line if isinstance(line, str) else text_of(line)) + "\n")
        self._stdout.flush()

    def _heading(self, event: ProblemBegan) -> None:
        problem, marks = event.problem, self._look.marks
        facts = [
            words.limits(problem.limits),
            words.checker(problem.checker),
            f"{words.count(event.cases, 'case')}, {words.count(event.solutions, 'solution')}",
            sandbox(self._summary.level),
        ]
        self._name_width = max((width(one_line(s.shown, marks)) for s in problem.solutions), default=0)
        self._wanted_width = max((len(words.wanted(s.expectation)) for s in problem.solutions), default=0)
        self._write(f"{one_line(problem.id, marks)}: {one_line(problem.name, marks)}", f"  {'; '.join(facts)}")

    def _solution(self, problem: Problem, result: SolutionResult) -> None:
        good = "skipped" if result.verdict is Verdict.SK else "ok"
        word = good if result.as_expected else "SURPRISE"
        name = pad(one_line(result.solution.shown, self._look.marks), self._name_width)
        wanted = words.wanted(result.solution.expectation)
        verdict = f"{words.got(result):<3}  expected {wanted:<{self._wanted_width}}"
        skipped = f", {words.skipped(result)} skipped" if words.skipped(result) else ""
        cached = f", {words.cached(result)} cached" if result.cached else ""
        facts = [f"{word:<8}", name, verdict, f"{words.passed(result):>7} passed{skipped}{cached}"]
        if result.slowest and result.slowest.run:
            slowest = result.slowest
            time = f"{format_seconds(result.slowest.run.cpu):>7} of {format_seconds(slowest.limits.cpu)}"
            facts.append(f"slowest {time} {one_line(slowest.case.id, self._look.marks)}")
        if result.largest and result.largest.run:
            facts.append(f"peak {words.memory(result.largest.run)}")
        self._write("  " + "  ".join(facts).rstrip())
        if not result.as_expected:
            self._problem = problem
            self._surprises.append(result)

    def _blocks(self) -> None:
        if self._problem:
            self._write(*surprise_lines(self._problem, self._surprises, self._look))
        self._problem = None
        self._surprises = []
