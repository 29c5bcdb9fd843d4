"""Counts and conditions of a grammar as expressions of Python, C++ and Java."""

import ast
from collections.abc import Callable

# Keywords of the three languages, and names that the programs use themselves.
_RESERVED = """
abstract and asm assert auto bool boolean break byte case catch char class const continue data default delete
do double each edge edges else enum explicit export extends extern false final finally float for friend goto
at i ii iii iiii if implements import in inline input instanceof int interface is kind lambda lines long
main map native new
next not null one operator or other out package pass place print private protected public register rest return
row scanner short signed sizeof static std string struct super switch synchronized sys template this throw
throws token tokens transient true try typedef typename union unsigned using var vector virtual void volatile
weight while yield
"""
_KEYWORDS = frozenset(_RESERVED.split())
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Mod: "%"}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def identifier(name: str) -> str:
    """Return the name of a variable for a field."""
    return f"{name}_" if name in _KEYWORDS else name


def python_text(source: str) -> str:
    """Return an expression, given as `Expression.source`, as Python."""
    return ast.unparse(ast.fix_missing_locations(_Python().visit(ast.parse(source, mode="eval"))))


class _Python(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(identifier(node.id), ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.AST:
        assert isinstance(node.func, ast.Name)
        arguments = [self.visit(each) for each in node.args]
        match node.func.id:
            case "_item":
                return ast.Subscript(arguments[0], _one_less(arguments[1]), ast.Load())
            case "_power":
                return ast.BinOp(arguments[0], ast.Pow(), arguments[1])
            case name:
                return ast.Call(ast.Name({"length": "len"}.get(name, name), ast.Load()), arguments, [])


def _one_less(index: ast.expr) -> ast.expr:
    if isinstance(index, ast.Constant) and isinstance(index.value, int):
        return ast.Constant(index.value - 1)
    return ast.BinOp(index, ast.Sub(), ast.Constant(1))


def typed_text(source: str, call: Callable[[str, list[str]], str]) -> str:
    """Return an expression, given as `Expression.source`, as C++ or Java.

    Args:
        source: of the expression.
        call: returns a call of a function of the grammar (`min`, `sum`, `_item`, ...) with some arguments.
    """
    return _typed(ast.parse(source, mode="eval").body, call)


def _typed(node: ast.expr, call: Callable[[str, list[str]], str]) -> str:  # noqa: C901, PLR0911 - one for each kind
    def inner(part: ast.expr) -> str:
        text = _typed(part, call)
        return text if isinstance(part, ast.Name | ast.Constant | ast.Call) else f"({text})"

    def number(part: ast.expr) -> str:
        is_condition = isinstance(part, ast.Compare) or (isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not))
        return f"({inner(part)} ? 1 : 0)" if is_condition else inner(part)

    match node:
        case ast.Constant(value=value):
            return f"{value}L" if isinstance(value, int) and abs(value) >= 1 << 31 else str(value)
        case ast.Name(id=name):
            return identifier(name)
        case ast.UnaryOp(op=op, operand=operand):
            return f"{'-' if isinstance(op, ast.USub) else '!'}{inner(operand)}"
        case ast.BinOp(left=left, op=op, right=right):
            return f"{number(left)} {_OPERATORS[type(op)]} {number(right)}"
        case ast.BoolOp(op=op, values=values):
            return (" && " if isinstance(op, ast.And) else " || ").join(map(inner, values))
        case ast.Compare(left=left, ops=ops, comparators=others):
            ends = [left, *others]
            parts = [
                f"{inner(one)} {_COMPARISONS[type(op)]} {inner(other)}"
                for one, op, other in zip(ends, ops, others, strict=False)
            ]
            return " && ".join(parts)
        case ast.IfExp(test=test, body=ast.Constant(value=1), orelse=ast.Constant(value=0)):
            return _typed(test, call)
        case ast.IfExp(test=test):
            return f"!{inner(test)}"
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return call(name, [_typed(each, call) for each in arguments])
    raise AssertionError(ast.dump(node))
