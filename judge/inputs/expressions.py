"""Bounds, counts and relations: `n*(n-1)/2`, `1..10^9`, `a < b`.

Expressions have integer arithmetic (`/` rounds down, `^` is a power), comparisons, `and`, `or`, `not`, and a few
functions. The text of a user is parsed by Python's own parser, and only the nodes of a short list are compiled; so an
expression can compute, and nothing else.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from msgspec import Struct

Value = Any
"""The value of a field: int, str (words, and reals as they are written), or a list of them."""

Env = Mapping[str, Value]

_MAX_TEXT = 500  # characters
_MAX_BITS = 20_000  # of a power
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class ExpressionError(ValueError):
    """An expression that cannot be read, or that has no value; the message says why."""


def _power(base: int, exponent: int) -> int:
    if exponent < 0:
        raise ExpressionError("a power with a negative exponent")
    if base.bit_length() * exponent > _MAX_BITS:
        raise ExpressionError("a power that is too large")
    return int(base**exponent)


def _distinct(*values: Value) -> bool:
    """Return whether no two values are equal; the items of a list count as values."""
    flat: list[Value] = []
    for value in values:
        flat.extend(value if isinstance(value, list | tuple) else [value])
    return len(set(flat)) == len(flat)


def _item(values: Value, at: int) -> Value:
    """Return a value of a list, or a character of a word; the first one has the number 1."""
    if not 1 <= at <= len(values):
        raise ExpressionError(f"position {at} is outside 1 to {len(values)}")
    return values[at - 1]


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sum": sum,
    "length": len,
    "distinct": _distinct,
}
GLOBALS: dict[str, Any] = {"__builtins__": {}, **FUNCTIONS, "_power": _power, "_item": _item}
PREVIOUS = "previous"
RESERVED = frozenset((*FUNCTIONS, PREVIOUS))

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""`b > a` for `a < b`, and so on."""
_TEX = (("<=", "\\le "), (">=", "\\ge "), ("!=", "\\ne "), ("==", "="), ("*", " \\cdot "))
_LONG = 10**4  # numbers from here on have their digits in groups in a statement
_SIGNS = (("≤", "<="), ("≥", ">="), ("≠", "!="), ("·", "*"), ("^", "**"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """An expression.

    Attributes:
        names: the fields that it needs, without constants.
        constant: the value, if it needs no field.
    """

    text: str
    names: tuple[str, ...]
    source: str
    constant: int | None = None
    code: CodeType = field(compare=False, repr=False)

    def evaluate(self, env: Env) -> Any:
        """Return the value. Raises ExpressionError if there is none, such as after a division by zero."""
        if self.constant is not None:
            return self.constant
        try:
            return eval(self.code, GLOBALS, env)  # noqa: S307 - compiled from allowed nodes
        except (ArithmeticError, TypeError, NameError, ValueError) as error:
            raise ExpressionError(f"`{self.text}` has no value: {error}") from error

    @property
    def tex(self) -> str:
        """The expression in the notation of TeX, as far as that is simple."""
        text, value = self.text, self.constant
        if value is not None and "^" not in text:
            text = f"{value:,}".replace(",", "\\,") if abs(value) >= _LONG else str(value)
        text = re.sub(r"\bprevious\((\w+),\s*([^()]*)\)", r"\\text{previous } \1 \\text{ (at first } \2\\text{)}", text)
        text = re.sub(r"(\w)\[([^\[\]]*)\]", r"\1_{\2}", text)
        for sign, tex in _TEX:
            text = text.replace(sign, tex)
        return text


def parse_expression(
    text: str, names: Sequence[str], constants: Mapping[str, int], rows: Sequence[str] = ()
) -> Expression:
    """Parse an expression of known fields (`names`) and constants.

    `rows` are the fields of the blocks around it, whose values in the repetition before `previous` gives.

    Raises:
        ExpressionError: the message says what is wrong.
    """
    text = text.strip()
    if not text or len(text) > _MAX_TEXT:
        raise ExpressionError("expected an expression such as `n` or `2*10^5`")
    source = re.sub(r"(?<![<>=!])=(?!=)", "==", re.sub(r"(?<!/)/(?!/)", "//", text))
    for sign, python in _SIGNS:
        source = source.replace(sign, python)
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"`{text}` is not an expression: expected one such as `n` or `2*10^5`") from None
    used: list[str] = []
    body = _Compiler(text, names, constants, rows, used).convert(tree.body)
    compiled = ast.fix_missing_locations(ast.Expression(body))
    try:
        code = compile(compiled, "<input>", "eval")
        constant = None if used else eval(code, GLOBALS, {})  # noqa: S307 - compiled from allowed nodes
    except (ArithmeticError, TypeError, ValueError, RecursionError) as error:
        raise ExpressionError(f"`{text}` has no value: {error}") from error
    source = ast.unparse(compiled) if used else repr(constant)
    return Expression(text=text, names=tuple(dict.fromkeys(used)), source=source, constant=constant, code=code)


def condition_as_count(condition: Expression, *, negated: bool) -> Expression:
    """Return 1 where a condition holds, and 0 elsewhere, or the other way round."""
    text = f"not ({condition.text})" if negated else condition.text
    source = f"({int(not negated)} if {condition.source} else {int(negated)})"
    code = compile(ast.parse(source, mode="eval"), "<input>", "eval")
    return Expression(text=text, names=condition.names, source=source, code=code)


def as_expression(node: ast.expr) -> Expression:
    """Return a part of the tree of another expression's source, or several of them combined, as an expression."""
    source = ast.unparse(ast.fix_missing_locations(node))
    names = dict.fromkeys(each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id not in GLOBALS)
    return Expression(text=source, names=tuple(names), source=source, code=compile(source, "<input>", "eval"))


def previous_name(name: str) -> str:
    """Return the name by which expressions know the value of a field in the repetition before (None in the first)."""
    return f"_previous_{name}"


def constant(value: int) -> Expression:
    """Return a number as an expression."""
    return Expression(text=str(value), names=(), source=str(value), constant=value, code=_NO_CODE)


_NO_CODE = compile("0", "<input>", "eval")  # of a constant, which is not evaluated


def is_name(text: object) -> bool:
    """Return whether a text can be the name of a field or a constant."""
    return isinstance(text, str) and bool(_NAME.fullmatch(text))


class _Compiler(Struct, frozen=True):
    """Copies the allowed nodes of a tree; all others are errors."""

    _text: str
    _names: Sequence[str]
    _constants: Mapping[str, int]
    _rows: Sequence[str]
    _used: list[str]

    def convert(self, node: ast.expr) -> ast.expr:  # noqa: C901, PLR0911, PLR0912 - one case for each kind
        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int()):
                return node
            case ast.Constant(value=str(text)) if len(text) == 1:
                return node
            case ast.Constant(value=float() as value) if value.is_integer():
                return ast.Constant(int(value))
            case ast.Name(id=name):
                return self._name(name)
            case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
                return ast.UnaryOp(node.op, self.convert(operand))
            case ast.BinOp(op=ast.Pow(), left=left, right=right):
                return _call("_power", [self.convert(left), self.convert(right)])
            case ast.BinOp(left=left, right=right) if isinstance(node.op, _OPERATORS):
                return ast.BinOp(self.convert(left), node.op, self.convert(right))
            case ast.Compare(left=left, comparators=others) if COMPARISONS.keys() >= set(map(type, node.ops)):
                return ast.Compare(self.convert(left), node.ops, [self.convert(each) for each in others])
            case ast.BoolOp(values=values):
                return ast.BoolOp(node.op, [self.convert(each) for each in values])
            case ast.Subscript(value=ast.Name() | ast.Subscript() as values, slice=index):
                return _call("_item", [self.convert(values), self.convert(index)])
            case ast.Call(func=ast.Name(id="previous"), args=[ast.Name(id=name), first], keywords=[]):
                return self._previous(name, first)
            case ast.Call(func=ast.Name(id="previous")):
                raise ExpressionError(
                    f"in `{self._text}`, `previous` needs a field and its value before the first row: `previous(x, 0)`"
                )
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                if name not in FUNCTIONS:
                    known = ", ".join(f"`{each}`" for each in FUNCTIONS)
                    raise ExpressionError(f"unknown function `{name}` in `{self._text}`: expected one of {known}")
                return _call(name, [self.convert(each) for each in arguments])
        raise ExpressionError(f"`{ast.unparse(node)}` is not allowed in an expression")

    def _previous(self, name: str, first: ast.expr) -> ast.expr:
        if name not in self._rows:
            known = ", ".join(f"`{each}`" for each in self._rows) or "none"
            raise ExpressionError(f"`{name}` has no previous value: expected a field of a block around it ({known})")
        self._used.append(name)
        value = ast.Name(previous_name(name), ast.Load())
        is_first = ast.Compare(value, [ast.Is()], [ast.Constant(None)])
        return ast.IfExp(is_first, self.convert(first), value)

    def _name(self, name: str) -> ast.expr:
        if name in self._constants:
            return ast.Constant(self._constants[name])
        if name not in self._names:
            known = ", ".join(f"`{each}`" for each in (*self._names, *self._constants)) or "none"
            raise ExpressionError(f"`{name}` is not known here: expected an earlier field, or a constant ({known})")
        self._used.append(name)
        return ast.Name(name, ast.Load())


