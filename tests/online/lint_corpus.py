"""Snippets with the first Python 3 that runs them, and some with the first that no longer does.

Each is a whole program, so that `test_lint.py` can run it on the real interpreters that are installed.
"""

from msgspec import Struct

Version = tuple[int, int]


class Snippet(Struct, frozen=True, kw_only=True):
    """A program.

    Attributes:
        since: the first version that runs it; 3.5 if every judge does.
        until: the first version that no longer runs it; None if all newer ones do.
        host: the first version that parses it; `judge` cannot check it on an older one.
    """

    source: str
    since: Version = (3, 5)
    until: Version | None = None
    host: Version = (3, 11)


def _since(version: Version, *sources: str, host: Version = (3, 11)) -> list[Snippet]:
    return [Snippet(source=source, since=version, host=host) for source in sources]


def _until(version: Version, *sources: str) -> list[Snippet]:
    return [Snippet(source=source, until=version) for source in sources]


NEW: list[Snippet] = [
    *_since(
        (3, 6),
        "x = 3\nprint(f'{x}')",
        "print(1_000_000)",
        "x: int = 5\nprint(x)",
        "class P:\n    x: int = 5\nprint(P.x)",
        "import random\nprint(len(random.choices([1, 2], k=3)))",
        "import math\nprint(math.tau)",
        "from enum import Enum, auto\nclass C(Enum):\n    A = auto()\nprint(C.A)",
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\nprint(P(1))",
    ),
    *_since(
        (3, 7),
        "from __future__ import annotations\nprint(1)",
        "from __future__ import division, annotations\ndef f(x: int | None) -> list[int]:\n    pass\nprint(f(1))",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nprint(P(1))",
        "from collections import namedtuple\nP = namedtuple('P', 'x y', defaults=[1])\nprint(P(2))",
        "import time\nprint(time.time_ns() > 0)",
        "def f(text):\n    return text.isascii()\nprint(f('a'))",
        "from contextlib import nullcontext\nwith nullcontext():\n    print(1)",
        "import sys\nsys.set_int_max_str_digits(0)\nprint(1)",
        "import sys\nsys.stdin.reconfigure(errors='replace')\nprint(1)",
    ),
    *_since(
        (3, 8),
        "if (n := 3) > 2:\n    print(n)",
        "def f(a, /, b):\n    return a + b\nprint(f(1, 2))",
        "x = 1\nprint(f'{x=}')",
        "import math\nprint(math.prod([1, 2, 3]))",
        "from math import isqrt\nprint(isqrt(10))",
        "from math import comb as choose\nprint(choose(4, 2))",
        "from math import *\nprint(perm(4, 2))",
        "import math as m\nprint(m.dist((0, 0), (3, 4)))",
        "print(pow(3, -1, 7))",
        "print(sum([1, 2], start=3))",
        "from functools import lru_cache\n@lru_cache\ndef f(n):\n    return n\nprint(f(1))",
        "from functools import cached_property\nprint(cached_property)",
        "from itertools import accumulate\nprint(list(accumulate([1, 2], initial=5)))",
        "for i in range(3):\n    try:\n        pass\n    finally:\n        continue",
        "from typing import Literal, Final\nprint(Final)",
    ),
    *_since(
        (3, 9),
        "s = 'abc'\nprint(s.removeprefix('a'))",
        "def f(line):\n    return line.removesuffix('x')\nprint(f('ax'))",
        "for line in ['ab']:\n    print(line.strip().removeprefix('a'))",
        "a = {1: 2}\nb = {3: 4}\nprint(a | b)",
        "a = {}\na |= {1: 2}\nprint(a)",
        "a = dict(x=1)\nb = dict(y=2)\nc = a | b\nprint(c)",
        "m = dict.fromkeys([1])\nm |= {2: 3}\nprint(m)",
        "print(list(map(str.removeprefix, ['a'], ['a'])))",
        "from collections import defaultdict\nd = defaultdict(int)\nprint(dict(d | d))",
        "import math\nprint(math.gcd(4, 6, 8))",
        "from math import gcd\nprint(gcd(*[4, 6, 8]))",
        "import math\nprint(math.lcm(4, 6))",
        "def f(xs: list[int]) -> int:\n    return len(xs)\nprint(f([]))",
        "def f() -> dict[str, int]:\n    return {}\nprint(f())",
        "Pair = tuple[int, int]\nprint(Pair)",
        "from collections import deque\nq: deque[int] = deque()\nprint(q)",
        "from functools import cache\n@cache\ndef f(n):\n    return n\nprint(f(1))",
        "buttons = [print]\n@buttons[0]\ndef f():\n    pass",
        "from graphlib import TopologicalSorter\nprint(TopologicalSorter)",
        "import random\nprint(len(random.randbytes(3)))",
        "from math import nextafter\nprint(nextafter(0, 1))",
    ),
    *_since(
        (3, 10),
        "match 3:\n    case 3:\n        print(1)",
        "def f(x: int | None) -> int:\n    return x or 0\nprint(f(None))",
        "print(isinstance(3, int | str))",
        "Number = int | float\nprint(Number)",
        "print(list(zip([1], [2], strict=True)))",
        "from itertools import pairwise\nprint(list(pairwise([1, 2])))",
        "n = 5\nprint(n.bit_count())",
        "def f(mask):\n    return mask.bit_count()\nprint(f(3))",
        "from bisect import bisect_left\nprint(bisect_left([1, 2], 1, key=lambda x: x))",
        "from dataclasses import dataclass\n@dataclass(slots=True)\nclass P:\n    x: int\nprint(P(1))",
        "print(aiter)",
    ),
    *_since(
        (3, 11),
        "try:\n    pass\nexcept* ValueError:\n    pass",
        "from math import cbrt\nprint(cbrt(8))",
        "import math\nprint(math.exp2(3))",
        "from typing import Self\nprint(Self)",
        "from enum import StrEnum\nprint(StrEnum)",
        "raise_later = ExceptionGroup('a', [ValueError()])\nprint(raise_later)",
        "from operator import call\nprint(call(len, []))",
    ),
    *_since(
        (3, 12),
        "from itertools import batched\nprint(list(batched([1, 2, 3], 2)))",
        "import math\nprint(math.sumprod([1], [2]))",
        "from typing import override\nprint(override)",
    ),
    *_since(
        (3, 12),
        "type X = int\nprint(X)",
        "def first[T](xs: list[T]) -> T:\n    return xs[0]\nprint(first([1]))",
        "class Box[T]:\n    pass\nprint(Box)",
        "d = {'a': 1}\nprint(f'{d['a']}')",
        host=(3, 12),
    ),
    *_since((3, 13), "print('aaa'.replace('a', 'b', count=1))", "from copy import replace\nprint(replace)"),
]

