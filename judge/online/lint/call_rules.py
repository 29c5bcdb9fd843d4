"""What a source requires by how it uses old names: argument counts, operators and subscripts, which vermin misses.

docs.python.org documents each rule in "What's New" of the version, such as whatsnew/3.9 for `math.gcd(a, b, c)`.
"""

import ast
import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from judge.online.lint.inference import DICT_TYPES, VIEW_TYPES, Inference, base_type
from judge.online.lint.requirements import Requirement, require
from judge.online.lint.symbol_table import BindingKind, SymbolTable
from judge.online.python_source import Version, find_future_imports

# Subscripts of these are allowed since 3.9 (PEP 585).
_GENERIC_TYPES = frozenset(
    {f"builtins.{name}" for name in ("list", "dict", "tuple", "set", "frozenset", "type")}
    | {f"collections.{name}" for name in ("deque", "defaultdict", "OrderedDict", "Counter", "ChainMap")}
)
_TYPES = frozenset(
    f"builtins.{name}"
    for name in (
        *("int", "str", "float", "bool", "bytes", "bytearray", "complex", "list", "dict", "tuple", "set"),
        *("frozenset", "object", "type", "range"),
    )
)
_UNDERSCORE_FORMAT = re.compile(r"\{[^{}]*:[^{}]*_[bdoxX]?\}")
_MAX_DIGITS = 4300  # docs.python.org, "Integer string conversion length limitation"
# By the security releases of 2022; every judge of the table but UVa runs later ones.
_MAX_DIGITS_SINCE: Version = (3, 7)


def find_call_requirements(tree: ast.Module, symbols: SymbolTable, inference: Inference) -> Iterator[Requirement]:
    """Yield a requirement for each such use."""
    rules = _Rules(tree, symbols, inference)
    for node in ast.walk(tree):
        match node:
            case ast.Call():
                yield from rules.check_call(node)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                yield from rules.check_union(node, left, right)
            case ast.AugAssign(op=ast.BitOr(), target=target) if inference.infer(target) in DICT_TYPES:
                yield require(node, "`|=` of dictionaries", since=(3, 9), fix="use the method `update`")
            case ast.Subscript():
                yield from rules.check_subscript(node)
            case ast.Compare(left=left, ops=[ast.LtE() | ast.Lt() | ast.GtE() | ast.Gt()]):
                if inference.infer(left) == "collections.Counter":
                    yield require(node, "a comparison of Counters", since=(3, 10), fix="compare the counts one by one")


class _Rules:
    def __init__(self, tree: ast.Module, symbols: SymbolTable, inference: Inference) -> None:
        self._symbols, self._inference = symbols, inference
        self._unevaluated = _find_unevaluated(tree, symbols)

    def check_call(self, node: ast.Call) -> Iterator[Requirement]:
        rule = _FUNCTION_RULES.get(self._symbols.resolve(node.func))
        if rule:
            yield from rule(node, self._inference)
        elif isinstance(node.func, ast.Attribute):
            yield from self._check_method(node, node.func)

    def _check_method(self, node: ast.Call, method: ast.Attribute) -> Iterator[Requirement]:
        match self._inference.infer(method.value), method.attr:
            case ("bytes" | "bytearray", "hex") if node.args:
                yield require(node, "`bytes.hex()` with a separator", since=(3, 8), fix="join the pairs yourself")
            case ("int", "to_bytes") if not (node.args and (node.args[1:] or node.keywords)):
                what = "`int.to_bytes()` without length and byte order"
                yield require(node, what, since=(3, 11), fix="pass the length and the byte order")
        match method:
            case ast.Attribute(value=ast.Constant(value=str(text)), attr="format") if _UNDERSCORE_FORMAT.search(text):
                yield require(node, "`_` in a format", since=(3, 6), fix="use `,` and replace it")

    def check_union(self, node: ast.BinOp, left: ast.expr, right: ast.expr) -> Iterator[Requirement]:
        types = [self._inference.infer(side) for side in (left, right)]
        if any(each in DICT_TYPES for each in types) and all(each in DICT_TYPES or not each for each in types):
            if all(types) or not {"__or__", "__ror__"} & self._symbols.attributes:
                fix = "copy one and `update` it with the other"
                yield require(node, "`|` of dictionaries", since=(3, 9), fix=fix)
        elif node not in self._unevaluated and self._is_type_union(left, right):
            fix = "use `typing.Union`, or a tuple for `isinstance`"
            yield require(node, "`X | Y` of types", since=(3, 10), fix=fix)

    def _is_type_union(self, left: ast.expr, right: ast.expr) -> bool:
        are_constants = isinstance(left, ast.Constant) and isinstance(right, ast.Constant)
        return self._is_type(left) and self._is_type(right) and not are_constants

    def _is_type(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=None):
                return True
            case ast.Subscript(value=value):
                return self._is_type(value)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                return self._is_type(left) and self._is_type(right)
        path = self._symbols.resolve(node)
        bindings = self._symbols.bindings(node) if isinstance(node, ast.Name) else None
        is_class = bool(bindings) and all(each.kind is BindingKind.CLASS for each in bindings or ())
        return is_class or path in _TYPES or path.startswith("typing.")

    def check_subscript(self, node: ast.Subscript) -> Iterator[Requirement]:
        path = self._symbols.resolve(node.value)
        if path in _GENERIC_TYPES and isinstance(node.ctx, ast.Load) and node not in self._unevaluated:
            name = path.removeprefix("builtins.")
            yield require(node, f"`{name}[...]`", since=(3, 9), fix="use `typing`, or remove the annotation")
        if self._inference.infer(node.value) == "re.Match":
            yield require(node, "an index into a match of `re`", since=(3, 6), fix="use the method `group`")


