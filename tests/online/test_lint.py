"""`judge check` finds in a text what an online judge would reject, and nothing else."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from judge.base.errors import DataError, Diagnostic, Severity
from judge.languages.interpreters import find_interpreter_by_version
from judge.languages.table import SUFFIXES
from judge.online.lint import judges
from judge.online.lint.check import check_source, check_text
from judge.online.lint.dry_run import check_format
from judge.online.lint.judges import JUDGES, OnlineJudge
from judge.online.lint.requirements import Guards, Names
from judge.online.lint.versions import find_version_requirements
from judge.online.python_source import HOST, parse_source
from judge.problems.native import load_problem
from tests.online.lint_corpus import NEW, OLD, REMOVED, UNSEEN, Snippet

ROOT = Path(__file__).parents[2]
IDS = ["euler54", "handclear", "holdem", "mahjonghu", "uva131"]


def name(snippet: Snippet) -> str:
    return snippet.source.replace("\n", "; ")[:60]


def check(
    source: bytes, judge: str | OnlineJudge = "uva", suffix: str = ".py", own_modules: frozenset[str] = frozenset()
) -> list[Diagnostic]:
    """Check a text for a judge."""
    row = JUDGES[judge] if isinstance(judge, str) else judge
    return check_text(Path(f"x{suffix}"), source, row, own_modules)


def bounds(source: str) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """Return the first version that meets a source's requirements, and the first that no longer does."""
    parsed = parse_source(Path("x.py"), source.encode())
    names = Names(parsed.tree)
    found = list(Guards(parsed.tree, names).apply(find_version_requirements(parsed, names)))
    since = max([(3, 5), *(each.since for each in found)])
    return since, min((each.until for each in found if each.until), default=None)


# ---- versions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("snippet", [*NEW, *REMOVED, *OLD], ids=name)
def test_the_versions_that_run_a_snippet_are_found(snippet: Snippet) -> None:
    if snippet.host > HOST:
        with pytest.raises(DataError, match=r"needs a newer Python") as caught:
            parse_source(Path("x.py"), snippet.source.encode())
        assert caught.value.diagnostics[0].line > 0
    else:
        assert bounds(snippet.source) == (snippet.since, snippet.until)


# AtCoder's PyPy still has what 3.13 removed: a warning, tested below.
REJECTED = [snippet for snippet in (*NEW, *REMOVED) if snippet.until != (3, 13)]


@pytest.mark.parametrize("snippet", REJECTED, ids=name)
def test_a_snippet_is_reported_for_a_judge_that_lacks_its_version(snippet: Snippet) -> None:
    found = check(snippet.source.encode(), "atcoder" if snippet.until else "uva")
    assert any(each.line > 0 and each.fix and each.rule == "version" for each in found), found


@pytest.mark.parametrize("snippet", OLD, ids=name)
def test_a_snippet_that_runs_everywhere_has_no_findings(snippet: Snippet) -> None:
    for judge in JUDGES.values():
        assert check(snippet.source.encode(), judge) == []


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


@pytest.mark.thorough
@pytest.mark.parametrize("minor", range(6, 14))
def test_real_interpreters_agree_with_the_corpus(minor: int) -> None:
    python = find_interpreter_by_version((3, minor), (f"python3.{minor}",))
    if python is None:
        pytest.skip(f"Python 3.{minor} is not on this machine")
    # The security releases of 2022 limit the digits of a number's text; older patch releases do not.
    snippets = [
        each for each in [*NEW, *REMOVED, *OLD, *UNSEEN] if each.until != (3, 7) and "int_max_str" not in each.source
    ]
    argv = [python.path, "-I", "-W", "ignore", "-c", EACH, json.dumps([each.source for each in snippets])]
    ran = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    for snippet, runs in zip(snippets, json.loads(ran.stderr), strict=True):
        assert runs == (snippet.since <= (3, minor) and (snippet.until is None or (3, minor) < snippet.until)), snippet


@pytest.mark.parametrize("problem_id", IDS)
def test_the_shipped_solutions_have_no_findings(problem_id: str) -> None:
    for solution in load_problem(ROOT, problem_id).solutions:
        if solution.expectation.name == "accepted":
            for judge in JUDGES.values():
                assert check(solution.path.read_bytes(), judge) == [], (solution.display_path, judge.id)


def test_what_one_of_two_interpreters_has_is_a_warning_that_names_the_interpreter() -> None:
    (found,) = check(b"from itertools import batched\n", "codeforces")
    assert (found.severity, found.line, found.column) == (Severity.WARNING, 1, 23)
    assert "choose CPython 3.13.2" in found.fix