REMOVED: list[Snippet] = [
    *_until(
        (3, 10), "from collections import Iterable\nprint(Iterable)", "import collections\nprint(collections.Mapping)"
    ),
    *_until((3, 8), "import time\nprint(time.clock() >= 0)"),
    *_until((3, 9), "from fractions import gcd\nprint(gcd(4, 6))", "import fractions\nprint(fractions.gcd(4, 6))"),
    *_until((3, 12), "import imp\nprint(imp)", "import distutils\nprint(1)"),
    *_until((3, 13), "import cgi\nprint(cgi)", "import telnetlib\nprint(1)"),
    *_until((3, 11), "from inspect import getargspec\nprint(getargspec)"),
    *_until((3, 0), "print(xrange(3))", "d = {1: 2}\nprint(d.has_key(1))", "import sys\nprint(sys.maxint)"),
]

OLD: list[Snippet] = [
    Snippet(source=source)
    for source in (
        "import sys\nfor line in sys.stdin:\n    print(line.strip())",
        "import re\nm = re.compile('a').match('ab')\nm = [m.group()]\nprint(m[0])",
        "class Text:\n    def removeprefix(self, p):\n        return p\nt = Text()\nprint(t.removeprefix('a'))",
        "from types import SimpleNamespace\np = SimpleNamespace(bit_count=lambda: 1)\nprint(p.bit_count())",
        "def bit_count(n):\n    return bin(n).count('1')\nprint(bit_count(3))",
        "class M:\n    def bit_count(self):\n        return 1\ndef f(x):\n    return x.bit_count()\nprint(f(M()))",
        "class math:\n    @staticmethod\n    def prod(x):\n        return x\nprint(math.prod(2))",
        "def prod(xs):\n    return sum(xs)\nprint(prod([1]))",
        "try:\n    from math import gcd\nexcept ImportError:\n    from fractions import gcd\nprint(gcd(4, 6))",
        "try:\n    from math import prod\nexcept ImportError:\n    def prod(xs):\n        return 1\nprint(prod([1]))",
        "import sys\nif hasattr(sys, 'set_int_max_str_digits'):\n    sys.set_int_max_str_digits(0)\nprint(1)",
        "import sys, math\nif sys.version_info >= (3, 8):\n    print(math.prod([1]))\nelse:\n    print(1)",
        "from math import gcd\nfrom functools import reduce\nprint(reduce(gcd, [4, 6, 8]), gcd(4, 6))",
        "a = {1, 2}\nb = {3}\nprint(a | b, 1 | 2)",
        "from collections import Counter\nprint(Counter('a') | Counter('b'))",
        "class Flags:\n    def __or__(self, other):\n        return 1\nx = Flags()\nprint(x | {})",
        "from functools import lru_cache\n@lru_cache(maxsize=None)\ndef f(n):\n    return n\nprint(f(1))",
        "print('{} {:>5} {!r}'.format(1, 2, 3))",
        "print(*[1, 2], *[3], sep=' ')\nd = {**{'a': 1}, 'b': 2}\nfirst, *rest = [1, 2, 3]",
        "def f(*args, key=None, **more):\n    return (1, *args)\nprint(f(2))",
        "from typing import List\ndef f(xs: List[int]) -> 'list[int]':\n    return xs\nprint(f([]))",
        "import heapq\nprint(list(heapq.merge([1], [2], key=abs)))",
        "print(max([], default=0), pow(2, 10, 7), sum([1], 2), str(2 ** 64))",
        "matrix = [[1, 2], [3, 4]]\nprint([list(row) for row in zip(*matrix)])",
        "table = {}\nlist_ = [int]\nprint(list_[0], table.get(1, None))",
        "import math\nprint(math.gcd(4, 6), math.hypot(3, 4), math.inf, math.isclose(1, 1))",
        "match = 3\ncase = match\ntype = case\nprint(match, case, type)",
        "import math\nclass V:\n    prod = 2\ndef f(math):\n    return math.prod\nprint(f(V), math.pi)",
        "n = 4\nn = n / 2\nprint(n.is_integer(), n.as_integer_ratio())",
        "class P:\n    mask = 1\n    def f(self, other):\n        return self.mask | other.mask\nprint(P().f(P()))",
        "def f(dist, comb):\n    return dist.perm, comb.lcm\nprint(f)",
        "import bisect, itertools, collections, string\nprint(bisect.bisect([1], 1), string.ascii_letters)",
        "s = {'a': 1}\ns = 'text'\nprint(s.upper())",
        "from io import StringIO\nwith (StringIO)('a') as f, (StringIO)('b') as g: print(1)",
        "from io import StringIO\nx = StringIO('a')\nwith (x), x as g: print(1)",
        "xs = list(range(3))\nlist = xs\nprint(list[0])",
    )
]

