"""Show a transcript in two columns: what the solution wrote, what the interactor wrote, and when."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge.base.units import format_bytes, format_count, format_seconds
from judge.model.programs import Transcript, TranscriptEntry
from judge.reporters.diffview import cut_cells
from judge.reporters.escape import Cell, cells, pad
from judge.reporters.lines import LABEL_WIDTH, DisplayOptions, Line, Span, Style, label_lines, make_line

_TIME_WIDTH = 8
_NARROW = 60  # columns of a screen; one with fewer shows no times
_LOG_COLUMNS = 60  # of the left column in a log, which has no width
_LOG_CELLS = 400  # of a line in a log
_HEAD, _TAIL = 8, 22  # rows of a long transcript that a report shows: most often, the end is what matters
_NO_NEWLINE = "(no newline)"

_SOLUTION, _INTERACTOR = "solution", "interactor"
_INPUT = "input"  # in place of an interactor


class _Row(NamedTuple):
    """A line that one side wrote; `time` is empty for further lines of the same piece."""

    time: str
    is_solution: bool
    text: tuple[Cell, ...]


def dialogue_lines(transcript: Transcript, display: DisplayOptions, *, is_complete: bool = False) -> Iterator[Line]:
    """Yield the lines of a transcript; of a long one the beginning and the end, unless `is_complete`."""
    label = "dialogue" if transcript.has_interactor else "passes"
    yield from label_lines(label, _summary(transcript), display, Style.DIM)
    rows = list(_rows(transcript, display))
    if not is_complete and len(rows) > _HEAD + _TAIL + 1:
        hidden = rows[_HEAD:-_TAIL]
        hint = f"{format_count(len(hidden), 'more line')}; `judge show CASE --solution FILE` shows all"
        headings = [row for row in hidden if isinstance(row, str)]
        rows[_HEAD:-_TAIL] = [hint, *headings[-1:]]
    if not any(isinstance(row, _Row) for row in rows):
        return
    left, right = _column_widths(rows, display)
    yield _line("", pad(_SOLUTION, left), _INTERACTOR if transcript.has_interactor else _INPUT, display, Style.DIM)
    for row in rows:
        if isinstance(row, str):
            yield from label_lines("", row, display, Style.DIM)
            continue
        shown = "".join(
            cell.text for cell in cut_cells(row.text, 0, left if row.is_solution else right, display.glyphs)
        )
        sides = (pad(shown, left), "") if row.is_solution else (" " * left, shown)
        yield _line(row.time, *sides, display)


def _summary(transcript: Transcript) -> str:
    sizes = [sum(len(each.data) for each in transcript.entries if each.is_solution is side) for side in (True, False)]
    if not any(sizes):
        text = "neither side wrote anything" if transcript.has_interactor else "nothing was read or written"
    elif transcript.skipped:
        text = "the beginning and the end"
    elif not transcript.has_interactor:
        text = f"the {_SOLUTION} read {format_bytes(sizes[1])} and wrote {format_bytes(sizes[0])}"
    else:
        text = f"the {_SOLUTION} wrote {format_bytes(sizes[0])}, the {_INTERACTOR} {format_bytes(sizes[1])}"
    return f"{text}; from a second run, which was {transcript.verdict}" if transcript.verdict else text


def _rows(transcript: Transcript, display: DisplayOptions) -> Iterator["_Row | str"]:
    passes = {entry.pass_number for entry in transcript.entries}
    current = 0
    for number, entry in enumerate(transcript.entries):
        if len(passes) > 1 and entry.pass_number != current:
            current = entry.pass_number
            yield f"pass {current}"
        if transcript.skipped and number == transcript.skipped_at:
            yield f"{format_bytes(transcript.skipped)} are left out"
        yield from _entry_rows(entry, display)


def _entry_rows(entry: TranscriptEntry, display: DisplayOptions) -> Iterator[_Row]:
    lines = entry.data.split(b"\n")
    ends_well = not lines[-1]
    time = format_seconds(entry.time)
    for number, line in enumerate(lines[:-1] if ends_well else lines, start=1):
        shown = cells(line[: 4 * _LOG_CELLS], display.glyphs)[:_LOG_CELLS]
        if number == len(lines) and not ends_well:
            shown.append(Cell(f" {_NO_NEWLINE}", len(_NO_NEWLINE) + 1, -1, -1))
        yield _Row(time if number == 1 else "", entry.is_solution, tuple(shown))


def _column_widths(rows: Sequence["_Row | str"], display: DisplayOptions) -> tuple[int, int | None]:
    """Return the columns for the solution and for the interactor; None for no limit."""
    widest = max(
        (sum(cell.width for cell in row.text) for row in rows if isinstance(row, _Row) and row.is_solution), default=0
    )
    wanted = max(widest, len(_SOLUTION))
    available = display.remaining(len(_head("", display)) + len(_rule(display)))
    if available is None:
        return min(wanted, _LOG_COLUMNS), None
    left = min(wanted, available // 2)
    return left, max(available - left, 1)


def _head(time: str, display: DisplayOptions) -> str:
    is_narrow = display.width is not None and display.width < _NARROW
    return f"{'':{LABEL_WIDTH}}" + ("" if is_narrow else f"{time:>{_TIME_WIDTH}}  ")


def _line(time: str, left: str, right: str, display: DisplayOptions, style: Style = Style.TEXT) -> Line:
    return make_line(
        Span(_head(time, display), Style.DIM), Span(left, style), Span(_rule(display), Style.DIM), Span(right, style)
    )


def _rule(display: DisplayOptions) -> str:
    return f" {display.glyphs.rule} "
