"""`judge compare` and `judge baseline`: what changed is reported with its cases; what did not change is not."""

import json
import os
from pathlib import Path

import pytest

from judge.base import git as git_of_ours
from judge.cli.main import run_cli
from judge.workspace.query import Query
from judge.workspace.select import find_unchanged
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace
from tests.cli.command_line import PAGE, CapSys, held_by, run_judge
from tests.history.judging import MINE, compare, git

# ---- against a commit -----------------------------------------------------------------------------------------------


def test_without_edits_nothing_differs_from_the_last_commit_and_nothing_runs(
    repository: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Session, "run", None)
    status, found = compare(capsys)
    assert status == 0
    assert {(each["kind"], each["old_verdict"], each["verdict"]) for each in found.values()} == {("same", None, None)}
    assert len(found) == 4
    assert git(repository, "status", "--porcelain") == ""
    status, text = run_judge("compare", capsys=capsys)
    assert (status, text.splitlines()[-1], text.isascii()) == (0, "ok 4 unchanged", True)


@pytest.mark.parametrize(
    ("changed", "runs"),
    [
        ("README.md", False),
        ("problems/other/problem.yaml", False),
        ("testcases/other/baseline.lock", False),
        ("testcases/sums/baseline.lock", False),
        ("problems/sums/notes.txt", True),
        ("testcases/sums/more.yaml", True),
        ("solutions/sums/accepted/gone.py", True),
        ("solutions/shared.py", True),  # in the folder of no problem: of any
        ("solutions/library/shared.py", True),
    ],
)
def test_a_problem_is_judged_again_if_one_of_its_files_differs(
    repository: Path, monkeypatch: pytest.MonkeyPatch, changed: str, runs: bool
) -> None:
    monkeypatch.setattr(git_of_ours, "list_changed_files", lambda *_: [Path(changed)])
    problems = [each.problem for each in Workspace.find(repository).select(Query()).problems]
    assert find_unchanged(repository, problems, ["other", "sums"], "HEAD") == (set() if runs else {"sums"})


@pytest.mark.usefixtures("interrupted_page")
def test_a_solution_broken_by_an_edit_is_worse_and_its_cases_are_listed(repository: Path, capsys: CapSys) -> None:
    (repository / MINE).write_text("import sys\nfor line in sys.stdin:\n    print(abs(sum(map(int, line.split()))))\n")
    status, found = compare(capsys)
    assert status == 1
    mine = found.pop("mine.py")
    assert (mine["kind"], mine["old_verdict"], mine["verdict"], mine["source_changed"]) == ("worse", "AC", "WA", True)
    assert {"case": "sample/statement", "old": "AC", "new": "WA"} in mine["verdicts"]
    assert {each["kind"] for each in found.values()} == {"same"}
    status, text = run_judge("compare", *PAGE, capsys=capsys)
    assert status == 1
    held = held_by("page.html", '<span class="verdict AC">AC</span><td><span class="verdict WA">WA</span>')
    assert [each["kind"] for each in held["changes"] if Path(each["path"]).name == "mine.py"] == ["worse"]
    assert f"worse    {MINE} (edited)" in text
    assert "AC -> WA on" in text


def test_of_the_old_only_a_broken_reference_is_worse_and_a_new_one_that_fails_is_a_regression(
    repository: Path, capsys: CapSys
) -> None:
    for name in ("split.py", "off.py"):
        (repository / "solutions/sums/accepted" / name).write_text("for line in open(0): print(0)\n")
    (repository / MINE).write_text((repository / MINE).read_text() + "# an edit without effect\n")
    status, found = compare(capsys)
    kinds = {name: each["kind"] for name, each in found.items() if each["kind"] != "same"}
    assert (status, kinds) == (1, {"split.py": "worse", "off.py": "new"})
    assert found["mine.py"]["source_changed"]
    text = " ".join(run_judge("compare", capsys=capsys)[1].split())
    assert "off.py: WA, expected AC" in text


def test_a_different_output_of_an_accepted_solution_is_reported(repository: Path, capsys: CapSys) -> None:
    problem = repository / "problems/sums/problem.yaml"
    problem.write_text(problem.read_text().replace("checker: lines", "checker: tokens"))
    git(repository, "commit", "-qam", "tokens")
    (repository / MINE).write_text("import sys\nfor line in sys.stdin:\n    print('', sum(map(int, line.split())))\n")
    status, found = compare(capsys)
    assert status == 1
    assert (found["mine.py"]["kind"], found["mine.py"]["verdicts"]) == ("output", [])
    assert "sample/statement" in found["mine.py"]["outputs"]


def test_new_removed_and_fixed_solutions_are_distinguished(repository: Path, capsys: CapSys) -> None:
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


