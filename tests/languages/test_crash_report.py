"""The exception that ended a program, as each runtime reports it."""

import pytest

from judge.languages.crash_report import find_crash, report_of
from judge.languages.table import LANGUAGES, Language

PYTHON = 'Traceback (most recent call last):\n  File "/x/a.py", line 7, in <module>\n    f()\n    ~^^\n'
LIBRARY = '  File "/usr/lib/python3.11/json/decoder.py", line 337, in decode\n    obj\n'
GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "a.py", line 1, in <module>
  |     raise ExceptionGroup("two", [ValueError(1)])
  | ExceptionGroup: two (1 sub-exception)
  +-+---------------- 1 ----------------
    | ValueError: 1
    +------------------------------------
"""
JAVA = 'Exception in thread "main" java.lang.RuntimeException: bad\n\tat Main.main(a.java:2)\n'
CAUSE = "Caused by: java.lang.ArithmeticException: / by zero\n\tat Main.f(a.java:1)\n\t... 1 more\n"
NODE = "/x/a.js:2\nfunction f(){ throw new Foo('hi'); }\n              ^\n\nFoo [Error]: hi\n    at f (/x/a.js:2:21)\n"
GO = "panic: runtime error: index out of range [5]\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/a.go:5 +0x18\n"
RUST = "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
RUBY = "a.rb:1:in `/': divided by 0 (ZeroDivisionError)\n\tfrom a.rb:2:in `<main>'\n"
LUA = "lua5.4: /x/a.lua:1: attempt to index a nil value (local 't')\nstack traceback:\n\t/x/a.lua:1: in main chunk\n"
PHP = "PHP Fatal error:  Uncaught Exception: x in /x/a.php:3\nStack trace:\n#0 {main}\n  thrown in /x/a.php on line 3\n"
CSHARP = "\nUnhandled Exception:\nSystem.IndexOutOfRangeException: Index was outside.\n  at P.Main ()\n"
INT = "terminate called after throwing an instance of 'int'\n"
WHAT = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  index 7\n"


@pytest.mark.parametrize(
    ("language", "text", "crash"),
    [
        ("python3", f"{PYTHON}IndexError: list index\n", "IndexError: list index (line 7)"),
        ("python3", f"debug\n{PYTHON}KeyError: 1\n\nDuring ...\n\n{PYTHON}AssertionError\n", "AssertionError (line 7)"),
        ("pypy3", f"{PYTHON}{LIBRARY}json.JSONDecodeError: bad\n", "json.JSONDecodeError: bad (line 7)"),
        ("python3", GROUP, "ExceptionGroup: two (1 sub-exception) (line 1)"),
        ("python3", '  File "a.py", line 3\n    x 1\n     ^\nSyntaxError: invalid\n', "SyntaxError: invalid (line 3)"),
        ("python3", "a message of sys.exit\n", ""),
        ("java", JAVA, "java.lang.RuntimeException: bad (line 2)"),
        (
            "java",
            JAVA + CAUSE,
            "java.lang.RuntimeException: bad, caused by java.lang.ArithmeticException: / by zero (line 1)",
        ),
        ("scala", "java.lang.StackOverflowError\n\tat Main$.f(b.scala:3)\n", "java.lang.StackOverflowError"),
        ("javascript", NODE + "\nNode.js v20.20.2\n", "Foo [Error]: hi (line 2)"),
        ("javascript", "/x/a.js:1\nthrow 'abc';\n^\nabc\n(Use `node ...\n\nNode.js v20\n", "abc"),
        ("javascript", "FATAL ERROR: Reached heap limit\n", "Reached heap limit"),
        ("cpp", WHAT, "std::out_of_range: index 7"),
        ("cpp", INT, INT.strip()),
        ("cpp", "program: a.cpp:5: int main(): Assertion `n==1' failed.\n", "Assertion `n==1' failed (line 5)"),
        ("c", "*** stack smashing detected ***: terminated\n", "*** stack smashing detected ***: terminated"),
        ("c", "free(): double free detected in tcache 2\n", "free(): double free detected in tcache 2"),
        ("c", "n is 3\n", ""),
        ("go", GO, "panic: runtime error: index out of range [5] (line 5)"),
        ("rust", f"thread 'main' panicked at a.rs:3:5:\nbad index\n{RUST}", "bad index (line 3)"),
        ("rust", f"thread 'main' panicked at 'bad index', a.rs:3:5\n{RUST}", "bad index (line 3)"),
        ("ruby", RUBY, "ZeroDivisionError: divided by 0 (line 1)"),
        ("lua", LUA, "attempt to index a nil value (local 't') (line 1)"),
        ("php", PHP, "Exception: x (line 3)"),
        ("perl", "Illegal division by zero at a.pl line 1.\n", "Illegal division by zero (line 1)"),
        ("ocaml", 'Fatal error: exception Failure("x")\n', 'Failure("x")'),
        ("pascal", "Runtime error 200 at $00000000004010C6\n  $0000000\n", "Runtime error 200: division by zero"),
        ("haskell", "program: Prelude.head: empty list\nCallStack:\n", "Prelude.head: empty list"),
        ("csharp", CSHARP, "System.IndexOutOfRangeException: Index was outside."),
        ("fortran", "At line 4 of file a.f90\nFortran runtime error: End of file\n", "End of file (line 4)"),
        ("bash", "x: command not found\n", ""),
    ],
)  # fmt: skip
def test_the_exception_that_ended_a_program_is_one_line(language: str, text: str, crash: str) -> None:
    row = next(each for each in LANGUAGES if each.id == language)
    assert find_crash(text, report_of(row), [f"a{row.file_suffix}"]) == crash


@pytest.mark.parametrize("row", LANGUAGES, ids=lambda row: row.id)
def test_hostile_output_takes_no_longer_than_its_size(row: Language) -> None:
    for part in (
        "a.x:1:in b: ",
        "Traceback (most recent call last):\n ",
        "x: ",
        "^\n",
        'Exception in thread "" \n',
        "A",
    ):
        find_crash(part * 1500, report_of(row), ["a.x"])  # with quadratic patterns, this would not end


def test_a_line_in_another_file_of_the_program_is_named() -> None:
    row = next(each for each in LANGUAGES if each.id == "python3")
    text = PYTHON + '  File "/x/util.py", line 2, in f\n    1/0\nZeroDivisionError: division by zero\n'
    assert (
        find_crash(text, report_of(row), ["a.py", "util.py"]) == "ZeroDivisionError: division by zero (util.py, line 2)"
    )
