"""References to problems at online judges: parse a URL (and a title) into the judge's names and the submit page.

Pure functions on text; nothing here opens a connection. `addresses` has the table of all judges; to submit to a judge,
add a row to `_PAGES`.
"""

import hashlib
import re
from collections.abc import Callable
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from judge.model import ProblemSource
from judge.online.addresses import Address, Url, find_address, guess_address, split_url

MAX_ID = 60  # characters


class ProblemRef(Struct, frozen=True, kw_only=True):
    """A problem as its online judge names it.

    Attributes:
        judge: the profile's name, such as `kattis` or `codeforces`; for other judges, what their ids begin with.
        id: the problem's id in a repository.
        name: a display name, such as `Codeforces 118A`; "" for judges without a page to submit.
        problem: the judge's name of the problem in a submission.
        contest: the judge's contest; "" for its archive.
        folder: the name of a folder for the contest; "" for the archive.
        index: the name of the problem in that folder.
        site: scheme and host, such as `https://open.kattis.com`.
        url: of the problem, if another one was given.
        submit_url: the page for submitting in a browser; "" if it is not known.
        page: the problem's own page at the judge's main host, for browser extensions; "" if none submits there.
        key: equal for all addresses of the problem, and for no other problem.
    """

    judge: str
    id: str
    name: str = ""
    problem: str
    contest: str = ""
    folder: str = ""
    index: str = ""
    site: str = ""
    url: str = ""
    submit_url: str = ""
    page: str = ""
    key: str = ""


def problem_ref(url: str, title: str = "") -> ProblemRef | None:
    """Parse the URL of a problem; return None if the judge, or this form of its addresses, is not known.

    The title is for pages with several problems; or it is a name such as `UVa 131`.
    """
    parts = split_url(url) if url.isascii() else None  # not a URL (RFC 3986, 2), and `\w` would match other letters
    address = find_address(parts) if parts else None
    if parts is None or address is None:
        return None
    if not address.problem:
        found = _LABEL.match(title)
        if found is None:
            return None
        address = replace(address, problem=found[1] or found[2])
    syntax, refer = _PAGES.get(address.judge, (".+", _refer))
    return refer(address, parts) if re.fullmatch(syntax, address.problem) else None


def source_ref(source: ProblemSource | None) -> ProblemRef | None:
    """Return the problem that a file names as its source."""
    return problem_ref(source.url, source.name) if source else None


def problem_ref_by_name(judge: str, name: str) -> ProblemRef | None:
    """Parse a judge's own name of a problem, such as `1900A`; return None if it is not a name there."""
    if judge not in _NAMES:
        return None
    pattern, url = _NAMES[judge]
    found = pattern.fullmatch(name)
    return problem_ref(url.format(*found.groups())) if found else None


def describe_problem(url: str, title: str, group: str = "") -> ProblemRef:
    """Return the reference to a problem of any judge, known or not; it has an id, which no other problem has.

    The `group` is the judge, and after ` - ` the contest or a category, as Competitive Companion writes it.
    """
    if known := problem_ref(url, title):
        return known
    parts = split_url(url)
    if parts is None:
        name = slug(title)
        return ProblemRef(judge="", id=name or f"problem-{_digest(url, title)}", problem=title, key=url)
    labels = parts.host.partition(":")[0].split(".")
    own = labels[-2] if len(labels) > 1 else ""  # the word before the last dot
    if not own or (own in _SHARED_DOMAINS and len(labels) > 2) or own.isdecimal():
        own = slug(group.partition(" - ")[0]) or (labels[-3] if len(labels) > 2 else parts.host)
    judge = slug(own)
    address = guess_address(parts, judge)
    if address is not None and address.problem:
        return replace(_refer(address, parts), key=parts.text)
    path = [re.sub(r"\.\w+$", "", part) for part in parts.path.split("/") if part]
    words = [*path[-1:], *parts.query.values(), *([parts.fragment] if parts.fragment else [])] or [title]
    name = slug("-".join([judge, *words]))
    if len(path) > 1 or parts.fragment or not _is_exact(name, judge, *words):
        name = _with_digest(name, parts.text)
    return ProblemRef(judge=judge, id=name, problem=words[-1], site=parts.site, key=parts.text)


