"""What is valid, and where the first fault is."""

import random
import re
from itertools import islice

import pytest

from judge.inputs.forms import Listed
from judge.inputs.parse import Parser
from tests.inputs.samples import SAMPLES, grammar, sample

HAND = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC"

FAULTS = [
    ("cards", "", "line 1, column 1: found the end of the input, expected number 1 of 1..10000 repetitions"),
    ("cards", HAND, "line 1, column 30: found the end of the input, expected a line end"),
    ("cards", f"{HAND}\n\n", "line 2, column 1: found the end of the line, expected `cards`, a word of the pattern"),
    ("cards", f"{HAND}\r\n", r"line 1, column 28: found 'TC\r', expected `cards`, a word of the pattern"),
    ("cards", f"{HAND} \n", "line 1, column 30: found a space, expected a line end"),
    ("cards", f" {HAND}\n", "line 1, column 1: found a space, expected `cards`"),
    ("cards", HAND.replace("5C", "1C") + "\n", "line 1, column 13: found `1C`, expected `cards`, a word of the"),
    ("cards", HAND.replace("TC", "AC") + "\n", "line 1, column 28: found `AC` in `cards` again, expected a new value"),
    ("cards", HAND.replace(" TC", "") + "\n", "line 1, column 27: found the end of the line, expected `cards`"),
    ("counted cards", "2 AC\n", "line 1, column 5: found the end of the line, expected `cards`"),
    ("counted cards", "53\n", "line 1, column 1: found `53`, expected `n`, an integer from 0 to 52"),
    ("counted cards", "0\n1 AC KD\n", "line 2, column 6: found `KD`, expected a line end"),
    ("copies", "01\n", "line 1, column 1: found `01`, expected `tiles`, an integer from 1 to 9 or from 11 to 19 or"),
    ("copies", "5 5 5 5 5\n", "line 1, column 9: found `5` in `tiles` again, expected each value at most 4 times"),
    ("copies", "1 " * 17 + "2\n", "line 1, column 9: found `1` in `tiles` again"),
    ("copies", "1 2 3 4 5 6 7 8 9 11 12 13 14 15 16 17 18 19\n", "found value 18 of `tiles`, expected at most 17"),
    ("connected graph", "3 2\n1 2 5\n1 2 6\n", "found the edge from 1 to 2 a second time, expected a simple graph"),
    ("connected graph", "3 1\n1 2 5\n", "found a graph of 2 parts that are not connected, expected a connected graph"),
    ("graph", "3 1\n2 2\n", "line 2, column 1: found an edge from 2 to itself"),
    ("graph", "3 1\n2 4\n", "line 2, column 3: found `4`, expected `node`, an integer from 1 to 3"),
    ("acyclic graph", "2 2\n0 1\n1 0\n", "found a graph with a cycle, expected a graph without a cycle"),
    ("tree", "3\n1 2\n2 1\n", "line 3, column 1: found the edge from 2 to 1 a second time, expected a tree"),
    ("tree", "4\n1 2\n2 3\n3 1\n", "line 4, column 1: found an edge from 3 to 1 that closes a cycle"),
    ("sums", "1\n2\n5\n", "line 3, column 2: found the end of the line, expected `a`, an integer from -10000"),
    ("sums", "2\n1\n5\n", "line 4, column 1: found the end of the input, expected number 2 of t repetitions"),
    ("queries", "2 1\n1 1\n2 1\n", "line 2, column 3: found 1 in `p` again, expected each number from 1 to 2 once"),
    ("queries", "2 1\n1 2\n3 1\n", "line 3, column 1: found `3`, expected `1` or `2` or `end`"),
    ("queries", "2 1\n1 2\n1 2 1\n", "line 3, column 5: found `1`, expected `r`, 2"),
    ("words and relations", "2\nab\n3 2 4\n", "line 3, column 1: found a = 3, b = 2, c = 4, expected `a < b <= c`"),
    ("words and relations", "2\nabc\n1 2 3\n", "line 2, column 1: found `abc`, expected `s`, a word of 2 characters"),
    ("terminator", "1 2\n", "line 2, column 1: found the end of the input, expected the line `0 0`"),
    ("terminator", "0 0\n1 1\n", "line 2, column 1: found `1 1`, expected the end of the input"),
    ("nested", "2\na 0\n\na 0\n\n", "line 4, column 1: found the same as before, expected different values of `name`"),
    ("nested", "1\na 1\n1\n--\n", "line 4, column 1: found `--`, expected the line `---`"),
    ("rising", "2\n1 1\n1 2\n1 2\n", "line 3, column 1: found t = 1 after 1, expected `t` in strictly ascending order"),
    ("previous", "2\n3 7\n7 9\n", "line 3, column 1: found `7`, expected `l`, an integer from 8 to 1000000000"),
    ("numbered", "3\n1 3\n", "line 2, column 3: found `3`, expected `p`, an integer from 1 to 2"),
    ("numbered", "2\n1\n1 2\n", "line 3, column 3: found `2`, expected `a`, 1"),
    ("maze", "2 2\nS.\n.S\n", "line 3, column 1: found `S` 2 times, expected `S` 1 times"),
    ("half", "1\n++\n", "line 2, column 1: found `++`, expected `s`, a word of 2 characters `[+-]`, `+` 1 times"),
    ("items of lists", "2 1\n4 6\na b\n1 2 7 a\n", "line 4, column 5: found `7`, expected `x`, an integer from 4 to 6"),
    (
        "items of lists",
        "2 1\n4 6\na b\n1 2 5 c\n",
        "line 4, column 7: found `c`, expected `name`, one of the values of",
    ),
    ("earlier rows", "1 1\nABC 5\nABD 1 2\n5\n", "line 3, column 1: found `ABD`, expected `who`, one of the values of"),
    ("earlier rows", "1 1\nABC 5\nABC 1 6\n5\n", "line 3, column 7: found `6`, expected `amount`, an integer from 1"),
    ("earlier rows", "1 1\nABC 5\nABC 1 2\n4\n", "line 4, column 1: found `4`, expected `total`, 5"),
    ("conditions", "2 1\n1\n", "line 2, column 2: found the end of the line, expected `a`"),
    ("conditions", "1 3\n1\n2\n", "line 4, column 1: found the end of the input, expected number 1"),
    ("columns", "1\n+1 0\n", "line 2, column 1: found `+1`, expected `x`, an integer from 0 to 1000000000"),
    ("columns", "1\n0 -0\n", "line 2, column 3: found `-0`"),
    ("columns", "1\n1" + "0" * 2000 + " 0\n", "line 2, column 1: found `1000000000000000000000"),
    ("columns", "1\n\xff 0\n", "line 2, column 1: found '"),
]


