"""`judge check` for its user: real files, real runs, exit statuses, and one clear error for bad input."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from judge.languages.interpreters import find_interpreter_by_version
from judge.sandbox.installations import base_python
from tests.cli.command_line import CapSys, copy_repository, judge, write
from tests.files import write_files
from tests.parameters import first_of

RIGHT = "import sys\nfor line in sys.stdin:\n    print(sum(map(int, line.split())))\n"
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("repository")


@pytest.fixture
def repository(judged_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the problem `sums` of the profile uva; the current folder."""
    root = copy_repository(judged_sums, tmp_path, monkeypatch)
    path = root / "problems/sums/problem.yaml"
    path.write_text(path.read_text().replace("icpc", "uva").replace("checker: lines\n", ""))
    return root


def diagnostics(out: str) -> dict[str, dict[str, str]]:
    """Return the findings of a JSON report, by their check."""
    return {each["check"]: each for each in json.loads(out)["findings"]}


def test_a_good_solution_is_ready_for_the_judge_of_its_problem(capsys: CapSys) -> None:
    status, out, _ = judge("check", "solutions/sums/accepted/split.py", capsys=capsys)
    assert status == 0
    assert out.endswith("ready to submit to UVa Online Judge\n")
    assert "ran 6 cases on " in out


def test_several_solutions_are_checked_one_after_the_other(capsys: CapSys) -> None:
    write("x.py", "import cards\n" + RIGHT)
    files = ("solutions/sums/accepted/split.py", "x.py")
    status, out, _ = judge("check", *files, "--for", "uva", capsys=capsys)
    ends = [line for line in out.splitlines() if "UVa" in line]
    assert (status, ends[0]) == (1, f"{files[0]}: ready to submit to UVa Online Judge")
    assert ends[-1].startswith("x.py: 1 problem to fix before submitting to UVa")
    status, out, _ = judge("check", *files, "--for", "uva", "-f", "json", capsys=capsys)
    report = json.loads(out)
    assert (status, report["ready"], [each["file"] for each in report["files"]]) == (1, False, [*files])


def test_a_link_imports_from_the_folder_of_its_target(capsys: CapSys) -> None:
    write("mine/x.py", "import cards\n" + RIGHT)
    write("mine/cards.py", "")
    Path("link.py").symlink_to("mine/x.py")
    status, out, _ = judge("check", "link.py", "--for", "uva", capsys=capsys)
    assert (status, "`cards` is one of your own modules" in out) == (1, True)


def test_an_own_folder_hides_a_standard_module_only_as_a_package(capsys: CapSys) -> None:
    write("x.py", "import bisect\n" + RIGHT)
    write("bisect/first_try.py", "")
    assert judge("check", "x.py", "--for", "uva", capsys=capsys)[0] == 0
    write("bisect/__init__.py", "")
    status, out, _ = judge("check", "x.py", "--for", "uva", capsys=capsys)
    assert (status, "`bisect` is one of your own modules" in out) == (1, True)


def test_a_finding_has_its_position_message_and_fix(capsys: CapSys) -> None:
    write("x.py", RIGHT.replace("sum(map(int, line.split()))", "f'{sum(map(int, line.split()))}'"))
    status, out, _ = judge("check", "x.py", "--problem", "sums", capsys=capsys)
    lines = out.splitlines()
    assert lines[0] == "x.py:3:1: error: f-strings: new in Python 3.6; UVa Online Judge runs CPython 3.5.1"
    assert lines[1] == "    fix: use `str.format`"
    assert (lines[-1], status) == ("1 problem to fix before submitting to UVa Online Judge", 1)


def test_the_json_document_has_these_keys(capsys: CapSys) -> None:
    write("x.py", "print(0)\n")
    _, out, _ = judge("check", "x.py", "--problem", "sums", "-f", "json", capsys=capsys)
    document = json.loads(out)
    (finding,) = document["findings"]
    assert " ".join(document) == "version file judge ready ran_on cases slowest slowest_cpu_s notes findings"
    assert " ".join(finding) == "check severity line column reason fix"
    assert (document["version"], document["file"], document["judge"]) == (1, "x.py", "uva")
    assert (finding["line"], finding["column"]) == (None, None)


def test_a_file_with_only_warnings_is_ready(capsys: CapSys) -> None:
    write("x.py", "import sys\nif len(sys.argv) > 1:\n    sys.stdin = open(sys.argv[1])\n" + RIGHT)
    status, out, _ = judge("check", "x.py", "--problem", "sums", "-f", "json", capsys=capsys)
    assert (status, diagnostics(out)["access"]["severity"]) == (0, "warning")
    assert json.loads(out)["ready"] is True


