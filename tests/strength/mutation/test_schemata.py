"""Many mutants of a C++ source in one program behave as each does alone."""

import shutil
import subprocess
from pathlib import Path

import pytest

from judge.strength.mutation.schemata import combine, find_refused

SOURCES = {
    "plain": '#include <cstdio>\nint main() { printf("A"); }\n',
    "exit status": "int main(void) { return 3; }\n",
    "arguments": '#include <cstdio>\nint main(int argc, char **argv) { printf("%d", argc + !argv[1]); return 1; }\n',
    "macros": '#include <cstdio>\n#define int long long\nint x = 1LL << 40;\nsigned main() { printf("%lld", x); }\n',
    "conditions": '#ifdef LOCAL\n#include "none.h"\n#else\n#include <cstdio>\n#endif\nint main() { puts("{main("); }\n',
    "nested": "#if 1\n#ifdef X\n#define Y 1\n#else\n#define Y 2\n#endif\n#endif\nint main() { return Y; }\n",
    "templates": "template <class T> T twice(T a) { return a + a; }\nint main() { return twice(2); }\n",
    "methods": "struct A { int main() { return 4; } };\nint main() { return A().main(); }\n",
    "namespaces": "using namespace std;\nnamespace a { int b = 5; }\nint main() { return a::b; } // }",
}  # fmt: skip


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
@pytest.mark.parametrize("kind", SOURCES)
def test_a_variant_behaves_as_it_does_alone(tmp_path: Path, kind: str) -> None:
    text = SOURCES[kind].encode()
    changed = text.replace(b"A", b"B").replace(b"3", b"2").replace(b"40", b"39").replace(b"5", b"6")

    def run(source: bytes, *arguments: str) -> tuple[int, bytes]:
        (tmp_path / "a.cpp").write_bytes(source)
        subprocess.run(["g++", "-Werror", "-Wall", "-o", "a", "a.cpp"], cwd=tmp_path, check=True)
        done = subprocess.run([tmp_path / "a", *arguments], check=False, stdout=subprocess.PIPE)
        return done.returncode, done.stdout

    combined, _ = combine([text, changed])
    assert run(combined, "0") == run(text)
    assert run(combined, "1") == run(changed)


def test_a_source_without_main_cannot_be_combined() -> None:
    with pytest.raises(ValueError, match="main"):
        combine([b"struct A { int main() { return 0; } };\n"])


GCC = """\
a/sum.cpp: In function 'int judge_variant_1::judge_main()':
a/sum.cpp:{line}:4: error: 'y' was not declared in this scope
a/sum.cpp:{line}:4: note: suggested alternative:
a/sum.cpp:{first}:4: note:   'judge_variant_0::y'
"""
IN_HEADER = """\
In file included from /usr/include/c++/12/map:3:
/usr/include/c++/12/bits/x.h:7:4: error: no match
sum.cpp:{line}:4:   required from here
"""
CLANG = """\
/usr/include/c++/12/bits/x.h:7:4: error: invalid operands
sum.cpp:{line}:4: note: in instantiation of function template specialization 'f<int>' requested here
sum.cpp:{first}:4: note: candidate
"""


@pytest.mark.parametrize("messages", [GCC, IN_HEADER, CLANG])
def test_an_error_names_the_variant_that_does_not_compile(messages: str) -> None:
    variants = [b"#include <map>\nint main() {\n" + b"    f();\n" * number + b"}\n" for number in range(1, 4)]
    combined, places = combine(variants)
    lines = combined.split(b"\n")
    (line,) = [number for number in places[1] if b"}" in lines[number - 1] and b"return 0" in lines[number - 1]]
    assert find_refused(messages.format(line=line, first=places[0][2]), "sum.cpp", places) == {1}
    assert find_refused("ld: cannot find -lm", "sum.cpp", places) == set()
