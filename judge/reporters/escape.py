r"""Bytes of strangers to text that a terminal can be trusted with: the only way from an output to a screen.

What cannot be shown, or would not be seen, is written as its bytes, `\x1b`: control characters and escape sequences,
bytes that are not UTF-8, characters without a width of their own, and characters that a screen cannot encode. White
space that matters has a mark. No two different lines look the same (`tests/test_reporters_visible.py` reads them back).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple
from unicodedata import category, east_asian_width


@dataclass(frozen=True, slots=True, kw_only=True)
class Glyphs:
    """The signs that a screen can show.

    Attributes:
        ascii_only: the stream can encode nothing else.
        newline, blank, tab: stand for white space.
        cut: stands for what was left out.
        ok, bad: before what is as expected, and before a surprise.
        here: before a line that differs.
        bar, half, rest: a bar's full, half and empty cells.
        rule: between line numbers and text.
        dot: between facts.
    """

    ascii_only: bool
    newline: str
    blank: str
    tab: str
    cut: str
    ok: str
    bad: str
    here: str
    bar: str
    half: str
    rest: str
    rule: str
    dot: str


UNICODE = Glyphs(
    ascii_only=False,
    newline="↵",
    blank="·",
    tab="→",
    cut="…",
    ok="✓",
    bad="✗",
    here="▸",
    bar="━",
    half="╸",
    rest="─",
    rule="│",
    dot="·",
)
ASCII = Glyphs(
    ascii_only=True,
    newline="\\n",
    blank="\\s",
    tab="\\t",
    cut="...",
    ok="ok",
    bad="!!",
    here=">",
    bar="=",
    half="-",
    rest=".",
    rule="|",
    dot="-",
)
PLAIN = replace(ASCII, ascii_only=False)
"""Signs of ASCII, names in any script: for logs."""

CARRIAGE_RETURN = "\\r"


class Cell(NamedTuple):
    """What is shown for one character of a line, or for one byte that belongs to none.

    Attributes:
        text: the text shown; `width` columns wide.
        start, end: the bytes that it stands for, end exclusive.
    """

    text: str
    width: int
    start: int
    end: int


def cells(
    data: bytes, marks: Glyphs, *, all_blanks: bool = False, line_end: bool = False, cut_after: bool = False
) -> list[Cell]:
    """Return what to show for one line.

    Args:
        data: the line, with or without its end.
        marks: the signs to use.
        all_blanks: mark every blank, not only those at the end of the line.
        line_end: mark the newline too; otherwise it is not shown at all.
        cut_after: the line goes on after `data`.
    """
    body = data.removesuffix(b"\n")
    last = len(body) if cut_after else len(body.rstrip(b" \t\r"))
    trailing = 0 if all_blanks else last
    shown: list[Cell] = []
    start = 0
    for character in body.decode("utf-8", "surrogateescape"):
        raw = character.encode("utf-8", "surrogateescape")
        end = start + len(raw)
        shown.append(_cell(character, raw, start, marks, trailing=start >= trailing, following=body[end : end + 1]))
        start = end
    if line_end and body != data:
        shown.append(Cell(marks.newline, len(marks.newline), start, start + 1))
    return shown


def _cell(character: str, raw: bytes, start: int, marks: Glyphs, *, trailing: bool, following: bytes) -> Cell:
    end = start + len(raw)
    special = {" ": marks.blank if trailing else " ", "\t": marks.tab, "\r": CARRIAGE_RETURN}
    text = special.get(character) or (character if _showable(character, following, marks) else _escaped(raw))
    return Cell(text, width(text), start, end)


def _showable(character: str, following: bytes, marks: Glyphs) -> bool:
    """Whether a character may stand for itself and cannot be taken for anything else."""
    if character == "\\":
        return not following or following not in (b"xrnts" if marks.tab.startswith("\\") else b"xr")
    return character not in (marks.newline, marks.blank, marks.tab) and _has_a_look(character, marks)


def _has_a_look(character: str, marks: Glyphs) -> bool:
    if character.isascii():
        return character.isprintable()
    return not marks.ascii_only and character.isprintable() and not category(character).startswith("M")


def _escaped(raw: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in raw)


def escape_text(data: bytes, marks: Glyphs = UNICODE) -> str:
    """Return one line as text; see `cells`."""
    return "".join(cell.text for cell in cells(data, marks))


_SURROGATE = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    r"""Return text that UTF-8 can carry; a byte of a file's name that is not UTF-8 is written `\xff`."""

    def escaped(found: re.Match[str]) -> str:
        code = ord(found[0])
        return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"

    return _SURROGATE.sub(escaped, text)


def one_line(text: str, marks: Glyphs) -> str:
    r"""Return a name or a message as one safe line; a newline in it is written `\n`, its backslashes stay."""
    return "".join(_safe(character, marks) for character in without_surrogates(text))


def _safe(character: str, marks: Glyphs) -> str:
    if _has_a_look(character, marks):
        return character
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or _escaped(character.encode())


def lines(text: str, marks: Glyphs) -> Iterator[str]:
    """Yield the safe lines of a longer message."""
    return (one_line(line.rstrip(), marks) for line in text.rstrip().split("\n"))


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
