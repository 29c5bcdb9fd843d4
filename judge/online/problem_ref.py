"""References to problems at online judges: parse a URL (and a title) into the judge's names and the submit page.

Pure functions on text; nothing here opens a connection. To add a judge, add a row to `_JUDGES`.
"""

import hashlib
import re
from collections.abc import Callable
from urllib.parse import parse_qsl, quote, urlsplit

from msgspec import Struct

MAX_ID = 60  # characters
_LANGUAGE_KEYS = {"locale", "lang", "language"}  # query parameters that do not identify the problem


class ProblemRef(Struct, frozen=True, kw_only=True):
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
    for domain, path, refer in _JUDGES:
        if host == domain or host.endswith(f".{domain}"):
            found = path.fullmatch(parts.path) or (refer is _uva and _UVA_TITLE.match(title))
            return refer(found, f"{parts.scheme}://{parts.netloc}") if found else None
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

_UVA = "https://onlinejudge.org"


def _kattis(found: re.Match[str], site: str) -> ProblemRef:
    contest, name = found[1] or "", found[2]
    folder = f"/contests/{contest}" if contest else ""
    return ProblemRef(
        judge="kattis", id=f"kattis-{slug(name)}", name=f"Kattis {name}", problem=name, contest=contest, site=site,
        submit_url=f"{site}{folder}/problems/{name}/submit",
    )  # fmt: skip


def _codeforces(found: re.Match[str], site: str) -> ProblemRef:
    contest, index = found["contest"] or found["set"], found["index"].upper()
    page = f"/problemset/submit/{contest}/{index}"
    if found["kind"] == "contest":
        page = f"{found['group'] or ''}/contest/{contest}/submit/{index}"
    elif found["kind"]:
        page = f"{found['group'] or ''}/gym/{contest}/submit"
    return ProblemRef(
        judge="codeforces", id=f"codeforces-{contest}{index.lower()}", name=f"Codeforces {contest}{index}",
        problem=f"{contest}{index}", contest=contest, site=site, submit_url=f"{site}{page}",
    )  # fmt: skip


def _atcoder(found: re.Match[str], site: str) -> ProblemRef:
    contest, task = found[1], found[2]
    return ProblemRef(
        judge="atcoder", id=slug(task), name=f"AtCoder {task}", problem=task, contest=contest, site=site,
        submit_url=f"{site}/contests/{contest}/submit?taskScreenName={quote(task)}",
    )  # fmt: skip


def _uva(found: re.Match[str], _: str) -> ProblemRef:
    number = next(each for each in found.groups() if each)
    return ProblemRef(
        judge="uva", id=f"uva{number}", name=f"UVa {number}", problem=number, site=_UVA,
        submit_url=f"{_UVA}/index.php?option=com_onlinejudge&Itemid=25",
    )  # fmt: skip


def _euler(found: re.Match[str], site: str) -> ProblemRef:
    number = found[1]
    return ProblemRef(
        judge="euler", id=f"euler{number}", name=f"Project Euler {number}", problem=number, site=site,
        submit_url=f"https://projecteuler.net/problem={number}",
    )  # fmt: skip


# The syntax of a judge's own problem names, and the URL for a name.
_NAMES = {
    "codeforces": (re.compile(r"(\d+)(\w+)"), "https://codeforces.com/problemset/problem/{}/{}"),
    "atcoder": (re.compile(r"((\w+)_\w+)"), "https://atcoder.jp/contests/{1}/tasks/{0}"),
    "uva": (re.compile(r"(\d+)"), "https://onlinejudge.org/external/1/{}.pdf"),
    "euler": (re.compile(r"(\d+)"), "https://projecteuler.net/problem={}"),
}

_UVA_PATH = re.compile(r".*(?:/external/\d+/p?(\d+)\.(?:pdf|html)|/UVa/(\d+)/?)")
_UVA_TITLE = re.compile(r"\s*(\d{3,5}) - ")  # pages with an internal number have it in the title, `131 - ...`

# A domain, the syntax of a problem's path, and what it refers to.
_JUDGES: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str], str], ProblemRef]], ...] = (
    ("kattis.com", re.compile(r"(?:/contests/([\w-]+))?/problems/([\w-]+)(?:/.*)?"), _kattis),
    (
        "codeforces.com",
        re.compile(
            r"(?P<group>/group/\w+)?/(?:(?P<kind>contest|gym)/(?P<contest>\d+)/problem|"
            r"problemset/(?:problem|gymProblem)/(?P<set>\d+))/(?P<index>\w+)/?"
        ),
        _codeforces,
    ),
    ("atcoder.jp", re.compile(r"/contests/([\w-]+)/tasks/(\w+)/?"), _atcoder),
    ("onlinejudge.org", _UVA_PATH, _uva),
    ("udebug.com", _UVA_PATH, _uva),
    ("projecteuler.net", re.compile(r"/problem=(\d+)"), _euler),
)
