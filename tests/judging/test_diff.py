"""The first difference of two texts: its position, its rows and hints, and the excerpt of the input."""

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from judge.judging.diff.chunks import (
    LINES,
    TOKENS,
    TOKENS_AND_SPACES,
    Granularity,
    common_prefix,
    first_difference,
    line_count,
)
from judge.judging.diff.mismatch import describe_mismatch, find_mismatch, to_printable
from judge.judging.diff.rows import align, extract_excerpt
from judge.model import DiffRow, Mismatch

TEXTS = st.lists(st.sampled_from(b"aAb1 \t\n\n\n\r\0\xe9"), max_size=40).map(bytes)
ALL = 1 << 30


def sides(rows: tuple[DiffRow, ...]) -> list[tuple[bytes | None, bytes | None]]:
    """Return the pairs of lines."""
    return [(row.expected, row.found) for row in rows]


def numbered(first: int, last: int) -> bytes:
    """Return a text with one number a line."""
    return b"".join(b"%d\n" % number for number in range(first, last + 1))


# ---- the position ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "output", "position", "expected", "found"),
    [
        (b"a b\n", b"a c\n", (1, 3, 2), b"b", b"c"),
        (b"abc\n", b"abd\n", (1, 1, 1), b"abc", b"abd"),
        (b"ab\n", b"a b\n", (1, 1, 1), b"ab", b"a"),
        (b"a b\n", b"a  b\n", (1, 3, 0), b" ", b"  "),
        (b"a b\n", b"a\n", (1, 2, 2), b"b", b""),
        (b"a\nb\n", b"a b\n", (1, 2, 0), b"\n", b" "),
        (b"a\nb\n", b"a c\n", (1, 3, 2), b"", b"c"),
        (b"a\nb\n", b"a\n", (2, 1, 1), b"b", b""),
        (b"a\n", b"", (1, 1, 1), b"a", b""),
        (b"", b"a\n", (1, 1, 1), b"", b"a"),
        (b"a\n", b"a", (1, 2, 0), b"\n", b""),
        (b"a\n", b"a \n", (1, 2, 0), b"\n", b" \n"),
        (b"a \t\n", b"a \r\n", (1, 3, 0), b" \t\n", b" \r\n"),
        (b"x\n a\n", b"x\n\ta\n", (2, 1, 0), b"\n ", b"\n\t"),
        (b"a\nb\n", b"a \nc\n", (1, 2, 0), b"\n", b" \n"),
    ],
)
def test_the_first_difference_is_a_token_or_the_whitespace_around_it(
    answer: bytes, output: bytes, position: tuple[int, int, int], expected: bytes, found: bytes
) -> None:
    seen = find_mismatch(answer, output)
    assert ((seen.line, seen.column, seen.token), seen.expected, seen.found) == (position, expected, found)


def test_equal_texts_have_no_mismatch() -> None:
    with pytest.raises(ValueError, match="equal"):
        find_mismatch(b"a\n", b"a\n")


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
def test_the_reported_line_contains_the_first_byte_that_differs(answer: bytes, output: bytes) -> None:
    assume(answer != output)
    found = find_mismatch(answer, output)
    same = common_prefix(answer, output)
    assert found.line == output.count(b"\n", 0, same) + 1
    line = output.split(b"\n")[found.line - 1]
    assert 1 <= found.column <= len(line) + 1
    if found.token:
        assert found.token <= len(line.split()) + 1
        assert line[found.column - 1 :].startswith(found.found)
    assert found.whitespace_only == (answer.split() == output.split())


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
def test_the_expected_and_the_found_part_differ(answer: bytes, output: bytes) -> None:
    assume(answer != output)
    found = find_mismatch(answer, output)
    assert found.expected != found.found


@given(one=TEXTS, other=TEXTS)
def test_the_common_prefix_is_the_longest(one: bytes, other: bytes) -> None:
    same = common_prefix(one, other)
    assert one[:same] == other[:same]
    assert one[same : same + 1] != other[same : same + 1] or same == len(one) == len(other)


def test_long_tokens_are_cut_around_their_first_difference() -> None:
    found = find_mismatch(b"x" * 1000 + b"1" + b"y" * 1000, b"x" * 1000 + b"2" + b"y")
    assert found.expected == b"..." + b"x" * 20 + b"1" + b"y" * 53 + b"..."
    assert found.found == b"..." + b"x" * 20 + b"2y"
    found = find_mismatch(b"x" * 79 + b"1", b"x" * 79 + b"2")
    assert (found.expected, found.found) == (b"x" * 79 + b"1", b"x" * 79 + b"2")
    found = find_mismatch(b"1" + b"y" * 80, b"2" + b"y" * 79)
    assert (len(found.expected), found.expected[-4:], len(found.found), found.found[-4:]) == (80, b"y...", 80, b"yyyy")


