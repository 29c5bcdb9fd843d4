"""Addresses of problems: the judge, the contest and the problem that a URL names, in one table for all judges.

To add a judge, add a row to `JUDGES`. Pure functions on text; nothing here opens a connection.
"""

import re
from collections.abc import Mapping
from functools import cache
from urllib.parse import parse_qsl, unquote, urlsplit

from msgspec import Struct

_LANGUAGE = re.compile("az|bg|br|de|en|es|fr|id|it|ja|ko|pl|pt|ro|ru|uk|uz|zh")
_LANGUAGE_KEYS = {"locale", "lang", "language"}  # query parameters that do not identify the problem


class Url(Struct, frozen=True, kw_only=True):
    """What of a URL may identify a problem: no language, no `www.`, no slash at the end.

    Attributes:
        site: scheme and host as given, such as `https://open.kattis.com`.
        path: starts with `/` unless it is empty.
        query: the values by key; a query without `=` is a key with itself as its value.
    """

    site: str
    host: str
    path: str
    query: dict[str, str]
    fragment: str

    @property
    def text(self) -> str:
        """One text for all URLs that differ only in the language."""
        query = "&".join(f"{key}={value}" for key, value in sorted(self.query.items()))
        return f"{self.host}{self.path}?{query}#{self.fragment}"


