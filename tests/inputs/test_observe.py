"""Which variants of inputs show what a number counts."""

from collections.abc import Callable

import pytest

from judge.hack.hack_inputs import variants_of
from judge.inputs.observe import observe


def are_operations(data: bytes) -> bool:
    """`n m`, and m lines of a sign and two numbers up to n."""
    first, *rows = (line.split() for line in data.splitlines())
    if len(first) != 2 or len(rows) != int(first[1]) or any(len(row) != 3 or row[0] not in b"!?" for row in rows):
        return False
    return all(0 < int(each) <= int(first[0]) for row in rows for each in row[1:])


def are_roads(data: bytes) -> bool:
    """`n m k`, k different places, and m lines of two places."""
    first, places, *rows = ([*map(int, line.split())] for line in data.splitlines())
    if len(first) != 3 or [len(rows), len(places)] != first[1:] or any(len(row) != 2 for row in rows):
        return False
    return max(map(max, rows)) <= first[0] and len(set(places)) == len(places) > 1


@pytest.mark.parametrize(
    ("is_valid", "sample", "other"),
    [
        (are_operations, b"4 3\n! 1 4\n? 2 1\n! 4 3\n", b"9 1\n? 8 9\n"),
        (are_roads, b"5 5 3\n2 3 4\n1 2\n1 3\n2 4\n3 4\n4 5\n", b"3 1 2\n1 3\n2 3\n"),
    ],
)
def test_variants_show_what_counts_what(is_valid: Callable[[bytes], bool], sample: bytes, other: bytes) -> None:
    assert is_valid(sample)
    assert is_valid(other)
    observed = observe([sample, *filter(is_valid, variants_of([sample]))])
    assert observed is not None
    assert observed.structure.read(other) is not None


def test_large_inputs_are_not_looked_at() -> None:
    many = [b"3\n1 5 2\n", b"4\n7 3 9 4\n", b"2\n6 1\n"]
    large = b"400000\n" + b"77 " * 399_999 + b"77\n"
    assert observe([*many, large]) == observe(many)
