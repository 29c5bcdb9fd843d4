"""The edges of a graph in an input: one line for each edge."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

from judge.inputs.build import Builder
from judge.inputs.choose import Rejected
from judge.inputs.domains import Integer
from judge.inputs.expressions import Expression, Range, number_range
from judge.inputs.forms import Body, Item
from judge.inputs.graphs import GraphRules, find_bad_edge, find_bad_graph
from judge.inputs.parse import Parser, Tokens
from judge.inputs.sites import Known, Path, Place, Site, Sites

_Edge = tuple[int, int, int | None]


class Graph(GraphRules, Item, frozen=True, kw_only=True):
    """One line for each edge: its two nodes, and its weight if there is one."""

    nodes: Expression
    edges: Expression
    weight: Integer | None = None

    @property
    def counts(self) -> Iterator[str]:
        return iter((*self.nodes.names, *self.edges.names))

    def parse(self, parser: Parser) -> list[_Edge]:
        nodes, count = self.nodes.evaluate(parser.env), self.edges.evaluate(parser.env)
        node = Integer(ranges=(number_range(self.first, self.first + nodes - 1),))
        start = parser.at + 1
        fields = [("", node), ("", node)]
        fields += [] if self.weight is None else [("", self.weight)]
        rows = parser.lines[parser.at : parser.at + max(0, count)]
        values = parser.read_integers(rows, fields) if len(rows) == count and not parser.is_unfinished else None
        edges: list[_Edge] = []
        if values is not None:
            parser.at += count
            weights = repeat(None) if self.weight is None else values[2::3]
            edges = list(zip(values[:: len(fields)], values[1 :: len(fields)], weights, strict=False))
        for at in range(count if values is None else 0):
            tokens = Tokens(parser.next_line(f"number {at + 1} of {count} edges"), parser)
            one, other = (parser.scalar("node", node, tokens) for _ in range(2))
            weight = parser.scalar("weight", self.weight, tokens) if self.weight else None
            tokens.finish()
            edges.append((one, other, weight))
        pairs = [(one, other) for one, other, _ in edges]
        if bad := find_bad_edge(self, pairs):
            parser.fail(bad[1], "a tree" if self.is_tree else "a simple graph", line=start + bad[0])
        if wrong := find_bad_graph(self, nodes, pairs):
            expected = "a graph without a cycle" if self.is_acyclic and "cycle" in wrong else "a connected graph"
            parser.fail(wrong, expected, line=max(1, parser.at))
        return edges

    def lines(self, node: Sequence[_Edge]) -> Iterator[str]:
        for one, other, weight in node:
            yield f"{one} {other}" if weight is None else f"{one} {other} {weight}"

    def build(self, builder: Builder, body: Body, guide: Sequence[Any] | None) -> list[_Edge]:
        nodes, count = self.nodes.evaluate(builder.env), builder.add(self.edges.evaluate(builder.env))
        guide = None if guide is None else [edge for edge in guide if edge is not None]
        pairs = None if guide is None else [(one, other) for one, other, _ in guide]
        edges = builder.chooser.edges(self, builder.add(nodes), count, pairs)
        if self.is_acyclic and find_bad_graph(self, nodes, edges):
            raise Rejected
        weights: Sequence[Any] = [None] * len(edges)
        if self.weight is not None:
            old = {(one, other): weight for one, other, weight in guide or ()}
            domain = builder.domain(self.weight)
            weights = [builder.chooser.value(domain, "weight", old.get(edge)) for edge in edges]
        return [(one, other, weight) for (one, other), weight in zip(edges, weights, strict=True)]

    def note(self, sites: Sites, node: Sequence[_Edge], path: Path, known: Known) -> None:
        sites.add_count(Range(low=self.edges, high=self.edges), path, len(node), known)
        if self.weight is not None:
            for number in range(len(node)):
                sites.add(Site((*path, number, 2), "weight", self.weight))
        name = self.nodes.names[0] if len(self.nodes.names) == 1 else ""
        where, value = known.get(name, ((), None))
        if isinstance(value, int):
            nodes = range(self.first, self.first + self.nodes.evaluate({name: value}))
            sites.graphs.append(Place(path, self, where, name, nodes))

    def sentence(self, start: str, depth: int) -> list[str]:
        words = {"simple": self.is_simple, "connected": self.is_connected, "directed": self.is_directed}
        words |= {"acyclic": self.is_acyclic}
        kind = "tree" if self.is_tree else " ".join([*(word for word, holds in words.items() if holds), "graph"])
        weight = f" and its weight ({self.weight.ranges[0].tex_around('w')})" if self.weight else ""
        edges = f"${self.nodes.tex} - 1$" if self.is_tree else f"${self.edges.tex}$"
        what = f"the edges of a {kind} with ${self.nodes.tex}$ nodes, numbered from ${self.first}$"
        return [f"{edges} lines follow: {what}. Each line contains the two nodes of an edge{weight}."]

    def outline(self) -> Iterator[str]:
        is_tree = self.is_tree or (self.is_connected and self.edges.text == f"{self.nodes.text} - 1")
        ends = "u, v" if self.weight is None else "u, v, weight"
        yield f"{self.edges.text} edges ({ends}) of {'a tree' if is_tree else 'a graph'} with {self.nodes.text} nodes"
