"""Where a problem lives at its online judge: from an address (and a title) to the judge, its names and its submit page.

Pure functions on texts; nothing here looks anything up. A new judge is one more row of `_JUDGES`.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, urlsplit

LONGEST_ID = 60
_LANGUAGE_KEYS = {"locale", "lang", "language"}  # of a query; they do not say which problem it is


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemRef:
    """A problem as its online judge names it.

    Attributes:
        judge: the profile's name: `kattis`, `codeforces`, `atcoder`, `uva` or `euler`.
        id: what this project calls the problem.
        name: what people call it, such as `Codeforces 118A`.
        problem: what the judge calls it in a submission.
        contest: the judge's contest; "" for its archive.
        site: scheme and host, such as `https://open.kattis.com`.
        submit: the page where a person submits.
    """

    judge: str
    id: str
    name: str
    problem: str
    contest: str = ""
    site: str
    submit: str


def problem_ref(url: str, title: str = "") -> ProblemRef | None:
    """Return where a problem lives; None when the address is of no judge that is known here."""
    if not url.isascii():  # no browser gives such a one (RFC 3986, 2), and `\w` would take its letters
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme not in ("https", "http"):
        return None
    for ending, read in _JUDGES:
        if host == ending or host.endswith(f".{ending}"):
            return read(parts, title)
    return None


def problem_ref_by_name(judge: str, name: str) -> ProblemRef | None:
    """Return where the problem lives that a judge calls `name`; None where that is no name of one there."""
    found = _NAMED[judge][0].fullmatch(name) if judge in _NAMED else None
    return problem_ref(_NAMED[judge][1].format(*found.groups())) if found else None


def problem_id(url: str, title: str) -> str:
    """Return an id for a problem of any judge: lower-case letters, digits and `-`, at most 60, never empty."""
    known = problem_ref(url, title)
    return known.id if known and _is_id(known.id) else _general_id(url, title)


def slug(text: str) -> str:
    """Return the part of a text that an id can hold: `A. String Task` becomes `a-string-task`."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")[:LONGEST_ID].strip("-")


def _is_id(text: str) -> bool:
    return len(text) <= LONGEST_ID and re.fullmatch("[a-z0-9]+(?:-[a-z0-9]+)*", text) is not None


def _general_id(url: str, title: str) -> str:
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


def _kattis(parts: SplitResult, title: str) -> ProblemRef | None:  # noqa: ARG001 - the table's signature
    found = re.fullmatch(r"(?:/contests/([\w-]+))?/problems/([\w-]+)(?:/.*)?", parts.path)
    if not found:
        return None
    contest, name = found[1] or "", found[2]
    site = _site(parts)
    within = f"/contests/{contest}" if contest else ""
    return ProblemRef(
        judge="kattis", id=f"kattis-{slug(name)}", name=f"Kattis {name}", problem=name, contest=contest, site=site,
        submit=f"{site}{within}/problems/{name}/submit",
    )  # fmt: skip


_CODEFORCES = re.compile(
    r"(?P<group>/group/\w+)?/(?:(?P<kind>contest|gym)/(?P<contest>\d+)/problem|problemset/(?:problem|gymProblem)/(?P<set>\d+))"
    r"/(?P<index>\w+)/?"
)


def _codeforces(parts: SplitResult, title: str) -> ProblemRef | None:  # noqa: ARG001 - the table's signature
    found = _CODEFORCES.fullmatch(parts.path)
    if not found:
        return None
    contest, index = found["contest"] or found["set"], found["index"].upper()
    submit = f"/problemset/submit/{contest}/{index}"
    if found["kind"] == "contest":
        submit = f"{found['group'] or ''}/contest/{contest}/submit/{index}"
    elif found["kind"]:
        submit = f"{found['group'] or ''}/gym/{contest}/submit"
    return ProblemRef(
        judge="codeforces", id=f"codeforces-{contest}{index.lower()}", name=f"Codeforces {contest}{index}",
        problem=f"{contest}{index}", contest=contest, site=_site(parts), submit=f"{_site(parts)}{submit}",
    )  # fmt: skip


def _atcoder(parts: SplitResult, title: str) -> ProblemRef | None:  # noqa: ARG001 - the table's signature
    found = re.fullmatch(r"/contests/([\w-]+)/tasks/(\w+)/?", parts.path)
    if not found:
        return None
    contest, task = found[1], found[2]
    return ProblemRef(
        judge="atcoder", id=slug(task), name=f"AtCoder {task}", problem=task, contest=contest, site=_site(parts),
        submit=f"{_site(parts)}/contests/{contest}/submit?taskScreenName={quote(task)}",
    )  # fmt: skip


_UVA = "https://onlinejudge.org"


def _uva(parts: SplitResult, title: str) -> ProblemRef | None:
    """UVa's own pages name a problem by another number than its own: then the title has it, `131 - The Psychic ...`."""
    path = re.search(r"/external/\d+/p?(\d+)\.(?:pdf|html)$|/UVa/(\d+)/?$", parts.path)
    found = path or re.match(r"\s*(\d{3,5}) - ", title)
    if not found:
        return None
    number = next(each for each in found.groups() if each)
    return ProblemRef(
        judge="uva", id=f"uva{number}", name=f"UVa {number}", problem=number, site=_UVA,
        submit=f"{_UVA}/index.php?option=com_onlinejudge&Itemid=25",
    )  # fmt: skip


def _euler(parts: SplitResult, title: str) -> ProblemRef | None:  # noqa: ARG001 - the table's signature
    found = re.fullmatch(r"/problem=(\d+)", parts.path)
    if not found:
        return None
    number = found[1]
    return ProblemRef(
        judge="euler", id=f"euler{number}", name=f"Project Euler {number}", problem=number, site=_site(parts),
        submit=f"https://projecteuler.net/problem={number}",
    )  # fmt: skip


# What a judge calls its problems, and the address that such a name stands for.
_NAMED = {
    "codeforces": (re.compile(r"(\d+)(\w+)"), "https://codeforces.com/problemset/problem/{}/{}"),
    "atcoder": (re.compile(r"((\w+)_\w+)"), "https://atcoder.jp/contests/{1}/tasks/{0}"),
    "uva": (re.compile(r"(\d+)"), "https://onlinejudge.org/external/1/{}.pdf"),
    "euler": (re.compile(r"(\d+)"), "https://projecteuler.net/problem={}"),
}

_JUDGES: tuple[tuple[str, Callable[[SplitResult, str], ProblemRef | None]], ...] = (
    ("kattis.com", _kattis),
    ("codeforces.com", _codeforces),
    ("atcoder.jp", _atcoder),
    ("onlinejudge.org", _uva),
    ("udebug.com", _uva),
    ("projecteuler.net", _euler),
)
