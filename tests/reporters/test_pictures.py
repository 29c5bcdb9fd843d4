"""Pictures: SVG that is well-formed and safe, lines that fit a terminal, and layouts in which nothing is hidden."""

from itertools import combinations
from math import dist
from xml.etree import ElementTree as ET

import pytest

from judge.inputs.pictures import Grid, Marks, Network, Numbers, Picture, Shape
from judge.reporters.escape import ASCII, UNICODE
from judge.reporters.lines import DisplayOptions, line_text
from judge.reporters.pictures import Drawing, Drawn, draw
from judge.reporters.pictures.layout import children_of, place_graph, place_tree
from judge.reporters.pictures.svg import MARK, render, render_file
from judge.reporters.pictures.terminal import picture_lines
from tests.inputs.test_pictures import INPUTS

WIDTH = 80


def drawing_of(shape: Shape, expected: set[int] | None = None, found: set[int] | None = None) -> Drawing:
    """Return a drawing with marks."""
    marks = (Marks(places=frozenset(each or ())) for each in (expected, found))
    return Drawing(picture=Picture(shape=shape), expected=next(marks), found=next(marks))


def lines_of(drawing: Drawing, display: DisplayOptions) -> list[str]:
    """Return a picture on a terminal."""
    return [line_text(line) for line in picture_lines(drawing, display)]


@pytest.mark.parametrize("name", INPUTS)
def test_that_every_picture_is_an_image_with_a_name_and_fits_a_terminal(name: str) -> None:
    inputs = [each.encode() for each in INPUTS[name][0]]
    drawings = draw(inputs[0], None, inputs[1:], answer=b"1 2\n", output=b"2 3\n")
    for drawing in drawings:
        svg = ET.fromstring(render(drawing))
        assert svg.get("role") == "img"
        assert drawing.picture.title in str(svg.get("aria-label"))
        width, height = (float(each) for each in str(svg.get("viewBox")).split()[2:])
        for each in svg.iter():
            x, y = (float(str(each.get(key) or 0).split()[0]) for key in ("x", "y"))
            assert 0 <= x <= width, each.attrib
            assert 0 <= y <= height, each.attrib
        for glyphs in (UNICODE, ASCII):
            lines = lines_of(drawing, DisplayOptions(width=WIDTH, glyphs=glyphs))
            assert max(map(len, lines)) <= WIDTH
            assert glyphs is UNICODE or "".join(lines).isascii()
    file = render_file(Drawn(drawings=drawings))
    assert MARK in file
    assert b"var(--" not in file
    ET.fromstring(file)


TREE = Network(values=range(1, 7), edges=((0, 1), (0, 2), (2, 3), (2, 4), (4, 5)), is_tree=True)


def test_that_a_terminal_shows_what_the_answer_and_the_output_name() -> None:
    lines = lines_of(drawing_of(TREE, {2, 4}, {2, 5}), DisplayOptions(width=None, glyphs=UNICODE))
    assert [line.strip() for line in lines] == [
        "picture  tree of 6 nodes", "1", "├─ 2", "└─ {3}", "├─ 4", "└─ [5]", "└─ (6)",
        "expected [nodes 3, 5]", "found    (nodes 3, 6)",
    ]  # fmt: skip


def test_that_an_image_shows_what_the_answer_and_the_output_name() -> None:
    svg = ET.fromstring(render(drawing_of(TREE, {2, 4}, {2, 5})))
    assert svg.get("aria-label") == "tree of 6 nodes; expected: nodes 3, 5; found: nodes 3, 6"
    classes = [str(each.get("class")) for each in svg.iter("{http://www.w3.org/2000/svg}circle")]
    assert [name.removeprefix("node").strip() for name in classes] == ["", "", "both", "", "expected", "found"]


def test_that_cells_and_labels_stay_text() -> None:
    grid = Grid(values=("<script>", '"', "&", "\x1b[31m", "\u202e", "</svg>"), columns=3)
    graph = Network(values=range(2), edges=((0, 1),), labels=("<b>&",))
    assert "<b>&" in ET.fromstring(render(drawing_of(graph))).itertext()
    texts = ET.fromstring(render(drawing_of(grid))).itertext()
    assert {"<script>", '"', "&", r"\x1b[31m", r"\xe2\x80\xae", "</svg>"} <= set(texts)


GRAPHS = {
    "path": [(at, at + 1) for at in range(9)],
    "star": [(0, at) for at in range(1, 10)],
    "binary tree": [((at - 1) // 2, at) for at in range(1, 10)],
    "cycle": [(at, (at + 1) % 10) for at in range(10)],
    "complete": list(combinations(range(10), 2)),
    "two parts": [(0, 1), (1, 2), (3, 4), (4, 5), (5, 3), (6, 7)],
    "no edges": [],
}


@pytest.mark.parametrize("name", GRAPHS)
def test_that_no_node_of_a_graph_hides_another_one(name: str) -> None:
    places = place_graph(10, GRAPHS[name])
    assert min(dist(*pair) for pair in combinations(places, 2)) > 0.35
    assert places == place_graph(10, GRAPHS[name])


@pytest.mark.parametrize("name", ["path", "star", "binary tree"])
@pytest.mark.parametrize("root", [0, 5])
def test_that_the_children_of_a_tree_are_below_it_and_apart(name: str, root: int) -> None:
    edges = GRAPHS[name]
    places = place_tree(10, edges, root)
    for node, children in enumerate(children_of(10, edges, root)):
        assert all(places[child][1] == places[node][1] + 1 for child in children)
        if children:
            assert places[children[0]][0] <= places[node][0] <= places[children[-1]][0]
    for one, other in combinations(places, 2):
        assert one[1] != other[1] or abs(one[0] - other[0]) >= 1


@pytest.mark.parametrize(
    "shape",
    [
        Network(values=range(41), edges=()),
        Grid(values="." * 61, columns=61),
        Numbers(values=tuple(range(41))),
    ],
)
def test_that_what_is_too_large_is_named_only(shape: Shape) -> None:
    assert "<svg" not in render(drawing_of(shape))
    (line,) = lines_of(drawing_of(shape), DisplayOptions(width=WIDTH, glyphs=ASCII))
    assert "not drawn, as it has more than" in line
