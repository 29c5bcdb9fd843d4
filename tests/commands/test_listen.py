"""`judge listen` as a browser meets it: real processes and sockets; what comes becomes files."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

import pytest

from judge.cli.main import run_cli
from judge.online.samples import server as inbox
from judge.online.samples.server import DEFAULT_PORT, PORTS, CompanionServer, Delivery, Refused
from tests.commands.test_cli import judge, write
from tests.online.test_samples import TASK

CapSys = pytest.CaptureFixture[str]
JSON = {"Content-Type": "application/json"}
EXTENSION = {**JSON, "Origin": "chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl"}


@contextmanager
def listening(root: Path, *argv: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start `judge listen` on a free port; give the process and the port."""
    (root / "problems").mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "judge", "-C", str(root), "listen", "--port", "0", *argv]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"http://localhost:(\d+)/", process.stderr.readline())
        assert found
        try:
            yield process, int(found[1])
        finally:
            process.kill()


def post(port: int, body: bytes, headers: dict[str, str] | None = None, *, method: str = "POST") -> tuple[int, str]:
    connection = http.client.HTTPConnection("localhost", port, timeout=30)
    try:
        connection.request(method, "/", body, EXTENSION if headers is None else headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def everything(sender: socket.socket) -> bytes:
    return b"".join(iter(lambda: sender.recv(1 << 16), b""))


def task(**members: object) -> bytes:
    return json.dumps({**TASK, **members}).encode()


def test_a_problem_that_is_sent_runs_at_once(tmp_path: Path, capsys: CapSys) -> None:
    with listening(tmp_path, "--once") as (process, port):
        assert post(port, task()) == (200, "made codeforces-118a: 1 case\n")
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "made codeforces-118a: 1 case\n  judge run codeforces-118a\n", "")
    status, report, _ = judge("-C", str(tmp_path), "run", "codeforces-118a", "-f", "json", capsys=capsys)
    (solution,) = json.loads(report)["problems"][0]["solutions"]
    assert (status, solution["verdict"]) == (1, "WA")  # the solution to begin with solves nothing yet
    write(tmp_path / "solutions/codeforces-118a/accepted/solution.py", "print('.t.r')\n")
    assert judge("-C", str(tmp_path), "run", "codeforces-118a", capsys=capsys)[0] == 0


def test_a_contest_is_taken_whole_and_once_ends_after_it(tmp_path: Path) -> None:
    batch = {"id": "9a1b", "size": 3}
    with listening(tmp_path, "--once") as (process, port):
        for index in "ABC":
            url = f"https://codeforces.com/contest/118/problem/{index}"
            assert post(port, task(url=url, batch=batch))[0] == 200
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert [line for line in out.splitlines() if line.startswith("made")] == [
        "made codeforces-118a: 1 case (1 of 3)",
        "made codeforces-118b: 1 case (2 of 3)",
        "made codeforces-118c: 1 case (3 of 3)",
    ]


def test_a_problem_of_a_contest_that_is_refused_is_not_waited_for(tmp_path: Path) -> None:
    batch = {"id": "one-contest", "size": 3}
    with listening(tmp_path, "--once") as (process, port):
        assert post(port, task(name="A", url="https://x.example/a", batch=batch))[0] == 200
        assert post(port, b"{}")[0] == 400  # no problem of any contest
        assert post(port, task(name="B", url="https://x.example/b", batch=batch, tests="none"))[0] == 400
        assert post(port, task(name="C", url="https://x.example/c", batch=batch))[0] == 200
        out, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "(2 of 3)" in err
    assert "(3 of 3)" in out


def test_what_is_there_is_kept_and_the_sender_is_told(tmp_path: Path) -> None:
    mine = write(tmp_path / "problems/codeforces-118a/problem.yaml", "name: Mine\nprofile: icpc\n")
    with listening(tmp_path, "--once") as (process, port):
        status, text = post(port, task())
        _, err = process.communicate(timeout=30)
    assert (status, process.returncode) == (409, 2)
    assert "codeforces-118a is there already and not the same (problems/codeforces-118a/problem.yaml)" in text
    assert err == f"judge: {text}"
    assert mine.read_text() == "name: Mine\nprofile: icpc\n"
    with listening(tmp_path, "--once", "--force") as (process, port):
        assert post(port, task())[0] == 200
        process.communicate(timeout=30)
    assert "A. String Task" in mine.read_text()


