"""One site over HTTP: time-outs on everything, certificates checked, and no secret ever to another host.

The standard library's client, not its opener: a redirect is followed only for reading and only on the same site, and it
is known whether a request had begun to go out when something broke.
"""

import http.client
import ipaddress
import json
import re
import secrets
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from http.cookies import CookieError, SimpleCookie
from typing import Self
from urllib.parse import SplitResult, quote_plus, unquote, urlencode, urljoin, urlsplit

from judge import __version__
from judge.errors import UsageError
from judge.online.submit.credentials import Secret, redact
from judge.online.submit.values import DeliveryState, SubmitError

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


_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_LONGEST_WAIT_S = 24 * 60 * 60


def check(reply: Reply, site: "Site", *, doing: str, credentials: str, sends: bool = False) -> Reply:
    """Return the answer of a request when it is one.

    Args:
        reply: what came.
        site: where from.
        doing: what was asked for, such as `log in`.
        credentials: where the name and the password come from.
        sends: whether the request was the submission itself.

    Raises:
        SubmitError: it is none; `RetryLaterError` where the site says when to try again.
    """
    if 200 <= reply.status < 300:
        return reply
    # 302 and 303 is also how a site goes on after it took a form (RFC 9110, 15.4.4)
    arrival = DeliveryState.MAYBE if sends and (reply.status in (302, 303) or reply.status >= 500) else DeliveryState.NO
    text = f"{site.address} did not {doing}: {_meaning(reply, site, credentials)}"
    if reply.status in (429, 503):
        raise RetryLaterError(text, arrival, retry_after(reply))
    raise SubmitError(text, arrival)


class RetryLaterError(SubmitError):
    """The site is too busy; `seconds` is how long it wants to be left alone, None where it does not say."""

    def __init__(self, message: str, arrival: DeliveryState, seconds: int | None) -> None:
        super().__init__(message, arrival)
        self.seconds = seconds


