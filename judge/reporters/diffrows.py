"""A mismatch as rows of shown cells, with the bytes that differ first; how they are laid out is `diffview`'s."""

import re
from dataclasses import dataclass

from judge.model import DiffRow, Mismatch
from judge.reporters.visible import Cell, Marks, cells

Range = tuple[int, int]
"""Bytes of what is shown of a line, end exclusive; empty where something is missing."""

CUT = -1
"""The place of a cell that stands for no byte of the line."""

_TOKEN = re.compile(rb"[^ \t\n\r\x0b\x0c]+")
_ELLIPSIS = b"..."


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a row.

    Attributes:
        number: its line number, or None where there is no such line.
        shown: what is shown of the line.
        here: where the first difference stands; None in all rows but one.
    """

    number: int | None
    shown: tuple[Cell, ...] = ()
    here: Range | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Two lines that belong together.

    Attributes:
        differs: the checker does not take them for the same.
    """

    differs: bool
    expected: Side
    found: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        """What was expected, and what was found."""
        return self.expected, self.found

    @property
    def is_first(self) -> bool:
        """Whether the first difference is in this row."""
        return self.expected.here is not None


def rows_of(mismatch: Mismatch, marks: Marks) -> list[Row]:
    """Return the rows of a mismatch.

    White space is marked at the ends of lines; everywhere in lines that differ in nothing else, unless they do so at
    their ends only; and line ends are marked where the two differ in them.
    """
    first = _first_difference(mismatch)
    return [_row(row, marks, _differing(row, mismatch) if row is first else None) for row in mismatch.rows]


def _differs(row: DiffRow) -> bool:
    return not row.agrees and not row.same


def _first_difference(mismatch: Mismatch) -> DiffRow | None:
    """Return the row of the first difference: at its line on both sides, else on one, else the first that differs."""

    def nearness(row: DiffRow) -> int:
        return (row.found_line == mismatch.line) + (row.expected_line == mismatch.expected_line)

    return max(filter(_differs, mismatch.rows), key=nearness, default=None)


def _row(row: DiffRow, marks: Marks, here: tuple[Range, Range] | None) -> Row:
    expected, found = row.expected, row.found
    differs = _differs(row)
    both = expected is not None and found is not None
    blanks = differs and both and _differ_inside_in_white_space_only(expected or b"", found or b"")
    ends = differs and both and _line_end(expected or b"") != _line_end(found or b"")

    def side(number: int | None, data: bytes | None, cut: tuple[int, int], place: Range | None) -> Side:
        shown = cells(data or b"", marks, all_blanks=blanks, line_end=ends, cut_after=cut[1] > 0)
        return Side(number=number, shown=(*_cut(cut[0], marks), *shown, *_cut(cut[1], marks)), here=place)

    return Row(
        differs=differs,
        expected=side(row.expected_line, expected, row.expected_cut, here and here[0]),
        found=side(row.found_line, found, row.found_cut, here and here[1]),
    )


def _differ_inside_in_white_space_only(expected: bytes, found: bytes) -> bool:
    return expected.rstrip() != found.rstrip() and expected.split() == found.split()


def _cut(size: int, marks: Marks) -> tuple[Cell, ...]:
    return (Cell(marks.cut, len(marks.cut), CUT, CUT),) if size else ()


def _line_end(data: bytes) -> bytes:
    return data[len(data.rstrip(b"\r\n")) :]


# ---- what to mark -------------------------------------------------------------------------------------------------


def _differing(row: DiffRow, mismatch: Mismatch) -> tuple[Range, Range]:
    """Return what to mark on each side: the differing tokens, the white space that differs, or a line without peer."""
    if row.expected is None or row.found is None:
        return (0, len(row.expected or b"")), (0, len(row.found or b""))
    if mismatch.token:
        column = mismatch.column - 1
        return (
            _token_near(row.expected, mismatch.expected, column - row.expected_cut[0]),
            _token_near(row.found, mismatch.found, column - row.found_cut[0]),
        )
    pairs = enumerate(zip(row.expected, row.found, strict=False))
    shorter = min(len(row.expected), len(row.found))
    start = next((place for place, (one, other) in pairs if one != other), shorter)
    return _white_space_at(row.expected, start), _white_space_at(row.found, start)


def _token_near(data: bytes, token: bytes, column: int) -> Range:
    """Return where a token stands: the one nearest to a column, since the two sides may differ before it.

    Where the line has no more tokens, or what is shown of it does not have this one, it is the end of the line.
    """
    part = token.removeprefix(_ELLIPSIS).removesuffix(_ELLIPSIS)
    places = [found.span() for found in _TOKEN.finditer(data) if part and part in found[0]]
    end = len(data.rstrip())
    return min(places, key=lambda place: abs(place[0] - column), default=(end, end))


def _white_space_at(data: bytes, at: int) -> Range:
    """Return the white space around a place, or the place alone."""
    start, end = len(data[:at].rstrip()), len(data) - len(data[at:].lstrip())
    return (start, end) if end > start else (at, at)
