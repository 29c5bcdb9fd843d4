"""`judge listen` as a browser sees it: real processes and sockets; problems become files."""

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
from judge.online.loopback import RejectedError
from judge.online.samples import DEFAULT_PORT
from judge.online.samples.server import PORTS, CompanionServer, ProblemRequest
from tests.cli.command_line import CapSys, judge, write
from tests.online.test_samples import TASK

Server = tuple[int, SimpleQueue[ProblemRequest | RejectedError]]
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


def read_all(client: socket.socket) -> bytes:
    return b"".join(iter(lambda: client.recv(1 << 16), b""))


def task(**members: object) -> bytes:
    return json.dumps({**TASK, **members}).encode()


def test_a_problem_that_is_sent_runs_at_once(tmp_path: Path, capsys: CapSys) -> None:
    with listening(tmp_path, "--once") as (process, port):
        created = f"created codeforces-118a: 1 case in {tmp_path}/testcases/codeforces-118a/sample.yaml\n"
        assert post(port, task()) == (200, created)
        out, err = process.communicate(timeout=30)
    solution = f"{tmp_path}/solutions/codeforces-118a/accepted/codeforces-118a.py"
    step = f"  next: write {solution}, then judge run codeforces-118a\n"
    assert (process.returncode, out, err) == (0, created + step, "")
    status, _, err = judge("-C", str(tmp_path), "run", "codeforces-118a", capsys=capsys)
    assert (status, err.startswith("nothing to judge: codeforces-118a is unsolved")) == (0, True)
    write(tmp_path / "solutions/codeforces-118a/accepted/solution.py", "print('.t.r')\n")
    assert judge("-C", str(tmp_path), "run", "codeforces-118a", capsys=capsys)[0] == 0


def test_once_ends_after_a_whole_contest(tmp_path: Path) -> None:
    batch = {"id": "9a1b", "size": 3}
    with listening(tmp_path, "--once") as (process, port):
        for index in "ABC":
            url = f"https://codeforces.com/contest/118/problem/{index}"
            assert post(port, task(url=url, batch=batch))[0] == 200
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert [re.sub(" in .*ml", "", line) for line in out.splitlines() if line.startswith("created")] == [
        "created codeforces-118a: 1 case (1 of 3)",
        "created codeforces-118b: 1 case (2 of 3)",
        "created codeforces-118c: 1 case (3 of 3)",
    ]


def test_a_contest_fills_a_folder_of_its_own_in_the_plain_layouts(tmp_path: Path) -> None:
    batch = {"id": "9a1b", "size": 2}
    with listening(tmp_path, "--once", "--layout", "contest", "--language", "java") as (process, port):
        for index in "AB":
            url = f"https://codeforces.com/contest/118/problem/{index}"
            assert post(port, task(url=url, batch=batch))[0] == 200
        process.communicate(timeout=30)
    files = sorted(str(path.relative_to(tmp_path / "codeforces-118")) for path in tmp_path.rglob("*.*"))
    assert [file for file in files if file.endswith((".java", ".in"))] == [
        "a.java", "b.java", "tests/a/sample-1.in", "tests/b/sample-1.in",
    ]  # fmt: skip


def test_a_rejected_problem_of_a_contest_is_not_waited_for(tmp_path: Path) -> None:
    batch = {"id": "one-contest", "size": 3}
    with listening(tmp_path, "--once") as (process, port):
        assert post(port, task(name="A", url="https://x.example/a", batch=batch))[0] == 200
        assert post(port, b"{}")[0] == 400  # no problem of any contest
        assert post(port, task(name="C", url="https://x.example/c", batch=batch))[0] == 200
        assert post(port, task(name="B", url="https://x.example/b", batch=batch, tests="none"))[0] == 400
        out, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "(2 of 3)" in out
    assert "(3 of 3)" in err


def test_existing_files_are_kept_and_the_client_gets_the_reason(tmp_path: Path) -> None:
    mine = write(tmp_path / "problems/codeforces-118a/problem.yaml", "name: Mine\nprofile: icpc\n")
    with listening(tmp_path, "--once") as (process, port):
        status, text = post(port, task())
        _, err = process.communicate(timeout=30)
    assert (status, process.returncode) == (409, 2)
    assert "codeforces-118a exists with other contents (problems/codeforces-118a/problem.yaml)" in text
    assert err == f"judge: {text}"
    assert mine.read_text() == "name: Mine\nprofile: icpc\n"
    with listening(tmp_path, "--once", "--force") as (process, port):
        assert post(port, task())[0] == 200
        process.communicate(timeout=30)
    assert "A. String Task" in mine.read_text()


def test_ctrl_c_ends_it_without_a_traceback(tmp_path: Path) -> None:
    with listening(tmp_path) as (process, port):
        assert post(port, task())[0] == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "judge: interrupted\n")
    assert out.startswith("created codeforces-118a")


def test_a_second_listener_on_a_port_is_one_clear_error(tmp_path: Path, capsys: CapSys) -> None:
    with listening(tmp_path) as (_, port):
        status, _, err = judge("-C", str(tmp_path), "listen", "--port", str(port), capsys=capsys)
    assert status == 2
    assert err.startswith(
        f"judge: port {port} is in use, perhaps by another `judge listen` or an editor's extension; stop that, or"
    )
    assert err.endswith("another port of Competitive Companion with --port: 1327 4244 6174 10042 10043 10045 27121\n")


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_an_invalid_port_is_one_clear_error(tmp_path: Path, capsys: CapSys, port: str) -> None:
    status, _, err = judge("-C", str(tmp_path), "listen", "--port", port, capsys=capsys)
    assert status == 2
    assert "--port" in err


def test_the_default_port_is_one_that_competitive_companion_posts_to() -> None:
    assert DEFAULT_PORT in PORTS


