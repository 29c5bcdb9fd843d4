"""The shape of inputs is inferred from examples, and a parsed input is written as it was."""

import pytest

from judge.search.learned import learn
from judge.search.shape import Count, Line, Repeat, Shape, Tokens, infer_shape, render, walk_rows

EXAMPLES = {
    "a row": [b"3\n1 2 3\n", b"5\n5 4 3 2 1\n"],
    "a row that counts itself": [b"2\n3 1 2 3\n2 4 5\n"],
    "two rows": [b"2 3\n1 2\n1 2 3\n", b"4 1\n1 2 3 4\n7\n"],
    "edges": [b"4 3\n1 2\n2 3\n3 4\n", b"2 1\n1 2\n", b"3 0\n"],
    "a tree": [b"4\n1 2\n2 3\n3 4\n", b"2\n1 2\n"],
    "a grid": [b"2 3\nabc\nabd\n", b"3 2\nab\nac\nbb\n"],
    "tests": [b"2\n3\n1 2 3\n2\n4 5\n", b"1\n1\n7\n"],
    "a matrix": [b"2\n1 2\n3 4\n", b"3\n1 2 3\n4 5 6\n7 8 9\n"],
    "single numbers": [b"1 2\n", b"3 4\n"],
    "lines until the end": [b"1 2\n3 4\n", b"1 2\n3 4\n5 6\n7 8\n", b"1 2\n"],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_parsed_input_is_written_as_it_was(name: str) -> None:
    shape = infer_shape(EXAMPLES[name])
    assert shape is not None
    for example in EXAMPLES[name]:
        tree = shape.parse(example)
        assert tree is not None
        assert render(tree, shape) == example


def _counts(shape: Shape | None) -> list[Count | None]:
    assert shape is not None
    found: list[Count | None] = []
    for block in shape.blocks:
        if isinstance(block, Repeat):
            found += [block.count, *_counts(Shape(block.body))]
        elif isinstance(block, Line):
            found += [part.count for part in block.parts if isinstance(part, Tokens)]
    return found


@pytest.mark.parametrize(
    ("name", "offsets"),
    [
        ("a row", [0]),
        ("two rows", [0, 0]),
        ("a tree", [-1]),
        ("tests", [0, 0]),
        ("single numbers", []),
        ("lines until the end", [None]),
    ],
)
def test_what_counts_what_is_found(name: str, offsets: list[int | None]) -> None:
    assert [each and each.offset for each in _counts(infer_shape(EXAMPLES[name]))] == offsets


def test_an_element_that_is_left_out_changes_its_count() -> None:
    shape = infer_shape(EXAMPLES["two rows"])
    assert shape is not None
    tree = shape.parse(b"2 3\n1 2\n1 2 3\n")
    assert tree is not None
    first, second = walk_rows(tree)
    del first.elements[0]
    del second.elements[1:]
    assert render(tree, shape) == b"1 1\n2\n1\n"


@pytest.mark.parametrize("text", [b"1  2\n", b"1 2", b"1\t2\n", b"1 2\r\n", b"", b" 1\n"])
def test_unusual_white_space_has_no_shape(text: bytes) -> None:
    assert infer_shape([text]) is None


def test_what_looks_like_the_examples_is_accepted() -> None:
    examples = [b"%d\n%s\n" % (n, b" ".join(b"%d" % (at % 5 - 2) for at in range(n))) for n in range(1, 20)]
    learned = learn(examples)
    assert learned is not None
    assert learned.accepts(b"2\n-2 0\n")
    for wrong in (b"2\n-2 0 1\n", b"2\n-2 7\n", b"2\n-2 x\n", b"40\n" + b" ".join([b"0"] * 40) + b"\n"):
        assert not learned.accepts(wrong)


def test_permutations_and_indices_stay_what_they_are() -> None:
    examples = [
        b"%d 2\n%s\n1 %d\n%d 1\n" % (n, b" ".join(b"%d" % at for at in range(n, 0, -1)), n, n) for n in range(3, 9)
    ]
    learned = learn(examples)
    assert learned is not None
    assert learned.accepts(b"3 2\n3 2 1\n1 3\n2 1\n")
    assert not learned.accepts(b"3 2\n3 3 1\n1 3\n2 1\n")


def test_three_counted_blocks_are_found_and_counted_in_their_order() -> None:
    shape = infer_shape([b"4 4 3\n-3 0 0\n0 0 0\n5 0 0\n-3 1 0\n1 2\n2 3\n3 4\n4 1\n2 10\n3 25\n4 7\n",
                         b"4 2 5\n-3 0 2\n7 -9 -3\n4 4 -6\n8 -1 8\n1 2\n2 3\n2 10\n2 1\n3 10\n3 1\n4 1\n"])  # fmt: skip
    assert shape is not None
    header, *blocks = shape.blocks
    assert isinstance(header, Line)
    counts = [each.count for each in blocks if isinstance(each, Repeat)]
    assert counts == [Count(part.id) for part in header.parts if not isinstance(part, Tokens)]
