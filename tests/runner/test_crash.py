"""Crashes whose runtime names no line: another build of the program names that of the user."""

import shutil
from pathlib import Path

import pytest

from judge.languages.table import Variant
from judge.model import Level
from judge.runner.solution import SolutionBuild
from tests.cli.command_line import CapSys, judge
from tests.container import UNSHARE, run
from tests.files import write_files
from tests.programs import box_at

CASES = {"1.in": "3\n", "1.out": "3\n", "2.in": "4\n", "2.out": "4\n"}
C = '#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    int n, *p = NULL; scanf("%d", &n);\n'
END = '    printf("%d", n);\n}\n'
CPP = "#include <iostream>\n#include <vector>\nint main() {\n    int n; std::cin >> n; std::vector<int> v(n);\n"
CRASHES = {  # name: tool, source, place, part of the message
    "pointer.c": ("gcc", f"{C}\n    p[n] = n;\n{END}", ":6:1:", "(SIGSEGV): AddressSanitizer: SEGV (line 6)"),
    "abort.c": ("gcc", f"{C}\n    if (n > 2) abort();\n{END}", ":6:1:", "(SIGABRT): AddressSanitizer: ABRT (line 6)"),
    "harmless.c": ("gcc", f"{C}    n += 2147483647;\n    p[n & 1] = 1;\n{END}", ":6:1:", "SEGV (line 6)"),
    "zero.c": ("gcc", f"{C}    n /= n - n;\n{END}", ":5:1:", "AddressSanitizer: FPE (line 5)"),
    "at.cpp": ("g++", f"{CPP}    std::cout << v.at(n);\n}}\n", ":5:1:", "std::out_of_range: vector::_M_range_check"),
    "thrown.cpp": ("g++", f"{CPP}    if (n > 2) throw std::bad_alloc();\n}}\n", ":5:1:", "std::bad_alloc (line 5)"),
    "zero.pas": (
        "fpc",
        "var n: longint;\nbegin\n  read(n);\n  n := n div (n - n);\nend.\n",
        ":4:1:",
        "Runtime error 200",
    ),
    "bounds.ml": ("ocamlopt", "let n = read_int ()\nlet () = print_int [|n|].(n)\n", ":2:1:", "out of bounds"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_files(tmp_path, CASES | {name: row[1] for name, row in CRASHES.items()}))
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_first_crash_of_a_solution_has_its_line(capsys: CapSys) -> None:
    names = [name for name, row in CRASHES.items() if shutil.which(row[0])]
    for again in range(2):  # the second time, all results come from the cache
        status, out, err = judge("run", *names, "-f", "short", capsys=capsys)
        assert (status, "JE" in out) == (1, False), err
        for name in names:
            first, second = (line for line in out.splitlines() if line.startswith(f"{name}:"))
            _, _, place, message = CRASHES[name]
            assert first.startswith(f"{name}{place} error: case "), (again, first)
            assert message in first
            assert "RTE" in first
            assert second.startswith(f"{name}:1:1: error: ")


@pytest.mark.usefixtures("folder")
def test_sanitizers_get_their_options_in_a_container_where_they_cannot_read_their_environment() -> None:
    box_at(Level.LANDLOCK).close()
    write_files(Path(), {"right.c": f"{C}    p = malloc(9);\n    n += !p;\n{END}"})  # a leak is no mistake
    ran = run("run", "abort.c", "right.c", "--sanitize", "-f", "short", refused=(UNSHARE,), cwd=Path(), has_tools=True)
    assert "abort.c:6:1: error: case " in ran.stdout
    assert "right.c" not in ran.stdout


@pytest.mark.parametrize(
    "variant",
    [
        None,
        Variant(name="rejected", flags=("-fsanitize=none-such",)),
        Variant(name="without a crash", flags=("-Dp=b",)),
    ],
)
def test_a_crash_that_no_other_build_locates_is_reported_as_it_is(
    folder: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, variant: Variant | None
) -> None:
    write_files(folder, {"own.c": C.replace("*p", "b[9], *p") + f"    p[n] = 1;\n{END}"})
    monkeypatch.setattr(SolutionBuild, "crash_variant", variant)
    status, out, _ = judge("run", "own.c", "-f", "short", capsys=capsys)
    assert (status, out.count("RTE: killed by signal 11 (SIGSEGV)")) == (1, 2)


def test_an_expected_crash_is_not_located(folder: Path, capsys: CapSys) -> None:
    path = "solutions/x/run_time_error/abort.c"
    cases = "cases:\n- {name: one, input: '3', answer: '3'}\n"
    files = {"problems/x/problem.yaml": "name: X\nprofile: icpc\n", "testcases/x/a.yaml": cases}
    write_files(folder, {**files, path: CRASHES["abort.c"][1]})
    status, out, err = judge("run", "x", "-f", "json", capsys=capsys)
    assert (status, "(SIGABRT)" in out, "(line" in out) == (0, True, False), err + out
