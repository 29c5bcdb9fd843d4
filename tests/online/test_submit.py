"""`judge submit` against real servers that follow the protocols: what goes in, what is said, and what never happens."""

import hashlib
import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from judge.errors import StoreError
from judge.history.submissions import Submission, Submissions
from judge.online.submit import poll as waiting
from judge.online.submit.credentials import Secret
from judge.online.submit.domjudge import DomJudge
from judge.online.submit.http import Site
from tests.commands.test_cli import judge, write
from tests.online import online_judge as site
from tests.online.online_judge import OnlineJudge
from tests.programs import processes_with

CapSys = pytest.CaptureFixture[str]
SOURCE = "print(2 * int(input()))\n"
PROBLEM = "name: Twice\nprofile: kattis\n"
CASES = 'cases:\n  - {name: one, input: "4\\n", answer: "8\\n"}\n'
MINE = "solutions/twice/accepted/twice.py"


@pytest.fixture
def server() -> Iterator[OnlineJudge]:
    with site.online_judge() as running:
        yield running


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_FIRST_S", 0.01)
    for name in ("KATTISRC", "NETRC", "SUBMITBASEURL", "SUBMITCONTEST", "HTTPS_PROXY", "https_proxy", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: OnlineJudge) -> Path:
    """A repository with the problem `twice`, and a home with the credentials for the server; the current folder."""
    folder = tmp_path / "repository"
    write(folder / "problems/twice/problem.yaml", PROBLEM)
    write(folder / "testcases/twice/sample.yaml", CASES)
    write(folder / MINE, SOURCE)
    home = tmp_path / "home"
    kattisrc(home / ".kattisrc", server.url)
    write(home / ".netrc", f"machine 127.0.0.1\nlogin {site.USER}\npassword {site.PASSWORD}\n").chmod(0o600)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(folder)
    return folder


def kattisrc(path: Path, url: str, secret: str = f"token: {site.TOKEN}") -> Path:
    text = (
        f"[user]\nusername: {site.USER}\n{secret}\n\n[kattis]\nhostname: 127.0.0.1\nloginurl: {url}/login\n"
        f"submissionurl: {url}/submit\nsubmissionsurl: {url}/submissions\n"
    )
    write(path, text).chmod(0o600)
    return path


def submit(*argv: str, capsys: CapSys, to: str = "kattis") -> tuple[int, str, str]:
    """Submit without a question; what is printed never has a secret."""
    name = {"kattis": ["--as", "twice"], "domjudge": ["--as", "B"]}[to]
    if "--as" in argv:
        name = []
    status, out, err = judge("submit", MINE, "--to", to, *name, "--yes", "--timeout", "20", *argv, capsys=capsys)
    for secret in site.SECRETS:
        assert secret not in out + err
    assert "Traceback" not in err
    return status, out, err


def rows(root: Path) -> list[Submission]:
    with closing(sqlite3.connect(root / ".judge/submissions.sqlite")) as connection:
        return Submissions(connection).all()


# ---- Kattis ------------------------------------------------------------------------------------------------------


