"""Find the first difference between an output and the answer, with all that a person needs to see it.

That includes hints at differences that are easy to miss when two texts are compared by eye.
"""

import codecs
import re
from collections.abc import Iterator
from enum import IntEnum
from operator import eq

from msgspec import Struct

from judge.base.units import format_count
from judge.judging.diff.chunks import (
    TOKENS,
    WHITESPACE,
    Agrees,
    Offsets,
    common_prefix,
    first_difference,
    last_break,
    line_count,
)
from judge.judging.diff.rows import rows_around
from judge.model import Mismatch

_MAX_TOKEN = 80  # bytes of a token to show
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

    There, tokens, whitespace or lines begin, or the texts end; `agrees` tells whether the checker accepts a token.
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
    begin = 0 if max(len(expected), len(found)) <= _MAX_TOKEN or same < _MAX_TOKEN // 2 else same - 20
    return _cut(expected, begin), _cut(found, begin)


def _cut(token: bytes, begin: int) -> bytes:
    head = _ELLIPSIS if begin else b""
    size = _MAX_TOKEN - len(head)
    rest = token[begin : begin + size + 1]
    return head + (rest if len(rest) <= size else rest[: size - len(_ELLIPSIS)] + _ELLIPSIS)


# ---- hints ----------------------------------------------------------------------------------------------------------


class Whitespace(IntEnum):
    """Where whitespace matters to the checker; each value includes the ones before it."""

    NOWHERE = 0
    INSIDE_LINES = 1  # but not at the ends of lines
    EVERYWHERE = 2


TOLERANCE_HINT = "the numbers differ by at most 1e-6: if the problem allows that, use --float-tolerance 1e-6"


def find_hints(answer: bytes, output: bytes, difference: Difference, significant: Whitespace) -> tuple[str, ...]:
    """Return all hints that apply."""
    hints = [
        *_compare_size(answer, output),
        *_compare_case(answer, output, difference),
        *_compare_bytes(answer, output),
        *_compare_numbers(difference),
    ]
    if answer and output:
        if significant >= Whitespace.EVERYWHERE:
            hints += _compare_last_newline(answer, output)
        hints += _compare_traits(answer, output, significant)
    return tuple(hints)


def _compare_size(answer: bytes, output: bytes) -> Iterator[str]:
    if not output:
        yield "the output is empty"
    elif not output.lstrip(WHITESPACE):
        yield "the output has only whitespace"
    if not answer:
        yield "the expected output is empty"
    missing = line_count(answer) - line_count(output)
    if missing and output and answer:
        lines = format_count(abs(missing), "line")
        yield f"{lines} {'fewer' if missing > 0 else 'more'} than expected"


def _compare_case(answer: bytes, output: bytes, difference: Difference) -> Iterator[str]:
    if difference.is_space or difference.expected.lower() != difference.found.lower():
        return
    if len(answer) == len(output) and answer.lower() == output.lower():
        yield "only the letter case differs"
    else:
        yield "only the letter case of the token differs"


def _compare_numbers(difference: Difference) -> Iterator[str]:
    """Say that two decimal fractions are near: many statements accept that, and the checker may not know."""
    if difference.is_space or b"." not in difference.expected or len(difference.found) > 100:
        return
    try:
        expected, found = float(difference.expected), float(difference.found)
    except ValueError:
        return
    if abs(expected - found) <= 1e-6 * max(1, abs(expected)):
        yield TOLERANCE_HINT


def _compare_bytes(answer: bytes, output: bytes) -> Iterator[str]:
    if output.startswith(codecs.BOM_UTF8) != answer.startswith(codecs.BOM_UTF8):
        which = "expected output" if answer.startswith(codecs.BOM_UTF8) else "output"
        yield f"the {which} starts with a byte-order mark"
    elif not _is_utf8(output):
        yield "the output is not valid UTF-8"
    elif not _is_utf8(answer):
        yield "the expected output is not valid UTF-8"
    elif answer.isascii() and not output.isascii():
        yield "the output has non-ASCII characters"
    if b"\0" in output and b"\0" not in answer:
        yield "the output has NUL bytes"


