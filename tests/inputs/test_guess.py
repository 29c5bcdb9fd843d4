"""Formats that are guessed from samples: what is accepted, how far it is from the samples, and what is simpler."""

from random import Random
from typing import Any

import pytest

from judge.inputs import Grammar
from judge.inputs.choose import GrammarError
from judge.inputs.guess import Guess
from judge.inputs.infer import RINGS

FORMATS: dict[str, list[Any]] = {
    "array": [{"n": "1..9"}, {"a": {"list": "-9..99", "count": "n"}}],
    "permutation": [{"n": "1..9"}, {"p": {"permutation": "n"}}],
    "words": [{"n": "1..9"}, {"repeat": "n", "lines": [{"s": {"word": "[a-z]", "length": "1..9"}, "a": "0..99"}]}],
    "grid": [{"h": "1..9", "w": "1..9"}, {"repeat": "h", "lines": [{"r": {"word": "[.#]", "length": "w"}}]}],
    "graph": [{"n": "3..9", "m": "1..3"}, {"graph": {"nodes": "n", "edges": "m"}}],
    "tree": [{"n": "2..9"}, {"tree": {"nodes": "n", "weight": "1..99"}}],
    "queries": [
        {"n": "1..9", "q": "1..9"},
        {"a": {"list": "1..99", "count": "n"}},
        {"repeat": "q", "lines": [{"l": "1..n", "r": "l..n"}]},
    ],
    "tests": [{"t": "1..9"}, {"tests": "t", "lines": [{"n": "1..9"}, {"a": {"list": "1..9", "count": "n"}}]}],
    "operations": [
        {"q": "3..9"},
        {"repeat": "q", "lines": [{"either": [{"f": {"choice": ["push"]}, "x": "1..9"}, {"g": {"choice": ["pop"]}}]}]},
    ],
    "lines up to zeros": [{"repeat": "1..9", "until": "0 0", "lines": [{"a": "1..9", "b": "1..9"}]}],
}


def guess_of(name: str) -> tuple[Guess, list[bytes]]:
    true = Grammar.from_yaml(FORMATS[name])
    samples = [true.generate(Random(seed), size=0.6 + seed / 10) for seed in range(3)]
    guess = Guess.of(samples)
    assert guess is not None
    return guess, samples


def inputs_of(guess: Guess, ring: str) -> list[bytes]:
    found = []
    for seed in range(25):
        try:
            found.append(guess.grammars[list(RINGS).index(ring)].propose(Random(seed), (), most=50))
        except GrammarError:
            continue
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_each_grammar_accepts_the_samples_and_what_it_makes(name: str) -> None:
    guess, samples = guess_of(name)
    assert [each.check(data) for each in guess.grammars for data in samples] == [None] * 3 * len(RINGS)
    assert {guess.distance(data) for data in samples} == {(0, 0)}
    for ring in RINGS:
        made = inputs_of(guess, ring)
        assert made
        assert all(map(guess.grammars[-1].accepts, made))


@pytest.mark.parametrize("name", FORMATS)
def test_simpler_inputs_are_accepted_and_those_nearer_to_the_samples_come_first(name: str) -> None:
    guess, _ = guess_of(name)
    for data in inputs_of(guess, "many values")[:5]:
        simpler = list(guess.shrinks(data))[:40]
        assert all(map(guess.grammars[-1].accepts, simpler))
        rings = [guess.ring(each) for each in simpler]
        assert rings[: rings[:1].count(0)] == [0] * rings[:1].count(0)


@pytest.mark.parametrize("name", FORMATS)
def test_what_the_samples_do_not_show_is_named_exactly_where_there_is_something(name: str) -> None:
    guess, samples = guess_of(name)
    for data in (*samples, *inputs_of(guess, "values of the samples"), *inputs_of(guess, "wider ranges")):
        assert bool(guess.describe_difference(data)) == (guess.ring(data) > 0), data


ARRAY = Guess.of([b"5\n1 2 3 4 5\n", b"3\n6 1 2\n"])


@pytest.mark.parametrize(
    ("data", "ring", "difference"),
    [
        (b"2\n3 6\n", "values of the samples", []),
        (b"1\n3\n", "a single element", ["n = 1"]),
        (b"2\n60 5\n", "wider ranges", ["x = 60"]),
        (b"2\n3 3\n", "repeated values", ["line 2: `3` in `x` again (expected a new value)"]),
        (b"2\n3 0\n", "zero", ["x = 0"]),
        (b"2\n1 -2\n", "negative numbers", ["x = -2"]),
        (b"2\n3 1000000000\n", "large values", ["x = 1000000000"]),
    ],
)
def test_an_input_is_as_far_as_its_least_likely_value(data: bytes, ring: str, difference: list[str]) -> None:
    assert ARRAY is not None
    assert list(RINGS)[ARRAY.ring(data)] == ring
    assert ARRAY.describe_difference(data) == difference


