"""What a source requires of the standard library: modules, members and keyword arguments.

vermin's tables say since when something exists. `symbol_table` says which member a name refers to, so that a variable
called `math` raises no alarm. Removals, and the few additions that vermin's tables lack, are in the tables below.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from judge.online.lint.inference import Inference, base_type
from judge.online.lint.requirements import Requirement, require
from judge.online.lint.symbol_table import SymbolTable
from judge.online.python_source import Version

_PEP_594 = (
    *("aifc", "audioop", "cgi", "cgitb", "chunk", "crypt", "imghdr", "mailcap", "msilib", "nis", "nntplib"),
    *("ossaudiodev", "pipes", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib", "lib2to3"),
)

# Removed modules: the first version without them, and the fix.
REMOVED_MODULES: Mapping[str, tuple[Version, str]] = {
    **{name: ((3, 13), f"avoid `{name}`: PEP 594 removed it") for name in _PEP_594},
    **{name: ((3, 12), f"avoid `{name}`") for name in ("asynchat", "asyncore", "distutils", "smtpd")},
    "imp": ((3, 12), "use `importlib`"),
    "binhex": ((3, 11), "use `binascii`"),
    "formatter": ((3, 10), "avoid `formatter`"),
    "parser": ((3, 10), "use `ast`"),
    "symbol": ((3, 10), "use `ast`"),
    "dummy_threading": ((3, 9), "use `threading`"),
    "Queue": ((3, 0), "this is Python 2: use `queue`"),
    "cStringIO": ((3, 0), "this is Python 2: use `io`"),
    "StringIO": ((3, 0), "this is Python 2: use `io`"),
    "cPickle": ((3, 0), "this is Python 2: use `pickle`"),
    "sets": ((3, 0), "this is Python 2: use `set`"),
}

_ABSTRACT = (
    *("Awaitable", "Coroutine", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "Hashable", "Iterable", "Iterator"),
    *("Generator", "Reversible", "Container", "Collection", "Callable", "Set", "MutableSet", "Mapping"),
    *("MutableMapping", "MappingView", "KeysView", "ItemsView", "ValuesView", "Sequence", "MutableSequence"),
    "ByteString",
)

# Removed members: the first version without them, and the fix.
REMOVED_MEMBERS: Mapping[str, tuple[Version, str]] = {
    **{f"collections.{name}": ((3, 10), f"use `collections.abc.{name}`") for name in _ABSTRACT},
    "collections.abc.ByteString": ((3, 14), "use `bytes`"),
    "time.clock": ((3, 8), "use `time.perf_counter()`"),
    "fractions.gcd": ((3, 9), "use `math.gcd()`"),
    "base64.encodestring": ((3, 9), "use `base64.encodebytes()`"),
    "base64.decodestring": ((3, 9), "use `base64.decodebytes()`"),
    "array.array.tostring": ((3, 9), "use `tobytes()`"),
    "array.array.fromstring": ((3, 9), "use `frombytes()`"),
    "threading.Thread.isAlive": ((3, 9), "use `is_alive()`"),
    "sys.getcheckinterval": ((3, 9), "use `sys.getswitchinterval()`"),
    "sys.setcheckinterval": ((3, 9), "use `sys.setswitchinterval()`"),
    "sys.set_coroutine_wrapper": ((3, 8), "avoid it"),
    "platform.dist": ((3, 8), "avoid it"),
    "platform.linux_distribution": ((3, 8), "avoid it"),
    "os.errno": ((3, 7), "`import errno`"),
    "random.jumpahead": ((3, 0), "avoid it"),
    "asyncio.coroutine": ((3, 11), "write `async def`"),
    "inspect.getargspec": ((3, 11), "use `inspect.signature()`"),
    "inspect.formatargspec": ((3, 11), "use `inspect.signature()`"),
    "gettext.lgettext": ((3, 11), "use `gettext.gettext()`"),
    "locale.format": ((3, 12), "use `locale.format_string()`"),
    "pkgutil.ImpImporter": ((3, 12), "use `importlib`"),
    "sqlite3.enable_shared_cache": ((3, 12), "avoid it"),
    "unittest.makeSuite": ((3, 13), "use `unittest.TestLoader`"),
    "unittest.findTestCases": ((3, 13), "use `unittest.TestLoader`"),
    "typing.io": ((3, 13), "import from `typing`"),
    "typing.re": ((3, 13), "import from `typing`"),
    "locale.resetlocale": ((3, 13), "use `locale.setlocale(locale.LC_ALL, '')`"),
    "tempfile.template": ((3, 13), "avoid it"),
    "ast.Num": ((3, 14), "use `ast.Constant`"),
    "ast.Str": ((3, 14), "use `ast.Constant`"),
    "itertools.izip": ((3, 0), "this is Python 2: use `zip()`"),
    "itertools.imap": ((3, 0), "this is Python 2: use `map()`"),
    "itertools.ifilter": ((3, 0), "this is Python 2: use `filter()`"),
    "itertools.izip_longest": ((3, 0), "this is Python 2: use `itertools.zip_longest()`"),
    "string.letters": ((3, 0), "this is Python 2: use `string.ascii_letters`"),
    "string.lowercase": ((3, 0), "this is Python 2: use `string.ascii_lowercase`"),
    "string.uppercase": ((3, 0), "this is Python 2: use `string.ascii_uppercase`"),
    "string.maketrans": ((3, 0), "this is Python 2: use `str.maketrans()`"),
    "string.join": ((3, 0), "this is Python 2: use the method `join`"),
    "sys.maxint": ((3, 0), "this is Python 2: use `sys.maxsize`"),
    "os.getcwdu": ((3, 0), "this is Python 2: use `os.getcwd()`"),
    "builtins.dict.has_key": ((3, 0), "this is Python 2: write `key in mapping`"),
    "builtins.dict.iteritems": ((3, 0), "this is Python 2: use `items()`"),
    "builtins.dict.iterkeys": ((3, 0), "this is Python 2: use `keys()`"),
    "builtins.dict.itervalues": ((3, 0), "this is Python 2: use `values()`"),
    "builtins.xrange": ((3, 0), "this is Python 2: use `range()`"),
    "builtins.raw_input": ((3, 0), "this is Python 2: use `input()`"),
    "builtins.unicode": ((3, 0), "this is Python 2: use `str()`"),
    "builtins.unichr": ((3, 0), "this is Python 2: use `chr()`"),
    "builtins.basestring": ((3, 0), "this is Python 2: use `str`"),
    "builtins.long": ((3, 0), "this is Python 2: use `int()`"),
    "builtins.cmp": ((3, 0), "this is Python 2: write `(a > b) - (a < b)`"),
    "builtins.reduce": ((3, 0), "this is Python 2: use `functools.reduce()`"),
    "builtins.execfile": ((3, 0), "this is Python 2: avoid it"),
}


# Methods of builtin types alone: a value of unknown type that has one is of that type.
_DISTINCTIVE_METHODS: Mapping[str, tuple[str, Version]] = {
    "removeprefix": ("str", (3, 9)),
    "removesuffix": ("str", (3, 9)),
    "isascii": ("str", (3, 7)),
    "bit_count": ("int", (3, 10)),
}

# Missing in vermin's tables, or, as the first two, backported to 3.7 by the security releases of 2022.
_MORE_MEMBERS: Mapping[str, Version] = {
    "sys.set_int_max_str_digits": (3, 7),
    "sys.get_int_max_str_digits": (3, 7),
    "sys.stdin.reconfigure": (3, 7),
    "sys.stdout.reconfigure": (3, 7),
    "int.is_integer": (3, 12),
    "fractions.Fraction.is_integer": (3, 12),
}

_Rule = tuple[Version | None, Version | None]
"""The first versions 2 and 3 that have something."""


@cache
def _load_rules() -> tuple[Mapping[str, _Rule], Mapping[str, _Rule], Mapping[tuple[str, str], _Rule]]:
    """Return vermin's tables of modules, members and keyword arguments."""
    import vermin

    config = vermin.Config()
    return vermin.MOD_REQS(config), vermin.MOD_MEM_REQS(config), vermin.KWARGS_REQS(config)