@settings(deadline=None)
@given(
    answer=TEXTS, output=TEXTS, chunk=st.integers(1, 5), granularity=st.sampled_from([TOKENS, TOKENS_AND_SPACES, LINES])
)
def test_texts_are_compared_the_same_in_chunks_of_any_size(
    answer: bytes, output: bytes, chunk: int, granularity: Granularity
) -> None:
    whole = first_difference(answer, output, granularity)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("judge.judging.diff.chunks._CHUNK", chunk)
        assert first_difference(answer, output, granularity) == whole


# ---- the rows -----------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
@example(answer=b"a", output=b"")
@example(answer=b"", output=b"\n")
def test_uncut_rows_rebuild_both_texts(answer: bytes, output: bytes) -> None:
    assume(answer != output)
    rows = find_mismatch(answer, output, before=ALL, after=ALL, width=ALL).rows
    assert b"".join(row.expected or b"" for row in rows) == answer
    assert b"".join(row.found or b"" for row in rows) == output
    assert [row.expected_line for row in rows if row.expected is not None] == list(range(1, line_count(answer) + 1))
    assert [row.found_line for row in rows if row.found is not None] == list(range(1, line_count(output) + 1))
    assert all(row.same == row.agrees for row in rows)


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS, before=st.integers(0, 3), after=st.integers(0, 3), width=st.integers(3, 9))
def test_the_first_difference_is_in_the_rows_however_few_and_short(
    answer: bytes, output: bytes, before: int, after: int, width: int
) -> None:
    assume(answer != output)
    found = find_mismatch(answer, output, before=before, after=after, width=width)
    assert not all(row.same for row in found.rows)
    assert any(row.found_line == found.line or row.expected_line == found.expected_line for row in found.rows)
    assert len(found.rows) <= before + after + 1
    assert all(len(side or b"") <= width for row in sides(found.rows) for side in row)


def test_a_missing_line_has_its_own_row_and_the_rest_is_aligned() -> None:
    output = numbered(1, 100).replace(b"\n50\n", b"\n")
    found = find_mismatch(numbered(1, 100), output)
    assert [row.expected_line for row in found.rows] == list(range(47, 59))
    assert [row.found_line for row in found.rows] == [47, 48, 49, None, *range(50, 58)]
    assert [row.same for row in found.rows] == [True] * 3 + [False] + [True] * 8


def test_an_extra_line_has_its_own_row_and_the_rest_is_aligned() -> None:
    output = numbered(1, 100).replace(b"\n50\n", b"\ndebug\n50\n")
    found = find_mismatch(numbered(1, 100), output)
    assert [row.expected_line for row in found.rows] == [47, 48, 49, None, *range(50, 58)]
    assert [row.same for row in found.rows] == [True] * 3 + [False] + [True] * 8


def test_a_wrong_line_is_beside_the_right_one() -> None:
    found = find_mismatch(numbered(1, 9), numbered(1, 9).replace(b"5", b"x"))
    assert [row for row in sides(found.rows) if row[0] != row[1]] == [(b"5\n", b"x\n")]


def test_similar_lines_are_side_by_side_if_one_is_missing() -> None:
    answer = b"Best hand: straight\nCase two\nend\n"
    assert sides(find_mismatch(answer, b"Best hand: flush\nend\n").rows) == [
        (b"Best hand: straight\n", b"Best hand: flush\n"),
        (b"Case two\n", None),
        (b"end\n", b"end\n"),
    ]
    assert sides(find_mismatch(answer, b"Case 2\nend\n").rows) == [
        (b"Best hand: straight\n", None),
        (b"Case two\n", b"Case 2\n"),
        (b"end\n", b"end\n"),
    ]


def test_lines_missing_at_the_end_have_an_empty_side() -> None:
    assert sides(find_mismatch(b"1\n2\n3\n", b"1\n").rows) == [(b"1\n", b"1\n"), (b"2\n", None), (b"3\n", None)]
    rows = find_mismatch(b"1\n", b"1\n2\n").rows
    assert sides(rows) == [(b"1\n", b"1\n"), (None, b"2\n")]
    assert {row.expected_cut for row in rows} == {row.found_cut for row in rows} == {(0, 0)}


