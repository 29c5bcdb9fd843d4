"""Runs of problems with scores: which cases run, what reports say, and that neither workers nor the cache change it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from judge.cli.main import run_cli
from judge.model import CaseResult, Problem, SolutionResult
from judge.model.events import CaseJudged, Event, RunEnded, SolutionJudged
from judge.problems.icpc.load import load_package
from judge.runner import grading
from judge.runner.options import ProblemSelection
from judge.workspace.options import SessionOptions
from judge.workspace.select import Selection
from judge.workspace.workspace import Workspace
from tests.files import write_files
from tests.parameters import first_of
from tests.runner.scoring import PROBLEM, write, wrong_from

CapSys = pytest.CaptureFixture[str]
SMALL = "partially_accepted/small.py"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository; the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


def judge(capsys: CapSys, *argv: str) -> dict[str, Any]:
    """Judge; return the solutions of the JSON report by the names of their files, and how the run ended as `""`."""
    capsys.readouterr()
    run_cli(["run", "-f", "json", *argv])
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert report["problems"], err
    found = {Path(each["path"]).name: each for each in report["problems"][0]["solutions"]}
    return {**found, "": report}


def verdicts(solution: dict[str, Any]) -> dict[str, str]:
    return {f"{case['group']}/{case['name']}": case["verdict"] for case in solution["cases"]}


def test_groups_are_judged_in_their_order_and_omitted_without_those_that_they_require(
    repository: Path, capsys: CapSys
) -> None:
    write(repository, {"solutions/p/wrong_answer/none.py": wrong_from(3)})
    found = judge(capsys)
    right, wrong = found["right.py"], found["none.py"]
    assert (right["score"], right["max_score"], right["as_expected"]) == (100, 100, True)
    assert list(dict.fromkeys(case["group"] for case in right["cases"])) == ["sample", "small", "large", "each"]
    assert (wrong["score"], wrong["verdict"], wrong["as_expected"]) == (0, "WA", True)
    assert verdicts(wrong)["large/c0"] == "SK"
    assert {case["reason"] for case in wrong["cases"] if case.get("omitted")} == {"not judged: large requires small"}
    groups = {each["name"]: (each["verdict"], each["score"], each["judged_count"]) for each in wrong["groups"]}
    assert groups == {"sample": ("AC", None, 1), "small": ("WA", 0, 2), "large": ("SK", 0, 0), "each": ("WA", 0, 2)}


@pytest.mark.thorough
def test_neither_the_number_of_workers_nor_the_cache_changes_a_report(repository: Path, capsys: CapSys) -> None:
    sources = {f"solutions/p/rejected/{limit}.py": wrong_from(limit) for limit in (2, 3, 55, 1001)}
    write(repository, sources)

    def facts(*argv: str) -> dict[str, Any]:
        return {
            name: (each["score"], each["groups"], verdicts(each), each["as_expected"])
            for name, each in judge(capsys, *argv).items()
            if name
        }

    first = facts("-j", "1", "--fresh")
    assert facts("-j", "2", "--fresh") == first
    assert facts() == first
    assert judge(capsys)[""]["run_count"] == 0


def test_a_part_of_the_cases_is_judged_without_scores_and_omissions(repository: Path, capsys: CapSys) -> None:
    write(repository, {"solutions/p/wrong_answer/none.py": wrong_from(3)})
    found = judge(capsys, "p", "--group", "small", "--group", "large")["none.py"]
    assert "score" not in found
    assert "SK" not in verdicts(found).values()


@pytest.mark.parametrize(
    ("expected", "limit", "unmet"),
    first_of(
        [
            ("[20, 40]", 100, None),
            ("40", 100, ["score 30, expected 40"]),
            ("30", 100, None),
            ("[50, 60]", 100, ["score 30, expected 50 to 60"]),
            ("100", 10**6, ["score 100, expected less than the best score"]),
            ("0", 1, ["score 0, expected a partial score"]),
        ],
        2,
    ),
)
def test_scores_are_expected(
    repository: Path, capsys: CapSys, expected: str, limit: int, unmet: list[str] | None
) -> None:
    problem = f"{PROBLEM}scores: {{{SMALL}: {expected}}}\n"
    write(repository, {"problems/p/problem.yaml": problem, f"solutions/p/{SMALL}": wrong_from(limit)})
    found = judge(capsys)["small.py"]
    assert found.get("unmet") == unmet
    assert found["as_expected"] == (unmet is None)
    assert judge(capsys)["small.py"].get("unmet") == unmet


def test_an_edited_expectation_or_other_points_are_noticed_although_all_results_are_cached(
    repository: Path, capsys: CapSys
) -> None:
    write(repository, {f"solutions/p/{SMALL}": wrong_from(100)})
    assert judge(capsys)["small.py"]["as_expected"]
    assert judge(capsys)["small.py"]["score"] == 30
    (repository / "problems/p/problem.yaml").write_text(PROBLEM.replace("small: 30", "small: 10"))
    again = judge(capsys)
    assert (again["small.py"]["score"], again[""]["run_count"]) == (10, 0)
    (repository / "problems/p/problem.yaml").write_text(f"{PROBLEM}scores: {{{SMALL}: 31}}\n")
    again = judge(capsys)
    assert (again["small.py"]["unmet"], again[""]["run_count"]) == (["score 30, expected 31"], 0)


def test_a_summary_from_the_cache_says_the_same(repository: Path, capsys: CapSys) -> None:
    write(repository, {f"solutions/p/{SMALL}": wrong_from(100), "solutions/p/wrong_answer/none.py": wrong_from(3)})
    assert run_cli(["lock"]) == 0

    def plain() -> list[str]:
        capsys.readouterr()
        run_cli(["run", "-f", "plain"])
        out, _ = capsys.readouterr()
        return [
            line.partition("passed")[0].rstrip() for line in out.splitlines()[:-1] if "s of 2" in line or "of" in line
        ]

    first = plain()
    assert any("score 30 of 100" in line for line in first)
    assert plain() == first
    assert plain() == first


def test_the_screen_shows_the_score_of_each_group_that_is_not_complete(repository: Path, capsys: CapSys) -> None:
    write(repository, {f"solutions/p/{SMALL}": wrong_from(3)})
    run_cli(["run", "-f", "plain"])
    out, _ = capsys.readouterr()
    assert "score 100 of 100" in out
    lines = [line.split() for line in out.splitlines()]
    assert ["small", "WA", "0", "of", "30"] in lines
    assert ["large", "SK", "0", "of", "50", "not", "judged:", "large", "requires", "small"] in lines
    assert "skipped" not in out


@pytest.mark.parametrize(("limit", "kind", "score"), [(10**4, "better", (30, 90)), (3, "worse", (30, 0))])
def test_a_changed_score_is_a_change(
    repository: Path, capsys: CapSys, limit: int, kind: str, score: tuple[int, int]
) -> None:
    name = f"solutions/p/{SMALL}"
    write(repository, {name: wrong_from(100)})
    run_cli(["baseline", "save"])
    (repository / name).write_text(wrong_from(limit))
    capsys.readouterr()
    run_cli(["compare"])
    out, _ = capsys.readouterr()
    assert kind in out
    assert f"score {score[0]} -> {score[1]}" in out


def test_the_history_keeps_scores(repository: Path, capsys: CapSys) -> None:
    write(repository, {f"solutions/p/{SMALL}": wrong_from(100)})
    judge(capsys)
    capsys.readouterr()
    (repository / f"solutions/p/{SMALL}").write_text(wrong_from(3))
    judge(capsys)
    capsys.readouterr()
    run_cli(["compare", "run-1", "-f", "json"])
    (change,) = (each for each in json.loads(capsys.readouterr().out)["changes"] if "score" in each)
    assert (change["old_score"], change["score"], change["kind"]) == (30, 0, "worse")


GRADER = """\
import sys
results = [line.split() for line in sys.stdin]
assert sys.argv[1:] == ["--twice"], sys.argv
print("AC", 2 * sum(float(score) for verdict, score in results if verdict == "AC"))
"""


@pytest.mark.parametrize(
    ("grader", "verdict", "score", "message"),
    [
        (GRADER, "AC", 4, ""),
        ("print('WA 3')", "WA", None, ""),
        (
            "print('AC')",
            "JE",
            None,
            "the grader grade.py: expected a verdict and a score, such as `AC 42.5`, found `AC`",
        ),
        ("import sys; sys.exit('no')", "JE", None, "the grader grade.py ended with exit status 1, expected 0: no"),
    ],
)
def test_a_custom_grader_decides_verdict_and_score(
    tmp_path: Path, grader: str, verdict: str, score: float | None, message: str
) -> None:
    problem = load_graded(tmp_path, grader)
    events = run_problem(problem, tmp_path)
    (result,) = (each.result for each in events if isinstance(each, SolutionJudged))
    assert (result.verdict, result.score) == (verdict, score)
    assert message in result.message
    assert isinstance(events[-1], RunEnded)
    assert events[-1].had_errors == (verdict == "JE")


def test_an_interrupt_of_the_custom_grader_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = load_graded(tmp_path, GRADER)
    with Workspace.find_or_use(tmp_path).open_session(SessionOptions(jobs=1)) as session:
        monkeypatch.setattr(grading, "run_custom_grader", lambda *_: session.executor.interrupt())
        events = list(session.run(Selection(root=tmp_path, problems=[ProblemSelection(problem=problem)])))
    (result,) = (each.result for each in events if isinstance(each, SolutionJudged))
    end = events[-1]
    assert isinstance(end, RunEnded)
    assert (result.message, result.score, end.solutions, end.interrupted, end.had_errors) == ("", None, 1, True, False)


def load_graded(folder: Path, grader: str) -> Problem:
    """Return a problem with a custom grader and a solution that is right on half of the cases."""
    files = {
        "problem.yaml": "name: p\ntype: scoring\nlicense: cc0\nrights_owner: me\nlimits: {time_limit: 2}\n",
        "graders/grade.py": f"#!/usr/bin/env python3\n{grader}\n",
        "data/testdata.yaml": "on_reject: continue\ngrader_flags: ignore_sample\n",
        "data/secret/testdata.yaml": "grading: custom\ngrader_flags: --twice\n",
        "submissions/accepted/half.py": "print(int(input()) % 3)\n",
    }
    for number in range(4):
        files[f"data/secret/{number}.in"], files[f"data/secret/{number}.ans"] = f"{number}\n", f"{number % 2}\n"
    write_files(folder / "package", files)
    return load_package(folder / "package", root_for_display=folder)[0]


def run_problem(problem: Problem, folder: Path) -> list[Event]:
    """Judge all solutions of a problem."""
    workspace = Workspace.find_or_use(folder)
    with workspace.open_session(SessionOptions(jobs=1)) as session:
        return list(session.run(Selection(root=folder, problems=[ProblemSelection(problem=problem)])))


STATIC_VALIDATOR = """\
import pathlib, sys
language, entry_point, feedback, *arguments = sys.argv[1:]
source = pathlib.Path(entry_point).read_text()
names = sorted(str(path) for path in pathlib.Path(".").iterdir())
pathlib.Path(feedback, "judgemessage.txt").write_text(f"{language} {arguments} {len(source)} bytes")
if "import" in source:
    sys.exit(43)
