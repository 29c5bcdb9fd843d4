"""A grammar as a source: small inputs first, however large the grammar allows them to be, and none after the time."""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from judge.hack.grammatical import grammar_sources
from judge.hack.sources import Source
from judge.inputs import Grammar
from judge.inputs.build import TooLargeError
from judge.inputs.choose import GrammarError
from tests.parameters import with_thorough

HUGE = {
    "values": [{"n": "1..1000000"}, {"a": {"list": "-10^18..10^18", "count": "n"}}],
    "counts": [{"n": "1..10^18"}, {"repeat": "n", "lines": [{"a": "0..9"}]}],
    "words": [{"n": "1..1000000"}, {"repeat": "n", "lines": [{"s": {"word": "[a-z]", "length": "1..1000000"}}]}],
    "squares": [{"n": "1..100000"}, {"repeat": "n", "lines": [{"a": {"list": "0..9", "count": "n"}}]}],
    "tests": [
        {"t": "1..1000"},
        {"tests": "t", "lines": [{"m": "1..100000"}, {"repeat": "m", "lines": [{"a": "1..m"}]}]},
    ],
}
ROWS = [
    {"n": "1..100000"},
    {"repeat": "n", "distinct": ["a", "b"], "lines": [{"a": {"word": "[a-z]", "length": "1..10"}, "b": "1..2"}]},
]
FIXED = Grammar.from_yaml([{"repeat": 1_000_000, "lines": [{"a": "0..9"}]}])


def sources_of(grammar: Grammar, is_over: Callable[[], bool] = lambda: False) -> dict[str, Source]:
    joins = grammar.split(b"1\n1\n1\n") is not None
    return {each.name: each for each in grammar_sources(grammar, [], [], 1, joins=joins, is_over=is_over)}


@pytest.mark.thorough
@pytest.mark.parametrize("name", with_thorough(HUGE, ["squares", "counts", "words"]))
def test_small_inputs_come_first_and_large_ones_grow(name: str) -> None:
    grammar = Grammar.from_yaml(HUGE[name])
    for source in sources_of(grammar).values():
        lengths = []
        for _ in range(9):
            data = source.next()
            if data is None:
                break
            assert isinstance(data, bytes)
            assert grammar.check(data) is None
            lengths.append(len(data))
        assert lengths or source.name == "grammar: neighbours"  # nothing is known
        assert max(lengths[:3], default=0) < 100_000
        assert max(lengths, default=0) < 2_000_000
        if source.name.startswith("grammar: large"):
            assert max(lengths) > 1000


def test_small_inputs_are_of_many_sizes() -> None:
    source = sources_of(Grammar.from_yaml(HUGE["values"]))["grammar: small"]
    inputs = [data for data in (source.next() for _ in range(60)) if isinstance(data, bytes)]
    assert len({data.split()[0] for data in inputs}) > 10
    assert len(set(inputs)) > 40


@pytest.mark.thorough
def test_large_inputs_have_many_distinct_rows() -> None:
    source = sources_of(Grammar.from_yaml(ROWS))["grammar: large"]
    rows = [data.count(b"\n") - 1 for data in (source.next() for _ in range(8)) if isinstance(data, bytes)]
    assert max(rows) >= 400


@pytest.mark.parametrize(
    "lines",
    [
        [{"n": "0..10"}, {"repeat": "5000-500*n", "lines": [{"a": "0..9"}]}],
        [{"n": "-3..3"}, {"repeat": "3000-1000*n", "lines": [{"a": "0..9"}]}],
    ],
)
def test_the_first_choices_may_be_the_large_ones(lines: list[object]) -> None:
    source = sources_of(Grammar.from_yaml(lines))["grammar: smallest"]
    assert isinstance(source.next(), bytes)


def test_of_many_tests_some_inputs_have_only_one() -> None:
    source = sources_of(Grammar.from_yaml(HUGE["tests"]))["grammar: large tests"]
    data = [source.next() for _ in range(3)]
    assert all(isinstance(each, bytes) and each.startswith(b"1\n") for each in data)


def test_inputs_that_are_all_large_are_made_if_there_is_time() -> None:
    calls = count()
    sources = sources_of(FIXED, lambda: next(calls) > 5000)  # makes one part of an input
    assert [each.next() for each in sources.values()] == [None] * len(sources)
    assert next(calls) < 6000
    lines = Grammar.from_yaml([{"repeat": 5000, "lines": [{"a": "0..9"}]}])
    assert isinstance(sources_of(lines)["grammar: small"].next(), bytes)


def test_one_input_is_not_made_to_its_end_after_the_time() -> None:
    calls = count()
    with pytest.raises(GrammarError, match="the time is over"):
        FIXED.propose(Random(1), [], is_over=lambda: next(calls) > 100)
    assert next(calls) < 110
    with pytest.raises(TooLargeError):
        FIXED.propose(Random(1), [], most=1000)