def slug(text: str) -> str:
    """Return a text in the characters of an id: `A. String Task` becomes `a-string-task`."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")[:MAX_ID].strip("-")


def make_name(*texts: str) -> str:
    """Return texts in the characters of an id, with a hash in place of what has no characters there."""
    name = slug("-".join(texts))
    return name if _is_exact(name, *texts) else _with_digest(name, *texts)


def _is_exact(name: str, *texts: str) -> bool:
    """Return whether nothing but punctuation is missing in an id."""
    return len("-".join(texts)) <= MAX_ID and all(_READABLE.fullmatch(text) for text in texts) and bool(name)


def _with_digest(name: str, *texts: str) -> str:
    return f"{name[: MAX_ID - 9].strip('-') or 'problem'}-{_digest(*texts)}"


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode(errors="surrogatepass")).hexdigest()[:8]


_READABLE = re.compile("[A-Za-z0-9]+(?:[ _./+-][A-Za-z0-9]+)*")
_LABEL = re.compile(r"\s*(?:Problem )?(\w{1,5})(?:[.:]|\s+-\s)|UVa (\d+)$")  # `A. Sum`, `131 - Sum`
_SHARED_DOMAINS = {"ac", "co", "com", "edu", "github", "go", "gov", "ne", "net", "or", "org", "sh"}  # `hdu.edu.cn`


# ---- judges -------------------------------------------------------------------------------------------------------


def _refer(address: Address, url: Url) -> ProblemRef:
    """Return the reference to a problem of a judge that is not submitted to."""
    judge, contest, problem = address.judge, address.contest, address.problem
    name = make_name(judge, contest, problem) if address.is_local else make_name(judge, problem)
    return ProblemRef(
        judge=judge, id=name, problem=problem, contest=contest, folder=contest and make_name(judge, contest),
        index=contest and make_name(problem), site=url.site,
        key="/".join([judge, contest if address.is_local else "", problem.lower()]),
    )  # fmt: skip


def _kattis(address: Address, url: Url) -> ProblemRef:
    contest, name = address.contest, address.problem
    page = f"/contests/{contest}/problems" if url.path.startswith("/contests/") else "/problems"
    return replace(_refer(address, url), name=f"Kattis {name}", submit_url=f"{url.site}{page}/{name}/submit")


def _codeforces(address: Address, url: Url) -> ProblemRef:
    contest, index, own = address.contest, address.problem.upper(), ""
    if url.path.startswith("/problemset"):
        path = f"{url.path.rpartition('/')[0]}/{index}"
        page = re.sub("/(?:p|gymP)roblem/", "/submit/", path)
    else:
        folder = re.sub("/problems?(?:/[^/]+)?$", "", url.path)
        page = f"{folder}/submit" if "/gym/" in folder else f"{folder}/submit/{index}"
        path = f"{folder}/problem/{index}"
        own = url.site + path
    name = make_name("codeforces", f"{contest}{index}")
    return replace(
        _refer(address, url), id=name, name=f"Codeforces {contest}{index}", problem=f"{contest}{index}",
        url=own, submit_url=url.site + page, page=f"https://codeforces.com{path}",
    )  # fmt: skip


def _atcoder(address: Address, url: Url) -> ProblemRef:
    contest, task = address.contest, address.problem
    name = make_name(task)
    return replace(
        _refer(address, url), id=name, name=f"AtCoder {task}", folder=make_name(contest),
        index=make_name(task.removeprefix(contest).strip("_") or task),
        submit_url=f"{url.site}/contests/{contest}/submit?taskScreenName={quote(task)}",
        page=f"https://atcoder.jp/contests/{contest}/tasks/{task}",
    )  # fmt: skip


def _cses(address: Address, url: Url) -> ProblemRef:
    task = f"{address.contest}/{address.problem}".lstrip("/")
    return replace(
        _refer(address, url), name=f"CSES {task}", problem=task, page=f"https://cses.fi{url.path}",
        submit_url=f"https://cses.fi{url.path.replace('/task/', '/submit/')}/",
    )  # fmt: skip


def _uva_or_euler(address: Address, url: Url) -> ProblemRef:
    number, found = address.problem, replace(_refer(address, url), id=make_name(f"{address.judge}{address.problem}"))
    if address.judge == "euler":
        return replace(found, name=f"Project Euler {number}", submit_url=f"https://projecteuler.net/problem={number}")
    site = "https://onlinejudge.org"
    page = f"{site}/index.php?option=com_onlinejudge&Itemid=25"
    return replace(found, name=f"UVa {number}", site=site, submit_url=page)


# The judges to submit to: the syntax of a problem's name in a URL, and the reference with the page to submit.
_PAGES: dict[str, tuple[str, Callable[[Address, Url], ProblemRef]]] = {
    "kattis": (r"[\w-]+", _kattis),
    "codeforces": (r"\w+", _codeforces),
    "atcoder": (r"\w+", _atcoder),
    "cses": (r"\w+", _cses),
    "uva": (r"\d+", _uva_or_euler),
    "euler": (r"\d+", _uva_or_euler),
}

# The syntax of a judge's own problem names, and the URL for a name.
_NAMES = {
    "codeforces": (re.compile(r"(\d+)(\w+)"), "https://codeforces.com/problemset/problem/{}/{}"),
    "atcoder": (re.compile(r"((\w+)_\w+)"), "https://atcoder.jp/contests/{1}/tasks/{0}"),
    "cses": (re.compile(r"(\d+)"), "https://cses.fi/problemset/task/{}"),
    "uva": (re.compile(r"(\d+)"), "https://onlinejudge.org/external/1/{}.pdf"),
    "euler": (re.compile(r"(\d+)"), "https://projecteuler.net/problem={}"),
}
