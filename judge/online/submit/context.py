"""One submission: its user interface, one run of every case here, and the guards against submitting by mistake."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, read_data
from judge.base.errors import JudgeError, UsageError
from judge.base.units import format_bytes
from judge.history.submissions import SubmissionRecord, SubmissionState, SubmissionStore
from judge.languages.source import read_file
from judge.model import CaseResult, Problem, Solution, Verdict
from judge.model.events import CaseJudged, Event, Notice, RunEnded
from judge.online.lint.check import CheckReport, check_source
from judge.online.lint.dry_run import DryRun, FormatErrors, check_format
from judge.online.lint.judges import JUDGES as ONLINE_JUDGES
from judge.online.lint.judges import find_judge_interpreter
from judge.online.submit.http import one_line
from judge.online.submit.values import Destination, SourceFile, SubmitOptions
from judge.runner.run import run
from judge.workspace.options import SessionOptions
from judge.workspace.session import Session
from judge.workspace.workspace import SourceSelection

OpenSession = Callable[[SessionOptions], AbstractContextManager[Session]]


class UserInterface(Protocol):
    """What the user sees and is asked."""

    def show_events(self, events: Iterable[Event]) -> Iterator[Event]:
        """Show a run and yield its events."""

    def show_report(self, report: CheckReport) -> None:
        """Show the findings of `judge check`."""

    def notify(self, text: str) -> None:
        """Show what is going on."""

    def check_can_confirm(self) -> None:
        """Raise UsageError if the user cannot be asked: before a long run, not after it."""

    def confirm(self, summary: Sequence[tuple[str, str]]) -> bool:
        """Show labels and values, and ask whether to submit."""

    def show(self, label: str, value: str) -> None:
        """Show a result."""

    def copy(self, data: bytes) -> str:
        """Copy to the clipboard; return how that was done, "" if it was not possible."""


class Precheck(Struct, frozen=True, kw_only=True):
    """What a solution did here.

    Attributes:
        dry_run: the runs, for `judge check`.
        as_expected: all verdicts are as expected, and nothing is wrong with the test data.
        results: by the id of the case.
        output: what the solution printed for the case whose output was asked for.
    """

    dry_run: DryRun
    as_expected: bool
    results: dict[str, CaseResult]
    output: bytes


class SubmissionContext(Struct, frozen=True, kw_only=True):
    """One call of `submit`.

    Attributes:
        selection: the file, with its problem.
        source: the file as it was when it was judged.
    """

    options: SubmitOptions
    judge: str
    selection: SourceSelection
    source: SourceFile
    store: SubmissionStore
    open_session: OpenSession
    ui: UserInterface

    @property
    def problem(self) -> Problem:
        """The problem here."""
        assert self.selection.problem is not None
        return self.selection.problem.problem

    @property
    def solution(self) -> Solution:
        """The solution to submit."""
        return self.problem.solutions[0]

    def confirm(self, summary: Sequence[tuple[str, str]]) -> bool:
        """Show labels and values, and the file with its size; ask whether to submit."""
        size = format_bytes(len(self.source.data))
        return self.ui.confirm([*summary, ("file", f"{one_line(self.source.name)}, {size}")])

    def judge_locally(self, *, keep_output: str = "") -> Precheck | None:
        """Judge the solution and check it for its judge; return None if it must not be submitted.

        Args:
            keep_output: the id of a case whose output is needed.

        Raises:
            UsageError: the file has changed meanwhile.
            JudgeError: the solution cannot be judged.
        """
        # which Python a DOMjudge runs is unknown: the problem's profile says what to expect
        online_judge = ONLINE_JUDGES.get(self.judge) or ONLINE_JUDGES[self.problem.profile]
        python, notes = find_judge_interpreter(online_judge) if self.source.language == "python3" else (None, [])
        tools = {"python": python.path} if python else {}
        with self.open_session(replace(self.options.session, tools=tools)) as session:
            judged = _precheck(self.selection, session, ui=self.ui, keep_output=keep_output)
        shown = self.solution.display_path
        report = check_source(
            self.solution.path,
            self.source.data,
            online_judge,
            shown=Path(shown),
            problem=self.problem.id if self.problem.folder else "",
            dry_run=judged.dry_run,
            interpreter=python.name if python else "",
            notes=notes,
        )
        self.ui.show_report(report)
        is_ready = judged.as_expected and report.is_ready
        if self.solution.expectation.name != "accepted":
            self.ui.notify(f"{shown} is in a folder of {self.solution.expectation.name} solutions")
            is_ready = False
        if read_file(self.solution.path) != self.source.data:
            raise UsageError(f"{shown} changed while it was judged; nothing was submitted, run judge submit again")
        if is_ready:
            return judged
        if self.options.force:
            self.ui.notify(f"{shown} is not ready; submitting it because of --force")
            return judged
        self.ui.notify(f"{shown} is not ready; nothing was submitted (use --force to submit it anyway)")
        return None

    def check_not_submitted(self, to: Destination) -> None:
        """Check that this source was not submitted before, or is submitted again on purpose.

        Raises:
            UsageError: it was; the message says when, and what became of it.
        """
        earlier = self._find_earlier(to)
        if earlier is not None and not self.options.again:
            raise UsageError(_describe_earlier(earlier, to.url))

    def find_sent(self, to: Destination) -> SubmissionRecord:
        """Return the record of this source's submission, which the judge has received.

        Raises:
            UsageError: there is none.
        """
        earlier = self._find_earlier(to)
        if earlier is None:
            raise UsageError(f"--follow: no record of submitting this source to {to.site} for {to.problem}")
        if earlier.state not in (SubmissionState.SENT, SubmissionState.JUDGED):
            raise UsageError(f"--follow: {_describe_earlier(earlier, to.url)}")
        return earlier

    def record_copy(self, to: Destination) -> None:
        """Record that the source was copied for the user to paste, which is not a submission yet."""
        row = self._add_record(to, again=True)
        assert isinstance(row, int)
        self.store.update(row, state=SubmissionState.MANUAL)

    def begin(self, to: Destination) -> int:
        """Record that the source is about to be submitted; return the id of the record.

        Raises:
            UsageError: another process has just submitted it.
        """
        found = self._add_record(to, again=self.options.again)
        if isinstance(found, SubmissionRecord):
            raise UsageError(_describe_earlier(found, to.url))
        return found

    def _add_record(self, to: Destination, *, again: bool) -> int | SubmissionRecord:
        return self.store.begin(
            judge=to.judge, host=to.site, problem=to.problem, sha256=self._sha256, language=to.language, again=again
        )

    @property
    def _sha256(self) -> str:
        return hashlib.sha256(self.source.data).hexdigest()

    def _find_earlier(self, to: Destination) -> SubmissionRecord | None:
        return self.store.latest(host=to.site, problem=to.problem, sha256=self._sha256)


def _precheck(selection: SourceSelection, session: Session, *, ui: UserInterface, keep_output: str) -> Precheck:
    """Judge a selected file on all cases, once; `keep_output` is the id of a case.

    Raises:
        KeyboardInterrupt: a signal stopped the run.
        JudgeError: the solution cannot be judged here, or the test data is wrong.
    """
    outputs: dict[str, bytes] = {}
    format_errors: dict[str, FormatErrors] = {}

    def inspect(result: CaseResult, output: bytes, answer: Data | None) -> None:  # called in a worker
        if result.case.id == keep_output:
            outputs[keep_output] = output
        with suppress(OSError):  # the answer was readable a moment ago
            format_errors[result.case.id] = check_format(output, None if answer is None else read_data(answer))

    # a user who names a file wants to know why it cannot be judged
    problem = selection.problem
    assert problem is not None
    selected = [replace(problem, named=frozenset({problem.problem.solutions[0].path}))]
    # fresh: a result from the cache has no output to check
    python = session.options.tools.get("python")
    rerun_args = ("--python", python) if python else ()
    options = session.run_options(fresh=True, diagnostics=selection.diagnostics, rerun_args=rerun_args)
    results: dict[str, CaseResult] = {}
    ended: RunEnded | None = None
    had_error_notices = False
    for event in ui.show_events(
        run(selected, session.executor, replace(options, on_output=inspect, notes=selection.notes))
    ):
        match event:
            case CaseJudged(result=result):
                results[result.case.id] = result
            case Notice(is_error=True):
                had_error_notices = True
            case RunEnded():
                ended = event
    assert ended is not None
    if ended.interrupted:
        raise KeyboardInterrupt
    _require_no_errors(results.values())
    if not results and had_error_notices:
        raise JudgeError("the solution could not be judged (see above); nothing was submitted")
    dry_run = DryRun(
        cases=[each for each in results.values() if each.run is not None],
        format_errors=format_errors,
        compile_error=next((each.reason for each in results.values() if each.verdict is Verdict.CE), ""),
        skipped=tuple(f"{each.case.id}: {each.reason}" for each in results.values() if each.verdict is Verdict.SK),
    )
    output = outputs.get(keep_output, b"")
    return Precheck(dry_run=dry_run, as_expected=ended.as_expected, results=results, output=output)


def _require_no_errors(results: Iterable[CaseResult]) -> None:
    """Check that neither the judge nor the test data failed.

    Raises:
        JudgeError: a case could not be judged.
    """
    for each in results:
        if each.verdict is Verdict.JE:
            raise JudgeError(f"{each.case.id}: {each.reason}; nothing was submitted")
        if each.has_invalid_data:
            raise JudgeError("the test data is wrong (see above); nothing was submitted")


def _describe_earlier(earlier: SubmissionRecord, url: str) -> str:
    what = f"the same source for {earlier.problem} at {earlier.host}"
    again = "nothing was submitted; use --again to submit it once more"
    match earlier.state:
        case SubmissionState.JUDGED:
            number = f" as {earlier.remote_id}" if earlier.remote_id else ""
            return f"{what} was submitted on {earlier.time} UTC{number}: {earlier.verdict}; {again}"
        case SubmissionState.SENT:
            number = earlier.remote_id
            return f"{what} was submitted on {earlier.time} UTC as {number}: see {url}, or use --follow; {again}"
    return (
        f"{what} was being submitted on {earlier.time} UTC and may have arrived: check {url} before you submit it "
        f"again; {again}"
    )
