"""The `exact` checker: every byte counts; PE where only whitespace differs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.judging.checkers import CHECKERS, check
from judge.model import CheckerConfig, CheckResult, Mismatch, Verdict

EXACT = CheckerConfig(name="exact")
TEXTS = st.lists(st.sampled_from(b"aAb1 \t\n\n\r\x0b\x0c\0\xe9"), max_size=30).map(bytes)


def judge(answer: bytes, output: bytes) -> CheckResult:
    """Judge with the `exact` checker."""
    return check(EXACT, answer, output)


def difference(answer: bytes, output: bytes) -> Mismatch:
    """Return the difference that the checker reports."""
    mismatch = judge(answer, output).mismatch
    assert mismatch is not None
    return mismatch


@pytest.mark.parametrize(
    "output", [b"a b", b"a b\n\n", b"a b \n", b"a  b\n", b"a\tb\n", b"\na b\n", b"a b\r\n", b"a\nb\n"]
)
def test_a_presentation_error_is_different_whitespace_only(output: bytes) -> None:
    assert judge(b"a b\n", output).verdict is Verdict.PE
    assert judge(output, b"a b\n").verdict is Verdict.PE
    assert difference(b"a b\n", output).whitespace_only


@pytest.mark.parametrize("output", [b"ab\n", b"A b\n", b"b a\n", b"a\n", b"a b c\n", b"a b\0\n", b"", b" \n"])
def test_anything_else_is_wrong(output: bytes) -> None:
    assert judge(b"a b\n", output).verdict is Verdict.WA
    assert judge(output, b"a b\n").verdict is Verdict.WA
    assert not difference(b"a b\n", output).whitespace_only


def test_whitespace_for_an_empty_answer_is_a_presentation_error() -> None:
    assert judge(b"", b"\n").verdict is Verdict.PE


def test_a_missing_newline_at_the_end_is_reported_at_the_end() -> None:
    result = judge(b"1\n2\n", b"1\n2")
    assert result.reason == "only whitespace differs, first in line 2, column 2: expected whitespace `\\n`, found none"
    assert result.mismatch is not None
    assert result.mismatch.hints == ("no newline at the end of the output",)
    assert [(row.expected, row.found) for row in result.mismatch.rows] == [(b"1\n", b"1\n"), (b"2\n", b"2")]


def test_an_extra_newline_is_reported_after_the_last_line() -> None:
    found = difference(b"1\n", b"1\n\n")
    assert (found.line, found.column, found.token, found.expected, found.found) == (2, 1, 0, b"\n", b"\n\n")
    assert found.rows[-1].expected is None
    assert found.rows[-1].found == b"\n"


def test_a_wrong_token_is_reported_rather_than_whitespace_before_it() -> None:
    result = judge(b"a b\nc\n", b"a b \r\nd\n")
    assert result.verdict is Verdict.WA
    assert result.reason == "line 2, token 1: expected `c`, found `d` (whitespace differs before, from line 1)"


def test_a_missing_token_is_reported_in_its_line() -> None:
    assert judge(b"a b\nc\n", b"a\nc\n").reason == "line 1, token 2: expected `b`, found nothing"


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
def test_bytes_decide_then_tokens(answer: bytes, output: bytes) -> None:
    expected = Verdict.AC if answer == output else Verdict.PE if answer.split() == output.split() else Verdict.WA
    assert judge(answer, output).verdict is expected


@settings(deadline=None)
@given(answer=TEXTS)
@pytest.mark.parametrize("name", list(CHECKERS))
def test_every_checker_accepts_its_own_answer(name: str, answer: bytes) -> None:
    assert check(CheckerConfig(name=name), answer, answer) == CheckResult(verdict=Verdict.AC)


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
def test_a_stricter_checker_accepts_no_more(answer: bytes, output: bytes) -> None:
    exact, lines, tokens = (
        check(CheckerConfig(name=name), answer, output).verdict for name in ("exact", "lines", "tokens")
    )
    if exact is Verdict.AC:
        assert lines is Verdict.AC
    if lines is Verdict.AC:
        assert tokens is Verdict.AC
    if tokens is Verdict.WA:
        assert exact is Verdict.WA


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
@pytest.mark.parametrize("name", list(CHECKERS))
def test_every_rejection_has_a_reason_and_a_position(name: str, answer: bytes, output: bytes) -> None:
    result = check(CheckerConfig(name=name), answer, output)
    rejected = result.verdict is not Verdict.AC
    assert (result.mismatch is not None, result.reason != "") == (rejected, rejected)
    assert result.reason.isprintable()
