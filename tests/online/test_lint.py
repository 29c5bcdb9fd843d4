"""What an online judge would object to is found by reading: versions, imports, access, size; and nothing else is."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judge.languages.interpreters import find_interpreter_by_version
from judge.languages.table import SUFFIXES
from judge.online.lint.dry_run import Form, form_of
from judge.online.lint.judges import JUDGES
from judge.online.lint.parsing import HOST, Obstacle, Parsed, Severity, parsed
from judge.online.lint.reading import read_for
from judge.online.lint.versions import needs_of
from judge.problems.native import load_problem
from tests.online.lint_corpus import GONE, NEW, OLD, Snippet

ROOT = Path(__file__).parents[2]
IDS = ["euler54", "handclear", "holdem", "mahjonghu", "uva131"]


def name(snippet: Snippet) -> str:
    return snippet.source.replace("\n", "; ")[:60]


def bounds(source: str) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """Return from which version on, and until which, a source runs by what we find in it."""
    read = parsed(source.encode())
    assert isinstance(read, Parsed)
    needs = needs_of(read)
    since = max([(3, 5), *(need.since for need in needs)])
    return since, min((need.until for need in needs if need.until), default=None)


# ---- versions ----------------------------------------------------------------------------------------------------


def test_the_corpus_is_large_enough() -> None:
    assert len(NEW) >= 60
    assert len(OLD) >= 15
    assert {snippet.since[1] for snippet in NEW} == set(range(6, 14))


@pytest.mark.parametrize("snippet", [*NEW, *GONE, *OLD], ids=name)
def test_the_versions_that_run_a_snippet_are_found(snippet: Snippet) -> None:
    if snippet.host > HOST:
        read = parsed(snippet.source.encode())
        assert isinstance(read, Obstacle)
        assert "needs Python 3." in read.reason
        assert read.line > 0
    else:
        assert bounds(snippet.source) == (snippet.since, snippet.until)


# What went away in 3.13 is still in AtCoder's PyPy: that is a warning, and tested below.
REFUSED = [snippet for snippet in (*NEW, *GONE) if snippet.until != (3, 13)]


@pytest.mark.parametrize("snippet", REFUSED, ids=name)
def test_a_snippet_is_refused_for_a_judge_that_lacks_it(snippet: Snippet) -> None:
    judge = JUDGES["atcoder"] if snippet.until else JUDGES["uva"]
    found = read_for(snippet.source.encode(), ".py", judge)
    assert any(each.line > 0 and each.fix and each.check == "version" for each in found), found


@pytest.mark.parametrize("snippet", OLD, ids=name)
def test_nothing_is_said_against_what_runs_everywhere(snippet: Snippet) -> None:
    for judge in JUDGES.values():
        assert read_for(snippet.source.encode(), ".py", judge) == ()


EACH = """
import json, sys
def runs(source):
    try:
        exec(compile(source, "snippet", "exec", dont_inherit=True), {"__name__": "__main__"})
    except Exception:
        return False
    return True
