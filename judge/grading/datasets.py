"""The shapes in which data sets have their tests: APPS and TACO, CodeContests, LiveCodeBench.

Each function takes a row and returns its tests; values stay as they are. RowError names the key of what is
malformed. Their authors' own programs decide what the shapes mean:
- APPS and TACO: `input_output`, a JSON text with `inputs`, `outputs` and perhaps `fn_name` (github.com/hendrycks/apps,
  eval/testing_util.py; github.com/FlagOpen/TACO, metrics/testing_util.py).
- CodeContests: `public_tests`, `private_tests` and `generated_tests`, each with lists `input` and `output`
  (github.com/google-deepmind/code_contests, contest_problem.proto).
- HumanEval: `test`, Python code with a function `check`, `entry_point`, the function that it takes, and `prompt`, the
  beginning of the source (github.com/openai/human-eval, data/HumanEval.jsonl.gz).
- MBPP: `test_list`, asserts, and `test_setup_code` (github.com/google-research/google-research, mbpp). The submission
  is in `completion`, since `code` is the data set's own solution.
- LiveCodeBench: `public_test_cases` and `private_test_cases`, JSON texts with lists of `input`, `output` and
  `testtype`; private ones may be compressed (github.com/LiveCodeBench/LiveCodeBench,
  lcb_runner/benchmarks/code_generation.py). A function's name is in `metadata`.
"""

import base64
import binascii
import json
import re
import sys
import zlib
from collections.abc import Sequence

from msgspec import Struct

from judge.base.units import GIB, MIB, format_count
from judge.grading.values import DataSet, Document, RowError, TextTest
from judge.model import CheckerConfig, FileNames, file_names

_CODE_CONTESTS = ("public_tests", "private_tests", "generated_tests")
_LIVE_CODE_BENCH = ("public_test_cases", "private_test_cases")
_FUNCTIONAL = ("functional", "function_call")  # types of tests

_AMOUNT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_TIME_UNITS = {"": 1.0, "s": 1.0, "sec": 1.0, "second": 1.0, "ms": 1e-3, "msec": 1e-3, "millisecond": 1e-3}
_MEMORY_UNITS = {"": 1, "b": 1, "byte": 1} | {
    name: 1024**power
    for power, names in enumerate((("k", "kb", "kib"), ("m", "mb", "mib"), ("g", "gb", "gib")), 1)
    for name in (*names, {1: "kilobyte", 2: "megabyte", 3: "gigabyte"}[power])
}
_LEAST_MEMORY, _MOST_MEMORY = MIB, 1024 * GIB


_encode_json = json.JSONEncoder(ensure_ascii=False).encode


class Tests(Struct, frozen=True, kw_only=True):
    """The tests of a row, as its data set has them.

    Attributes:
        function: the function that is called with the inputs; "" for programs.
        data_set: whose rules decide; NONE for those of the row.
        checker: compares outputs; None for the default.
        cpu: the time limit in seconds; None if the data set has none.
        memory: the memory limit in bytes; None if the data set has none.
        file_names: the files that take the place of standard input and output; None for none.
    """

    tests: tuple[TextTest, ...]
    function: str = ""
    data_set: DataSet = DataSet.NONE
    checker: CheckerConfig | None = None
    cpu: float | None = None
    memory: int | None = None
    file_names: FileNames | None = None


def allow_long_integers() -> None:
    """Let Python convert integers of more than 4,300 digits: APPS has some of 9,000."""
    most = 50_000  # as in lcb_runner/evaluation/compute_code_generation_metrics.py
    if 0 < sys.get_int_max_str_digits() < most:
        sys.set_int_max_str_digits(most)


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
    return _read_asserts(row) if row.get("test_list") is not None or row.get("test") is not None else None


