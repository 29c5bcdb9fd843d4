"""The `tokens` checker: the default output validator of the ICPC format (2025-09), rule by rule, and its laws."""

import re
from fractions import Fraction
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.judging import numbers
from judge.judging.checkers import check
from judge.judging.numbers import parse_number
from judge.model import CheckerConfig, Mismatch, Verdict

SPACES = b" \x0c\n\r\t\x0b"
PLAIN = CheckerConfig()
CASE = CheckerConfig(case_sensitive=True)
SPACE = CheckerConfig(space_change_sensitive=True)

TEXTS = st.lists(st.sampled_from(b"aAbB10.-e \t\n\r\x0b\x0c\0\xe9"), max_size=40).map(bytes)
NUMBERS = st.from_regex(rb"\A[+-]?([0-9]{0,3}\.[0-9]{1,3}|[0-9]{1,3}\.?)([eE][+-]?[0-9]{1,2})?\Z")
BOUNDS = st.none() | st.sampled_from([0.0, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 1.0, 3.0, 1e9])

LOOSER = st.sampled_from(
    [(None, 0.0), (None, 0.5), (0.0, 1e-9), (0.0, 0.1), (0.1, 0.2), (0.1, 3.0), (0.5, 0.5), (1.0, 9.0), (2.0, 1e300)]
)


def within(absolute: float | None = None, relative: float | None = None) -> CheckerConfig:
    """Return the checker with these tolerances."""
    return CheckerConfig(float_absolute_tolerance=absolute, float_relative_tolerance=relative)


def _config(**fields: Any) -> CheckerConfig:  # Hypothesis would look up types that are imported for checking only
    return CheckerConfig(**fields)


CONFIGS = st.builds(
    _config,
    case_sensitive=st.booleans(),
    space_change_sensitive=st.booleans(),
    float_absolute_tolerance=BOUNDS,
    float_relative_tolerance=BOUNDS,
)


def accepts(answer: bytes, output: bytes, config: CheckerConfig = PLAIN) -> bool:
    """Return whether the verdict is AC; the only other verdict is WA."""
    verdict = check(config, answer, output).verdict
    assert verdict in (Verdict.AC, Verdict.WA)
    return verdict is Verdict.AC


def difference(answer: bytes, output: bytes, config: CheckerConfig = PLAIN) -> Mismatch:
    """Return the difference that the checker reports."""
    mismatch = check(config, answer, output).mismatch
    assert mismatch is not None
    return mismatch


# ---- whitespace and the number of tokens -------------------------------------------------------------------------


def test_bytes_are_split_on_exactly_the_whitespace_of_the_format() -> None:
    assert bytes(byte for byte in range(256) if len((b"a%cb" % byte).split()) == 2) == bytes(sorted(SPACES))


@pytest.mark.parametrize("byte", list(range(256)))
def test_exactly_six_bytes_separate_tokens(byte: int) -> None:
    assert accepts(b"a b", b"a%cb" % byte) == (byte in SPACES)


@pytest.mark.parametrize("output", [b"a b", b" a  b \t\n", b"\n\n\x0ba\r\nb\x0c", b"a\tb"])
def test_whitespace_between_before_and_after_tokens_does_not_matter(output: bytes) -> None:
    assert accepts(b"a b\n", output)


@pytest.mark.parametrize("output", [b"a", b"a b c", b"", b" \n", b"ab", b"c a b", b"a b\n\n\n\nc", b"a b \0"])
def test_another_number_of_tokens_is_wrong(output: bytes) -> None:
    assert not accepts(b"a b\n", output)


@pytest.mark.parametrize("output", [b"", b" ", b"\n\n\n", b" \t\r\n\x0b\x0c"])
def test_no_output_and_whitespace_are_equal(output: bytes) -> None:
    assert accepts(b"", output)
    assert accepts(output, b"")


@pytest.mark.parametrize("output", [b"\0", b"a", b"0", b" 0 ", b"\xc2\xa0", b"\x1c", b"\x85"])
def test_an_empty_answer_rejects_every_token(output: bytes) -> None:
    assert not accepts(b"", output)


@pytest.mark.parametrize("output", [b"a\0", b"\0a", b"a\0a", b"a\0b"])
def test_a_nul_is_a_byte_of_a_token_like_any_other(output: bytes) -> None:
    assert not accepts(b"a", output)
    assert accepts(output, output + b"\n")


# ---- letter case --------------------------------------------------------------------------------------------------


def test_letter_case_matters_only_if_configured() -> None:
    assert accepts(b"Yes NO", b"yEs no")
    assert not accepts(b"Yes", b"yes", CASE)
    assert accepts(b"Yes", b" Yes\n", CASE)


