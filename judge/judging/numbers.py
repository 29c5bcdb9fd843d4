"""Exact comparison of decimal numbers with tolerances, as the ICPC problem package format (2025-09) requires.

Binary floating point would reject 2.000001 for 2 at an absolute tolerance of 1e-6, and could not distinguish 2^53 + 1
from 2^53. So decimal arithmetic decides; binary floats only accept what is within the tolerance by a wide margin.

The time grows with the number of digits and nothing else: the output of a program must not be able to keep the judge
busy for much longer than the program ran.
"""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_UP, Context, Decimal, InvalidOperation
from math import isfinite

from judge.model import CheckerConfig

# "General requirements": sign? (digit* "." digit+ | digit+ "." | digit+) exponent?, so neither hex nor inf nor nan.
# Of the texts in this alphabet, `float` and `Decimal` accept exactly those.
_ALPHABET = b"0123456789+-.Ee"
# The format allows "reasonable limits on the number of digits" of at least 30.
_MAX_LENGTH = 4000
_MAX_MAGNITUDE = 10**17  # of the decimal exponent: far from the limits of `Decimal`, so that results are in range

# Rounding away from zero keeps every comparison with a limit of fewer digits exact: a result that exceeds the limit
# still exceeds it, and one that does not is rounded to the limit at most. A limit is a tolerance, of at most 17 digits,
# or its product with an answer, which is exact.
_UPWARDS = Context(prec=_MAX_LENGTH + 20, rounding=ROUND_UP, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])

# The relative error of a binary float is at most 2^-53, and that of a difference of two as much again, unless the
# numbers are tiny or huge.
_ROUNDING = 1e-15
_MARGIN = 0.999999
_TINY, _HUGE = 1e-290, 1e290


class Tolerance:
    """How far a number may be from the answer, inclusive; one of the two tolerances of a checker is enough.

    The value of a tolerance is that of its shortest decimal notation: 1e-6 is exactly one millionth.

    Raises:
        ValueError: a tolerance is not a finite number.
    """

    def __init__(self, config: CheckerConfig) -> None:
        given = (config.float_absolute_tolerance, config.float_relative_tolerance)
        exact = [None if each is None else parse_number(repr(each).encode("ascii")) for each in given]
        for each, found in zip(given, exact, strict=True):
            if each is not None and found is None:
                raise ValueError(f"expected a tolerance such as 1e-6, found `{each}`")
        self._absolute, self._relative = exact
        self._rough = [(each or 0.0) * _MARGIN for each in given]

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
        absolute, relative = self._rough
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
        error = _UPWARDS.subtract(value, answer).copy_abs()
        if self._absolute is not None and error <= self._absolute:
            return True
        return self._relative is not None and error <= _UPWARDS.multiply(self._relative, answer).copy_abs()


def describe_deviation(expected: bytes, found: bytes) -> str:
    """Describe how far a number is from the answer; "" if one of the tokens is not a number that a float can hold."""
    if parse_number(expected) is None or parse_number(found) is None:
        return ""
    answer, error = float(expected), abs(float(found) - float(expected))
    if not error or not isfinite(error):
        return ""
    return f"off by {error:.3g}" + (f", {error / abs(answer):.3g} of the answer" if answer else "")


def parse_number(token: bytes) -> Decimal | None:
    """Parse a decimal number; None if the token is not one, is longer than 4000 bytes, or is not within 10^(10^17)."""
    if len(token) > _MAX_LENGTH or token.translate(None, _ALPHABET):
        return None
    try:
        number = Decimal(token.decode("ascii"))
    except InvalidOperation:
        return None
    return number if -_MAX_MAGNITUDE <= number.adjusted() <= _MAX_MAGNITUDE else None


def _floats(tokens: list[bytes]) -> list[float] | None:
    """Parse all tokens as binary floats; None if one is not a number of at most 4000 bytes."""
    if b"".join(tokens).translate(None, _ALPHABET) or max(map(len, tokens), default=0) > _MAX_LENGTH:
        return None
    try:
        return list(map(float, tokens))
    except ValueError:
        return None
