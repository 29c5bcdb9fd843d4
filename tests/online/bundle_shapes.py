"""Small programs of several files, one for each way to import; the entry is `main.py` unless a name says otherwise."""

from collections.abc import Mapping

Files = Mapping[str, str]

STATE = "count = 0\ndef more():\n    global count\n    count += 1\n    return count\n"

SHAPES: Mapping[str, Files] = {
    "import m": {"main.py": "import m\nprint(m.f(), m.X)\n", "m.py": "X = 3\ndef f():\n    return X\n"},
    "import m as x": {"main.py": "import m as x\nprint(x.f())\n", "m.py": "def f():\n    return __name__\n"},
    "from m import a as b": {"main.py": "from m import a as b\nprint(b)\n", "m.py": "a = 5\n"},
    "from m import several": {"main.py": "from m import (\n    a,\n    b,\n)\nprint(a, b)\n", "m.py": "a, b = 1, 2\n"},
    "from m import *": {"main.py": "from m import *\nprint(a)\n", "m.py": "a = 1\n_b = 2\n"},
    "star with __all__": {
        "main.py": "from m import *\nprint(_b, 'a' in globals())\n",
        "m.py": "__all__ = ['_b']\na = 1\n_b = 2\n",
    },
    "star of a package with modules in __all__": {
        "main.py": "from p import *\nprint(a.X, b.X, c.X)\n",
        "p/__init__.py": "__all__ = ['a'] + ['b']\n__all__ += ('c',)\n",
        "p/a.py": "X = 1\n",
        "p/b.py": "X = 2\n",
        "p/c.py": "X = 3\n",
    },
    "star inside a module": {
        "main.py": "import m\nprint(m.f())\n",
        "m.py": "from math import *\nfrom n import *\ndef f():\n    return floor(2.5) + g()\n",
        "n.py": "def g():\n    return 4\n",
    },
    "transitive": {
        "main.py": "import a\nprint(a.b.c.X)\n",
        "a.py": "import b\n",
        "b.py": "import c\n",
        "c.py": "X = 'deep'\n",
    },
    "diamond with shared state": {
        "main.py": "import a, b, state\nprint(a.f(), b.f(), state.count)\n",
        "a.py": "import state\ndef f():\n    return state.more()\n",
        "b.py": "from state import more\ndef f():\n    return more()\n",
        "state.py": STATE,
    },
    "package": {
        "main.py": "import p\nprint(p.X, p.__name__)\n",
        "p/__init__.py": '"""A package."""\nX = __doc__\n',
    },
    "module of a package": {
        "main.py": "import p.m\nprint(p.m.f())\n",
        "p/__init__.py": "",
        "p/m.py": "def f():\n    return __name__, __package__\n",
    },
    "from a package import a module": {
        "main.py": "from p import m, Y\nprint(m.X, Y)\n",
        "p/__init__.py": "Y = 2\n",
        "p/m.py": "X = 1\n",
    },
    "relative imports": {
        "main.py": "from p.q.m import f\nprint(f())\n",
        "p/__init__.py": "",
        "p/base.py": "X = 1\n",
        "p/q/__init__.py": "from . import n\n",
        "p/q/n.py": "Y = 2\n",
        "p/q/m.py": "from ..base import X\nfrom .n import Y as Z\nfrom .. import base\n"
        "def f():\n    return X, Z, base.X\n",
    },
    "folder without __init__": {"main.py": "import lib.m\nprint(lib.m.X)\n", "lib/m.py": "X = 1\n"},
    "import inside a function": {
        "main.py": "def f():\n    import m\n    return m.X\nprint('before')\nprint(f())\n",
        "m.py": "print('imported')\nX = 1\n",
    },
    "import that is never reached": {
        "main.py": "def f():\n    import m\nprint('done')\n",
        "m.py": "raise ValueError('imported')\n",
    },
    "import under a condition": {
        "main.py": "import sys\nif len(sys.argv) < 9:\n    import a as m\nelse:\n    import b as m\nprint(m.X)\n",
        "a.py": "X = 'a'\n",
        "b.py": "X = 'b'\n",
    },
    "try and another": {
        "main.py": "try:\n    from not_there import f\nexcept ImportError:\n    from slow import f\nprint(f())\n",
        "slow.py": "def f():\n    return 'slow'\n",
    },
    "circular": {
        "main.py": "import a\nprint(a.f(), a.b.g())\n",
        "a.py": "import b\ndef f():\n    return 'f' + b.g()\n",
        "b.py": "import a\ndef g():\n    return 'g' + str(hasattr(a, 'f'))\n",
    },
    "circular that fails": {
        "main.py": "try:\n    import a\nexcept ImportError:\n    print('cannot import')\n",
        "a.py": "from b import g\ndef f():\n    return 1\n",
        "b.py": "from a import f\ndef g():\n    return 2\n",
    },
    "imports for types alone": {
        "main.py": "import m\nprint(m.f(2))\n",
        "m.py": "import typing\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from main import X\n"
        "else:\n    import n\nif typing.TYPE_CHECKING:\n    import gone\ndef f(x: 'X'):\n    return x + n.Y\n",
        "n.py": "Y = 1\n",
    },
    "main guard of a module": {
        "main.py": "import m\nif __name__ == '__main__':\n    print('main runs', m.X)\n",
        "m.py": "X = 1\nif __name__ == '__main__':\n    print('must not run')\n",
    },
    "docstring and more on a line": {
        "main.py": '"""Of main."""; import m\nprint(m.__doc__, m.X)\n',
        "m.py": '"""Of m."""; X = 1\n',
    },
    "texts over several lines": {
        "main.py": "import m\nprint(repr(m.A), repr(m.B), m.C, repr(m.f(2)))\n",
        "m.py": "A = '''one\n  two\n\n    three'''\nB = 'x\\\ny'\nC = (1 +\n2)\n"
        "def f(n):\n    return '''{}\n  text'''.format(\n  n)\nif C: \\\n  D = 1\n",
    },
    "future": {
        "main.py": '"""Doc."""\nimport m\nprint(m.f.__annotations__)\n',
        "m.py": "from __future__ import annotations\ndef f(x: int) -> str:\n    return x\n",
    },
    "future in both": {
        "main.py": "# about\nfrom __future__ import annotations, division\nimport m\nprint(m.X, 1 / 2)\n",
        "m.py": "from __future__ import division; X = 3 / 2\n",
    },
    "relative or not": {
        "main.py": "try:\n    from .m import X\nexcept ImportError:\n    from m import X\nprint(X)\n",
        "m.py": "try:\n    from . import n\nexcept ImportError:\n    import n\nX = n.X\n",
        "n.py": "X = 3\n",
    },
    "exceptions and pickles": {
        "main.py": "import pickle\nimport m\ntry:\n    m.fail()\nexcept m.Bad as bad:\n    print(repr(bad))\n"
        "print(pickle.loads(pickle.dumps(m.P(3))).x)\n",
        "m.py": "class Bad(Exception):\n    pass\ndef fail():\n    raise Bad('x')\n"
        "class P:\n    def __init__(self, x):\n        self.x = x\n",
    },
    "a module that hides one of Python's own": {
        "main.py": "import queue\nprint(queue.X)\n",
        "queue.py": "X = 'mine'\n",
    },
    "a module that knows the loader's name, and has quotes and backslashes": {
        "main.py": "import m\n_Bundle = 'mine'\nprint(_Bundle, m.X)\n",
        "m.py": 'X = r\'\\n\\\\\' + \'a\\\'\\\'\\\'b\' + """c\'""" + """\\""""\n',
    },
    "comments, shebang and encoding": {
        "main.py": "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# What it is for.\n\n"
        "# about m\nimport m\nprint(m.X)\n",
        "m.py": "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\nX = '\u2660'  # spades\n\n\n# the end\n",
    },
    "tabs and CRLF": {
        "main.py": "import m\r\nif True:\r\n\tprint(m.f(1))\r\n",
        "m.py": "def f(x):\r\n\tif x:\r\n\t\treturn 1\r\n\treturn 2\r\n",
    },
    "an empty module": {"main.py": "import m\nprint(m.__name__)\n", "m.py": ""},
}

# Entries inside a package are run as modules of it: `python -m PACKAGE.main`.
IN_PACKAGES: Mapping[str, Files] = {
    "pkg/main.py": {
        "pkg/__init__.py": "X = 1\n",
        "pkg/other.py": "from . import X\nY = X + 1\n",
        "pkg/main.py": "from .other import Y\nfrom . import X\nimport pkg.other as o\nprint(X, Y, o.Y)\n",
    },
    "a/b/main.py": {
        "a/__init__.py": "",
        "a/up.py": "Z = 3\n",
        "a/b/__init__.py": "",
        "a/b/main.py": "from ..up import Z\nfrom a import up\nprint(Z, up.Z)\n",
    },
}
