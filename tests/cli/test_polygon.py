"""Packages of Polygon on the command line: what is judged, scored and refused."""

import json
import shutil
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from tests.problems.polygon.packages import CHECKER, write

CapSys = pytest.CaptureFixture[str]

needs_cpp = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

# As much of a header of this name as the programs below use.
TESTLIB = """\
#include <cstdio>
#include <cstdlib>
#include <fstream>
enum Verdict { OK = 0, WRONG = 1 };
inline int number(const char* path) { std::ifstream file(path); int n = 0; file >> n; return n; }
inline void quit(Verdict verdict, const char* message) { std::fputs(message, stderr); std::exit(verdict); }
"""
CPP_CHECKER = """\
#include "testlib.h"
#include "limits.tpp"
int main(int, char** argv) { quit(number(argv[2]) == number(argv[3]) ? OK : WRONG, NAME); }
"""
CPP_GENERATOR = """\
#include "testlib.h"
int main(int argc, char** argv) { std::printf("%s %d\\n", argv[1], argc); quit(OK, ""); }
"""
CPP = {
    "files/testlib.h": TESTLIB,
    "files/limits.tpp": '#define NAME "compared"\n',
    "files/check.cpp": CPP_CHECKER,
    "files/gen.py": None,
    "files/gen.cpp": CPP_GENERATOR,
}

# Says the input, reads the answer of the solution, and leaves it for the checker.
INTERACTOR = """\
import sys
print(open(sys.argv[1]).read().strip(), flush=True)
open(sys.argv[2], "w").write(input())
"""


def run(*argv: str, capsys: CapSys) -> dict[str, tuple[str, list[str], float | None]]:
    """Return what each solution got: its verdict, those of its cases, and its score."""
    capsys.readouterr()
    run_cli(["run", "--format", "json", *argv])
    captured = capsys.readouterr()
    assert captured.out, captured.err
    return {
        each["path"]: (
            each["verdict"],
            [f"{case['group']}/{case['name']} {case['verdict']}" for case in each["cases"]],
            each.get("score"),
        )
        for problem in json.loads(captured.out)["problems"]
        for each in problem["solutions"]
    }


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_standard_package_is_judged_and_not_changed(here: Path, capsys: CapSys) -> None:
    package = write(here / "sum")
    before = sorted(package.rglob("*"))
    assert run("sum", capsys=capsys) == {
        "solutions/main.py": ("AC", ["tests/01 AC", "tests/02 AC"], None),
        "solutions/wrong.py": ("WA", ["tests/01 AC", "tests/02 WA"], None),
    }
    assert sorted(package.rglob("*")) == before


@pytest.mark.parametrize(
    ("target", "cases", "solutions"),
    [
        ("sum/solutions/main.py", ["tests/01", "tests/02"], ["solutions/main.py"]),
        ("sum/tests/01", ["tests/01"], ["solutions/main.py", "solutions/wrong.py"]),
        ("sum/tests/02", ["tests/02"], ["solutions/main.py", "solutions/wrong.py"]),
        ("sum/tests", ["tests/01", "tests/02"], ["solutions/main.py", "solutions/wrong.py"]),
        ("sum.zip", ["tests/01", "tests/02"], ["solutions/main.py", "solutions/wrong.py"]),
    ],
)
def test_a_part_of_a_package_is_judged(
    target: str, cases: list[str], solutions: list[str], here: Path, capsys: CapSys
) -> None:
    write(here / "sum")
    shutil.make_archive("sum", "zip", here / "sum")
    found = run(target, capsys=capsys)
    assert list(found) == solutions
    assert [case.split()[0] for case in found[solutions[0]][1]] == cases


@pytest.mark.thorough
@needs_cpp
def test_programs_of_the_package_find_its_resources(here: Path, capsys: CapSys) -> None:
    checker = '<checker><source path="files/check.cpp" type="cpp.g++17"/></checker>'
    resources = '<file path="files/limits.tpp" type="cpp.g++17"/>'
    package = write(here / "sum", CPP, checker=checker, resources=resources)
    xml = (package / "problem.xml").read_text().replace("gen.py", "gen.cpp")
    (package / "problem.xml").write_text(xml)
    assert run("sum", capsys=capsys)["solutions/wrong.py"] == ("WA", ["tests/01 AC", "tests/02 WA"], None)


