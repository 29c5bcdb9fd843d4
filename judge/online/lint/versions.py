"""Which versions of Python run a source: what it needs that older ones lack, and what newer ones no longer have.

vermin knows since when syntax, modules, members and keyword arguments exist; `Names` says which member a name refers
to, so that a variable called `math` raises no alarm. Here are removals, and the few additions that contestants meet and
vermin lacks. What depends on the types of values shows only when the file runs.
"""

import ast
import collections.abc
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from judge.online.lint.requirements import Names, Requirement, require
from judge.online.python_source import PythonSource, Version, find_future_imports


def find_version_requirements(source: PythonSource, names: Names) -> Iterator[Requirement]:
    """Yield a requirement for each use of what not every Python 3.5 or newer has."""
    yield from _run_vermin(source)
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.NUMBER and "_" in token.string:
            line, column = token.start
            yield Requirement(
                line=line, column=column + 1, what=f"`_` in the number {token.string}", since=(3, 6), is_syntax=True,
                fix="remove the `_`",
            )  # fmt: skip
    unevaluated = _find_unevaluated(source.tree)
    for node in ast.walk(source.tree):
        yield from _check_library(node, names)
        if node not in unevaluated:
            yield from _check_types(node, names)
        if isinstance(node, ast.Call):
            yield from _check_call(node, names.resolve(node.func))


# ---- syntax ----------------------------------------------------------------------------------------------------------

# How vermin's descriptions of syntax begin, and the fix.
_SYNTAX = {
    "f-strings": "use `str.format`",
    "self-documenting f-strings": "write the name and the value separately",
    "variable annotations": "remove the annotation",
    "named expressions": "assign in a separate statement",
    "positional-only": "remove the `/`",
    "pattern matching": "use `if` and `elif`",
    "relaxed decorators": "assign the decorator to a name first",
    "`except*`": "use `except`",
    "type alias": "assign the type, or remove it",
    "template string": "use `str.format`",
    "continue in finally": "move the `continue` out of `finally`",
}
# How its descriptions of the rest begin that the rules below do not find.
_AT_RUN_TIME = {
    "dict union": "copy one and `update` it with the other",
    "'functools.lru_cache' user": "write `@lru_cache(maxsize=None)`",
}
_GUESSES = "dict union"  # vermin does not distinguish variables of the same name
_VERMIN_LINE = re.compile(r"source:(\d*):(\d*):[^:]*:~?3\.(\d+):(.*)")
_KEYWORD = re.compile(r"'([\w.]+)\((\w+)\)'")


def _run_vermin(source: PythonSource) -> Iterator[Requirement]:
    import vermin
    from vermin.formats import ParsableFormat

    config = vermin.Config()
    config.set_format(ParsableFormat())  # one line per requirement: path:line:column:2.x:3.x:description
    config.set_verbose(3)
    visitor = vermin.SourceVisitor(config, "source", source.text)
    visitor.set_no_lines(set())  # a comment for vermin must not hide a requirement
    visitor.tour(source.tree)
    visitor.minimum_versions()
    for output in visitor.output_text().splitlines():
        found = _VERMIN_LINE.fullmatch(output)
        if found is None or int(found[3]) <= 5:  # every judge has 3.5
            continue
        what = found[4]
        fix = next((fix for start, fix in (_SYNTAX | _AT_RUN_TIME).items() if what.startswith(start)), "")
        if keyword := _KEYWORD.fullmatch(what):
            what = f"`{keyword[1]}({keyword[2]}=...)`"
        elif not fix:
            continue
        yield Requirement(
            line=int(found[1] or 1), column=int(found[2] or 0), what=what, since=(3, int(found[3])), fix=fix,
            is_syntax=what.startswith(tuple(_SYNTAX)), is_sure=not what.startswith(_GUESSES),
        )  # fmt: skip


# ---- modules and their members ---------------------------------------------------------------------------------------

