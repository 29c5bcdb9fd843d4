"""The laws of growth that measurements are compared with.

A law is kept as the logarithm of its function: 2^n and n! exceed every float long before n is large.
"""

import math
from collections.abc import Callable
from functools import partial

from msgspec import Struct

LARGEST = 1 << 62
"""No size is larger."""


class Law(Struct, frozen=True, kw_only=True):
    """A law of growth, with the name that people write, such as `n log n`.

    Attributes:
        log: the natural logarithm of the function, for sizes from 1; it never falls.
        exponent: that of n, if the law is a power of n.
        is_exponential: it grows faster than every power of n.
    """

    name: str
    log: Callable[[float], float]
    exponent: float | None = None
    is_exponential: bool = False

    def ratio(self, size: float, reference: float) -> float:
        """Return f(size) / f(reference); infinite if that exceeds a float."""
        difference = self.log(size) - self.log(reference)
        return math.exp(difference) if difference < 700 else math.inf


def _power(exponent: float, n: float) -> float:
    return exponent * math.log(n)


def _power_log(exponent: float, n: float) -> float:
    return exponent * math.log(n) + math.log(math.log2(n + 1))


def _exponential(log_base: float, n: float) -> float:
    return log_base * n


CONSTANT = Law(name="1", log=lambda _: 0.0, exponent=0.0)

POLYNOMIALS = (
    Law(name="log n", log=partial(_power_log, 0.0)),
    Law(name="sqrt n", log=partial(_power, 0.5), exponent=0.5),
    Law(name="n", log=partial(_power, 1.0), exponent=1.0),
    Law(name="n log n", log=partial(_power_log, 1.0)),
    Law(name="n sqrt n", log=partial(_power, 1.5), exponent=1.5),
    Law(name="n^2", log=partial(_power, 2.0), exponent=2.0),
    Law(name="n^2 log n", log=partial(_power_log, 2.0)),
    Law(name="n^3", log=partial(_power, 3.0), exponent=3.0),
    Law(name="n^4", log=partial(_power, 4.0), exponent=4.0),
)
EXPONENTIALS = (
    Law(name="2^n", log=partial(_exponential, math.log(2)), is_exponential=True),
    Law(name="n 2^n", log=lambda n: math.log(n) + n * math.log(2), is_exponential=True),
    Law(name="3^n", log=partial(_exponential, math.log(3)), is_exponential=True),
    Law(name="n!", log=lambda n: math.lgamma(n + 1), is_exponential=True),
)


def power(exponent: float) -> Law:
    """Return the law n^p for any p."""
    return Law(name=f"n^{exponent:.2f}", log=partial(_power, exponent), exponent=exponent)


def exponential(base: float) -> Law:
    """Return the law c^n for any c."""
    return Law(name=f"{base:.2f}^n", log=partial(_exponential, math.log(base)), is_exponential=True)


def largest_size(law: Law, reference: float, ratio: float) -> int:
    """Return the largest size at which the law has grown by at most this ratio since a reference; at most 2^62."""
    bound = law.log(reference) + math.log(ratio)
    low, high = 0, LARGEST
    while low < high:
        middle = (low + high + 1) // 2
        if law.log(middle) <= bound:
            low = middle
        else:
            high = middle - 1
    return low