def test_an_import_of_a_bundled_module_is_not_a_finding() -> None:
    source = (
        b"class _Bundle_:\n    texts = {}\n_Bundle_.texts['cards'] = True, '''from . import ranks\nx = f'{1}'\n'''\n"
    )
    version, other = check(source + b"import cards, hands\n", own_modules=frozenset({"cards"}))
    assert (version.line, version.rule) == (4, "version")
    assert (other.line, other.rule) == (6, "import")
    assert "`hands`" in other.message


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
def test_a_handler_of_everything_guards_only_an_import(body: str, handler: str, severity: Severity | None) -> None:
    source = f"import math\ntry:\n    {body}\nexcept {handler}:\n    pass\n".replace(" :", ":")
    assert [each.severity for each in check(source.encode())] == [severity] * bool(severity)


def test_a_name_comes_from_the_star_import_that_has_it() -> None:
    source = b"from math import *\nfrom collections import *\nprint(prod([1]), deque())\n"
    (found,) = check(source)
    assert (found.line, found.severity) == (3, Severity.ERROR)
    assert "`math.prod`" in found.message


def test_each_use_of_a_missing_feature_has_its_position() -> None:
    found = check(b"import math\na = math.prod([1])\n\nb = math.prod([2])\n")
    assert [(each.line, each.column) for each in found] == [(2, 5), (4, 5)]


@pytest.mark.parametrize(
    ("source", "severity"),
    [
        ("from math import gcd\nnumbers = [4, 6]\nprint(gcd(*numbers))", Severity.WARNING),
        ("from math import gcd\nprint(gcd(4, 6, 8))", Severity.ERROR),
        ("a = {1: 2}\nb = {3: 4}\nprint(a | b)", Severity.WARNING),
    ],
)
def test_a_probable_use_is_a_warning(source: str, severity: Severity) -> None:
    (found,) = check(source.encode())
    assert found.severity is severity


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"print(", "not a valid Python"),
        (b"x = 1\nif x:\nprint(x)\n", "expected an indented block"),
        (b"# -*- coding: latin-99 -*-\nprint(1)\n", "encoding"),
        (b"print('\xff')\n", "encoding"),
        (b"", "empty"),
        (b"x = 1\0\n", "null bytes"),
    ],
)
def test_a_text_that_is_not_a_program_is_one_finding(source: bytes, message: str) -> None:
    found = check(source)
    assert [each.severity for each in found if message in each.message] == [Severity.ERROR]


# ---- imports and access ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "judge", "message"),
    [
        ("import numpy", "uva", "`numpy` is not in the standard library"),
        ("import numpy", "atcoder", ""),
        ("import torch", "atcoder", "`torch` is neither in the standard library nor installed at AtCoder"),
        ("from sortedcontainers import SortedList", "kattis", "is not in the standard library"),
        ("try:\n    import numpy\nexcept ImportError:\n    numpy = None", "uva", ""),
        ("from cards import Card", "uva", "`cards` is one of your own modules"),
        ("def f():\n    import cards", "kattis", "`cards` is one of your own modules"),
        ("from . import cards", "kattis", "is one of your own modules"),
        ("import importlib\nimportlib.import_module('cards')", "uva", "`cards` is one of your own modules"),
        ("import sys, os.path, collections.abc", "uva", ""),
        ("try:\n    from cards import show\nexcept ImportError:\n    show = print", "uva", ""),
        (
            "try:\n    import cards\n    print(cards.X)\nexcept Exception:\n    pass",
            "uva",
            "`cards` is one of your own modules",
        ),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from _typeshed import Incomplete", "uva", ""),
    ],
)
def test_imports_of_modules_that_the_judge_lacks_are_found(source: str, judge: str, message: str) -> None:
    found = check(source.encode(), judge, own_modules=frozenset({"cards"}))
    assert [each for each in found if each.rule == "import" and message in each.message] == found
    assert bool(found) == bool(message)


