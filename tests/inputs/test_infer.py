"""A grammar that is inferred from a few inputs and from what is valid."""

import time
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from judge.hack.hack_inputs import variants_of
from judge.inputs import Grammar
from judge.inputs.choose import GrammarError
from judge.inputs.infer import infer_grammar
from judge.inputs.observe import observe
from judge.inputs.probe import places_of, probe_item
from judge.inputs.tighten import Oracle, Rule, add_rules, find_rules, refute_rules

NUMBERS = sorted({0, 1, 2, 3, 10, 50, 100, 1000, 3000, 10**4, 10**6, 10**9})


def oracle_of(grammar: Grammar, seconds: float = 20.0) -> Oracle:
    return Oracle(lambda data: grammar.check(data) is None, time.monotonic() + seconds)


def infer(true: Grammar) -> Any:
    """Return the notation that is inferred from three inputs of a grammar, which is what a validator knows."""
    oracle, random = oracle_of(true), Random(5)
    known = [true.generate(random, size=0.25 + 0.05 * at) for at in range(3)]
    known = [*known, *filter(oracle.accepts, variants_of(known))]
    observed = observe(known)
    assert observed is not None
    places = places_of(observed, known)
    probed = [probe_item(observed.values[item], item, places[item], NUMBERS, oracle.accepts) for item in places]
    observed = replace(observed, values=observed.values | {each.item: each.values for each in probed})
    known += [data for each in probed for data in each.inputs]
    return infer_grammar(observed, NUMBERS, known, oracle, Random(0))


def some_of(grammar: Grammar) -> list[bytes]:
    """Return small and large inputs."""
    found = []
    for seed in range(60):
        try:
            found.append(grammar.propose(Random(seed), (), size=(None, 0.1, 0.3, 0.6)[seed % 4], most=300))
        except GrammarError:
            continue
    return found


@pytest.mark.parametrize(
    "lines",
    [
        [{"n": "1..1000"}, {"tree": "n"}],
        [
            {"n": "1..1000", "m": "1..1000"},
            {"a": {"list": "1..n", "count": "m"}},
            {"b": {"list": "1..10^6", "count": "n", "order": "ascending"}},
        ],
        [{"n": "1..1000", "k": "1..n"}, {"a": {"list": "-10^9..10^9", "count": "n", "distinct": True}}],
        [{"n": "1..1000"}, {"p": {"permutation": "n"}}],
        [{"s": {"word": "[a-z]", "length": "1..1000"}}, {"t": {"word": "[a-z]", "length": "1..1000"}}],
        [{"t": "1..10"}, {"tests": "t", "lines": [{"n": "1..100"}, {"a": {"list": "1..100", "count": "n"}}]}],
        [{"n": "1..100"}, {"repeat": "n", "distinct": "s", "lines": [{"s": {"word": "[a-c]", "length": "1..5"}}]}],
        pytest.param(
            [{"n": "1..100"}, {"repeat": "n", "lines": [{"l": "0..10^9", "r": "0..10^9"}, {"where": "l <= r"}]}],
            marks=pytest.mark.thorough,
        ),
        [{"n": "1..10"}, {"repeat": "n", "lines": [{"a": {"list": "-50..50", "count": "n"}}]}],
        [{"n": "1..100"}, {"repeat": "n", "order": {"a": "ascending"}, "lines": [{"a": "1..10^6", "b": "1..10^6"}]}],
        [{"n": "1..100"}, {"repeat": "n", "lines": [{"a": "1..10^6", "b": "1..10^6"}, {"where": "a != b"}]}],
    ],
)
def test_inputs_of_the_inferred_grammar_are_valid_and_all_valid_ones_are_of_it(lines: list[Any]) -> None:
    true = Grammar.from_yaml(lines)
    inferred = Grammar.from_yaml(infer(true))
    made = some_of(inferred)
    assert len(made) > 30
    assert [true.check(data) for data in made] == [None] * len(made)
    assert [inferred.check(data) for data in some_of(true)] == [None] * len(some_of(true))


def test_a_connected_graph_is_recognized_with_its_weights() -> None:
    graph = {"nodes": "n", "edges": "m", "connected": True, "weight": "1..10^9"}
    (numbers, block) = infer(Grammar.from_yaml([{"n": "1..1000", "m": "0..3000"}, {"graph": graph}]))
    nodes, edges = numbers
    assert block["graph"] == {
        "nodes": nodes, "edges": edges, "first": 1, "weight": "1..1000000000", "connected": True
    }  # fmt: skip


