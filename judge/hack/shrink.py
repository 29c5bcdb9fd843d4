"""Shrinking: from an input on which a program fails to a small one on which it fails in the same way.

`candidates` proposes simpler inputs, the most promising first. Whether one is valid and still fails is not decided
here. After a success the proposals start again from the smaller input.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from judge.hack.values import Joining, count_tokens
from judge.inputs.observe import REAL
from judge.inputs.structure import INTEGER

Simpler = Callable[[bytes, Callable[[], bool]], Iterator[bytes]]
Key = tuple[int, int, int, bytes]
Rank = Callable[[bytes], Any]
"""Returns a key that is lower for a simpler input."""

_MAX_NUMBERS = 400  # tokens that are made smaller one by one
_MAX_COUNTERS = 6
_SMALL = 64  # numbers that are made smaller one by one
_MAX_TESTS = 64  # that are tried alone


def measure(data: bytes) -> Key:
    """Return how large an input is: smaller inputs have a smaller key."""
    numbers = sum(abs(int(each)) for each in data.split() if INTEGER.fullmatch(each))
    return count_tokens(data), len(data), min(numbers, 10**30), data


def candidates(
    data: bytes,
    *,
    joining: Joining | None = None,
    simpler: Simpler | None = None,
    is_guess: bool = False,
    rank: Rank = measure,
    is_over: Callable[[], bool] = bool,
) -> Iterator[bytes]:
    """Yield simpler inputs, each once and the most promising first: the first one has plain white space.

    Args:
        data: the input.
        joining: splits it into tests.
        simpler: the grammar's own proposals, which are always valid; none for an input that it does not accept.
        is_guess: the grammar may be wrong: simpler inputs that it does not know are tried after its own.
        rank: only inputs of a lower rank are yielded.
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
        parts += [_fewer_lines(data), _fewer_tokens(data), _smaller_tokens(data)]
    for each in chain.from_iterable(parts):
        if is_over():
            return
        if each not in seen and each.strip() and rank(each) < key:
            seen.add(each)
            yield each


def with_plain_white_space(data: bytes) -> bytes:
    """Return an input with single spaces between tokens, and a newline after each line.

    An empty line at its end stays only after a 0, which may say that it has no elements.
    """
    lines = data.rstrip().splitlines()
    if lines and lines[-1].split()[-1:] == [b"0"] and data.count(b"\n") > len(lines):
        lines.append(b"")
    return b"".join(b" ".join(line.split()) + b"\n" for line in lines)


def chunks(length: int) -> Iterator[tuple[int, int]]:
    """Yield ranges to leave out: halves, quarters, and so on down to single elements (ddmin of Zeller)."""
    size = length // 2 if length > 1 else 1
    while size >= 1 and length:
        yield from ((start, min(start + size, length)) for start in range(0, length, size))
        size //= 2


def _fewer_tests(data: bytes, joining: Joining) -> Iterator[bytes]:
    tests = joining.split(data)
    if not tests or len(tests) < 2:
        return
    yield from tests[:_MAX_TESTS]
    for start, end in chunks(len(tests)):
        if (joined := joining.join([*tests[:start], *tests[end:]])) is not None:
            yield joined


def _fewer_lines(data: bytes) -> Iterator[bytes]:
    lines = data.splitlines(keepends=True)
    for start, end in chunks(len(lines)):
        rest = [*lines[:start], *lines[end:]]
        for at, place in _counters(lines[:start], end - start):
            yield b"".join([*rest[:at], _decrement(lines[at], place, end - start), *rest[at + 1 :]])
        yield b"".join(rest)


def _counters(lines: Sequence[bytes], gone: int) -> list[tuple[int, int]]:
    """Return tokens that may count lines: their line and position, the nearest first."""
    found: list[tuple[int, int]] = []
    for at in range(len(lines) - 1, -1, -1):
        for place, token in enumerate(lines[at].split()[:4]):
            if INTEGER.fullmatch(token) and int(token) >= gone:
                found.append((at, place))
                if len(found) == _MAX_COUNTERS:
                    return found
    return found


def _decrement(line: bytes, place: int, by: int) -> bytes:
    tokens = line.split(b" ")
    text = tokens[place] if place < len(tokens) else b""
    if INTEGER.fullmatch(text.strip()):
        tokens[place] = text.replace(text.strip(), b"%d" % (int(text) - by))
    return b" ".join(tokens)


def _fewer_tokens(data: bytes) -> Iterator[bytes]:
    lines = data.split(b"\n")
    for at, line in enumerate(lines[:200]):
        tokens = line.split(b" ")
        if len(tokens) < 2:
            continue
        for start, end in chunks(len(tokens)):
            shorter = [*lines[:at], b" ".join([*tokens[:start], *tokens[end:]]), *lines[at + 1 :]]
            count = b"%d" % len(tokens)
            for other in range(max(0, at - 3), at + 1):
                if count in shorter[other].split(b" "):
                    fixed = shorter[other].replace(count, b"%d" % (len(tokens) - end + start), 1)
                    yield b"\n".join([*shorter[:other], fixed, *shorter[other + 1 :]])
            yield b"\n".join(shorter)


def _smaller_tokens(data: bytes) -> Iterator[bytes]:
    lines = [line.split(b" ") for line in data.split(b"\n")]
    places = [(at, place) for at, line in enumerate(lines) for place in range(len(line))]
    for at, place in places[:_MAX_NUMBERS]:
        for text in _smaller(lines[at][place]):
            changed = [*lines[at][:place], text, *lines[at][place + 1 :]]
            yield b"\n".join(map(b" ".join, [*lines[:at], changed, *lines[at + 1 :]]))


def _smaller(text: bytes) -> Iterator[bytes]:
    """Yield simpler tokens: smaller numbers, shorter words, and words of simpler letters."""
    if INTEGER.fullmatch(text):
        number = int(text)
        for smaller in _smaller_numbers(number):
            if abs(smaller) < abs(number) or 0 < smaller == -number:
                yield b"%d" % smaller
    elif REAL.fullmatch(text):
        whole, _, decimals = text.partition(b".")
        yield from (each for each in (b"0." + b"0" * len(decimals), b"1." + b"0" * len(decimals)) if each != text)
        yield whole + b"." + b"0" * len(decimals)
    elif len(text) > 1 or not text.isalnum():
        yield from (text[:start] + text[end:] for start, end in chunks(len(text)) if end - start < len(text))
        for letter in sorted(set(text)):
            if letter != text[0]:
                yield text.replace(bytes([letter]), text[:1])


def _smaller_numbers(number: int) -> Iterator[int]:
    """Yield numbers that are much smaller or rounder; of small numbers, the next one, too."""
    sign, size = (-1, -number) if number < 0 else (1, number)
    yield from (0, 1, 2, -1, -number)
    if size <= _SMALL:
        yield from (sign * (size // 2), number - sign)
        return
    power = 10 ** (len(str(size)) - 1)
    yield from (sign * (power // 10), sign * power, sign * (size // 2), sign * (size - size // 4))
    yield from (sign * (size - size % power), sign * (size - size % (power // 10)))
