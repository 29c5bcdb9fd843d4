"""Addresses of problems at every judge that Competitive Companion knows: what they name, and that each has its id."""

from urllib.parse import urlsplit

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from judge.model import ProblemSource
from judge.online.addresses import JUDGES, split_url
from judge.online.problem_ref import MAX_ID, describe_problem, problem_ref, source_ref

# Addresses, what the text before ` - ` in `group` is if it matters, ids, and the folder of the contest if there is one.
# Facts about the sites; several addresses in a row are one problem.
TABLE = """
a2oj.com/p?ID=1                                                a2oj-p-1
acmp.ru/index.asp?main=task&id_task=1                          acmp-index-task-1
www.acwing.com/problem/content/1/                              acwing-1
algotester.com/en/ArchiveProblem/DisplayWithFile/20024         algotester-20024
www.learning.algozenith.com/problems/Two-Sum-1                 algozenith-two-sum-1
golf.shinh.org/p.rb?digit+sum                                  shinh-p-digit-sum
judge.u-aizu.ac.jp/onlinejudge/description.jsp?id=CGL_1_A&lang=en  aoj-cgl-1-a
judge.u-aizu.ac.jp/onlinejudge/description.jsp?id=CGL_1_A&lang=ja  aoj-cgl-1-a
onlinejudge.u-aizu.ac.jp/courses/lesson/2/ITP1/1/ITP1_1_A      aoj-itp1-1-a
onlinejudge.u-aizu.ac.jp/challenges/sources/JOI/Prelim/0652    aoj-0652
onlinejudge.u-aizu.ac.jp/services/room.html#KUPC2020/problems/C  aoj-kupc2020-c aoj-kupc2020
atcoder.jp/contests/abc300/tasks/abc300_a?lang=en              abc300-a abc300
atcoder.jp/contests/abc050/tasks/arc066_a                      arc066-a abc050
bapsoj.org/contests/spring/problems/A                          bapsoj-spring-a bapsoj-spring
icpc.bjtu.edu.cn/problem/1000  BJTU_OJ                         bjtu-oj-1000
icpc.bjtu.edu.cn/contest/5/problem/A  BJTU_OJ                  bjtu-oj-5-a bjtu-oj-5
citel.bjtu.edu.cn/acm/problem/1000  BJTU_OJ                    citel-1000
citel.bjtu.edu.cn/acm/contest/5/problem/A  BJTU_OJ             citel-5-a citel-5
www.acmicpc.net/problem/1008                                   acmicpc-1008
www.acmicpc.net/contest/problem/100/3                          acmicpc-100-3 acmicpc-100
judge.beecrowd.com/en/problems/view/1001                       beecrowd-1001
judge.beecrowd.com/pt/problems/view/1001                       beecrowd-1001
judge.beecrowd.com/en/challenges/view/7/1001                   beecrowd-7-1001 beecrowd-7
codecon.bloomberg.com/contest/9/33                             bloomberg-9-33 bloomberg-9
buctcoder.com/problem.php?id=1150                              buctcoder-problem-1150
coj.uci.cu/24h/problem.xhtml?pid=1000                          coj-1000
coj.uci.cu/contest/cproblem.xhtml?pid=1000&cid=5               coj-5-1000 coj-5
www.codechef.com/AUG21B/problems/ALTLG                         codechef-altlg codechef-aug21b
www.codechef.com/problems/ALTLG                                codechef-altlg
www.codechef.com/problems-old/BUS                              codechef-bus
codedrills.io/problems/shell-sort                              codedrills-shell-sort
codedrills.io/contests/amrita-4/problems/shell-sort            codedrills-amrita-4-shell-sort codedrills-amrita-4
codeforces.com/contest/1676/problem/H1                         codeforces-1676h1 codeforces-1676
codeforces.com/problemset/problem/1676/H1?locale=ru            codeforces-1676h1 codeforces-1676
m1.codeforces.com/contest/1676/problem/h1                      codeforces-1676h1 codeforces-1676
codeforces.com/gym/100524/problem/F                            codeforces-100524f codeforces-100524
codeforces.com/group/MWSDmqGsZm/contest/219856/problem/A       codeforces-219856a codeforces-219856
codeforces.com/problemsets/acmsguru/problem/99999/123          codeforces-acmsguru123 codeforces-acmsguru
codeforces.com/edu/course/2/lesson/2/1/practice/contest/269100/problem/A  codeforces-269100a codeforces-269100
algo.codemarshal.org/problems/556a283c                         codemarshal-556a283c
coderun.yandex.ru/problem/two-sum                              coderun-two-sum
codeup.kr/problem.php?id=1001                                  codeup-problem-1001
noi-test.zzstep.com/contest/0x00/0101%20a%5Eb                  zzstep-0x00-0101-a-b-9100edc7 zzstep-0x00
cpython.uz/practice/problems/problem/1                         cpython-1
cpython.uz/competitions/contests/contest/297/problem/A         cpython-297-a cpython-297
cpython.uz/practice/duels/duel/12                              cpython-duels-12-a cpython-duels-12
csacademy.com/contest/archive/task/addition/statement/         csacademy-addition
csacademy.com/contest/round-5/task/addition/                   csacademy-round-5-addition csacademy-round-5
cses.fi/problemset/task/1068/                                  cses-1068
cses.fi/241/task/A                                             cses-241-a cses-241
cpc.csgrandeur.cn/csgoj/problemset/problem?pid=1000            csgrandeur-1000
acm.sztu.edu.cn/csgoj/contest/problem?cid=3&pid=A              sztu-3-a sztu-3
acm.csu.edu.cn/csuoj/contest/problem?cid=3&pid=A               csu-3-a csu-3
dimikoj.com/problems/1/even-odd                                dimikoj-1
dmoj.ca/problem/aplusb                                         dmoj-aplusb
lqdoj.edu.vn/problem/aplusb                                    lqdoj-aplusb
oj.cpl.icu/contest/5/problem/7                                 cpl-5-7 cpl-5
domjudge.example.edu/team/problems/3/text                      example-3
acm.ecnu.edu.cn/contest/5/problem/A/  ECNU_Online_Judge        ecnu-online-judge-5-a ecnu-online-judge-5
eolymp.com/en/problems/1                                       eolymp-1
eolymp.com/uk/problems/1                                       eolymp-1
eolymp.com/en/compete/abc/problem/2                            eolymp-abc-2 eolymp-abc
acm.fzu.edu.cn/contest/problem.php?cid=3&sortid=1              fzu-3-1 fzu-3
www.hackerearth.com/practice/io/practice-problems/algorithm/palindrome-2/  hackerearth-palindrome-2
www.hackerearth.com/problem/algorithm/palindrome-2/description/  hackerearth-palindrome-2
www.hackerearth.com/challenges/competitive/july-21/algorithm/sum-22/  hackerearth-sum-22 hackerearth-july-21
www.hackerrank.com/challenges/first-sum/problem?isFullScreen=true  hackerrank-first-sum
www.hackerrank.com/contests/w1/challenges/second-product       hackerrank-second-product hackerrank-w1
acm.hdu.edu.cn/showproblem.php?pid=1000                        hdu-1000
acm.hdu.edu.cn/contests/contest_showproblem.php?pid=1004&cid=26  hdu-26-1004 hdu-26
acm.hdu.edu.cn/contest/problem?cid=26&pid=1004                 hdu-26-1004 hdu-26
hihocoder.com/contest/hiho1/problem/1                          hihocoder-hiho1-1 hihocoder-hiho1
acm.hit.edu.cn/problemset/1001  HIT_Online_Judge               hit-online-judge-1001
judge.hkoi.org/task/01001                                      hkoi-01001
acm.hrbust.edu.cn/index.php?m=ProblemSet&a=showProblem&problem_id=1000  hrbust-1000
hydro.ac/p/H1000                                               hydro-h1000
hydro.ac/d/team/p/H1000                                        hydro-team-h1000 hydro-team
www.infoarena.ro/problema/loto                                 infoarena-loto
itcoder.hutech.edu.vn/p/5  ITCoder_HUTECH                      itcoder-hutech-5
jutge.org/problems/P75481_es                                   jutge-p75481-es
open.kattis.com/problems/hello                                 kattis-hello
open.kattis.com/contests/nhty9t/problems/hello                 kattis-hello kattis-nhty9t
kep.uz/competitions/contests/contest/9/problem/B               kep-9-b kep-9
kilonova.ro/problems/29                                        kilonova-29
kilonova.ro/contests/34/problems/29                            kilonova-29 kilonova-34
www.lanqiao.cn/problems/1/learning/                            lanqiao-1
www.lanqiao.cn/problems/2/learning/?contest_id=5               lanqiao-2 lanqiao-5
judge.yosupo.jp/problem/aplusb                                 yosupo-aplusb
loj.ac/p/1                                                     loj-1
libreoj.github.io/contest/25/problem/1  LibreOJ                libreoj-25-1 libreoj-25
lightoj.com/contest/c1/arena/problem/A                         lightoj-c1-a lightoj-c1
www.luogu.com.cn/problem/P1001                                 luogu-p1001
www.luogu.com.cn/problem/P1002?contestId=5                     luogu-p1002 luogu-5
marisaoj.com/problem/5                                         marisaoj-5
m.marisaoj.com/mashup/5/problem/3                              marisaoj-5-3 marisaoj-5
mendo.mk/Task.do?id=5                                          mendo-task-5
www.facebook.com/codingcompetitions/hacker-cup/2019/r1/problems/A  meta-hacker-cup-2019-r1-a meta-hacker-cup-2019-r1
informatics.msk.ru/mod/statements/view.php?id=1&chapterid=2    msk-2
dunjudge.me/analysis/problems/179/                             dunjudge-179
ac.2333.moe/Problem/view.xhtml?id=1000                         nbut-1000
ac.2333.moe/Contest/view/id/5/problem/A.xhtml                  nbut-5-a nbut-5
neps.academy/exercise/134                                      neps-134
neps.academy/br/exercise/134                                   neps-134
neps.academy/course/introduction/lesson/easy-sum               neps-introduction-easy-sum neps-introduction
my.newtonschool.co/playground/code/abc/                        newtonschool-abc
acm.njupt.edu.cn/problem/NOJ1027                               njupt-noj1027
acm.njupt.edu.cn/contest/5/board/challenge/A                   njupt-5-a njupt-5
noip.ac/rs/show_problem/5                                      noip-5
ac.nowcoder.com/acm/problem/5                                  nowcoder-5
ac.nowcoder.com/acm/contest/5/A                                nowcoder-5-a nowcoder-5
ac.nowcoder.com/pat/5/problem/7                                nowcoder-pat-5-7 nowcoder-pat-5
training.olinfo.it/task/terry/sum                              olinfo-terry-sum
omegaup.com/arena/problem/sum                                  omegaup-sum
omegaup.com/arena/c1/practice/#problems/sum                    omegaup-sum omegaup-c1
nnsznoi.openjudge.cn/080601/1/                                 openjudge-nnsznoi-080601-1 openjudge-nnsznoi-080601
www.pbinfo.ro/probleme/2/suma-n                                pbinfo-2-suma-n
new.pbinfo.ro/probleme/2/suma-n/                               pbinfo-2-suma-n
wcipeg.com/problem/wc174s4                                     wcipeg-wc174s4
poj.org/problem?id=1000                                        poj-problem-1000
projecteuler.net/problem=54                                    euler54
pintia.cn/problem-sets/9/exam/problems/type/7?problemSetProblemId=99&page=0  pintia-99 pintia-9
zoj.pintia.cn/problem-sets/91/problems/918                     pintia-918 pintia-91
qduoj.com/contest/5/problem/A                                  qduoj-5-a qduoj-5
robocontest.uz/tasks/0018                                      robocontest-0018
robocontest.uz/olympiads/230/tasks/A                           robocontest-230-a robocontest-230
acm.sdut.edu.cn/onlinejudge3/problems/1000                     sdut-1000
acm.sdut.edu.cn/onlinejudge3/contests/5/problems/1000          sdut-5-1000 sdut-5
judge.eluminatis-of-lu.com/contest/66/5                        eluminatis-of-lu-66-5 eluminatis-of-lu-66
sort-me.org/tasks/5                                            sort-me-5
www.spoj.com/problems/TEST/                                    spoj-test
ybt.ssoier.cn:8088/problem_show.php?pid=1006                   ssoier-problem-show-1006
acm.timus.ru/problem.aspx?space=1&num=1000                     timus-1000
timus.online/problem.aspx?num=1000&space=1&locale=ru           timus-1000
acm.timus.ru/problem.aspx?space=340&num=1                      timus-340-1 timus-340
tlx.toki.id/contests/troc-16/problems/A                        tlx-troc-16-a tlx-troc-16
tlx.toki.id/problems/troc-16/A                                 tlx-troc-16-a tlx-troc-16
tlx.toki.id/courses/basic/chapters/01/problems/A               tlx-basic-01-a tlx-basic-01
toph.co/p/book-worm                                            toph-book-worm
toph.co/arena?contest=c1#!/p/book-worm                         toph-book-worm toph-c1
contest.ucup.ac/contest/5/problem/7                            ucup-5-7 ucup-5
uoj.ac/problem/495                                             uoj-495
uoj.ac/contest/50/problem/495                                  uoj-495 uoj-50
pjudge.ac/contest/1029/problem/21691                           pjudge-21691 pjudge-1029
usaco.org/index.php?page=viewproblem2&cpid=1044                usaco-1044
www.usaco.org/current/index.php?page=viewproblem2&cpid=1044    usaco-1044
usaco.training/usacoprob2?a=session&S=ride                     usaco-ride
onlinejudge.org/external/1/131.pdf                             uva131
onlinejudge.org/external/1/p131.pdf                            uva131
www.udebug.com/UVa/131                                         uva131
vjudge.net/problem/CodeForces-406C                             vjudge-codeforces-406c
vjudge.net.cn/problem/CodeForces-406C#author=GPT_zh            vjudge-codeforces-406c
vjudge.net/contest/555#problem/A                               vjudge-555-a vjudge-555
wincentdragonbyte.com/static/f25/M_statement.html  wincentdragonbyte-f25-m wincentdragonbyte-f25
contest.x-camp.org/contest/5/problem/A                         x-camp-5-a x-camp-5
1.14.181.192/problem/detail?id=5  XXM                          xxm-detail-5-65f63359
iai.sh.cn/problem/5  YACS                                      yacs-5
contest.yandex.ru/contest/3/problems/A/                        yandex-3-a yandex-3
official.contest.yandex.com/team/contest/3/problems            yandex-3-a yandex-3
yukicoder.me/problems/no/5                                     yukicoder-5
acm.ocrosoft.com/problem.php?cid=3659&pid=0                    ocrosoft-3659-0 ocrosoft-3659
"""