def test_outputs_are_not_compared_on_different_data(repository: Path, capsys: CapSys) -> None:
    sample = repository / "testcases/sums/sample.yaml"
    text = sample.read_text()
    line = next(each for each in text.splitlines() if each.strip()[:1].isdigit())
    sample.write_text(text.replace(line, line + "\n" + line[: len(line) - len(line.lstrip())] + "5 5", 1))
    answers = sample.read_text()
    assert answers != text
    status, out = run_judge("compare", capsys=capsys)
    assert status == 2, "the answer does not fit the input any more"
    assert "nothing is compared" in out


def test_cases_with_other_data_are_named_once(repository: Path, capsys: CapSys) -> None:
    sample = repository / "testcases/sums/sample.yaml"
    sample.write_text(sample.read_text().replace("-5 3", "-5 4").replace("-2", "-1"))
    _, text = run_judge("compare", capsys=capsys)
    assert text.count("1 case with a different input or answer: sample/statement") == 1, text
    assert "data     3 more solutions: the same cases" in text


def test_a_target_limits_what_is_compared(repository: Path, capsys: CapSys) -> None:
    assert set(compare(capsys, MINE)[1]) == {"mine.py"}
    assert set(compare(capsys, "HEAD", "sums")[1]) == {"mine.py", "split.py", "count.py", "no_signs.py"}
    assert repository.is_dir()


@pytest.mark.thorough
@pytest.mark.parametrize("folder", [".", "solutions/sums"])
def test_a_path_as_target_means_the_old_file_from_any_folder(
    repository: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    (repository / MINE).write_text("print(0)\n")
    monkeypatch.chdir(repository / folder)
    for path in (repository / MINE, Path(os.path.relpath(repository / MINE)), Path(MINE)):
        status, found = compare(capsys, "HEAD", str(path))
        assert (status, [each["kind"] for each in found.values()]) == (1, ["worse"])
    status, found = compare(capsys, "HEAD", str(repository / "solutions/sums/wrong_answer"))
    assert (status, list(found)) == (0, ["no_signs.py"])


def test_a_solution_missing_in_the_commit_is_new_and_the_others_are_compared(repository: Path, capsys: CapSys) -> None:
    (repository / MINE).write_text("print(0)\n")
    (repository / "solutions/sums/wrong_answer/no_signs.py").unlink()
    assert run_judge("new", "more", capsys=capsys)[0] == 0
    extra = repository / "solutions/more/accepted/extra.py"
    extra.write_text((repository / "solutions/more/accepted/count.py").read_text())
    status, found = compare(capsys, "HEAD", "sums", str(extra))
    assert status == 1
    assert {name: each["kind"] for name, each in found.items()} == {
        "mine.py": "worse", "no_signs.py": "gone", "split.py": "same", "count.py": "same", "extra.py": "new",
    }  # fmt: skip
    sample = repository / "testcases/sums/sample.yaml"
    sample.write_text(sample.read_text() + "  - name: one-more\n    input: |\n      40 2\n    answer: |\n      42\n")
    status, out = run_judge("compare", "HEAD", "sums/sample/one-more", capsys=capsys)
    assert (status, "has none of these cases of sums, so there is nothing to compare with" in out) == (2, True)


def test_a_link_that_leads_out_of_a_commit_does_not_crash(repository: Path, capsys: CapSys, tmp_path: Path) -> None:
    (tmp_path / "away.txt").write_text("words\n")
    (repository / "problems/sums/away.txt").symlink_to(tmp_path / "away.txt")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "link")
    (repository / "problems/sums/away.txt").unlink()
    assert compare(capsys)[0] == 0


