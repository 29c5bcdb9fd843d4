"""What of an input is drawn: shapes are recognized by the grammar and by their values, and marked by outputs."""

import pytest
import yaml

from judge.inputs import Grammar
from judge.inputs.pictures import Network, Numbers, find_marks, find_pictures

# Inputs of one problem each, the first of which is drawn; titles of the pictures, without "(guessed)".
INPUTS: dict[str, tuple[list[str], list[str]]] = {
    "tree": (["4\n1 2\n1 3\n3 4\n", "3\n2 1\n3 1\n"], ["tree of 4 nodes"]),
    "tree from 0": (["4\n0 1\n0 2\n2 3\n"], ["tree of 4 nodes"]),
    "tree with weights": (["4\n1 2 70\n1 3 80\n3 4 90\n"], ["weighted tree of 4 nodes"]),
    "tree and values": (["4\n7 8 9 9\n1 2\n1 3\n3 4\n"], ["x: 4 numbers", "tree of 4 nodes"]),
    "tree and queries": (["4 2\n1 2\n1 3\n3 4\n2 3\n1 4\n", "3 1\n1 2\n3 1\n1 2\n"], ["tree of 4 nodes"]),
    "parents": (["5\n1 1 2 2\n", "3\n1 2\n", "6\n1 2 2 3 3\n"], ["x: tree of 5 nodes"]),
    "parents and a root": (["4\n2 0 2 3\n", "3\n0 1 1\n"], ["x: tree of 4 nodes"]),
    "parents and -1": (["5\n1 -1 1 2 0\n", "3\n-1 0 0\n"], ["x: tree of 5 nodes"]),
    "graph": (["4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n", "3 1\n1 3\n"], ["graph of 4 nodes and 5 edges"]),
    "graph from 0": (["4 5\n0 1\n1 2\n2 3\n3 0\n0 2\n"], ["graph of 4 nodes and 5 edges"]),
    "graph with weights": (["4 4\n1 2 9\n2 3 8\n3 4 7\n4 1 9\n"], ["weighted graph of 4 nodes and 4 edges"]),
    "graph and ends": (
        ["4 5 1 4\n1 2\n2 3\n3 4\n4 1\n1 3\n", "3 3 1 3\n1 3\n2 3\n1 2\n"],
        ["graph of 4 nodes and 5 edges"],
    ),
    "parallel edges": (["3 5\n1 2\n2 1\n2 3\n3 1\n1 3\n"], ["graph of 3 nodes and 5 edges"]),
    "several graphs": (
        ["2\n3 3\n1 2\n2 3\n3 1\n4 4\n1 2\n3 2\n4 1\n4 2\n", "1\n4 4\n1 2\n2 3\n3 4\n4 1\n"],
        ["test 1: graph of 3 nodes and 3 edges", "test 2: graph of 4 nodes and 4 edges"],
    ),
    "positions in a small grid": (["3 4\n3\n1 2\n1 4\n2 3\n", "4 4\n4\n1 1\n1 4\n4 1\n4 4\n"], ["3 points"]),
    "graph at points": (["4 5\n0 0\n0 9\n9 9\n9 0\n1 2\n2 3\n3 4\n4 1\n1 3\n"], ["graph of 4 nodes and 5 edges"]),
    "maze": (["3 4\n#..#\n....\n#S.#\n"], ["grid of 3 rows and 4 columns"]),
    "letters": (["2 5\nABCDE\nFGHIJ\n", "3 2\nAB\nCD\nEF\n"], ["grid of 2 rows and 5 columns"]),
    "square of letters": (["3 3\nabc\ndef\nghi\n", "2 4\nabcd\nefgh\n"], ["grid of 3 rows and 3 columns"]),
    "bits": (["3\n010\n101\n010\n"], ["grid of 3 rows and 3 columns"]),
    "numbers in a grid": (["2 4\n1 20 3 4\n5 6 7 8\n", "3 2\n1 2\n3 4\n5 6\n"], ["grid of 2 rows and 4 columns"]),
    "grid and queries": (["3 4 2\n#..#\n....\n#S.#\n1 2\n3 4\n"], ["grid of 3 rows and 4 columns"]),
    "permutation": (["5\n2 1 4 5 3\n"], ["x: permutation of 1 to 5"]),
    "permutation from 0": (["4\n3 1 0 2\n"], ["x: permutation of 0 to 3"]),
    "two rows": (["4\n3 1 4 2\n9 9 7 5\n"], ["x: permutation of 1 to 4", "y: 4 numbers"]),
    "numbers": (["5\n-3 10 4 4 100\n"], ["x: 5 numbers"]),
    "points": (["4\n5 9\n-3 2\n0 7\n8 1\n"], ["4 points"]),
    "points with decimals": (["3\n0.5 1.25\n3.0 0.5\n2.5 2.5\n"], ["3 points"]),
    "points of tests": (["2\n3\n9 1\n0 5\n7 7\n3\n1 9\n8 0\n3 2\n"], ["test 1: 3 points", "test 2: 3 points"]),
    "intervals": (["4\n1 9\n3 20\n7 8\n2 15\n"], ["4 intervals"]),
    "ranges of a list": (["5 6\n9 8 7 6 5\n1 2\n2 5\n1 4\n3 4\n2 3\n1 3\n"], ["x: 5 numbers", "6 intervals"]),
    "points in a square": (["4\n1 3\n2 4\n3 1\n4 2\n"], ["4 points"]),
    "intervals and numbers": (["3 4\n9 8 7\n1 9\n3 20\n7 8\n2 15\n"], ["x: 3 numbers", "4 intervals"]),
}  # fmt: skip


