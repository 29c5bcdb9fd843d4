"""What all ways of handing over share: the record of it, and the question before it."""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from judge.errors import UsageError
from judge.history.submissions import SubmissionRecord, SubmissionState, SubmissionStore
from judge.model import Problem
from judge.online.submit.http import one_line
from judge.online.submit.values import SourceFile
from judge.units import format_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver:
    """What is handed over, and where that is recorded."""

    args: argparse.Namespace
    problem: Problem
    source: SourceFile
    submissions: SubmissionStore

    @property
    def sha256(self) -> str:
        """Of the source, in hex."""
        return hashlib.sha256(self.source.data).hexdigest()

    def refuse_twice(self, host: str, problem: str, page: str) -> None:
        """See to it that this source has not gone there before, or that it is sent again on purpose.

        Raises:
            UsageError: it has; the message says when, and what came of it.
        """
        earlier = self.submissions.latest(host=host, problem=problem, sha256=self.sha256)
        if earlier is not None and not self.args.again:
            raise UsageError(_told_before(earlier, page))

    def waiting_for_its_verdict(self, host: str, problem: str, page: str) -> SubmissionRecord:
        """Return the record of this source as it was sent before, without a verdict so far.

        Raises:
            UsageError: there is none; the message says what there is.
        """
        earlier = self.submissions.latest(host=host, problem=problem, sha256=self.sha256)
        if earlier is None:
            raise UsageError(f"--follow: this source was never sent to {host} for {problem}, as far as is known here")
        if earlier.state is not SubmissionState.SENT:
            raise UsageError(f"--follow: {_told_before(earlier, page)}")
        return earlier

    def begin(self, *, judge: str, host: str, problem: str, language: str, page: str) -> int:
        """Record that it is about to be sent; return the record's number.

        Raises:
            UsageError: another process was quicker.
        """
        number = self.submissions.begin(
            judge=judge, host=host, problem=problem, sha256=self.sha256, language=language, again=self.args.again
        )
        if isinstance(number, SubmissionRecord):
            raise UsageError(_told_before(number, page))
        return number


def _told_before(earlier: SubmissionRecord, page: str) -> str:
    what = f"the same source for {earlier.problem} of {earlier.host}"
    again = "--again sends it once more"
    match earlier.state:
        case SubmissionState.JUDGED:
            number = f" as {earlier.remote_id}" if earlier.remote_id else ""
            return f"{what} was submitted on {earlier.time} UTC{number}: {earlier.verdict}. Nothing was sent; {again}"
        case SubmissionState.SENT:
            number = earlier.remote_id
            return (
                f"{what} was submitted on {earlier.time} UTC as {number}: look at {page}, or say --follow. "
                f"Nothing was sent; {again}"
            )
        case SubmissionState.MANUAL:
            return f"{what} was handed over on {earlier.time} UTC, to be pasted at {page}. Nothing was done; {again}"
    return (
        f"{what} was on its way on {earlier.time} UTC and may have arrived: look at {page} before you send it again. "
        f"Nothing was sent; {again}"
    )


# ---- asking and telling --------------------------------------------------------------------------------------------


def size_of(source: SourceFile) -> tuple[str, str]:
    """Return the line about the file."""
    return "file", f"{one_line(source.name)}, {format_bytes(len(source.data))}"


def agreed(args: argparse.Namespace, facts: Sequence[tuple[str, str]]) -> bool:
    """Show what is about to happen; ask, unless the command line has said yes."""
    for name, value in facts:
        print(f"{name:<9} {value}", file=sys.stderr)
    if args.yes:
        return True
    print("submit it? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    print("judge: nothing was sent", file=sys.stderr)
    return False


def tell(text: str) -> None:
    """Say on standard error what is going on."""
    print(f"judge: {text}", file=sys.stderr, flush=True)