def test_a_contest_is_judged_in_its_order(here: Path, capsys: CapSys) -> None:
    for name in ("first", "second", "extra"):
        write(here / "contest" / "problems" / name, solutions="")
    problems = "".join(f'<problem url="https://polygon.example/p/me/{name}"/>' for name in ("second", "first"))
    (here / "contest" / "contest.xml").write_text(f"<contest><problems>{problems}</problems></contest>")
    shutil.make_archive("contest", "zip", here / "contest")
    for target in ("contest", "contest.zip"):
        run_cli(["run", "--format", "json", target])
        captured = capsys.readouterr()
        assert [problem["id"] for problem in json.loads(captured.out)["problems"]] == ["second", "first"]
        assert "since contest.xml does not list them: extra" in captured.err
    assert run_cli(["check", "contest.zip"]) == 0
    reports = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if "contest.zip" in line]
    assert reports == [f"contest.zip/{name}" for name in ("extra", "first", "second")]


GRADER = """<file for-types="cpp.*" path="files/{}" type="{}">
    <stages><stage name="compile"/></stages><assets><asset name="solution"/></assets>
</file>"""


@needs_cpp
def test_submissions_are_compiled_with_the_grader_of_the_package(here: Path, capsys: CapSys) -> None:
    files = {
        "files/sum.h": "int sum(int a, int b);\n",
        "files/grader.cpp": """\
#include <cstdio>
#include "sum.h"
int main() { int a, b; if (std::scanf("%d %d", &a, &b) == 2) std::printf("%d\\n", sum(a, b)); }
""",
        "solutions/right.cpp": '#include "sum.h"\nint sum(int a, int b) { return a + b; }\n',
    }
    resources = GRADER.format("sum.h", "h.g++") + GRADER.format("grader.cpp", "cpp.g++17")
    solutions = '<solution tag="accepted"><source path="solutions/right.cpp" type="cpp.g++17"/></solution>'
    write(here / "sum", files, resources=resources, solutions=solutions)
    (here / "mine.cpp").write_text('#include "sum.h"\nint sum(int a, int b) { return a - b; }\n')
    assert run("sum", capsys=capsys)["solutions/right.cpp"][0] == "AC"
    assert run("sum", "-s", "mine.cpp", capsys=capsys)["mine.cpp"][0] == "WA"


def test_groups_give_points(here: Path, capsys: CapSys) -> None:
    tests = """<test group="1" points="10"/>
               <test group="1" points="30" method="generated" cmd="gen 5 5"/>
               <test group="2" points="60" method="generated" cmd="gen 1 2"/>
               <test group="3" points="5" method="generated" cmd="gen 2 1"/>"""
    groups = """<group name="1" points-policy="each-test"/><group name="2" points-policy="complete-group"/>
                <group name="3" points-policy="complete-group">
                    <dependencies><dependency group="1"/></dependencies>
                </group>"""
    write(here / "sum", tests=tests, groups=groups)
    found = run("sum", capsys=capsys)
    assert found["solutions/main.py"][2] == 105
    assert found["solutions/wrong.py"] == ("WA", ["1/01 AC", "1/02 WA", "2/03 AC", "3/04 SK"], 70)


def test_an_interactor_leaves_its_output_for_the_checker(here: Path, capsys: CapSys) -> None:
    files = {"files/interact.py": INTERACTOR, "tests/01.a": "3\n", "tests/02": "40 2\n", "tests/02.a": "42\n"}
    interactor = '<interactor><source path="files/interact.py" type="python.3"/></interactor>'
    write(here / "sum", files, assets=interactor)
    found = run("sum", capsys=capsys)
    assert found["solutions/main.py"][1] == ["tests/01 AC", "tests/02 AC"]
    assert found["solutions/wrong.py"][1] == ["tests/01 AC", "tests/02 WA"]


def test_a_generator_that_fails_is_an_error_at_its_test(here: Path, capsys: CapSys) -> None:
    write(here / "sum", {"files/gen.py": "raise SystemExit('too small')\n"})
    assert run_cli(["run", "sum"]) == 2
    captured = capsys.readouterr()
    assert "problem.xml:15" in captured.out + captured.err
    assert "too small" in captured.out + captured.err


