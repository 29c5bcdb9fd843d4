"""Judges without an API: the clipboard and the page, with real tools and a real terminal."""

import base64
import hashlib
import io
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from judge.history.submissions import SubmissionState, SubmissionStore
from judge.online import desktop
from tests.cli.command_line import JUDGE, write
from tests.online import online_judge as site
from tests.online.online_judge import OnlineJudge
from tests.online.test_submit import CASES, SOURCE, kattisrc

MINE = "solutions/twice/accepted/twice.py"
PLACES = {
    "uva": ("https://onlinejudge.org/external/1/131.pdf", "https://onlinejudge.org/index.php?option=com_onlinejudge&Itemid=25"),
    "codeforces": ("https://codeforces.com/contest/1900/problem/A", "https://codeforces.com/contest/1900/submit/A"),
    "atcoder": (
        "https://atcoder.jp/contests/abc300/tasks/abc300_a",
        "https://atcoder.jp/contests/abc300/submit?taskScreenName=abc300_a",
    ),
    "cses": ("https://cses.fi/problemset/task/1068", "https://cses.fi/problemset/submit/1068/"),
}  # fmt: skip

pytestmark = pytest.mark.usefixtures("root")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the problem `twice` of Codeforces; the current folder."""
    folder = tmp_path / "repository"
    at(folder, *PLACES["codeforces"][:1])
    write(folder / "testcases/twice/sample.yaml", CASES)
    write(folder / MINE, SOURCE)
    monkeypatch.chdir(folder)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    return folder


def at(root: Path, url: str, profile: str = "icpc") -> None:
    write(root / "problems/twice/problem.yaml", f"name: Twice\nprofile: {profile}\nsource: {{name: S, url: '{url}'}}\n")


def tools(folder: Path, *names: str) -> Mapping[str, str]:
    """Create clipboard tools that record what they get, and a browser; return an environment with them."""
    for name in names:
        write(
            folder / "bin" / name, f'#!/bin/sh\necho "$@" >{folder}/{name}.arguments\ncat >{folder}/{name}.clipboard\n'
        )
        (folder / "bin" / name).chmod(0o755)
    browser = write(folder / "bin/browser", f'#!/bin/sh\necho "$1" >{folder}/page\n')
    browser.chmod(0o755)
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "DISPLAY": ":99", "BROWSER": str(browser)}


def submit(*argv: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Submit in this process, with another environment and without a terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, Path(os.devnull).open() as stdin:
        for name, value in environment.items():
            patch.setenv(name, value)
        for name, stream in (("stdin", stdin), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        patch.setattr("webbrowser._tryorder", None)  # it keeps the first BROWSER
        patch.setattr("webbrowser._browsers", {})
        status = run_cli(["submit", *argv])
    texts = [each.buffer.getvalue().decode() for each in (out, err)]
    return subprocess.CompletedProcess([], status, *texts)


def read_page(folder: Path) -> str:
    """Return the address that the browser got, as soon as it has it."""
    deadline = time.monotonic() + 60
    while not (page := folder / "page").exists() or not page.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return page.read_text()


@pytest.mark.parametrize("judge", sorted(PLACES))
def test_the_source_is_copied_and_the_right_page_is_opened(root: Path, tmp_path: Path, judge: str) -> None:
    url, page = PLACES[judge]
    at(root, url)
    done = submit(MINE, "--yes", environment=tools(tmp_path, "xclip"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "xclip.clipboard").read_text() == SOURCE
    assert (tmp_path / "xclip.arguments").read_text() == "-selection clipboard -in\n"
    assert read_page(tmp_path) == f"{page}\n"
    assert f"copied    the source, with xclip\npage      {page} (opened)\nnext      log in, " in done.stdout
    with closing(sqlite3.connect(root / ".judge/submissions.sqlite")) as connection:
        (row,) = SubmissionStore(connection).all()
    assert (row.state, row.host) == (SubmissionState.MANUAL, re.match(r"https://[^/]+", page)[0])  # type: ignore[index]


def test_the_page_of_the_problem_can_be_given(root: Path, tmp_path: Path) -> None:
    at(root, "https://atcoder.jp/contests/abc299/tasks/abc299_a")
    url, page = PLACES["codeforces"]
    done = submit(MINE, "--yes", "--url", url, environment=tools(tmp_path, "xclip"))
    assert (done.returncode, read_page(tmp_path)) == (0, f"{page}\n"), done.stderr


@pytest.mark.parametrize(("argv", "language"), [([], "PYTH3 3.5.1"), (["--language", "PYTH3 3.9"], "PYTH3 3.9")])
def test_the_instructions_name_the_problem_and_the_language(tmp_path: Path, argv: list[str], language: str) -> None:
    done = submit(MINE, "--yes", "--to", "uva", "--as", "131", *argv, environment=tools(tmp_path, "xclip"))
    assert f"next      log in, enter problem 131, choose {language}, paste, and submit\n" in done.stdout


def test_project_euler_gets_the_answer_that_the_solution_prints_for_the_real_data(root: Path, tmp_path: Path) -> None:
    data = b"21\n"
    digest = hashlib.sha256(data).hexdigest()
    external = f"external: {{url: 'https://x.example/d', sha256: {digest}, file: d.txt}}"
    write(root / "testcases/twice/real.yaml", f'cases:\n  - {{name: real, {external}, answer: "42\\n"}}\n')
    at(root, "https://projecteuler.net/problem=54", "euler")
    environment = tools(tmp_path, "xclip")
    done = submit(MINE, "--yes", environment=environment)
    assert done.returncode == 2
    assert "real/real is needed for the answer" in done.stderr
    write(tmp_path / "data/d.txt", data)
    done = submit(MINE, "--yes", "--data", str(tmp_path / "data"), environment=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "xclip.clipboard").read_text() == "42"
    assert f"answer    42  (what {MINE} prints for real/real)\n" in done.stdout
    assert read_page(tmp_path) == "https://projecteuler.net/problem=54\n"


def test_the_case_with_the_real_data_must_be_clear(root: Path, tmp_path: Path) -> None:
    two = 'cases:\n  - {name: one, input: "4\\n", answer: "8\\n"}\n  - {name: two, input: "5\\n", answer: "10\\n"}\n'
    write(root / "testcases/twice/sample.yaml", two)
    done = submit(MINE, "--yes", "--to", "euler", "--as", "1", environment=tools(tmp_path, "xclip"))
    assert done.returncode == 2
    assert "expected one case with `external:`, or one case in all, found 2" in done.stderr
    assert not (tmp_path / "xclip.clipboard").exists()


def test_copying_is_no_submission_and_so_needs_no_answer_and_can_be_repeated(root: Path, tmp_path: Path) -> None:
    environment = tools(tmp_path, "xclip")
    for _ in range(2):
        (tmp_path / "xclip.clipboard").unlink(missing_ok=True)
        done = submit(MINE, environment=environment)
        assert done.returncode == 0, done.stderr
        assert "submit it?" not in done.stdout + done.stderr
        assert (tmp_path / "xclip.clipboard").read_text() == SOURCE
    with closing(sqlite3.connect(root / ".judge/submissions.sqlite")) as connection:
        assert [row.state for row in SubmissionStore(connection).all()] == [SubmissionState.MANUAL] * 2


def test_without_a_clipboard_the_page_and_the_file_are_shown(tmp_path: Path) -> None:
    environment = {**tools(tmp_path), "DISPLAY": ""}
    done = submit(MINE, "--yes", environment=environment)
    assert done.returncode == 2
    assert "cannot copy to the clipboard" in done.stderr
    assert "open https://codeforces.com/contest/1900/submit/A and paste twice.py yourself" in done.stderr


def test_a_failing_clipboard_tool_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = tools(tmp_path, "xclip", "xsel")
    write(tmp_path / "bin/xclip", "#!/bin/sh\nexit 1\n").chmod(0o755)
    monkeypatch.setenv("PATH", environment["PATH"])
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert desktop.copy_to_clipboard(b"x") == "xsel"
    assert (tmp_path / "xsel.clipboard").read_bytes() == b"x"


def test_the_terminal_sequence_holds_the_bytes_and_is_empty_if_they_are_too_many() -> None:
    sequence = desktop.clipboard_sequence(b"\xff\x00x\n")
    found = re.fullmatch("\x1b\\]52;c;([A-Za-z0-9+/=]*)\x07", sequence)
    assert found
    assert base64.b64decode(found[1]) == b"\xff\x00x\n"
    assert desktop.clipboard_sequence(b"x" * 80_000) == ""


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["gone.py", "--problem", "twice"], "gone.py: no such file"),
        (["mine.py"], "mine.py: unknown problem; name it with --problem ID (problems: twice)"),
        ([MINE, "--problem", "nope"], "--problem nope: no such problem (problems: twice)"),
        (["problems/twice", "--problem", "twice"], "problems/twice is a folder; expected one source file"),
        ([MINE, "--to", "atcoder"], "twice: no `source: url:` of a problem at AtCoder; expected a name such as"),
        ([MINE, "--to", "uva", "--as", "x"], "--as x; expected a name such as --as 131"),
        ([MINE, "--to", "spoj"], "argument --to: invalid choice: 'spoj'"),
        ([MINE, "--to", "domjudge"], "unknown DOMjudge site; pass --url https://..., or set SUBMITBASEURL"),
        ([MINE, "--to", "domjudge", "--url", "judge.example"], "judge.example: expected a URL such as https://"),
        ([MINE, "--url", "https://codeforces.com/contest/1"], "1: expected the page of a problem, or a DOMjudge's URL"),
        ([MINE, "--timeout", "0"], "--timeout 0: expected seconds, at most 86400"),
        ([MINE, "--patience", "nan"], "--patience nan: expected seconds"),
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_one_clear_error(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, argv: list[str], message: str
) -> None:
    monkeypatch.delenv("SUBMITBASEURL", raising=False)
    write(root / "mine.py", SOURCE)
    assert run_cli(["submit", *argv, "--yes"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "twice: neither its `source: url:` nor its profile names an online judge: choose a judge with --to"),
        (
            "source: {name: A, url: https://www.spoj.com/problems/PRIME1/}\n",
            "twice: spoj is not supported: paste your source into https://www.spoj.com/problems/PRIME1/, or",
        ),
    ],
)
def test_without_a_known_judge_one_must_be_named(
    root: Path, capsys: pytest.CaptureFixture[str], source: str, message: str
) -> None:
    write(root / "problems/twice/problem.yaml", f"name: Twice\n{source}profile: icpc\n")
    assert run_cli(["submit", MINE, "--yes"]) == 2
    assert message in capsys.readouterr().err


# ---- on a terminal, and killed ---------------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[OnlineJudge]:
    with site.online_judge() as running:
        yield running


def on_a_terminal(argv: list[str], answer: bytes) -> tuple[int, bytes]:
    """Run a command on its own terminal and answer its question; return its status and its output."""
    main, side = pty.openpty()
    process = subprocess.Popen(argv, stdin=side, stdout=side, stderr=side, env={**os.environ, "TERM": "xterm"})
    os.close(side)
    shown, is_answered = b"", False
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
        if not is_answered and b"[y/N] " in shown:
            os.write(main, answer)
            is_answered = True
    os.close(main)
    return process.wait(timeout=30), shown


@pytest.mark.parametrize(("answer", "count"), [(b"n\n", 0), (b"\n", 0), (b"y\n", 1)])
def test_on_a_terminal_the_user_sees_what_is_sent_and_is_asked(
    server: OnlineJudge, tmp_path: Path, answer: bytes, count: int
) -> None:
    file = kattisrc(tmp_path / "kattisrc", server.url)
    argv = [*JUDGE, "submit", MINE, "--to", "kattis", "--as", "twice", "--kattisrc", str(file)]
    status, shown = on_a_terminal(argv, answer)
    assert (status, len(server.received)) == (1 - count, count)
    text = shown.decode().replace("\r\n", "\n")
    for line in (
        f"judge     Kattis, {server.url}\n",
        "problem   twice\n",
        "language  Python 3\n",
        "file      twice.py, 24 B\n",
    ):
        assert line in text
    assert ("judge: nothing was submitted" in text) == (count == 0)


def test_a_terminal_copies_to_the_clipboard() -> None:
    status, shown = on_a_terminal([*JUDGE, "submit", MINE], b"y\n")
    assert status == 0
    found = re.search(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", shown)
    assert found
    assert base64.b64decode(found[1]) == SOURCE.encode()
    assert b"page      https://codeforces.com/contest/1900/submit/A (open it yourself)" in shown


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_submission_that_was_stopped_is_reported_the_next_time(
    server: OnlineJudge, tmp_path: Path, number: signal.Signals
) -> None:
    over, arrived = threading.Event(), threading.Event()

    def hang(handler: site._Handler) -> None:
        handler.close_connection = True
        arrived.set()
        over.wait(60)

    server.late_faults["POST /submit"] = [hang]
    file = kattisrc(tmp_path / "kattisrc", server.url)
    argv = [*JUDGE, "submit", MINE, "--to", "kattis", "--as", "twice", "--kattisrc", str(file), "--yes"]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert arrived.wait(60)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    over.set()
    assert "Traceback" not in err
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"UTC and may have arrived: check {server.url}/submissions before you submit it again;" in done.stderr
    assert len(server.received) == 1


def test_a_browser_that_stays_in_the_foreground_is_not_waited_for(tmp_path: Path) -> None:
    browser = write(tmp_path / "bin/slow", f'#!/bin/sh\necho "$1" >{tmp_path}/page\nexec sleep 100\n')
    browser.chmod(0o755)
    code = "from judge.online.desktop import open_page; print(open_page('https://x.example/'), flush=True); import os; "
    code += "os.killpg(0, 9)"
    environment = {**os.environ, "BROWSER": str(browser)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=60,
        start_new_session=True,
    )  # fmt: skip
    assert (done.stdout, (tmp_path / "page").read_text()) == ("True\n", "https://x.example/\n")
