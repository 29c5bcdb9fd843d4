"""Time limits follow from submissions by the rules of the ICPC problem package formats."""

import pytest

from judge.base.units import Seconds
from judge.model import TimeRule


@pytest.mark.parametrize(
    ("slowest", "factor", "resolution", "expected"),
    [
        (0.0, 2.0, 1.0, 1.0),  # at least one step
        (0.01, 2.0, 1.0, 1.0),
        (0.5, 2.0, 1.0, 1.0),
        (0.51, 2.0, 1.0, 2.0),
        (0.3, 2.0, 0.1, 0.6),  # exact in decimal, not in binary
        (0.35, 2.0, 0.1, 0.7),
        (0.351, 2.0, 0.1, 0.8),
        (1.0, 5.0, 1.0, 5.0),  # legacy: `time_multiplier` 5
        (1.01, 5.0, 1.0, 6.0),
        (0.7, 1.0, 0.25, 0.75),
    ],
)
def test_the_limit_is_the_smallest_multiple_with_the_margin(
    slowest: float, factor: float, resolution: float, expected: float
) -> None:
    rule = TimeRule(ac_to_time_limit=factor, resolution=Seconds(resolution))
    assert rule.infer(Seconds(slowest)) == expected


@pytest.mark.parametrize(
    ("limit", "slowest", "fastest", "words"),
    [
        (2.0, 1.0, 3.0, []),
        (2.0, 1.01, 3.0, ["slowest accepted"]),
        (2.0, 1.0, 2.99, ["must be too slow"]),
        (2.5, 1.5, 3.0, ["slowest accepted", "must be too slow", "not a multiple of 1 s"]),
        (2.0, None, None, []),
    ],
)
def test_what_is_wrong_with_a_limit_is_named(
    limit: float, slowest: float | None, fastest: float | None, words: list[str]
) -> None:
    found = TimeRule().find_problems(
        Seconds(limit),
        slowest=None if slowest is None else Seconds(slowest),
        fastest=None if fastest is None else Seconds(fastest),
    )
    assert len(found) == len(words)
    assert all(word in text for word, text in zip(words, found, strict=True))
