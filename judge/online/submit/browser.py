"""Hand a source to an extension of the user's own browser, which submits it where the user is logged in.

Two extensions take submissions from the port 27121 of this machine, as editors offer them there:

cph-submit       asks `GET /getSubmit` every 3 s; it chooses the problem and the language
CPH-NG Submit    connects a WebSocket with Engine.IO 4 and Socket.IO 5 in it; it leaves the language to the page

Neither reports what became of a submission, and each submits whatever it gets, at any address, however often. So the
source is given out once, for the addresses and languages of the tables here only (from the sources of cph-submit 1.9.0
and CPH-NG Submit 0.7.11, tried with both).
"""

import base64
import hashlib
import json
import re
import struct
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from queue import Empty
from typing import cast
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct

from judge.base.errors import UsageError
from judge.online.loopback import LoopbackHandler, LoopbackServer, RejectedError, Request
from judge.online.problem_ref import ProblemRef
from judge.online.submit.values import MANUAL_JUDGES, SourceFile

PORT = 27121  # a constant of cph-submit, and the default of CPH-NG Submit
CPH_SUBMIT, CPH_NG = "cph-submit", "CPH-NG Submit"

# The judges' languages by the ids of `judge.languages`, the default first: names, and numbers for cph-submit. These are
# the values of Codeforces' form; for CSES, the extension translates them into names. It ignores a number that it does
# not know and submits in any language, so there are no others here.
_PYTHON2, _PYTHON3, _PYPY3 = ("Python 2", 7), ("Python 3.13", 31), ("PyPy 3.10", 70)
LANGUAGES: Mapping[str, Mapping[str, tuple[tuple[str, int], ...]]] = {
    "codeforces": {
        "python3": (_PYTHON3, _PYPY3),
        "pypy3": (_PYPY3, _PYTHON3),
        "python2": (_PYTHON2,),
        "c": (("GNU C11", 43),),
        "cpp": (("GNU C++23", 91), ("GNU C++20", 89), ("GNU C++17", 54), ("Clang C++17", 52)),
        "java": (("Java 21", 87), ("Java 11", 60), ("Java 8", 36)),
        "kotlin": (("Kotlin 1.9", 88), ("Kotlin 1.7", 83)),
        "rust": (("Rust 2021", 75), ("Rust 2024", 98)),
        "csharp": (("C# 10", 79), ("C# 8", 65), ("C# (Mono)", 9)),
        "go": (("Go", 32),),
        "javascript": (("Node.js", 55),),
        "ruby": (("Ruby", 67),),
        "haskell": (("Haskell", 12),),
    },
    "cses": {
        "python3": (("Python3", 31),),
        "pypy3": (("Python3", 31),),
        "c": (("C", 43),),
        "cpp": (("C++", 54),),
        "java": (("Java", 87),),
        "rust": (("Rust", 75),),
    },
    "atcoder": {"cpp": (("C++23 (GCC)", 0),)},
}

# The addresses that extensions know: the judge, the extensions, the path of a problem, and as replacements of that the
# page that opens and the page with the user's submissions.
_BOTH = (CPH_SUBMIT, CPH_NG)
_ADDRESSES: tuple[tuple[str, tuple[str, ...], str, str, str], ...] = (
    ("codeforces", _BOTH, r"(/(?:contest|gym)/\d+)/problem/\w+", r"\1/submit", r"\1/my"),
    ("codeforces", _BOTH, r"/problemset/problem/(\d+/\w+)", r"/problemset/submit/\1", "/problemset/status?my=on"),
    ("codeforces", (CPH_SUBMIT,), r"/problemset/gymProblem/(\d+)/\w+", r"/gym/\1/submit", r"/gym/\1/my"),
    ("codeforces", (CPH_SUBMIT,), r"(/group/\w+/contest/\d+)/problem/\w+", r"\1/submit", r"\1/my"),
    ("codeforces", (CPH_SUBMIT,), r"(/edu/course/\d+/lesson/\d+/\d+/practice/contest/\d+)/problem/\w+", r"\1/submit",
     r"\1/my"),
    ("codeforces", (CPH_SUBMIT,), r"(/problemsets/acmsguru)/problem/(\d+/\d+)", r"\1/submit/\2", r"\1/status?my=on"),
    ("cses", (CPH_SUBMIT,), r"(/\w+)/task/(\w+)", r"\1/submit/\2/", r"\1/view/\2/"),
    ("atcoder", (CPH_NG,), r"(/contests/[\w-]+)/tasks/\w+", r"\1/submit", r"\1/submissions/me"),
)  # fmt: skip


