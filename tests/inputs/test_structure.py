"""The structure of inputs is inferred from examples: what counts what."""

import pytest

from judge.inputs.structure import Count, Line, Repeat, Structure, Tokens, infer_structure

EXAMPLES = {
    "a row": [b"3\n1 2 3\n", b"5\n5 4 3 2 1\n"],
    "a row that counts itself": [b"2\n3 1 2 3\n2 4 5\n"],
    "rows that count themselves": [b"3\n2 1 2\n3 4 5 6\n1 9\n", b"2\n1 1\n2 2 3\n"],
    "two rows": [b"2 3\n1 2\n1 2 3\n", b"4 1\n1 2 3 4\n7\n"],
    "edges": [b"4 3\n1 2\n2 3\n3 4\n", b"2 1\n1 2\n", b"3 0\n"],
    "a tree": [b"4\n1 2\n2 3\n3 4\n", b"2\n1 2\n"],
    "a grid": [b"2 3\nabc\nabd\n", b"3 2\nab\nac\nbb\n"],
    "tests": [b"2\n3\n1 2 3\n2\n4 5\n", b"1\n1\n7\n"],
    "a matrix": [b"2\n1 2\n3 4\n", b"3\n1 2 3\n4 5 6\n7 8 9\n"],
    "single numbers": [b"1 2\n", b"3 4\n"],
    "operations": [b"4\npush 3\npop\npush 1\npop\n", b"2\npush 5\ntop\n"],
    "sentences": [b"2\nthe cat sat\non the mat today\n", b"3\na b c\nd\ne f\n"],
    "queries of two kinds": [b"3\n1 5 6\n2 3\n1 1 1\n"],
    "lines up to zeros": [b"1 2\n3 4\n0 0\n", b"5 5\n0 0\n"],
    "lines until the end": [b"1 2\n3 4\n", b"1 2\n3 4\n5 6\n7 8\n", b"1 2\n"],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_all_tokens_are_read_in_order(name: str) -> None:
    structure = infer_structure(EXAMPLES[name])
    assert structure is not None
    for example in EXAMPLES[name]:
        tokens = structure.read(example)
        assert tokens is not None
        ending = example.removesuffix(structure.end + b"\n") if structure.end else example
        assert [each.text for each in tokens] == ending.split()


def _counts(structure: Structure | None) -> list[Count | None]:
    assert structure is not None
    found: list[Count | None] = []
    for block in structure.blocks:
        if isinstance(block, Repeat):
            found += [block.count, *_counts(Structure(block.body))]
        elif isinstance(block, Line):
            found += [part.count for part in block.parts if isinstance(part, Tokens)]
    return found


@pytest.mark.parametrize(
    ("name", "offsets"),
    [
        ("a row", [0]),
        ("rows that count themselves", [0, 0]),
        ("two rows", [0, 0]),
        ("a tree", [-1]),
        ("tests", [0, 0]),
        ("single numbers", []),
        ("operations", [0]),
        ("sentences", [0, None]),
        ("queries of two kinds", [0]),
        ("lines up to zeros", [None]),
        ("lines until the end", [None]),
    ],
)
def test_what_counts_what_is_found(name: str, offsets: list[int | None]) -> None:
    assert [each and each.offset for each in _counts(infer_structure(EXAMPLES[name]))] == offsets


@pytest.mark.parametrize("text", [b"1  2\n", b"1 2", b"1\t2\n", b"1 2\r\n", b"", b" 1\n"])
def test_unusual_white_space_has_no_structure(text: bytes) -> None:
    assert infer_structure([text]) is None


@pytest.mark.parametrize(
    ("examples", "other"),
    [
        ([b"5 2\n1 2 3 4 5\n2 4\n3 5\n", b"4 2\n4 1 7 3\n2 2\n2 4\n"], b"3 3\n7 7 7\n1 1\n2 2\n3 3\n"),
        ([b"3 3\n1 2 3\n4 5 6\n7 8 9\n", b"2 2\n7 1\n0 4\n"], b"1 3\n4 5 6\n"),
        ([b"3 3\n1 2\n2 3\n1 3\n", b"4 4\n1 2\n2 3\n3 4\n1 4\n"], b"4 1\n2 3\n"),
        ([b"4 4\n1 1 4 4\n....\n.##.\n.#..\n...#\n", b"3 3\n1 1 1 3\n.#.\n.#.\n...\n"], b"1 2\n1 1 1 2\n..\n"),
        ([b"3\n5 2 3\n3 0 0\n8 0 0\n", b"3\n5 2 3\n7 0 0\n9 0 0\n"], b"1\n7 0 0\n"),
    ],
    ids=["two ends of a query", "a matrix", "edges", "a maze", "three values of a node"],
)
def test_numbers_that_are_equal_by_chance_do_not_mislead(examples: list[bytes], other: bytes) -> None:
    structure = infer_structure(examples)
    assert structure is not None
    assert structure.read(other) is not None


def test_a_number_before_it_in_the_line_counts_no_pair_of_numbers() -> None:
    structure = infer_structure([b"1 2 3\n", b"1 5 9\n"])
    assert structure is not None
    assert structure.read(b"2 2 3\n") is not None


def test_three_counted_blocks_are_found_and_counted_in_their_order() -> None:
    structure = infer_structure([b"4 4 3\n-3 0 0\n0 0 0\n5 0 0\n-3 1 0\n1 2\n2 3\n3 4\n4 1\n2 10\n3 25\n4 7\n",
                         b"4 2 5\n-3 0 2\n7 -9 -3\n4 4 -6\n8 -1 8\n1 2\n2 3\n2 10\n2 1\n3 10\n3 1\n4 1\n"])  # fmt: skip
    assert structure is not None
    header, *blocks = structure.blocks
    assert isinstance(header, Line)
    counts = [each.count for each in blocks if isinstance(each, Repeat)]
    assert counts == [Count(part.id) for part in header.parts if not isinstance(part, Tokens)]
