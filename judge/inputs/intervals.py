"""Between which numbers an expression is, whatever the input.

So some ranges are always empty, and relations limit single fields, so that few values are chosen in vain.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

from judge.inputs.domains import Integer, Kind
from judge.inputs.edges import Graph
from judge.inputs.expressions import COMPARISONS, MIRRORED, Expression, Range, as_expression, parse_expression
from judge.inputs.forms import Item, Line, Relation

Interval = tuple[float, float]
"""The lowest and the highest value; infinite where nothing is known."""

ANY: Interval = (float("-inf"), float("inf"))
_MOST = 10**15  # numbers beyond this are not looked at: a float does not have them exactly


def interval_of(expression: Expression, known: Mapping[str, Interval]) -> Interval:
    """Return an interval that has all values of an expression, with the known intervals of some fields."""
    return _interval(ast.parse(expression.source, mode="eval").body, known)


def interval_of_range(limits: Range, known: Mapping[str, Interval]) -> Interval:
    """Return an interval that has all values of a range; the low end is above the high one if the range is empty."""
    return interval_of(limits.low, known)[0], interval_of(limits.high, known)[1]


def _interval(node: ast.expr, known: Mapping[str, Interval]) -> Interval:  # noqa: PLR0911 - one for each kind of node
    match node:
        case ast.Constant(value=int() as value) if abs(value) <= _MOST:
            return value, value
        case ast.Name(id=name):
            return known.get(name, ANY)
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return 0, 1
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            low, high = _interval(operand, known)
            return -high, -low
        case ast.BinOp(left=left, op=op, right=right):
            return _combine(op, _interval(left, known), _interval(right, known))
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=arguments) if len(arguments) > 1:
            parts = [_interval(each, known) for each in arguments]
            choose = min if name == "min" else max
            return choose(low for low, _ in parts), choose(high for _, high in parts)
    return ANY


def _combine(op: ast.operator, one: Interval, other: Interval) -> Interval:  # noqa: PLR0911 - one for each operator
    if abs(max((*one, *other), key=abs)) > _MOST:
        return ANY
    match op:
        case ast.Add():
            return one[0] + other[0], one[1] + other[1]
        case ast.Sub():
            return one[0] - other[1], one[1] - other[0]
        case ast.Mult():
            products = [left * right for left in one for right in other]
            return min(products), max(products)
        case ast.FloorDiv() if other[0] > 0:
            quotients = [left // right for left in one for right in other]
            return min(quotients), max(quotients)
        case ast.Mod() if other[0] > 0:
            return 0, other[1] - 1
    return ANY


def values_of(kind: Kind | None, known: Mapping[str, Interval]) -> Interval:
    """Return an interval that has all values of a field."""
    if not isinstance(kind, Integer):
        return ANY
    parts = [interval_of_range(each, known) for each in kind.ranges]
    return min(low for low, _ in parts), max(high for _, high in parts)


def find_empty_range(limits: Range, known: Mapping[str, Interval]) -> str:
    """Return why a range is always empty; "" if it may have values."""
    low, high = interval_of_range(limits, known)
    if low <= high:
        return ""
    ends = f"`{limits.low.text}` is at least {low:.0f}, `{limits.high.text}` at most {high:.0f}"
    return f"the range `{limits}` is always empty: {ends}"


def find_limits(
    items: Sequence[Item], outer: Sequence[str], known: Mapping[str, Interval]
) -> dict[str, tuple[tuple[str, Expression], ...]]:
    """Return what relations say about the field in them that comes last.

    `outer` are the fields before the items; `known` has intervals of some fields.
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


def _split(expression: Expression, known: Mapping[str, Interval]) -> Iterator[tuple[str, str, Expression]]:
    """Yield what each comparison of a chain says about each name in it: `a + b <= c` says `a <= c - b`."""
    tree = ast.parse(expression.source, mode="eval").body
    if not isinstance(tree, ast.Compare):
        return
    for left, operator, right in zip((tree.left, *tree.comparators), tree.ops, tree.comparators, strict=False):
        sign = COMPARISONS[type(operator)]
        yield from _isolate(left, sign, right, known)
        yield from _isolate(right, MIRRORED[sign], left, known)


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
            yield from _isolate(right, MIRRORED[sign], ast.BinOp(left, ast.Sub(), other), known)
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
    if graph.is_tree or graph.edges.text not in names or graph.edges.text in graph.nodes.names:
        return []
    nodes = graph.nodes.source
    found = []
    if graph.is_simple:
        pairs = f"({nodes})*(({nodes})-1)" + ("" if graph.is_directed and not graph.is_acyclic else "/2")
        found.append((graph.edges.text, "<=", parse_expression(pairs, names, {})))
    if graph.is_connected:
        found.append((graph.edges.text, ">=", parse_expression(f"({nodes})-1", names, {})))
    return found