if "eval" in source:
    pathlib.Path(feedback, "score_multiplier.txt").write_text("0.5")
sys.exit(42)
"""


@pytest.mark.parametrize(
    ("source", "verdict", "score"),
    [
        ("print(int(input()) % 2)\n", "AC", 100),
        ("print(eval(input()) % 2)\n", "AC", 90),
        ("import sys\nprint(int(input()) % 2)\n", "WA", 80),
        ("print(int(input()) % 3)\n", "WA", 60),
    ],
)
def test_a_static_validator_judges_the_source(tmp_path: Path, source: str, verdict: str, score: float) -> None:
    settings = "static_validation_score: 20\nstatic_validator_args: [--strict]\n"
    judged, result = judge_source(tmp_path, "scoring", settings, source)
    assert judged[0].case.id == "secret/(static)"
    assert judged[0].message == f"python3 ['--strict'] {len(source)} bytes"
    assert (result.verdict, result.score) == (verdict, score)
    again, _ = judge_source(tmp_path, "scoring", settings, source)
    assert [(each.verdict, each.score, each.message) for each in again] == [
        (each.verdict, each.score, each.message) for each in judged
    ]
    assert all(each.is_cached for each in again)


@pytest.mark.parametrize(("source", "verdict"), [("print(int(input()) % 2)\n", "AC"), ("import sys\n", "WA")])
def test_a_static_validator_judges_problems_without_scores(tmp_path: Path, source: str, verdict: str) -> None:
    judged, result = judge_source(tmp_path, "pass-fail", "static_validation_score: pass-fail\n", source)
    assert (judged[0].case.is_static, judged[0].verdict) == (True, verdict)
    assert (result.verdict, result.score, result.groups) == (verdict, None, ())


@pytest.mark.skipif(not shutil.which("pypy3"), reason="no PyPy on this machine")
def test_a_static_validator_sees_the_code_of_the_language(tmp_path: Path) -> None:
    settings = "static_validation_score: pass-fail\n"
    judged, _ = judge_source(tmp_path, "pass-fail", settings, "#!/usr/bin/env pypy3\nprint(int(input()) % 2)\n")
    assert judged[0].message.startswith("python3 ")


def judge_source(folder: Path, kind: str, settings: str, source: str) -> tuple[list[CaseResult], SolutionResult]:
    """Judge a submission of a package with a static validator; return its cases and its result."""
    files = {
        "problem.yaml": f"problem_format_version: 2025-09\nname: p\nuuid: x\ntype: {kind}\nlimits: {{time_limit: 2}}\n",
        "static_validator/validate.py": STATIC_VALIDATOR,
        "data/secret/test_group.yaml": settings,
        "submissions/rejected/x.py": source,
    }
    for number in range(4):
        files[f"data/secret/{number}.in"], files[f"data/secret/{number}.ans"] = f"{number}\n", f"{number % 2}\n"
    write_files(folder / "package", files)
    problem, _ = load_package(folder / "package", root_for_display=folder)
    events = run_problem(problem, folder)
    (result,) = (each.result for each in events if isinstance(each, SolutionJudged))
    return [each.result for each in events if isinstance(each, CaseJudged)], result
