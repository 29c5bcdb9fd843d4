"""Submitting through a browser: extensions of both protocols get the source exactly once, others never."""

import http.client
import json
import os
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from judge.base.errors import StoreError, UsageError
from judge.history.submissions import SubmissionState, SubmissionStore
from judge.languages.table import LANGUAGES
from judge.online import loopback
from judge.online.problem_ref import problem_ref
from judge.online.samples import DEFAULT_PORT
from judge.online.submit import browser, flow
from judge.online.submit.browser import CPH_NG, CPH_SUBMIT, ExtensionServer, make_offer
from judge.online.submit.context import SubmissionContext
from judge.online.submit.values import SourceFile
from tests.cli.command_line import CapSys, judge, write
from tests.online.test_submit import SOURCE as PYTHON
from tests.online.test_submit_manual import MINE, at, root, tools

__all__ = ["root"]

URL = "https://codeforces.com/contest/1900/problem/A"
CPP = "solutions/twice/accepted/twice.cpp"
CPP_SOURCE = '#include <cstdio>\nint main() { int n; scanf("%d", &n); printf("%d\\n", 2 * n); }\n'
POLL = {"cph-submit": "true", "Sec-Fetch-Site": "none"}
SOCKET = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Origin": "chrome-extension://abc",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip
SOCKET_PATH = "/ws/?type=browser&EIO=4&transport=websocket"

IS_OVER = threading.Event()  # the command has ended: there will be no server

pytestmark = pytest.mark.usefixtures("root")


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = int(free.getsockname()[1])
    monkeypatch.setattr(browser, "PORT", number)
    return number


