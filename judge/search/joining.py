"""Several tests in one input: what the shape of the inputs allows, if the validator agrees."""

from collections.abc import Sequence

from msgspec import Struct

from judge.search.shape import Count, Item, Line, Repeat, Row, Shape, Tree, render


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
        """Return the single tests of an input; None if it has another shape."""
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
