"""The values that every way of submitting shares, and the protocol of a judge's client."""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from judge.errors import JudgeError
from judge.units import Seconds


class DeliveryState(Enum):
    """Whether the judge received a submission."""

    NOT_DELIVERED = "not delivered"
    UNKNOWN = "unknown"
    DELIVERED = "delivered"


class SubmitError(JudgeError):
    """An online judge cannot be reached, or did not do what was asked.

    Args:
        message: what went wrong and what to do.
        delivery: whether the judge received the submission all the same.
    """

    def __init__(self, message: str, delivery: DeliveryState = DeliveryState.NOT_DELIVERED) -> None:
        super().__init__(message)
        self.delivery = delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """The file to submit.

    Attributes:
        name: the file name without its folder.
        language: the id of a row of `judge.languages`.
        entry_point: Java's main class; "" for other languages.
    """

    name: str
    data: bytes
    language: str
    entry_point: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The problem to submit to, in the judge's own names; "" lets the client choose."""

    problem: str
    contest: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedSubmission:
    """A submission that is ready to send.

    Attributes:
        site: the judge's URL.
        summary: labels and values that the user sees before confirming: the contest, the problem, the language.
    """

    site: str
    problem: str
    contest: str
    language: str
    entry_point: str
    source: SourceFile
    summary: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Proof that the judge has a submission.

    Attributes:
        id: the judge's id of the submission.
        url: the page that shows it.
    """

    id: str
    url: str
    contest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The state of a submission at the judge.

    Attributes:
        text: the state in the judge's words.
        is_final: the text is the verdict.
        is_accepted: the verdict is the good one.
        cpu: the time that the judge measured; None if it does not report one.
        detail: more lines, such as the compiler's messages.
    """

    text: str
    is_final: bool = False
    is_accepted: bool = False
    cpu: Seconds | None = None
    detail: str = ""


class Client(Protocol):
    """Speaks one judge's protocol.

    Attributes:
        judge: the judge's display name.
        site: its URL.
        submissions_url: the page that lists the user's submissions.
        warnings: problems with the credentials file.
    """

    judge: str
    site: str
    submissions_url: str
    warnings: tuple[str, ...]

    def prepare(self, source: SourceFile, target: Target) -> PreparedSubmission:
        """Find the judge's names for the problem and the language; submit nothing."""

    def submit(self, prepared: PreparedSubmission) -> Receipt:
        """Send the submission."""

    def receipt(self, submission_id: str, contest: str) -> Receipt:
        """Return the receipt of an earlier submission; send no request."""

    def fetch_progress(self, receipt: Receipt) -> Progress:
        """Ask the judge for the state of a submission."""
