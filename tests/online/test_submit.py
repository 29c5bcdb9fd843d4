"""`judge submit` against real servers that follow the protocols: what is sent and shown, and what never happens."""

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

from judge.base.errors import StoreError
from judge.history.submissions import SubmissionRecord, SubmissionState, SubmissionStore
from judge.model import Limits
from judge.online.lint.dry_run import DryRun, dry_run
from judge.online.submit import flow
from judge.online.submit.context import SubmissionContext
from judge.online.submit.credentials import Secret
from judge.online.submit.domjudge import DomJudge
from judge.online.submit.http import Site
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box, Command, Outcome
from tests.cli.command_line import CapSys, judge, write
from tests.online import online_judge as site
from tests.online.online_judge import OnlineJudge
from tests.parameters import with_thorough

SOURCE = "print(2 * int(input()))\n"
PROBLEM = "name: Twice\nprofile: kattis\n"
CASES = 'cases:\n  - {name: one, input: "4\\n", answer: "8\\n"}\n'
MINE = "solutions/twice/accepted/twice.py"

_JUDGE_LOCALLY = SubmissionContext.judge_locally

pytestmark = pytest.mark.usefixtures("root")


@pytest.fixture
def server() -> Iterator[OnlineJudge]:
    with site.online_judge() as running:
        yield running


