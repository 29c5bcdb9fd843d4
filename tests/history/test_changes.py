"""Regression checks: what changed between two times is told, with its cases, and what did not change is not."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.cli.main import run_cli
from judge.events import CaseJudged, RunBegan, RunEnded, SolutionBegan, SolutionJudged
from judge.history.baseline import Baseline, read, write
from judge.history.changes import ChangeKind, changes
from judge.history.history import History, Judged
from judge.history.recorder import Recorder
from judge.history.records import CaseRecord, SolutionRecord
from judge.history.submissions import SubmissionState, open_submissions
from judge.model import Level, Verdict
from judge.units import MIB, Bytes, Seconds
from tests.report_scenarios import accepted, judged, problem, solution
from tests.reporters.test_json_report import DOCUMENT, EVENT

CapSys = pytest.CaptureFixture[str]
MINE = "solutions/sums/accepted/mine.py"


def git(root: Path, *words: str) -> str:
    """Run git as somebody."""
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    return subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def committed(locked_sums: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with the problem `sums` and one more solution, all committed; to be copied."""
    root = tmp_path_factory.mktemp("committed") / "repository"
    shutil.copytree(locked_sums, root)
    (root / MINE).write_text("import sys\nfor line in sys.stdin:\n    print(sum(map(int, line.split())))\n")
    (root / ".gitignore").write_text(".judge/\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    return root


@pytest.fixture
def repository(committed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `committed`; the current folder."""
    monkeypatch.setattr("judge.history.changes._CPU_S", inf)  # a busy machine changes what a run costs
    root = tmp_path / "repository"
    shutil.copytree(committed, root)
    monkeypatch.chdir(root)
    return root


def compare(capsys: CapSys, *argv: str) -> tuple[int, dict[str, Any]]:
    """Compare; return the exit status, and the changes by the solution's file name."""
    capsys.readouterr()
    status = run_cli(["compare", "-f", "json", *argv])
    out, _ = capsys.readouterr()
    found = json.loads(out)
    assert found["regression"] == (status == 1)
    return status, {Path(each["path"]).name: each for each in found["changes"]}


def said(capsys: CapSys, *argv: str) -> tuple[int, str]:
    """Carry out a command; return its status and all that it printed."""
    capsys.readouterr()
    status = run_cli(argv)
    out, err = capsys.readouterr()
    return status, out + err


# ---- against a commit -----------------------------------------------------------------------------------------------


def test_without_edits_everything_is_the_same_as_at_the_last_commit(repository: Path, capsys: CapSys) -> None:
    status, found = compare(capsys)
    assert status == 0
    assert {each["kind"] for each in found.values()} == {"same"}
    assert len(found) == 4
    assert git(repository, "status", "--porcelain") == ""


def test_a_solution_that_an_edit_broke_is_worse_with_its_cases(repository: Path, capsys: CapSys) -> None:
    (repository / MINE).write_text("import sys\nfor line in sys.stdin:\n    print(abs(sum(map(int, line.split()))))\n")
    status, found = compare(capsys)
    assert status == 1
    mine = found.pop("mine.py")
    assert (mine["kind"], mine["old_verdict"], mine["verdict"], mine["source_changed"]) == ("worse", "AC", "WA", True)
    assert {"case": "sample/statement", "old": "AC", "new": "WA"} in mine["verdicts"]
    assert {each["kind"] for each in found.values()} == {"same"}
    status, text = said(capsys, "compare")
    assert status == 1
    assert f"worse    {MINE} (edited)" in text
    assert "AC -> WA on" in text


def test_an_accepted_solution_that_writes_something_else_is_told(repository: Path, capsys: CapSys) -> None:
    problem = repository / "problems/sums/problem.yaml"
    problem.write_text(problem.read_text().replace("checker: lines", "checker: tokens"))
    git(repository, "commit", "-qam", "tokens")
    (repository / MINE).write_text("import sys\nfor line in sys.stdin:\n    print('', sum(map(int, line.split())))\n")
    status, found = compare(capsys)
    assert status == 1
    assert (found["mine.py"]["kind"], found["mine.py"]["verdicts"]) == ("output", [])
    assert "sample/statement" in found["mine.py"]["outputs"]


def test_an_edit_that_changes_nothing_is_no_change(repository: Path, capsys: CapSys) -> None:
    (repository / MINE).write_text((repository / MINE).read_text() + "# a comment\n")
    status, found = compare(capsys)
    assert (status, found["mine.py"]["kind"], found["mine.py"]["source_changed"]) == (0, "same", True)


def test_new_gone_and_mended_solutions_are_told_apart(repository: Path, capsys: CapSys) -> None:
    (repository / MINE).rename(repository / "solutions/sums/accepted/other.py")
    status, found = compare(capsys)
    assert (found["mine.py"]["kind"], found["other.py"]["kind"], status) == ("gone", "new", 1)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "renamed")
    (repository / "solutions/sums/accepted/other.py").write_text("print(1)\n")
    git(repository, "commit", "-qam", "broken")
    git(repository, "checkout", "-q", "HEAD~1", "--", "solutions")
    status, found = compare(capsys)
    assert (found["other.py"]["kind"], status) == ("better", 0)


def test_a_new_solution_that_fails_is_a_regression(repository: Path, capsys: CapSys) -> None:
    (repository / "solutions/sums/accepted/off.py").write_text("print(0)\n")
    status, found = compare(capsys)
    assert (status, found["off.py"]["kind"]) == (1, "new")
    assert "off.py: WA, expected AC" in said(capsys, "compare")[1].replace("\n", " ").replace("           ", "")


def test_a_case_with_other_data_says_nothing_of_outputs(repository: Path, capsys: CapSys) -> None:
    sample = repository / "testcases/sums/sample.yaml"
    text = sample.read_text()
    line = next(each for each in text.splitlines() if each.strip()[:1].isdigit())
    sample.write_text(text.replace(line, line + "\n" + line[: len(line) - len(line.lstrip())] + "5 5", 1))
    answers = sample.read_text()
    assert answers != text
    status, out = said(capsys, "compare")
    assert status == 2, "the answer does not fit the input any more"
    assert "nothing is compared" in out


def test_a_target_limits_what_is_compared(repository: Path, capsys: CapSys) -> None:
    assert set(compare(capsys, MINE)[1]) == {"mine.py"}
    assert set(compare(capsys, "HEAD", "sums")[1]) == {"mine.py", "split.py", "count.py", "no_signs.py"}
    assert repository.is_dir()


@pytest.mark.parametrize("folder", [".", "solutions/sums", "problems"])
def test_a_path_as_target_means_the_file_of_then_wherever_one_stands(
    repository: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    (repository / MINE).write_text("print(0)\n")
    monkeypatch.chdir(repository / folder)
    for path in (repository / MINE, Path(os.path.relpath(repository / MINE)), Path(MINE)):
        status, found = compare(capsys, "HEAD", str(path))
        assert (status, [each["kind"] for each in found.values()]) == (1, ["worse"])
    status, found = compare(capsys, "HEAD", str(repository / "solutions/sums/wrong_answer"))
    assert (status, list(found)) == (0, ["no_signs.py"])


def test_what_did_not_exist_then_is_new_and_all_else_is_compared(repository: Path, capsys: CapSys) -> None:
    (repository / MINE).write_text("print(0)\n")
    (repository / "solutions/sums/wrong_answer/no_signs.py").unlink()
    assert said(capsys, "new", "more")[0] == 0
    extra = repository / "solutions/more/accepted/extra.py"
    extra.write_text((repository / "solutions/more/accepted/count.py").read_text())
    status, found = compare(capsys, "HEAD", "sums", str(extra))
    assert status == 1
    assert {name: each["kind"] for name, each in found.items()} == {
        "mine.py": "worse", "no_signs.py": "gone", "split.py": "same", "count.py": "same", "extra.py": "new",
    }  # fmt: skip
    sample = repository / "testcases/sums/sample.yaml"
    sample.write_text(sample.read_text() + "  - name: one-more\n    input: |\n      40 2\n    answer: |\n      42\n")
    status, out = said(capsys, "compare", "HEAD", "sums/sample/one-more")
    assert (status, "has none of these cases of sums, so there is nothing to compare with" in out) == (2, True)


def test_a_link_that_leads_out_of_a_commit_is_no_crash(repository: Path, capsys: CapSys, tmp_path: Path) -> None:
    (tmp_path / "away.txt").write_text("words\n")
    (repository / "problems/sums/away.txt").symlink_to(tmp_path / "away.txt")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "link")
    assert compare(capsys)[0] == 0


def test_a_repository_of_problems_in_a_folder_of_a_git_repository_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    inner = tmp_path / "outer/inner"
    inner.mkdir(parents=True)
    git(tmp_path / "outer", "init", "-q")
    monkeypatch.chdir(inner)
    assert run_cli(["new", "sums"]) == 0
    git(inner, "add", "-A")
    git(inner, "commit", "-qm", "all")
    (inner / "solutions/sums/accepted/more.py").write_text("print(1)\n")
    status, found = compare(capsys)
    assert (status, found["more.py"]["kind"], found["split.py"]["kind"]) == (1, "new", "same")
    status, out = said(capsys, "run", "--changed", "-f", "json")
    assert [Path(s["path"]).name for s in json.loads(out[: out.rindex("}") + 1])["problems"][0]["solutions"]] == [
        "more.py"
    ]


# ---- against a baseline ---------------------------------------------------------------------------------------------


def test_a_baseline_is_a_file_that_a_clone_can_compare_with(
    repository: Path, capsys: CapSys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out = said(capsys, "baseline", "save")
    assert (status, "4 solutions saved in testcases/sums/baseline.lock" in out) == (0, True)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "baseline")
    git(tmp_path, "clone", "-q", str(repository), "clone")
    monkeypatch.chdir(tmp_path / "clone")
    assert compare(capsys)[0] == 0
    (tmp_path / "clone" / MINE).write_text("print(0)\n")
    status, found = compare(capsys, "main")
    assert (status, found["mine.py"]["kind"]) == (1, "worse")


def test_baselines_have_names_and_go_away_again(repository: Path, capsys: CapSys) -> None:
    assert said(capsys, "baseline", "save", "contest", "sums")[0] == 0
    assert "contest" in said(capsys, "baseline", "list")[1]
    assert compare(capsys, "contest")[0] == 0
    assert said(capsys, "baseline", "drop", "contest")[0] == 0
    status, out = said(capsys, "compare", "contest")
    assert (status, "neither a baseline (there is none), nor a commit" in out) == (2, True)
    assert said(capsys, "baseline", "drop", "contest")[0] == 2
    assert git(repository, "status", "--porcelain") == ""


def test_saving_one_solution_keeps_the_others_of_the_file(repository: Path, capsys: CapSys) -> None:
    said(capsys, "baseline", "save")
    (repository / MINE).write_text("import sys\nfor line in sys.stdin: print(abs(sum(map(int, line.split()))))\n")
    assert compare(capsys)[0] == 1
    said(capsys, "baseline", "save", "main", MINE)
    status, found = compare(capsys)
    assert (status, len(found)) == (0, 4)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "this is no baseline of version 1"),
        ("[]", "this is no baseline of version 1"),
        ('{"version": 2}', "(version 2); `judge baseline save` writes it anew"),
        (
            '{"version": 1, "problem": "sums", "commit": "", "dirty": false, "machine": "", "solutions": {"a": {}}}',
            "no ba",
        ),
    ],
)
def test_a_baseline_of_another_version_or_none_at_all_is_one_clear_error(
    repository: Path, capsys: CapSys, content: str, message: str
) -> None:
    (repository / "testcases/sums/baseline.lock").write_text(content)
    status, out = said(capsys, "compare")
    assert status == 2
    assert message in out
    assert "baseline.lock" in out
    assert "Traceback" not in out


