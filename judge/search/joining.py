"""Several tests in one input: what the shape of the inputs allows, if the validator agrees."""

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from judge.search.shape import Count, Item, Line, Repeat, Row, Shape, Tree, render
from judge.search.sources import Proposal, Source, seeded
from judge.search.values import Joining

_MAX_TESTS = 500  # to choose from
_MAX_SIZE = 1 << 20  # bytes of an input
_LEAST = 10  # tests; fewer are tried anyway
_ROUNDS = 3


class ShapeJoining(Struct, frozen=True):
    """The joining of a shape whose tests are counted by the first number, or go on until the end of the file."""

    shape: Shape

    @classmethod
    def of(cls, shape: Shape) -> "ShapeJoining | None":
        """Return how inputs of a shape are joined; None if each has one test."""
        match shape.blocks:
            case (Repeat(count=None),):
                return cls(shape)
            case (Line(parts=(Item(id=number),)), Repeat(count=Count(item=counter, offset=0), body=body)) if (
                number == counter and (len(body) > 1 or isinstance(body[0], Repeat))
            ):
                return cls(shape)
        return None

    def split(self, data: bytes) -> Sequence[bytes] | None:
        """Return the single tests of an input, perhaps only one; None if it has another shape."""
        tree = self.shape.parse(data)
        if tree is None:
            return None
        row = tree[-1]
        assert isinstance(row, Row)
        elements = list(row.elements)
        tests = []
        for element in elements:
            row.elements = [element]
            if (text := render(tree, self.shape)) is not None:
                tests.append(text)
        return tests

    def join(self, tests: Sequence[bytes]) -> bytes | None:
        """Return one input with all tests; None if one has another shape."""
        trees: list[Tree] = []
        for test in tests:
            tree = self.shape.parse(test)
            if tree is None:
                return None
            trees.append(tree)
        if not trees:
            return None
        row = trees[0][-1]
        assert isinstance(row, Row)
        for tree in trees[1:]:
            other = tree[-1]
            assert isinstance(other, Row)
            row.elements += other.elements
        return render(trees[0], self.shape)


class ManyTests(Source):
    """Inputs with one test more than some numbers: a program may have room for so many, or read no more.

    Args:
        known: inputs, from whose tests those of the new ones are chosen.
        joining: splits and joins them.
        numbers: the most promising first.
        seed: decides which tests are chosen.
    """

    name = "many tests"

    def __init__(self, known: Sequence[bytes], joining: Joining, numbers: Sequence[int], seed: int) -> None:
        tests = (test for each in known for test in joining.split(each) or ())
        self._tests = list(dict.fromkeys(islice(tests, _MAX_TESTS)))
        self._joining = joining
        self._random = seeded(seed, self.name)
        average = sum(map(len, self._tests)) / max(1, len(self._tests))
        counts = [each + 1 for each in dict.fromkeys(numbers) if each >= _LEAST and each * average <= _MAX_SIZE]
        self._counts = iter(counts * _ROUNDS)

    def next(self) -> Proposal | None:
        """Return the next input; None if there are no more."""
        for count in self._counts if self._tests else ():
            if (joined := self._joining.join(self._random.choices(self._tests, k=count))) is not None:
                return joined
        return None