def split_url(url: str) -> Url | None:
    """Return the parts of a URL; None if it is not one of the web."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    if parts.scheme not in ("https", "http") or not host:
        return None
    path = [unquote(part) for part in parts.path.split("/") if part]
    if path and _LANGUAGE.fullmatch(path[0]):
        del path[0]
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    return Url(
        site=f"{parts.scheme}://{parts.netloc}",
        host=host.removeprefix("www.") + port,
        path="".join(f"/{part}" for part in path),
        query={key: value or key for key, value in pairs if key not in _LANGUAGE_KEYS},
        fragment=unquote(parts.fragment),
    )


class Address(Struct, frozen=True, kw_only=True):
    """A problem as its judge names it.

    Attributes:
        contest: "" for the archive of the judge.
        problem: its name; "" if the URL has several problems, and only the title tells them apart.
        is_local: the name means something only within the contest.
    """

    judge: str
    contest: str = ""
    problem: str = ""
    is_local: bool = False


def find_domain(url: Url) -> str:
    """Return the domain of the judge of a URL as the table has it; "" if it has no such judge."""
    domain = url.host.partition(":")[0]
    while domain and domain not in _BY_DOMAIN:
        domain = domain.partition(".")[2]
    return domain


def find_address(url: Url) -> Address | None:
    """Return the address by the table; None if it has no such judge or form."""
    domain = find_domain(url)
    if not domain:
        return None
    judge, _, *forms = _BY_DOMAIN[domain]
    return _match(url, judge or domain.split(".")[-2], tuple(forms))


def guess_address(url: Url, judge: str) -> Address | None:
    """Return the address at a judge that the table does not know, by the forms that most judges use."""
    return _match(url, judge, _ANYWHERE, is_exact=True)


def _match(url: Url, judge: str, forms: tuple[str, ...], *, is_exact: bool = False) -> Address | None:
    for form in forms:
        found = _match_form(form, url, is_exact=is_exact)
        if found is not None:
            contest = found.get("contest", "")
            return Address(
                judge=judge,
                contest=contest or found.get("round", ""),
                problem=found.get("problem", ""),
                is_local=bool(contest),
            )
    return None


# ---- forms --------------------------------------------------------------------------------------------------------

_PLACEHOLDER = re.compile(r"(\{\w+\}|/\*\*|\*|@\w+)")
_WORDS = {
    "@problem": "(?:problems?|problemset(?:/problem)?|tasks?|p|challenges?|exercises?|problema)",
    "@contest": "(?:contests?|competitions?|olympiads?|d)",
    "@view": "(?:problem|description|statement|learning|text|view)",
}


def _match_form(form: str, url: Url, *, is_exact: bool) -> Mapping[str, str] | None:
    """Return the texts by the names in a form, see `JUDGES`; None if a URL has another form."""
    address, _, fragment = form.partition("#")
    path, _, query = address.partition("?")
    pairs = [pair.partition("=")[::2] for pair in query.split("&") if pair]
    if is_exact and (len(pairs) != len(url.query) or (url.fragment and not fragment)):
        return None
    place = f"//{url.host}{url.path}" if path.startswith("//") else url.path
    found: dict[str, list[str]] = {}
    for match in (_pattern(path).fullmatch(place), _pattern(fragment).fullmatch(url.fragment if fragment else "")):
        if match is None:
            return None
        for name, text in match.groupdict().items():
            found.setdefault(name.rstrip("_"), []).append(text)
    for key, name in pairs:
        if key not in url.query or (name != url.query[key] and not name.startswith("{")):
            return None
        if name.startswith("{"):
            found.setdefault(name.strip("{}"), []).append(url.query[key])
    return {name: "/".join(texts) for name, texts in found.items()}


@cache
def _pattern(text: str) -> re.Pattern[str]:
    names: list[str] = []

    def replace(part: str) -> str:
        if part.startswith("{"):
            name = part.strip("{}")
            names.append(name)
            return f"(?P<{name}{'_' * (names.count(name) - 1)}>[^/]+)"
        return {"/**": "(?:/.*)?", "*": "[^/]*", **_WORDS}.get(part) or re.escape(part)

    return re.compile("".join(replace(part) for part in _PLACEHOLDER.split(text)))


# ---- judges -------------------------------------------------------------------------------------------------------

# The name of a judge in ids ("" for the word before the last dot of the domain), its domains, and forms of addresses:
#   {problem}   the name of the problem; without it, the title begins with the name (`A. Sum`)
#   {contest}   the contest, if a name of a problem is unique only there
#   {round}     the contest, if the name of a problem is unique at the judge
#   * **        one part of the path, or any number of them
# A name that comes twice has both texts. After `?` are the keys of the query that count, in any order. A form that
# begins with `//` has the host. The first form that fits counts; the language (`/en/`, `?locale=en`) is left out.
JUDGES: tuple[tuple[str, ...], ...] = (
    # judges to submit to: see `problem_ref`
    ("", "kattis.com", "/contests/{round}/problems/{problem}/**", "/sessions/{round}/problems/{problem}/**",
     "/**/problems/{problem}/**"),
    ("codeforces", "codeforces.com codeforces.ml codeforces.es", "/problemset/problem/{contest}/{problem}",
     "/problemset/gymProblem/{contest}/{problem}", "/problemsets/{contest}/problem/*/{problem}",
     "/contest/{contest}/problem/{problem}", "/gym/{contest}/problem/{problem}", "/contest/{contest}/problems",
     "/gym/{contest}/problems", "/group/*/contest/{contest}/problem/{problem}",
     "/group/*/gym/{contest}/problem/{problem}", "/group/*/contest/{contest}/problems",
     "/group/*/gym/{contest}/problems", "/edu/course/*/lesson/*/*/practice/contest/{contest}/problem/{problem}"),
    ("", "atcoder.jp", "/contests/{round}/tasks/{problem}"),
    ("uva", "onlinejudge.org udebug.com", "/**/external/*/p{problem}.*", "/**/external/*/{problem}.*",
     "/UVa/{problem}", "/index.php?problem={id}"),
    ("euler", "projecteuler.net", "/problem={problem}"),
    # all others, by domain
    ("nbut", "2333.moe", "/Problem/view.xhtml?id={problem}", "/Contest/view/id/{contest}/problem/{problem}.xhtml"),
    ("", "acmicpc.net", "/problem/{problem}", "/contest/problem/{contest}/{problem}"),
    ("", "acwing.com", "/problem/content/description/{problem}", "/problem/content/{problem}"),
    ("", "algotester.com", "/ArchiveProblem/*/{problem}", "/ContestProblem/*/{contest}/{problem}"),
    ("", "beecrowd.com", "/problems/view/{problem}", "/challenges/view/{contest}/{problem}"),
    ("citel", "citel.bjtu.edu.cn", "/acm/problem/{problem}", "/acm/contest/{contest}/problem/{problem}"),
    ("", "codechef.com", "/problems/{problem}", "/{round}/problems/{problem}", "/problems-old/{problem}",
     "/{round}/problems-old/{problem}", "/submit/{problem}", "/{round}/submit/{problem}", "/**/problems/{problem}"),
    ("coderun", "coderun.yandex.ru", "/problem/{problem}/**", "/selections/{round}/problems/{problem}",
     "/**/problems/{problem}"),
    ("coj", "coj.uci.cu", "/24h/problem.xhtml?pid={problem}", "/contest/cproblem.xhtml?cid={contest}&pid={problem}"),
    ("", "cpython.uz kep.uz", "/practice/problems/problem/{problem}", "/practice/{contest}/duel/{contest}",
     "/competitions/contests/contest/{contest}/problem/{problem}"),
    ("", "csacademy.com", "/contest/archive/task/{problem}/**", "/contest/{contest}/task/{problem}/**",
     "/{contest}/task/{problem}/**"),
    ("", "cses.fi", "/problemset/task/{problem}", "/{contest}/task/{problem}"),
    ("", "csgrandeur.cn", "/*/problemset/problem?pid={problem}", "/*/contest/problem?cid={contest}&pid={problem}"),
    ("sztu", "sztu.edu.cn", "/*/problemset/problem?pid={problem}", "/*/contest/problem?cid={contest}&pid={problem}"),
    ("csu", "csu.edu.cn", "/csuoj/problemset/problem?pid={problem}",
     "/csuoj/contest/problem?cid={contest}&pid={problem}"),
    ("", "dimikoj.com", "/problems/{problem}/**"),
    ("", "dmoj.ca", "/problem/{problem}/**"),
    ("lqdoj", "lqdoj.edu.vn", "/problem/{problem}/**"),
    ("", "dunjudge.me", "/analysis/problems/{problem}"),
    ("", "eolymp.com", "/problems/{problem}", "/compete/{contest}/problem/{problem}", "/**/problems/{problem}"),
    ("meta", "facebook.com", "/codingcompetitions/{contest}/{contest}/{contest}/problems/{problem}"),
    ("fzu", "fzu.edu.cn", "/problem.php?pid={problem}", "/contest/problem.php?cid={contest}&sortid={problem}"),
    ("", "hackerearth.com", "/challenges/*/{round}/*/{problem}/**", "/challenge/*/{round}/*/{problem}/**",
     "/**/algorithm/{problem}/**", "/**/approximate/{problem}/**", "/problem/*/{problem}/**"),
    ("", "hackerrank.com", "/challenges/{problem}/**", "/contests/{round}/challenges/{problem}/**"),
    ("hdu", "hdu.edu.cn", "/contests/*?cid={contest}&pid={problem}", "/contest/problem?cid={contest}&pid={problem}",
     "/showproblem.php?pid={problem}"),
    ("hrbust", "hrbust.edu.cn", "/index.php?problem_id={problem}"),
    ("", "informatics.msk.ru", "/mod/statements/**?chapterid={problem}"),
    ("", "kilonova.ro", "/problems/{problem}/**", "/contests/{round}/problems/{problem}/**"),
    ("", "lanqiao.cn", "/problems/{problem}/**?contest_id={round}", "/problems/{problem}/**"),
    ("", "lightoj.com", "/problem/{problem}", "/contest/{contest}/arena/problem/{problem}"),
    ("luogu", "luogu.com.cn", "/problem/{problem}?contestId={round}", "/problem/{problem}"),
    ("", "marisaoj.com", "/problem/{problem}", "/mashup/{contest}/problem/{problem}"),
    ("neps", "neps.academy", "/exercise/{problem}", "/competition/{contest}/exercise/{problem}",
     "/course/{contest}/lesson/{problem}"),
    ("", "newtonschool.co", "/playground/code/{problem}"),
    ("njupt", "njupt.edu.cn", "/problem/{problem}", "/contest/{contest}/board/challenge/{problem}"),
    ("", "noip.ac", "/rs/show_problem/{problem}"),
    ("", "nowcoder.com", "/acm/problem/{problem}", "/acm/contest/{contest}/{problem}",
     "/{contest}/{contest}/problem/{problem}"),
    ("", "olinfo.it", "/task/{problem}", "/task/{problem}/{problem}"),
    ("", "omegaup.com", "/arena/problem/{problem}", "/arena/{round}/**#problems/{problem}"),
    ("", "openjudge.cn", "//{contest}.openjudge.cn/{contest}/{problem}"),
    ("", "pbinfo.ro", "/probleme/{problem}/{problem}"),
    ("", "pintia.cn", "/problem-sets/{round}/**?problemSetProblemId={problem}",
     "/problem-sets/{round}/**/problems/{problem}"),
    ("sdut", "sdut.edu.cn", "/onlinejudge3/problems/{problem}",
     "/onlinejudge3/contests/{contest}/problems/{problem}"),
    ("", "spoj.com", "/problems/{problem}/**", "/{contest}/problems/{problem}/**"),
    ("timus", "timus.ru timus.online acm-judge.urfu.ru", "/problem.aspx?space=1&num={problem}",
     "/problem.aspx?space={contest}&num={problem}"),
    ("tlx", "tlx.toki.id", "/contests/{contest}/problems/{problem}", "/problems/{contest}/{problem}",
     "/courses/{contest}/chapters/{contest}/problems/{problem}"),
    ("", "toph.co", "/p/{problem}", "/arena?contest={round}#!/p/{problem}"),
    ("aoj", "u-aizu.ac.jp", "/onlinejudge/description.jsp?id={problem}",
     "/onlinejudge/cdescription.jsp?cid={contest}&pid={problem}", "/services/room.html#{contest}/problems/{problem}",
     "/challenges/**/{problem}", "/courses/**/{problem}", "/problems/{problem}"),
    ("", "uoj.ac pjudge.ac", "/problem/{problem}", "/contest/{round}/problem/{problem}"),
    ("", "usaco.org", "/**/index.php?cpid={problem}"),
    ("", "usaco.training", "/usacoprob2?S={problem}"),
    ("vjudge", "vjudge.net vjudge.net.cn", "/problem/{problem}", "/contest/{contest}#problem/{problem}"),
    ("", "wincentdragonbyte.com", "/problem/{problem}", "/problem/{contest}/{problem}",
     "/static/{contest}/{problem}_statement.html"),
    ("yandex", "contest.yandex.ru contest.yandex.com contest2.yandex.ru contest2.yandex.com",
     "/**/contest/{contest}/problems/{problem}", "/**/contest/{contest}/problems"),
    ("", "yukicoder.me", "/problems/no/{problem}"),
)  # fmt: skip

_BY_DOMAIN = {domain: row for row in JUDGES for domain in row[1].split()}

# Judges whose groups name the contest of a problem, which its URL does not.
CONTESTS_IN_GROUPS = {"dmoj", "arena", "vnoi", "ayjcoding", "lqdoj"}

# @problem, @contest and @view stand for the words that judges use there.
_ANYWHERE = (
    "/@problem/{problem}",
    "/@problem/{problem}/@view",
    "/@contest/{contest}/@problem/{problem}",
    "/@contest/{contest}/@problem/{problem}/@view",
    "/@contest/{contest}/{problem}",
    "/p/{problem}?tid={round}",
    "/**?cid={contest}&pid={problem}",
    "/**/team/problems/{problem}/text",
    "/**/public/problems/{problem}/text",
)
