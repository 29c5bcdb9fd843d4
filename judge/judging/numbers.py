"""Exact comparison of decimal numbers with tolerances, as the ICPC problem package format (2025-09) requires.

Binary floating point would reject 2.000001 for 2 at an absolute tolerance of 1e-6, and could not distinguish 2^53 + 1
from 2^53. So integers decide; binary floats only accept what is within the tolerance by a wide margin.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from judge.model import CheckerConfig

# "General requirements": sign? (digit* "." digit+ | digit+ "." | digit+) exponent?, so neither hex nor inf nor nan.
_GRAMMAR = re.compile(rb"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[Ee]([+-]?[0-9]+))?")
_ALPHABET = b"0123456789+-.Ee"
# The format allows "reasonable limits on the number of digits" of at least 30; `int` parses at most 4300 digits.
_MAX_LENGTH = 4000

# The relative error of a binary float is at most 2^-53, and that of a difference of two as much again, unless the
# numbers are tiny or huge.
_ROUNDING = 1e-15
_MARGIN = 0.999999
_TINY, _HUGE = 1e-290, 1e290


class Number(NamedTuple):
    """The exact value `coefficient * 10 ** exponent`."""

    coefficient: int
    exponent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """How far a number may be from the answer, inclusive; one of the two tolerances is enough.

    Attributes:
        absolute: an exact number.
        relative: an exact number, relative to the answer.
        rough_absolute, rough_relative: the same as binary floats; 0 for None.
    """

    absolute: Number | None
    relative: Number | None
    rough_absolute: float
    rough_relative: float

    def first_rejected(self, expected: list[bytes], found: list[bytes]) -> int | None:
        """Return the index of the first pair of tokens, both in lower case, that differs too much, or None."""
        differing = [index for index, (one, other) in enumerate(zip(expected, found, strict=True)) if one != other]
        doubtful = self._doubtful(expected, found, differing)
        return next((index for index in doubtful if not self._accepts(expected[index], found[index])), None)

    def _doubtful(self, expected: list[bytes], found: list[bytes], differing: list[int]) -> list[int]:
        """Drop the pairs that are certainly within the tolerance: ten times faster than exact arithmetic."""
        answers = _floats([expected[index] for index in differing])
        values = _floats([found[index] for index in differing])
        if answers is None or values is None:
            return differing
        absolute, relative = self.rough_absolute * _MARGIN, self.rough_relative * _MARGIN
        return [
            index
            for index, answer, value in zip(differing, answers, values, strict=True)
            if not _TINY < (limit := max(absolute, relative * abs(answer))) < _HUGE
            or not abs(value - answer) + _ROUNDING * (abs(value) + abs(answer)) <= limit
        ]

    def _accepts(self, expected: bytes, found: bytes) -> bool:
        """Return whether two different tokens agree as numbers."""
        answer, value = parse_number(expected), parse_number(found)
        if answer is None or value is None:
            return False
        if self.absolute is not None and _within(value, answer, self.absolute):
            return True
        if self.relative is None:
            return False
        share, unit = self.relative
        return _within(value, answer, Number(share * abs(answer.coefficient), unit + answer.exponent))


def read_tolerance(config: CheckerConfig) -> Tolerance | None:
    """Return the tolerance of a checker, or None if it has none.

    The value of a tolerance is that of its shortest decimal notation: 1e-6 is exactly one millionth.

    Raises:
        ValueError: a tolerance is not a finite number.
    """
    absolute, relative = config.float_absolute_tolerance, config.float_relative_tolerance
    if absolute is None and relative is None:
        return None
    return Tolerance(
        absolute=_limit(absolute),
        relative=_limit(relative),
        rough_absolute=absolute or 0.0,
        rough_relative=relative or 0.0,
    )


def _limit(tolerance: float | None) -> Number | None:
    if tolerance is None:
        return None
    number = parse_number(repr(tolerance).encode("ascii"))
    if number is None:
        raise ValueError(f"expected a tolerance such as 1e-6, found `{tolerance}`")
    return number


def describe_deviation(expected: bytes, found: bytes) -> str:
    """Describe how far a number is from the answer; "" if one of the tokens is not a number that a float can hold."""
    if parse_number(expected) is None or parse_number(found) is None:
        return ""
    answer, error = float(expected), abs(float(found) - float(expected))
    if not error or not isfinite(error):
        return ""
    return f"off by {error:.3g}" + (f", {error / abs(answer):.3g} of the answer" if answer else "")


def parse_number(token: bytes) -> Number | None:
    """Parse a decimal number; None if the token is not one, or is longer than 4000 bytes."""
    found = _GRAMMAR.fullmatch(token) if len(token) <= _MAX_LENGTH else None
    if not found:
        return None
    sign, whole, fraction, exponent = found.groups(b"")
    return Number(int(sign + whole + fraction), int(exponent or b"0") - len(fraction))


def sign_of_sum(numbers: Sequence[Number]) -> int:
    """Return -1, 0 or 1: the sign of the exact sum of at most ten numbers.

    Exponents may be of any size: the sum is not scaled to a much smaller unit once it outweighs all remaining numbers.
    So the time grows with the number of digits, not with the exponents.
    """
    rest = sorted((number for number in numbers if number.coefficient), key=lambda number: -number.exponent)
    digits = max((number.coefficient.bit_length() // 3 + 1 for number in rest), default=0)
    total, unit = 0, 0
    for coefficient, exponent in rest:
        if total and unit - exponent > digits + 1:  # the rest is below 10 * 10**digits * 10**exponent
            break
        total = total * 10 ** (unit - exponent) + coefficient if total else coefficient
        unit = exponent
    return (total > 0) - (total < 0)


def _within(value: Number, answer: Number, limit: Number) -> bool:
    """Return whether |value - answer| <= limit."""
    return (
        sign_of_sum((value, _negative(answer), _negative(limit))) <= 0
        and sign_of_sum((_negative(value), answer, _negative(limit))) <= 0
    )


def _negative(number: Number) -> Number:
    return Number(-number.coefficient, number.exponent)


def _floats(tokens: list[bytes]) -> list[float] | None:
    """Parse all tokens as binary floats; None if the result could differ from that of `parse_number`.

    Of the texts in this alphabet, `float` accepts exactly those of the grammar.
    """
    if b"".join(tokens).translate(None, _ALPHABET) or max(map(len, tokens), default=0) > _MAX_LENGTH:
        return None
    try:
        return list(map(float, tokens))
    except ValueError:
        return None
