"""From rows to submissions: the shapes of data sets, and what is wrong with a row."""

import base64
import json
import os
import pickle
import re
import subprocess
import sys
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from judge.base.units import Bytes, Seconds
from judge.grading.datasets import read_pickled_text, unpack_text
from judge.grading.rows import mark_duplicate, parse_line, parse_row
from judge.grading.values import DataSet, Grade, GradeOptions, Task, TextTest
from judge.model import CheckerConfig

OPTIONS = GradeOptions()
TESTS = [{"input": "1 2\n", "output": "3\n"}]
ROW: dict[str, Any] = {"id": "a", "code": "print(3)", "tests": TESTS}


def parsed(row: dict[str, Any], options: GradeOptions = OPTIONS) -> Task:
    task = parse_row(row, 1, options)
    assert isinstance(task, Task), task
    return task


def packed(tests: object, protocol: int = 4) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(json.dumps(tests), protocol))).decode()


SHAPES: dict[str, dict[str, Any]] = {
    "ours": {"tests": TESTS},
    "lists of both": {"tests": {"inputs": ["1 2\n"], "outputs": ["3\n"]}},
    "APPS": {"input_output": json.dumps({"inputs": ["1 2\n"], "outputs": ["3\n"]})},
    "TACO, not encoded": {"input_output": {"inputs": ["1 2\n"], "outputs": ["3\n"]}, "time_limit": "2.0 seconds"},
    "CodeContests": {
        "public_tests": {"input": [], "output": []},
        "private_tests": {"input": ["1 2\n"], "output": ["3\n"]},
        "generated_tests": None,
    },
    "LiveCodeBench": {
        "public_test_cases": "[]",
        "private_test_cases": packed([{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]),
        "metadata": "{}",
    },
    "LiveCodeBench, not packed": {
        "public_test_cases": json.dumps([{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]),
        "private_test_cases": "[]",
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_tests_of_every_shape_are_read(shape: str) -> None:
    task = parsed({"code": "print(3)", **SHAPES[shape]})
    assert task.tests == (TextTest(b"1 2\n", b"3\n"),)
    assert (task.function, task.language, task.problem) == ("", "python3", "")


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("C++17", "cpp"), ("GNU G++20 11.2.0", "cpp"), ("cpp14", "cpp"), ("Python 3.12", "python3"),
        ("Python2", "python2"),
        ("PyPy 3.10", "pypy3"), ("PyPy3-64", "pypy3"), ("Java 17", "java"), ("C11", "c"), ("C# 10", "csharp"),
        ("Rust 1.75", "rust"), ("Kotlin 1.9", "kotlin"), ("Node.js 18", "javascript"),
    ],
)  # fmt: skip
def test_a_language_may_have_a_version(name: str, language: str) -> None:
    assert parsed({**ROW, "language": name}).language == language


def test_a_file_of_a_row_has_a_plain_name() -> None:
    for name in ("../x", "/etc/passwd", "a/b", "", " ", ".x"):
        row = {"code": "", "public_tests": {"input": ["1"], "output": ["2"]}, "input_file": name}
        assert isinstance(parse_row(row, 1, OPTIONS), Task) == (not name.strip())


def test_functions_get_their_arguments_as_json() -> None:
    apps = {"input_output": json.dumps({"fn_name": "add", "inputs": [[1, [2]]], "outputs": [3]})}
    lists = {"tests": [{"input": [1, [2]], "output": 3}], "function": "add"}
    bench = {
        "private_test_cases": packed([{"input": "1\n[2]", "output": "3", "testtype": "functional"}]),
        "metadata": json.dumps({"func_name": "add"}),
    }
    for shape in (apps, lists, bench):
        task = parsed({"code": "", **shape})
        assert task.function == "add"
        assert [json.loads(each.input) for each in task.tests] == [[1, [2]]]
        assert [json.loads(each.output) for each in task.tests] == [3]


def test_rows_of_python_and_of_collections_are_read() -> None:
    for line in (
        b'{"code": "", "tests": [{"input": "1", "output": "2"}], "rating": NaN}',
        b'{"id": "\\ud800", "code": ""}',
    ):
        row = parse_line(line, 1, OPTIONS)
        assert "not JSON" not in getattr(row, "reason", "")
    assert parsed({**ROW, "problem": "Two numbers are given.\nPrint their sum."}).problem == ""
    streams = {"input": {"stdin": "1 2\n"}, "output": {"stdout": "3\n"}}
    assert parsed({**ROW, "tests": [streams]}).tests == (TextTest(b"1 2\n", b"3\n"),)
    mixed = {"function": "f", "tests": [{"input": "[1]\n2", "output": "3"}, {"input": [[1], 2], "output": 3}]}
    assert len({each.input.replace(b" ", b"") for each in parsed({"code": "", **mixed}).tests}) == 1
    nothing = parsed({"code": "", "function": "f", "tests": [{"input": "", "output": "0"}]})
    assert nothing.tests == (TextTest(b"[]", b"0"),)
    huge = {"fn_name": "f", "inputs": [[10]], "outputs": [0]}
    text = json.dumps(huge).replace("10", "1" * 9000)
    assert len(parsed({"code": "", "input_output": text}).tests[0].input) > 9000


DOCSTRING = 'def f():\n    """\n    ```\n    f()\n    ```\n    """\n\nf()\n'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("print(1)\n", "print(1)\n"),
        ("Here it is:\n```python\nprint(1)\n```\nIt prints 1.", "print(1)\n"),
        ("```\na\n```\nor better\n~~~ py\nb\n```x\n~~~\n", "b\n```x\n"),
        ("  ````cpp\r\nint a;\r\n````\r\n", "int a;\r\n"),
        ("```python\nprint(1)\n", "print(1)\n"),
        ("s = '```'\n", "s = '```'\n"),
        ("1. It's so:\n   ```python\n   if x:\n       y()\n\n   ```\n", "if x:\n    y()\n\n"),
        (DOCSTRING, DOCSTRING),
        ('With """quotes""":\n```\na\n```\n', "a\n"),
    ],
)
def test_code_is_taken_out_of_the_last_fences_if_that_is_wanted(text: str, code: str) -> None:
    row = {**ROW, "code": text}
    extracted = parse_row(row, 1, GradeOptions(extracts_code=True))
    assert isinstance(extracted, Task)
    assert extracted.code == code.encode()
    assert parsed(row).code == text.encode()


