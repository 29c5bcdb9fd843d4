"""The use case behind `judge submit`: find the judge, guard against mistakes, submit, and wait for the verdict.

It never prints or asks by itself: the caller passes a `UserInterface`. Every submission is recorded before it is sent,
so that the same source is not submitted twice by accident, whatever happens in between. What is only copied to the
clipboard is not a submission: it is done without a question, as often as the user likes.
"""

import os
import time
from contextlib import ExitStack
from queue import Empty

from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.units import format_seconds
from judge.history.submissions import SubmissionState, open_submissions
from judge.languages.inspection import java_names
from judge.languages.table import find_language
from judge.model import Ending, External, Problem, ProblemSource, Verdict
from judge.online.addresses import find_domain, split_url
from judge.online.desktop import open_page
from judge.online.problem_ref import ProblemRef, problem_ref, problem_ref_by_name, source_ref
from judge.online.submit.browser import CPH_NG, Claim, ExtensionServer, Offer, make_offer
from judge.online.submit.context import OpenSession, SubmissionContext, UserInterface
from judge.online.submit.credentials import find_credentials_file
from judge.online.submit.domjudge import DomJudge
from judge.online.submit.http import one_line
from judge.online.submit.kattis import Kattis
from judge.online.submit.values import (
    JUDGES,
    MANUAL_INSTRUCTIONS,
    MANUAL_JUDGES,
    MANUAL_LANGUAGES,
    Destination,
    Progress,
    SourceFile,
    SubmitError,
    SubmitOptions,
)
from judge.workspace.workspace import SourceSelection, Workspace

Client = Kattis | DomJudge

_FIRST_PAUSE_S, _GROWTH, _LONGEST_PAUSE_S = 0.5, 1.5, 10.0  # between two questions for the verdict
_PATIENCE_S, _BROWSER_PATIENCE_S = 600, 20
_WAKE_S = 6  # cph-submit asks every 3 s, and CPH-NG Submit comes back within 5 s if its browser has not stopped it
_EXAMPLE_NAMES = {"uva": "131", "codeforces": "1900A", "atcoder": "abc300_a", "cses": "1068", "euler": "54"}


def submit(options: SubmitOptions, *, workspace: Workspace, open_session: OpenSession, ui: UserInterface) -> bool:
    """Judge a solution and submit it to its online judge; every case runs once, in one session.

    Returns:
        Whether it was submitted, or left to the user to paste, and its verdict is accepted if that is known.

    Raises:
        UsageError: something is missing or wrong, or the source was submitted before.
        SubmitError: the judge cannot be reached or rejects it; the error says whether the submission may have arrived.
        JudgeError: the solution cannot be judged.
    """
    selection = _select(options, workspace)
    assert selection.problem is not None
    problem = _place_problem(selection.problem.problem, options.url)
    judge = options.to or _find_judge(problem, options)
    ref = _find_problem_ref(problem, judge, options.name)
    if judge in MANUAL_JUDGES and options.follow:
        raise UsageError(f"--follow: {MANUAL_JUDGES[judge]} has no API for verdicts; look at its page")
    path, data = selection.path, selection.data
    language = find_language(path)
    entry_point = java_names(data, path.name)[1] if language.is_java else ""
    source = SourceFile(name=path.name, data=data, language=language.id, entry_point=entry_point)
    with open_submissions(workspace.state_folder) as store:
        context = SubmissionContext(
            options=options,
            judge=judge,
            selection=selection,
            source=source,
            store=store,
            open_session=open_session,
            ui=ui,
        )
        if judge in MANUAL_JUDGES:
            assert ref is not None
            if options.browser is not False:
                try:
                    offer = make_offer(ref, source, options.language or "")
                except UsageError as error:
                    if options.browser:
                        raise UsageError(f"--browser: {error}; without it, you paste the source") from None
                    ui.notify(f"{error}; you paste the source")
                else:
                    return _submit_by_browser(context, ref, offer)
            return _submit_manually(context, ref)
        if options.browser:
            raise UsageError(f"--browser: {judge} takes submissions from `judge submit` itself; leave it out")
        return _submit_by_api(context, ref)


# ---- what is submitted, and where ----------------------------------------------------------------------------------