def rows() -> list[tuple[str, str, str]]:
    """Return addresses, the groups of their problems, and what they should name."""
    found = []
    for line in TABLE.strip().splitlines():
        address, *group, wanted = [part.strip() for part in line.split("  ") if part.strip()]
        found.append((f"https://{address}", group[0].replace("_", " ") if group else "x", wanted))
    return found


def test_an_address_names_the_judge_the_contest_and_the_problem() -> None:
    found, wanted = {}, {}
    for url, group, names in rows():
        ref = describe_problem(url, "A. Sum", f"{group} - Spring")
        found[url], wanted[url] = f"{ref.id} {ref.folder}".strip(), names
    assert found == wanted


def test_addresses_have_one_id_if_and_only_if_they_are_one_problem() -> None:
    keys: dict[str, str] = {}
    for url, group, names in rows():
        ref = describe_problem(url, "A. Sum", group)
        assert keys.setdefault(names.split()[0], ref.key) == ref.key, url
    assert len(set(keys.values())) == len(keys)


def test_every_judge_of_the_table_is_tried() -> None:
    hosts = [urlsplit(url).hostname or "" for url, *_ in rows()]
    assert [judge for judge in JUDGES if not any(host.endswith(tuple(judge[1].split())) for host in hosts)] == []


UNKNOWN = [
    "judge.example/contest/1/A",
    "judge.example/contest/2/A",
    "judge.example/contest/1/B",
    "judge.example/archive/1/view",
    "judge.example/archive/2/view",
    "judge.example/view?set=1&task=A",
    "judge.example/view?set=2&task=A",
    "judge.example/app#/1/A",
    "judge.example/app#/2/A",
    "judge.example/problem/5",
    "judge.example/problem/5#a",
    "judge.example/problem/5?set=1",
    "judge.example/problem/5/editorial",
    "judge.example/a_b/c",
    "judge.example/a/b_c",
    "judge.example/%E9%80%BC",
    "judge.example/%E6%97%A7",
    f"judge.example/{'long' * 20}/a",
    f"judge.example/{'long' * 20}/b",
]


