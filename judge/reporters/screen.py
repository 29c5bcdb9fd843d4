"""The reporter for a terminal: a live line on standard error, a table and the surprises on standard output."""

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
from judge.model import SolutionResult
from judge.reporters.canvas import Canvas, notice_lines
from judge.reporters.failure import surprise_lines
from judge.reporters.progress import LiveLine
from judge.reporters.reporter import OutputOptions, Reporter
from judge.reporters.table import Summary, heading_lines, table


class ScreenReporter(Reporter):
    """Shows one problem at a time, when all of its solutions are judged."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._out = Canvas(stdout, options)
        self._err = Canvas(stderr, options)
        self._live = LiveLine(stderr, options)
        self._summary = Summary(self._out.look.marks)
        self._problem: ProblemBegan | None = None
        self._results: list[SolutionResult] = []

    def handle(self, event: Event) -> None:
        """Show one event."""
        self._summary.listen(event)
        self._live.listen(event)
        match event:
            case ProblemBegan():
                self._problem = event
            case SolutionJudged(result=result):
                self._results.append(result)
            case ProblemJudged():
                self._show_problem()
            case Notice():
                with self._live.away():
                    self._err.write(*notice_lines(event, self._err.look))
            case RunEnded():
                self._show_problem()
                self._live.stop()
                self._out.write(*self._summary.lines(event, self._out.look))
            case RunBegan() | Preparing() | SolutionBegan() | CaseJudged():
                pass
            case _:
                assert_never(event)

    def close(self) -> None:
        """Take the live line away and show the cursor."""
        self._live.stop()

    def _show_problem(self) -> None:
        if self._problem is None:
            return
        problem, look = self._problem.problem, self._out.look
        with self._live.away():
            self._out.write(*heading_lines(problem, self._problem.cases, self._summary.level, look), ())
            if self._results:
                self._out.write(table(problem, self._results, look), ())
            self._out.write(*surprise_lines(problem, self._results, look))
        self._problem = None
        self._results = []
