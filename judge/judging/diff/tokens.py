"""What differs at a place of two texts: two tokens, or the white space between them."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from judge.judging.diff.chunks import WHITE, common_prefix, last_break

# Expected and found lines or tokens: whether the checker takes them for the same.
Agrees = Callable[[bytes, bytes], bool]

TOKEN_CUT = 80
_LEAD = 20
_ELLIPSIS = b"..."
_TOKEN = re.compile(rb"[^ \t\n\r\x0b\x0c]*")
_SPACE = re.compile(rb"[ \t\n\r\x0b\x0c]*")
_STARTS_AS_X = bytes(0x20 if byte in WHITE else 0x78 for byte in range(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two tokens that differ, or two stretches of white space that do.

    Attributes:
        is_space: white space differs.
        expected, found: the tokens or the white space, cut to `TOKEN_CUT` bytes; b"" for a token where the line or
            the text has no more.
        place: 0-based places in the answer and in the output of the tokens that differ, else of the first bytes.
    """

    is_space: bool
    expected: bytes
    found: bytes
    place: tuple[int, int]


def difference_after(answer: bytes, output: bytes, place: tuple[int, int], agrees: Agrees) -> Difference:
    """Tell what differs first from two places on.

    Args:
        answer: what is expected.
        output: what was found.
        place: 0-based places in the answer and in the output where tokens, white space or lines begin, or the ends of
            the texts.
        agrees: whether two tokens are the same.
    """
    answer_at, output_at = place
    here = common_prefix(answer, output, answer_at, output_at) + output_at
    theirs = last_break(output, WHITE, output_at, here)
    shift = answer_at - output_at
    ours = theirs + shift
    expected, found = _match(_TOKEN, answer, ours), _match(_TOKEN, output, theirs)
    if expected and found and not agrees(expected, found):
        return _token_difference(expected, found, (ours, theirs))
    if bool(expected) == bool(found):
        ours, theirs = ours + len(expected), theirs + len(found)
    return _difference_after_space(answer, output, (ours, theirs), (here + shift, here), agrees)


def _difference_after_space(
    answer: bytes, output: bytes, space: tuple[int, int], here: tuple[int, int], agrees: Agrees
) -> Difference:
    """Look beyond the white space, if any, at both places: at the next tokens, in the same line and in the text."""
    our_space, their_space = _match(_SPACE, answer, space[0]), _match(_SPACE, output, space[1])
    our_token, their_token = space[0] + len(our_space), space[1] + len(their_space)
    next_expected, next_found = _match(_TOKEN, answer, our_token), _match(_TOKEN, output, their_token)
    expected = b"" if b"\n" in our_space else next_expected
    found = b"" if b"\n" in their_space else next_found
    if not agrees(next_expected, next_found) and not agrees(expected, found):
        place = (our_token if expected else here[0], their_token if found else here[1])
        return _token_difference(expected, found, place)
    before = output[max(0, here[1] - TOKEN_CUT) : here[1]]
    before = before[len(before.rstrip(WHITE)) :]
    expected, found = _cut_both(before + our_space, before + their_space)
    return Difference(is_space=True, expected=expected, found=found, place=here)


def _match(pattern: re.Pattern[bytes], text: bytes, at: int) -> bytes:
    found = pattern.match(text, at)
    return found[0] if found else b""


def _token_difference(expected: bytes, found: bytes, place: tuple[int, int]) -> Difference:
    expected, found = _cut_both(expected, found)
    return Difference(is_space=False, expected=expected, found=found, place=place)


def _cut_both(expected: bytes, found: bytes) -> tuple[bytes, bytes]:
    """Cut two tokens so that the first difference is seen."""
    same = common_prefix(expected, found)
    begin = 0 if max(len(expected), len(found)) <= TOKEN_CUT or same < TOKEN_CUT // 2 else same - _LEAD
    return _cut(expected, begin), _cut(found, begin)


def _cut(token: bytes, begin: int) -> bytes:
    head = _ELLIPSIS if begin else b""
    room = TOKEN_CUT - len(head)
    rest = token[begin : begin + room + 1]
    return head + (rest if len(rest) <= room else rest[: room - len(_ELLIPSIS)] + _ELLIPSIS)


def token_number(text: bytes, line_at: int, at: int) -> int:
    """Return the 1-based number, in its line, of the token that begins at `at`; the line begins at `line_at`."""
    marked = text[line_at:at].translate(_STARTS_AS_X)
    return marked.count(b" x") + marked.startswith(b"x") + 1
