"""The HTTP server that Competitive Companion posts problems to: on loopback only, one problem per request.

A web page must not be able to write files here. Its requests have an `Origin` that is a web URL; those of an extension
do not. Before a JSON body the browser asks for permission with `OPTIONS` (CORS), which is not granted. The `Host` must
name this machine, so that a foreign name that resolves to it does not help (DNS rebinding).
https://developer.mozilla.org/docs/Web/HTTP/CORS
"""

import errno
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Self, cast

from msgspec import Struct, field

from judge.base.errors import UsageError, describe_error
from judge.online.samples.readers import Batch, Draft, InvalidTaskError, read_batch, read_task

PORTS = (1327, 4244, 6174, 10042, 10043, 10045, 27121)
"""The ports that Competitive Companion posts to, always all of them (`src/hosts/hosts.ts` in its sources)."""

MAX_BODY = 16 * 1024 * 1024  # bytes
_EXTENSION = re.compile(r"[a-z]+-extension://")  # an extension's `Origin`, in any browser
_READ_TIMEOUT_S = 10.0  # for a whole body
_DRAIN_TIMEOUT_S = 2.0  # for discarding the rest of a rejected request
_SEND_TIMEOUT_S = 2.0  # for a client that reads the response slowly
_HANDLING_TIMEOUT_S = 60.0  # for writing a problem's files


class RejectedRequest(Struct, frozen=True, kw_only=True):
    """A request that is not a problem: what was found and expected, and its batch if that could be read."""

    reason: str
    batch: Batch | None = None
    is_sent: Event = field(default_factory=Event)

    def wait_until_sent(self) -> None:
        """Return when the client has the response, so that the process may exit."""
        self.is_sent.wait(_SEND_TIMEOUT_S)


class ProblemRequest(Struct, frozen=True, kw_only=True):
    """A problem that arrived; the caller must `respond`, since the client waits."""

    draft: Draft
    responses: SimpleQueue[tuple[HTTPStatus, str]] = field(default_factory=SimpleQueue)
    is_sent: Event = field(default_factory=Event)

    def respond(self, status: HTTPStatus, text: str) -> None:
        """Send the response; return when the client has it, so that the process may exit."""
        self.responses.put((status, text))
        self.is_sent.wait(_SEND_TIMEOUT_S)


