"""Show a transcript in two columns: what the solution wrote, what the interactor wrote, and when."""

from collections.abc import Iterator
from typing import NamedTuple

from judge.base.units import format_bytes, format_count, format_seconds
from judge.model.programs import Transcript
from judge.reporters.escape import Glyphs, escape_text, pad, shorten, width
from judge.reporters.lines import LABEL_WIDTH, DisplayOptions, Fit, Line, Span, Style, label_line, make_line

_HEAD, _TAIL = 8, 22  # rows of a long transcript that a report shows: most often, the end is what matters
_NO_NEWLINE = "(no newline)"

_SOLUTION, _INTERACTOR = "solution", "interactor"
_INPUT = "input"  # in place of an interactor


class Row(NamedTuple):
    """A line that one side wrote; `time` is empty for further lines of the same piece."""

    time: str
    is_solution: bool
    text: str


def dialogue_lines(transcript: Transcript, display: DisplayOptions, *, is_complete: bool = False) -> Iterator[Line]:
    """Yield the lines of a transcript; of a long one the beginning and the end, unless `is_complete`."""
    yield label_line("dialogue" if transcript.has_interactor else "passes", summarize(transcript), Style.DIM)
    rows = list_rows(transcript, display.glyphs, is_complete=is_complete)
    if not any(isinstance(row, Row) for row in rows):
        return
    is_narrow = display.width is not None and display.width < 60  # too narrow for the times
    rule = f" {display.glyphs.rule} "
    available = display.remaining(LABEL_WIDTH + len(rule) + (0 if is_narrow else 10))
    columns = max([len(_SOLUTION), *(width(row.text) for row in rows if isinstance(row, Row) and row.is_solution)])
    columns = min(columns, 60 if available is None else available // 2)

    def line(time: str, left: str, right: str, style: Style) -> Line:
        head = " " * LABEL_WIDTH + ("" if is_narrow else f"{time:>8}  ")
        left = pad(shorten(left, columns, display.glyphs.ellipsis), columns)
        return make_line(
            Span(head, Style.DIM), Span(left, style), Span(rule, Style.DIM), Span(right, style), fit=Fit.CUT
        )

    yield line("", _SOLUTION, _INTERACTOR if transcript.has_interactor else _INPUT, Style.DIM)
    for row in rows:
        if isinstance(row, str):
            yield label_line("", row, Style.DIM)
        else:
            yield line(row.time, *((row.text, "") if row.is_solution else ("", row.text)), Style.TEXT)


def list_rows(transcript: Transcript, glyphs: Glyphs, *, is_complete: bool = False) -> list[Row | str]:
    """Return the rows of a transcript, and headings between them; `is_complete` as in `dialogue_lines`."""
    rows: list[Row | str] = []
    passes = {entry.pass_number for entry in transcript.entries}
    current = 0
    for number, entry in enumerate(transcript.entries):
        if len(passes) > 1 and entry.pass_number != current:
            current = entry.pass_number
            rows.append(f"pass {current}")
        if transcript.skipped and number == transcript.skipped_at:
            rows.append(f"{format_bytes(transcript.skipped)} are left out")
        time = format_seconds(entry.time)
        *lines, rest = entry.data.split(b"\n")
        for line, end in [*((line, "") for line in lines), *([(rest, f" {_NO_NEWLINE}")] if rest else [])]:
            text = shorten(escape_text(line[:1600], glyphs), 400, glyphs.ellipsis)
            rows.append(Row(time, entry.is_solution, text + end))
            time = ""
    if not is_complete and len(rows) > _HEAD + _TAIL + 1:
        hidden = rows[_HEAD:-_TAIL]
        hint = f"{format_count(len(hidden), 'more line')}; --show-output prints all"
        headings = [row for row in hidden if isinstance(row, str)]
        rows[_HEAD:-_TAIL] = [hint, *headings[-1:]]
    return rows


def summarize(transcript: Transcript) -> str:
    """Return how much both sides wrote."""
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
