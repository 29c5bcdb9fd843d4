"""Which law of growth fits measurements: a + b f(n) with a, b >= 0, chosen by how well it extrapolates.

Each law is fitted to the smaller sizes by least squares of relative residuals, and predicts the largest ones, which it
has not seen. The law with the smallest error of prediction is the answer, together with those that predict about as
well: where the data cannot separate two laws, both are named.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

LARGEST = 1 << 62
"""No size is larger."""


class Law(Struct, frozen=True, kw_only=True):
    """A law of growth, with the name that people write, such as `n log n`; 2^n and n! exceed every float soon.

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


MIN_SAMPLES = 5
"""Fewer sizes fit too many laws."""

_POOR = 0.12  # with a larger error of prediction no law of the table fits

_MANY = 3  # laws that are not all named
_COEFFICIENTS = 3  # base, step and exponent

# The 95 % quantile of the F distribution with 1 and k degrees of freedom, from k = 1; the last one for k > 10.
_F_95 = (161.4, 18.51, 10.13, 7.71, 6.61, 5.99, 5.59, 5.32, 5.12, 4.96, 4.5)


class Sample(Struct, frozen=True, kw_only=True):
    """A measurement: the size of the input, and seconds or bytes."""

    size: int
    value: float


class Noise(Struct, frozen=True, kw_only=True):
    """How much a repeated measurement differs: a part of the value, and an amount that does not depend on it."""

    relative: float
    absolute: float

    def of(self, value: float) -> float:
        """Return the standard deviation that is expected of a value."""
        return math.hypot(self.relative * value, self.absolute)


TIME_NOISE = Noise(relative=0.02, absolute=0.0007)
"""Of CPU seconds: the start of a process differs by about a millisecond."""
MEMORY_NOISE = Noise(relative=0.02, absolute=300_000.0)
"""Of bytes of peak memory."""


class Fit(Struct, frozen=True, kw_only=True):
    """A law with its coefficients: value = base + step x f(n) / f(reference).

    Attributes:
        base: what the smallest input would cost: the start of the program.
        step: what the law adds at the reference size.
        reference: the largest size that was measured.
        squares: the sum of the squares of the residuals, in expected standard deviations.
        prediction_error: relative error of the prediction of the largest sizes from the smaller ones.
    """

    law: Law
    base: float
    step: float
    reference: int
    squares: float
    prediction_error: float = 0.0

    def predict(self, size: int) -> float:
        """Return the expected value."""
        return self.base + self.step * self.law.ratio(size, self.reference) if self.step else self.base

    @property
    def coefficient(self) -> float:
        """The factor of f(n); 0 if it is too small for a float."""
        return self.step * math.exp(-self.law.log(self.reference)) if self.step else 0.0

    def largest(self, limit: float) -> int | None:
        """Return the largest size whose expected value is within a limit; None if there is no bound, 0 if none is."""
        if self.base > limit:
            return 0
        if not self.step or self.law is CONSTANT:
            return None
        size = largest_size(self.law, self.reference, max((limit - self.base) / self.step, 1e-300))
        return None if size >= LARGEST else size


class Exponent(Struct, frozen=True, kw_only=True):
    """The exponent p of a + b n^p, with the interval that contains it with 95 % confidence if the noise is normal."""

    value: float
    low: float
    high: float


class Growth(Struct, frozen=True, kw_only=True):
    """How a cost grows.

    Attributes:
        fits: the best law first, then those that the measurements cannot separate from it, slow growth first.
        exponent: None if nothing grows.
        is_poor: not even the best law predicts well.
    """

    fits: tuple[Fit, ...]
    exponent: Exponent | None = None
    is_poor: bool = False

    @property
    def best(self) -> Fit:
        """The best fit."""
        return self.fits[0]

    @property
    def name(self) -> str:
        """The laws, as people write them: `n log n or n`, and `n^2 (n log n to n^3)` if there are many."""
        best, *others = [fit.law.name for fit in self.fits]
        if len(others) < _MANY:
            return " or ".join((best, *others))
        return f"{best} ({others[0]} to {others[-1]})"


