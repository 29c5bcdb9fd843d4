"""The view of a difference: it fits, it points at the right place, and it keeps what matters."""

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from judge.judging.diff import mismatch
from judge.model import DiffRow, Mismatch
from judge.reporters.diffview import diff_lines, legend, rows_of, window
from judge.reporters.escape import ASCII, UNICODE, Glyphs, cells, width
from judge.reporters.lines import DisplayOptions, Style, text_of
from tests.report_scenarios import FULL_HOUSE, rows

MARKS = st.sampled_from([UNICODE, ASCII])
TEXTS = st.one_of(
    st.text("ab1 \n", max_size=60).map(str.encode),
    st.text("a役 \t\r\n", max_size=40).map(str.encode),
    st.binary(max_size=40),
    st.integers(0, 300).map(lambda number: b"%d " % number * number),
)


def view(shown: Mismatch, look: DisplayOptions) -> list[str]:
    return [text_of(line) for line in diff_lines(rows_of(shown, look.marks), look)]


@given(TEXTS, TEXTS, MARKS, st.integers(30, 200))
def test_no_line_is_wider_than_the_screen(answer: bytes, output: bytes, marks: Glyphs, columns: int) -> None:
    if answer != output:
        shown = view(mismatch(answer, output), DisplayOptions(width=columns, marks=marks))
        assert all(width(line) <= columns for line in shown)


@given(TEXTS, TEXTS, MARKS)
def test_both_sides_of_the_first_difference_are_marked(answer: bytes, output: bytes, marks: Glyphs) -> None:
    if answer == output:
        return
    rows = rows_of(mismatch(answer, output), marks)
    assert [row.differs for row in rows if row.is_first] == [True]


@given(TEXTS, TEXTS, MARKS)
def test_a_log_shows_the_whole_of_every_line_that_differs(answer: bytes, output: bytes, marks: Glyphs) -> None:
    if answer == output:
        return
    found = mismatch(answer, output)
    shown = "\n".join(view(found, DisplayOptions(width=None, marks=marks)))
    for row in rows_of(found, marks):
        for side in row.sides if row.differs else ():
            assert "".join(cell.text for cell in side.shown).rstrip(" ") in shown


def test_lines_that_fit_stand_side_by_side_and_others_one_below_the_other() -> None:
    assert view(FULL_HOUSE, DisplayOptions(width=170, marks=UNICODE))[0].split() == ["expected", "found"]
    assert [line.split()[0] for line in view(FULL_HOUSE, DisplayOptions(width=150, marks=UNICODE))] == [
        "1", "expected", "│", "found", "│", "3"
    ]  # fmt: skip


def test_the_marks_and_the_carets_are_at_the_differing_tokens() -> None:
    shown = [*diff_lines(rows_of(FULL_HOUSE, UNICODE), DisplayOptions(width=100, marks=UNICODE))]
    marked = [(span.role, span.text) for line in shown for span in line if "here" in span.role.value]
    assert marked == [(Style.EXPECTED_HERE, "four-of-a-kind"), (Style.FOUND_HERE, "full-house")]
    lines = list(map(text_of, shown))
    for index, token in ((1, "four-of-a-kind"), (3, "full-house")):
        assert lines[index + 1].index("^") == lines[index].index(token)
        assert lines[index + 1].count("^") == len(token)


@given(st.integers(0, 400), st.integers(30, 120))
def test_a_cut_line_still_shows_the_difference(before: int, columns: int) -> None:
    answer, output = b"x " * before + b"expected" + b" y" * 400, b"x " * before + b"found" + b" y" * 400
    shown = "\n".join(view(mismatch(answer, output), DisplayOptions(width=columns, marks=UNICODE)))
    assert "expected" in shown.replace("expected 1", "")
    assert "found" in shown.replace("found    1", "")


def test_of_two_equal_tokens_the_one_at_the_difference_is_marked() -> None:
    difference = Mismatch(
        line=1, column=5, token=3, expected=b"1", found=b"2", rows=rows(b"1 2 1\n", b"1 2 2\n"), expected_line=1
    )
    (row,) = rows_of(difference, UNICODE)
    assert (row.expected.here, row.found.here) == ((4, 5), (4, 5))


def test_a_token_that_is_missing_is_pointed_at_where_it_should_stand() -> None:
    difference = Mismatch(
        line=1, column=4, token=3, expected=b"3", found=b"", rows=rows(b"1 2 3\n", b"1 2\n"), expected_line=1
    )
    assert view(difference, DisplayOptions(width=80, marks=UNICODE))[2].split() == ["^", "^"]


def test_lines_that_the_checker_takes_for_the_same_are_not_marked() -> None:
    row = DiffRow(expected_line=1, expected=b"1.0\n", found_line=1, found=b"1.00\n", agrees=True)
    difference = replace(FULL_HOUSE, rows=(row, *rows(b"2\n", b"3\n", first=2)), expected=b"2", found=b"3", token=1)
    shown = view(difference, DisplayOptions(width=30, marks=UNICODE))
    assert [line.split()[0] for line in shown] == ["1", "expected", "│", "found", "│"]


def test_line_ends_are_shown_only_where_they_differ() -> None:
    ends = Mismatch(
        line=2, column=2, token=0, expected=b"\n", found=b"", rows=rows(b"a\nb\n", b"a\nb"), expected_line=2
    )
    shown = "\n".join(view(ends, DisplayOptions(width=80, marks=UNICODE)))
    assert shown.count("↵") == 1
    assert "↵" not in "\n".join(view(FULL_HOUSE, DisplayOptions(width=80, marks=UNICODE)))


def test_the_legend_explains_what_is_shown_and_nothing_else() -> None:
    assert legend("a·b→c", UNICODE) == "→ tab   · blank"
    assert legend("a\\r↵", UNICODE) == "↵ newline   \\r carriage return"
    assert legend("plain", UNICODE) == ""


@given(st.text("a役", max_size=30).map(str.encode), st.integers(0, 40), st.integers(4, 40), MARKS)
@example("a役役".encode(), 10, 4, ASCII)
def test_a_window_is_never_wider_than_its_room(data: bytes, start: int, room: int, marks: Glyphs) -> None:
    shown = window(tuple(cells(data, marks)), start, room, marks)
    assert sum(cell.width for cell in shown) <= room
