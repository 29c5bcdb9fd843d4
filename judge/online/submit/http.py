"""HTTP to one site: a timeout on everything, verified certificates, and no secret to another host.

The standard library's client, but not `urllib.request`: a redirect is followed only by a GET and only within the site,
and every failure says whether the request had started to go out (see docs/design-notes.md for why not urllib3).
"""

import http.client
import ipaddress
import json
import re
import secrets
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from email.message import Message
from html import unescape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import SplitResult, quote_plus, unquote, urlencode, urljoin, urlsplit

from msgspec import Struct

from judge import __version__
from judge.base.errors import UsageError
from judge.online.submit.credentials import Secret, redact
from judge.online.submit.values import SubmitError

USER_AGENT = f"judge-harness/{__version__}"
MAX_RESPONSE = 8 * 1024 * 1024  # bytes


class Response(Struct, frozen=True, kw_only=True):
    """A complete response."""

    status: int
    reason: str
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", errors="replace")

    @property
    def is_html(self) -> bool:
        """Whether the body is an HTML page, such as a maintenance notice."""
        return self.body[:512].lstrip().lower().startswith((b"<!doctype", b"<html"))

    def json(self) -> object:
        """Return the body as JSON; None if it is not JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


class Site:
    """One scheme, host and port, and the user's login there.

    Args:
        credentials: the file that holds the login, for messages.
        timeout: seconds that the site may stay silent; a whole response may take twice as long.
        allow_http: allow sending secrets to other machines without TLS.

    Raises:
        UsageError: the URL is invalid, or not encrypted.
    """

    def __init__(self, url: str, *, timeout: float, allow_http: bool = False, credentials: Path | None = None) -> None:
        parts = _parse_url(url)
        self.origin = _origin(parts)
        self.host = parts.hostname or ""
        self.credentials = credentials
        self._port = parts.port
        self._is_tls = parts.scheme == "https"
        self._timeout = timeout
        self._cookies: dict[str, Secret] = {}
        self._authorization: Secret | None = None
        self._secrets: list[Secret] = []
        if not (self._is_tls or allow_http or _is_loopback(self.host)):
            raise UsageError(
                f"{self.origin} is not encrypted: others on the network could read your password; use https://, or "
                "pass --allow-http on a network that you trust"
            )

    def set_basic_auth(self, user: str, password: Secret) -> None:
        """Send a user name and a password with every request (RFC 7617)."""
        self.add_secret(password)
        pair = b64encode(f"{user}:{password.reveal()}".encode()).decode()
        self._authorization = Secret(f"Basic {pair}")
        self.add_secret(Secret(pair))

    def add_secret(self, secret: Secret) -> None:
        """Mask a secret in every message, also where the server repeats it."""
        self._secrets += [secret, Secret(quote_plus(secret.reveal()))]  # as it is, and as a form encodes it

    def sanitize(self, text: str) -> str:
        """Return a server's text for a message: one short printable line without secrets."""
        return one_line(redact(text, self._secrets))

    def get(self, url: str, *, action: str) -> Response:
        """Send a GET request to a URL of this site; follow redirects within the site.

        The action completes "cannot ...", such as `list contests`.

        Raises:
            SubmitError: there was no response, or it is an error.
        """
        for _ in range(5):
            response = self._request("GET", url, None, {}, is_submission=False)
            target = ""
            if response.status in (301, 302, 303, 307, 308):
                with suppress(ValueError):  # not a valid URL
                    resolved = urljoin(url, response.headers.get("Location", ""))
                    target = resolved if _origin(urlsplit(resolved)) == self.origin else ""
            if not target:
                return self._check_status(response, action, is_submission=False)
            url = target
        raise SubmitError(f"{self.origin}: too many redirects (at {self.sanitize(url)}); open it in a browser")

    def post(
        self,
        url: str,
        fields: Sequence[tuple[str, str]],
        *,
        action: str,
        file: tuple[str, str, bytes] | None = None,
        is_submission: bool = False,
    ) -> Response:
        """Send a form to a URL of this site, with the field, the name and the contents of a file.

        A redirect is not followed. After a failure, a submission may have arrived if the request had started.

        Raises:
            SubmitError: there was no response, or it is an error.
        """
        if file:
            content_type, body = _encode_multipart(fields, file)
        else:
            content_type, body = "application/x-www-form-urlencoded", urlencode(fields).encode()
        response = self._request("POST", url, body, {"Content-Type": content_type}, is_submission=is_submission)
        return self._check_status(response, action, is_submission=is_submission)

    def _check_status(self, response: Response, action: str, *, is_submission: bool) -> Response:
        """Return the response if it is a success."""
        status = response.status
        if 200 <= status < 300:
            return response
        # sites also answer an accepted form with 302 or 303 (RFC 9110, 15.4.4)
        raise SubmitError(
            f"{self.origin}: cannot {action}: {self._describe_status(response)}",
            may_have_arrived=is_submission and (status in (302, 303) or status >= 500),
            retry_after=_retry_after(response) if status in (429, 503) else None,
        )

    def unexpected_response(self, response: Response, *, expected: str, is_submission: bool = False) -> SubmitError:
        """Return the error for a successful response that does not follow the judge's protocol."""
        found = self._server_message(response) or "something else"
        text = f"{self.origin}: expected {expected}, found {found}; the site may be under maintenance"
        return SubmitError(text, may_have_arrived=is_submission)

    # ---- one request -----------------------------------------------------------------------------------------------

    def _request(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], *, is_submission: bool
    ) -> Response:
        parts = urlsplit(url)
        assert _origin(parts) == self.origin, "a secret must not leave its site"
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection = self._connect()
        deadline = time.monotonic() + 2 * self._timeout  # of a response as a whole, however slowly its bytes arrive
        timer = threading.Timer(2 * self._timeout, _shut_down, [connection.sock])
        timer.daemon = True
        timer.start()
        headers = {"User-Agent": USER_AGENT, "Accept": "*/*", "Connection": "close", **headers}
        if self._authorization:
            headers["Authorization"] = self._authorization.reveal()
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value.reveal()}" for name, value in self._cookies.items())
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # it may refuse a body before it has read all of it
                connection.request(method, path, body, headers)
            with connection.getresponse() as answer:
                data = answer.read(MAX_RESPONSE + 1)
                if len(data) > MAX_RESPONSE:
                    text = f"{self.origin}: the response is larger than {MAX_RESPONSE >> 20} MiB; check the URL"
                    raise SubmitError(text, may_have_arrived=is_submission)
                if answer.length:  # `read(n)` does not report missing bytes
                    raise http.client.IncompleteRead(data, answer.length)
                response = Response(status=answer.status, reason=answer.reason, headers=answer.headers, body=data)
            if time.monotonic() >= deadline:  # a connection that was cut looks like the end of the response
                raise TimeoutError
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = self._describe_exchange_error(error, is_late=time.monotonic() >= deadline)
            raise SubmitError(f"{self.origin}: {reason}", may_have_arrived=is_submission) from None
        finally:
            timer.cancel()
            connection.close()
        for line in response.headers.get_all("Set-Cookie", []):
            with suppress(CookieError):
                for name, morsel in SimpleCookie(line).items():
                    self._cookies[name] = Secret(morsel.coded_value)
                    if len(morsel.coded_value) >= 8:  # masking `en` or `1` would garble every message
                        self.add_secret(self._cookies[name])
        return response

    def _connect(self) -> http.client.HTTPConnection:
        """Return an open connection; an error before this returns means that no request was sent."""
        try:
            connection = make_connection(self.host, self._port, is_tls=self._is_tls, timeout=self._timeout)
        except ValueError as error:
            raise SubmitError(f"{self.origin}: invalid proxy in HTTPS_PROXY: {error}") from None
        try:
            connection.connect()
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.close()
            is_direct = connection.host == self.host
            via = "" if is_direct else f" (through the proxy {connection.host}:{connection.port})"
            if isinstance(error, ssl.SSLCertVerificationError):
                reason = f"untrusted certificate ({error.verify_message})"
                text = f"{reason}; check the host name and the clock of this machine"
            else:
                reason = (error.strerror if isinstance(error, OSError) else "") or self.sanitize(str(error))
                fix = "check the host, the port and your network, and that the site is up"
                text = f"cannot connect ({reason or type(error).__name__}); {fix}"
            raise SubmitError(f"{self.origin}{via}: {text}") from None
        return connection

    # ---- messages --------------------------------------------------------------------------------------------------

    def _describe_exchange_error(self, error: Exception, *, is_late: bool) -> str:
        if is_late or isinstance(error, TimeoutError):
            return f"no response within {self._timeout:g} s; the site is slow or down, try again later"
        if isinstance(error, http.client.RemoteDisconnected | ConnectionError):
            return "the connection closed before the response arrived; try again later"
        return f"the response is not valid HTTP ({type(error).__name__}); check the URL"

    def _describe_status(self, response: Response) -> str:
        status = f"{response.status} {self.sanitize(response.reason)}".strip()
        message = self._server_message(response)
        quoted = f"; the server says: {message}" if message else ""
        code = response.status
        if 300 <= code < 400:
            target = self.sanitize(response.headers.get("Location", "nowhere"))
            return f"{status}: redirected to {target}, which is not followed; correct the URL in {self.credentials}"
        hints = {
            401: f"wrong user name or password; check {self.credentials}",
            403: "wrong user name or token, or you are not allowed to do this (is the contest running, are you "
            f"registered?); check {self.credentials}",
            404: "check the URL, the contest and the problem",
            429: _retry_hint(response),
        }
        down = f"the site is down or under maintenance; {_retry_hint(response)}" if code >= 500 else ""
        hint = hints.get(code, down)
        return f"{status}: {hint}{quoted}" if hint else f"{status}{quoted}"

    def _server_message(self, response: Response) -> str:
        """Return the title of an HTML page, the message in a JSON object, or a short text."""
        if response.is_html or b"<title" in response.body[:4096].lower():
            title = _TITLE.search(response.body[: 1 << 16])
            return self.sanitize(unescape(title[1].decode(errors="replace"))) if title else "(an HTML page)"
        value = response.json()
        if value is None:
            return self.sanitize(response.text)
        message = value.get("message") if isinstance(value, dict) else None
        return self.sanitize(message) if isinstance(message, str) else ""


