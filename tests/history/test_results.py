"""The results cache: only what changed runs again, and a cache in any state never changes a verdict."""

import fcntl
import json
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from judge.base.units import Bytes, Seconds
from judge.cli.main import run_cli
from judge.history.results import ResultStore
from judge.model import DEFAULT_LIMITS, Case, CaseResult, CheckerConfig, Ending, Inline, Limits, RunResult, Verdict
from judge.sandbox.box import Box, Command, Outcome
from tests.cli.command_line import copy_repository, write
from tests.programs import processes_with

CapSys = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def judged(locked_sums: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the problem `sums` and one more solution, all judged; to be copied."""
    root = tmp_path_factory.mktemp("judged") / "repository"
    shutil.copytree(locked_sums, root)
    accepted = root / "solutions/sums/accepted"
    (accepted / "mine.py").write_bytes((accepted / "split.py").read_bytes() + b"\n# mine\n")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(root)
        monkeypatch.setenv("XDG_CACHE_HOME", str(root.parent / "cache"))
        assert run_cli(["run", "-f", "json"]) == 0
    return root


@pytest.fixture
def repository(judged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `judged`, its results in the cache; the current folder."""
    return copy_repository(judged, tmp_path, monkeypatch)


def run(capsys: CapSys, *argv: str) -> dict[str, Any]:
    """Judge; return the JSON report, with the exit status in it and standard error."""
    capsys.readouterr()
    status = run_cli(["run", "-f", "json", *argv])
    out, err = capsys.readouterr()
    return {**json.loads(out), "status": status, "err": err}


ALL = {"count.py", "mine.py", "no_signs.py", "split.py"}


def rerun_solutions(report: dict[str, Any]) -> set[str]:
    """Return the names of the solutions with at least one new run."""
    solutions = [each for problem in report["problems"] for each in problem["solutions"]]
    return {Path(each["path"]).name for each in solutions if each["cached_count"] < sum(each["counts"].values())}


def cache_of(root: Path) -> Path:
    return root / ".judge" / "results.sqlite"


# ---- what runs again -----------------------------------------------------------------------------------------------


def test_without_changes_nothing_runs_and_the_report_is_the_same(repository: Path, capsys: CapSys) -> None:
    first = run(capsys, "--fresh")
    second = run(capsys)
    assert second["run_count"] == 0
    assert second["cached_count"] == first["run_count"] > 0
    for report in (first, second):
        for each in report["problems"][0]["solutions"]:
            del each["cached_count"]
            for case in each["cases"]:
                del case["cached"]
    assert first["problems"] == second["problems"]
    assert second["status"] == 0
    assert repository.is_dir()


def test_a_cached_failure_is_shown_like_a_new_one(repository: Path, capsys: CapSys) -> None:
    (repository / "solutions/sums/accepted/off.py").write_text("import sys\nfor _ in sys.stdin: print(0)\n")
    (repository / "solutions/sums/accepted/crash.py").write_text("raise RuntimeError('in the middle')\n")
    texts = []
    for _ in range(2):
        capsys.readouterr()
        assert run_cli(["run", "-f", "plain"]) == 1
        out, _ = capsys.readouterr()
        texts.append([line.replace(", all cached", "") for line in out.splitlines() if " runs" not in line])
    assert texts[0] == texts[1]
    assert any("RuntimeError: in the middle" in line for line in texts[1])


def edit_solution(root: Path) -> None:
    path = root / "solutions/sums/accepted/mine.py"
    path.write_text(path.read_text() + "# edited\n")


def touch_solution(root: Path) -> None:
    os.utime(root / "solutions/sums/accepted/mine.py", (1, 1))


def rename_solution(root: Path) -> None:
    (root / "solutions/sums/accepted/mine.py").rename(root / "solutions/sums/accepted/other.py")


def edit_limits(root: Path) -> None:
    path = root / "problems/sums/problem.yaml"
    path.write_text(path.read_text().replace("time: 2 s", "time: 1.5 s"))


def edit_checker(root: Path) -> None:
    path = root / "problems/sums/problem.yaml"
    path.write_text(path.read_text().replace("checker: lines", "checker: exact"))


def edit_nothing(_: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("edit", "rerun"),
    [
        (edit_nothing, set()),
        (touch_solution, set()),
        (edit_solution, {"mine.py"}),
        (rename_solution, {"other.py"}),
        (edit_limits, ALL),
        (edit_checker, ALL),
    ],
)
def test_only_what_an_edit_affects_runs_again(
    repository: Path, capsys: CapSys, edit: Callable[[Path], None], rerun: set[str]
) -> None:
    edit(repository)
    assert rerun_solutions(run(capsys)) == rerun


def test_a_new_case_alone_runs_for_every_solution(repository: Path, capsys: CapSys) -> None:
    sample = repository / "testcases/sums/sample.yaml"
    sample.write_text(sample.read_text() + "  - name: one-more\n    input: |\n      40 2\n    answer: |\n      42\n")
    report = run(capsys)
    assert report["run_count"] == len(ALL)
    assert report["cached_count"] > 3


def test_warm_runs_have_results_of_their_own_in_the_cache(repository: Path, capsys: CapSys) -> None:
    assert run(capsys, "--warm")["cached_count"] == 0
    assert run(capsys, "--warm")["run_count"] == 0
    assert repository.is_dir()


@pytest.mark.thorough
def test_packages_installed_into_a_given_python_make_its_results_invalid(
    repository: Path, capsys: CapSys, tmp_path: Path
) -> None:
    environments = [tmp_path / name for name in ("one", "two")]
    for each in environments:
        venv.create(each, symlinks=True, with_pip=False)
    (packages,) = environments[1].glob("lib/*/site-packages")
    (packages / "module.py").write_text("x = 3\n")
    needy = repository / "solutions/sums/accepted/needy.py"
    needy.write_text("import module\n" + (repository / "solutions/sums/accepted/mine.py").read_text())

    def status(environment: Path) -> int:
        return int(run(capsys, str(needy), "--python", str(environment / "bin/python"))["status"])

    assert [status(each) for each in environments] == [1, 0]
    (packages / "module.py").unlink()
    assert status(environments[1]) == 1
    assert run(capsys, str(needy), "--python", str(environments[1] / "bin/python"))["run_count"] == 0


def test_other_ulimits_of_the_judge_make_results_invalid(repository: Path, capsys: CapSys) -> None:
    command = f"ulimit -Hs 65536 && exec {shlex.quote(sys.executable)} -m judge run -f json"
    out = subprocess.run(["bash", "-c", command], cwd=repository, stdout=subprocess.PIPE, check=True).stdout
    assert json.loads(out)["cached_count"] == 0
    assert run(capsys)["run_count"] == 0


def test_fresh_runs_everything_and_stores_the_results(repository: Path, capsys: CapSys) -> None:
    assert run(capsys, "--fresh")["cached_count"] == 0
    assert run(capsys)["run_count"] == 0
    assert repository.is_dir()


def test_results_stay_valid_when_the_repository_moves_and_name_its_new_path(
    repository: Path, capsys: CapSys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "solutions/sums/accepted/crash.py").write_text("def f(): return 1 // 0\nf()\n")
    run(capsys)
    moved = tmp_path / "moved"
    monkeypatch.chdir(tmp_path)
    repository.rename(moved)
    monkeypatch.chdir(moved)
    capsys.readouterr()
    run_cli(["run", "-f", "jsonl"])
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[-1]["run_count"] == 0
    crash = next(e for e in events if e["event"] == "case_judged" and e["path"].endswith("crash.py"))
    assert str(moved / "solutions/sums/accepted/crash.py") in crash["case"]["run"]["stderr_tail"]


def test_results_for_a_folder_of_cases_depend_on_the_content_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "t").mkdir()
    for name in "ab":
        (tmp_path / f"t/{name}.in").write_text("1 2\n")
        (tmp_path / f"t/{name}.ans").write_text("3\n")
    (tmp_path / "x.py").write_text("print(3)\n")
    arguments = ("-s", "x.py", "--cases", "t")
    assert run(capsys, *arguments)["cached_count"] in (0, 1)  # b is a: it may come from the cache at once
    assert run(capsys, *arguments)["run_count"] == 0
    (tmp_path / "t/a.ans").write_text("4\n")
    changed = run(capsys, *arguments)
    assert (changed["run_count"], changed["status"]) == (1, 1)
    assert not (tmp_path / ".judge").exists(), "a folder that is not a repository is left as it is"


