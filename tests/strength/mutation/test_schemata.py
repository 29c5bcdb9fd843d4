"""Many mutants of a source in one program behave as each does alone."""

import shutil
import subprocess
from pathlib import Path

import pytest

from judge.strength.mutation.mutant import Mutant
from judge.strength.mutation.schemata import Schemata, combine
from judge.strength.mutation.switch import VARIABLE, Switches, error_lines

SOURCES = {
    "plain": '#include <cstdio>\nint main() { printf("A"); }\n',
    "exit status": "int main(void) { return 3; }\n",
    "arguments": '#include <cstdio>\nint main(int argc, char **argv) { printf("%d", argc + !argv[1]); return 1; }\n',
    "macros": '#include <cstdio>\n#define int long long\nint x = 1LL << 40;\nsigned main() { printf("%lld", x); }\n',
    "conditions": '#ifdef LOCAL\n#include "none.h"\n#else\n#include <cstdio>\n#endif\nint main() { puts("{main("); }\n',
    "nested": "#if 1\n#ifdef X\n#define Y 1\n#else\n#define Y 2\n#endif\n#endif\nint main() { return Y; }\n",
    "templates": "template <class T> T twice(T a) { return a + a; }\nint main() { return twice(2); }\n",
    "methods": "struct A { int main() { return 4; } };\nint main() { return A().main(); }\n",
    "settings": '#define NDEBUG\n#include <cassert>\nint main() { assert(!"A"); return 3; }\n',
    "namespaces": "using namespace std;\nnamespace a { int b = 5; }\nint main() { return a::b; } // }",
}  # fmt: skip


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
@pytest.mark.parametrize("kind", SOURCES)
def test_a_variant_behaves_as_it_does_alone(tmp_path: Path, kind: str) -> None:
    text = SOURCES[kind].encode()
    changed = text.replace(b"A", b"B").replace(b"3", b"2").replace(b"40", b"39").replace(b"5", b"6")

    def run(source: bytes, number: int = 0) -> tuple[int, bytes]:
        (tmp_path / "a.cpp").write_bytes(source)
        subprocess.run(["g++", "-Werror", "-Wall", "-o", "a", "a.cpp"], cwd=tmp_path, check=True)
        done = subprocess.run([tmp_path / "a"], check=False, stdout=subprocess.PIPE, env={VARIABLE: str(number)})
        return done.returncode, done.stdout

    combined, _ = combine("cpp", text, {1: changed})
    assert run(combined, 0) == run(text)
    assert run(combined, 1) == run(changed)