@pytest.mark.parametrize("name", ["../x", "a b", "", "-x", "a" * 65])
def test_a_name_that_is_no_file_name_is_refused(repository: Path, capsys: CapSys, name: str) -> None:
    status, out = said(capsys, "baseline", "save", "--", name)
    assert (status, "is no name for a baseline" in out) == (2, True)
    assert git(repository, "status", "--porcelain") == ""


def test_a_baseline_of_another_machine_compares_no_times(repository: Path, capsys: CapSys) -> None:
    said(capsys, "baseline", "save")
    path = repository / "testcases/sums/baseline.lock"
    record = json.loads(path.read_text())
    record["machine"] = "another"
    for judged_one in record["solutions"].values():
        for case in judged_one["cases"].values():
            case[3] *= 1000
    path.write_text(json.dumps(record))
    status, out = said(capsys, "compare")
    assert (status, "another machine: times and memory are not compared" in out) == (0, True)
    assert "4 the same" in out


# ---- without git, without commits -----------------------------------------------------------------------------------


def test_without_a_commit_and_without_git_there_is_a_clear_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_cli(["new", "sums"]) == 0
    for prepare in (
        lambda: None,
        lambda: git(tmp_path, "init", "-q"),
        lambda: monkeypatch.setenv("PATH", "/nonexistent"),
    ):
        prepare()
        status, out = said(capsys, "compare")
        assert (status, "nothing to compare with" in out) == (2, True)
        status, out = said(capsys, "run", "--changed")
        assert (status, "is no git repository with a commit" in out) == (2, True)
        assert said(capsys, "run", "-f", "plain")[0] == 0, "judging needs no git"


