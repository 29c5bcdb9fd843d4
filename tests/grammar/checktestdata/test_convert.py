"""Checktestdata to grammars."""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

from judge.grammar import Grammar
from judge.grammar.checktestdata.convert import Conversion, convert
from judge.grammar.notation import write_notation
from tests.grammar.checktestdata.comparisons import COMPARISONS
from tests.grammar.checktestdata.programs import Program

FORMS = [
    ("INT(1,10^5,n) SPACE INT(0,2*n) NEWLINE", "- {n: 1..100000, x: 0..2*n}"),
    ("INT(1, 9, n) NEWLINE REP(n, SPACE) INT(1, n) END NEWLINE EOF", "- n: 1..9\n- a: {list: 1..n, count: n}"),
    ("INT(1, 9, n) REP(n) SPACE INT(1, 5, a) END NEWLINE", "- {n: 1..9, a: {list: 1..5, count: n}}"),
    ('REGEX("[a-z]+", s) ASSERT(STRLEN(s) <= 20) NEWLINE', '- s: {word: "[a-z]", length: 1..20}'),
    (
        'INT(1,9,n) NEWLINE REGEX("[01]+", s) NEWLINE ASSERT(STRLEN(s) == n)',
        '- n: 1..9\n- s: {word: "[01]", length: n}',
    ),
    (
        'REGEX("(Y|N)") SPACE STRING("to") SPACE FLOATP(0,1,2,3,x,FIXED) NEWLINE',
        '- {s: {word: "(Y|N)"}, t: {word: to}, x: {real: 0..1, decimals: 2..3}}',
    ),
    ('STRING("#") NEWLINE INT(0,0) NEWLINE STRING("12") NEWLINE', '- "#"\n- x: 0\n- "12"'),
    (
        "INT(1,9,n) NEWLINE SET(last = 0) REP(n, SPACE) INT(1,50,x) ASSERT(last < x) SET(last = x) END NEWLINE",
        "- n: 1..9\n- x: {list: 1..50, count: n, order: strictly ascending}",
    ),
    (
        "INT(1,9,n) NEWLINE REPI(i,n,SPACE) INT(1,50,a[i]) END NEWLINE ASSERT(UNIQUE(a))",
        "- n: 1..9\n- a: {list: 1..50, count: n, distinct: true}",
    ),
    (
        "INT(1,9,n) NEWLINE SET(s=0) REP(n,SPACE) INT(1,5,x) SET(s=s+x) END NEWLINE ASSERT(s <= 20)",
        "- n: 1..9\n- x: {list: 1..5, count: n}\n- where: sum(x) <= 20",
    ),
    (
        "INT(1,9,n) NEWLINE REP(n) INT(1,6,a) SPACE INT(1,6,b) NEWLINE ASSERT(a < b && a != 3) END",
        "- n: 1..9\n- {repeat: n, lines: [{a: 1..6, b: 1..6}, {where: a < b}, {where: a != 3}]}",
    ),
    (
        "SET(c = 0) WHILE(!ISEOF) INT(0,9) NEWLINE SET(c = c + 1) END ASSERT(1 <= c && c <= 40)",
        "- {repeat: 1..40, until: end of file, lines: [{x: 0..9}]}",
    ),
    (
        "INT(1,9,t) NEWLINE SET(s=0) REP(t) INT(1,20,n) NEWLINE SET(s=s+n) END ASSERT(s<=100)",
        "- t: 1..9\n- {repeat: t, sum: {n: 100}, lines: [{n: 1..20}]}",
    ),
    ("INT(1,9,n) REP(n) NEWLINE INT(1,5) END NEWLINE", "- n: 1..9\n- {repeat: n, lines: [{x: 1..5}]}"),
    ('INT(1,9,n) NEWLINE REP(n) REGEX("[.#]") END NEWLINE', '- n: 1..9\n- a: {word: "[.#]", length: n}'),
    (
        'REP(3) REGEX("(C|D)") INT(1,100) NEWLINE END',
        '- {repeat: 3, lines: [{s: {word: "((C|D))([1-9][0-9]{0,1}|100)"}}]}',
    ),
]