@pytest.fixture(autouse=True)
def _poll_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "_FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(SubmissionContext, "judge_locally", lambda _: True)  # takes longer than all the rest
    for name in ("KATTISRC", "NETRC", "SUBMITBASEURL", "SUBMITCONTEST", "HTTPS_PROXY", "https_proxy", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge the file before it is submitted, as users do."""
    monkeypatch.setattr(SubmissionContext, "judge_locally", _JUDGE_LOCALLY)


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
    """Submit without asking; check that no secret is printed."""
    name = {"kattis": ["--as", "twice"], "domjudge": ["--as", "B"]}[to]
    if "--as" in argv:
        name = []
    status, out, err = judge("submit", MINE, "--to", to, *name, "--yes", "--timeout", "20", *argv, capsys=capsys)
    for secret in site.SECRETS:
        assert secret not in out + err
    assert "Traceback" not in err
    return status, out, err


def rows(root: Path) -> list[SubmissionRecord]:
    with closing(sqlite3.connect(root / ".judge/submissions.sqlite")) as connection:
        return SubmissionStore(connection).all()


# ---- Kattis ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("judged")
def test_kattis_gets_the_form_that_it_documents_and_its_verdict_is_shown_and_recorded(
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
    assert (row.state, row.verdict, row.cpu, row.remote_id) == (SubmissionState.JUDGED, "Accepted", 0.07, "1")
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


def test_a_compile_error_is_shown_with_the_compilers_output(server: OnlineJudge, capsys: CapSys) -> None:
    server.statuses = [3, 8]
    status, out, _ = submit(capsys=capsys)
    assert status == 1
    assert out.endswith("  hello.c:1: error: expected <identifier>\n")


def test_java_sends_its_main_class(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(
        root / "solutions/twice/accepted/Twice.java", "public class Twice { public static void main(String[] a) {} }\n"
    )
    argv = ["solutions/twice/accepted/Twice.java", "--as", "twice", "--to", "kattis", "--yes", "--force"]
    assert judge("submit", *argv, capsys=capsys)[0] == 0
    assert (server.received[0].fields["language"], server.received[0].fields["mainclass"]) == (["Java"], ["Twice"])


def test_a_password_works_and_the_environment_may_name_the_kattisrc(
    root: Path, server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(os.environ["HOME"]) / ".kattisrc").unlink()
    other = kattisrc(root / "other", server.url, f"password: {site.PASSWORD}")
    monkeypatch.setenv("KATTISRC", str(other))
    assert submit(capsys=capsys)[0] == 0


@pytest.mark.usefixtures("judged")
def test_the_problem_and_its_contest_come_from_the_url(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    url = f"{server.url}/problems/hello"  # not at kattis.com, so the name is unknown
    write(root / "problems/twice/problem.yaml", f"{PROBLEM}source: {{name: Hello, url: '{url}'}}\n")
    status, _, err = judge("submit", MINE, "--yes", capsys=capsys)
    assert (status, err) == (
        2,
        "judge: twice: its name at Kattis is unknown; pass --as NAME, as in .../problems/NAME\n",
    )
    away = "https://open.kattis.com/contests/abc/problems/hello"
    write(root / "problems/twice/problem.yaml", f"{PROBLEM}source: {{name: Hello, url: '{away}'}}\n")
    status, _, err = judge("submit", MINE, "--yes", capsys=capsys)
    assert status == 2
    assert "the problem is at open.kattis.com, but " in err
    assert ".kattisrc is for 127.0.0.1; download the right file from https://open.kattis.com/download/kattisrc" in err
    assert server.requests == []


def test_a_rejection_is_shown_in_the_judges_words(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    status, _, err = submit("--as", "nonesuch", capsys=capsys)
    assert status == 2
    assert err.endswith(
        f"judge: {server.url} rejected the submission: Problem nonesuch not found. Nothing was submitted\n"
    )
    assert submit("--language", "Python 9", capsys=capsys)[2].endswith(
        "rejected the submission: Unknown language Python 9. Nothing was submitted\n"
    )
    assert [row.state for row in rows(root)] == [SubmissionState.REJECTED, SubmissionState.REJECTED]


# ---- DOMjudge ----------------------------------------------------------------------------------------------------


def domjudge(server: OnlineJudge, *argv: str, capsys: CapSys) -> tuple[int, str, str]:
    return submit("--url", f"{server.url}/domjudge/team", *argv, capsys=capsys, to="domjudge")


def test_domjudge_gets_the_form_of_its_api_and_its_verdict_is_shown_and_recorded(
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
    assert (row.state, row.verdict, row.remote_id, row.problem) == (
        SubmissionState.JUDGED,
        "AC (correct)",
        "s1",
        "demo/p-1",
    )


def test_the_only_contest_is_the_default_and_one_of_several_must_be_named(
    server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.contests = [site.contest("one"), site.contest("two")]
    status, _, err = domjudge(server, capsys=capsys)
    assert status == 2
    assert err.endswith(f"{server.url}/domjudge has 2 contests; choose one with --contest: one, two\n")
    assert domjudge(server, "--contest", "TWO", capsys=capsys)[0] == 0
    monkeypatch.setenv("SUBMITCONTEST", "one")
    assert domjudge(server, capsys=capsys)[0] == 0
    assert [got.contest for got in server.received] == ["two", "one"]
    monkeypatch.delenv("SUBMITCONTEST")
    server.contests = []
    assert "no contest is running" in domjudge(server, capsys=capsys)[2]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--as", "Z"], "unknown problem Z; choose one with --as: A, B"),
        (["--language", "cobol"], "unknown language cobol; choose one with --language: c, java, python3"),
        (["--contest", "gone"], "unknown contest gone; choose one with --contest: demo"),
    ],
)
def test_an_unknown_name_is_reported_with_the_known_ones(
    root: Path, server: OnlineJudge, capsys: CapSys, argv: list[str], message: str
) -> None:
    status, _, err = domjudge(server, *argv, capsys=capsys)
    assert (status, message in err) == (2, True)
    assert (server.received, rows(root)) == ([], [])


def test_names_from_the_server_cannot_control_the_terminal(server: OnlineJudge, capsys: CapSys) -> None:
    server.contests = [{"id": "demo", "shortname": "\x1b[2J demo"}, {"id": "b", "shortname": "\x9b2J"}]
    _, _, err = domjudge(server, capsys=capsys)
    assert err.endswith("choose one with --contest: \\x1b[2J demo, \\x9b2J\n")
    assert "contest   \\x1b[2J demo\n" in domjudge(server, "--contest", "demo", capsys=capsys)[2]


@pytest.mark.usefixtures("judged")
def test_the_profile_says_which_python_domjudge_runs(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(root / MINE, "match int(input()):\n    case number:\n        print(2 * number)\n")
    assert domjudge(server, "--no-wait", capsys=capsys)[0] == 0
    write(root / "problems/twice/problem.yaml", PROBLEM.replace("kattis", "icpc"))
    status, _, err = domjudge(server, "--again", capsys=capsys)
    assert (status, "pattern matching: new in Python 3.10; ICPC World Finals runs" in err) == (1, True)
    assert len(server.received) == 1


def test_every_successful_status_is_a_success(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.faults["POST /domjudge/api/v4/contests/demo/submissions"] = [site.status(201, '{"id": "s1"}')]
    status, out, _ = domjudge(server, capsys=capsys)
    assert (status, out.splitlines()[0]) == (0, f"submitted s1: {server.url}/domjudge/team/submission/s1")
    assert [row.state for row in rows(root)] == [SubmissionState.JUDGED]


@pytest.mark.parametrize("verdict", ["\x1b[31mAC", "\ud800"])
def test_a_verdict_cannot_control_the_terminal(root: Path, server: OnlineJudge, capsys: CapSys, verdict: str) -> None:
    server.verdicts = [verdict]
    status, out, _ = domjudge(server, capsys=capsys)
    assert (status, "verdict   \\x" in out) == (1, True)
    assert rows(root)[0].verdict.endswith("(unknown judgement type)")


def test_every_url_of_a_domjudge_is_the_same_site(tmp_path: Path) -> None:
    netrc = write(tmp_path / "netrc", "machine judge.example login ann password x\n")
    for url in (
        "https://Judge.Example:443/dj/team",
        "https://judge.example/dj/",
        "https://judge.example/dj/api/v4?x#y",
    ):
        assert DomJudge(url, netrc, timeout=20).site == "https://judge.example/dj"


def test_a_netrc_that_others_can_read_causes_a_warning(server: OnlineJudge, capsys: CapSys) -> None:
    netrc = Path(os.environ["HOME"]) / ".netrc"
    netrc.chmod(0o644)
    _, _, err = domjudge(server, capsys=capsys)
    assert f"judge: warning: other users of this machine can read {netrc}; run `chmod 600 {netrc}`\n" in err


# ---- before anything is sent ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("judged")
def test_a_failing_solution_is_submitted_only_with_force(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(root / MINE, "print(9)\n")
    status, out, err = submit(capsys=capsys)
    assert (status, out) == (1, "")
    assert err.endswith(f"judge: {MINE} is not ready; nothing was submitted (use --force to submit it anyway)\n")
    assert (server.requests, rows(root)) == ([], [])
    status, _, err = submit("--force", capsys=capsys)
    assert status == 0
    assert f"judge: {MINE} is not ready; submitting it because of --force\n" in err
    assert len(server.received) == 1


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("to", ["kattis", "euler"])
def test_one_session_runs_every_case_once(
    server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    started: list[str] = []
    opened: list[LocalExecutor] = []
    run_command, open_executor = Box.run, LocalExecutor.__init__

    def count_run(box: Box, command: Command, limits: Limits) -> Outcome:
        is_variant = "pypy" in command.argv[0]  # those of `--sanitize` run apart
        started.extend(word for word in command.argv[-1:] if command.argv[-2] == "-I" and not is_variant)
        return run_command(box, command, limits)

    def count_executor(executor: LocalExecutor, *args: Any, **kwargs: Any) -> None:
        opened.append(executor)
        open_executor(executor, *args, **kwargs)

    monkeypatch.setattr(Box, "run", count_run)
    monkeypatch.setattr(LocalExecutor, "__init__", count_executor)
    judge("submit", MINE, "--to", to, "--as", {"kattis": "twice", "euler": "1"}[to], "--yes", capsys=capsys)
    assert [Path(each).name for each in started] == ["twice.py"]
    assert len(opened) == 1
    assert len(server.received) == (to == "kattis")


@pytest.mark.usefixtures("judged")
def test_the_format_of_the_output_is_checked_in_the_same_run(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(root / MINE, "print(2 * int(input()), end='')\n")
    status, _, err = submit(capsys=capsys)
    assert (status, len(server.received)) == (0, 1)
    assert "warning: the output of sample/one does not end with a newline" in err
    assert "ran 1 case on " in err
    assert "ready to submit to Kattis\n" in err


@pytest.mark.usefixtures("judged")
def test_with_wrong_test_data_nothing_is_submitted_even_with_force(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    write(root / "problems/twice/problem.yaml", f"{PROBLEM}generators: [make.py]\n")
    write(root / "problems/twice/make.py", "def broken(random: object) -> str:\n    raise ValueError\n")
    write(root / "testcases/twice/more.yaml", 'cases:\n  - {name: two, generate: broken, answer: "8\\n"}\n')
    status, _, err = submit("--force", capsys=capsys)
    assert (status, server.requests) == (2, [])
    assert "problems/twice/make.py: error: the generator `broken` fails on case more/two: crashed: ValueError" in err
    assert err.endswith("; nothing was submitted\n")


@pytest.mark.usefixtures("judged")
def test_a_solution_in_a_folder_of_wrong_ones_is_not_submitted_by_accident(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    wrong = "solutions/twice/wrong_answer/off.py"
    write(root / wrong, "print(9)\n")
    status, _, err = judge("submit", wrong, "--as", "twice", "--yes", capsys=capsys)
    assert status == 1
    assert f"judge: {wrong} is in a folder of wrong_answer solutions\n" in err
    assert server.requests == []


@pytest.mark.usefixtures("judged")
def test_a_file_that_changes_while_it_is_judged_is_not_submitted(
    root: Path, server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge_and_edit(*args: Any, **kwargs: Any) -> DryRun:
        judged = dry_run(*args, **kwargs)
        write(root / MINE, f"{SOURCE}# edited\n")
        return judged

    monkeypatch.setattr("judge.online.submit.context.dry_run", judge_and_edit)
    status, _, err = submit(capsys=capsys)
    assert (status, server.requests) == (2, [])
    assert err.endswith(f"{MINE} changed while it was judged; nothing was submitted, run judge submit again\n")


@pytest.mark.usefixtures("judged")
def test_without_a_terminal_and_without_yes_nothing_is_submitted(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    status, _, err = judge("submit", MINE, "--as", "twice", capsys=capsys)
    assert status == 2
    assert err == ("judge: cannot ask for confirmation: standard input is not a terminal; use --yes to submit anyway\n")
    assert (server.requests, root.is_dir()) == ([], True)


def test_the_same_source_is_not_submitted_twice_by_accident(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    assert submit(capsys=capsys)[0] == 0
    server.polls = 0
    status, _, err = submit(capsys=capsys)
    assert status == 2
    pattern = (
        r"judge: the same source for twice at \S+ was submitted on [\d: -]+ UTC as 1: Accepted; nothing was submitted; "
    )
    assert re.search(pattern + r"use --again to submit it once more\n$", err)
    assert len(server.received) == 1
    assert submit("--again", capsys=capsys)[0] == 0
    assert len(server.received) == 2
    write(root / MINE, SOURCE + "# another\n")
    assert submit(capsys=capsys)[0] == 0


def test_an_interrupted_submission_is_known_afterwards(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.late_faults["POST /submit"] = [site.drop]
    status, _, err = submit(capsys=capsys)
    assert status == 2
    assert err.endswith(
        f"judge: {server.url}: the connection closed before the response arrived; try again later. The submission may "
        f"have arrived: check {server.url}/submissions before you submit again\n"
    )
    assert [row.state for row in rows(root)] == [SubmissionState.UNKNOWN]
    status, _, err = submit(capsys=capsys)
    assert status == 2
    assert f"may have arrived: check {server.url}/submissions before you submit it again; nothing was" in err
    assert len(server.received) == 1


def test_a_record_exists_before_anything_is_sent(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    seen: list[SubmissionState] = []

    def look(handler: site._Handler) -> None:
        seen.extend(row.state for row in rows(root))
        handler.answer(500, "")

    server.faults["POST /submit"] = [look]
    assert submit(capsys=capsys)[0] == 2
    assert seen == [SubmissionState.SENDING]


def test_nothing_is_sent_if_it_cannot_be_recorded(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(root / ".judge/submissions.sqlite", b"no database at all, and long enough to be looked at" * 100)
    status, _, err = submit(capsys=capsys)
    assert (status, server.requests) == (2, [])
    assert (
        "judge: cannot use the record of submissions (file is not a database), which prevents submitting twice" in err
    )


def test_of_processes_that_begin_at_once_one_submits_and_the_others_get_its_record(tmp_path: Path) -> None:
    facts: Any = {"judge": "Kattis", "host": "h", "problem": "p", "sha256": "0" * 64, "language": "C"}
    barrier = threading.Barrier(4)
    got: list[int | SubmissionRecord] = []

    def begin() -> None:
        with closing(sqlite3.connect(tmp_path / "submissions.sqlite", timeout=30)) as connection:
            store = SubmissionStore(connection)
            barrier.wait()
            got.append(store.begin(**facts))

    threads = [threading.Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(each).__name__ for each in got) == [
        "SubmissionRecord",
        "SubmissionRecord",
        "SubmissionRecord",
        "int",
    ]


def test_a_submission_is_reported_even_if_it_cannot_be_recorded(
    server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(SubmissionStore, "update", full)
        status, out, err = submit(capsys=capsys)
    assert (status, out) == (2, f"submitted 1: {server.url}/submissions/1\n")
    assert err.endswith("judge: the disk is full\n")
    assert "may have arrived" in submit(capsys=capsys)[2]
    assert len(server.received) == 1


@pytest.mark.usefixtures("judged")
def test_a_file_with_an_odd_name_is_submitted(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    write(root / "\udcff.py", SOURCE)
    argv = ["\udcff.py", "--problem", "twice", "--as", "twice", "--to", "kattis", "--yes"]
    assert judge("submit", *argv, capsys=capsys)[0] == 0
    assert server.received[0].files == [("sub_file[]", "?.py", SOURCE.encode())]


def test_no_wait_leaves_the_verdict_to_the_page(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    status, out, _ = submit("--no-wait", capsys=capsys)
    assert (status, out) == (0, f"submitted 1: {server.url}/submissions/1\n")
    assert [row.state for row in rows(root)] == [SubmissionState.SENT]
    assert f"UTC as 1: see {server.url}/submissions, or use --follow; nothing was" in submit(capsys=capsys)[2]


@pytest.mark.parametrize("to", ["kattis", "domjudge"])
def test_follow_fetches_the_verdict_later(
    root: Path, server: OnlineJudge, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    where = ("--url", f"{server.url}/domjudge") if to == "domjudge" else ()
    assert "no record of submitting this source to" in submit("--follow", *where, to=to, capsys=capsys)[2]
    assert submit("--no-wait", *where, to=to, capsys=capsys)[0] == 0
    sent = len(server.received)
    server.statuses, server.verdicts = [5, 14], [None, "WA"]
    monkeypatch.delattr(SubmissionContext, "judge_locally")  # the file is not judged again
    status, out, _ = submit("--follow", *where, to=to, capsys=capsys)
    assert status == 1
    assert out.startswith("verdict   W")
    assert len(server.received) == sent
    assert [row.state for row in rows(root)] == [SubmissionState.JUDGED]


@pytest.mark.parametrize(("to", "expected"), [("kattis", 0), ("domjudge", 1)])
def test_follow_of_a_known_verdict_shows_it_and_exits_by_it(
    root: Path, server: OnlineJudge, capsys: CapSys, to: str, expected: int
) -> None:
    number, verdict = [(16, "AC"), (14, "WA")][expected]
    where = ("--url", f"{server.url}/domjudge") if to == "domjudge" else ()
    server.statuses, server.verdicts = [number], [verdict]
    status, out, _ = submit(*where, to=to, capsys=capsys)
    assert status == expected
    shown = out.splitlines()[-1]
    assert shown.startswith("verdict ")
    sent = len(server.received)
    status, out, err = submit("--follow", *where, to=to, capsys=capsys)
    assert (status, out) == (expected, f"{shown}\n"), err
    assert len(server.received) == sent
    assert [row.state for row in rows(root)] == [SubmissionState.JUDGED]


# ---- faults -----------------------------------------------------------------------------------------------------

NOT_IN = "Nothing was submitted\n"
MAYBE = "/submissions before you submit again\n"


def some(rows: list[Any]) -> list[Any]:
    """Return rows as parameters, of which every third runs by default."""
    return with_thorough(rows, [row for at, row in enumerate(rows) if at % 3])


@pytest.mark.parametrize(
    ("where", "fault", "message", "end"),
    some(
        [
            (
                "POST /login",
                site.status(401),
                "cannot log in: 401 Unauthorized: wrong user name or password",
                NOT_IN,
            ),
            ("POST /login", site.status(403), "403 Forbidden: wrong user name or token", NOT_IN),
            ("POST /login", site.status(404), "404 Not Found: check the URL, the contest and the problem", NOT_IN),
            ("POST /login", site.maintenance(), "the server says: Down for & maintenance", NOT_IN),
            ("POST /login", site.drop, "the connection closed before the response arrived", NOT_IN),
            ("POST /submit", site.status(401), "cannot submit: 401 Unauthorized", NOT_IN),
            (
                "POST /submit",
                site.status(403),
                "403 Forbidden: wrong user name or token, or you are not allowed",
                NOT_IN,
            ),
            ("POST /submit", site.status(404), "404 Not Found: check the URL, the contest and the problem", NOT_IN),
            ("POST /submit", site.status(413, "too large"), "cannot submit: 413 ", NOT_IN),
            (
                "POST /submit",
                site.status(429, "slow down", {"Retry-After": "3600"}),
                "429 Too Many Requests: try again in 3600 s; the server says: slow down",
                NOT_IN,
            ),
            ("POST /submit", site.status(429), "429 Too Many Requests: try again later", NOT_IN),
            (
                "POST /submit",
                site.status(307, "", {"Location": "https://elsewhere.example/login"}),
                "307 Temporary Redirect: redirected to https://elsewhere.example/login, which is not followed",
                NOT_IN,
            ),
            (
                "POST /submit",
                site.status(302, "", {"Location": "/submissions/7"}),
                "302 Found: redirected to /submissions/7, which is not followed",
                MAYBE,
            ),
            (
                "POST /submit",
                site.status(403, "Down for men", {"Set-Cookie": "lang=en"}),
                "the server says: Down for men",
                NOT_IN,
            ),
            (
                "POST /submit",
                site.status(500),
                "500 Internal Server Error: the site is down or under maintenance",
                MAYBE,
            ),
            (
                "POST /submit",
                site.maintenance(),
                "under maintenance; try again later; the server says: Down for & maintenance",
                MAYBE,
            ),
            (
                "POST /submit",
                site.maintenance(200),
                "expected `Submission ID: ...`, found Down for & maintenance",
                MAYBE,
            ),
            ("POST /submit", site.status(200, ""), "expected `Submission ID: ...`, found something else", MAYBE),
            ("POST /submit", site.drop, "the connection closed before the response arrived", MAYBE),
            ("POST /submit", site.truncated, "the response is not valid HTTP (IncompleteRead)", MAYBE),
            ("POST /submit", site.garbage, "the response is not valid HTTP (BadStatusLine)", MAYBE),
            ("POST /submit", site.endless, "the response is larger than 8 MiB", MAYBE),
        ]
    ),
)
def test_a_fault_is_one_clear_message_that_says_whether_the_submission_arrived(  # noqa: PLR0917 - pytest gives them by name
    root: Path, server: OnlineJudge, capsys: CapSys, where: str, fault: site.Fault, message: str, end: str
) -> None:
    server.faults[where] = [fault]
    status, out, err = submit(capsys=capsys)
    assert (status, out) == (2, "")
    last = err.splitlines()[-1]
    assert message in last
    assert f"{last}\n".endswith(end)
    assert [row.state for row in rows(root)] == [SubmissionState.REJECTED if end == NOT_IN else SubmissionState.UNKNOWN]


@pytest.mark.parametrize("fault", [site.silent, site.trickle, site.trickling_body])
def test_a_site_that_does_not_respond_is_not_waited_for(
    root: Path, server: OnlineJudge, capsys: CapSys, fault: Callable[[threading.Event], site.Fault]
) -> None:
    over = threading.Event()
    server.faults["POST /submit"] = [fault(over)]
    begin = time.monotonic()
    status, _, err = submit("--timeout", "0.5", capsys=capsys)
    assert time.monotonic() - begin < 40
    over.set()
    assert status == 2
    assert (
        f"{server.url}: no response within 0.5 s; the site is slow or down, try again later. The submission may have"
        in err
    )
    assert [row.state for row in rows(root)] == [SubmissionState.UNKNOWN]


@pytest.mark.parametrize(
    "fault",
    some(
        [site.status(500), site.maintenance(), site.maintenance(200), site.drop, site.truncated, site.status(200, "{}")]
    ),
)
def test_a_temporary_fault_while_polling_is_ignored(
    root: Path, server: OnlineJudge, capsys: CapSys, fault: site.Fault
) -> None:
    server.faults["GET /submissions/1"] = [fault, fault]
    assert submit(capsys=capsys)[0] == 0
    assert rows(root)[0].verdict == "Accepted"


def test_a_lasting_fault_while_polling_says_that_the_submission_arrived(
    root: Path, server: OnlineJudge, capsys: CapSys
) -> None:
    server.faults["GET /submissions/1"] = [site.status(200, '{"status_id": "x"}')] * 5
    status, out, err = submit(capsys=capsys)
    assert (status, out) == (2, f"submitted 1: {server.url}/submissions/1\n")
    assert "expected JSON with a `status_id`, found something else; the site may be under maintenance." in err
    assert f"Submission 1 has arrived: see {server.url}/submissions/1, or run the same command" in err
    assert err.endswith("run the same command with --follow\n")
    assert [row.state for row in rows(root)] == [SubmissionState.SENT]


def test_a_verdict_that_does_not_come_is_not_waited_for(server: OnlineJudge, capsys: CapSys) -> None:
    server.statuses = [5]
    status, _, err = submit("--patience", "0.3", capsys=capsys)
    assert status == 2
    assert "judge: no verdict within 0.3 s. Submission 1 has arrived" in err


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (
            "http://127.0.0.1:1",
            "cannot connect (Connection refused); check the host, the port and your network, and that the site is up.",
        ),
        (
            "https://no-such-host.invalid",
            "https://no-such-host.invalid: cannot connect (Name or service not known); check the host",
        ),
        (
            "http://judge.example",
            "http://judge.example is not encrypted: others on the network could read your password",
        ),
        ("ftp://judge.example", "ftp://judge.example/login: expected a URL such as https://open.kattis.com"),
    ],
)
def test_an_unreachable_site_is_reported_and_nothing_is_submitted(
    root: Path, server: OnlineJudge, capsys: CapSys, url: str, message: str
) -> None:
    status, _, err = submit("--kattisrc", str(kattisrc(root / "other", url)), capsys=capsys)
    assert status == 2
    assert message in err
    assert (server.requests, {row.state for row in rows(root)} <= {SubmissionState.REJECTED}) == ([], True)


def test_no_secret_is_sent_to_a_site_without_tls(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    url = server.url.replace("http://", "https://")  # no TLS there at all
    status, _, err = submit("--kattisrc", str(kattisrc(root / "other", url)), capsys=capsys)
    assert status == 2
    assert "cannot connect ([SSL: " in err
    assert err.endswith(NOT_IN)
    assert server.requests == []


# ---- secrets ----------------------------------------------------------------------------------------------------


def test_a_secret_that_the_server_repeats_is_masked(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    server.faults["POST /login"] = [site.status(403, f"token {site.TOKEN} of \x1b[31m{site.USER} is wrong")]
    _, _, err = submit(capsys=capsys)
    assert "the server says: token *** of \\x1b[31mann is wrong. Nothing was submitted" in err
    assert site.TOKEN not in (root / ".judge/submissions.sqlite").read_bytes().decode(errors="replace")


def test_a_redirect_to_an_invalid_url_is_reported(server: OnlineJudge, capsys: CapSys) -> None:
    server.faults["GET /submissions/1"] = [site.status(302, "", {"Location": "http://[where"})] * 5
    status, _, err = submit(capsys=capsys)
    assert (status, "302 Found: redirected to http://[where, which is not followed" in err) == (2, True)


def test_a_secret_is_masked_as_a_form_encodes_it_and_with_another_inside() -> None:
    http = Site("https://judge.example", timeout=20)
    http.add_secret(Secret("abcd"))
    http.add_secret(Secret("abcd efg+"))
    assert http.sanitize("x=abcd+efg%2B&y abcd efg+ abcd") == "x=***&y *** ***"


def test_a_kattisrc_may_begin_with_a_byte_order_mark(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    other = kattisrc(root / "other", server.url)
    other.write_bytes(b"\xef\xbb\xbf" + other.read_bytes())
    assert submit("--kattisrc", str(other), capsys=capsys)[0] == 0


def test_a_redirect_sends_no_cookie_to_another_host(server: OnlineJudge, capsys: CapSys) -> None:
    with site.online_judge() as other:
        away = {"Location": f"{other.url}/submissions/1?json"}
        server.faults["GET /submissions/1"] = [site.status(302, "", away)] * 5
        status, _, err = submit(capsys=capsys)
        assert (status, other.requests) == (2, [])
    assert f"302 Found: redirected to {other.url}/submissions/1?json, which is not followed" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"token {site.TOKEN}\n", ":1: expected `[section]` and `key: value` lines"),
        (f"[user]\nusername: ann\ntoken {site.TOKEN}\n", ":3: expected `[section]` and `key: value` lines"),
        (f"[user]\ntoken: {site.TOKEN}\n", ": expected `username` in section [user]"),
        ("[user]\nusername: ann\n", ": expected `token` in section [user]"),
        (f"[user]\nusername: ann\ntoken: {site.TOKEN}\n", ": expected `hostname` in section [kattis]"),
        (b"\xff", ": not UTF-8 text; download yours from"),
    ],
)
def test_an_invalid_kattisrc_is_reported_without_its_contents(
    root: Path, capsys: CapSys, text: str | bytes, message: str
) -> None:
    other = write(root / "other", text)
    status, _, err = submit("--kattisrc", str(other), capsys=capsys)
    assert (status, f"judge: {other}{message}" in err) == (2, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"machine 127.0.0.1 login ann {site.PASSWORD}\n", "invalid netrc syntax; add the line `machine"),
        (f"machine other login ann password {site.PASSWORD}\n", "no user name and password for 127.0.0.1"),
    ],
)
def test_an_invalid_netrc_is_reported_without_its_contents(
    root: Path, server: OnlineJudge, capsys: CapSys, text: str, message: str
) -> None:
    other = write(root / "other", text)
    status, _, err = domjudge(server, "--netrc", str(other), capsys=capsys)
    assert (status, message in err) == (2, True)


def test_a_missing_credentials_file_is_reported(server: OnlineJudge, capsys: CapSys) -> None:
    assert "gone: no such file; download yours from" in submit("--kattisrc", "gone", capsys=capsys)[2]
    assert "gone: no such file; add the line" in domjudge(server, "--netrc", "gone", capsys=capsys)[2]


def test_a_wrong_password_is_reported(root: Path, server: OnlineJudge, capsys: CapSys) -> None:
    other = write(root / "other", "machine 127.0.0.1 login ann password wrong-pass-9\n")
    status, _, err = domjudge(server, "--netrc", str(other), capsys=capsys)
    assert status == 2
    assert "401 Unauthorized: wrong user name or password; check " in err
    assert "the server says: Invalid credentials." in err
    assert "wrong-pass-9" not in err
