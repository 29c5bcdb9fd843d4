"""Tasks whose submissions define a function: the program that calls it in the sandbox, and how values are compared.

The rule is that of APPS, TACO and LiveCodeBench: the values are equal in Python, a tuple counts as a list, and an
expected list may contain the value as its first item (github.com/hendrycks/apps, eval/testing_util.py: `tmp_result`;
github.com/LiveCodeBench/LiveCodeBench, lcb_runner/evaluation/testing_util.py: `grade_call_based`). Both compare numbers
with `==`; a tolerance applies only where a row gives one.
"""

import json
import math

from judge.errors import shorten
from judge.model import CheckerConfig, CheckResult, Verdict

_MAX_SHOWN = 80  # characters of a value in a reason

# The submission runs as a module of its own. What it prints goes nowhere: only the value is compared.
_PROGRAM = """\
import json, os, sys

def _main():
    # what solutions of LiveCodeBench and of LeetCode take for granted
    namespace = {{"__name__": "solution", "__builtins__": __builtins__}}
    exec("from typing import *\\nfrom collections import *\\nimport math, heapq, bisect, itertools, functools, re, "
         "string, random, collections, operator, copy\\nfrom math import inf, gcd\\nfrom heapq import *\\n"
         "from bisect import *\\nfrom itertools import *\\nfrom functools import *", namespace)
    arguments = json.loads(sys.stdin.buffer.read())
    out, sys.stdin = os.dup(1), open(os.devnull)
    sys.stdout = open(os.devnull, "w")
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 50_000))
    exec(compile({code!r}, "solution.py", "exec", dont_inherit=True), namespace)
    owner = namespace.get("Solution")
    if owner is not None and hasattr(owner, {name!r}):
        function = getattr(owner(), {name!r})
    else:
        function = namespace[{name!r}]
    value = function(*arguments) if isinstance(arguments, list) else function(arguments)
    text = json.dumps(value, default=lambda each: {{"not JSON": repr(each)}})
    with open(out, "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))

_main()
"""


def make_program(code: bytes, function: str) -> bytes:
    """Return a program that reads arguments as a JSON list, calls the function, and writes its value as JSON.

    The function is a method of the class `Solution`, or at the top level.
    """
    return _PROGRAM.format(code=code, name=function).encode()


def check_value(config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare what a function returned with what is expected, both as JSON."""
    try:
        found = json.loads(output)
    except (ValueError, RecursionError):
        return CheckResult(verdict=Verdict.WA, reason="the function returned no value that JSON can express")
    try:
        expected = json.loads(answer)
        is_equal = _agrees(expected, found, config) or (
            isinstance(expected, list) and bool(expected) and _agrees(expected[0], found, config)
        )
    except (ValueError, RecursionError) as error:
        return CheckResult(verdict=Verdict.JE, reason=f"the expected value is not JSON that can be compared: {error}")
    if is_equal:
        return CheckResult(verdict=Verdict.AC)
    return CheckResult(verdict=Verdict.WA, reason=f"expected {_show(expected)}, found {_show(found)}")


def _agrees(expected: object, found: object, config: CheckerConfig) -> bool:
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(_agrees(a, b, config) for a, b in zip(expected, found, strict=True))
    if isinstance(expected, dict) and isinstance(found, dict):
        return expected.keys() == found.keys() and all(
            _agrees(each, found[key], config) for key, each in expected.items()
        )
    if expected == found:
        return True
    absolute, relative = config.float_absolute_tolerance, config.float_relative_tolerance
    if absolute is relative is None or not (isinstance(expected, int | float) and isinstance(found, int | float)):
        return False
    try:
        return math.isclose(expected, found, rel_tol=0.0, abs_tol=absolute or 0.0) or (
            abs(expected - found) <= (relative or 0.0) * abs(expected)
        )
    except OverflowError:  # an integer that is larger than any float
        return False


def _show(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=True), _MAX_SHOWN)