_PEP_594 = (
    *("aifc", "audioop", "cgi", "cgitb", "chunk", "crypt", "imghdr", "mailcap", "msilib", "nis", "nntplib"),
    *("ossaudiodev", "pipes", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib", "lib2to3"),
)
_PYTHON_2 = "this is Python 2: use "

# Removed modules: the first version without them, and the fix; "" to avoid them.
REMOVED_MODULES: Mapping[str, tuple[Version, str]] = {
    **dict.fromkeys(_PEP_594, ((3, 13), "")),
    **dict.fromkeys(("asynchat", "asyncore", "distutils", "smtpd"), ((3, 12), "")),
    "imp": ((3, 12), "use `importlib`"),
    "binhex": ((3, 11), "use `binascii`"),
    **dict.fromkeys(("formatter", "parser", "symbol"), ((3, 10), "")),
    "dummy_threading": ((3, 9), "use `threading`"),
    "Queue": ((3, 0), f"{_PYTHON_2}`queue`"),
    "cStringIO": ((3, 0), f"{_PYTHON_2}`io`"),
    "StringIO": ((3, 0), f"{_PYTHON_2}`io`"),
    "cPickle": ((3, 0), f"{_PYTHON_2}`pickle`"),
    "sets": ((3, 0), f"{_PYTHON_2}`set`"),
}

# Removed members that solutions use: the first version without them, and the fix.
_REMOVED_MEMBERS: Mapping[str, tuple[Version, str]] = {
    **{
        f"collections.{name}": ((3, 10), f"use `collections.abc.{name}`")
        for name in (*collections.abc.__all__, "ByteString")
    },
    "time.clock": ((3, 8), "use `time.perf_counter()`"),
    "fractions.gcd": ((3, 9), "use `math.gcd()`"),
    "inspect.getargspec": ((3, 11), "use `inspect.signature()`"),
    "itertools.izip": ((3, 0), f"{_PYTHON_2}`zip()`"),
    "itertools.imap": ((3, 0), f"{_PYTHON_2}`map()`"),
    "itertools.ifilter": ((3, 0), f"{_PYTHON_2}`filter()`"),
    "itertools.izip_longest": ((3, 0), f"{_PYTHON_2}`itertools.zip_longest()`"),
    "string.letters": ((3, 0), f"{_PYTHON_2}`string.ascii_letters`"),
    "string.lowercase": ((3, 0), f"{_PYTHON_2}`string.ascii_lowercase`"),
    "string.uppercase": ((3, 0), f"{_PYTHON_2}`string.ascii_uppercase`"),
    "string.maketrans": ((3, 0), f"{_PYTHON_2}`str.maketrans()`"),
    "string.join": ((3, 0), f"{_PYTHON_2}the method `join`"),
    "sys.maxint": ((3, 0), f"{_PYTHON_2}`sys.maxsize`"),
    "builtins.dict.has_key": ((3, 0), "this is Python 2: write `key in mapping`"),
    "builtins.dict.iteritems": ((3, 0), f"{_PYTHON_2}`items()`"),
    "builtins.dict.itervalues": ((3, 0), f"{_PYTHON_2}`values()`"),
    "builtins.xrange": ((3, 0), f"{_PYTHON_2}`range()`"),
    "builtins.raw_input": ((3, 0), f"{_PYTHON_2}`input()`"),
    "builtins.unicode": ((3, 0), f"{_PYTHON_2}`str()`"),
    "builtins.unichr": ((3, 0), f"{_PYTHON_2}`chr()`"),
    "builtins.basestring": ((3, 0), f"{_PYTHON_2}`str`"),
    "builtins.long": ((3, 0), f"{_PYTHON_2}`int()`"),
    "builtins.cmp": ((3, 0), "this is Python 2: write `(a > b) - (a < b)`"),
    "builtins.reduce": ((3, 0), f"{_PYTHON_2}`functools.reduce()`"),
}

# Missing in vermin's tables, or, as the first two, backported to 3.7 by the security releases of 2022.
_MORE_MEMBERS: Mapping[str, Version] = {
    "sys.set_int_max_str_digits": (3, 7),
    "sys.get_int_max_str_digits": (3, 7),
    "sys.stdin.reconfigure": (3, 7),
    "sys.stdout.reconfigure": (3, 7),
}

# Methods of builtin types alone: a value that has one is of that type, unless the source defines one like it.
_METHODS: Mapping[str, str] = {
    **dict.fromkeys(("removeprefix", "removesuffix", "isascii"), "str"),
    "bit_count": "int",
    **dict.fromkeys(("has_key", "iteritems", "itervalues"), "dict"),
}


@cache
def _load_rules() -> tuple[Mapping[str, tuple[Version | None, ...]], Mapping[str, tuple[Version | None, ...]]]:
    """Return vermin's tables: the first versions 2 and 3 that have a module, and a member."""
    import vermin

    config = vermin.Config()
    return vermin.MOD_REQS(config), vermin.MOD_MEM_REQS(config)


def _check_library(node: ast.AST, names: Names) -> Iterator[Requirement]:
    match node:
        case ast.Import(names=imported):
            for alias in imported:
                yield from _check_module(alias.name, alias)
        case ast.ImportFrom(module=str(module), level=0, names=imported):
            yield from _check_module(module, node)
            for alias in imported:
                yield from _check_member(f"{module}.{alias.name}", alias)
        case ast.Name(id=name) if not names.is_bound(name):
            for owner in ("builtins", *names.stars):
                yield from _check_member(f"{owner}.{name}", node)
        case ast.Attribute(ctx=ast.Load()) if path := names.resolve(node):
            yield from _check_member(path, node)
        case ast.Attribute(attr=name) if name in _METHODS and not names.is_bound(name) and name not in names.attributes:
            yield from _check_member(f"builtins.{_METHODS[name]}.{name}", node)


def _check_module(name: str, node: ast.AST) -> Iterator[Requirement]:
    parts = name.split(".")
    for path in (".".join(parts[:size]) for size in range(1, len(parts) + 1)):
        if path in REMOVED_MODULES:
            until, fix = REMOVED_MODULES[path]
            yield require(node, f"the module `{path}`", until=until, fix=fix)
        elif (rule := _load_rules()[0].get(path)) and rule[1]:
            yield require(node, f"the module `{path}`", since=rule[1])


def _check_member(path: str, node: ast.AST) -> Iterator[Requirement]:
    name = path.removeprefix("builtins.")
    since = _MORE_MEMBERS.get(name) or _load_rules()[1].get(name, (None, None))[1]
    if since:
        yield require(node, f"`{name}`", since=since)
    if path in _REMOVED_MEMBERS:
        until, fix = _REMOVED_MEMBERS[path]
        yield require(node, f"`{name}`", until=until, fix=fix)


# ---- types and calls -------------------------------------------------------------------------------------------------

_TYPES = frozenset(
    f"builtins.{name}"
    for name in (
        *("int", "str", "float", "bool", "bytes", "bytearray", "complex", "list", "dict", "tuple", "set"),
        *("frozenset", "object", "type", "range"),
    )
)
# Subscripts of these are allowed since 3.9 (PEP 585).
_GENERIC_TYPES = frozenset(
    {f"builtins.{name}" for name in ("list", "dict", "tuple", "set", "frozenset", "type")}
    | {f"collections.{name}" for name in ("deque", "defaultdict", "OrderedDict", "Counter", "ChainMap")}
)


def _find_unevaluated(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes of annotations that no interpreter evaluates.

    Those of a function's variables (PEP 526); with `from __future__ import annotations`, all of them (PEP 563).
    """
    nodes = list(ast.walk(tree))
    if "annotations" not in find_future_imports(tree):
        functions = (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        nodes = [each for function in functions for each in ast.walk(function) if isinstance(each, ast.AnnAssign)]
    parts = (getattr(node, name, None) for node in nodes for name in ("annotation", "returns"))
    return {each for part in parts if part is not None for each in ast.walk(part)}


def _check_types(node: ast.AST, names: Names) -> Iterator[Requirement]:
    match node:
        case ast.Subscript(value=value, ctx=ast.Load()) if (path := names.resolve(value)) in _GENERIC_TYPES:
            what = f"`{path.removeprefix('builtins.')}[...]`"
            yield require(node, what, since=(3, 9), fix="use `typing`, or remove the annotation")
        case ast.BinOp(op=ast.BitOr()) if _is_union(node, names):
            fix = "use `typing.Union`, or a tuple for `isinstance`"
            yield require(node, "`X | Y` of types", since=(3, 10), fix=fix)
        case ast.FunctionDef() | ast.ClassDef() if getattr(node, "type_params", []):  # from 3.12 on
            fix = "use `typing.TypeVar`"
            yield replace(require(node, "type parameters", since=(3, 12), fix=fix), is_syntax=True)


def _is_union(node: ast.BinOp, names: Names) -> bool:
    sides = (node.left, node.right)
    has_none = any(isinstance(side, ast.Constant) and side.value is None for side in sides)
    return has_none or all(_is_type(side, names) for side in sides)


def _is_type(node: ast.expr, names: Names) -> bool:
    match node:
        case ast.Subscript(value=value):
            return _is_type(value, names)
        case ast.BinOp(op=ast.BitOr()):
            return _is_union(node, names)
    path = names.resolve(node)
    return path in _TYPES or path.startswith("typing.")


def _check_call(node: ast.Call, path: str) -> Iterator[Requirement]:
    match path, node.args:
        case "math.gcd", arguments if len(arguments) != 2 or any(isinstance(each, ast.Starred) for each in arguments):
            fix = "use `functools.reduce(math.gcd, numbers)`"
            is_sure = not any(isinstance(each, ast.Starred) for each in arguments)
            yield replace(require(node, "`math.gcd` of any number of values", since=(3, 9), fix=fix), is_sure=is_sure)
        case "builtins.pow", [_, ast.UnaryOp(op=ast.USub()), _]:
            what = "`pow` with a negative exponent and a modulus"
            yield require(node, what, since=(3, 8), fix="use `pow(x, p - 2, p)` for a prime p")
