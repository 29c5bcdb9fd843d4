r"""Escape untrusted bytes and text, so that a terminal can show them safely.

Every character that is invisible, or that the screen cannot show, is written as its bytes, `\x1b`: control characters
and escape sequences, bytes that are not UTF-8, characters without a width, and characters that the stream cannot
encode. Significant whitespace is shown as a symbol. Different lines never look the same:
`tests/reporters/test_escape.py` reads them back.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from unicodedata import category, east_asian_width

from msgspec import Struct
from msgspec.structs import replace


class Glyphs(Struct, frozen=True, kw_only=True):
    """The symbols that a screen can show; by default ASCII.

    Attributes:
        ascii_only: the stream can encode only ASCII.
        newline, space, tab: stand for whitespace.
        ellipsis: stands for text that was cut off.
        ok, bad: mark expected and unexpected results.
        pointer: marks a line that differs.
        bar, half, rest: the full, half and empty cells of a bar.
        rule: separates line numbers from text.
        dot: separates facts.
    """

    ascii_only: bool = True
    newline: str = "\\n"
    space: str = "\\s"
    tab: str = "\\t"
    ellipsis: str = "..."
    ok: str = "ok"
    bad: str = "!!"
    pointer: str = ">"
    bar: str = "="
    half: str = "-"
    rest: str = "."
    rule: str = "|"
    dot: str = "-"


UNICODE = Glyphs(
    ascii_only=False,
    newline="↵",
    space="·",
    tab="→",
    ellipsis="…",
    ok="✓",
    bad="✗",
    pointer="▸",
    bar="━",
    half="╸",
    rest="─",
    rule="│",
    dot="·",
)
ASCII = Glyphs()
PLAIN = replace(ASCII, ascii_only=False)
"""For logs: ASCII symbols, but text in any script."""

CARRIAGE_RETURN = "\\r"


class Cell(NamedTuple):
    """The safe text for one character of a line, or for one byte that is not part of a character.

    Attributes:
        start, end: the offsets of its bytes in the line; `end` is exclusive.
    """

    text: str
    width: int
    start: int
    end: int


def cells(
    data: bytes, glyphs: Glyphs, *, all_spaces: bool = False, line_end: bool = False, cut_after: bool = False
) -> list[Cell]:
    """Return the cells of a line.

    Args:
        data: the line, with or without its newline.
        glyphs: the symbols to use.
        all_spaces: show every space as a symbol, not only those at the end of the line.
        line_end: show the newline as a symbol; by default it is not shown.
        cut_after: the line continues after `data`, so spaces at the end of `data` are not trailing.
    """
    body = data.removesuffix(b"\n")
    last = len(body) if cut_after else len(body.rstrip(b" \t\r"))
    trailing = 0 if all_spaces else last
    found: list[Cell] = []
    start = 0
    for character in body.decode("utf-8", "surrogateescape"):
        raw = character.encode("utf-8", "surrogateescape")
        end = start + len(raw)
        special = {" ": glyphs.space if start >= trailing else " ", "\t": glyphs.tab, "\r": CARRIAGE_RETURN}
        is_literal = _is_literal(character, body[end : end + 1], glyphs)
        text = special.get(character) or (character if is_literal else _escape(raw))
        found.append(Cell(text, width(text), start, end))
        start = end
    if line_end and body != data:
        found.append(Cell(glyphs.newline, len(glyphs.newline), start, start + 1))
    return found


def _is_literal(character: str, following: bytes, glyphs: Glyphs) -> bool:
    """Return whether a character can be shown as it is, and not be mistaken for a symbol or an escaped byte."""
    if character == "\\":
        return not following or following not in (b"xrnts" if glyphs.tab.startswith("\\") else b"xr")
    return character not in (glyphs.newline, glyphs.space, glyphs.tab) and _is_visible(character, glyphs)


def _is_visible(character: str, glyphs: Glyphs) -> bool:
    if character.isascii():
        return character.isprintable()
    return not glyphs.ascii_only and character.isprintable() and not category(character).startswith("M")


def _escape(raw: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in raw)


_PLAIN_LINE = re.compile(rb"(?:[ -\[\]-~]*[!-\[\]-~])?\n?")  # without backslashes, and spaces at its end


def escape_text(data: bytes, glyphs: Glyphs = UNICODE) -> str:
    """Return a line as safe text; see `cells`."""
    symbols = (glyphs.newline, glyphs.space, glyphs.tab)
    if _PLAIN_LINE.fullmatch(data) and not any(each.isascii() and each.encode() in data for each in symbols):
        return data.removesuffix(b"\n").decode()  # a line may have many megabytes
    return "".join(cell.text for cell in cells(data, glyphs))


_SURROGATE = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    r"""Return text that UTF-8 can encode; a byte of a file name that is not UTF-8 is written as `\xff`."""

    def escape(found: re.Match[str]) -> str:
        code = ord(found[0])
        return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"

    return _SURROGATE.sub(escape, text)


def clean(value: Any) -> Any:
    """Return a value for JSON with `without_surrogates` of all its texts."""
    match value:
        case str():
            return without_surrogates(value)
        case dict():
            return {key: clean(each) for key, each in value.items()}
        case list() | tuple():
            return list(map(clean, value))
        case _:
            return value


def to_json(value: object, indent: int | None = None) -> str:
    """Return a value as JSON that any stream can encode."""
    import json  # only some reports need it

    return json.dumps(clean(value), indent=indent)


def one_line(text: str, glyphs: Glyphs) -> str:
    r"""Return a name or a message as one safe line; newlines are written as `\n`, backslashes stay as they are."""
    if text.isascii() and text.isprintable():
        return text
    special = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(
        each if _is_visible(each, glyphs) else special.get(each) or _escape(each.encode())
        for each in without_surrogates(text)
    )


def safe_lines(text: str, glyphs: Glyphs) -> Iterator[str]:
    """Yield the safe lines of a message."""
    return (one_line(line.rstrip(), glyphs) for line in text.rstrip().split("\n"))


def plain_lines(text: str) -> str:
    """Return the safe lines of a message, as one text for a log."""
    return "\n".join(safe_lines(text, PLAIN))


def safe_text(text: str, glyphs: Glyphs) -> str:
    """Return a text of several lines as safe lines; a space that does not break stays."""
    lines = text.expandtabs().split("\n")
    return "\n".join("\xa0".join(one_line(part, glyphs) for part in line.split("\xa0")) for line in lines)


def width(text: str) -> int:
    """Return the columns of safe text; wide characters take two."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def pad(text: str, columns: int) -> str:
    """Pad the text with spaces to `columns`; longer text is returned as it is."""
    return text + " " * (columns - width(text))


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a table of safe texts as lines, with two spaces between the columns."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(pad, row, widths)).rstrip() for row in rows]


def shorten(text: str, columns: int, ellipsis: str) -> str:
    """Return safe text of at most `columns`; an ellipsis replaces an end that does not fit."""
    if width(text) <= columns:
        return text
    used, available = 0, columns - width(ellipsis)
    for number, character in enumerate(text):
        used += width(character)
        if used > available:
            return text[: max(number, 1)] + ellipsis
    return text
