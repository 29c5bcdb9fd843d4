"""What is learned from a few examples, and which inputs look like them."""

import pytest

from judge.search.learned import learn

ONE = [b"5\n1 2 -3 4 5\n"]
MANY = [b"3\n1 5 2\n", b"4\n7 3 9 4\n", b"2\n6 1\n"]


@pytest.mark.parametrize(
    ("examples", "data", "expected"),
    [
        (ONE, b"1\n-1\n", True),  # a single sample has one count and few negative numbers
        (ONE, b"2\n3 3\n", True),  # its values differ by chance
        (ONE, b"0\n\n", False),
        (ONE, b"2\n3\n", False),
        (ONE, b"1\n6\n", False),
        (MANY, b"1\n9\n", True),
        (MANY, b"1\n-1\n", False),
        (MANY, b"2\n4 4\n", False),
        ([b"-0.5\n", b"0.75\n"], b"-0.5\n", True),
        ([b"3 \n1 5 2\n", *MANY], b"2\n6 1\n", True),  # one with a trailing space shows nothing
    ],
)
def test_an_input_looks_like_the_examples(examples: list[bytes], data: bytes, expected: bool) -> None:
    learned = learn(examples)
    assert learned is not None
    assert learned.accepts(data) == expected


def test_large_examples_are_not_looked_at() -> None:
    large = b"400000\n" + b"77 " * 399_999 + b"77\n"
    assert learn([*MANY, large]) == learn(MANY)