READS_FILE = """\
import os
print(99)  # standard output does not count
numbers = open("sum.in").read().split()
"""
FILE_SOLUTIONS = {
    "main.py": READS_FILE + "open('sum.out', 'w').write(str(sum(map(int, numbers))))\n",
    "wrong.py": READS_FILE + "open('sum.out', 'w').write('3')\n",
    "link.py": READS_FILE + "os.symlink('sum.in', 'sum.out')\n",
    "folder.py": READS_FILE + "import os\nos.mkdir('sum.out')\n",
    "flood.py": READS_FILE + "with open('sum.out', 'w') as file:\n    for _ in range(200): file.write('x' * 10**6)\n",
    "crash.py": READS_FILE + "open('sum.out', 'w').write(str(sum(map(int, numbers))))\nraise SystemExit(3)\n",
}


def test_submissions_read_and_write_files(here: Path, capsys: CapSys) -> None:
    solutions = "".join(
        f'<solution tag="rejected"><source path="solutions/{name}" type="python.3"/></solution>'
        for name in FILE_SOLUTIONS
        if name != "main.py"
    )
    files = {f"solutions/{name}": text for name, text in FILE_SOLUTIONS.items()}
    write(here / "sum", files, judging='input-file="sum.in" output-file="sum.out"', solutions=solutions)
    found = run("sum", capsys=capsys)
    assert {name.removeprefix("solutions/"): each[0] for name, each in found.items()} == {
        "main.py": "AC",
        "wrong.py": "WA",
        "link.py": "PE",
        "folder.py": "PE",
        "flood.py": "OLE",
        "crash.py": "RTE",
    }


@pytest.mark.thorough
def test_a_search_uses_the_files_of_submissions(here: Path, capsys: CapSys) -> None:
    solutions = '<solution tag="rejected"><source path="solutions/wrong.py" type="python.3"/></solution>'
    right = FILE_SOLUTIONS["main.py"]
    wrong = right.replace("sum(map(int, numbers))", "sum(map(int, numbers)) if '7' not in numbers else 0")
    files = {"solutions/main.py": right, "solutions/wrong.py": wrong}
    write(here / "sum", files, judging='input-file="sum.in" output-file="sum.out"', solutions=solutions)
    assert (
        run_cli(["hack", "sum", "--solution", "sum/solutions/wrong.py", "-j", "1", "--time", "100", "-f", "json"]) == 1
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["output"], "7" in found["input"].split()) == ("WA", "0", True)


I64 = "%I64d"
WINDOWS = {
    "files/check.c": f"""\
#include <stdio.h>
int main(int argc, char** argv) {{
    long long output = 0, answer = 0;
    return fscanf(fopen(argv[2], "r"), "{I64}", &output) != 1 || fscanf(fopen(argv[3], "r"), "{I64}", &answer) != 1
        || output != answer;
}}
""",
    "files/gen.py": None,
    "files/gen.c": '#include "print.c"\nint main(void) { print(5000000000LL); print(1); }\n',
    "files/print.c": f'#include <stdio.h>\nvoid print(long long n) {{ printf("{I64}\\n", n); }}\n',
    "solutions/main.c": f"""\
#include <stdio.h>
int main(void) {{ long long a, b; if (scanf("{I64}%I64i", &a, &b) == 2) printf("%08I64d\\n", a + b); }}
""",
}


@needs_cpp
def test_programs_in_c_may_have_the_formats_of_windows(here: Path, capsys: CapSys) -> None:
    checker = '<checker><source path="files/check.c" type="c.gcc"/></checker>'
    package = write(here / "sum", {**WINDOWS, "tests/01": "7000000000 1\n"}, checker=checker, solutions="")
    xml = (package / "problem.xml").read_text().replace("gen.py", "gen.c").replace("main.py", "main.c")
    (package / "problem.xml").write_text(xml.replace('"python.3"', '"c.gcc"'))
    (here / "mine.py").write_text("import sys\nprint(sum(map(int, sys.stdin.read().split())))\n")
    assert run("sum", capsys=capsys)["solutions/main.c"] == ("AC", ["tests/01 AC", "tests/02 AC"], None)
    assert run("sum", "-s", "mine.py", capsys=capsys)["mine.py"] == ("AC", ["tests/01 AC", "tests/02 AC"], None)


VALIDATOR = """\
import sys
if len(input().split()) != 2 or sys.argv[1:3] != ["--testset", "tests"]:
    sys.exit("FAIL expected two numbers") if sys.argv[-1] != "fine" else None
"""
VALIDATORS = """<validators><validator><source path="files/val.py" type="python.3"/>
    <testset><tests><test verdict="valid"/><test verdict="invalid"/><test verdict="invalid"/></tests></testset>
</validator></validators>"""