def test_kattis_gets_the_form_that_it_documents_and_its_verdict_is_told_and_kept(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    status, out, err = submit(capsys=capsys)
    assert (status, out) == (
        0,
        f"submitted 1: {server.url}/submissions/1\nverdict   Accepted (70 ms)\n",
    )
    (got,) = server.received
    assert got.fields["problem"] == ["twice"]
    assert got.fields["language"] == ["Python 3"]
    assert got.fields["mainclass"] == [""]
    assert got.files == [("sub_file[]", "twice.py", SOURCE.encode())]
    assert "judge: New\n" in err
    assert "judge: Running\n" in err
    (row,) = rows(root)
    assert (row.state, row.verdict, row.cpu, row.remote_id) == ("judged", "Accepted", 0.07, "1")
    assert (row.judge, row.host, row.problem) == ("Kattis", server.url, "twice")
    assert row.sha256 == hashlib.sha256(SOURCE.encode()).hexdigest()


@pytest.mark.parametrize(("number", "words"), [(14, "Wrong Answer"), (12, "Time Limit Exceeded"), (6, "Judge Error")])
def test_a_verdict_that_is_not_accepted_is_status_1(
    root: Path, server: OnlineJudge, capsys: CapSys, number: int, words: str
) -> None:
    server.statuses = [number]
    status, out, _ = submit(capsys=capsys)
    assert (status, out.splitlines()[1]) == (1, f"verdict   {words} (70 ms)")
    assert rows(root)[0].verdict == words


def test_a_compile_error_is_shown_with_the_compilers_words(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.statuses = [3, 8]
    status, out, _ = submit(capsys=capsys)
    assert status == 1
    assert out.endswith("  hello.c:1: error: expected <identifier>\n")
    assert root.is_dir()


def test_java_tells_its_main_class(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(
        root / "solutions/twice/accepted/Twice.java", "public class Twice { public static void main(String[] a) {} }\n"
    )
    argv = ["solutions/twice/accepted/Twice.java", "--as", "twice", "--to", "kattis", "--yes", "--force"]
    assert judge("submit", *argv, capsys=capsys)[0] == 0
    assert (server.received[0].fields["language"], server.received[0].fields["mainclass"]) == (["Java"], ["Twice"])


def test_a_password_serves_where_there_is_no_token(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    other = kattisrc(root / "other", server.url, f"password: {site.PASSWORD}")
    assert submit("--kattisrc", str(other), capsys=capsys)[0] == 0


def test_the_variable_names_the_file_too(
    root: Path, server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(os.environ["HOME"]) / ".kattisrc").unlink()
    monkeypatch.setenv("KATTISRC", str(kattisrc(root / "other", server.url)))
    assert submit(capsys=capsys)[0] == 0
    assert root.is_dir()


def test_the_problem_and_its_contest_come_from_the_address(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    url = f"{server.url}/problems/hello"  # not at kattis.com, so it has to be named
    write(root / "problems/twice/problem.yaml", f"{PROBLEM}source: {{name: Hello, url: '{url}'}}\n")
    status, _, err = judge("submit", MINE, "--yes", capsys=capsys)
    assert (status, err) == (2, "judge: twice: what does Kattis call it? Say --as NAME, as in .../problems/NAME\n")
    away = "https://open.kattis.com/contests/abc/problems/hello"
    write(root / "problems/twice/problem.yaml", f"{PROBLEM}source: {{name: Hello, url: '{away}'}}\n")
    status, _, err = judge("submit", MINE, "--yes", capsys=capsys)
    assert status == 2
    assert "the problem is at open.kattis.com, and " in err
    assert ".kattisrc is for 127.0.0.1: download the right one from https://open.kattis.com/download/kattisrc" in err
    assert server.requests == []


def test_what_the_judge_does_not_know_is_refused_in_its_own_words(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    status, _, err = submit("--as", "nonesuch", capsys=capsys)
    assert status == 2
    assert err.endswith(f"judge: {server.url} refused it: Problem nonesuch not found. Nothing went in\n")
    assert submit("--language", "Python 9", capsys=capsys)[2].endswith(
        "refused it: Unknown language Python 9. Nothing went in\n"
    )
    assert [row.state for row in rows(root)] == ["refused", "refused"]


# ---- DOMjudge ----------------------------------------------------------------------------------------------------


def domjudge(server: OnlineJudge, *argv: str, capsys: CapSys) -> tuple[int, str, str]:
    return submit("--url", f"{server.url}/domjudge/team", *argv, capsys=capsys, to="domjudge")


def test_domjudge_gets_the_form_of_its_api_and_its_verdict_is_told_and_kept(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    status, out, err = domjudge(server, capsys=capsys)
    assert (status, out) == (
        0,
        f"submitted s1: {server.url}/domjudge/team/submission/s1\nverdict   AC (correct) (125 ms)\n",
    )
    (got,) = server.received
    assert got.fields == {"problem": ["p-1"], "language": ["python3"]}
    assert got.files == [("code[]", "twice.py", SOURCE.encode())]
    assert got.contest == "demo"
    for line in ("contest   demo\n", "problem   B twice\n", "language  Python 3\n", "file      twice.py, 24 B\n"):
        assert line in err
    (row,) = rows(root)
    assert (row.state, row.verdict, row.remote_id, row.problem) == ("judged", "AC (correct)", "s1", "demo/p-1")


def test_the_only_contest_is_taken_and_of_several_one_must_be_named(
    root: Path, server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.contests = [site.contest("one"), site.contest("two")]
    status, _, err = domjudge(server, capsys=capsys)
    assert status == 2
    assert err.endswith(f"{server.url}/domjudge has 2 contests; say which: --contest one, two\n")
    assert domjudge(server, "--contest", "TWO", capsys=capsys)[0] == 0
    monkeypatch.setenv("SUBMITCONTEST", "one")
    assert domjudge(server, capsys=capsys)[0] == 0
    assert [got.contest for got in server.received] == ["two", "one"]
    monkeypatch.delenv("SUBMITCONTEST")
    server.contests = []
    assert "no contest is running" in domjudge(server, capsys=capsys)[2]
    assert root.is_dir()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--as", "Z"], "there is no problem Z there; --as takes one of: A, B"),
        (["--language", "cobol"], "there is no language cobol there; --language takes one of: c, java, python3"),
        (["--contest", "gone"], "there is no contest gone there; --contest takes one of: demo"),
    ],
)
def test_what_domjudge_has_not_is_told_with_what_it_has(
    root: Path, server: OnlineJudge, capsys: CapSys, argv: list[str], message: str
) -> None:
    status, _, err = domjudge(server, *argv, capsys=capsys)
    assert (status, message in err) == (2, True)
    assert (server.received, rows(root)) == ([], [])


def test_names_of_the_server_cannot_do_anything_to_a_terminal(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.contests = [{"id": "demo", "shortname": "\x1b[2J demo"}, {"id": "b", "shortname": "\x9b2J"}]
    _, _, err = domjudge(server, capsys=capsys)
    assert err.endswith("say which: --contest \\x1b[2J demo, \\x9b2J\n")
    assert "contest   \\x1b[2J demo\n" in domjudge(server, "--contest", "demo", capsys=capsys)[2]
    assert root.is_dir()


def test_what_domjudge_runs_is_what_the_profile_says(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(root / MINE, "match int(input()):\n    case number:\n        print(2 * number)\n")
    assert domjudge(server, "--no-wait", capsys=capsys)[0] == 0
    write(root / "problems/twice/problem.yaml", PROBLEM.replace("kattis", "icpc"))
    status, _, err = domjudge(server, "--again", capsys=capsys)
    assert (status, "pattern matching: new in Python 3.10; ICPC World Finals runs" in err) == (1, True)
    assert len(server.received) == 1


def test_every_status_of_success_is_one(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.faults["POST /domjudge/api/v4/contests/demo/submissions"] = [site.status(201, '{"id": "s1"}')]
    status, out, _ = domjudge(server, capsys=capsys)
    assert (status, out.splitlines()[0]) == (0, f"submitted s1: {server.url}/domjudge/team/submission/s1")
    assert [row.state for row in rows(root)] == ["judged"]


@pytest.mark.parametrize("verdict", ["\x1b[31mAC", "\ud800"])
def test_a_verdict_cannot_do_anything_to_a_terminal_either(
    root: Path, server: OnlineJudge, capsys: CapSys, verdict: str
) -> None:
    server.verdicts = [verdict]
    status, out, _ = domjudge(server, capsys=capsys)
    assert (status, "verdict   \\x" in out) == (1, True)
    assert rows(root)[0].verdict.endswith("(of no known type)")


def test_one_domjudge_is_one_however_its_address_is_written() -> None:
    for url in (
        "https://Judge.Example:443/dj/team",
        "https://judge.example/dj/",
        "https://judge.example/dj/api/v4?x#y",
    ):
        assert DomJudge(url, timeout=20).site == "https://judge.example/dj"


def test_domjudges_own_message_is_told(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    path = "/domjudge/api/v4/contests/demo/submissions"
    server.faults[f"POST {path}"] = [site.status(400, '{"code": 400, "message": "Submissions are closed."}')]
    status, _, err = domjudge(server, capsys=capsys)
    assert status == 2
    assert err.endswith(
        "did not take the submission: 400 Bad Request; it says: Submissions are closed. Nothing went in\n"
    )
    assert root.is_dir()


def test_a_netrc_that_others_can_read_is_warned_of(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    netrc = Path(os.environ["HOME"]) / ".netrc"
    netrc.chmod(0o644)
    _, _, err = domjudge(server, capsys=capsys)
    assert f"judge: warning: {netrc} can be read by other users of this machine: chmod 600 {netrc}\n" in err
    assert root.is_dir()


# ---- before anything is sent ----------------------------------------------------------------------------------------


def test_a_file_that_is_not_as_expected_is_not_sent_unless_that_is_wanted(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    write(root / MINE, "print(9)\n")
    status, out, err = submit(capsys=capsys)
    assert (status, out) == (1, "")
    assert err.endswith(f"judge: {MINE} is not as it should be: nothing was sent; --force sends it all the same\n")
    assert (server.requests, rows(root)) == ([], [])
    status, _, err = submit("--force", capsys=capsys)
    assert status == 0
    assert f"judge: {MINE} is not as it should be: sent all the same, as --force says\n" in err
    assert len(server.received) == 1


def test_an_example_of_a_wrong_solution_is_not_sent_by_accident(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    wrong = "solutions/twice/wrong_answer/off.py"
    write(root / wrong, "print(9)\n")
    status, _, err = judge("submit", wrong, "--as", "twice", "--yes", capsys=capsys)
    assert status == 1
    assert f"judge: {wrong} stands in a folder of wrong_answer solutions\n" in err
    assert server.requests == []


def test_a_file_that_is_changed_while_it_is_judged_is_not_sent(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    mark = f"slow-{os.getpid()}-{time.monotonic_ns()}.py"
    mine = write(root / f"solutions/twice/accepted/{mark}", "import time\ntime.sleep(2)\nprint(8)\n")

    def change() -> None:
        deadline = time.monotonic() + 60
        while not processes_with(f"/{mark}") and time.monotonic() < deadline:
            time.sleep(0.01)
        mine.write_text(SOURCE)

    thread = threading.Thread(target=change)
    thread.start()
    status, _, err = judge("submit", str(mine), "--to", "kattis", "--as", "twice", "--yes", capsys=capsys)
    thread.join()
    assert (status, server.requests) == (2, [])
    assert err.endswith(f"{mark} was changed while it was judged; judge submit it again\n")


def test_nobody_to_ask_and_no_yes_is_refused(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    status, _, err = judge("submit", MINE, "--as", "twice", capsys=capsys)
    assert status == 2
    assert err == "judge: standard input is no terminal, so nobody can be asked: say --yes to submit all the same\n"
    assert (server.requests, root.is_dir()) == ([], True)


def test_the_same_source_does_not_go_twice_by_accident(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    assert submit(capsys=capsys)[0] == 0
    server.questions = 0
    status, _, err = submit(capsys=capsys)
    assert status == 2
    pattern = (
        r"judge: the same source for twice of \S+ was submitted on [\d: -]+ UTC as 1: Accepted\. Nothing was sent; "
    )
    assert re.search(pattern + r"--again sends it once more\n$", err)
    assert len(server.received) == 1
    assert submit("--again", capsys=capsys)[0] == 0
    assert len(server.received) == 2
    write(root / MINE, SOURCE + "# another\n")
    assert submit(capsys=capsys)[0] == 0


def test_what_was_cut_short_is_known_afterwards(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.after["POST /submit"] = [site.drop]
    status, _, err = submit(capsys=capsys)
    assert status == 2
    assert err.endswith(
        f"judge: {server.url}: the connection broke before the answer came: try again later. It may have arrived: look "
        f"at {server.url}/submissions before you send it again\n"
    )
    assert [row.state for row in rows(root)] == ["unknown"]
    status, _, err = submit(capsys=capsys)
    assert status == 2
    assert f"may have arrived: look at {server.url}/submissions before you send it again. Nothing was sent" in err
    assert len(server.received) == 1


def test_a_row_is_there_before_anything_is_sent(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    seen: list[str] = []

    def look(handler: site._Handler) -> None:
        seen.extend(row.state for row in rows(root))
        handler.answer(500, "")

    server.faults["POST /submit"] = [look]
    assert submit(capsys=capsys)[0] == 2
    assert seen == ["sending"]


def test_a_history_that_cannot_be_used_ends_it_before_anything_is_sent(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    write(root / ".judge/submissions.sqlite", b"no database at all, and long enough to be looked at" * 100)
    status, _, err = submit(capsys=capsys)
    assert (status, server.requests) == (2, [])
    assert (
        "judge: the history of submissions cannot be used (file is not a database): without it, nobody notices" in err
    )


def test_of_two_that_begin_at_once_one_gets_the_row_of_the_other(tmp_path: Path) -> None:
    facts: Any = {"judge": "Kattis", "host": "h", "problem": "p", "sha256": "0" * 64, "language": "C"}
    barrier = threading.Barrier(4)
    got: list[int | Submission] = []

    def begin() -> None:
        with closing(sqlite3.connect(tmp_path / "submissions.sqlite", timeout=30)) as connection:
            table = Submissions(connection)
            barrier.wait()
            got.append(table.begin(**facts))

    threads = [threading.Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(each).__name__ for each in got) == ["Submission", "Submission", "Submission", "int"]


def test_what_was_sent_is_told_though_it_cannot_be_recorded(
    root: Path, server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Submissions, "update", full)
        status, out, err = submit(capsys=capsys)
    assert (status, out) == (2, f"submitted 1: {server.url}/submissions/1\n")
    assert err.endswith("judge: the disk is full\n")
    assert "may have arrived" in submit(capsys=capsys)[2]
    assert len(server.received) == 1
    assert root.is_dir()


def test_a_file_with_an_odd_name_goes_all_the_same(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(root / "\udcff.py", SOURCE)
    argv = ["\udcff.py", "--problem", "twice", "--as", "twice", "--to", "kattis", "--yes"]
    assert judge("submit", *argv, capsys=capsys)[0] == 0
    assert server.received[0].files == [("sub_file[]", "?.py", SOURCE.encode())]


def test_no_wait_leaves_the_verdict_to_the_page(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    status, out, _ = submit("--no-wait", capsys=capsys)
    assert (status, out) == (0, f"submitted 1: {server.url}/submissions/1\n")
    assert [row.state for row in rows(root)] == ["sent"]
    assert f"UTC as 1: look at {server.url}/submissions, or say --follow. Nothing was sent" in submit(capsys=capsys)[2]


@pytest.mark.parametrize("to", ["kattis", "domjudge"])
def test_the_verdict_of_what_was_sent_is_fetched_later(
    root: Path, server: OnlineJudge, capsys: CapSys, to: str
) -> None:
    where = ("--url", f"{server.url}/domjudge") if to == "domjudge" else ()
    assert "this source was never sent to" in submit("--follow", *where, to=to, capsys=capsys)[2]
    assert submit("--no-wait", *where, to=to, capsys=capsys)[0] == 0
    sent = len(server.received)
    server.statuses, server.verdicts = [5, 14], [None, "WA"]
    status, out, err = submit("--follow", *where, to=to, capsys=capsys)
    assert status == 1
    assert out.startswith("verdict   W")
    assert "ready for" not in err  # what is there is not judged again
    assert len(server.received) == sent
    assert [row.state for row in rows(root)] == ["judged"]
    assert "was submitted on" in submit("--follow", *where, to=to, capsys=capsys)[2]


# ---- faults -----------------------------------------------------------------------------------------------------

NOT_IN = "Nothing went in\n"
MAYBE = "/submissions before you send it again\n"


@pytest.mark.parametrize(
    ("where", "fault", "message", "end"),
    [
        (
            "POST /login",
            site.status(401),
            "did not log in: 401 Unauthorized: the name or the password is not right",
            NOT_IN,
        ),
        ("POST /login", site.status(403), "403 Forbidden: the name or the token is not right", NOT_IN),
        ("POST /login", site.status(404), "404 Not Found: there is no such thing there; check the address", NOT_IN),
        ("POST /login", site.maintenance(), "it says: Down for & maintenance", NOT_IN),
        ("POST /login", site.drop, "the connection broke before the answer came", NOT_IN),
        ("POST /submit", site.status(401), "did not take the submission: 401 Unauthorized", NOT_IN),
        ("POST /submit", site.status(403), "403 Forbidden: the name or the token is not right, or you may not", NOT_IN),
        ("POST /submit", site.status(404), "404 Not Found: there is no such thing there", NOT_IN),
        ("POST /submit", site.status(413, "too large"), "did not take the submission: 413 ", NOT_IN),
        (
            "POST /submit",
            site.status(429, "slow down", {"Retry-After": "3600"}),
            "429 Too Many Requests: too many requests; it asks to be tried again in 3600 s; it says: slow down",
            NOT_IN,
        ),
        ("POST /submit", site.status(429), "429 Too Many Requests: too many requests; try again later", NOT_IN),
        (
            "POST /submit",
            site.status(307, "", {"Location": "https://elsewhere.example/login"}),
            "307 Temporary Redirect: it points to https://elsewhere.example/login, where nothing is sent for you",
            NOT_IN,
        ),
        (
            "POST /submit",
            site.status(302, "", {"Location": "/submissions/7"}),
            "302 Found: it points to /submissions/7, where nothing is sent for you",
            MAYBE,
        ),
        ("POST /submit", site.status(403, "Down for men", {"Set-Cookie": "lang=en"}), "it says: Down for men", NOT_IN),
        ("POST /submit", site.status(500), "500 Internal Server Error: the site is down or being maintained", MAYBE),
        (
            "POST /submit",
            site.maintenance(),
            "being maintained; try again later; it says: Down for & maintenance",
            MAYBE,
        ),
        ("POST /submit", site.maintenance(200), "expected `Submission ID: ...`, found Down for & maintenance", MAYBE),
        ("POST /submit", site.status(200, ""), "expected `Submission ID: ...`, found something else", MAYBE),
        ("POST /submit", site.drop, "the connection broke before the answer came", MAYBE),
        ("POST /submit", site.half, "what came is no whole HTTP answer (IncompleteRead)", MAYBE),
        ("POST /submit", site.garbage, "what came is no whole HTTP answer (BadStatusLine)", MAYBE),
        ("POST /submit", site.endless, "an answer of more than 8 MiB", MAYBE),
    ],
)
def test_a_fault_is_one_clear_message_that_says_whether_it_went_in(  # noqa: PLR0917 - pytest gives them by name
    root: Path, server: OnlineJudge, capsys: CapSys, where: str, fault: site.Fault, message: str, end: str
) -> None:
    server.faults[where] = [fault]
    status, out, err = submit(capsys=capsys)
    assert (status, out) == (2, "")
    last = err.splitlines()[-1]
    assert message in last
    assert f"{last}\n".endswith(end)
    assert [row.state for row in rows(root)] == ["refused" if end == NOT_IN else "unknown"]


@pytest.mark.parametrize("fault", [site.silent, site.trickle, site.trickling_body])
def test_a_site_that_does_not_answer_is_not_waited_for(
    root: Path, server: OnlineJudge, capsys: CapSys, fault: Callable[[threading.Event], site.Fault]
) -> None:
    over = threading.Event()
    server.faults["POST /submit"] = [fault(over)]
    begin = time.monotonic()
    status, _, err = submit("--timeout", "0.5", capsys=capsys)
    assert time.monotonic() - begin < 40
    over.set()
    assert status == 2
    assert f"{server.url}: no answer within 0.5 s: the site is slow or down; try again later. It may have" in err
    assert [row.state for row in rows(root)] == ["unknown"]


def test_a_short_pause_that_the_site_asks_for_is_told_and_kept(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.faults["POST /submit"] = [site.status(429, "", {"Retry-After": "1"})]
    server.faults["GET /submissions/1"] = [site.status(429, "", {"Retry-After": "0"})]
    status, out, err = submit(capsys=capsys)
    assert (status, out.splitlines()[-1]) == (0, "verdict   Accepted (70 ms)")
    assert "too many requests; it asks to be tried again in 1 s; waiting 1 s\n" in err
    assert len(server.received) == 1
    assert [row.state for row in rows(root)] == ["judged"]


@pytest.mark.parametrize(
    "fault", [site.status(500), site.maintenance(), site.maintenance(200), site.drop, site.half, site.status(200, "{}")]
)
def test_a_passing_fault_while_waiting_costs_nothing(
    root: Path, server: OnlineJudge, capsys: CapSys, fault: site.Fault
) -> None:
    server.faults["GET /submissions/1"] = [fault, fault]
    assert submit(capsys=capsys)[0] == 0
    assert rows(root)[0].verdict == "Accepted"


def test_a_lasting_fault_while_waiting_says_that_the_submission_is_there(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    server.faults["GET /submissions/1"] = [site.status(200, '{"status_id": "x"}')] * 5
    status, out, err = submit(capsys=capsys)
    assert (status, out) == (2, f"submitted 1: {server.url}/submissions/1\n")
    assert "expected JSON with a `status_id`, found something else; is the site being maintained?" in err
    assert f"Submission 1 is at the judge all the same: look at {server.url}/submissions/1, or ask again" in err
    assert err.endswith(": the same command with --follow\n")
    assert [row.state for row in rows(root)] == ["sent"]


def test_a_verdict_that_does_not_come_is_given_up(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.statuses = [5]
    status, _, err = submit("--patience", "0.3", capsys=capsys)
    assert status == 2
    assert "judge: no verdict within 0.3 s. Submission 1 is at the judge all the same" in err
    assert root.is_dir()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://127.0.0.1:1", "the connection was refused: is the site up, are the host and the port right?"),
        ("https://no-such-host.invalid", "the host no-such-host.invalid is not known: check its name"),
        ("http://judge.example", "http://judge.example is not encrypted: anybody on the way could read your password"),
        ("ftp://judge.example", "ftp://judge.example/login: expected an address such as https://open.kattis.com"),
    ],
)
def test_a_site_that_cannot_be_reached_is_told_and_nothing_was_sent(
    root: Path, server: OnlineJudge, capsys: CapSys, url: str, message: str
) -> None:
    status, _, err = submit("--kattisrc", str(kattisrc(root / "other", url)), capsys=capsys)
    assert status == 2
    assert message in err
    assert (server.requests, {row.state for row in rows(root)} <= {"refused"}) == ([], True)


def test_a_certificate_that_cannot_be_trusted_ends_it_before_a_secret_is_sent(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    url = server.url.replace("http://", "https://")  # no TLS there at all
    status, _, err = submit("--kattisrc", str(kattisrc(root / "other", url)), capsys=capsys)
    assert status == 2
    assert "no encrypted connection" in err
    assert err.endswith(NOT_IN)
    assert server.requests == []


# ---- secrets ----------------------------------------------------------------------------------------------------


def test_a_server_that_repeats_the_secret_does_not_bring_it_to_the_screen(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    server.faults["POST /login"] = [site.status(403, f"token {site.TOKEN} of \x1b[31m{site.USER} is wrong")]
    _, _, err = submit(capsys=capsys)
    assert "it says: token *** of \\x1b[31mann is wrong. Nothing went in" in err
    assert site.TOKEN not in (root / ".judge/submissions.sqlite").read_bytes().decode(errors="replace")


def test_a_redirect_to_no_address_is_told(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.faults["GET /submissions/1"] = [site.status(302, "", {"Location": "http://[where"})] * 5
    status, _, err = submit(capsys=capsys)
    assert (status, "302 Found: it points to http://[where, where nothing is sent" in err) == (2, True)
    assert root.is_dir()


def test_a_secret_is_hidden_as_a_form_holds_it_and_with_another_inside() -> None:
    http = Site("https://judge.example", timeout=20)
    http.hide(Secret("abcd"))
    http.hide(Secret("abcd efg+"))
    assert http.shown("x=abcd+efg%2B&y abcd efg+ abcd") == "x=***&y *** ***"


def test_a_kattisrc_may_begin_with_a_byte_order_mark(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    other = kattisrc(root / "other", server.url)
    other.write_bytes(b"\xef\xbb\xbf" + other.read_bytes())
    assert submit("--kattisrc", str(other), capsys=capsys)[0] == 0


def test_a_redirect_while_reading_takes_no_cookie_to_another_host(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    with site.online_judge() as other:
        away = {"Location": f"{other.url}/submissions/1?json"}
        server.faults["GET /submissions/1"] = [site.status(302, "", away)] * 5
        status, _, err = submit(capsys=capsys)
        assert (status, other.requests) == (2, [])
    assert f"302 Found: it points to {other.url}/submissions/1?json, where nothing is sent for you" in err
    assert root.is_dir()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"token {site.TOKEN}\n", ":1: expected `[section]` and `key: value` lines"),
        (f"[user]\nusername: ann\ntoken {site.TOKEN}\n", ":3: expected `[section]` and `key: value` lines"),
        (f"[user]\ntoken: {site.TOKEN}\n", ": expected `username` in the section [user]"),
        ("[user]\nusername: ann\n", ": expected `token` in the section [user]"),
        (f"[user]\nusername: ann\ntoken: {site.TOKEN}\n", ": expected `hostname` in the section [kattis]"),
        (b"\xff", " is not UTF-8 text: download yours from"),
    ],
)
def test_a_broken_kattisrc_is_told_without_what_stands_in_it(
    root: Path, capsys: CapSys, text: str | bytes, message: str
) -> None:
    other = write(root / "other", text)
    status, _, err = submit("--kattisrc", str(other), capsys=capsys)
    assert (status, f"judge: {other}{message}" in err) == (2, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"machine 127.0.0.1 login ann {site.PASSWORD}\n", "cannot be understood; it should have the line `machine"),
        (f"machine other login ann password {site.PASSWORD}\n", "has no name and password for 127.0.0.1"),
    ],
)
def test_a_broken_netrc_is_told_without_what_stands_in_it(
    root: Path, server: OnlineJudge, capsys: CapSys, text: str, message: str
) -> None:
    other = write(root / "other", text)
    status, _, err = domjudge(server, "--netrc", str(other), capsys=capsys)
    assert (status, message in err) == (2, True)


def test_a_missing_file_of_credentials_is_told(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    assert "gone is not there: download yours from" in submit("--kattisrc", "gone", capsys=capsys)[2]
    assert "gone is not there: it should have the line" in domjudge(server, "--netrc", "gone", capsys=capsys)[2]
    assert root.is_dir()


def test_a_wrong_password_is_told(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    other = write(root / "other", "machine 127.0.0.1 login ann password wrong-pass-9\n")
    status, _, err = domjudge(server, "--netrc", str(other), capsys=capsys)
    assert status == 2
    assert "401 Unauthorized: the name or the password is not right; look into " in err
    assert "it says: Invalid credentials." in err
    assert "wrong-pass-9" not in err
