"""What is easily overlooked when two texts are compared by eye, said in a few words each."""

import codecs
from collections.abc import Iterator
from enum import IntEnum

from judge.judging.diff.chunks import WHITE, line_count
from judge.judging.diff.tokens import Difference

_STEP = 1 << 20


class Spaces(IntEnum):
    """Where white space matters to the checker; each value includes the ones before it."""

    NOWHERE = 0
    INSIDE = 1  # not at the ends of lines
    EVERYWHERE = 2


def notes_on(answer: bytes, output: bytes, difference: Difference, spaces: Spaces) -> tuple[str, ...]:
    """Return all notes that are true and help."""
    notes = [*_on_size(answer, output), *_on_letters(answer, output, difference), *_on_bytes(answer, output)]
    if answer and output:
        if spaces >= Spaces.EVERYWHERE:
            notes += _on_last_newline(answer, output)
            notes += _differing(_line_ends(answer), _line_ends(output))
        if spaces >= Spaces.INSIDE:
            notes += _differing(_blanks(answer), _blanks(output))
    return tuple(notes)


def _on_size(answer: bytes, output: bytes) -> Iterator[str]:
    if not output:
        yield "the output is empty"
    elif not output.lstrip(WHITE):
        yield "the output is nothing but white space"
    if not answer:
        yield "the expected output is empty"
    missing = line_count(answer) - line_count(output)
    if missing and output and answer:
        lines = "1 line" if abs(missing) == 1 else f"{abs(missing)} lines"
        yield f"{lines} {'fewer' if missing > 0 else 'more'} than expected"


def _on_letters(answer: bytes, output: bytes, difference: Difference) -> Iterator[str]:
    if difference.is_space or difference.expected.lower() != difference.found.lower():
        return
    if len(answer) == len(output) and answer.lower() == output.lower():
        yield "differs only in letter case"
    else:
        yield "the token differs only in letter case"


def _on_bytes(answer: bytes, output: bytes) -> Iterator[str]:
    if output.startswith(codecs.BOM_UTF8) and not answer.startswith(codecs.BOM_UTF8):
        yield "a byte-order mark at the start of the output"
    elif not _is_utf8(output):
        yield "the output has bytes that are not UTF-8"
    elif answer.isascii() and not output.isascii():
        yield "the output has characters that are not ASCII"
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


def _differing(answer: dict[str, bool], output: dict[str, bool]) -> Iterator[str]:
    for trait, has in output.items():
        if has and not answer[trait]:
            yield trait
        elif answer[trait] and not has:
            yield f"the expected output has {trait}"


def _on_last_newline(answer: bytes, output: bytes) -> Iterator[str]:
    if answer.endswith(b"\n") and not output.endswith(b"\n"):
        yield "no newline at the end of the output"
    elif output.endswith(b"\n") and not answer.endswith(b"\n"):
        yield "no newline at the end of the expected output"


def _line_ends(text: bytes) -> dict[str, bool]:
    return {
        "CRLF line ends": b"\r\n" in text,
        "trailing blanks": text.endswith((b" ", b"\t")) or _has_any(text, b" \n", b"\t\n", b" \r\n", b"\t\r\n"),
    }


def _blanks(text: bytes) -> dict[str, bool]:
    return {
        "tabs": b"\t" in text,
        "leading blanks": text.startswith((b" ", b"\t")) or _has_any(text, b"\n ", b"\n\t"),
        "double blanks": b"  " in text,
        "blank lines": text.startswith((b"\n", b"\r\n")) or _has_any(text, b"\n\n", b"\n\r\n"),
    }


def _has_any(text: bytes, *parts: bytes) -> bool:
    return any(part in text for part in parts)
