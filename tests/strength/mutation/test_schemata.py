"""Many mutants of a source in one program behave as each does alone."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from judge.strength.mutation.schemata import Combined, combine_cpp, combine_java, find_refused

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

    combined, _ = combine_cpp([text, changed])
    assert run(combined, "0") == run(text)
    assert run(combined, "1") == run(changed)


JAVA = """\
import java.util.*;
import static java.lang.Math.max;
interface Named { String name(); }
enum Kind { A, B }
record Pair(int first, int second) implements Named { public String name() { return "class P {"; } }
abstract class Base { static int made; Base() { made++; } }
final class Node extends Base { List<Node> next = new ArrayList<>(); }
public class Main extends Base implements Runnable {
    public static void main(final String[] words) throws Exception {
        Thread thread = new Thread(null, new Main(), "", 1 << 26);
        thread.start();
        thread.join();
        new Node().next.add(new Node());
        System.out.println(words.length + new Pair(max(3, 1), 4).name() + Kind.B + Base.made);
        System.exit(7);
    }
    @Override public void run() { System.out.println("run"); }
}
"""


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("javac"), reason="no javac on this machine")
def test_a_variant_in_java_behaves_as_it_does_alone(tmp_path: Path) -> None:
    texts = JAVA.encode(), JAVA.replace("(3, 1)", "(5, 1)").replace("exit(7)", "exit(8)").encode()

    def run(source: bytes, name: str, *words: str) -> tuple[int, bytes]:
        if not (tmp_path / f"{name}.class").exists():
            (tmp_path / f"{name}.java").write_bytes(source)
            subprocess.run(["javac", f"{name}.java"], cwd=tmp_path, check=True)
        command = ["java", "-XX:TieredStopAtLevel=1", name, *words]
        done = subprocess.run(command, cwd=tmp_path, check=False, stdout=subprocess.PIPE)
        return done.returncode, done.stdout

    combined, places = combine_java(texts)
    assert run(combined, "JudgeVariants", "0") == run(texts[0], "Main") == (7, b"run\n0class P {B3\n")
    assert run(combined, "JudgeVariants", "1") == (8, b"run\n0class P {B3\n")
    line = combined[: combined.index(b"exit(8)")].count(b"\n") + 1
    assert find_refused(f"a/Main.java:{line}: error: no\nMain.java:9: warning: no", "Main.java", places) == {1}


@pytest.mark.parametrize(
    ("combine", "source"),
    [
        (combine_cpp, b"struct A { int main() { return 0; } };\n"),
        (combine_java, b"class A { void main(String[] words) {} }\n"),
        (combine_java, b"package a;\nclass A { public static void main(String[] words) {} }\n"),
    ],
)
def test_what_cannot_be_combined_is_refused(combine: Callable[[Sequence[bytes]], Combined], source: bytes) -> None:
    with pytest.raises(ValueError, match=r"main|package"):
        combine([source])


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
    combined, places = combine_cpp(variants)
    lines = combined.split(b"\n")
    (line,) = [number for number in places[1] if b"}" in lines[number - 1] and b"return 0" in lines[number - 1]]
    assert find_refused(messages.format(line=line, first=places[0][2]), "sum.cpp", places) == {1}
    assert find_refused("ld: cannot find -lm", "sum.cpp", places) == set()
