"""Inputs that are made from what examples look like: they stay small, whatever numbers the problem mentions."""

from collections import Counter
from random import Random

import pytest

from judge.search.instances import MAX_SIZE, InstanceMaker, Instances
from judge.search.learned import learn

# Of a graph, the number of its nodes counts no lines; nor does the length of a word.
GRAPHS = [b"3 2\n1 2\n2 3\n", b"4 3\n4 2\n1 3\n1 2\n", b"5 4\n1 5\n2 3\n3 4\n4 5\n", b"9 2\n9 1\n1 8\n"]
WORDS = [b"3\nabx\n", b"4\nbcaa\n", b"7\nxxabcya\n", b"5\nyabba\n", b"9\nabcabcabc\n", b"2\nyx\n"]


def test_a_word_as_long_as_a_huge_number_is_not_made() -> None:
    learned = learn(WORDS)
    assert learned is not None
    maker = InstanceMaker(learned, [10**12], Random(1))
    made = [maker.make(20, style) for style in ("large", "boundary") * 10]
    assert None in made
    assert all(len(data) <= MAX_SIZE for data in made if data is not None)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_input_that_would_be_too_large_does_not_end_a_source(seed: int) -> None:
    learned = learn(WORDS)
    assert learned is not None
    source = Instances("small", learned, [10**12], seed, largest=10)
    assert None not in [source.next() for _ in range(500)]


def test_a_graph_follows_its_size_not_a_huge_number() -> None:
    learned = learn(GRAPHS)
    assert learned is not None
    maker = InstanceMaker(learned, [10**12], Random(1))
    for style in ("large", "boundary") * 10:
        data = maker.make(20, style)
        assert data is not None
        assert 1 <= int(data.split()[0]) <= 21


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


def test_a_graph_has_as_many_nodes_as_its_size_says_though_all_examples_have_five() -> None:
    learned = learn([b"5 5\n1 2\n1 3\n2 4\n3 4\n4 5\n", b"5 6\n1 2\n1 3\n2 4\n3 4\n4 5\n1 4\n"])
    assert learned is not None
    maker = InstanceMaker(learned, [], Random(1))
    assert max(int(data.split()[0]) for _ in range(20) if (data := maker.make(50)) is not None) == 51


def test_the_nodes_of_a_graph_may_start_at_0() -> None:
    learned = learn([b"4 3\n0 1\n1 2\n2 3\n", b"6 2\n5 3\n0 4\n"])
    assert learned is not None
    nodes, *_, first, second = learned.values
    for each in (first, second):
        learned.values[each].bound, learned.values[each].is_below = nodes, True
    maker = InstanceMaker(learned, [], Random(1))
    longest = 0
    for _ in range(60):
        data = maker.make(2000)
        assert data is not None
        most, count, *ends = map(int, data.split())
        assert all(0 <= each < most for each in ends)
        degrees = Counter(ends)
        if count == most - 1 and max(degrees.values()) == 2:
            longest = max(longest, most)
    assert longest > 500, "a path"


def test_the_length_of_a_word_follows_the_size() -> None:
    learned = learn([b"2 4\nabba\nbaab\n", b"3 5\naabab\nbabab\nababa\n"])
    assert learned is not None
    maker = InstanceMaker(learned, [700], Random(1))
    made = [maker.make(size) for size in range(1, 9) for _ in range(20)]
    widths = Counter(int(data.split()[1]) for data in made if data is not None)
    assert widths.keys() >= {1, 2, 3, 6, 7, 8}


def test_operations_with_a_number_are_no_edges() -> None:
    learned = learn([b"9 3\n+ 1\n* 9\n? 2\n", b"12 4\n? 12\n+ 1\n* 10\n? 3\n"])
    assert learned is not None
    data = InstanceMaker(learned, [], Random(1)).make(5)
    assert data is not None
    assert all(line[:1] in b"+*?" for line in data.splitlines()[1:])


@pytest.mark.parametrize("size", [40, 1000])
def test_rows_in_the_style_beside_are_points_on_a_few_lines(size: int) -> None:
    learned = learn([b"2\n3 90\n40 7\n", b"3\n1 5\n80 100\n9 9\n", b"4\n5 61\n22 3\n100 1\n31 70\n"])
    assert learned is not None
    maker = InstanceMaker(learned, [], Random(1))
    on_lines = 0
    for _ in range(50):
        data = maker.make(size, "beside")
        assert data is not None
        points = [[*map(int, line.split())] for line in data.splitlines()[1:]]
        lines = Counter(value for x, y in points for value in {(0, y), (1, y - x), (-1, y + x), (2, y - 2 * x)})
        on_lines += sum(count for _, count in lines.most_common(4)) > len(points) / 2
    assert on_lines > 25


def test_trees_are_paths_stars_and_binary_ones_too() -> None:
    learned = learn([b"4\n1 2\n2 3\n2 4\n", b"5\n3 1\n4 1\n5 3\n2 1\n", b"2\n1 2\n"])
    assert learned is not None
    maker = InstanceMaker(learned, [], Random(1))
    seen = set()
    for _ in range(60):
        data = maker.make(30)
        assert data is not None
        _, *ends = data.split()
        if len(ends) > 20:
            degrees = Counter(ends).values()
            seen.add((len(set(degrees)), max(degrees) == len(ends) // 2, max(degrees)))
    assert (2, False, 2) in seen, "a path: all degrees are 1 or 2"
    assert any(kinds == 2 and is_all for kinds, is_all, _ in seen), "a star: one node has all edges"
    assert (3, False, 3) in seen, "a binary tree: all degrees are 1, 2, or 3"


def test_small_trees_have_nodes() -> None:
    """The number of nodes counts the edges, too: it is not drawn as their number."""
    learned = learn([b"4\n1 2\n2 3\n2 4\n", b"5\n3 1\n4 1\n5 3\n2 1\n", b"2\n1 2\n"])
    assert learned is not None
    maker = InstanceMaker(learned, [], Random(1))
    assert all(int(data.split()[0]) > 0 for _ in range(100) if (data := maker.make(1)) is not None)
