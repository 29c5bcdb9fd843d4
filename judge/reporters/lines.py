"""Safe text on a terminal: how many columns it takes, and how it is made to fit. A character may take two."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from judge.reporters.escape import Glyphs, fill, wrap


class Style(Enum):
    """What a span is; a screen gives it a style, a log shows its text."""

    TEXT = "text"
    DIM = "dim"  # numbers, rules, labels
    STRONG = "strong"
    GOOD = "good"
    BAD = "bad"
    FAULT = "fault"  # ours or the test data's
    EXPECTED = "expected"  # what the answer is
    FOUND = "found"  # what the output is
    EXPECTED_HERE = "expected here"  # the differing token
    FOUND_HERE = "found here"
    COMMAND = "command"  # to be copied: never broken


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line: safe text (see `visible`) in one role."""

    text: str
    role: Style = Style.TEXT


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayOptions:
    """What a screen can do.

    Attributes:
        width: columns; None for a log, whose lines are never cut or broken.
        marks: the signs it can show.
    """

    width: int | None
    marks: Glyphs

    def room(self, used: int) -> int | None:
        """Return how many columns are left beside `used` ones, at least ten; None without a limit."""
        return None if self.width is None else max(self.width - used, 10)


def line(*spans: Span | str) -> Line:
    """Make a line from spans; plain text is a span without a role."""
    return tuple(span if isinstance(span, Span) else Span(span) for span in spans)


def text_of(line: Line) -> str:
    """Return a line's text without blanks at its end."""
    return "".join(span.text for span in line).rstrip(" ")


LABEL_WIDTH = 11


def labelled(label: str, text: str, look: DisplayOptions, role: Style = Style.TEXT) -> Iterator[Line]:
    """Yield `  label    text`, broken into further lines under the text when it does not fit."""
    for number, part in enumerate(wrap(text, look.room(LABEL_WIDTH))):
        head = f"  {label if number == 0 else ''}".ljust(LABEL_WIDTH)
        yield line(Span(head, Style.DIM), Span(part, role))


def facts(texts: list[str], look: DisplayOptions) -> list[str]:
    """Join short facts with dots, broken between them where they do not fit."""
    short = [part for text in texts for part in wrap(text, look.width)]
    return fill(short, f" {look.marks.dot} ", look.width)
