"""A picture as SVG: within a page, which has the styles and the colours, or as a file that has them itself."""

import base64
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from judge.inputs.pictures import Grid, Intervals, Network, Numbers, Points, Shape, show_number
from judge.preparation.visualize import Image
from judge.reporters.escape import UNICODE, one_line, shorten
from judge.reporters.pictures import Drawing, Drawn
from judge.reporters.pictures.layout import Place, place_nodes

_RADIUS = 14
_EDGE = 64  # the length of an edge
_MARGIN = 24
_PLOT = 320  # the longer side of a plot
_ROW = 18  # the height of an interval, and of a cell
_LETTER = 8  # the width of a character
_BARS = 120  # the height of the bars of numbers
_IMAGE = 656, 480  # the room for an image in a file
_LONGEST = 12  # characters of a label
MARK = b"<!-- a picture of judge -->\n"  # at the end of files, which are overwritten
_VARIABLE = re.compile(r"var\((--[\w-]+)\)")
_STYLES = Path(__file__).parent.parent / "html"

Part = tuple[float, float, list[str]]
"""Width, height and elements."""


def render(drawing: Drawing | Image) -> str:
    """Return a picture as an element of a page; a text where it is too large."""
    if isinstance(drawing, Image):
        return f'<img src="{data_uri(drawing)}" alt="{_text(drawing.title)}">'
    if not drawing.picture.shape.is_small:
        return f"<p>{drawing.too_large}</p>"
    width, height, parts = _draw(drawing)
    return "\n".join([_open(width, height, "; ".join(drawing.captions)), *parts, "</svg>", ""])


def data_uri(image: Image) -> str:
    """Return an image as an address. Only as the source of an image no script in it runs."""
    return f"data:{image.type};base64,{base64.b64encode(image.data).decode()}"


def render_file(drawn: Drawn) -> bytes:
    """Return pictures below each other as an SVG file, with light and dark colours."""
    parts: list[str] = []
    captions: list[str] = []
    y, width = 0.0, 240.0
    room = f'x="8" y="8" width="{_IMAGE[0] - 16}" height="{_IMAGE[1] - 8}"'
    pictures = [([each.title], *_IMAGE, [f'<image {room} href="{data_uri(each)}"/>']) for each in drawn.images]
    for each in drawn.drawings:
        is_small = each.picture.shape.is_small
        lines = each.captions if is_small else [*each.captions, each.too_large]
        pictures.append((lines, *(_draw(each) if is_small else (0, 0, []))))
    for lines, inner_width, inner_height, inner in pictures:
        for line in lines:
            y += 20
            parts.append(f'<text class="title" x="8" y="{y:.0f}">{_text(line)}</text>')
        parts += [f'<g transform="translate(0 {y:.0f})">', *inner, "</g>"]
        y += inner_height + 8
        width = max(width, inner_width, 16 + _LETTER * max(map(len, lines)))
        captions += lines
    paper = '<rect class="paper" width="100%" height="100%"/>'
    start = [_open(width, y, "; ".join(captions)), f"<style>{_file_styles()}</style>", paper]
    return "\n".join([*start, *parts, "</svg>", ""]).encode() + MARK


def _open(width: float, height: float, label: str) -> str:
    """Return the beginning of an image with what a screen reader says."""
    label = _text(label)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" {size} role="img" aria-label="{label}">'
    return f"{start}<title>{label}</title>"


def _draw(drawing: Drawing) -> Part:
    shape = drawing.picture.shape
    width, height, parts = _DRAW[type(shape)](drawing, shape)
    if not shape.note:
        return width, height, parts
    note = f'<text class="small" x="8" y="{height + 8:.0f}">{_text(shape.note)}</text>'
    return max(width, _LETTER * len(shape.note)), height + 16, [*parts, note]


@cache
def _file_styles() -> str:
    """Return the styles with the light colours, then with the dark ones: few viewers but browsers know variables."""
    page, rules = (each.read_text(encoding="utf-8") for each in (_STYLES / "page.css", _STYLES / "picture.css"))
    light, dark = (
        dict(re.findall(r"(--[\w-]+): ([^;]+);", each)) for each in re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    )

    def fill(colours: dict[str, str]) -> str:
        return _VARIABLE.sub(lambda found: colours[found[1]], rules)

    return f"{fill(light)}@media (prefers-color-scheme: dark) {{\n{fill(dark)}}}\n"


# ---- trees and graphs -----------------------------------------------------------------------------------------------


