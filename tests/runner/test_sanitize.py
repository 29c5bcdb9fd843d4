"""`--sanitize`: mistakes that no case shows are found with their line, and correct programs are left alone."""

import shutil
from pathlib import Path

import pytest

from judge.languages.variants import Variant
from judge.runner import sanitize
from judge.runner.solution import SolutionBuild
from tests.cli.command_line import CapSys, judge
from tests.files import write_files
from tests.parameters import first_of
from tests.runner.scoring import write, wrong_from

CASES = {"1.in": "5 \n", "1.ans": "10\n", "2.in": "1\n", "2.ans": "0\n"}
READ = '#include <stdio.h>\nint main(void) {\n    int n, s = 0;\n    scanf("%d", &n);\n'
WRITE = '    for (int i = 0; i < n; i++) s += i;\n    printf("%d\\n", s);\n    return 0;\n}\n'
SUM = "n = int(input())\nprint(n * (n - 1) // 2"
KEEP = "int *p; void keep(int n) { int x = n; p = &x; for (p += n; p != &x; p--); }\n"
COMPARE = "int compare(const void *a, const void *b) { if (*(int *)a != *(int *)b) return 1; }\n"
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
    "compare.c": (
        f"#include <stdlib.h>/*\n*/\n{COMPARE}{READ}    int a[] = {{n, n}}; qsort(a, 2, 4, compare);\n{WRITE}",
        ":3:1:",
        "reached the end of a value-returning function",
    ),
    "counted.c": (
        f"#include <stdlib.h>\n{READ}    int *a = malloc(40); a[n]++; s = a[n] <= a[n - 1];\n{WRITE}",
        ":1:1:",
        "with sanitizers, case",
    ),
    "walk.py": (f"for x in {{2, 1}}:\n    last = x\n{SUM} if last == 2 else 0)\n", ":1:1:", "with sets in descending"),
    "unpack.py": (f"a, b = {{1, 2}}\n{SUM} if a < b else 0)\n", ":1:1:", "with sets in descending order"),
    "spread.py": (f"{SUM} if [*{{1, 2}}] < [2] else 0)\n", ":1:1:", "with sets in descending order"),
    "list.py": (f"{SUM} if list({{1, 2}})[0] < 2 else 0)\n", ":1:1:", "with sets in descending order"),
    "key.py": (f"{SUM} if min({{1, 2}}, key=bool) < 2 else 0)\n", ":1:1:", "with sets in descending order"),
    "pop.py": (f"a = {{1, 2}}\n{SUM} if a.pop() < 2 else 0)\n", ":1:1:", "with sets in descending order"),
    "crash.py": (f"a = {{1, 2}}\n\n\nassert next(iter(a)) == 1\n{SUM})\n", ":4:1:", "AssertionError (line 4)"),
    "is.py": (f"{SUM} if int('5') is int('05') else 0)\n", ":1:1:", "with other hashes and identities of values"),
    "hash.py": (f"{SUM} if hash('ab') % 65536 else 0)\n", ":1:1:", "with other hashes and identities of values"),
}
if shutil.which("clang"):
    CALLS = "int next() { static int i; return ++i; }\nint less(int b, int a) { return a < b; }\n"
    LUCKY["calls.c"] = (f"{CALLS}{READ}    s = !less(next(), next());\n{WRITE}", ":1:1:", "with Clang, case")
if shutil.which("g++"):
    for place in ("queue", "vector", "stack"):
        LUCKY[f"{place}.cpp"] = (
            f"""\
#include <iostream>
#include <queue>
int main() {{
    int n; std::cin >> n;
    std::{"deque" if place != "vector" else place}<int> a = {{n, 2, 3}};
    int &x = a.{"front" if place == "queue" else "back"}();
    a.pop_{"front" if place == "queue" else "back"}();
    {"a.pop_back();" if place == "stack" else ""}
    std::cout << n * (n - 1) / 2 + (x < 0) << std::endl;
}}
""",
            ":9:1:",
            "AddressSanitizer: ",
        )
    LUCKY["sums.cpp"] = (
        """\
#include <cstdio>
#include <numeric>
#include <string>
constexpr int six() { int a[] = {1, 2, 3}; return std::accumulate(a, a + 3, 0); }
int main() {
    int n, a[2] = {six(), -6};
    std::string words[2] = {"a", "b"};
    double halves[2] = {0.5, 0.5};
    unsigned large[2] = {4294967295u, 1};
    long long most[2] = {3000000000, -3000000000};
    scanf("%d", &n);
    if (std::accumulate(words, words + 2, std::string()) != "ab" || std::accumulate(halves, halves + 2, 0)) return 1;
    if (std::accumulate(large, large + 2, 0) || std::accumulate(most, most + 2, 0LL)) return 1;
    printf("%d\\n", n * (n - 1) / 2 + std::accumulate(a, a + 2, 0) +
        std::accumulate(most, most + 2, 0));
}
""",
        ":15:1:",
        "signed integer overflow",
    )
