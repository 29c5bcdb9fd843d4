"""The first error of a compiler, with the line of the user's own file."""

import shutil
from pathlib import Path

import pytest

from judge.languages.build import CompileError, build
from judge.languages.messages import excerpt, first_error
from judge.sandbox.box import Box

TEMPLATE = """\
In file included from /usr/include/c++/12/map:60,
                 from x.cpp:1:
/usr/include/c++/12/bits/stl_function.h: In instantiation of 'operator()':
/usr/include/c++/12/bits/stl_map.h:529:32:   required from 'operator[]'
x.cpp:3:57:   required from here
/usr/include/c++/12/bits/stl_function.h:408:20: error: no match for 'operator<'
x.cpp:9:1: error: another
"""
CLANG = """\
/usr/include/c++/12/bits/stl_function.h:408:20: error: invalid operands
      { return __x < __y; }
/usr/include/c++/12/bits/stl_map.h:511:32: note: in instantiation of member function
x.cpp:3:5: note: in instantiation of member function requested here
x.cpp:9:1: error: another
"""
HEADER = """\
In file included from /home/me/lib/all.h:2,
                 from x.cpp:7:
/home/me/lib/bad.h:3:1: error: expected unqualified-id
"""
LINKER = """\
/usr/bin/ld: /tmp/cc1.o: in function `main':
x.cpp:(.text+0x5): undefined reference to `f()'
collect2: error: ld returned 1 exit status
"""
JAVAC = """\
x.cpp:2: error: cannot find symbol
  foo(1);
  ^
  symbol:   method foo(int)
  location: class Main
x.cpp:3: error: incompatible types
"""
HERE = "/usr/include/c++/12/bits/stl_function.h, line 408"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x.cpp:2:1: warning: a\nx.cpp:3:5: error: b\nx.cpp:4:1: error: c\n", "line 3: error: b"),
        ("x.cpp:1:10: fatal error: my.h: No such file", "line 1: fatal error: my.h: No such file"),
        (TEMPLATE, f"line 3: error: no match for 'operator<' (in {HERE})"),
        (CLANG, f"line 3: error: invalid operands (in {HERE})"),
        (HEADER, "line 7: error: expected unqualified-id (in /home/me/lib/bad.h, line 3)"),
        ("/lib/y.h:3:1: error: alone\n", "/lib/y.h, line 3: error: alone"),
        ("x.cpp:2:1: error: own\nIn file included from x.cpp:1:\ny.h:1:1: error: later", "line 2: error: own"),
        (LINKER, "error: undefined reference to `f()'"),
        (f"x.cpp:1:18: warning: implicit f\n{LINKER}", "error: undefined reference to `f()'"),
        ("x.cpp:1: warning: unused\nx.cpp:2: bad\n", "line 2: bad"),
        ("line 2: invalid syntax: b = = 2\n", "line 2: invalid syntax: b = = 2"),
        ('  File "x.cpp", line 2\n    b = = 2\n        ^\nSyntaxError: invalid\n', "line 2: invalid: b = = 2"),
        # rustc, ocamlc, node, ruby, php, perl, luac, bash, gfortran, scalac, crystal, go, ghc, tsc, nim
        ("error[E0425]: no `y`\n --> x.cpp:1:45\n  |\n1 | y\nerror: aborting\n", "line 1: no `y`"),
        (
            'File "x.cpp", line 1, characters 1-2:\n1 | y\n    ^\nError: type string\n  but int\n',
            "line 1: type string but int",
        ),
        (
            "x.cpp:3\nlet x = ;\n        ^\n\nSyntaxError: bad ';'\n    at f (node:a/b:14:18)\n",
            "line 3: SyntaxError: bad ';'",
        ),
        ("x.cpp:2: syntax error, bad )\nputs 1\n     ^\n", "line 2: syntax error, bad )"),
        ("PHP Parse error:  bad echo in x.cpp on line 4\nErrors parsing x.cpp", "line 4: Parse error: bad echo"),
        ('syntax error at x.cpp line 5, near "= ;"\nx.cpp had compilation errors.\n', "line 5: syntax error"),
        ("/usr/bin/luac: x.cpp:1: unexpected symbol near '='\n", "line 1: unexpected symbol near '='"),
        ("x.cpp: line 2: syntax error: unexpected end of file\n", "line 2: syntax error: unexpected end of file"),
        ("x.cpp:2:4:\n\n    2 | y\n      |  1\nError: no IMPLICIT type\n", "line 2: no IMPLICIT type"),
        ("-- [E007] Type Mismatch Error: x.cpp:1:20 ------\n1 |x\n", "line 1: [E007] Type Mismatch Error"),
        ("In x.cpp:1:1\n\n 1 | y\n     ^\nError: undefined y\n", "line 1: undefined y"),
        ("# command-line-arguments\n./x.cpp:3:2: undefined: y\n", "line 3: undefined: y"),
        ("\nx.cpp:1:8: error:\n    • Variable not in scope: y\n", "line 1: error: Variable not in scope: y"),
        ("x.cpp:1:8: error: [GHC-88464]\n    Not in scope\n", "line 1: error: Not in scope"),
        ("x.cpp(1,5): error TS2322: Type\n", "line 1: error TS2322: Type"),
        ("lib.nim(9, 9) Hint: used\nx.cpp(1, 5) Error: undeclared: 'y'\n", "line 1: Error: undeclared: 'y'"),
        ("lib.ml:3: bad\nx.cpp:2: worse\n", "line 2: worse"),
        ("lib.ml:3: bad\n", "lib.ml, line 3: bad"),
        ("\nno line\nmore\n", "no line"),
        (JAVAC, "line 2: error: cannot find symbol: method foo(int)"),
        ("", ""),
    ],
)
def test_the_first_error_is_one_line_that_begins_with_the_users_line(text: str, message: str) -> None:
    assert first_error(text, "x.cpp") == message


def compile_error(folder: Path, text: str) -> str:
    if shutil.which("g++") is None:
        pytest.skip("no g++ on this machine")
    (folder / "x.cpp").write_text(text)
    with Box() as box:
        built = build(folder / "x.cpp", folder, box)
    assert isinstance(built, CompileError)
    return built.message


def test_the_first_of_very_many_errors_is_the_first(tmp_path: Path) -> None:
    names = "".join(f"undefined_{number}();\n" for number in range(300))
    message = compile_error(tmp_path, f"int main() {{\n\n{names}}}\n")
    assert message.startswith("line 3: error: ")
    assert "undefined_0" in message


def test_an_error_in_a_header_of_the_compiler_names_the_users_line(tmp_path: Path) -> None:
    message = compile_error(tmp_path, "#include <map>\nstruct A {};\nint main() { std::map<A, int> m; m[A()] = 1; }\n")
    assert message.startswith("line 3: error: ")
    assert "operator<" in message
    assert "(in /" in message


def test_an_excerpt_begins_at_the_first_error_of_the_users_file_unless_that_is_near() -> None:
    notes = "".join(f"y.h:{number}:1: note: {number}\n" for number in range(30))
    own = "x.cpp:3:1: error: own\n  code\n"
    assert excerpt(f"y.h:1:1: error: first\n{notes}{own}", "x.cpp", 20) == own.splitlines()
    assert excerpt(f"In file included from x.cpp:1:\n{own}{notes}", "x.cpp", 4)[:2] == [
        "In file included from x.cpp:1:",
        "x.cpp:3:1: error: own",
    ]