def _draw_network(drawing: Drawing, graph: Network) -> Part:
    places = place_nodes(graph)
    if graph.at:
        places, width, height = _fit(places)
    else:
        stretch = 0.75 if graph.is_tree else 1.2
        left, top = min(x for x, _ in places), min(y for _, y in places)
        places = [(_MARGIN + (x - left) * _EDGE * stretch, _MARGIN + (y - top) * _EDGE) for x, y in places]
        width, height = max(x for x, _ in places) + _MARGIN, max(y for _, y in places) + _MARGIN
    parts = list(_draw_edges(drawing, graph, places))
    for node, (x, y) in enumerate(places):
        name = graph.values[node]
        parts.append(f'<circle class="node {drawing.mark(node)}" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}"/>')
        parts.append(f'<text class="middle" x="{x:.1f}" y="{y + 4.5:.1f}">{name}</text>')
    return width, height, parts


def _draw_edges(drawing: Drawing, graph: Network, places: Sequence[Place]) -> Iterator[str]:
    """Yield the edges: several between the same nodes side by side, and loops above their node."""
    seen: Counter[tuple[int, int]] = Counter()
    labels: list[str] = []
    for at, edge in enumerate(graph.edges):
        (x, y), (to_x, to_y) = places[edge[0]], places[edge[1]]
        key = (min(edge), max(edge))
        number = seen[key]
        seen[key] += 1
        bend = (number + 1) // 2 * (18 if number % 2 else -18)
        name = f'class="edge {drawing.mark_edge(edge)}"'
        if edge[0] == edge[1]:
            top = y - _RADIUS - 8 - 4 * number
            yield f'<circle {name} cx="{x:.1f}" cy="{top:.1f}" r="{10 + 4 * number}"/>'
            middle = x, top - 12.0
        else:
            length = math.hypot(to_x - x, to_y - y) or 1.0
            sign = 1 if edge[0] < edge[1] else -1  # the side is the same in both directions
            across = -(to_y - y) / length * sign, (to_x - x) / length * sign
            middle = (x + to_x) / 2 + across[0] * bend, (y + to_y) / 2 + across[1] * bend
            control = middle[0] + across[0] * bend, middle[1] + across[1] * bend
            path = f"Q{control[0]:.1f} {control[1]:.1f} {to_x:.1f} {to_y:.1f}" if bend else f"L{to_x:.1f} {to_y:.1f}"
            yield f'<path {name} d="M{x:.1f} {y:.1f}{path}"/>'
            if graph.is_directed:
                from_x, from_y = control if bend else (x, y)
                angle = math.atan2(to_y - from_y, to_x - from_x)
                tip_x, tip_y = to_x - _RADIUS * math.cos(angle), to_y - _RADIUS * math.sin(angle)
                wings = [
                    f"L{tip_x - 9 * math.cos(angle + turn):.1f} {tip_y - 9 * math.sin(angle + turn):.1f}"
                    for turn in (0.45, -0.45)
                ]
                mark = f'class="arrow {drawing.mark_edge(edge)}"'
                yield f'<path {mark} d="M{tip_x:.1f} {tip_y:.1f}{"".join(wings)}Z"/>'
        if graph.labels:
            label = _text(graph.labels[at])
            labels.append(f'<text class="middle label" x="{middle[0]:.1f}" y="{middle[1] + 4:.1f}">{label}</text>')
    yield from labels


# ---- grids ----------------------------------------------------------------------------------------------------------


def _draw_grid(drawing: Drawing, grid: Grid) -> Part:
    shown = [shorten(one_line(cell, UNICODE), _LONGEST, UNICODE.ellipsis) for cell in grid.values]
    longest = max(map(len, shown))
    side = max(_ROW, _LETTER * longest + 8)
    parts = []

    def fill(place: int) -> str:
        return f"{'wall ' * (grid.values[place] == '#')}{drawing.mark(place)}".strip()

    for start in range(0, grid.size, grid.columns):
        y = 4 + start // grid.columns * _ROW
        for name, run in groupby(range(start, start + grid.columns), fill):
            if name:
                place, *more = run
                size = f'width="{(len(more) + 1) * side}" height="{_ROW}"'
                parts.append(f'<rect class="{name}" x="{4 + (place - start) * side}" y="{y}" {size}/>')
        across = [f"{4 + (at + 0.5) * side:.0f}" for at in range(grid.columns)]
        texts = shown[start : start + grid.columns]
        if longest == 1:  # one element for all cells
            across, texts = [" ".join(across)], ["".join(texts)]
        parts += [
            f'<text class="cell" x="{x}" y="{y + 13}">{escape(text)}</text>'
            for x, text in zip(across, texts, strict=True)
        ]
    width, height = grid.columns * side, len(grid.rows) * _ROW
    lines = [f"M{4 + at * side} 4v{height}" for at in range(grid.columns + 1)]
    lines += [f"M4 {4 + at * _ROW}h{width}" for at in range(len(grid.rows) + 1)]
    return width + 8, height + 8, [*parts, f'<path class="line" d="{"".join(lines)}"/>']