def _call(name: str, arguments: list[ast.expr]) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), arguments, [])


class Range(Struct, frozen=True, kw_only=True):
    """The integers from `low` to `high`, both included."""

    low: Expression
    high: Expression

    def __str__(self) -> str:
        """Return the notation of the grammar."""
        return self.low.text if self.is_exact else f"{self.low.text}..{self.high.text}"

    @property
    def tex(self) -> str:
        """How many there are, in the notation of TeX."""
        return f"${self.low.tex}$" if self.is_exact else f"${self.low.tex}$ to ${self.high.tex}$"

    def tex_around(self, name: str) -> str:
        """Return that a name is in this range, in the notation of TeX."""
        low, high = self.low.tex, self.high.tex
        return f"${name} = {low}$" if self.is_exact else f"${low} \\le {name} \\le {high}$"

    @property
    def is_exact(self) -> bool:
        """Whether it is one number."""
        return self.low.text == self.high.text

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that it needs."""
        return (*self.low.names, *self.high.names)

    def evaluate(self, env: Env) -> tuple[int, int]:
        """Return both ends."""
        return self.low.evaluate(env), self.high.evaluate(env)


def number_range(low: int, high: int) -> Range:
    """Return the range between two numbers."""
    return Range(low=constant(low), high=constant(high))


def parse_range(value: object, names: Sequence[str], constants: Mapping[str, int], rows: Sequence[str] = ()) -> Range:
    """Parse `1..n`, `n` or `5`; see `parse_expression`."""
    low, dots, high = str(value).partition("..")
    if dots and (not low.strip() or not high.strip()):
        raise ExpressionError(f"`{value}` has only one end: expected a range such as `1..100`")
    first = parse_expression(low, names, constants, rows)
    last = parse_expression(high, names, constants, rows) if dots else first
    if first.constant is not None and last.constant is not None and first.constant > last.constant:
        raise ExpressionError(f"the range `{value}` is empty: {first.constant} is more than {last.constant}")
    return Range(low=first, high=last)


def parse_ranges(
    value: object, names: Sequence[str], constants: Mapping[str, int], rows: Sequence[str]
) -> tuple[Range, ...]:
    """Parse `1..9 or 11..19`; see `parse_expression`."""
    return tuple(parse_range(part, names, constants, rows) for part in re.split(r"\bor\b", str(value)))
