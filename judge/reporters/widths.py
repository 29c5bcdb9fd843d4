"""Safe text on a terminal: how many columns it takes, and how it is made to fit. A character may take two."""

import re
from collections.abc import Iterable, Iterator
from unicodedata import east_asian_width

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