def test_an_interactive_problem_is_told_and_not_written(tmp_path: Path) -> None:
    with listening(tmp_path, "--once") as (process, port):
        assert post(port, task(interactive=True))[0] == 200
        out, _ = process.communicate(timeout=30)
    assert "codeforces-118a is interactive: its samples are a dialogue, which this judge does not run" in out
    assert list((tmp_path / "problems").iterdir()) == []


def test_ctrl_c_ends_it_without_a_traceback(tmp_path: Path) -> None:
    with listening(tmp_path) as (process, port):
        assert post(port, task())[0] == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "judge: interrupted\n")
    assert out.startswith("made codeforces-118a")


def test_a_second_listener_on_a_port_is_one_clear_error(tmp_path: Path, capsys: CapSys) -> None:
    with listening(tmp_path) as (_, port):
        status, _, err = judge("-C", str(tmp_path), "listen", "--port", str(port), capsys=capsys)
    assert status == 2
    assert err.startswith(
        f"judge: port {port} cannot be had (Address already in use): another `judge listen`, or another"
    )
    assert err.endswith("another of Competitive Companion's ports: --port N (1327 4244 6174 10042 10043 10045 27121)\n")


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_a_port_that_is_none_is_one_clear_error(tmp_path: Path, capsys: CapSys, port: str) -> None:
    status, _, err = judge("-C", str(tmp_path), "listen", "--port", port, capsys=capsys)
    assert status == 2
    assert "--port" in err


def test_the_default_port_is_one_that_competitive_companion_posts_to() -> None:
    assert DEFAULT_PORT in PORTS


# ---- who and what is let in ------------------------------------------------------------------------------------------


@pytest.fixture
def box() -> Iterator[tuple[int, SimpleQueue[Delivery | Refused]]]:
    """An inbox in this process; gives its port and what has come."""
    with CompanionServer(0) as opened:
        yield opened.port, opened._came


@pytest.mark.parametrize(
    ("headers", "status", "message"),
    [
        ({"Content-Type": "text/plain"}, 415, "a body with the Content-Type 'text/plain': expected application/json"),
        ({}, 415, "a body with the Content-Type none: expected application/json"),
        ({"Content-Type": "application/jsonx"}, 415, "'application/jsonx'"),
        ({**JSON, "Origin": "https://evil.example"}, 403, "a request of the web page 'https://evil.example'"),
        ({**JSON, "Origin": "https://x-extension://"}, 403, "a request of the web page 'https://x-extension://'"),
        ({**JSON, "Origin": "null"}, 403, "a request of the web page 'null'"),
        ({**JSON, "Host": "evil.example"}, 403, "a request for the host 'evil.example': expected localhost:"),
        ({**JSON, "Transfer-Encoding": "chunked"}, 411, "a request without a Content-Length"),
    ],
)
def test_a_request_of_somebody_else_is_refused_and_told(
    box: tuple[int, SimpleQueue[Delivery | Refused]], headers: dict[str, str], status: int, message: str
) -> None:
    port, came = box
    got, text = post(port, task(), headers)
    assert (got, message in text) == (status, True)
    refused = came.get(timeout=30)
    assert isinstance(refused, Refused)
    assert message in refused.reason
    assert f"(answered {status} " in refused.reason


@pytest.mark.parametrize("method", ["GET", "OPTIONS", "PUT"])
def test_a_web_page_that_asks_for_permission_gets_none(
    box: tuple[int, SimpleQueue[Delivery | Refused]], method: str
) -> None:
    connection = http.client.HTTPConnection("localhost", box[0], timeout=30)
    connection.request(method, "/", headers={"Origin": "https://evil.example"})
    answer = connection.getresponse()
    assert answer.status == 405
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    connection.close()
    assert box[1].empty()


