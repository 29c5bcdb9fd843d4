"""How outputs are changed to test a checker."""

import pytest

from judge.strength.programs import OPEN, WRONG


@pytest.mark.parametrize(
    ("change", "output", "changed"),
    [
        ("the last word twice", b"2\nAlice\nBob\n", b"2\nAlice\nBob Bob\n"),
        ("the last word in place of the one before", b"2\nAlice\nBob \n", b"2\nBob\nBob \n"),
        ("the last word in place of the one before", b"2\n", b"2\n"),
        ("an exponent", b"2.5 1\n", b"1e999999999 1\n"),
        ("more at the end", b"2\n", b"2\n<?>\n"),
    ],
)
def test_a_change(change: str, output: bytes, changed: bytes) -> None:
    assert (OPEN | WRONG)[change](output) == changed
