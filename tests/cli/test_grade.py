"""`judge grade` and `judge merge`: streams on the command line, resumed after kills and interrupts, divided."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import judge as package
from judge.grading.results import ResultFile
from tests.cli.command_line import JUDGE, PAGE, CapSys, held_by, judge, write

TESTS = [{"input": f"{number} 1\n", "output": f"{number + 1}\n"} for number in range(3)]
SUM = "print(sum(map(int, input().split())))"
PROGRAMS = {"AC": SUM, "WA": "print(0)", "RTE": "1 / 0", "TLE": "while True: pass"}
SCHEMA = json.loads((Path(package.__file__).parent / "schemas/grade.schema.json").read_text())


def rows(*verdicts: str) -> list[dict[str, Any]]:
    return [
        {"id": f"s{number}", "task": "sum", "code": PROGRAMS[verdict], "tests": TESTS, "limits": {"time_s": 0.3}}
        for number, verdict in enumerate(verdicts, 1)
    ]


def submissions(path: Path, *verdicts: str, more: str = "") -> Path:
    return write(path, "".join(f"{json.dumps(row)}\n" for row in rows(*verdicts)) + more)


def read(path: str | Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in Path(path).read_text().splitlines()]
    for each in found:
        jsonschema.validate(each, SCHEMA)
    return found


def verdicts_of(path: str | Path) -> dict[str, str]:
    return {each["id"]: each["verdict"] for each in read(path) if "id" in each}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_each_line_gets_a_result_and_bad_ones_a_fault(capsys: CapSys) -> None:
    bad = '{"id": "s1", "code": "x", "tests": [{"input": "", "output": ""}]}\n{bad\n\n[1]\n'
    submissions(Path("in.jsonl"), "AC", "WA", "RTE", more=bad)
    words = ("in.jsonl", "-o", "out.jsonl", "--summary", "-k", "1,2", "-q", *PAGE)
    status, out, err = judge("grade", *words, capsys=capsys)
    assert (status, err) == (1, "")
    assert held_by("page.html", "an earlier row has the id s1", "pass@1     33.33 %") == read("out.jsonl")
    results = {each["line"]: each for each in read("out.jsonl")}
    assert {line: each["verdict"] for line, each in results.items()} == {
        1: "AC", 2: "WA", 3: "RTE", 4: "SK", 5: "SK", 7: "SK",
    }  # fmt: skip
    assert "line 4: an earlier row has the id s1" in results[4]["fault"]
    assert "line 5: not JSON" in results[5]["fault"]
    for text in (
        "6 submissions, 1 task",
        "SK 3",
        "pass@1     33.33 %",
        "pass@2     66.67 %",
        "no score   3",
        "slowest",
    ):
        assert text in out


def test_files_of_rows_are_in_the_folder_of_the_stream_or_an_allowed_one(capsys: CapSys) -> None:
    paths = ("stream/a.py", "a.py", "other/a.py")
    for path in paths:
        write(Path(path), SUM)
    lines = [json.dumps({"id": path, "path": path, "tests": TESTS}) + "\n" for path in paths]
    write(Path("stream/in.jsonl"), "".join(lines))
    status, _, _ = judge("grade", "stream/in.jsonl", "-o", "out.jsonl", "-q", capsys=capsys)
    assert (status, verdicts_of("out.jsonl")) == (1, {"stream/a.py": "AC", "a.py": "SK", "other/a.py": "SK"})
    allowed = ("--allow-paths", "other", "--allow-paths", "stream")
    argv = [*JUDGE, "grade", "-", "-o", "-", "-q", *allowed]
    ran = subprocess.run(argv, input="".join(lines).encode(), cwd="stream", capture_output=True, check=False)
    found = {each["id"]: each["verdict"] for each in map(json.loads, ran.stdout.splitlines())}
    assert found == {"stream/a.py": "SK", "a.py": "AC", "other/a.py": "SK"}, "paths start at the current folder"
    judge("grade", "stream/in.jsonl", "-o", "out.jsonl", "-q", "--force", *allowed, capsys=capsys)
    assert verdicts_of("out.jsonl") == {"stream/a.py": "AC", "a.py": "SK", "other/a.py": "AC"}


def test_standard_input_and_output_serve_as_files(capsys: CapSys) -> None:
    data = submissions(Path("in.jsonl"), "AC", "WA").read_bytes()
    ran = subprocess.run([*JUDGE, "grade", "-"], input=data, capture_output=True, check=False)
    assert ran.returncode == 0
    assert {json.loads(line)["verdict"] for line in ran.stdout.splitlines()} == {"AC", "WA"}
    status, _, err = judge("grade", "in.jsonl", "--resume", capsys=capsys)
    assert (status, "--resume needs a file of results" in err) == (2, True)


def test_a_result_is_written_before_the_next_row_is_known() -> None:
    lines = submissions(Path("in.jsonl"), "AC", "WA").read_bytes().splitlines(keepends=True)
    with subprocess.Popen([*JUDGE, "grade", "-", "-o", "-", "-q"], stdin=-1, stdout=-1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, verdict in zip(lines, ("AC", "WA"), strict=True):
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == verdict
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.thorough
def test_results_are_resumed_after_kills_without_a_row_lost_or_twice(capsys: CapSys) -> None:
    wanted = ["AC", "WA", "RTE", "AC", "TLE"] * 2
    submissions(Path("in.jsonl"), *wanted)
    results = Path("out.jsonl")
    for count in (1, 4):
        process = subprocess.Popen([*JUDGE, "grade", "in.jsonl", "-o", "out.jsonl", "--resume", "-q"], stderr=-3)
        while not (results.exists() and results.read_bytes().count(b"\n") >= count):
            time.sleep(0.02)
        process.kill()
        process.wait()
    results.write_bytes(results.read_bytes()[:-7])
    assert judge("grade", "in.jsonl", "-o", "out.jsonl", "--resume", "-q", capsys=capsys)[0] == 0
    assert len(read("out.jsonl")) == len(wanted)
    assert verdicts_of("out.jsonl") == {f"s{number}": verdict for number, verdict in enumerate(wanted, 1)}
    before = Path("out.jsonl").read_bytes()
    status, _, err = judge("grade", "in.jsonl", "-o", "out.jsonl", "--resume", "-q", capsys=capsys)
    assert (status, "has 10 results" in err, Path("out.jsonl").read_bytes() == before) == (0, True, True)


@pytest.mark.thorough
def test_an_interrupt_finishes_what_runs_and_says_how_to_go_on() -> None:
    submissions(Path("in.jsonl"), *["TLE"] * 40)  # far more than are graded until the signal
    with subprocess.Popen(
        [*JUDGE, "grade", "in.jsonl", "-o", "out.jsonl", "-q", "-j", "1"], stderr=-1, text=True, start_new_session=True
    ) as process:
        while not (Path("out.jsonl").exists() and Path("out.jsonl").stat().st_size):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert "to go on: judge grade in.jsonl -o out.jsonl -q -j 1 --resume\n" in err
    found = read("out.jsonl")
    assert 1 <= len(found) < 40
    assert all(each["verdict"] == "TLE" for each in found)


def test_a_row_that_changed_since_is_not_mixed_with_old_results(capsys: CapSys) -> None:
    submissions(Path("in.jsonl"), "AC", "WA")
    assert judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", capsys=capsys)[0] == 0
    submissions(Path("in.jsonl"), "AC", "AC")
    status, _, err = judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", "--resume", capsys=capsys)
    assert (status, "line 2: out.jsonl has a result of s2 with another digest" in err) == (2, True)
    status, _, err = judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", "--resume", "--all", capsys=capsys)
    assert (status, "the options or the judge have changed" in err) == (2, True)


def test_a_stream_with_a_repeated_id_is_resumed(capsys: CapSys) -> None:
    """The result of the second row with an id is known first; a kill then leaves it alone in the file."""
    submissions(Path("in.jsonl"), "AC", more=json.dumps(rows("WA")[0]) + "\n")
    assert judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", capsys=capsys)[0] == 1
    duplicate = next(line for line in Path("out.jsonl").read_text().splitlines(keepends=True) if '"SK"' in line)
    write("out.jsonl", duplicate)
    assert judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", "--resume", capsys=capsys)[0] == 1
    assert [(each["line"], each["verdict"]) for each in read("out.jsonl")] == [(2, "SK"), (1, "AC")]


def test_two_judges_do_not_write_to_the_same_results(capsys: CapSys) -> None:
    submissions(Path("in.jsonl"), "AC")
    with ResultFile(Path("out.jsonl")):
        status, _, err = judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", "--resume", capsys=capsys)
    assert (status, err) == (2, "judge: out.jsonl: another judge is writing its results to this file\n")
    assert judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", "--resume", capsys=capsys)[0] == 0


def test_a_submission_that_prints_too_much_has_no_margin(capsys: CapSys) -> None:
    row = {"id": "flood", "code": "while True: print('x' * 100_000)", "tests": [{"input": "", "output": ""}]}
    write("in.jsonl", json.dumps(row) + "\n")
    judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", capsys=capsys)
    (found,) = read("out.jsonl")
    assert (found["verdict"], found["margin"]) == ("OLE", 0.0)


def test_flags_of_the_settings_are_reported(capsys: CapSys) -> None:
    submissions(Path("in.jsonl"), "AC")
    write("judge.toml", '[language.cpp]\nflags = ["-DX"]\n')
    _, _, err = judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", capsys=capsys)
    assert err == "judge: note: C++ is compiled with -DX (judge.toml:2), in rows that name a problem\n"


def test_shards_are_complete_disjoint_and_merge_to_the_whole(capsys: CapSys) -> None:
    submissions(Path("in.jsonl"), *["AC", "WA", "RTE"], more="{bad\n")
    for number in (1, 2, 3):
        words = ("grade", "in.jsonl", "-o", f"{number}.jsonl", "--shard", f"{number}/3", "-q")
        first = judge(*words, capsys=capsys)[0]
        before = Path(f"{number}.jsonl").read_bytes()
        assert judge(*words, "--resume", capsys=capsys)[0] == first
        assert Path(f"{number}.jsonl").read_bytes() == before
    status, _, err = judge("grade", "in.jsonl", "-o", "1.jsonl", "--shard", "2/3", "--resume", capsys=capsys)
    assert (status, "1.jsonl has all results of the shard 1/3; expected --shard 1/3" in err) == (2, True)
    status, _, err = judge("merge", "1.jsonl", "3.jsonl", "-o", "all.jsonl", capsys=capsys)
    assert (status, "shards are missing: 2/3" in err) == (2, True)
    status, out, _ = judge("merge", "3.jsonl", "1.jsonl", "2.jsonl", "-o", "all.jsonl", "--summary", capsys=capsys)
    assert (status, "4 results of 3 shards" in out, "pass@1" in out) == (0, True, True)
    assert [each["line"] for each in read("all.jsonl")] == list(range(1, 5))
    judge("grade", "in.jsonl", "-o", "whole.jsonl", "-q", capsys=capsys)
    assert verdicts_of("whole.jsonl") == verdicts_of("all.jsonl")
    assert judge("merge", "1.jsonl", "-o", "all.jsonl", capsys=capsys)[0] == 2
    write("1.jsonl", "".join(Path("1.jsonl").read_text().splitlines(keepends=True)[:-1]))
    status, _, err = judge("grade", "in.jsonl", "-o", "1.jsonl", "--shard", "2/3", "--resume", capsys=capsys)
    assert (status, "which is not in the shard 2/3" in err) == (2, True)


def test_results_of_rows_that_are_gone_are_noted_and_errors_leave_the_old_results(capsys: CapSys) -> None:
    submissions(Path("in.jsonl"), "AC", "WA", "RTE")
    assert judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", capsys=capsys)[0] == 0
    before = Path("out.jsonl").read_bytes()
    assert judge("grade", "in.jsonl", "-o", "out.jsonl", "--force", "--python", "gone", capsys=capsys)[0] == 2
    assert Path("out.jsonl").read_bytes() == before
    submissions(Path("in.jsonl"), "AC")
    _, _, err = judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", "--resume", capsys=capsys)
    assert "note: out.jsonl has 2 results of rows that in.jsonl does not have" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gone.jsonl", "-o", "out"), "gone.jsonl: No such file"),
        (("in.jsonl", "-o", "in.jsonl"), "in.jsonl is the file of the submissions"),
        (("in.jsonl", "-o", "in.jsonl", "--force"), "in.jsonl is the file of the submissions"),
        (("in.jsonl", "-o", "empty.jsonl"), "empty.jsonl exists: --resume goes on with it"),
        (("in.jsonl", "-o", "notes.txt", "--resume"), "notes.txt:1: not a result of `judge grade`"),
        (("in.jsonl", "-o", "gone/out"), "cannot write the results"),
        (("in.jsonl", "-o", "/dev/full"), "No space left on device"),
        (("in.jsonl", "-o", "out", "--shard", "3/2"), "--shard 3/2: expected I/N"),
        (("in.jsonl", "-o", "out", "-k", "0"), "-k 0: expected positive numbers"),
        (("in.jsonl", "-o", "out", "--jobs", "0"), "--jobs 0"),
        (("in.jsonl", "-o", "other.jsonl", "--resume"), "a result of version 9"),
        (("empty.jsonl", "-o", "out"), "empty.jsonl has no submissions"),
        (("in.jsonl", "--problems", "."), "--problems and --as are for a folder or a zip file"),
        (("class", "--problems", "gone"), "--problems gone: no such folder"),
        (("class", "--problems", "class"), "no problems in "),
        (("class",), "no problems in "),
        (("class", "--resume"), "--resume needs a file of results: -o FILE"),
        (("in.jsonl", "--csv", "x", "-o", "./x"), "--output and --csv name the same file: x"),
        (("in.jsonl", "--csv", "x", "--html", "x"), "--csv and --html name the same file: x"),
        (("in.jsonl", "--csv", "in.jsonl", "--force"), "SUBMISSIONS and --csv name the same file: in.jsonl"),
        (("in.jsonl", "--csv", "-"), "--csv -: expected a file, such as grades.csv"),
        (("in.jsonl", "--csv", "list.csv"), "--csv list.csv: exists, and is not a table of judge"),
    ],
)
def test_what_cannot_be_done_is_one_clear_error(words: tuple[str, ...], message: str, capsys: CapSys) -> None:
    submissions(Path("in.jsonl"), "AC")
    write("other.jsonl", '{"version": 9, "id": "a"}\n')
    write("empty.jsonl", "\n")
    write("notes.txt", "my notes")
    write("list.csv", "\ufeffstudent,room\r\nanna,7\r\n")
    write("class/anna/sums.py", "")
    status, _, err = judge("grade", *words, "-q", capsys=capsys)
    assert status == 2
    assert message in err
    assert "Traceback" not in err
    assert Path("in.jsonl").read_text().startswith('{"id"')
    assert Path("notes.txt").read_text() == "my notes"


def test_progress_says_rate_and_what_is_left(capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    from judge.reporters.grades import StreamProgress

    def line(share: float | None, elapsed: float, **counts: int) -> str:
        times = iter((0.0, elapsed))
        progress = StreamProgress(lambda: share, lambda: next(times))
        for verdict, count in counts.items():
            for _ in range(count):
                progress.add(verdict)
        return progress.line()

    monkeypatch.setattr("judge.reporters.progress.LOG_INTERVAL_S", 0.0)
    submissions(Path("in.jsonl"), "AC", "WA")
    _, _, err = judge("grade", "in.jsonl", "-o", "out.jsonl", capsys=capsys)
    assert "2 graded" in err
    expected = "1,234 graded, 12.3/s, 25 % read, 5 min left  AC 1,000 WA 234"
    assert line(0.25, 100.0, AC=1000, WA=234) == expected
    assert line(None, 0.0) == "0 graded"
    with zipfile.ZipFile("class.zip", "w") as archive:
        for name in ("anna/sum.py", "bo/sum.py"):
            archive.writestr(name, SUM)
    write("problems/sum/1.in", "1 2\n")
    write("problems/sum/1.out", "3\n")
    shown = [judge("grade", "class.zip", "-j", "1", *quiet, capsys=capsys)[2] for quiet in ((), ("-q",))]
    assert ["extracting class.zip: 2 files" in each for each in shown] == [True, False]
    assert "2.0 h left" in line(0.5, 7200.0, AC=1)


CLASS = {
    "anna/sum.py": SUM, "anna/double.py": "print(2 * int(input()))",
    "bo/sum.py": "print('=1+1', file=__import__('sys').stderr); print(3)", "bo/double_v1.py": "x = (",
    "=cmd()/sum.py": SUM, "=cmd()/double.py": "", "dan/essay.docx": "PK",
}  # fmt: skip
PROBLEM_FILES = {
    "problems/sum/1.in": "1 2\n", "problems/sum/1.out": "3\n", "problems/sum/2.in": "3 4\n",
    "problems/sum/2.out": "7\n", "problems/double/1.in": "4\n", "problems/double/1.out": "8\n",
}  # fmt: skip
CLASS_TABLE = """\
          double  sum     total
