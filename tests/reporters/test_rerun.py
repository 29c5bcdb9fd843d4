"""The command that reruns a case: a shell parses it back exactly, and a terminal shows it safely."""

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.model import EXPECTATIONS, ProblemType, Solution
from judge.reporters.formatting import hack_command, quote_word, rerun_command
from tests.report_scenarios import ROOT, accepted, case, judged, problem, solution

WORDS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12),
    st.text("ab '\"$`\\!*?[]{}~#&;|<>\n\t\x1b\x7f-x0", min_size=1, max_size=12),
)


@given(st.lists(WORDS, min_size=1, max_size=20), st.booleans())
@settings(max_examples=40, deadline=None)
def test_a_shell_parses_quoted_words_back(words: list[str], ascii_only: bool) -> None:
    line = " ".join(quote_word(word, ascii_only=ascii_only) for word in words)
    assert line.isprintable()
    assert line.isascii() or not ascii_only
    run = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True)
    assert run.stdout == b"".join(word.encode() + b"\0" for word in words)


def test_a_name_that_is_not_utf8_is_quoted_as_its_bytes() -> None:
    assert quote_word("caf\udce9.py") == "$'caf\\xe9.py'"


@pytest.mark.parametrize(
    ("display_path", "expected"),
    [
        ("solutions/uva131/wrong_answer/x.py", "judge run solutions/uva131/wrong_answer/x.py --case edge/ace-low"),
        ("my poker.py", "judge run uva131 --solution 'my poker.py' --case edge/ace-low"),
        ("-x.py", "judge run uva131 --solution ./-x.py --case edge/ace-low"),
        ("solutions/holdem/a.py", "judge run uva131 --solution solutions/holdem/a.py --case edge/ace-low"),
    ],
)
def test_the_command_names_the_problem_only_for_files_outside_its_solutions(display_path: str, expected: str) -> None:
    which = Solution(path=ROOT / display_path, display_path=display_path, expectation=EXPECTATIONS["accepted"])
    assert rerun_command(problem(), which, case("edge/ace-low")) == expected


def test_the_command_repeats_the_options_and_a_folder_of_cases_needs_no_problem() -> None:
    bare = problem("tests", "work/tests")
    bare = type(bare)(id=bare.id, name=bare.name, limits=bare.limits, checker=bare.checker, folder=None)
    file = Solution(path=Path("/elsewhere/x.py"), display_path="x.py", expectation=EXPECTATIONS["accepted"])
    command = rerun_command(bare, file, case("a/1"), options=("--cases", "work/my tests"))
    assert command == "judge run --solution x.py --cases 'work/my tests' --case a/1"


def test_a_case_name_with_pattern_characters_is_escaped() -> None:
    command = rerun_command(problem(), solution(problem(), "accepted/a.py"), case("a/x[1]"))
    assert shlex.split(command)[-1] == "a/x[[]1]"


def test_without_a_case_the_command_runs_all_cases() -> None:
    assert rerun_command(problem(), solution(problem(), "accepted/a.py")) == "judge run solutions/uva131/accepted/a.py"


def test_a_search_is_suggested_where_one_is_possible() -> None:
    of = problem()
    result = judged(solution(of, "wrong_answer/a.py"), [accepted("edge/ace-low")])
    assert hack_command(of, result, ascii_only=False) == "judge hack solutions/uva131/wrong_answer/a.py"
    elsewhere = (
        (replace(of, types=frozenset({ProblemType.SUBMIT_ANSWER})), result),
        (replace(of, folder=None), result),
        (of, replace(result, rerun_args=("--cases", "more"))),
        (of, judged(solution(of, "accepted/a.py"), [accepted("edge/ace-low")])),
    )
    assert [hack_command(*each, ascii_only=False) for each in elsewhere] == [""] * 4
