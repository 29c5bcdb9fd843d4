"""One submission: its user interface, one run of every case here, and the guards against submitting by mistake."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, JudgeError, UsageError
from judge.base.units import format_bytes
from judge.history.submissions import SubmissionRecord, SubmissionState, SubmissionStore
from judge.languages.source import read_file
from judge.model import Problem, Solution
from judge.model.events import Event
from judge.online.lint.check import CheckReport, check_source
from judge.online.lint.dry_run import DryRun, dry_run
from judge.online.lint.judges import JUDGES as ONLINE_JUDGES
from judge.online.lint.judges import find_judge_interpreter
from judge.online.submit.http import one_line
from judge.online.submit.values import Destination, SourceFile, SubmitOptions
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

    def is_on_terminal(self) -> bool:
        """Return whether the user reads and answers."""

    def show(self, label: str, value: str) -> None:
        """Show a result."""

    def copy(self, data: bytes) -> str:
        """Copy to the clipboard; return how that was done, "" if it was not possible."""


class SubmissionContext(Struct, frozen=True, kw_only=True):
    """One call of `submit`.

    Attributes:
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

    def judge_locally(self, *, keep_output: str = "") -> DryRun | None:
        """Judge the solution and check it for its judge; return None if it must not be submitted.

        `keep_output` is the id of a case whose output is needed.

        Raises:
            UsageError: the file has changed meanwhile.
            JudgeError: the solution cannot be judged.
        """
        # which Python a DOMjudge runs is unknown: the problem's profile says what to expect
        online_judge = ONLINE_JUDGES.get(self.judge) or ONLINE_JUDGES[self.problem.profile]
        python, notes = find_judge_interpreter(online_judge) if self.source.language == "python3" else (None, [])
        tools = {"python": python.path} if python else {}
        with self.open_session(replace(self.options.session, tools=tools)) as session:
            try:
                judged = dry_run(self.selection, session, self.ui.show_events, keep_output=keep_output)
            except DataError:
                raise JudgeError("the test data is wrong (see above); nothing was submitted") from None
            except JudgeError as error:
                raise JudgeError(f"{error}; nothing was submitted") from error
        shown = self.solution.display_path
        report = check_source(
            self.solution.path,
            self.source.data,
            online_judge,
            shown=Path(shown),
            problem=self.problem.id if self.problem.folder else "",
            dry_run=judged,
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

    def begin(self, to: Destination, *, again: bool = False) -> int:
        """Record that the source is about to be submitted; return the id of the record.

        Raises:
            UsageError: another process has just submitted it, and it is not to be submitted `again`.
        """
        found = self.store.begin(
            judge=to.judge, host=to.site, problem=to.problem, sha256=self._sha256, language=to.language,
            again=again or self.options.again,
        )  # fmt: skip
        if isinstance(found, SubmissionRecord):
            raise UsageError(_describe_earlier(found, to.url))
        return found

    @property
    def _sha256(self) -> str:
        return hashlib.sha256(self.source.data).hexdigest()

    def _find_earlier(self, to: Destination) -> SubmissionRecord | None:
        return self.store.latest(host=to.site, problem=to.problem, sha256=self._sha256)


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
        case SubmissionState.TAKEN:
            return f"{what} was taken by a browser extension on {earlier.time} UTC: see {url}; {again}"
    return (
        f"{what} was being submitted on {earlier.time} UTC and may have arrived: check {url} before you submit it "
        f"again; {again}"
    )