@pytest.fixture(autouse=True)
def _judge_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge the file in one test only: that takes longer than all the rest."""
    if request.function is not test_cph_submit_gets_the_problem_the_language_and_the_text_once:
        monkeypatch.setattr(SubmissionContext, "judge_locally", lambda _: True)


def connect(port: int) -> socket.socket:
    """Connect as soon as there is a server."""
    while True:
        try:
            return socket.create_connection(("localhost", port), timeout=30)
        except ConnectionRefusedError:
            if IS_OVER.is_set():
                raise
            time.sleep(0.01)


def ask(port: int, headers: dict[str, str], method: str = "GET", path: str = "/getSubmit") -> tuple[int, bytes]:
    """Send a request; return the status and the body of the response, which grants a web page nothing."""
    with closing(http.client.HTTPConnection("localhost", port)) as connection:
        connection.sock = connect(port)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        assert not [name for name in answer.headers if name.lower().startswith("access-control")]
        return answer.status, answer.read()


def poll(port: int) -> dict[str, Any]:
    """Do what cph-submit does."""
    return dict(json.loads(ask(port, POLL)[1]))


def join(port: int) -> dict[str, Any]:
    """Do what CPH-NG Submit does: Engine.IO 4 and Socket.IO 5 in a WebSocket; return the data of `submitRequest`."""
    head = "".join(f"{name}: {value}\r\n" for name, value in SOCKET.items())
    with connect(port) as connection, connection.makefile("rb") as stream:
        connection.sendall(f"GET {SOCKET_PATH} HTTP/1.1\r\nHost: localhost:{port}\r\n{head}\r\n".encode())
        assert stream.readline() == b"HTTP/1.1 101 Switching Protocols\r\n"
        assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in list(iter(stream.readline, b"\r\n"))

        def receive() -> bytes:
            kind, size = stream.read(2)
            if size > 125:
                (size,) = struct.unpack("!H" if size == 126 else "!Q", stream.read(2 if size == 126 else 8))
            return stream.read(size) if kind == 0x81 else b""

        assert json.loads(receive()[1:])["pingInterval"] == 25000
        connection.sendall(b"\x81\x82abcd" + bytes([ord("4") ^ ord("a"), ord("0") ^ ord("b")]))
        assert receive().startswith(b'40{"sid":')
        assert receive() == b'42["status",{"isActive":true}]'
        request = receive()
    return dict(json.loads(request[2:])[1]) if request else {}


def during(*clients: Callable[[], Any]) -> Callable[[], list[Any]]:
    """Run clients in threads; the result waits for them and returns what they got."""
    got: list[Any] = [None] * len(clients)
    IS_OVER.clear()

    def run(number: int) -> None:
        try:
            got[number] = clients[number]()
        except OSError as error:
            got[number] = error

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(len(clients))]
    for thread in threads:
        thread.start()

    def wait() -> list[Any]:
        for thread in threads:
            thread.join(30)
        return got

    return wait


def submit(*argv: str, capsys: CapSys, file: str = MINE) -> tuple[int, str, str]:
    status, out, err = judge("submit", file, "--browser", "--yes", *argv, capsys=capsys)
    IS_OVER.set()
    assert "Traceback" not in err
    return status, out, err


def states(folder: Path) -> list[SubmissionState]:
    with closing(sqlite3.connect(folder / ".judge/submissions.sqlite")) as connection:
        return [row.state for row in SubmissionStore(connection).all()]


# ---- what extensions get -----------------------------------------------------------------------------------------


def test_cph_submit_gets_the_problem_the_language_and_the_text_once(root: Path, port: int, capsys: CapSys) -> None:
    replies = during(lambda: poll(port))
    status, out, err = submit(capsys=capsys)
    assert status == 0, err
    assert replies() == [{"empty": False, "url": URL, "problemName": "1900A", "sourceCode": PYTHON, "languageId": 31}]
    assert "language  Python 3.13 (31)\n" in err
    assert out.startswith(
        "handed    to cph-submit, which submits it in a new tab: https://codeforces.com/contest/1900/submit\nnext      "
    )
    assert "see https://codeforces.com/contest/1900/my\n" in out
    assert states(root) == [SubmissionState.TAKEN]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    status, _, err = submit(capsys=capsys)
    assert (status, "was taken by a browser extension on" in err, "use --again" in err) == (2, True, True)
    assert "accepted" not in err, "known before the file is judged"
    assert "taken  source" in judge("history", "--submissions", capsys=capsys)[1]


def test_cph_ng_gets_the_problem_and_the_text_once(root: Path, port: int, capsys: CapSys) -> None:
    write(root / CPP, CPP_SOURCE)
    replies = during(lambda: join(port))
    status, out, err = submit(capsys=capsys, file=CPP)
    assert (status, replies()) == (0, [{"url": URL, "sourceCode": CPP_SOURCE}]), err
    assert "language  GNU C++23 (91); with CPH-NG Submit, the one that the page has selected\n" in err
    assert "handed    to CPH-NG Submit, " in out
    assert states(root) == [SubmissionState.TAKEN]


def test_of_several_browsers_and_extensions_one_gets_the_source(root: Path, port: int, capsys: CapSys) -> None:
    write(root / CPP, CPP_SOURCE)
    got = during(*[lambda: poll(port), lambda: join(port)] * 4)
    assert submit(capsys=capsys, file=CPP)[0] == 0
    replies = [reply for reply in got() if isinstance(reply, dict)]
    assert len([reply for reply in replies if "sourceCode" in reply]) == 1
    assert all(reply in ({"empty": True}, {}) for reply in replies if "sourceCode" not in reply)


def test_an_extension_that_cannot_submit_it_is_named_and_gets_nothing(port: int, capsys: CapSys) -> None:
    def both() -> list[dict[str, Any]]:
        return [join(port), join(port), poll(port)]

    got = during(both)
    status, _, err = submit(capsys=capsys)
    first, second, third = got()[0]
    assert (status, first, second, third["sourceCode"]) == (0, {}, {}, PYTHON)
    assert err.count("judge: CPH-NG Submit asked, but cannot submit this; needed: cph-submit\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + PYTHON.replace("\n", "\r\n") + "# größer \N{SNOWMAN} \x01\r\n",
        PYTHON + "#" * (1 << 20) + "\n",
    ],
    ids=["CRLF and BOM", "1 MB"],
)  # fmt: skip
def test_the_text_arrives_unchanged(root: Path, port: int, capsys: CapSys, text: str) -> None:
    write(root / MINE, text)
    replies = during(lambda: poll(port))
    status, _, err = submit("--force", capsys=capsys)
    assert (status, replies()[0]["sourceCode"] == text) == (0, True), err


# ---- what others get ---------------------------------------------------------------------------------------------

PAGE = {"Origin": "https://evil.example"}


@pytest.mark.parametrize(
    ("headers", "method", "path", "status", "reported"),
    [
        (POLL | PAGE, "GET", "/getSubmit", 403, "found the web page 'https://evil.example'"),
        (POLL | {"Sec-Fetch-Site": "cross-site"}, "GET", "/getSubmit", 403, "expected cph-submit, found a web page"),
        (POLL | {"Origin": "moz-extension://1"}, "GET", "/getSubmit", 403, "expected cph-submit"),
        (POLL | {"Host": "evil.example:27121"}, "GET", "/getSubmit", 403, "found 'evil.example:27121'"),
        ({}, "GET", "/getSubmit", 403, "expected the header `cph-submit: true`"),
        (PAGE | {"Access-Control-Request-Headers": "cph-submit"}, "OPTIONS", "/getSubmit", 403, "evil.example"),
        (SOCKET | PAGE, "GET", SOCKET_PATH, 403, "found the web page 'https://evil.example'"),
        ({**SOCKET, "Origin": ""}, "GET", SOCKET_PATH, 403, "found the web page ''"),
        ({name: SOCKET[name] for name in SOCKET if name != "Origin"}, "GET", SOCKET_PATH, 403, "found none"),
        (SOCKET, "GET", "/ws/?type=vscode&EIO=4", 400, "expected a WebSocket of CPH-NG Submit"),
        (SOCKET, "GET", "/ws/?type=browser&EIO=3", 400, ""),
        ({"Origin": "moz-extension://1"}, "GET", SOCKET_PATH, 400, ""),
        (POLL, "POST", "/getSubmit", 405, ""),
        ({"Content-Type": "application/json"}, "POST", "/", 405, ""),
        (POLL, "GET", "/", 404, ""),
    ],
)  # fmt: skip
def test_web_pages_and_others_are_refused(  # noqa: PLR0917 - pytest gives them by name
    port: int, headers: dict[str, str], method: str, path: str, status: int, reported: str
) -> None:
    server = ExtensionServer()
    server.listen()
    with server:
        found, body = ask(port, headers, method, path)
    assert (found, reported in body.decode()) == (status, True)
    assert server.queue.empty() == (status not in (400, 403))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as two other users")
@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize(("asks", "status"), [(1234, 200), (0, 200), (4321, 403)])
def test_other_users_of_the_machine_are_refused(
    port: int, monkeypatch: pytest.MonkeyPatch, asks: int, status: int, address: str
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1234)
    request = f"GET /getSubmit HTTP/1.1\\r\\nHost: localhost:{port}\\r\\ncph-submit: true\\r\\n\\r\\n"
    code = f"exec 3<>/dev/tcp/{address}/{port}; printf '{request}' >&3; cat <&3"
    server = ExtensionServer()
    server.listen()
    server.is_over = True  # an extension gets nothing
    with server:
        done = subprocess.run(["bash", "-c", code], user=asks, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"HTTP/1.0 {status} ")
    refused = "expected one of your own programs, found one of the user 4321"
    found = server.queue.get_nowait()
    assert (str(found) == refused) == (status != 200)


@pytest.mark.parametrize(
    ("tables", "status"),
    [
        ({}, 200),  # a system without /proc
        ({"tcp": "0"}, 403),  # closed by the client: the kernel lists it as root's
        ({"tcp": "", "tcp6": "7"}, 200),
        ({"tcp": "", "tcp6": ""}, 403),
    ],
)
def test_a_client_whose_user_is_not_listed_is_refused(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tables: dict[str, str], status: int
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1234)
    server = ExtensionServer()
    server.is_over = True
    client = socket.socket()
    client.bind(("127.0.0.1", 0))
    for name, inode in tables.items():
        line = f"0: 0100007F:{client.getsockname()[1]:04X} 0100007F:{port:04X} 01 0:0 0:0 0 0 0 {inode} 1"
        (tmp_path / name).write_text("head\n" + (line if inode else ""))
    monkeypatch.setattr(loopback, "_TABLES", (tmp_path / "tcp", tmp_path / "tcp6"))
    server.listen()
    with server, client:
        client.connect(("127.0.0.1", port))
        client.sendall(f"GET /getSubmit HTTP/1.1\r\nHost: localhost:{port}\r\ncph-submit: true\r\n\r\n".encode())
        assert client.makefile().readline().startswith(f"HTTP/1.0 {status} ")


def test_a_web_page_that_polls_is_reported_once_and_the_extension_still_gets_it(port: int, capsys: CapSys) -> None:
    got = during(lambda: (ask(port, POLL | PAGE), ask(port, POLL | PAGE), poll(port)))
    status, _, err = submit(capsys=capsys)
    assert (status, got()[0][2]["empty"]) == (0, False)
    assert err.count("judge: refused a request: expected a browser extension, found the web page 'https://evil") == 1


# ---- when it does not work ----------------------------------------------------------------------------------------


def test_if_nobody_asks_nothing_is_submitted_and_the_source_can_be_submitted_later(
    root: Path, port: int, capsys: CapSys
) -> None:
    status, out, err = submit("--patience", "0.01", capsys=capsys)
    assert (status, out) == (1, "")
    assert "judge: waiting for a browser extension (cph-submit); Ctrl-C stops\n" in err
    assert "judge: no extension asked within 0.01 s; nothing was submitted. Install cph-submit in your browser" in err
    replies = during(lambda: poll(port))
    assert submit(capsys=capsys)[0] == 0
    assert replies()[0]["empty"] is False
    assert states(root) == [SubmissionState.REJECTED, SubmissionState.TAKEN]


@pytest.mark.usefixtures("port")
def test_on_a_terminal_the_clipboard_is_the_way_out(
    root: Path, tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in tools(tmp_path, "xclip").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("judge.cli.commands.submit._Terminal.is_on_terminal", lambda _: True)
    status, out, _ = submit("--patience", "0.01", capsys=capsys)
    assert (status, "copied    the source, with xclip\n" in out) == (0, True)
    assert (tmp_path / "xclip.clipboard").read_text() == PYTHON
    assert states(root) == [SubmissionState.REJECTED, SubmissionState.MANUAL]


def test_a_sleeping_extension_is_woken_by_the_problems_page(
    port: int, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow, "_WAKE_S", 0.01)
    opened: SimpleQueue[str] = SimpleQueue()

    def open_page(page: str) -> bool:
        opened.put(page)
        return True

    monkeypatch.setattr(flow, "open_page", open_page)
    replies = during(lambda: (opened.get(timeout=30), poll(port)))
    status, _, err = submit(capsys=capsys)
    assert (status, replies()[0][0], replies()[0][1]["empty"]) == (0, URL, False)
    assert f"judge: opened {URL}, which wakes the extension\n" in err


def test_a_client_that_goes_away_may_have_the_source(
    root: Path, port: int, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loopback, "_DRAIN_TIMEOUT_S", 0.1)
    monkeypatch.setattr(loopback, "SEND_TIMEOUT_S", 0.2)
    request = f"GET /getSubmit HTTP/1.1\r\nHost: localhost:{port}\r\ncph-submit: true\r\n\r\n"

    def keep_open() -> socket.socket:
        connection = connect(port)
        connection.sendall(request.encode())
        return connection

    connections = during(keep_open)
    status, out, err = submit(capsys=capsys)
    connections()[0].close()
    assert (status, out) == (2, "")
    assert (
        "The submission may have arrived: check https://codeforces.com/contest/1900/my before you submit again" in err
    )
    assert states(root) == [SubmissionState.UNKNOWN]
    assert "may have arrived: check" in submit(capsys=capsys)[2]


def test_what_cannot_be_recorded_is_not_handed_out(
    root: Path, port: int, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("disk full")

    monkeypatch.setattr(SubmissionStore, "update", full)
    replies = during(lambda: poll(port))
    status, _, err = submit(capsys=capsys)
    assert (status, "disk full" in err, replies()) == (2, True, [{"empty": True}])
    assert states(root) == [SubmissionState.SENDING]


def test_ctrl_c_while_waiting_leaves_nothing_submitted(root: Path, port: int) -> None:
    code = f"from judge.online.submit import browser; browser.PORT = {port}; from judge.cli.main import run_cli; "
    code += f"import sys; sys.exit(run_cli(['submit', {MINE!r}, '--browser', '--yes']))"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert any("waiting for a browser" in line for line in process.stderr)
    process.send_signal(signal.SIGINT)
    assert "Traceback" not in process.communicate(timeout=30)[1]
    assert (process.returncode, states(root)) == (130, [SubmissionState.REJECTED])


def test_judge_listen_may_run_at_the_same_time() -> None:
    assert DEFAULT_PORT != browser.PORT


def test_a_port_in_use_is_reported_before_the_file_is_judged(port: int, capsys: CapSys) -> None:
    with socket.create_server(("127.0.0.1", port)):
        status, _, err = submit(capsys=capsys)
    assert status == 2
    assert err == (
        f"judge: port {port} is in use, perhaps by the extension CPH of VS Code; close that, or use --no-browser\n"
    )


# ---- what can be submitted -----------------------------------------------------------------------------------------

CF = "https://codeforces.com"
GROUP, EDU = f"{CF}/group/Ab1/contest/7", f"{CF}/edu/course/2/lesson/4/1/practice/contest/7"
BOTH, SUBMIT, NG = (CPH_SUBMIT, CPH_NG), (CPH_SUBMIT,), (CPH_NG,)


@pytest.mark.parametrize(
    ("url", "page", "extensions", "submit_page", "submissions_page"),
    [
        (f"{CF}/contest/1900/problem/a?locale=en", URL, BOTH, f"{CF}/contest/1900/submit", f"{CF}/contest/1900/my"),
        ("http://m1.codeforces.com/gym/7/problem/B1", f"{CF}/gym/7/problem/B1", BOTH, f"{CF}/gym/7/submit",
         f"{CF}/gym/7/my"),
        (f"{CF}/problemset/problem/7/a", f"{CF}/problemset/problem/7/A", BOTH, f"{CF}/problemset/submit/7/A",
         f"{CF}/problemset/status?my=on"),
        (f"{CF}/problemset/gymProblem/7/A", "", SUBMIT, f"{CF}/gym/7/submit", f"{CF}/gym/7/my"),
        (f"{GROUP}/problem/A", "", SUBMIT, f"{GROUP}/submit", f"{GROUP}/my"),
        (f"{EDU}/problem/A", "", SUBMIT, f"{EDU}/submit", f"{EDU}/my"),
        (f"{CF}/problemsets/acmsguru/problem/99999/100", "", SUBMIT, f"{CF}/problemsets/acmsguru/submit/99999/100",
         f"{CF}/problemsets/acmsguru/status?my=on"),
        ("https://cses.fi/problemset/task/1068/", "https://cses.fi/problemset/task/1068", SUBMIT,
         "https://cses.fi/problemset/submit/1068/", "https://cses.fi/problemset/view/1068/"),
        ("https://cses.fi/241/task/B", "", SUBMIT, "https://cses.fi/241/submit/B/", "https://cses.fi/241/view/B/"),
        ("https://atcoder.jp/contests/abc300/tasks/abc300_a?lang=en", "https://atcoder.jp/contests/abc300/tasks/abc300_a",
         NG, "https://atcoder.jp/contests/abc300/submit", "https://atcoder.jp/contests/abc300/submissions/me"),
    ],
)  # fmt: skip
def test_only_addresses_that_extensions_know_are_handed_out(
    url: str, page: str, extensions: tuple[str, ...], submit_page: str, submissions_page: str
) -> None:
    ref = problem_ref(url)
    assert ref is not None
    offer = make_offer(ref, SourceFile(name="a.cpp", data=b"x", language="cpp"), "")
    assert (offer.ref.page, offer.extensions) == (page or url, extensions)
    assert (offer.submit_page, offer.submissions_page) == (submit_page, submissions_page)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--to", "uva", "--as", "131"], "--browser: no browser extension submits to UVa (only to Codeforces, CSES, "),
        (["--to", "euler", "--as", "1"], "--browser: no browser extension submits to Project Euler"),
        (["--to", "kattis", "--as", "a"], "--browser: kattis takes submissions from `judge submit` itself"),
        (["--to", "atcoder", "--as", "a_a"], "twice.py: no browser extension submits its language to AtCoder"),
        (["--language", "PyPy 9"], "--language PyPy 9: expected one of those that extensions know at Codeforces: P"),
        (["--follow"], "--follow: Codeforces has no API for verdicts"),
        (["--no-browser"], "not allowed with argument --browser"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("port")
def test_what_no_extension_can_submit_is_an_error_before_the_run(capsys: CapSys, argv: list[str], message: str) -> None:
    status, out, err = submit(*argv, capsys=capsys)
    assert (status, out) == (2, "")
    assert message in err
    assert "accepted" not in err


@pytest.mark.parametrize(
    ("url", "name", "language", "data", "message"),
    [
        (f"{CF}/group/A/gym/7/problem/A", "a.py", "python3", b"x", f"knows the address {CF}/group/A/gym/7/problem/A"),
        (URL, "a.py", "python3", b"\xf6", "a.py is not UTF-8 text"),
        (URL, "a.py", "python3", b" \r\n", "a.py is empty"),
        (URL, "a.f90", "fortran", b"end", "a.f90: no browser extension submits its language to Codeforces"),
        ("https://cses.fi/problemset/task/1", "a.go", "go", b"x", "submits its language to CSES"),  # else as C++
    ],
)  # fmt: skip
def test_what_an_extension_would_drop_or_get_wrong_is_not_handed_out(
    url: str, name: str, language: str, data: bytes, message: str
) -> None:
    ref = problem_ref(url)
    assert ref is not None
    with pytest.raises(UsageError) as error:
        make_offer(ref, SourceFile(name=name, data=data, language=language), "")
    assert message in str(error.value)


def test_a_language_of_the_judge_can_be_chosen_by_its_name_or_number(port: int, capsys: CapSys) -> None:
    for name in ("pypy 3.10", "70"):
        replies = during(lambda: poll(port))
        assert submit("--language", name, "--again", capsys=capsys)[0] == 0
        assert replies()[0]["languageId"] == 70


def test_every_language_of_the_table_is_one_of_ours_with_a_number_for_cph_submit() -> None:
    for name, languages in browser.LANGUAGES.items():
        assert languages.keys() <= {language.id for language in LANGUAGES}
        assert all(choices for choices in languages.values())
        assert name == "atcoder" or all(number > 0 for choices in languages.values() for _, number in choices)


def test_a_setting_makes_it_the_default_where_an_extension_can_submit(
    root: Path, port: int, tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in tools(tmp_path, "xclip").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    write(tmp_path / "config/judge/config.toml", "submit-browser = true\n")
    assert "submit-browser" in judge("config", capsys=capsys)[1]
    replies = during(lambda: poll(port))
    status, out, _ = judge("submit", MINE, "--yes", capsys=capsys)
    assert (status, out.startswith("handed"), replies()[0]["empty"]) == (0, True, False)
    for option in ("--no-browser", "--clipboard"):
        status, out, _ = judge("submit", MINE, "--yes", option, capsys=capsys)
        assert (status, out.startswith("copied")) == (0, True)
    at(root, "https://onlinejudge.org/external/1/131.pdf")
    status, out, err = judge("submit", MINE, "--yes", capsys=capsys)
    assert (status, out.startswith("copied")) == (0, True)
    assert (
        "judge: no browser extension submits to UVa (only to Codeforces, CSES, AtCoder); you paste the source\n" in err
    )
