"""What a validator allows is found by asking it: ranges, bounds, letters, lengths, and which rules do not hold."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from judge.search.instances import InstanceMaker
from judge.search.learned import Learned, Values, learn
from judge.search.probing import places_of, probe_item, probe_rules


def probe(samples: list[bytes], numbers: list[int], accepts: Callable[[bytes], bool]) -> tuple[Learned, list[Values]]:
    """Return what is known in the end, and the values of the items that count nothing, in order."""
    learned = learn(samples)
    assert learned is not None
    found = [probe_item(learned, item, each, numbers, accepts) for item, each in places_of(learned, samples).items()]
    assert all(accepts(data) for each in found for data in each.inputs)
    learned = replace(learned, values=learned.values | {each.item: each.values for each in found})
    return replace(learned, rules=probe_rules(learned, samples, accepts)), [each.values for each in found]


def row(data: bytes) -> list[int]:
    count, *values = map(int, data.split())
    assert count == len(values)
    return values


@pytest.mark.parametrize(("least", "most"), [(1, 1000), (-500, 10**18), (0, 77), (3, 9)])
def test_a_range_is_found(least: int, most: int) -> None:
    _, (values,) = probe(
        [b"3\n4 9 3\n"], [least, most, 500], lambda data: all(least <= each <= most for each in row(data))
    )
    assert (values.least, values.most) == (least, most)


@pytest.mark.parametrize("is_below", [False, True])
def test_a_bound_by_another_value_is_found(is_below: bool) -> None:
    def accepts(data: bytes) -> bool:
        limit, value = map(int, data.split())
        return 1 <= value <= limit - is_below <= 10**6

    _, (first, second) = probe([b"7 2\n", b"30 4\n"], [10**6], accepts)
    assert (second.bound is not None, second.is_below) == (True, is_below)
    assert first.bound is None


def test_a_guessed_bound_that_no_number_reaches_is_one() -> None:
    def accepts(data: bytes) -> bool:
        nodes, _, *ends = map(int, data.split())
        return all(0 <= each < nodes <= 10**6 for each in ends)

    samples = [b"4 2\n0 4\n1 3\n".replace(b"4\n1", b"3\n1"), b"5 1\n2 4\n", b"9 1\n1 8\n"]
    guessed = learn(samples)
    assert guessed is not None
    learned, (_, *ends) = probe(samples, [10**6], accepts)
    assert [(each.bound, each.is_below, each.least) for each in ends] == [(next(iter(learned.values)), True, 0)] * 2


def test_values_that_differ_by_chance_may_be_equal() -> None:
    sample = b"12\n" + b" ".join(b"%d" % (7 * at % 12 + 1) for at in range(12)) + b"\n"
    before = learn([sample])
    assert before is not None
    assert any(each.is_permutation for each in before.rules.values())
    learned, (values,) = probe([sample], [100], lambda data: all(1 <= each <= 100 for each in row(data)))
    assert not any(each.is_permutation or each.is_distinct for each in learned.rules.values())
    assert values.most == 100


def test_values_that_must_differ_are_found_in_a_single_row() -> None:
    sample = b"3\n4 7 9\n"
    learned = learn([sample])
    assert learned is not None
    (item,) = learned.rules
    assert not learned.rules[item].is_distinct

    def accepts(data: bytes) -> bool:
        _, row = data.splitlines()
        return len(set(row.split())) == len(row.split())

    assert probe_rules(learned, [sample], accepts)[item].is_distinct
    assert not probe_rules(learned, [sample], lambda data: True)[item].is_distinct  # noqa: ARG005


def test_one_valid_repetition_refutes_that_values_must_differ() -> None:
    samples = [b"3\n4 7 9\n", b"4\n1 2 3 5\n"]
    learned = learn(samples)
    assert learned is not None
    (item,) = learned.rules

    def accepts(data: bytes) -> bool:  # the first sample may not repeat for another reason
        return not data.endswith(b" 9\n")

    assert not probe_rules(learned, samples, accepts)[item].is_distinct
    samples.append(b"2\n8 8\n")
    learned = learn(samples)
    assert learned is not None
    assert not any(each.is_distinct for each in probe_rules(learned, samples, lambda data: False).values())  # noqa: ARG005


def lines(data: bytes) -> list[list[int]]:
    first, *rest = (list(map(int, line.split())) for line in data.splitlines())
    assert first == [len(rest)]
    return rest


COLUMNS: dict[str, tuple[bytes, Callable[[list[list[int]]], bool]]] = {
    "distinct": (b"4\n7 1\n2 5\n9 3\n4 1\n", lambda rows: len({each[0] for each in rows}) == len(rows)),
    "ascending": (b"4\n1 7\n3 2\n8 5\n9 9\n", lambda rows: all(a[0] < b[0] for a, b in pairwise(rows))),
    "different": (b"4\n1 2\n2 4\n3 1\n4 3\n", lambda rows: all(a != b for a, b in rows)),
    "neighbors": (b"5\n1 2\n4 3\n3 4\n7 8\n2 1\n", lambda rows: all(abs(a - b) == 1 for a, b in rows)),
    "distinct neighbors": (
        b"6\n9 1 2\n4 4 3\n1 3 4\n5 7 8\n2 2 1\n7 1 2\n",
        lambda rows: len({each[0] for each in rows}) == len(rows) and all(abs(a - b) == 1 for _, a, b in rows),
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("size", [2, 6, 400])
def test_rules_of_columns_are_found_and_kept(name: str, size: int) -> None:
    sample, holds = COLUMNS[name]

    def accepts(data: bytes) -> bool:
        rows = lines(data)
        return all(1 <= value <= 10**6 for row in rows for value in row) and holds(rows)

    learned, _ = probe([sample], [10**6], accepts)
    maker = InstanceMaker(learned, [10**6], Random(1))
    made = [data for _ in range(60) if (data := maker.make(size, "usual" if size < 100 else "")) is not None]
    assert sum(map(accepts, made)) >= 30
    free, _ = probe([sample], [10**6], lambda data: True)  # noqa: ARG005
    assert free.rules == {}


def test_letters_and_lengths_of_words_are_found() -> None:
    def accepts(data: bytes) -> bool:
        assert b" " not in data  # then it would be two words
        return data[:-1].isalpha() and len(data) <= 51

    _, (values,) = probe([b"abba\n"], [50], accepts)
    assert (len(values.alphabet), values.low, values.longest) == (52, 1, 50)


@pytest.mark.parametrize("answers", [0, 3, 8])
@pytest.mark.parametrize("sample", [b"3\n4 9 3\n", b"abba\n"])
def test_what_there_is_no_time_to_ask_stays_a_guess(sample: bytes, answers: int) -> None:
    learned = learn([sample])
    assert learned is not None
    left = [answers]

    def accepts(_: bytes) -> bool | None:
        left[0] -= 1
        return None if left[0] < 0 else False

    for item, places in places_of(learned, [sample]).items():
        values = probe_item(learned, item, places, [1000], accepts).values
        assert (values.least, values.most, values.longest) == (None, None, None)


def test_the_length_of_words_has_no_range_of_its_own() -> None:
    def accepts(data: bytes) -> bool:
        count, width, *rows = data.split()
        return int(count) == len(rows) and all(len(each) == int(width) for each in rows)

    learned, _ = probe([b"2 4\nabba\nbaab\n", b"3 5\naabab\nbabab\nababa\n"], [10**6], accepts)
    _, width, _ = learned.values.values()
    assert (width.least, width.most) == (None, None)
    maker = InstanceMaker(learned, [], Random(1))
    made = [maker.make(3) for _ in range(60)]
    assert {data.split()[1] for data in made if data is not None} >= {b"1", b"2", b"3"}
