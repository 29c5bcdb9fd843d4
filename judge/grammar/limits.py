"""Relations as limits of single fields, so that few values are chosen in vain."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from judge.grammar.expressions import Expression, as_expression, parse_expression
from judge.grammar.forms import Graph, Item, Line, Relation
from judge.grammar.intervals import Interval, interval_of


def find_limits(
    items: Sequence[Item], outer: Sequence[str], known: Mapping[str, Interval]
) -> dict[str, tuple[tuple[str, Expression], ...]]:
    """Return what relations say about the field in them that comes last.

    Args:
        items: of a body.
        outer: the fields before it.
        known: intervals of some fields.
    """
    order = [*outer, *(name for item in items if isinstance(item, Line) for name, _ in item.fields)]
    place = {name: at for at, name in enumerate(order)}
    limits: dict[str, list[tuple[str, Expression]]] = {}
    for item in items:
        if isinstance(item, Relation):
            for name, operator, other in _split(item.expression, known):
                is_last = name in place and all(place.get(each, -1) < place[name] for each in other.names)
                if is_last and name not in outer:
                    limits.setdefault(name, []).append((operator, other))
        elif isinstance(item, Graph):
            for name, operator, other in _graph_limits(item, order):
                limits.setdefault(name, []).append((operator, other))
    return {name: tuple(found) for name, found in limits.items()}


_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def _split(expression: Expression, known: Mapping[str, Interval]) -> Iterator[tuple[str, str, Expression]]:
    """Yield what each comparison of a chain says about each name in it: `a + b <= c` says `a <= c - b`."""
    tree = ast.parse(expression.source, mode="eval").body
    if not isinstance(tree, ast.Compare):
        return
    for left, operator, right in zip((tree.left, *tree.comparators), tree.ops, tree.comparators, strict=False):
        sign = _SIGNS[type(operator)]
        yield from _isolate(left, sign, right, known)
        yield from _isolate(right, _MIRROR[sign], left, known)


def _isolate(
    side: ast.expr, sign: str, other: ast.expr, known: Mapping[str, Interval]
) -> Iterator[tuple[str, str, Expression]]:
    """Yield what `side`, `sign` and `other` say about each name that occurs in sums and products of `side`."""
    match side:
        case ast.Name(id=name):
            yield name, sign, as_expression(other)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _isolate(left, sign, ast.BinOp(other, ast.Sub(), right), known)
            yield from _isolate(right, sign, ast.BinOp(other, ast.Sub(), left), known)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            yield from _isolate(left, sign, ast.BinOp(other, ast.Add(), right), known)
            yield from _isolate(right, _MIRROR[sign], ast.BinOp(left, ast.Sub(), other), known)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for part, factor in ((left, right), (right, left)):
                if interval_of(as_expression(factor), known)[0] >= 0:
                    for bound, quotient in _divide(sign, other, factor):
                        yield from _isolate(part, bound, quotient, known)


def _divide(sign: str, product: ast.expr, factor: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the limits of a number that a factor, which is not negative, makes a product; the factor 0 counts as 1."""
    divisor = ast.Call(ast.Name("max"), [ast.Constant(1), factor], [])
    if sign in ("<", "<=", "=="):
        yield "<=", ast.BinOp(product, ast.FloorDiv(), divisor)
    if sign in (">", ">=", "=="):
        negative = ast.UnaryOp(ast.USub(), product)
        yield ">=", ast.UnaryOp(ast.USub(), ast.BinOp(negative, ast.FloorDiv(), divisor))


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
