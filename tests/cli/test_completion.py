"""Completion: what `judge complete` answers, and what real shells make of it."""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.cli.commands import COMMANDS
from judge.cli.commands.completion import SCRIPTS
from judge.cli.main import run_cli
from tests.cli.command_line import CapSys, copy_repository, write
from tests.files import write_files


@pytest.fixture
def repository(new_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the problem `sums`; the current folder."""
    root = copy_repository(new_sums, tmp_path, monkeypatch)
    write(root / "my solution.py", "print(1)\n")
    write(root / "tests/1.in", "1\n")
    write(root / "judge.toml", "[profile.ci]\n[profile.slow]\n")
    return root


def complete(*words: str, capsys: CapSys) -> tuple[str, list[str]]:
    """Return what the shell completes by itself, and the candidates without their descriptions."""
    capsys.readouterr()
    assert run_cli(["complete", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    kind, *candidates = out.split("\n")[:-1]
    return kind, [each.partition("\t")[0] for each in candidates]


# ---- the answers -----------------------------------------------------------------------------------------------------

GROUPS = ["sums/sample", "sums/generated"]
SOLUTIONS = [f"solutions/sums/{name}.py" for name in ("accepted/count", "accepted/split", "wrong_answer/no_signs")]


@pytest.mark.parametrize(
    ("line", "kind", "candidates"),
    [
        ("ru", "files", ["run"]),
        ("hel", "files", ["help"]),
        ("--ver", "", ["--version"]),
        ("-C |", "folders", []),
        ("-C . sho", "files", ["show"]),
        ("help verd", "", ["verdicts"]),
        ("help wat", "", ["watch"]),
        ("new x --language c", "", ["c", "cobol", "cpp", "crystal", "csharp"]),
        ("new x --language cp", "", ["cpp"]),
        ("run --profile c", "", ["ci"]),
        ("help run |", "", []),
        ("run su", "files", ["sums"]),
        ("run sums", "files", ["sums", *GROUPS]),
        ("run sums/sa", "files", ["sums/sample"]),
        ("run sums/sample", "files", ["sums/sample", "sums/sample/statement"]),
        ("run sums/generated/c", "files", ["sums/generated/cancelling-1", "sums/generated/cancelling-2"]),
        ("run sums su", "files", ["sums"]),
        ("run --fail", "", ["--failed", "--fail-fast"]),
        ("run --failed --fail", "", ["--fail-fast"]),
        ("run --case a --case", "", ["--cases", "--case"]),
        ("run -- --fail", "files", []),
        ("run --format js", "", ["json", "jsonl"]),
        ("run --format=js", "", ["json", "jsonl"]),
        ("run --format = js", "", ["json", "jsonl"]),
        ("run --format =", "", ["rich", "plain", "short", "json", "jsonl", "github", "junit", "ctrf"]),
        ("run --group = sums --solution =", "files", []),
        ("run --case sta", "", ["statement"]),
        ("run sums --case sample/", "", ["sample/statement"]),
        ("run nothing --group sa", "", ["sample"]),
        ("run sums -s |", "files", SOLUTIONS),
        ("run sums/sample --solution solutions/sums/w", "", SOLUTIONS[2:]),
        ("run -s |", "files", []),
        ("run -C / su", "files", []),
        ("run --cases |", "files", []),
        ("run --data |", "folders", []),
        ("run --time-limit |", "", []),
        ("run --checker to", "files", ["tokens"]),
        ("hack su", "files", ["sums"]),
        ("hack a.py --input |", "files", []),
        ("debug a.py --case sta", "", ["statement"]),
        ("export sums -o |", "files", []),
        ("run --nonsense su", "files", ["sums"]),
        ("check a.py --problem su", "", ["sums"]),
        ("check |", "files", ["sums"]),
        ("check a.py |", "files", []),
        ("list su", "files", ["sums"]),
        ("show sums/sample/", "files", ["sums/sample/statement"]),
        ("baseline s", "", ["save"]),
        ("baseline save su", "files", ["sums"]),
        ("new |", "", []),
        ("schema ca", "", ["cases"]),
        ("completion z", "", ["zsh"]),
        ("a.py --fail-f", "", ["--fail-fast"]),
    ],
)
def test_each_word_is_completed_by_what_can_stand_there(
    repository: Path, capsys: CapSys, line: str, kind: str, candidates: list[str]
) -> None:
    words = ["" if word == "|" else word for word in line.split()]
    found = complete(*words, capsys=capsys)
    assert (found[0], sorted(found[1])) == (kind, sorted(candidates))
    assert repository.is_dir()


def test_every_command_and_every_long_option_is_completed(repository: Path, capsys: CapSys) -> None:
    assert complete("", capsys=capsys)[1] == [*COMMANDS, "help"]
    assert complete(capsys=capsys)[1] == [*COMMANDS, "help"]
    for command in COMMANDS:
        kind, options = complete(command, "--", capsys=capsys)
        assert kind == ""
        assert {"--help", "--root"} <= set(options)
        run_cli(["complete", command, "--"])
        assert "%%" not in capsys.readouterr().out
    assert repository.is_dir()


def test_outside_a_repository_and_with_broken_files_there_are_no_names_and_no_error(
    repository: Path, tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository / "problems/sums/problem.yaml", "name: [\n")
    assert complete("run", "sums/sa", capsys=capsys) == ("files", [])
    assert complete("run", "--case", "x", capsys=capsys) == ("", [])
    monkeypatch.chdir(tmp_path)
    assert complete("run", "su", capsys=capsys) == ("files", [])
    assert complete("show", "su", capsys=capsys) == ("files", [])


def test_cases_of_files_are_completed_where_a_problem_is_none(
    tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_files(tmp_path, dict.fromkeys(("a.py", "b.cpp", "tests/1.in", "tests/10.in", "b.in"), "")))
    monkeypatch.setattr("judge.cli.complete._BUDGET_S", 100)
    assert complete("show", "a.py/te", capsys=capsys) == ("files", ["a.py/tests/1", "a.py/tests/10"])
    assert complete("show", "x.py/te", capsys=capsys) == ("files", [])
    assert complete("run", "a.py", "--case", "1", capsys=capsys) == ("", ["1", "10"])
    assert complete("run", "--case", "", capsys=capsys) == (
        "",
        ["tests/1", "tests/10", f"{tmp_path.name}/b", "1", "10", "b"],
    )
    assert complete("run", "a.py", "--group", "", capsys=capsys)[1] == ["tests"]


def test_names_that_are_no_words_are_left_out(repository: Path, capsys: CapSys) -> None:
    names = ("-x", "~root", "a\nb", "a\tb", "a\x1b[2J", "a\x9bb")
    write(repository / "judge.toml", "".join(f"[profile.{json.dumps(name)}]\n" for name in (*names, "$(x) y")))
    for name in names:
        write(repository / f"solutions/sums/accepted/z{name}.py", "")
    assert complete("run", "--profile", "", capsys=capsys) == ("", ["$(x) y"])
    found = complete("run", "sums", "-s", "solutions/sums/accepted/z", capsys=capsys)[1]
    assert found == ["solutions/sums/accepted/z-x.py", "solutions/sums/accepted/z~root.py"]
    assert complete("check", "~nobody/x", capsys=capsys) == ("files", [])


@pytest.mark.thorough
def test_an_answer_loads_nothing_that_runs_or_shows_something(repository: Path) -> None:
    script = (
        "import sys; from judge.cli.main import run_cli; run_cli(['complete', *sys.argv[1:]]);"
        "sys.exit(', '.join(sys.modules.keys() & {'rich', 'judge.sandbox.box', 'judge.runner.run'}))"
    )
    for words in (
        ["run", "sums/sample/"],
        *([command, "--"] for command in COMMANDS if command not in ("baseline", "debug", "doctor", "fetch")),
    ):
        done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
        assert done.stderr in ("", "\n"), (words, done.stderr)
    assert repository.is_dir()


# ---- the shells ------------------------------------------------------------------------------------------------------

LINES = [
    ("judge wat", "<watch>"),
    ("judge run sums/sample/sta", "<run><sums/sample/statement>"),
    ("judge run --format=jsonl", "<run><--format=jsonl>"),
    ("judge run --format=pl", "<run><--format=plain>"),
    ("judge run --float", "<run><--float-tolerance>"),
    ("judge run --format pl", "<run><--format><plain>"),
    ("judge run sums -s solutions/sums/w", "<run><sums><-s><solutions/sums/wrong_answer/no_signs.py>"),
    ("judge run my", "<run><my solution.py>"),
    ("judge help verd", "<help><verdicts>"),
]
STARTS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set enable-bracketed-paste off'; . ./script"),
    "zsh": (["zsh", "-f", "-i"], "unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u; . ./script"),
    "fish": (["fish", "--no-config", "-i"], "source ./script"),
}


@pytest.fixture
def environment(repository: Path, tmp_path: Path) -> Mapping[str, str]:
    """An environment whose `judge` completes, and prints any other command line in place of running it."""
    complete = f'#!/bin/sh\n[ "$1" != complete ] || exec {sys.executable} -m judge "$@"\n'
    echo = f'{complete}printf "%s\\0" "$@" >"$HOME/words"\nprintf "<%s>" "$@"\necho .\n'
    write(tmp_path / "bin/judge", echo).chmod(0o755)
    write(repository / "rc", "")
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BASH", "ZDOT", "XDG"))}
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "PATH": path, "HOME": str(home), "TERM": "dumb", "PS1": "$ ", "XDG_DATA_HOME": str(home)}


@pytest.mark.parametrize("shell", sorted(SCRIPTS))
def test_a_real_shell_completes(repository: Path, environment: Mapping[str, str], capsys: CapSys, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    assert run_cli(["completion", shell]) == 0
    write(repository / "script", capsys.readouterr().out)
    start, setup = STARTS[shell]
    terminal = Terminal(start, environment)
    try:
        terminal.type(f"{setup}; echo ready'.'\n")
        terminal.wait_for("ready.")
        for line, expected in LINES:
            terminal.type(f"{line}\t")
            terminal.type("\n")
            shown = terminal.wait_for(">.")
            assert expected in shown, f"{line}: {shown}"
    finally:
        terminal.close()


NAMES = (
    "$(touch PWN)$HOME",
    "`touch PWN`;touch PWN;&& x |&<>y",
    'it\'s "x"  y',
    "!!x!*?[a]{b,c}^a^b",
    "#a\\b\\n:~",
    "a\n5xa;touch PWN",
    "a\x1b]0;x\x07\tb",
)


@pytest.mark.thorough
@pytest.mark.parametrize("shell", sorted(SCRIPTS))
def test_a_completed_name_is_a_word_that_names_the_file_and_runs_nothing(
    repository: Path, environment: Mapping[str, str], capsys: CapSys, shell: str
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    assert run_cli(["completion", shell]) == 0
    write(repository / "script", capsys.readouterr().out)
    folder = "solutions/sums/accepted"
    for number, name in enumerate(NAMES):
        write(repository / f"{folder}/{number}x{name}.py", "")
        write(repository / f"{number}x{name}.py", "")
    profiles = [f"{number}x{name}" for number, name in enumerate(NAMES)]
    write(repository / "judge.toml", "".join(f"[profile.{json.dumps(name)}]\n" for name in profiles))
    start, setup = STARTS[shell]
    terminal = Terminal(start, environment)
    words = Path(environment["HOME"]) / "words"
    try:
        terminal.type(f"{setup}; echo ready'.'\n")
        terminal.wait_for("ready.")
        for number, name in enumerate(NAMES):
            for line, expected in (
                (f"judge run sums -s {folder}/{number}", f"{folder}/{number}x{name}.py"),
                (f"judge run {number}", f"{number}x{name}.py"),
                (f"judge run --profile {number}", f"{number}x{name}"),
            ):
                terminal.type(f"{line}\t")
                terminal.type("\n")
                shown = terminal.wait_for(">.")
                found = words.read_text().split("\0")[-2]
                typed = line.rpartition(" ")[2]
                assert found == expected or (found == typed and not name.isprintable()), f"{line}: {shown}"
                assert "\x1b]0;x" not in shown.partition("<run>")[0]
    finally:
        terminal.close()
    assert list(repository.rglob("PWN")) == []


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, argv: list[str], environment: Mapping[str, str]) -> None:
        self._pid, self._file = pty.fork()
        if self._pid == 0:
            os.execvpe(argv[0], argv, environment)

    def type(self, text: str) -> None:
        """Send keys."""
        os.write(self._file, text.encode())

    def wait_for(self, text: str) -> str:
        """Return what is shown up to and including a text."""
        shown = b""
        deadline = time.monotonic() + 60
        while text.encode() not in shown:
            assert time.monotonic() < deadline, shown.decode(errors="replace")
            if select.select([self._file], [], [], 1)[0]:
                shown += os.read(self._file, 65536)
        return shown.decode(errors="replace")

    def close(self) -> None:
        """End the shell."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._file)