def test_edges_whose_ends_are_in_order_are_no_graph() -> None:
    ordered = {"lines": [{"u": "1..n", "v": "1..n", "w": "1..10^6"}, {"where": "u < v"}], "distinct": ["u", "v"]}
    block = infer(Grammar.from_yaml([{"n": "20..1000", "m": "1..50"}, {"repeat": "m", **ordered}]))[1]
    u, v, _ = block["lines"][0]
    assert block["distinct"] == [u, v]
    assert {"where": f"{u} < {v}"} in block["lines"]


PAIRS = [{"n": "1..9", "m": "1..9"}, {"repeat": "m", "lines": [{"u": "1..n", "v": "1..n"}]}]


@pytest.mark.parametrize(
    ("block", "is_graph"), [({"graph": {"nodes": "n", "edges": "m", "connected": False}}, True), (PAIRS[1], False)]
)
def test_pairs_are_not_a_connected_graph_only_because_those_of_all_samples_are(block: Any, is_graph: bool) -> None:
    true = Grammar.from_yaml([PAIRS[0], block])
    known = [b"3 3\n1 2\n2 3\n3 1\n", b"4 4\n1 2\n3 2\n4 1\n2 4\n"]
    options = [{"graph": {"nodes": "n", "edges": "m", "connected": connected}} for connected in (True, False)]
    rules = find_rules(PAIRS, known, first=[Rule((1,), options)])
    (_, found, *_) = add_rules(PAIRS, refute_rules(PAIRS, rules, known, oracle_of(true), Random(1)))
    assert ("graph" in found) is is_graph
    assert not is_graph or found["graph"]["connected"] is False


def test_characters_that_occur_once_in_a_grid_are_recognized() -> None:
    row = {"r": {"word": "[.#SE]", "length": "w"}}
    maze = [{"h": "1..50", "w": "2..50"}, {"repeat": "h", "characters": {"S": 1, "E": 1}, "lines": [row]}]
    (numbers, block) = infer(Grammar.from_yaml(maze))
    assert block["characters"] == {"S": 1, "E": 1}
    assert set(numbers.values()) == {"1..50"}


def test_tests_of_one_input_are_recognized() -> None:
    test = [{"n": "1..100"}, {"a": {"list": "1..100", "count": "n"}}]
    (count, block) = infer(Grammar.from_yaml([{"t": "1..10"}, {"tests": "t", "lines": test}]))
    assert block["tests"] in count


def test_rules_of_chance_are_refuted_and_needed_ones_stay() -> None:
    value = [{"a": "1..9", "b": "1..9"}, {"c": {"list": "1..9", "count": "3"}}]
    true = Grammar.from_yaml([*value, {"where": "a <= b"}])
    known = [b"1 5\n2 4 6\n", b"2 3\n1 7 8\n"]
    rules = find_rules(value, known)
    assert Grammar.from_yaml(add_rules(value, rules)).check(b"2 2\n5 5 1\n") is not None
    left = Grammar.from_yaml(add_rules(value, refute_rules(value, rules, known, oracle_of(true), Random(1))))
    assert [left.check(data) for data in (*known, b"2 2\n5 5 1\n")] == [None] * 3
    assert left.check(b"3 2\n2 4 6\n") is not None


def test_rules_stay_when_there_is_no_time_to_ask() -> None:
    value = [{"a": "1..9", "b": "1..9"}]
    rules = find_rules(value, [b"1 5\n"])
    assert refute_rules(value, rules, [b"1 5\n"], oracle_of(Grammar.from_yaml(value), -1.0), Random(1)) == rules


def test_a_grammar_whose_inputs_are_not_valid_is_none() -> None:
    """No two numbers are the sum of the others: notation knows no such rule."""
    known = [b"3\n1 2 3\n", b"4\n1 2 3 6\n", b"3\n2 5 7\n"]
    observed = observe(known)
    assert observed is not None
    oracle = Oracle(lambda data: data in known)
    assert infer_grammar(observed, NUMBERS, known, oracle, Random(0)) is None
