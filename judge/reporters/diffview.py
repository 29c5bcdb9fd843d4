"""Rows of a diff as lines: side by side where both sides fit, else one below the other, cut around the difference."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from judge.reporters.diffrows import CUT, Row, Side
from judge.reporters.lines import Line, Look, Role, Span, line
from judge.reporters.visible import CARRIAGE_RETURN, Cell, Marks
from judge.reporters.widths import pad, width

_GAP = "   "
_LABELS = ("expected", "found")
_ROLES = (Role.EXPECTED, Role.FOUND)
_HERE = (Role.EXPECTED_HERE, Role.FOUND_HERE)
_NO_LINE = "(no such line)"


def diff_lines(rows: list[Row], look: Look) -> Iterator[Line]:
    """Yield the view of a mismatch's rows."""
    if not rows:
        return
    digits = max(len(str(side.number or "")) for row in rows for side in row.sides)
    layout = _side_by_side if _fits_side_by_side(rows, digits, look) else _stacked
    yield from layout(rows, digits, look)


def legend(texts: str, marks: Marks) -> str:
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


def _fits_side_by_side(rows: list[Row], digits: int, look: Look) -> bool:
    if look.width is None:
        return False
    panes = sum(_pane_width(rows, side) for side in (0, 1))
    return 2 * len(_gutter(None, digits, look.marks, differs=False)) + panes + len(_GAP) <= look.width


def _pane_width(rows: list[Row], side: int) -> int:
    return max(len(_NO_LINE), *(_columns(row.sides[side].shown) for row in rows))


def _gutter(number: int | None, digits: int, marks: Marks, *, differs: bool) -> str:
    return f"  {marks.here if differs else ' '} {number or '':>{digits}} {marks.rule} "


def _side_by_side(rows: list[Row], digits: int, look: Look) -> Iterator[Line]:
    columns = _pane_width(rows, 0)
    empty = " " * len(_gutter(None, digits, look.marks, differs=False))
    yield line(empty, Span(pad("expected", columns), Role.EXPECTED), f"{_GAP}{empty}", Span("found", Role.FOUND))
    for row in rows:
        left, right = (_pane(row, side, digits, look.marks) for side in (0, 1))
        filling = " " * (columns - sum(width(span.text) for span in left[1:]))
        yield line(*left, filling, _GAP, *right)
        if _is_pointed_at(row):
            expected, found = (_carets(side, side.shown) for side in row.sides)
            yield line(Span(f"{empty}{pad(expected, columns)}{_GAP}{empty}{found}", Role.DIM))


def _pane(row: Row, index: int, digits: int, marks: Marks) -> Line:
    side = row.sides[index]
    gutter = _gutter(side.number, digits, marks, differs=row.differs)
    return Span(gutter, Role.DIM), *_spans(row, index, side.shown)


# ---- one below the other ------------------------------------------------------------------------------------------


def _stacked(rows: list[Row], digits: int, look: Look) -> Iterator[Line]:
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
            number = Span(f" {side.number or '':>{digits}} {look.marks.rule} ", Role.DIM)
            yield line(label, number, *_spans(row, index, shown))
            if _is_pointed_at(row):
                yield line(Span(empty + _carets(side, shown), Role.DIM))


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


def window(shown: tuple[Cell, ...], start: int, room: int | None, marks: Marks) -> tuple[Cell, ...]:
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
        yield Span(_NO_LINE if row.is_first else "", Role.DIM)
        return
    for here, group in groupby(shown, key=lambda cell: _is_here(cell, side)):
        yield Span("".join(cell.text for cell in group), _HERE[index] if here else Role.TEXT)


def _is_here(cell: Cell, side: Side) -> bool:
    return side.here is not None and side.here[0] <= cell.start < side.here[1]


def _is_pointed_at(row: Row) -> bool:
    return row.is_first and None not in (row.expected.number, row.found.number)


def _carets(side: Side, shown: tuple[Cell, ...]) -> str:
    """Return a line that points at the difference; where something is missing, at its place."""
    start, end = side.here or (0, 0)
    text = "".join(("^" if start <= cell.start < max(end, start + 1) else " ") * cell.width for cell in shown)
    return text.rstrip() if "^" in text else f"{text}^"
