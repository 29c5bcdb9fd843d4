"""What known inputs have in common, as further rules of a grammar."""

from random import Random
from typing import Any

import pytest

from judge.inputs import Grammar
from judge.inputs.tighten import Rule, add_rules, find_rules, graph_options

EDGES = [{"n": "1..9", "m": "0..9"}, {"repeat": "m", "lines": [{"u": "1..n", "v": "1..n", "w": "1..5"}]}]
GRAPH = Rule((1,), graph_options("n", "m", 1, ["1..5"]))
WORDS = [{"n": "1..9"}, {"repeat": "n", "lines": [{"s": {"word": "[a-z]", "length": "1..20"}, "k": "1..9"}]}]
LISTS = [{"n": "1..9", "k": "1..9"}, {"a": {"list": "1..9", "count": "n"}}]


@pytest.mark.parametrize(
    ("lines", "known", "accepted", "rejected"),
    [
        (EDGES, [b"3 3\n1 2 1\n2 3 1\n3 1 4\n"], [b"3 3\n2 1 1\n2 3 1\n3 1 4\n"], [b"3 3\n1 2 1\n1 2 1\n3 3 4\n"]),
        (EDGES, [b"4 3\n1 2 1\n2 3 1\n2 4 1\n"], [b"2 1\n1 2 1\n"], [b"5 4\n1 2 1\n3 4 1\n1 3 1\n2 4 1\n"]),
        (EDGES, [b"4 2\n1 2 1\n3 4 1\n"], [b"5 2\n1 2 1\n3 4 1\n"], [b"3 2\n1 2 1\n2 1 1\n"]),
        (WORDS, [b"3\nabc 3\nxyz 1\nabc 2\n"], [b"1\nz 9\n"], [b"1\nzz 9\n", b"2\nab 1\nab 1\n"]),
        (WORDS, [b"2\nab 3\nxyz 5\n"], [b"2\nz 1\ny 3\n"], [b"2\nz 3\ny 1\n"]),
        (LISTS, [b"2 3\n1 2\n", b"4 6\n2 3 4 5\n"], [b"2 3\n7 8\n"], [b"2 3\n7 7\n", b"2 3\n8 7\n", b"2 2\n1 2\n"]),
        (LISTS, [b"3 3\n9 9 2\n"], [b"3 3\n5 5 5\n"], [b"3 3\n5 5 6\n"]),
    ],
)
def test_what_all_known_inputs_have_in_common_is_a_rule(
    lines: list[Any], known: list[bytes], accepted: list[bytes], rejected: list[bytes]
) -> None:
    rules = find_rules(lines, known, first=[GRAPH] if lines is EDGES else [])
    found, original = Grammar.from_yaml(add_rules(lines, rules)), Grammar.from_yaml(lines)
    assert [found.check(data) for data in (*known, *accepted)] == [None] * len(known + accepted)
    assert [original.check(data) for data in rejected] == [None] * len(rejected)
    assert None not in [found.check(data) for data in rejected]
    for seed in range(20):
        assert original.check(found.propose(Random(seed), [])) is None


@pytest.mark.parametrize("known", [[], [b"10 3\n1 2\n"], [b"3 3\n1 1 2\n", b"3 2\n2 1 1\n", b"3 5\n9 9 1\n"]])
def test_without_something_in_common_there_are_no_rules(known: list[bytes]) -> None:
    assert find_rules(LISTS, known) == []


def test_blocks_that_begin_with_a_blank_line_have_rules_too() -> None:
    lines = [{"n": "1..9"}, {"repeat": "n", "lines": ["", {"x": "1..9"}]}, {"repeat": "n", "lines": [""]}]
    found = Grammar.from_yaml(add_rules(lines, find_rules(lines, [b"2\n\n3\n\n5\n\n\n"])))
    assert found.check(b"2\n\n5\n\n3\n\n\n") is not None
