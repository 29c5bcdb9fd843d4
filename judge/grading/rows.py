"""From a JSON object to a submission that can be graded, or to what is wrong with it.

The functions that read a part of a row raise RowError; its message names the key.
"""

import hashlib
import json
import math
import os
import re
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, fields, replace

from judge import __version__
from judge.base.files import open_regular
from judge.base.units import GIB, MIB, Bytes, Seconds
from judge.grading.datasets import Tests, allow_long_integers, describe_value, read_tests
from judge.grading.values import VERSION, DataSet, Document, Grade, GradeOptions, Row, RowError, Task, blame_row
from judge.languages.names import find_language_id
from judge.languages.table import LANGUAGES
from judge.model import CHECKERS, DEFAULT_LIMITS, CheckerConfig, Limits, default_wall

T = TypeVar("T", bound=Struct)

MAX_CODE = Bytes(1 * MIB)
"""A larger source is a compile error; no online judge takes it."""

LEAST_TIME, MAX_TIME = Seconds(1e-3), Seconds(24 * 60 * 60.0)
"""The shortest and the longest time limit."""

MAX_MEMORY = Bytes(1024 * GIB)
"""The largest memory limit; the least one is 1 MiB."""

_MAX_ID = 1000

_NUMBERS = {"1": "python2", "2": "cpp", "3": "python3", "4": "java"}  # of CodeContests (contest_problem.proto)

_FENCED = re.compile(rb"(?ms)^([ \t]*)(`{3,}|~{3,})[^`\n]*\n(.*?)(?:^[ \t]*\2[`~]*[ \t]*\r?$|\Z)")
_QUOTED = re.compile(  # strings and comments of Python; the second group is empty if a string is open at the end
    rb"""(?s)(\"{3}|'{3})(?:\\.|[^\\])*?(\1|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*"""
)

_decode = msgspec.json.Decoder().decode


def parse_line(data: bytes, line: int, options: GradeOptions) -> Row:
    """Parse a line of JSON, of which the options have defaults for what it leaves out."""
    allow_long_integers()
    try:
        document = _decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        try:
            document = json.loads(data)  # Python writes and reads NaN and half of a surrogate pair, too
        except (ValueError, RecursionError):
            return _refuse(f"line-{line}", line, f"line {line}: not JSON: {error}", data)
    if not isinstance(document, dict):
        found = describe_value(document)
        return _refuse(f"line-{line}", line, f"line {line}: expected a JSON object, found {found}", data)
    return parse_row(document, line, options)


def parse_row(row: Document, line: int, options: GradeOptions) -> Row:
    """Return the submission that a JSON object describes."""
    allow_long_integers()
    if not isinstance(row, Mapping):  # from the Python API, whose callers may have no types
        reason = f"line {line}: expected a dict, found {describe_value(row)}"  # type: ignore[unreachable]
        return _refuse(f"line-{line}", line, reason, b"")
    row_id = f"line-{line}"
    try:
        row_id = _row_id(row) or row_id
        return _parse(row, row_id, line, options)
    except RowError as error:
        return _refuse(row_id, line, f"line {line}: {error}", _dump(row))


def _refuse(row_id: str, line: int, reason: str, data: bytes, group: str = "") -> Grade:
    return blame_row(row_id, line, _without_surrogates(reason), hash_parts(b"refused", data), group)