def test_limits_and_checkers_come_from_the_row_then_the_options_then_the_data_set() -> None:
    taco = {"code": "", "input_output": {"inputs": ["1"], "outputs": ["2"]}, "time_limit": "3.5 seconds"}
    taco["memory_limit"] = "64.0 megabytes"
    options = GradeOptions(cpu=Seconds(4.0), memory=Bytes(1 << 30), tolerance=1e-3)
    assert (parsed(taco).limits.cpu, parsed(taco).limits.memory) == (3.5, 64 << 20)
    assert not parsed(taco).uses_checker
    assert (parsed(taco, options).uses_checker, parsed(taco, options).checker.float_relative_tolerance) == (True, 1e-3)
    bench = parsed({"code": "", "public_test_cases": [{"input": "1", "output": "2"}]})
    assert (bench.limits.cpu, bench.limits.memory, bench.data_set) == (6.0, 1 << 30, DataSet.LIVE_CODE_BENCH)
    assert (parsed(taco, options).limits.cpu, parsed(taco, options).limits.memory) == (4.0, 1 << 30)
    own = parsed({**taco, "limits": {"time_s": 1}, "checker": {"float_tolerance": 0.5}}, options)
    assert (own.limits.cpu, own.limits.wall, own.checker.float_absolute_tolerance) == (1.0, 3.0, 0.5)
    assert parsed({**ROW, "checker": "exact"}).checker == CheckerConfig(name="exact")
    contests: dict[str, Any] = {"code": "", "private_tests": {"input": ["1"], "output": ["2"]}}
    contests |= {"time_limit": {"seconds": 1, "nanos": 500_000_000}, "memory_limit_bytes": 1 << 25}
    assert (parsed(contests).limits.cpu, parsed(contests).limits.memory) == (1.5, 1 << 25)
    assert parsed({**contests, "memory_limit_bytes": 0}).limits.memory == 256 << 20
    assert parsed(contests).checker == CheckerConfig(float_absolute_tolerance=1e-5)
    assert parsed({**taco, "time_limit": "500 milliseconds"}).limits.cpu == 0.5
    assert parsed({**taco, "memory_limit": "2 GB"}).limits.memory == 2 << 30


