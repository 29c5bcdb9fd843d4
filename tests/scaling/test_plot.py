"""Plots fit the terminal, and the SVG is well-formed."""

from xml.etree.ElementTree import fromstring

import pytest
from msgspec.structs import replace

from judge.scaling.plot import SVG_START, Plot, format_size, render_svg, render_text

PLOT = Plot(
    title="a<b>.py: n^2",
    size_name="lines",
    points=[(4, 0.01), (100, 0.011), (1000, 0.02), (10_000, 0.9)],
    curve=lambda size: 0.01 + 9e-9 * size**2,
    limit=2.0,
    checked=(14_000, 1.9),
    format_value=lambda value: f"{value:g} s",
)
PLOTS = {
    "usual": PLOT,
    "one point": replace(PLOT, points=[(4, 0.01)], curve=None, checked=None),
    "exponential": replace(PLOT, points=[(4, 0.01), (20, 0.5), (22, 2.0)], checked=(23, 4.0), is_exponential=True),
    "constant": replace(PLOT, points=[(4, 0.01), (10**18, 0.01)], curve=lambda _: 0.01, checked=None),
}


@pytest.mark.parametrize("name", PLOTS)
@pytest.mark.parametrize("columns", [30, 79, 120])
def test_lines_fit_and_show_every_kind_of_mark(name: str, columns: int) -> None:
    lines = render_text(PLOTS[name], columns, 12, is_unicode=False)
    assert max(map(len, lines)) <= columns
    assert "".join(lines).isascii()
    assert any("o" in line for line in lines)
    assert "x" in "".join(lines) or PLOTS[name].checked is None
    assert len(lines) == 14


def test_the_limit_is_a_line_above_the_points() -> None:
    lines = render_text(PLOT, 60, 12, is_unicode=True)
    limit = next(number for number, line in enumerate(lines) if "╌╌" in line)
    assert limit < next(number for number, line in enumerate(lines) if "●" in line)
    assert lines[-1].endswith("lines")


@pytest.mark.parametrize("name", PLOTS)
def test_the_picture_is_well_formed_and_complete(name: str) -> None:
    plot = PLOTS[name]
    assert render_svg(plot).startswith(SVG_START)
    root = fromstring(render_svg(plot))
    circles = root.findall("{http://www.w3.org/2000/svg}circle")
    assert len(circles) == len(plot.points)
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == plot.title


@pytest.mark.parametrize(
    ("size", "text"), [(500, "500"), (20_000, "20k"), (5_000_000, "5M"), (10**12, "10^12"), (2.5, "2.5")]
)
def test_sizes_are_written_briefly(size: float, text: str) -> None:
    assert format_size(size) == text
