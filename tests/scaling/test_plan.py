"""The plan of sizes: few runs, none far above the limit, enough to find the law."""

import pytest

from judge.scaling.fit import CONSTANT, TIME_NOISE, Law, Sample, fit_growth
from judge.scaling.plan import Bounds, is_grown, next_size
from tests.scaling.test_fit import LAWS

START, LIMIT = 0.012, 2.0


def follow(law: Law, reference: int, bounds: Bounds) -> tuple[list[Sample], list[int]]:
    """Measure a program that takes a second at the reference; return the samples and the sizes that were too slow."""
    samples: list[Sample] = []
    failed: list[int] = []
    while (size := next_size(samples, min(failed, default=None), bounds)) is not None:
        assert size not in [*failed, *(each.size for each in samples)], "a size is measured once"
        value = START + (0.0 if law is CONSTANT else law.ratio(size, reference))
        if value > bounds.limit:
            failed.append(size)
        else:
            samples = sorted([*samples, Sample(size=size, value=value)], key=lambda each: each.size)
        assert len(samples) + len(failed) < 45
    return samples, failed


REFERENCES = {"n!": 10, "3^n": 14, "2^n": 22, "n 2^n": 20, "n^4": 60, "n^3": 300, "n^2": 5000, "n^2 log n": 1500}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_the_planned_sizes_show_the_law(law: Law) -> None:
    bounds = Bounds(smallest=4, largest=10**18, limit=LIMIT)
    samples, failed = follow(law, REFERENCES.get(law.name, 1_000_000), bounds)
    assert len(failed) <= 5
    assert fit_growth(samples, TIME_NOISE).best.law is law
    assert is_grown(samples, min(failed, default=None), bounds)


def test_the_largest_size_is_measured_and_never_exceeded() -> None:
    samples, failed = follow(CONSTANT, 1, Bounds(smallest=3, largest=1000, limit=LIMIT))
    assert samples[-1].size == 1000
    assert not failed


def test_without_growth_only_gaps_are_filled() -> None:
    samples = [Sample(size=size, value=START + size / 1000) for size in (4, 8, 64, 512)]
    bounds = Bounds(smallest=4, largest=10**18, limit=LIMIT)
    size = next_size(samples, None, bounds, may_grow=False)
    assert size is not None
    assert 64 < size < 512


def test_a_failure_at_the_first_size_ends_the_plan() -> None:
    assert next_size([], 4, Bounds(smallest=4, largest=10, limit=LIMIT)) is None