@pytest.mark.parametrize(
    ("source", "check", "reason"),
    [
        (RIGHT.replace("line.split()", "line.split("), "version", "not a valid Python"),
        (RIGHT.replace("))))", "))), end=' \\n')"), "output", "has white space at the end of line 1"),
        ("import sys\nprint('\\n'.join(str(sum(map(int, x.split()))) for x in sys.stdin), end='')\n", "output",
         "does not end with a newline"),
        ("print(0)\n", "verdict", "WA on sample/statement"),
        ("print([][0])\n", "verdict", "RTE on sample/statement"),
    ],
)  # fmt: skip
def test_what_the_runs_show_is_a_finding(capsys: CapSys, source: str, check: str, reason: str) -> None:
    write("x.py", source)
    status, out, _ = judge("check", "x.py", "--problem", "sums", "-f", "json", capsys=capsys)
    assert status == 1
    found = [each for each in json.loads(out)["findings"] if each["check"] == check]
    assert any(reason in each["reason"] and each["fix"] for each in found)


def test_the_fix_of_a_wrong_verdict_is_the_command_that_shows_it(capsys: CapSys) -> None:
    write("my solution.py", "print(0)\n")
    for options, words in (("--for", "euler"), ""), (("--python", sys.executable), f" --python {sys.executable}"):
        _, out, _ = judge("check", "my solution.py", "--problem", "sums", *options, capsys=capsys)
        command = f"judge run sums --solution 'my solution.py'{words} --case sample/statement"
        assert f"fix: `{command}` shows the details\n" in out


@pytest.mark.usefixtures("repository")
def test_the_fix_of_a_wrong_verdict_names_the_cases(capsys: CapSys) -> None:
    write("a/x.py", "print(0)\n")
    write("cases/1.in", "1 2\n")
    _, out, _ = judge("check", "a/x.py", "--for", "euler", "--cases", "cases", capsys=capsys)
    assert "x.py: warning: no case has an answer, so no output was compared\n" in out
    write("cases/1.ans", "3\n")
    _, out, _ = judge("check", "a/x.py", "--for", "euler", "--cases", "cases", capsys=capsys)
    assert "fix: `judge run a/x.py --cases cases --case cases/1` shows the details\n" in out


def test_a_case_too_slow_for_a_slower_machine_is_a_warning(repository: Path, capsys: CapSys) -> None:
    path = repository / "problems/sums/problem.yaml"
    path.write_text(path.read_text().replace("time: 2 s", "time: 1 s"))
    busy = "import time\nwhile time.process_time() < 0.55:\n    pass\n"
    write("x.py", busy + RIGHT)
    shutil.rmtree("testcases/sums")
    write("testcases/sums/sample.yaml", 'cases:\n  - {name: one, input: "1 2\\n", answer: "3\\n"}\n')
    status, out, _ = judge("check", "x.py", "--problem", "sums", "-f", "json", capsys=capsys)
    assert (status, diagnostics(out)["time"]["severity"]) == (0, "warning")
    assert "UVa Online Judge may be 2 times slower" in diagnostics(out)["time"]["reason"]


def test_for_overrides_the_judge_of_the_profile(capsys: CapSys) -> None:
    write("x.py", "from itertools import pairwise\n" + RIGHT)
    assert judge("check", "x.py", "--problem", "sums", capsys=capsys)[0] == 1
    assert judge("check", "x.py", "--problem", "sums", "--for", "atcoder", capsys=capsys)[0] == 0


def test_project_euler_runs_no_code(capsys: CapSys) -> None:
    write("x.py", "import math\nx = math.prod([1])\n" + RIGHT)
    status, out, _ = judge("check", "x.py", "--problem", "sums", "--for", "euler", capsys=capsys)
    assert status == 0
    assert "Project Euler runs no code: you submit the answer" in out


def test_without_a_problem_nothing_runs_and_a_note_reports_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    write("x.py", "import cards\nprint(1_000)\n")
    write("cards.py", "")
    status, out, _ = judge("check", "x.py", "--for", "uva", capsys=capsys)
    assert status == 1
    assert "x.py:1:1: error: `cards` is one of your own modules, but you submit a single file\n" in out
    assert "    fix: `judge bundle x.py` combines them into one file\n" in out
    assert "x.py:2:7: error: `_` in the number 1_000: new in Python 3.6" in out
    assert "note: nothing was run: the problem is unknown; name it with --problem ID\n" in out