GRAPH = b"4 3\n1 2\n2 3\n3 4\n", b"3 3\n1 2\n2 3\n3 1\n"
MAZE = b"2 3\n1 1 2 3\n.#.\n...\n", b"3 2\n3 1 1 1\n.#\n..\n.#\n"


@pytest.mark.parametrize(
    ("samples", "data", "ring"),
    [
        (GRAPH, b"3 2\n1 2\n1 3\n", "values of the samples"),
        (GRAPH, b"3 1\n1 2\n", "loose graphs"),
        (GRAPH, b"2 2\n1 2\n2 1\n", "parallel edges"),
        (MAZE, b"2 3\n1 1 2 3\n.##\n##.\n", "values of the samples"),
        (MAZE, b"2 2\n1 2 2 1\n#.\n#.\n", "other orders"),
        (MAZE, b"2 2\n1 2 3 2\n#.\n#.\n", "any values"),
        (MAZE, b"2 120\n1 1 2 1\n" + b"." * 120 + b"\n" + b"." * 120 + b"\n", "any values"),
        ((b"2\n5\n7\n", b"1\n3\n"), b"1\n999999\n", "values up to 10^6"),
        ((b"10 2\n", b"255 16\n"), b"255 1\n", "wider ranges"),
    ],
)
def test_rings_are_in_the_order_of_what_statements_allow(samples: tuple[bytes, ...], data: bytes, ring: str) -> None:
    guess = Guess.of(samples)
    assert guess is not None
    assert [*RINGS, "none"][guess.ring(data)] == ring


def test_an_input_becomes_the_most_similar_one_that_the_samples_show() -> None:
    assert ARRAY is not None
    assert next(ARRAY.shrinks(b"3\n7 0 10\n")) == b"3\n6 1 2\n"


@pytest.mark.parametrize("data", [b"2\n3 6 1\n", b"2\n3 x\n", b"2\n3  6\n", b"", b"2\n"])
def test_other_forms_are_not_accepted(data: bytes) -> None:
    assert ARRAY is not None
    assert not ARRAY.grammars[-1].accepts(data)
    assert not list(ARRAY.shrinks(data))


@pytest.mark.parametrize(
    ("samples", "outline"),
    [
        ([b"5\n1 2 3 4 5\n", b"3\n6 1 2\n"], "n: 1.., x: n integers"),
        (
            [b"3 2\n....\n....\n....\n".replace(b"2", b"4"), b"1 2\n##\n"],
            "n: 1.., m: 1.., n lines of (s: a word of m characters [#.])",
        ),
        ([b"4 2\n1 2\n4 3\n", b"3 3\n1 3\n3 2\n2 1\n"], "n: 1.., m: 0.., m edges (u, v) of a graph with n nodes"),
        ([b"4\n1 2\n4 3\n3 2\n", b"2\n2 1\n"], "n: 1.., n - 1 edges (u, v) of a tree with n nodes"),
        ([b"123456789012345678901234567890\n"], "a: 0.."),
        ([b"0\n\n", b"3\n1 2 3\n"], "n: 0.., x: n integers"),
        (
            [b"4 3\n9 2 3 4\n2 1 4\n1 2 7\n2 2 3\n", b"3 2\n5 5 1\n2 1 2\n1 3 1\n"],
            "n: 1.., m: 0.., x: n integers, m lines of (one of (a: 1, b: 1..n, c: 0.. | d: 2, e: 1..n, f: e..n))",
        ),
        ([b"09:15 23:00\n"], "s: a word, t: a word"),
        ([b"1 2\n0 0\n", b"3 4\n5 6\n0 0\n"], "up to `0 0`: lines of (a: 0.., b: 0..)"),
        ([b"3\nadd 2\nadd 3\nask\n", b"2\nadd 1\nask\n"], "n: 1.., n lines of (one of (s: add, a: 0.. | t: ask))"),
        (
            [b"8\n1 2 3 4 5 6 7 8\n", b"1000\n" + b" ".join(b"%d" % (at % 977 + 1) for at in range(1000)) + b"\n"],
            "n: 1.., x: n integers",
        ),
    ],
)
def test_the_format_is_shown_in_a_line(samples: list[bytes], outline: str) -> None:
    guess = Guess.of(samples)
    assert guess is not None
    assert guess.outline() == outline


@pytest.mark.parametrize("samples", [[], [b""], [b"one  two\n"], [b"\xff\n"]])
def test_some_samples_have_no_format(samples: list[bytes]) -> None:
    assert Guess.of(samples) is None
