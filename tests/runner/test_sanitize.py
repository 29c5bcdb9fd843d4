"""`--sanitize`: mistakes that no case shows are found with their line, and correct programs are left alone."""

import shutil
from pathlib import Path

import pytest

from judge.languages.table import Variant
from judge.runner.solution import SolutionBuild
from tests.cli.command_line import CapSys, judge
from tests.files import write_files

CASES = {"1.in": "5 \n", "1.ans": "10\n", "2.in": "1\n", "2.ans": "0\n"}
READ = '#include <stdio.h>\nint main(void) {\n    int n, s = 0;\n    scanf("%d", &n);\n'
WRITE = '    for (int i = 0; i < n; i++) s += i;\n    printf("%d\\n", s);\n    return 0;\n}\n'
KEEP = "int *p; void keep(int n) { int x = n; p = &x; for (p += n; p != &x; p--); }\n"
LUCKY = {
    "bounds.c": (f"{READ}    int a[9];\n    a[n + 5] = 1;\n{WRITE}", ":6:1:", "index 10 out of bounds"),
    "twice.c": (
        f"{READ}    int a[9];\n    a[n == 1 ? -1 : 10] = 1;\n{WRITE}",
        ":6:1:",
        "RTE: index -1 out of bounds",
    ),
    "end.c": (f'{READ}    int x; scanf("%d", &x); s = x < -9999999;\n{WRITE}', ":1:1:", "found `1`"),
    "sequence.c": (f"{READ}    int i = 0;\n    i = i++ + n;\n{WRITE}", ":6:1:", "may be undefined"),
    "returned.c": (f"{KEEP}{READ}    keep(n); if (*p == 77) s = 1;\n{WRITE}", ":6:1:", "stack-use-after-return"),
    "over flow.c": (
        f"{READ}    int x = n + 2147483647; if (x == 7) s = 1;\n{WRITE}",
        ":5:1:",
        "signed integer overflow",
    ),
    "uninitialized.c": (f"{READ}    int x; int *p = &x; s = *p < -9999999;\n{WRITE}", ":5:1:", "is used uninitialized"),
    "order.py": (
        "import os\nn = int(input())\nprint(n * (n - 1) // 2)\n\nassert os.environ.get('PYTHONHASHSEED') != '1'\n",
        ":5:1:",
        "with PYTHONHASHSEED=1, case",
    ),
}
if shutil.which("pypy3"):
    SET = "n = int(input())\nprint(n * (n - 1) // 2 if [*{2, 1}] == [1, 2] else 0)\n"
    LUCKY["set.py"] = (SET, ":1:1:", "with PyPy, case")
LARGE = (
    f"static char a[200 << 20];\n{READ}    for (long i = 0; i < 200 << 20; i += 4096) a[i] = 1;\n{WRITE}"  # of 256 MiB
)
RIGHT = {"right.c": READ + WRITE, "large.c": LARGE, "right.py": "n = int(input())\nprint(n * (n - 1) // 2)\n"}

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")


def test_luck_is_a_warning_with_a_line_and_the_smallest_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(write_files(tmp_path, CASES | RIGHT | {name: row[0] for name, row in LUCKY.items()}))
    for again in range(2):  # the second time, all results come from the cache
        status, out, err = judge("run", *LUCKY, *RIGHT, "--sanitize", "-f", "short", capsys=capsys)
        lines = sorted(out.splitlines())
        assert (status, len(lines)) == (0, len(LUCKY)), (again, lines, err)
        for line, (name, (_, place, reason)) in zip(lines, sorted(LUCKY.items()), strict=True):
            assert line.startswith(f"{name}{place} warning: accepted by luck: "), line
            assert reason in line


def test_a_compiler_without_sanitizers_is_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.setattr(SolutionBuild, "variants", (Variant(name="sanitizers", flags=("-fsanitize=none-such",)),))
    monkeypatch.chdir(write_files(tmp_path, CASES | RIGHT))
    status, out, err = judge("run", "right.c", "--sanitize", "-f", "short", capsys=capsys)
    assert (status, out) == (0, "")
    assert "right.c cannot be built with sanitizers here: " in err
