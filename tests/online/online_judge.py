"""Online judges on loopback that follow the published protocols exactly, with faults on request.

Kattis: https://github.com/Kattis/kattis-cli. DOMjudge: https://ccs-specs.icpc.io/ as `/api/v4` of DOMjudge has it.
"""

import json
import re
import ssl
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import Any
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct, field

USER, TOKEN, PASSWORD = "ann", "t0k%en-a3f9c2", "p4ss-word-77"
COOKIE = "EduSiteCookie=4f2a-cookie-secret"
SECRETS = (TOKEN, PASSWORD, "4f2a-cookie-secret")
KATTIS_LANGUAGES = {"Python 3", "C", "C++", "Java"}

Form = dict[str, list[str]]


class Received(Struct):
    """One submission as it arrived."""

    fields: Form
    files: list[tuple[str, str, bytes]]  # the form's field, the file's name, its bytes
    contest: str = ""


class OnlineJudge(Struct):
    """The state of the server, and its faults.

    Attributes:
        problems: the names of its problems.
        statuses: the states of a submission, one per request; the last one stays.
        faults: responses that replace the usual ones, by `METHOD /path` without the query.
        late_faults: the same, but the request has its effect first.
    """

    url: str = ""
    problems: list[str] = field(default_factory=lambda: ["hello", "twice"])
    statuses: list[int] = field(default_factory=lambda: [1, 5, 16])
    contests: list[dict[str, object]] = field(default_factory=lambda: [contest("demo")])
    verdicts: list[str | None] = field(default_factory=lambda: [None, "AC"])
    received: list[Received] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    faults: dict[str, list["Fault"]] = field(default_factory=dict)
    late_faults: dict[str, list["Fault"]] = field(default_factory=dict)
    polls: int = 0