# What only a run shows: `judge check` does not find it in the text.
UNSEEN: list[Snippet] = [
    *_since(
        (3, 6),
        "def f(*a,):\n    pass",
        "def f(\n    a,\n    *,\n    b=(1),  # two, three\n):\n    pass",
        "f = lambda *a,: 0\nprint(f())",
        "f = lambda a, *, b=(1), : 0\nprint(f(1))",
        "class A:\n    def __init_subclass__(cls):\n        cls.x = 1\nclass B(A):\n    pass\nprint(B.x)",
        "class D:\n    def __set_name__(self, of, name):\n        self.n = name\nclass B:\n    x = D()\nprint(B.x.n)",
        "async def f():\n    yield 1\nprint(f)",
        "async def f(xs):\n    return [x async for x in xs]\nprint(f)",
        "print(int('1_000'))",
        "import re\nm = re.search('a(b)', 'ab')\nprint(m[1])",
        "import re\nprint([m[0] for m in re.compile('a').finditer('aa')])",
        "print('{:_}'.format(1000000))",
    ),
    *_since((3, 7), "import string\nprint(string.digits.isascii())"),
    *_since(
        (3, 8),
        "import math\nprint(math.hypot(1, 2, 3))",
        "def f(rest):\n    return 1, *rest\nprint(f([2]))",
        "d = {1: 2, 3: 4}\nprint(list(reversed(d)))",
        "d = dict(a=1)\nfor key, value in reversed(d.items()):\n    print(key)",
        "print(b'abc'.hex('-'))",
        "print((5).as_integer_ratio())",
    ),
    *_since(
        (3, 9),
        "from io import StringIO\nwith (StringIO('é') as f):\n    print(f.read())",
        "from io import StringIO\nwith (  # (one)\n    StringIO('a')\n    as f\n):\n    print(f.read())",
        "from io import StringIO\nx = [0]\nwith ((StringIO('a')) as (x[0])): print(x[0].read())",
        "from io import StringIO\nwith ((StringIO('a')), (StringIO('b')) as g): print(1)",
        "from io import StringIO\nwith (StringIO('a') as f, StringIO('b') as g): print(1)",
        "for x in 1, *[2, 3]:\n    print(x)",
    ),
    *_since(
        (3, 10),
        "from collections import Counter\nprint(Counter('aab').total())",
        "from collections import Counter\nc = Counter('ab')\nprint(c <= Counter('abc'))",
    ),
    *_since(
        (3, 11),
        "class A:\n    def __getitem__(self, at):\n        return at\nprint(A()[1, *[2]])",
        "print((5).to_bytes())",
    ),
    *_since((3, 12), "n = 5\nprint(n.is_integer())"),
    *_until((3, 9), "import array\na = array.array('i', [1])\nprint(a.tostring())"),
    *_until((3, 7), "print(len(str(2 ** 100000)))"),
    *_until((3, 11), "import random\nx = [1, 2]\nrandom.shuffle(x, lambda: 0.5)\nprint(len(x))"),
]
