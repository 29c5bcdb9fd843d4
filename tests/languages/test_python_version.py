"""Which Python sources are for Python 2."""

import pytest

from judge.languages.python_version import is_python_2


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
