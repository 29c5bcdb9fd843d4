"""The types of expressions, as far as they are certain: literals, builtins, and names with one kind of binding.

A type is a name such as `str`, `dict` or `collections.Counter`, one with its elements, such as `list[str]`, or a class
of the source, such as `class Point`. An uncertain type is "".
"""

import ast

from judge.online.lint.symbol_table import Binding, BindingKind, SymbolTable

_CALLS = {
    **dict.fromkeys(("str", "input", "chr", "repr", "format", "bin", "hex", "oct", "ascii"), "str"),
    **dict.fromkeys(("int", "len", "ord", "hash", "id"), "int"),
    "range": "range[int]",
    "open": "file",
    "float": "float",
    "bytes": "bytes",
    "bytearray": "bytearray",
    "bool": "bool",
    "dict": "dict",
}
_CONTAINERS = frozenset({"list", "sorted", "set", "frozenset", "tuple", "reversed", "iter"})
_TEXT_METHODS = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "swapcase", "replace", "join"}
    | {"format", "format_map", "center", "ljust", "rjust", "zfill", "expandtabs", "translate"}
    | {"removeprefix", "removesuffix"}
)
_LIST_METHODS = frozenset({"split", "rsplit", "splitlines"})
_VIEWS = {"keys": "dict_keys", "values": "dict_values", "items": "dict_items"}
VIEW_TYPES = frozenset(_VIEWS.values())
DICT_TYPES = frozenset({"dict", "collections.OrderedDict", "collections.defaultdict"})
_MODULE_VALUES = {
    "sys.stdin": "file",
    "sys.stdin.buffer": "binary file",
    "sys.stdout": "file",
    "sys.stderr": "file",
    **{f"string.{name}": "str" for name in ("digits", "ascii_letters", "ascii_lowercase", "ascii_uppercase")},
    **{f"string.{name}": "str" for name in ("punctuation", "whitespace", "printable", "hexdigits", "octdigits")},
}
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift)
_CLASSES = frozenset(
    {"array.array", "datetime.date", "datetime.datetime", "decimal.Decimal", "fractions.Fraction", "io.StringIO"}
    | {"random.Random", "threading.Thread"}
)
_RE_CALLS = {
    **dict.fromkeys(("re.match", "re.search", "re.fullmatch"), "re.Match"),
    "re.finditer": "iterator[re.Match]",
    "re.compile": "re.Pattern",
}
_MAX_DEPTH = 12  # of names that are defined by other names


def base_type(kind: str) -> str:
    """Return a type without the type of its elements."""
    return kind.partition("[")[0]


def element_type(kind: str) -> str:
    """Return the type of the elements that iterating over a value gives; "" if unknown."""
    if kind in ("str", "file"):
        return "str"
    if kind == "binary file":
        return "bytes"
    if kind == "bytes":
        return "int"
    return kind.partition("[")[2].removesuffix("]")


def _only(kinds: set[str]) -> str:
    return kinds.pop() if len(kinds) == 1 else ""