def _select(options: SubmitOptions, workspace: Workspace) -> SourceSelection:
    """Return the file, with the problem that it solves.

    Raises:
        UsageError: there is no such file or problem.
    """
    known = workspace.problem_ids()
    problems = f"problems: {', '.join(known) or 'none yet'}"
    if options.problem is not None and options.problem not in known:
        raise UsageError(f"--problem {options.problem}: no such problem ({problems})")
    found = workspace.select_source(options.file, options.problem, options.cases)
    if found.problem is None:
        raise UsageError(
            f"{options.file}: unknown problem; name it with --problem ID ({problems}), or put cases beside the file"
        )
    return found


def _place_problem(problem: Problem, url: str | None) -> Problem:
    """Return the problem with the page that the user names as its source; unchanged if that is the URL of a DOMjudge.

    Raises:
        UsageError: it is another page of an online judge.
    """
    parts = split_url(url) if url else None
    if url is None or parts is None or not find_domain(parts):
        return problem
    ref = problem_ref(url)
    if ref is None:
        raise UsageError(f"--url {url}: expected the page of a problem, or a DOMjudge's URL")
    return replace(problem, source=ProblemSource(name=ref.name, url=url))


def _find_judge(problem: Problem, options: SubmitOptions) -> str:
    ref = source_ref(problem.source)
    judge = ref.judge if ref and ref.submit_url else problem.profile
    if judge in JUDGES:
        return judge
    if options.url:
        return "domjudge"
    reason = "neither its `source: url:` nor its profile names an online judge:"
    if ref and problem.source:
        reason = f"{ref.judge} is not supported: paste your source into {problem.source.url}, or"
    raise UsageError(f"{problem.id}: {reason} choose a judge with --to ({', '.join(JUDGES)})")


def _find_problem_ref(problem: Problem, judge: str, name: str | None) -> ProblemRef | None:
    """Return the problem at its online judge; None if the judge's client needs none.

    Raises:
        UsageError: it is unknown, and the judge needs it.
    """
    if judge == "domjudge":
        return None
    known = source_ref(problem.source)
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


def _submit_by_api(context: SubmissionContext, ref: ProblemRef | None) -> bool:
    options, ui = context.options, context.ui
    if not options.follow:
        ui.check_can_confirm()
    contest = options.contest or (ref.contest if ref else "")
    client: Client
    if context.judge == "kattis":
        file = find_credentials_file(options.kattisrc, "KATTISRC", ".kattisrc")
        site = ref.site if ref else ""
        client = Kattis(file, site, timeout=options.timeout, allow_http=options.allow_http)
    else:
        contest = contest or os.environ.get("SUBMITCONTEST", "")
        file = find_credentials_file(options.netrc, "NETRC", ".netrc")
        url = options.url or os.environ.get("SUBMITBASEURL")
        if not url:
            raise UsageError(
                "unknown DOMjudge site; pass --url https://..., or set SUBMITBASEURL as for its own client"
            )
        client = DomJudge(url, file, timeout=options.timeout, allow_http=options.allow_http)
    for warning in client.warnings:
        ui.notify(f"warning: {warning}")
    if not options.follow and context.judge_locally() is None:
        return False
    name, language = options.name or (ref.problem if ref else context.problem.id), options.language or ""
    try:
        summary = client.prepare(context.source, problem=name, contest=contest, language=language)
    except SubmitError as error:
        raise SubmitError(f"{_end_sentence(error)} Nothing was submitted") from None
    to = Destination(
        judge=client.judge,
        site=client.site,
        problem=one_line(f"{client.contest}/{client.problem}".lstrip("/")),
        language=one_line(client.language),
        url=client.submissions_url,
    )
    if options.follow:
        earlier = context.find_sent(to)
        return _wait_for_verdict(context, client, earlier.remote_id, earlier.id)
    context.check_not_submitted(to)
    if not context.confirm([("judge", f"{to.judge}, {to.site}"), *summary]):
        return False
    record = context.begin(to)
    number = _send(context, client, record)
    return _wait_for_verdict(context, client, number, record) if not options.no_wait else True


def _send(context: SubmissionContext, client: Client, record: int) -> str:
    """Send the submission, and record the result in any case; return its number."""
    try:
        number = client.submit(context.source)
    except SubmitError as error:
        if not error.may_have_arrived:
            context.store.update(record, state=SubmissionState.REJECTED)
            raise SubmitError(f"{_end_sentence(error)} Nothing was submitted") from None
        context.store.update(record, state=SubmissionState.UNKNOWN)
        text = f"The submission may have arrived: check {client.submissions_url} before you submit again"
        raise SubmitError(f"{_end_sentence(error)} {text}", may_have_arrived=True) from None
    context.ui.show("submitted", f"{number}: {client.page(number)}")  # before it is recorded, which may fail
    context.store.update(record, state=SubmissionState.SENT, remote_id=number)
    return number


