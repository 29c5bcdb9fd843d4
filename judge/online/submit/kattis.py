"""Kattis's protocol: log in with a form, submit with another, ask for `submissions/<id>?json`.

The fields, the status numbers and the text with the number are those of the client that Kattis publishes:
https://github.com/Kattis/kattis-cli, `submit.py`.
"""

import re
from html import unescape
from urllib.parse import urlsplit

from judge.errors import UsageError
from judge.online.submit.credentials import KattisAccount, exposure
from judge.online.submit.http import Reply, Site, Upload, check, no_sense
from judge.online.submit.values import (
    Address,
    DeliveryState,
    PreparedSubmission,
    Progress,
    Receipt,
    SourceFile,
    SubmitError,
)
from judge.units import Seconds

LANGUAGES = {"python3": "Python 3", "c": "C", "cpp": "C++", "java": "Java"}

_COMPILE_ERROR, _ACCEPTED = 8, 16
_FIRST_FINAL = 6
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
_NUMBER = re.compile(r"Submission ID: (\d{1,18})")
_CPU = re.compile(r'data-type="cpu"[^>]*>(.*?)</', re.DOTALL)
_COMPILER = re.compile(r"<pre[^>]*>(.*?)</pre>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_LONGEST_DETAIL = 4000  # characters


class Kattis:
    """A Kattis and a user there; see `judge.online.submit.values.Client`."""

    judge = "Kattis"

    def __init__(self, account: KattisAccount, wanted: str = "", *, timeout: float, allow_http: bool = False) -> None:
        """Take the account.

        Args:
            account: from a .kattisrc.
            wanted: the site of the problem, such as `https://open.kattis.com`; "" when it has no address.
            timeout: see `Site`.
            allow_http: see `Site`.

        Raises:
            UsageError: the account is one of another Kattis, or its addresses do not belong together.
        """
        self._account = account
        self._site = Site(account.login, timeout=timeout, allow_http=allow_http)
        self.site = self._site.address
        self.overview = account.submissions
        self.warnings = exposure(account.file)
        self._site.hide(account.secret)
        self._is_logged_in = False
        for url in (account.submit, account.submissions):
            if Site(url, timeout=timeout, allow_http=allow_http).address != self.site:
                raise UsageError(f"{account.file}: its addresses lead to different hosts; download it anew")
        if wanted and urlsplit(wanted).hostname != self._site.host:
            host = urlsplit(wanted).hostname
            raise UsageError(
                f"the problem is at {host}, and {account.file} is for {self._site.host}: download the right one from "
                f"{wanted}/download/kattisrc and name it with --kattisrc"
            )

    def prepare(self, source: SourceFile, address: Address) -> PreparedSubmission:
        """Name the language as Kattis does; nothing is asked of the site.

        Raises:
            UsageError: the language has no name there that is known here.
        """
        language = address.language or LANGUAGES.get(source.language, "")
        if not language:
            raise UsageError(f"{source.name}: what Kattis calls its language is not known here; say --language NAME")
        shown = [("problem", address.problem), ("language", language)]
        shown += [("contest", address.contest)] if address.contest else []
        return PreparedSubmission(
            site=self.site, problem=address.problem, contest=address.contest, language=language,
            entry=source.entry, source=source, shown=tuple(shown),
        )  # fmt: skip

    def send(self, outgoing: PreparedSubmission) -> Receipt:
        """Log in and submit.

        Raises:
            SubmitError: it did not work; says whether the submission may be there all the same.
        """
        self._log_in()
        fields = [
            ("submit", "true"),
            ("submit_ctr", "2"),
            ("language", outgoing.language),
            ("mainclass", outgoing.entry),
            ("problem", outgoing.problem),
            ("tag", ""),
            ("script", "true"),
        ]
        fields += [("contest", outgoing.contest)] if outgoing.contest else []
        file = Upload(field="sub_file[]", name=outgoing.source.name, data=outgoing.source.text)
        reply = self._site.post(self._account.submit, fields, [file], submits=True)
        self._check(reply, "take the submission", sends=True)
        found = _NUMBER.search(reply.text)
        if found:
            return self.receipt(found[1], outgoing.contest)
        if reply.is_page or not reply.text.strip():
            raise no_sense(self._site, reply, expected="`Submission ID: ...`", sends=True)
        raise SubmitError(f"{self.site} refused it: {self._site.shown(_plain(reply.text))}", DeliveryState.NO)

    def receipt(self, number: str, contest: str) -> Receipt:
        """Return what `send` returned for the submission with this number."""
        return Receipt(id=number, page=f"{self._account.submissions}/{number}", contest=contest)

    def progress(self, receipt: Receipt) -> Progress:
        """Ask what has become of it.

        Raises:
            SubmitError: no answer, or none that makes sense.
        """
        self._log_in()
        reply = self._site.get(f"{receipt.page}?json")
        self._check(reply, f"say what became of submission {receipt.id}")
        try:
            value = reply.json()
        except ValueError:
            value = None
        if not isinstance(value, dict) or not isinstance(status := value.get("status_id"), int):
            raise no_sense(self._site, reply, expected="JSON with a `status_id`")
        return self._progress(status, value)

    def _progress(self, status: int, value: dict[str, object]) -> Progress:
        found = _CPU.search(str(value.get("row_html", "")))
        compiler = _COMPILER.search(str(value.get("feedback_html", ""))) if status == _COMPILE_ERROR else None
        return Progress(
            text=_STATUS.get(status, f"status {status}"),
            is_final=status >= _FIRST_FINAL,
            is_accepted=status == _ACCEPTED,
            cpu=_seconds(_plain(found[1])) if found else None,
            detail=_plain(compiler[1])[:_LONGEST_DETAIL].strip("\n") if compiler else "",
        )

    def _log_in(self) -> None:
        if self._is_logged_in:
            return
        account = self._account
        fields = [("user", account.user), (account.field, account.secret.reveal()), ("script", "true")]
        self._check(self._site.post(account.login, fields), "log in")
        self._is_logged_in = True

    def _check(self, reply: Reply, doing: str, *, sends: bool = False) -> None:
        check(reply, self._site, doing=doing, credentials=str(self._account.file), sends=sends)


def _plain(html: str) -> str:
    return unescape(_TAG.sub("", html.replace("<br />", "\n")))


def _seconds(text: str) -> Seconds | None:
    found = re.search(r"(\d{1,5}(?:\.\d+)?)\s*(?:s|\xa0s)", text)
    return Seconds(float(found[1])) if found else None
