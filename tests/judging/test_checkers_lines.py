"""The `lines` checker: the same lines; whitespace at their ends and the last newline do not matter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.judging.checkers import check
from judge.model import CheckerConfig, CheckResult, Verdict

LINES = CheckerConfig(name="lines")
TEXTS = st.lists(st.sampled_from(b"aAb1 \t\n\n\r\x0b\x0c\0\xe9"), max_size=30).map(bytes)


def judge(answer: bytes, output: bytes) -> CheckResult:
    """Judge with the `lines` checker."""
    return check(LINES, answer, output)


def accepts(answer: bytes, output: bytes) -> bool:
    """Return whether the verdict is AC; the only other verdict is WA."""
    verdict = judge(answer, output).verdict
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
    found = judge(b"a\nb\nc d\n", b"a \nb\r\nc e\n").mismatch
    assert found is not None
    assert (found.line, found.column, found.token, found.expected, found.found) == (3, 3, 2, b"d", b"e")
    assert [row.agrees for row in found.rows] == [True, True, False]
    assert found.hints == ()


def test_a_token_missing_at_the_end_of_a_line_is_reported_there() -> None:
    assert judge(b"a b\nc\n", b"a \nc\n").reason == "line 1, token 2: expected `b`, found nothing"


def test_different_whitespace_inside_a_line_is_reported() -> None:
    result = judge(b"a b\n", b"a\tb\n")
    assert result.reason == "line 1, column 2: expected whitespace ` `, found `\\t`"
    assert result.mismatch is not None
    assert result.mismatch.whitespace_only
    assert result.mismatch.hints == ("the output has tabs",)


def test_different_letter_case_is_reported() -> None:
    result = judge(b"Yes\nno\n", b"Yes\nNo\n")
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
    found = judge(answer, (b"44 4" + end) * before + b"7" + end + b"\n" * 50_000).mismatch
    assert found is not None
    assert (found.line, found.column, found.expected, found.found) == (before + 1, 1, b"6", b"7")
