"""Judge a solution before it is submitted: one run of every case serves the verdicts and `judge check`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from judge.data import Data, read_data
from judge.errors import JudgeError
from judge.events import CaseJudged, Event, Notice, RunEnded
from judge.model import CaseResult, Problem, Verdict
from judge.online.lint.check import CheckReport, check_source
from judge.online.lint.dry_run import DryRun, DryRunCase, FormatErrors, check_format
from judge.online.lint.judges import OnlineJudge
from judge.runner.run import run
from judge.workspace.select import Selection
from judge.workspace.session import Session

ShowEvents = Callable[[Iterable[Event]], Iterator[Event]]
"""Shows the events of a run to the user and yields them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Precheck:
    """What a solution did here, and what its online judge would object to.

    Attributes:
        report: the findings of `judge check`.
        as_expected: all verdicts are as expected, and nothing is wrong with the test data.
        results: by the id of the case.
        output: what the solution printed for the case whose output was asked for.
    """

    report: CheckReport
    as_expected: bool
    results: dict[str, CaseResult]
    output: bytes = b""


def precheck(
    selection: Selection,
    data: bytes,
    judge: OnlineJudge,
    session: Session,
    *,
    show_events: ShowEvents,
    interpreter_name: str = "",
    notes: Sequence[str] = (),
    keep_output: str = "",
) -> Precheck:
    """Judge a solution on all cases, once, and check it for an online judge.

    Args:
        selection: one solution of one problem.
        data: the bytes of the solution.
        judge: the judge that gets it.
        session: runs it.
        show_events: shows the run to the user.
        interpreter_name: the Python of the session, such as `CPython 3.8.18`; "" for our own.
        notes: added to the report's notes.
        keep_output: the id of a case whose output is returned.

    Raises:
        KeyboardInterrupt: a signal stopped the run.
        JudgeError: the solution cannot be judged here, or the test data is wrong.
    """
    solution = selection.problems[0].problem.solutions[0]
    runner = _Runner(selection, session, show_events, interpreter_name=interpreter_name, keep_output=keep_output)
    report = check_source(solution.path, data, judge, shown=Path(solution.display_path), runner=runner, notes=notes)
    return Precheck(report=report, as_expected=runner.as_expected, results=runner.results, output=runner.output)


class _Runner:
    """Judges the solution in a session, for `check_source`."""

    def __init__(
        self,
        selection: Selection,
        session: Session,
        show_events: ShowEvents,
        *,
        interpreter_name: str,
        keep_output: str,
    ) -> None:
        self.problem: Problem = selection.problems[0].problem
        self.interpreter_name = interpreter_name
        self.as_expected = False
        self.results: dict[str, CaseResult] = {}
        self.output = b""
        self._selection = selection
        self._session = session
        self._show_events = show_events
        self._keep_output = keep_output
        self._format_errors: dict[str, FormatErrors] = {}

    def build_and_run(self, source: Path) -> DryRun:
        """Judge the solution on all cases.

        Raises:
            KeyboardInterrupt: a signal stopped the run.
            JudgeError: the solution cannot be judged here, or the test data is wrong.
        """
        # a user who names a file wants to know why it cannot be judged
        selected = [replace(self._selection.problems[0], named=frozenset({source}))]
        # fresh: a result from the cache has no output to check
        python = self._session.options.tools.get("python")
        options = self._session.run_options(
            fresh=True,
            diagnostics=self._selection.diagnostics,
            rerun_args=("--python", python) if python else (),
        )
        options = replace(options, on_output=self._inspect)
        ended: RunEnded | None = None
        had_error_notices = False
        for event in self._show_events(run(selected, self._session.executor, options)):
            match event:
                case CaseJudged(result=result):
                    self.results[result.case.id] = result
                case Notice(is_error=True):
                    had_error_notices = True
                case RunEnded():
                    ended = event
        assert ended is not None
        if ended.interrupted:
            raise KeyboardInterrupt
        self.as_expected = ended.as_expected
        self._require_judged(had_error_notices=had_error_notices)
        return self._dry_run()

    def _inspect(self, result: CaseResult, output: bytes, answer: Data) -> None:
        """Check the format of an output; called in a worker."""
        if result.case.id == self._keep_output:
            self.output = output
        with suppress(OSError):  # the answer was readable a moment ago
            self._format_errors[result.case.id] = check_format(output, read_data(answer))

    def _require_judged(self, *, had_error_notices: bool) -> None:
        for result in self.results.values():
            if result.verdict is Verdict.JE:
                raise JudgeError(f"{result.case.id}: {result.reason}; nothing was submitted")
        if not self.results and had_error_notices:
            raise JudgeError("the solution could not be judged (see above); nothing was submitted")

    def _dry_run(self) -> DryRun:
        results = list(self.results.values())
        ran = [each for each in results if each.run is not None]
        return DryRun(
            cases=[
                DryRunCase(result=each, format_errors=self._format_errors.get(each.case.id, FormatErrors()))
                for each in ran
            ],
            compile_error=next((each.reason for each in results if each.verdict is Verdict.CE), ""),
            skipped=tuple(f"{each.case.id}: {each.reason}" for each in results if each.verdict is Verdict.SK),
        )
