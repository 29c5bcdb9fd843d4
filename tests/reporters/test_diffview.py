"""The view of a difference: it fits the screen, points at the difference, and keeps all that matters."""

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console

from judge.judging.diff.mismatch import find_mismatch
from judge.model import DiffRow, Mismatch
from judge.reporters.canvas import lay_out
from judge.reporters.diffview import build_rows, cut_start, diff_lines, make_legend
from judge.reporters.escape import ASCII, UNICODE, Glyphs, cells, width
from judge.reporters.lines import DisplayOptions, Style, line_text
from tests.report_scenarios import FULL_HOUSE, rows

GLYPHS = st.sampled_from([UNICODE, ASCII])
TEXTS = st.one_of(
    st.text("ab1 \n", max_size=60).map(str.encode),
    st.text("a役 \t\r\n", max_size=40).map(str.encode),
    st.binary(max_size=40),
    st.integers(0, 300).map(lambda number: b"%d " % number * number),
)


def view(shown: Mismatch, display: DisplayOptions) -> list[str]:
    lines = diff_lines(build_rows(shown, display.glyphs), display)
    if display.width is None:
        return list(map(line_text, lines))
    console = Console(width=display.width)
    return [text.plain.rstrip() for line in lines for text in lay_out(line, console, display.glyphs)]


@given(TEXTS, TEXTS, GLYPHS, st.integers(30, 200))
def test_no_line_is_wider_than_the_screen(answer: bytes, output: bytes, glyphs: Glyphs, columns: int) -> None:
    if answer != output:
        shown = view(find_mismatch(answer, output), DisplayOptions(width=columns, glyphs=glyphs))
        assert all(width(line) <= columns for line in shown)


@given(TEXTS, TEXTS, GLYPHS)
def test_exactly_one_row_has_the_first_difference(answer: bytes, output: bytes, glyphs: Glyphs) -> None:
    if answer == output:
        return
    rows = build_rows(find_mismatch(answer, output), glyphs)
    assert [row.differs for row in rows if row.is_first] == [True]


@given(TEXTS, TEXTS, GLYPHS)
def test_a_log_shows_the_whole_of_every_line_that_differs(answer: bytes, output: bytes, glyphs: Glyphs) -> None:
    if answer == output:
        return
    found = find_mismatch(answer, output)
    shown = "\n".join(view(found, DisplayOptions(width=None, glyphs=glyphs)))
    for row in build_rows(found, glyphs):
        for side in row.sides if row.differs else ():
            assert "".join(cell.text for cell in side.cells).rstrip(" ") in shown


def test_lines_that_fit_are_side_by_side_and_others_one_below_the_other() -> None:
    assert view(FULL_HOUSE, DisplayOptions(width=170, glyphs=UNICODE))[0].split() == ["expected", "found"]
    assert [line.split()[0] for line in view(FULL_HOUSE, DisplayOptions(width=150, glyphs=UNICODE))] == [
        "1", "expected", "│", "found", "│", "3"
    ]  # fmt: skip


def test_the_highlights_and_the_carets_are_at_the_differing_tokens() -> None:
    shown = [*diff_lines(build_rows(FULL_HOUSE, UNICODE), DisplayOptions(width=100, glyphs=UNICODE))]
    marked = [(span.style, span.text) for line in shown for span in line.spans if "here" in span.style.value]
    assert marked == [(Style.EXPECTED_HERE, "four-of-a-kind"), (Style.FOUND_HERE, "full-house")]
    lines = list(map(line_text, shown))
    for index, token in ((1, "four-of-a-kind"), (3, "full-house")):
        assert lines[index + 1].index("^") == lines[index].index(token)
        assert lines[index + 1].count("^") == len(token)


@given(st.integers(0, 400), st.integers(30, 120))
def test_a_cut_line_still_shows_the_difference(before: int, columns: int) -> None:
    answer, output = b"x " * before + b"expected" + b" y" * 400, b"x " * before + b"found" + b" y" * 400
    shown = "\n".join(view(find_mismatch(answer, output), DisplayOptions(width=columns, glyphs=UNICODE)))
    assert "expected" in shown.replace("expected 1", "")
    assert "found" in shown.replace("found    1", "")


def test_of_two_equal_tokens_the_one_at_the_difference_is_highlighted() -> None:
    difference = Mismatch(
        line=1, column=5, token=3, expected=b"1", found=b"2", rows=rows(b"1 2 1\n", b"1 2 2\n"), expected_line=1
    )
    (row,) = build_rows(difference, UNICODE)
    assert (row.expected.difference, row.found.difference) == ((4, 5), (4, 5))


def test_the_carets_of_a_missing_token_are_where_it_should_be() -> None:
    difference = Mismatch(
        line=1, column=4, token=3, expected=b"3", found=b"", rows=rows(b"1 2 3\n", b"1 2\n"), expected_line=1
    )
    assert view(difference, DisplayOptions(width=80, glyphs=UNICODE))[2].split() == ["^", "^"]


def test_lines_that_the_checker_accepts_are_not_marked() -> None:
    row = DiffRow(expected_line=1, expected=b"1.0\n", found_line=1, found=b"1.00\n", agrees=True)
    difference = replace(FULL_HOUSE, rows=(row, *rows(b"2\n", b"3\n", first=2)), expected=b"2", found=b"3", token=1)
    shown = view(difference, DisplayOptions(width=30, glyphs=UNICODE))
    assert [line.split()[0] for line in shown] == ["1", "expected", "│", "found", "│"]


def test_line_endings_are_shown_only_if_they_differ() -> None:
    ends = Mismatch(
        line=2, column=2, token=0, expected=b"\n", found=b"", rows=rows(b"a\nb\n", b"a\nb"), expected_line=2
    )
    shown = "\n".join(view(ends, DisplayOptions(width=80, glyphs=UNICODE)))
    assert shown.count("↵") == 1
    assert "↵" not in "\n".join(view(FULL_HOUSE, DisplayOptions(width=80, glyphs=UNICODE)))


def test_the_legend_explains_exactly_the_symbols_that_are_shown() -> None:
    assert make_legend("a·b→c", UNICODE) == "→ tab   · space"
    assert make_legend("a\\r↵", UNICODE) == "↵ newline   \\r carriage return"
    assert make_legend("plain", UNICODE) == ""


@given(st.text("a役", min_size=1, max_size=30).map(str.encode), st.integers(1, 40), GLYPHS)
@example("a役役".encode(), 1, UNICODE)
def test_what_a_cut_start_leaves_keeps_its_columns(data: bytes, start: int, glyphs: Glyphs) -> None:
    line = tuple(cells(data, glyphs))
    ellipsis, *shown = cut_start(line, start, glyphs)
    assert ellipsis.text == glyphs.ellipsis
    rest = sum(cell.width for cell in line) - start - len(glyphs.ellipsis)
    assert sum(cell.width for cell in shown) == rest or (not shown and rest < max(cell.width for cell in line))
