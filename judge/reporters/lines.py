"""Styled lines of safe text, which every reporter for people shows, and how they are fitted to the screen."""

from collections.abc import Iterator
from enum import Enum
from typing import TextIO

from msgspec import Struct

from judge.model.events import Notice
from judge.reporters import log_glyphs
from judge.reporters.escape import Glyphs, fill, safe_lines, width, wrap


class Style(Enum):
    """The style of a span. A terminal shows it as a colour; a log shows only the text."""

    TEXT = "text"
    DIM = "dim"  # numbers, rules, labels
    STRONG = "strong"
    GOOD = "good"
    BAD = "bad"
    FAULT = "fault"  # of the judge or the test data
    EXPECTED = "expected"  # text of the answer
    FOUND = "found"  # text of the output
    EXPECTED_HERE = "expected here"  # the difference
    FOUND_HERE = "found here"
    COMMAND = "command"  # for copying: never broken


class Span(Struct, frozen=True):
    """A part of a line: safe text (see `escape`) in one style."""

    text: str
    style: Style = Style.TEXT


Line = tuple[Span, ...]


class DisplayOptions(Struct, frozen=True, kw_only=True):
    """What a screen can show.

    Attributes:
        width: columns; None for a log, in which lines are neither cut nor broken.
    """

    width: int | None
    glyphs: Glyphs

    def remaining(self, used: int) -> int | None:
        """Return how many columns remain beside `used` columns, at least ten; None if there is no limit."""
        return None if self.width is None else max(self.width - used, 10)


def make_line(*spans: Span | str) -> Line:
    """Make a line from spans and plain text."""
    return tuple(span if isinstance(span, Span) else Span(span) for span in spans)


def line_text(line: Line) -> str:
    """Return the text of a line without trailing spaces."""
    return "".join(span.text for span in line).rstrip(" ")


LABEL_WIDTH = 11
_INDENT = 2  # of what is left of a line that was broken


def label_lines(label: str, text: str, display: DisplayOptions, style: Style = Style.TEXT) -> Iterator[Line]:
    """Yield `  label    text`, with text that does not fit on further lines below the text."""
    for number, part in enumerate(wrap(text, display.remaining(LABEL_WIDTH))):
        head = f"  {label if number == 0 else ''}".ljust(LABEL_WIDTH)
        yield make_line(Span(head, Style.DIM), Span(part, style))


def wrap_line(line: Line, display: DisplayOptions) -> Iterator[Line]:
    """Yield a line, with what does not fit on further lines, indented below."""
    text = line_text(line)
    if display.width is None or width(text) <= display.width:
        yield line
        return
    end = 0
    for number, part in enumerate(wrap(text, display.remaining(_INDENT))):
        start = text.index(part, end)
        end = start + len(part)
        yield make_line(" " * _INDENT if number else "", *_cut(line, start, end))


def _cut(line: Line, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of the characters from `start` to `end`."""
    at = 0
    for span in line:
        text = span.text[max(start - at, 0) : max(end - at, 0)]
        at += len(span.text)
        if text:
            yield Span(text, span.style)


def join_facts(texts: list[str], display: DisplayOptions) -> list[str]:
    """Join short texts with dots into as few lines as possible."""
    short = [part for text in texts for part in wrap(text, display.width)]
    return fill(short, f" {display.glyphs.dot} ", display.width)


def notice_lines(notice: Notice, display: DisplayOptions) -> Iterator[Line]:
    """Yield `error: ...` or `note: ...`, with further lines indented below; diagnostics are yielded as they are."""
    if notice.diagnostics:
        yield from (
            make_line(part)
            for text in safe_lines(notice.text, display.glyphs)
            for part in wrap(text, display.remaining(0))
        )
        return
    head, style = ("error: ", Style.BAD) if notice.is_error else ("note: ", Style.FAULT)
    parts = [
        part for text in safe_lines(notice.text, display.glyphs) for part in wrap(text, display.remaining(len(head)))
    ]
    for number, part in enumerate(parts):
        yield make_line(Span(head if number == 0 else " " * len(head), style), part)


def write_notice(notice: Notice, stderr: TextIO) -> None:
    """Write a notice as whole lines, without colours."""
    display = DisplayOptions(width=None, glyphs=log_glyphs(stderr))
    stderr.writelines(line_text(line) + "\n" for line in notice_lines(notice, display))
    stderr.flush()
