"""Where the nodes of a tree or a graph are, in units of one edge: the same for the same input, whatever the machine."""

import math
from collections.abc import Sequence

from judge.inputs.pictures import Network, Pair

Place = tuple[float, float]


def place_nodes(graph: Network) -> list[Place]:
    """Return the coordinates of the nodes: those of the input, or of a tree from top to bottom, or of a graph."""
    if graph.at:
        return [(float(x), -float(y)) for x, y in graph.at]
    return place_tree(graph.size, graph.edges, graph.root) if graph.is_tree else place_graph(graph.size, graph.edges)


def children_of(nodes: int, edges: Sequence[Pair], root: int) -> list[list[int]]:
    """Return the children of each node of a tree."""
    neighbours = _neighbours(nodes, edges)
    children: list[list[int]] = [[] for _ in range(nodes)]
    seen = {root}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        children[node] = [each for each in dict.fromkeys(neighbours[node]) if each not in seen]
        seen.update(children[node])
        waiting += children[node]
    return children


def place_tree(nodes: int, edges: Sequence[Pair], root: int) -> list[Place]:
    """Return the coordinates of the nodes of a tree: each subtree as near to its left neighbour as it can be.

    This is the layout of Reingold and Tilford (1981), with contours as lists: there are few nodes.
    """
    children = children_of(nodes, edges, root)
    across, down = [0.0] * nodes, [0.0] * nodes

    def place(node: int, depth: float) -> tuple[list[float], list[float]]:
        """Place a subtree; return its leftmost and its rightmost coordinates by depth."""
        down[node] = depth
        left: list[float] = []
        right: list[float] = []
        for child in children[node]:
            inner_left, inner_right = place(child, depth + 1)
            shift = max((one + 1 - other for one, other in zip(right, inner_left, strict=False)), default=0.0)
            _shift(child, shift)
            left += [each + shift for each in inner_left[len(left) :]]
            right[: len(inner_right)] = [each + shift for each in inner_right]
        ends = [across[each] for each in children[node]] or [0.0]
        across[node] = (ends[0] + ends[-1]) / 2
        return [across[node], *left], [across[node], *right]

    def _shift(node: int, by: float) -> None:
        across[node] += by
        for child in children[node]:
            _shift(child, by)

    place(root, 0.0)
    return list(zip(across, down, strict=True))


def place_graph(nodes: int, edges: Sequence[Pair]) -> list[Place]:
    """Return the coordinates of the nodes of a graph, as far from each other as the shortest path between them.

    From a circle on, each round moves each node to where the others want it on average (stress majorization; Gansner,
    Koren and North, 2004).
    """
    distances = _distances(nodes, edges)
    radius = max(1.0, nodes / (2 * math.pi))
    angles = [2 * math.pi * at / max(nodes, 1) - math.pi / 2 for at in range(nodes)]
    places = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]
    far = max((each for row in distances for each in row if each < math.inf), default=1.0) + 1
    for _ in range(200 if nodes > 1 else 0):  # after which the layout of 40 nodes hardly changes
        for one in range(nodes):
            x = y = total = 0.0
            for other in range(nodes):
                if one == other:
                    continue
                wanted = distances[one][other]
                weight = 0.05 / far**2 if wanted == math.inf else 1 / wanted**2
                wanted = min(wanted, far)
                dx, dy = places[one][0] - places[other][0], places[one][1] - places[other][1]
                length = math.hypot(dx, dy) or 1e-9
                x += weight * (places[other][0] + wanted * dx / length)
                y += weight * (places[other][1] + wanted * dy / length)
                total += weight
            places[one] = x / total, y / total
    width, height = (max(each) - min(each) for each in zip(*places, strict=True)) if places else (0, 0)
    return places if width >= height else [(y, x) for x, y in places]


def _distances(nodes: int, edges: Sequence[Pair]) -> list[list[float]]:
    """Return how many edges are between any two nodes; infinity without a path."""
    neighbours = _neighbours(nodes, edges)
    found = []
    for start in range(nodes):
        row = [math.inf] * nodes
        row[start] = 0.0
        waiting = [start]
        for node in waiting:
            for each in neighbours[node]:
                if row[each] == math.inf:
                    row[each] = row[node] + 1
                    waiting.append(each)
        found.append(row)
    return found


def _neighbours(nodes: int, edges: Sequence[Pair]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(nodes)]
    for one, other in edges:
        found[one].append(other)
        found[other].append(one)
    return found
