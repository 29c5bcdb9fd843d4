"""The checkers, which compare an output with the answer: functions over bytes, and the table of their names.

A checker returns AC, WA or PE, and the first difference. It runs no program, reads no file and prints nothing. To add
one, write a function, add a row to `CHECKERS`, and its name to `judge.model.CHECKERS`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from judge.base.data import Data, read_data
from judge.judging.diff.chunks import (
    LINE_WHITESPACE,
    LINES,
    TOKENS,
    TOKENS_AND_SPACES,
    Offsets,
    first_difference,
    first_unequal,
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
    tolerance = None
    if not config.float_absolute_tolerance is config.float_relative_tolerance is None:
        from judge.judging.numbers import Tolerance

        tolerance = Tolerance(config)
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


def _describe_leniency(config: CheckerConfig, answer: bytes, output: bytes) -> str:
    """Return what an accepted output has unlike the answer, which exact judges reject; "" for the ends of lines."""
    if first_difference(answer, output, TOKENS) is None:
        is_same = first_difference(answer.strip(), output.strip(), LINES) is None
        leads = output[: len(output) - len(output.lstrip())] != answer[: len(answer) - len(answer.lstrip())]
        return "" if is_same and not leads else "only the white space differs from the answer"
    if first_difference(answer.lower(), output.lower(), TOKENS) is None:
        return "only the letter case differs from the answer"
    tolerance = max(config.float_absolute_tolerance or 0, config.float_relative_tolerance or 0)
    return f"numbers differ within the tolerance of {tolerance:g}" if tolerance >= 0.01 else ""


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
    """Compare an output with the answer, in memory or in a file.

    The loader has checked that the checker has the options of `config`.

    Raises:
        KeyError: there is no checker of that name.
        OSError: the answer cannot be read.
    """
    return CHECKERS[config.name](config, read_data(answer), output)