CPP = """\
#include <cstdio>
#include <string>
#include <vector>
#define rep(i, n) for (int i = 0; i < n; i++)
typedef long long number;
const int N = 4;
int table[N], total = 5;
template <class T> T twice(T a) { return a + a; }
constexpr int square(int a) { return a * a; }
int classify(int a);
struct Bits { unsigned low : 3, high : 5; };
void fill(std::vector<int> &a) { a.push_back(3); }
int classify(int a) {
    switch (a) {
    case 1: return 10;
    default: break;
    }
    if (a > 5 && a < 9 || a == 2) return 20;
    return 30;
}
int main() {
    int sum = 0, x = 7;
    rep(i, 6 - 2) sum += i;  // 6
    printf("%d\\n", sum);
    long long product = 100000;
    product *= 100000;
    printf("%lld\\n", product);
    auto add = [&](int a) { number b = a; b++; return b + x; };
    printf("%d %d\\n", (int)add(1), (int)sizeof(add(1)));
    int *p = 0;
    printf("%d %d %d\\n", p == nullptr, classify(x), classify(1));
    int &y = x;
    y -= 2;
    printf("%d %d %d\\n", x, twice(3), square(3));
    int local[3] = {1, 2, 3};
    printf("%d %d\\n", (int)(sizeof local / sizeof local[0]), local[2]);
    std::vector<int> list;
    fill(list);
    printf("%d %s\\n", (int)list.size(), (std::string("a") + "b").c_str());
    printf("%d %d\\n", total / 2, (int)(sizeof table / sizeof table[0]));
    x = 5;
    if (int left = x - 5) printf("left %d\\n", left); else puts("none");
    auto wide = (long long)total;
    auto large = 2147483647;
    printf("sizes %d %d\\n", (int)sizeof wide, (int)sizeof large);
    do x--; while (x > 3);
    printf("%d\\n", x);
}
"""
CHANGES = [
    ("6 ^-^ 2", "+", "6", "28"),
    ("^long long^ product", "int", "10000000000", "1410065408"),
    ("b^++^", "--", "9 8", "7 8"),
    ("^number^ b", "int", "9 8", "9 4"),
    ("p = ^0^", "1", "", None),
    ("case ^1^:", "7", "1 20 10", "1 10 30"),
    ("a < 9 ^||^ a", "&&", "1 20 10", "1 30 10"),
    ("^y -= 2;^", ";", "5 6 9", "7 6 9"),
    ("a ^+^ a", "-", "5 6 9", "5 0 9"),
    ("a ^*^ a", "+", "5 6 9", "5 6 6"),
    ("local[^3^]", "4", "3 3", "4 3"),
    ('"a") ^+^ "b"', "-", "", None),
    ("^a.push_back(3);^", ";", "1 ab", "0 ab"),
    ("classify(^int^ a) {", "char", "", None),  # refused by the linker
    ("total ^/^ 2", "*", "2 4", "10 4"),
    ("N = ^4^", "5", "2 4", "2 5"),
    ("left = x ^-^ 5", "+", "none", "left 10"),
    ("(^long long^)total", "int", "sizes 8 4", "sizes 4 4"),
    ("^2147483647^", "2147483648", "sizes 8 4", "sizes 8 8"),
    ("^x > 3^", "!(x > 3)", "3", "4"),
]
"""What changes, and to what; what the program prints then in place of a line, None if it does not compile."""


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_a_switch_behaves_as_its_mutant_alone(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_cpp")
    mutants = {}
    for number, (before, after, _, _) in enumerate(CHANGES, 1):
        left, changed, right = before.split("^")
        start = CPP.index(left + changed + right) + len(left)
        end = start + len(changed)
        mutants[number] = Mutant(operator="", start=start, end=end, replacement=after.encode(), line=1)
    schemata = Schemata(CPP.encode(), "cpp", mutants)
    for _ in range(5):
        (tmp_path / "a.cpp").write_bytes(schemata.write())
        done = subprocess.run(["g++", "-o", "a", "a.cpp"], cwd=tmp_path, check=False, stderr=subprocess.PIPE, text=True)
        if not done.returncode:
            break
        schemata.learn(done.stderr, "a.cpp")

    def run(number: int) -> list[str]:
        done = subprocess.run(
            [tmp_path / "a"], check=True, stdout=subprocess.PIPE, env={VARIABLE: str(number)}, text=True
        )
        return done.stdout.splitlines()

    original = run(0)
    changes = {number: (line, other) for number, (_, _, line, other) in enumerate(CHANGES, 1)}
    assert set(schemata.mutants) == {number for number, (_, other) in changes.items() if other is not None}
    for number in schemata.mutants:
        line, other = changes[number]
        assert run(number) == [other if each == line else each for each in original], CHANGES[number - 1]


BODY = """{ int b; for (int i = 0; i < a; i++) { b = a; a = 2; } while (true) { if (a > 3) break; }
int c,d[]; d = e; try { f(4); } catch (E e) { } out: for (;;) { while (a < 7) { break out; } } return a + 1; }"""


@pytest.mark.parametrize(
    ("before", "after", "place", "form"),
    [
        ("++", "--", "i++", "unused"),  # no statement may be in its place
        ("+ 1", "- 1", "a + 1", "value"),
        ("a = 2;", ";", "a = 2;", "statement"),
        ("b = a;", ";", BODY, "statement"),  # it is declared there, and may be used uninitialized
        ("break", "continue", BODY, "statement"),  # then, what comes after the loop is unreachable
        ("true", "false", BODY, "statement"),
        ("d = e;", ";", BODY, "statement"),
        ("f(4);", ";", BODY, "statement"),  # what is caught might never be thrown
        ("break out", "continue", BODY, "statement"),
        ("int b", "long", "", ""),  # does not parse
    ],
)
def test_the_compiler_of_java_concludes_the_same(before: str, after: str, place: str, form: str) -> None:
    pytest.importorskip("tree_sitter_java")
    source = f"class A {{ int f(int a) {BODY} }}".encode()
    start = source.index(before.encode())
    end = start + len(before)
    mutant = Mutant(operator="", start=start, end=end, replacement=after.encode(), line=1)
    switches = Switches(source, "java")
    assert switches.is_possible(mutant) is bool(place)
    if place:
        found = switches.places(mutant)[0]
        assert (source[found.start : found.end].decode(), found.form) == (place, form)


@pytest.mark.parametrize(
    ("code", "is_possible"),
    [
        ("a <^ b && c > (d)", True),  # the parser reads a call of a template
        ("a < b || c[d] >^ (d)", True),
        ("f(a <^ b, c > (d))", True),
        ("vector<^int>{1}.size() + 1", False),
        ("f<^int>(a)", False),
    ],
)
def test_comparisons_are_no_lists_of_a_template(code: str, *, is_possible: bool) -> None:
    pytest.importorskip("tree_sitter_cpp")
    before, _, after = f"int main() {{ return {code}; }}".encode().partition(b"^")
    at = len(before)
    mutant = Mutant(operator="", start=at - 1, end=at, replacement=before[-1:] + b"=", line=1)
    assert Switches(before + after, "cpp").is_possible(mutant) is is_possible


@pytest.mark.parametrize(
    ("header", "names", "left", "refused"),
    [
        ("", ["changed"], {1}, {2}),
        ("", ["copy"], {2}, set()),  # a namespace may be the reason
        ("", ["copy", "changed"], set(), {2}),
        ("", ["unchanged", "copy", "changed"], None, set()),
        ("rep(i, n) a = 3;", ["changed"], {1}, set()),  # a macro that the parser does not understand
    ],
)
def test_only_what_cannot_compile_alone_is_refused(
    header: str, names: list[str], left: set[int] | None, refused: set[int]
) -> None:
    pytest.importorskip("tree_sitter_cpp")
    text = f"{header}\nint a; // unchanged\nint main() {{ return\n0 + 1; // changed\n}}\n".encode()
    places = {1: (b"int", b"long"), 2: (b"0 + 1; // changed", b"0 - 1; // changed")}
    mutants = {
        number: Mutant(operator="", start=text.index(old), end=text.index(old) + len(old), replacement=new, line=1)
        for number, (old, new) in places.items()
    }
    schemata = Schemata(text, "cpp", mutants)
    lines = schemata.write().decode().splitlines()
    at = {
        "changed": next(number for number, line in enumerate(lines, 1) if "0 - 1" in line),
        "unchanged": next(number for number, line in enumerate(lines, 1) if "unchanged" in line),
        "copy": next(number for number, line in enumerate(lines, 1) if "long a" in line),
    }
    messages = "".join(f"a.cpp:{at[name]}:1: error: no\n" for name in names)
    if left is None:
        with pytest.raises(ValueError, match="namespace"):
            schemata.learn(messages, "a.cpp")
    else:
        schemata.learn(messages, "a.cpp")
        assert set(schemata.mutants) == left
    assert schemata.refused == refused


@pytest.mark.parametrize("language", ["c", "cpp", "java"])
def test_a_source_that_has_no_copies_is_refused(language: str) -> None:
    source = b"struct A { int main() { return 0; } };\n"
    assert source in combine(language, source, {})[0]
    with pytest.raises(ValueError, match=r"main|namespaces"):
        combine(language, source, {1: source})


GCC = """\
a/sum.cpp: In function 'int judge_variant_1::judge_main()':
a/sum.cpp:7:4: error: 'y' was not declared in this scope
a/sum.cpp:7:4: note: suggested alternative:
a/sum.cpp:3:4: note:   'judge_variant_0::y'
a/sum.cpp:2:9: error: expected ')'
a/sum.cpp:8:3: note: in expansion of macro 'rep'
"""
IN_HEADER = """\
In file included from /usr/include/c++/12/map:3:
sum.cpp:7:4:   required from 'T f(T)'
sum.cpp:9:1:   required from here
/usr/include/c++/12/bits/x.h:7:4: error: no match
sum.cpp:5:2: warning: unused
"""
CLANG = """\
/usr/include/c++/12/bits/x.h:7:4: error: invalid operands
sum.cpp:7:4: note: in instantiation of function template specialization 'f<int>' requested here
sum.cpp:3:4: note: candidate
"""


@pytest.mark.parametrize(
    ("messages", "lines"),
    [
        (GCC, [([7], []), ([2, 8], [])]),
        (IN_HEADER, [([], [7, 9])]),
        (CLANG, [([], [7])]),
        ("Main.java:3: error: no\nMain.java:9: warning: no", []),
        ("ld: cannot find -lm", []),
    ],
)
def test_an_error_names_the_lines_that_it_is_about(messages: str, lines: list[tuple[list[int], list[int]]]) -> None:
    assert error_lines(messages, "sum.cpp") == [each for each in lines if each != ([], [])] or not lines
