"""docs/input-grammar.md: what it shows is true."""

import random
import re
from pathlib import Path

import pytest
import yaml

from judge.inputs import Grammar
from tests.inputs.samples import grammar

PAGE = (Path(__file__).parents[2] / "docs" / "input-grammar.md").read_text()
BLOCKS = [block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if block.startswith("input:")]
FIELDS = re.findall(r"^\| `(\w+: .*?)` \| ", PAGE, re.MULTILINE)
ITEMS = [
    "- n: 1..3\n- {repeat: n, lines: [{x: 1..9, y: 1..9}], distinct: [x, y]}",
    '- "---"\n- ""\n- {a: 1..3}',
    "- {repeat: 1..100, until: end of file, lines: [{x: 1..9}]}",
    '- {repeat: 0..100, until: "0 0", lines: [{x: 0..9, y: 0..9}]}',
    "- t: 1..9\n- {tests: t, lines: [{n: 1..9}], sum: {n: 20}}",
    "- {tests: 1..1000, until: end of file, lines: [{x: 1..9}]}",
    "- {n: 1..9, m: 0..9}\n- graph: {nodes: n, edges: m, simple: false, directed: true, first: 0, weight: 1..100}",
    "- n: 1..9\n- tree: n",
    "- n: 1..9\n- tree: {nodes: n, weight: 1..100}",
    "- n: 1..9\n- either: [{type: 1, x: 1..n}, {type: 2}]",
    "- {a: 1..9, b: 1..9}\n- where: a < b",
    "- {a: {list: 1..50, count: 2..9, order: strictly descending}}\n- where: sum(a) > 3 and length(a) != 4",
]


def check(found: Grammar) -> None:
    for seed in range(10):
        data = found.generate(random.Random(seed))
        assert found.check(data) is None


@pytest.mark.parametrize("block", BLOCKS)
def test_the_examples_are_grammars(block: str) -> None:
    check(Grammar.from_yaml(yaml.safe_load(block)["input"]))


@pytest.mark.parametrize("text", FIELDS)
def test_every_form_of_a_field_works(text: str) -> None:
    check(grammar(f"- n: 1..5\n- b: {{list: 1..9, count: 3}}\n- {text}" if not text.startswith("n:") else f"- {text}"))


@pytest.mark.parametrize("text", ITEMS)
def test_every_form_of_an_item_works(text: str) -> None:
    check(grammar(text))


def test_all_forms_of_fields_are_found() -> None:
    assert len(FIELDS) == 14
    assert len(BLOCKS) == 9


def test_the_message_of_the_page_is_real() -> None:
    found = grammar("[{n: 1..6}, {repeat: 2, lines: [{w: 1..9, l: 1..n, r: l..n}]}]")
    assert str(found.check(b"6\n1 2 3\n1 2 7\n")) in PAGE
