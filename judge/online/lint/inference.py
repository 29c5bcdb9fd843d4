"""Of which type is an expression? Only what is sure is told: literals, builtins, and names bound to nothing else.

A type is a name such as `str`, `dict`, `collections.Counter`, one with its elements: `list[str]`, or a class of the
source: `own Point`. What is not sure is "".
"""

import ast

from judge.online.lint.names import Binding, BindingKind, SymbolTable

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
    [
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "title",
        "capitalize",
        "casefold",
        "swapcase",
        "replace",
        "join",
        "format",
        "center",
        "ljust",
        "rjust",
        "zfill",
        "expandtabs",
        "translate",
        "removeprefix",
        "removesuffix",
        "format_map",
    ]
)
_LIST_METHODS = frozenset({"split", "rsplit", "splitlines"})
_VIEWS = {"keys": "dict_keys", "values": "dict_values", "items": "dict_items"}
_DICTS = frozenset({"dict", "collections.OrderedDict", "collections.defaultdict"})
_KNOWN = {
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
_OF_RE = {
    **dict.fromkeys(("re.match", "re.search", "re.fullmatch"), "re.Match"),
    "re.finditer": "iterator[re.Match]",
    "re.compile": "re.Pattern",
}
_DEEPEST = 12  # names that are defined by names that are ...


def base_of(kind: str) -> str:
    """Return a type without its elements."""
    return kind.partition("[")[0]


def element_of(kind: str) -> str:
    """Return the type of what iterating over a type gives; "" if unknown."""
    if kind in ("str", "file"):
        return "str"
    if kind == "binary file":
        return "bytes"
    if kind == "bytes":
        return "int"
    return kind.partition("[")[2].removesuffix("]")


class Inference:
    """Answers for the expressions of one source."""

    def __init__(self, names: SymbolTable) -> None:
        self._names = names
        self._types: dict[ast.AST, str] = {}

    def type_of(self, node: ast.AST | None, depth: int = 0) -> str:
        """Return an expression's type; "" if it is not sure."""
        if node is None or depth > _DEEPEST:
            return ""
        if node not in self._types:
            self._types[node] = ""  # while it is looked for: a name may be defined by itself
            self._types[node] = self._found(node, depth + 1)
        return self._types[node]

    def _found(self, node: ast.AST, deeper: int) -> str:  # noqa: C901, PLR0911, PLR0912 - a case a line
        match node:
            case ast.Constant(value=value):
                return "" if value is None or value is ... else type(value).__name__
            case ast.JoinedStr():
                return "str"
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return self._container(type(node).__name__.lower(), {self.type_of(part, deeper) for part in parts})
            case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
                names = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator"}
                return self._container(names[type(node)], {self.type_of(part, deeper)})
            case ast.Dict() | ast.DictComp():
                return "dict"
            case ast.NamedExpr(value=value):
                return self.type_of(value, deeper)
            case ast.IfExp(body=one, orelse=other):
                return self._common([one, other], deeper)
            case ast.BoolOp(values=values):
                return self._common(values, deeper)
            case ast.BinOp():
                return self._operation(node, deeper)
            case ast.Call():
                return self._call(node, deeper)
            case ast.Subscript(value=value, slice=at):
                kind = self.type_of(value, deeper)
                if isinstance(at, ast.Slice) or kind == "str":
                    return kind if base_of(kind) in ("str", "bytes", "list", "tuple") else ""
                return element_of(kind) if base_of(kind) in ("list", "tuple", "bytes") else ""
            case ast.Name() | ast.Attribute():
                return _KNOWN.get(self._names.origin(node), "") or self._name(node, deeper)
            case _:
                return ""

    def _container(self, name: str, elements: set[str]) -> str:
        element = elements.pop() if len(elements) == 1 else ""
        return f"{name}[{element}]" if element else name

    def _common(self, parts: list[ast.expr], depth: int) -> str:
        kinds = {self.type_of(part, depth) for part in parts}
        return kinds.pop() if len(kinds) == 1 else ""

    def _operation(self, node: ast.BinOp, depth: int) -> str:
        left, right = self.type_of(node.left, depth), self.type_of(node.right, depth)
        if isinstance(node.op, ast.Mod) and left in ("str", "bytes"):
            return left
        if left == right == "int":
            return "int" if isinstance(node.op, _ARITHMETIC) else ""
        if isinstance(node.op, ast.Add) and (left == right or not left or not right):
            known = left or right
            return known if known in ("str", "bytes") or (left == right and base_of(known) in ("list", "tuple")) else ""
        if isinstance(node.op, ast.Mult) and {left, right} & {"str", "bytes"}:
            return left if left in ("str", "bytes") else right
        return left if isinstance(node.op, ast.BitOr) and left == right and left in _DICTS else ""

    def _call(self, node: ast.Call, depth: int) -> str:  # noqa: PLR0911 - a rule a line
        origin = self._names.origin(node.func)
        first = node.args[0] if node.args else None
        if origin.startswith("builtins."):
            name = origin.removeprefix("builtins.")
            if name == "dict.fromkeys":
                return "dict"
            if name in _CONTAINERS:
                element = element_of(self.type_of(first, depth))
                return self._container("list" if name == "sorted" else name, {element} if element else set())
            if name == "map" and first is not None:
                made = _CALLS.get(self._names.origin(first).removeprefix("builtins."), "")
                return f"map[{made}]" if made in ("int", "str", "float") else "map"
            if name == "open" and any(isinstance(each, ast.Constant) and each.value == "rb" for each in node.args):
                return "binary file"
            return _CALLS.get(name, "")
        if origin.startswith("collections.") or origin in _CLASSES:
            return origin
        if origin in _OF_RE:
            return _OF_RE[origin]
        bound = self._names.bindings(node.func) if isinstance(node.func, ast.Name) else None
        if bound and all(each.kind is BindingKind.CLASS for each in bound):
            return f"own {ast.unparse(node.func)}"
        if isinstance(node.func, ast.Attribute):
            return self._method(self.type_of(node.func.value, depth), node.func.attr)
        return ""

    def _method(self, kind: str, name: str) -> str:  # noqa: PLR0911 - a rule a line
        text = kind in ("str", "bytes")
        if text and name in _TEXT_METHODS:
            return kind
        if text and name in _LIST_METHODS:
            return f"list[{kind}]"
        if kind == "re.Pattern":
            return _OF_RE.get(f"re.{name}", "")
        if kind == "str" and name == "encode":
            return "bytes"
        if kind == "bytes" and name == "decode":
            return "str"
        if kind in ("file", "binary file") and name in ("read", "readline"):
            return element_of(kind)
        if kind in ("file", "binary file") and name == "readlines":
            return f"list[{element_of(kind)}]"
        if base_of(kind) in _DICTS and name in _VIEWS:
            return _VIEWS[name]
        return kind if name == "copy" else ""

    def _name(self, node: ast.Name | ast.Attribute, depth: int) -> str:
        found = self._names.bindings(node) if isinstance(node, ast.Name) else None
        kinds = {self._bound(each, depth) for each in found or () if each.kind is not BindingKind.CHANGED}
        return kinds.pop() if len(kinds) == 1 else ""

    def _bound(self, binding: Binding, depth: int) -> str:
        match binding.kind:
            case BindingKind.VALUE:
                return self.type_of(binding.value, depth)
            case BindingKind.ELEMENT:
                return element_of(self.type_of(binding.value, depth))
            case BindingKind.PARAMETER:
                return self._annotated(binding.annotation)
            case _:
                return ""

    def _annotated(self, annotation: ast.expr | None) -> str:
        if isinstance(annotation, ast.Subscript):
            base, part = self._annotated(annotation.value), self._annotated(annotation.slice)
            return f"{base}[{part}]" if base == "list" and part else base
        origin = self._names.origin(annotation) if annotation is not None else ""
        aliases = {"typing.List": "list", "typing.Dict": "dict", "typing.Tuple": "tuple", "typing.Set": "set"}
        name = aliases.get(origin) or (origin.removeprefix("builtins.") if origin.startswith("builtins.") else "")
        return name if name in ("str", "int", "float", "bytes", "list", "dict", "tuple", "set") else ""
