"""A picture as lines of a terminal.

What the answer names is in brackets, `[3]`, what the output names in parentheses, `(3)`, and what both name in braces.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from judge.inputs.pictures import Grid, Intervals, Network, Numbers, Points, Shape, show_number
from judge.reporters.escape import Glyphs, one_line
from judge.reporters.lines import DisplayOptions, Fit, Line, Span, Style, label_line, make_line
from judge.reporters.pictures import Drawing, Drawn
from judge.reporters.pictures.layout import Place, children_of, place_nodes

_MARKS = {"": ("", ""), "expected": ("[", "]"), "found": ("(", ")"), "both": ("{", "}")}
_STYLES = {"": Style.TEXT, "expected": Style.EXPECTED_HERE, "found": Style.FOUND_HERE, "both": Style.FAULT}
_INDENT = "    "
_BARS = 6  # lines
_BLOCKS = " ▁▂▃▄▅▆▇█"
_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of the dots of a character (Unicode, "Braille")


def drawn_lines(drawn: Drawn, display: DisplayOptions) -> Iterator[Line]:
    """Yield what is drawn of a case; an image of a program is only named."""
    for image in drawn.images:
        text = one_line(image.title, display.glyphs)
        yield label_line("picture", f"{text}: --picture FILE.svg or a page shows it", Style.DIM)
    for drawing in drawn.drawings:
        yield from picture_lines(drawing, display)


def picture_lines(drawing: Drawing, display: DisplayOptions) -> Iterator[Line]:
    """Yield a picture: its title, the picture, and what the answer and the output name in it."""
    shape, glyphs = drawing.picture.shape, display.glyphs
    title = one_line(drawing.picture.title, glyphs)
    if not shape.is_small:
        yield label_line("picture", f"{title}, {drawing.too_large}", Style.DIM)
        return
    yield label_line("picture", title, Style.DIM)
    columns = min(display.remaining(len(_INDENT)) or 72, 72)
    for spans in _DRAW[type(shape)](drawing, shape, columns, glyphs):
        yield make_line(_INDENT, *spans, fit=Fit.CUT)
    if shape.note:
        yield make_line(_INDENT, Span(shape.note, Style.DIM), fit=Fit.CUT)
    for name, text in drawing.legend:
        one, other = _MARKS[name]
        yield label_line(name, f"{one}{text}{other}", Style.EXPECTED if name == "expected" else Style.FOUND)


Spans = list[Span | str]


def _marked(text: str, mark: str) -> Span:
    one, other = _MARKS[mark]
    return Span(f"{one}{text}{other}", _STYLES[mark])


# ---- trees and graphs -----------------------------------------------------------------------------------------------


def _network(drawing: Drawing, graph: Network, columns: int, glyphs: Glyphs) -> Iterator[Spans]:
    if graph.is_tree and not graph.at:
        return _tree(drawing, graph, glyphs)
    if graph.at or (graph.size < 16 and len(graph.edges) < 32):
        return _graph(drawing, graph, columns, glyphs)
    return _neighbours(drawing, graph)


def _tree(drawing: Drawing, tree: Network, glyphs: Glyphs) -> Iterator[Spans]:
    branch, last, pipe = ("|- ", "`- ", "|  ") if glyphs.ascii_only else ("├─ ", "└─ ", "│  ")
    children = children_of(tree.size, tree.edges, tree.root)
    at_edge = {frozenset(edge): at for at, edge in enumerate(tree.edges)}

    def below(node: int, head: str) -> Iterator[Spans]:
        for child in children[node]:
            is_last = child == children[node][-1]
            at = at_edge[frozenset((node, child))]
            label = f" ({tree.labels[at]})" if tree.labels else ""
            mark = drawing.mark(child) or drawing.mark_edge(tree.edges[at])
            yield [Span(head + (last if is_last else branch), Style.DIM), _marked(str(tree.values[child]), mark), label]
            yield from below(child, head + ("   " if is_last else pipe))

    yield [_marked(str(tree.values[tree.root]), drawing.mark(tree.root))]
    yield from below(tree.root, "")


def _neighbours(drawing: Drawing, graph: Network) -> Iterator[Spans]:
    """Yield each node with its neighbours."""
    for node in range(graph.size):
        spans: Spans = [_marked(str(graph.values[node]), drawing.mark(node)), ": "]
        for at, (one, other) in enumerate(graph.edges):
            if one == node or (other == node and not graph.is_directed):
                label = f" ({graph.labels[at]})" if graph.labels else ""
                end = str(graph.values[other if one == node else one])
                spans += [_marked(end, drawing.mark_edge((one, other))), f"{label}, "]
        yield [*spans[:-1], str(spans[-1]).removesuffix(", ")]


class _Board:
    """Characters of a plot; dots are half as wide and a quarter as high where Braille is available."""

    def __init__(self, columns: int, rows: int, glyphs: Glyphs) -> None:
        self._dots: dict[Place, int] = {}
        self._cells: dict[tuple[int, int], Span] = {}
        self._size = columns, rows
        self._across, self._down = (1, 1) if glyphs.ascii_only else (2, 4)

    def line(self, start: Place, end: Place) -> None:
        """Draw a line between the middles of two cells."""
        (x, y), (to_x, to_y) = ((a * self._across, b * self._down) for a, b in (start, end))
        steps = int(max(abs(to_x - x), abs(to_y - y))) or 1
        for step in range(steps + 1):
            column, row = round(x + (to_x - x) * step / steps), round(y + (to_y - y) * step / steps)
            cell = column // self._across, row // self._down
            bit = _BITS[row % self._down][column % self._across]
            self._dots[cell] = self._dots.get(cell, 0) | bit

    def text(self, at: Place, span: Span, shift: int = 0) -> None:
        """Write a text from a cell on, within the board."""
        column = min(max(round(at[0]) + shift, 0), self._size[0] - len(span.text))
        for number, letter in enumerate(span.text):
            self._cells[column + number, round(at[1])] = Span(letter, span.style)

    def is_free(self, at: Place, length: int) -> bool:
        """Return whether nothing is written in some cells."""
        return all((round(at[0]) + number, round(at[1])) not in self._cells for number in range(length))

    def lines(self) -> Iterator[Spans]:
        """Yield the rows."""
        columns, rows = self._size
        for row in range(rows):
            spans: Spans = []
            for column in range(columns):
                dots = self._dots.get((column, row), 0)
                dot = " " if not dots else "." if self._across == 1 else chr(0x2800 + dots)
                spans.append(self._cells.get((column, row), Span(dot, Style.DIM)))
            yield spans


def _scaled(places: Sequence[Place], columns: int, rows: int) -> list[Place]:
    left, top = min(x for x, _ in places), min(y for _, y in places)
    width, height = (max(each) - min(each) or 1 for each in zip(*places, strict=True))
    return [((x - left) / width * (columns - 1), (y - top) / height * (rows - 1)) for x, y in places]


def _graph(drawing: Drawing, graph: Network, columns: int, glyphs: Glyphs) -> Iterator[Spans]:
    columns, rows = min(columns, 8 + 6 * graph.size), min(6 + 2 * graph.size, 22)
    places = _scaled(place_nodes(graph), columns - 6, rows)
    board = _Board(columns, rows, glyphs)
    for one, other in graph.edges:
        board.line(places[one], places[other])
    for node, place in enumerate(places):
        board.text(place, _marked(str(graph.values[node]), drawing.mark(node)))
    yield from board.lines()
    if graph.labels or graph.is_directed or drawing.expected.edges or drawing.found.edges:
        arrow = "->" if graph.is_directed else "-"
        for at, (one, other) in enumerate(graph.edges):
            label = f" ({graph.labels[at]})" if graph.labels else ""
            name = f"{graph.values[one]}{arrow}{graph.values[other]}"
            yield [_marked(name, drawing.mark_edge((one, other))), label]


# ---- grids, points, intervals, numbers ------------------------------------------------------------------------------


def _grid(drawing: Drawing, grid: Grid, _columns: int, glyphs: Glyphs) -> Iterator[Spans]:
    is_marked = any((drawing.expected.places, drawing.found.places))
    rows = [[one_line(cell, glyphs) for cell in row] for row in grid.rows]
    width = max(len(cell) for row in rows for cell in row)
    for number, row in enumerate(rows):
        spans: Spans = []
        for at, cell in enumerate(row):
            mark = drawing.mark(number * grid.columns + at)
            text = cell.rjust(width)
            spans.append(_marked(text, mark) if mark else f" {text} " if is_marked else f"{' ' * (width > 1)}{text}")
        yield spans


def _points(drawing: Drawing, shape: Points, columns: int, glyphs: Glyphs) -> Iterator[Spans]:
    rows = 16
    columns = min(columns, 60)
    places = _scaled([(float(x), -float(y)) for x, y in shape.values], columns - 6, rows)
    board = _Board(columns, rows, glyphs)
    point = "o" if glyphs.ascii_only else "●"
    for number, place in enumerate(places):
        board.text(place, Span(point, _STYLES[drawing.mark(number)]))
    for number, (x, y) in enumerate(places):
        label = _marked(str(number + 1), drawing.mark(number))
        if board.is_free((x + 1, y), len(label.text)):
            board.text((x, y), label, 1)
    yield from board.lines()


def _intervals(drawing: Drawing, shape: Intervals, columns: int, glyphs: Glyphs) -> Iterator[Spans]:
    begin, dash, end, point = "[-]|" if glyphs.ascii_only else "├─┤│"
    texts = [f"{show_number(one)} to {show_number(other)}" for one, other in shape.values]
    columns -= max(map(len, texts)) + 10
    low = min(one for one, _ in shape.values)
    scale = (columns - 1) / ((max(other for _, other in shape.values) - low) or 1)
    for number, (text, (one, other)) in enumerate(zip(texts, shape.values, strict=True)):
        start, stop = (round(float(each - low) * scale) for each in (one, other))
        line = point if start == stop else f"{begin}{dash * (stop - start - 1)}{end}"
        mark = drawing.mark(number)
        name = _marked(str(number + 1), mark)
        bar = Span(f"{' ' * (5 - len(name.text))}{' ' * start}{line}".ljust(columns + 6), _STYLES[mark])
        yield [name, bar, Span(text, Style.DIM)]


def _numbers(drawing: Drawing, shape: Numbers, columns: int, glyphs: Glyphs) -> Iterator[Spans]:
    values = [_marked(show_number(each), drawing.mark(at)) for at, each in enumerate(shape.values)]
    width = max(len(each.text) for each in values) + 1
    if width * shape.size > columns:
        values, width = [], max(columns // shape.size, 1)
    low, high = min(0, *shape.values), max(0, *shape.values)
    heights = [float(each - low) / ((high - low) or 1) * _BARS for each in shape.values]
    for row in range(_BARS, 0, -1):
        fills = [min(max(height - row + 1, 0.0), 1.0) for height in heights]
        blocks = [("#" if fill >= 0.5 else " ") if glyphs.ascii_only else _BLOCKS[round(fill * 8)] for fill in fills]
        spans: Spans = []
        for at, block in enumerate(blocks):
            spans.append(Span(f"{block * max(width - 1, 1)}".ljust(width), _STYLES[drawing.mark(at)]))
        yield spans
    if values:
        yield [Span(each.text.ljust(width), each.style) for each in values]
    else:
        text = f"{show_number(min(shape.values))} to {show_number(max(shape.values))}"
        yield [Span(f"{text}, {shape.describe()}", Style.DIM)]


_DRAW: Mapping[type[Shape], Callable[[Drawing, Any, int, Glyphs], Iterator[Spans]]] = {
    Network: _network, Grid: _grid, Points: _points, Intervals: _intervals, Numbers: _numbers
}  # fmt: skip