def _find_unevaluated(tree: ast.Module, symbols: SymbolTable) -> set[ast.AST]:
    """Return the nodes of annotations that no interpreter evaluates.

    Those of a function's variables (PEP 526); with `from __future__ import annotations`, all of them (PEP 563).
    """
    is_lazy = "annotations" in find_future_imports(tree)
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_local = isinstance(node, ast.AnnAssign) and symbols.is_in_function(node)
        parts = [getattr(node, "returns", None)] if is_lazy else []
        parts += [getattr(node, "annotation", None)] if is_lazy or is_local else []
        for part in parts:
            if isinstance(part, ast.AST):
                found.update(ast.walk(part))
    return found


# ---- one function per rule -------------------------------------------------------------------------------------------


def _has_starred(node: ast.Call) -> bool:
    return any(isinstance(each, ast.Starred) for each in node.args)


def _check_gcd(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    fix = "use `functools.reduce(math.gcd, numbers)`"
    if _has_starred(node):
        yield replace(require(node, "`math.gcd(*numbers)`", since=(3, 9), fix=fix), is_sure=len(node.args) > 2)
    elif len(node.args) != 2:
        yield require(node, f"`math.gcd` with {_count(node)}", since=(3, 9), fix=fix)


def _check_hypot(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    if len(node.args) != 2 and not _has_starred(node):
        fix = "use `math.sqrt` of the sum of squares"
        yield require(node, f"`math.hypot` with {_count(node)}", since=(3, 8), fix=fix)


def _count(node: ast.Call) -> str:
    return "1 argument" if len(node.args) == 1 else f"{len(node.args)} arguments"


def _check_reversed(node: ast.Call, inference: Inference) -> Iterator[Requirement]:
    kind = base_type(inference.infer(node.args[0])) if node.args else ""
    if kind in (DICT_TYPES | VIEW_TYPES) - {"collections.OrderedDict"}:
        yield require(node, "`reversed` of a dictionary", since=(3, 8), fix="make a list of it first")


def _check_number(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    match node.args:
        case [ast.Constant(value=str(text)), *_] if "_" in text:
            yield require(node, f"`_` in the number {text!r}", since=(3, 6), fix="remove the `_`")


def _check_shuffle(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    if len(node.args) > 1 or node.keywords:
        yield require(node, "`random.shuffle` with a function", until=(3, 11), fix="call `random.seed` instead")


def _check_sample(node: ast.Call, inference: Inference) -> Iterator[Requirement]:
    if node.args and base_type(inference.infer(node.args[0])) in ("set", "frozenset"):
        yield require(node, "`random.sample` of a set", until=(3, 11), fix="pass `sorted(...)` of the set")


def _check_from_bytes(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    if len(node.args) + len(node.keywords) == 1:
        yield require(node, "`int.from_bytes()` without a byte order", since=(3, 11), fix="pass the byte order")


def _check_text(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    """Yield a requirement for a constant power with more digits than an interpreter converts to text."""
    for argument in node.args:
        match argument:
            case ast.BinOp(left=ast.Constant(value=int(base)), op=ast.Pow(), right=ast.Constant(value=int(power))):
                bits = power * base.bit_length()
            case ast.BinOp(left=ast.Constant(value=int(base)), op=ast.LShift(), right=ast.Constant(value=int(power))):
                bits = power + base.bit_length()
            case _:
                continue
        if bits * 0.30103 > _MAX_DIGITS:  # log10(2)
            what = f"the text of a number with more than {_MAX_DIGITS} digits"
            fix = "call `sys.set_int_max_str_digits(0)` if `hasattr(sys, ...)` finds it"
            removal = "an error since the 2022 security releases of"
            yield replace(require(argument, what, until=_MAX_DIGITS_SINCE, fix=fix), removal=removal)


def _check_power(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    match node.args:
        case [_, ast.UnaryOp(op=ast.USub()), _]:
            what = "`pow` with a negative exponent and a modulus"
            yield require(node, what, since=(3, 8), fix="use `pow(x, p - 2, p)` for a prime p")


_FUNCTION_RULES: dict[str, Callable[[ast.Call, Inference], Iterator[Requirement]]] = {
    "math.gcd": _check_gcd,
    "math.hypot": _check_hypot,
    "builtins.reversed": _check_reversed,
    "builtins.int": _check_number,
    "builtins.float": _check_number,
    "builtins.pow": _check_power,
    "builtins.str": _check_text,
    "builtins.print": _check_text,
    "random.shuffle": _check_shuffle,
    "random.sample": _check_sample,
    "builtins.int.from_bytes": _check_from_bytes,
}