def test_a_commit_whose_files_cannot_be_judged_says_so(repository: Path, capsys: CapSys) -> None:
    problem = repository / "problems/sums/problem.yaml"
    right = problem.read_text()
    problem.write_text("nmae: wrong\n")
    git(repository, "commit", "-qam", "wrong")
    problem.write_text(right)
    status, out = said(capsys, "compare")
    assert status == 2
    assert "the files of HEAD (" in out
    assert "unknown key" in out


# ---- history --------------------------------------------------------------------------------------------------------


def test_every_run_is_kept_with_its_commit_and_whether_files_were_edited(repository: Path, capsys: CapSys) -> None:
    commit = git(repository, "rev-parse", "HEAD")[:10]
    said(capsys, "run")
    (repository / MINE).write_text("print(0)\n")
    said(capsys, "run", MINE)
    status, out = said(capsys, "history")
    second, first = out.splitlines()
    assert status == 0
    assert first.startswith("run-1 ")
    assert f"{commit} " in first
    assert "as expected     4 solutions" in first
    assert f"{commit}+" in second
    assert "not as expected 1 solution, 1 surprise" in second
    status, out = said(capsys, "history", MINE)
    assert [line.split("  ")[0].split()[0] for line in out.splitlines()] == ["run-2", "run-1"]
    assert "WA (surprise)" in out.splitlines()[0]


