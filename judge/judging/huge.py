"""Check an output against an answer that may be too large for the memory of the machine.

Of a huge answer, only as much is read at a time as the output can match: the beginning that both have in common, and
then about as many bytes as the output has left.
"""

import re
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from judge.judging.checkers import check
from judge.judging.diff.chunks import LINE_WHITESPACE, WHITESPACE, common_prefix, last_break
from judge.model import CheckerConfig, CheckResult, DiffRow, Mismatch, Verdict

_CHUNK = 1 << 20  # bytes
_LINES_BEFORE = 4  # the line with the difference, and those that are shown before it
_MORE = b"\0rest-of-the-answer\0"  # a token that stands for it; no output contains it by chance
_LINE = re.compile(r"\bline (\d+)")


def check_huge(config: CheckerConfig, answer: Path, output: bytes) -> CheckResult:
    """Compare an output with the answer in a file, in memory proportional to the output.

    Raises:
        OSError: the answer cannot be read.
    """
    with answer.open("rb") as file:
        size = file.seek(0, 2)
        same = _count_same(file, output)
        if same == size == len(output):
            return CheckResult(verdict=Verdict.AC)
        start = _find_start(output, same)
        rest = output[start:]
        length = len(rest) + _CHUNK
        while True:
            part = _read_part(file, start, length, len(rest))
            has_more = start + len(part) < size and part[-1:] in WHITESPACE
            result = check(config, part + _MORE if has_more else part, rest)
            if not has_more or (result.mismatch and not _is_at_end(result.mismatch, part)):
                return _move(result, output.count(b"\n", 0, start))
            length *= 2


def _is_at_end(mismatch: Mismatch, part: bytes) -> bool:
    """Return whether a difference is at the end of a part of the answer, or in the whitespace there."""
    if mismatch.token and mismatch.expected:
        return mismatch.expected == _MORE
    return mismatch.expected_line > part.rstrip(WHITESPACE).count(b"\n")


def _count_same(file: BinaryIO, output: bytes) -> int:
    """Return how many bytes are the same from the beginning of both texts."""
    at = 0
    file.seek(0)
    while chunk := file.read(_CHUNK):
        piece = output[at : at + len(chunk)]
        if chunk != piece:
            return at + common_prefix(chunk, piece)
        at += len(chunk)
    return at


def _find_start(output: bytes, at: int) -> int:
    """Return the offset of a line a few lines before the one at an offset, not counting whitespace before that one."""
    at = len(output[:at].rstrip(WHITESPACE))
    for _ in range(_LINES_BEFORE):
        at = output.rfind(b"\n", 0, at)
        if at < 0:
            return 0
    return at + 1


def _read_part(file: BinaryIO, start: int, length: int, remaining: int) -> bytes:
    """Read a part of the answer that ends with whitespace, or with the answer.

    It ends inside a line or token that is longer than the `remaining` bytes of the output: that cannot match anything.
    """
    file.seek(start)
    part = file.read(length)
    if not file.read(1):
        return part
    for breaks in (b"\n", LINE_WHITESPACE):
        end = last_break(part, breaks, 0, len(part))
        if end and len(part) - end <= remaining:
            return part[:end]
    return part


def _move(result: CheckResult, lines: int) -> CheckResult:
    """Return a result of parts as one of the whole texts, which have so many lines before the parts.

    Hints compare whole texts, so there are none. The only positions in a reason are of the form "line 7": a token
    contains no space.
    """
    reason = _LINE.sub(lambda found: f"line {int(found[1]) + lines}", result.reason)
    return replace(result, reason=reason, mismatch=result.mismatch and _move_mismatch(result.mismatch, lines))


def _move_mismatch(mismatch: Mismatch, lines: int) -> Mismatch:
    rows = tuple(_move_row(row, lines) for row in mismatch.rows if not (row.expected or b"").endswith(_MORE))
    return replace(
        mismatch, line=mismatch.line + lines, expected_line=mismatch.expected_line + lines, rows=rows, hints=()
    )


def _move_row(row: DiffRow, lines: int) -> DiffRow:
    return replace(
        row,
        expected_line=row.expected_line and row.expected_line + lines,
        found_line=row.found_line and row.found_line + lines,
    )