def test_an_address_of_an_unknown_form_has_an_id_of_its_own() -> None:
    ids = {address: describe_problem(f"https://{address}", "A").id for address in UNKNOWN}
    assert len(set(ids.values())) == len(ids), ids


@pytest.mark.parametrize("other", ["?locale=ru", "?lang=en", "/"])
def test_the_language_does_not_count(other: str) -> None:
    for address in ("judge.example/foo/bar", "judge.example/problem/5"):
        ids = {describe_problem(f"https://{address}{ending}", title).id for ending, title in ((other, "B"), ("", "A"))}
        assert len(ids) == 1


PARTS = st.lists(st.sampled_from(["a", "b", "1", "2", "A_b", "problem", "contest", "\u00e9", "x" * 70]), max_size=4)


@settings(deadline=None)
@given(first=st.tuples(PARTS, PARTS, PARTS), second=st.tuples(PARTS, PARTS, PARTS))
def test_two_addresses_are_one_problem_only_if_all_their_parts_are_equal(
    first: tuple[list[str], ...], second: tuple[list[str], ...]
) -> None:
    urls = []
    for path, query, fragment in (first, second):
        pairs = "&".join(f"{at}={value}" for at, value in enumerate(query))
        urls.append(f"https://judge.example/{'/'.join(path)}?{pairs}#{'/'.join(fragment)}")
    assume(first != second)
    assert describe_problem(urls[0], "T").key != describe_problem(urls[1], "T").key


