"""Inputs that a grammar proposes for a search: valid, with groups of values, and with the numbers of a problem."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from judge.inputs import Grammar
from judge.inputs.propose import draw_groups

HANDS = Grammar.from_yaml(
    [
        {
            "tests": "1..2000",
            "until": "end of file",
            "lines": [{"tiles": {"list": "1..9 or 11..19", "count": "1..17", "copies": 4}}],
        }
    ]
)
COUNTED = Grammar.from_yaml(
    [
        {"t": "1..100"},
        {"tests": "t", "lines": [{"n": "1..1000"}, {"a": {"list": "-10^9..10^9", "count": "n"}}]},
    ]
)


REALS = Grammar.from_yaml([{"n": "1..30"}, {"a": {"list": {"real": "0.0..5.0", "decimals": "1..2"}, "count": "n"}}])


@pytest.mark.parametrize("grammar", [HANDS, COUNTED, REALS])
@pytest.mark.parametrize("size", [None, 0.03, 0.3])
def test_what_is_proposed_is_valid(grammar: Grammar, size: float | None) -> None:
    random = Random(1)
    for _ in range(20):
        data = grammar.propose(random, [1_000_000_007, 46_341, 500], size=size)
        assert grammar.check(data) is None


def test_lists_have_equal_values_and_numbers_of_the_problem() -> None:
    random = Random(1)
    texts = [HANDS.propose(random, [], is_single=True) for _ in range(100)]
    hands = [Counter(line.split()) for text in texts for line in text.splitlines()]
    assert len(hands) == 100
    assert any(len(hand) > 2 and min(hand.values()) > 1 for hand in hands)
    values = b" ".join(COUNTED.propose(random, [123_456]) for _ in range(100)).split()
    assert {b"123456", b"123457"} & set(values)


def test_counts_that_a_relation_ties_are_large_in_turn() -> None:
    lines = [{"h": "1..1000", "w": "1..1000"}, {"where": "h*w <= 1000"}, {"s": {"word": "[.#]", "length": "h*w"}}]
    grid, random = Grammar.from_yaml(lines), Random(1)
    sizes = [tuple(map(int, grid.propose(random, [], size=1.0).split()[:2])) for _ in range(300)]
    assert max(h for h, _ in sizes) > 900
    assert max(w for _, w in sizes) > 900
    assert any(h > 5 and w > 5 and h * w > 500 for h, w in sizes)


def test_a_size_that_the_rules_contradict_is_not_kept() -> None:
    lines = [{"n": "3..400001", "a": "2..n", "b": "2..n"}, {"where": ["a + b == n + 1", "a > b"]}]
    lists = [{"x": {"list": "0..9", "count": "a"}}, {"y": {"list": "0..9", "count": "b"}}]
    split = Grammar.from_yaml([*lines, *lists])
    assert all(split.check(split.propose(Random(seed), [], size=0.2)) is None for seed in range(30))


def test_values_are_related_to_others() -> None:
    numbers = Grammar.from_yaml([{"a": "1..10^18", "b": "1..10^18"}])
    words = Grammar.from_yaml([{"s": {"word": "[a-z]{9}"}}, {"t": {"word": "[a-z]", "length": "1..9"}}])
    random = Random(1)
    pairs = [tuple(map(int, numbers.propose(random, []).split())) for _ in range(1000)]
    large = [pair for pair in pairs if 100 < min(pair) < max(pair) < 10**18 - 100]
    assert len({b - a for a, b in large} & {-1, 1}) == 2
    assert any(2 * b - a in (0, -1) or b == 2 * a for a, b in large)
    texts = [words.propose(random, []).decode().split() for _ in range(3000)]
    mixed = [(s, t) for s, t in texts if len(set(s)) > 3]
    assert any(t == s[::-1] for s, t in mixed)
    assert any(len(t) > 3 and t in s and t != s for s, t in mixed)
    assert any(sorted(t) == sorted(s) and t not in s + s and t not in (s + s)[::-1] for s, t in mixed)


@pytest.mark.parametrize(("size", "count", "copies"), [(52, 13, 1), (27, 17, 4), (3, 40, None), (1, 1, 1)])
def test_groups_keep_to_the_number_of_copies(size: int, count: int, copies: int | None) -> None:
    random = Random(1)
    drawn = [each for _ in range(100) if (each := draw_groups(random, size, count, copies)) is not None]
    assert drawn
    for each in drawn:
        assert len(each) == count
        assert 0 <= min(each) <= max(each) < size
        assert max(Counter(each).values()) <= (copies or count)


def test_words_of_a_large_pattern_are_drawn_without_listing_all_before_them() -> None:
    words = {"word": "[a-z]{1,10}"}
    grammar = Grammar.from_yaml(
        [{"a": {"list": words, "count": "5", "distinct": True}}, {"repeat": "5", "lines": [{"s": words}]}]
    )
    for seed in range(40):
        assert grammar.check(grammar.propose(Random(seed), [])) is None


@pytest.mark.parametrize(
    "lines",
    [
        [{"a": {"list": "1..1000000", "count": "5", "distinct": True}}],
        [{"a": {"list": "1..1000000", "count": "5", "order": "strictly ascending"}}],
        [{"n": "5..5"}, {"repeat": "n", "distinct": ["x"], "lines": [{"x": "1..1000000"}]}],
    ],
)
def test_lists_without_repetition_have_the_least_and_the_greatest_value(lines: list[Any]) -> None:
    grammar, random = Grammar.from_yaml(lines), Random(1)
    for made in ([grammar.propose(random, []) for _ in range(200)], [grammar.generate(random) for _ in range(200)]):
        assert all(sum(end in data.split() for data in made) > 10 for end in (b"1", b"1000000"))


def test_all_fields_have_extreme_values_in_some_inputs() -> None:
    grammar, random = Grammar.from_yaml([{"a": "-1000000..1000000", "b": "-1000000..1000000"}]), Random(1)
    assert {b"1000000 -1000000\n", b"1000000 1000000\n"} < {grammar.propose(random, []) for _ in range(500)}
