"""Inputs that a grammar makes."""

import random
from collections.abc import Callable
from itertools import islice, pairwise
from typing import Any

import pytest

from judge.inputs import GrammarError, choose
from judge.inputs.domains import Integers
from judge.inputs.graphs import GraphRules
from tests.inputs.samples import SAMPLES, grammar, sample


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_generated_is_valid(name: str) -> None:
    rng = random.Random(name)
    for size in [None] * 20 + [0.0, 0.1, 0.3]:
        assert sample(name).check(sample(name).generate(rng, size=size)) is None


@pytest.mark.parametrize("name", SAMPLES)
def test_single_changes_are_valid_and_reach_the_ends_of_each_range(name: str) -> None:
    found = sample(name)
    data = found.generate(random.Random(name), size=0.3)
    changed = list(islice(found.single_changes(data), 200))
    assert data not in changed
    assert all(found.check(each) is None for each in changed)


def test_single_changes_are_those_of_each_field_and_count() -> None:
    found = grammar("[{n: 1..5, k: 0..9}, {a: {list: -7..7, count: n}}]")
    expected = {b"2 0\n1 2\n", b"2 9\n1 2\n", b"2 3\n7 7\n", b"2 3\n-7 2\n", b"2 3\n1 0\n", b"2 3\n1 1\n"}
    expected |= {b"1 3\n1\n", b"3 3\n1 2 1\n", b"5 3\n1 2 1 2 1\n", b"5 3\n7 7 7 7 7\n", b"5 9\n1 2 1 2 1\n"}
    assert expected <= set(found.single_changes(b"2 3\n1 2\n"))


def test_positions_in_a_grid_have_characters() -> None:
    found = grammar("""[{n: 1..5}, {r: 1..n, c: 1..n}, {repeat: n, lines: [{s: {word: "[#.]", length: n}}]},
        {where: 's[r][c] == "."'}]""")
    assert str(found.check(b"2\n1 2\n.#\n..\n")).endswith('expected `s[r][c] == "."`')
    assert all(found.check(found.generate(random.Random(seed))) is None for seed in range(20))


@pytest.mark.parametrize(
    "block",
    [
        'characters: {"#": 2}, distinct: row, lines: [{row: {word: "[#.]", length: 3}}]',
        'characters: {"#": 2}, order: {row: ascending}, lines: [{row: {word: "[#.]", length: 3}}]',
        'characters: {"#": 2}, lines: [{row: {word: "[#.]", length: 3, characters: {".": 2}}}]',
        'characters: {"#": 2}, lines: [{row: {word: "[#.]", length: 3}}, {where: "row[1] != row[2]"}]',
        'index: i, lines: [{row: {list: {word: "[#.]", length: i, characters: {"#": 1}}, count: i, index: j}}]',
    ],
)
def test_characters_are_placed_where_other_rules_hold(block: str) -> None:
    found = grammar(f"[{{n: 2..4}}, {{repeat: n, {block}}}]")
    for seed in range(60):
        assert found.check(found.generate(random.Random(seed))) is None


def test_the_same_random_numbers_give_the_same_input() -> None:
    one, other = (sample("connected graph").generate(random.Random(7)) for _ in range(2))
    assert one == other


def test_size_leads_from_the_smallest_to_the_largest_input() -> None:
    found = sample("cards")
    lines = [found.generate(random.Random(1), size=size).count(b"\n") for size in (0, 0.25, 0.5, 0.75, 1)]
    assert lines == sorted(lines)
    assert (lines[0], lines[-1]) == (1, 10_000)


@pytest.mark.parametrize(
    "relation", ["h*w <= 10^3", "1000 - h*w >= 0", "h + w <= 100", "2*h + w == 1000", "w - h >= 900", "h*(w+1) > 5000"]
)
def test_a_relation_limits_the_last_of_its_fields(relation: str) -> None:
    found = grammar(f"[{{h: 1..1000, w: 1..1000}}, {{where: {relation}}}, {{repeat: h, lines: [{{x: 1..w}}]}}]")
    for seed in range(20):
        for size in (None, 0.6):
            assert found.check(found.generate(random.Random(seed), size=size)) is None


def test_a_factor_may_be_negative() -> None:
    found = grammar("[{a: -9..0, b: 1..9}, {where: a*b >= -20}, {where: b - a > 2}]")
    inputs = {found.generate(random.Random(seed)) for seed in range(500)}
    assert {b"0 9\n", b"-9 2\n", b"-2 9\n"} <= inputs


def test_boundaries_are_favoured() -> None:
    found = grammar("[{a: -10^9..10^9}]")
    values = [int(found.generate(random.Random(seed))) for seed in range(300)]
    assert {-(10**9), 10**9, 0} <= set(values)
    assert len(set(values)) > 150


