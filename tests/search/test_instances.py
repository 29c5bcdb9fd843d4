"""Inputs that are made from what examples look like: they stay small, whatever numbers the problem mentions."""

from random import Random

import pytest

from judge.search.instances import MAX_SIZE, InstanceMaker
from judge.search.learned import learn

# Of a graph, the number of its nodes counts no lines; nor does the length of a word.
GRAPHS = [b"3 2\n1 2\n2 3\n", b"4 3\n4 2\n1 3\n1 2\n", b"5 4\n1 5\n2 3\n3 4\n4 5\n", b"9 2\n9 1\n1 8\n"]
WORDS = [b"3\nabx\n", b"4\nbcaa\n", b"7\nxxabcya\n", b"5\nyabba\n", b"9\nabcabcabc\n", b"2\nyx\n"]


@pytest.mark.parametrize("examples", [GRAPHS, WORDS], ids=["nodes", "length"])
def test_what_a_huge_number_counts_is_not_made(examples: list[bytes]) -> None:
    learned = learn(examples)
    assert learned is not None
    maker = InstanceMaker(learned, [10**12], Random(1))
    made = [maker.make(20, style) for style in ("large", "boundary") * 10]
    assert None in made
    assert all(len(data) <= MAX_SIZE for data in made if data is not None)


def test_edges_whose_ends_are_in_order_are_a_graph() -> None:
    learned = learn([b"6 5\n1 2\n1 3\n2 4\n2 5\n1 6\n", b"9 3\n1 9\n2 8\n1 5\n"])
    assert learned is not None
    nodes, *_, second = learned.values
    learned.values[second].bound = nodes  # as the validators say; the first end never comes near
    maker = InstanceMaker(learned, [], Random(1))
    for size in range(1, 60):
        data = maker.make(size)
        assert data is not None
        (most, count), *edges = ([*map(int, line.split())] for line in data.splitlines())
        assert len(edges) <= count
        assert all(1 <= min(each) < max(each) <= most for each in edges)
        assert len({frozenset(each) for each in edges}) == len(edges)