def test_a_result_is_stored_for_the_data_that_it_was_judged_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "t").mkdir()
    given = tmp_path / "t/a.in"
    given.write_text("1 2\n")
    (tmp_path / "t/a.ans").write_text("3\n")
    (tmp_path / "x.py").write_text("print(sum(map(int, input().split())))\n")
    arguments = ("-s", "x.py", "--cases", "t")

    def run_and_edit(box: Box, command: Command, limits: Limits) -> Outcome:
        outcome = honest(box, command, limits)
        if command.stdin == b"1 2\n":  # not the check of the syntax
            given.write_text("5 6\n")  # as an editor may at any moment
        return outcome

    honest = Box.run
    with monkeypatch.context() as patched:
        patched.setattr(Box, "run", run_and_edit)
        assert run(capsys, *arguments)["status"] == 0
    edited = run(capsys, *arguments)
    assert (edited["run_count"], edited["status"]) == (1, 1)
    given.write_text("1 2\n")
    assert run(capsys, *arguments)["run_count"] == 0


def test_a_compile_error_is_cached_with_its_message(repository: Path, capsys: CapSys) -> None:
    (repository / "solutions/sums/accepted/bad.py").write_text("def (:\n")
    messages = []
    for _ in range(2):
        report = run(capsys)
        solution = next(s for s in report["problems"][0]["solutions"] if s["path"].endswith("bad.py"))
        messages.append((solution["verdict"], solution["message"]))
    assert messages[0] == messages[1]
    assert messages[0][0] == "CE"
    assert messages[0][1].startswith("line 1")
    assert rerun_solutions(run(capsys)) == set()


