"""Laws are found in times that are exactly a + b f(n), and with noise; what cannot be separated is named."""

import random
from collections.abc import Sequence

import pytest

from judge.scaling.fit import (
    CONSTANT,
    EXPONENTIALS,
    POLYNOMIALS,
    TIME_NOISE,
    Growth,
    Law,
    Noise,
    Sample,
    exponential,
    fit_exponent,
    fit_growth,
    power,
)

LAWS = (CONSTANT, *POLYNOMIALS, *EXPONENTIALS)
START = 0.012  # seconds

SIZES: dict[str, Sequence[int]] = {
    "polynomial": [2**power for power in range(3, 15)],
    "exponential": [4, 6, 8, 10, *range(14, 23)],
    "n!": [2, 3, 4, 5, 6, 7, 8, 9, 10],
}


def samples(law: Law, sizes: Sequence[int], *, noise: float = 0.0, seed: int = 1, top: float = 1.0) -> list[Sample]:
    """Return times of a program with this law that takes `top` seconds for the largest size."""
    source = random.Random(seed)
    step = 0.0 if law is CONSTANT else top
    return [
        Sample(size=size, value=(START + step * law.ratio(size, sizes[-1])) * (1 + abs(source.gauss(0, noise))))
        for size in sizes
    ]


def sizes_for(law: Law) -> Sequence[int]:
    return SIZES.get(law.name, SIZES["exponential" if law.is_exponential else "polynomial"])


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_an_exact_law_is_the_only_answer(law: Law) -> None:
    growth = fit_growth(samples(law, sizes_for(law)), TIME_NOISE)
    assert [fit.law.name for fit in growth.fits] == [law.name]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("seed", range(3))
def test_a_law_is_named_in_spite_of_noise(law: Law, seed: int) -> None:
    growth = fit_growth(samples(law, sizes_for(law), noise=0.02, seed=seed), TIME_NOISE)
    assert law.name in [fit.law.name for fit in growth.fits]
    assert len(growth.fits) <= 2


@pytest.mark.parametrize("exponent", [0.5, 1.0, 1.5, 2.0, 3.0])
def test_the_interval_of_the_exponent_contains_it(exponent: float) -> None:
    found = fit_exponent(samples(power(exponent), SIZES["polynomial"], noise=0.01), TIME_NOISE)
    assert found is not None
    assert found.low <= exponent <= found.high
    assert abs(found.value - exponent) <= 0.05


def test_more_noise_makes_the_interval_wider_and_names_more_laws() -> None:
    given = samples(power(2.0), [2**each for each in range(3, 11)])
    quiet = fit_growth(given, TIME_NOISE)
    busy = fit_growth(given, Noise(relative=0.25, absolute=0.001))
    assert quiet.exponent is not None
    assert busy.exponent is not None
    assert busy.exponent.high - busy.exponent.low > quiet.exponent.high - quiet.exponent.low
    assert len(busy.fits) > len(quiet.fits)


@pytest.mark.parametrize(
    ("law", "sizes", "name"),
    [
        (power(1.25), SIZES["polynomial"], "n^1.25"),
        (power(1.35), SIZES["polynomial"], "n^1.35"),
        (power(0.88), SIZES["polynomial"], "n^0.88"),
        (power(0.7), SIZES["polynomial"], "n^0.70"),
        (power(2.5), SIZES["polynomial"], "n^2.50"),
        (exponential(1.62), [4, 8, 12, 16, 20, 22, 24, 26, 28, 30, 32], "1.62^n"),
    ],
)
def test_what_is_not_in_the_table_gets_its_exponent_or_base(law: Law, sizes: Sequence[int], name: str) -> None:
    assert fit_growth(samples(law, sizes), TIME_NOISE).name == name


def test_two_sizes_that_show_growth_fit_no_other_base() -> None:
    times = {4: 0.0151, 5: 0.015, 6: 0.0152, 7: 0.0151, 8: 0.0175, 9: 0.037, 10: 0.26}
    growth = fit_growth([Sample(size=size, value=value) for size, value in times.items()], TIME_NOISE)
    assert growth.best.law.name == "n!"


def test_times_without_a_trend_are_constant() -> None:
    source = random.Random(1)
    given = [Sample(size=4**each, value=0.012 + source.uniform(0, 0.006)) for each in range(1, 15)]
    assert fit_growth(given, TIME_NOISE).best.law is CONSTANT


@pytest.mark.parametrize("law", [each for each in LAWS if each is not CONSTANT], ids=lambda law: law.name)
def test_the_largest_size_is_the_last_within_the_limit(law: Law) -> None:
    fit = fit_growth(samples(law, sizes_for(law)), TIME_NOISE).best
    largest = fit.largest(2.0)
    assert largest is not None
    assert fit.predict(largest) <= 2.0 + 1e-9
    assert fit.predict(largest + max(1, largest >> 40)) >= 2.0 - 1e-6


def test_a_limit_below_the_start_allows_no_size_and_a_constant_any() -> None:
    fit = fit_growth(samples(power(2.0), SIZES["polynomial"]), TIME_NOISE).best
    assert fit.largest(START / 2) == 0
    assert fit_growth(samples(CONSTANT, SIZES["polynomial"]), TIME_NOISE).best.largest(1.0) is None


def test_a_limit_that_no_size_exceeds_is_no_bound() -> None:
    given = samples(LAWS[1], [4**each for each in range(1, 14)], top=0.1)
    assert fit_growth(given, TIME_NOISE).best.largest(60.0) is None


def test_many_laws_are_written_as_a_range() -> None:
    fits = fit_growth(samples(power(1.0), SIZES["polynomial"]), TIME_NOISE).fits
    assert Growth(fits=fits * 4).name == "n (n to n)"
    assert Growth(fits=fits * 2).name == "n or n"
