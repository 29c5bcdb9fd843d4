"""The programs around submissions of data sets: one calls a function, one runs a program as the evaluator does.

The evaluators of APPS, TACO and LiveCodeBench, and the sites that their tasks come from, import much of the standard
library before the submission, so submissions leave imports out. A wrapper imports what the submission's text mentions:
all of it would cost each run tens of milliseconds.
"""

import re
from functools import cache
from importlib import import_module

_NAME = re.compile(rb"[A-Za-z_]\w*")

# In this order, as in lcb_runner/evaluation/testing_util.py; `time` and `fractions` are of APPS and TACO.
_CONTENTS = (
    "string", "re", "datetime", "collections", "heapq", "bisect", "copy", "math", "random", "statistics", "itertools",
    "functools", "operator", "io", "sys", "json", "builtins", "typing",
)  # fmt: skip
_MODULES = (*(each for each in _CONTENTS if each not in ("builtins", "typing")), "time", "fractions")

_START = """\
import sys
sys.setrecursionlimit(max(sys.getrecursionlimit(), 50_000))  # LiveCodeBench
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # their tests have integers of thousands of digits
def _import(namespace):
    for each in {imports!r}:
        try:
            exec(each, namespace)
        except ImportError:
            pass  # of an interpreter that does not have it
"""

# The submission is the module `__main__`.
_RUN = """\
_import(globals())
exec(compile({code!r}, "solution.py", "exec", dont_inherit=True))
"""

# The submission runs as a module of its own. What it prints goes nowhere: only the value is compared.
_CALL = """\
import json, os

def _main():
    namespace = {{"__name__": "solution", "__builtins__": __builtins__}}
    arguments = json.loads(sys.stdin.buffer.read())
    if {has_integer_keys!r} and isinstance(arguments, list) and arguments and isinstance(arguments[0], dict):
        try:
            arguments[0] = {{int(key): value for key, value in arguments[0].items()}}
        except ValueError:
            pass
    out, sys.stdin = os.dup(1), open(os.devnull)
    sys.stdout = open(os.devnull, "w")
    _import(namespace)
    imported = namespace.get({name!r})
    exec(compile({code!r}, "solution.py", "exec", dont_inherit=True), namespace)
    owner = namespace.get("Solution")
    if owner is not None and hasattr(owner, {name!r}):
        function = getattr(owner(), {name!r})
    else:
        function = namespace[{name!r}]
        if imported is not None and function is imported:
            raise NameError("the submission defines no function " + {name!r})
    value = function(*arguments) if isinstance(arguments, list) else function(arguments)
    text = json.dumps(value, default=lambda each: {{"not JSON": repr(each)}})
    with open(out, "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))

_main()
"""


def wrap_program(code: bytes) -> bytes:
    """Return a program that imports what a data set's own evaluator imports, and runs the submission."""
    return (_START.format(imports=_imports_for(code)) + _RUN.format(code=code)).encode()


def wrap_function(code: bytes, function: str, *, has_integer_keys: bool) -> bytes:
    """Return a program that reads arguments as a JSON list, calls the function, and writes its value as JSON.

    Args:
        code: the submission.
        function: a method of the class `Solution`, or a function at the top level.
        has_integer_keys: in a dictionary as the first argument, keys that are integers as texts become integers: JSON
            has no others (APPS and TACO).
    """
    call = _CALL.format(code=code, name=function, has_integer_keys=has_integer_keys)
    return (_START.format(imports=_imports_for(code)) + call).encode()


def _imports_for(code: bytes) -> list[str]:
    """Return the imports that bind the names in a text, in the order of the evaluators."""
    imports = _imports()
    names = {name.decode() for name in _NAME.findall(code)}
    return list(dict.fromkeys(imports[name] for name in imports if name in names))


@cache
def _imports() -> dict[str, str]:
    """Return the import that binds each name at the end: a later one replaces those before it."""
    found: dict[str, str] = {}
    for module in _CONTENTS:
        contents = import_module(module)
        for name in getattr(contents, "__all__", None) or (each for each in vars(contents) if each[0] != "_"):
            found.pop(name, None)
            if module != "builtins":
                found[name] = f"from {module} import {name}"
    for module in _MODULES:
        found[module] = f"import {module}"
    return found
