"""The notation: what is read, and the errors."""

import pytest
import yaml

from judge.base.errors import DataError
from judge.inputs import Grammar
from judge.inputs.read import read_description

ERRORS = [
    ("[]", "expected a list of lines"),
    ("{line: []}", "`input['line']`: unknown key `line`: did you mean `lines`?"),
    ("{constants: {MAX: 5}}", "the key `lines` is missing"),
    ("{constants: {MAX: many}, lines: [{n: 1..2}]}", "`many` is not known here"),
    ("[5]", "expected a line with its fields, such as `n: 1..100`"),
    ("[{n: 1..}]", "`1..` has only one end: expected a range such as `1..100`"),
    ("[{n: 5..1}]", "the range `5..1` is empty: 5 is more than 1"),
    ("[{n: 1..m}]", "`m` is not known here: expected an earlier field, or a constant (none)"),
    ("[{n: 1..5}, {n: 1..5}]", "the name `n` is already taken: choose another"),
    ("[{for: 1..5}]", "the name `for` has a meaning of its own"),
    ("[{n: 1.5}]", "expected a range of integers such as `1..100`, found the number `1.5`"),
    ("[{n: 1..9^9^9^9}]", "has no value: a power that is too large"),
    ("[{n: 1..__import__('os')}]", "unknown function `__import__`"),
    ("[{n: '1..[2][0]'}]", "is not allowed in an expression"),
    ("[{n: '1..n.real'}]", "is not allowed in an expression"),
    ("[{n: '1..(lambda: 1)()'}]", "is not allowed in an expression"),
    ('[{s: "[a-z]{1,5}"}]', 'for words write `{word: "[a-z]{1,5}"}`'),
    ('[{s: {word: "[a-z]*"}}]', "`*` has no upper bound: write how often, such as `{1,20}`"),
    ('[{s: {word: "[a-z"}}]', "the pattern `[a-z` ends too early"),
    ('[{s: {word: "(ab"}}]', "a `)` is missing in the pattern `(ab`"),
    ('[{s: {word: "[z-a]"}}]', "`z-a` is not a range of characters"),
    ('[{s: {word: "ab", length: 3}}]', "with `length`, the pattern is that of one character"),
    ("[{s: {wrod: x}}]", "exactly one of the keys `integer`, `real`"),
    ("[{a: {list: 1..5}}]", "the key `count` is missing: how many values are there?"),
    ("[{a: {list: 1..5, count: 3, distict: true}}]", "unknown key `distict`: did you mean `distinct`?"),
    ("[{a: {list: {list: 1..5, count: 2}, count: 3}}]", "a list in a list: use a block"),
    ('[{a: {list: {text: "[ a]{3}"}, count: 3}}]', "a text in a list: use a block"),
    ('[{repeat: 2, lines: [{t: {text: "[ a]{3}"}}]}, {x: {member: t}}]', "`t` has texts, which go on to the end"),
    ("[{a: {list: 1..5, count: 3..4}, b: 1..2}]", "`a` ends with its line, so nothing can follow it"),
    ("[{repeat: 1..5, lines: [{x: 1..2}]}]", "nothing says where the block ends: add `until: end of file`"),
    ("[{repeat: 3, until: end of file, lines: [{x: 1..2}]}, {y: 1..2}]", "only the last block of an input can go on"),
    ("[{repeat: 3}]", "the key `lines` is missing: expected what is repeated"),
    ("[{repeat: 3, lines: [{x: 1..2}], distinct: y}]", "`y` is not a field of the block"),
    ("[{a: 1..5}, {where: a}]", "`a` is not a relation: expected one such as `a < b`"),
    ("[{n: 1..5}, {graph: {nodes: n}}]", "the key `edges` is missing"),
    ("[{n: 1..5}, {graph: {nodes: n, edges: n, simpel: true}}]", "unknown key `simpel`: did you mean `simple`?"),
    ("[{either: [{x: 1..2}, {y: 3}]}]", "each of these lines must begin with a value of its own"),
    (
        '[{n: 1..5}, {x: "1..previous(n, 0)"}]',
        "`n` has no previous value: expected a field of a block around it (none)",
    ),
    ('[{repeat: 3, lines: [{x: "1..previous(x)"}]}]', "`previous` needs a field and its value before the first row"),
    ("[{n: 1..5}, {x: {member: n}}]", "`n` is not an earlier list, nor a field of an earlier block"),
    ('[{s: {word: "[ab]", length: 3, characters: {c: 1}}}]', "`c` is not a character of the word"),
    ("[{repeat: 3, lines: [{x: 1..2}], characters: {c: 1}}]", "the block has no word with a `length`"),
    ("[{repeat: 3, lines: [{x: 1..2}], order: {y: ascending}}]", "`y` is not a field of the block with one value"),
    ("[{repeat: 3, lines: [{x: 1..2}], order: {x: up}}]", "expected `ascending`, `strictly ascending`"),
    ("[{n: 1..5}, {if: n > 2}]", "the key `lines` is missing: expected what follows if this holds"),
    ("[{a: {list: 1..i, count: 3, index: i, distinct: true}}]", "with `index`, a list has no `distinct`"),
    ("[{n: 1..5}, {repeat: 2, index: n, lines: [{x: 1..2}]}]", "the name `n` is already taken"),
    ("[{n: 1..5, x: 10..n}]", "the range `10..n` is always empty: `10` is at least 10, `n` at most 5"),
    ("[{n: 1..5}, {repeat: n-9, lines: [{x: n..2*n, y: 11..x}]}]", "`11..x` is always empty"),
    ("[{a: 1..5}, {where: 2 < 1}]", "`2 < 1` never holds"),
    ("[{x: {real: 1..0}}]", "expected a range of numbers such as `0.0..1.0`"),
]


@pytest.mark.parametrize(("text", "expected"), ERRORS)
def test_an_error_says_what_is_wrong(text: str, expected: str) -> None:
    with pytest.raises(DataError) as caught:
        Grammar.from_yaml(yaml.safe_load(text))
    assert expected in str(caught.value)


def test_all_errors_are_reported_with_their_places() -> None:
    places = []

    def report(_: str, *path: str | int, at_key: bool = False) -> None:
        places.append((path, at_key))

    assert read_description([{"n": "1.."}, {"m": "1..x", "n": 3}], report) is None
    assert places == [((0, "n"), False), ((1, "m"), False), ((1, "n"), True)]


@pytest.mark.parametrize("value", [None, 3, "x", {"lines": None}, [None], [[]], [{"n": None}], [{1: 2}], {"also": 3}])
def test_whatever_yaml_can_say_is_read_or_reported(value: object) -> None:
    if value == "x":  # an input that is always the same
        assert Grammar.from_yaml(value).check(b"x\n") is None
        return
    with pytest.raises(DataError):
        Grammar.from_yaml(value)