def test_parameters_fix_values_and_counts() -> None:
    found = sample("sums")
    assert found.generate(random.Random(1), t=1, n=3).startswith(b"1\n3\n")
    assert sample("cards").generate(random.Random(1), tests=4).count(b"\n") == 4
    assert len(sample("copies").generate(random.Random(1), tests=1, tiles=5).split()) == 5


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"x": 1}, "there is no parameter `x`: expected one of t, n, a"),
        ({"n": 0}, "no input was found"),
        ({"n": "five"}, "no input was found"),
    ],
)
def test_impossible_parameters_are_errors(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        sample("sums").generate(random.Random(1), **parameters)


def test_rules_that_contradict_each_other_are_an_error() -> None:
    found = grammar("[{a: 1..9, b: 1..9}, {where: [a < b, b < a]}]")
    assert list(found.smallest()) == []
    with pytest.raises(GrammarError, match="contradict"):
        found.generate(random.Random(1))


@pytest.mark.parametrize("name", SAMPLES)
def test_shrinking_ends_at_a_small_valid_input(name: str) -> None:
    found = sample(name)
    data = found.generate(random.Random(3), size=0.2)
    for _ in range(200):
        simpler = next(found.shrinks(data), None)
        if simpler is None:
            break
        assert found.check(simpler) is None
        assert (len(simpler.split()), len(simpler), simpler) < (len(data.split()), len(data), data)
        data = simpler
    assert len(data) <= 2 * len(next(found.smallest())) + 4


def test_shrinking_keeps_what_matters() -> None:
    found = sample("sums")
    data = found.generate(random.Random(5), size=0.3)
    data = _insert(data, b"777")
    while simpler := next((each for each in found.shrinks(data) if b"777" in each.split()), None):
        data = simpler
    assert data == b"1\n1\n777\n"


def _insert(data: bytes, value: bytes) -> bytes:
    lines = data.split(b"\n")
    lines[2] = b" ".join([value, *lines[2].split()[1:]])
    return b"\n".join(lines)


def test_shrinking_a_graph_removes_nodes() -> None:
    found = sample("connected graph")
    data = b"5 6\n4 5 1\n5 1 9\n1 2 1\n2 3 7\n3 1 1\n3 4 1\n"

    def has_cycle(each: bytes) -> bool:
        nodes, edges = map(int, each.split()[:2])
        return edges >= nodes

    while simpler := next((each for each in found.shrinks(data) if has_cycle(each)), None):
        data = simpler
    assert data.split()[:2] == [b"3", b"3"]


@pytest.mark.parametrize("extra", [0, 30])
def test_what_refers_to_nodes_follows_when_a_graph_shrinks(extra: int) -> None:
    """The node asked for stays far from the first one, and keeps its value; few inputs are tried."""
    found = grammar(
        "[{n: 2..1000, m: 1..5000}, {graph: {nodes: n, edges: m, connected: true}}, {a: {list: 0..99, count: n}},"
        " {s: 1..n}]"
    )
    rng = random.Random(4)
    nodes = [1, *rng.sample(range(2, 61), 59)]
    edges = [(nodes[at], nodes[at - 1]) for at in range(1, 60)]
    edges += [(nodes[at], nodes[at + 2]) for at in rng.sample(range(58), extra)]
    rng.shuffle(edges)
    values = ["77" if node == nodes[50] else "5" for node in range(1, 61)]
    lines = [f"60 {len(edges)}", *(f"{one} {other}" for one, other in edges), " ".join(values), str(nodes[50])]
    data = ("\n".join(lines) + "\n").encode()
    tried = 0

    def is_far(each: bytes) -> bool:
        nonlocal tried
        tried += 1
        first, *pairs, row, asked = [line.split() for line in each.decode().splitlines()]
        assert (len(row), len(pairs)) == (int(first[0]), int(first[1]))
        steps = {"1": 0}
        for node in (queue := ["1"]):
            near = {other for pair in pairs if node in pair for other in pair} - steps.keys()
            steps |= dict.fromkeys(near, steps[node] + 1)
            queue += near
        return steps[asked[0]] >= 6 and row[int(asked[0]) - 1] == "77"

    assert is_far(data)
    while simpler := next((each for each in found.shrinks(data) if is_far(each)), None):
        data = simpler
    assert data.split()[:2] == [b"7", b"6"]
    assert tried < 500


def test_nodes_without_edges_are_left_out() -> None:
    found = grammar("[{n: 2..50, m: 1..100}, {graph: {nodes: n, edges: m}}]")
    data = b"9 3\n1 3\n3 7\n7 9\n"

    def is_a_path(each: bytes) -> bool:
        _, *pairs = [tuple(line.split()) for line in each.splitlines()]
        ends = [node for pair in pairs for node in pair]
        return sorted(ends.count(node) for node in set(ends)) == [1, 1, 2, 2]

    while simpler := next((each for each in found.shrinks(data) if is_a_path(each)), None):
        data = simpler
    assert data.split()[:2] == [b"4", b"3"]


def test_numbers_that_depend_on_each_other_shrink_together() -> None:
    found = grammar("[{n: 1..9}, {repeat: n, lines: [{l: 0..10^9, r: l..10^9}]}]")
    data = b"3\n0 373630823\n373630814 546335741\n700000000 800000000\n"
    tried = 0

    def fails(each: bytes) -> bool:
        nonlocal tried
        tried += 1
        _, *numbers = map(int, each.split())
        spans = sorted(zip(numbers[::2], numbers[1::2], strict=True))
        return any(100_003 <= second[0] <= first[1] for first, second in pairwise(spans))

    while simpler := next((each for each in found.shrinks(data) if fails(each)), None):
        data = simpler
    assert data == b"2\n0 100003\n100003 100003\n"
    assert tried < 2_000


def test_shrinking_ends_when_the_time_is_over() -> None:
    found = sample("connected graph")
    data = found.generate(random.Random(3), size=0.5)
    asked = 0

    def is_over() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    assert len(list(found.shrinks(data, is_over))) <= 3
    assert asked == 4


@pytest.mark.parametrize("name", SAMPLES)
def test_mutations_are_valid_and_varied(name: str) -> None:
    found, rng = sample(name), random.Random(name)
    data = found.generate(rng, size=0.4)
    near = list(islice(found.mutations(data, rng), 20))
    assert data not in near
    assert len(set(near)) > 8
    assert all(found.check(each) is None for each in near)


def test_an_invalid_input_has_no_neighbours() -> None:
    assert list(sample("cards").shrinks(b"x\n")) == []
    assert list(sample("cards").mutations(b"x\n", random.Random(1))) == []


@pytest.mark.parametrize("name", ["cards", "counted cards", "copies", "sums"])
def test_split_and_join_are_inverse(name: str) -> None:
    found = sample(name)
    data = found.generate(random.Random(2), size=0.3)
    tests = found.split(data)
    assert tests is not None
    assert len(tests) > 2
    assert all(found.check(test) is None for test in tests)
    assert found.join(tests) == data
    assert found.join(tests[:1]) == tests[0]


def test_what_cannot_be_joined_is_not() -> None:
    assert sample("tree").split(b"1\n") is None
    assert sample("tree").join([b"1\n", b"1\n"]) is None
    assert sample("counted cards").join([b"0\n" * 150, b"0\n" * 51]) is None
    limited = grammar("[{t: 1..9}, {tests: t, sum: {n: 5}, lines: [{n: 1..5}]}]")
    assert limited.join([b"1\n3\n", b"1\n2\n"]) == b"2\n3\n2\n"
    assert limited.join([b"1\n3\n", b"1\n3\n"]) is None
    assert sample("sums").join([b"x"]) is None


@pytest.mark.parametrize(
    ("name", "size_name", "highest"),
    [
        ("cards", "tests", 10_000),
        ("sums", "n", 200_000),
        ("connected graph", "n", 200_000),
        ("tree", "n", 200_000),
        ("queries", "n", 1000),
        ("grid", "h", 50),
        ("terminator", "repeat", 100),
    ],
)
def test_scale_makes_the_dominant_count_as_large_as_asked(name: str, size_name: str, highest: int) -> None:
    found = sample(name)
    assert (found.size_name, found.max_size) == (size_name, highest)
    for n in (1, 7, min(highest, 300)):
        data = found.scale(n, random.Random(1))
        assert found.check(data) is None
        tree = found.generate(random.Random(1), **{size_name: n})
        assert len(data) < 100 + 40 * (len(tree) + n)
    assert found.scale(7, random.Random(1)) == found.scale(7, random.Random(1))


def test_graphs_beyond_the_values_that_are_looked_at_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of nodes of another test is not taken for theirs."""
    monkeypatch.setattr("judge.inputs.sites._MAX_SITES", 3)
    found = grammar("[{t: 1..9}, {repeat: t, lines: [{n: 1..9}, {graph: {nodes: n, edges: n-1, weight: 1..9}}]}]")
    data = b"2\n2\n1 2 7\n5\n1 5 6\n5 4 6\n4 3 6\n3 2 6\n"
    assert b"1\n5\n1 5 6\n5 4 6\n4 3 6\n3 2 6\n" in list(found.shrinks(data))


@pytest.mark.parametrize(
    "text",
    [
        "[{n: 1..10^6}, {a: {list: 1..n, count: n, distinct: true}}]",
        "[{n: 1..10^6}, {a: {list: 1..2*n, count: n, copies: 3}}]",
        "[{n: 1..10^6}, {a: {permutation: n}}]",
        "[{n: 1..10^6}, {graph: {nodes: n, edges: n}}]",
        "[{n: 1..10^6}, {graph: {nodes: n, edges: 2*n, connected: true}}]",
        "[{n: 1..10^6}, {repeat: n, distinct: x, lines: [{x: 1..n}]}]",
    ],
)
def test_the_simplest_input_takes_time_in_proportion_to_its_size(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def note(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            looked.append(arguments)
            return function(*arguments)

        return call

    monkeypatch.setattr(Integers, "nth", note(Integers.nth))
    monkeypatch.setattr(GraphRules, "may_have", note(GraphRules.may_have))
    body = grammar(text).description.body
    tree = body.build(choose.Chooser(), fixed={"n": 3000})
    assert len(looked) <= 10 * len(body.render(tree).split())
