"""Shrinking proposes simpler inputs only, and reaches small ones with their counts derived again."""

from collections.abc import Callable, Iterator

import pytest

from judge.hack.shrink import candidates, chunks
from judge.inputs.shrink import measure
from judge.inputs.structure import with_plain_white_space

ARRAY = b"6\n4 -3 12 8 0 7\n"


def _valid_array(data: bytes) -> bool:
    lines = data.split(b"\n")
    try:
        return len(lines) == 3 and int(lines[0]) == len(list(map(int, lines[1].split(b" ")))) > 0 and not lines[2]
    except ValueError:
        return False


def _shrink(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    while (smaller := next((each for each in candidates(data) if fails(each)), None)) is not None:
        assert measure(smaller) < measure(data)
        data = smaller
    return data


@pytest.mark.parametrize(
    ("fails", "smallest"),
    [
        (lambda data: len(data) > 0, b"1\n0\n"),
        (lambda data: b"12" in data.split(), b"1\n12\n"),
        (lambda data: max(map(int, data.split()[1:])) >= 9, b"1\n9\n"),
        (lambda data: len(data.split()) >= 4, b"3\n0 0 0\n"),
    ],
)
def test_a_small_failing_input_is_reached(fails: Callable[[bytes], bool], smallest: bytes) -> None:
    found = _shrink(ARRAY, lambda data: _valid_array(data) and fails(data))
    assert measure(found) <= measure(smallest)


def test_an_empty_line_at_the_end_stays_after_a_zero() -> None:
    assert [with_plain_white_space(each) for each in (b"0\n\n\n", b"0", b"10\n\n")] == [b"0\n\n", b"0\n", b"10\n"]


@pytest.mark.parametrize("given", [b"1 2\n3", b"1  2\r\n3\r\n", b"1 2 \n\t3\n\n"])
def test_white_space_becomes_plain_first_although_that_is_longer(given: bytes) -> None:
    assert next(candidates(given)) == b"1 2\n3\n"
    assert b"1 2\n3\n" not in set(candidates(b"1 2\n3\n"))


def test_an_input_that_the_grammar_does_not_accept_is_shrunk_without_it() -> None:
    def simpler(data: bytes, is_over: Callable[[], bool]) -> Iterator[bytes]:
        assert not is_over()
        yield from [b"1\n"] if data == b"1 2\n" else []

    assert set(candidates(b"1 2\n", simpler=simpler)) == {b"1\n"}
    assert any(each.split() == [b"3"] for each in candidates(b"\n3 4\n", simpler=simpler))


@pytest.mark.parametrize("length", [0, 1, 2, 5, 8])
def test_chunks_end_with_every_single_element(length: int) -> None:
    assert list(chunks(length))[-length:] == [(at, at + 1) for at in range(length)] if length else not list(chunks(0))


def test_shrinking_ends_when_the_time_is_over_and_at_once_for_nothing_but_white_space() -> None:
    assert not list(candidates(b"\n" * 100_000))
    questions = iter([False] * 10)
    found = list(candidates(b"1 2\n" * 1000, is_over=lambda: next(questions, True)))
    assert 1 <= len(found) <= 10