def test_line_endings_are_kept() -> None:
    assert sides(find_mismatch(b"1\n2\n", b"1\r\n2").rows) == [(b"1\n", b"1\r\n"), (b"2\n", b"2")]


def test_long_lines_are_cut_around_their_first_difference_and_the_cut_is_counted() -> None:
    answer, output = b"x" * 1000 + b"1" + b"y" * 1000 + b"\n", b"x" * 1000 + b"2\n"
    (row,) = find_mismatch(answer, output).rows
    assert row.expected_cut == (934, 2002 - 934 - 200)
    assert row.found_cut == (934, 0)
    assert row.expected == answer[934:1134]
    assert row.found == output[934:]
    assert not row.same


def test_equal_parts_of_different_lines_are_not_equal() -> None:
    row = DiffRow(expected_line=1, expected=b"a", found_line=1, found=b"a", found_cut=(0, 9))
    assert not row.same


def test_long_lines_around_the_difference_are_cut_too() -> None:
    long = b"z" * 5000 + b"\n"
    rows = find_mismatch(long + b"1\n" + long, long + b"2\n" + long).rows
    assert [len(row.expected or b"") for row in rows] == [200, 2, 200]
    assert rows[0].expected_cut == rows[0].found_cut == (0, 4801)
    assert [row.same for row in rows] == [True, False, True]


def test_an_output_in_one_long_line_is_beside_the_line_that_it_gets_wrong() -> None:
    answer = numbered(1, 1000)
    output = answer.replace(b"\n", b" ").replace(b" 500 ", b" 0 ")
    found = find_mismatch(answer, output, offsets=(answer.index(b"500\n"), output.index(b" 0 ") + 1))
    (row,) = [row for row in found.rows if row.found is not None]
    assert (found.line, found.token, found.expected_line) == (1, 500, 500)
    assert row.expected == b"500\n"
    assert row.found is not None
    assert b" 0 " in row.found


@given(
    expected=st.lists(st.sampled_from([b"a\n", b"b\n", b"a b\n", b"A\n", b"\n"]), max_size=6),
    found=st.lists(st.sampled_from([b"a\n", b"b\n", b"a b\n", b"A\n", b"\n"]), max_size=6),
)
def test_an_alignment_has_every_line_once_in_order_and_pairs_equal_lines(
    expected: list[bytes], found: list[bytes]
) -> None:
    pairs = align(expected, found, (0, 0))
    assert [i for i, _ in pairs if i is not None] == list(range(len(expected)))
    assert [j for _, j in pairs if j is not None] == list(range(len(found)))
    assert (None, None) not in pairs
    if expected == found:
        assert pairs == [(i, i) for i in range(len(expected))]


# ---- the hints ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "output", "hints"),
    [
        (b"1\n", b"", {"the output is empty"}),
        (
            b"1\n",
            b" \n",
            {
                "the output has only whitespace",
                "the output has leading whitespace",
                "the output has trailing whitespace",
            },
        ),
        (b"", b"1\n", {"the expected output is empty"}),
        (b"1\n2\n", b"1\n2", {"no newline at the end of the output"}),
        (b"1\n2", b"1\n2\n", {"no newline at the end of the expected output"}),
        (b"1\n2\n", b"1\r\n2\r\n", {"the output has CRLF line endings"}),
        (b"1\r\n2\r\n", b"1\n2\n", {"the expected output has CRLF line endings"}),
        (b"1\n2\n", b"1 \n2\n", {"the output has trailing whitespace"}),
        (b"1\n2 \r\n", b"1\n2\r\n", {"the expected output has trailing whitespace"}),
        (b"1 2\n", b"1\t2\n", {"the output has tabs"}),
        (b"1 2\n", b" 1 2\n", {"the output has leading whitespace"}),
        (b"1 2\n", b"1  2\n", {"the output has double spaces"}),
        (b"1\n2\n", b"1\n\n2\n", {"the output has empty lines", "1 line more than expected"}),
        (b"1\n2\n3\n", b"1\n", {"2 lines fewer than expected"}),
        (b"Yes\nNo\n", b"YES\nno\n", {"only the letter case differs"}),
        (b"Yes\n1\n", b"YES\n2\n", {"only the letter case of the token differs"}),
        (b"a\n", b"\xff\n", {"the output is not valid UTF-8"}),
        (b"-1\n", b"\xe2\x88\x921\n", {"the output has non-ASCII characters"}),
        (b"1\n", b"\xef\xbb\xbf1\n", {"the output starts with a byte-order mark"}),
        (b"\xef\xbb\xbf1\n", b"1\n", {"the expected output starts with a byte-order mark"}),
        (b"\xff1\n", b"1\n", {"the expected output is not valid UTF-8"}),
        (b"1\n", b"1\0\n", {"the output has NUL bytes"}),
        (b"1\n", b"2\n", set()),
    ],
)
def test_all_hints_that_apply_are_given_and_no_others(answer: bytes, output: bytes, hints: set[str]) -> None:
    assert set(find_mismatch(answer, output).hints) == hints