def one_line(text: str) -> str:
    """Return text from outside for a terminal: one line of limited length, control characters escaped."""
    line = " ".join(text.split())
    if len(line) > 300:
        line = line[:300] + "..."
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in line)


_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)


def _retry_after(response: Response) -> int | None:
    """Return the seconds of a Retry-After header (RFC 9110, 10.2.3); None if there is none, or it is a date."""
    text = response.headers.get("Retry-After", "").strip()
    return int(text[:9]) if text.isascii() and text.isdecimal() else None


def _retry_hint(response: Response) -> str:
    seconds = _retry_after(response)
    return "try again later" if seconds is None else f"try again in {seconds} s"


# ---- connections ---------------------------------------------------------------------------------------------------


def make_connection(host: str, port: int | None, *, is_tls: bool, timeout: float) -> http.client.HTTPConnection:
    """Return a connection that is not open yet; with TLS it uses the proxy from the environment, if there is one.

    Raises:
        ValueError: the proxy's address is invalid.
    """
    from urllib.request import getproxies, proxy_bypass

    # without a port, http.client looks for one in the host, and finds one in an IPv6 address
    if not is_tls:
        return http.client.HTTPConnection(host, port or 80, timeout=timeout)
    context = ssl.create_default_context()
    url = getproxies().get("https")
    if not url or _is_loopback(host) or proxy_bypass(host):
        return http.client.HTTPSConnection(host, port or 443, timeout=timeout, context=context)
    proxy = urlsplit(url if "://" in url else f"http://{url}")
    if proxy.scheme not in ("http", "https") or not proxy.hostname:
        raise ValueError("expected a URL such as http://proxy.example:3128")
    connection = http.client.HTTPSConnection(proxy.hostname, proxy.port or 80, timeout=timeout, context=context)
    headers = {}
    if proxy.username:
        pair = b64encode(f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()).decode()
        headers["Proxy-Authorization"] = f"Basic {pair}"
    connection.set_tunnel(host, port or 443, headers)
    return connection