LARGE = (
    f"static char a[200 << 20];\n{READ}    for (long i = 0; i < 200 << 20; i += 4096) a[i] = 1;\n{WRITE}"  # of 256 MiB
)
RIGHT = {
    "right.c": READ + WRITE,
    "large.c": LARGE,
    "query.c": f"int query(int i) {{ if (!i) return 5; }}\n{READ}    query(1); s = query(0) - 5;\n{WRITE}",
    "void.c": f"int show() {{ }}\n{READ}    for (show(); n < 0;) ; if (n) show(); else show();\n{WRITE}",
    "new.c": f"int get(int new) {{ if (new) return 0; }}\n{READ}    s = get(n);\n{WRITE}",
    "sort.c": f"#include <stdlib.h>\n{COMPARE}{READ}    int a[] = {{n, n + 1}}; qsort(a, 2, 4, compare);\n{WRITE}",
    "cleared.c": f"#include <stdlib.h>\n{READ}    int *a = calloc(100, 1000); s = a[n] + a[24999];\n{WRITE}",
    "right.py": f"""\
from __future__ import annotations
import sys, __main__
class Own:
    def pop(self, last=-1): return last
    def join(self, a): a.add(3); return a
def list(a): a.add(4); return a
a, b = {{1, 2}}, frozenset('xyz')
assert [x for x in a] == [*a] == sorted(a) or [x for x in a] == [*a] == sorted(a, reverse=True)
assert type(a) is set and list(Own().join(a)) is a and a == {{1, 2, 3, 4}} and Own().pop() == Own().pop(last=8) - 9
assert a.pop() not in a and len(a) == 3 and [1, 2].pop() == 2 and a is a and None is None and 1000 is not a
assert hash('a') == hash('a') and hash(5) == 5 and {{'xyz'[0]}} < b and max(b) == 'z' and __name__ == '__main__'
assert len(sys.argv) == 1 and sys.argv[0] == __file__ and __main__.Own is Own and Own.__module__ == '__main__'
{SUM})
""",
}

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc on this machine")


@pytest.mark.parametrize("step", first_of([7, 1], 1))
def test_luck_is_a_warning_with_a_line_and_the_smallest_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys, step: int
) -> None:
    lucky, right = dict(sorted(LUCKY.items())[::step]), [*RIGHT][:: step // 2 or 1]
    monkeypatch.chdir(write_files(tmp_path, CASES | RIGHT | {name: row[0] for name, row in lucky.items()}))
    for rows, more in ((lucky, right), (dict([*lucky.items()][::step]), [])):  # then, all results are in the cache
        status, out, err = judge("run", *rows, *more, "--sanitize", "-f", "short", capsys=capsys)
        lines = sorted(out.splitlines())
        assert (status, len(lines)) == (0, len(rows)), (lines, err)
        for line, (name, (_, place, reason)) in zip(lines, rows.items(), strict=True):
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


def test_what_is_not_examined_is_said_once_for_each_language_and_variant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(
        write_files(tmp_path, CASES | {"a.sh": "echo $(($1+10))", "b.sh": "echo 10", "c.py": f"{SUM})\n"})
    )
    files = ("a.sh", "b.sh", "c.py")
    _, _, err = judge("run", *files, "--cases", "1.in", "--sanitize", "-f", "short", capsys=capsys)
    assert "--sanitize has no checks for Bash: does not examine a.sh and 1 other solution\n" in err
    small = Variant(name="sanitizers", run=("{python}", "-c", "raise ValueError('Sanitizer: out-of-memory')"))
    monkeypatch.setattr(SolutionBuild, "variants", (small,))
    _, out, err = judge("run", "c.py", "--sanitize", "-f", "short", capsys=capsys)
    assert "c.py is not examined with sanitizers on 2 cases: " in err
    assert " is RTE there: ValueError: Sanitizer: out-of-memory" in err
    assert out == ""


def test_a_mistake_in_a_header_is_named_there_and_the_sanitizers_still_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    files = {"lib/i.h": "int next(int n) {\n    int i = 0;\n    i = i++ + n;\n    return i;\n}\n"}
    source = f'#include "i.h"\n{READ}    int a[9];\n    a[n + 5] = next(n) * 0;\n{WRITE}'
    monkeypatch.chdir(write_files(tmp_path, CASES | files | {"a.c": source}))
    _, out, err = judge("run", "a.c", "--include", "lib", "--sanitize", "-f", "short", capsys=capsys)
    assert [line.partition(" warning")[0] for line in out.splitlines()] == ["lib/i.h:3:1:", "a.c:7:1:"], err


@pytest.mark.parametrize("text", ["[-Werror=sequence-point]", "[-Werror,-Wunsequenced]"])
def test_what_gcc_and_clang_reject_is_found(text: str) -> None:
    rows = sanitize._REJECTED.findall(f"a.c: In function 'main':\na.c:3:7: error: about i {text}\n")
    assert rows == [("a.c", "3", "about i")]


def test_a_case_whose_file_was_deleted_meanwhile_is_left_out(tmp_path: Path) -> None:
    assert (sanitize.size_of(tmp_path / "1.in"), sanitize.size_of(b"12")) == (None, 2)


def test_a_partial_score_is_no_luck_and_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {f"solutions/p/{name}/{name}.py": wrong_from(1000) for name in ("accepted", "partially_accepted")})
    _, out, err = judge("run", "p", "--sanitize", "--repeat", "1", "-f", "short", capsys=capsys)
    assert ": warning: " not in out
    assert [line for line in err.splitlines() if " passes " in line] == [
        "note: solutions/p/accepted/right.py: passes 1 of 1 runs; at least 5.0% at 95% confidence"
    ]
