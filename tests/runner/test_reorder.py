"""Tests of accepted inputs in another order: a program that keeps data of an earlier test is found, no other one."""

from pathlib import Path

import pytest

from tests.cli.command_line import CapSys, judge
from tests.files import write_files

TESTS = "input: [{t: 1..%s}, {%s: t, lines: [{n: 1..9}]}]\n"
FORMATS = {
    "tests": TESTS % (9, "tests"),
    "few": TESTS % (2, "tests"),
    "queries": TESTS % (9, "repeat"),
    "lines": "input: [{repeat: 1..9, until: end of file, lines: [{n: 1..9}]}]\n",
    "distinct": TESTS.replace("{%s: t,", "{%s: t, distinct: [n],") % (9, "tests"),
}
LOOP = "best = 0\nfor i in range(int(input())):\n    n = int(input())\n    best = max(best, n)\n"
LINES = "import sys\nbest = 0\nfor n in map(int, sys.stdin):\n    best = max(best, n)\n    print(best)\n"
DISTINCT = f"seen = set()\n{LOOP}    assert n not in seen\n    seen.add(n)\n    print(n)\n"
RISING = {"1.in": "2\n2\n5\n", "1.ans": "2\n5\n"}
LABELS = RISING | {"1.ans": "Case #1: 2\nCase #2: 5\n"}
SINGLE = {"1.in": "1\n2\n", "1.ans": "1 2\n", "2.in": "1\n5\n", "2.ans": "1 5\n"}
PAIR = "it is WA: line 2, token 1: expected `2`, found `5`; the input is '2\\n5\\n2\\n'"
PROGRAMS = {
    "best": ("tests", RISING, f"{LOOP}    print(best)\n", PAIR),
    "limit": ("few", RISING, f"{LOOP}    print(best)\n", PAIR),
    "label": ("tests", LABELS, f"{LOOP}    print(f'Case #{{i + 1}}: {{best}}')\n", "token 3: expected `2`, found `5`"),
    "crash": ("tests", RISING, f"{LOOP}    assert best == n\n    print(n)\n", "it is RTE: AssertionError (line 5)"),
    "right": ("tests", LABELS, f"{LOOP}    print(f'Case #{{i + 1}}: {{n}}')\n", ""),
    "queries": ("queries", RISING, f"{LOOP}    print(best)\n", ""),
    "lines": ("lines", {"1.in": "2\n5\n", "1.ans": "2\n5\n"}, LINES, ""),
    "sum": ("tests", RISING | {"1.ans": "2\n5\nbest 5\n"}, f"{LOOP}    print(n)\nprint('best', best)\n", ""),
    "number": ("tests", RISING | {"1.ans": "0 2\n1 5\n"}, f"{LOOP}    print(i, n)\n", ""),
    "single": ("tests", SINGLE, f"{LOOP}    print(i + 1, n)\n", ""),
    "distinct": ("distinct", RISING, DISTINCT, ""),
}


def test_another_order_of_tests_finds_data_that_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    files = {
        f"{name}/{file}": text
        for name, (kind, cases, source, _) in PROGRAMS.items()
        for file, text in {**cases, f"{name}.py": source, "problem.yaml": FORMATS[kind]}.items()
    }
    monkeypatch.chdir(write_files(tmp_path, files))
    sources = [f"{name}/{name}.py" for name in PROGRAMS]
    status, out, err = judge("run", *sources, "--sanitize", "-f", "short", capsys=capsys)
    lines = iter(out.splitlines())
    for name, (*_, found) in PROGRAMS.items():
        if found:
            line = next(lines)
            assert line.startswith(f"{name}/{name}.py:"), (line, err)
            assert " warning: accepted by luck: with tests in another order, " in line
            assert found in line
    assert (status, [*lines]) == (0, [])
