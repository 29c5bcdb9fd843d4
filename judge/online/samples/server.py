"""The HTTP server that Competitive Companion posts problems to: on loopback only, one problem per request."""

from contextlib import suppress
from http import HTTPStatus
from queue import Empty

from judge.online.loopback import LoopbackHandler, LoopbackServer, RejectedError, Request
from judge.online.samples.readers import Draft, InvalidTaskError, read_task

PORTS = (1327, 4244, 6174, 10042, 10043, 10045, 27121)
"""The ports that Competitive Companion posts to, always all of them (`src/hosts/hosts.ts` in its sources)."""

MAX_BODY = 16 * 1024 * 1024  # bytes


class ProblemRequest(Request, frozen=True, kw_only=True):
    """A problem that arrived; the caller must `respond` with a status and a text, since the client waits."""

    draft: Draft


class CompanionServer(LoopbackServer):
    """Listens on a port of this machine, 0 for a free one, while its context is active.

    Its queue has each `ProblemRequest`, and each refusal as a `RejectedError`.
    """

    def __init__(self, port: int) -> None:
        others = " ".join(str(each) for each in PORTS if each != port)
        super().__init__(
            port,
            _Handler,
            in_use="perhaps by another `judge listen` or an editor's extension; stop that, or choose another port of "
            f"Competitive Companion with --port: {others}",
        )
        self.listen()


class _Handler(LoopbackHandler):
    server_version = "judge-listen"

    def do_POST(self) -> None:  # noqa: N802 - http.server's names
        try:
            self.check_sender()
            request = ProblemRequest(draft=read_task(self._read_body())[0])
        except InvalidTaskError as error:
            self.reject(RejectedError(HTTPStatus.BAD_REQUEST, str(error)))
        except RejectedError as error:
            self.reject(error)
        else:
            self.owner.queue.put(request)
            try:
                self.send(*request.answers.get(timeout=60.0))  # for writing a problem's files
            except Empty:
                self.send(HTTPStatus.SERVICE_UNAVAILABLE, "judge listen is not taking problems any more")
            request.is_sent.set()

    def do_GET(self) -> None:  # noqa: N802 - http.server's names
        """Explain this server to a browser."""
        self.send(HTTPStatus.METHOD_NOT_ALLOWED, "judge listen: Competitive Companion posts problems here")

    do_HEAD = do_PUT = do_OPTIONS = do_GET  # noqa: N815 - http.server's names

    def _read_body(self) -> bytes:
        """Return the JSON of a request; what is missing of it is an error of the JSON."""
        kind = self.headers.get("Content-Type", "")
        if kind.partition(";")[0].strip().lower() != "application/json":
            found = repr(kind) if kind else "none"
            reason = f"expected the Content-Type application/json, found {found}"
            raise RejectedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, reason)
        text = self.headers.get("Content-Length", "")
        if not (text.isascii() and text.isdecimal()):
            raise RejectedError(HTTPStatus.LENGTH_REQUIRED, "expected a Content-Length, found none")
        length = int(text[:20])
        if length > MAX_BODY:
            reason = f"expected a body of at most {MAX_BODY} bytes (16 MiB), found {length} bytes"
            raise RejectedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
        body = b""
        with suppress(ConnectionError, TimeoutError):
            body = self.rfile.read(length)
        return body
