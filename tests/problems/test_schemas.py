"""The shipped JSON Schemas are what the code derives, describe every key, and refuse nothing that the loader takes."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from judge.judging.checkers import CHECKERS
from judge.problems.file_format import (
    CHECKER_NAME,
    NAME,
    RELATIVE_PATH,
    SEED_RANGE,
    SHA256,
    SIZE,
    TIME,
    check_name,
    check_path,
    parse_seeds,
    parse_sha256,
    parse_size,
    parse_time,
)
from judge.problems.schema import FILES, FOLDER, schema_text
from judge.problems.yaml.document import Document
from judge.problems.yaml.parse import parse
from judge.problems.yaml.types import String

SHIPPED = Path(__file__).parents[2]
NAMES = sorted(FILES)


def schema(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


VALIDATORS = {name: Draft202012Validator(schema(name)) for name in NAMES}


# ---- the schemas themselves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_schema_is_what_the_code_derives(name: str) -> None:
    derived = json.loads(schema_text(name))
    assert schema(name) == derived, "run `python -m judge.problems.schema`"


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_is_one(name: str) -> None:
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema(name))


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema of an object with known keys."""
    if isinstance(value, dict):
        if "properties" in value and value.get("type") == "object":
            yield value
        for each in value.values():
            yield from objects(each)


@pytest.mark.parametrize("name", NAMES)
def test_every_mapping_and_key_is_described_and_no_other_key_is_let_through(name: str) -> None:
    found = list(objects(schema(name)))
    assert len(found) >= 4
    for each in found:
        assert each["title"]
        assert each["description"]
        assert each["additionalProperties"] is False
        for key, described in each["properties"].items():
            assert described.get("description"), key


def test_the_checkers_of_the_format_are_those_that_there_are() -> None:
    assert set(CHECKERS) == set(CHECKER_NAME.words)


# ---- shipped files ------------------------------------------------------------------------------------------------


class Core(yaml.SafeLoader):
    """Reads YAML as editors do: `1e-6` is a number (YAML 1.2), which PyYAML takes for a text."""


yaml.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+$"), list("-+0123456789"), Core
)


def as_editors_read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader=Core)


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("problems/*/problem.yaml")), ids=lambda path: path.parent.name)
def test_a_shipped_problem_file_matches_its_schema(path: Path) -> None:
    VALIDATORS["problem.schema.json"].validate(as_editors_read(path))