=cmd()    CE      AC      1
anna      AC      AC      2
bo        CE      WA 0.5  0.5
dan       -       -       0
accepted  1       2
"""


def test_a_class_becomes_a_table_of_students_and_problems(capsys: CapSys) -> None:
    for name, text in (CLASS | PROBLEM_FILES).items():
        write(name if name.startswith("problems") else f"class/{name}", text)
    words = ("class", "--csv", "grades.csv", "--all", "-o", "out.jsonl", "-j", "1", "-q")
    status, out, err = judge("grade", *words, *PAGE, capsys=capsys)
    assert (status, out) == (1, CLASS_TABLE)
    assert (
        "6 submissions of 4 students to 2 problems; layout: a folder for each student, {student}/**/{problem}.*" in err
    )
    assert "class/dan/essay.docx: not a source: no language has the suffix `.docx`" in err
    shown = ("<h2>Students</h2>", "class/dan/essay.docx", '<th scope="row">=cmd()<td class="n">1<td data-key="0.0">')
    assert len(held_by("page.html", *shown)) == len(read("out.jsonl")) == 7
    data = Path("grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfstudent,total,double,double verdict,double time (s),double first failure,sum,")
    table = {row["student"]: row for row in csv.DictReader(io.StringIO(data.decode("utf-8-sig")))}
    assert list(table) == ["'=cmd()", "anna", "bo", "dan"], "a cell that begins like a formula is a text"
    assert [each["total"] for each in table.values()] == ["1", "2", "0.5", "0"]
    assert table["bo"]["sum first failure"] == "sum/2: line 1, token 1: expected `7`, found `3`"
    assert (table["bo"]["double verdict"], table["dan"]["double"]) == ("CE", "")
    assert "essay.docx" in table["dan"]["not graded"]
    status, out, err = judge("grade", *words, *PAGE, "--resume", capsys=capsys)
    assert (status, out, "has 7 results" in err) == (1, CLASS_TABLE, True)
    assert Path("grades.csv").read_bytes() == data
    write("grades.csv", "my notes")
    status, _, err = judge("grade", *words, "--resume", capsys=capsys)
    assert (status, "--csv grades.csv: exists, and is not a table of judge; --force overwrites it" in err) == (2, True)


def test_a_spreadsheet_of_a_stream_has_a_row_for_each_submission(capsys: CapSys) -> None:
    submissions(Path("in.jsonl"), "AC", "WA", more="{bad\n")
    judge("grade", "in.jsonl", "-o", "out.jsonl", "-q", "--in-order", "--csv", "grades.csv", capsys=capsys)
    found = list(csv.DictReader(Path("grades.csv").read_text("utf-8-sig").splitlines()))
    assert sorted((each["submission"], each["task"], each["score"], each["verdict"]) for each in found) == [
        ("line-3", "", "", "SK"), ("s1", "sum", "1", "AC"), ("s2", "sum", "0", "WA"),
    ]  # fmt: skip


@pytest.mark.usefixtures("interrupted_page")
@pytest.mark.parametrize(("more", "header"), [("", "student,total,sum,"), ("{bad\n", "submission,task,score,")])
def test_ids_of_students_make_their_table_if_all_rows_have_one(more: str, header: str, capsys: CapSys) -> None:
    row = {**rows("AC")[0], "id": "m1/sum"}
    write("in.jsonl", f"{json.dumps(row)}\n{more}")
    words = ("in.jsonl", "-o", "out.jsonl", "-q", "--csv", "grades.csv", *PAGE)
    assert judge("grade", *words, capsys=capsys)[0] == bool(more)
    assert held_by("page.html", "m1/sum") == read("out.jsonl")
    lines = Path("grades.csv").read_text("utf-8-sig").splitlines()
    assert (lines[0].startswith(header), len(lines)) == (True, len(read("out.jsonl")) + 1)


def test_nothing_of_grading_is_imported_by_judge_run() -> None:
    write("a.py", SUM)
    write("a.in", "1 2\n")
    write("a.ans", "3\n")
    code = (
        "import sys; from judge.cli.main import run_cli; run_cli(['run', 'a.py'])\n"
        "print([name for name in sys.modules if 'judge.grading' in name])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
