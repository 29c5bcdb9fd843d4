"""Safe text on a terminal: how many columns it takes, and how it is made to fit. A character may take two."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from unicodedata import east_asian_width

from judge.reporters.escape import Marks


class Role(Enum):
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
    role: Role = Role.TEXT


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a screen can do.

    Attributes:
        width: columns; None for a log, whose lines are never cut or broken.
        marks: the signs it can show.
    """

    width: int | None
    marks: Marks

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


def labelled(label: str, text: str, look: Look, role: Role = Role.TEXT) -> Iterator[Line]:
    """Yield `  label    text`, broken into further lines under the text when it does not fit."""
    for number, part in enumerate(wrap(text, look.room(LABEL_WIDTH))):
        head = f"  {label if number == 0 else ''}".ljust(LABEL_WIDTH)
        yield line(Span(head, Role.DIM), Span(part, role))


def facts(texts: list[str], look: Look) -> list[str]:
    """Join short facts with dots, broken between them where they do not fit."""
    short = [part for text in texts for part in wrap(text, look.width)]
    return fill(short, f" {look.marks.dot} ", look.width)


_UNBROKEN = "\0"  # never in safe text


def width(text: str) -> int:
    """Return how many columns safe text takes."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def pad(text: str, columns: int) -> str:
    """Return the text with blanks up to `columns`; longer text is returned as it is."""
    return text + " " * (columns - width(text))


def wrap(text: str, columns: int | None) -> list[str]:
    """Break safe text into lines of at most `columns`: at blanks, but a `command in backticks` only when it must be."""
    if columns is None or width(text) <= columns:
        return [text]
    whole = re.sub("`[^`]*`", lambda quoted: quoted[0].replace(" ", _UNBROKEN), text)
    return [line.replace(_UNBROKEN, " ") for line in fill(_short_words(whole.split(" "), columns), " ", columns)]


def fill(parts: Iterable[str], between: str, columns: int | None) -> list[str]:
    """Join parts into as few lines as possible; each part is at most `columns` wide."""
    filled = [""]
    for part in parts:
        longer = f"{filled[-1]}{between}{part}" if filled[-1] else part
        if columns is None or width(longer) <= columns:
            filled[-1] = longer
        else:
            filled.append(part)
    return filled


def _short_words(words: Iterable[str], columns: int) -> Iterator[str]:
    for word in words:
        rest = word
        while width(rest) > columns:
            head = rest[: _fitting(rest, columns)]
            yield head
            rest = rest[len(head) :]
        yield rest


def _fitting(text: str, columns: int) -> int:
    """Return how many characters fit; at least one."""
    used = 0
    for number, character in enumerate(text):
        used += width(character)
        if used > columns:
            return max(number, 1)
    return len(text)


def shorten(text: str, columns: int, sign: str) -> str:
    """Return safe text of at most `columns`; where its end had to be cut off stands a sign instead."""
    if width(text) <= columns:
        return text
    return text[: _fitting(text, max(columns - width(sign), 1))] + sign