def retry_after(reply: Reply) -> int | None:
    """Return the seconds of a Retry-After header (RFC 9110, 10.2.3), as a number or a date; None without a good one."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    text = reply.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal():
        return min(int(text[:9]), _LONGEST_WAIT_S)
    try:
        when = parsedate_to_datetime(text)
        left = (when - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return None
    return max(0, min(round(left), _LONGEST_WAIT_S))


def _meaning(reply: Reply, site: "Site", credentials: str) -> str:  # noqa: PLR0911 - a table
    status = f"{reply.status} {site.shown(reply.reason)}".strip()
    said = _said(reply, site)
    words = f"; it says: {said}" if said else ""
    match reply.status:
        case 401:
            return f"{status}: the name or the password is not right; look into {credentials}{words}"
        case 403:
            return (
                f"{status}: the name or the token is not right, or you may not do this here (is the contest running, "
                f"are you in it?); look into {credentials}{words}"
            )
        case 404:
            return f"{status}: there is no such thing there; check the address, the contest and the problem{words}"
        case 429:
            return f"{status}: too many requests; {_when(reply)}{words}"
        case code if 300 <= code < 400:
            place = site.shown(reply.headers.get("location", "nowhere"))
            return (
                f"{status}: it points to {place}, where nothing is sent for you; correct the address in {credentials}"
            )
        case code if code >= 500:
            return f"{status}: the site is down or being maintained; {_when(reply)}{words}"
    return f"{status}{words}"


def _when(reply: Reply) -> str:
    seconds = retry_after(reply)
    return "try again later" if seconds is None else f"it asks to be tried again in {seconds} s"


def _said(reply: Reply, site: "Site") -> str:
    """Return the server's own words: a page's title, a JSON message, or a short text."""
    if reply.is_page or b"<title" in reply.body[:4096].lower():
        title = _TITLE.search(reply.body[: 1 << 16])
        return site.shown(unescape(title[1].decode(errors="replace"))) if title else "(a page for browsers)"
    try:
        value = reply.json()
    except ValueError:
        return site.shown(reply.text)
    message = value.get("message") if isinstance(value, dict) else None
    return site.shown(message) if isinstance(message, str) else ""


def no_sense(site: "Site", reply: Reply, *, expected: str, sends: bool = False) -> SubmitError:
    """Return that an answer with status 200 is not what the protocol says."""
    said = _said(reply, site)
    text = f"{site.address}: expected {expected}, found {said or 'something else'}; is the site being maintained?"
    return SubmitError(text, DeliveryState.MAYBE if sends else DeliveryState.NO)


AGENT = f"judge-harness/{__version__}"
_MOST_REDIRECTS = 5
_SHORTEST_SECRET = 8  # characters of a cookie; hiding `en` or `1` would make riddles of all messages


class Site:
    """One scheme, host and port, with what identifies the user there.

    Args:
        url: any address of the site.
        timeout: seconds that a site may be silent; an answer as a whole may take twice as long.
        allow_http: send secrets without TLS to other machines, too.

    Raises:
        UsageError: the address is none, or is not encrypted.
    """

    def __init__(self, url: str, *, timeout: float, allow_http: bool = False) -> None:
        parts = _parts(url)
        self.address = _address(parts)
        self.host = parts.hostname or ""
        self._port = parts.port
        self._is_tls = parts.scheme == "https"
        self._timeout = timeout
        self._cookies: dict[str, Secret] = {}
        self._authorization: Secret | None = None
        self._secrets: list[Secret] = []
        if not (self._is_tls or allow_http or is_loopback(self.host)):
            raise UsageError(
                f"{self.address} is not encrypted: anybody on the way could read your password; write https://, or, on "
                "a network that you trust, say --allow-http"
            )

    def login(self, user: str, password: Secret) -> None:
        """Send a name and password with every request (RFC 7617)."""
        self.hide(password)
        pair = b64encode(f"{user}:{password.reveal()}".encode()).decode()
        self._authorization = Secret(f"Basic {pair}")
        self.hide(Secret(pair))

    def hide(self, secret: Secret) -> None:
        """Let no message show this, not even one in the server's words."""
        self._secrets += [secret, Secret(quote_plus(secret.reveal()))]  # as it is, and as a form holds it

    def shown(self, text: str) -> str:
        """Return a server's words as a message may show them: one short line, nothing invisible, no secret."""
        return one_line(redact(text, self._secrets))

    def get(self, url: str) -> Reply:
        """Read an address of this site; redirects within it are followed.

        Raises:
            SubmitError: no answer came.
        """
        for _ in range(_MOST_REDIRECTS):
            reply = self._request("GET", url, None, {}, submits=False)
            if reply.status not in (301, 302, 303, 307, 308):
                return reply
            place = _joined(url, reply.headers.get("location", ""))
            if not place or not self._is_here(place):
                return reply
            url = place
        raise SubmitError(f"{self.address} redirects in a circle (at {self.shown(url)}): look at it with a browser")

    def post(
        self, url: str, fields: Sequence[tuple[str, str]], files: Sequence[Upload] = (), *, submits: bool = False
    ) -> Reply:
        """Send a form; a redirect is an answer like any other, and followed by nobody.

        Args:
            url: where to; on this site.
            fields: names and values.
            files: sent with them, as a form with parts.
            submits: this is the submission itself: when no answer comes, it may have arrived.

        Raises:
            SubmitError: no answer came.
        """
        if files:
            kind, body = multipart(fields, files)
        else:
            kind, body = "application/x-www-form-urlencoded", urlencode(fields).encode()
        return self._request("POST", url, body, {"Content-Type": kind}, submits=submits)

    def _is_here(self, url: str) -> bool:
        return _address(urlsplit(url)) == self.address

    def _request(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], *, submits: bool
    ) -> Reply:
        parts = urlsplit(url)
        assert self._is_here(url), "a secret must not leave its site"
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection = connection_to(self.host, self._port, is_tls=self._is_tls, timeout=self._timeout)
        except ValueError as error:
            raise SubmitError(f"{self.address}: HTTPS_PROXY names no proxy ({error}). Nothing was sent") from None
        try:
            self._connect(connection)
            with Deadline(connection, 2 * self._timeout) as deadline:
                try:
                    reply = exchange(connection, method, target, body, {**self._identity(), **headers})
                    if deadline.passed:  # the cut looks like the end of an answer
                        raise TimeoutError
                except (OSError, http.client.HTTPException, ValueError) as error:
                    arrival = DeliveryState.MAYBE if submits else DeliveryState.NO
                    raise SubmitError(f"{self.address}: {self._why(error, deadline)}", arrival) from None
        finally:
            connection.close()
        self._remember(reply.headers.get("set-cookie", ""))
        return reply

    def _connect(self, connection: http.client.HTTPConnection) -> None:
        try:
            connection.connect()
        except (OSError, http.client.HTTPException, ValueError) as error:
            way = "" if connection.host == self.host else f" (through the proxy {connection.host}:{connection.port})"
            why = self._why_unreachable(error, connection.host)
            raise SubmitError(f"{self.address}{way}: {why}. Nothing was sent") from None

    def _why_unreachable(self, error: Exception, host: str) -> str:  # noqa: PLR0911 - a table
        match error:
            case ssl.SSLCertVerificationError(verify_message=message):
                return f"its certificate is not to be trusted ({message}): is this machine's clock right, is the host?"
            case ssl.SSLError():
                return (
                    f"no encrypted connection ({error.reason or 'TLS failed'}): does the address begin with https://?"
                )
            case socket.gaierror():
                return f"the host {host} is not known: check its name, and whether this machine is on line"
            case TimeoutError():
                return f"no connection within {self._timeout:g} s: is this machine on line, is the site up?"
            case ConnectionRefusedError():
                return "the connection was refused: is the site up, are the host and the port right?"
            case OSError():
                return f"no connection ({error.strerror or self.shown(str(error)) or type(error).__name__})"
        return f"no connection ({type(error).__name__})"

    def _why(self, error: Exception, deadline: "Deadline") -> str:
        if deadline.passed or isinstance(error, TimeoutError):
            return f"no answer within {self._timeout:g} s: the site is slow or down; try again later"
        if isinstance(error, http.client.RemoteDisconnected | ConnectionError):
            return "the connection broke before the answer came: try again later"
        if isinstance(error, TooLongError):
            return f"an answer of more than {MOST_BYTES >> 20} MiB: is the address right?"
        return f"what came is no whole HTTP answer ({type(error).__name__}): is the address right?"

    def _identity(self) -> dict[str, str]:
        headers = {"User-Agent": AGENT, "Accept": "*/*", "Connection": "close"}
        if self._authorization:
            headers["Authorization"] = self._authorization.reveal()
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value.reveal()}" for name, value in self._cookies.items())
        return headers

    def _remember(self, header: str) -> None:
        for line in filter(None, header.split("\n")):
            try:
                cookies = SimpleCookie(line)
            except CookieError:
                continue
            for name, morsel in cookies.items():
                self._cookies[name] = Secret(morsel.coded_value)
                if len(morsel.coded_value) >= _SHORTEST_SECRET:
                    self.hide(self._cookies[name])


def _address(parts: SplitResult) -> str:
    """Return scheme, host and port, written the same way however they were written."""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    is_usual = parts.port in (None, {"http": 80, "https": 443}.get(parts.scheme))
    return f"{parts.scheme}://{host}" if is_usual else f"{parts.scheme}://{host}:{parts.port}"


def _joined(url: str, place: str) -> str:
    """Return where a redirect points to; "" where that is no address."""
    try:
        joined = urljoin(url, place)
        _address(urlsplit(joined))
    except ValueError:
        return ""
    return joined


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("https", "http") and bool(parts.hostname) and (parts.port or 1) > 0
        if usable and not parts.username:
            return parts
    except ValueError:
        usable = False
    if usable:
        raise UsageError("an address with a name or password in it: write those into the credentials file instead")
    raise UsageError(f"{url}: expected an address such as https://open.kattis.com")
