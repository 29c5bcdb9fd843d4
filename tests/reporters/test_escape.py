"""Escaping: nothing raw reaches a screen, nothing is lost, and the widths are right."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.reporters.escape import (
    ASCII,
    PLAIN,
    UNICODE,
    Glyphs,
    cells,
    escape_text,
    one_line,
    safe_lines,
    shorten,
    width,
)

GLYPHS = st.sampled_from([UNICODE, ASCII, PLAIN])
LINES = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40).map(str.encode),
    st.text(" \t\r\\xnrts·→↵a1", max_size=20).map(str.encode),
)


def read_back(shown: str, glyphs: Glyphs) -> bytes:
    """Undo `escape_text` for a line without its end."""
    back = {glyphs.space: b" ", glyphs.tab: b"\t", glyphs.newline: b"\n", "\\r": b"\r"}
    symbols = "|".join(re.escape(symbol) for symbol in back)
    return b"".join(
        bytes.fromhex(part[2:]) if re.fullmatch(r"\\x[0-9a-f]{2}", part) else back.get(part) or part.encode()
        for part in re.findall(rf"\\x[0-9a-f]{{2}}|{symbols}|.", shown, re.DOTALL)
    )


@given(LINES, GLYPHS, st.booleans(), st.booleans())
@example(b"\\x41 \\r \\t \\s", ASCII, True, True)
def test_a_shown_line_can_be_read_back(data: bytes, glyphs: Glyphs, all_spaces: bool, cut_after: bool) -> None:
    line = data.replace(b"\n", b"")
    shown = cells(line + b"\n", glyphs, all_spaces=all_spaces, line_end=True, cut_after=cut_after)
    assert read_back("".join(cell.text for cell in shown), glyphs) == line + b"\n"


@given(LINES | st.text("ab \\s_.-\n", max_size=6).map(str.encode), GLYPHS)
def test_a_plain_line_is_shown_as_its_cells_are(data: bytes, glyphs: Glyphs) -> None:
    assert escape_text(data, glyphs) == "".join(cell.text for cell in cells(data, glyphs))


@given(LINES, GLYPHS)
def test_a_shown_line_is_printable_and_encodable(data: bytes, glyphs: Glyphs) -> None:
    shown = escape_text(data, glyphs)
    assert shown.isprintable()
    assert shown.isascii() or not glyphs.ascii_only


@given(st.text(), GLYPHS)
@example("\ud800\udcff", UNICODE)
def test_a_safe_name_is_printable_and_encodable(text: str, glyphs: Glyphs) -> None:
    shown = one_line(text, glyphs)
    assert shown.isprintable()
    assert shown.isascii() or not glyphs.ascii_only
    shown.encode()


@given(LINES, GLYPHS)
def test_cells_cover_all_bytes_in_order_and_have_the_right_width(data: bytes, glyphs: Glyphs) -> None:
    line = data.replace(b"\n", b"")
    shown = cells(line, glyphs)
    assert [cell.start for cell in shown] == [0, *(cell.end for cell in shown)][: len(shown)]
    assert (shown[-1].end if shown else 0) == len(line)
    assert sum(cell.width for cell in shown) == width(escape_text(line, glyphs))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"plain text", "plain text"),
        (b"spaces  \t ", "spaces··→·"),
        (b"tab\tinside", "tab→inside"),
        (b"crlf\r\n", "crlf\\r"),
        (b"\x1b[31mred\x07\x00\x7f", "\\x1b[31mred\\x07\\x00\\x7f"),
        (b"\xff\xfe latin \xe9", "\\xff\\xfe latin \\xe9"),
        ("naïve 役満".encode(), "naïve 役満"),
        ("e\u0301 \u202e \u200b".encode(), "e\\xcc\\x81 \\xe2\\x80\\xae \\xe2\\x80\\x8b"),
        ("\u00a0 \ufeff".encode(), "\\xc2\\xa0 \\xef\\xbb\\xbf"),
        (b"/\\/\\ \\o/ \\x41", "/\\/\\ \\o/ \\x5cx41"),
        ("a·b".encode(), "a\\xc2\\xb7b"),
    ],
)
def test_everything_but_plain_text_is_escaped(data: bytes, expected: str) -> None:
    assert escape_text(data, UNICODE) == expected


def test_a_space_before_a_cut_is_not_a_trailing_space() -> None:
    assert "".join(cell.text for cell in cells(b"1 2 ", UNICODE, cut_after=True)) == "1 2 "


def test_a_message_keeps_its_lines_without_trailing_whitespace() -> None:
    assert list(safe_lines("one\r\n  two\x1b[0m\n\n", UNICODE)) == ["one", "  two\\x1b[0m"]


@given(st.text(st.sampled_from("ab 役"), max_size=60), st.integers(5, 30), GLYPHS)
def test_shortened_text_fits_and_is_a_beginning(text: str, columns: int, glyphs: Glyphs) -> None:
    short = shorten(text, columns, glyphs.ellipsis)
    assert width(short) <= columns
    assert short == text or text.startswith(short.removesuffix(glyphs.ellipsis))
