"""`judge submit` to judges that take submissions from programs: send, record, wait for the verdict."""

import argparse
import os
import sys
from collections.abc import Callable

from judge.cli.hand_over import HandOver, agreed, size_of, tell
from judge.errors import UsageError
from judge.history.submissions import SubmissionState
from judge.online.problem_ref import ProblemRef
from judge.online.submit.http import one_line
from judge.online.submit.poll import NoVerdictError, poll_verdict, retry_once
from judge.online.submit.values import Client, DeliveryState, PreparedSubmission, Receipt, SubmitError, Target
from judge.units import format_seconds

_ACCEPTED, _NOT_ACCEPTED = 0, 1


def by_api(way: HandOver, target: str, origin: ProblemRef | None, is_good: Callable[[], bool]) -> int:
    """Submit to a judge that takes submissions from programs; return the exit status.

    Raises:
        UsageError: something is missing, or it was sent before.
        SubmitError: the judge cannot be reached or refused it; says whether it may have arrived.
    """
    client = _kattis(way.args, origin) if target == "kattis" else _domjudge(way.args)
    for warning in client.warnings:
        print(f"judge: warning: {warning}", file=sys.stderr)
    if not way.args.follow and not is_good():
        return _NOT_ACCEPTED
    address = _address(way, target, origin)
    outgoing = retry_once(lambda: client.prepare(way.source, address), tell)
    key = one_line(f"{outgoing.contest}/{outgoing.problem}".lstrip("/"))
    if way.args.follow:
        earlier = way.waiting_for_its_verdict(client.site, key, client.submissions_url)
        return _verdict(way, client, client.receipt(earlier.remote_id, outgoing.contest), earlier.id)
    way.refuse_twice(client.site, key, client.submissions_url)
    facts = [("judge", f"{client.judge}, {client.site}"), *outgoing.summary, size_of(way.source)]
    if not agreed(way.args, facts):
        return _NOT_ACCEPTED
    number = way.begin(
        judge=client.judge,
        host=client.site,
        problem=key,
        language=one_line(outgoing.language),
        page=client.submissions_url,
    )
    receipt = _sent(way, client, outgoing, number)
    return _ACCEPTED if way.args.no_wait else _verdict(way, client, receipt, number)


def _kattis(args: argparse.Namespace, origin: ProblemRef | None) -> Client:
    from judge.online.submit.credentials import find_credentials_file, read_kattisrc
    from judge.online.submit.kattis import Kattis

    account = read_kattisrc(find_credentials_file(args.kattisrc, "KATTISRC", ".kattisrc"))
    return Kattis(account, origin.site if origin else "", timeout=args.timeout, allow_http=args.allow_http)


def _domjudge(args: argparse.Namespace) -> Client:
    from judge.online.submit.credentials import find_credentials_file, read_netrc
    from judge.online.submit.domjudge import DomJudge

    url = args.url or os.environ.get("SUBMITBASEURL")
    if not url:
        raise UsageError("which DOMjudge? Say --url https://..., or set SUBMITBASEURL, as for DOMjudge's own client")
    client = DomJudge(url, timeout=args.timeout, allow_http=args.allow_http)
    file = find_credentials_file(args.netrc, "NETRC", ".netrc")
    client.set_login(read_netrc(file, client.host), file)
    return client


def _address(way: HandOver, target: str, origin: ProblemRef | None) -> Target:
    contest = way.args.contest or (origin.contest if origin else "")
    if target == "domjudge":
        contest = contest or os.environ.get("SUBMITCONTEST", "")
    problem = way.args.name or (origin.problem if origin else way.problem.id)
    return Target(problem=problem, contest=contest, language=way.args.language or "")


def _sent(way: HandOver, client: Client, outgoing: PreparedSubmission, number: int) -> Receipt:
    """Send it, and record what came of that, whatever it is."""
    try:
        receipt = retry_once(lambda: client.submit(outgoing), tell)
    except SubmitError as error:
        if error.delivery is DeliveryState.NOT_DELIVERED:
            way.submissions.update(number, state=SubmissionState.REJECTED)
            raise SubmitError(f"{_ended(error)} Nothing was submitted") from None
        way.submissions.update(number, state=SubmissionState.UNKNOWN)
        raise SubmitError(
            f"{_ended(error)} It may have arrived: look at {client.submissions_url} before you send it again",
            error.delivery,
        ) from None
    print(f"submitted {receipt.id}: {receipt.url}", flush=True)  # first: the record may fail
    way.submissions.update(number, state=SubmissionState.SENT, remote_id=receipt.id)
    return receipt


def _ended(error: SubmitError) -> str:
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _verdict(way: HandOver, client: Client, receipt: Receipt, number: int) -> int:
    progress = None
    try:
        for progress in poll_verdict(client, receipt, patience=way.args.patience):
            if not progress.is_final:
                print(f"judge: {progress.text}", file=sys.stderr, flush=True)
    except NoVerdictError as error:
        raise SubmitError(
            f"{_ended(error)} Submission {receipt.id} is at the judge all the same: look at {receipt.url}, "
            "or ask again: the same command with --follow",
            DeliveryState.DELIVERED,
        ) from None
    assert progress is not None
    time = f" ({format_seconds(progress.cpu)})" if progress.cpu is not None else ""
    print(f"verdict   {progress.text}{time}")
    for line in progress.detail.splitlines():
        print("  " + "".join(char if char.isprintable() else "?" for char in line))
    way.submissions.update(number, state=SubmissionState.JUDGED, verdict=progress.text, cpu=progress.cpu)
    return _ACCEPTED if progress.is_accepted else _NOT_ACCEPTED
