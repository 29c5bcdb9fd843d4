"""One HTTP exchange: connections, through a proxy too, forms, and a deadline for the whole answer."""

import http.client
import ipaddress
import json
import secrets
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self
from urllib.parse import SplitResult, unquote, urlsplit

MOST_BYTES = 8 * 1024 * 1024  # of an answer
_LONGEST_SHOWN = 300  # characters of a server's own words


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer; header names are in lower case."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", errors="replace")

    @property
    def is_page(self) -> bool:
        """Whether this is a page for people, such as one that says that the site is being maintained."""
        start = self.body[:512].lstrip().lower()
        return start.startswith((b"<!doctype", b"<html"))

    def json(self) -> object:
        """Return the body as JSON.

        Raises:
            ValueError: it is none.
        """
        try:
            return json.loads(self.body)
        except RecursionError as error:
            raise ValueError("nested too deep") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file of a form."""

    field: str
    name: str
    data: bytes


def connection_to(host: str, port: int | None, *, is_tls: bool, timeout: float) -> http.client.HTTPConnection:
    """Return a connection, not open yet; an encrypted one goes through the proxy that the environment names, if any.

    Raises:
        ValueError: what the environment names is no proxy.
    """
    # without a port, http.client looks for one in the host, and finds one in an IPv6 address
    if not is_tls:
        return http.client.HTTPConnection(host, port or 80, timeout=timeout)
    context = ssl.create_default_context()
    proxy = _proxy_for(host)
    if proxy is None:
        return http.client.HTTPSConnection(host, port or 443, timeout=timeout, context=context)
    if proxy.scheme not in ("http", "https") or not proxy.hostname:
        raise ValueError("expected an address such as http://proxy.example:3128")
    connection = http.client.HTTPSConnection(proxy.hostname, proxy.port or 80, timeout=timeout, context=context)
    headers = {}
    if proxy.username:
        pair = b64encode(f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()).decode()
        headers["Proxy-Authorization"] = f"Basic {pair}"
    connection.set_tunnel(host, port or 443, headers)
    return connection


def one_line(text: str) -> str:
    """Return somebody else's words for a terminal: one line, not too long, nothing invisible."""
    words = " ".join(text.split())
    cut = words if len(words) <= _LONGEST_SHOWN else words[:_LONGEST_SHOWN] + "..."
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in cut)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _proxy_for(host: str) -> SplitResult | None:
    """Return the proxy that the environment names for encrypted connections to a host."""
    from urllib.request import getproxies, proxy_bypass

    named = getproxies().get("https")
    if not named or is_loopback(host) or proxy_bypass(host):
        return None
    return urlsplit(named if "://" in named else f"http://{named}")


class TooLongError(ValueError):
    """An answer is longer than anything that is asked for here."""


class Deadline:
    """Cuts an open connection when an answer takes too long as a whole, however its bytes trickle in."""

    def __init__(self, connection: http.client.HTTPConnection, seconds: float) -> None:
        self.passed = False
        self._socket = connection.sock  # which the connection forgets once the head of a last answer is there
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def _cut(self) -> None:
        self.passed = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()


def exchange(
    connection: http.client.HTTPConnection, method: str, target: str, body: bytes | None, headers: Mapping[str, str]
) -> Reply:
    """Send a request and return its answer.

    Raises:
        OSError, http.client.HTTPException: no whole answer came.
        TooLongError: more came than anybody asked for.
    """
    with suppress(BrokenPipeError, ConnectionResetError):  # who refuses a body may answer before it has come, and close
        connection.request(method, target, body, headers)
    return _read(connection)


def _read(connection: http.client.HTTPConnection) -> Reply:
    with connection.getresponse() as answer:
        body = answer.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise TooLongError
        if answer.length:  # read(n) says nothing about what is missing
            raise http.client.IncompleteRead(body, answer.length)
        headers = {name.lower(): value for name, value in answer.getheaders() if name.lower() != "set-cookie"}
        headers["set-cookie"] = "\n".join(answer.headers.get_all("Set-Cookie", []))
        return Reply(status=answer.status, reason=answer.reason, headers=headers, body=body)


def multipart(fields: Sequence[tuple[str, str]], files: Sequence[Upload]) -> tuple[str, bytes]:
    """Return the content type and the body of a form with files (RFC 7578)."""
    boundary = f"judge-{secrets.token_hex(16)}"
    parts = [_part(boundary, f'name="{name}"', value.encode(errors="replace")) for name, value in fields]
    for file in files:
        name = file.name.replace("\\", "_").replace('"', "_").replace("\r", "_").replace("\n", "_")
        heading = f'name="{file.field}"; filename="{name}"\r\nContent-Type: application/octet-stream'
        parts.append(_part(boundary, heading, file.data))
    return f"multipart/form-data; boundary={boundary}", b"".join(parts) + f"--{boundary}--\r\n".encode()


def _part(boundary: str, heading: str, data: bytes) -> bytes:
    return (
        f"--{boundary}\r\nContent-Disposition: form-data; {heading}\r\n\r\n".encode(errors="replace") + data + b"\r\n"
    )