def _parse(row: Document, row_id: str, line: int, options: GradeOptions) -> Task:
    """Parse a row."""
    code, path = _read_code(row, options)
    if options.extracts_code:
        code = extract_code(code)
    language = _find_language(row, path)
    found = read_tests(row)
    problem = _text(row, "problem") if found is None else ""  # with tests, it is the text of a statement
    if not problem and found is None:
        raise RowError(
            "no tests: expected `problem`, `tests`, or the keys of a data set (`input_output`, `private_tests`, "
            "`private_test_cases`)"
        )
    if found is not None and not found.tests:
        raise RowError("the list of tests is empty")
    tests = found or Tests(tests=())
    function = tests.function
    if (function or tests.data_set.has_asserts) and language != "python3":
        called = f"the function {function}" if function else "what the tests call"
        raise RowError(f"{called} can be called in Python only, and the language is {language}")
    if function and (not function.isidentifier() or iskeyword(function)):
        raise RowError(f"function: {function!r} is not a name")
    given = asdict(_convert(row.get("limits"), "limits", _Limits))
    given_limits: dict[str, Any] = {  # arguments of `Limits.override`
        name: int(value) if name in ("memory", "output") else value
        for name, value in given.items()
        if value is not None
    }
    given_checker = _checker(row, options)
    cpu = Seconds(options.cpu or tests.cpu or DEFAULT_LIMITS.cpu)
    memory = Bytes(options.memory or tests.memory or DEFAULT_LIMITS.memory)
    limits = Limits(cpu=cpu, wall=default_wall(cpu), memory=memory, output=DEFAULT_LIMITS.output)
    limits = limits.override(**given_limits)
    checker = given_checker or tests.checker or CheckerConfig()
    data = [part for each in tests.tests for part in (each.input, each.output)]
    group = _group(row, problem, data)
    entry_point = _text(row, "entry_point")
    if tests.data_set is DataSet.HUMAN_EVAL:  # the prompt begins the function, or has what it needs
        code, entry_point = _text(row, "prompt").encode("utf-8", "surrogatepass") + code, ""
    uses_checker = tests.data_set is DataSet.NONE or given_checker is not None
    key = repr((options.runs_all, options.in_order, options.is_warm, options.python))
    runs = (tests.data_set.value, uses_checker, key)
    settings = (VERSION, __version__, language, entry_point, function, *runs)
    checker_override = given_checker if row.get("checker") is not None else None
    deciding = (given_limits, checker_override) if problem else (limits, checker, *filter(None, [tests.file_names]))
    return Task(
        id=row_id,
        line=line,
        code=code,
        language=language,
        entry_point=entry_point,
        tests=tests.tests,
        limits=limits,
        checker=checker,
        function=function,
        data_set=tests.data_set,
        file_names=tests.file_names,
        uses_checker=uses_checker,
        problem=problem,
        limit_overrides=given_limits,
        checker_override=checker_override,
        names_checker=isinstance(named := row.get("checker"), str) or (isinstance(named, Mapping) and "name" in named),
        group=group,
        digest=hash_parts(repr((settings, deciding)).encode(), code, *data),
    )


def _row_id(row: Document) -> str:
    """Return the id of a row; "" if it has none."""
    for key in ("id", "submission_id"):
        value = row.get(key)
        if value is None or value == "":
            continue
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise RowError(f"{key}: expected a text or an integer, found {describe_value(value)}")
        return _without_surrogates(str(value)[:_MAX_ID])
    return ""


def _without_surrogates(text: str) -> str:
    """Return a text without halves of surrogate pairs, which JSON Lines cannot have."""
    return text.encode("utf-8", "replace").decode()


def _read_code(row: Document, options: GradeOptions) -> tuple[bytes, Path | None]:
    """Return the source of a row, and its path if it is a file."""
    code, path = row.get("code"), row.get("path")
    if row.get("completion") is not None and (code is None or row.get("test_list") is not None):
        code = row["completion"]  # the `code` of a row of MBPP is the data set's own solution
    if (code is None) == (path is None):
        raise RowError("expected either `code`, the text of a source, or `path`, its file")
    if code is not None:
        if not isinstance(code, str | bytes):
            raise RowError(f"code: expected a text, found {describe_value(code)}")
        return (code.encode("utf-8", "surrogatepass") if isinstance(code, str) else code), None
    if not isinstance(path, str | Path):
        raise RowError(f"path: expected a text, found {describe_value(path)}")
    file = Path(path)
    try:
        if fault := options.find_fault(file):
            raise RowError(f"path: {path} {fault}")
        with os.fdopen(open_regular(file, follows_link=True), "rb") as stream:
            return stream.read(MAX_CODE + 1), file
    except (OSError, ValueError) as error:  # a path may have any characters
        raise RowError(f"path: {path}: {error.strerror if isinstance(error, OSError) else error}") from error


def extract_code(text: bytes) -> bytes:
    """Return what is between the last Markdown fences of a text; all of it if there are none.

    As in lcb_runner/utils/extraction_utils.py of LiveCodeBench; a fence that is not closed ends with the text. The
    indentation of the fence, as in a list, is not part of the code. A fence in a docstring is part of a source.
    """
    blocks = list(_FENCED.finditer(text))
    if not blocks or any(each[1] and not each[2] for each in _QUOTED.finditer(text[: blocks[0].start()])):
        return text
    indentation, _, code = blocks[-1].groups()
    return re.sub(rb"(?m)^[ \t]{1,%d}" % len(indentation), b"", code) if indentation else code


def _find_language(row: Document, path: Path | None) -> str:
    """Return the id of the language: Python 3 unless the row or the suffix of its file says otherwise."""
    value = row.get("language")
    if value is None:
        suffix = path.suffix.lower() if path else ""
        return next((each.id for each in LANGUAGES if suffix in each.suffixes), "python3")
    found = _NUMBERS.get(str(value)) or find_language_id(str(value))
    if not isinstance(value, str | int) or found is None:
        raise RowError(
            f"language: {value!r:.80} is not known; expected one of {', '.join(each.id for each in LANGUAGES)}"
        )
    return found