def test_submissions_are_listed_the_newest_first(repository: Path, capsys: CapSys) -> None:
    assert said(capsys, "history", "--submissions") == (0, "")
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
    status, out = said(capsys, "history", "--submissions")
    second, first = out.splitlines()
    assert status == 0
    assert second.split()[3:] == ["kattis", "two", "sending", "source", "ababababab"]
    assert first.split()[3:] == ["kattis", "one", "Accepted", "250", "ms", "77", "source", "ababababab"]
    assert len(said(capsys, "history", "--submissions", "-n", "1")[1].splitlines()) == 1


def test_a_run_of_the_past_can_be_compared_with(repository: Path, capsys: CapSys) -> None:
    said(capsys, "run")
    (repository / MINE).write_text("print(0)\n")
    status, found = compare(capsys, "run-1")
    assert (status, found["mine.py"]["kind"], found["mine.py"]["verdict"]) == (1, "worse", "WA")
    assert said(capsys, "compare", "run-77")[0] == 2


def test_failed_runs_only_what_failed_last_time(repository: Path, capsys: CapSys) -> None:
    good = (repository / MINE).read_text()
    said(capsys, "run")
    status, out = said(capsys, "run", "--failed")
    assert (status, "nothing to judge" in out) == (0, True)
    (repository / MINE).write_text("print(0)\n")
    said(capsys, "run")
    for _ in range(2):
        status, out = said(capsys, "run", "--failed", "-f", "plain")
        assert (status, "mine.py" in out, "split.py" in out) == (1, True, False)
    (repository / MINE).write_text(good)
    assert said(capsys, "run", "--failed")[0] == 0
    assert "nothing to judge" in said(capsys, "run", "--failed")[1]


