"""Every error in a YAML file is reported, with its position and a fix; all of them at once.

tests/golden/yaml_errors/ has files with errors and, after `>>>`, the expected messages.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from judge.base.errors import DataError, Diagnostic
from judge.model import Inline
from judge.problems.file_format import CASES_FILE as CASES_TYPE
from judge.problems.file_format import PROBLEM_FILE as PROBLEM_TYPE
from judge.problems.file_format import parse_seeds
from judge.problems.native import load_problem
from judge.problems.yaml import parse as syntax
from judge.problems.yaml.document import Document, read_document
from judge.problems.yaml.parse import Mapping, Scalar
from judge.problems.yaml.scalars import resolve
from judge.problems.yaml.text import quote
from tests.golden_files import GOLDEN
from tests.repositories import found_in, make, mistakes

PROBLEM_FILE = "problems/p/problem.yaml"
CASES_FILE = "testcases/p/sample.yaml"


# ---- messages and positions ---------------------------------------------------------------------------------------


class Scenario(NamedTuple):
    """A file with errors and the expected messages."""

    title: str
    text: str
    expected: list[str]


def scenarios(name: str) -> list[Scenario]:
    return list(parsed((GOLDEN / "yaml_errors" / f"{name}.txt").read_text(encoding="utf-8")))


def parsed(golden: str) -> Iterator[Scenario]:
    for block in golden.removeprefix("=== ").split("\n=== "):
        title, _, rest = block.partition("\n")
        text, _, expected = ("\n" + rest).partition("\n>>>\n")
        yield Scenario(title, text.removeprefix("\n") + "\n" if text else "", expected.strip().splitlines())


def check(name: str, scenario: Scenario, file: str, found: list[str]) -> None:
    said = [line.removeprefix(f"{file}:") for line in found]
    if os.environ.get("UPDATE_GOLDEN"):
        path = GOLDEN / "yaml_errors" / f"{name}.txt"
        blocks = [each._replace(expected=said) if each.title == scenario.title else each for each in scenarios(name)]
        path.write_text("\n".join(golden_text(block) for block in blocks), encoding="utf-8")
    else:
        assert said == scenario.expected


def golden_text(scenario: Scenario) -> str:
    return f"=== {scenario.title}\n{scenario.text}>>>\n" + "".join(f"{line}\n" for line in scenario.expected)


def by_title(scenario: Scenario) -> str:
    return scenario.title


def parse(text: str) -> tuple[syntax.AnyNode | None, list[Diagnostic]]:
    return syntax.parse(text.encode(), Path("x"))


@pytest.mark.parametrize("scenario", scenarios("problem"), ids=by_title)
def test_an_error_in_a_problem_file_is_reported_in_these_words(tmp_path: Path, scenario: Scenario) -> None:
    found = mistakes(tmp_path, {PROBLEM_FILE: scenario.text, CASES_FILE: None})
    check("problem", scenario, PROBLEM_FILE, found)


@pytest.mark.parametrize("scenario", scenarios("cases"), ids=by_title)
def test_an_error_in_a_file_of_cases_is_reported_in_these_words(tmp_path: Path, scenario: Scenario) -> None:
    check("cases", scenario, CASES_FILE, mistakes(tmp_path, {CASES_FILE: scenario.text}))


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize("scenario", scenarios("syntax"), ids=by_title)
def test_both_of_pyyamls_parsers_give_the_same_message(
    tmp_path: Path, scenario: Scenario, loader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(yaml, loader):
        pytest.skip("PyYAML was built without its parser in C")
    monkeypatch.setattr(syntax, "_LOADER", getattr(yaml, loader))
    found = mistakes(tmp_path, {PROBLEM_FILE: scenario.text, CASES_FILE: None})
    check("syntax", scenario, PROBLEM_FILE, found)


NOT_ALLOWED = "is not allowed here: write it as an escape in a double-quoted string"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"name: ok\nwhy: \xff\n", "2:6: error: the byte 0xff is not valid UTF-8: save the file as UTF-8"),
        ("name: ok\nwhy: é\n".encode("utf-16"), "1:1: error: the byte 0xff is not valid UTF-8: save the file as UTF-8"),
        (b"name: \x07\n", f"1:7: error: the character U+0007 {NOT_ALLOWED}"),
        ("name: a\u2028b\n".encode(), f"1:8: error: the character U+2028 {NOT_ALLOWED}"),
        (b"name: a\rb\n", f"1:8: error: the character U+000D {NOT_ALLOWED}"),
        (
            b'name: "\\ud800"\nprofile: icpc\n',
            "1:7: error: a `\\u` escape encodes half a character: write the character itself",
        ),
    ],
)
def test_bytes_that_are_not_text_are_reported_in_these_words(tmp_path: Path, data: bytes, expected: str) -> None:
    assert mistakes(tmp_path, {PROBLEM_FILE: data, CASES_FILE: None}) == [f"{PROBLEM_FILE}:{expected}"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1" * 5000, "found a number of 5,000 digits: quote it"),
        ("1" * 100, f"found the number `{'1' * 60}...`: quote it"),
    ],
)
def test_a_fix_is_short_and_right(tmp_path: Path, value: str, expected: str) -> None:
    found = mistakes(tmp_path, {PROBLEM_FILE: f"name: {value}\nprofile: icpc\n", CASES_FILE: None})
    assert found == [f"{PROBLEM_FILE}:1:7: error: `name`: expected a string, {expected}"]


# ---- all at once --------------------------------------------------------------------------------------------------


def test_the_errors_of_all_files_are_reported_together_problem_first_then_groups_in_order(tmp_path: Path) -> None:
    found = mistakes(
        tmp_path,
        {
            PROBLEM_FILE: "name: no\nprofile: icpc\ngenerators: [generators/hands.py]\nlimits: {time: 3}\n",
            "problems/p/generators/hands.py": "def broken(:\n",
            "testcases/p/edge.yaml": "cases: [{name: a b, input: x}]\n",
            CASES_FILE: "cases:\n\t- name: x\n",
            "solutions/p/acepted/x.py": "",
        },
    )
    assert [line.split(" ")[0] for line in found] == [
        "problems/p/problem.yaml:1:7:",
        "problems/p/problem.yaml:4:16:",
        "problems/p/generators/hands.py:1:12:",
        "testcases/p/sample.yaml:2:1:",
        "testcases/p/edge.yaml:1:9:",
        "testcases/p/edge.yaml:1:16:",
        "solutions/p/acepted:",
    ]


def test_a_broken_problem_file_brings_no_false_alarms_about_its_cases(tmp_path: Path) -> None:
    cases = "cases:\n- {name: a, generate: near_misses, seeds: 1-3}\n- {name: b, input: x, answr: y}\n"
    found = mistakes(tmp_path, {PROBLEM_FILE: "name: [x\n", CASES_FILE: cases})
    assert [line.rpartition("/")[2].partition(" ")[0] for line in found] == ["problem.yaml:1:7:", "sample.yaml:3:23:"]


# ---- what is not an error -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffname: X\nprofile: icpc\n",
        "---\nname: X\nprofile: icpc\n...\n",
        "name: X\r\nprofile: icpc\r\n",
        "name: &it X\nprofile: icpc\nsource: {name: *it}\n",
        "name: ! X\nprofile: 'icpc'\n",
        "name: on\n  two lines\nprofile: icpc\n",
        "name: X\nprofile: icpc\nlimits: {time: 1440 min, wall: 1440 min, memory: 1024 GiB, output: 1 B}\n",
        "name: |\n  X\nprofile: icpc\n",
        "name: nothing in base 1:61\nprofile: icpc # a comment\n",
        "name: X\nprofile: icpc\nchecker: {name: tokens, float_tolerance: 1e-6, case_sensitive: false}\n",
    ],
)
def test_unambiguous_yaml_is_accepted(tmp_path: Path, text: str) -> None:
    assert mistakes(tmp_path, {PROBLEM_FILE: text, CASES_FILE: None}) == []


# ---- hostile files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opener", ["[", "{a: ", "- ", "? "])
def test_a_file_of_many_opened_collections_is_refused_instead_of_ending_the_process(opener: str) -> None:
    with pytest.raises(DataError, match="nested more than 50 levels deep"):
        parse(opener * 100_000)


def test_an_alias_bomb_is_refused_before_it_unfolds() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 40))
    with pytest.raises(DataError, match="repeat too much"):
        parse(bomb)


def test_files_that_are_not_regular_files_are_reported(tmp_path: Path) -> None:
    make(tmp_path, {CASES_FILE: None})
    folder = tmp_path / "testcases" / "p"
    (folder / "folder.yaml").mkdir()
    (folder / "gone.yaml").symlink_to(folder / "nowhere")
    (folder / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(folder / "pipe.yaml")
    with (folder / "vast.yaml").open("wb") as vast:
        vast.truncate(65 << 20)
    assert found_in(tmp_path) == [
        "testcases/p/folder.yaml: error: is a folder: expected a file",
        "testcases/p/gone.yaml: error: is a broken link",
        "testcases/p/loop.yaml: error: cannot be read: Too many levels of symbolic links",
        "testcases/p/pipe.yaml: error: is not a regular file",
        (
            "testcases/p/vast.yaml: error: has 65.0 MiB; expected at most 64.0 MiB"
            "; put large inputs into separate files (`input_file: ...`)"
        ),
    ]


YAML_PIECES = st.sampled_from(
    [
        *"abcn01-:?,[]{}#&*!|>'\"%@` \n\t",
        "\r\n",
        "- ",
        ": ",
        "\n  ",
        "cases:",
        "name",
        "!!x",
        "*a",
        "&a ",
        "<<",
        "---\n",
    ]
)


@given(st.binary(max_size=60) | st.lists(YAML_PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode()))
def test_any_bytes_are_either_read_or_reported(data: bytes) -> None:
    document: Document[Any] = Document(Path("x"))
    try:
        document.root, document.diagnostics = syntax.parse(data, document.shown)
    except DataError as error:
        document.diagnostics.extend(error.diagnostics)
    for kind in (PROBLEM_TYPE, CASES_TYPE):
        if document.root is not None:
            kind.read(document.root, "", document.report_node)
    lines = data.decode(errors="replace").count("\n") + 1
    for diagnostic in document.diagnostics:
        assert 1 <= diagnostic.line <= lines + 1
        assert diagnostic.column >= 1
        assert diagnostic.message


VALID_CASES = (
    "limits: {time: 1 s}\nchecker: {name: tokens, float_tolerance: 1e-6}\nvalidator_args: [--dirty]\ncases:\n"
    '- name: a\n  why: it\'s small\n  input: |\n    1 2\n  answer: "3\\n"\n'
    "- {name: b, generate: near_misses, parameters: {lines: 4}, seeds: 1-3}\n"
    "- {name: c, input_file: data/big.in, answer_file: data/big.ans}\n"
)


def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.getbasetemp() / "one"
    return root if root.exists() else make(root)


@given(at=st.integers(0, len(VALID_CASES)), cut=st.integers(0, 3), put=st.lists(YAML_PIECES, max_size=2).map("".join))
def test_a_typo_never_ends_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, at: int, cut: int, put: str
) -> None:
    root = made_once(tmp_path_factory)
    (root / CASES_FILE).write_bytes((VALID_CASES[:at] + put + VALID_CASES[at + cut :]).encode())
    for line in found_in(root):
        assert line.startswith(f"{CASES_FILE}:")


# ---- strings ------------------------------------------------------------------------------------------------------

PLAIN = st.text(st.sampled_from("0123456789+-._:eExXoObaAfFnNyYsStTrRuUlLiI~"), max_size=12)


@given(PLAIN | st.sampled_from(["2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59", "NULL", "Off", "0b1_0", "-.INF"]))
def test_what_pyyaml_does_not_read_as_a_string_is_never_read_as_one(text: str) -> None:
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):  # no scalar, or a date that there is not
        return
    node, _ = parse(text)
    if not isinstance(value, str | dict | list) and isinstance(node, Scalar):
        assert resolve(node.text) is not None


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**30), 10**30))
def test_a_number_as_python_writes_it_is_read_as_that_number(number: float) -> None:
    seen = resolve(str(number))
    assert seen is not None
    assert seen.value == number


def double_quoted(text: str) -> str:
    return '"' + "".join(char if char.isalnum() and char.isascii() else f"\\U{ord(char):08x}" for char in text) + '"'


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(TEXT)
def test_a_quoted_string_is_read_as_it_is(text: str) -> None:
    root, diagnostics = parse(f"input: {double_quoted(text)}\n")
    assert not diagnostics
    assert isinstance(root, Mapping)
    value = root.values["input"]
    assert isinstance(value, Scalar)
    assert value.text == text


LINES = st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20), min_size=1, max_size=6)


@given(LINES.filter(lambda lines: lines[0].strip() != "" and not lines[0].startswith(" ") and lines[-1].strip() != ""))
def test_the_bytes_of_a_block_are_what_the_file_shows(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    block = "".join(f"      {line}\n" for line in lines)
    root = made_once(tmp_path_factory)
    (root / CASES_FILE).write_text(f"cases:\n  - name: a\n    input: |\n{block}")
    problem = load_problem(root, "p")
    assert problem.cases[0].input == Inline("".join(f"{line}\n" for line in lines).encode())


@given(st.integers(0, 10**17), st.integers(0, 9999))
def test_a_range_of_seeds_includes_both_ends(first: int, more: int) -> None:
    assert parse_seeds(f"{first}-{first + more}") == range(first, first + more + 1)


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=100))
def test_messages_quote_up_to_60_characters(text: str) -> None:
    assert quote(text) == (f"`{text}`" if len(text) <= 60 else f"`{text[:60]}...`")


def test_messages_quote_on_one_visible_line() -> None:
    assert quote("a\n\x00\u200b\u202eä") == "`a\\n\\x00\\u200b\\u202eä`"
    assert quote("") == '`""`'


def test_a_document_locates_its_values_and_keys(tmp_path: Path) -> None:
    path = make(tmp_path) / CASES_FILE
    document = read_document(path, Path(CASES_FILE), CASES_TYPE)
    assert document.locate("cases", 0).line == 2
    assert document.locate("cases", 0, "input", at_key=True).line == 3
    assert document.locate("cases", 0, "nowhere") == document.locate("cases", 0)