def _wait_for_verdict(context: SubmissionContext, client: Client, number: str, record: int) -> bool:
    progress = _poll_verdict(context, client, number)
    cpu = f" ({format_seconds(progress.cpu)})" if progress.cpu is not None else ""
    detail = "".join(f"\n  {line}" for line in progress.detail.splitlines())
    detail = "".join(char if char.isprintable() or char == "\n" else "?" for char in detail)
    context.ui.show("verdict", f"{progress.text}{cpu}{detail}")
    context.store.update(record, state=SubmissionState.JUDGED, verdict=progress.text, cpu=progress.cpu)
    return progress.is_accepted


def _poll_verdict(context: SubmissionContext, client: Client, number: str) -> Progress:
    """Ask for the verdict at growing intervals, and show each new state until then."""
    patience = context.options.patience or _PATIENCE_S
    pause, failures, shown = _FIRST_PAUSE_S, 0, ""
    deadline = time.monotonic() + patience
    has_arrived = f"Submission {number} has arrived: see {client.page(number)}, or run the same command with --follow"
    while True:
        delay = pause
        try:
            progress = client.fetch_progress(number)
        except SubmitError as error:
            failures += 1
            if failures == 5:  # in a row
                raise SubmitError(f"{_end_sentence(error)} {has_arrived}", may_have_arrived=True) from None
            delay = max(pause, min(error.retry_after or 0, 60))
        else:
            if progress.is_final:
                return progress
            failures = 0
            if progress.text != shown:
                shown = progress.text
                context.ui.notify(shown)
        if time.monotonic() + delay > deadline:
            raise SubmitError(f"no verdict within {patience:g} s. {has_arrived}", may_have_arrived=True)
        time.sleep(delay)
        pause = min(pause * _GROWTH, _LONGEST_PAUSE_S)


def _end_sentence(error: SubmitError) -> str:
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."


# ---- judges without an API: through a browser extension ------------------------------------------------------------


def _submit_by_browser(context: SubmissionContext, ref: ProblemRef, offer: Offer) -> bool:
    """Hand the source to the first extension that asks and can submit it, and to no other."""
    ui, store = context.ui, context.store
    ui.check_can_confirm()
    to = Destination(
        judge=MANUAL_JUDGES[ref.judge],
        site="/".join(offer.ref.page.split("/")[:3]),
        problem=ref.problem,
        language=offer.language,
        url=offer.submissions_page,
    )
    context.check_not_submitted(to)
    with ExitStack() as stack:
        server = ExtensionServer()  # before a long run: another program may have the port
        stack.callback(server.server_close)
        if context.judge_locally() is None:
            return False
        language = f"{offer.language} ({offer.number})" if offer.number else offer.language
        if CPH_NG in offer.extensions and ref.judge == "codeforces":
            language += f"; with {CPH_NG}, the one that the page has selected"
        rows = [("judge", f"{to.judge}, {to.site}"), ("problem", to.problem), ("language", language)]
        if not context.confirm([*rows, ("browser", f"an extension submits it: {' or '.join(offer.extensions)}")]):
            return False
        record, claim, is_delivered = context.begin(to), None, False
        try:
            server.listen()
            with server:
                claim = _wait_for_extension(context, offer, server)
                if claim is not None:
                    store.update(record, state=SubmissionState.UNKNOWN)
                    is_delivered = claim.respond(offer.payload(claim.extension, context.source.data.decode()))
        finally:
            if claim is None:
                store.update(record, state=SubmissionState.REJECTED)
    if claim is None:
        return _copy(context, ref, context.source.data) if ui.is_on_terminal() else False
    if not is_delivered:
        text = f"the connection of {claim.extension} broke. The submission may have arrived: check {to.url} before you"
        raise SubmitError(f"{text} submit again", may_have_arrived=True)
    ui.show("handed", f"to {claim.extension}, which submits it in a new tab: {offer.submit_page}")
    ui.show("next", f"look at the tab: a login page or a captcha means that nothing was submitted; else see {to.url}")
    store.update(record, state=SubmissionState.TAKEN)
    return True