@pytest.mark.parametrize(
    ("source", "severity"),
    [
        ("for line in open('input.txt'): pass", "error"),
        ("import sys\nsys.stdin = open('input.txt')", "error"),
        ("import io\nio.open('x')", "error"),
        ("from pathlib import Path\nprint(Path('x').read_text())", "error"),
        ("import os\nprint(os.listdir('.'))", "error"),
        ("import sys\nprint(sys.argv[1])", "warning"),
        ("from sys import argv\nprint(argv)", "warning"),
        ("import sys\nDEBUG = len(sys.argv) > 1", "warning"),
        ("import sys\ntry:\n    f = open(sys.argv[1])\nexcept (IndexError, OSError):\n    f = sys.stdin", "warning"),
        ("import sys\ntry:\n    sys.stdin = open('in.txt')\nexcept:\n    pass", "warning"),
        ("LOCAL = False\nif LOCAL:\n    open('in.txt')", "warning"),
        ("LOCAL = True\nif LOCAL:\n    open('in.txt')", "error"),
        ("ONLINE = True\nif not ONLINE:\n    open('in.txt')\nelse:\n    open(0)", "warning"),
        ("LOCAL = True\nLOCAL = False\nif LOCAL:\n    open('in.txt')", "error"),
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
    found = check(source.encode())
    assert {each.severity.value for each in found} == ({severity} if severity else set()), found
    assert all(each.line and each.fix for each in found)


# ---- the source, and other languages ---------------------------------------------------------------------------------


def test_a_source_larger_than_the_judges_limit_is_found() -> None:
    source = b"#" * 65_535
    assert check(source, "codeforces") == []
    (found,) = check(source + b"#", "codeforces")
    assert (found.rule, found.severity) == ("source", Severity.ERROR)
    (unsure,) = check(source, "uva")
    assert unsure.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("source", "judge", "messages"),
    [
        (b"public class Main { public static void main(String[] a) {} }", "uva", []),
        (b"public class Poker { public static void main(String[] a) {} }", "uva", ["`Poker`; UVa"]),
        (b"public class Poker { public static void main(String[] a) {} }", "kattis", []),
        (
            b"package p;\npublic class Main { public static void main(String[] a) {} }",
            "uva",
            ["a `package` declaration"],
        ),
        (b"\xef\xbb\xbfclass Main { public static void main(String[] a) {} }", "uva", ["byte order mark"]),
        (b"class Main {\n  public static void main(String[] a) {}\0 }", "uva", ["a NUL byte"]),
    ],
)
def test_java_classes_have_the_name_that_the_judge_runs(source: bytes, judge: str, messages: list[str]) -> None:
    found = check(source, judge, ".java")
    assert len(found) == len(messages)
    assert all(part in each.message for part, each in zip(messages, found, strict=True))


def test_a_program_can_check_a_source_without_a_repository(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    (tmp_path / "cards.py").touch()
    report = check_source(path, b"import cards\n", JUDGES["uva"], shown=Path("x.py"), notes=["one"])
    (found,) = report.diagnostics
    assert str(found).splitlines() == [
        "x.py:1:1: error: `cards` is one of your own modules, but you submit a single file",
        "    fix: `judge bundle x.py` combines them into one file",
    ]
    assert (report.errors, report.is_ready, report.dry_run, report.notes[0]) == (1, False, None, "one")
    assert check_source(path, b"print(1)\n", JUDGES["uva"]).is_ready


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_no_bytes_break_the_check(suffix: str) -> None:
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
            check(source, judge, suffix)


def test_each_judge_names_the_source_of_its_facts() -> None:
    text = Path(judges.__file__).read_text(encoding="utf-8")
    assert len(re.findall(r"\n    # .+\n    OnlineJudge\(\n", text)) == len(JUDGES)
    for judge in JUDGES.values():
        assert judge.slowness >= 1
        assert all(each.version >= (3, 5) and each.commands for each in judge.pythons)


# ---- the format of an output -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "answer", "errors"),
    [
        (b"1\n2\n", b"1\n2\n", []),
        (b"", b"1\n", []),
        (b"1\n2", b"1\n2\n", ["does not end with a newline"]),
        (b"1", b"1", []),
        (b"1", None, ["does not end with a newline"]),
        (b"1\n2 \n", b"1\n2\n", ["has white space at the end of line 2"]),
        (b"1\n2 \n", b"1\n2 \n", []),
        (b"1\t\n", b"1\n", ["has white space at the end of line 1"]),
        (b"1\r\n", b"1\n", ["has CR LF line endings"]),
        (b"1 \r\n", b"1 \r\n", []),
    ],
)
def test_the_format_of_an_output_is_compared_with_that_of_the_answer(
    output: bytes, answer: bytes | None, errors: list[str]
) -> None:
    assert [message for message, _ in check_format(output, answer)] == errors


def test_sources_are_parsed_by_this_python() -> None:
    assert sys.version_info[:2] == HOST