def find_library_requirements(tree: ast.Module, symbols: SymbolTable, inference: Inference) -> Iterator[Requirement]:
    """Yield a requirement for each use of something that not every Python 3 has."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=imported):
                for alias in imported:
                    yield from _check_module(alias.name, alias)
            case ast.ImportFrom(module=str(module), level=0, names=imported):
                yield from _check_module(module, node)
                for alias in imported:
                    yield from _check_member(f"{module}.{alias.name}", alias)
            case ast.Name(ctx=ast.Load()):
                yield from _check_name(node, symbols)
            case ast.Attribute(ctx=ast.Load()):
                yield from _check_attribute(node, symbols, inference)
            case ast.Call(func=function, keywords=keywords):
                yield from _check_keywords(_callable_path(function, symbols, inference), keywords)


def _check_module(name: str, node: ast.AST) -> Iterator[Requirement]:
    modules = _load_rules()[0]
    parts = name.split(".")
    for path in (".".join(parts[:size]) for size in range(1, len(parts) + 1)):
        if path in REMOVED_MODULES:
            until, fix = REMOVED_MODULES[path]
            yield require(node, f"the module `{path}`", until=until, fix=fix)
        elif (rule := modules.get(path)) and rule[1]:
            yield require(node, f"the module `{path}`", since=rule[1])


def _check_member(path: str, node: ast.AST) -> Iterator[Requirement]:
    name = path.removeprefix("builtins.")
    since = _MORE_MEMBERS.get(name) or (_load_rules()[1].get(name) or (None, None))[1]
    if since:
        yield require(node, f"`{name}`", since=since)
    yield from _check_removed(path, node)


def _check_removed(path: str, node: ast.AST) -> Iterator[Requirement]:
    if path in REMOVED_MEMBERS:
        until, fix = REMOVED_MEMBERS[path]
        yield require(node, f"`{path.removeprefix('builtins.')}`", until=until, fix=fix)


def _check_name(node: ast.Name, symbols: SymbolTable) -> Iterator[Requirement]:
    if (path := symbols.resolve(node)).startswith("builtins."):
        yield from _check_member(path, node)
    elif starred := next((each for each in symbols.resolve_star(node) if each in _load_rules()[1]), ""):
        yield from _check_member(starred, node)
    elif symbols.bindings(node) is None:
        yield from _check_removed(f"builtins.{node.id}", node)


def _check_attribute(node: ast.Attribute, symbols: SymbolTable, inference: Inference) -> Iterator[Requirement]:
    path = symbols.resolve(node)
    if path:
        yield from _check_member(path, node)
    if kind := base_type(inference.infer(node.value)):
        yield from _check_member(f"{kind}.{node.attr}", node)
        if kind in ("dict", "str"):
            yield from _check_removed(f"builtins.{kind}.{node.attr}", node)
    elif not path and node.attr in _DISTINCTIVE_METHODS and node.attr not in symbols.attributes:
        owner, since = _DISTINCTIVE_METHODS[node.attr]
        yield require(node, f"`{owner}.{node.attr}`", since=since)


def _callable_path(function: ast.expr, symbols: SymbolTable, inference: Inference) -> str:
    """Return the dotted path of what is called, such as `sum` or `str.replace`; "" if unknown."""
    if path := symbols.resolve(function):
        return path.removeprefix("builtins.")
    if isinstance(function, ast.Attribute) and (kind := inference.infer(function.value)):
        return f"{base_type(kind)}.{function.attr}"
    return ""


def _check_keywords(path: str, keywords: Iterable[ast.keyword]) -> Iterator[Requirement]:
    table = _load_rules()[2]
    for keyword in keywords:
        if path and keyword.arg and (rule := table.get((path, keyword.arg))) and rule[1]:
            yield require(keyword, f"`{path}({keyword.arg}=...)`", since=rule[1])