def _read_pairs(value: object, key: str, function: str) -> Tests:
    """Read a list of `{"input", "output"}`, or one object with lists of both, singular or plural."""
    value = _parse(value, key)
    if isinstance(value, dict):
        named = _text(value.get("fn_name"), f"{key}.fn_name")
        inputs = value.get("inputs", value.get("input"))
        outputs = value.get("outputs", value.get("output"))
        data_set = DataSet.APPS if named else DataSet.NONE
        return Tests(tests=_zip(inputs, outputs, key, function or named), function=function or named, data_set=data_set)
    if not isinstance(value, list):
        raise RowError(f'{key}: expected a list of {{"input": ..., "output": ...}}, found {describe_value(value)}')
    for number, each in enumerate(value, 1):
        if not isinstance(each, dict):
            raise RowError(f"{key}: test {number} is {describe_value(each)}; expected an object")
    named, data_set = _find_function(value, key)
    function = function or named
    if not function and any(each.get(name) in _FUNCTIONAL for each in value for name in ("testtype", "type")):
        raise RowError(f"{key}: the tests call a function, and nothing names it; expected `function`")
    for number, each in enumerate(value, 1):
        for name in ("input", "output"):
            if each.get(name) is None and not (function and name in each):
                raise RowError(f"{key}: test {number} has no {name}")
    inputs, outputs = ([each[name] for each in value] for name in ("input", "output"))
    return Tests(tests=_zip(inputs, outputs, key, function), function=function, data_set=data_set)


def _find_function(tests: Sequence[Document], key: str) -> tuple[str, DataSet]:
    """Return the function that the first test names, and the data set from which collections have such tests."""
    if not tests:
        return "", DataSet.NONE
    first = tests[0]
    if named := _text(first.get("fn_name"), f"{key}: test 1: fn_name"):
        return named, DataSet.APPS
    metadata = first.get("metadata")
    named = _text(metadata.get("func_name") if isinstance(metadata, dict) else None, f"{key}: test 1: func_name")
    return named, DataSet.LIVE_CODE_BENCH if named else DataSet.NONE


def _zip(inputs: object, outputs: object, key: str, function: str) -> tuple[TextTest, ...]:
    if not isinstance(inputs, list) or not isinstance(outputs, list):
        raise RowError(f"{key}: expected lists of inputs and outputs")
    if len(inputs) != len(outputs):
        raise RowError(f"{key}: {format_count(len(inputs), 'input')}, but {format_count(len(outputs), 'output')}")
    for number, each in enumerate(outputs, 1):
        if each is None and not function:
            raise RowError(f"{key}: test {number} has no output")
    are_plain = bool(function) and _are_plain_texts(inputs)
    tests = []
    for number, (given, expected) in enumerate(zip(inputs, outputs, strict=True), 1):
        place = f"{key}: test {number}"
        if not function:  # some collections wrap the texts (SandboxFusion, sandbox/datasets/types.py)
            parts = _encode(given, "stdin", f"{place}: input"), _encode(expected, "stdout", f"{place}: output")
            tests.append(TextTest(*parts))
        elif are_plain:
            tests.append(TextTest(_dump([given], f"{place}: input"), _dump(expected, f"{place}: output")))
        else:
            tests.append(_read_call(given, expected, place))
    return tuple(tests)


def _are_plain_texts(inputs: Sequence[object]) -> bool:
    """Return whether inputs are texts that each are the only argument: one is not JSON, and none looks like a list."""
    if not all(isinstance(each, str) for each in inputs):
        return False
    lines = [line for each in inputs for line in _arguments(str(each))]
    if any(line.lstrip().startswith(("[", "{", '"')) for line in lines):
        return False
    try:
        for line in lines:
            json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def _read_call(given: object, expected: object, place: str) -> TextTest:
    """Return a test of a function: its arguments as a JSON list, and its value.

    The arguments are a list, and the value is what it is; or the arguments are a text with a line of JSON for each, and
    the value is JSON, too, if it is a text.
    """
    if isinstance(given, list):
        return TextTest(_dump(given, f"{place}: input"), _dump(expected, f"{place}: output"))
    if not isinstance(given, str):
        found = describe_value(given)
        raise RowError(f"{place}: input: expected a list of arguments, or a line of JSON for each, found {found}")
    arguments = _arguments(given)
    for line in arguments:
        _parse(line, f"{place}: input: {line!r:.80}")
    value = _dump(expected, f"{place}: output")
    if isinstance(expected, str):
        _parse(expected, f"{place}: output: {expected!r:.80}")
        value = _as_bytes(expected)
    return TextTest(_as_bytes(f"[{','.join(arguments)}]"), value)


