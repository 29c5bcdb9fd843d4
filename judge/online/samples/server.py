"""The server that Competitive Companion posts problems to: on this machine only, one problem a request.

A page in the browser must not be able to write files here. Its requests carry an `Origin` that is a web address, and
those of an extension do not; a request with a JSON body from a page is asked about first (`OPTIONS`), which gets no
permission; and the `Host` must be this machine's, so that no name of somebody else's leads here (DNS rebinding).
https://developer.mozilla.org/docs/Web/HTTP/CORS
"""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Self, cast

from judge.errors import UsageError, describe_error
from judge.online.samples.draft import Batch, Draft
from judge.online.samples.readers import NotCompanionError, batch_of, read_task

PORTS = (1327, 4244, 6174, 10042, 10043, 10045, 27121)
"""Where Competitive Companion posts to, all of them each time: `src/hosts/hosts.ts` of its sources."""

DEFAULT_PORT = 10043  # the one that no editor's extension takes
MOST_BYTES = 16 * 1024 * 1024  # of a body
_EXTENSION = re.compile(r"[a-z]+-extension://")  # the scheme of an extension's `Origin`, in any browser
_PATIENCE_S = 10.0  # how long a sender may be silent
_DRAIN_S = 2.0  # how long what a refused sender still sends is thrown away, so that it sees the answer
_SENDING_S = 2.0  # how long an answer to somebody who reads it slowly is waited for
_ANSWER_S = 60.0  # how long the files of a problem may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A request that was no problem; `reason` says what was found and what was expected.

    Attributes:
        batch: what it should have been a problem of, where that could be read.
    """

    reason: str
    batch: Batch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A problem that came; whoever takes it must `answer`, for its sender waits."""

    draft: Draft
    _replies: SimpleQueue[tuple[HTTPStatus, str]] = field(default_factory=SimpleQueue)
    _told: Event = field(default_factory=Event)

    def answer(self, status: HTTPStatus, text: str) -> None:
        """Tell the sender what became of it; the process may end after this, and the sender has its answer."""
        self._replies.put((status, text))
        self._told.wait(_SENDING_S)

    def reply(self) -> tuple[HTTPStatus, str]:
        """Wait for that; the sender's side."""
        try:
            return self._replies.get(timeout=_ANSWER_S)
        except Empty:
            return HTTPStatus.SERVICE_UNAVAILABLE, "nobody takes problems any more"

    def sent(self) -> None:
        """Say that the sender has its answer, or went away without; the sender's side."""
        self._told.set()


class CompanionServer:
    """A listening socket; a context manager.

    Args:
        port: 1 to 65535, or 0 for any that is free.

    Raises:
        UsageError: the port cannot be had.
    """

    def __init__(self, port: int) -> None:
        self._came: SimpleQueue[Delivery | Refused] = SimpleQueue()
        try:
            self._server = _Server(("127.0.0.1", port), _Handler)
        except OSError as error:
            others = " ".join(str(each) for each in PORTS if each != port)
            raise UsageError(
                f"port {port} is in use ({describe_error(error)}), perhaps by another "
                "`judge listen` or a similar tool; stop it, or choose another port of Competitive Companion: "
                f"--port N ({others})"
            ) from error
        self._server.came = self._came
        self.port: int = self._server.server_port

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, name="judge-inbox", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def received(self) -> Iterator[Delivery | Refused]:
        """Yield what comes, without end."""
        while True:
            yield self._came.get()


class _Server(ThreadingHTTPServer):
    came: SimpleQueue[Delivery | Refused]
    daemon_threads = True
    request_queue_size = 128  # a contest may come at once; of more than socketserver's 5 the kernel resets some

    def handle_error(self, request: object, client_address: object) -> None:
        """Pass over a sender that went away: there is nobody to tell."""


