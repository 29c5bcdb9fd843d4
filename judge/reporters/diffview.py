"""Rows of a diff as lines: side by side where both sides fit, else one below the other, cut around the difference."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from judge.model import DiffRow, Mismatch
from judge.reporters.escape import CARRIAGE_RETURN, Cell, Glyphs, cells, pad, width
from judge.reporters.lines import DisplayOptions, Line, Span, Style, line

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


def rows_of(mismatch: Mismatch, marks: Glyphs) -> list[Row]:
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


def _row(row: DiffRow, marks: Glyphs, here: tuple[Range, Range] | None) -> Row:
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


def _cut(size: int, marks: Glyphs) -> tuple[Cell, ...]:
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


_GAP = "   "
_LABELS = ("expected", "found")
_ROLES = (Style.EXPECTED, Style.FOUND)
_HERE = (Style.EXPECTED_HERE, Style.FOUND_HERE)
_NO_LINE = "(no such line)"


def diff_lines(rows: list[Row], look: DisplayOptions) -> Iterator[Line]:
    """Yield the view of a mismatch's rows."""
    if not rows:
        return
    digits = max(len(str(side.number or "")) for row in rows for side in row.sides)
    layout = _side_by_side if _fits_side_by_side(rows, digits, look) else _stacked
    yield from layout(rows, digits, look)


def legend(texts: str, marks: Glyphs) -> str:
    """Return what the white space marks in some shown texts mean; empty when there is none.

    A mark never stands for itself there (see `visible`), so looking for it is enough.
    """
    meanings = {
        marks.newline: "newline",
        CARRIAGE_RETURN: "carriage return",
        marks.tab: "tab",
        marks.blank: "blank",
    }
    return "   ".join(f"{mark} {meaning}" for mark, meaning in meanings.items() if mark in texts)


# ---- side by side -------------------------------------------------------------------------------------------------


def _fits_side_by_side(rows: list[Row], digits: int, look: DisplayOptions) -> bool:
    if look.width is None:
        return False
    panes = sum(_pane_width(rows, side) for side in (0, 1))
    return 2 * len(_gutter(None, digits, look.marks, differs=False)) + panes + len(_GAP) <= look.width


def _pane_width(rows: list[Row], side: int) -> int:
    return max(len(_NO_LINE), *(_columns(row.sides[side].shown) for row in rows))


def _gutter(number: int | None, digits: int, marks: Glyphs, *, differs: bool) -> str:
    return f"  {marks.here if differs else ' '} {number or '':>{digits}} {marks.rule} "


def _side_by_side(rows: list[Row], digits: int, look: DisplayOptions) -> Iterator[Line]:
    columns = _pane_width(rows, 0)
    empty = " " * len(_gutter(None, digits, look.marks, differs=False))
    yield line(empty, Span(pad("expected", columns), Style.EXPECTED), f"{_GAP}{empty}", Span("found", Style.FOUND))
    for row in rows:
        left, right = (_pane(row, side, digits, look.marks) for side in (0, 1))
        filling = " " * (columns - sum(width(span.text) for span in left[1:]))
        yield line(*left, filling, _GAP, *right)
        if _is_pointed_at(row):
            expected, found = (_carets(side, side.shown) for side in row.sides)
            yield line(Span(f"{empty}{pad(expected, columns)}{_GAP}{empty}{found}", Style.DIM))


def _pane(row: Row, index: int, digits: int, marks: Glyphs) -> Line:
    side = row.sides[index]
    gutter = _gutter(side.number, digits, marks, differs=row.differs)
    return Span(gutter, Style.DIM), *_spans(row, index, side.shown)


# ---- one below the other ------------------------------------------------------------------------------------------


def _stacked(rows: list[Row], digits: int, look: DisplayOptions) -> Iterator[Line]:
    empty = f"  {'':8} {'':{digits}} {look.marks.rule} "
    room = look.room(len(empty))
    start = _window_start(rows, room)
    for row in rows:
        for index in (0, 1) if row.differs else (1,):
            side = row.sides[index]
            if side.number is None and not row.is_first:
                continue
            shown = window(side.shown, start if row.is_first else 0, room, look.marks)
            label = Span(f"  {_LABELS[index] if row.differs else '':<8}", _ROLES[index])
            number = Span(f" {side.number or '':>{digits}} {look.marks.rule} ", Style.DIM)
            yield line(label, number, *_spans(row, index, shown))
            if _is_pointed_at(row):
                yield line(Span(empty + _carets(side, shown), Style.DIM))


def _window_start(rows: list[Row], room: int | None) -> int:
    """Return the first column to show of the first row that differs, so that the difference is seen on both sides."""
    sides = [side for row in rows if row.is_first for side in row.sides]
    longest = max((_columns(side.shown) for side in sides), default=0)
    if room is None or longest <= room:
        return 0
    return max(min(min(map(_column, sides)) - room // 3, longest - room), 0)


def _columns(shown: Iterable[Cell]) -> int:
    return sum(cell.width for cell in shown)


def _column(side: Side) -> int:
    here = side.here or (0, 0)
    return _columns(cell for cell in side.shown if cell.start < here[0])


def window(shown: tuple[Cell, ...], start: int, room: int | None, marks: Glyphs) -> tuple[Cell, ...]:
    """Return the cells within `room` columns from one on, with a sign where something was cut off."""
    if room is None:
        return shown
    end, column = start + room, 0
    total = _columns(shown)
    sign = Cell(marks.cut, len(marks.cut), CUT, CUT)
    is_cut = total > end and not (start and room < 2 * sign.width)  # no room for two signs: the first says it
    first = start + sign.width if start else 0
    last = end - sign.width if is_cut else end
    inside: list[Cell] = [sign] if start and shown else []
    for cell in shown:
        if first <= column and column + cell.width <= last:
            inside.append(cell)
        elif column < first < column + cell.width:  # a wide cell across the edge: what follows keeps its column
            rest = min(column + cell.width, last) - first
            inside.append(Cell(" " * rest, rest, CUT, CUT))
        column += cell.width
    return (*inside, sign) if is_cut else tuple(inside)


# ---- both ---------------------------------------------------------------------------------------------------------


def _spans(row: Row, index: int, shown: tuple[Cell, ...]) -> Iterator[Span]:
    """Yield one side's text in its roles."""
    if not row.differs:
        yield Span("".join(cell.text for cell in shown))
        return
    side = row.sides[index]
    if side.number is None:
        yield Span(_NO_LINE if row.is_first else "", Style.DIM)
        return
    for here, group in groupby(shown, key=lambda cell: _is_here(cell, side)):
        yield Span("".join(cell.text for cell in group), _HERE[index] if here else Style.TEXT)


def _is_here(cell: Cell, side: Side) -> bool:
    return side.here is not None and side.here[0] <= cell.start < side.here[1]


def _is_pointed_at(row: Row) -> bool:
    return row.is_first and None not in (row.expected.number, row.found.number)


def _carets(side: Side, shown: tuple[Cell, ...]) -> str:
    """Return a line that points at the difference; where something is missing, at its place."""
    start, end = side.here or (0, 0)
    text = "".join(("^" if start <= cell.start < max(end, start + 1) else " ") * cell.width for cell in shown)
    return text.rstrip() if "^" in text else f"{text}^"
