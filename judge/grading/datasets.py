"""The shapes in which data sets have their tests: APPS and TACO, CodeContests, LiveCodeBench.

Each function takes a row and returns its tests; values stay as they are. Their authors' own programs decide what the
shapes mean:
- APPS and TACO: `input_output`, a JSON text with `inputs`, `outputs` and perhaps `fn_name` (github.com/hendrycks/apps,
  eval/testing_util.py; github.com/FlagOpen/TACO, metrics/testing_util.py).
- CodeContests: `public_tests`, `private_tests` and `generated_tests`, each with lists `input` and `output`
  (github.com/google-deepmind/code_contests, contest_problem.proto).
- LiveCodeBench: `public_test_cases` and `private_test_cases`, JSON texts with lists of `input`, `output` and
  `testtype`; private ones may be compressed (github.com/LiveCodeBench/LiveCodeBench,
  lcb_runner/benchmarks/code_generation.py). A function's name is in `metadata`.
"""

import json
import re

from msgspec import Struct

from judge.grading.pickled_text import unpack_text
from judge.grading.values import Document, RowError, TextTest

_CODE_CONTESTS = ("public_tests", "private_tests", "generated_tests")
_LIVE_CODE_BENCH = ("public_test_cases", "private_test_cases")
_AMOUNT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_UNITS = {"s": 1.0, "ms": 1e-3, "b": 1.0, "k": 1024.0, "m": 1024.0**2, "g": 1024.0**3}


class Tests(Struct, frozen=True, kw_only=True):
    """The tests of a row, as its data set has them.

    Attributes:
        tests: the inputs and outputs.
        function: the function that is called with the inputs; "" for programs.
        tolerance: numbers may differ by that; None if they must be equal.
        cpu: the time limit in seconds; None if the data set has none.
        memory: the memory limit in bytes; None if the data set has none.
    """

    tests: tuple[TextTest, ...]
    function: str = ""
    tolerance: float | None = None
    cpu: float | None = None
    memory: int | None = None


def read_tests(row: Document) -> Tests | None:
    """Return the tests of a row in any shape; None if it has none.

    The keys `function` and `fn_name` of the row name the function that is called.

    Raises:
        RowError: they are malformed; the message names the key.
    """
    if row.get("tests") is not None:
        return _read_pairs(row["tests"], "tests", _function(row))
    if row.get("input_output") is not None:
        return _read_apps(row)
    if any(row.get(key) is not None for key in _CODE_CONTESTS):
        return _read_code_contests(row)
    if any(row.get(key) is not None for key in _LIVE_CODE_BENCH):
        return _read_live_code_bench(row)
    return None


def _read_pairs(value: object, key: str, function: str) -> Tests:
    """Read a list of `{"input", "output"}`, or one object with lists of both, singular or plural."""
    value = _parse(value, key)
    if isinstance(value, dict):
        function = function or _text(value.get("fn_name"), f"{key}.fn_name")
        inputs = value.get("inputs", value.get("input"))
        outputs = value.get("outputs", value.get("output"))
        return Tests(tests=_zip(inputs, outputs, key, function), function=function)
    if not isinstance(value, list):
        raise RowError(f'{key}: expected a list of {{"input": ..., "output": ...}}, found {describe_value(value)}')
    pairs = []
    for number, each in enumerate(value, 1):
        if not isinstance(each, dict):
            raise RowError(f"{key}: test {number} is {describe_value(each)}; expected an object")
        if each.get("input") is None or each.get("output") is None:
            missing = "input" if each.get("input") is None else "output"
            raise RowError(f"{key}: test {number} has no {missing}")
        pairs.append(TextTest(_encode(each["input"], function), _encode(each["output"], function)))
    return Tests(tests=tuple(pairs), function=function)


