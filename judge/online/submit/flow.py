"""The use case behind `judge submit`: find the judge, guard against mistakes, submit, and wait for the verdict.

It never prints or asks by itself: the caller passes a `UserInterface`. Every submission is recorded before it is sent,
so that the same source is not submitted twice by accident, whatever happens in between.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from judge.errors import UsageError
from judge.events import Event
from judge.history.submissions import SubmissionRecord, SubmissionState, SubmissionStore, open_submissions
from judge.languages.interpreters import Interpreter
from judge.languages.source import java_names, read_source
from judge.languages.table import find_language
from judge.model import Case, Ending, External, Problem, Solution, Verdict
from judge.online.desktop import open_page
from judge.online.lint.check import CheckReport
from judge.online.lint.judges import JUDGES as ONLINE_JUDGES
from judge.online.lint.judges import find_judge_interpreter
from judge.online.problem_ref import ProblemRef, problem_ref, problem_ref_by_name
from judge.online.submit.http import one_line
from judge.online.submit.manual import JUDGES as MANUAL_JUDGES
from judge.online.submit.manual import ManualSubmission, manual_submission
from judge.online.submit.poll import NoVerdictError, poll_verdict, retry_once
from judge.online.submit.precheck import Precheck, precheck
from judge.online.submit.values import (
    Client,
    DeliveryState,
    PreparedSubmission,
    Progress,
    Receipt,
    SourceFile,
    SubmitError,
    Target,
)
from judge.units import format_bytes
from judge.workspace.query import Query, absolute_path, guess_problem
from judge.workspace.select import Selection
from judge.workspace.session import Session, SessionOptions
from judge.workspace.workspace import Workspace

JUDGES = ("kattis", "domjudge", *MANUAL_JUDGES)
_MAX_ANSWER = 200  # characters
_EXAMPLE_NAMES = {"uva": "131", "codeforces": "1900A", "atcoder": "abc300_a", "euler": "54"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitOptions:
    """How to judge and submit.

    Attributes:
        session: how to run the solution.
        judge: one of `JUDGES`; None for that of the problem's URL or profile.
        name, contest, language: the judge's own names; None for what is known of the problem and the file.
        url: DOMjudge's address; None for the environment's `SUBMITBASEURL`.
        kattisrc, netrc: credentials files in place of the usual ones.
        force: submit even if the solution fails here.
        again: submit even if the same source was submitted before.
        follow: submit nothing; wait for the verdict of the earlier submission.
        wait: wait for the verdict.
        patience: seconds to wait for the verdict.
        timeout: seconds to wait for a response.
        allow_http: allow sending passwords without encryption.
    """

    session: SessionOptions = field(default_factory=SessionOptions)
    judge: str | None = None
    name: str | None = None
    contest: str | None = None
    language: str | None = None
    url: str | None = None
    kattisrc: Path | None = None
    netrc: Path | None = None
    force: bool = False
    again: bool = False
    follow: bool = False
    wait: bool = True
    patience: float = 600
    timeout: float = 30
    allow_http: bool = False


class SubmitResult(Enum):
    """How it ended."""

    NOT_SUBMITTED = auto()  # the solution fails here, or the user said no
    SUBMITTED = auto()  # sent, or left to the user to paste; the verdict is not known
    ACCEPTED = auto()
    NOT_ACCEPTED = auto()


OpenSession = Callable[[SessionOptions], AbstractContextManager[Session]]


class UserInterface(Protocol):
    """What the user sees and is asked."""

    def show_events(self, events: Iterable[Event]) -> Iterator[Event]:
        """Show a run and yield its events."""

    def show_report(self, report: CheckReport) -> None:
        """Show the findings of `judge check`."""

    def warn(self, text: str) -> None:
        """Show a warning."""

    def notify(self, text: str) -> None:
        """Show what is going on."""

    def confirm(self, summary: Sequence[tuple[str, str]]) -> bool:
        """Show labels and values, and ask whether to submit."""

    def show_answer(self, answer: str, source: str) -> None:
        """Show the answer to submit and where it comes from."""

    def show_receipt(self, receipt: Receipt) -> None:
        """Show that the judge has the submission."""

    def show_verdict(self, progress: Progress) -> None:
        """Show the verdict."""

    def copy(self, data: bytes) -> str:
        """Copy to the clipboard; return how that was done, "" if it was not possible."""

    def show_manual(self, manual: ManualSubmission, copied: str, *, is_open: bool) -> None:
        """Show what to paste where, how it was copied, and whether the page was opened."""


def submit(
    file: Path,
    options: SubmitOptions,
    *,
    workspace: Workspace,
    open_session: OpenSession,
    ui: UserInterface,
    problem_id: str | None = None,
) -> SubmitResult:
    """Judge a solution and submit it to its online judge.

    Args:
        file: the solution.
        options: how to submit.
        workspace: where the problem is.
        open_session: opens the only session, in which every case runs once.
        ui: shows and asks.
        problem_id: the problem; None guesses it from the file's place or name.

    Raises:
        UsageError: something is missing or wrong, or the source was submitted before.
        SubmitError: the judge cannot be reached or rejects it; the error says whether the submission may have arrived.
        JudgeError: the solution cannot be judged.
    """
    selection = _select(file, problem_id, workspace)
    problem = selection.problems[0].problem
    judge = options.judge or _find_judge(problem, options)
    ref = _find_problem_ref(problem, judge, options.name)
    if judge in MANUAL_JUDGES and options.follow:
        raise UsageError(f"--follow: {MANUAL_JUDGES[judge]} has no API for verdicts; look at its page")
    with open_submissions(workspace.state_folder) as store:
        context = SubmissionContext(
            options=options,
            judge=judge,
            selection=selection,
            source=_read_source(problem.solutions[0]),
            store=store,
            open_session=open_session,
            ui=ui,
        )
        if judge in MANUAL_JUDGES:
            assert ref is not None
            return _submit_manually(context, ref)
        return _submit_by_api(context, ref)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionContext:
    """One call of `submit`.

    Attributes:
        selection: the problem with all cases and this solution only.
        source: the file as it was when it was judged.
    """

    options: SubmitOptions
    judge: str
    selection: Selection
    source: SourceFile
    store: SubmissionStore
    open_session: OpenSession
    ui: UserInterface

    @property
    def problem(self) -> Problem:
        """The problem here."""
        return self.selection.problems[0].problem

    @property
    def solution(self) -> Solution:
        """The solution to submit."""
        return self.problem.solutions[0]

    @property
    def size(self) -> tuple[str, str]:
        """A label and a value for the summary: the file and its size."""
        return "file", f"{one_line(self.source.name)}, {format_bytes(len(self.source.data))}"

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
        python: Interpreter | None = None
        notes: list[str] = []
        if self.source.language == "python3":
            python, notes = find_judge_interpreter(online_judge)
        tools = {"python": python.path} if python else {}
        with self.open_session(replace(self.options.session, tools=tools)) as session:
            judged = precheck(
                self.selection,
                self.source.data,
                online_judge,
                session,
                show_events=self.ui.show_events,
                interpreter_name=python.name if python else "",
                notes=notes,
                keep_output=keep_output,
            )
        self.ui.show_report(judged.report)
        shown = self.solution.shown
        is_ready = judged.as_expected and judged.report.is_ready
        if self.solution.expectation.name != "accepted":
            self.ui.notify(f"{shown} is in a folder of {self.solution.expectation.name} solutions")
            is_ready = False
        if read_source(self.solution.path) != self.source.data:
            raise UsageError(f"{shown} changed while it was judged; nothing was submitted, run judge submit again")
        if is_ready:
            return judged
        if self.options.force:
            self.ui.notify(f"{shown} is not ready; submitting it because of --force")
            return judged
        self.ui.notify(f"{shown} is not ready; nothing was submitted (use --force to submit it anyway)")
        return None

    def check_not_submitted(self, host: str, problem: str, url: str) -> None:
        """Check that this source was not submitted before, or is submitted again on purpose.

        Raises:
            UsageError: it was; the message says when, and what became of it.
        """
        earlier = self._find_earlier(host, problem)
        if earlier is not None and not self.options.again:
            raise UsageError(_describe_earlier(earlier, url))

    def find_pending(self, host: str, problem: str, url: str) -> SubmissionRecord:
        """Return the record of this source's submission, which has no verdict yet.

        Raises:
            UsageError: there is none.
        """
        earlier = self._find_earlier(host, problem)
        if earlier is None:
            raise UsageError(f"--follow: no record of submitting this source to {host} for {problem}")
        if earlier.state is not SubmissionState.SENT:
            raise UsageError(f"--follow: {_describe_earlier(earlier, url)}")
        return earlier

    def begin(self, *, judge: str, host: str, problem: str, language: str, url: str) -> int:
        """Record that the source is about to be submitted; return the id of the record.

        Raises:
            UsageError: another process has just submitted it.
        """
        found = self.store.begin(
            judge=judge, host=host, problem=problem, sha256=self._sha256, language=language, again=self.options.again
        )
        if isinstance(found, SubmissionRecord):
            raise UsageError(_describe_earlier(found, url))
        return found

    @property
    def _sha256(self) -> str:
        return hashlib.sha256(self.source.data).hexdigest()

    def _find_earlier(self, host: str, problem: str) -> SubmissionRecord | None:
        return self.store.latest(host=host, problem=problem, sha256=self._sha256)


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
        case SubmissionState.MANUAL:
            return f"{what} was copied on {earlier.time} UTC, to be pasted at {url}; {again}"
    return (
        f"{what} was being submitted on {earlier.time} UTC and may have arrived: check {url} before you submit it "
        f"again; {again}"
    )


# ---- what is submitted, and where ----------------------------------------------------------------------------------


def _select(file: Path, problem_id: str | None, workspace: Workspace) -> Selection:
    """Return the file as the only solution of its problem."""
    known = workspace.problem_ids()
    problems = f"problems: {', '.join(known) or 'none yet'}"
    path = absolute_path(file, workspace.root)
    if not path.exists():
        raise UsageError(f"{file}: no such file")
    if path.is_dir():
        raise UsageError(f"{file} is a folder; expected one source file")
    problem_id = problem_id or guess_problem(path, workspace.root, known)
    if problem_id is None:
        raise UsageError(f"{file}: unknown problem; name it with --problem ID ({problems})")
    if problem_id not in known:
        raise UsageError(f"--problem {problem_id}: no such problem ({problems})")
    return workspace.select(Query(targets=(problem_id,), solutions=(path,)))


def _read_source(solution: Solution) -> SourceFile:
    data = read_source(solution.path)
    language = find_language(solution.path)
    entry_point = java_names(data, solution.path.name)[1] if language.is_java else ""
    return SourceFile(name=solution.path.name, data=data, language=language.id, entry_point=entry_point)


def _find_judge(problem: Problem, options: SubmitOptions) -> str:
    ref = problem_ref(problem.source.url) if problem.source else None
    judge = ref.judge if ref else problem.profile
    if judge in JUDGES:
        return judge
    if options.url:
        return "domjudge"
    raise UsageError(
        f"{problem.id}: neither its `source: url:` nor its profile names an online judge; choose one with --to "
        f"({', '.join(JUDGES)})"
    )


def _find_problem_ref(problem: Problem, judge: str, name: str | None) -> ProblemRef | None:
    """Return the problem at its online judge; None if the judge's client needs none.

    Raises:
        UsageError: it is unknown, and the judge needs it.
    """
    if judge == "domjudge":
        return None
    known = problem_ref(problem.source.url, problem.source.name) if problem.source else None
    if known is not None and known.judge != judge:
        known = None
    if judge == "kattis":
        if known is None and not name:
            raise UsageError(f"{problem.id}: its name at Kattis is unknown; pass --as NAME, as in .../problems/NAME")
        return known
    ref = problem_ref_by_name(judge, name) if name else known
    if ref is None:
        reason = f"--as {name}" if name else f"{problem.id}: no `source: url:` of a problem at {MANUAL_JUDGES[judge]}"
        raise UsageError(f"{reason}; expected a name such as --as {_EXAMPLE_NAMES[judge]}")
    return ref


# ---- judges with an API --------------------------------------------------------------------------------------------


def _submit_by_api(context: SubmissionContext, ref: ProblemRef | None) -> SubmitResult:
    options, ui = context.options, context.ui
    client = _make_kattis(options, ref) if context.judge == "kattis" else _make_domjudge(options)
    for warning in client.warnings:
        ui.warn(warning)
    if not options.follow and context.judge_locally() is None:
        return SubmitResult.NOT_SUBMITTED
    target = _make_target(context, ref)
    try:
        prepared = retry_once(lambda: client.prepare(context.source, target), ui.notify)
    except SubmitError as error:
        raise SubmitError(f"{_end_sentence(error)} Nothing was submitted") from None
    problem = one_line(f"{prepared.contest}/{prepared.problem}".lstrip("/"))
    if options.follow:
        earlier = context.find_pending(client.site, problem, client.submissions_url)
        return _wait_for_verdict(context, client, client.receipt(earlier.remote_id, prepared.contest), earlier.id)
    context.check_not_submitted(client.site, problem, client.submissions_url)
    if not ui.confirm([("judge", f"{client.judge}, {client.site}"), *prepared.summary, context.size]):
        return SubmitResult.NOT_SUBMITTED
    record = context.begin(
        judge=client.judge,
        host=client.site,
        problem=problem,
        language=one_line(prepared.language),
        url=client.submissions_url,
    )
    receipt = _send(context, client, prepared, record)
    return _wait_for_verdict(context, client, receipt, record) if options.wait else SubmitResult.SUBMITTED


def _make_kattis(options: SubmitOptions, ref: ProblemRef | None) -> Client:
    from judge.online.submit.credentials import find_credentials_file, read_kattisrc
    from judge.online.submit.kattis import Kattis

    account = read_kattisrc(find_credentials_file(options.kattisrc, "KATTISRC", ".kattisrc"))
    return Kattis(account, ref.site if ref else "", timeout=options.timeout, allow_http=options.allow_http)


def _make_domjudge(options: SubmitOptions) -> Client:
    from judge.online.submit.credentials import find_credentials_file, read_netrc
    from judge.online.submit.domjudge import DomJudge

    url = options.url or os.environ.get("SUBMITBASEURL")
    if not url:
        raise UsageError("unknown DOMjudge site; pass --url https://..., or set SUBMITBASEURL as for its own client")
    client = DomJudge(url, timeout=options.timeout, allow_http=options.allow_http)
    file = find_credentials_file(options.netrc, "NETRC", ".netrc")
    client.set_login(read_netrc(file, client.host), file)
    return client


def _make_target(context: SubmissionContext, ref: ProblemRef | None) -> Target:
    options = context.options
    contest = options.contest or (ref.contest if ref else "")
    if context.judge == "domjudge":
        contest = contest or os.environ.get("SUBMITCONTEST", "")
    problem = options.name or (ref.problem if ref else context.problem.id)
    return Target(problem=problem, contest=contest, language=options.language or "")


def _send(context: SubmissionContext, client: Client, prepared: PreparedSubmission, record: int) -> Receipt:
    """Send the submission, and record the result in any case."""
    try:
        receipt = retry_once(lambda: client.submit(prepared), context.ui.notify)
    except SubmitError as error:
        if error.delivery is DeliveryState.NOT_DELIVERED:
            context.store.update(record, state=SubmissionState.REJECTED)
            raise SubmitError(f"{_end_sentence(error)} Nothing was submitted") from None
        context.store.update(record, state=SubmissionState.UNKNOWN)
        text = f"The submission may have arrived: check {client.submissions_url} before you submit again"
        raise SubmitError(f"{_end_sentence(error)} {text}", error.delivery) from None
    context.ui.show_receipt(receipt)  # before it is recorded, which may fail
    context.store.update(record, state=SubmissionState.SENT, remote_id=receipt.id)
    return receipt


def _wait_for_verdict(context: SubmissionContext, client: Client, receipt: Receipt, record: int) -> SubmitResult:
    progress = None
    try:
        for progress in poll_verdict(client, receipt, patience=context.options.patience):
            if not progress.is_final:
                context.ui.notify(progress.text)
    except NoVerdictError as error:
        text = f"Submission {receipt.id} has arrived: see {receipt.url}, or run the same command with --follow"
        raise SubmitError(f"{_end_sentence(error)} {text}", DeliveryState.DELIVERED) from None
    assert progress is not None
    context.ui.show_verdict(progress)
    context.store.update(record, state=SubmissionState.JUDGED, verdict=progress.text, cpu=progress.cpu)
    return SubmitResult.ACCEPTED if progress.is_accepted else SubmitResult.NOT_ACCEPTED


def _end_sentence(error: SubmitError) -> str:
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."


# ---- judges without an API -----------------------------------------------------------------------------------------


def _submit_manually(context: SubmissionContext, ref: ProblemRef) -> SubmitResult:
    """Copy what the user pastes, and open the page."""
    manual = manual_submission(ref, context.source.language, context.options.language or "")
    context.check_not_submitted(manual.site, manual.problem, manual.url)
    answer_case = _find_answer_case(context.problem) if ref.judge == "euler" else None
    judged = context.judge_locally(keep_output=answer_case.id if answer_case else "")
    if judged is None:
        return SubmitResult.NOT_SUBMITTED
    data = context.source.data if answer_case is None else _find_answer(context, judged, answer_case)
    summary = [("judge", f"{manual.judge} (nothing is sent: you paste it)"), ("problem", manual.problem)]
    summary += [] if answer_case else [("language", manual.language)]
    if not context.ui.confirm([*summary, context.size]):
        return SubmitResult.NOT_SUBMITTED
    record = context.begin(
        judge=manual.judge, host=manual.site, problem=manual.problem, language=manual.language, url=manual.url
    )
    copied = context.ui.copy(data)
    if not copied:
        context.store.update(record, state=SubmissionState.REJECTED)
        content = context.source.name if answer_case is None else manual.content
        raise UsageError(
            "cannot copy to the clipboard: no terminal, and none of wl-copy, xclip, xsel, pbcopy with a desktop; "
            f"open {manual.url} and paste {content} yourself"
        )
    context.store.update(record, state=SubmissionState.MANUAL)
    context.ui.show_manual(manual, copied, is_open=open_page(manual.url))
    return SubmitResult.SUBMITTED


def _find_answer_case(problem: Problem) -> Case:
    """Return the case with the real data: the only external one, or the only one."""
    cases = [case for case in problem.cases if isinstance(case.input, External)] or list(problem.cases)
    if len(cases) != 1:
        raise UsageError(
            f"{problem.id}: the answer is what the solution prints for the real data; expected one case with "
            f"`external:`, or one case in all, found {len(cases)}"
        )
    return cases[0]


def _find_answer(context: SubmissionContext, judged: Precheck, case: Case) -> bytes:
    """Return the one word that the solution printed for the real data.

    Raises:
        UsageError: it did not run, failed, or printed something else.
    """
    shown, result = context.solution.shown, judged.results.get(case.id)
    if result is None or result.verdict is Verdict.SK:
        raise UsageError(f"{case.id} is needed for the answer: {result.reason if result else 'it was not judged'}")
    if result.run is None or result.run.ending is not Ending.EXITED or result.run.exit_code != 0:
        raise UsageError(f"no answer: {shown} failed on {case.id}")
    words = judged.output.decode(errors="replace").split()
    if len(words) != 1 or len(words[0]) > _MAX_ANSWER or not words[0].isprintable():
        raise UsageError(f"expected one word as the answer, found {len(words)} in what {shown} prints for {case.id}")
    context.ui.show_answer(words[0], f"what {shown} prints for {case.id}")
    return words[0].encode()
