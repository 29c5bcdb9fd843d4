"""Pictures of inputs for people: as SVG for files and pages, and in the characters of a terminal.

    layout      where the nodes of trees and graphs are
    svg         a picture as SVG
    terminal    a picture as lines

They are loaded only where a picture is wanted.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from judge.inputs import Grammar
from judge.inputs.pictures import (
    Grid,
    Intervals,
    Marks,
    Network,
    Numbers,
    Pair,
    Picture,
    Points,
    Shape,
    find_marks,
    find_pictures,
)

_MARKS = ("", "expected", "found", "both")
_NOUNS: dict[type[Shape], str] = {Network: "nodes", Points: "points", Intervals: "intervals", Numbers: "positions"}
_MOST_NAMED = 12


class Drawing(Struct, frozen=True, kw_only=True):
    """A picture, and what the answer and the output name in it."""

    picture: Picture
    expected: Marks = Marks()
    found: Marks = Marks()

    def mark(self, place: int) -> str:
        """Return what names an element: `expected`, `found`, `both` or nothing."""
        return _MARKS[(place in self.expected.places) + 2 * (place in self.found.places)]

    def mark_edge(self, edge: Pair) -> str:
        """Return what names an edge."""
        return _MARKS[(edge in self.expected.edges) + 2 * (edge in self.found.edges)]

    @property
    def legend(self) -> list[tuple[str, str]]:
        """What the answer and the output name, as (`expected` or `found`, elements)."""
        names = {"expected": self._describe(self.expected), "found": self._describe(self.found)}
        return [(name, text) for name, text in names.items() if text]

    def _describe(self, marks: Marks) -> str:
        shape = self.picture.shape
        if marks.edges:
            assert isinstance(shape, Network)
            pairs = [edge for edge in dict.fromkeys(shape.edges) if edge in marks.edges]
            return f"edges {_join(f'{one + shape.first}-{other + shape.first}' for one, other in pairs)}"
        places = sorted(marks.places)
        if isinstance(shape, Grid):
            cells = (divmod(place, shape.columns) for place in places)
            return f"cells {_join(f'({row + 1}, {column + 1})' for row, column in cells)}" if places else ""
        first = shape.first if isinstance(shape, Network) else 1
        return f"{_NOUNS[type(shape)]} {_join(str(place + first) for place in places)}" if places else ""


def _join(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
    return ", ".join(listed[:_MOST_NAMED]) + more


def draw(
    data: bytes,
    grammar: Grammar | None,
    samples: Sequence[bytes] = (),
    *,
    answer: bytes = b"",
    output: bytes = b"",
) -> list[Drawing]:
    """Return what can be drawn of an input, with what the answer and an output name marked; see `find_pictures`."""
    return [
        Drawing(picture=each, expected=find_marks(each, answer), found=find_marks(each, output))
        for each in find_pictures(data, grammar, samples)
    ]