@pytest.mark.parametrize(
    ("language", "found"),
    [(None, "python3"), ("Python", "python3"), ("c++", "cpp"), (3, "python3"), (2, "cpp"), ("JAVA", "java")],
)
def test_languages_have_the_names_of_data_sets(language: object, found: str) -> None:
    assert parsed({**ROW, "language": language}).language == found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"code": None}, "either `code`, the text of a source, or `path`"),
        ({"code": 7}, "code: expected a text, found a number"),
        ({"code": None, "path": "gone.py"}, "path: gone.py: No such file or directory"),
        ({"code": None, "path": "a\0b"}, "path: a\0b: embedded null byte"),
        ({"code": None, "path": "\ud800"}, "path: ?: 'utf-8' codec can't encode"),
        ({"language": "klingon"}, "language: 'klingon' is not known; expected one of python3"),
        ({"tests": None}, "no tests: expected `problem`, `tests`"),
        ({"tests": []}, "the list of tests is empty"),
        ({"tests": 3}, "tests: expected a list"),
        ({"tests": [3]}, "tests: test 1 is a number; expected an object"),
        ({"tests": [{"input": "1"}]}, "tests: test 1 has no output"),
        ({"tests": {"inputs": ["1"], "outputs": []}}, "tests: 1 input, but 0 outputs"),
        ({"tests": {"inputs": ["1"], "outputs": [None]}}, "tests: test 1 has no output"),
        ({"tests": None, "input_output": "{"}, "input_output: not JSON"),
        ({"tests": None, "private_test_cases": "AAAA"}, "private_test_cases: not compressed by zlib"),
        ({"tests": None, "private_test_cases": "!"}, "private_test_cases: not base64"),
        (
            {"limits": {"time": 1}},
            "limits: Object contains unknown field `time`; the fields are time_s, wall_s, memory_bytes",
        ),
        ({"limits": {"time_s": -1}}, "limits.time_s: Expected `float` >= 0.001"),
        ({"limits": {"time_s": float("nan")}}, "limits.time_s: Expected `float` >= 0.001"),
        ({"limits": 3}, "limits: Expected `object`, got `int`"),
        ({"limits": []}, "limits: Expected `object`, got `array`"),
        ({"limits": {1: 2}}, "limits: Expected `str`"),
        ({"limits": {"memory_bytes": 256}}, "limits.memory_bytes: Expected `float` >= 1048576.0"),
        ({"limits": {"output_bytes": 0.5}}, "limits.output_bytes: Expected `float` >= 1.0"),
        ({"id": 1.5}, "id: expected a text or an integer, found a number"),
        ({"checker": ""}, "checker: '' is not known"),
        ({"checker": {"float_tolerance": True}}, "checker.float_tolerance: Expected `float | null`, got `bool`"),
        ({"checker": "fuzzy"}, "checker: 'fuzzy' is not known; expected one of tokens"),
        ({"checker": {"program": "x"}}, "checker: Object contains unknown field `program`"),
        ({"checker": {"float_tolerance": "x"}}, "checker.float_tolerance: Expected `float | null`, got `str`"),
        ({"checker": {"float_tolerance": -1}}, "checker.float_tolerance: -1.0; expected a number"),
        (
            {"tests": None, "input_output": {"inputs": [], "outputs": []}, "memory_limit": 256},
            "memory_limit: 256 is less",
        ),
        (
            {"tests": None, "input_output": {"inputs": [], "outputs": []}, "time_limit": 1e9},
            "expected at most 86400 seco",
        ),
        (
            {"tests": None, "input_output": {"inputs": [], "outputs": []}, "time_limit": {"seconds": 10**5000}},
            "expected integers as `seconds` and `nanos`",
        ),
        ({"tests": [{"input": "1", "output": "2", "testtype": "functional"}]}, "tests: the tests call a function, and"),
        ({"tests": [{"input": {"a": 1}, "output": "2"}]}, "tests: test 1: input: expected a text, found an object"),
        ({"function": "a-b"}, "function: 'a-b' is not a name"),
        ({"function": "class"}, "function: 'class' is not a name"),
        (
            {"function": "f", "tests": [{"input": "[1]\n3", "output": "6"}, {"input": "[1\n3", "output": "6"}]},
            "tests: test 2: input: '[1': not JSON",
        ),
        ({"function": "f", "tests": [{"input": "1", "output": "six"}]}, "tests: test 1: output: 'six': not JSON"),
        ({"function": "f", "tests": [{"input": {"a": 1}, "output": 1}]}, "expected a list of arguments, or a line of"),
        ({"function": "f", "language": "c"}, "the function f can be called in Python only"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_with_its_line_and_key(change: dict[str, Any], message: str) -> None:
    row = parse_row({**ROW, **change}, 7, OPTIONS)
    assert isinstance(row, Grade)
    assert row.fault.startswith("line 7: ")
    assert message in row.fault


@pytest.mark.parametrize("line", [b"{", b"\xff", b"[1]", b'"x"', b"[" * 100_000, b"nul"])
def test_a_line_that_is_no_object_gets_its_number_as_id(line: bytes) -> None:
    row = parse_line(line, 3, OPTIONS)
    assert isinstance(row, Grade)
    assert row.id == "line-3"
    assert "line 3: " in row.fault


def test_a_source_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int main() {}")
    options = GradeOptions(folders=(tmp_path,))
    task = parsed({"id": "a", "path": str(tmp_path / "a.cpp"), "tests": TESTS}, options)
    assert (task.code, task.language) == (b"int main() {}", "cpp")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/proc/kmsg", "is not in "),
        ("../secret", "is not in "),
        ("{folder}/../secret", "is not in "),
        ("link", "is not in "),
        ("folder/secret", "is not in "),
        ("chain", "is not in "),
        ("broken", ": No such file or directory"),
        ("loop", ": Too many levels of symbolic links"),
        ("pipe", ": not a regular file"),
        ("linked pipe", ": not a regular file"),
        (".", ": not a regular file"),
    ],
)
def test_a_row_names_regular_files_in_the_folder_of_the_stream_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, reason: str
) -> None:
    folder = tmp_path / "stream"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (tmp_path / "secret").write_text("x")
    os.mkfifo("pipe")
    links = {
        "link": "../secret",
        "folder": "..",
        "chain": "link",
        "broken": "gone",
        "loop": "loop",
        "linked pipe": "pipe",
    }
    for name, target in links.items():
        Path(name).symlink_to(target)
    row = {"id": "a", "path": path.format(folder=folder), "tests": TESTS}
    found = parse_row(row, 1, OPTIONS)
    assert isinstance(found, Grade)
    assert f"path: {row['path']}{' ' * (reason[0] != ':')}{reason}" in found.fault
    if "secret" in path or path in ("link", "chain"):
        assert parsed(row, GradeOptions(folders=(folder, tmp_path))).code == b"x"