def _arguments(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _read_apps(row: Document) -> Tests:
    value = _parse(row["input_output"], "input_output")
    if not isinstance(value, dict):
        raise RowError(f"input_output: expected an object with inputs and outputs, found {describe_value(value)}")
    function = _function(row) or _text(value.get("fn_name"), "input_output.fn_name")
    return Tests(
        tests=_zip(value.get("inputs"), value.get("outputs"), "input_output", function),
        function=function,
        data_set=DataSet.APPS,
        cpu=_seconds(row, "time_limit") or 4.0,  # as in eval/testing_util.py, where nothing limits the memory
        memory=_bytes(row, "memory_limit") or GIB,
    )


def _read_asserts(row: Document) -> Tests | None:
    """Read the tests of HumanEval and MBPP; None if `test` is something else."""
    if row.get("test_list") is None:
        test, function = row["test"], row.get("entry_point")
        if not isinstance(test, str) or not isinstance(function, str):
            return None
        parts, data_set = [test], DataSet.HUMAN_EVAL
    else:
        function, data_set = "", DataSet.MBPP
        before = (
            _text(row.get("test_setup_code"), "test_setup_code"),
            *_texts(row.get("test_imports"), "test_imports"),
        )
        parts = ["\n".join((*before, each)) for each in _texts(row["test_list"], "test_list")]
    return Tests(
        tests=tuple(TextTest(_as_bytes(part), b"") for part in parts),
        function=function,
        data_set=data_set,
        cpu=3.0,  # as in human_eval/evaluation.py, where nothing limits the memory
        memory=GIB,
    )


def _texts(value: object, key: str) -> list[str]:
    found = _parse(value or [], key)
    if isinstance(found, list) and all(isinstance(each, str) for each in found):
        return found
    raise RowError(f"{key}: expected a list of texts, found {describe_value(found)}")


def _read_code_contests(row: Document) -> Tests:
    tests: list[TextTest] = []
    for key in _CODE_CONTESTS:
        if row.get(key) is not None:
            tests += _read_pairs(row[key], key, "").tests
    names = {key: _text(row.get(key), key) for key in ("input_file", "output_file")}
    names = {key: name for key, name in names.items() if name not in ("", "stdin", "stdout")}
    for key, name in names.items():
        if not re.fullmatch(r"[\w-][\w.-]{0,99}", name, re.ASCII):
            raise RowError(f"{key}: {name!r:.80}; expected the name of a file, such as in.txt")
    return Tests(
        tests=tuple(tests),
        checker=CheckerConfig(float_absolute_tolerance=1e-5),  # execution/tester_sandboxer.cc, `ValuesMatch`
        cpu=_seconds(row, "time_limit"),
        memory=_bytes(row, "memory_limit_bytes"),
        file_names=file_names(names.get("input_file"), names.get("output_file")),
    )


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
        found = _read_pairs(value, key, function)
        tests += found.tests
        function = function or found.function
    return Tests(
        tests=tuple(tests),
        function=function,
        data_set=DataSet.LIVE_CODE_BENCH,
        cpu=6.0,  # as in compute_code_generation_metrics.py, where nothing limits the memory
        memory=GIB,
    )


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


def _encode(value: object, key: str, place: str) -> bytes:
    """Return the input or output of a program: a text as it is, a list of lines joined; an object has it at a key."""
    if isinstance(value, dict):
        if not isinstance(value.get(key), str):
            raise RowError(f"{place}: expected a text, found an object; name the `function` if one is called")
        value = value[key]
    if isinstance(value, list):
        return b"\n".join(_as_bytes(each) if isinstance(each, str) else _dump(each, place) for each in value)
    return _as_bytes(value) if isinstance(value, str) else _dump(value, place)


def _dump(value: object, place: str) -> bytes:
    try:
        return _as_bytes(_encode_json(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise RowError(f"{place}: it cannot be written as JSON: {error}") from error


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _seconds(row: Document, key: str) -> float | None:
    """Return a time limit: seconds, a text such as `2.0 seconds`, or CodeContests' seconds and nanoseconds.

    None if there is none; data sets write zero or leave it out.
    """
    value = row.get(key)
    if isinstance(value, dict):
        seconds, nanos = value.get("seconds") or 0, value.get("nanos") or 0
        if not all(isinstance(each, int) and abs(each) < 1 << 63 for each in (seconds, nanos)):
            raise RowError(f"{key}: {value!r:.80}; expected integers as `seconds` and `nanos`")
        value = seconds + nanos // 10**6 / 1000
    return _amount(value, key, _TIME_UNITS, most=24 * 60 * 60.0, name="seconds")


def _bytes(row: Document, key: str) -> int | None:
    """Return a memory limit: bytes, or a text such as `256 megabytes`; None if there is none."""
    found = _amount(row.get(key), key, _MEMORY_UNITS, most=_MOST_MEMORY, name="bytes")
    if found is not None and found < _LEAST_MEMORY:
        raise RowError(f"{key}: {row[key]!r:.80} is less than 1 MiB; write the unit, as in `256 megabytes`")
    return None if found is None else int(found)


def _amount(value: object, key: str, units: dict[str, float], *, most: float, name: str) -> float | None:
    """Return a limit in the smallest unit; None if there is none."""
    if value is None or value == "":
        return None
    number, factor = value, 1.0
    if isinstance(value, str) and (found := _AMOUNT.fullmatch(value)):
        unit = found[2].lower()
        number, factor = float(found[1]), units.get(unit, units.get(unit.removesuffix("s"), 0.0))
    if isinstance(number, bool) or not isinstance(number, int | float) or not factor:
        raise RowError(f"{key}: {value!r:.80}; expected a number of {name}, or a text with a unit")
    if not number <= most / factor:
        raise RowError(f"{key}: {value!r:.80}; expected at most {most:.0f} {name}")
    return number * factor if number > 0 else None


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


# ---- a text that was pickled: read without executing the pickle -----------------------------------------------------

# LiveCodeBench keeps private tests as base64 of zlib of a pickle of one `str`. A pickle is a program (see the module
# `pickletools`), so this reads only the few instructions that make up a text, and refuses all others.


MAX_SIZE = 1 << 30
"""Bytes of a text that is unpacked; a compressed bomb stops there."""

_TEXTS = ("SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8")
_WITHOUT_EFFECT = ("PROTO", "FRAME", "MEMOIZE", "BINPUT", "LONG_BINPUT", "STOP")


def unpack_text(packed: str) -> str:
    """Return the text in base64 of zlib of a pickle of a `str`, or of the text itself.

    Raises:
        ValueError: it is something else; the message says what.
    """
    try:
        compressed = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"not base64: {error}") from error
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(compressed, MAX_SIZE)
    except zlib.error as error:
        raise ValueError(f"not compressed by zlib: {error}") from error
    if unpacker.unconsumed_tail:
        raise ValueError(f"more than {MAX_SIZE} bytes when unpacked")
    if not unpacker.eof:
        raise ValueError("the compressed data is cut off")
    try:
        return data.decode() if data[:1] in (b"[", b"{") else read_pickled_text(data)
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start}") from error


def read_pickled_text(data: bytes) -> str:
    """Return the text that a pickle consists of; nothing in it is executed.

    Raises:
        ValueError: the pickle is damaged, or contains another instruction than those of a text (UnicodeDecodeError is
            one, too).
    """
    from pickletools import genops  # few data sets have pickles

    texts, other = [], ""
    try:
        for opcode, argument, _ in genops(data):
            if opcode.name in _TEXTS:
                texts.append(str(argument))
            elif opcode.name not in _WITHOUT_EFFECT:
                other = opcode.name
                break
    except UnicodeDecodeError:
        raise
    except ValueError as error:
        raise ValueError(f"a pickle that is cut off or damaged: {error}") from error
    if other:
        raise ValueError(f"a pickle of something else than one text, which is not executed: it has {other}")
    if len(texts) != 1:
        raise ValueError(f"a pickle of {len(texts)} texts; expected one")
    return texts[0]