@pytest.mark.parametrize("origin", [None, "moz-extension://0b7f7f7e-1f6c-4a8e-9d9f-1a2b3c4d5e6f"])
def test_an_extension_and_a_program_are_let_in(
    box: tuple[int, SimpleQueue[Delivery | Refused]], origin: str | None
) -> None:
    port, came = box
    headers = {**JSON, "Content-Type": "application/json; charset=utf-8"} | ({"Origin": origin} if origin else {})

    def take() -> None:
        delivery = came.get(timeout=30)
        assert isinstance(delivery, Delivery)
        delivery.answer(http.HTTPStatus.OK, delivery.draft.id)

    thread = Thread(target=take)
    thread.start()
    assert post(port, task(), headers) == (200, "codeforces-118a\n")
    thread.join()


def test_a_large_contest_may_come_at_once() -> None:
    opened = CompanionServer(0)
    senders = [socket.create_connection(("127.0.0.1", opened.port), timeout=30) for _ in range(64)]
    with opened:  # nobody was taken in before
        for sender in senders:
            with sender:
                sender.sendall(b"GET / HTTP/1.0\r\n\r\n")
                assert everything(sender).startswith(b"HTTP/1.0 405 ")


def test_a_body_of_50_megabytes_is_refused_by_its_length_alone(
    box: tuple[int, SimpleQueue[Delivery | Refused]],
) -> None:
    port, came = box
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sender:
        head = f"POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        sender.sendall(f"{head}Content-Length: 52428800\r\n\r\n".encode())
        answer = everything(sender)
    assert answer.startswith(b"HTTP/1.0 413 ")
    assert b"a body of 52428800 bytes: expected at most 16777216 (16 MiB); it was not read" in answer
    assert isinstance(came.get(timeout=30), Refused)


def test_a_sender_of_50_megabytes_sees_the_answer(box: tuple[int, SimpleQueue[Delivery | Refused]]) -> None:
    assert post(box[0], task(name="x" * 52_428_800))[0] == 413


def test_half_a_body_is_refused_with_how_much_of_it_came(box: tuple[int, SimpleQueue[Delivery | Refused]]) -> None:
    port, came = box
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sender:
        head = f"POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        sender.sendall(f'{head}Content-Length: 300\r\n\r\n{{"name": "A'.encode())
        sender.shutdown(socket.SHUT_WR)
        answer = everything(sender)
    assert answer.startswith(b"HTTP/1.0 400 ")
    assert b"half a body: it ends after 11 of 300 bytes; send the problem again" in answer
    assert isinstance(came.get(timeout=30), Refused)


def test_a_sender_that_falls_silent_is_not_waited_for(
    box: tuple[int, SimpleQueue[Delivery | Refused]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "_PATIENCE_S", 0.2)
    port, _ = box
    with socket.create_connection(("127.0.0.1", port), timeout=30) as sender:
        head = f"POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        sender.sendall(f'{head}Content-Length: 300\r\n\r\n{{"name"'.encode())
        answer = everything(sender)
    assert b"half a body: it has not come within 0 s after 7 of 300 bytes" in answer


def test_a_body_that_is_no_problem_is_refused_and_the_listener_goes_on(tmp_path: Path) -> None:
    with listening(tmp_path, "--once") as (process, port):
        status, text = post(port, b'{"name": "A", "tests": [')
        assert (status, text) == (400, "no problem as Competitive Companion sends it: Input data was truncated\n")
        assert post(port, task())[0] == 200
        _, err = process.communicate(timeout=30)
    assert err == f"judge: refused {text.rstrip()} (answered 400 Bad Request)\n"
    assert process.returncode == 0


@pytest.mark.parametrize("command", ["listen", "import"])
def test_the_help_has_an_example(command: str, capsys: CapSys) -> None:
    with pytest.raises(SystemExit):
        run_cli([command, "--help"])
    assert f"judge {command}" in capsys.readouterr().out.partition("example")[2]
