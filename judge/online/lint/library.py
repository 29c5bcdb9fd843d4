"""What of the standard library a source uses that not every Python has: modules, members and keywords.

From which version on is vermin's knowledge (its tables of rules); which name means which member is ours to find out
(`names`), so that a variable that is called like a module raises no alarm. What was removed, and the few things that
vermin's tables lack, stand in `removals` and `calls`.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from judge.online.lint.inference import Inference, base_of
from judge.online.lint.judges import Version
from judge.online.lint.names import SymbolTable
from judge.online.lint.parsing import Requirement, place_of

_PEP_594 = (
    *("aifc", "audioop", "cgi", "cgitb", "chunk", "crypt", "imghdr", "mailcap", "msilib", "nis", "nntplib"),
    *("ossaudiodev", "pipes", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib", "lib2to3"),
)

# A module, the first version without it, and what to use instead.
REMOVED_MODULES: Mapping[str, tuple[Version, str]] = {
    **{
        name: ((3, 13), f"do without `{name}`: PEP 594 took it out")
        for name in _PEP_594
    },
    **{
        name: ((3, 12), f"do without `{name}`")
        for name in ("asynchat", "asyncore", "distutils", "smtpd")
    },
    "imp": ((3, 12), "use `importlib`"),
    "binhex": ((3, 11), "use `binascii`"),
    "formatter": ((3, 10), "do without `formatter`"),
    "parser": ((3, 10), "use `ast`"),
    "symbol": ((3, 10), "use `ast`"),
    "dummy_threading": ((3, 9), "use `threading`"),
    "Queue": ((3, 0), "this is Python 2: use `queue`"),
    "cStringIO": ((3, 0), "this is Python 2: use `io`"),
    "StringIO": ((3, 0), "this is Python 2: use `io`"),
    "cPickle": ((3, 0), "this is Python 2: use `pickle`"),
    "sets": ((3, 0), "this is Python 2: use `set`"),
}  # fmt: skip

_ABSTRACT = [
    "Awaitable",
    "Coroutine",
    "AsyncIterable",
    "AsyncIterator",
    "AsyncGenerator",
    "Hashable",
    "Iterable",
    "Iterator",
    "Generator",
    "Reversible",
    "Container",
    "Collection",
    "Callable",
    "Set",
    "MutableSet",
    "Mapping",
    "MutableMapping",
    "MappingView",
    "KeysView",
    "ItemsView",
    "ValuesView",
    "Sequence",
    "MutableSequence",
    "ByteString",
]

# A member, the first version without it, and what to use instead.
REMOVALS: Mapping[str, tuple[Version, str]] = {
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
    "sys.set_coroutine_wrapper": ((3, 8), "do without it"),
    "platform.dist": ((3, 8), "do without it"),
    "platform.linux_distribution": ((3, 8), "do without it"),
    "os.errno": ((3, 7), "`import errno`"),
    "random.jumpahead": ((3, 0), "do without it"),
    "asyncio.coroutine": ((3, 11), "write `async def`"),
    "inspect.getargspec": ((3, 11), "use `inspect.signature()`"),
    "inspect.formatargspec": ((3, 11), "use `inspect.signature()`"),
    "gettext.lgettext": ((3, 11), "use `gettext.gettext()`"),
    "locale.format": ((3, 12), "use `locale.format_string()`"),
    "pkgutil.ImpImporter": ((3, 12), "use `importlib`"),
    "sqlite3.enable_shared_cache": ((3, 12), "do without it"),
    "unittest.makeSuite": ((3, 13), "use `unittest.TestLoader`"),
    "unittest.findTestCases": ((3, 13), "use `unittest.TestLoader`"),
    "typing.io": ((3, 13), "import from `typing`"),
    "typing.re": ((3, 13), "import from `typing`"),
    "locale.resetlocale": ((3, 13), "use `locale.setlocale(locale.LC_ALL, '')`"),
    "tempfile.template": ((3, 13), "do without it"),
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
    "builtins.execfile": ((3, 0), "this is Python 2: do without it"),
}


Rule = tuple[Version | None, Version | None]

# Methods that only builtin types have, so that a value of unknown type is one of them, or there is an AttributeError.
DISTINCTIVE = {
    "removeprefix": ("str", (3, 9)),
    "removesuffix": ("str", (3, 9)),
    "isascii": ("str", (3, 7)),
    "bit_count": ("int", (3, 10)),
}

# vermin's tables lack these, or do not know of the patches of 2022, by which 3.7 to 3.10 have the first two.
_MORE_MEMBERS: Mapping[str, Version] = {
    "sys.set_int_max_str_digits": (3, 7),
    "sys.get_int_max_str_digits": (3, 7),
    "sys.stdin.reconfigure": (3, 7),
    "sys.stdout.reconfigure": (3, 7),
    "int.is_integer": (3, 12),
    "fractions.Fraction.is_integer": (3, 12),
}


@cache
def _rules() -> tuple[Mapping[str, Rule], Mapping[str, Rule], Mapping[tuple[str, str], Rule]]:
    """Return vermin's tables: modules, members, keywords; to the first version 2 and 3 that have them."""
    import vermin

    config = vermin.Config()
    return vermin.MOD_REQS(config), vermin.MOD_MEM_REQS(config), vermin.KWARGS_REQS(config)