@pytest.mark.parametrize(
    "path", sorted(SHIPPED.glob("testcases/*/*.yaml")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_shipped_file_of_cases_matches_its_schema(path: Path) -> None:
    VALIDATORS["testcases.schema.json"].validate(as_editors_read(path))


@pytest.mark.parametrize(
    "path", sorted([*SHIPPED.glob("problems/*/problem.yaml"), *SHIPPED.glob("testcases/*/*.yaml")]), ids=str
)
def test_a_shipped_file_names_its_schema_for_editors(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    schema_file = first.removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / schema_file).resolve().parent == FOLDER.resolve()
    assert (path.parent / schema_file).is_file()


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_the_documentation_are_right(name: str) -> None:
    text = (SHIPPED / "docs" / "format.md").read_text(encoding="utf-8")
    examples = [block for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if f"/{name}\n" in block]
    assert examples
    for example in examples:
        VALIDATORS[name].validate(yaml.load(example, Loader=Core))
        assert loader_messages(name, example) == []


# ---- the schema and the loader agree ------------------------------------------------------------------------------

DOCUMENTS: dict[str, Any] = {
    "problem.schema.json": {
        "name": "X",
        "profile": "icpc",
        "source": {"name": "Y", "url": "https://example.org"},
        "limits": {"time": "3 s", "wall": "9 s", "memory": "128 MiB", "output": "1 KiB"},
        "checker": {"name": "tokens", "case_sensitive": True, "float_tolerance": 0.5},
        "validator": "validate.py",
        "generators": ["generators/a.py"],
        "reference": "accepted/a.py",
        "independent": "accepted/b.py",
    },
    "testcases.schema.json": {
        "limits": {"time": "1 s"},
        "checker": "lines",
        "validator_args": ["--dirty"],
        "cases": [
            {"name": "a", "why": "why", "input": "1", "answer": "2", "limits": {"time": "1 s"}, "checker": "exact"},
            {"name": "b", "input_file": "x", "answer_file": "y", "checker": {"name": "exact"}},
            {"name": "c", "generate": "g", "parameters": {"a": [1, None]}, "seeds": "1-8"},
            {"name": "d", "generate": "g", "seeds": [1, 2], "checker": {"name": "tokens"}},
            {"name": "e", "generate": "g", "seed": 7},
            {"name": "f", "external": {"url": "https://a.b", "sha256": "0a" * 32, "file": "c.txt"}},
        ],
    },
}
KEYS = st.sampled_from(
    ["name", "profile", "url", "time", "checker", "float_tolerance", "float_absolute_tolerance", "validator", "cases"]
) | st.sampled_from(
    ["input", "input_file", "generate", "external", "answer", "answer_file", "seed", "seeds", "parameters", "nonsense"]
)
SCALARS = st.sampled_from(
    ["", "x", "a b", "3 s", "0 s", "5 MiB", "1-8", "/x", "../x", "a/../b", "a\\b", "tokens", "lines", "uva", "exact\n"]
) | st.sampled_from([None, True, False, 0, 1, -1, 10**19, 0.5, -0.5, 1e30, "0a" * 32, "https://x"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=5
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in a document as its container and its key or index."""
    if not isinstance(value, dict | list):
        return []
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, Any]:
    """Draw a valid document with one to three changes."""
    name = draw(st.sampled_from(NAMES))
    document = copy.deepcopy(DOCUMENTS[name])
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(places(document)))
        match draw(st.sampled_from(["replace", "delete", "add"])):
            case "replace":
                container[key] = draw(VALUES)
            case "delete":
                del container[key]
            case _ if isinstance(container, dict):
                container[draw(KEYS)] = draw(VALUES)
        if not places(document):
            break
    return name, document


def loader_messages(name: str, text: str) -> list[str]:
    """Return what the loader reports about a file."""
    document: Document[Any] = Document(Path(name))
    document.root, document.diagnostics = parse(text.encode(), document.shown)
    assert document.root is not None
    FILES[name][0].read(document.root, "", document.report_node)
    return [diagnostic.message for diagnostic in document.diagnostics]


@pytest.mark.parametrize("name", NAMES)
def test_the_unchanged_documents_are_right(name: str) -> None:
    VALIDATORS[name].validate(DOCUMENTS[name])
    assert loader_messages(name, json.dumps(DOCUMENTS[name])) == []


@settings(max_examples=200)
@given(changed())
def test_what_the_schema_refuses_the_loader_refuses_too(change: tuple[str, Any]) -> None:
    name, document = change
    if not VALIDATORS[name].is_valid(document):
        assert loader_messages(name, json.dumps(document))


QUANTITIES = st.from_regex(r"\A *[0-9]{1,3}(\.[0-9]{1,2})? *(s|ms|min|B|KiB|MiB|GiB|x)? *\Z")


@given(QUANTITIES)
def test_the_patterns_of_quantities_refuse_nothing_that_the_loader_takes(text: str) -> None:
    assert_pattern_allows(text, TIME, parse_time)
    assert_pattern_allows(text, SIZE, parse_size)


@given(st.from_regex(r"\A[0-9]{0,3}-?[0-9]{0,3}\Z"))
def test_the_pattern_of_seeds_refuses_nothing_that_the_loader_takes(text: str) -> None:
    assert_pattern_allows(text, SEED_RANGE, parse_seeds)


@given(st.text(st.sampled_from("ab09._-/\\ \n\x1fé"), max_size=8) | st.from_regex(r"\A[0-9a-fA-Fg]{63,65}\Z"))
def test_the_patterns_of_names_paths_and_hashes_refuse_nothing_that_the_loader_takes(text: str) -> None:
    assert_pattern_allows(text, NAME, check_name)
    assert_pattern_allows(text, RELATIVE_PATH, check_path)
    assert_pattern_allows(text, SHA256, parse_sha256)


def assert_pattern_allows(text: str, kind: String[Any], check: Callable[[str], object]) -> None:
    assert accepts(check, text) <= bool(re.search(kind.pattern, text))


def accepts(check: Callable[[str], object], text: str) -> bool:
    try:
        check(text)
    except ValueError:
        return False
    return True
