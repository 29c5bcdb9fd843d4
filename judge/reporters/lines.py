"""Styled lines of safe text, which every reporter for people shows. `canvas` lays them out on a screen."""

import os
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TextIO

from msgspec import Struct

from judge.model.events import Notice
from judge.reporters import log_glyphs
from judge.reporters.escape import Glyphs, safe_lines


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


class Fit(Enum):
    """What a screen does with a line that is too long for it. A log keeps all lines whole."""

    KEEP = "keep"  # commands and data, for copying
    WRAP = "wrap"
    CUT = "cut"


class Line(Struct, frozen=True):
    """A line of a report.

    Attributes:
        head: how many spans come before the column at which a wrapped line continues.
    """

    spans: tuple[Span, ...] = ()
    fit: Fit = Fit.KEEP
    head: int = 0


EMPTY = Line()


class DisplayOptions(Struct, frozen=True, kw_only=True):
    """What a screen can show.

    Attributes:
        width: columns; None for a log.
    """

    width: int | None
    glyphs: Glyphs

    def remaining(self, used: int) -> int | None:
        """Return how many columns remain beside `used` columns, at least ten; None if there is no limit."""
        return None if self.width is None else max(self.width - used, 10)


def make_line(*spans: Span | str, fit: Fit = Fit.KEEP, head: int = 0) -> Line:
    """Make a line from spans and plain text."""
    return Line(tuple(span if isinstance(span, Span) else Span(span) for span in spans), fit, head)


def line_text(line: Line) -> str:
    """Return the text of a line without trailing spaces."""
    return "".join(span.text for span in line.spans).rstrip(" ")


LABEL_WIDTH = 11


def label_line(label: str, text: str, style: Style = Style.TEXT, fit: Fit = Fit.WRAP) -> Line:
    """Return `  label    text`."""
    return make_line(Span(f"  {label}".ljust(LABEL_WIDTH), Style.DIM), Span(text, style), fit=fit, head=1)


def label_lines(label: str, texts: Iterable[str]) -> Iterator[Line]:
    """Yield a line for each text, the first one with the label."""
    for number, text in enumerate(texts):
        yield label_line("" if number else label, text)


def notice_lines(notice: Notice, glyphs: Glyphs) -> Iterator[Line]:
    """Yield `error: ...` or `note: ...`, with further lines indented below; diagnostics are yielded as they are."""
    head, style = ("error: ", Style.BAD) if notice.is_error else ("note: ", Style.FAULT)
    for number, text in enumerate(safe_lines(notice.text, glyphs)):
        if notice.diagnostics:
            yield make_line(text, fit=Fit.WRAP)
        else:
            start = " " * len(head) if number else head
            yield make_line(Span(start, style), Span(text, style), fit=Fit.WRAP, head=1)


def write_notice(notice: Notice, stderr: TextIO) -> None:
    """Write a notice as whole lines, without colours."""
    Log(stderr).write(*notice_lines(notice, log_glyphs(stderr)))


class Log:
    """A stream that keeps whole lines without colours."""

    def __init__(self, stream: TextIO, environment: Mapping[str, str] = os.environ) -> None:
        self._stream = stream
        self.display = DisplayOptions(width=None, glyphs=log_glyphs(stream, environment))

    def write(self, *lines: Line) -> None:
        """Write lines."""
        if lines:
            self._stream.writelines(f"{line_text(line)}\n" for line in lines)
            self._stream.flush()
