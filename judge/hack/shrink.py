"""Shrinking: from an input on which a program fails to a small one on which it fails in the same way.

`candidates` proposes simpler inputs, the most promising first. Whether one is valid and still fails is not decided
here. After a success the proposals start again from the smaller input.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from judge.inputs import Grammar
from judge.inputs.domains import ANY_INTEGER
from judge.inputs.observe import REAL
from judge.inputs.shrink import measure
from judge.inputs.structure import INTEGER, with_plain_white_space

Simpler = Callable[[bytes, Callable[[], bool]], Iterator[bytes]]
Rank = Callable[[bytes], Any]
"""Returns a key that is lower for a simpler input."""

Rows = Sequence[Sequence[bytes]]
"""The tokens of a text, by line."""

_MAX_NUMBERS = 400  # tokens that are made smaller one by one
_MAX_ROWS = 200  # lines that lose tokens
_MAX_COUNTERS = 6
_MAX_TESTS = 64  # that are tried alone


def candidates(
    data: bytes,
    *,
    joining: Grammar | None = None,
    simpler: Simpler | None = None,
    is_guess: bool = False,
    rank: Rank = measure,
    is_over: Callable[[], bool] = bool,
) -> Iterator[bytes]:
    """Yield simpler inputs of a lower rank, each once and the most promising first, plain white space before all.

    Args:
        data: the input.
        joining: splits it into tests.
        simpler: the grammar's own proposals, which are always valid; none for an input that it does not accept.
        is_guess: the grammar may be wrong: simpler inputs that it does not know are tried after its own.
        rank: is lower for a simpler input.
        is_over: whether the time is over, which ends the proposals: to build them may take long.
    """
    if not data.strip():
        return
    key = rank(data)
    seen = {data}
    if (plain := with_plain_white_space(data)) != data:
        seen.add(plain)
        yield plain
    parts = [_fewer_tests(data, joining)] if joining else []
    proposals = iter(()) if simpler is None else simpler(data, is_over)
    if (first := next(proposals, None)) is not None:
        parts += [iter((first,)), proposals]
    if first is None or is_guess:
        parts += simpler_texts(data)
    for each in chain.from_iterable(parts):
        if is_over():
            return
        if each not in seen and each.strip() and rank(each) < key:
            seen.add(each)
            yield each


def simpler_texts(data: bytes) -> list[Iterator[bytes]]:
    """Return what yields texts with fewer lines, with fewer tokens, and with smaller ones, the most promising first."""
    end = b"\n" if data.endswith(b"\n") else b""
    rows = [line.split(b" ") for line in data.removesuffix(end).split(b"\n")]
    parts = (_fewer_lines(rows), _fewer_tokens(rows), _smaller_tokens(rows))
    return [(b"\n".join(map(b" ".join, each)) + end for each in texts) for texts in parts]


def chunks(length: int) -> Iterator[tuple[int, int]]:
    """Yield ranges to leave out: halves, quarters, and so on down to single elements (ddmin of Zeller)."""
    size = length // 2 if length > 1 else 1
    while size >= 1 and length:
        yield from ((start, min(start + size, length)) for start in range(0, length, size))
        size //= 2


def _fewer_tests(data: bytes, joining: Grammar) -> Iterator[bytes]:
    tests = joining.split(data)
    if not tests or len(tests) < 2:
        return
    yield from tests[:_MAX_TESTS]
    for start, end in chunks(len(tests)):
        if (joined := joining.join([*tests[:start], *tests[end:]])) is not None:
            yield joined


def _fewer_lines(rows: Rows) -> Iterator[Rows]:
    for start, end in chunks(len(rows)):
        rest = [*rows[:start], *rows[end:]]
        yield from _with_lower_count(rest, range(start), end - start)
        yield rest


def _fewer_tokens(rows: Rows) -> Iterator[Rows]:
    for at, row in enumerate(rows[:_MAX_ROWS]):
        for start, end in chunks(len(row)) if len(row) > 1 else ():
            rest = [*rows[:at], [*row[:start], *row[end:]], *rows[at + 1 :]]
            yield from _with_lower_count(rest, range(max(0, at - 3), at + 1), end - start, count=len(row))
            yield rest


def _with_lower_count(rows: Rows, places: range, gone: int, count: int | None = None) -> Iterator[Rows]:
    """Yield rows with a number lowered that may count what is gone; it is `count`, if that is known.

    Only few numbers in some places are lowered, the nearest first.
    """
    left = _MAX_COUNTERS
    for at in reversed(places):
        for place, token in enumerate(rows[at]):
            number = int(token) if INTEGER.fullmatch(token) else -1
            if left and number >= gone and count in (None, number):
                left -= 1
                yield _with_token(rows, at, place, b"%d" % (number - gone))
        if not left:
            return


def _smaller_tokens(rows: Rows) -> Iterator[Rows]:
    places = [(at, place) for at, row in enumerate(rows) for place in range(len(row))]
    for at, place in places[:_MAX_NUMBERS]:
        yield from (_with_token(rows, at, place, text) for text in _smaller(rows[at][place]))


def _with_token(rows: Rows, at: int, place: int, text: bytes) -> Rows:
    return [*rows[:at], [*rows[at][:place], text, *rows[at][place + 1 :]], *rows[at + 1 :]]


def _smaller(text: bytes) -> Iterator[bytes]:
    """Yield simpler tokens: smaller numbers, shorter words, and words of simpler letters."""
    if INTEGER.fullmatch(text):
        yield from (b"%d" % number for number in ANY_INTEGER.simpler(int(text)))
    elif REAL.fullmatch(text):
        whole, _, decimals = text.partition(b".")
        yield from (each for each in (b"0." + b"0" * len(decimals), b"1." + b"0" * len(decimals)) if each != text)
        yield whole + b"." + b"0" * len(decimals)
    elif len(text) > 1 or not text.isalnum():
        yield from (text[:start] + text[end:] for start, end in chunks(len(text)) if end - start < len(text))
        for letter in sorted(set(text)):
            if letter != text[0]:
                yield text.replace(bytes([letter]), text[:1])