def test_the_validators_run_on_the_tests_and_on_their_own(here: Path, capsys: CapSys) -> None:
    own = {f"files/tests/validator-tests/{name}": text for name, text in (("01", "1\n"), ("02", "1\n"), ("03", "1 2"))}
    write(here / "sum", {**own, "files/val.py": VALIDATOR, "tests/01": "1 2 3\n"}, assets=VALIDATORS)
    assert run_cli(["check", "sum"]) == 1
    out = capsys.readouterr().out
    for part in (
        "problem.xml:14:1: error: tests/01.in: the input validator val.py rejects this input: FAIL expected two",
        "validator-tests/01: error: the input validator val.py rejects this input",
        "validator-tests/03: error: no input validator rejects it",
    ):
        assert part in out, out
    assert "validator-tests/02" not in out


@pytest.mark.thorough
def test_tests_of_a_validator_that_were_made_on_windows_have_plain_line_ends(here: Path, capsys: CapSys) -> None:
    strict = "import sys\nif sys.stdin.buffer.read() != b'1 2\\n': sys.exit('FAIL')\n"
    own = {"files/tests/validator-tests/01": b"1 2\r\n", "files/tests/validator-tests/02": b"1 3\r\n"}
    one = VALIDATORS.replace('<test verdict="invalid"/>', "", 1)
    write(here / "sum", {"files/val.py": strict, "tests/01": "1 2\n", "tests/02": "1 2\n"}, assets=one)
    for name, data in own.items():
        (here / "sum" / name).parent.mkdir(parents=True, exist_ok=True)
        (here / "sum" / name).write_bytes(data)
    run_cli(["check", "sum"])
    out = capsys.readouterr().out
    assert "2 validator tests" in out
    assert "validator-tests/" not in out, out


def test_a_validator_without_testlib_is_not_run(here: Path, capsys: CapSys) -> None:
    write(here / "sum", {"files/val.cpp": '#include "testlib.h"\n'}, assets=VALIDATORS.replace("val.py", "val.cpp"))
    assert run_cli(["check", "sum"]) == 0
    assert (
        "sum/files/val.cpp: warning: the input validator val.cpp cannot be used: testlib.h is not in"
        in capsys.readouterr().out
    )


def test_the_tests_of_the_checker_run(here: Path, capsys: CapSys) -> None:
    testset = "<testset><tests><test verdict='ok'/><test verdict='ok'/></tests></testset>"
    files = {
        f"files/tests/checker-tests/{name}": text
        for number, output in (("01", "3"), ("02", "4"))
        for name, text in ((number, "1 2"), (f"{number}.o", output), (f"{number}.a", "3"))
    }
    checker = f'<checker><source path="files/check.py"/>{testset}</checker>'
    write(here / "sum", {**files, "files/check.py": CHECKER}, checker=checker)
    assert run_cli(["check", "sum"]) == 1
    out = capsys.readouterr().out
    assert "[program-test]" in out
    assert out.splitlines()[-1].startswith("sum: 1 error, 0 warnings")


@pytest.mark.thorough
def test_tests_of_windows_have_no_carriage_returns_for_programs(here: Path, capsys: CapSys) -> None:
    strict = "import os\ntext = os.read(0, 99)\nprint(3 if text == b'1 2\\n' else text)\n"
    validator = "import os, sys\nsys.exit(b'\\r' in os.read(0, 99))\n"
    assets = '<validators><validator><source path="files/validate.py" type="python.3"/></validator></validators>'
    solutions = '<solution tag="accepted"><source path="solutions/strict.py" type="python.3"/></solution>'
    files = {"files/validate.py": validator, "solutions/strict.py": strict}
    package = write(
        here / "sum", files, assets=assets, solutions=solutions, tests='<test method="manual"/><test method="manual"/>'
    )
    for name, data in {"01": b"1 2\r\n", "01.a": b"3\r\n", "02": b"1 2\n", "02.a": b"3\n"}.items():
        (package / "tests" / name).write_bytes(data)
    for _ in range(2):
        found = run("sum", capsys=capsys)
        assert found["solutions/strict.py"] == ("AC", ["tests/01 AC", "tests/02 AC"], None)
    assert run_cli(["check", "sum"]) == 0
    assert (package / "tests" / "01").read_bytes() == b"1 2\r\n"