def _wait_for_extension(context: SubmissionContext, offer: Offer, server: ExtensionServer) -> Claim | None:
    """Return the first request of an extension that can submit the source; None if there is none in time."""
    patience = context.options.patience or _BROWSER_PATIENCE_S
    start, is_woken, page = time.monotonic(), False, offer.ref.page
    context.ui.notify(f"waiting for a browser extension ({' or '.join(offer.extensions)}); Ctrl-C stops")
    shown = set[str]()
    while (passed := time.monotonic() - start) < patience:
        if not is_woken and passed >= _WAKE_S:
            is_woken = True
            opened = f"opened {page}" if open_page(page) else f"open {page} in your browser"
            context.ui.notify(f"{opened}, which wakes the extension")
        try:
            request = server.queue.get(timeout=max(0.0, min(patience, patience if is_woken else _WAKE_S) - passed))
        except Empty:
            continue
        if isinstance(request, Claim):
            if request.extension in offer.extensions:
                return request
            text = f"{request.extension} asked, but cannot submit this; needed: {' or '.join(offer.extensions)}"
            request.answers.put(None)
        else:
            text = f"refused a request: {request}"
        if text not in shown:
            shown.add(text)
            context.ui.notify(text)
    context.ui.notify(
        f"no extension asked within {patience:g} s; nothing was submitted. Install "
        f"{' or '.join(offer.extensions)} in your browser, and keep the browser open; `--clipboard` lets you paste it"
    )
    return None


# ---- judges without an API: by the clipboard ------------------------------------------------------------------------


def _submit_manually(context: SubmissionContext, ref: ProblemRef) -> bool:
    """Copy what the user pastes: the source, or at Project Euler the answer, the word that it prints for the real data.

    Raises:
        UsageError: which case has the real data is not clear; or the solution did not run, failed, or printed more.
    """
    if ref.judge != "euler":
        return context.judge_locally() is not None and _copy(context, ref, context.source.data)
    problem, shown = context.problem, context.solution.display_path
    cases = [case for case in problem.cases if isinstance(case.input, External)] or list(problem.cases)
    if len(cases) != 1:
        raise UsageError(
            f"{problem.id}: the answer is what the solution prints for the real data; expected one case with "
            f"`external:`, or one case in all, found {len(cases)}"
        )
    name = cases[0].id
    judged = context.judge_locally(keep_output=name)
    if judged is None:
        return False
    result = judged.results.get(name)
    if result is None or result.verdict is Verdict.SK:
        raise UsageError(f"{name} is needed for the answer: {result.reason if result else 'it was not judged'}")
    if result.run is None or result.run.ending is not Ending.EXITED or result.run.exit_code != 0:
        raise UsageError(f"no answer: {shown} failed on {name}")
    words = judged.output.decode(errors="replace").split()
    if len(words) != 1 or len(words[0]) > 200 or not words[0].isprintable():
        raise UsageError(f"expected one word as the answer, found {len(words)} in what {shown} prints for {name}")
    context.ui.show("answer", f"{words[0]}  (what {shown} prints for {name})")
    return _copy(context, ref, words[0].encode())


def _copy(context: SubmissionContext, ref: ProblemRef, data: bytes) -> bool:
    """Copy the source, or the answer, and open the page."""
    language = context.options.language or MANUAL_LANGUAGES[ref.judge].get(
        context.source.language, context.source.language
    )
    judge = MANUAL_JUDGES[ref.judge]
    to = Destination(judge=judge, site=ref.site, problem=ref.problem, language=language, url=ref.submit_url)
    is_answer = ref.judge == "euler"
    copied = context.ui.copy(data)
    if not copied:
        content = "the answer" if is_answer else context.source.name
        raise UsageError(
            "cannot copy to the clipboard: no terminal, and none of wl-copy, xclip, xsel, pbcopy with a desktop; "
            f"open {to.url} and paste {content} yourself"
        )
    record = context.begin(to, again=True)  # not a submission yet
    context.store.update(record, state=SubmissionState.MANUAL)
    context.ui.show("copied", f"{'the answer' if is_answer else 'the source'}, {copied}")
    context.ui.show("page", f"{to.url} {'(opened)' if open_page(to.url) else '(open it yourself)'}")
    context.ui.show("next", MANUAL_INSTRUCTIONS[ref.judge].format(problem=to.problem, language=language))
    return True
