"""Generators: each public function makes an input; `random` is seeded, the other parameters come from the case file."""

from collections.abc import Iterator
from random import Random


def uniform(random: Random, lines: int = 100, largest: int = 1000) -> Iterator[str]:
    """Random pairs."""
    for _ in range(lines):
        yield f"{random.randint(-largest, largest)} {random.randint(-largest, largest)}"


def cancelling(random: Random, lines: int = 100, largest: int = 1000) -> Iterator[str]:
    """Pairs whose sum is close to zero."""
    for _ in range(lines):
        first = random.randint(-largest, largest)
        yield f"{first} {-first + random.randint(-1, 1)}"
