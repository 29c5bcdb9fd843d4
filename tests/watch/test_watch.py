"""`judge watch` with real processes, real saves and a real terminal."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from tests.cli.command_line import copy_repository
from tests.parameters import first_of
from tests.programs import processes_with
from tests.watch.watch_process import JUDGE, WatchProcess, eventually, replace

RIGHT = "import sys\nfor line in sys.stdin:\n    print(sum(map(int, line.split())))\n"
WRONG = "print(1)\n"
WAITING = "waiting for changes"
FINE = "] as expected: 4 solutions as expected; waiting"
CapSys = pytest.CaptureFixture[str]


@pytest.fixture
def repository(locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one small problem whose test data is locked, and one solution that is not its reference."""
    root = copy_repository(locked_sums, tmp_path, monkeypatch)
    mine(root).write_text(RIGHT)
    return root


def mine(root: Path) -> Path:
    return root / "solutions/sums/accepted/mine.py"


@contextmanager
def watching(root: Path, *arguments: str) -> Iterator[WatchProcess]:
    """Yield a watch on a pipe that has judged everything once."""
    with WatchProcess(root, *arguments) as watch:
        watch.until(WAITING)
        yield watch


def test_headers_are_made_after_a_batch_and_not_only_at_the_end(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    headers = Path(os.environ["XDG_CACHE_HOME"]) / "judge/headers"
    headers.mkdir(parents=True)
    (headers / "a.wanted").write_text("{")  # which nothing can be made of
    with watching(repository):
        assert eventually((headers / "lock").exists)  # whoever makes them needs it


# ---- saves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["--poll"]])
def test_a_save_of_any_kind_judges_only_what_it_affects(repository: Path, options: list[str]) -> None:
    with watching(repository, *options) as watch:
        mine(repository).write_text(WRONG)
        first = watch.until(WAITING)
        assert "changed: solutions/sums/accepted/mine.py" in first
        assert "UNEXPECTED  solutions/sums/accepted/mine.py  WA" in first
        assert "split.py" not in first
        assert "NOT AS EXPECTED: 3 of 4 solutions as expected" in first
        replace(mine(repository), RIGHT)
        second = watch.until(
            "] as expected: 4 solutions as expected; waiting"
        )  # polling may see half of the first save
        assert "ok          solutions/sums/accepted/mine.py  AC" in second
        assert watch.stop() == 0


@pytest.mark.parametrize("options", [[], ["--poll"]])
def test_the_last_of_many_quick_saves_gets_its_verdict(repository: Path, options: list[str]) -> None:
    with watching(repository, *options) as watch:
        for number in range(20):
            replace(mine(repository), f"{WRONG}# {number}\n")
        mine(repository).write_text("raise SystemExit(7)\n")
        watch.until("mine.py  RTE")
        watch.until("3 of 4 solutions as expected; waiting for changes")
        assert watch.stop() == 1


def test_a_save_abandons_the_current_batch(repository: Path) -> None:
    marker = f"sleeper-{os.getpid()}"
    with watching(repository) as watch:
        mine(repository).with_name(f"{marker}.py").write_text("import time\ntime.sleep(100)\n")
        assert eventually(lambda: processes_with(marker) != [])
        mine(repository).with_name(f"{marker}.py").write_text(RIGHT)
        output = watch.until("5 solutions as expected; waiting for changes")
        assert "interrupted by a change" in output
        assert "TLE" not in output
        assert processes_with(marker) == []
        assert watch.stop() == 0


def test_a_renamed_solution_is_reported_as_removed_and_new(repository: Path) -> None:
    with watching(repository) as watch:
        mine(repository).rename(mine(repository).with_name("other.py"))
        output = watch.until(WAITING)
        assert "added: solutions/sums/accepted/other.py" in output
        assert "removed: solutions/sums/accepted/mine.py" in output
        mine(repository).with_name("other.py").unlink()
        assert "removed: solutions/sums/accepted/other.py" in watch.until(WAITING)


def test_an_edited_case_runs_only_that_case_of_its_problem(repository: Path) -> None:
    sample = repository / "testcases/sums/sample.yaml"
    with watching(repository) as watch:
        replace(sample, sample.read_text().replace("1 2", "0 3"))
        output = watch.until(WAITING)
        assert "4 runs, 20 from the cache," in output
        assert "sample/statement is new or changed" in output


def test_what_failed_last_is_judged_first(repository: Path) -> None:
    sample = repository / "testcases/sums/sample.yaml"
    mine(repository).write_text(WRONG)
    with watching(repository) as watch:
        assert watch.output.index("accepted/count.py") < watch.output.index("accepted/mine.py  ")
        replace(sample, sample.read_text().replace("1 2", "0 3"))
        output = watch.until(WAITING)
        assert (
            output.index("accepted/mine.py  ")
            < output.index("accepted/count.py  ")
            < output.index("accepted/split.py  ")
        )


def test_what_is_wrong_is_reported_until_it_is_right_and_the_watch_continues(repository: Path) -> None:
    def spoil(path: str, text: str, *found: str) -> str:
        """Write a text into a file; check what the watch says, and that all is well with the old text."""
        right = (repository / path).read_text()
        (repository / path).write_text(text)
        output = watch.until(WAITING)
        assert all(each in output for each in ("NOT AS EXPECTED", *found)), output
        replace(repository / path, right)
        watch.until(FINE)
        return output

    sample = repository / "testcases/sums/sample.yaml"
    right = sample.read_text()
    sample.write_text(right + "- [\n")
    with watching(repository) as watch:
        assert "testcases/sums/sample.yaml:" in watch.output
        sample.write_text(right)
        watch.until(FINE)
        problem = (repository / "problems/sums/problem.yaml").read_text()
        spoil("problems/sums/problem.yaml", problem.replace("checker: lines", "checker: [lines"), "problem.yaml:")
        spoil("problems/sums/generators/pairs.py", "def broken(:\n", "problems/sums/generators/pairs.py")
        output = spoil("problems/sums/validate.py", "pass\n", "not judged  solutions/sums/accepted/mine.py")
        assert output.count("problems/sums/validate.py: error: the validator exits with status 0 on cases ") == 1
        output = spoil("solutions/sums/accepted/split.py", WRONG, "UNEXPECTED  solutions/sums/accepted/split.py ")
        assert output.count("  UNEXPECTED  ") == 1
        assert "NOT AS EXPECTED: 3 of 4 solutions as expected" in output
        assert "error" not in output
        assert watch.stop() == 0


def test_a_new_problem_is_judged_and_a_removed_one_disappears(repository: Path) -> None:
    with watching(repository) as watch:
        subprocess.run([*JUDGE, "new", "more"], check=True, capture_output=True)
        assert "added: solutions/more/accepted/" in watch.until("7 solutions as expected; waiting for changes")
        for tree in ("problems", "testcases", "solutions"):
            shutil.rmtree(repository / tree / "more")
        watch.until("] as expected: 4 solutions as expected; waiting for changes")
        assert watch.stop() == 0


def test_a_target_limits_what_is_judged(repository: Path) -> None:
    with watching(repository, "solutions/sums/accepted/mine.py") as watch:
        assert "] as expected: 1 solution as expected" in watch.output
        (repository / "solutions/sums/wrong_answer/no_signs.py").write_text(RIGHT)
        mine(repository).write_text(WRONG)
        output = watch.until("0 of 1 solution as expected; waiting for changes")
        assert "no_signs.py" not in output


def test_a_removed_target_is_an_error_until_it_exists_again(repository: Path) -> None:
    with watching(repository, "solutions/sums/accepted/mine.py") as watch:
        mine(repository).unlink()
        assert "error: solutions/sums/accepted/mine.py: not a problem or a file" in watch.until(WAITING)
        mine(repository).write_text(WRONG)
        watch.until("mine.py  WA")
        assert watch.stop() == 1


def test_a_solution_outside_the_repository_is_watched(repository: Path, tmp_path: Path) -> None:
    own = tmp_path / "elsewhere" / "own.py"
    own.parent.mkdir()
    own.write_text(WRONG)
    with watching(repository, "sums", "-s", str(own)) as watch:
        assert "own.py" in watch.output
        replace(own, RIGHT)
        watch.until("] as expected: 1 solution as expected")
        assert watch.stop() == 0


def test_a_folder_of_files_is_watched_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "abc300"
    folder.mkdir()
    for name, text in {"own.py": RIGHT, "own.in": "1 2\n", "own.out": "3\n"}.items():
        (folder / name).write_text(text)
    with watching(folder) as watch:
        assert f"watching {folder}, " in watch.output
        assert watch.stop() == 0


def test_a_solution_cases_and_an_included_folder_are_watched_without_a_repository(tmp_path: Path) -> None:
    for name, text in {"cases/1.in": "", "cases/1.ans": "3\n", "lib/util.py": "answer = 4\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "own.py").write_text("import util\nprint(util.answer)\n")
    with watching(tmp_path, "-s", "own.py", "--cases", "cases", "--include", "lib") as watch:
        assert "0 of 1 solution as expected" in watch.output
        (tmp_path / "lib/util.py").write_text("answer = 3\n")
        watch.until("] as expected: 1 solution as expected")
        (tmp_path / "cases/1.ans").write_text("5\n")
        watch.until("0 of 1 solution as expected")
        assert watch.stop() == 1


def test_batches_are_recorded_in_the_history(repository: Path, capsys: CapSys) -> None:
    with watching(repository, "sums") as watch:
        mine(repository).write_text(WRONG)
        watch.until(WAITING)
        watch.stop()
    capsys.readouterr()
    assert run_cli(["history", "solutions/sums/accepted/mine.py"]) == 0
    out = capsys.readouterr().out
    assert "AC" in out
    assert "WA" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nosuch"], "nosuch: not a problem or a file"),
        (["sums", "-s", "nosuch.py"], "nosuch.py: no such file"),
        (["-j", "0"], "--jobs 0: expected a number from 1 to 256"),
        (["--format", "json"], "argument -f/--format: invalid choice: 'json'"),
    ],
)
def test_an_invalid_command_line_is_an_error_with_status_2(
    repository: Path, words: list[str], message: str, capsys: CapSys
) -> None:
    capsys.readouterr()
    assert run_cli(["-C", str(repository), "watch", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


# ---- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("number", "is_busy"),
    first_of([(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, True), (signal.SIGTERM, True)], 3),
)
def test_a_signal_ends_the_watch_and_leaves_nothing_behind(
    repository: Path, number: signal.Signals, is_busy: bool
) -> None:
    marker = f"sleeper-{os.getpid()}-{number}"
    with watching(repository) as watch:
        if is_busy:
            mine(repository).with_name(f"{marker}.py").write_text("import time\ntime.sleep(100)\n")
            assert eventually(lambda: processes_with(marker) != [])
        assert watch.stop(number) == (1 if is_busy else 0)
        assert "Traceback" not in watch.output
        assert eventually(lambda: processes_with(str(watch.temporary)) == [])
        assert list(watch.temporary.iterdir()) == []


# ---- on a terminal ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keys", ["q", "\x03"])
def test_a_key_ends_the_watch_and_restores_the_terminal(repository: Path, keys: str) -> None:
    with WatchProcess(repository, size=(24, 80)) as watch:
        watch.until("4 solutions as expected")
        watch.press(keys)
        assert watch.wait() == 0
        assert watch.after == watch.before
        assert watch.output.count("\x1b[?1049h") == watch.output.count("\x1b[?1049l") == 1, (
            "the alternate screen is left"
        )
        assert watch.output.rindex("\x1b[?25h") > watch.output.rindex("\x1b[?25l"), "the cursor is shown again"
        assert "4 solutions as expected" in watch.output.rpartition("\x1b[?1049l")[2]


@pytest.mark.thorough
def test_the_result_of_the_failed_case_is_shown_before_the_rest_is_judged(repository: Path) -> None:
    slow = "import time\ntime.sleep(0.5)\n"
    mine(repository).write_text(slow + RIGHT.replace("sum(", "3 * sum("))
    with WatchProcess(repository, "sums", "-j", "1", size=(24, 80)) as watch:
        watch.until("3 of 4 solutions as expected")
        mine(repository).write_text(slow + RIGHT)
        watch.until("the failing case passes now")
        watch.until("4 solutions as expected")
        watch.press("q")
        assert watch.wait() == 0


def test_keys_judge_everything_again_with_or_without_the_cache(repository: Path) -> None:
    with WatchProcess(repository, size=(24, 100)) as watch:
        watch.until("4 solutions as expected")
        watch.press("\r")
        watch.until("0 runs, 24 from the cache")
        watch.press("x\x1b[A")  # keys that mean nothing
        watch.press("f")
        watch.until("24 runs in")
        watch.press("q")
        assert watch.wait() == 0


def test_the_screen_fills_the_window_whatever_the_shell_says_and_shows_the_first_failing_case(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINES", "50")
    monkeypatch.setenv("COLUMNS", "200")
    with WatchProcess(repository, size=(24, 80)) as watch:
        watch.until("4 solutions as expected")
        watch.until("q quit")
        rows = watch.output.rpartition("\x1b[H")[2].split("\r\n")
        assert len(rows) == 24
        assert len(re.sub(r"\x1b\[[0-9;]*m", "", rows[0])) == 80
        mine(repository).write_text(WRONG)
        assert "mine.py" in watch.until("found `1`")
        replace(mine(repository), RIGHT)
        watch.until("4 solutions as expected")
        watch.until("q quit")
        watch.resize(8, 40)
        output = watch.until("q quit")
        assert output.rpartition("\x1b[H")[2].count("\n") == 7, "one line for each row but the last"


def test_format_plain_writes_lines_on_a_terminal_too(repository: Path) -> None:
    with WatchProcess(repository, "--format", "plain", size=(24, 80)) as watch:
        watch.until(WAITING)
        assert "\x1b" not in watch.output
        watch.press("q")
        assert watch.wait() == 0
