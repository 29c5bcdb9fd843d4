"""Uses of what always existed, in a way that not every Python takes: what vermin misses.

Each rule names the section of docs.python.org that says so, by its version: whatsnew/3.9 for `math.gcd(a, b, c)`.
"""

import ast
import re
from collections.abc import Callable, Iterator

from judge.online.lint.inference import Inference, base_of
from judge.online.lint.judges import Version
from judge.online.lint.names import BindingKind, SymbolTable
from judge.online.lint.parsing import Requirement, place_of

# PEP 585: these can be subscripted since 3.9.
_GENERIC = frozenset(f"builtins.{name}" for name in ("list", "dict", "tuple", "set", "frozenset", "type")) | frozenset(
    f"collections.{name}" for name in ("deque", "defaultdict", "OrderedDict", "Counter", "ChainMap")
)
_TYPES = frozenset(
    f"builtins.{name}"
    for name in [
        "int",
        "str",
        "float",
        "bool",
        "bytes",
        "bytearray",
        "complex",
        "list",
        "dict",
        "tuple",
        "set",
        "frozenset",
        "object",
        "type",
        "range",
    ]
)
_DICTS = frozenset({"dict", "collections.OrderedDict", "collections.defaultdict"})
_VIEWS = frozenset({"dict_keys", "dict_values", "dict_items"})
_UNDERSCORE = re.compile(r"\{[^{}]*:[^{}]*_[bdoxX]?\}")
_COUNTER_COMPARISONS = (ast.LtE, ast.Lt, ast.GtE, ast.Gt)
DIGITS = 4300  # docs.python.org, "Integer string conversion length limitation"
DIGITS_SINCE: Version = (3, 7)  # by the patches of 2022; every judge of the table but UVa runs later ones


def call_needs(tree: ast.Module, names: SymbolTable, inference: Inference) -> Iterator[Requirement]:
    """Yield a need for every such use."""
    rules = _Rules(tree, names, inference)
    for node in ast.walk(tree):
        match node:
            case ast.Call():
                yield from rules.call(node)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                yield from rules.union(node, left, right)
            case ast.AugAssign(op=ast.BitOr(), target=target):
                if inference.type_of(target) in _DICTS:
                    yield need(node, "`|=` of dictionaries", (3, 9), "use the method `update`")
            case ast.Subscript():
                yield from rules.subscript(node)
            case ast.Compare(left=left, ops=[op]) if isinstance(op, _COUNTER_COMPARISONS):
                if inference.type_of(left) == "collections.Counter":
                    yield need(node, "a comparison of Counters", (3, 10), "compare the counts one by one")


def need(node: ast.AST, what: str, since: Version, fix: str = "", *, is_sure: bool = True) -> Requirement:
    """Return a need at a node's place."""
    line, column = place_of(node)
    return Requirement(line=line, column=column, what=what, since=since, fix=fix, is_sure=is_sure)


class _Rules:
    def __init__(self, tree: ast.Module, names: SymbolTable, inference: Inference) -> None:
        self._names, self._inference = names, inference
        self._unevaluated = unevaluated(tree, names)

    def call(self, node: ast.Call) -> Iterator[Requirement]:
        rule = _BY_PATH.get(self._names.origin(node.func))
        if rule:
            yield from rule(node, self._inference)
        elif isinstance(node.func, ast.Attribute):
            kind = self._inference.type_of(node.func.value)
            if (kind, node.func.attr) in (("bytes", "hex"), ("bytearray", "hex")) and node.args:
                yield need(node, "`bytes.hex()` with a separator", (3, 8), "join the pairs yourself")
            if (kind, node.func.attr) == ("int", "to_bytes") and not (node.args and (node.args[1:] or node.keywords)):
                yield need(node, "`int.to_bytes()` without length and order", (3, 11), "say length and byte order")
            text = node.func.value
            is_format = node.func.attr == "format" and isinstance(text, ast.Constant) and isinstance(text.value, str)
            if is_format and _UNDERSCORE.search(str(text.value)):  # type: ignore[attr-defined]
                yield need(node, "`_` in a format", (3, 6), "use `,` and replace it")

    def union(self, node: ast.BinOp, left: ast.expr, right: ast.expr) -> Iterator[Requirement]:
        kinds = [self._inference.type_of(side) for side in (left, right)]
        if any(kind in _DICTS for kind in kinds) and all(kind in _DICTS or not kind for kind in kinds):
            if all(kinds) or not {"__or__", "__ror__"} & self._names.attributes:
                yield need(node, "`|` of dictionaries", (3, 9), "copy one and `update` it with the other")
        elif node not in self._unevaluated and self._is_union(left, right):
            yield need(node, "`X | Y` of types", (3, 10), "use `typing.Union`, or a tuple for `isinstance`")

    def _is_union(self, left: ast.expr, right: ast.expr) -> bool:
        sides = [self._is_type(side) for side in (left, right)]
        return all(sides) and not all(isinstance(side, ast.Constant) for side in (left, right))

    def _is_type(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=None):
                return True
            case ast.Subscript(value=value):
                return self._is_type(value)
            case ast.BinOp(op=ast.BitOr(), left=left, right=right):
                return self._is_type(left) and self._is_type(right)
            case ast.Name():
                found = self._names.bindings(node) or []
                is_class = bool(found) and all(each.kind is BindingKind.CLASS for each in found)
                return is_class or self._names.origin(node) in _TYPES or self._names.origin(node).startswith("typing.")
            case _:
                return self._names.origin(node).startswith("typing.")

    def subscript(self, node: ast.Subscript) -> Iterator[Requirement]:
        origin = self._names.origin(node.value)
        if origin in _GENERIC and isinstance(node.ctx, ast.Load) and node not in self._unevaluated:
            name = origin.removeprefix("builtins.")
            yield need(node, f"`{name}[...]`", (3, 9), "use `typing`, or leave the annotation out")
        if self._inference.type_of(node.value) == "re.Match":
            yield need(node, "an index of a match of `re`", (3, 6), "use the method `group`")


