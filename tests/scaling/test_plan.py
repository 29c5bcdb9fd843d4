"""The plan of sizes: few runs, none far above the limit, enough to find the law."""

import pytest

from judge.scaling.fit import CONSTANT, TIME_NOISE, Law, Sample, fit_growth
from judge.scaling.plan import larger_size, size_between
from tests.scaling.test_fit import LAWS

START, LIMIT = 0.012, 2.0


def follow(law: Law, reference: int, smallest: int, largest: int) -> tuple[list[Sample], list[int]]:
    """Measure a program that takes a second at the reference; return the samples and the sizes that were too slow."""
    samples: list[Sample] = []
    failed: list[int] = []
    size: int | None = smallest
    while size is not None:
        assert size not in [*failed, *(each.size for each in samples)], "a size is measured once"
        value = START + (0.0 if law is CONSTANT else law.ratio(size, reference))
        if value > LIMIT:
            failed.append(size)
        else:
            samples = sorted([*samples, Sample(size=size, value=value)], key=lambda each: each.size)
        assert len(samples) + len(failed) < 45
        size = larger_size(samples, min(failed, default=None), largest, LIMIT) or size_between(samples)
    return samples, failed


REFERENCES = {"n!": 10, "3^n": 14, "2^n": 22, "n 2^n": 20, "n^4": 60, "n^3": 300, "n^2": 5000, "n^2 log n": 1500}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_the_planned_sizes_show_the_law(law: Law) -> None:
    samples, failed = follow(law, REFERENCES.get(law.name, 1_000_000), 4, 10**18)
    assert len(failed) <= 5
    assert fit_growth(samples, TIME_NOISE).best.law is law
    assert larger_size(samples, min(failed, default=None), 10**18, LIMIT) is None


def test_the_largest_size_is_measured_and_never_exceeded() -> None:
    samples, failed = follow(CONSTANT, 1, 3, 1000)
    assert samples[-1].size == 1000
    assert not failed


def test_without_growth_only_gaps_are_filled() -> None:
    samples = [Sample(size=size, value=START + size / 1000) for size in (4, 8, 64, 512)]
    size = size_between(samples)
    assert size is not None
    assert 64 < size < 512