@pytest.mark.parametrize(
    ("name", "source", "tool"),
    first_of(
        [
            ("a.c", "int main(void) {\n", "gcc"),
            (
                "a.cpp",
                "#include <iostream>\nint main() { long a, b; while (std::cin >> a >> b) std::cout << 1; }\n",
                "g++",
            ),
            ("Poker.java", "public class Poker { public static void main(String[] a) {} }\n", "javac"),
        ],
        1,
    ),
)
def test_other_languages_are_checked_too(capsys: CapSys, name: str, source: str, tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not on this machine")
    write(name, source)
    status, out, err = judge("check", name, "--problem", "sums", "-f", "json", capsys=capsys)
    assert (status, err) == (1, "")
    assert set(diagnostics(out)) & {"verdict", "version", "source"}


def test_a_file_of_another_language_is_checked_without_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    write("Poker.java", "public class Poker { public static void main(String[] a) {} }\n")
    status, out, _ = judge("check", "Poker.java", "--for", "uva", capsys=capsys)
    assert status == 1
    assert "Poker.java:1:1: error: the class with `main` is `Poker`; UVa Online Judge runs `Main`" in out


# ---- interpreters ----------------------------------------------------------------------------------------------------


def test_a_named_interpreter_runs_the_solution(capsys: CapSys) -> None:
    write("x.py", "import sys\nsys.stdout.write(sys.executable) if False else None\n" + RIGHT)
    status, out, _ = judge("check", "x.py", "--problem", "sums", "--python", base_python(), capsys=capsys)
    assert status == 0
    assert f"on CPython {sys.version_info[0]}.{sys.version_info[1]}." in out


@pytest.mark.parametrize("minor", first_of([6, 8], 1))
def test_an_old_interpreter_shows_what_the_text_does_not(capsys: CapSys, minor: int) -> None:
    if find_interpreter_by_version((3, minor), (f"python3.{minor}",)) is None:
        pytest.skip(f"Python 3.{minor} is not on this machine")
    write("x.py", "name = 'remove' + 'prefix'\ngetattr('abc', name)('a')\n" + RIGHT)
    status, out, _ = judge("check", "x.py", "--problem", "sums", "--python", f"3.{minor}", "-f", "json", capsys=capsys)
    assert status == 1
    assert set(diagnostics(out)) == {"verdict"}
    assert "AttributeError" in diagnostics(out)["verdict"]["reason"]
    assert json.loads(out)["ran_on"].startswith(f"CPython 3.{minor}.")


# ---- bad usage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["check", "gone.py"], "gone.py: no such file"),
        (["check", "x.py", "gone.py", "--for", "uva"], "gone.py: no such file or folder"),
        (["check", "x.py", "solutions", "--for", "uva"], "x.py: not a package, nor a folder of packages: name only"),
        (["check", "solutions"], "solutions is a folder; expected one source file"),
        (["check", "x.py"], "x.py: which judge? Its problem is unknown: use --for uva|kattis|"),
        (["check", "x.py", "--for", "spoj"], "invalid choice: 'spoj'"),
        (["check", "x.py", "--problem", "sms"], "sms: not a problem or a file; did you mean sums?"),
        (["check", "x.c", "--for", "uva", "--python", "3.8"], "--python 3.8: x.c is not a Python solution"),
        (["check", "x.md", "--for", "uva"], "no language has the suffix `.md`"),
        (["check", "x.py", "--for", "uva", "--python", "3.1"], "--python 3.1: python3.1 found neither on PATH nor in"),
        (["check", "x.py", "--for", "uva", "--python", "no-such"], "--python no-such: command not found on PATH"),
        (["check"], "the following arguments are required: FILE"),
    ],
)
def test_bad_usage_is_one_clear_error(capsys: CapSys, argv: list[str], message: str) -> None:
    write("x.py", RIGHT)
    write("x.md", RIGHT)
    write("x.c", "int main(void) { return 0; }")
    status, out, err = judge(*argv, capsys=capsys)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.thorough
@pytest.mark.parametrize("solution", ["uva131/accepted/by_need.py", "euler54/accepted/class_table.py"])
def test_shipped_solutions_are_ready(solution: str, capsys: CapSys) -> None:
    status, out, _ = judge("-C", str(ROOT), "check", str(ROOT / "solutions" / solution), "-f", "json", capsys=capsys)
    assert status == 0
    assert set(diagnostics(out)) <= {"time"}  # a warning where the machine is slow


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc on this machine")
def test_a_solution_that_is_accepted_by_luck_gets_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    code = '#include <stdio.h>\nint main(void) {\n    int a[2] = {0};\n    a[getchar() - 46] = 1;\n    puts("1");\n}\n'
    monkeypatch.chdir(write_files(tmp_path, {"1.in": "0\n", "1.ans": "1\n", "a.c": code}))
    status, out, _ = judge("check", "a.c", "--for", "codeforces", capsys=capsys)
    assert (status, out.splitlines()[-1]) == (0, "ready to submit to Codeforces")
    assert "a.c:4:1: warning: accepted by luck: with sanitizers, case " in out
    url = "https://codeforces.com/contest/1/problem/A"
    _, out, err = judge("submit", "a.c", "--url", url, "--clipboard", "--yes", capsys=capsys)
    assert (out + err).count("accepted by luck") == 1