_Time = Annotated[float, Meta(ge=LEAST_TIME, le=MAX_TIME)]


class _Limits(
    Struct,
    forbid_unknown_fields=True,
    rename={"cpu": "time_s", "wall": "wall_s", "memory": "memory_bytes", "output": "output_bytes"},
):
    """The limits of a row; None for the default."""

    cpu: _Time | None = None
    wall: Annotated[float, Meta(ge=LEAST_TIME, le=2 * MAX_TIME + 1)] | None = None
    memory: Annotated[float, Meta(ge=MIB, le=MAX_MEMORY)] | None = None
    output: Annotated[float, Meta(ge=1, le=GIB)] | None = None


class _Checker(Struct, forbid_unknown_fields=True):
    """The checker of a row; None for that of the options."""

    name: str | None = None
    case_sensitive: bool = False
    space_change_sensitive: bool = False
    float_tolerance: float | None = None


def _convert(value: object, key: str, kind: type[T]) -> T:
    try:
        return msgspec.convert({} if value is None else value, kind)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$")
        known = "" if path else f"; the fields are {', '.join(each.encode_name for each in fields(kind))}"
        raise RowError(f"{key}{path.removesuffix('`')}: {text}{known}") from error


def _checker(row: Document, options: GradeOptions) -> CheckerConfig | None:
    """Return the checker: that of the row, else of the options; None if neither sets one."""
    value = row.get("checker")
    if value is None and options.checker is None and options.tolerance is None:
        return None
    given = _convert({"name": value} if isinstance(value, str) else value, "checker", _Checker)
    name = (options.checker or "tokens") if given.name is None else given.name
    tolerance = options.tolerance if given.float_tolerance is None else given.float_tolerance
    if fault := find_checker_fault(name, tolerance):
        raise RowError(f"checker.{fault}" if fault.startswith("float_tolerance") else f"checker: {fault}")
    if name == "tokens":
        return CheckerConfig(
            case_sensitive=given.case_sensitive,
            space_change_sensitive=given.space_change_sensitive,
            float_absolute_tolerance=tolerance,
            float_relative_tolerance=tolerance,
        )
    if replace(given, name=None) != _Checker():
        raise RowError(f"checker: {name} has no options")
    return CheckerConfig(name=name)


def find_checker_fault(name: str, tolerance: float | None) -> str:
    """Return what is wrong with a checker, after its place; "" for nothing."""
    if name not in CHECKERS:
        return f"{name!r:.80} is not known; expected one of {', '.join(CHECKERS)}"
    if tolerance is not None and not 0 <= tolerance < math.inf:
        return f"float_tolerance: {tolerance!r:.80}; expected a number such as 1e-6"
    return ""


def _group(row: Document, problem: str, data: list[bytes]) -> str:
    """Return what submissions to the same task have in common: what the row says, its problem, or its tests."""
    for key in ("task", "task_id", "question_id", "problem_id"):
        value = row.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return _without_surrogates(str(value)[:_MAX_ID])
    return problem or hash_parts(*data)[:16]


def _text(row: Document, key: str) -> str:
    value = row.get(key)
    if value is not None and not isinstance(value, str | Path):
        raise RowError(f"{key}: expected a text, found {describe_value(value)}")
    return str(value or "")


def hash_parts(*parts: bytes) -> str:
    """Return a hash of some data, in hex."""
    hasher = hashlib.blake2b(digest_size=16)
    for part in parts:
        hasher.update(b"%d:" % len(part))
        hasher.update(part)
    return hasher.hexdigest()


def _dump(row: Document) -> bytes:
    try:
        return repr(sorted((str(key), repr(value)) for key, value in row.items())).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):  # an integer has too many digits, for example
        return b""


DUPLICATE = "an earlier row has the id"
"""What the fault of such a row says."""


def mark_duplicate(row: Row) -> Grade:
    """Return what becomes of a row whose id an earlier row has."""
    reason = (
        f"line {row.line}: {DUPLICATE} {row.id}, too; give each submission an id of its own, "
        "and `task` to those of one task"
    )
    group = row.group if isinstance(row, Task) else row.task
    return _refuse(row.id, row.line, reason, b"%d %s" % (row.line, row.digest.encode()), group)


def with_problem_digest(task: Task, digest: str) -> Task:
    """Return a task whose digest covers the files of its problem."""
    return replace(task, digest=hash_parts(task.digest.encode(), digest.encode()))