@pytest.mark.parametrize("one", ["\xc4", "\u0130", "\u212a"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "latin-1"])
def test_only_ascii_letters_are_folded(one: str, encoding: str) -> None:
    data = one.encode(encoding, "replace")
    other = one.lower().encode(encoding, "replace")
    assert accepts(data, other) == (data.lower() == other.lower())


def test_exactly_the_26_letters_have_two_cases() -> None:
    others = bytes(byte for byte in range(256) if byte not in SPACES and (byte ^ 0x20) not in SPACES)
    folded = bytes(byte for byte in others if accepts(b"%c" % byte, b"%c" % (byte ^ 0x20)))
    assert folded == b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


# ---- numbers ------------------------------------------------------------------------------------------------------

FORMS = [
    b"1",
    b"1.",
    b"+1",
    b"01",
    b"1.0",
    b"1e0",
    b"1E0",
    b".1e1",
    b"+.1e+1",
    b"10e-1",
    b"1.e0",
    b"1e00000000000000000000",
]
NO_FORMS = [
    b".",
    b"+",
    b"-",
    b"e1",
    b".e1",
    b"1e",
    b"1e+",
    b"1e1.",
    b"--1",
    b"+-1",
    b"1..",
    b"1_0",
    b"0x1",
    b"1f",
    b"1,0",
]


@pytest.mark.parametrize("form", FORMS)
def test_every_way_to_write_a_number_is_read(form: bytes) -> None:
    assert accepts(b"1", form, within(absolute=0.0))
    assert accepts(form, b"1", within(relative=0.0))


@pytest.mark.parametrize("form", [*NO_FORMS, b"one", b"inf", b"nan", b"-inf", b"infinity", b"\xd9\xa1", b"1\0"])
def test_a_token_that_is_not_a_number_is_wrong_if_a_number_is_expected(form: bytes) -> None:
    assert not accepts(b"1", form, within(absolute=1e9, relative=1e9))


@pytest.mark.parametrize("form", [*NO_FORMS, b"inf", b"nan", b"-inf", b"0x10"])
def test_an_answer_that_is_not_a_number_is_compared_as_text(form: bytes) -> None:
    anything = within(absolute=1e9, relative=1e9)
    assert accepts(form, form.upper(), anything)
    assert not accepts(form, form.upper(), replace(anything, case_sensitive=True)) or form.upper() == form
    assert not accepts(form, b"1", anything)
    assert not accepts(form, b"16", anything)


def test_without_a_tolerance_numbers_are_text() -> None:
    assert not accepts(b"0", b"0.0")
    assert not accepts(b"1", b"+1")
    assert not accepts(b"100", b"1e2")
    assert accepts(b"1E2", b"1e2")


def test_integers_are_numbers_too() -> None:
    assert accepts(b"1000", b"1001", within(absolute=1.0))
    assert accepts(b"1000", b"1001", within(relative=1e-3))
    assert not accepts(b"1000", b"1002", within(absolute=1.0, relative=1e-3))


def test_either_tolerance_is_enough() -> None:
    both = within(absolute=0.5, relative=0.5)
    assert accepts(b"1000 0.001", b"500 -0.499", both)
    assert accepts(b"1000 0.001", b"1500 0.501", both)
    assert not accepts(b"1000 0.001", b"499 0.001", both)
    assert not accepts(b"1000 0.001", b"1000 0.5010001", both)


def test_a_relative_error_is_measured_against_the_answer() -> None:
    assert accepts(b"10", b"5", within(relative=0.5))
    assert not accepts(b"5", b"10", within(relative=0.5))
    assert accepts(b"-10", b"-15", within(relative=0.5))


def test_a_relative_tolerance_accepts_zero_for_zero_only() -> None:
    assert accepts(b"0", b"0.0", within(relative=1e-6))
    assert accepts(b"0", b"-0e5", within(relative=1e-6))
    assert not accepts(b"0", b"1e-400", within(relative=1e-6))


def test_bounds_are_inclusive_in_decimal() -> None:
    assert accepts(b"2", b"2.000001", within(absolute=1e-6))
    assert not accepts(b"2", b"2.0000010000000000000000000000001", within(absolute=1e-6))
    assert accepts(b"3", b"3.3", within(relative=0.1))
    assert not accepts(b"3", b"3.3000000000000000000000000000001", within(relative=0.1))


def test_numbers_that_are_equal_as_binary_floats_are_distinguished() -> None:
    assert not accepts(b"9007199254740992", b"9007199254740993", within(absolute=0.0))
    assert accepts(b"9007199254740992", b"9007199254740993", within(absolute=1.0))


