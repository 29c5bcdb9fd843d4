"""The command line as its user meets it: real files, real runs, exit statuses, and one clear error for bad input."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from judge.base.errors import StoreError
from judge.cli.commands import COMMANDS
from judge.cli.commands.signals import stop_on_signal
from judge.cli.main import run_cli
from judge.model import External, Level
from judge.preparation.inputs import fetch_external
from judge.preparation.store import ObjectStore
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box
from tests.cli.command_line import JUDGE, CapSys, copy_repository, judge, report, write
from tests.files import write_files
from tests.programs import processes_with

pytestmark = pytest.mark.usefixtures("repository")


@pytest.fixture
def repository(judged_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one small problem, `sums`, as `judge new` makes it and judged once; the current folder."""
    return copy_repository(judged_sums, tmp_path, monkeypatch)


@pytest.fixture
def locked(locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same with its cases locked."""
    return copy_repository(locked_sums, tmp_path / "locked", monkeypatch)


# ---- the main job ----------------------------------------------------------------------------------------------------


def test_the_solutions_of_a_new_problem_are_all_as_expected(capsys: CapSys) -> None:
    status, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert status == 0
    assert {name: each["verdict"] for name, each in report(out).items()} == {
        "count.py": "AC",
        "split.py": "AC",
        "no_signs.py": "WA",
    }


@pytest.mark.parametrize(
    "words",
    [
        "compare solutions/sums/accepted/count.py solutions/sums/accepted/split.py",
        "timelimit sums",
        pytest.param("strength sums --mutants 1 --search 0", marks=pytest.mark.thorough),
        "hack solutions/sums/accepted/count.py --max-inputs 3",
        "scale solutions/sums/accepted/count.py --max 8",
    ],
)
def test_a_program_that_reads_json_gets_no_progress(
    words: str, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.reporters.progress.LOG_INTERVAL_S", 0)
    _, out, err = judge(*words.split(), "-f", "json", capsys=capsys)
    json.loads(out)
    text = judge(*words.split(), capsys=capsys)[2]
    assert err.splitlines() == [line for line in text.splitlines() if line.startswith("note: ")]
    assert len(text) > len(err), "a log has it"


def test_a_wrong_solution_in_accepted_is_unexpected(repository: Path, capsys: CapSys) -> None:
    write(repository / "solutions/sums/accepted/off.py", "for _ in open(0): print(0)\n")
    status, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert status == 1
    assert report(out)["off.py"]["verdict"] == "WA"
    assert json.loads(out)["as_expected"] is False


def test_a_right_solution_in_wrong_answer_is_unexpected(capsys: CapSys) -> None:
    shutil.copy("solutions/sums/accepted/split.py", "solutions/sums/wrong_answer/right.py")
    status, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert status == 1
    assert report(out)["right.py"]["verdict"] == "AC"


@pytest.mark.parametrize(
    ("folder", "source", "verdict"),
    [
        ("wrong_answer", "print(1)", "WA"),
        ("run_time_error", "print([][0])", "RTE"),
        ("run_time_error", "import os; os.abort()", "RTE"),
        ("time_limit_exceeded", "while True: pass", "TLE"),
        ("time_limit_exceeded", "import time; time.sleep(99)", "TLE"),
        ("memory_limit_exceeded", "x = bytearray(400 << 20)", "MLE"),
        ("output_limit_exceeded", "while True: print('x' * 10000)", "OLE"),
        ("compile_error", "print(", "CE"),
        ("compile_error", "", "CE"),
    ],
)
def test_every_ending_gets_its_verdict(
    repository: Path, capsys: CapSys, folder: str, source: str, verdict: str
) -> None:
    time_limit = "500 ms" if verdict == "TLE" else "10 s"  # generous: a busy machine makes page faults dear
    path = repository / "problems/sums/problem.yaml"
    path.write_text(path.read_text().replace("time: 2 s", f"time: {time_limit}\n  output: 1 MiB"))
    write(repository / f"solutions/sums/{folder}/x.py", source)
    status, out, _ = judge("run", f"solutions/sums/{folder}/x.py", "--group", "sample", "-f", "json", capsys=capsys)
    assert (report(out)["x.py"]["verdict"], status) == (verdict, 0)


def test_presentation_errors_are_reported_with_the_uva_profile(repository: Path, capsys: CapSys) -> None:
    path = repository / "problems/sums/problem.yaml"
    path.write_text(path.read_text().replace("icpc", "uva").replace("checker: lines\n", ""))
    write(repository / "x.py", "for line in open(0): print(sum(map(int, line.split())), end=' \\n')")
    status, out, _ = judge("run", "sums", "-s", "x.py", "-f", "json", capsys=capsys)
    assert (report(out)["x.py"]["verdict"], status) == ("PE", 1)


def test_a_report_in_a_file_is_that_of_the_format_json(capsys: CapSys) -> None:
    for words in (["sums"], ["sums", "--failed"]):  # of the second, nothing has to be judged
        status, out, _ = judge("run", *words, "-f", "json", capsys=capsys)
        assert judge("run", *words, "-f", "plain", "--report", "report.json", capsys=capsys)[0] == status
        expected, found = json.loads(out), json.loads(Path("report.json").read_text())
        assert found["problems"] == expected["problems"]
        assert found.keys() == expected.keys()


def test_one_worker_and_many_give_the_same_report(capsys: CapSys) -> None:
    def verdicts(jobs: str) -> list[tuple[str, str]]:
        _, out, _ = judge("run", "--fresh", "sums/generated", "-j", jobs, "-f", "json", capsys=capsys)
        return [
            (case["name"], case["verdict"])
            for problem in json.loads(out)["problems"]
            for solution in problem["solutions"]
            for case in solution["cases"]
        ]

    assert verdicts("1") == verdicts("4")


# ---- choosing --------------------------------------------------------------------------------------------------------


def names(out: str) -> tuple[set[str], set[str]]:
    """Return which solutions and which cases a report has."""
    solutions = [each for problem in json.loads(out)["problems"] for each in problem["solutions"]]
    return {Path(each["path"]).name for each in solutions}, {
        case["name"] for each in solutions for case in each["cases"]
    }


ALL_SOLUTIONS = {"split.py", "count.py", "no_signs.py"}
ALL_CASES = {"statement", "uniform-1", "uniform-2", "uniform-3", "cancelling-1", "cancelling-2"}


@pytest.mark.parametrize(
    ("argv", "solutions", "cases"),
    [
        ([], ALL_SOLUTIONS, ALL_CASES),
        (["sums"], ALL_SOLUTIONS, ALL_CASES),
        (["problems/sums"], ALL_SOLUTIONS, ALL_CASES),
        (["solutions/sums"], ALL_SOLUTIONS, ALL_CASES),
        (["solutions/sums/accepted"], {"split.py", "count.py"}, ALL_CASES),
        (["solutions/sums/accepted/split.py"], {"split.py"}, ALL_CASES),
        (["solutions/sums/accepted/split.py", "solutions/sums/wrong_answer"], {"split.py", "no_signs.py"}, ALL_CASES),
        (["-s", "solutions/sums/wrong_answer/no_signs.py"], {"no_signs.py"}, ALL_CASES),
        (["sums/sample"], ALL_SOLUTIONS, {"statement"}),
        (["sums/sample/statement"], ALL_SOLUTIONS, {"statement"}),
        (["testcases/sums/sample.yaml"], ALL_SOLUTIONS, {"statement"}),
        (["--case", "uniform-*"], ALL_SOLUTIONS, {"uniform-1", "uniform-2", "uniform-3"}),
        (["--case", "sample/*", "--case", "*-2"], ALL_SOLUTIONS, {"statement", "uniform-2", "cancelling-2"}),
        (["--group", "gen*", "--case", "*-1"], ALL_SOLUTIONS, {"uniform-1", "cancelling-1"}),
    ],
)
def test_words_and_options_select_what_they_say(
    capsys: CapSys, argv: list[str], solutions: set[str], cases: set[str]
) -> None:
    status, out, _ = judge("run", *argv, "-f", "json", capsys=capsys)
    assert names(out) == (solutions, cases)
    assert status == 0


def test_a_filtered_run_does_not_ask_for_a_verdict_that_its_cases_cannot_give(repository: Path, capsys: CapSys) -> None:
    write(repository / "testcases/sums/plus.yaml", 'cases:\n  - {name: plus, input: "1 2\\n", answer: "3\\n"}\n')
    status, out, _ = judge("run", "solutions/sums/wrong_answer", "--group", "plus", "-f", "json", capsys=capsys)
    assert (report(out)["no_signs.py"]["verdict"], status) == ("AC", 0)


def test_any_file_is_judged_against_a_problem_and_should_be_accepted(tmp_path: Path, capsys: CapSys) -> None:
    mine = write(tmp_path / "elsewhere/mine.py", "for line in open(0): print(sum(map(int, line.split())))")
    status, out, _ = judge("run", "sums", "--solution", str(mine), "-f", "json", capsys=capsys)
    assert (report(out)["mine.py"]["expected"], report(out)["mine.py"]["verdict"], status) == ("AC", "AC", 0)


def test_a_folder_of_cases_replaces_the_problems_own(tmp_path: Path, capsys: CapSys) -> None:
    write(tmp_path / "own/1.in", "1 1\n")
    write(tmp_path / "own/1.ans", "2\n")
    write(tmp_path / "own/2.in", "2 2\n")
    write(tmp_path / "own/2.out", "5\n")
    status, out, _ = judge(
        "run", "sums", "-s", "solutions/sums/accepted/split.py", "--cases", str(tmp_path / "own"), "-f", "json",
        capsys=capsys,
    )  # fmt: skip
    (problem,) = json.loads(out)["problems"]
    (solution,) = problem["solutions"]
    assert [(case["name"], case["verdict"]) for case in solution["cases"]] == [("1", "AC"), ("2", "WA")]
    assert status == 1


def test_a_file_and_a_folder_of_cases_need_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "tests/a.in", "1 1\n")
    write(tmp_path / "tests/a.ans", "2\n")
    write(tmp_path / "x.py", "print(sum(map(int, input().split())))")
    status, out, _ = judge("run", "-s", "x.py", "--cases", "tests", "-f", "json", capsys=capsys)
    assert (report(out)["x.py"]["verdict"], status) == ("AC", 0)


def test_the_root_is_found_from_any_folder_below(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(repository / "solutions/sums/accepted")
    status, out, _ = judge("run", "split.py", "-f", "json", capsys=capsys)
    assert (names(out)[0], status) == ({"split.py"}, 0)


def test_fail_fast_stops_at_the_first_verdict_not_expected(repository: Path, capsys: CapSys) -> None:
    write(repository / "solutions/sums/accepted/a_bad.py", "print('no')")
    status, out, _ = judge("run", "--fail-fast", "-j", "1", "-f", "json", capsys=capsys)
    (problem,) = json.loads(out)["problems"]
    assert [len(each["cases"]) for each in problem["solutions"]] == [1]
    assert status == 1


def test_a_folder_of_solutions_is_judged_such_as_what_a_class_hands_in(repository: Path, capsys: CapSys) -> None:
    right = (repository / "solutions/sums/accepted/split.py").read_text()
    handed_in = {"anna/sums.py": right, "ben/week 1/Sums.py": "print(1)", "__MACOSX/a.py": "", "ben/notes.txt": ""}
    for name, text in handed_in.items():
        write(repository / "class" / name, text)
    status, out, _ = judge("run", "sums", "-s", "class", "-f", "json", capsys=capsys)
    (problem,) = json.loads(out)["problems"]
    found = {each["path"]: each["verdict"] for each in problem["solutions"]}
    assert (status, found) == (1, {"class/anna/sums.py": "AC", "class/ben/week 1/Sums.py": "WA"})
    (repository / "zips").mkdir()
    write(repository / "zips/anna.zip", "")
    assert "unzip the zip files in it first" in judge("run", "sums", "-s", "zips", capsys=capsys)[2]


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["run", "sms"], "judge: sms: not a problem or a file; did you mean sums?\n"),
        (["run", "solutions/sums/acepted"], "no such file or folder; did you mean solutions/sums/accepted?\n"),
        (["run", "sums", "-s", "gone.py"], "gone.py: no such file"),
        (["run", "sums", "-s", "solutions/sums/accepted/splitt.py"], "did you mean solutions/sums/accepted/split.py?"),
        (["run", "sums", "-s", "testcases"], "testcases: this folder has no solutions; expected source files"),
        (
            ["run", "sums", "-s", "problems/sums/statement.md"],
            "no language has the suffix `.md`; known suffixes: .c, .cpp, ",
        ),
        (["run", "--case", "statment"], "judge: no case matches statment; did you mean statement or sample/statement?"),
        (["run", "--case", "statement", "--case", "nope-1"], "judge: no case matches nope-1"),
        (["run", "--case", "statement", "--group", "generated"], "no case matches all of statement generated"),
        (
            ["run", "sums/sample/statemnt"],
            "no case matches sums/sample/statemnt; did you mean sums/sample/statement or",
        ),
        (["run", "sums/smple", "sums/generated"], "judge: no case matches sums/smple; did you mean sums/sample"),
        (["run", "sums/statement"], "judge: no case matches sums/statement; did you mean sums/sample/statement or"),
        (["run", "--group", "nothing-like-it"], "nothing-like-it; try sample"),
        (["run", "-j", "0"], "judge: --jobs 0: expected a number from 1 to 256"),
        (["run", "-j", "100000"], "judge: --jobs 100000: expected a number from 1 to 256"),
        (["run", "-j", "two"], "argument -j/--jobs: expected a number or `auto`, found `two`"),
        (["run", "--cases", "nowhere"], "nowhere"),
        (["run", "--data", "nowhere"], "judge: --data nowhere: no such folder"),
        (["run", "--format", "xml"], "invalid choice: 'xml'"),
        (
            ["run", "--python", "no-such-python", "sums"],
            "judge: --python no-such-python: command not found on PATH; expected a Python 3",
        ),
        (["run", "--python", "cat"], "judge: --python cat: not a Python interpreter ("),
        (
            ["run", "--python", "true"],
            "judge: --python true: not a Python interpreter; expected a Python 3 interpreter, such",
        ),
        (["-C", "nowhere", "run"], "judge: --root nowhere: no such folder"),
        (["show", "sums/nope"], "judge: sums has no case nope"),
        (["show", "sums", "--input"], "sums: --input needs a case"),
        (["new", "Bad Id"], "judge: Bad Id: an id has lower-case letters, digits, _ and -"),
        (["new", "sums"], "already exists; nothing was changed"),
        (["fly"], "fly: no such command"),
        ([], "COMMAND"),
    ],
)
def test_a_wrong_command_line_is_one_clear_error_and_status_2(capsys: CapSys, argv: list[str], message: str) -> None:
    status, _, err = judge(*argv, capsys=capsys)
    assert message in err
    assert "Traceback" not in err
    assert status == 2


def test_outside_a_repository_the_error_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = judge("run", capsys=capsys)
    assert status == 2
    assert "or start one with `judge new ID`; to judge a file without a repository: judge run FILE" in err


def test_a_pipe_with_a_name_is_refused_and_not_waited_for(repository: Path, capsys: CapSys) -> None:
    os.mkfifo(repository / "pipe.py")
    status, _, err = judge("run", "sums", "-s", "pipe.py", capsys=capsys)
    assert (status, err) == (2, f"judge: {repository}/pipe.py is not a regular file; expected a source file\n")


def test_no_command_shows_anything_of_a_file_out_of_the_repository(
    repository: Path, capsys: CapSys, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = write(tmp_path_factory.mktemp("home") / "netrc", "login y password CANARY: [\n")
    message = "error: is a link that leads out of the repository: copy the file into it"
    commands = ["list", "show sums", "run", "lock", "check sums", "export sums --to icpc-2025-09", "fetch"]
    commands += [f"{command} solutions/sums/accepted/count.py" for command in ("bundle", "hack", "check")]
    for name in ("problems/sums/problem.yaml", "problems/sums/statement.md", "testcases/sums/baseline.lock"):
        path = repository / name
        before = path.read_bytes() if path.exists() else None
        path.unlink(missing_ok=True)
        path.symlink_to(secret)
        for command in (*commands, *["baseline list"] * path.name.startswith("baseline")):
            status, out, err = judge(*command.split(), capsys=capsys)
            assert "CANARY" not in out + err, command
            assert (status, f"{name}: {message}" in out + err) == (2, True), (command, out, err)
        path.unlink()
        if before is not None:
            path.write_bytes(before)


def test_a_version_managers_script_is_asked_once_and_then_passed_by(repository: Path, capsys: CapSys) -> None:
    log = repository / "log"
    shim = write(repository / "shim", f'#!/bin/sh\necho start >>{log}\nexec {sys.executable} "$@"\n')
    shim.chmod(0o755)
    status, out, _ = judge(
        "run", "sums/sample", "-s", "solutions/sums/accepted/split.py", "--fresh", "--python", str(shim), "-f", "json",
        capsys=capsys,
    )  # fmt: skip
    assert (status, report(out)["split.py"]["verdict"]) == (0, "AC")
    assert log.read_text() == "start\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can take a file from its owner")
def test_asking_a_python_what_it_is_takes_no_file_from_its_owner(repository: Path, capsys: CapSys) -> None:
    another_user = 1000
    own = write(repository / "own", "")
    os.chown(own, another_user, another_user)
    assert judge("run", "--python", "cat", capsys=capsys)[0] == 2
    assert own.stat().st_uid == another_user


def test_an_older_python_is_refused_by_its_name(repository: Path, capsys: CapSys) -> None:
    old = write(repository / "old", "#!/bin/sh\necho Python 2\necho /usr/bin/python2\n")
    old.chmod(0o755)
    status, _, err = judge("run", "--python", str(old), capsys=capsys)
    assert status == 2
    assert err == f"judge: --python {old}: this is Python 2; expected a Python 3 interpreter, such as pypy3\n"


def test_a_solution_of_an_unknown_problem_asks_which(tmp_path: Path, capsys: CapSys) -> None:
    mine = write(tmp_path / "mine.py", "print(1)")
    status, _, err = judge("run", "-s", str(mine), capsys=capsys)
    assert status == 2
    assert f"{mine}: no cases found: looked beside it for mine.in, 1.in, " in err
    assert f"or name the problem that it solves: judge run PROBLEM {mine} (problems: sums)" in err


def test_a_case_file_with_errors_is_reported_and_the_other_problems_are_judged(
    repository: Path, capsys: CapSys
) -> None:
    assert run_cli(["new", "other"]) == 0
    write(repository / "testcases/other/bad.yaml", "cases:\n  - name: x\n    inptu: 1\n")
    status, out, err = judge("run", "-f", "json", capsys=capsys)
    assert status == 2
    assert [problem["id"] for problem in json.loads(out)["problems"]] == ["sums"]
    assert "testcases/other/bad.yaml:3:5:" in err
    assert "input" in err


def test_a_case_folder_with_a_missing_input_is_reported_and_the_other_cases_are_judged(
    tmp_path: Path, capsys: CapSys
) -> None:
    write(tmp_path / "own/1.ans", "1 1\n")
    write(tmp_path / "own/2.in", "1 1\n")
    write(tmp_path / "own/2.ans", "2\n")
    status, out, err = judge(
        "run", "solutions/sums/accepted/split.py", "--cases", str(tmp_path / "own"), "-f", "json", capsys=capsys
    )
    assert status == 2
    assert names(out)[1] == {"2"}
    assert "1.ans has no input: expected 1.in beside it" in err


WA, RTE, CE, TLE = "for line in open(0): print(0)\n", "print([][0])\n", "print(\n", "import time; time.sleep(99)\n"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("where", "source", "verdict"),
    [
        ("split.py warm", WA, "WA"),
        ("count.py cold", RTE, "RTE"),
        pytest.param("split.py cold", RTE, "RTE", marks=pytest.mark.thorough),
        pytest.param("count.py cold", WA, "WA", marks=pytest.mark.thorough),
        pytest.param("split.py warm", CE, "CE", marks=pytest.mark.thorough),
        pytest.param("count.py warm", TLE, "TLE", marks=pytest.mark.thorough),
    ],
)
def test_a_reference_or_an_independent_solution_that_is_wrong_now_is_a_wrong_solution(
    locked: Path, capsys: CapSys, where: str, source: str, verdict: str
) -> None:
    name, state = where.split()
    if state == "cold":
        shutil.rmtree(locked / ".judge")
    problem = locked / "problems/sums/problem.yaml"
    problem.write_text(problem.read_text().replace("time: 2 s", "time: 200 ms"))
    write(locked / f"solutions/sums/accepted/{name}", source)
    status, out, err = judge("run", "-f", "json", capsys=capsys)
    assert status == 1
    verdicts = {"count.py": "AC", "split.py": "AC", "no_signs.py": "WA", name: verdict}
    assert {name: each["verdict"] for name, each in report(out).items()} == verdicts
    assert "error" not in err
    is_reference = (name, verdict) == ("split.py", "WA")
    assert ("if the new ones are right, run `judge lock sums`" in err) == is_reference
    if verdict != "TLE":  # both must print every answer, in ten times the limit
        assert judge("lock", capsys=capsys)[0] == 2


def test_an_edit_of_the_reference_without_effect_is_not_reported(locked: Path, capsys: CapSys) -> None:
    path = locked / "solutions/sums/accepted/split.py"
    path.write_text(path.read_text() + "# the same answers\n")
    status, _, err = judge("run", "-f", "json", capsys=capsys)
    assert (status, err) == (0, "")
    assert judge("lock", "--check", capsys=capsys)[0] == 0


def test_a_validator_that_fails_is_one_error_and_no_solution_is_judged(repository: Path, capsys: CapSys) -> None:
    write(repository / "problems/sums/validate.py", "pass\n")
    status, out, err = judge("run", "-f", "plain", capsys=capsys)
    assert status == 2
    assert err.count("error: ") == 1
    assert "problems/sums/validate.py: error: the validator exits with status 0 on cases " in err
    assert out.count("  not judged  ") == 3
    assert "JE" not in out


def test_a_failing_generator_is_reported_and_its_case_is_never_charged_to_a_solution(
    repository: Path, capsys: CapSys
) -> None:
    path = repository / "problems/sums/generators/pairs.py"
    path.write_text(path.read_text() + "\n\ndef broken(random):\n    raise RuntimeError('no idea')\n")
    write(repository / "testcases/sums/more.yaml", "cases:\n  - name: b\n    generate: broken\n    seed: 1\n")
    status, out, err = judge("run", "-f", "json", capsys=capsys)
    assert status == 2
    assert "problems/sums/generators/pairs.py: error: the generator `broken` fails on case more/b: crashed: " in err
    assert "RuntimeError: no idea (pairs.py, line " in err
    found = {case["name"]: (case["verdict"], case["status"]) for case in report(out)["split.py"]["cases"]}  # type: ignore[index]
    assert found.pop("b") == ("SK", "not judged")
    assert set(found.values()) == {("AC", "judged")}
    assert report(out)["split.py"]["as_expected"]


def test_a_reference_that_cannot_be_compiled_here_costs_only_its_own_problem(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    assert run_cli(["new", "other"]) == 0
    write(repository / "solutions/other/accepted/fast.cpp", "int main(){}\n")
    path = repository / "problems/other/problem.yaml"
    path.write_text(path.read_text().replace("reference: accepted/split.py", "reference: accepted/fast.cpp"))
    monkeypatch.setenv("PATH", str(repository))
    status, out, err = judge("run", "-f", "json", capsys=capsys)
    assert status == 2
    statuses = {
        problem["id"]: {case["status"] for solution in problem["solutions"] for case in solution["cases"]}
        for problem in json.loads(out)["problems"]
    }
    assert statuses == {"other": {"judged", "not judged", "skipped"}, "sums": {"judged"}}
    assert err.count("solutions/other/accepted/fast.cpp: error: the reference fails on cases ") == 1
    assert "(C++ needs `g++` or `c++` or `clang++`: command not found on PATH)" in err


def test_too_many_workers_for_the_open_files_allowed_are_reported_with_the_remedy() -> None:
    shutil.rmtree(".judge")
    shell = ["sh", "-c", 'ulimit -n 16; exec "$@"', "sh", *JUDGE, "run", "-j", "60", "-f", "json"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Too many open files; use fewer workers (a smaller -j), or raise the limit (`ulimit -n`)" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("suffix", [".py", ".c"])
def test_what_a_solution_says_when_it_crashes_names_the_users_file(
    repository: Path, capsys: CapSys, suffix: str
) -> None:
    sources = {
        ".py": "raise KeyError('x')\n",
        ".c": "#include <assert.h>\nint main(void){assert(0);}\n",
    }
    if suffix == ".c" and not any(map(shutil.which, ("gcc", "cc", "clang"))):
        pytest.skip("no C compiler on this machine")
    mine = write(repository / f"mine{suffix}", sources[suffix])
    _, out, _ = judge("run", "sums/sample", "-s", str(mine), "-f", "jsonl", capsys=capsys)
    (run,) = [event["case"]["run"] for event in map(json.loads, out.splitlines()) if event["event"] == "case_judged"]
    assert str(mine) in run["stderr_tail"]
    assert "judge-session-" not in out


def test_when_nothing_could_be_judged_the_status_is_2(repository: Path, capsys: CapSys) -> None:
    write(
        repository / "testcases/sums/far.yaml",
        'cases:\n  - name: far\n    answer: "3\\n"\n    external:\n'
        f"      url: https://example.org/far.txt\n      file: far.txt\n      sha256: {'a' * 64}\n",
    )
    status, out, err = judge("run", "--group", "far", "-f", "plain", capsys=capsys)
    assert status == 2
    assert "judge fetch sums" in out + err


def test_an_output_that_is_not_utf8_and_full_of_control_characters_is_reported_safely(
    repository: Path, capsys: CapSys
) -> None:
    write(repository / "x.py", "import os; os.write(1, b'\\xff\\xfe\\x1b[31mred\\x00\\x07\\r\\n' * 3)")
    for kind in ("plain", "rich", "json"):
        status, out, _ = judge("run", "sums", "-s", "x.py", "-f", kind, capsys=capsys)
        assert status == 1
        assert "\x1b[31mred" not in out
        assert "\x07" not in out


def test_a_100_mb_output_is_ended_at_the_limit(repository: Path, capsys: CapSys) -> None:
    write(repository / "x.py", "import sys\nfor _ in range(1600): sys.stdout.write('x' * 65536)")
    status, out, _ = judge("run", "sums/sample", "-s", "x.py", "-f", "json", capsys=capsys)
    assert (report(out)["x.py"]["verdict"], status) == ("OLE", 1)


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(repository: Path, capsys: CapSys) -> None:
    shutil.rmtree(repository / ".judge")
    write(repository / ".judge", "a file where the folder should be")
    status, out, err = judge("run", "sums/sample", "-f", "json", capsys=capsys)
    assert status == 0
    assert "cannot be written" in err + out


def test_what_a_run_makes_is_hidden_from_git(repository: Path, capsys: CapSys) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "problems", "solutions", "testcases", ".schemas"], check=True)
    shutil.rmtree(repository / ".judge")
    assert judge("run", "sums/sample", capsys=capsys)[0] == 0
    status = subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True, check=True).stdout
    assert [line for line in status.splitlines() if not line.startswith("A ")] == []
    assert (repository / ".judge").is_dir()


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_that_cannot_be_written_is_one_clear_error(unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [*JUDGE, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment
        )
    assert done.stderr == "judge: cannot continue: No space left on device\n"
    assert done.returncode == 2


def test_no_place_for_temporary_files_is_one_clear_error() -> None:
    script = "import tempfile; tempfile._get_default_tempdir = None; tempfile.tempdir = '/proc/nowhere'; "
    script += "from judge.cli.main import run_cli; raise SystemExit(run_cli(['run']))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "No such file or directory" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 2


def test_an_outdated_lock_is_reported_and_then_updated(repository: Path, capsys: CapSys) -> None:
    _, out, err = judge("run", "-f", "plain", capsys=capsys)
    assert "run `judge lock sums` to record them" in out + err
    assert judge("lock", "--check", capsys=capsys)[0] == 1
    assert not (repository / "testcases/sums/cases.lock").exists()
    assert judge("lock", capsys=capsys)[0] == 0
    assert judge("lock", "--check", capsys=capsys)[0] == 0
    _, out, err = judge("run", "-f", "plain", capsys=capsys)
    assert "judge lock" not in out + err


def test_a_damaged_lock_file_is_an_error_until_it_is_locked_again(repository: Path, capsys: CapSys) -> None:
    write(repository / "testcases/sums/cases.lock", "<<<<<<< HEAD")
    status, _, err = judge("run", capsys=capsys)
    assert status == 2
    assert "fix: run `judge lock` to write it again" in err
    assert judge("lock", capsys=capsys)[0] == 0
    assert judge("run", capsys=capsys)[0] == 0


def test_fail_fast_stops_at_a_wrong_solution_that_passes(capsys: CapSys) -> None:
    shutil.copy("solutions/sums/accepted/split.py", "solutions/sums/wrong_answer/a_right.py")
    status, out, _ = judge("run", "-x", "-f", "json", capsys=capsys)
    assert status == 1
    assert "no_signs.py" not in report(out)


def test_a_generator_that_changes_its_mind_is_an_error_until_it_is_locked_again(locked: Path, capsys: CapSys) -> None:
    path = locked / "problems/sums/generators/pairs.py"
    path.write_text(path.read_text().replace("-largest, largest", "0, largest"))
    status, _, err = judge("run", "-f", "json", capsys=capsys)
    assert status == 2
    assert "makes a different input than the locked one" in err
    assert judge("lock", capsys=capsys)[0] == 0
    assert judge("run", "solutions/sums/accepted", "-f", "json", capsys=capsys)[0] == 0


def test_lock_generates_everything_again_and_notices_a_generator_that_changes(locked: Path, capsys: CapSys) -> None:
    path = locked / "problems/sums/generators/pairs.py"
    path.write_text(path.read_text().replace("-largest, largest", "0, largest"))
    status, out, _ = judge("lock", "--check", capsys=capsys)
    assert (status, "out of date: 0 new, " in out) == (1, True)


def test_lock_names_a_generator_that_is_not_deterministic_and_keeps_the_lock_file(locked: Path, capsys: CapSys) -> None:
    lock = (locked / "testcases/sums/cases.lock").read_bytes()
    path = locked / "problems/sums/generators/pairs.py"
    path.write_text("import time\n\n" + path.read_text().replace("-largest, largest", "time.time_ns() % 900, 900"))
    for command in ("lock", "run"):
        status, _, err = judge(command, capsys=capsys)
        assert status == 2
        assert err.count("error: ") == 2, "one for each generator"
        assert (
            "problems/sums/generators/pairs.py: error: the generator `uniform` makes a different input each time" in err
        )
    assert (locked / "testcases/sums/cases.lock").read_bytes() == lock


# ---- showing ---------------------------------------------------------------------------------------------------------


def test_show_prints_a_case_and_where_it_comes_from(capsys: CapSys) -> None:
    status, out, _ = judge("show", "sums/sample/statement", capsys=capsys)
    assert status == 0
    assert "testcases/sums/sample.yaml:3" in out
    assert "-5 3" in out
    _, out, _ = judge("show", "sums/uniform-2", capsys=capsys)
    assert "generator `uniform` in problems/sums/generators/pairs.py (seed 2)" in out


def test_add_puts_a_case_into_the_problem_that_a_word_names(repository: Path, capsys: CapSys) -> None:
    write_files(repository, {"one.txt": "1 -1\n", "two.txt": "2 -1\n", "one.ans": "1\n", "binary": b"\xff\n"})
    why = ("--why", "zero", "--answer", "one.ans")
    for words in (("sums", "--from", "one.txt"), ("solutions/sums/accepted/split.py", "--from", "two.txt", *why)):
        status, out, err = judge("add", *words, capsys=capsys)
        assert (status, out.partition(" in ")[0]) == (0, f"kept: case own/case-{1 + ('--why' in words)}"), err
    assert (repository / "testcases/sums/own.yaml").read_text().partition("cases:\n")[2] == (
        '  - name: case-1\n    why: "added with `judge add`"\n    input: |\n      1 -1\n'
        "  - name: case-2\n    why: zero\n    input: |\n      2 -1\n    answer: |\n      1\n"
    )
    assert judge("run", "sums/own", "-s", "solutions/sums/accepted/split.py", capsys=capsys)[0] == 0
    status, _, err = judge("add", "sums", "--from", "binary", capsys=capsys)
    assert (status, err.partition(": name")[0]) == (2, "judge: sums: no case file can hold this case")


@pytest.mark.parametrize("form", ["plain", "rich", "json"])
def test_a_diagnostic_of_a_run_is_printed_as_everywhere_else(repository: Path, capsys: CapSys, form: str) -> None:
    (repository / "testcases/sums/bad.yaml").write_text("cases:\n  - {nam: one}\n")
    status, _, listed = judge("list", "sums", capsys=capsys)
    assert status == 2
    shutil.copytree(repository / "problems/sums", repository / "problems/other")
    status, out, err = judge("run", "-f", form, capsys=capsys)
    assert status == 2
    shown = " ".join((out + err).split())
    for line in listed.splitlines():
        assert line.startswith("testcases/sums/bad.yaml:2:")
        assert " ".join(line.split()) in shown
    assert "error: testcases/sums/bad.yaml" not in shown


def test_every_commands_help_has_an_example_and_its_summary(capsys: CapSys) -> None:
    _, whole, _ = judge("--help", capsys=capsys)
    for command, (_, summary, *_) in COMMANDS.items():
        status, out, err = judge(command, "--help", capsys=capsys)
        assert (status, err) == (0, "")
        assert f"judge {command}" in out.partition("example")[2]
        assert summary in " ".join(whole.split())
        assert " ".join(out.split()).lower().find(summary.lower()) > 0


@pytest.mark.parametrize(
    ("argv", "status", "text"),
    [
        (["--version"], 0, "judge 0."),
        (["-h"], 0, "usage: judge"),
        ([], 2, "every day:\n  run "),
        (["rn"], 2, "rn: no such command; did you mean run?"),
        (["--fast", "run"], 2, "--fast: no such option"),
        (["-C"], 2, "-C: expected a folder"),
        (["-C", "nowhere", "list"], 2, "--root nowhere: no such folder"),
        (["-Cnowhere", "list"], 2, "--root nowhere: no such folder"),
        (["--root=nowhere", "list"], 2, "--root nowhere: no such folder"),
        (["-C", "nowhere", "list", "-C", "."], 0, "sums"),
        (
            ["list", "--fast"],
            2,
            "--fast: no such option\nusage: judge list [OPTIONS] [TARGET ...]\nTry `judge list --help`.",
        ),
    ],
)
def test_the_words_before_the_command_are_understood(argv: list[str], status: int, text: str, capsys: CapSys) -> None:
    found, out, err = judge(*argv, capsys=capsys)
    assert (found, text in out + err) == (status, True), out + err


# ---- as a process ----------------------------------------------------------------------------------------------------


def test_ctrl_c_tells_what_is_done_so_far_and_leaves_nothing_behind(repository: Path) -> None:
    mark = f"sleeper-{os.getpid()}-{time.monotonic_ns()}"
    write(repository / f"{mark}.py", "import time; time.sleep(60)")
    temporary = repository / "tmp"
    temporary.mkdir()
    process = subprocess.Popen(
        [*JUDGE, "run", "sums", "-s", "solutions/sums/accepted/split.py", "-s", f"{mark}.py", "-f", "json", "-j1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not processes_with(f"/{mark}") and time.monotonic() < deadline:  # a copy of it has a folder before its name
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert report(out)["split.py"]["verdict"] == "AC"
    assert json.loads(out)["as_expected"] is False
    assert processes_with(mark) == []
    assert list(temporary.iterdir()) == []


def test_a_solution_that_ctrl_c_cuts_off_is_not_as_expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mark = f"sleeper-{os.getpid()}-{time.monotonic_ns()}"
    sleep = f"import os, sys; os.execl(sys.executable, 'python', '-c', 'import time; time.sleep(60)', '{mark}')"
    write(tmp_path / "a.py", f"if input() == '2':\n    {sleep}\nprint(1)\n")
    for number in (1, 2, 3):
        write(tmp_path / f"tests/{number}.in", f"{number}\n")
        write(tmp_path / f"tests/{number}.ans", "1\n")
    with subprocess.Popen(
        [*JUDGE, "run", "a.py", "-f", "plain", "-j1", "--time-limit", "60"], stdout=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 60
        while not processes_with(mark) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert re.search(r"undecided +a\.py +AC +1/1 passed.* interrupted, 2 cases left", out), out
    assert "interrupted: 0 of 1 solution accepted, 1 not finished, so far" in out


def started(root: Path, temporary: Path, *argv: str) -> subprocess.Popen[str]:
    """Start the judge with a temporary folder of its own; return as soon as it has workers."""
    temporary.mkdir()
    process = subprocess.Popen(
        [*JUDGE, "-C", str(root), *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not any(temporary.glob("judge-session-*/programs/*/*")) and time.monotonic() < deadline:
        time.sleep(0.005)
    return process


def test_a_command_that_is_stopped_several_times_leaves_nothing_behind(repository: Path) -> None:
    signals = [signal.SIGTERM, *[signal.SIGINT] * 3]
    write(repository / "testcases/sums/one.yaml", 'cases:\n  - {name: one, input: "1 2\\n"}\n')
    write(repository / "problems/sums/validate.py", "import time; time.sleep(60)\n")
    temporary = repository / "tmp"
    process = started(repository, temporary, "run", "-f", "json")
    for number in signals:
        process.send_signal(number)
        time.sleep(0.005)
    _, err = process.communicate(timeout=30)
    after_all = {-signal.SIGINT}  # one more came when all was done
    assert process.returncode in after_all | {128 + number for number in signals}, err
    assert "Traceback" not in err
    assert list(temporary.iterdir()) == []


class Finalized:
    """Does something when it is finalized."""

    def __init__(self, does: Callable[[], object]) -> None:
        self.does = does

    def __del__(self) -> None:
        self.does()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Python reports the lost exception
def test_a_signal_that_is_lost_in_a_finalizer_does_not_disarm_the_next() -> None:
    with LocalExecutor(1) as executor, stop_on_signal() as stop:
        stop.attach(executor)
        signal.raise_signal(signal.SIGINT)
        assert executor.is_stopping
        Finalized(lambda: signal.raise_signal(signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        stop.start_clean_up()
        signal.raise_signal(signal.SIGINT)


def test_nothing_is_left_when_the_judge_is_killed_in_the_middle(repository: Path) -> None:
    write(repository / "testcases/sums/one.yaml", 'cases:\n  - {name: one, input: "1 2\\n"}\n')
    write(repository / "problems/sums/validate.py", "import time; time.sleep(60)\n")
    temporary = repository / "tmp"
    process = started(repository, temporary, "run", "-j", "2")
    deadline = time.monotonic() + 60
    while not processes_with(f"{temporary}/judge-session-") and time.monotonic() < deadline:  # a run of the validator
        time.sleep(0.005)
    process.kill()
    process.communicate()
    while (list(temporary.iterdir()) or processes_with(str(temporary))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert list(temporary.iterdir()) == []
    assert processes_with(str(temporary)) == []


@pytest.mark.parametrize("delay", [0.02, 0.06, 0.15])
def test_ctrl_c_right_after_the_start_shows_no_traceback(delay: float) -> None:
    script = "import judge.__main__, sys; print('ready', flush=True); judge.__main__.main()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) in [(-signal.SIGINT, ""), (0, "")]  # a shell makes 130 of the first


def test_a_closed_standard_output_is_one_clear_error() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *JUDGE, "list"], stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        "judge: standard output is closed, so the result would be lost; to discard it, use >/dev/null\n"
    )


def test_with_no_standard_input_and_no_standard_error_all_is_judged_as_ever() -> None:
    shell = ["sh", "-c", 'exec "$@" <&- 2>&-', "sh", *JUDGE, "run", "--fresh", "sums/sample", "-f", "json"]
    done = subprocess.run(shell, stdout=subprocess.PIPE, text=True, check=True)
    assert json.loads(done.stdout)["as_expected"] is True
    shell[2:] = ['exec "$@" <&-', "sh", *JUDGE, "grade", "-"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "judge: - has no submissions\n")


def test_a_terminal_of_ascii_only_sees_every_text(repository: Path) -> None:
    write(repository / "problems/sums/statement.md", "The sign \u2660 and \U0001f0cf\n")
    done = subprocess.run(
        [*JUDGE, "show", "sums"], capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert b"The sign \\u2660 and \\U0001f0cf\n" in done.stdout
    assert done.stderr == b""


class Strange(BaseHTTPRequestHandler):
    """A server that speaks no HTTP."""

    def handle(self) -> None:
        """Answer with anything but HTTP."""
        self.rfile.readline()
        self.wfile.write(b"what?\n")


@pytest.fixture
def strange_server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Strange) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("address", ["{server}/x", "http://[::1/x", "http://host:port/x"])
def test_a_broken_server_or_address_is_one_clear_error(
    repository: Path, capsys: CapSys, strange_server: str, address: str
) -> None:
    url = address.format(server=strange_server)
    objects = ObjectStore(repository / ".judge" / "objects")
    remedy = "; download it manually and pass its folder with --data or JUDGE_DATA"
    with pytest.raises(StoreError, match=remedy) as error:
        fetch_external(External(url=url, sha256="0" * 64, file="x.txt"), objects)
    assert str(error.value).startswith(f"{url}: ")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("shown", "words"),  # of the folder that the repository is in; of the command line
    [
        ("repository/problems", ["sums/sample"]),
        ("repository/testcases/sums", ["sums/sample"]),
        ("data", ["sums", "-s", "solutions/sums/accepted/split.py", "--cases", "../data"]),
        ("data", ["-s", "own.py", "--cases", "../data"]),
    ],
)
def test_answers_that_runs_can_read_are_reported(
    repository: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, shown: str, words: list[str]
) -> None:
    with Box() as box:
        if box.level is Level.LIMITS:
            pytest.skip("this machine offers only the level `limits`, where runs can read everything")
    write(repository / "../data/1.in", "1 2\n")
    write(repository / "../data/1.ans", "3\n")
    write(repository / "own.py", "print(sum(map(int, input().split())))\n")
    command = ["run", "-f", "json", *words]
    warning = "which runs can read: solutions can read the answers"
    status, _, err = judge(*command, capsys=capsys)
    assert (status, err.count(warning)) == (0, 0)
    monkeypatch.setattr(
        "judge.sandbox.installations.SYSTEM", ("/nonexistent", str((repository.parent / shown).resolve()))
    )
    status, _, err = judge(*command, capsys=capsys)
    assert (status, err.count(warning)) == (0, 1)


def test_a_reader_that_goes_away_causes_no_traceback() -> None:
    process = subprocess.Popen([*JUDGE, "list", "sums"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait() in (0, 141)
    assert err == b""


@pytest.mark.parametrize("words", ["list", "run", "show sums", "run nothing", "run sums --profile no", "timelimit"])
def test_names_of_files_give_the_terminal_no_commands(
    new_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys, words: str
) -> None:
    root = copy_repository(new_sums, tmp_path / "new", monkeypatch)
    name = "\x1b]0;x\x07\n\x9b\r\u202e"
    for folder in ("problems/%s", "solutions/sums/%s"):
        write(root / (folder % name) / "problem.yaml", "name: [\n")
    write(root / "judge.toml", '[profile."\\u001b]0;x"]\n')
    assert run_cli(words.split()) == 2
    out, err = capsys.readouterr()
    assert "\\x1b]0;x" in out + err
    assert (out + err).replace("\n", "").isprintable()
