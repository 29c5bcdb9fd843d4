"""What of an input can be drawn: the trees, graphs, grids, points, intervals and rows of numbers in it.

The grammar says where lines and lists are, and what some of them are. What it leaves open is guessed from the values:
`n` and `m`, and then `m` lines of two numbers from 1 to `n`, are the edges of a graph.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from judge.base.units import format_count
from judge.inputs.blocks import Repeat
from judge.inputs.domains import Integer, Real, Word
from judge.inputs.edges import Graph
from judge.inputs.forms import Body, Field, Line, Listed, Permutation, Relation
from judge.inputs.grammar import Grammar
from judge.inputs.graphs import Components
from judge.inputs.infer import guess_grammars
from judge.inputs.observe import observe
from judge.inputs.parse import Tree
from judge.inputs.structure import with_plain_white_space

MOST_NODES = 40  # and values, points and intervals
MOST_CELLS = 60  # rows and columns
MOST_BYTES = 20_000  # of an input, and of each sample that is looked at
_MOST_PICTURES = 4
_MOST_TESTS = 3
_IS_SPLIT = "the first line says how many others follow"  # no name of a field
_LEAST = 3  # numbers, points, intervals; of fewer, any property is a coincidence

_LONG = re.compile(rb"\d{61}")  # in no grid that is drawn, and a number without a place in a plot

Number = int | float
Pair = tuple[int, int]


def show_number(value: Number) -> str:
    """Return a number in a few characters."""
    return str(value) if isinstance(value, int) else f"{value:g}"


class Marks(Struct, frozen=True):
    """What a text names: nodes, cells, points or positions by their place from 0, and edges."""

    places: frozenset[int] = frozenset()
    edges: frozenset[Pair] = frozenset()


class Shape(Struct, frozen=True, kw_only=True):
    """What a picture shows; its elements have places from 0 on."""

    noun: ClassVar[str]
    values: Sequence[Any]

    @property
    def size(self) -> int:
        """How many elements it has."""
        return len(self.values)

    @property
    def is_small(self) -> bool:
        """Whether it can be drawn."""
        return self.size <= MOST_NODES

    def describe(self) -> str:
        """Return what it is, such as `tree of 7 nodes`."""
        return format_count(self.size, self.noun)

    @property
    def note(self) -> str:
        """What the picture does not show."""
        return ""

    def find_marks(self, rows: Sequence[Sequence[str]]) -> Marks:
        """Return what the lines of an output name: numbers of elements, if there are several.

        A number alone says nothing: it may be a count.
        """
        return Marks(places=_places(rows, range(1, self.size + 1)))


class Network(Shape, frozen=True, kw_only=True):
    """A graph or a tree.

    Attributes:
        values: the names of the nodes, which are numbers in a row.
        edges: pairs of places.
        labels: of the edges, such as their weights; or none.
        is_tree: the root has the place `root`.
        at: the coordinates of the nodes, if the input has them.
    """

    noun = "node"
    values: range
    edges: tuple[Pair, ...]
    labels: tuple[str, ...] = ()
    is_tree: bool = False
    is_directed: bool = False
    root: int = 0
    at: tuple[tuple[Number, Number], ...] = ()

    def describe(self) -> str:
        kind = "tree" if self.is_tree else f"{'directed ' * self.is_directed}graph"
        edges = "" if self.is_tree else f" and {format_count(len(self.edges), 'edge')}"
        is_weighted = any(any(map(str.isdigit, each)) for each in self.labels)
        return f"{'weighted ' * is_weighted}{kind} of {format_count(self.size, 'node')}{edges}"

    def find_marks(self, rows: Sequence[Sequence[str]]) -> Marks:
        lines, first = _without_count(rows), self.values.start
        found = [numbers for row in lines if len(numbers := _numbers(row, self.values)) == 2]
        pairs = {(one - first, other - first) for one, other in found}
        pairs |= {(other, one) for one, other in pairs}
        edges = {*self.edges, *((other, one) for one, other in self.edges)}
        if 1 < len(found) == len(lines) and pairs <= edges:
            return Marks(edges=frozenset(pairs))
        return Marks(places=_places(rows, self.values))


class Grid(Shape, frozen=True, kw_only=True):
    """Cells in rows; `values` has those of all rows, which are equally long."""

    noun = "cell"
    columns: int

    @property
    def rows(self) -> list[Sequence[str]]:
        """The cells by rows."""
        return [self.values[at : at + self.columns] for at in range(0, self.size, self.columns)]

    @property
    def is_small(self) -> bool:
        return max(len(self.rows), self.columns) <= MOST_CELLS

    def describe(self) -> str:
        return f"grid of {format_count(len(self.rows), 'row')} and {format_count(self.columns, 'column')}"

    def find_marks(self, rows: Sequence[Sequence[str]]) -> Marks:
        """Return the cells that differ in a grid of the same size, or that lines of a row and a column name."""
        height = len(self.rows)
        cells = [row[0] if len(row) == 1 else row for row in rows[-height:]]
        if len(cells) == height and all(len(row) == self.columns for row in cells):
            changed = zip(self.values, chain.from_iterable(cells), strict=True)
            return Marks(places=frozenset(at for at, (one, other) in enumerate(changed) if one != other))
        numbers = [_numbers(row, range(max(height, self.columns) + 1)) for row in _without_count(rows)]
        base = 0 if any(0 in each for each in numbers) else 1
        if any(len(each) != 2 or each[0] >= height + base or each[1] >= self.columns + base for each in numbers):
            return Marks()
        return Marks(places=frozenset((row - base) * self.columns + column - base for row, column in numbers))


class Points(Shape, frozen=True, kw_only=True):
    """Points in the plane."""

    noun = "point"

    @property
    def note(self) -> str:
        (left, right), (low, high) = ((min(each), max(each)) for each in zip(*self.values, strict=True))
        return f"x {show_number(left)} to {show_number(right)}, y {show_number(low)} to {show_number(high)}"


class Intervals(Shape, frozen=True, kw_only=True):
    """Intervals of numbers."""

    noun = "interval"


class Numbers(Shape, frozen=True, kw_only=True):
    """Numbers in a row; a permutation if each number from `first` on occurs once."""

    noun = "number"
    first: int | None = None

    def describe(self) -> str:
        if self.first is None:
            return format_count(self.size, self.noun)
        return f"permutation of {self.first} to {self.first + self.size - 1}"

    @property
    def note(self) -> str:
        cycles = (f"({' '.join(map(str, each))})" for each in self.cycles())
        return "" if self.first is None else f"cycles: {' '.join(cycles)}"

    def cycles(self) -> Iterator[list[int]]:
        """Yield the cycles of a permutation, each from its smallest number on."""
        first = self.first or 0
        seen: set[int] = set()
        for start in range(first, first + self.size):
            at, cycle = start, []
            while at not in seen:
                seen.add(at)
                cycle.append(at)
                at = self.values[at - first]
            if cycle:
                yield cycle


class Picture(Struct, frozen=True, kw_only=True):
    """A shape in an input.

    Attributes:
        name: of the field, or "".
        is_guess: that it is this shape follows from the values, not from the grammar of the problem.
        test: which test of the input it belongs to, from 1; 0 if there is only one.
    """

    shape: Shape
    name: str = ""
    is_guess: bool = False
    test: int = 0

    @property
    def title(self) -> str:
        """What it is, in a line."""
        test = f"test {self.test}: " if self.test else ""
        name = f"{self.name}: " if self.name else ""
        return f"{test}{name}{self.shape.describe()}{' (guessed)' if self.is_guess else ''}"


def find_pictures(data: bytes, grammar: Grammar | None, samples: Sequence[bytes] = ()) -> list[Picture]:
    """Return what can be drawn of an input, at most a few of it.

    Without a grammar of the problem, one follows from the samples.
    """
    if len(data) > MOST_BYTES or _LONG.search(data):
        return []
    if grammar is not None and (tree := grammar.parse(data)) is not None:
        return _find_all(grammar, tree, _Finder(is_guess=False))
    data = with_plain_white_space(data)
    known = [with_plain_white_space(each) for each in samples if len(each) <= MOST_BYTES]
    for inputs in ([*known, data], [data]):
        observed = observe(inputs)
        for notation in guess_grammars(observed, inputs)[:-3:-1] if observed is not None else ():
            grammar = Grammar.from_yaml(notation)
            if (tree := grammar.parse(data)) is not None:
                return _find_all(grammar, tree, _Finder(is_guess=True, is_compared=len(inputs) > 1))
    return []


def _find_all(grammar: Grammar, tree: Tree, finder: "_Finder") -> list[Picture]:
    found = list(islice(finder.find(grammar.description.body, tree, {}), _MOST_PICTURES))
    drawn = [each.shape.at for each in found if isinstance(each.shape, Network)]
    return [each for each in found if not (isinstance(each.shape, Points) and each.shape.values in drawn)]


class _Finder(Struct, kw_only=True):
    """Finds shapes in the values of a grammar.

    Attributes:
        is_guess: the grammar is one.
        is_compared: it follows from several inputs: edges of integers are in it, unless some are parallel.
        test: the number of the test; 0 if there is only one.
        found: the last shape that says what pairs of numbers after it are.
    """

    is_guess: bool
    is_compared: bool = False
    test: int = 0
    found: Shape | None = None

    def find(self, body: Body, tree: Tree, env: Mapping[str, Any]) -> Iterator[Picture]:
        """Yield pictures of the values of a body; `env` has the values before it."""
        env = dict(env)
        for item, node in zip(body.items, tree, strict=True):
            match item:
                case Line(fields=fields):
                    env |= {name: value for (name, _), value in zip(fields, node, strict=True)}
                    for (name, kind), value in zip(fields, node, strict=True):
                        if isinstance(kind, Listed | Permutation) and (row := self._row(name, kind, value, env)):
                            yield row
                case Graph() if not (self.is_guess and isinstance(self.found, Network | Grid)):  # else: queries
                    self.found = graph = _network_of(item, node, env, self.found)
                    if self.is_guess and not graph.is_tree and _are_ranges(graph.size, graph.edges, env):
                        self.found = Intervals(values=[(one, other) for one, other, _ in node])
                    yield self._picture(self.found, is_guess=False)
                case Repeat():
                    yield from self._repeat(item, node, env)
                case _:
                    pass

    def _repeat(self, block: Repeat, node: Sequence[Tree], env: Mapping[str, Any]) -> Iterator[Picture]:
        """Yield pictures of a block: of lines of one form together, else of each repetition."""
        fields = _table_of(block)
        for number, inner in enumerate(node[:_MOST_TESTS] if fields is None else (), 1):
            test = self.test or (number if len(node) > 1 else 0)
            yield from replace(self, test=test).find(block.body, inner, env)
        if fields is not None:
            rows = [row[0] for row in node]
            for part, known in _split(fields, rows) if block.until else ((rows, {}),):
                if (picture := self._table(fields, part, {**env, **known})) is not None:
                    self.found = picture.shape
                    yield picture

    def _picture(self, shape: Shape, name: str = "", *, is_guess: bool) -> Picture:
        return Picture(shape=shape, name=name, is_guess=is_guess or self.is_guess, test=self.test)

    def _row(
        self, name: str, kind: Listed | Permutation, values: Sequence[Any], env: Mapping[str, Any]
    ) -> Picture | None:
        """Return the picture of a list: of a permutation, of the parents of a tree, or of numbers."""
        if isinstance(kind, Permutation):
            return self._picture(Numbers(values=tuple(values), first=kind.first), name, is_guess=False)
        if not isinstance(kind.item, Integer | Real) or len(values) < _LEAST:
            return None
        row = tuple(map(_number, values))
        if (tree := _parents(row, env)) is not None:
            return self._picture(tree, name, is_guess=not kind.index)
        first = next((first for first in (0, 1) if sorted(row) == list(range(first, first + len(row)))), None)
        return self._picture(Numbers(values=row, first=first), name, is_guess=first is not None)

    def _table(self, fields: Sequence[Field], rows: Sequence[Sequence[Any]], env: Mapping[str, Any]) -> Picture | None:
        kind = fields[0][1]
        if not rows:
            return None
        is_known = isinstance(kind, Word) and kind.length is not None and bool(kind.length.names) and not self.is_guess
        cells = _cells(kind, [row[0] for row in rows], env, is_known=is_known) if len(fields) == 1 else None
        if isinstance(kind, Listed) and cells is not None and 2 <= len(cells[0]) <= 3:
            fields, rows = [("", kind.item)] * len(cells[0]), [row[0] for row in rows]  # it may be edges as well
        is_numeric = all(isinstance(kind, Integer | Real) for _, kind in fields[:2])
        if len(fields) > 1 and is_numeric and not isinstance(self.found, Network | Grid):
            pairs = [(_number(row[0]), _number(row[1])) for row in rows]
            is_simple = len({frozenset(each) for each in pairs}) == len(pairs)
            is_integer = all(isinstance(kind, Integer) for _, kind in fields)
            is_refuted = self.is_compared and is_simple and is_integer and cells is None and _IS_SPLIT not in env
            if not is_refuted and (edges := _network(pairs, rows, fields, env, self.found)) is not None:
                return self._picture(edges, is_guess=True)
            if cells is None and len(rows) >= _LEAST and all(isinstance(kind, Integer | Real) for _, kind in fields):
                return self._pairs(fields, pairs)
        if cells is None:
            return None
        return self._picture(Grid(values=tuple(chain.from_iterable(cells)), columns=len(cells[0])), is_guess=False)

    def _pairs(self, fields: Sequence[Field], pairs: Sequence[tuple[Number, Number]]) -> Picture | None:
        low = fields[1][1].ranges[0].low.names if isinstance(fields[1][1], Integer) else ()
        is_certain = fields[0][0] in low
        if len(fields) == 2 and (is_certain or len(pairs) > _LEAST) and all(one <= other for one, other in pairs):
            return self._picture(Intervals(values=tuple(pairs)), is_guess=not is_certain)
        is_varied = len(set(pairs)) == len(pairs) and len({x for x, _ in pairs}) >= _LEAST  # else they may be queries
        if len(fields) == 2 or (len(fields) == _LEAST and is_varied):
            return self._picture(Points(values=tuple(pairs)), is_guess=True)
        return None


def _table_of(item: Repeat) -> Sequence[Field] | None:
    lines = [each for each in item.body.items if not isinstance(each, Relation)]
    line = lines[0] if len(lines) == 1 and not item.is_tests else None
    return line.fields if isinstance(line, Line) else None


def _split(
    fields: Sequence[Field], rows: Sequence[Sequence[Any]]
) -> Iterator[tuple[Sequence[Sequence[Any]], Mapping[str, Any]]]:
    """Yield the parts of lines of two numbers, the first of which may say how many follow, with what it says."""
    if len(fields) == 2 and len(rows) > 1 and all(isinstance(each, int) for each in rows[0]):
        n, m = rows[0]
        for first, second in ((m, 0), (n, 0), (n - 1, 0), (n, m), (m, m), (n - 1, m)):
            if first > 0 and first + second == len(rows) - 1:
                known = {"n": n, "m": m, _IS_SPLIT: True}
                yield rows[1 : first + 1], {} if second and first == n else known  # n points, then edges
                yield rows[first + 1 :], known
                return
    yield rows, {}


def _network_of(graph: Graph, edges: Sequence[Any], env: Mapping[str, Any], before: Shape | None) -> Network:
    nodes = graph.nodes.evaluate(dict(env))
    pairs = tuple((one - graph.first, other - graph.first) for one, other, _ in edges)
    return Network(
        values=range(graph.first, graph.first + nodes),
        edges=pairs,
        labels=tuple(str(weight) for *_, weight in edges) if graph.weight is not None else (),
        is_tree=_is_tree(nodes, pairs),
        is_directed=graph.is_directed,
        at=_coordinates(nodes, before),
    )


def _network(
    pairs: Sequence[Pair],
    rows: Sequence[Sequence[Any]],
    fields: Sequence[Field],
    env: Mapping[str, Any],
    before: Shape | None,
) -> Network | None:
    """Return the graph whose edges some pairs may be: of as many nodes as an earlier number says."""
    ends = {end for pair in pairs for end in pair}
    if not all(isinstance(end, int) for end in ends) or any(one == other for one, other in pairs):
        return None
    first = 0 if 0 in ends else 1
    limits = fields[0][1].limits if isinstance(fields[0][1], Integer) else None
    bounds = limits.high.names if limits is not None else ()
    edges = tuple((one - first, other - first) for one, other in pairs)
    sizes = [(name, value) for name, value in env.items() if isinstance(value, int)]
    for _, nodes in sorted(sizes, key=lambda each: each[0] not in bounds):
        if min(ends) < first or max(ends) >= first + nodes:
            continue
        is_tree = _is_tree(nodes, edges)
        if is_tree or _is_likely_graph(nodes, edges, len(ends), rows, env):
            return Network(
                values=range(first, first + nodes),
                edges=edges,
                labels=tuple(" ".join(map(str, row[2:])) for row in rows) if len(rows[0]) > 2 else (),
                is_tree=is_tree,
                at=_coordinates(nodes, before),
            )
    return None


def _is_likely_graph(
    nodes: int, edges: Sequence[Pair], used: int, rows: Sequence[Sequence[Any]], env: Mapping[str, Any]
) -> bool:
    """Return whether pairs of numbers up to `nodes` are rather edges than points, ranges of a list, or queries."""
    if 2 * used < nodes or len(edges) < _LEAST or len(rows[0]) > 3:
        return False
    if len(rows[0]) == 2:
        return len(edges) != nodes and not _are_ranges(nodes, edges, env)
    is_weighted = any(not isinstance(row[2], int) or row[2] > nodes for row in rows)
    return is_weighted and len({one for one, _ in edges}) >= min(_LEAST, len(edges))  # else they may be queries


def _are_ranges(nodes: int, edges: Sequence[Pair], env: Mapping[str, Any]) -> bool:
    """Return whether pairs in order may be ranges of an earlier list."""
    has_list = any(isinstance(value, list) and len(value) == nodes for value in env.values())
    return has_list and len(edges) > _LEAST and all(one < other for one, other in edges)


def _coordinates(nodes: int, before: Shape | None) -> tuple[tuple[Number, Number], ...]:
    return tuple(before.values) if isinstance(before, Points) and before.size == nodes else ()


def _is_tree(nodes: int, edges: Sequence[Pair]) -> bool:
    components = Components(nodes)
    return len(edges) == nodes - 1 and all(components.join(one, other) for one, other in edges)


def _parents(row: Sequence[Number], env: Mapping[str, Any]) -> Network | None:
    """Return the tree whose parents some numbers may be: of all nodes, or of all but the root, which is the first."""
    sizes = [value for value in env.values() if isinstance(value, int)]
    nodes = len(row) + 1
    if nodes in sizes and all(1 <= parent <= at for at, parent in enumerate(row, 1)):
        edges = tuple((int(parent) - 1, at) for at, parent in enumerate(row, 1))
        return Network(values=range(1, nodes + 1), edges=edges, is_tree=True)
    first = 0 if -1 in row else 1
    roots = [at for at, parent in enumerate(row) if parent == first - 1]
    nodes = len(row)
    if len(roots) != 1 or nodes not in sizes:
        return None
    edges = tuple((int(parent) - first, at) for at, parent in enumerate(row) if at != roots[0])
    is_tree = all(0 <= one < nodes for one, _ in edges) and _is_tree(nodes, edges)
    if not is_tree:
        return None
    return Network(values=range(first, first + nodes), edges=edges, is_tree=True, root=roots[0])


def _cells(
    kind: object, values: Sequence[Any], env: Mapping[str, Any], *, is_known: bool
) -> tuple[tuple[str, ...], ...] | None:
    """Return the cells of a grid whose rows some values may be: words or lists of the same length."""
    length = len(values[0]) if isinstance(values[0], str | list) else 0
    if not length or any(len(each) != length for each in values):
        return None
    is_counted = is_known or list(env.values()).count(length) > (len(values) == length)
    if isinstance(kind, Word):
        letters = set("".join(values))
        is_picture = len(values) > 1 and (len(letters) <= _LEAST or not all(map(str.isalpha, letters)))
        return tuple(tuple(each) for each in values) if is_counted or is_picture else None
    is_grid = isinstance(kind, Listed) and (len(values) > 1 or is_counted)
    return tuple(tuple(map(str, each)) for each in values) if is_grid else None


def _number(value: object) -> Any:
    return value if isinstance(value, int) else float(str(value))


# ---- what outputs name --------------------------------------------------------------------------------------------


def find_marks(picture: Picture, output: bytes) -> Marks:
    """Return what an output names in a picture; of an input of several tests, the line of the test counts."""
    is_short = len(output) <= MOST_BYTES and not _LONG.search(output)
    text = output.decode(errors="replace") if is_short else ""
    rows = [row for line in text.splitlines() if (row := line.split())]
    if picture.test:
        rows = rows[picture.test - 1 : picture.test] if len(rows) >= picture.test else []
    return picture.shape.find_marks(rows) if rows else Marks()


def _without_count(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return lines without the number that says how many lines or tokens follow."""
    if len(rows) > 1 and len(rows[0]) == 1 and rows[0][0].isdecimal():
        count = int(rows[0][0])
        if count in (len(rows) - 1, sum(map(len, rows[1:]))):
            return rows[1:]
    return rows


def _numbers(row: Sequence[str], names: range) -> list[int]:
    """Return the numbers of a line if all its tokens are such names, else none."""
    numbers = [int(each) for each in row if each.isdecimal()]
    return numbers if len(numbers) == len(row) and all(each in names for each in numbers) else []


def _places(rows: Sequence[Sequence[str]], names: range) -> frozenset[int]:
    """Return the places that all tokens name; none if that says nothing: for a number alone, and for all places."""
    lines = _without_count(rows)
    numbers = _numbers([token for row in lines for token in row], names)
    places = frozenset(each - names.start for each in numbers)
    is_list = len(numbers) > 1 or len(lines) < len(rows)
    return places if is_list and len(places) < len(names) else frozenset()