@pytest.mark.parametrize("name", INPUTS)
def test_that_an_input_without_a_grammar_is_recognized(name: str) -> None:
    inputs, titles = INPUTS[name]
    data, *samples = (each.encode() for each in inputs)
    found = find_pictures(data, None, samples)
    assert [each.title.removesuffix(" (guessed)") for each in found] == titles
    assert all(each.is_guess for each in found)


def test_that_spaces_at_ends_of_lines_do_not_matter() -> None:
    assert find_pictures(b" 4\r\n1  2 \n1 3\n3 4", None)[0].title == "tree of 4 nodes (guessed)"


NOT_DRAWN = [
    "5\n",
    "hello\n",
    "3\nolle\nlisa\nbo\n",
    "2\n1 2\n2 1\n",
    "3 7\n? 1\n+ 2 3\n? 2\n",
    "2\n5 4\n",
]


@pytest.mark.parametrize("text", NOT_DRAWN)
def test_that_nothing_is_drawn_of_what_is_no_picture(text: str) -> None:
    assert find_pictures(text.encode(), None) == []


# A grammar says what values leave open: what follows `n`, an input, and the title.
GRAMMARS = [
    ("{graph: {nodes: n, edges: n, directed: true}}", "3\n1 2\n2 3\n3 1\n", "directed graph of 3 nodes and 3 edges"),
    ("{tree: n}", "3\n1 2\n2 3\n", "tree of 3 nodes"),
    ("{p: {permutation: n}}", "2\n2 1\n", "p: permutation of 1 to 2"),
    ("{parent: {list: 1..i, count: n-1, index: i}}", "4\n1 1 3\n", "parent: tree of 4 nodes"),
    ("{repeat: n, lines: [{l: 1..9, r: l..9}]}", "3\n4 8\n5 9\n4 4\n", "3 intervals"),
    ("{repeat: n, lines: [{s: {word: '[a-z]', length: n}}]}", "2\nab\ncd\n", "grid of 2 rows and 2 columns"),
]  # fmt: skip


@pytest.mark.parametrize(("grammar", "text", "title"), GRAMMARS)
def test_that_a_grammar_says_what_is_drawn(grammar: str, text: str, title: str) -> None:
    items = yaml.safe_load(f"[{{n: 1..9}}, {grammar}]")
    assert [each.title for each in find_pictures(text.encode(), Grammar.from_yaml(items))] == [title]


def test_that_numbers_without_a_place_in_a_plot_are_not_drawn() -> None:
    grammar = Grammar.from_yaml([{"n": "1..9"}, {"a": {"list": "1..10^400", "count": "n"}}])
    assert find_pictures(b"3\n1 2 %d\n" % 10**400, grammar) == []


# What an output names: an input, an output, and the marked places or edges, from 0.
MARKS = [
    ("4\n1 2\n1 3\n3 4\n", "1 3\n", {0, 2}),
    ("4\n1 2\n1 3\n3 4\n", "2\n1 3\n", {0, 2}),
    ("4\n1 2\n1 3\n3 4\n", "1\n3\n", {2}),
    ("4\n1 2\n1 3\n3 4\n", "3\n", set()),  # a count?
    ("4\n1 2\n1 3\n3 4\n", "1 2 3 4\n", set()),  # all
    ("4\n1 2\n1 3\n3 4\n", "YES 1 3\n", set()),
    ("4\n1 2\n1 3\n3 4\n", f"1 {'9' * 5000}\n", set()),
    ("4\n1 2\n1 3\n3 4\n", "1 9\n", set()),
    ("4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n", "2\n2 1\n3 4\n", {(0, 1), (1, 0), (2, 3), (3, 2)}),
    ("3 4\n#..#\n....\n#S.#\n", "#xx#\n....\n#S.#\n", {1, 2}),
    ("3 4\n#..#\n....\n#S.#\n", "5\n#xx#\n....\n#S.#\n", {1, 2}),
    ("3 4\n#..#\n....\n#S.#\n", "2\n1 2\n3 4\n", {1, 11}),
    ("3 4\n#..#\n....\n#S.#\n", "0 0\n2 3\n", {0, 11}),
    ("3 4\n#..#\n....\n#S.#\n", "1 9\n", set()),
    ("5\n-3 10 4 4 100\n", "2 4\n", {1, 3}),
    ("2\n3\n9 1\n0 5\n7 7\n3\n1 9\n8 0\n3 2\n", "1 2\n2 3\n", {0, 1}),  # the first test has the first line
]


@pytest.mark.parametrize(("text", "output", "expected"), MARKS)
def test_that_outputs_name_elements(text: str, output: str, expected: set[object]) -> None:
    marks = find_marks(find_pictures(text.encode(), None)[0], output.encode())
    assert marks.places | marks.edges == expected


def test_that_a_permutation_is_the_product_of_its_cycles() -> None:
    shape = Numbers(values=(2, 1, 4, 5, 3), first=1)
    assert shape.note == "cycles: (1 2) (3 4 5)"
    assert sorted(each for cycle in shape.cycles() for each in cycle) == sorted(shape.values)


def test_that_a_large_shape_is_named_and_not_drawn() -> None:
    edges = "".join(f"{node} {node + 1}\n" for node in range(1, 41))
    (picture,) = find_pictures(f"41\n{edges}".encode(), None)
    assert isinstance(picture.shape, Network)
    assert not picture.shape.is_small