def test_a_digest_changes_with_everything_that_decides_the_verdict() -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"code": "print(4)"},
        {"language": "pypy3"},
        {"tests": [{"input": "1 2", "output": "3\n"}]},
        {"tests": [{"input": "1 2\n3\n", "output": ""}]},
        {"limits": {"time_s": 3}},
        {"checker": "exact"},
        {"function": "f"},
        {"entry_point": "x"},
    ]
    digests = {parsed({**ROW, **change}).digest for change in changes}
    digests |= {parsed(ROW, GradeOptions(runs_all=True)).digest, parsed(ROW, GradeOptions(is_warm=False)).digest}
    assert len(digests) == len(changes) + 2
    assert parsed({**ROW, "id": "b", "prompt": "unrelated"}).digest == parsed(ROW).digest


def test_submissions_to_one_task_have_its_tests_or_its_name_in_common() -> None:
    other = {**ROW, "id": "b", "code": "print(4)"}
    assert parsed(ROW).group == parsed(other).group
    assert parsed({**ROW, "tests": [{"input": "", "output": "1"}]}).group != parsed(ROW).group
    assert parsed({**ROW, "task": "sum"}).group == "sum"
    assert parsed({**ROW, "question_id": 17}).group == "17"


def test_a_duplicate_names_its_id_and_says_what_to_do() -> None:
    duplicate = mark_duplicate(parsed(ROW))
    assert "an earlier row has the id a" in duplicate.fault
    assert "an id of its own" in duplicate.fault
    assert duplicate.digest != parsed(ROW).digest