LOSSES = [
    ("INT(1,9,v) REPI(i,3) SPACE INT(0,9,x[i]) END NEWLINE ASSERT(INARRAY(v,x))", 1, "the rule has no counterpart"),
    ("INT(1,9,v) NEWLINE\nIF(v == 1) ASSERT(v < 2) END", 2, "a rule that holds only sometimes"),
    ('REGEX("[a-z]+") NEWLINE', 1, "nothing limits the length of the word: 100000 characters"),
    ("FLOAT(0, 1) NEWLINE", 1, "at most 6 decimals"),
]
STOPS = [
    ("INT(1,", 1, 7, "found the end of the file, expected a value"),
    ("INT(1,2) NEWLINE\nNEWLIN", 2, 1, "found `NEWLIN`, expected a command"),
    ("INT(1) NEWLINE", 1, 1, "INT has 1 arguments: expected 2 to 3"),
    ("SET(a = 1) ?", 1, 12, "unexpected `?`"),
    ("INT(1,2)", 1, 1, "the last line has no NEWLINE"),
    ("", 1, 1, "reads nothing"),
    ('WHILE(MATCH("a")) INT(1,2) NEWLINE END', 1, 7, "a loop with this condition"),
    ("INT(1,9,x[0]) NEWLINE\nWHILEI(i,!ISEOF)\n  INT(x[i]+1,9,x[i+1]) NEWLINE\nEND", 3, 11, "the bound has no"),
    ("INT(1,2) SPACE NEWLINE", 1, 16, "a space at the end of a line"),
    ('REGEX("\\1") NEWLINE', 1, 7, "the regular expression has no counterpart"),
    ("REP(" + "(" * 200 + "1" + ")" * 200 + ") NEWLINE END", 1, 56, "parentheses"),
    ("REP(1) " * 99 + "END " * 99, 1, 141, "loops"),
    ("IF(1==1) " * 99 + "END " * 99, 1, 460, "blocks"),
]  # fmt: skip


def run(text: str) -> Conversion:
    return convert(text, Path("v.ctd"))


@pytest.mark.parametrize(("text", "expected"), FORMS)
def test_forms_are_converted_exactly(text: str, expected: str) -> None:
    found = run(text)
    assert (found.notes, found.accepts_more, found.accepts_less) == ((), False, False)
    assert yaml.safe_load(write_notation(found.value))["input"] == yaml.safe_load(expected)
    assert_agrees(text, found)


@pytest.mark.parametrize(("text", "accepts", "inputs"), COMPARISONS)
def test_a_difference_from_the_program_is_reported(text: str, accepts: str, inputs: list[str]) -> None:
    found = run(text)
    if found.value is None:
        assert accepts == "none"
        return
    kinds = {(False, False): "exact", (True, False): "more", (False, True): "less", (True, True): "both"}
    assert kinds[found.accepts_more, found.accepts_less] == accepts
    assert_agrees(text, found, [each.replace(" ", "\n").encode("latin-1") + b"\n" for each in inputs])


@pytest.mark.parametrize(("text", "line", "message"), LOSSES)
def test_what_is_lost_is_reported_with_its_place(text: str, line: int, message: str) -> None:
    found = run(text)
    assert found.accepts_more or found.accepts_less
    assert [note.line for note in found.notes] == [line]
    assert message in found.notes[0].message
    assert_agrees(text, found)


@pytest.mark.parametrize(("text", "line", "column", "message"), STOPS)
def test_what_has_no_grammar_is_reported_with_its_place(text: str, line: int, column: int, message: str) -> None:
    found = run(text)
    assert found.value is None
    assert (found.notes[-1].line, found.notes[-1].column) == (line, column)
    assert message in found.notes[-1].message


def assert_agrees(text: str, found: Conversion, inputs: Sequence[bytes] = ()) -> None:
    """Check that the grammar and the program give the same answer, except where a loss is reported."""
    grammar = Grammar.from_yaml(yaml.safe_load(write_notation(found.value))["input"])
    program = Program(text)
    own = [program.write(random.Random(seed)) for seed in range(200)]
    for data in dict.fromkeys((*inputs, *samples(grammar), *filter(None, own))):
        is_valid = grammar.check(data) is None
        if is_valid != program.accepts(data):
            assert found.accepts_more if is_valid else found.accepts_less, data


def samples(grammar: Grammar) -> Iterator[bytes]:
    """Yield what the grammar generates, all valid, and neighbours of it, mostly not valid."""
    for seed in range(10):
        rng = random.Random(seed)
        data = grammar.generate(rng, size=rng.choice([0, 0.01, 0.1, None]))
        assert grammar.check(data) is None
        yield data
        yield from (changed(data[:500], rng) for _ in range(20))


def changed(data: bytes, rng: random.Random) -> bytes:
    """Return an input with one token changed, removed, repeated or moved."""
    tokens = re.split(rb"([ \n])", data)
    at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    match rng.randrange(4):
        case 0:
            tokens[at] = rng.choice([b"", b"-1", b"0", b"1", b"2", b"9", b"a", b"ab", b" ", b"\n"])
        case 1:
            tokens[at : at + 2] = []
        case 2:
            tokens[at:at] = tokens[at : at + 2]
        case 3:
            tokens[at], tokens[other] = tokens[other], tokens[at]
    return b"".join(tokens)