def test_thirty_digits_and_far_more_on_each_side_of_the_point_count() -> None:
    digits = b"123456789012345678901234567890"
    number = digits + b"." + digits
    assert accepts(number, b"+0" + number + b"0", within(absolute=0.0))
    assert not accepts(number, number[:-1] + b"1", within(absolute=0.0))
    assert not accepts(number, b"2" + number[1:], within(absolute=0.0))
    assert accepts(number * 30 + b"e0", number * 30 + b"e0", within(absolute=0.0))


def test_a_token_of_more_than_4000_bytes_is_text() -> None:
    assert accepts(b"1." + b"0" * 3998, b"1", within(absolute=0.0))
    assert not accepts(b"1." + b"0" * 3999, b"1", within(absolute=9.0))
    assert not accepts(b"1", b"1." + b"0" * 3999, within(absolute=9.0))
    assert accepts(b"1." + b"0" * 9999, b"1." + b"0" * 9999 + b"\n", within(absolute=0.0))


@pytest.mark.parametrize(
    ("answer", "output", "accepted"),
    [
        (b"1e999999999", b"1.1e999999999", True),
        (b"1e999999999", b"1.11e999999999", False),
        (b"1e999999999", b"1e999999998", False),
        (b"1e999999999999999999999999999", b"-1", False),
        (b"0", b"1e-999999999", False),
        (b"1e-999999999", b"1.1e-999999999", True),
        (b"1e-999999999", b"0", False),
        (b"1e99999999999999999", b"1.1e99999999999999999", True),
        (b"1e99999999999999999", b"1.11e99999999999999999", False),
        (b"1e-99999999999999999", b"1.1e-99999999999999999", True),
        (b"1e-99999999999999999", b"1.11e-99999999999999999", False),
        (b"1" * 3900 + b"e-99999999999999999", b"1" * 3900 + b"0e-99999999999999999", False),
        (b"1", b"1.1e0", True),
        (b"0e999999999", b"0e-999999999", True),
    ],
)
def test_huge_exponents_are_exact_and_cost_nothing(answer: bytes, output: bytes, accepted: bool) -> None:
    assert accepts(answer, output, within(relative=0.1)) == accepted


def test_a_tiny_excess_over_the_bound_decides_at_any_size() -> None:
    assert accepts(b"1e-999999999", b"1e-6", within(absolute=1e-6))
    assert not accepts(b"-1e-999999999", b"1e-6", within(absolute=1e-6))
    assert accepts(b"-1e-999999999", b"1e-6", within(absolute=1e-5))


def test_a_number_with_an_exponent_beyond_any_use_is_text() -> None:
    huge = b"e" + b"9" * 3900
    assert accepts(b"1" + huge, b"1" + huge, within(relative=0.1))
    assert not accepts(b"1" + huge, b"1.05" + huge, within(relative=0.1))


@given(
    whole=st.integers(0, 10**80), tail=st.integers(0, 10**80), shift=st.integers(3900, 4020), bound=st.integers(1, 9)
)
def test_digits_beyond_the_precision_of_the_arithmetic_decide(whole: int, tail: int, shift: int, bound: int) -> None:
    answer, found = f"{whole}".encode(), f"{whole + bound}".encode()
    below = f"-{tail}e-{shift}".encode()
    assert accepts(answer, found, within(absolute=float(bound)))
    assert accepts(below, f"{bound}".encode(), within(absolute=float(bound))) == (tail == 0)
    assert accepts(below[1:], f"{bound}".encode(), within(absolute=float(bound)))


def test_the_number_of_steps_grows_with_the_digits_and_nothing_else() -> None:
    """Exact arithmetic is called once for each pair of numbers, with a bounded precision."""
    both = within(absolute=1e-6, relative=1e-6)
    with mock.patch.object(numbers, "_UPWARDS", wraps=numbers._UPWARDS) as arithmetic:
        assert accepts(b"7" * 3990 + b"7e-3000 ", b"7" * 3990 + b"6e-3000 ", both)
        assert accepts((b"7" * 399 + b"7e-3000 ") * 10, (b"7" * 399 + b"6e-3000 ") * 10, both)
    assert len(arithmetic.method_calls) <= 2 * 11
    assert numbers.parse_number(b"7" * 4001) is None


def test_a_tolerance_that_is_not_a_finite_number_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a tolerance such as 1e-6, found `inf`"):
        check(within(absolute=float("inf")), b"1", b"2")