# ---- points, intervals, numbers -------------------------------------------------------------------------------------


def _fit(places: Iterable[Place]) -> tuple[list[Place], float, float]:
    """Return places within a plot, its width and its height; both axes have the same scale unless one is flat."""
    given = list(places)
    left, top = min(x for x, _ in given), min(y for _, y in given)
    width, height = (max(each) - min(each) or 1.0 for each in zip(*given, strict=True))
    if max(width, height) <= 4 * min(width, height):
        width = height = max(width, height)
        scale_x = scale_y = _PLOT / width
    else:
        scale_x, scale_y = _PLOT / width, _PLOT * 0.6 / height
    moved = [(_MARGIN + (x - left) * scale_x, _MARGIN + (y - top) * scale_y) for x, y in given]
    return moved, max(x for x, _ in moved) + _MARGIN, max(y for _, y in moved) + _MARGIN


def _draw_points(drawing: Drawing, shape: Points) -> Part:
    places, width, height = _fit((float(x), -float(y)) for x, y in shape.values)
    parts = [f'<path class="axis" d="M{_MARGIN / 2} {_MARGIN / 2}V{height - _MARGIN / 2}H{width}"/>']
    for number, ((x, y), (one, other)) in enumerate(zip(places, shape.values, strict=True)):
        title = f"<title>{number + 1}: ({show_number(one)}, {show_number(other)})</title>"
        parts.append(f'<circle class="point {drawing.mark(number)}" cx="{x:.1f}" cy="{y:.1f}" r="4">{title}</circle>')
        parts.append(f'<text class="small" x="{x + 6:.1f}" y="{y - 5:.1f}">{number + 1}</text>')
    return width + _MARGIN, height, parts


def _draw_intervals(drawing: Drawing, shape: Intervals) -> Part:
    low = min(one for one, _ in shape.values)
    scale = _PLOT / ((max(other for _, other in shape.values) - low) or 1)
    parts = []
    for number, (one, other) in enumerate(shape.values):
        y = 14 + number * _ROW
        start, end = (_MARGIN * 2 + float(each - low) * scale for each in (one, other))
        mark = drawing.mark(number)
        parts.append(f'<text class="small end" x="{_MARGIN * 1.5}" y="{y + 4}">{number + 1}</text>')
        parts.append(f'<path class="interval {mark}" d="M{start:.1f} {y - 5}v10m0 -5H{end:.1f}m0 -5v10"/>')
        label = f"{show_number(one)} to {show_number(other)}"
        parts.append(f'<text class="small" x="{_MARGIN * 2.5 + _PLOT}" y="{y + 4}">{label}</text>')
    longest = max(len(f"{show_number(one)} to {show_number(other)}") for one, other in shape.values)
    return _PLOT + _MARGIN * 3 + longest * _LETTER, 14.0 + len(shape.values) * _ROW, parts


def _draw_numbers(drawing: Drawing, shape: Numbers) -> Part:
    texts = [show_number(each) for each in shape.values]
    step = max(_ROW, _LETTER * min(max(map(len, texts)), _LONGEST) + 4)
    low, high = min(0, *shape.values), max(0, *shape.values)
    scale = _BARS / ((high - low) or 1)
    base = 18 + float(high) * scale
    parts = []
    for at, (value, text) in enumerate(zip(shape.values, texts, strict=True)):
        x, height = 8 + at * step, abs(float(value)) * scale
        top = base - height if value >= 0 else base
        mark = drawing.mark(at)
        parts.append(
            f'<rect class="column {mark}" x="{x + 2}" y="{top:.1f}" width="{step - 4}" height="{height:.1f}"/>'
        )
        y = top - 3 if value >= 0 else top + height + 11
        parts.append(f'<text class="small middle" x="{x + step / 2:.1f}" y="{y:.1f}">{_text(text)}</text>')
        parts.append(f'<text class="small middle soft" x="{x + step / 2:.1f}" y="{_BARS + 44}">{at + 1}</text>')
    width = 16.0 + step * shape.size
    parts.append(f'<path class="axis" d="M8 {base:.1f}h{width - 16}"/>')
    return width, _BARS + 52.0, parts


def _text(text: str) -> str:
    """Return text for a page: visible, short and escaped."""
    return escape(one_line(text, UNICODE))


_DRAW: Mapping[type[Shape], Callable[[Drawing, Any], Part]] = {
    Network: _draw_network, Grid: _draw_grid, Points: _draw_points, Intervals: _draw_intervals, Numbers: _draw_numbers
}  # fmt: skip
