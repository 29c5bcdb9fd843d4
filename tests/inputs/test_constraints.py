"""Constraints in a statement's words become the ranges of a guessed format."""

import pytest

from judge.base.errors import UsageError
from judge.inputs.constraints import apply_constraints, read_constraints
from judge.inputs.guess import Guess


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 <= n <= 2*10^5, -10^9 <= a_i <= 10^9", [("n", "1", "2*10^5"), ("a", "-10^9", "10^9")]),
        (
            "1 \u2264 N \u2264 2\u00b710\u2075, \u221210\u2079 \u2264 A\u1d62 \u2264 10\u2079",
            [("N", "1", "2*10^5"), ("A", "-10^9", "10^9")],
        ),
        ("$1 \\le n \\le 10^{5}$ and $1 \\leq a_{i} \\leq 9$", [("n", "1", "10^5"), ("a", "1", "9")]),
        ("1<=n,m<=200,000; 0<=k<n", [("n", "1", "200000"), ("m", "1", "200000"), ("k", "0", "n - 1")]),
        ("1 <= n <= 5, 1 <= l_i <= r_i <= n", [("n", "1", "5"), ("l", "1", "n"), ("r", "l", "n")]),
        ("0 <= x_1 < x_2 <= 9", [("x1", "0", "9"), ("x2", "x1 + 1", "9")]),
        ("100 >= n >= 1", [("n", "1", "100")]),
        ("n ≤ 10 000", [("n", "", "10000")]),
        ("1 <= n <= 9, 0 <= m <= 2n", [("n", "1", "9"), ("m", "0", "2*n")]),
        ("1 <= |s| <= 100", [("s", "1", "100")]),
        ("n <= 10**5, -1.5 <= x_i <= 2e3", [("n", "", "10^5"), ("x", "-1.5", "2*10^3")]),
        ("the numbers: 1 <= a[i] <= 9, all different", [("a", "1", "9")]),
    ],
)
def test_chains_of_comparisons_are_read(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(each.name, each.low, each.high) for each in read_constraints(text).found] == expected


@pytest.mark.parametrize("text", ["the values are distinct", "u_i != v_i", "the sum of n <= 20"])
def test_what_is_not_a_range_is_returned(text: str) -> None:
    constraints = read_constraints(f"1 <= n <= 9, {text}.")
    assert ([each.high for each in constraints.found], constraints.unused) == (["9"], [text])


@pytest.mark.parametrize("text", ["", "n", "a tree", "1 <= 2"])
def test_without_a_comparison_of_a_name_there_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="expected constraints such as"):
        read_constraints(text)


QUERIES = [b"5 2\n1 2 3 4 5\n2 4\n3 5\n", b"4 2\n4 1 7 3\n2 2\n2 4\n"]


@pytest.mark.parametrize(
    ("samples", "text", "valid", "not_valid"),
    [
        ([b"3\n1 2 3\n", b"2\n4 4\n"], "1 <= N <= 3, -5 <= A_i <= 5", b"1\n-5\n", b"1\n6\n"),
        (QUERIES, "1 <= n, q <= 9, 0 <= a_i <= 9, 1 <= l_i <= r_i <= n", b"1 1\n0\n1 1\n", b"2 1\n0 0\n2 1\n"),
        ([b"abc\n", b"xy\n"], "1 <= |s| <= 4", b"zzzz\n", b"zzzzz\n"),
        ([b"4 2\n1 2\n4 3\n", b"3 1\n1 3\n"], "2 <= n <= 5, 0 <= m <= 9, 1 <= u_i, v_i <= n", b"2 0\n", b"6 0\n"),
        ([b"3\n1 2 3\n", b"2\n4 4\n"], "n < 4, |a_i| <= 5", b"1\n-5\n", b"1\n-6\n"),
        ([b"4\n2 1 4 3\n", b"3\n3 1 2\n"], "1 <= n <= 5, 1 <= p_i <= n", b"1\n1\n", b"6\n1 2 3 4 5 6\n"),
        ([b"3\n1.5 2.25 3\n"], "n <= 4, |x_i| <= 10^3", b"1\n-999.5\n", b"1\n-1000.5\n"),
        ([b"2.5 4\n", b"0.5 1\n"], "-4.5 <= x <= 4.5, 1 <= n <= 4", b"-4.5 4\n", b"-4.6 4\n"),
    ],
)
def test_the_fields_of_a_format_get_the_ranges_in_their_order(
    samples: list[bytes], text: str, valid: bytes, not_valid: bytes
) -> None:
    guess = Guess.of(samples)
    assert guess is not None
    grammar, unused, _ = apply_constraints(guess.notation, read_constraints(text), text)
    assert [grammar.check(data) for data in (*samples, valid)] == [None] * (len(samples) + 1)
    assert grammar.check(not_valid) is not None
    assert unused == []


def test_what_is_said_of_no_field_is_returned() -> None:
    guess = Guess.of([b"3\n", b"5\n"])
    assert guess is not None
    text = "1 <= n <= 9, 1 <= a_i <= 5, 1 <= |s| <= 2, n*m <= 10^6"
    assert apply_constraints(guess.notation, read_constraints(text), text)[1] == ["a", "s", "n*m <= 10^6"]


def test_ranges_that_contradict_each_other_are_an_error() -> None:
    guess = Guess.of([b"3 1\n", b"5 2\n"])
    assert guess is not None
    with pytest.raises(UsageError, match=r"--input 9 <= n <= 1: .*; write the format as in problem.yaml"):
        apply_constraints(guess.notation, read_constraints("9 <= n <= 1"), "9 <= n <= 1")
