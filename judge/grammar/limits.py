"""Relations as limits of single fields, so that few values are chosen in vain."""

import re
from collections.abc import Sequence

from judge.grammar.expressions import Expression, ExpressionError, parse_expression
from judge.grammar.forms import Graph, Item, Line, Relation


def find_limits(items: Sequence[Item], outer: Sequence[str]) -> dict[str, tuple[tuple[str, Expression], ...]]:
    """Return the simple relations as limits of the field among them that comes last."""
    order = [*outer, *(name for item in items if isinstance(item, Line) for name, _ in item.fields)]
    place = {name: at for at, name in enumerate(order)}
    limits: dict[str, list[tuple[str, Expression]]] = {}
    for item in items:
        if isinstance(item, Relation):
            for name, operator, other in _split(item.expression, order):
                if all(place.get(each, -1) < place[name] for each in other.names) and name not in outer:
                    limits.setdefault(name, []).append((operator, other))
        elif isinstance(item, Graph):
            for name, operator, other in _graph_limits(item, order):
                limits.setdefault(name, []).append((operator, other))
    return {name: tuple(found) for name, found in limits.items()}


_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _split(expression: Expression, names: Sequence[str]) -> list[tuple[str, str, Expression]]:
    """Return the parts of a chain of comparisons that say something about one name: `a <= b < c`."""
    parts = re.split(r"(<=|>=|==|!=|<|>)", expression.source)
    found = []
    if re.search(r"\b(and|or|not)\b", expression.source):
        return []
    for at in range(1, len(parts) - 1, 2):
        left, operator, right = (part.strip() for part in parts[at - 1 : at + 2])
        for name, sign, other in ((left, operator, right), (right, _MIRROR[operator], left)):
            if name in names:
                try:
                    found.append((name, sign, parse_expression(other, names, {})))
                except ExpressionError:  # half of a parenthesis: no simple relation
                    continue
    return found


def _graph_limits(graph: Graph, names: Sequence[str]) -> list[tuple[str, str, Expression]]:
    """Return what the number of nodes says about the number of edges, if that is a field."""
    if graph.is_tree or graph.edges.text not in names:
        return []
    nodes = graph.nodes.source
    found = []
    if graph.is_simple:
        pairs = f"({nodes})*(({nodes})-1)" + ("" if graph.is_directed and not graph.is_acyclic else "/2")
        found.append((graph.edges.text, "<=", parse_expression(pairs, names, {})))
    if graph.is_connected:
        found.append((graph.edges.text, ">=", parse_expression(f"({nodes})-1", names, {})))
    return found
