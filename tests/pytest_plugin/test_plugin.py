"""`pytest --judge`: a repository of solutions through its usual runner; each session is a process of its own."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import pytest

from judge.cli.main import run_cli
from judge.model.events import Event
from judge.pytest_plugin.collect import CaseItem, Solutions
from judge.pytest_plugin.session import JudgeSession, NotJudgedError
from judge.workspace.select import Selection
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace
from tests.cli.command_line import copy_repository
from tests.files import write_files
from tests.parameters import first_of
from tests.programs import processes_with

RIGHT = "import sys\nfor line in sys.stdin:\n    print(sum(map(int, line.split())))\n"
WRONG = "print(1)\n"
PYTEST = [sys.executable, "-W", "error", "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]


@pytest.fixture(scope="module")
def judged(locked_sums: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one small problem, `sums`, and a solution that fails where it should not; all judged."""
    root = shutil.copytree(locked_sums, tmp_path_factory.mktemp("judged") / "repository")
    (root / "solutions/sums/accepted/mine.py").write_text(WRONG)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(root)
        assert run_cli(["run", "-q"]) == 1
    return root


@pytest.fixture
def repository(judged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `judged`, its results in the cache; the current folder."""
    return copy_repository(judged, tmp_path, monkeypatch)


def session(root: Path, *words: str, judge: bool = True) -> "subprocess.CompletedProcess[str]":
    """Run pytest in a repository, with a temporary folder of its own that has to be empty at the end."""
    temporary = root.parent / "tmp"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(temporary), "COLUMNS": "200"}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [*PYTEST, *(["--judge"] * judge), *words],
        cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert list(temporary.glob("judge-*")) == []
    assert "Traceback" not in done.stdout + done.stderr
    return done


def outcomes(done: "subprocess.CompletedProcess[str]") -> dict[str, int]:
    """Return how many tests ended how."""
    last = done.stdout.rstrip().splitlines()[-1]
    return {word.removesuffix("s"): int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", last) if word != "s"}


def test_without_the_option_nothing_is_collected_and_nothing_of_ours_is_loaded(repository: Path) -> None:
    (repository / "test_own.py").write_text(
        "import sys\ndef test_own():\n    assert {n for n in sys.modules if n.startswith('judge')} <= "
        "{'judge', 'judge.pytest_plugin'}\n    assert 'msgspec' not in sys.modules\n"
    )
    done = session(repository, judge=False)
    assert done.returncode == 0, done.stdout
    assert outcomes(done) == {"passed": 1}


def test_each_case_of_each_solution_is_a_test_and_failures_are_reported_as_in_a_log(repository: Path) -> None:
    done = session(repository, "-q", "--junitxml", "out.xml")
    assert done.returncode == 1
    assert outcomes(done) == {"failed": 6, "passed": 22}
    assert "FAILED solutions/sums/accepted/mine.py::sample/statement" in done.stdout
    assert "verdict  WA: line 1, token 1: expected `3`, found `1`" in done.stdout
    assert "rerun    judge run solutions/sums/accepted/mine.py --case sample/statement" in done.stdout
    summary = "mine.py::sample/statement - WA: line 1, token 1: expected `3`, found `1`\n"
    assert f"FAILED solutions/sums/accepted/{summary}" in done.stdout
    assert "court.py" not in done.stdout, "no line of ours is the user's to read"
    suite = ET.parse(repository / "out.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("28", "6", "0")
    cases = {(case.get("classname"), case.get("name")): case for case in suite.iter("testcase")}
    failure = cases["solutions.sums.accepted.mine", "sample/statement"].find("failure")
    assert failure is not None
    assert "expected `3`, found `1`" in str(failure.text)


def test_collecting_runs_nothing(repository: Path) -> None:
    for path in (repository / ".judge").glob("*.sqlite*"):
        path.unlink()
    mark = repository / "imported"
    (repository / "solutions/sums/accepted/test_mine.py").write_text(f"import os; os.mkdir({str(mark)!r})\n")
    done = session(repository, "--collect-only", "-q")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert not mark.exists()
    assert not any((repository / ".judge").glob("*.sqlite*")), "nothing to keep results in was opened"
    assert "solutions/sums/accepted/mine.py::sample/statement" in lines
    assert "solutions/sums/wrong_answer/no_signs.py::expectation" in lines
    assert not any(line.endswith("accepted/mine.py::expectation") for line in lines), "the cases say it all"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "found"),
    first_of(
        [
            (["solutions/sums/accepted/split.py::sample/statement"], {"passed": 1}),
            (["-k", "mine", "-x"], {"failed": 1, "deselected": 22}),
            (["solutions/sums/accepted"], {"failed": 6, "passed": 12}),
            (["-k", "uniform and split"], {"passed": 3, "deselected": 25}),
        ],
        2,
    ),
)
def test_paths_names_k_and_x_select_as_ever(repository: Path, words: list[str], found: dict[str, int]) -> None:
    assert outcomes(session(repository, *words)) == found


def test_a_solution_that_looks_like_a_test_is_never_imported(repository: Path) -> None:
    path = repository / "solutions/sums/accepted/test_mine.py"
    path.write_text(f"{RIGHT}def test_x(): raise AssertionError\n")
    assert outcomes(session(repository, str(path))) == {"passed": 6}
    link = repository.with_name("link")
    link.symlink_to(repository)
    assert outcomes(session(repository, str(link / path.relative_to(repository)))) == {"passed": 6}


def test_a_wrong_solution_that_passes_fails_its_expectation_alone(repository: Path) -> None:
    (repository / "solutions/sums/wrong_answer/right.py").write_text(RIGHT)
    done = session(repository, "-k", "right.py")
    assert outcomes(done) == {"failed": 1, "passed": 6, "deselected": 28}
    assert "right.py: expected WA on at least one case, but all 6 were accepted" in done.stdout


def test_cases_are_judged_in_the_order_of_the_problem(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge_session = JudgeSession(Workspace.find_or_use(repository), workers=1)
    problem = judge_session.problem("sums")
    path = problem.solutions[0].path
    items = [Mock(spec=CaseItem, problem=problem, solution=Mock(path=path), case=case) for case in problem.cases[:0:-1]]
    Solutions.pytest_collection_finish(Mock(judge_session=judge_session), Mock(items=items))
    selected: list[Selection] = []

    def run(_: Session, selection: Selection) -> Iterable[Event]:
        selected.append(selection)
        return ()

    monkeypatch.setattr(Session, "run", run)
    with pytest.raises(NotJudgedError):
        judge_session.judge(problem, problem.solutions[0], problem.cases[1])
    judge_session.close()
    assert selected[0].problems[0].problem.cases == problem.cases[1:]


@pytest.mark.thorough
def test_an_expectation_by_itself_asks_for_every_case(repository: Path) -> None:
    assert outcomes(session(repository, "-k", "expectation")) == {"passed": 1, "deselected": 27}


@pytest.mark.thorough
def test_sessions_side_by_side_find_the_same(repository: Path) -> None:
    done = session(repository, "-n", "2", "-q")
    assert done.returncode == 1
    assert "FAILED solutions/sums/accepted/mine.py::sample/statement - WA: line 1, token 1: expected" in done.stdout
    assert outcomes(done) == {"failed": 6, "passed": 22}


def test_results_are_shared_with_judge_run(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "solutions/sums/accepted/new.py").write_text(RIGHT)
    capsys.readouterr()
    assert run_cli(["run", "solutions/sums/accepted/mine.py", "--format", "plain"]) == 1
    used = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("  used"))
    done = session(repository, "solutions/sums")
    assert used in done.stdout.splitlines(), "times and memory of another run would be others"
    assert run_cli(["run", "--format", "plain"]) == 1
    assert "0 runs, 30 from the cache" in capsys.readouterr().out


@pytest.mark.thorough
def test_broken_test_data_is_an_error_and_no_failure(repository: Path) -> None:
    (repository / "testcases/sums/bad.yaml").write_text('cases:\n  - {name: bad, input: "1 x\\n", answer: "1\\n"}\n')
    done = session(repository, "-k", "bad/bad and split")
    assert outcomes(done) == {"error": 1, "deselected": 31}
    assert "testcases/sums/bad.yaml:2:1: error: case bad/bad: the validator" in done.stdout
    assert "another exception" not in done.stdout


def test_an_error_of_the_test_data_is_reported_once_and_its_other_tests_are_skipped(repository: Path) -> None:
    (repository / "testcases/sums/bad.yaml").write_text('cases:\n  - {name: bad, input: "1 x\\n", answer: "1\\n"}\n')
    done = session(repository, "-rs", "-k", "bad/bad")
    assert outcomes(done) == {"error": 1, "skipped": 3, "deselected": 28}
    assert done.stdout.count("testcases/sums/bad.yaml:2:1: error: case bad/bad: the validator") == 1
    assert "not judged: case bad/bad: the validator" in done.stdout


@pytest.mark.thorough
def test_a_damaged_lock_is_reported_once_and_all_tests_of_the_problem_are_skipped(repository: Path) -> None:
    (repository / "testcases/sums/cases.lock").write_text("{")
    done = session(repository, "-rs")
    assert outcomes(done) == {"error": 1, "skipped": 27}
    assert done.stdout.count("testcases/sums/cases.lock: error: not a lock file") == 1
    assert "not judged: the problem's files are wrong" in done.stdout


@pytest.mark.thorough
def test_a_reference_that_is_wrong_now_fails_its_own_tests_alone(repository: Path) -> None:
    (repository / "solutions/sums/accepted/mine.py").unlink()
    (repository / "solutions/sums/accepted/split.py").write_text(WRONG)
    done = session(repository)
    assert outcomes(done) == {"failed": 6, "passed": 16}
    assert "solutions/sums/accepted/split.py::generated/uniform-1" in done.stdout


@pytest.mark.thorough
def test_invalid_yaml_is_reported_once_with_its_position_and_nothing_is_judged(repository: Path) -> None:
    (repository / "testcases/sums/bad.yaml").write_text("cases: [\n")
    done = session(repository)
    assert done.returncode == 2
    assert done.stdout.count("testcases/sums/bad.yaml:") == 1
    assert "sums: its files are wrong; see the first error" in done.stdout


@pytest.mark.thorough
def test_a_case_whose_data_is_not_here_is_skipped_with_the_reason(repository: Path) -> None:
    digest = "0" * 64
    (repository / "testcases/sums/big.yaml").write_text(
        f'cases:\n  - name: big\n    external: {{url: "https://example.org/x", sha256: "{digest}", file: x.txt}}\n'
        '    answer: "1\\n"\n'
    )
    done = session(repository, "-rs", "-k", "big/big and split")
    assert outcomes(done) == {"skipped": 1, "deselected": 31}
    assert "judge fetch sums" in done.stdout


@pytest.mark.thorough
def test_testpaths_of_the_project_are_kept_and_solutions_are_added(repository: Path) -> None:
    (repository / "pytest.ini").write_text("[pytest]\ntestpaths = tests\njudge_root = .\n")
    (repository / "tests").mkdir()
    (repository / "tests/test_own.py").write_text("def test_own(): pass\n")
    assert outcomes(session(repository)) == {"failed": 6, "passed": 23}
    assert outcomes(session(repository, "tests")) == {"passed": 1}


@pytest.mark.thorough
def test_the_repository_may_stand_below_the_configuration(repository: Path) -> None:
    above = repository.parent
    (above / "pytest.ini").write_text("[pytest]\njudge_root = repository\n")
    done = subprocess.run(
        [*PYTEST, "--judge", "repository", "-k", "split"],
        cwd=above, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert outcomes(done) == {"passed": 6, "deselected": 22}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("", "--judge: no folder `problems` in"),
        ("judge_root = nowhere\n", "--judge: no folder `problems` in"),
    ],
)
def test_without_a_repository_the_option_is_one_clear_error(tmp_path: Path, setting: str, message: str) -> None:
    (tmp_path / "pytest.ini").write_text(f"[pytest]\n{setting}")
    done = session(tmp_path)
    assert done.returncode == 4
    assert message in done.stderr
    assert len(done.stderr.splitlines()) <= 3


@pytest.mark.thorough
@pytest.mark.parametrize("words", [pytest.param([], marks=pytest.mark.thorough), ["-n", "1"]])
def test_ctrl_c_ends_what_runs_and_leaves_nothing(repository: Path, words: list[str]) -> None:
    mark = f"sleeper-{os.getpid()}-{time.monotonic_ns()}"
    (repository / f"solutions/sums/accepted/{mark}.py").write_text("import time\ntime.sleep(100)\n")
    temporary = repository.parent / "tmp"
    temporary.mkdir()
    process = subprocess.Popen(
        [*PYTEST, "--judge", "-k", mark, *words],
        cwd=repository, env={**os.environ, "TMPDIR": str(temporary)}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 90
    while not processes_with(f"/{mark}.py") and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=90)
    assert process.returncode == 2, out
    assert "KeyboardInterrupt" in out
    while (processes_with(f"/{mark}.py") or any(temporary.glob("judge-*"))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert processes_with(f"/{mark}.py") == []
    assert list(temporary.glob("judge-*")) == []


def test_the_compile_flags_of_the_settings_are_in_the_header(repository: Path) -> None:
    (repository / "judge.toml").write_text('[language.cpp]\nflags = ["-O3"]\n')
    done = session(repository, "solutions/sums/accepted/split.py")
    assert done.returncode == 0
    assert "judge: C++ is compiled with -O3 (judge.toml:2)" in done.stdout.splitlines()
    (repository / "judge.toml").write_text("job = 1\n")
    done = session(repository, "solutions/sums/accepted/split.py")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"ERROR: {repository}/judge.toml:1:1: error: unknown key `job`; did you mean `jobs`?" in done.stderr


CHECKER = """\
checker: {program: check.py}
checker_tests:
  accept: [{input: "", output: "1\\n"}]
  reject: [{input: "", output: "2\\n"}, {input: "", output: "1\\n"}]
"""


@pytest.mark.thorough
def test_programs_of_a_problem_are_tested(repository: Path) -> None:
    problem = repository / "problems/sums/problem.yaml"
    problem.write_text(problem.read_text().replace("checker: lines\n", CHECKER))
    checker = repository / "problems/sums/check.py"
    checker.write_text("import sys\nsys.exit(42 if sys.stdin.read() == '1\\n' else 43)\n")
    done = session(repository, "problems/sums/problem.yaml")
    assert outcomes(done) == {"passed": 5, "failed": 1}
    assert "error: the checker accepts this output; expected it to reject it" in done.stdout
    checker.write_text("x = = 1\n")
    done = session(repository, "solutions/sums/accepted/mine.py")
    assert "does not compile: line 1" in done.stdout
    assert set(outcomes(done)) <= {"error", "skipped", "failed"}


def test_a_package_of_domjudge_has_one_test_for_what_its_first_failure_decides(tmp_path: Path) -> None:
    package = tmp_path / "repository/sum"
    write_files(
        package,
        {
            "problem.yaml": "name: Sum\n",
            ".timelimit": "5\n",
            "data/secret/1.in": "1\n",
            "data/secret/1.ans": "1\n",
            "data/secret/2.in": "2\n",
            "data/secret/2.ans": "2\n",
            "submissions/wrong_answer/right.py": "print(9) if int(input()) != 2 else exit(3)\n",
            "submissions/wrong_answer/wrong.py": "print(9) if int(input()) != 1 else exit(3)\n",
        },
    )
    done = session(package)
    assert outcomes(done) == {"passed": 1, "failed": 1}
    assert "RTE: exit status 3" in done.stdout


@pytest.mark.thorough
def test_in_a_legacy_package_with_scores_the_verdict_of_the_grader_counts(tmp_path: Path) -> None:
    part, none = "print(2 if int(input()) == 1 else 0)\n", "print(0)\n"
    groups = {
        f"data/secret/g{n}/{name}": text
        for n in (1, 2)
        for name, text in {
            "testdata.yaml": f"range: 0 {n}0\naccept_score: {n}0\ngrader_flags: min\n",
            f"{n}.in": f"{n}\n",
            f"{n}.ans": f"{2 * n}\n",
        }.items()
    }
    flags = "range: 0 30\non_reject: continue\ngrader_flags: {}\n"
    package = tmp_path / "repository/double"
    write_files(
        package,
        {
            "problem.yaml": "name: Double\ntype: scoring\nlimits: {time_limit: 5}\n",
            "data/testdata.yaml": flags.format("first_error"),
            "data/secret/testdata.yaml": flags.format("first_error accept_if_any_accepted"),
            **groups,
            "submissions/accepted/part.py": part,
            "submissions/accepted/none.py": none,
            "submissions/partially_accepted/part.py": part,
        },
    )
    done = session(package)
    assert outcomes(done) == {"passed": 2, "failed": 1}
    assert "none.py" in done.stdout