class _RefusedError(Exception):
    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    """One connection, one request: what is refused may be followed by bytes that mean nothing."""

    timeout = _PATIENCE_S
    server_version = "judge-listen"
    sys_version = ""

    def do_POST(self) -> None:
        """Take a problem."""
        server = cast("_Server", self.server)
        body = b""
        try:
            self._check_sender()
            body = self._body()
            delivery = Delivery(draft=read_task(body)[0])
        except NotCompanionError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error), batch_of(body))
        except _RefusedError as error:
            self._refuse(error.status, str(error))
        else:
            server.came.put(delivery)
            self._answer(*delivery.reply())
            delivery.sent()

    def do_GET(self) -> None:
        """Say what this is, to somebody who looks with a browser."""
        self._answer(HTTPStatus.METHOD_NOT_ALLOWED, "judge listen: Competitive Companion posts problems here")

    do_HEAD = do_PUT = do_OPTIONS = do_GET  # noqa: N815 - see above

    def handle_expect_100(self) -> bool:
        """Refuse a body that will not be read before it is sent (RFC 9110, 10.1.1)."""
        try:
            self._check_sender()
            self._length()
        except _RefusedError as error:
            self._refuse(error.status, str(error))
            return False
        return super().handle_expect_100()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature is http.server's
        """Write no log: what comes is told by whoever takes it."""

    # ---- what is taken ----------------------------------------------------------------------------------------------

    def _check_sender(self) -> None:
        port = cast("_Server", self.server).server_port
        host = self.headers.get("Host", "")
        if host.lower() not in {f"{name}:{port}" for name in ("localhost", "127.0.0.1")}:
            raise _RefusedError(HTTPStatus.FORBIDDEN, f"a request for the host {host!r}: expected localhost:{port}")
        origin = self.headers.get("Origin")
        if origin is not None and not _EXTENSION.match(origin):
            raise _RefusedError(HTTPStatus.FORBIDDEN, f"a request of the web page {origin!r}: only extensions may post")
        kind = self.headers.get("Content-Type", "")
        if kind.partition(";")[0].strip().lower() != "application/json":
            found = repr(kind) if kind else "none"
            reason = f"a body with the Content-Type {found}: expected application/json, as Competitive Companion sends"
            raise _RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, reason)

    def _length(self) -> int:
        text = self.headers.get("Content-Length", "")
        if not (text.isascii() and text.isdecimal()):
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED, "a request without a Content-Length: expected one")
        length = int(text[:20])
        if length > MOST_BYTES:
            reason = f"a body of {length} bytes: expected at most {MOST_BYTES} (16 MiB); it was not read"
            raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
        return length

    def _body(self) -> bytes:
        length = self._length()
        body = b""
        deadline = time.monotonic() + _PATIENCE_S
        why = "ends"
        with suppress(ConnectionError):
            while len(body) < length:
                self.connection.settimeout(max(0.01, deadline - time.monotonic()))
                try:
                    part = self.rfile.read1(min(length - len(body), 1 << 16))
                except TimeoutError:
                    why = f"has not come within {_PATIENCE_S:.0f} s"
                    break
                if not part:
                    break
                body += part
        if len(body) < length:
            reason = f"half a body: it {why} after {len(body)} of {length} bytes; send the problem again"
            raise _RefusedError(HTTPStatus.BAD_REQUEST, reason)
        return body

    # ---- what is answered -------------------------------------------------------------------------------------------

    def _refuse(self, status: HTTPStatus, reason: str, batch: Batch | None = None) -> None:
        describe_error = f"{reason} (answered {status.value} {status.phrase})"
        self._answer(status, reason)
        cast("_Server", self.server).came.put(Refused(reason=describe_error, batch=batch))  # after which we may end
        self._drain()

    def _answer(self, status: HTTPStatus, text: str) -> None:
        data = f"{text}\n".encode(errors="replace")
        self.close_connection = True
        with suppress(OSError):  # Competitive Companion waits half a second only
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data if self.command != "HEAD" else b"")

    def _drain(self) -> None:
        """Throw away what still comes: closing at once would reset the connection, and the answer with it."""
        with suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            deadline = time.monotonic() + _DRAIN_S
            while (left := deadline - time.monotonic()) > 0:
                self.connection.settimeout(left)
                if not self.connection.recv(1 << 16):
                    return