class CompanionServer(ThreadingHTTPServer):
    """Listens on a port of this machine, 0 for a free one, while its context is active.

    Raises:
        UsageError: the port cannot be used.
    """

    daemon_threads = True
    request_queue_size = 128  # a contest arrives at once; beyond socketserver's 5 the kernel resets connections

    def __init__(self, port: int) -> None:
        self.queue: SimpleQueue[ProblemRequest | RejectedRequest] = SimpleQueue()
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UsageError(f"cannot listen on port {port}: {describe_error(error)}") from error
            others = " ".join(str(each) for each in PORTS if each != port)
            raise UsageError(
                f"port {port} is in use, perhaps by another `judge listen` or an editor's extension; stop that, or "
                f"choose another port of Competitive Companion with --port: {others}"
            ) from error

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, name="judge-listen", daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()

    def requests(self) -> Iterator[ProblemRequest | RejectedRequest]:
        """Wait for requests and yield them, without end."""
        while True:
            yield self.queue.get()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that has gone."""


class _RejectedError(Exception):
    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    """One request per connection: after a rejected one, the rest of the bytes cannot be interpreted."""

    timeout = _READ_TIMEOUT_S
    server_version = "judge-listen"
    sys_version = ""

    def do_POST(self) -> None:
        body = b""
        try:
            self._check_headers()
            body = self._read_body()
            request = ProblemRequest(draft=read_task(body)[0])
        except InvalidTaskError as error:
            self._reject(HTTPStatus.BAD_REQUEST, str(error), read_batch(body))
        except _RejectedError as error:
            self._reject(error.status, str(error))
        else:
            cast("CompanionServer", self.server).queue.put(request)
            try:
                self._send(*request.responses.get(timeout=_HANDLING_TIMEOUT_S))
            except Empty:
                self._send(HTTPStatus.SERVICE_UNAVAILABLE, "judge listen is not taking problems any more")
            request.is_sent.set()

    def do_GET(self) -> None:
        """Explain this server to a browser."""
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, "judge listen: Competitive Companion posts problems here")

    do_HEAD = do_PUT = do_OPTIONS = do_GET  # noqa: N815 - http.server's names

    def handle_expect_100(self) -> bool:
        """Reject a request before its body is sent (RFC 9110, 10.1.1)."""
        try:
            self._check_headers()
            self._content_length()
        except _RejectedError as error:
            self._reject(error.status, str(error))
            return False
        return super().handle_expect_100()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature is http.server's
        """Write no log: the command reports every request."""

    # ---- read the request -------------------------------------------------------------------------------------------

    def _check_headers(self) -> None:
        port = cast("CompanionServer", self.server).server_port
        host = self.headers.get("Host", "")
        if host.lower() not in {f"{name}:{port}" for name in ("localhost", "127.0.0.1")}:
            raise _RejectedError(HTTPStatus.FORBIDDEN, f"expected the Host localhost:{port}, found {host!r}")
        origin = self.headers.get("Origin")
        if origin is not None and not _EXTENSION.match(origin):
            raise _RejectedError(HTTPStatus.FORBIDDEN, f"expected a browser extension, found the web page {origin!r}")
        kind = self.headers.get("Content-Type", "")
        if kind.partition(";")[0].strip().lower() != "application/json":
            found = repr(kind) if kind else "none"
            reason = f"expected the Content-Type application/json, found {found}"
            raise _RejectedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, reason)

    def _content_length(self) -> int:
        text = self.headers.get("Content-Length", "")
        if not (text.isascii() and text.isdecimal()):
            raise _RejectedError(HTTPStatus.LENGTH_REQUIRED, "expected a Content-Length, found none")
        length = int(text[:20])
        if length > MAX_BODY:
            reason = f"expected a body of at most {MAX_BODY} bytes (16 MiB), found {length} bytes"
            raise _RejectedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
        return length

    def _read_body(self) -> bytes:
        length = self._content_length()
        body = b""
        deadline = time.monotonic() + _READ_TIMEOUT_S
        problem = "it ends"
        with suppress(ConnectionError):
            while len(body) < length:
                self.connection.settimeout(max(0.01, deadline - time.monotonic()))
                try:
                    chunk = self.rfile.read1(min(length - len(body), 1 << 16))
                except TimeoutError:
                    problem = f"no more arrived within {_READ_TIMEOUT_S:g} s"
                    break
                if not chunk:
                    break
                body += chunk
        if len(body) < length:
            reason = f"incomplete body: {problem} after {len(body)} of {length} bytes; send the problem again"
            raise _RejectedError(HTTPStatus.BAD_REQUEST, reason)
        return body

    # ---- respond ----------------------------------------------------------------------------------------------------

    def _reject(self, status: HTTPStatus, reason: str, batch: Batch | None = None) -> None:
        rejected = RejectedRequest(reason=f"{reason} (status {status.value} {status.phrase})", batch=batch)
        cast("CompanionServer", self.server).queue.put(rejected)  # before requests that come after the response
        self._send(status, reason)
        rejected.is_sent.set()
        self._drain()

    def _send(self, status: HTTPStatus, text: str) -> None:
        data = f"{text}\n".encode(errors="replace")
        self.close_connection = True
        with suppress(OSError):  # the client may be gone: Competitive Companion waits half a second only
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data if self.command != "HEAD" else b"")

    def _drain(self) -> None:
        """Discard the rest of the request: closing at once would reset the connection before the response is read."""
        with suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            deadline = time.monotonic() + _DRAIN_TIMEOUT_S
            while (left := deadline - time.monotonic()) > 0:
                self.connection.settimeout(left)
                if not self.connection.recv(1 << 16):
                    return
