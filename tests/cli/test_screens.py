"""What commands print: whole, aligned, in the reader's own time, and each fact once; in real runs."""

import json
import re
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import judge as package
from judge.cli.main import run_cli
from judge.history.submissions import open_submissions
from tests.cli.command_line import CapSys, copy_repository, judge, write

SCHEMA = json.loads((Path(package.__file__).parent / "schemas" / "report.schema.json").read_bytes())
DOCUMENT_EVENT = Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": "#/$defs/event"})


@pytest.fixture
def repository(locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one small problem, `sums`; the current folder."""
    return copy_repository(locked_sums, tmp_path, monkeypatch)


# ---- lists -----------------------------------------------------------------------------------------------------------


def test_list_aligns_long_ids_and_names(repository: Path, capsys: CapSys) -> None:
    long = "sums_with_an_id_that_is_longer_than_most"
    assert run_cli(["new", long]) == 0
    lines = judge("list", capsys=capsys)[1].splitlines()
    assert len({line.index("icpc") for line in lines}) == 1
    assert any(line.startswith(f"{long}  ") for line in lines)
    name = "a-case-whose-name-is-longer-than-its-neighbours-are"
    write(repository / "testcases/sums/more.yaml", f'cases:\n  - name: {name}\n    input: "1 2\\n"\n')
    lines = judge("list", "sums", capsys=capsys)[1].splitlines()
    cases = lines[lines.index("cases") + 1 : lines.index("solutions") - 1]
    assert len({re.search(r"\S  +(\d+ lines?|\w+, seed)", line).start(1) for line in cases}) == 1  # type: ignore[union-attr]


def test_submissions_are_listed_in_local_time(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    with open_submissions(repository / ".judge") as submissions:
        submissions.begin(judge="Kattis", host="https://k", problem="hello", sha256="0" * 64, language="Python 3")
        (row,) = submissions.all()
    monkeypatch.setenv("TZ", "Etc/GMT-5")
    time.tzset()
    try:
        out = judge("history", "--submissions", capsys=capsys)[1]
    finally:
        monkeypatch.undo()
        time.tzset()
    shown, recorded = datetime.fromisoformat(out[:19]), datetime.fromisoformat(row.time)
    assert shown - recorded == timedelta(hours=5)


# ---- the complete data of a case -------------------------------------------------------------------------------------

NOISY = """\
import sys
for line in sys.stdin:
    print(sum(map(int, line.split())))
for number in range(1000):
    print("step", number, file=sys.stderr)
sys.stdout.write("\\x1b[31m")
"""


def test_the_end_of_standard_error_is_shown_with_a_wrong_answer(repository: Path, capsys: CapSys) -> None:
    write(repository / "noisy.py", NOISY)
    _, out, _ = judge("run", "sums/sample", "-s", "noisy.py", "-f", "plain", capsys=capsys)
    assert "  stderr   the last 10 lines of 8.7 KiB; --show-output prints all\n" in out
    assert "| step 999\n" in out
    assert "| step 989\n" not in out
    _, out, _ = judge("run", "sums/sample", "-s", "noisy.py", "-f", "json", capsys=capsys)
    (case,) = json.loads(out)["problems"][0]["solutions"][0]["cases"]
    assert case["stderr_tail"].endswith("step 999\n")
    assert case["stderr_cut_bytes"] == len("".join(f"step {number}\n" for number in range(1000))) - 8192


@pytest.mark.parametrize(("kind", "more"), [("plain", ()), ("rich", ()), ("plain", ("--quiet",))])
def test_show_output_prints_all_data_of_each_case_even_of_known_results(
    repository: Path, capsys: CapSys, kind: str, more: tuple[str, ...]
) -> None:
    write(repository / "noisy.py", NOISY)
    command = ("run", "sums/sample", "-s", "noisy.py", "-f", kind)
    assert "step 5\n" not in judge(*command, capsys=capsys)[1]
    assert "1 from the cache" in judge(*command, capsys=capsys)[1]
    status, out, _ = judge(*command, "--show-output", *more, capsys=capsys)
    assert status == 1
    assert [line[13:] for line in out.splitlines() if "step" in line][:1000] == [f"step {n}" for n in range(1000)]
    assert "  output   3 lines, 10 B, no newline at the end\n" in out
    assert "\\x1b[31m\n" in out
    assert "1 run in" in out


def test_show_output_is_in_the_json_reports(repository: Path, capsys: CapSys) -> None:
    write(repository / "noisy.py", NOISY)
    command = ("run", "sums/sample", "-s", "noisy.py", "--show-output", "-f")
    (case,) = json.loads(judge(*command, "json", capsys=capsys)[1])["problems"][0]["solutions"][0]["cases"]
    assert (case["data"]["input"], case["data"]["output"]) == ("1 2\n-5 3\n", "3\n-2\n\x1b[31m")
    lines = map(json.loads, judge(*command, "jsonl", capsys=capsys)[1].splitlines())
    (event,) = [line for line in lines if line["event"] == "case_judged"]
    assert event["case"]["data"] == case["data"]
    DOCUMENT_EVENT.validate(event)


def test_an_accepted_case_can_be_shown_too(repository: Path, capsys: CapSys) -> None:
    path = "solutions/sums/accepted/split.py"
    assert repository.is_dir()
    status, out, _ = judge("show", "sums/statement", "-s", path, capsys=capsys)
    assert status == 0
    assert f"  solution {path}: AC (run now)\n" in out
    assert "  input    2 lines, 9 B\n           | 1 2\n           | -5 3\n" in out
    assert "  output   2 lines, 5 B\n           | 3\n           | -2\n" in out
    assert out.endswith("  stderr   empty\n")


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("--input", b"1 2\n-5 3\n"),
        ("--answer", b"3\n-2\n"),
        ("--output", b"3\n-2\n\x1b[31m"),
        ("--stderr", b"".join(b"step %d\n" % number for number in range(1000))),
    ],
)
def test_one_part_is_printed_byte_for_byte(
    repository: Path, capfdbinary: pytest.CaptureFixture[bytes], part: str, expected: bytes
) -> None:
    write(repository / "noisy.py", NOISY)
    assert run_cli(["show", "sums/sample/statement", "-s", "noisy.py", part]) == 0
    assert capfdbinary.readouterr().out == expected


def test_a_huge_file_is_named_instead_of_shown_but_can_be_printed(
    repository: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "testcases/sums/large.in").write_bytes(b"1 2\n" * 1000)
    write(repository / "testcases/sums/large.yaml", "cases:\n  - name: file\n    input_file: large.in\n")
    monkeypatch.setattr("judge.base.data.HUGE", 1000)
    assert run_cli(["show", "sums/large/file"]) == 0
    assert b"  input    3.9 KiB, too much to show: " in capfdbinary.readouterr().out
    assert run_cli(["show", "sums/large/file", "--input"]) == 0
    assert capfdbinary.readouterr().out == b"1 2\n" * 1000


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["sums/statement", "--output"], 2, "judge: --output needs a solution: add --solution FILE"),
        (["sums", "-s", "x.py"], 2, "judge: sums: --solution needs a case: judge show sums/GROUP/NAME"),
        (["sums/statement", "-s", "none.py"], 2, "none.py: no such file"),
        (["sums/statement", "-s", "broken.py", "--output"], 1, "judge: broken.py: CE: line 1: "),
    ],
)
def test_what_cannot_be_shown_is_one_clear_error(
    repository: Path, capsys: CapSys, words: list[str], status: int, message: str
) -> None:
    write(repository / "broken.py", "def f(:\n")
    found, out, err = judge("show", *words, capsys=capsys)
    assert (found, out) == (status, "")
    assert message in err
    assert err.count("\n") == (3 if "usage:" in err else 1)


def test_an_output_over_the_limit_is_not_called_empty(repository: Path, capsys: CapSys) -> None:
    write(repository / "x.py", "import sys\nfor _ in range(1600): sys.stdout.write('x' * 65536)")
    out = judge("show", "sums/statement", "-s", "x.py", capsys=capsys)[1]
    assert "  output   not kept: it exceeds the limit\n" in out


# ---- each case -------------------------------------------------------------------------------------------------------


def test_verbose_shows_each_case_below_its_solution(repository: Path, capsys: CapSys) -> None:
    judge("run", "sums/sample", capsys=capsys)
    assert repository.is_dir()
    lines = judge("run", "sums/sample", "-v", "-f", "plain", capsys=capsys)[1].splitlines()
    at = lines.index("  sums solutions/sums/wrong_answer/no_signs.py")
    assert re.fullmatch(r" {4}WA   sample/statement +\d+ ms +\d+\.\d MiB  cached  line 2, token 1: .*", lines[at + 1])
