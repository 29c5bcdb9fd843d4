"""The checkers, which compare an output with the answer: functions over bytes, and the table of their names.

A checker returns AC, WA or PE, and the first difference. It runs no program, reads no file and prints nothing. To add
one, write a function, add a row to `CHECKERS`, and its name to `judge.model.CHECKERS`.

An answer may be too large for the memory of the machine. Of a huge one, only as much is read at a time as the output
can match: the beginning that both have in common, and then about as many bytes as the output has left.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec.structs import replace

from judge.base.data import Data, is_huge, read_data
from judge.judging.diff.chunks import (
    LINE_WHITESPACE,
    LINES,
    TOKENS,
    TOKENS_AND_SPACES,
    WHITESPACE,
    Offsets,
    common_prefix,
    first_difference,
    first_unequal,
    last_break,
)
from judge.model import CheckerConfig, CheckResult, Verdict

if TYPE_CHECKING:  # imported where they are needed: most outputs are right, and few problems have a tolerance
    from judge.judging.numbers import Tolerance


def check_exact(_config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare byte by byte: AC if equal, PE if the tokens are the same in the same order, else WA.

    With WA, the first wrong token is reported even if whitespace differs before it: the token makes the output wrong.
    """
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    from judge.judging.diff.mismatch import describe_mismatch, find_mismatch

    offsets = first_difference(answer, output, TOKENS)
    mismatch = find_mismatch(answer, output, whitespace_only=offsets is None)
    reason = describe_mismatch(mismatch)
    if offsets is None:
        return CheckResult(verdict=Verdict.PE, reason=f"only whitespace differs, first in {reason}", mismatch=mismatch)
    if mismatch.token:
        return CheckResult(verdict=Verdict.WA, reason=reason, mismatch=mismatch)
    earlier = f" (whitespace differs before, from line {mismatch.line})"
    mismatch = find_mismatch(answer, output, offsets=offsets, whitespace_only=False)
    return CheckResult(verdict=Verdict.WA, reason=describe_mismatch(mismatch) + earlier, mismatch=mismatch)


def check_lines(_config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare line by line, without the whitespace at the ends of lines: AC or WA."""
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    offsets = first_difference(answer, output, LINES)
    if offsets is None:
        return CheckResult(verdict=Verdict.AC)
    from judge.judging.diff.mismatch import Whitespace, describe_mismatch, find_mismatch

    def agrees(*lines: bytes) -> bool:
        expected, found = (line.removesuffix(b"\n").rstrip(LINE_WHITESPACE) for line in lines)
        return expected == found

    mismatch = find_mismatch(answer, output, offsets=offsets, agrees=agrees, significant=Whitespace.INSIDE_LINES)
    return CheckResult(verdict=Verdict.WA, reason=describe_mismatch(mismatch), mismatch=mismatch)


def check_tokens(config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare token by token: AC or WA. With `space_change_sensitive`, all whitespace must be the same, too.

    Raises:
        ValueError: a tolerance is not a finite number.
    """
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    tolerance: Tolerance | None = None
    if not config.float_absolute_tolerance is config.float_relative_tolerance is None:
        from judge.judging.numbers import read_tolerance

        tolerance = read_tolerance(config)
    offsets = _first_rejected(config, tolerance, answer, output)
    if offsets is None:
        return CheckResult(verdict=Verdict.AC, leniency=_describe_leniency(config, answer, output))
    from judge.judging.diff.mismatch import Whitespace, describe_mismatch, find_mismatch

    is_strict = config.space_change_sensitive
    lenient = replace(config, space_change_sensitive=False)
    mismatch = find_mismatch(
        answer,
        output,
        offsets=offsets,
        agrees=lambda expected, found: _first_rejected(config, tolerance, expected, found) is None,
        whitespace_only=is_strict and _first_rejected(lenient, tolerance, answer, output) is None,
        significant=Whitespace.EVERYWHERE if is_strict else Whitespace.NOWHERE,
    )
    reason = describe_mismatch(mismatch)
    if tolerance and mismatch.token:
        from judge.judging.numbers import describe_deviation

        if deviation := describe_deviation(mismatch.expected, mismatch.found):
            reason += f" ({deviation})"
    return CheckResult(verdict=Verdict.WA, reason=reason, mismatch=mismatch)


_LARGE_TOLERANCE = 0.01  # tasks ask for six digits and more


def _describe_leniency(config: CheckerConfig, answer: bytes, output: bytes) -> str:
    """Return what an accepted output has unlike the answer, which exact judges reject; "" for the ends of lines."""
    if first_difference(answer, output, TOKENS) is None:
        is_same = first_difference(answer.strip(), output.strip(), LINES) is None
        leads = output[: len(output) - len(output.lstrip())] != answer[: len(answer) - len(answer.lstrip())]
        return "" if is_same and not leads else "only the white space differs from the answer"
    if first_difference(answer.lower(), output.lower(), TOKENS) is None:
        return "only the letter case differs from the answer"
    tolerance = max(config.float_absolute_tolerance or 0, config.float_relative_tolerance or 0)
    return f"numbers differ within the tolerance of {tolerance:g}" if tolerance >= _LARGE_TOLERANCE else ""


def _first_rejected(
    config: CheckerConfig, tolerance: "Tolerance | None", answer: bytes, output: bytes
) -> Offsets | None:
    if not config.case_sensitive:
        answer, output = answer.lower(), output.lower()  # `bytes.lower` changes ASCII letters only
    granularity = TOKENS_AND_SPACES if config.space_change_sensitive else TOKENS
    return first_difference(answer, output, granularity, tolerance.first_rejected if tolerance else first_unequal)


Checker = Callable[[CheckerConfig, bytes, bytes], CheckResult]

CHECKERS: dict[str, Checker] = {"tokens": check_tokens, "lines": check_lines, "exact": check_exact}


def check(config: CheckerConfig, answer: Data, output: bytes) -> CheckResult:
    """Compare an output with the answer, in memory or in a file of any size.

    The loader has checked that the checker has the options of `config`.

    Raises:
        KeyError: there is no checker of that name.
        OSError: the answer cannot be read.
    """
    if isinstance(answer, Path) and is_huge(answer):
        return check_huge(config, answer, output)
    return CHECKERS[config.name](config, read_data(answer), output)


# ---- answers of any size --------------------------------------------------------------------------------------------


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
            found = result.mismatch
            if found and found.token and found.expected:
                is_certain = found.expected != _MORE
            else:  # a difference at the end of a part of the answer, or in the whitespace there, decides nothing
                is_certain = found is not None and found.expected_line <= part.rstrip(WHITESPACE).count(b"\n")
            if is_certain or not has_more:
                return _move(result, output.count(b"\n", 0, start))
            length *= 2


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
    mismatch = result.mismatch
    if mismatch is None:
        return replace(result, reason=reason)
    rows = tuple(
        replace(
            row,
            expected_line=row.expected_line and row.expected_line + lines,
            found_line=row.found_line and row.found_line + lines,
        )
        for row in mismatch.rows
        if not (row.expected or b"").endswith(_MORE)
    )
    line, expected_line = mismatch.line + lines, mismatch.expected_line + lines
    return replace(
        result, reason=reason, mismatch=replace(mismatch, line=line, expected_line=expected_line, rows=rows, hints=())
    )
