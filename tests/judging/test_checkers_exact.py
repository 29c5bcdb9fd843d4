"""The `exact` and `lines` checkers: every byte counts, or the lines without the whitespace at their ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.judging.checkers import CHECKERS, check
from judge.model import CheckerConfig, CheckResult, Mismatch, Verdict

# ---- the `exact` checker --------------------------------------------------------------------------------------------


EXACT = CheckerConfig(name="exact")
TEXTS = st.lists(st.sampled_from(b"aAb1 \t\n\n\r\x0b\x0c\0\xe9"), max_size=30).map(bytes)


def judge_exact(answer: bytes, output: bytes) -> CheckResult:
    """Judge with the `exact` checker."""
    return check(EXACT, answer, output)


def difference(answer: bytes, output: bytes) -> Mismatch:
    """Return the difference that the checker reports."""
    mismatch = judge_exact(answer, output).mismatch
    assert mismatch is not None
    return mismatch


@pytest.mark.parametrize(
    "output", [b"a b", b"a b\n\n", b"a b \n", b"a  b\n", b"a\tb\n", b"\na b\n", b"a b\r\n", b"a\nb\n"]
)
def test_a_presentation_error_is_different_whitespace_only(output: bytes) -> None:
    assert judge_exact(b"a b\n", output).verdict is Verdict.PE
    assert judge_exact(output, b"a b\n").verdict is Verdict.PE
    assert difference(b"a b\n", output).whitespace_only


@pytest.mark.parametrize("output", [b"ab\n", b"A b\n", b"b a\n", b"a\n", b"a b c\n", b"a b\0\n", b"", b" \n"])
def test_anything_else_is_wrong(output: bytes) -> None:
    assert judge_exact(b"a b\n", output).verdict is Verdict.WA
    assert judge_exact(output, b"a b\n").verdict is Verdict.WA
    assert not difference(b"a b\n", output).whitespace_only


def test_whitespace_for_an_empty_answer_is_a_presentation_error() -> None:
    assert judge_exact(b"", b"\n").verdict is Verdict.PE


def test_a_missing_newline_at_the_end_is_reported_at_the_end() -> None:
    result = judge_exact(b"1\n2\n", b"1\n2")
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
    result = judge_exact(b"a b\nc\n", b"a b \r\nd\n")
    assert result.verdict is Verdict.WA
    assert result.reason == "line 2, token 1: expected `c`, found `d` (whitespace differs before, from line 1)"


def test_a_missing_token_is_reported_in_its_line() -> None:
    assert judge_exact(b"a b\nc\n", b"a\nc\n").reason == "line 1, token 2: expected `b`, found nothing"


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
def test_bytes_decide_then_tokens(answer: bytes, output: bytes) -> None:
    expected = Verdict.AC if answer == output else Verdict.PE if answer.split() == output.split() else Verdict.WA
    assert judge_exact(answer, output).verdict is expected


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


# ---- the `lines` checker --------------------------------------------------------------------------------------------


LINES = CheckerConfig(name="lines")


def judge_lines(answer: bytes, output: bytes) -> CheckResult:
    """Judge with the `lines` checker."""
    return check(LINES, answer, output)


def accepts(answer: bytes, output: bytes) -> bool:
    """Return whether the verdict is AC; the only other verdict is WA."""
    verdict = judge_lines(answer, output).verdict
    assert verdict in (Verdict.AC, Verdict.WA)
    return verdict is Verdict.AC


@pytest.mark.parametrize(
    "output", [b"a b\nc\n", b"a b\nc", b"a b  \nc\t\n", b"a b\r\nc\r\n", b"a b\x0b\x0c\nc ", b"a b\nc\n  "]
)
def test_whitespace_at_the_ends_of_lines_and_a_missing_last_newline_do_not_matter(output: bytes) -> None:
    assert accepts(b"a b\nc\n", output)
    assert accepts(output, b"a b\nc\n")


@pytest.mark.parametrize(
    "output",
    [
        b"a b\nc\n\n",  # an extra empty line at the end
        b"a b\nc\n \n",
        b"\na b\nc\n",
        b"a b\n\nc\n",
        b"a  b\nc\n",
        b" a b\nc\n",
        b"a\tb\nc\n",
        b"A b\nc\n",
        b"a b c\n",
        b"a b\rc\n",
        b"a b\n",
        b"a b\nc\nd\n",
        b"a b\nc\0\n",
        b"",
    ],
)
def test_anything_else_matters(output: bytes) -> None:
    assert not accepts(b"a b\nc\n", output)
    assert not accepts(output, b"a b\nc\n")


def test_no_line_and_an_empty_line_differ() -> None:
    assert not accepts(b"", b"\n")
    assert not accepts(b"\n", b"\n\n")
    assert accepts(b"", b" \t")
    assert accepts(b"\n", b" \n ")


def test_numbers_are_text() -> None:
    assert not accepts(b"1\n", b"1.0\n")


def test_the_position_is_that_of_the_first_line_that_differs() -> None:
    found = judge_lines(b"a\nb\nc d\n", b"a \nb\r\nc e\n").mismatch
    assert found is not None
    assert (found.line, found.column, found.token, found.expected, found.found) == (3, 3, 2, b"d", b"e")
    assert [row.agrees for row in found.rows] == [True, True, False]
    assert found.hints == ()


def test_a_token_missing_at_the_end_of_a_line_is_reported_there() -> None:
    assert judge_lines(b"a b\nc\n", b"a \nc\n").reason == "line 1, token 2: expected `b`, found nothing"


def test_different_whitespace_inside_a_line_is_reported() -> None:
    result = judge_lines(b"a b\n", b"a\tb\n")
    assert result.reason == "line 1, column 2: expected whitespace ` `, found `\\t`"
    assert result.mismatch is not None
    assert result.mismatch.whitespace_only
    assert result.mismatch.hints == ("the output has tabs",)


def test_different_letter_case_is_reported() -> None:
    result = judge_lines(b"Yes\nno\n", b"Yes\nNo\n")
    assert result.mismatch is not None
    assert result.mismatch.hints == ("only the letter case differs",)


@settings(deadline=None)
@given(answer=TEXTS)
def test_an_answer_is_accepted_by_its_own_checker(answer: bytes) -> None:
    assert accepts(answer, answer)


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
def test_lines_without_trailing_whitespace_decide(answer: bytes, output: bytes) -> None:
    def lines(text: bytes) -> list[bytes]:
        *whole, last = text.split(b"\n")
        return [line.rstrip() for line in whole] + ([last.rstrip()] if last.strip() else [])

    assert accepts(answer, output) == (lines(answer) == lines(output))


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
def test_what_lines_accepts_tokens_accepts(answer: bytes, output: bytes) -> None:
    if accepts(answer, output):
        assert check(CheckerConfig(name="tokens", case_sensitive=True), answer, output).verdict is Verdict.AC


@settings(deadline=None)
@given(
    lines=st.lists(st.sampled_from([b"", b"a", b"a b", b" c"]), max_size=12),
    ends=st.lists(st.sampled_from([b"\n", b" \n", b"\r\n", b"\t \r\n"]), min_size=12, max_size=12),
)
def test_any_line_endings_are_accepted(lines: list[bytes], ends: list[bytes]) -> None:
    output = b"".join(line + end for line, end in zip(lines, ends, strict=False))
    assert accepts(b"".join(line + b"\n" for line in lines), output)


@pytest.mark.parametrize("before", [0, 1, 1000, 40_000, 65_536, 100_000])
@pytest.mark.parametrize("end", [b"\n", b" \r\n"])
def test_a_difference_is_found_in_long_texts_wherever_it_is(before: int, end: bytes) -> None:
    answer = b"44 4\n" * before + b"6\n" + b"\n" * 50_000
    found = judge_lines(answer, (b"44 4" + end) * before + b"7" + end + b"\n" * 50_000).mismatch
    assert found is not None
    assert (found.line, found.column, found.expected, found.found) == (before + 1, 1, b"6", b"7")