def test_an_exceeded_limit_is_cached(repository: Path, capsys: CapSys) -> None:
    problem = repository / "problems/sums/problem.yaml"
    problem.write_text(problem.read_text().replace("time: 2 s", "time: 300 ms"))
    slow = repository / "solutions/sums/time_limit_exceeded/spins.py"
    slow.parent.mkdir()
    slow.write_text("while True: pass\n")
    assert run(capsys, str(slow), "--group", "sample")["run_count"] == 1
    again = run(capsys, str(slow), "--group", "sample")
    assert (again["run_count"], again["status"]) == (0, 0)


def test_a_judge_error_is_never_cached(repository: Path, capsys: CapSys) -> None:
    answers = repository / "testcases/sums/sample.yaml"
    answers.write_text(answers.read_text() + "  - name: gone\n    input_file: gone.in\n    answer_file: gone.ans\n")
    (repository / "testcases/sums/gone.in").write_text("1 1\n")
    (repository / "testcases/sums/gone.ans").write_text("2\n")
    assert run(capsys)["status"] == 0
    (repository / "testcases/sums/gone.ans").write_text("3\n")  # the reference says 2: the case is broken
    assert run(capsys)["status"] == 2
    (repository / "testcases/sums/gone.ans").write_text("2\n")
    assert run(capsys)["status"] == 0


# ---- a cache in any state -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"not a database, but a text that is long enough to be one" * 30])
def test_a_damaged_file_is_reported_renamed_and_replaced(repository: Path, capsys: CapSys, content: bytes) -> None:
    cache_of(repository).write_bytes(content)
    report = run(capsys)
    assert (report["status"], report["cached_count"]) == (0, 0)
    if content:
        assert "is damaged" in report["err"]
        assert "renamed to results.sqlite.aside" in report["err"]
        assert cache_of(repository).with_name("results.sqlite.aside").read_bytes() == content
    again = run(capsys)
    assert (again["run_count"], again["err"]) == (0, "")


def test_a_file_damaged_in_the_middle_does_not_change_verdicts(repository: Path, capsys: CapSys) -> None:
    path = cache_of(repository)
    data = bytearray(path.read_bytes())
    for at in range(4096 + 8, len(data), 512):
        data[at : at + 200] = os.urandom(200)
    path.write_bytes(data)
    report = run(capsys)
    assert report["status"] == 0
    assert run(capsys)["status"] == 0
    assert run(capsys)["run_count"] == 0


def test_a_file_of_another_version_is_renamed_and_replaced(repository: Path, capsys: CapSys) -> None:
    connection = sqlite3.connect(cache_of(repository))
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    report = run(capsys)
    assert (report["status"], report["cached_count"]) == (0, 0)
    assert "has version 99, this judge reads version 4" in report["err"]
    assert run(capsys)["run_count"] == 0


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_renamed_and_what_it_leads_to_is_not_touched(
    repository: Path, tmp_path: Path, capsys: CapSys, exists: bool
) -> None:
    other = tmp_path / "other.sqlite"
    if exists:
        connection = sqlite3.connect(other)
        connection.execute("CREATE TABLE mine (value)")
        connection.close()
    before = other.read_bytes() if exists else None
    cache_of(repository).unlink()
    cache_of(repository).symlink_to(other)
    report = run(capsys)
    assert (report["status"], report["cached_count"]) == (0, 0)
    assert "results.sqlite is a link; it was renamed to results.sqlite.aside" in report["err"]
    assert (other.read_bytes() if other.exists() else None) == before
    assert run(capsys)["run_count"] == 0