@pytest.mark.usefixtures("repository")
def test_a_report_for_programs_is_whole_where_nothing_is_left_to_judge(capsys: CapSys) -> None:
    said(capsys, "run")
    assert run_cli(["run", "--failed", "-f", "json"]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert DOCUMENT.is_valid(report)
    assert (report["problems"], report["as_expected"], report["run_count"]) == ([], True, 0)
    assert "nothing to judge" in err
    assert run_cli(["run", "--changed", "-f", "jsonl"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert EVENT.is_valid(json.loads(line))


def test_changed_follows_git_to_solutions_and_to_whole_problems(repository: Path, capsys: CapSys) -> None:
    def judged(*argv: str) -> set[str]:
        status, out = said(capsys, "run", "-f", "json", *argv)
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
    assert said(capsys, "run", "--since", "nowhere")[0] == 2


def test_changed_sees_any_name_links_and_files_in_folders_that_git_takes_as_one(
    repository: Path, capsys: CapSys
) -> None:
    def judged() -> set[str]:
        status, out = said(capsys, "run", "--changed", "-f", "plain")
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
    said(capsys, "baseline", "save")
    assert judged() == set(), "a baseline decides nothing"
    git(repository, "rm", "-rq", "--cached", "testcases")
    git(repository / "testcases", "init", "-q")
    assert judged() == {"baseline.py", "link.py", "mine.py"}


def test_nothing_is_left_to_judge_but_what_is_wrong_is_told(repository: Path, capsys: CapSys) -> None:
    said(capsys, "run")
    said(capsys, "new", "broken")
    (repository / "problems/broken/problem.yaml").write_text("nmae: x\n")
    status, out = said(capsys, "run", "--failed")
    assert (status, "unknown key" in out) == (2, True)


def test_a_part_that_passes_does_not_make_a_failure_forgotten(repository: Path, capsys: CapSys) -> None:
    good = (repository / MINE).read_text()
    (repository / MINE).write_text("import sys\nfor line in sys.stdin: print(0)\n")
    assert said(capsys, "run", MINE)[0] == 1
    assert said(capsys, "run", "sums/sample", "-s", MINE)[0] == 1
    (repository / MINE).write_text(good)
    assert said(capsys, "run", "sums/sample", "-s", MINE)[0] == 0
    assert "1 solution" in said(capsys, "run", "--failed", "sums/sample", "-f", "plain")[1]
    assert said(capsys, "run", "--failed")[0] == 0
    assert "nothing to judge" in said(capsys, "run", "--failed")[1]


def test_a_damaged_history_is_set_aside_and_the_run_goes_on(repository: Path, capsys: CapSys) -> None:
    said(capsys, "run")
    (repository / ".judge/history.sqlite").write_bytes(b"damaged" * 1000)
    status, out = said(capsys, "run")
    assert status == 0
    assert "history.sqlite is damaged" in out
    assert len(said(capsys, "history")[1].splitlines()) == 1


def test_who_only_reads_the_history_is_told_that_it_was_damaged(repository: Path, capsys: CapSys) -> None:
    for command in (["history"], ["run", "--failed"], ["compare", "run-1"]):
        said(capsys, "run")
        (repository / ".judge/history.sqlite").write_bytes(b"damaged" * 1000)
        assert "history.sqlite is damaged" in said(capsys, *command)[1].replace("\n      ", " ")


def test_a_name_that_is_no_utf_8_is_kept_found_again_and_shown_safely(
    repository: Path, capsys: CapSys, tmp_path: Path
) -> None:
    odd = os.fsdecode(b"solutions/sums/accepted/\xff.py")
    (repository / odd).write_text("print(0)\n")
    assert said(capsys, "run", odd)[0] == 1
    assert "xff.py" in said(capsys, "history")[1]
    assert "WA (surprise)" in said(capsys, "history", odd)[1]
    assert said(capsys, "run", "--failed")[0] == 1
    status, found = compare(capsys, "run-1", odd)
    assert (status, [each["kind"] for each in found.values()]) == (0, ["same"])
    folder = tmp_path / os.fsdecode(b"\xfe")
    folder.mkdir()
    (folder / os.fsdecode(b"\xfd.in")).write_text("1 2\n")
    (folder / os.fsdecode(b"\xfd.ans")).write_text("3\n")
    assert said(capsys, "run", "sums", "-s", MINE, "--cases", str(folder))[0] == 0
    assert said(capsys, "run", "-s", MINE, "--cases", str(folder))[0] == 0


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["compare", "run-99999999999999999999"], 2, "nor a run (run-N)"),
        (["compare", "run-999999999999999999"], 2, "there is no run 999999999999999999"),
        (["compare", f"run-{'9' * 5000}"], 2, "nor a run (run-N)"),
        (["history", "-n", "99999999999999999999"], 0, "no run is remembered"),
        (["history", "sums"], 2, "expected a solution, such as"),
        (["history", "solutions/sums"], 2, "expected a solution, such as"),
        (["history", MINE, "-n", "99999999999999999999"], 0, f"no run of {MINE} is remembered"),
        (["history", "solutions/sums/accepted/gone.py"], 0, "no run of"),
    ],
)
def test_what_the_history_does_not_have_is_one_clear_message(
    repository: Path, capsys: CapSys, words: list[str], status: int, message: str
) -> None:
    found, out = said(capsys, *words)
    assert (found, message in out) == (status, True)
    assert repository.is_dir()