def library_needs(tree: ast.Module, names: SymbolTable, inference: Inference) -> Iterator[Requirement]:
    """Yield a need for every use of something that Python 3 did not always have, or has no more."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=imported):
                for alias in imported:
                    yield from _module(alias.name, alias)
            case ast.ImportFrom(module=str(module), level=0, names=imported):
                yield from _module(module, node)
                for alias in imported:
                    yield from _member(f"{module}.{alias.name}", alias)
            case ast.Name(ctx=ast.Load()):
                yield from _name(node, names)
            case ast.Attribute(ctx=ast.Load()):
                yield from _attribute(node, names, inference)
            case ast.Call(func=function, keywords=keywords):
                yield from _keywords(_paths(function, names, inference), keywords)


def _name(node: ast.Name, names: SymbolTable) -> Iterator[Requirement]:
    if (origin := names.origin(node)).startswith("builtins."):
        yield from _member(origin, node)
    elif starred := next((path for path in names.starred(node) if path in _rules()[1]), ""):
        yield from _member(starred, node)
    elif names.bindings(node) is None:
        yield from _gone(f"builtins.{node.id}", node)


def _paths(function: ast.expr, names: SymbolTable, inference: Inference) -> Iterator[str]:
    if origin := names.origin(function):
        yield origin.removeprefix("builtins.")
    elif isinstance(function, ast.Attribute) and (kind := inference.type_of(function.value)):
        yield f"{base_of(kind)}.{function.attr}"


def _module(name: str, node: ast.AST) -> Iterator[Requirement]:
    modules = _rules()[0]
    line, column = place_of(node)
    parts = name.split(".")
    for path in (".".join(parts[:size]) for size in range(1, len(parts) + 1)):
        if path in REMOVED_MODULES:
            until, fix = REMOVED_MODULES[path]
            yield Requirement(line=line, column=column, what=f"the module `{path}`", until=until, fix=fix)
        elif (rule := modules.get(path)) and rule[1]:
            yield Requirement(line=line, column=column, what=f"the module `{path}`", since=rule[1])


def _member(path: str, node: ast.AST) -> Iterator[Requirement]:
    plain = path.removeprefix("builtins.")
    since = _MORE_MEMBERS.get(plain) or (_rules()[1].get(plain) or (None, None))[1]
    line, column = place_of(node)
    if since:
        yield Requirement(line=line, column=column, what=f"`{plain}`", since=since)
    yield from _gone(path, node)


def _gone(path: str, node: ast.AST) -> Iterator[Requirement]:
    if path in REMOVALS:
        until, fix = REMOVALS[path]
        line, column = place_of(node)
        yield Requirement(line=line, column=column, what=f"`{path.removeprefix('builtins.')}`", until=until, fix=fix)


def _attribute(node: ast.Attribute, names: SymbolTable, inference: Inference) -> Iterator[Requirement]:
    origin = names.origin(node)
    if origin:
        yield from _member(origin, node)
    if kind := inference.type_of(node.value):
        yield from _member(f"{base_of(kind)}.{node.attr}", node)
        if base_of(kind) in ("dict", "str"):
            yield from _gone(f"builtins.{base_of(kind)}.{node.attr}", node)
    elif not origin and node.attr in DISTINCTIVE and node.attr not in names.attributes:
        of, since = DISTINCTIVE[node.attr]
        line, column = place_of(node)
        yield Requirement(line=line, column=column, what=f"`{of}.{node.attr}`", since=since)


def _keywords(paths: Iterator[str], keywords: list[ast.keyword]) -> Iterator[Requirement]:
    table = _rules()[2]
    for path in paths:
        for each in keywords:
            if each.arg and (rule := table.get((path, each.arg))) and rule[1]:
                line, column = place_of(each)
                yield Requirement(line=line, column=column, what=f"`{path}({each.arg}=...)`", since=rule[1])
