"""References to problems at online judges: parse a URL (and a title) into the judge's names and the submit page.

Pure functions on text; nothing here opens a connection. To add a judge, add a row to `_JUDGES`.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, urlsplit

MAX_ID = 60  # characters
_LANGUAGE_KEYS = {"locale", "lang", "language"}  # query parameters that do not identify the problem


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemRef:
    """A problem as its online judge names it.

    Attributes:
        judge: the profile's name: `kattis`, `codeforces`, `atcoder`, `uva` or `euler`.
        id: the problem's id in a repository.
        name: a display name, such as `Codeforces 118A`.
        problem: the judge's name of the problem in a submission.
        contest: the judge's contest; "" for its archive.
        site: scheme and host, such as `https://open.kattis.com`.
        submit_url: the page for submitting in a browser.
    """

    judge: str
    id: str
    name: str
    problem: str
    contest: str = ""
    site: str
    submit_url: str


def problem_ref(url: str, title: str = "") -> ProblemRef | None:
    """Parse the URL of a problem; return None if the judge is not supported."""
    if not url.isascii():  # not a URL (RFC 3986, 2), and `\w` would match other letters
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme not in ("https", "http"):
        return None
    for domain, parse in _JUDGES:
        if host == domain or host.endswith(f".{domain}"):
            return parse(parts, title)
    return None


def problem_ref_by_name(judge: str, name: str) -> ProblemRef | None:
    """Parse a judge's own name of a problem, such as `1900A`; return None if it is not a name there."""
    if judge not in _NAMES:
        return None
    pattern, url = _NAMES[judge]
    found = pattern.fullmatch(name)
    return problem_ref(url.format(*found.groups())) if found else None


def problem_id(url: str, title: str) -> str:
    """Return an id for a problem of any judge: 1 to 60 lower-case letters, digits and `-`."""
    known = problem_ref(url, title)
    return known.id if known and _is_id(known.id) else _generic_id(url, title)


def slug(text: str) -> str:
    """Return a text in the characters of an id: `A. String Task` becomes `a-string-task`."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")[:MAX_ID].strip("-")


def _is_id(text: str) -> bool:
    return len(text) <= MAX_ID and re.fullmatch("[a-z0-9]+(?:-[a-z0-9]+)*", text) is not None


def _generic_id(url: str, title: str) -> str:
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").split(".")
    except ValueError:
        parts, host = urlsplit(""), []
    judge = slug(host[-2]) if len(host) > 1 else ""
    path = [slug(re.sub(r"\.\w+$", "", part)) for part in parts.path.split("/")]
    words = [word for word in path if word][-1:]
    words += [slug(value) for key, value in parse_qsl(parts.query) if key not in _LANGUAGE_KEYS]
    tail = "-".join(word for word in words if word) or slug(title)
    name = slug(f"{judge}-{tail}") if judge else slug(title)
    if tail and name:
        return name
    digest = hashlib.sha256(f"{url}\0{title}".encode()).hexdigest()
    return f"problem-{digest[:8]}"


# ---- judges -------------------------------------------------------------------------------------------------------


def _site(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc}"


def _parse_kattis(parts: SplitResult, title: str) -> ProblemRef | None:  # noqa: ARG001 - the signature of the table
    found = re.fullmatch(r"(?:/contests/([\w-]+))?/problems/([\w-]+)(?:/.*)?", parts.path)
    if not found:
        return None
    contest, name = found[1] or "", found[2]
    site = _site(parts)
    folder = f"/contests/{contest}" if contest else ""
    return ProblemRef(
        judge="kattis", id=f"kattis-{slug(name)}", name=f"Kattis {name}", problem=name, contest=contest, site=site,
        submit_url=f"{site}{folder}/problems/{name}/submit",
    )  # fmt: skip


_CODEFORCES = re.compile(
    r"(?P<group>/group/\w+)?/(?:(?P<kind>contest|gym)/(?P<contest>\d+)/problem|problemset/(?:problem|gymProblem)/(?P<set>\d+))"
    r"/(?P<index>\w+)/?"
)


def _parse_codeforces(parts: SplitResult, title: str) -> ProblemRef | None:  # noqa: ARG001 - the signature of the table
    found = _CODEFORCES.fullmatch(parts.path)
    if not found:
        return None
    contest, index = found["contest"] or found["set"], found["index"].upper()
    page = f"/problemset/submit/{contest}/{index}"
    if found["kind"] == "contest":
        page = f"{found['group'] or ''}/contest/{contest}/submit/{index}"
    elif found["kind"]:
        page = f"{found['group'] or ''}/gym/{contest}/submit"
    return ProblemRef(
        judge="codeforces", id=f"codeforces-{contest}{index.lower()}", name=f"Codeforces {contest}{index}",
        problem=f"{contest}{index}", contest=contest, site=_site(parts), submit_url=f"{_site(parts)}{page}",
    )  # fmt: skip


def _parse_atcoder(parts: SplitResult, title: str) -> ProblemRef | None:  # noqa: ARG001 - the signature of the table
    found = re.fullmatch(r"/contests/([\w-]+)/tasks/(\w+)/?", parts.path)
    if not found:
        return None
    contest, task = found[1], found[2]
    return ProblemRef(
        judge="atcoder", id=slug(task), name=f"AtCoder {task}", problem=task, contest=contest, site=_site(parts),
        submit_url=f"{_site(parts)}/contests/{contest}/submit?taskScreenName={quote(task)}",
    )  # fmt: skip


_UVA = "https://onlinejudge.org"


def _parse_uva(parts: SplitResult, title: str) -> ProblemRef | None:
    """Parse a URL of UVa or uDebug; pages with an internal number have it in the title, `131 - ...`."""
    path = re.search(r"/external/\d+/p?(\d+)\.(?:pdf|html)$|/UVa/(\d+)/?$", parts.path)
    found = path or re.match(r"\s*(\d{3,5}) - ", title)
    if not found:
        return None
    number = next(each for each in found.groups() if each)
    return ProblemRef(
        judge="uva", id=f"uva{number}", name=f"UVa {number}", problem=number, site=_UVA,
        submit_url=f"{_UVA}/index.php?option=com_onlinejudge&Itemid=25",
    )  # fmt: skip


def _parse_euler(parts: SplitResult, title: str) -> ProblemRef | None:  # noqa: ARG001 - the signature of the table
    found = re.fullmatch(r"/problem=(\d+)", parts.path)
    if not found:
        return None
    number = found[1]
    return ProblemRef(
        judge="euler", id=f"euler{number}", name=f"Project Euler {number}", problem=number, site=_site(parts),
        submit_url=f"https://projecteuler.net/problem={number}",
    )  # fmt: skip


# The syntax of a judge's own problem names, and the URL for a name.
_NAMES = {
    "codeforces": (re.compile(r"(\d+)(\w+)"), "https://codeforces.com/problemset/problem/{}/{}"),
    "atcoder": (re.compile(r"((\w+)_\w+)"), "https://atcoder.jp/contests/{1}/tasks/{0}"),
    "uva": (re.compile(r"(\d+)"), "https://onlinejudge.org/external/1/{}.pdf"),
    "euler": (re.compile(r"(\d+)"), "https://projecteuler.net/problem={}"),
}

_JUDGES: tuple[tuple[str, Callable[[SplitResult, str], ProblemRef | None]], ...] = (
    ("kattis.com", _parse_kattis),
    ("codeforces.com", _parse_codeforces),
    ("atcoder.jp", _parse_atcoder),
    ("onlinejudge.org", _parse_uva),
    ("udebug.com", _parse_uva),
    ("projecteuler.net", _parse_euler),
)