def fit_growth(samples: Sequence[Sample], noise: Noise) -> Growth:
    """Return the law of at least `MIN_SAMPLES` measurements in the order of their sizes, which differ."""
    smallest, largest = min(each.value for each in samples), max(each.value for each in samples)
    constant = _fit(CONSTANT, samples, noise)
    if largest <= 1.25 * smallest + 3 * noise.absolute:  # may be noise
        return Growth(fits=(constant,))
    # those with more than a sixth of the largest value, at least two, are predicted from the others
    count = sum(each.value > largest / 6 for each in samples)
    count = min(max(count, 2), len(samples) - 3, max(len(samples) // 3, 2))
    known, held_out = samples[:-count], samples[-count:]
    exponent = fit_exponent(samples, noise)
    tried = [_try(law, known, held_out, samples, noise) for law in (*POLYNOMIALS, *EXPONENTIALS)]
    bound = _bound(min(fit.squares for fit in tried), len(samples))
    if constant.squares <= bound:  # no growth is proved
        return Growth(fits=(constant,))
    # what predicts and fits best, as a relative error
    best = min(
        tried, key=lambda fit: math.hypot(fit.prediction_error, noise.relative * math.sqrt(fit.squares / len(samples)))
    )
    if best.prediction_error > _POOR:
        free = min(
            (_try(_best_law(laws, known, noise), known, held_out, samples, noise) for laws in (_POWERS, _EXPONENTIALS)),
            key=lambda fit: fit.prediction_error,
        )
        # of logarithms: an exponent within 0.05, or a base within 3.5 %
        is_named = abs(free.law.log(2) - free.law.log(1) - best.law.log(2) + best.law.log(1)) < 0.035
        if free.prediction_error < 0.4 * best.prediction_error and not is_named:
            laws = _EXPONENTIALS if free.law.is_exponential else _POWERS
            fit = replace(_fit(_best_law(laws, samples, noise), samples, noise), prediction_error=free.prediction_error)
            return Growth(fits=(fit,), exponent=exponent, is_poor=fit.prediction_error > _POOR)
    if best.prediction_error > _POOR:  # the smaller sizes hardly show the growth: only the fit counts
        best = min(tried, key=lambda fit: fit.squares)
        named = [fit for fit in tried if fit.squares <= bound]
    else:
        close = best.prediction_error + 2 * noise.relative  # such laws cannot be separated
        named = [fit for fit in tried if fit is best or fit.prediction_error <= close or fit.squares <= bound]
    best = min(named, key=lambda fit: fit.squares) if len(named) > _MANY else best  # hardly any prediction is certain
    others = [fit for fit in named if fit is not best]
    return Growth(fits=(best, *others), exponent=exponent, is_poor=best.prediction_error > _POOR)


def fit_exponent(samples: Sequence[Sample], noise: Noise) -> Exponent | None:
    """Return the exponent p of a + b n^p and its interval; None if there are too few measurements."""
    if len(samples) < _COEFFICIENTS + 1:
        return None
    grid = [number / 100 for number in range(2, 801)]
    squares = [_fit(power(each), samples, noise).squares for each in grid]
    bound = _bound(min(squares), len(samples))
    inside = [each for each, square in zip(grid, squares, strict=True) if square <= bound]
    return Exponent(value=grid[squares.index(min(squares))], low=inside[0], high=inside[-1])


def _bound(least: float, count: int) -> float:
    """Return the sum of squares up to which a law is not excluded with 95 % confidence.

    That is where the sum exceeds the least one by what the F distribution allows: the likelihood-ratio interval of one
    parameter of a nonlinear regression. The noise is never taken for smaller than expected.
    """
    freedom = max(count - _COEFFICIENTS, 1)
    return least + _F_95[min(freedom, len(_F_95)) - 1] * max(least / freedom, 1.0)


def _try(law: Law, known: Sequence[Sample], held_out: Sequence[Sample], samples: Sequence[Sample], noise: Noise) -> Fit:
    """Fit a law to all samples, and note how a fit to the known ones predicts the others."""
    fit = _fit(law, known, noise)
    error = math.hypot(*(fit.predict(each.size) / each.value - 1 for each in held_out)) / math.sqrt(len(held_out))
    return replace(_fit(law, samples, noise), prediction_error=error)


def _fit(law: Law, samples: Sequence[Sample], noise: Noise) -> Fit:
    """Return the coefficients of a law: weighted least squares with both coefficients at least 0."""
    reference = samples[-1].size
    weights = [noise.of(each.value) ** -2 for each in samples]
    f = [0.0 if law is CONSTANT else law.ratio(each.size, reference) for each in samples]
    values = [each.value for each in samples]
    w = sum(weights)
    wf = sum(weight * x for weight, x in zip(weights, f, strict=True))
    wff = sum(weight * x * x for weight, x in zip(weights, f, strict=True))
    wv = sum(weight * value for weight, value in zip(weights, values, strict=True))
    wfv = sum(weight * x * value for weight, x, value in zip(weights, f, values, strict=True))
    determinant = w * wff - wf * wf
    base, step = wv / w, 0.0
    if determinant > 1e-12 * w * wff:
        step = (w * wfv - wf * wv) / determinant
        base = (wv - step * wf) / w
        if step < 0:
            base, step = wv / w, 0.0
        elif base < 0:
            base, step = 0.0, wfv / wff
    squares = [weight * (base + step * x - value) ** 2 for weight, x, value in zip(weights, f, values, strict=True)]
    return Fit(law=law, base=base, step=step, reference=reference, squares=sum(squares))


_POWERS = [power(number / 100) for number in range(5, 601)]
_EXPONENTIALS = [exponential(number / 100) for number in range(101, 601)]


def _best_law(laws: Iterable[Law], samples: Sequence[Sample], noise: Noise) -> Law:
    return min(laws, key=lambda law: _fit(law, samples, noise).squares)
