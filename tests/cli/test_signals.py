"""SIGINT, SIGTERM and SIGHUP end every command soon, wherever it waits, and leave nothing behind."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec import Struct

from judge.cli.commands import COMMANDS
from judge.cli.main import run_cli
from tests.cli.command_line import write
from tests.programs import processes_with
from tests.watch.watch_process import eventually

SLEEP = (
    "import signal, sys, time\nsignal.signal(signal.SIGINT, signal.SIG_DFL)\nprint('asleep', file=sys.stderr)\n"
    "time.sleep(600)\n"
)
CASE = 'cases:\n  - {name: one, input: "1 2\\n", answer: "3\\n"}\n'
ROW = '{"id": "a", "code": "import time; time.sleep(600)", "tests": [{"input": "", "output": ""}], "time_limit": 600}\n'
ELSEWHERE = (
    "cases:\n  - name: far\n    external:\n      url: http://127.0.0.1:PORT/far.txt\n      file: far.txt\n"
    f"      sha256: {'a' * 64}\n"
)
KATTISRC = (
    "[user]\nusername: ann\ntoken: t0ken\n[kattis]\nhostname: 127.0.0.1\nloginurl: http://127.0.0.1:PORT/login\n"
    "submissionurl: http://127.0.0.1:PORT/submit\nsubmissionsurl: http://127.0.0.1:PORT/submissions\n"
)
MINE = "solutions/sums/accepted/split.py"


def make_package() -> bytes:
    """Return a zip file with a problem package."""
    content = BytesIO()
    with ZipFile(content, "w") as file:
        for name in ("problem.yaml", "data/sample/1.in", "data/sample/1.ans"):
            file.writestr(f"package/{name}", "name: Package\n")
    return content.getvalue()


class Situation(Struct, frozen=True, kw_only=True):
    """A command that cannot end.

    Attributes:
        words: of the command line; PORT is that of a server that never answers.
        files: that are written first.
        waits_for: what the command waits for when the signal comes.
        status: its exit status; None for that of the signal.
    """

    words: str
    files: Mapping[str, str | bytes] = {}
    waits_for: str = "program"
    status: int | None = None


VALIDATED = {"problems/sums/validate.py": SLEEP, "testcases/sums/one.yaml": CASE}
SLOW_SAMPLE = {"problems/sums/validate.py": SLEEP, "testcases/sums/sample.yaml": CASE}
SAMPLES = {"samples/1.in": "1\n", "samples/1.ans": "1\n"}
MODULES = {"mine.py": "import other\n", "other.py": ""}
OUTPUT = "reader of its output"
SITUATIONS: dict[str, list[Situation]] = {
    "run": [
        Situation(words="run --html page.html", files=VALIDATED),
        Situation(words="run -f jsonl", waits_for=OUTPUT),
        Situation(words="run --scheduler tcp://127.0.0.1:PORT", waits_for="server"),
        Situation(words="run --workers 2", files=VALIDATED),
    ],
    "watch": [Situation(words="watch --browser", files=VALIDATED, status=1)],
    "compare": [Situation(words="compare --html page.html", files=VALIDATED)],
    "baseline": [Situation(words="baseline save", files=VALIDATED)],
    "history": [Situation(words="history", waits_for=OUTPUT)],
    "grade": [
        Situation(words="grade - -o out.jsonl", waits_for="input"),
        Situation(words="grade - -o out.jsonl --workers 2", waits_for="workers"),
        Situation(words="grade fifo -o out.jsonl", waits_for="writer"),
        Situation(words="grade rows.jsonl -o out.jsonl --html page.html", files={"rows.jsonl": ROW}),
    ],
    "merge": [Situation(words="merge fifo -o out.jsonl", waits_for="writer")],
    "list": [
        Situation(words="list", waits_for=OUTPUT),
        Situation(words="list package.zip", files={"package.zip": make_package()}, waits_for=OUTPUT),
    ],
    "add": [Situation(words=f"add {MINE}", waits_for="input")],
    "hack": [Situation(words=f"hack {MINE}", files=VALIDATED)],
    "stress": [Situation(words=f"stress {MINE} {MINE} --gen gen.py", files={"gen.py": SLEEP})],
    "debug": [
        Situation(words="debug slow.py 1 --cases samples", files={"slow.py": SLEEP, **SAMPLES}, waits_for="debugged")
    ],
    "show": [Situation(words="show sums/one", files=VALIDATED)],
    "timelimit": [Situation(words="timelimit sums", files=VALIDATED)],
    "strength": [Situation(words="strength sums --html page.html", files=VALIDATED)],
    "scale": [Situation(words=f"scale {MINE}", files=VALIDATED)],
    "lock": [Situation(words="lock", files=VALIDATED)],
    "export": [Situation(words="export sums --to kattis -o sums.zip", files=VALIDATED)],
    "statement": [Situation(words="statement sums --html sums.html", files=SLOW_SAMPLE)],
    "new": [Situation(words="new other", waits_for=OUTPUT)],
    "demo": [Situation(words="demo", waits_for=OUTPUT)],
    "listen": [Situation(words="listen --port 0", waits_for="problem")],
    "import": [Situation(words="import samples", files=SAMPLES, waits_for=OUTPUT)],
    "check": [Situation(words="check sums", files=VALIDATED)],
    "bundle": [Situation(words="bundle mine.py --problem sums", files={**VALIDATED, **MODULES})],
    "submit": [
        Situation(
            words=f"submit {MINE} --to kattis --as sums --kattisrc rc --yes", files={"rc": KATTISRC}, waits_for="server"
        )
    ],
    "fetch": [Situation(words="fetch", files={"testcases/sums/far.yaml": ELSEWHERE}, waits_for="server")],
    "config": [Situation(words="config", waits_for=OUTPUT)],
    "doctor": [Situation(words="doctor", waits_for=OUTPUT)],
    "schema": [Situation(words="schema problem", waits_for=OUTPUT)],
    "editor": [Situation(words="editor vim", waits_for=OUTPUT)],
    "completion": [Situation(words="completion bash", waits_for=OUTPUT)],
}  # fmt: skip
# one of each kind
QUICK = {
    "run --html page.html",
    "run -f jsonl",
    "grade fifo -o out.jsonl",
    "list package.zip",
    "timelimit sums",
    "listen --port 0",
    "fetch",
}


def test_each_command_has_a_situation() -> None:
    assert set(SITUATIONS) == set(COMMANDS)


@pytest.fixture(scope="module")
def baseline_sums(locked_sums: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a baseline; to be copied, not to be changed."""
    folder = tmp_path_factory.mktemp("judged") / "repository"
    shutil.copytree(locked_sums, folder)
    for command in (["run"], ["baseline", "save"]):
        assert run_cli(["-C", str(folder), *command]) == 0
    return folder


