"""The checkers, which compare an output with the answer: functions over bytes, and the table of their names.

A checker returns AC, WA or PE, and the first difference. It runs no program, reads no file and prints nothing. To add
one, write a function and add a row to `CHECKERS`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from judge.judging.diff.chunks import (
    LINE_WHITESPACE,
    LINES,
    TOKENS,
    TOKENS_AND_SPACES,
    Offsets,
    first_difference,
    first_unequal,
)
from judge.model import CheckerConfig, CheckResult, Mismatch, Verdict

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
    from judge.judging.diff.hints import Whitespace
    from judge.judging.diff.mismatch import describe_mismatch, find_mismatch

    mismatch = find_mismatch(answer, output, offsets=offsets, agrees=_is_same_line, significant=Whitespace.INSIDE_LINES)
    return CheckResult(verdict=Verdict.WA, reason=describe_mismatch(mismatch), mismatch=mismatch)


def _is_same_line(expected: bytes, found: bytes) -> bool:
    return expected.removesuffix(b"\n").rstrip(LINE_WHITESPACE) == found.removesuffix(b"\n").rstrip(LINE_WHITESPACE)


def check_tokens(config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare token by token: AC or WA. With `space_change_sensitive`, all whitespace must be the same, too.

    Raises:
        ValueError: a tolerance is not a finite number.
    """
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    tolerance = _read_tolerance(config)
    offsets = _first_rejected(config, tolerance, answer, output)
    if offsets is None:
        return CheckResult(verdict=Verdict.AC)
    from judge.judging.diff.mismatch import describe_mismatch

    mismatch = _find_token_mismatch(config, tolerance, answer, output, offsets)
    reason = describe_mismatch(mismatch)
    if tolerance and mismatch.token:
        from judge.judging.numbers import describe_deviation

        if deviation := describe_deviation(mismatch.expected, mismatch.found):
            reason += f" ({deviation})"
    return CheckResult(verdict=Verdict.WA, reason=reason, mismatch=mismatch)


def _read_tolerance(config: CheckerConfig) -> "Tolerance | None":
    if config.float_absolute_tolerance is config.float_relative_tolerance is None:
        return None
    from judge.judging.numbers import read_tolerance

    return read_tolerance(config)


def _first_rejected(
    config: CheckerConfig, tolerance: "Tolerance | None", answer: bytes, output: bytes
) -> Offsets | None:
    if not config.case_sensitive:
        answer, output = answer.lower(), output.lower()  # `bytes.lower` changes ASCII letters only
    granularity = TOKENS_AND_SPACES if config.space_change_sensitive else TOKENS
    return first_difference(answer, output, granularity, tolerance.first_rejected if tolerance else first_unequal)


def _find_token_mismatch(
    config: CheckerConfig, tolerance: "Tolerance | None", answer: bytes, output: bytes, offsets: Offsets
) -> Mismatch:
    from judge.judging.diff.hints import Whitespace
    from judge.judging.diff.mismatch import find_mismatch

    is_strict = config.space_change_sensitive
    lenient = replace(config, space_change_sensitive=False)
    return find_mismatch(
        answer,
        output,
        offsets=offsets,
        agrees=lambda expected, found: _first_rejected(config, tolerance, expected, found) is None,
        whitespace_only=is_strict and _first_rejected(lenient, tolerance, answer, output) is None,
        significant=Whitespace.EVERYWHERE if is_strict else Whitespace.NOWHERE,
    )


Checker = Callable[[CheckerConfig, bytes, bytes], CheckResult]

CHECKERS: dict[str, Checker] = {
    "tokens": check_tokens,
    "lines": check_lines,
    "exact": check_exact,
}


def check(config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare an output with the answer.

    Args:
        config: the checker, with options that it has; the loader has checked that.
        answer: the expected output.
        output: all that the submission wrote to standard output.

    Raises:
        KeyError: there is no checker of that name.
    """
    return CHECKERS[config.name](config, answer, output)