# ---- space_change_sensitive ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "output", [b"a\tb\n", b"a  b\n", b" a b\n", b"a b", b"a b \n", b"a b\n\n", b"a b\r\n", b"ab\n", b""]
)
def test_every_byte_of_significant_whitespace_must_match(output: bytes) -> None:
    assert not accepts(b"a b\n", output, SPACE)
    assert not accepts(output, b"a b\n", SPACE)


def test_significant_whitespace_does_not_change_letter_case_or_tolerances() -> None:
    near = replace(SPACE, float_absolute_tolerance=0.5)
    assert accepts(b" a  1\n", b" A  1.25\n", near)
    assert not accepts(b" a  1\n", b" A 1.25\n", near)
    assert not accepts(b" a  1\n", b" A  1.75\n", near)
    assert not accepts(b" a  1\n", b" A  1.25", near)
    assert not accepts(b"a", b"A", replace(SPACE, case_sensitive=True))


def test_significant_whitespace_alone_decides() -> None:
    assert not accepts(b"", b"\n", SPACE)
    assert not accepts(b"\n", b" ", SPACE)


# ---- where the difference is --------------------------------------------------------------------------------------


def test_the_position_of_a_wrong_token_is_that_in_the_output() -> None:
    found = difference(b"1 2\n3 4\n", b"\n1\n 2 3\t5\n")
    assert (found.line, found.column, found.token) == (3, 6, 3)
    assert (found.expected_line, found.expected, found.found) == (2, b"4", b"5")


def test_an_output_that_ends_too_early_is_reported_at_its_end() -> None:
    found = difference(b"1\n2\n3\n", b"1\n2\n")
    assert (found.line, found.column, found.expected, found.found) == (3, 1, b"3", b"")
    found = difference(b"1\n2\n3\n", b"1\n2")
    assert (found.line, found.column, found.expected, found.found) == (2, 2, b"3", b"")


def test_extra_output_is_reported_where_it_begins() -> None:
    found = difference(b"1\n", b"1\n \n  2\n")
    assert (found.line, found.column, found.token, found.expected, found.found) == (3, 3, 1, b"", b"2")


def test_wrong_whitespace_is_not_a_token() -> None:
    found = difference(b"a A\n", b"A  a\n", SPACE)
    assert (found.line, found.column, found.token, found.expected, found.found) == (1, 3, 0, b" ", b"  ")
    assert found.whitespace_only


def test_a_wrong_token_after_wrong_whitespace_is_not_whitespace_only() -> None:
    assert not difference(b"a A\n", b"a  b\n", SPACE).whitespace_only


def test_rows_say_which_lines_the_checker_accepts() -> None:
    found = difference(b"a 1\nb 2\nc 3\n", b"A 1.01\r\nb 2.5\nc 3\n", within(absolute=0.1))
    assert [row.agrees for row in found.rows] == [True, False, True]


def test_the_reason_says_how_far_off_a_number_is() -> None:
    result = check(within(absolute=0.1), b"3\n4\n", b"3.05\n5\n")
    assert result.reason == "line 2, token 1: expected `4`, found `5` (off by 1, 0.25 of the answer)"
    assert check(PLAIN, b"3", b"4").reason == "line 1, token 1: expected `3`, found `4`"
    beyond_floats = check(within(relative=0.1), b"1e999", b"2e999").reason
    assert beyond_floats == "line 1, token 1: expected `1e999`, found `2e999`"
    assert check(within(absolute=0.0), b"1", b"1." + b"0" * 30 + b"1").reason.endswith("01`")
    assert check(within(absolute=0.1), b"0", b"x").reason == "line 1, token 1: expected `0`, found `x`"


# ---- laws ---------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(answer=TEXTS, config=CONFIGS)
def test_an_answer_is_accepted_by_its_own_checker(answer: bytes, config: CheckerConfig) -> None:
    assert accepts(answer, answer, config)


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS)
def test_only_the_tokens_decide(answer: bytes, output: bytes) -> None:
    ours, theirs = answer.split(), output.split()
    assert accepts(answer, output, CASE) == (ours == theirs)
    assert accepts(answer, output) == ([one.lower() for one in ours] == [one.lower() for one in theirs])


@settings(deadline=None)
@given(answer=TEXTS, output=TEXTS, tolerance=BOUNDS)
@example(answer=b"1 a", output=b"1.0  A", tolerance=0.0)
def test_significant_whitespace_compares_tokens_and_gaps(answer: bytes, output: bytes, tolerance: float | None) -> None:
    config = within(absolute=tolerance)
    gaps = [re.sub(rb"[^ \t\n\r\x0b\x0c]+", b"x", text) for text in (answer, output)]
    expected = accepts(answer, output, config) and gaps[0] == gaps[1]
    assert accepts(answer, output, replace(config, space_change_sensitive=True)) == expected


