"""Source files: their copies, and the names that Java expects."""

import time
from pathlib import Path

import pytest

from judge.base.errors import ToolError
from judge.languages.inspection import is_python_2, java_names
from judge.languages.program_source import read_source
from judge.languages.source import copy_file, read_file


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("public class Main { public static void main(String[] a) {} }", ("Main.java", "Main")),
        ("class A {} class B { static void main(String[] a) {} }", ("x.java", "B")),
        ("class A { static class In {} static void main(String[] a) {} } class C {}", ("x.java", "A")),
        ("class H { void main(int x) {} }\npublic final class P { }", ("P.java", "H")),
        ('// class No { void main(\n/* public class No {*/ class Yes { String s = "class No {"; }', ("x.java", "x")),
        ("import java.util.*; public class P { char c = '{'; static void main(String[] a) {} }", ("P.java", "P")),
        ("interface I { } record R(int x) { public static void main(String[] a) {} }", ("x.java", "R")),
        ("public class \u00c9t\u00e9 { }", ("\u00c9t\u00e9.java", "\u00c9t\u00e9")),
        ("public class $A$1 { void main() {} }", ("$A$1.java", "$A$1")),
        (f"public class {'X' * 300} {{ }}", ("x.java", "X" * 300)),
        (
            'class A { String s = """\n class B { "{" \\""" } void main(\n"""; } class C { void main() {} }',
            ("x.java", "C"),
        ),
        ("class A { /* not closed class B { void main(", ("x.java", "x")),
        ("", ("x.java", "x")),
        ("package bin; public class Main { void main() {} }", ("Main.java", "bin.Main")),
        ("// package no;\n@A package a . b/* */.c ; import d.*; class P { }", ("x.java", "a.b.c.x")),
    ],
)
def test_the_names_that_java_expects(text: str, names: tuple[str, str]) -> None:
    assert java_names(text.encode(), "x.java") == names


def test_a_copy_keeps_its_name_and_every_user_can_read_it(tmp_path: Path) -> None:
    first, second = (read_source(tmp_path / "sum.py", text=text) for text in (b"print(1)\n", b"print(2)\n"))
    place = copy_file(first, tmp_path)
    copy = place / "sum.py"
    assert copy.read_bytes() == b"print(1)\n"
    assert (copy.stat().st_mode & 0o777, place.stat().st_mode & 0o777) == (0o644, 0o755)
    assert copy_file(first, tmp_path) == place
    assert copy_file(second, tmp_path) != place


def test_a_folder_is_not_a_source(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="is not a regular file; expected a source file"):
        read_file(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "part",
    [
        "public ",
        "public final ",
        "/* ",
        "'\\",
        '"""\\',
        '"\\',
        "class ",
        "void main ",
        "{",
        "package ",
        "package" + " " * 500,
    ],
)
def test_no_source_takes_long_to_search_for_names(part: str) -> None:
    start = time.process_time()
    java_names((part * 30_000).encode(), "x.java")
    assert time.process_time() - start < 30  # a quadratic search takes minutes


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("#!/usr/bin/python2\nprint(1)\n", True),
        ("#!/usr/bin/env pypy2\nprint(1)\n", True),
        ("#!/usr/bin/python3\nprint 1\n", False),
        ("#!/usr/bin/python\nprint 1\n", True),
        ("print 'AC 0'\n", True),
        ("if x: print x\n", True),
        ("x = 1; print x\n", True),
        ("while True:\r\n    print x, y\r\n", True),
        ('print"%d" % x\n', True),
        ("n = int(raw_input())\n", True),
        ("print(1)\n", False),
        ("print (1)\n", False),
        ("print\n", False),
        ("print -1\n", False),
        ("x = (print if y else z)\n", False),
        ("print if y else z\n", False),
        ("# for Python 2:\n# print x\nprint(x)\n", False),
        ('"""\nprint x\n"""\n', False),
        ("s = '''\nprint x\n'''\n", False),
        ("s = 'a; print x'\n", False),
        ('s = "\\"; print x"\n', False),
        ("s = '#'; print x\n", True),
        ("printing = x\nprint_x = 1\n", False),
        ("try:\n    input = raw_input()\nexcept NameError:\n    pass\n", False),
        ("raw_input = input\nx = raw_input()\n", False),
        ("def raw_input():\n    pass\nraw_input()\n", False),
        ("", False),
    ],
)
def test_only_what_python_3_cannot_run_is_python_2(source: str, *, expected: bool) -> None:
    assert is_python_2(source.encode()) is expected


@pytest.mark.parametrize("text", [b'"""', b"'''", b'"', b'\\"', b"print ", b"#", b"x'", b"print\t "])
def test_hostile_sources_take_no_time(text: bytes) -> None:
    assert is_python_2(b"print " + text * 300_000) in (True, False)
