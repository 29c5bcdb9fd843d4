"""Kattis's protocol: log in with a form, submit with another, poll `submissions/<id>?json`.

The fields, the status numbers and the text with the submission id are those of the client that Kattis publishes:
https://github.com/Kattis/kattis-cli, `submit.py`.
"""

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

from judge.base.errors import UsageError
from judge.base.units import Seconds
from judge.online.submit.credentials import Secret, permission_warnings, read_kattisrc
from judge.online.submit.http import Site
from judge.online.submit.values import Progress, SourceFile, SubmitError

LANGUAGES = {
    "python3": "Python 3",
    "python2": "Python 2",
    "c": "C",
    "cpp": "C++",
    "java": "Java",
    "kotlin": "Kotlin",
    "go": "Go",
    "rust": "Rust",
    "csharp": "C#",
    "fsharp": "F#",
    "javascript": "JavaScript (Node.js)",
    "typescript": "TypeScript",
    "ruby": "Ruby",
    "php": "PHP",
    "haskell": "Haskell",
    "ocaml": "OCaml",
    "pascal": "Pascal",
    "prolog": "Prolog",
    "lisp": "Common Lisp",
    "scala": "Scala",
    "fortran": "Fortran",
}

_COMPILE_ERROR, _ACCEPTED = 8, 16
_STATUS = {
    0: "New",
    1: "New",
    2: "Waiting for compile",
    3: "Compiling",
    4: "Waiting for run",
    5: "Running",
    6: "Judge Error",
    8: "Compile Error",
    9: "Run Time Error",
    10: "Memory Limit Exceeded",
    11: "Output Limit Exceeded",
    12: "Time Limit Exceeded",
    13: "Illegal Function",
    14: "Wrong Answer",
    16: "Accepted",
}
_SUBMISSION_ID = re.compile(r"Submission ID: (\d{1,18})")
_CPU = re.compile(r'data-type="cpu"[^>]*>(.*?)</', re.DOTALL)
_SECONDS = re.compile(r"(\d{1,5}(?:\.\d+)?)\s*s")
_COMPILER_OUTPUT = re.compile(r"<pre[^>]*>(.*?)</pre>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


class Kattis:
    """A submission of a user at a Kattis site.

    Args:
        kattisrc: the file with the login and the site.
        problem_site: the site of the problem, such as `https://open.kattis.com`; "" if unknown.
        timeout, allow_http: see `Site`.

    Attributes:
        problem, contest, language: Kattis's names, after `prepare`.

    Raises:
        UsageError: the file cannot be read or is incomplete, is for another Kattis, or its URLs have different hosts.
    """

    judge = "Kattis"

    def __init__(self, kattisrc: Path, problem_site: str = "", *, timeout: float, allow_http: bool = False) -> None:
        self.problem = self.contest = self.language = ""
        value = read_kattisrc(kattisrc)
        self._user, token = value("user", "username"), value("user", "token", "")
        self._secret = ("token" if token else "password", Secret(token or value("user", "password")))

        def url(key: str, page: str) -> str:
            return (value("kattis", key, "") or f"https://{value('kattis', 'hostname')}/{page}").rstrip("/")

        self._login_url, self._submit_url = url("loginurl", "login"), url("submissionurl", "submit")
        self.submissions_url = url("submissionsurl", "submissions")
        self._site = Site(self._login_url, timeout=timeout, allow_http=allow_http, credentials=kattisrc)
        self._site.add_secret(self._secret[1])
        self.site = self._site.origin
        self.warnings = permission_warnings(kattisrc)
        self._is_logged_in = False
        for each in (self._submit_url, self.submissions_url):
            if Site(each, timeout=timeout, allow_http=allow_http).origin != self.site:
                raise UsageError(f"{kattisrc}: its URLs have different hosts; download the file again")
        host = urlsplit(problem_site).hostname
        if problem_site and host != self._site.host:
            raise UsageError(
                f"the problem is at {host}, but {kattisrc} is for {self._site.host}; download the right file from "
                f"{problem_site}/download/kattisrc and pass it with --kattisrc"
            )

    def prepare(self, source: SourceFile, *, problem: str, contest: str, language: str) -> Sequence[tuple[str, str]]:
        """Find Kattis's names, "" for the default; send no request. Return them with labels, for the user to confirm.

        Raises:
            UsageError: the name of the language is not known.
        """
        self.problem, self.contest = problem, contest
        self.language = language or LANGUAGES.get(source.language, "")
        if not self.language:
            raise UsageError(f"{source.name}: Kattis's name for this language is not known; pass --language NAME")
        summary = [("problem", problem), ("language", self.language)]
        return [*summary, ("contest", contest)] if contest else summary

    def submit(self, source: SourceFile) -> str:
        """Log in and submit; return the number of the submission.

        Raises:
            SubmitError: it failed; the error says whether the submission may have arrived.
        """
        self._log_in()
        fields = [
            ("submit", "true"),
            ("submit_ctr", "2"),
            ("language", self.language),
            ("mainclass", source.entry_point),
            ("problem", self.problem),
            ("tag", ""),
            ("script", "true"),
        ]
        fields += [("contest", self.contest)] if self.contest else []
        file = ("sub_file[]", source.name, source.data)
        response = self._site.post(self._submit_url, fields, action="submit", file=file, is_submission=True)
        if found := _SUBMISSION_ID.search(response.text):
            return found[1]
        if response.is_html or not response.text.strip():
            raise self._site.unexpected_response(response, expected="`Submission ID: ...`", is_submission=True)
        raise SubmitError(f"{self.site} rejected the submission: {self._site.sanitize(_plain_text(response.text))}")

    def page(self, number: str) -> str:
        """Return the address of the page that shows a submission."""
        return f"{self.submissions_url}/{number}"

    def fetch_progress(self, number: str) -> Progress:
        """Ask for the state of a submission.

        Raises:
            SubmitError: there was no valid response.
        """
        self._log_in()
        response = self._site.get(f"{self.page(number)}?json", action=f"get the status of submission {number}")
        value = response.json()
        if not isinstance(value, dict) or not isinstance(status := value.get("status_id"), int):
            raise self._site.unexpected_response(response, expected="JSON with a `status_id`")
        cpu = _CPU.search(str(value.get("row_html", "")))
        seconds = _SECONDS.search(_plain_text(cpu[1])) if cpu else None
        output = _COMPILER_OUTPUT.search(str(value.get("feedback_html", ""))) if status == _COMPILE_ERROR else None
        return Progress(
            text=_STATUS.get(status, f"status {status}"),
            is_final=status >= 6,  # "Judge Error", the first of `_STATUS` that stays
            is_accepted=status == _ACCEPTED,
            cpu=Seconds(float(seconds[1])) if seconds else None,
            detail=_plain_text(output[1])[:4000].strip("\n") if output else "",  # characters
        )

    def _log_in(self) -> None:
        if self._is_logged_in:
            return
        field, secret = self._secret
        fields = [("user", self._user), (field, secret.reveal()), ("script", "true")]
        self._site.post(self._login_url, fields, action="log in")
        self._is_logged_in = True


def _plain_text(html: str) -> str:
    return unescape(_TAG.sub("", html.replace("<br />", "\n")))
