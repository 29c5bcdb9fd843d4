"""An HTTP server on loopback for browser extensions and for pages of its own; other web pages are refused.

A web page must not be able to write files here, or to read what is handed to an extension. Its requests have an
`Origin` that is a web URL; those of an extension do not. Before a JSON body or a header of its own the browser asks for
permission with `OPTIONS` (CORS), which is not granted. The `Host` must name this machine, so that a foreign name that
resolves to it does not help (DNS rebinding). https://developer.mozilla.org/docs/Web/HTTP/CORS
"""

import errno
import os
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, Self, cast

from msgspec import Struct, field

from judge.base.errors import UsageError, describe_error

EXTENSION = re.compile(r"[a-z]+-extension://")  # an extension's `Origin`, in any browser
_DRAIN_TIMEOUT_S = 2.0  # for discarding the rest of a request
_TABLES = Path("/proc/net/tcp"), Path("/proc/net/tcp6")  # connections; a client may use a socket of either
_UNKNOWN = "an unknown user (a browser of Windows beside WSL 2 needs `networkingMode=nat` in .wslconfig)"
_SEND_TIMEOUT_S = 5.0  # for a client that reads the response slowly


class Request(Struct, frozen=True, kw_only=True):
    """A request for the owner of the server, who may have to answer it."""

    answers: SimpleQueue[Any] = field(default_factory=SimpleQueue)
    is_sent: Event = field(default_factory=Event)

    def respond(self, answer: object) -> bool:
        """Send a response, and wait until the client has it, so that the process may exit; return whether it does."""
        self.answers.put(answer)
        return self.is_sent.wait(_SEND_TIMEOUT_S)


class LoopbackServer(ThreadingHTTPServer):
    """Owns a port of this machine, 0 for a free one; after `listen`, its context handles requests.

    Args:
        in_use: completes "port 10043 is in use, ".

    Attributes:
        queue: the requests for the owner, and what was refused.

    Raises:
        UsageError: the port cannot be used.
    """

    daemon_threads = True
    request_queue_size = 128  # a contest arrives at once; beyond socketserver's 5 the kernel resets connections

    def __init__(self, port: int, handler: type["LoopbackHandler"], *, in_use: str) -> None:
        self.queue: SimpleQueue[Any] = SimpleQueue()
        self._in_use = in_use
        super().__init__(("127.0.0.1", port), handler, bind_and_activate=False)
        self.server_port = port
        self._try(self.server_bind)

    def listen(self) -> None:
        """Accept connections; until then, the port looks as if it were free."""
        self._try(self.server_activate)

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, args=(0.05,), name="judge-loopback", daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()

    def _try(self, action: Callable[[], None]) -> None:
        try:
            action()
        except OSError as error:
            self.server_close()
            if error.errno != errno.EADDRINUSE:
                raise UsageError(f"cannot listen on port {self.server_port}: {describe_error(error)}") from error
            raise UsageError(f"port {self.server_port} is in use, {self._in_use}") from error

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that has gone."""


class RejectedError(Exception):
    """A request is refused; the text says what was found and expected."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class LoopbackHandler(BaseHTTPRequestHandler):
    """One request per connection: after a rejected one, the rest of the bytes cannot be interpreted."""

    timeout = 10.0  # for the head of a request, and for each read of a body
    sys_version = ""

    def setup(self) -> None:
        """Find out who the client is while it still waits."""
        super().setup()
        self._user = self._find_user()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature is http.server's
        """Write no log: the command reports what matters."""

    @property
    def owner(self) -> LoopbackServer:
        """The server."""
        return cast("LoopbackServer", self.server)

    def check_sender(self) -> None:
        """Check that a request is for this machine, and comes from a program of the same user or root, not a web page.

        Raises:
            RejectedError: it does not.
        """
        host, port = self.headers.get("Host", ""), self.owner.server_port
        if host.lower() not in {f"{name}:{port}" for name in ("localhost", "127.0.0.1")}:
            raise RejectedError(HTTPStatus.FORBIDDEN, f"expected the Host localhost:{port}, found {host!r}")
        if os.geteuid() and self._user not in {None, "the user 0", f"the user {os.geteuid()}"}:
            raise RejectedError(HTTPStatus.FORBIDDEN, f"expected one of your own programs, found one of {self._user}")
        origin = self.headers.get("Origin")
        if origin is not None and not EXTENSION.match(origin):
            raise RejectedError(HTTPStatus.FORBIDDEN, f"expected a browser extension, found the web page {origin!r}")

    def _find_user(self) -> str | None:
        """Return whose program the client is (proc_net(5), `tcp`); None if this system does not tell.

        A client may use an IPv6 socket (`::ffff:127.0.0.1`). A connection that it has closed is listed as root's, but
        without an inode. One that is not listed comes from elsewhere, such as a browser of Windows beside WSL 2 with
        mirrored networking, or from a program that resets it at once so that it is not found: it is refused.
        """
        here, there = f":{self.owner.server_port:04X}", f":{self.client_address[1]:04X}"
        is_known = False
        for table in _TABLES:
            with suppress(OSError):
                lines = table.read_text(encoding="ascii").splitlines()[1:]
                is_known = True
                for _, local, remote, _, _, _, _, user, _, inode, *_ in map(str.split, lines):
                    if local.endswith(there) and remote.endswith(here) and inode != "0":
                        return f"the user {user}"
        return _UNKNOWN if is_known else None

    def send(self, status: HTTPStatus, text: str, kind: str = "text/plain; charset=utf-8") -> None:
        """Send a complete response; the client may be gone: Competitive Companion waits half a second only."""
        data = f"{text}\n".encode(errors="replace")
        self.close_connection = True
        with suppress(OSError):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data if self.command != "HEAD" else b"")

    def reject(self, error: RejectedError) -> None:
        """Refuse a request, and tell the owner, who knows it before the client does."""
        self.owner.queue.put(error)
        self.send(error.status, str(error))
        self.drain()

    def drain(self) -> bool:
        """Discard the rest of a request; return whether the client closed the connection.

        Closing at once would reset the connection before the response is read.
        """
        with suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            deadline = time.monotonic() + _DRAIN_TIMEOUT_S
            while (left := deadline - time.monotonic()) > 0:
                self.connection.settimeout(left)
                if not self.connection.recv(1 << 16):
                    return True
        return False
