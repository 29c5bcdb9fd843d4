"""One site over HTTP: time-outs on everything, certificates checked, and no secret ever to another host.

The standard library's client, not its opener: a redirect is followed only for reading and only on the same site, and it
is known whether a request had begun to go out when something broke.
"""

import http.client
import socket
import ssl
from base64 import b64encode
from collections.abc import Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from urllib.parse import SplitResult, quote_plus, urlencode, urljoin, urlsplit

from judge import __version__
from judge.errors import UsageError
from judge.submit.outgoing import Arrival, SubmitError
from judge.submit.secret import Secret, without
from judge.submit.wire import (
    MOST_BYTES,
    Deadline,
    Reply,
    TooLongError,
    Upload,
    connection_to,
    exchange,
    is_loopback,
    multipart,
    one_line,
)

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
        return one_line(without(text, self._secrets))

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
                    arrival = Arrival.MAYBE if submits else Arrival.NO
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