def _is_utf8(text: bytes) -> bool:
    if text.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for at in range(0, len(text), 1 << 20):
            decoder.decode(text[at : at + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


# Where a trait matters, and what a text with it starts with, ends with, or contains.
_TRAITS: dict[str, tuple[Whitespace, tuple[bytes, ...], tuple[bytes, ...], tuple[bytes, ...]]] = {
    "CRLF line endings": (Whitespace.EVERYWHERE, (), (), (b"\r\n",)),
    "trailing whitespace": (Whitespace.EVERYWHERE, (), (b" ", b"\t"), (b" \n", b"\t\n", b" \r\n", b"\t\r\n")),
    "tabs": (Whitespace.INSIDE_LINES, (), (), (b"\t",)),
    "leading whitespace": (Whitespace.INSIDE_LINES, (b" ", b"\t"), (), (b"\n ", b"\n\t")),
    "double spaces": (Whitespace.INSIDE_LINES, (), (), (b"  ",)),
    "empty lines": (Whitespace.INSIDE_LINES, (b"\n", b"\r\n"), (), (b"\n\n", b"\n\r\n")),
}


def _compare_traits(answer: bytes, output: bytes, significant: Whitespace) -> Iterator[str]:
    for trait, (level, starts, ends, parts) in _TRAITS.items():
        if significant < level:
            continue
        expects, has = (
            text.startswith(starts) or text.endswith(ends) or any(part in text for part in parts)
            for text in (answer, output)
        )
        if has != expects:
            yield f"the {'output' if has else 'expected output'} has {trait}"


def _compare_last_newline(answer: bytes, output: bytes) -> Iterator[str]:
    if answer.endswith(b"\n") and not output.endswith(b"\n"):
        yield "no newline at the end of the output"
    elif output.endswith(b"\n") and not answer.endswith(b"\n"):
        yield "no newline at the end of the expected output"


# ---- the mismatch ---------------------------------------------------------------------------------------------------


def describe_mismatch(mismatch: Mismatch) -> str:
    """Describe a difference in one line: ``line 3, token 2: expected `17`, found `18` ``."""
    expected, found = (f"`{to_printable(text)}`" if text else "" for text in (mismatch.expected, mismatch.found))
    if mismatch.token:
        position = f"line {mismatch.line}, token {mismatch.token}"
        return f"{position}: expected {expected or 'nothing'}, found {found or 'nothing'}"
    position = f"line {mismatch.line}, column {mismatch.column}"
    return f"{position}: expected {expected and 'whitespace '}{expected or 'no whitespace'}, found {found or 'none'}"


def to_printable(text: bytes) -> str:
    """Decode bytes for a terminal: characters that are not printable are escaped as in Python."""
    decoded = text.decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in decoded)


def find_mismatch(
    answer: bytes,
    output: bytes,
    *,
    offsets: Offsets = (0, 0),
    agrees: Agrees = eq,
    whitespace_only: bool | None = None,
    significant: Whitespace = Whitespace.EVERYWHERE,
    before: int = 3,
    after: int = 8,
    width: int = 200,
) -> Mismatch:
    """Find the first difference.

    Args:
        answer: the expected output.
        output: an output that is not equal to the answer.
        offsets: where the first tokens or lines begin that the checker rejects, or the ends of the texts. By default,
            the first byte that differs decides.
        agrees: whether the checker accepts a line (with its line ending) or a token.
        whitespace_only: whether both texts have the same tokens; None to find out.
        significant: the whitespace that matters to the checker, which decides what to hint at.
        before: how many rows to return before the row of the difference.
        after: how many rows to return after it.
        width: how many bytes of a line to return.

    Raises:
        ValueError: the texts are equal.
    """
    if answer == output:
        raise ValueError("equal texts have no mismatch")
    if whitespace_only is None:
        whitespace_only = first_difference(answer, output, TOKENS) is None
    difference = next_difference(answer, output, offsets, agrees)
    answer_at, at = difference.offsets
    line_at = output.rfind(b"\n", 0, at) + 1
    before_token = output[line_at:at].translate(_STARTS_AS_X)
    number = before_token.count(b" x") + before_token.startswith(b"x") + 1
    return Mismatch(
        line=output.count(b"\n", 0, line_at) + 1,
        column=at - line_at + 1,
        token=0 if difference.is_space else number,
        expected_line=answer.count(b"\n", 0, answer_at) + 1,
        expected=difference.expected,
        found=difference.found,
        rows=rows_around(answer, output, difference.offsets, agrees, before=before, after=after, width=width),
        hints=find_hints(answer, output, difference, significant),
        whitespace_only=whitespace_only,
    )
