"""An answer that is not what was asked for, in words: what it means, what to do, and whether the submission went in."""

import re
from html import unescape

from judge.submit.outgoing import Arrival, SubmitError
from judge.submit.web import Site
from judge.submit.wire import Reply

_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_LONGEST_WAIT_S = 24 * 60 * 60


def check(reply: Reply, site: Site, *, doing: str, credentials: str, sends: bool = False) -> Reply:
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
    arrival = Arrival.MAYBE if sends and (reply.status in (302, 303) or reply.status >= 500) else Arrival.NO
    text = f"{site.address} did not {doing}: {_meaning(reply, site, credentials)}"
    if reply.status in (429, 503):
        raise RetryLaterError(text, arrival, retry_after(reply))
    raise SubmitError(text, arrival)


class RetryLaterError(SubmitError):
    """The site is too busy; `seconds` is how long it wants to be left alone, None where it does not say."""

    def __init__(self, message: str, arrival: Arrival, seconds: int | None) -> None:
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


def _meaning(reply: Reply, site: Site, credentials: str) -> str:  # noqa: PLR0911 - a table
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


def _said(reply: Reply, site: Site) -> str:
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


def no_sense(site: Site, reply: Reply, *, expected: str, sends: bool = False) -> SubmitError:
    """Return that an answer with status 200 is not what the protocol says."""
    said = _said(reply, site)
    text = f"{site.address}: expected {expected}, found {said or 'something else'}; is the site being maintained?"
    return SubmitError(text, Arrival.MAYBE if sends else Arrival.NO)
