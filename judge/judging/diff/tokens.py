"""Find the next tokens of two texts that differ, or the next whitespace that does."""

import re
from collections.abc import Callable

from msgspec import Struct

from judge.judging.diff.chunks import WHITESPACE, Offsets, common_prefix, last_break

Agrees = Callable[[bytes, bytes], bool]
"""Whether the checker accepts a found line or token for the expected one."""

_MAX_TOKEN = 80  # bytes of a token to show
_LEAD = 20  # bytes to show before the difference of a longer one
_ELLIPSIS = b"..."
_TOKEN = re.compile(rb"[^ \t\n\r\x0b\x0c]*")
_SPACE = re.compile(rb"[ \t\n\r\x0b\x0c]*")
_STARTS_AS_X = bytes(0x20 if byte in WHITESPACE else 0x78 for byte in range(256))


class Difference(Struct, frozen=True, kw_only=True):
    """Two tokens that differ, or two runs of whitespace that do.

    Attributes:
        is_space: the whitespace differs.
        expected, found: the tokens or the whitespace, cut to 80 bytes; b"" if the line or the text has no more tokens.
        offsets: of the tokens, or of the first bytes of whitespace that differ.
    """

    is_space: bool
    expected: bytes
    found: bytes
    offsets: Offsets


def next_difference(answer: bytes, output: bytes, offsets: Offsets, agrees: Agrees) -> Difference:
    """Find the first difference from two offsets on.

    Args:
        answer: the expected output.
        output: the output.
        offsets: where tokens, whitespace or lines begin, or the ends of the texts.
        agrees: whether the checker accepts a token.
    """
    answer_at, output_at = offsets
    here = common_prefix(answer, output, answer_at, output_at) + output_at
    found_at = last_break(output, WHITESPACE, output_at, here)
    shift = answer_at - output_at
    expected_at = found_at + shift
    expected, found = _match(_TOKEN, answer, expected_at), _match(_TOKEN, output, found_at)
    if expected and found and not agrees(expected, found):
        return _token_difference(expected, found, (expected_at, found_at))
    if bool(expected) == bool(found):
        expected_at, found_at = expected_at + len(expected), found_at + len(found)
    return _difference_after_space(answer, output, (expected_at, found_at), (here + shift, here), agrees)


def _difference_after_space(answer: bytes, output: bytes, space: Offsets, here: Offsets, agrees: Agrees) -> Difference:
    """Compare the tokens after the whitespace, if any, at both offsets: in the same line, and in the whole text."""
    expected_space, found_space = _match(_SPACE, answer, space[0]), _match(_SPACE, output, space[1])
    expected_at, found_at = space[0] + len(expected_space), space[1] + len(found_space)
    next_expected, next_found = _match(_TOKEN, answer, expected_at), _match(_TOKEN, output, found_at)
    expected = b"" if b"\n" in expected_space else next_expected
    found = b"" if b"\n" in found_space else next_found
    if not agrees(next_expected, next_found) and not agrees(expected, found):
        offsets = (expected_at if expected else here[0], found_at if found else here[1])
        return _token_difference(expected, found, offsets)
    before = output[max(0, here[1] - _MAX_TOKEN) : here[1]]
    before = before[len(before.rstrip(WHITESPACE)) :]
    expected, found = _cut_both(before + expected_space, before + found_space)
    return Difference(is_space=True, expected=expected, found=found, offsets=here)


def _match(pattern: re.Pattern[bytes], text: bytes, at: int) -> bytes:
    found = pattern.match(text, at)
    return found[0] if found else b""


def _token_difference(expected: bytes, found: bytes, offsets: Offsets) -> Difference:
    expected, found = _cut_both(expected, found)
    return Difference(is_space=False, expected=expected, found=found, offsets=offsets)


def _cut_both(expected: bytes, found: bytes) -> tuple[bytes, bytes]:
    """Cut two tokens so that their first difference is visible."""
    same = common_prefix(expected, found)
    begin = 0 if max(len(expected), len(found)) <= _MAX_TOKEN or same < _MAX_TOKEN // 2 else same - _LEAD
    return _cut(expected, begin), _cut(found, begin)


def _cut(token: bytes, begin: int) -> bytes:
    head = _ELLIPSIS if begin else b""
    size = _MAX_TOKEN - len(head)
    rest = token[begin : begin + size + 1]
    return head + (rest if len(rest) <= size else rest[: size - len(_ELLIPSIS)] + _ELLIPSIS)


def token_number(text: bytes, line_at: int, at: int) -> int:
    """Return the 1-based number within its line of the token at offset `at`; the line begins at `line_at`."""
    marked = text[line_at:at].translate(_STARTS_AS_X)
    return marked.count(b" x") + marked.startswith(b"x") + 1