@pytest.mark.thorough
def test_the_problems_may_be_in_a_folder_of_a_git_repository(
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
    status, out = run_judge("run", "--changed", "-f", "json", capsys=capsys)
    assert [Path(s["path"]).name for s in json.loads(out[: out.rindex("}") + 1])["problems"][0]["solutions"]] == [
        "more.py"
    ]


# ---- against a baseline ---------------------------------------------------------------------------------------------


def test_a_clone_can_compare_with_a_committed_baseline(
    repository: Path, capsys: CapSys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out = run_judge("baseline", "save", capsys=capsys)
    assert (status, "4 solutions saved in testcases/sums/baseline.lock" in out) == (0, True)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "baseline")
    git(tmp_path, "clone", "-q", str(repository), "clone")
    monkeypatch.chdir(tmp_path / "clone")
    assert compare(capsys)[0] == 0
    (tmp_path / "clone" / MINE).write_text("print(0)\n")
    status, found = compare(capsys, "main")
    assert (status, found["mine.py"]["kind"]) == (1, "worse")


def test_baselines_have_names_and_can_be_dropped(repository: Path, capsys: CapSys) -> None:
    assert run_judge("baseline", "save", "contest", "sums", capsys=capsys)[0] == 0
    assert "contest" in run_judge("baseline", "list", capsys=capsys)[1]
    assert compare(capsys, "contest")[0] == 0
    assert run_judge("baseline", "drop", "contest", capsys=capsys)[0] == 0
    status, out = run_judge("compare", "contest", capsys=capsys)
    assert (status, "not a baseline (there are none), a commit, a run" in out) == (2, True)
    assert run_judge("baseline", "drop", "contest", capsys=capsys)[0] == 2
    assert git(repository, "status", "--porcelain") == ""


def test_saving_one_solution_keeps_the_others_in_the_file(repository: Path, capsys: CapSys) -> None:
    run_judge("baseline", "save", capsys=capsys)
    (repository / MINE).write_text("import sys\nfor line in sys.stdin: print(abs(sum(map(int, line.split()))))\n")
    assert compare(capsys)[0] == 1
    run_judge("baseline", "save", "main", MINE, capsys=capsys)
    status, found = compare(capsys)
    assert (status, len(found)) == (0, 4)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a baseline file of version 1"),
        ("[]", "not a baseline file of version 1"),
        ("[" * 200_000, "not a baseline file of version 1"),
        ('{"version": 2}', "of version 1 (version 2)\n    fix: run `judge baseline save`"),
        (
            '{"version": 1, "problem": "sums", "commit": "", "dirty": false, "machine": "", "solutions": {"a": {}}}',
            "not a baseline file of version 1 ('cases')",
        ),
        (
            (
                '{"version": 1, "problem": "sums", "commit": "", "dirty": false, "machine": "", '
                '"solutions": {"a": {"source": "", "cases": {}}}}'
            ),
            "not a baseline file of version 1 (Object missing required field `language`)",
        ),
    ],
)
def test_a_file_that_is_not_a_baseline_of_this_version_is_an_error(
    repository: Path, capsys: CapSys, content: str, message: str
) -> None:
    (repository / "testcases/sums/baseline.lock").write_text(content)
    status, out = run_judge("compare", capsys=capsys)
    assert status == 2
    assert message in out
    assert "baseline.lock" in out
    assert "Traceback" not in out


@pytest.mark.parametrize("name", ["../x", "a b", "", "-x", "a" * 65])
def test_a_name_that_cannot_be_part_of_a_file_name_is_rejected(repository: Path, capsys: CapSys, name: str) -> None:
    status, out = run_judge("baseline", "save", "--", name, capsys=capsys)
    shown = f"./{name}" if name.startswith("-") else name  # as every word that looks like an option
    assert (status, f"invalid baseline name `{shown}`" in out) == (2, True)
    assert git(repository, "status", "--porcelain") == ""


def test_times_are_not_compared_with_a_baseline_of_another_machine(repository: Path, capsys: CapSys) -> None:
    run_judge("baseline", "save", capsys=capsys)
    path = repository / "testcases/sums/baseline.lock"
    record = json.loads(path.read_text())
    record["machine"] = "another"
    for judged_one in record["solutions"].values():
        for case in judged_one["cases"].values():
            case[3] *= 1000
    path.write_text(json.dumps(record))
    status, out = run_judge("compare", capsys=capsys)
    assert (status, "another machine: times and memory are not compared" in out) == (0, True)
    assert "4 unchanged" in out


# ---- without git, without commits -----------------------------------------------------------------------------------


def test_without_git_or_without_a_commit_the_error_says_what_to_do(
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
        status, out = run_judge("compare", capsys=capsys)
        assert (status, "nothing to compare with" in out) == (2, True)
        status, out = run_judge("run", "--changed", capsys=capsys)
        assert (status, "is not a git repository with a commit" in out) == (2, True)
    assert run_judge("run", "-f", "plain", capsys=capsys)[0] == 0, "judging needs no git"


def test_a_commit_with_invalid_files_is_an_error_that_names_them(repository: Path, capsys: CapSys) -> None:
    problem = repository / "problems/sums/problem.yaml"
    right = problem.read_text()
    problem.write_text("nmae: wrong\n")
    git(repository, "commit", "-qam", "wrong")
    problem.write_text(right)
    status, out = run_judge("compare", capsys=capsys)
    assert status == 2
    assert "the files of HEAD (" in out
    assert "unknown key" in out


# ---- slower or not --------------------------------------------------------------------------------------------------

WORK = """\
import sys
x = 0
for i in range({steps}):
    x += i * i
for line in sys.stdin:
    print(sum(map(int, line.split())))
"""


@pytest.mark.thorough
def test_an_edit_that_triples_the_work_is_slower_and_unedited_solutions_are_not_timed(
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


@pytest.mark.thorough
def test_the_old_source_of_a_baseline_comes_from_the_history(repository: Path, capsys: CapSys) -> None:
    (repository / MINE).write_text(WORK.format(steps=600_000))
    run_judge("run", capsys=capsys)  # never committed: only the history has this text
    run_judge("baseline", "save", capsys=capsys)
    (repository / MINE).write_text(WORK.format(steps=150_000))
    status, found = compare(capsys, "--timing", "main", MINE)
    assert (status, "x: faster (" in found["mine.py"]["timing"]) == (0, True)
    (repository / ".judge/history.sqlite").unlink()
    status, found = compare(capsys, "--timing", "main", MINE)
    assert found["mine.py"]["timing"].startswith("inconclusive: the old source is not available")
