"""What Python 3 had and has no more, by the "Removed" sections of docs.python.org/3/whatsnew; what Python 2 had, too.

vermin knows no removals: its question is from which version on, not until which.
"""

from collections.abc import Mapping

from judge.readiness.judges import Version

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