def contest(name: str) -> dict[str, object]:
    return {"id": name, "shortname": name, "name": f"The {name} contest", "allow_submit": True}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def judge(self) -> OnlineJudge:
        assert isinstance(self.server, _Server)
        return self.server.judge

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature is http.server's
        """Write no log."""

    def answer(self, status: int, body: bytes | str, headers: dict[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def answer_json(self, value: object, status: int = 200) -> None:
        self.answer(status, json.dumps(value), {"Content-Type": "application/json"})

    def do_GET(self) -> None:
        self.act("GET")

    def do_POST(self) -> None:
        self.act("POST")

    def act(self, method: str) -> None:
        path = urlsplit(self.path).path
        name = f"{method} {path}"
        self.judge.requests.append(name)
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.judge.faults.get(name):
            self.judge.faults[name].pop(0)(self)
            return
        late_fault = self.judge.late_faults.get(name)
        real = self.wfile
        if late_fault:
            self.wfile = Discard()
        try:
            if "/api/v4/" in path:
                domjudge(self, method, path.partition("/api/v4/")[2])
            else:
                kattis(self, method, path)
        finally:
            self.wfile = real
        if late_fault:
            late_fault.pop(0)(self)

    def form(self) -> tuple[Form, list[tuple[str, str, bytes]]]:
        kind = self.headers["Content-Type"]
        if kind == "application/x-www-form-urlencoded":
            return parse_qs(self.body.decode(), keep_blank_values=True, strict_parsing=True), []
        message = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + self.body)
        assert message.is_multipart(), kind
        fields: Form = {}
        files = []
        for part in message.iter_parts():
            name = str(part.get_param("name", header="content-disposition"))
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            file = part.get_filename()
            if file is None:
                fields.setdefault(name, []).append(content.decode())
            else:
                files.append((name, file, content))
        return fields, files


Fault = Callable[[_Handler], None]


class Discard(BufferedIOBase):
    """Discards what is written."""

    def write(self, data: Any, /) -> int:
        """Do nothing."""
        return memoryview(data).nbytes


class _Server(ThreadingHTTPServer):
    judge: OnlineJudge
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that has gone."""


@contextmanager
def online_judge(tls: ssl.SSLContext | None = None) -> Iterator[OnlineJudge]:
    """Run a judge on its own port."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        server.judge = OnlineJudge(url=f"http{'s' * bool(tls)}://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield server.judge
        finally:
            server.shutdown()


# ---- Kattis -----------------------------------------------------------------------------------------------------


def kattis(handler: _Handler, method: str, path: str) -> None:
    judge = handler.judge
    if (method, path) == ("POST", "/login"):
        fields, _ = handler.form()
        right = fields.get("token") == [TOKEN] or fields.get("password") == [PASSWORD]
        if not (fields.get("user") == [USER] and fields.get("script") == ["true"] and right):
            handler.answer(403, "Incorrect username or password/token")
            return
        handler.answer(200, "Login successful", {"Set-Cookie": f"{COOKIE}; Path=/; HttpOnly"})
        return
    if COOKIE not in handler.headers.get("Cookie", ""):
        handler.answer(403, "Forbidden")
    elif (method, path) == ("POST", "/submit"):
        kattis_submit(handler)
    elif found := re.fullmatch(r"/submissions/(\d+)", path):
        status = judge.statuses[min(judge.polls, len(judge.statuses) - 1)]
        judge.polls += 1
        if urlsplit(handler.path).query != "json" or int(found[1]) > len(judge.received):
            handler.answer(404, "<html><title>Not found</title></html>")
            return
        row = '<tr><td data-type="cpu">0.07&nbsp;s</td><td data-type="status">Accepted</td></tr>'
        feedback = "<h3>Compiler</h3><pre>hello.c:1: error: expected &lt;identifier&gt;</pre>" if status == 8 else ""
        handler.answer_json({"status_id": status, "testcase_index": 1, "row_html": row, "feedback_html": feedback})
    else:
        handler.answer(404, "Not found")


def kattis_submit(handler: _Handler) -> None:
    fields, files = handler.form()
    judge = handler.judge
    assert fields["submit"] == ["true"]
    assert fields["submit_ctr"] == ["2"]
    assert fields["script"] == ["true"]
    assert {"mainclass", "tag"} <= fields.keys()
    assert [name for name, _, _ in files] == ["sub_file[]"]
    if fields["language"][0] not in KATTIS_LANGUAGES:
        handler.answer(200, f"Unknown language {fields['language'][0]}")
    elif fields["problem"][0] not in judge.problems:
        handler.answer(200, f"Problem {fields['problem'][0]} not found")
    else:
        judge.received.append(Received(fields=fields, files=files))
        handler.answer(200, f"Submission received. Submission ID: {len(judge.received)}.")


# ---- DOMjudge ---------------------------------------------------------------------------------------------------

LANGUAGES = [
    {"id": "c", "name": "C", "extensions": ["c"], "entry_point_required": False},
    {"id": "java", "name": "Java", "extensions": ["java"], "entry_point_required": True},
    {"id": "python3", "name": "Python 3", "extensions": ["py"], "entry_point_required": False},
]
TYPES = [
    {"id": "AC", "name": "correct", "penalty": False, "solved": True},
    {"id": "WA", "name": "wrong answer", "penalty": True, "solved": False},
    {"id": "CE", "name": "compiler error", "penalty": False, "solved": False},
]


def domjudge(handler: _Handler, method: str, path: str) -> None:
    judge = handler.judge
    scheme, _, pair = handler.headers.get("Authorization", "").partition(" ")
    if scheme != "Basic" or b64decode(pair).decode() != f"{USER}:{PASSWORD}":
        handler.answer_json({"code": 401, "message": "Invalid credentials."}, 401)
        return
    if path == "contests":
        handler.answer_json(judge.contests)
        return
    found = re.fullmatch(r"contests/(\w+)/(\S+)", path)
    if not found or found[1] not in {each["id"] for each in judge.contests}:
        handler.answer_json({"code": 404, "message": f"Contest {path} not found"}, 404)
        return
    domjudge_contest(handler, method, found[1], found[2])


def domjudge_contest(handler: _Handler, method: str, number: str, what: str) -> None:
    judge = handler.judge
    problems = [{"id": f"p-{n}", "label": "ABCDEF"[n], "name": name} for n, name in enumerate(judge.problems)]
    match method, what:
        case "GET", "problems":
            handler.answer_json(problems)
        case "GET", "languages":
            handler.answer_json(LANGUAGES)
        case "GET", "judgement-types":
            handler.answer_json(TYPES)
        case "GET", "judgements":
            (wanted,) = parse_qs(urlsplit(handler.path).query)["submission_id"]
            verdict = judge.verdicts[min(judge.polls, len(judge.verdicts) - 1)]
            judge.polls += 1
            entry = {
                "id": "9",
                "submission_id": wanted,
                "judgement_type_id": verdict,
                "max_run_time": 0.125,
                "valid": True,
            }
            handler.answer_json([entry] if verdict else [])
        case "POST", "submissions":
            domjudge_submit(handler, number, {str(each["id"]) for each in problems})
        case _:
            handler.answer_json({"code": 405, "message": "Method not allowed"}, 405)


def domjudge_submit(handler: _Handler, number: str, problems: set[str]) -> None:
    fields, files = handler.form()
    judge = handler.judge
    language = next((each for each in LANGUAGES if [each["id"]] == fields.get("language")), None)
    problem = fields.get("problem", [""])[0]
    if problem not in problems:
        handler.answer_json({"code": 400, "message": f"Problem '{problem}' not found or not submittable."}, 400)
    elif language is None:
        handler.answer_json({"code": 400, "message": "Language not found or not submittable."}, 400)
    elif language["entry_point_required"] and not fields.get("entry_point"):
        handler.answer_json({"code": 400, "message": "Main class required, but not specified."}, 400)
    elif [name for name, _, _ in files] != ["code[]"]:
        handler.answer_json({"code": 400, "message": "No files specified."}, 400)
    else:
        judge.received.append(Received(fields=fields, files=files, contest=number))
        time = "2026-01-31T12:00:00.000+00:00"
        handler.answer_json({"id": f"s{len(judge.received)}", "time": time, "problem_id": problem})


# ---- faults -----------------------------------------------------------------------------------------------------


def status(code: int, body: str = "", headers: dict[str, str] | None = None) -> Fault:
    """Answer with a status."""
    return lambda handler: handler.answer(code, body, headers)


def maintenance(code: int = 503) -> Fault:
    """Answer with an HTML page."""
    page = "<!DOCTYPE html><html><head><title>Down for &amp; maintenance</title></head><body>Back soon.</body></html>"
    return status(code, page, {"Content-Type": "text/html"})


def drop(handler: _Handler) -> None:
    """Close the connection without a response."""
    handler.close_connection = True


def truncated(handler: _Handler) -> None:
    """Announce more bytes than are sent."""
    handler.close_connection = True
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"status_id"')


def garbage(handler: _Handler) -> None:
    """Send something that is not HTTP."""
    handler.close_connection = True
    handler.wfile.write(b"what?\r\n\r\n")


def silent(until: threading.Event) -> Fault:
    """Send nothing until the test is over."""

    def wait(handler: _Handler) -> None:
        handler.close_connection = True
        until.wait(60)

    return wait


def trickle(until: threading.Event) -> Fault:
    """Send an endless header byte by byte: no single read times out."""

    def send(handler: _Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not until.wait(0.05):
            handler.wfile.write(b"x")

    return send


def trickling_body(until: threading.Event) -> Fault:
    """Send an endless body byte by byte, which ends with the connection."""

    def send(handler: _Handler) -> None:
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        end = time.monotonic() + 60
        while not until.wait(0.05) and time.monotonic() < end:
            handler.wfile.write(b"x")

    return send


def endless(handler: _Handler) -> None:
    """Send more than a client should read."""
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(40):
        handler.wfile.write(b" " * (1 << 20))