def test_the_history_keeps_a_sheet_and_a_source_once(repository: Path, capsys: CapSys) -> None:
    said(capsys, "run")

    def rows(table: str) -> int:
        connection = sqlite3.connect(repository / ".judge/history.sqlite")
        (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        connection.close()
        return int(number)

    before = rows("sheets"), rows("sources")
    for _ in range(5):
        said(capsys, "run")
    assert (rows("sheets"), rows("sources")) == before
    assert (rows("runs"), rows("judged")) == (6, 24)


def recorded(history: History, names: Sequence[str], *, words: str = "run") -> None:
    """Let a run of one solution on these cases be noted."""
    uva = problem()
    one = solution(uva, "accepted/x.py")
    recorder = Recorder(history, Path(), [words])
    recorder.handle(RunBegan(runs=1, workers=1, level=Level.FULL))
    recorder.handle(SolutionBegan(problem=uva, solution=one, cases=len(names)))
    for name in names:
        recorder.handle(CaseJudged(problem=uva, solution=one, result=accepted(name)))
    recorder.handle(SolutionJudged(problem=uva, result=judged(one, [accepted("g/x")])))
    recorder.handle(RunEnded(solutions=1, surprises=0, runs=1, as_expected=True, had_errors=False, wall=Seconds(1.0)))
    recorder.close()


def random_names(count: int) -> list[str]:
    """Return names that cannot be packed."""
    return [f"g/{os.urandom(16).hex()}-{case}" for case in range(count)]


def test_the_history_stays_within_its_bound(tmp_path: Path) -> None:
    most = Bytes(150_000)
    path = tmp_path / ".judge/history.sqlite"
    for number in range(60):
        with closing(History(path, most)) as history:
            recorded(history, random_names(300), words=f"n{number}")
    with closing(History(path, most)) as history:
        runs = history.runs(100)
    assert path.stat().st_size < 2 * most
    assert 5 < len(runs) < 60
    assert runs[0].words == "n59"


def test_a_sheet_of_many_cases_is_kept_in_parts_once_and_forgotten_whole(tmp_path: Path) -> None:
    path = tmp_path / ".judge/history.sqlite"
    names = random_names(9000)

    def parts() -> list[tuple[int, int]]:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute("SELECT part, length(marks) FROM parts ORDER BY sheet, part").fetchall()

    with closing(History(path)) as history:
        recorded(history, names)
        kept = parts()
        recorded(history, names)
        assert parts() == kept, "the same sheet was kept twice"
        assert [list(sheet.marks) for run in history.runs(2) for sheet in history.sheets(run.number)] == [names, names]
    assert [number for number, _ in kept] == list(range(len(kept)))
    assert len(kept) > 2
    assert max(size for _, size in kept) <= 64 * 1024
    assert {each.name for each in path.parent.iterdir()} <= {"history.sqlite", ".gitignore", "CACHEDIR.TAG"}
    with closing(History(path, Bytes(1))):
        pass
    assert parts() == []


def test_a_sheet_that_was_kept_as_one_piece_is_read(tmp_path: Path) -> None:
    path = tmp_path / ".judge/history.sqlite"
    names = random_names(5000)
    with closing(History(path)) as history:
        recorded(history, names)
        with closing(sqlite3.connect(path)) as connection, connection:
            pieces = connection.execute("SELECT marks FROM sheets UNION ALL SELECT marks FROM parts").fetchall()
            connection.execute("UPDATE sheets SET marks = ?", (b"".join(piece for (piece,) in pieces),))
            connection.execute("DELETE FROM parts")
        assert [list(sheet.marks) for sheet in history.sheets(1)] == [names]


def test_marks_that_the_disk_does_not_take_are_told_and_cost_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / ".judge/history.sqlite"
    with closing(History(path)) as history:
        marks = history.marks()
        path.parent.rename(tmp_path / "gone")
        for name in random_names(5000):
            marks.add(accepted(name))
        marks.end()
        result = judged(solution(problem(), "accepted/x.py"), [accepted("g/x")])
        history.add(history.begin(words="run", level="full", version="1"), [Judged("p", result, marks, None)])
        marks.close()
        assert "a run is not remembered whole" in history.warning
        assert "No such file or directory" in history.warning
        assert [(run.words, run.solutions) for run in history.runs(9)] == [("run", 0)]


# ---- what counts as a change ----------------------------------------------------------------------------------------

marks = st.builds(
    CaseRecord,
    st.sampled_from([Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.RTE]),
    st.floats(0, 10).map(lambda s: Seconds(round(s, 3))),
    st.integers(0, 2**18).map(lambda kib: Bytes(kib * 1024)),
    st.sampled_from(["", "aa", "bb"]),
    st.sampled_from(["", "11", "22"]),
)
sheets = st.builds(
    SolutionRecord,
    problem=st.just("p"),
    solution=st.sampled_from(["a.py", "b.py", "c\u00e4.py"]),
    language=st.just("Python 3"),
    expected=st.sampled_from(["AC", "WA"]),
    source=st.sampled_from(["00" * 32, "11" * 32]),
    verdict=st.sampled_from([Verdict.AC, Verdict.WA]),
    as_expected=st.booleans(),
    marks=st.dictionaries(st.sampled_from(["s/1", "s/2", "e/x"]), marks),
)
patient = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)  # machines are busy
several = st.lists(sheets, unique_by=lambda sheet: sheet.solution)