@pytest.mark.parametrize(("name", "data", "expected"), FAULTS)
def test_a_fault_says_where_and_what_was_expected(name: str, data: str, expected: str) -> None:
    fault = sample(name).check(data.encode("latin-1"))
    assert fault is not None
    assert expected in str(fault)


def test_a_bound_without_a_value_is_blamed_on_the_line_with_the_values() -> None:
    found = grammar("[{n: 0..5}, {a: {list: 1..9, count: n}}, {x: 1..10/n}, {y: 1..3}]")
    fault = found.check(b"0\n\n1\n2\n")
    assert str(fault).startswith("line 3, column 1: found values for which a bound has none")
    fault = grammar("[{n: 1..9}, {a: {list: 1..9, count: n}}, {x: 'a[1]..a[n]'}]").check(b"2\n3 1\n2\n")
    assert str(fault).endswith("expected `x`, an integer from 3 to 1 (earlier values leave none)")


def test_totals_are_limited() -> None:
    found = grammar("[{t: 1..9}, {tests: t, sum: {n: 5}, lines: [{n: 1..5}]}]")
    assert found.check(b"2\n3\n2\n") is None
    fault = found.check(b"2\n3\n3\n")
    assert str(fault) == "line 3, column 1: found a total of 6 for `n`, expected at most 5 (`5`)"


@pytest.mark.parametrize("name", SAMPLES)
def test_reading_at_once_agrees_with_reading_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, rng = sample(name), random.Random(name)
    verdicts = set()
    for data in [found.generate(rng) for _ in range(6)]:
        for _ in range(12):
            changed = _damage(data, rng)
            at_once = found.check(changed), found.parse(changed)
            with monkeypatch.context() as patch:
                patch.setattr(Listed, "_read_at_once", lambda *_: None)
                patch.setattr(Parser, "read_integers", lambda *_: None)
                assert (found.check(changed), found.parse(changed)) == at_once, changed
            verdicts.add(at_once[0] is None)
    assert verdicts == {True, False}


def _damage(data: bytes, rng: random.Random) -> bytes:
    """Return an input with a small change, which often makes it invalid."""
    if rng.random() < 0.3:  # a value in place of another one
        tokens = re.split(rb"(\s)", data)
        tokens[2 * rng.randrange((len(tokens) + 1) // 2)] = rng.choice(tokens[::2])
        return b"".join(tokens)
    at = rng.randrange(len(data))
    piece = rng.choice((b"", b" ", b"\n", b"0", b"1", b"-", b"a", b"\r", b"AC", data[at : at + 1] * 2))
    return rng.choice((data, data[:at] + piece + data[at + rng.randrange(2) :]))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_smallest_inputs_are_valid_and_different(name: str) -> None:
    first = list(islice(sample(name).smallest(), 12))
    assert all(sample(name).check(data) is None for data in first)
    assert len(set(first)) == len(first) > 10
    assert len(first[0]) <= min(map(len, first)) + 2


def test_a_division_by_zero_is_a_fault() -> None:
    found = grammar("[{a: 0..9, b: 0..9}, {c: 0..a/b}]")
    assert found.check(b"4 2\n2\n") is None
    assert "by zero" in str(found.check(b"4 0\n2\n"))
