"""Values of functions and outputs of programs, compared by the rules of data sets."""

import pytest

from judge.grading.evaluators import check_output, check_value
from judge.grading.values import DataSet
from judge.model import CheckerConfig, Verdict

EQUAL = CheckerConfig()
NEAR = CheckerConfig(float_absolute_tolerance=1e-6, float_relative_tolerance=1e-6)


@pytest.mark.parametrize(
    ("answer", "output", "verdict"),
    [
        (b"[0.3, 1000000]", b"[0.30000001, 1000000.5]", Verdict.AC),
        (b"0.3", b"0.31", Verdict.WA),
        (b"0.3", b'"0.3"', Verdict.WA),
        (b"1e999", b"1" * 400, Verdict.WA),
        (b"1", b"1" * 10_000, Verdict.WA),
        (b"1", b"[" * 100_000, Verdict.WA),
        (b"null", b'{"a": 1}', Verdict.WA),
        (b"null", b"null", Verdict.AC),
        (b"0.5", b'{"ratio": "1/2"}', Verdict.AC),
    ],
)
def test_numbers_of_functions_may_differ_by_the_tolerance_of_the_row(
    answer: bytes, output: bytes, verdict: Verdict
) -> None:
    assert check_value(NEAR, answer, output, may_be_first=True).verdict is verdict


def test_only_apps_takes_the_first_item_of_the_expected_list() -> None:
    assert check_value(EQUAL, b"[0, 1]", b"0", may_be_first=True).verdict is Verdict.AC
    assert check_value(EQUAL, b"[0, 1]", b"0", may_be_first=False).verdict is Verdict.WA


def test_a_value_that_is_much_longer_than_the_expected_one_is_not_read() -> None:
    checked = check_value(CheckerConfig(), b"1", b"[" + b"[]," * 50_000 + b"1]", may_be_first=False)
    assert (checked.verdict, checked.reason) == (
        Verdict.WA, "the value has 146 KiB of JSON, much more than the expected one"
    )  # fmt: skip
    assert check_value(CheckerConfig(), b"1e300", b"1" + b"0" * 300, may_be_first=False).verdict is Verdict.WA


def test_huge_integers_are_compared_by_their_digits() -> None:
    digits = b"7" * 100_000
    assert check_value(EQUAL, digits, digits, may_be_first=False).verdict is Verdict.AC
    assert check_value(EQUAL, digits, digits[:-1] + b"8", may_be_first=False).verdict is Verdict.WA
    assert check_value(NEAR, b'"%b"' % digits, digits, may_be_first=False).verdict is Verdict.WA


@pytest.mark.parametrize(
    ("answer", "output", "apps", "bench"),
    [
        (b"3\n", b"3", "AC", "AC"),
        (b"1 2\n3\n", b"  1 2  \r\n3\n\n", "AC", "AC"),
        (b"1\n2\n", b"1\n\n2\n", "AC", "WA"),
        (b"1 2 3\n", b"1\n2\n3\n", "WA", "WA"),
        (b"YES\n", b"yes\n", "WA", "WA"),
        (b"123456789\n", b"123456790\n", "WA", "WA"),
        (b"1000000 2000000\n", b"1000001 2000003\n", "WA", "WA"),
        (b"0.123456\n", b"0.1234561\n", "AC", "WA"),
        (b"3\n", b"3.0\n", "AC", "AC"),
        (b"0.5\n", b"0.50\n", "AC", "AC"),
        (b"1000 7\n", b"1e3 007\n", "WA", "AC"),
        (b"a 1.0\n", b"a 1\n", "AC", "WA"),
        (b"nan\n", b"NaN\n", "WA", "WA"),
        (b"", b"\n", "AC", "AC"),
        (b"1\n2\n", b"1\n", "WA", "WA"),
        (b"1\n" * 100_000, b" 1 \n" * 100_000, "AC", "AC"),
        (b"7" * 400, b"0.5", "WA", "WA"),
        (b"1 " + b"7" * 400, b"1 3.0", "WA", "WA"),
    ],
)
def test_outputs_are_compared_by_the_rule_of_the_data_set(answer: bytes, output: bytes, apps: str, bench: str) -> None:
    assert check_output(DataSet.APPS, answer, output).verdict == apps
    assert check_output(DataSet.LIVE_CODE_BENCH, answer, output).verdict == bench


def test_a_wrong_output_is_described_by_its_line() -> None:
    assert check_output(DataSet.APPS, b"1\n2\n", b"1\n3\n").reason == "line 2: expected `2`, found `3`"
    assert check_output(DataSet.APPS, b"1\n2\n", b"1\n").reason == "line 2: expected `2`, found the end"