BEGINNINGS = st.sampled_from(
    ["", "https://", "https://x.example/", *(f"https://{judge[1].split()[0]}{judge[2]}" for judge in JUDGES[:6])]
)
ENDINGS = st.text() | st.text("_-1a\u0661\xe9", max_size=3) | st.sampled_from(["1" * 300, "a" * 300, ":x", "]"])


@settings(deadline=None)
@given(url=st.builds(str.__add__, BEGINNINGS, ENDINGS), title=st.text(), group=st.text())
@example(url="https://atcoder.jp/contests/a/tasks/_", title="", group="")  # its id was empty
@example(url="https://codeforces.com/contest/1/problem/\xe9", title="", group="")
@example(url="https://projecteuler.net/problem=\u0661", title="", group="")
@example(url=f"https://projecteuler.net/problem={'1' * 300}", title="", group="")
@example(url="https://x.example:99999/", title="", group="")
def test_every_url_and_title_make_an_id(url: str, title: str, group: str) -> None:
    made = describe_problem(url, title, group).id
    assert made == "-".join(word for word in made.split("-") if word)
    assert made.isascii()
    assert made.lower() == made
    assert 0 < len(made) <= MAX_ID


def test_a_title_alone_makes_an_id() -> None:
    assert describe_problem("", "A Plain Title").id == "a-plain-title"