def test_a_file_whose_views_would_run_forever_is_renamed_and_replaced(repository: Path, capsys: CapSys) -> None:
    connection = sqlite3.connect(cache_of(repository), isolation_level=None)
    connection.execute("DROP TABLE results")
    connection.execute(
        "CREATE VIEW results AS WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) "
        "SELECT randomblob(16) AS submission, x'00' AS \"case\", n AS result FROM numbers"
    )
    connection.close()
    report = run(capsys)
    assert (report["status"], report["cached_count"]) == (0, 0)
    assert "is damaged (it has views or triggers)" in report["err"]
    assert run(capsys)["run_count"] == 0


@pytest.mark.parametrize("value", [b"\xc1garbage", 5])
def test_a_case_whose_stored_result_is_invalid_runs_again(repository: Path, capsys: CapSys, value: object) -> None:
    connection = sqlite3.connect(cache_of(repository), isolation_level=None)
    connection.execute("UPDATE results SET result = ?", (value,))
    connection.execute("UPDATE summaries SET summary = ?", (value,))
    connection.close()
    report = run(capsys)
    assert (report["status"], report["cached_count"]) == (0, 0)
    assert run(capsys)["run_count"] == 0


def test_a_file_that_cannot_be_written_is_reported_and_everything_is_judged(repository: Path, capsys: CapSys) -> None:
    cache_of(repository).unlink()
    cache_of(repository).mkdir()
    write(cache_of(repository).with_name("results.sqlite.aside") / "x", "")  # so it cannot be set aside
    report = run(capsys)
    assert (report["status"], report["cached_count"]) == (0, 0)
    assert "results.sqlite cannot be written" in report["err"]
    assert "nothing is saved in it" in report["err"]