class Offer(Struct, frozen=True, kw_only=True):
    """What extensions are offered.

    Attributes:
        language, number: the judge's name of the language, and its number for cph-submit.
        submissions_page: the page that lists the user's submissions.
    """

    ref: ProblemRef
    language: str
    number: int
    extensions: tuple[str, ...]
    submit_page: str
    submissions_page: str

    def payload(self, extension: str, source: str) -> str:
        """Return the JSON that an extension expects."""
        if extension == CPH_NG:
            return json.dumps(["submitRequest", {"url": self.ref.page, "sourceCode": source}])
        submission = {"problemName": self.ref.problem, "sourceCode": source, "languageId": self.number}
        return json.dumps({"empty": False, "url": self.ref.page, **submission})


def make_offer(ref: ProblemRef, source: SourceFile, language: str) -> Offer:
    """Return what extensions are offered; `language` is the judge's name or its number, "" for the default.

    Raises:
        UsageError: no extension can submit it.
    """
    name = MANUAL_JUDGES[ref.judge]
    paths = [(row, re.fullmatch(row[2], urlsplit(ref.page).path)) for row in _ADDRESSES if row[0] == ref.judge]
    if not paths:
        judges = ", ".join(MANUAL_JUDGES[judge] for judge in LANGUAGES)
        raise UsageError(f"no browser extension submits to {name} (only to {judges})")
    found = next(((row, match) for row, match in paths if match), None)
    if found is None:
        raise UsageError(f"no browser extension knows the address {ref.page or ref.url}")
    (_, extensions, _, submit_page, submissions_page), match = found
    try:
        is_empty = not source.data.decode().strip()
    except UnicodeDecodeError:
        raise UsageError(f"{source.name} is not UTF-8 text, which browser extensions need") from None
    if is_empty:
        raise UsageError(f"{source.name} is empty; browser extensions drop that")
    if source.language != "cpp":  # the only language that CPH-NG Submit gets right everywhere
        extensions = tuple(each for each in extensions if each != CPH_NG)
    known = LANGUAGES[ref.judge]
    choices = known.get(source.language, ())
    if not choices or not extensions:
        names = ", ".join(dict.fromkeys(choice for each in known.values() for choice, _ in each))
        raise UsageError(f"{source.name}: no browser extension submits its language to {name} (only {names})")
    chosen = choices[0]
    if language:
        wanted = language.lower()
        chosen = next((each for each in choices if wanted in (each[0].lower(), str(each[1]))), ("", 0))
        if not chosen[0]:
            names = ", ".join(f"{choice} ({number})" if number else choice for choice, number in choices)
            raise UsageError(f"--language {language}: expected one of those that extensions know at {name}: {names}")
        if ref.judge == "codeforces":
            extensions = (CPH_SUBMIT,)
    site = ref.page.removesuffix(match.string)
    return Offer(
        ref=ref,
        language=chosen[0],
        number=chosen[1],
        extensions=extensions,
        submit_page=site + match.expand(submit_page),
        submissions_page=site + match.expand(submissions_page),
    )


# ---- the server ----------------------------------------------------------------------------------------------------


class Claim(Request, frozen=True, kw_only=True):
    """An extension that asks for the submission; its answer is a payload, or None."""

    extension: str


class ExtensionServer(LoopbackServer):
    """Owns the port that extensions ask at; its queue has each `Claim`, and each refusal as a `RejectedError`."""

    is_over = False

    def __init__(self) -> None:
        super().__init__(
            PORT, _Handler, in_use="perhaps by the extension CPH of VS Code; close that, or use --no-browser"
        )

    def __exit__(self, *error: object) -> None:
        self.is_over = True  # no other claim is answered
        super().__exit__(*error)