class Inference:
    """Infers and remembers the types of one source's expressions."""

    def __init__(self, symbols: SymbolTable) -> None:
        self._symbols = symbols
        self._types: dict[ast.AST, str] = {}

    def infer(self, node: ast.AST | None, depth: int = 0) -> str:
        """Return the type of an expression; "" if it is not certain."""
        if node is None or depth > _MAX_DEPTH:
            return ""
        if node not in self._types:
            self._types[node] = ""  # for now: a name may be defined by itself
            self._types[node] = self._infer_node(node, depth + 1)
        return self._types[node]

    def _infer_node(self, node: ast.AST, depth: int) -> str:  # noqa: C901, PLR0911, PLR0912 - one case per kind of node
        match node:
            case ast.Constant(value=value):
                return "" if value is None or value is ... else type(value).__name__
            case ast.JoinedStr():
                return "str"
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return self._container_type(type(node).__name__.lower(), {self.infer(part, depth) for part in parts})
            case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
                names = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator"}
                return self._container_type(names[type(node)], {self.infer(part, depth)})
            case ast.Dict() | ast.DictComp():
                return "dict"
            case ast.NamedExpr(value=value):
                return self.infer(value, depth)
            case ast.IfExp(body=one, orelse=other):
                return self._common_type([one, other], depth)
            case ast.BoolOp(values=values):
                return self._common_type(values, depth)
            case ast.BinOp():
                return self._operation_type(node, depth)
            case ast.Call():
                return self._call_type(node, depth)
            case ast.Subscript(value=value, slice=at):
                kind = self.infer(value, depth)
                if isinstance(at, ast.Slice) or kind == "str":
                    return kind if base_type(kind) in ("str", "bytes", "list", "tuple") else ""
                return element_type(kind) if base_type(kind) in ("list", "tuple", "bytes") else ""
            case ast.Name() | ast.Attribute():
                return _MODULE_VALUES.get(self._symbols.resolve(node), "") or self._name_type(node, depth)
            case _:
                return ""

    def _container_type(self, name: str, elements: set[str]) -> str:
        element = _only(elements)
        return f"{name}[{element}]" if element else name

    def _common_type(self, parts: list[ast.expr], depth: int) -> str:
        return _only({self.infer(part, depth) for part in parts})

    def _operation_type(self, node: ast.BinOp, depth: int) -> str:
        left, right = self.infer(node.left, depth), self.infer(node.right, depth)
        if isinstance(node.op, ast.Mod) and left in ("str", "bytes"):
            return left
        if left == right == "int":
            return "int" if isinstance(node.op, _ARITHMETIC) else ""
        if isinstance(node.op, ast.Add) and (left == right or not left or not right):
            known = left or right
            is_list = left == right and base_type(known) in ("list", "tuple")
            return known if is_list or known in ("str", "bytes") else ""
        if isinstance(node.op, ast.Mult) and {left, right} & {"str", "bytes"}:
            return left if left in ("str", "bytes") else right
        return left if isinstance(node.op, ast.BitOr) and left == right and left in DICT_TYPES else ""

    def _call_type(self, node: ast.Call, depth: int) -> str:  # noqa: PLR0911 - one line per rule
        path = self._symbols.resolve(node.func)
        first = node.args[0] if node.args else None
        if path.startswith("builtins."):
            name = path.removeprefix("builtins.")
            if name == "dict.fromkeys":
                return "dict"
            if name in _CONTAINERS:
                element = element_type(self.infer(first, depth))
                return self._container_type("list" if name == "sorted" else name, {element} if element else set())
            if name == "map" and first is not None:
                result = _CALLS.get(self._symbols.resolve(first).removeprefix("builtins."), "")
                return f"map[{result}]" if result in ("int", "str", "float") else "map"
            if name == "open" and any(isinstance(each, ast.Constant) and each.value == "rb" for each in node.args):
                return "binary file"
            return _CALLS.get(name, "")
        if path.startswith("collections.") or path in _CLASSES:
            return path
        if path in _RE_CALLS:
            return _RE_CALLS[path]
        bound = self._symbols.bindings(node.func) if isinstance(node.func, ast.Name) else None
        if bound and all(each.kind is BindingKind.CLASS for each in bound):
            return f"class {ast.unparse(node.func)}"
        if isinstance(node.func, ast.Attribute):
            return self._method_type(self.infer(node.func.value, depth), node.func.attr)
        return ""

    def _method_type(self, kind: str, name: str) -> str:  # noqa: PLR0911 - one line per rule
        text = kind in ("str", "bytes")
        if text and name in _TEXT_METHODS:
            return kind
        if text and name in _LIST_METHODS:
            return f"list[{kind}]"
        if kind == "re.Pattern":
            return _RE_CALLS.get(f"re.{name}", "")
        if kind == "str" and name == "encode":
            return "bytes"
        if kind == "bytes" and name == "decode":
            return "str"
        if kind in ("file", "binary file") and name in ("read", "readline"):
            return element_type(kind)
        if kind in ("file", "binary file") and name == "readlines":
            return f"list[{element_type(kind)}]"
        if base_type(kind) in DICT_TYPES and name in _VIEWS:
            return _VIEWS[name]
        return kind if name == "copy" else ""

    def _name_type(self, node: ast.Name | ast.Attribute, depth: int) -> str:
        found = self._symbols.bindings(node) if isinstance(node, ast.Name) else None
        kinds = {self._binding_type(each, depth) for each in found or () if each.kind is not BindingKind.AUGMENTED}
        return _only(kinds)

    def _binding_type(self, binding: Binding, depth: int) -> str:
        match binding.kind:
            case BindingKind.VALUE:
                return self.infer(binding.value, depth)
            case BindingKind.ELEMENT:
                return element_type(self.infer(binding.value, depth))
            case BindingKind.PARAMETER:
                return self._annotated_type(binding.annotation)
            case _:
                return ""

    def _annotated_type(self, annotation: ast.expr | None) -> str:
        if isinstance(annotation, ast.Subscript):
            base, part = self._annotated_type(annotation.value), self._annotated_type(annotation.slice)
            return f"{base}[{part}]" if base == "list" and part else base
        path = self._symbols.resolve(annotation) if annotation is not None else ""
        aliases = {"typing.List": "list", "typing.Dict": "dict", "typing.Tuple": "tuple", "typing.Set": "set"}
        name = aliases.get(path) or (path.removeprefix("builtins.") if path.startswith("builtins.") else "")
        return name if name in ("str", "int", "float", "bytes", "list", "dict", "tuple", "set") else ""