@settings(deadline=None)
@given(tenths=st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), max_size=4), bounds=LOOSER, also=LOOSER)
def test_a_looser_tolerance_never_rejects_what_a_tighter_one_accepts(
    tenths: list[tuple[int, int]], bounds: tuple[float | None, float], also: tuple[float | None, float]
) -> None:
    answer = " ".join(f"{one}e-1" for one, _ in tenths).encode()
    output = " ".join(f"{one / 10}" for _, one in tenths).encode()
    if accepts(answer, output, within(bounds[0], also[0])):
        assert accepts(answer, output, within(bounds[1], also[1]))


@settings(deadline=None)
@given(answer=NUMBERS, output=NUMBERS, absolute=BOUNDS, relative=BOUNDS)
def test_numbers_are_compared_as_exact_fractions(
    answer: bytes, output: bytes, absolute: float | None, relative: float | None
) -> None:
    expected, found = Fraction(answer.decode()), Fraction(output.decode())
    bounds = [Fraction(repr(absolute)) if absolute is not None else -1]
    bounds += [Fraction(repr(relative)) * abs(expected) if relative is not None else -1]
    same_text = answer.lower() == output.lower()
    assert accepts(answer, output, within(absolute, relative)) == (same_text or abs(found - expected) <= max(bounds))


@settings(deadline=None)
@given(
    answer=st.integers(-(10**18), 10**18), off=st.integers(-3, 3), digits=st.integers(0, 40), bound=st.integers(0, 3)
)
def test_one_unit_in_the_last_place_decides(answer: int, off: int, digits: int, bound: int) -> None:
    expected, found = f"{answer}e-{digits}".encode(), f"{answer + off}e-{digits}".encode()
    assert accepts(expected, found, within(absolute=float(f"{bound}e-{digits}"))) == (abs(off) <= bound)


@settings(deadline=None)
@given(st.lists(st.sampled_from(b"+-.0123eE_ nx"), max_size=8).map(bytes))
def test_the_grammar_is_that_of_the_format(token: bytes) -> None:
    significand = rb"([0-9]*\.[0-9]+|[0-9]+\.|[0-9]+)"
    expected = re.fullmatch(rb"[+-]?" + significand + rb"([Ee][+-]?[0-9]+)?", token)
    number = parse_number(token)
    assert (number is None) == (expected is None)
    if number is not None:
        assert Fraction(number) == Fraction(token.decode())


@pytest.mark.parametrize("before", [0, 1, 1000, 40_000, 65_536, 100_000])
@pytest.mark.parametrize("gap", [b"\n", b"  ", b"\r\n"])
@pytest.mark.parametrize(("wrong", "expected", "found"), [(b"77", b"6", b"77"), (b"", b"6", b"333"), (b"6", b"", b"6")])
def test_a_difference_is_found_in_long_texts_wherever_it_is(
    before: int, gap: bytes, wrong: bytes, expected: bytes, found: bytes
) -> None:
    answer = b"4444 " * before + (b"6 333 " if expected else b"") + b"333 " * 50_000
    head = (b"4444" + gap) * before + (b"" if expected else (b"333" + gap) * 50_000)
    output = head + wrong + gap + (b"333" + gap) * (50_001 if expected else 0)
    shown = difference(answer, output)
    at = len(head) if wrong else len(head + gap)
    assert (shown.expected, shown.found) == (expected, found)
    assert (shown.line, shown.column) == (output.count(b"\n", 0, at) + 1, at - output.rfind(b"\n", 0, at))


@pytest.mark.parametrize(
    ("config", "answer", "output", "leniency"),
    [
        (PLAIN, b"Yes\n", b"YES\n", "letter case"),
        (PLAIN, b"1 2\n", b"1\n2\n", "white space"),
        (PLAIN, b"1 2\n", b"  1 2\n", "white space"),
        (PLAIN, b"1 2\n", b"1  2\n", "white space"),
        (PLAIN, b"1\n2\n", b"1 \r\n2\n\n", ""),  # the ends of lines: `judge check` has rules of its own
        (PLAIN, b"1\n", b"1", ""),
        (within(1e6), b"1\n", b"900\n", "tolerance of 1e+06"),
        (within(1e-6), b"1\n", b"1.0000001\n", ""),
    ],
)
def test_an_accepted_output_names_what_an_exact_judge_rejects(
    config: CheckerConfig, answer: bytes, output: bytes, leniency: str
) -> None:
    found = check(config, answer, output)
    assert found.verdict is Verdict.AC
    assert leniency in found.leniency
    assert bool(found.leniency) == bool(leniency)