@pytest.mark.parametrize("names", [["s/1"], ["s/1", "s/2"]])
def test_what_is_skipped_here_says_nothing_of_a_solution(names: Sequence[str]) -> None:
    mark = CaseRecord(Verdict.AC, Seconds(1.0), Bytes(1), "aa", "11")
    skipped = CaseRecord(Verdict.SK, Seconds(0.0), Bytes(0), "", "")
    full = SolutionRecord(
        problem="p", solution="a.py", language="Python 3", expected="AC", source="", verdict=Verdict.AC,
        as_expected=True, marks={"s/1": mark, "s/2": mark},
    )  # fmt: skip
    part = replace(full, marks={**full.marks, **dict.fromkeys(names, skipped)})
    (gone,), (new,) = changes([full], [part]), changes([part], [full])
    assert (gone.kind, gone.verdicts, gone.cases_gone) == (ChangeKind.SAME, (), tuple(names))
    assert (new.kind, new.verdicts, new.cases_new) == (ChangeKind.SAME, (), tuple(names))


def costing(cpu: Sequence[float] = (0.01,), memory: Sequence[int] = (0,), data: str = "") -> SolutionRecord:
    """Return an accepted sheet; a case for each CPU time in s or peak memory in MiB, the shorter list repeated."""
    marks = {
        f"s/{number}": CaseRecord(
            verdict=Verdict.AC, data=data, output="", cpu=Seconds(cpu[number % len(cpu)]),
            memory=Bytes(memory[number % len(memory)] * MIB),
        )
        for number in range(max(len(cpu), len(memory)))
    }  # fmt: skip
    return SolutionRecord(
        problem="p", solution="a.py", language="Python 3", expected="AC", source="", verdict=Verdict.AC,
        as_expected=True, marks=marks,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        pytest.param(costing([0.30] * 3), costing([0.40] * 3), True, id="a third more"),
        pytest.param(costing([0.40] * 3), costing([0.30] * 3), True, id="a quarter less"),
        pytest.param(costing([0.02] * 9 + [0.2]), costing([0.02] * 9 + [0.5]), True, id="one long case"),
        pytest.param(costing([0.02] * 500), costing([0.15] * 500), True, id="a slow start"),
        pytest.param(costing([0.30] * 3), costing([0.34] * 3), False, id="less than a quarter"),
        pytest.param(costing([0.015] * 500), costing([0.040] * 500), False, id="very many starts on a busy machine"),
        pytest.param(costing([0.02] * 6), costing([0.02] * 5 + [0.09]), False, id="one disturbed run"),
        pytest.param(costing([0.02] * 500 + [0.2]), costing([0.045] * 500 + [0.1]), False, id="noise, and less"),
        pytest.param(costing([0.02] * 500 + [0.2]), costing([0.045] * 500 + [0.3]), False, id="noise, and little more"),
        pytest.param(costing([0.02, 0.5]), costing([0.12, 0.9]), True, id="all the same way"),
        pytest.param(costing([0.2, 0.5]), costing([0.5, 0.2]), False, id="some more and some less"),
        pytest.param(costing([0.3], data="a"), costing([0.9], data="b"), False, id="other data"),
        pytest.param(costing(memory=[9, 20]), costing(memory=[9, 30]), True, id="memory of the largest case"),
        pytest.param(costing(memory=[9, 20]), costing(memory=[19, 20]), False, id="memory of a small case"),
        pytest.param(costing(memory=[9]), costing(memory=[12]), False, id="few MiB"),
        pytest.param(costing(memory=[100]), costing(memory=[120]), False, id="less than a quarter more memory"),
    ],
)
def test_what_a_solution_costs_is_told_where_it_is_no_noise(
    then: SolutionRecord, now: SolutionRecord, *, told: bool
) -> None:
    (change,) = changes([then], [now])
    assert change.kind is (ChangeKind.COST if told else ChangeKind.SAME)
    (elsewhere,) = changes([then], [now], costs=False)
    assert elsewhere.kind is ChangeKind.SAME


