"""What must hold of the edges of a graph, and random trees."""

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from random import Random

from msgspec import Struct

Edge = tuple[int, int]


class GraphRules(Struct, frozen=True, kw_only=True):
    """What the edges of a graph may be.

    Attributes:
        first: the number of the first node.
        is_tree: connected without a cycle, so that there is one edge less than nodes.
        is_simple: no loops, and no two edges between the same nodes (in the same direction if it is directed).
        is_acyclic: directed without a cycle.
    """

    first: int = 1
    is_tree: bool = False
    is_simple: bool = True
    is_connected: bool = False
    is_directed: bool = False
    is_acyclic: bool = False

    def may_have(self, edge: Edge) -> bool:
        """Return whether an edge may be there, whatever the others are."""
        one, other = edge
        return one < other if self.is_acyclic else not self.is_simple or one != other

    def key(self, edge: Edge) -> Edge:
        """Return the same for all edges of which a simple graph has only one."""
        one, other = edge
        return edge if self.is_directed or one < other else (other, one)

    def most_edges(self, nodes: int) -> int:
        """Return how many edges a simple graph has at most."""
        pairs = nodes * (nodes - 1)
        return pairs if self.is_directed and not self.is_acyclic else pairs // 2


class Components:
    """Disjoint sets of nodes (union-find)."""

    def __init__(self, nodes: int) -> None:
        self.count = nodes
        self._parent: dict[int, int] = {}  # only of nodes that were joined: a test may name few of many

    def join(self, one: int, other: int) -> bool:
        """Join the sets of two nodes; return whether they were different."""
        one, other = self._find(one), self._find(other)
        if one == other:
            return False
        self._parent[one] = other
        self.count -= 1
        return True

    def _find(self, node: int) -> int:
        root = node
        while (parent := self._parent.get(root, root)) != root:
            root = parent
        while (parent := self._parent.get(node, node)) != root and node != root:
            self._parent[node] = root
            node = parent
        return root


def draw_tree(random: Random, nodes: int) -> list[Edge]:
    """Return the edges of a random tree of some kind, each from a node to a later one; the nodes start at 0."""
    kind = random.choice(("any", "any", "path", "star", "deep"))  # another kind would change what a seed makes
    reach = {"path": 1, "deep": 3}.get(kind, nodes)
    return [(0 if kind == "star" else random.randrange(max(0, node - reach), node), node) for node in range(1, nodes)]


def find_bad_edge(graph: GraphRules, edges: Sequence[Edge]) -> tuple[int, str] | None:
    """Return the position of the first edge that must not be there, and why; None if all may be there."""
    seen: set[Edge] = set()
    components = Components(0) if graph.is_tree else None
    for at, (one, other) in enumerate(edges):
        if graph.is_simple and one == other:
            return at, f"an edge from {one} to itself"
        if components is not None:
            if components.join(one, other):
                continue
            if (one, other) not in edges[:at] and (other, one) not in edges[:at]:
                return at, f"an edge from {one} to {other} that closes a cycle"
            return at, f"the edge from {one} to {other} a second time"
        if graph.is_simple:
            key = graph.key((one, other))
            if key in seen:
                return at, f"the edge from {one} to {other} a second time"
            seen.add(key)
    return None


def find_bad_graph(graph: GraphRules, nodes: int, edges: Sequence[Edge]) -> str:
    """Return what is wrong with the graph as a whole, none of whose edges is bad; "" if nothing is."""
    if graph.is_connected and not graph.is_tree:
        components = Components(nodes)
        for one, other in edges:
            components.join(one, other)
        if components.count > 1:
            return f"a graph of {components.count} parts that are not connected"
    if graph.is_acyclic and not _is_acyclic(edges):
        return "a graph with a cycle"
    return ""


def _is_acyclic(edges: Iterable[Edge]) -> bool:
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for one, other in edges:
        sorter.add(other, one)
    try:
        sorter.prepare()
    except CycleError:
        return False
    return True