# ---- what is accepted and what is rejected --------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[Server]:
    """A server in this process; yields its port and its queue."""
    with CompanionServer(0) as opened:
        yield opened.server_port, opened.queue


@pytest.mark.parametrize(
    ("headers", "status", "message"),
    [
        ({"Content-Type": "text/plain"}, 415, "expected the Content-Type application/json, found 'text/plain'"),
        ({}, 415, "expected the Content-Type application/json, found none"),
        ({"Content-Type": "application/jsonx"}, 415, "'application/jsonx'"),
        (
            {**JSON, "Origin": "https://evil.example"},
            403,
            "expected a browser extension, found the web page 'https://evil.example'",
        ),
        (
            {**JSON, "Origin": "https://x-extension://"},
            403,
            "expected a browser extension, found the web page 'https://x-extension://'",
        ),
        ({**JSON, "Origin": "null"}, 403, "found the web page 'null'"),
        ({**JSON, "Host": "evil.example"}, 403, "found 'evil.example'"),
        ({**JSON, "Host": "evil.example:10043"}, 403, "expected the Host localhost:"),
        ({**JSON, "Transfer-Encoding": "chunked"}, 411, "expected a Content-Length, found none"),
    ],
)
def test_a_request_from_elsewhere_is_rejected_and_reported(
    server: Server,
    headers: dict[str, str],
    status: int,
    message: str,
) -> None:
    port, queue = server
    got, text = post(port, task(), headers)
    assert (got, message in text) == (status, True)
    rejected = queue.get_nowait()
    assert isinstance(rejected, RejectedError)
    assert (rejected.status, message in str(rejected)) == (status, True)


@pytest.mark.parametrize("method", ["GET", "OPTIONS", "PUT"])
def test_a_web_page_is_not_granted_permission(server: Server, method: str) -> None:
    connection = http.client.HTTPConnection("localhost", server[0], timeout=30)
    connection.request(method, "/", headers={"Origin": "https://evil.example"})
    answer = connection.getresponse()
    assert answer.status == 405
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    connection.close()
    assert server[1].empty()


@pytest.mark.parametrize("origin", [None, "moz-extension://0b7f7f7e-1f6c-4a8e-9d9f-1a2b3c4d5e6f"])
def test_an_extension_and_a_program_are_accepted(server: Server, origin: str | None) -> None:
    port, queue = server
    headers = {**JSON, "Content-Type": "application/json; charset=utf-8"} | ({"Origin": origin} if origin else {})

    def take() -> None:
        request = queue.get(timeout=30)
        assert isinstance(request, ProblemRequest)
        request.respond((http.HTTPStatus.OK, request.draft.id))

    thread = Thread(target=take)
    thread.start()
    assert post(port, task(), headers) == (200, "codeforces-118a\n")
    thread.join()


def test_a_large_contest_may_arrive_at_once() -> None:
    opened = CompanionServer(0)
    clients = [socket.create_connection(("127.0.0.1", opened.server_port), timeout=30) for _ in range(64)]
    with opened:  # no connection was accepted before
        for client in clients:
            with client:
                client.sendall(b"GET / HTTP/1.0\r\n\r\n")
                assert read_all(client).startswith(b"HTTP/1.0 405 ")


def test_a_body_of_50_megabytes_is_rejected_by_its_length_alone(server: Server) -> None:
    port, queue = server
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        head = f"POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        client.sendall(f"{head}Content-Length: 52428800\r\n\r\n".encode())
        answer = read_all(client)
    assert answer.startswith(b"HTTP/1.0 413 ")
    assert b"expected a body of at most 16777216 bytes (16 MiB), found 52428800 bytes" in answer
    assert isinstance(queue.get_nowait(), RejectedError)


def test_a_client_that_sends_17_megabytes_sees_the_response(server: Server) -> None:
    assert post(server[0], task(name="x" * (17 << 20)))[0] == 413


def test_a_problem_that_would_fill_the_disk_with_small_files_is_rejected(server: Server) -> None:
    tests = [{"input": "", "output": ""}] * 10_001
    assert post(server[0], task(tests=tests)) == (400, "expected at most 10000 tests in a problem, found 10001\n")


@pytest.mark.parametrize("is_silent", [False, True], ids=["gone", "silent"])
def test_a_client_that_sends_a_part_is_not_waited_for(
    server: Server, monkeypatch: pytest.MonkeyPatch, *, is_silent: bool
) -> None:
    monkeypatch.setattr("judge.online.loopback.LoopbackHandler.timeout", 0.2)
    port, _ = server
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        head = f"POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        client.sendall(f'{head}Content-Length: 300\r\n\r\n{{"name"'.encode())
        if not is_silent:
            client.shutdown(socket.SHUT_WR)
        answer = read_all(client)
    assert b"HTTP/1.0 400 Bad Request" in answer
    assert b"incomplete body: fewer than 300 bytes arrived, or too slowly; send the problem again" in answer


def test_an_invalid_body_is_rejected_and_the_server_goes_on(tmp_path: Path) -> None:
    with listening(tmp_path, "--once") as (process, port):
        status, text = post(port, b'{"name": "A", "tests": [')
        assert (status, text) == (400, "not a problem in Competitive Companion's format: Input data was truncated\n")
        assert post(port, task())[0] == 200
        _, err = process.communicate(timeout=30)
    assert err == f"judge: rejected a request: {text.rstrip()} (status 400 Bad Request)\n"
    assert process.returncode == 0


@pytest.mark.parametrize("command", ["listen", "import"])
def test_the_help_has_an_example(command: str, capsys: CapSys) -> None:
    assert run_cli([command, "--help"]) == 0
    assert f"judge {command}" in capsys.readouterr().out.partition("example")[2]
