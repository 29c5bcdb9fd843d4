"""Show the rows of a diff: side by side if both sides fit, else one below the other, cut around the difference."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from judge.model import DiffRow, Mismatch
from judge.reporters.escape import CARRIAGE_RETURN, Cell, Glyphs, cells, pad, width
from judge.reporters.lines import DisplayOptions, Fit, Line, Span, Style, make_line

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

    @property
    def pieces(self) -> list[tuple[bool, str]]:
        """The text in parts, each with whether it is in the difference."""
        start, end = self.difference or (0, 0)
        parts = groupby(self.cells, key=lambda cell: start <= cell.start < end)
        return [(is_difference, "".join(cell.text for cell in part)) for is_difference, part in parts]


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

    def nearness(row: DiffRow) -> int:  # with the lines of the difference on both sides, else on one side
        return (row.found_line == mismatch.line) + (row.expected_line == mismatch.expected_line)

    first = max(filter(_differs, mismatch.rows), key=nearness, default=None)
    return [_row(row, glyphs, _difference_ranges(row, mismatch) if row is first else None) for row in mismatch.rows]


def _differs(row: DiffRow) -> bool:
    return not row.agrees and not row.same


def _row(row: DiffRow, glyphs: Glyphs, difference: tuple[Range, Range] | None) -> Row:
    differs = _differs(row)
    expected, found = row.expected or b"", row.found or b""
    both = differs and row.expected is not None and row.found is not None
    all_spaces = both and expected.rstrip() != found.rstrip() and expected.split() == found.split()
    line_end = both and _line_end(expected) != _line_end(found)

    def side(number: int | None, data: bytes, cut: tuple[int, int], range_: Range | None) -> Side:
        part = cells(data, glyphs, all_spaces=all_spaces, line_end=line_end, cut_after=cut[1] > 0)
        before, after = ([_ellipsis(glyphs)] if size else [] for size in cut)
        return Side(number=number, cells=(*before, *part, *after), difference=range_)

    return Row(
        differs=differs,
        expected=side(row.expected_line, expected, row.expected_cut, difference and difference[0]),
        found=side(row.found_line, found, row.found_cut, difference and difference[1]),
    )


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
    left, right = (max(len(_NO_LINE), *(_columns(row.sides[index].cells) for row in rows)) for index in (0, 1))
    gutters = 2 * len(_gutter(None, digits, display.glyphs, differs=False))
    if display.width is not None and gutters + left + right + len(_GAP) <= display.width:
        yield from _side_by_side(rows, digits, left, display.glyphs)
    else:
        yield from _stacked(rows, digits, display)


def make_legend(text: str, glyphs: Glyphs) -> str:
    """Explain the symbols for whitespace in a shown text; "" if it contains none.

    In safe text a symbol never stands for itself (see `escape`), so it is enough to search for it.
    """
    meanings = {glyphs.newline: "newline", CARRIAGE_RETURN: "carriage return", glyphs.tab: "tab", glyphs.space: "space"}
    return "   ".join(f"{symbol} {meaning}" for symbol, meaning in meanings.items() if symbol in text)


def _gutter(number: int | None, digits: int, glyphs: Glyphs, *, differs: bool) -> str:
    return f"  {glyphs.pointer if differs else ' '} {number or '':>{digits}} {glyphs.rule} "


def _side_by_side(rows: list[Row], digits: int, columns: int, glyphs: Glyphs) -> Iterator[Line]:
    """Yield the rows with the expected lines on the left, padded to `columns`."""
    empty = " " * len(_gutter(None, digits, glyphs, differs=False))
    yield make_line(empty, Span(pad("expected", columns), Style.EXPECTED), f"{_GAP}{empty}", Span("found", Style.FOUND))
    for row in rows:
        left, right = (
            (
                Span(_gutter(side.number, digits, glyphs, differs=row.differs), Style.DIM),
                *_spans(row, index, side.cells),
            )
            for index, side in enumerate(row.sides)
        )
        padding = " " * (columns - sum(width(span.text) for span in left[1:]))
        yield make_line(*left, padding, _GAP, *right)
        if _has_carets(row):
            expected, found = (_carets(side, side.cells) for side in row.sides)
            yield make_line(Span(f"{empty}{pad(expected, columns)}{_GAP}{empty}{found}", Style.DIM))


def _stacked(rows: list[Row], digits: int, display: DisplayOptions) -> Iterator[Line]:
    """Yield the lines one below the other, cut on the left so far that the difference is visible on both sides."""
    empty = f"  {'':8} {'':{digits}} {display.glyphs.rule} "
    start = 0
    if (available := display.remaining(len(empty))) is not None:
        sides = [side for row in rows if row.is_first for side in row.sides]
        longest = max((_columns(side.cells) for side in sides), default=0)
        columns = (_columns(each for each in side.cells if each.start < (side.difference or (0,))[0]) for side in sides)
        start = max(min(min(columns, default=0) - available // 3, longest - available), 0)
    for row in rows:
        for index in (0, 1) if row.differs else (1,):
            side = row.sides[index]
            if side.number is None and not row.is_first:
                continue
            visible = cut_start(side.cells, start if row.is_first else 0, display.glyphs)
            label = Span(f"  {_LABELS[index] if row.differs else '':<8}", _STYLES[index])
            number = Span(f" {side.number or '':>{digits}} {display.glyphs.rule} ", Style.DIM)
            yield make_line(label, number, *_spans(row, index, visible), fit=Fit.CUT)
            if _has_carets(row):
                yield make_line(Span(empty + _carets(side, visible), Style.DIM), fit=Fit.CUT)


def _columns(line: Iterable[Cell]) -> int:
    return sum(cell.width for cell in line)


def cut_start(line: tuple[Cell, ...], start: int, glyphs: Glyphs) -> tuple[Cell, ...]:
    """Return the cells from column `start` on, with an ellipsis in place of those before it."""
    if not start or not line:
        return line
    ellipsis = _ellipsis(glyphs)
    column, first = 0, start + ellipsis.width
    for number, cell in enumerate(line):
        if column >= first:  # the rest of a wide character across the edge becomes spaces
            return ellipsis, Cell(" " * (column - first), column - first, _NO_BYTE, _NO_BYTE), *line[number:]
        column += cell.width
    return (ellipsis,)


def _spans(row: Row, index: int, visible: tuple[Cell, ...]) -> Iterator[Span]:
    """Yield the styled text of one side."""
    side = row.sides[index]
    if row.differs and side.number is None:
        yield Span(_NO_LINE if row.is_first else "", Style.DIM)
        return
    start, end = side.difference or (0, 0)
    for is_difference, group in groupby(visible, key=lambda cell: start <= cell.start < end):
        style = _DIFFERENCE_STYLES[index] if is_difference else Style.TEXT
        yield Span("".join(cell.text for cell in group), style)


def _has_carets(row: Row) -> bool:
    return row.is_first and None not in (row.expected.number, row.found.number)


def _carets(side: Side, visible: tuple[Cell, ...]) -> str:
    """Return a line of carets below the difference, or below the column where something is missing."""
    start, end = side.difference or (0, 0)
    text = "".join(("^" if start <= cell.start < max(end, start + 1) else " ") * cell.width for cell in visible)
    return text.rstrip() if "^" in text else f"{text}^"