def unevaluated(tree: ast.Module, names: SymbolTable) -> set[ast.AST]:
    """Return the nodes of annotations that no interpreter evaluates.

    Those of a function's variables never are (PEP 526); with `from __future__ import annotations`, none is (PEP 563).
    """
    is_lazy = any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" and node.names[0].name == "annotations"
        for node in tree.body
    )
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        of_variable = isinstance(node, ast.AnnAssign) and names.is_in_function(node)
        parts = [getattr(node, "returns", None)] if is_lazy else []
        parts += [getattr(node, "annotation", None)] if is_lazy or of_variable else []
        for part in parts:
            if isinstance(part, ast.AST):
                found.update(ast.walk(part))
    return found


# ---- one function a rule -------------------------------------------------------------------------------------------


def _starred(node: ast.Call) -> bool:
    return any(isinstance(each, ast.Starred) for each in node.args)


def _gcd(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    if _starred(node):
        yield need(
            node,
            "`math.gcd(*numbers)`",
            (3, 9),
            "use `functools.reduce(math.gcd, numbers)`",
            is_sure=len(node.args) > 2,
        )
    elif len(node.args) != 2:
        yield need(node, "`math.gcd` of not two numbers", (3, 9), "use `functools.reduce(math.gcd, numbers)`")


def _hypot(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    if len(node.args) != 2 and not _starred(node):
        yield need(node, "`math.hypot` of not two numbers", (3, 8), "use `math.sqrt` of the sum of squares")


def _reversed(node: ast.Call, inference: Inference) -> Iterator[Requirement]:
    kind = base_of(inference.type_of(node.args[0])) if node.args else ""
    if kind in (_DICTS | _VIEWS) - {"collections.OrderedDict"}:
        yield need(node, "`reversed` of a dictionary", (3, 8), "make a list of it first")


def _number(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    match node.args:
        case [ast.Constant(value=str(text)), *_] if "_" in text:
            yield need(node, f"`_` in the number {text!r}", (3, 6), "leave the `_` out")


def _shuffle(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    if len(node.args) > 1 or node.keywords:
        line, column = place_of(node)
        yield Requirement(
            line=line, column=column, what="`random.shuffle` with a function", until=(3, 11), fix="seed it"
        )


def _sample(node: ast.Call, inference: Inference) -> Iterator[Requirement]:
    if node.args and base_of(inference.type_of(node.args[0])) in ("set", "frozenset"):
        line, column = place_of(node)
        what = "`random.sample` of a set"
        yield Requirement(line=line, column=column, what=what, until=(3, 11), fix="give it `sorted(...)` of the set")


def _from_bytes(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    if len(node.args) + len(node.keywords) == 1:
        yield need(node, "`int.from_bytes()` without the order", (3, 11), "say the byte order")


def _text(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    """A constant power with more digits than an interpreter turns into text."""
    for each in node.args:
        match each:
            case ast.BinOp(left=ast.Constant(value=int(base)), op=ast.Pow(), right=ast.Constant(value=int(power))):
                bits = power * base.bit_length()
            case ast.BinOp(left=ast.Constant(value=int(base)), op=ast.LShift(), right=ast.Constant(value=int(power))):
                bits = power + base.bit_length()
            case _:
                continue
        if bits * 0.30103 > DIGITS:
            line, column = place_of(each)
            yield Requirement(
                line=line, column=column, what=f"text of a number of more than {DIGITS} digits", until=DIGITS_SINCE,
                fix="call `sys.set_int_max_str_digits(0)` where `hasattr(sys, ...)` says it is there",
            )  # fmt: skip


def _power(node: ast.Call, _: Inference) -> Iterator[Requirement]:
    match node.args:
        case [_, ast.UnaryOp(op=ast.USub()), _]:
            yield need(node, "`pow` with a negative exponent and a modulus", (3, 8), "use pow(x, p - 2, p) for prime p")


_BY_PATH: dict[str, Callable[[ast.Call, Inference], Iterator[Requirement]]] = {
    "math.gcd": _gcd,
    "math.hypot": _hypot,
    "builtins.reversed": _reversed,
    "builtins.int": _number,
    "builtins.float": _number,
    "builtins.pow": _power,
    "builtins.str": _text,
    "builtins.print": _text,
    "random.shuffle": _shuffle,
    "random.sample": _sample,
    "builtins.int.from_bytes": _from_bytes,
}