# ---- judges to submit to --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "title", "url_of_one", "submit_url"),
    [
        ("/problemset/problem/118/a", "", "", "/problemset/submit/118/A"),
        ("/contest/118/problem/a?locale=ru", "", "/contest/118/problem/A", "/contest/118/submit/A"),
        ("/contest/118/problems?locale=ru", "B. Present", "/contest/118/problem/B", "/contest/118/submit/B"),
        ("/gym/100524/problems", "B. Present", "/gym/100524/problem/B", "/gym/100524/submit"),
        ("/group/x/contest/1/problem/A", "", "/group/x/contest/1/problem/A", "/group/x/contest/1/submit/A"),
        ("/problemsets/acmsguru/problem/99999/123", "", "", "/problemsets/acmsguru/submit/99999/123"),
    ],
)
def test_a_page_with_several_problems_names_the_page_of_one(
    url: str, title: str, url_of_one: str, submit_url: str
) -> None:
    ref = problem_ref(f"https://codeforces.com{url}", title)
    assert ref is not None
    site = "https://codeforces.com"
    assert (ref.url, ref.submit_url) == (url_of_one and site + url_of_one, site + submit_url)


@pytest.mark.parametrize(
    ("url", "submit_url"),
    [
        (
            "https://atcoder.jp/contests/abc300/tasks/abc300_a",
            "https://atcoder.jp/contests/abc300/submit?taskScreenName=abc300_a",
        ),
        ("https://open.kattis.com/problems/hello", "https://open.kattis.com/problems/hello/submit"),
        (
            "https://open.kattis.com/contests/c/problems/hello",
            "https://open.kattis.com/contests/c/problems/hello/submit",
        ),
        ("https://projecteuler.net/problem=54", "https://projecteuler.net/problem=54"),
        (
            "https://onlinejudge.org/external/1/131.pdf",
            "https://onlinejudge.org/index.php?option=com_onlinejudge&Itemid=25",
        ),
    ],
)
def test_the_submit_url_is_that_of_the_problem(url: str, submit_url: str) -> None:
    ref = problem_ref(url)
    assert ref is not None
    assert ref.submit_url == submit_url


@pytest.mark.parametrize("title", ["131 - The Psychic Poker Player", "UVa 131"])
def test_the_number_of_a_problem_of_uva_is_in_its_title_or_its_source(title: str) -> None:
    url = "https://onlinejudge.org/index.php?option=com_onlinejudge&page=show_problem&problem=67"
    ref = source_ref(ProblemSource(name=title, url=url))
    assert ref is not None
    assert ref.id == "uva131"
    assert source_ref(ProblemSource(name="The Psychic Poker Player", url=url)) is None


@pytest.mark.parametrize(
    "url", ["https://notkattis.com/problems/hello", "ftp://open.kattis.com/problems/hello", "http://["]
)
def test_a_url_of_an_unknown_judge_is_not_a_problem_ref(url: str) -> None:
    assert problem_ref(url) is None


def test_a_url_without_a_host_is_none() -> None:
    assert split_url("https:///problem") is None
