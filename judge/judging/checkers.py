"""Is the output right? One small file a checker; a new one is one file and one row of `CHECKERS`.

A checker sees the bytes of the answer and of the output and says AC, WA or PE, and where they differ. It runs no
program, reads no file and prints nothing.
"""

from collections.abc import Callable
from dataclasses import replace

from judge.judging.diff import describe, mismatch
from judge.judging.diff.chunks import BLANKS, LINES, TOKENS, TOKENS_AND_SPACES, first_difference, first_unequal
from judge.judging.diff.hints import Spaces
from judge.judging.numbers import Tolerance, describe_error, tolerance_of
from judge.model import CheckerConfig, CheckResult, Mismatch, Verdict


def check_exact(_config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Accept only the answer's own bytes; PE where the tokens are the same, in order, else WA.

    For WA a wrong token is shown rather than white space that differs before it: it is what makes the output wrong.
    """
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    place = first_difference(answer, output, TOKENS)
    if place is None:
        found = mismatch(answer, output, whitespace_only=True)
        return CheckResult(
            verdict=Verdict.PE, reason=f"only white space differs, first in {describe(found)}", mismatch=found
        )
    found = mismatch(answer, output, whitespace_only=False)
    if found.token:
        return CheckResult(verdict=Verdict.WA, reason=describe(found), mismatch=found)
    remark = f" (white space differs before that, from line {found.line} on)"
    found = mismatch(answer, output, place=place, whitespace_only=False)
    return CheckResult(verdict=Verdict.WA, reason=describe(found) + remark, mismatch=found)


def check_lines(_config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare line by line: AC or WA."""
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    place = first_difference(answer, output, LINES)
    if place is None:
        return CheckResult(verdict=Verdict.AC)
    found = mismatch(answer, output, place=place, agrees=_same_line, spaces=Spaces.INSIDE)
    return CheckResult(verdict=Verdict.WA, reason=describe(found), mismatch=found)


def _same_line(expected: bytes, found: bytes) -> bool:
    return _stripped(expected) == _stripped(found)


def _stripped(line: bytes) -> bytes:
    return line.removesuffix(b"\n").rstrip(BLANKS)


def check_tokens(config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare token by token; with `space_change_sensitive` every byte of white space must be the same too.

    Raises:
        ValueError: a tolerance is not a finite number.
    """
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    tolerance = tolerance_of(config)
    place = _difference(config, tolerance, answer, output)
    if place is None:
        return CheckResult(verdict=Verdict.AC)
    found = _mismatch(config, tolerance, answer, output, place)
    error = describe_error(found.expected, found.found) if tolerance and found.token else ""
    return CheckResult(verdict=Verdict.WA, reason=describe(found) + (error and f" ({error})"), mismatch=found)


def _difference(
    config: CheckerConfig, tolerance: Tolerance | None, answer: bytes, output: bytes
) -> tuple[int, int] | None:
    if not config.case_sensitive:
        answer, output = answer.lower(), output.lower()  # of `bytes`: only ASCII letters change
    grain = TOKENS_AND_SPACES if config.space_change_sensitive else TOKENS
    return first_difference(answer, output, grain, tolerance.first_rejected if tolerance else first_unequal)


def _mismatch(
    config: CheckerConfig, tolerance: Tolerance | None, answer: bytes, output: bytes, place: tuple[int, int]
) -> Mismatch:
    lenient = replace(config, space_change_sensitive=False)
    strict = config.space_change_sensitive
    return mismatch(
        answer,
        output,
        place=place,
        agrees=lambda expected, found: _difference(config, tolerance, expected, found) is None,
        whitespace_only=strict and _difference(lenient, tolerance, answer, output) is None,
        spaces=Spaces.EVERYWHERE if strict else Spaces.NOWHERE,
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
        config: which checker, with options that the loader has found to fit it.
        answer: what the judge expects.
        output: all that the submission wrote.

    Raises:
        KeyError: there is no checker of that name; loaders let no such configuration through.
    """
    return CHECKERS[config.name](config, answer, output)