sys.stderr.write(json.dumps([runs(source) for source in json.loads(sys.argv[1])]))
"""


@pytest.mark.parametrize("minor", range(6, 14))
def test_real_interpreters_agree_with_the_corpus(minor: int) -> None:
    python = find_interpreter_by_version((3, minor), (f"python3.{minor}",))
    if python is None:
        pytest.skip(f"Python 3.{minor} is not on this machine")
    # The patches of 2022 brought a limit to the text of numbers: an older patch of a version has it not.
    asked = [each for each in [*NEW, *GONE, *OLD] if each.until != (3, 7) and "int_max_str" not in each.source]
    argv = [python.path, "-I", "-W", "ignore", "-c", EACH, json.dumps([each.source for each in asked])]
    ran = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    for snippet, runs in zip(asked, json.loads(ran.stderr), strict=True):
        assert runs == (snippet.since <= (3, minor) and (snippet.until is None or (3, minor) < snippet.until)), snippet


@pytest.mark.parametrize("problem_id", IDS)
def test_nothing_is_said_against_the_shipped_solutions(problem_id: str) -> None:
    for solution in load_problem(ROOT, problem_id).solutions:
        if solution.expectation.name == "accepted":
            for judge in JUDGES.values():
                assert read_for(solution.path.read_bytes(), ".py", judge) == (), (solution.shown, judge.id)


def test_what_one_of_two_interpreters_has_is_a_warning_that_names_it() -> None:
    (found,) = read_for(b"from itertools import batched\n", ".py", JUDGES["codeforces"])
    assert (found.severity, found.line, found.column) == (Severity.WARNING, 1, 23)
    assert "choose CPython 3.13.2" in found.fix


def test_an_import_that_a_bundle_holds_is_none() -> None:
    source = (
        b"class Loader:\n    def find_spec(cls, name):\n        pass\n"
        b"@Loader.module('cards')\ndef _cards():\n    from . import ranks\nimport cards, hands\n"
    )
    (found,) = read_for(source, ".py", JUDGES["uva"], frozenset({"cards"}))
    assert (found.line, found.check) == (7, "import")
    assert "`hands`" in found.reason


@pytest.mark.parametrize(
    ("body", "handler", "severity"),
    [
        ("prod = math.prod", "AttributeError", None),
        ("prod = math.prod", "Exception", None),
        ("from math import prod", "", None),
        ("n = int(input())\n    print(math.prod([n]))", "EOFError", Severity.ERROR),
        ("n = int(input())\n    print(math.prod([n]))", "Exception", Severity.WARNING),
        ("n = int(input())\n    print(math.prod([n]))", "", Severity.WARNING),
    ],
)
def test_a_handler_for_everything_is_a_guard_of_an_import_alone(
    body: str, handler: str, severity: Severity | None
) -> None:
    source = f"import math\ntry:\n    {body}\nexcept {handler}:\n    pass\n".replace(" :", ":")
    assert [each.severity for each in read_for(source.encode(), ".py", JUDGES["uva"])] == [severity] * bool(severity)


def test_of_several_stars_the_one_that_has_a_name_gives_it() -> None:
    source = b"from math import *\nfrom collections import *\nprint(prod([1]), deque())\n"
    (found,) = read_for(source, ".py", JUDGES["uva"])
    assert (found.line, found.severity) == (3, Severity.ERROR)
    assert "`math.prod`" in found.reason


def test_names_that_are_defined_by_each_other_many_times_are_read_at_once() -> None:
    source = "a = b = c = 1\n" + "a = a * 31 + b\nb = b + c\nc = c * a\n" * 20 + "print(a.bit_count())\n"
    begin = time.process_time()
    assert [each.line for each in read_for(source.encode(), ".py", JUDGES["uva"])] == [62]
    assert time.process_time() - begin < 5


def test_every_use_of_what_is_missing_has_its_line() -> None:
    found = read_for(b"import math\na = math.prod([1])\n\nb = math.prod([2])\n", ".py", JUDGES["uva"])
    assert [(each.line, each.column) for each in found] == [(2, 5), (4, 5)]


@pytest.mark.parametrize(
    ("source", "severity"),
    [
        ("from math import gcd\nnumbers = [4, 6]\nprint(gcd(*numbers))", Severity.WARNING),
        ("from math import gcd\nprint(gcd(4, 6, 8))", Severity.ERROR),
    ],
)
def test_what_is_only_likely_is_a_warning(source: str, severity: Severity) -> None:
    (found,) = read_for(source.encode(), ".py", JUDGES["uva"])
    assert found.severity is severity


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"print(", "no Python"),
        (b"x = 1\nif x:\nprint(x)\n", "expected an indented block"),
        (b"# -*- coding: latin-99 -*-\nprint(1)\n", "encoding"),
        (b"print('\xff')\n", "encoding"),
        (b"", "empty"),
        (b"x = 1\0\n", "NUL"),
    ],
)
def test_what_is_no_program_is_said_in_one_finding(source: bytes, reason: str) -> None:
    found = read_for(source, ".py", JUDGES["uva"])
    assert [each.severity for each in found if reason in each.reason] == [Severity.ERROR]


# ---- imports and access ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "judge", "reason"),
    [
        ("import numpy", "uva", "`numpy` does not belong to the standard library"),
        ("import numpy", "atcoder", ""),
        ("import torch", "atcoder", "`torch` is not among the libraries"),
        ("from sortedcontainers import SortedList", "kattis", "does not belong"),
        ("try:\n    import numpy\nexcept ImportError:\n    numpy = None", "uva", ""),
        ("from cards import Card", "uva", "`cards` is a module of yours"),
        ("def f():\n    import cards", "kattis", "`cards` is a module of yours"),
        ("from . import cards", "kattis", "is a module of yours"),
        ("import importlib\nimportlib.import_module('cards')", "uva", "`cards` is a module of yours"),
        ("import sys, os.path, collections.abc", "uva", ""),
        ("try:\n    from cards import show\nexcept ImportError:\n    show = print", "uva", ""),
        (
            "try:\n    import cards\n    print(cards.X)\nexcept Exception:\n    pass",
            "uva",
            "`cards` is a module of yours",
        ),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from _typeshed import Incomplete", "uva", ""),
    ],
)
def test_imports_of_what_the_judge_has_not_are_found(source: str, judge: str, reason: str) -> None:
    found = read_for(source.encode(), ".py", JUDGES[judge], frozenset({"cards"}))
    assert [each for each in found if each.check == "import" and reason in each.reason] == list(found)
    assert bool(found) == bool(reason)


@pytest.mark.parametrize(
    ("source", "severity"),
    [
        ("for line in open('input.txt'): pass", "error"),
        ("import sys\nsys.stdin = open('input.txt')", "error"),
        ("import io\nio.open('x')", "error"),
        ("from pathlib import Path\nprint(Path('x').read_text())", "error"),
        ("import os\nprint(os.listdir('.'))", "error"),
        ("import sys\nprint(sys.argv[1])", "error"),
        ("from sys import argv\nprint(argv)", "warning"),
        ("import sys\nDEBUG = len(sys.argv) > 1", "warning"),
        ("import sys\ntry:\n    f = open(sys.argv[1])\nexcept (IndexError, OSError):\n    f = sys.stdin", "warning"),
        ("import sys\ntry:\n    sys.stdin = open('in.txt')\nexcept:\n    pass", "warning"),
        ("LOCAL = False\nif LOCAL:\n    open('in.txt')", "warning"),
        ("LOCAL = True\nif LOCAL:\n    open('in.txt')", "error"),
        ("ONLINE = True\nif not ONLINE:\n    open('in.txt')\nelse:\n    open(0)", "warning"),
        ("LOCAL = False\nLOCAL = True\nif LOCAL:\n    open('in.txt')", "error"),
        ("import sys\nf = open(sys.stdin.fileno())", ""),
        ("import sys\nif len(sys.argv) > 1:\n    sys.stdin = open(sys.argv[1])", "warning"),
        ("import os, sys\nif os.path.exists('in.txt'):\n    sys.stdin = open('in.txt')", "warning"),
        ("f = open('/dev/stdin')", "warning"),
        ("import argparse", "warning"),
        ("import socket", "error"),
        ("from urllib import request", "error"),
        ("import subprocess", "error"),
        ("import os\nos.system('ls')", "error"),
        ("n = int(input('How many? '))", "error"),
        ("n = int(input())\nfor line in open(0): pass", ""),
        ("import sys, os\ndata = sys.stdin.buffer.read()\nos.write(1, data)\nos.read(0, 9)", ""),
        ("class Door:\n    def open(self, how):\n        return how\nDoor().open('wide')", ""),
        ("def open(door):\n    return door\nopen('door')", ""),
        ("import os\nprint(os.environ.get('ONLINE_JUDGE'))", ""),
    ],
)
def test_files_arguments_networks_and_prompts_are_found(source: str, severity: str) -> None:
    found = read_for(source.encode(), ".py", JUDGES["uva"])
    assert {each.severity.value for each in found} == ({severity} if severity else set()), found
    assert all(each.line and each.fix for each in found)


# ---- the source, and other languages ---------------------------------------------------------------------------------


def test_the_size_of_a_source_is_held_against_the_judges_limit() -> None:
    source = b"#" * 65_535
    assert read_for(source, ".py", JUDGES["codeforces"]) == ()
    (found,) = read_for(source + b"#", ".py", JUDGES["codeforces"])
    assert (found.check, found.severity) == ("source", Severity.ERROR)
    (doubtful,) = read_for(source, ".py", JUDGES["uva"])
    assert doubtful.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("source", "judge", "reasons"),
    [
        (b"public class Main { public static void main(String[] a) {} }", "uva", []),
        (b"public class Poker { public static void main(String[] a) {} }", "uva", ["`Poker`; UVa"]),
        (b"public class Poker { public static void main(String[] a) {} }", "kattis", []),
        (b"package p;\npublic class Main { public static void main(String[] a) {} }", "uva", ["a package"]),
        (b"\xef\xbb\xbfclass Main { public static void main(String[] a) {} }", "uva", ["byte order mark"]),
    ],
)
def test_java_classes_are_called_what_the_judge_runs(source: bytes, judge: str, reasons: list[str]) -> None:
    found = read_for(source, ".java", JUDGES[judge])
    assert len(found) == len(reasons)
    assert all(part in each.reason for part, each in zip(reasons, found, strict=True))


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_no_bytes_at_all_make_the_reading_fail(suffix: str) -> None:
    for source in (
        b"\xff\xfe\0",
        b"\0",
        b"{" * 300,
        b"(" * 5000,
        b"\\\n",
        b"'",
        b"\r\r\n\t x",
        b"x = " + b"1+" * 3000 + b"1",
    ):
        for judge in JUDGES.values():
            read_for(source, suffix, judge)


def test_every_judge_says_where_its_facts_are_from() -> None:
    for judge in JUDGES.values():
        assert judge.source
        assert judge.as_of
        assert judge.slowness >= 1
        assert all(each.version >= (3, 5) and each.commands for each in judge.interpreters)


# ---- the form of an output -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "answer", "form"),
    [
        (b"1\n2\n", b"1\n2\n", Form()),
        (b"", b"1\n", Form()),
        (b"1\n2", b"1\n2\n", Form(lacks_newline=True)),
        (b"1", b"1", Form()),
        (b"1\n2 \n", b"1\n2\n", Form(trailing=2)),
        (b"1\n2 \n", b"1\n2 \n", Form()),
        (b"1\t\n", b"1\n", Form(trailing=1)),
        (b"1\r\n", b"1\n", Form(has_returns=True)),
        (b"1 \r\n", b"1 \r\n", Form()),
    ],
)
def test_the_form_of_an_output_is_held_against_the_answers(output: bytes, answer: bytes, form: Form) -> None:
    assert form_of(output, answer) == form


def test_this_python_is_the_host() -> None:
    assert sys.version_info[:2] == HOST