@patient
@given(several)
def test_nothing_changes_between_a_time_and_itself(found: Sequence[SolutionRecord]) -> None:
    assert {change.kind for change in changes(found, found)} <= {ChangeKind.SAME}


@patient
@given(several, several)
def test_every_solution_of_either_time_is_told_once(
    old: Sequence[SolutionRecord], new: Sequence[SolutionRecord]
) -> None:
    told = [change.sheet.solution for change in changes(old, new)]
    assert sorted(told) == sorted({sheet.solution for sheet in [*old, *new]})


@patient
@given(several, several)
def test_what_is_worse_one_way_is_better_the_other(
    old: Sequence[SolutionRecord], new: Sequence[SolutionRecord]
) -> None:
    forth = {c.sheet.solution: c for c in changes(old, new)}
    back = {c.sheet.solution: c for c in changes(new, old)}
    turned = {
        ChangeKind.NEW: ChangeKind.GONE,
        ChangeKind.GONE: ChangeKind.NEW,
        ChangeKind.OUTPUT: ChangeKind.OUTPUT,
        ChangeKind.SAME: ChangeKind.SAME,
    }
    turned[ChangeKind.COST] = ChangeKind.COST
    for name, change in forth.items():
        if change.kind in turned:
            assert back[name].kind is turned[change.kind]
        if change.old and change.new and change.old.as_expected is not change.new.as_expected:
            assert {change.kind, back[name].kind} == {ChangeKind.WORSE, ChangeKind.BETTER}


@pytest.fixture(scope="session", name="folders")
def _folders(tmp_path_factory: pytest.TempPathFactory) -> pytest.TempPathFactory:
    return tmp_path_factory


@patient
@given(several)
def test_a_baseline_file_gives_back_what_was_saved(
    tmp_path_factory: pytest.TempPathFactory, found: Sequence[SolutionRecord]
) -> None:
    path = tmp_path_factory.mktemp("b") / "baseline.lock"
    write(path, "p", Baseline(commit="c" * 40, is_dirty=True, machine="m", sheets=found))
    assert read(path) == Baseline(commit="c" * 40, is_dirty=True, machine="m", sheets=found)


# ---- slower or not --------------------------------------------------------------------------------------------------

WORK = """\
import sys
x = 0
for i in range({steps}):
    x += i * i
for line in sys.stdin:
    print(sum(map(int, line.split())))
"""


def test_an_edit_that_triples_the_work_is_slower_and_one_of_words_is_not_timed(
    repository: Path, capsys: CapSys
) -> None:
    (repository / MINE).write_text(WORK.format(steps=200_000))
    git(repository, "commit", "-qam", "work")
    status, found = compare(capsys, "--timing")
    assert (status, found["mine.py"]["timing"]) == (0, None), "what was not edited is not timed"
    (repository / MINE).write_text(WORK.format(steps=600_000))
    status, found = compare(capsys, "--timing")
    assert "x slower (" in found["mine.py"]["timing"]
    assert (status, found["mine.py"]["verdicts"]) == (1, [])


def test_a_baseline_times_against_the_source_that_the_history_kept(repository: Path, capsys: CapSys) -> None:
    (repository / MINE).write_text(WORK.format(steps=600_000))
    said(capsys, "run")  # never committed: only the history has this text
    said(capsys, "baseline", "save")
    (repository / MINE).write_text(WORK.format(steps=150_000))
    status, found = compare(capsys, "--timing", "main", MINE)
    assert (status, "x: faster (" in found["mine.py"]["timing"]) == (0, True)
    (repository / ".judge/history.sqlite").unlink()
    status, found = compare(capsys, "--timing", "main", MINE)
    assert "inconclusive: the old source is not kept" in found["mine.py"]["timing"]
