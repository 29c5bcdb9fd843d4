"""Source files: their copies, and the names that Java expects."""

import time
from pathlib import Path

import pytest

from judge.base.errors import ToolError
from judge.languages.inspection import java_names
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
