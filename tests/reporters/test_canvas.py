"""The layout of lines on a screen: they fit, and nothing is lost but spaces."""

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from judge.reporters.canvas import lay_out
from judge.reporters.escape import ASCII, UNICODE, Glyphs, width
from judge.reporters.lines import Fit, label_line, make_line

GLYPHS = st.sampled_from([UNICODE, ASCII])


def shown(text: str, columns: int, fit: Fit, glyphs: Glyphs = UNICODE) -> list[str]:
    line = make_line("- ", text, fit=fit, head=1)
    return [part.plain for part in lay_out(line, Console(width=columns), glyphs)]


@given(st.text(st.sampled_from("ab 役`"), max_size=60), st.integers(14, 40))
def test_a_wrapped_line_fits_is_indented_and_loses_only_spaces(text: str, columns: int) -> None:
    lines = shown(text, columns, Fit.WRAP)
    assert all(width(line.rstrip()) <= columns for line in lines)
    assert [line[:2].rstrip() for line in lines] == ["-", *[""] * (len(lines) - 1)]
    assert "".join(line[2:] for line in lines).replace(" ", "") == text.replace(" ", "")


def test_a_command_in_backticks_is_not_broken() -> None:
    lines = shown("then run `judge fetch euler54` once", 26, Fit.WRAP)
    assert [line.strip() for line in lines] == ["- then run", "`judge fetch euler54`", "once"]


def test_facts_are_not_broken() -> None:
    lines = shown("all 12 · 12 runs in 3 s · sandbox", 20, Fit.WRAP)
    assert [line.strip() for line in lines] == ["- all 12", "12 runs in 3 s", "sandbox"]


def test_a_label_stands_beside_the_first_line() -> None:
    lines = lay_out(label_line("why", "one two three"), Console(width=21), UNICODE)
    assert [line.plain.rstrip() for line in lines] == ["  why      one two", "           three"]


@given(st.text(st.sampled_from("ab 役"), max_size=60), st.integers(14, 40), GLYPHS)
def test_a_cut_line_fits_and_is_a_beginning(text: str, columns: int, glyphs: Glyphs) -> None:
    (line,) = shown(text, columns, Fit.CUT, glyphs)
    assert width(line) <= columns
    assert f"- {text}".startswith(line.removesuffix(glyphs.ellipsis).rstrip())


def test_a_line_to_copy_is_kept() -> None:
    assert shown("x" * 100, 20, Fit.KEEP) == [f"- {'x' * 100}"]