def _zip(inputs: object, outputs: object, key: str, function: str) -> tuple[TextTest, ...]:
    if not isinstance(inputs, list) or not isinstance(outputs, list):
        raise RowError(f"{key}: expected lists of inputs and outputs")
    if len(inputs) != len(outputs):
        raise RowError(f"{key}: {len(inputs)} inputs, but {len(outputs)} outputs")
    for number, each in enumerate(outputs, 1):
        if each is None and not function:
            raise RowError(f"{key}: test {number} has no output")
    return tuple(TextTest(_encode(a, function), _encode(b, function)) for a, b in zip(inputs, outputs, strict=True))


def _read_apps(row: Document) -> Tests:
    value = _parse(row["input_output"], "input_output")
    if not isinstance(value, dict):
        raise RowError(f"input_output: expected an object with inputs and outputs, found {describe_value(value)}")
    function = _function(row) or _text(value.get("fn_name"), "input_output.fn_name")
    return Tests(
        tests=_zip(value.get("inputs"), value.get("outputs"), "input_output", function),
        function=function,
        tolerance=None if function else 1e-5,  # of numpy.allclose, which the authors' programs use for numbers
        cpu=_amount(row.get("time_limit")),
        memory=_bytes(row.get("memory_limit")),
    )


def _read_code_contests(row: Document) -> Tests:
    tests: list[TextTest] = []
    for key in _CODE_CONTESTS:
        if row.get(key) is not None:
            tests += _read_pairs(row[key], key, "").tests
    return Tests(tests=tuple(tests), cpu=_amount(row.get("time_limit")), memory=_bytes(row.get("memory_limit_bytes")))


def _read_live_code_bench(row: Document) -> Tests:
    metadata = _parse(row.get("metadata") or {}, "metadata")
    named = metadata.get("func_name") if isinstance(metadata, dict) else None
    function = _function(row) or _text(named, "metadata.func_name")
    tests: list[TextTest] = []
    for key in _LIVE_CODE_BENCH:
        value = row.get(key)
        if not value:
            continue
        if isinstance(value, str) and value.lstrip()[:1] not in ("[", "{"):
            try:
                value = unpack_text(value.strip())
            except ValueError as error:
                raise RowError(f"{key}: {error}") from error
        for each in _read_pairs(value, key, "").tests:
            given = b"[%s]" % b",".join(line for line in each.input.split(b"\n") if line) if function else each.input
            tests.append(TextTest(given, each.output))
    return Tests(tests=tuple(tests), function=function)


def _function(row: Document) -> str:
    return _text(row.get("function"), "function") or _text(row.get("fn_name"), "fn_name")


def _parse(value: object, key: str) -> object:
    """Return a value that may be written as a JSON text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise RowError(f"{key}: not JSON: {error}") from error


def _text(value: object, key: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RowError(f"{key}: expected a text, found {describe_value(value)}")
    return value.strip()


def _encode(value: object, function: str) -> bytes:
    """Return an input or output as bytes: a text as it is, a list of lines joined, for a function JSON."""
    if function:
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if isinstance(value, list):
        value = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in value)
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


def _amount(value: object) -> float | None:
    """Return a limit: a number of seconds or bytes, a text such as `2.0 seconds`, or CodeContests' seconds and nanos.

    None if there is none; data sets write zero or leave it out.
    """
    if isinstance(value, dict):
        seconds, nanos = value.get("seconds") or 0, value.get("nanos") or 0
        value = seconds + nanos / 1e9 if isinstance(seconds, int) and isinstance(nanos, int) else None
    if isinstance(value, str):
        found = _AMOUNT.match(value)
        unit = (found[2].lower() or "s") if found else ""
        factor = _UNITS.get(unit if unit in _UNITS else unit[:1])
        value = float(found[1]) * factor if found and factor else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if value > 0 else None


def _bytes(value: object) -> int | None:
    found = _amount(value)
    return None if found is None else int(found)


def describe_value(value: object) -> str:
    """Return what kind of JSON value something is, for messages."""
    if value is None:
        return "nothing"
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), type(value).__name__)
