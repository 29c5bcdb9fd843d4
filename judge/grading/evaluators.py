"""What the evaluators of data sets do: what they run around a submission, and how they compare values and outputs.

One program calls a function, one runs asserts, and one a program as the evaluator does.

The evaluators of APPS, TACO and LiveCodeBench, and the sites that their tasks come from, import much of the standard
library before the submission, so submissions leave imports out. A wrapper imports what the submission's text mentions:
all of it would cost each run tens of milliseconds.

- A function's value must be equal in Python, and a tuple counts as a list (LiveCodeBench, lcb_runner/evaluation/
  testing_util.py: `grade_call_based`). In APPS and TACO, the expected value may also be a list with the value as its
  first item (github.com/hendrycks/apps, eval/testing_util.py: `tmp_result`). A tolerance applies only where a row
  gives one.
- HumanEval and MBPP have tests that assert (github.com/openai/human-eval, human_eval/execution.py; the row of MBPP).
- A program's output is compared line by line, without the whitespace around each line. LiveCodeBench (`grade_stdio`)
  counts empty lines between others, and takes lines of equal decimal numbers for equal. The evaluators of APPS and
  TACO differ from each other: that of TACO has no tolerance for programs, that of APPS one for outputs with one number
  in each line, integers included, and both accept some outputs in another order. The rule here is stricter than that
  of APPS: numbers that are not both integers may differ as `numpy.allclose` has it, and the order counts, as in verl
  (verl/utils/reward_score/prime_code/testing_util.py).
"""

import json
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import zip_longest

from judge.base.errors import shorten
from judge.base.units import format_bytes
from judge.grading.values import DataSet
from judge.judging.numbers import parse_number
from judge.model import CheckerConfig, CheckResult, Verdict

# ---- the programs around submissions --------------------------------------------------------------------------------


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
import json, os, types

def _main():
    module = types.ModuleType("solution")  # dataclasses and pickle look for it
    sys.modules["solution"] = module
    namespace = module.__dict__
    arguments = json.loads(sys.stdin.buffer.read())
    if {has_integer_keys!r} and isinstance(arguments, list) and arguments and isinstance(arguments[0], dict):
        try:
            arguments[0] = {{int(key): value for key, value in arguments[0].items()}}
        except ValueError:
            pass
    out, sys.stdin = os.dup(1), open(os.devnull)
    sys.stdout = open(os.devnull, "w")
    os.dup2(sys.stdout.fileno(), 1)  # for what writes to the descriptor
    _import(namespace)
    imported = namespace.get({name!r})
    exec(compile({code!r}, "solution.py", "exec", dont_inherit=True), namespace)
    owner = namespace.get("Solution")
    if owner is not None and hasattr(owner, {name!r}):
        function = getattr(owner(), {name!r})
    else:
        function = namespace.get({name!r})
        if function is None or function is imported:
            raise NameError("the submission defines no function " + {name!r})
    value = function(*arguments) if isinstance(arguments, list) else function(arguments)
    text = json.dumps(value, default=_encode)
    with open(out, "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))

# Numbers that JSON does not have, exactly; `item` is that of numpy's scalars.
def _encode(value):
    if type(value).__module__ == "numpy" and hasattr(value, "item") and not getattr(value, "shape", ()):
        value = value.item()
        if isinstance(value, (bool, int, float, str)):
            return value
    if type(value).__name__ in ("Decimal", "Fraction"):
        try:
            return {{"ratio": "{{}}/{{}}".format(*value.as_integer_ratio())}}
        except (ValueError, OverflowError):
            pass
    return {{"not JSON": repr(value)}}

_main()
"""

# The tests of HumanEval and MBPP are Python code that asserts. The end is reached only if it raises nothing: a
# submission that exits does not print the mark.
_ASSERT = """\
import os, types

def _main():
    module = types.ModuleType("solution")
    sys.modules["solution"] = module
    namespace = module.__dict__
    tests = sys.stdin.buffer.read()
    out, sys.stdin = os.dup(1), open(os.devnull)
    sys.stdout = open(os.devnull, "w")
    os.dup2(sys.stdout.fileno(), 1)
    exec(compile({code!r}, "solution.py", "exec", dont_inherit=True), namespace)
    if {name!r} and {name!r} not in namespace:
        raise NameError("the submission defines no function " + {name!r})
    exec(compile(tests, "tests.py", "exec", dont_inherit=True), namespace)
    if {name!r} and "check" in namespace:
        namespace["check"](namespace[{name!r}])
    os.write(out, {mark!r})

_main()
"""


def wrap_program(code: bytes) -> bytes:
    """Return a program that imports what a data set's own evaluator imports, and runs the submission."""
    return (_START.format(imports=_imports_for(code)) + _RUN.format(code=code)).encode()


def wrap_function(code: bytes, function: str, *, has_integer_keys: bool) -> bytes:
    """Return a program that reads arguments as a JSON list, calls the function, and writes its value as JSON.

    It is a method of the class `Solution`, or a function at the top level. With `has_integer_keys`, keys of a
    dictionary as the first argument that are integers as texts become integers: JSON has no others (APPS and TACO).
    """
    call = _CALL.format(code=code, name=function, has_integer_keys=has_integer_keys)
    return (_START.format(imports=_imports_for(code)) + call).encode()


def wrap_asserts(code: bytes, function: str, mark: bytes) -> bytes:
    """Return a program that runs the tests on its standard input, and prints a mark if they raise nothing.

    `function` is what a function `check` of the tests takes; "" if the tests call what they test (MBPP).
    """
    return (_START.format(imports=()) + _ASSERT.format(code=code, name=function, mark=mark)).encode()


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


# ---- comparisons ----------------------------------------------------------------------------------------------------


_MAX_SHOWN = 80  # characters of a value or line in a reason
_MOST_DIGITS = 4_000  # of an integer that is parsed; the time for longer ones grows with their square
_RATIO = re.compile(r"-?[0-9]+/[1-9][0-9]*")  # what `_encode` of the program around a function writes
_INTEGER = re.compile(rb"[+-]?\d+")
_ABSOLUTE, _RELATIVE = 1e-8, 1e-5  # of numpy.allclose


def check_value(config: CheckerConfig, answer: bytes, output: bytes, *, may_be_first: bool) -> CheckResult:
    """Compare what a function returned with what is expected, both as JSON; the tolerance applies to numbers.

    With `may_be_first`, the expected value may be a list with the value as its first item.
    """
    # it would take much memory; an integer of 309 digits may equal `1e308`
    if len(output) > 64 * len(answer) + (1 << 16):
        return CheckResult(
            verdict=Verdict.WA,
            reason=f"the value has {format_bytes(len(output))} of JSON, much more than the expected one",
        )
    try:
        found = _load(output)
    except (ValueError, RecursionError):
        return CheckResult(verdict=Verdict.WA, reason="the function returned no value that JSON can express")
    try:
        expected = _load(answer)
        is_equal = _agrees(expected, found, config)
        if not is_equal and may_be_first and isinstance(expected, list) and expected:
            is_equal = _agrees(expected[0], found, config)
    except (ValueError, RecursionError) as error:
        return CheckResult(verdict=Verdict.JE, reason=f"the expected value is not JSON that can be compared: {error}")
    if is_equal:
        return CheckResult(verdict=Verdict.AC)
    return CheckResult(verdict=Verdict.WA, reason=f"expected {_show(expected)}, found {_show(found)}")


def _load(text: bytes) -> object:
    return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) <= _MOST_DIGITS else Decimal(digits))