class Evil:
    """Its pickle calls a function when it is loaded."""

    def __reduce__(self) -> tuple[object, ...]:
        return (pytest.fail, ("a pickle was executed",))


@pytest.mark.parametrize("protocol", range(2, 6))
def test_a_pickled_text_is_read_without_pickle(protocol: int) -> None:
    for text in ("", "[]", "größe ♠", "x" * 300, "x" * 70_000):
        assert read_pickled_text(pickle.dumps(text, protocol)) == text
        assert unpack_text(base64.b64encode(zlib.compress(pickle.dumps(text, protocol))).decode()) == text


@pytest.mark.parametrize("value", [Evil(), 3, [], ["a"], ("a",), b"bytes", None, {"a": "b"}, "a\n", Evil])
@pytest.mark.parametrize("protocol", range(6))
def test_no_other_pickle_is_read(value: object, protocol: int) -> None:
    data = pickle.dumps(value, protocol)
    if isinstance(value, str) and protocol >= 1:
        assert read_pickled_text(data) == value
        return
    with pytest.raises(ValueError, match=r"a pickle of .*, which is not executed: it has [A-Z]"):
        read_pickled_text(data)


def test_damaged_and_exploding_data_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps("x" * 100, 4)
    for size in range(len(data)):
        with pytest.raises(ValueError, match="a pickle that is cut off or damaged"):
            read_pickled_text(data[:size])
    compressed = zlib.compress(pickle.dumps("x" * 10_000))
    with pytest.raises(ValueError, match="cut off"):
        unpack_text(base64.b64encode(compressed[:-5]).decode())
    monkeypatch.setattr("judge.grading.datasets.MAX_SIZE", 1000)
    with pytest.raises(ValueError, match="more than 1000 bytes"):
        unpack_text(base64.b64encode(compressed).decode())


PAGE = Path(__file__).parents[2] / "docs" / "grade.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)

# What Inspect does with the scorer of the page; an evaluation with a model needs the network.
_SCORE = """
from inspect_ai.model import ModelOutput

async def run(text):
    state = TaskState(
        model="mockllm/model", sample_id=1, epoch=1, input="add", messages=[],
        output=ModelOutput.from_content("mockllm/model", text),
        metadata={"tests": [{"input": "1 2", "output": "3"}]},
    )
    return (await passes_tests()(state, Target(""))).value

print([asyncio.run(run(text)) for text in ("```python\\nprint(sum(map(int, input().split())))\\n```", "1/0")])
"""


@pytest.mark.thorough
@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_of_the_page_runs_as_written(example: str, tmp_path: Path) -> None:
    if "inspect_ai" in example:
        if find_spec("inspect_ai") is None:
            pytest.skip("inspect-ai is not installed")
        example += _SCORE
    command = [sys.executable, "-c", example]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    for expected in re.findall(r"  # (\S.*)$", example, re.MULTILINE):
        assert expected in ran.stdout
    if "inspect_ai" in example:
        assert "[1.0, 0.0]" in ran.stdout
