"""Show the rows of a diff: side by side if both sides fit, else one below the other, cut around the difference."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from judge.model import DiffRow, Mismatch
from judge.reporters.escape import CARRIAGE_RETURN, Cell, Glyphs, cells, pad, width
from judge.reporters.lines import DisplayOptions, Line, Span, Style, make_line

Range = tuple[int, int]
"""Offsets in the part of a line that is shown; the end is exclusive. Empty where something is missing."""

_NO_BYTE = -1  # the offset of a cell that stands for no byte of the line

_TOKEN = re.compile(rb"[^ \t\n\r\x0b\x0c]+")
_ELLIPSIS = b"..."


class Side(Struct, frozen=True, kw_only=True):
    """One side of a row.

    Attributes:
        number: the line number; None if there is no such line.
        cells: the part of the line that is shown.
        difference: the range of the first difference; None in all rows but one.
    """

    number: int | None
    cells: tuple[Cell, ...] = ()
    difference: Range | None = None


class Row(Struct, frozen=True, kw_only=True):
    """An expected and a found line.

    Attributes:
        differs: the checker does not accept the found line.
    """

    differs: bool
    expected: Side
    found: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        """The expected and the found side."""
        return self.expected, self.found

    @property
    def is_first(self) -> bool:
        """Whether the first difference is in this row."""
        return self.expected.difference is not None


def build_rows(mismatch: Mismatch, glyphs: Glyphs) -> list[Row]:
    """Return the rows of a mismatch.

    Trailing whitespace is shown as symbols. So is all whitespace of two lines that differ in nothing else, except at
    their ends, and the line endings of two lines that differ in them.
    """
    first = _first_difference(mismatch)
    return [_row(row, glyphs, _difference_ranges(row, mismatch) if row is first else None) for row in mismatch.rows]


def _differs(row: DiffRow) -> bool:
    return not row.agrees and not row.same


def _first_difference(mismatch: Mismatch) -> DiffRow | None:
    """Return the row with the lines of the difference on both sides, else on one side, else the first that differs."""

    def nearness(row: DiffRow) -> int:
        return (row.found_line == mismatch.line) + (row.expected_line == mismatch.expected_line)

    return max(filter(_differs, mismatch.rows), key=nearness, default=None)


def _row(row: DiffRow, glyphs: Glyphs, difference: tuple[Range, Range] | None) -> Row:
    expected, found = row.expected, row.found
    differs = _differs(row)
    both = expected is not None and found is not None
    all_spaces = differs and both and _differ_only_in_inner_whitespace(expected or b"", found or b"")
    line_end = differs and both and _line_end(expected or b"") != _line_end(found or b"")

    def side(number: int | None, data: bytes | None, cut: tuple[int, int], range_: Range | None) -> Side:
        part = cells(data or b"", glyphs, all_spaces=all_spaces, line_end=line_end, cut_after=cut[1] > 0)
        before, after = ([_ellipsis(glyphs)] if size else [] for size in cut)
        return Side(number=number, cells=(*before, *part, *after), difference=range_)

    return Row(
        differs=differs,
        expected=side(row.expected_line, expected, row.expected_cut, difference and difference[0]),
        found=side(row.found_line, found, row.found_cut, difference and difference[1]),
    )


def _differ_only_in_inner_whitespace(expected: bytes, found: bytes) -> bool:
    return expected.rstrip() != found.rstrip() and expected.split() == found.split()


def _ellipsis(glyphs: Glyphs) -> Cell:
    return Cell(glyphs.ellipsis, len(glyphs.ellipsis), _NO_BYTE, _NO_BYTE)


def _line_end(data: bytes) -> bytes:
    return data[len(data.rstrip(b"\r\n")) :]


def _difference_ranges(row: DiffRow, mismatch: Mismatch) -> tuple[Range, Range]:
    """Return the range on each side: of the token, of the whitespace, or of a whole line without a peer."""
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
    start = next((offset for offset, (one, other) in pairs if one != other), shorter)
    return _whitespace_at(row.expected, start), _whitespace_at(row.found, start)


def _token_near(data: bytes, token: bytes, column: int) -> Range:
    """Return the range of a token: the occurrence nearest to a column, since the two sides may differ before it.

    If the shown part of the line does not contain the token, return the end of the line.
    """
    part = token.removeprefix(_ELLIPSIS).removesuffix(_ELLIPSIS)
    ranges = [found.span() for found in _TOKEN.finditer(data) if part and part in found[0]]
    end = len(data.rstrip())
    return min(ranges, key=lambda range_: abs(range_[0] - column), default=(end, end))


def _whitespace_at(data: bytes, at: int) -> Range:
    """Return the range of the whitespace around an offset, or an empty range there."""
    start, end = len(data[:at].rstrip()), len(data) - len(data[at:].lstrip())
    return (start, end) if end > start else (at, at)


_GAP = "   "
_LABELS = ("expected", "found")
_STYLES = (Style.EXPECTED, Style.FOUND)
_DIFFERENCE_STYLES = (Style.EXPECTED_HERE, Style.FOUND_HERE)
_NO_LINE = "(no such line)"


def diff_lines(rows: list[Row], display: DisplayOptions) -> Iterator[Line]:
    """Yield the lines that show the rows of a mismatch."""
    if not rows:
        return
    digits = max(len(str(side.number or "")) for row in rows for side in row.sides)
    layout = _side_by_side if _fits_side_by_side(rows, digits, display) else _stacked
    yield from layout(rows, digits, display)


def make_legend(text: str, glyphs: Glyphs) -> str:
    """Explain the symbols for whitespace in a shown text; "" if it contains none.

    In safe text a symbol never stands for itself (see `escape`), so it is enough to search for it.
    """
    meanings = {glyphs.newline: "newline", CARRIAGE_RETURN: "carriage return", glyphs.tab: "tab", glyphs.space: "space"}
    return "   ".join(f"{symbol} {meaning}" for symbol, meaning in meanings.items() if symbol in text)


def _fits_side_by_side(rows: list[Row], digits: int, display: DisplayOptions) -> bool:
    if display.width is None:
        return False
    panes = sum(_pane_width(rows, side) for side in (0, 1))
    return 2 * len(_gutter(None, digits, display.glyphs, differs=False)) + panes + len(_GAP) <= display.width


def _pane_width(rows: list[Row], side: int) -> int:
    return max(len(_NO_LINE), *(_columns(row.sides[side].cells) for row in rows))


def _gutter(number: int | None, digits: int, glyphs: Glyphs, *, differs: bool) -> str:
    return f"  {glyphs.pointer if differs else ' '} {number or '':>{digits}} {glyphs.rule} "


def _side_by_side(rows: list[Row], digits: int, display: DisplayOptions) -> Iterator[Line]:
    columns = _pane_width(rows, 0)
    empty = " " * len(_gutter(None, digits, display.glyphs, differs=False))
    yield make_line(empty, Span(pad("expected", columns), Style.EXPECTED), f"{_GAP}{empty}", Span("found", Style.FOUND))
    for row in rows:
        left, right = (_pane(row, side, digits, display.glyphs) for side in (0, 1))
        padding = " " * (columns - sum(width(span.text) for span in left[1:]))
        yield make_line(*left, padding, _GAP, *right)
        if _has_carets(row):
            expected, found = (_carets(side, side.cells) for side in row.sides)
            yield make_line(Span(f"{empty}{pad(expected, columns)}{_GAP}{empty}{found}", Style.DIM))


def _pane(row: Row, index: int, digits: int, glyphs: Glyphs) -> Line:
    side = row.sides[index]
    gutter = _gutter(side.number, digits, glyphs, differs=row.differs)
    return Span(gutter, Style.DIM), *_spans(row, index, side.cells)


def _stacked(rows: list[Row], digits: int, display: DisplayOptions) -> Iterator[Line]:
    empty = f"  {'':8} {'':{digits}} {display.glyphs.rule} "
    available = display.remaining(len(empty))
    start = _first_column(rows, available)
    for row in rows:
        for index in (0, 1) if row.differs else (1,):
            side = row.sides[index]
            if side.number is None and not row.is_first:
                continue
            visible = cut_cells(side.cells, start if row.is_first else 0, available, display.glyphs)
            label = Span(f"  {_LABELS[index] if row.differs else '':<8}", _STYLES[index])
            number = Span(f" {side.number or '':>{digits}} {display.glyphs.rule} ", Style.DIM)
            yield make_line(label, number, *_spans(row, index, visible))
            if _has_carets(row):
                yield make_line(Span(empty + _carets(side, visible), Style.DIM))


def _first_column(rows: list[Row], available: int | None) -> int:
    """Return the first column to show of the row with the difference, so that it is visible on both sides."""
    sides = [side for row in rows if row.is_first for side in row.sides]
    longest = max((_columns(side.cells) for side in sides), default=0)
    if available is None or longest <= available:
        return 0
    return max(min(min(map(_difference_column, sides)) - available // 3, longest - available), 0)


def _columns(line: Iterable[Cell]) -> int:
    return sum(cell.width for cell in line)


def _difference_column(side: Side) -> int:
    start = side.difference[0] if side.difference else 0
    return _columns(cell for cell in side.cells if cell.start < start)


def cut_cells(line: tuple[Cell, ...], start: int, available: int | None, glyphs: Glyphs) -> tuple[Cell, ...]:
    """Return the cells within `available` columns from column `start` on, with an ellipsis where cells were cut off."""
    if available is None:
        return line
    end, column = start + available, 0
    ellipsis = _ellipsis(glyphs)
    has_second = not (start and available < 2 * ellipsis.width)  # else only the first ellipsis fits
    is_cut = _columns(line) > end and has_second
    first = start + ellipsis.width if start else 0
    last = end - ellipsis.width if is_cut else end
    inside: list[Cell] = [ellipsis] if start and line else []
    for cell in line:
        if first <= column and column + cell.width <= last:
            inside.append(cell)
        elif (
            column < first < column + cell.width
        ):  # a wide character across the edge: the next cells keep their columns
            rest = min(column + cell.width, last) - first
            inside.append(Cell(" " * rest, rest, _NO_BYTE, _NO_BYTE))
        column += cell.width
    return (*inside, ellipsis) if is_cut else tuple(inside)


def _spans(row: Row, index: int, visible: tuple[Cell, ...]) -> Iterator[Span]:
    """Yield the styled text of one side."""
    if not row.differs:
        yield Span("".join(cell.text for cell in visible))
        return
    side = row.sides[index]
    if side.number is None:
        yield Span(_NO_LINE if row.is_first else "", Style.DIM)
        return
    for is_difference, group in groupby(visible, key=lambda cell: _is_in_difference(cell, side)):
        style = _DIFFERENCE_STYLES[index] if is_difference else Style.TEXT
        yield Span("".join(cell.text for cell in group), style)


def _is_in_difference(cell: Cell, side: Side) -> bool:
    return side.difference is not None and side.difference[0] <= cell.start < side.difference[1]


def _has_carets(row: Row) -> bool:
    return row.is_first and None not in (row.expected.number, row.found.number)


def _carets(side: Side, visible: tuple[Cell, ...]) -> str:
    """Return a line of carets below the difference, or below the column where something is missing."""
    start, end = side.difference or (0, 0)
    text = "".join(("^" if start <= cell.start < max(end, start + 1) else " ") * cell.width for cell in visible)
    return text.rstrip() if "^" in text else f"{text}^"
