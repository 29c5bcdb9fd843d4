"""The history of runs, and the options that use it: `judge history`, `judge run --failed` and `--changed`."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from judge.base.units import Bytes, Seconds
from judge.cli.main import run_cli
from judge.history.history import History
from judge.history.recorder import Recorder
from judge.model import Level, Verdict
from judge.model.events import CaseJudged, RunBegan, RunEnded, SolutionBegan, SolutionJudged
from tests.cli.command_line import CapSys, run_judge
from tests.history.judging import MINE, compare, git
from tests.report_scenarios import accepted, judged, problem, solution
from tests.reporters.test_json_report import DOCUMENT, EVENT


def test_every_run_is_recorded_with_its_commit_and_whether_files_were_edited(repository: Path, capsys: CapSys) -> None:
    commit = git(repository, "rev-parse", "HEAD")[:10]
    run_judge("run", capsys=capsys)
    (repository / MINE).write_text("print(0)\n")
    run_judge("run", MINE, capsys=capsys)
    status, out = run_judge("history", capsys=capsys)
    second, first = out.splitlines()
    assert status == 0
    assert first.startswith("run-1 ")
    assert f"{commit} " in first
    assert "as expected     4 solutions" in first
    assert f"{commit}+" in second
    assert "not as expected 1 solution, 1 unexpected" in second
    status, out = run_judge("history", MINE, capsys=capsys)
    assert [line.split("  ")[0].split()[0] for line in out.splitlines()] == ["run-2", "run-1"]
    assert "WA (unexpected)" in out.splitlines()[0]


def test_submissions_are_listed_newest_first(repository: Path, capsys: CapSys) -> None:
    from judge.history.submissions import SubmissionState, open_submissions

    assert run_judge("history", "--submissions", capsys=capsys) == (0, "")
    with open_submissions(repository / ".judge") as submissions:
        for problem, verdict in (("one", "Accepted"), ("two", "")):
            number = submissions.begin(
                judge="kattis", host="https://example.org", problem=problem, sha256="ab" * 32, language="python3"
            )
            assert isinstance(number, int)
            if verdict:
                submissions.update(
                    number, state=SubmissionState.JUDGED, remote_id="77", verdict=verdict, cpu=Seconds(0.25)
                )
    status, out = run_judge("history", "--submissions", capsys=capsys)
    second, first = out.splitlines()
    assert status == 0
    assert second.split()[2:] == ["kattis", "two", "sending", "source", "ababababab"]
    assert first.split()[2:] == ["kattis", "one", "Accepted", "250", "ms", "77", "source", "ababababab"]
    assert len(run_judge("history", "--submissions", "-n", "1", capsys=capsys)[1].splitlines()) == 1


def test_compare_accepts_a_run_of_the_history(repository: Path, capsys: CapSys) -> None:
    run_judge("run", capsys=capsys)
    (repository / MINE).write_text("print(0)\n")
    status, found = compare(capsys, "run-1")
    assert (status, found["mine.py"]["kind"], found["mine.py"]["verdict"]) == (1, "worse", "WA")
    assert run_judge("compare", "run-77", capsys=capsys)[0] == 2


def test_failed_judges_only_what_failed_last_time(repository: Path, capsys: CapSys) -> None:
    good = (repository / MINE).read_text()
    run_judge("run", capsys=capsys)
    status, out = run_judge("run", "--failed", capsys=capsys)
    assert (status, "nothing to judge" in out) == (0, True)
    (repository / MINE).write_text("print(0)\n")
    run_judge("run", capsys=capsys)
    for _ in range(2):
        status, out = run_judge("run", "--failed", "-f", "plain", capsys=capsys)
        assert (status, "mine.py" in out, "split.py" in out) == (1, True, False)
    (repository / MINE).write_text(good)
    assert run_judge("run", "--failed", capsys=capsys)[0] == 0
    assert "nothing to judge" in run_judge("run", "--failed", capsys=capsys)[1]


@pytest.mark.usefixtures("repository")
def test_a_machine_readable_report_is_complete_when_there_is_nothing_to_judge(capsys: CapSys) -> None:
    run_judge("run", capsys=capsys)
    assert run_cli(["run", "--failed", "-f", "json"]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert DOCUMENT.is_valid(report)
    assert (report["problems"], report["as_expected"], report["run_count"]) == ([], True, 0)
    assert "nothing to judge" in err
    assert run_cli(["run", "--changed", "-f", "jsonl"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert EVENT.is_valid(json.loads(line))


def test_changed_judges_edited_solutions_and_the_solutions_of_edited_problems(repository: Path, capsys: CapSys) -> None:
    def judged(*argv: str) -> set[str]:
        status, out = run_judge("run", "-f", "json", *argv, capsys=capsys)
        assert status == 0
        if "nothing to judge" in out:
            return set()
        return {
            Path(s["path"]).name for p in json.loads(out[: out.rindex("}") + 1])["problems"] for s in p["solutions"]
        }

    assert judged("--changed") == set()
    (repository / MINE).write_text((repository / MINE).read_text() + "\n# edited\n")
    assert judged("--changed") == {"mine.py"}
    (repository / "solutions/sums/accepted/new.py").write_text((repository / MINE).read_text())
    assert judged("--changed") == {"mine.py", "new.py"}
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "edited")
    assert judged("--changed") == set()
    assert judged("--since", "HEAD~1") == {"mine.py", "new.py"}
    (repository / "problems/sums/statement.md").write_text("# Other words\n")
    assert len(judged("--changed")) == 5
    assert run_judge("run", "--since", "nowhere", capsys=capsys)[0] == 2


def test_changed_sees_odd_names_links_and_files_in_untracked_or_nested_repositories(
    repository: Path, capsys: CapSys
) -> None:
    def judged() -> set[str]:
        status, out = run_judge("run", "--changed", "-f", "plain", capsys=capsys)
        assert status == 0
        return {name for name in ("baseline.py", "link.py", "mine.py") if name in out}

    accepted = repository / "solutions/sums/accepted"
    (repository / "common").mkdir()
    for new in (accepted / "baseline.py", repository / "common/real.py"):
        new.write_text((repository / MINE).read_text())
    (accepted / "link.py").symlink_to("../../../common/real.py")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "more")
    assert judged() == set()
    for edited in (accepted / "baseline.py", repository / "common/real.py"):
        edited.write_text(edited.read_text() + "# edited\n")
    assert judged() == {"baseline.py", "link.py"}
    git(repository, "commit", "-qam", "edited")
    run_judge("baseline", "save", capsys=capsys)
    assert judged() == set(), "a baseline decides nothing"
    git(repository, "rm", "-rq", "--cached", "testcases")
    git(repository / "testcases", "init", "-q")
    assert judged() == {"baseline.py", "link.py", "mine.py"}


def test_invalid_files_are_reported_when_there_is_nothing_to_judge(repository: Path, capsys: CapSys) -> None:
    run_judge("run", capsys=capsys)
    run_judge("new", "broken", capsys=capsys)
    (repository / "problems/broken/problem.yaml").write_text("nmae: x\n")
    status, out = run_judge("run", "--failed", capsys=capsys)
    assert (status, "unknown key" in out) == (2, True)


def test_a_failure_stays_until_all_its_cases_pass(repository: Path, capsys: CapSys) -> None:
    good = (repository / MINE).read_text()
    (repository / MINE).write_text("import sys\nfor line in sys.stdin: print(0)\n")
    assert run_judge("run", MINE, capsys=capsys)[0] == 1
    assert run_judge("run", "sums/sample", "-s", MINE, capsys=capsys)[0] == 1
    (repository / MINE).write_text(good)
    assert run_judge("run", "sums/sample", "-s", MINE, capsys=capsys)[0] == 0
    assert "1 solution" in run_judge("run", "--failed", "sums/sample", "-f", "plain", capsys=capsys)[1]
    assert run_judge("run", "--failed", capsys=capsys)[0] == 0
    assert "nothing to judge" in run_judge("run", "--failed", capsys=capsys)[1]


def test_a_damaged_history_is_renamed_and_the_run_continues(repository: Path, capsys: CapSys) -> None:
    run_judge("run", capsys=capsys)
    (repository / ".judge/history.sqlite").write_bytes(b"damaged" * 1000)
    status, out = run_judge("run", capsys=capsys)
    assert status == 0
    assert "history.sqlite is damaged" in out
    assert len(run_judge("history", capsys=capsys)[1].splitlines()) == 1


def test_commands_that_only_read_the_history_report_that_it_was_damaged(repository: Path, capsys: CapSys) -> None:
    for command in (["history"], ["run", "--failed"], ["compare", "run-1"]):
        run_judge("run", capsys=capsys)
        (repository / ".judge/history.sqlite").write_bytes(b"damaged" * 1000)
        assert "history.sqlite is damaged" in run_judge(*command, capsys=capsys)[1].replace("\n      ", " ")


def test_a_name_that_is_not_utf_8_is_recorded_found_and_printed_escaped(
    repository: Path, capsys: CapSys, tmp_path: Path
) -> None:
    odd = os.fsdecode(b"solutions/sums/accepted/\xff.py")
    (repository / odd).write_text("print(0)\n")
    assert run_judge("run", odd, capsys=capsys)[0] == 1
    assert "xff.py" in run_judge("history", capsys=capsys)[1]
    assert "WA (unexpected)" in run_judge("history", odd, capsys=capsys)[1]
    assert run_judge("run", "--failed", capsys=capsys)[0] == 1
    status, found = compare(capsys, "run-1", odd)
    assert (status, [each["kind"] for each in found.values()]) == (0, ["same"])
    folder = tmp_path / os.fsdecode(b"\xfe")
    folder.mkdir()
    (folder / os.fsdecode(b"\xfd.in")).write_text("1 2\n")
    (folder / os.fsdecode(b"\xfd.ans")).write_text("3\n")
    assert run_judge("run", "sums", "-s", MINE, "--cases", str(folder), capsys=capsys)[0] == 0
    assert run_judge("run", "-s", MINE, "--cases", str(folder), capsys=capsys)[0] == 0


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["compare", "run-99999999999999999999"], 2, "a run (run-N), or a target"),
        (["compare", "run-999999999999999999"], 2, "run 999999999999999999 is not in the history"),
        (
            ["compare", f"run-{'9' * 5000}"],
            2,
            "File name too long" if sys.version_info < (3, 14) else "a run (run-N), or a target",
        ),
        (["history", "-n", "99999999999999999999"], 0, "no runs recorded yet"),
        (["history", "sums"], 2, "expected a solution, such as"),
        (["history", "solutions/sums"], 2, "expected a solution, such as"),
        (["history", MINE, "-n", "99999999999999999999"], 0, f"no runs of {MINE} recorded yet"),
        (["history", "solutions/sums/accepted/gone.py"], 0, "no runs of"),
    ],
)
def test_a_run_or_solution_that_the_history_does_not_have_is_reported_clearly(
    repository: Path, capsys: CapSys, words: list[str], status: int, message: str
) -> None:
    found, out = run_judge(*words, capsys=capsys)
    assert (found, message in out) == (status, True)
    assert repository.is_dir()


def test_an_unchanged_run_adds_no_case_and_no_source_to_the_history(repository: Path, capsys: CapSys) -> None:
    run_judge("run", capsys=capsys)

    def rows(table: str) -> int:
        return count_rows(repository / ".judge/history.sqlite", table)

    before = [rows(table) for table in ("solutions", "cases", "sources")]
    for _ in range(5):
        run_judge("run", capsys=capsys)
    assert [rows(table) for table in ("solutions", "cases", "sources")] == before
    assert before[:2] == [4, 24]
    assert (rows("runs"), rows("judged")) == (6, 24)


def count_rows(path: Path, table: str) -> int:
    """Return the number of rows of a table."""
    with closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(number)


def record_run(
    history: History, names: Sequence[str], *, arguments: str = "run", verdict: Verdict = Verdict.AC
) -> None:
    """Record a run of one solution on cases with these names."""
    uva = problem()
    one = solution(uva, "accepted/x.py")
    recorder = Recorder(history, Path(), [arguments])
    recorder.handle(RunBegan(runs=1, workers=1, level=Level.FULL))
    recorder.handle(SolutionBegan(problem=uva, solution=one, cases=len(names)))
    for name in names:
        recorder.handle(CaseJudged(problem=uva, solution=one, result=accepted(name)))
    result = replace(judged(one, [accepted("g/x")]), verdict=verdict)
    recorder.handle(SolutionJudged(problem=uva, result=result))
    recorder.handle(RunEnded(solutions=1, unexpected=0, runs=1, as_expected=True, had_errors=False, wall=Seconds(1.0)))
    recorder.close()


def random_names(count: int) -> list[str]:
    """Return names of cases that do not repeat from one call to the next."""
    return [f"g/{os.urandom(16).hex()}-{case}" for case in range(count)]


@pytest.mark.thorough
def test_the_history_stays_within_its_size_limit(tmp_path: Path) -> None:
    limit = Bytes(150_000)
    path = tmp_path / ".judge/history.sqlite"
    for number in range(60):
        with closing(History(path, limit)) as history:
            record_run(history, random_names(300), arguments=f"n{number}")
    with closing(History(path, limit)) as history:
        runs = history.runs(100)
    assert path.stat().st_size < 2 * limit
    assert 3 < len(runs) < 60
    assert runs[0].arguments == "n59"


def test_many_cases_are_written_in_batches_kept_once_and_deleted_together(tmp_path: Path) -> None:
    path = tmp_path / ".judge/history.sqlite"
    names = random_names(9000)
    with closing(History(path)) as history:
        record_run(history, names)
        record_run(history, names)
        assert [list(record.cases) for run in history.runs(2) for record in history.records(run.number)] == [names] * 2
    assert [count_rows(path, table) for table in ("solutions", "cases")] == [1, 9000]
    assert {each.name for each in path.parent.iterdir()} <= {"history.sqlite", ".gitignore", "CACHEDIR.TAG"}
    with closing(History(path, Bytes(1))):
        pass
    assert [count_rows(path, table) for table in ("runs", "judged", "solutions", "cases")] == [0, 0, 0, 0]


def test_the_memory_for_a_run_does_not_grow_with_its_number_of_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.base.git.BackgroundStatus", Mock())  # a thread that also uses memory

    def peak(count: int) -> int:
        with closing(History(tmp_path / f"{count}/history.sqlite")) as history:
            cases = [accepted("g/x")] * count
            uva = problem()
            # a path that is made in the loop may let the interpreter enlarge its table of interned strings, by 2 MB
            right = solution(uva, "accepted/x.py")
            recorder = Recorder(history, Path(), [])
            tracemalloc.start()
            for result in cases:
                recorder.handle(CaseJudged(problem=uva, solution=right, result=result))
            size = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            recorder.close()
        return size

    peak(2000)  # what is imported and cached once does not count
    assert peak(9000) < 1.2 * peak(3000)


@pytest.mark.parametrize("end", ["skipped", "interrupted"])
def test_cases_that_were_written_of_a_solution_without_a_verdict_are_deleted(tmp_path: Path, end: str) -> None:
    path = tmp_path / ".judge/history.sqlite"
    with closing(History(path)) as history:
        if end == "skipped":
            record_run(history, random_names(2500), verdict=Verdict.SK)
        else:
            with closing(Recorder(history, Path(), [])) as recorder:
                for name in random_names(2500):
                    one = solution(problem(), "accepted/x.py")
                    recorder.handle(CaseJudged(problem=problem(), solution=one, result=accepted(name)))
    assert [count_rows(path, table) for table in ("solutions", "cases")] == [0, 0]


def test_a_solution_whose_cases_another_judge_deleted_as_too_old_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / ".judge/history.sqlite"
    with closing(History(path)) as history, closing(Recorder(history, Path(), [])) as recorder:
        uva = problem()
        one = solution(uva, "accepted/x.py")
        recorder.handle(RunBegan(runs=1, workers=1, level=Level.FULL))
        for name in random_names(2500):
            recorder.handle(CaseJudged(problem=uva, solution=one, result=accepted(name)))
        with closing(History(path, Bytes(1))):
            pass
        recorder.handle(SolutionJudged(problem=uva, result=judged(one, [accepted("g/x")])))
        ended = RunEnded(solutions=1, unexpected=0, runs=1, as_expected=True, had_errors=False, wall=Seconds(1.0))
        recorder.handle(ended)
        assert history.warning == ""
        assert history.runs(9) == []
        assert history.records(1) == []


READ_ONLY = 'mount --bind "$2" "$2" && mount -o remount,ro,bind "$2" && exec "$0" -c "$1" "$2"'
READ = """\
import sys
from pathlib import Path
from judge.history.history import History
history = History(Path(sys.argv[1]) / "history.sqlite")
history.begin(arguments="", level="", version="")
print([run.arguments for run in history.runs(9)], history.warning, sep="\\n")
"""


def test_a_history_on_a_read_only_disk_is_read_and_not_written(tmp_path: Path) -> None:
    folder = tmp_path / ".judge"
    with closing(History(folder / "history.sqlite")) as history:
        record_run(history, ["g/a"])
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", READ_ONLY, sys.executable, READ, str(folder)]
    if shutil.which("unshare") is None or subprocess.run([*command[:3], "true"], check=False).returncode:
        pytest.skip("no user namespaces here")
    out = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True).stdout
    runs, warning = out.splitlines()
    assert runs == "['run']"
    assert warning.startswith(f"{folder}/history.sqlite cannot be written (")
