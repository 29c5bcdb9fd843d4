"""The values of handing a solution over."""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from judge.errors import JudgeError
from judge.units import Seconds


class DeliveryState(Enum):
    """Whether a submission is at the judge."""

    NO = "no"
    MAYBE = "maybe"
    YES = "yes"


class SubmitError(JudgeError):
    """Something went wrong on the way; `arrival` says whether the submission is at the judge all the same."""

    def __init__(self, message: str, arrival: DeliveryState = DeliveryState.NO) -> None:
        super().__init__(message)
        self.arrival = arrival


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """The file that is submitted.

    Attributes:
        name: without its folder.
        language: the id of a row of `judge.languages`.
        entry: where the program begins, for a language that needs to be told: Java's main class.
    """

    name: str
    text: bytes
    language: str
    entry: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Which problem it is for, in the judge's words; "" where the judge's client finds out by itself."""

    problem: str
    contest: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedSubmission:
    """What is about to be sent, with all that the judge needs to know.

    Attributes:
        site: the judge's address.
        shown: what people should see of the contest, problem and language before they say yes.
    """

    site: str
    problem: str
    contest: str
    language: str
    entry: str
    source: SourceFile
    shown: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The judge has it.

    Attributes:
        id: its number there.
        page: where a person can look at it.
    """

    id: str
    page: str
    contest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What the judge says of a submission.

    Attributes:
        text: in the judge's words.
        is_final: whether that is the verdict.
        is_accepted: whether it is a good one.
        cpu: as the judge measured it; None where it does not say.
        detail: a compiler's message, for one.
    """

    text: str
    is_final: bool = False
    is_accepted: bool = False
    cpu: Seconds | None = None
    detail: str = ""


class Client(Protocol):
    """Speaks one judge's protocol.

    Attributes:
        judge: the judge's name for people.
        site: its address.
        overview: where a person can look at all submissions.
        warnings: what a person should know about the credentials.
    """

    judge: str
    site: str
    overview: str
    warnings: tuple[str, ...]

    def prepare(self, source: SourceFile, address: Address) -> PreparedSubmission:
        """Find out what the judge calls things; sends nothing that counts."""

    def send(self, outgoing: PreparedSubmission) -> Receipt:
        """Submit."""

    def receipt(self, number: str, contest: str) -> Receipt:
        """Return what `send` returned for the submission with this number; nothing is asked of the judge."""

    def progress(self, receipt: Receipt) -> Progress:
        """Ask what has become of it."""