class _Handler(LoopbackHandler):
    server_version = "judge-submit"

    def do_GET(self) -> None:  # noqa: N802 - http.server's names
        url = urlsplit(self.path)
        try:
            self.check_sender()
            match self.command, url.path:
                case "GET", "/getSubmit":
                    self._answer_poll()
                case "GET", "/ws" | "/ws/":
                    self._answer_socket(parse_qs(url.query))
                case "GET", _:
                    self.send(HTTPStatus.NOT_FOUND, "judge submit: browser extensions ask at /getSubmit and /ws/")
                case _:  # such as the problems that Competitive Companion posts to all of its ports
                    self.send(HTTPStatus.METHOD_NOT_ALLOWED, "judge submit: nothing is posted here")
                    self.drain()
        except RejectedError as error:
            self.reject(error)

    do_HEAD = do_POST = do_PUT = do_OPTIONS = do_GET  # noqa: N815 - http.server's names

    def _claim(self, extension: str) -> tuple[Claim, str | None]:
        claim = Claim(extension=extension)
        self.owner.queue.put(claim)
        while not cast("ExtensionServer", self.server).is_over:
            with suppress(Empty):
                return claim, claim.answers.get(timeout=0.1)
        return claim, None

    def _answer_poll(self) -> None:
        if self.headers.get("Origin") or self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise RejectedError(HTTPStatus.FORBIDDEN, "expected cph-submit, found a web page")
        if self.headers.get("cph-submit") != "true":
            raise RejectedError(HTTPStatus.FORBIDDEN, "expected the header `cph-submit: true`")
        claim, payload = self._claim(CPH_SUBMIT)
        self.send(HTTPStatus.OK, payload or '{"empty": true}', "application/json")
        if self.drain():
            claim.is_sent.set()

    def _answer_socket(self, query: Mapping[str, list[str]]) -> None:
        """Be a server of Socket.IO for one event (https://socket.io/docs/v4/engine-io-protocol/)."""
        key = self.headers.get("Sec-WebSocket-Key", "")
        if not self.headers.get("Origin"):
            raise RejectedError(HTTPStatus.FORBIDDEN, "expected the Origin of a browser extension, found none")
        if not key or query.get("EIO") != ["4"] or query.get("type") != ["browser"]:
            raise RejectedError(HTTPStatus.BAD_REQUEST, "expected a WebSocket of CPH-NG Submit (Engine.IO 4)")
        accept = base64.b64encode(hashlib.sha1(f"{key}{_WEBSOCKET}".encode(), usedforsecurity=False).digest()).decode()
        head = ("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade")
        self.close_connection = True
        try:
            self.wfile.write("\r\n".join((*head, f"Sec-WebSocket-Accept: {accept}", "", "")).encode())
            self._send_frame('0{"sid":"judge","upgrades":[],"pingInterval":25000,"pingTimeout":20000}')
            self._expect("40")
            self._send_frame('40{"sid":"judge"}')
            self._send_frame('42["status",{"isActive":true}]')
            claim, payload = self._claim(CPH_NG)
            if payload is not None:
                self._send_frame(f"42{payload}")
            self._send_frame("", opcode=8)
        except (OSError, struct.error):
            return
        if self.drain():
            claim.is_sent.set()

    def _send_frame(self, text: str, *, opcode: int = 1) -> None:
        """Send a frame: a text, or, with the opcode 8, the end (RFC 6455, 5.2)."""
        data = text.encode()
        size = len(data)
        code, form = (size, "") if size < 126 else (126, "H") if size < 1 << 16 else (127, "Q")
        self.wfile.write(struct.pack(f"!BB{form}", 0x80 | opcode, code, *([size] if form else [])) + data)

    def _expect(self, start: str) -> None:
        """Read one frame of the client, which is short and masked; raise OSError if it is not the expected one."""
        head = self.rfile.read(6)
        _, size, *mask = struct.unpack("!BB4B", head)
        data = self.rfile.read(size & 0x7F)
        if not bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)).startswith(start.encode()):
            raise ConnectionError


_WEBSOCKET = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
