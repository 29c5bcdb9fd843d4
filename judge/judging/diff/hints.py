"""Hints at differences that are easy to miss when two texts are compared by eye."""

import codecs
from collections.abc import Iterator
from enum import IntEnum

from judge.judging.diff.chunks import WHITESPACE, line_count
from judge.judging.diff.tokens import Difference

_STEP = 1 << 20  # bytes
_MAX_NUMBER = 100  # bytes


class Whitespace(IntEnum):
    """Where whitespace matters to the checker; each value includes the ones before it."""

    NOWHERE = 0
    INSIDE_LINES = 1  # but not at the ends of lines
    EVERYWHERE = 2


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
            hints += _compare_traits(_line_end_traits(answer), _line_end_traits(output))
        if significant >= Whitespace.INSIDE_LINES:
            hints += _compare_traits(_spacing_traits(answer), _spacing_traits(output))
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
        lines = "1 line" if abs(missing) == 1 else f"{abs(missing)} lines"
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
    if difference.is_space or b"." not in difference.expected or len(difference.found) > _MAX_NUMBER:
        return
    try:
        expected, found = float(difference.expected), float(difference.found)
    except ValueError:
        return
    if abs(expected - found) <= 1e-6 * max(1, abs(expected)):
        yield "the numbers differ by at most 1e-6: if the problem allows that, use --float-tolerance 1e-6"


def _compare_bytes(answer: bytes, output: bytes) -> Iterator[str]:
    if output.startswith(codecs.BOM_UTF8) and not answer.startswith(codecs.BOM_UTF8):
        yield "the output starts with a byte-order mark"
    elif not _is_utf8(output):
        yield "the output is not valid UTF-8"
    elif answer.isascii() and not output.isascii():
        yield "the output has non-ASCII characters"
    if b"\0" in output and b"\0" not in answer:
        yield "the output has NUL bytes"


def _is_utf8(text: bytes) -> bool:
    if text.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for at in range(0, len(text), _STEP):
            decoder.decode(text[at : at + _STEP])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _compare_traits(answer: dict[str, bool], output: dict[str, bool]) -> Iterator[str]:
    for trait, has in output.items():
        if has and not answer[trait]:
            yield f"the output has {trait}"
        elif answer[trait] and not has:
            yield f"the expected output has {trait}"


def _compare_last_newline(answer: bytes, output: bytes) -> Iterator[str]:
    if answer.endswith(b"\n") and not output.endswith(b"\n"):
        yield "no newline at the end of the output"
    elif output.endswith(b"\n") and not answer.endswith(b"\n"):
        yield "no newline at the end of the expected output"


def _line_end_traits(text: bytes) -> dict[str, bool]:
    return {
        "CRLF line endings": b"\r\n" in text,
        "trailing whitespace": text.endswith((b" ", b"\t")) or _has_any(text, b" \n", b"\t\n", b" \r\n", b"\t\r\n"),
    }


def _spacing_traits(text: bytes) -> dict[str, bool]:
    return {
        "tabs": b"\t" in text,
        "leading whitespace": text.startswith((b" ", b"\t")) or _has_any(text, b"\n ", b"\n\t"),
        "double spaces": b"  " in text,
        "empty lines": text.startswith((b"\n", b"\r\n")) or _has_any(text, b"\n\n", b"\n\r\n"),
    }


def _has_any(text: bytes, *parts: bytes) -> bool:
    return any(part in text for part in parts)