def test_a_file_locked_by_another_judge_is_reported_after_a_while(
    repository: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.history.database._BUSY_TIMEOUT_S", 0.05)
    other = sqlite3.connect(cache_of(repository), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    report = run(capsys, "--fresh")
    other.execute("ROLLBACK")
    other.close()
    assert report["status"] == 0
    assert "locked" in report["err"]
    assert "nothing is saved in it" in report["err"]


def test_a_judge_that_is_stopped_while_it_opens_a_file_does_not_stop_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.history.database._BUSY_TIMEOUT_S", 0.05)
    other = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    store = ResultStore(tmp_path / "r.sqlite")
    assert store.warning.endswith("cannot be written (another judge keeps the folder locked): nothing is saved in it")
    store.close()
    os.close(other)


def test_a_write_that_fails_in_the_middle_is_reported_and_later_ones_do_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.history.database._BUSY_TIMEOUT_S", 0.05)
    path = tmp_path / ".judge/r.sqlite"
    store = ResultStore(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for _ in range(2):
        store.put(b"s", b"k", result("a", b""))
        store.flush()
        assert store.warning == f"{path} cannot be used (database is locked): the rest of this run is not saved in it"
    other.close()
    store.close()


@pytest.mark.thorough
def test_of_many_judges_at_once_one_replaces_a_damaged_file(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from judge.history.results import ResultStore\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "store = ResultStore(Path(sys.argv[1])); print(store.warning, flush=True); sys.stdin.readline(); store.close()"
    )
    for turn in range(5):
        path = tmp_path / f"{turn}/r.sqlite"
        path.parent.mkdir()
        path.write_bytes(b"damaged" * 1000)
        command = [sys.executable, "-c", program, str(path)]
        judges = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(6)]
        assert [each.stdout and each.stdout.readline() for each in judges] == ["ready\n"] * len(judges)
        for each in judges:
            assert each.stdin
            each.stdin.write("go\n")
            each.stdin.flush()
        outs = [each.communicate("end\n")[0].strip() for each in judges]
        assert sum("is damaged" in out for out in outs) == 1
        assert sum(out == "" for out in outs) == len(judges) - 1
        assert path.with_name("r.sqlite.aside").read_bytes() == b"damaged" * 1000


@pytest.mark.thorough
def test_two_judges_at_once_lose_nothing(repository: Path, capsys: CapSys) -> None:
    command = [sys.executable, "-m", "judge", "run", "--fresh", "-f", "json"]
    both = [subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE) for _ in range(2)]
    outs = [each.communicate()[0] for each in both]
    assert [each.returncode for each in both] == [0, 0]
    assert all(json.loads(out)["notices"] == [] for out in outs)
    assert run(capsys)["run_count"] == 0


def test_a_kill_in_the_middle_loses_only_the_last_second(repository: Path, capsys: CapSys) -> None:
    marker = f"marker_{time.time_ns()}"
    slow = repository / "solutions/sums/accepted/slow.py"
    text = (repository / "solutions/sums/accepted/split.py").read_text()
    slow.write_text(f"import time; {marker} = time.sleep(0.4)\n{text}")
    command = [sys.executable, "-m", "judge", "run", "-f", "jsonl", str(slow)]
    process = subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    seen = 0
    for line in process.stdout:
        seen += json.loads(line)["event"] == "case_judged"
        if seen == 4:
            process.send_signal(signal.SIGKILL)
            break
    process.communicate()
    report = run(capsys, str(slow))
    assert report["status"] == 0
    assert report["err"] == ""
    assert report["cached_count"] >= 1, "what was written a second before the kill is there"
    assert not processes_with(marker)


def test_results_are_kept_after_ctrl_c(repository: Path, capsys: CapSys) -> None:
    slow = repository / "solutions/sums/accepted/slow.py"
    slow.write_text("import time; time.sleep(0.3)\n" + (repository / "solutions/sums/accepted/split.py").read_text())
    command = [sys.executable, "-m", "judge", "run", "-f", "jsonl", str(slow)]
    process = subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    while '"case_judged"' not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 130
    assert run(capsys, str(slow))["cached_count"] >= 1


# ---- the file itself ------------------------------------------------------------------------------------------------


def case(name: str) -> Case:
    return Case(
        group="g",
        name=name,
        input=Inline(b""),
        limits=DEFAULT_LIMITS,
        checker=CheckerConfig(),
        origin=Path("/x"),
    )


def result(name: str, tail: bytes) -> CaseResult:
    ran = RunResult(
        ending=Ending.EXITED,
        exit_code=1,
        cpu=Seconds(0.25),
        wall=Seconds(0.5),
        memory=Bytes(123),
        output_bytes=Bytes(4),
        stderr_tail=tail,
    )
    return CaseResult(case=case(name), verdict=Verdict.RTE, reason="r", run=ran, output_digest="0f")


def test_the_file_stays_within_its_limit_and_keeps_what_was_used_last(tmp_path: Path) -> None:
    limit = Bytes(2_000_000)
    path = tmp_path / ".judge/r.sqlite"
    for number in range(40):
        store = ResultStore(path, limit)
        submission = number.to_bytes(16, "big")
        assert store.find(submission, b"k", case("a")) is None
        for key in range(20):
            store.put(submission, bytes([key]), result("a", os.urandom(8000)))
        if number % 3:
            store.close()
            assert path.stat().st_size <= limit
        else:
            store.flush()
            store._database.close()  # as after a kill
    store = ResultStore(path, limit)
    assert store.find((39).to_bytes(16, "big"), b"\x00", case("a")) is not None
    assert store.find((0).to_bytes(16, "big"), b"\x00", case("a")) is None
    store.close()


def test_a_result_with_a_flipped_bit_or_under_another_key_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / ".judge/r.sqlite"
    store = ResultStore(path)
    store.put(b"s", b"k", result("a", b"tail"))
    store.put(b"s", b"l", result("b", b"tail"))
    store.close()
    connection = sqlite3.connect(path, isolation_level=None)
    (blob,) = connection.execute('SELECT result FROM results WHERE "case" = ?', (b"k",)).fetchone()
    flipped = blob.replace(b"tail", b"tbil")
    assert flipped != blob
    connection.execute("UPDATE results SET result = ?", (flipped,))
    store = ResultStore(path)
    assert store.find(b"s", b"k", case("a")) is None
    store.close()
    connection.execute("UPDATE results SET result = ?", (blob,))
    connection.close()
    store = ResultStore(path)
    assert store.find(b"s", b"k", case("a")) is not None
    assert store.find(b"s", b"l", case("a")) is None
    store.close()


def test_a_result_with_a_text_that_is_not_utf8_is_not_stored(tmp_path: Path) -> None:
    with closing(ResultStore(tmp_path / ".judge/r.sqlite")) as store:
        assert not store.put(b"s", b"k", replace(result("a", b""), reason="\udcff"))
        assert store.find(b"s", b"k", case("a")) is None


def test_a_run_that_another_process_may_have_killed_is_not_cached(repository: Path, capsys: CapSys) -> None:
    killed = repository / "solutions/sums/run_time_error/killed.py"
    killed.parent.mkdir()
    killed.write_text("import os, sys\nos.kill(os.getpid(), 9)\n")
    for _ in range(2):
        report = run(capsys, str(killed))
        assert (report["status"], report["cached_count"]) == (0, 0)


def test_the_state_folder_is_ignored_by_git(tmp_path: Path) -> None:
    ResultStore(tmp_path / ".judge/r.sqlite").close()
    assert (tmp_path / ".judge/.gitignore").read_text() == "*\n"
