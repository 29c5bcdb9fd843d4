"""The default output validator of the ICPC problem package format, version 2025-09, over bytes.

Source of every rule: sections "Default output validator specification" and "General requirements" of
https://www.kattis.com/problem-package-format/spec/2025-09.html. Verdicts: AC or WA, never PE.
"""

from dataclasses import replace

from judge.checkers.numbers import Tolerance, describe_error, tolerance_of
from judge.diff import describe, mismatch
from judge.diff.notes import Spaces
from judge.diff.pieces import TOKENS, TOKENS_AND_SPACES, first_difference, first_unequal
from judge.model import CheckerConfig, CheckResult, Mismatch, Verdict


def check(config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
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