@pytest.mark.parametrize(
    "situation",
    [
        pytest.param(each, id=each.words, marks=() if each.words in QUICK else pytest.mark.thorough)
        for situations in SITUATIONS.values()
        for each in situations
    ],
)
def test_a_signal_ends_every_command_wherever_it_waits(
    situation: Situation, baseline_sums: Path, tmp_path: Path
) -> None:
    if "--workers" in situation.words or "--scheduler" in situation.words:
        pytest.importorskip("distributed")
    with ExitStack() as stack:
        started = {
            number: Started(situation, baseline_sums, tmp_path / number.name, stack)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        for number, each in started.items():
            each.wait_until_it_waits()
            each.send(number)
        for number, each in started.items():
            each.check_end(number)


class Started:
    """A judge in a situation, in a repository, a session and a temporary folder of its own."""

    def __init__(self, situation: Situation, judged: Path, folder: Path, stack: ExitStack) -> None:
        self.situation = situation
        self.stack = stack
        self.root = root = folder / "repository"
        self.temporary = folder / "tmp"
        shutil.copytree(judged, root)
        self.temporary.mkdir()
        self.fifo = root / "fifo"
        os.mkfifo(self.fifo)
        self.server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = str(self.server.getsockname()[1])
        for name, content in situation.files.items():
            write(root / name, content.replace("PORT", port) if isinstance(content, str) else content).chmod(0o600)
        output, theirs = os.pipe()
        stack.callback(os.close, output)
        if situation.waits_for == OUTPUT:
            os.write(theirs, bytes(fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 4096)))
        self.ready, self.errors = folder / "ready", folder / "errors"
        begin = f"import judge.__main__ as judge; open({str(self.ready)!r}, 'w').close(); judge.main()"
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", begin, *situation.words.replace("PORT", port).split()],
                stdin=subprocess.PIPE, stdout=theirs, stderr=errors, cwd=root, start_new_session=True,
                env={**os.environ, "TMPDIR": str(self.temporary), "no_proxy": "127.0.0.1"},
            )  # fmt: skip
        os.close(theirs)
        stack.enter_context(self.process)
        stack.callback(self.process.kill)

    def wait_until_it_waits(self) -> None:
        """Return when the judge waits for what the situation says."""
        assert eventually(self.ready.exists)
        match self.situation.waits_for:
            case "program":
                assert eventually(lambda: processes_with(f"{self.temporary}/") != [])
            case "debugged":
                assert eventually(lambda: "asleep" in self.errors.read_text())
            case "workers":
                assert eventually(
                    lambda: any(os.getsid(each) == self.process.pid for each in processes_with("spawn_main"))
                )
            case "server":
                self.server.settimeout(60)
                self.stack.enter_context(self.server.accept()[0])
            case "writer":
                assert eventually(self._has_reader)
            case _:
                time.sleep(0.5)  # it waits, or is about to

    def _has_reader(self) -> bool:
        try:
            self.stack.callback(os.close, os.open(self.fifo, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True

    def send(self, number: signal.Signals) -> None:
        """Send a signal, and note what was printed before."""
        self.before = self.errors.read_text()
        if number == signal.SIGINT and self.situation.words.startswith("debug"):
            os.killpg(self.process.pid, number)  # as a terminal does
        else:
            self.process.send_signal(number)

    def check_end(self, number: signal.Signals) -> None:
        """Check that the signal ends the judge with its status and at most one line, and that nothing is left."""
        status = self.process.wait(timeout=20)
        said = self.errors.read_text().removeprefix(self.before)
        expected = {128 + number, -number} if self.situation.status is None else {self.situation.status}
        assert status in expected, self.before + said
        assert len(said.splitlines()) <= 1, said
        if "page.html" in self.situation.words:
            assert "nterrupted" in (self.root / "page.html").read_text(encoding="utf-8")
        assert eventually(lambda: living_processes(self.process.pid) == [])
        assert eventually(lambda: list(self.temporary.iterdir()) == [])


def living_processes(session: int) -> list[str]:
    """Return the states of the processes of a session that have not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state = (entry / "stat").read_text().rpartition(") ")[2].split()
            except OSError:  # it ended meanwhile
                continue
            if int(state[3]) == session and state[0] not in "ZX":
                found.append((entry / "stat").read_text())
    return found