def test_bytes_that_are_not_utf8_are_found_at_the_end_of_a_long_output() -> None:
    text = "\N{EURO SIGN}".encode() * 700_000
    assert "the output is not valid UTF-8" not in find_mismatch(b"1", text).hints
    assert "the output is not valid UTF-8" in find_mismatch(b"1", text[:-1]).hints


# ---- one line of text ---------------------------------------------------------------------------------------------


def test_characters_that_are_not_printable_are_escaped() -> None:
    assert to_printable(b"a\x1b[31m\0\xff\t\xe2\x82\xac") == "a\\x1b[31m\\x00\\xff\\t\N{EURO SIGN}"


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (
            Mismatch(line=3, column=5, token=2, expected=b"17", found=b"18"),
            "line 3, token 2: expected `17`, found `18`",
        ),
        (
            Mismatch(line=3, column=5, token=2, expected=b"17", found=b""),
            "line 3, token 2: expected `17`, found nothing",
        ),
        (
            Mismatch(line=3, column=5, token=0, expected=b"", found=b"\n"),
            "line 3, column 5: expected no whitespace, found `\\n`",
        ),
    ],
)
def test_a_difference_is_described_in_one_line(found: Mismatch, text: str) -> None:
    assert describe_mismatch(found) == text


# ---- the input's excerpt ------------------------------------------------------------------------------------------


def test_an_input_with_as_many_lines_as_the_answer_is_shown_at_the_failing_line() -> None:
    part = extract_excerpt(numbered(1, 100), related_line=50, answer_lines=100)
    assert (part.first_line, part.focus, part.lines) == (49, 50, (b"49", b"50", b"51"))
    assert part.total_lines == 100


def test_a_header_line_is_allowed() -> None:
    part = extract_excerpt(numbered(0, 100), related_line=50, answer_lines=100)
    assert (part.first_line, part.focus, part.lines) == (50, 51, (b"49", b"50", b"51"))


@pytest.mark.parametrize(
    ("line", "answer_lines"), [(None, 100), (5, None), (5, 98), (5, 101), (5, 1), (101, 100), (0, 100)]
)
def test_any_other_input_is_shown_from_its_beginning(line: int | None, answer_lines: int | None) -> None:
    part = extract_excerpt(numbered(1, 100), related_line=line, answer_lines=answer_lines)
    assert (part.first_line, part.focus, part.total_lines) == (1, 0, 100)
    assert part.lines == tuple(b"%d" % number for number in range(1, 8))


def test_the_neighbours_are_within_the_input() -> None:
    first = extract_excerpt(b"a\nb", related_line=1, answer_lines=2)
    assert (first.focus, first.lines) == (1, (b"a", b"b"))
    assert extract_excerpt(b"a\nb", related_line=2, answer_lines=2).lines == (b"a", b"b")
    assert extract_excerpt(b"a\n", related_line=1, answer_lines=1).lines == (b"a",)
    assert extract_excerpt(b"", related_line=1, answer_lines=0).lines == ()


def test_an_excerpt_is_short_for_any_input() -> None:
    part = extract_excerpt(b"x" * 10_000_000 + b"\ny", related_line=2, answer_lines=2)
    assert part.lines == (b"x" * 400, b"y")
    assert extract_excerpt(b"1\r\n2\r\n").lines == (b"1\r", b"2\r")


@given(data=TEXTS, line=st.integers(-1, 9), answer_lines=st.integers(0, 9))
def test_an_excerpt_is_a_part_of_the_input(data: bytes, line: int, answer_lines: int) -> None:
    part = extract_excerpt(data, related_line=line, answer_lines=answer_lines)
    every = data.split(b"\n")
    assert list(part.lines) == every[part.first_line - 1 : part.first_line - 1 + len(part.lines)]
    assert part.total_lines == line_count(data) == len(every) - (not every[-1])
    if part.focus:
        assert part.first_line <= part.focus < part.first_line + len(part.lines)
