"""What a validator allows is found by asking it: ranges, bounds, letters and lengths."""

from collections.abc import Callable

import pytest

from judge.inputs.observe import Values, observe
from judge.inputs.probe import places_of, probe_item


def probe(samples: list[bytes], numbers: list[int], accepts: Callable[[bytes], bool]) -> list[Values]:
    """Return the values of the items that count nothing, in order."""
    observed = observe(samples)
    assert observed is not None
    places = places_of(observed, samples)
    found = [probe_item(observed.values[item], item, each, numbers, accepts) for item, each in places.items()]
    assert all(accepts(data) for each in found for data in each.inputs)
    return [each.values for each in found]


def row(data: bytes) -> list[int]:
    count, *values = map(int, data.split())
    assert count == len(values)
    return values


@pytest.mark.parametrize(("least", "most"), [(1, 1000), (-500, 10**18), (0, 77), (3, 9)])
def test_a_range_is_found(least: int, most: int) -> None:
    (values,) = probe(
        [b"3\n4 9 3\n"], [least, most, 500], lambda data: all(least <= each <= most for each in row(data))
    )
    assert (values.least, values.most) == (least, most)


@pytest.mark.parametrize("is_below", [False, True])
def test_a_bound_by_another_value_is_found(is_below: bool) -> None:
    def accepts(data: bytes) -> bool:
        limit, value = map(int, data.split())
        return 1 <= value <= limit - is_below <= 10**6

    first, second = probe([b"7 2\n", b"30 4\n"], [10**6], accepts)
    assert (second.bound is not None, second.is_below) == (True, is_below)
    assert first.bound is None


def test_a_guessed_bound_that_no_number_reaches_is_one() -> None:
    def accepts(data: bytes) -> bool:
        nodes, _, *ends = map(int, data.split())
        return all(0 <= each < nodes <= 10**6 for each in ends)

    samples = [b"4 2\n0 4\n1 3\n".replace(b"4\n1", b"3\n1"), b"5 1\n2 4\n", b"9 1\n1 8\n"]
    observed = observe(samples)
    assert observed is not None
    _, *ends = probe(samples, [10**6], accepts)
    assert [(each.bound, each.is_below, each.least) for each in ends] == [(next(iter(observed.values)), True, 0)] * 2


def test_letters_and_lengths_of_words_are_found() -> None:
    def accepts(data: bytes) -> bool:
        assert b" " not in data  # then it would be two words
        return data[:-1].isalpha() and len(data) <= 51

    (values,) = probe([b"abba\n"], [50], accepts)
    assert (len(values.alphabet), values.low, values.longest) == (52, 1, 50)


@pytest.mark.parametrize("answers", [0, 3, 8])
@pytest.mark.parametrize("sample", [b"3\n4 9 3\n", b"abba\n"])
def test_what_there_is_no_time_to_ask_stays_a_guess(sample: bytes, answers: int) -> None:
    observed = observe([sample])
    assert observed is not None
    left = [answers]

    def accepts(_: bytes) -> bool | None:
        left[0] -= 1
        return None if left[0] < 0 else False

    for item, places in places_of(observed, [sample]).items():
        values = probe_item(observed.values[item], item, places, [1000], accepts).values
        assert (values.least, values.most, values.longest) == (None, None, None)


def test_the_length_of_words_has_no_range_of_its_own() -> None:
    observed = observe([b"2 4\nabba\nbaab\n", b"3 5\naabab\nbabab\nababa\n"])
    assert observed is not None
    _, width, word = observed.values
    assert observed.values[word].length == width
    assert width not in places_of(observed, [b"2 4\nabba\nbaab\n"])