def _agrees(expected: object, found: object, config: CheckerConfig) -> bool:
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(_agrees(a, b, config) for a, b in zip(expected, found, strict=True))
    if isinstance(expected, dict) and isinstance(found, dict):
        return expected.keys() == found.keys() and all(
            _agrees(each, found[key], config) for key, each in expected.items()
        )
    number = found
    if isinstance(found, dict):  # a Decimal or a Fraction, unless the submission writes something else
        text = found.get("ratio")
        if isinstance(text, str) and len(text) <= _MOST_DIGITS and _RATIO.fullmatch(text):
            number = Fraction(text)
    if expected in (found, number):
        return True
    absolute, relative = config.float_absolute_tolerance, config.float_relative_tolerance
    if (
        absolute is relative is None
        or not isinstance(expected, int | float)
        or not isinstance(number, int | float | Fraction)
    ):
        return False
    try:
        is_near = math.isclose(expected, number, rel_tol=0.0, abs_tol=absolute or 0.0)
        return is_near or abs(expected - float(number)) <= (relative or 0.0) * abs(expected)
    except OverflowError:  # an integer that is larger than any float
        return False


def _show(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=True, default=str), _MAX_SHOWN)


def check_output(data_set: DataSet, answer: bytes, output: bytes) -> CheckResult:
    """Compare what a program printed with what is expected, by the rule of a data set."""
    is_of_apps = data_set is DataSet.APPS
    are_equal = _are_close if is_of_apps else _are_equal
    lines = (_lines(text.strip(), skips_empty=is_of_apps) for text in (answer, output))
    for number, (expected, found) in enumerate(zip_longest(*lines), 1):
        if expected == found:
            continue
        if expected and found:
            ours = expected.split()
            theirs = found.split(None, len(ours))  # not all of a huge line
            if len(ours) == len(theirs) and all(map(are_equal, ours, theirs)):
                continue
        reason = f"line {number}: expected {_show_line(expected)}, found {_show_line(found)}"
        return CheckResult(verdict=Verdict.WA, reason=reason)
    return CheckResult(verdict=Verdict.AC)


def _lines(text: bytes, *, skips_empty: bool) -> Iterator[bytes]:
    """Yield the lines without whitespace around them; a huge text is divided chunk by chunk."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + (1 << 16))
        end = len(text) if end < 0 else end
        lines = map(bytes.strip, text[start:end].split(b"\n"))
        yield from filter(None, lines) if skips_empty else lines
        start = end + 1


def _are_equal(expected: bytes, found: bytes) -> bool:
    """Return whether two tokens are the same decimal number."""
    answer, value = parse_number(expected), parse_number(found)
    return answer is not None and value is not None and answer == value


def _are_close(expected: bytes, found: bytes) -> bool:
    """Return whether two tokens are numbers, not both integers, and close to each other."""
    if expected == found:
        return True
    if _INTEGER.fullmatch(expected) and _INTEGER.fullmatch(found):
        return False
    if parse_number(expected) is None or parse_number(found) is None:
        return False
    answer, value = float(expected), float(found)
    return math.isfinite(answer) and abs(value - answer) <= _ABSOLUTE + _RELATIVE * abs(answer)


def _show_line(line: bytes | None) -> str:
    return "the end" if line is None else f"`{shorten(line.decode(errors='replace'), _MAX_SHOWN)}`"