def _shut_down(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _encode_multipart(fields: Sequence[tuple[str, str]], file: tuple[str, str, bytes]) -> tuple[str, bytes]:
    """Return the content type and the body of a form with a file (RFC 7578)."""
    boundary = f"judge-{secrets.token_hex(16)}"

    def part(disposition: str, data: bytes) -> bytes:
        head = f"--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"
        return head.encode(errors="replace") + data + b"\r\n"

    parts = [part(f'name="{name}"', value.encode(errors="replace")) for name, value in fields]
    field, name, data = file
    name = re.sub(r'[\\"\r\n]', "_", name)
    parts.append(part(f'name="{field}"; filename="{name}"\r\nContent-Type: application/octet-stream', data))
    return f"multipart/form-data; boundary={boundary}", b"".join(parts) + f"--{boundary}--\r\n".encode()


# ---- URLs ----------------------------------------------------------------------------------------------------------


def _is_loopback(host: str) -> bool:
    """Return whether a host is this machine, by its name alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _origin(parts: SplitResult) -> str:
    """Return scheme, host and port in one spelling (RFC 6454, 6)."""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    is_default = parts.port in (None, {"http": 80, "https": 443}.get(parts.scheme))
    return f"{parts.scheme}://{host}" if is_default else f"{parts.scheme}://{host}:{parts.port}"


def _parse_url(url: str) -> SplitResult:
    invalid = UsageError(f"{url}: expected a URL such as https://open.kattis.com")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise invalid from None
    if parts.scheme not in ("https", "http") or not parts.hostname or port == 0:
        raise invalid
    if parts.username:
        raise UsageError("the URL contains a user name or a password; put them into the credentials file instead")
    return parts
