"""The judges to submit to, and the values that every way of submitting shares."""

from pathlib import Path

from msgspec import Struct, field

from judge.base.errors import JudgeError
from judge.base.units import Seconds
from judge.workspace.options import SessionOptions

# ---- judges without an API, or behind a captcha: the user pastes the source, or the answer, into a page -------------

MANUAL_JUDGES = {
    "uva": "UVa",
    "codeforces": "Codeforces",
    "atcoder": "AtCoder",
    "cses": "CSES",
    "euler": "Project Euler",
}

MANUAL_LANGUAGES = {
    "uva": {"python3": "PYTH3 3.5.1", "c": "ANSI C 5.3.0", "cpp": "C++11 5.3.0", "java": "JAVA 1.8.0"},
    "codeforces": {"python3": "Python 3 (or PyPy 3)", "c": "GNU C11", "cpp": "GNU C++17", "java": "Java"},
    "atcoder": {"python3": "Python (CPython, or PyPy)", "c": "C", "cpp": "C++", "java": "Java"},
    "cses": {"python3": "Python3 (CPython3, or PyPy3)", "c": "C", "cpp": "C++", "java": "Java"},
    "euler": {},
}
"""The judges' names of the languages of `judge.languages`."""

MANUAL_INSTRUCTIONS = {
    "uva": "log in, enter problem {problem}, choose {language}, paste, and submit",
    "codeforces": "log in, choose {language}, paste, and submit",
    "atcoder": "log in, choose {language}, paste, and submit",
    "cses": "log in, choose your file and {language}, and submit",
    "euler": "log in, paste the answer, solve the captcha, and press Check",
}

JUDGES = ("kattis", "domjudge", *MANUAL_JUDGES)
"""The judges to submit to."""


# ---- options and results -------------------------------------------------------------------------------------------


class SubmitOptions(Struct, frozen=True, kw_only=True):
    """What to judge and submit, and how; the fields have the names of the options of `judge submit`.

    Attributes:
        problem: its id; None finds it by the rule of `judge.workspace.match`.
        to: one of `JUDGES`; None for that of the problem's URL or profile.
        name, contest, language: the judge's own names; None for what is known of the problem and the file.
        url: DOMjudge's address; None for the environment's `SUBMITBASEURL`.
        browser: hand the source to a browser extension; None does so if one can submit it.
        patience: seconds to wait for the verdict, or for a browser extension; None for 600 and 20.
    """

    file: Path
    problem: str | None = None
    cases: Path | None = None
    session: SessionOptions = field(default_factory=SessionOptions)
    to: str | None = None
    name: str | None = None
    contest: str | None = None
    language: str | None = None
    url: str | None = None
    kattisrc: Path | None = None
    netrc: Path | None = None
    force: bool = False
    again: bool = False
    follow: bool = False
    no_wait: bool = False
    browser: bool | None = False
    patience: float | None = None
    timeout: float = 30
    allow_http: bool = False


class SubmitError(JudgeError):
    """An online judge cannot be reached, or did not do what was asked.

    Attributes:
        may_have_arrived: the judge may have the submission.
        retry_after: seconds after which the site asks to try again; None if it does not say.
    """

    def __init__(self, message: str, *, may_have_arrived: bool = False, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.may_have_arrived = may_have_arrived
        self.retry_after = retry_after


class SourceFile(Struct, frozen=True, kw_only=True):
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


class Destination(Struct, frozen=True, kw_only=True):
    """Where a submission goes.

    Attributes:
        url: the page that lists the user's submissions, or the page to paste into.
    """

    judge: str
    site: str
    problem: str
    language: str
    url: str


class Progress(Struct, frozen=True, kw_only=True):
    """The state of a submission at the judge.

    Attributes:
        text: the state in the judge's words.
        is_accepted: the verdict is the good one.
        cpu: the time that the judge measured; None if it does not report one.
        detail: more lines, such as the compiler's messages.
    """

    text: str
    is_final: bool = False
    is_accepted: bool = False
    cpu: Seconds | None = None
    detail: str = ""
