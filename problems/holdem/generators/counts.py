"""Hands that are made of equal ranks."""

from collections.abc import Iterator
from random import Random

from _cards import RANKS, in_mixed_suits, line

SHAPES = [
    *((4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1, 1, 1, 1, 1)),
    *((4, 2), (4, 1, 1), (3, 3), (3, 2, 1), (3, 1, 1, 1), (2, 2, 2), (2, 2, 1, 1), (2, 1, 1, 1, 1)),
    (1, 1, 1, 1, 1, 1),
    *((4, 3), (4, 2, 1), (4, 1, 1, 1), (3, 3, 1), (3, 2, 2), (3, 2, 1, 1), (3, 1, 1, 1, 1)),
    *((2, 2, 2, 1), (2, 2, 1, 1, 1), (2, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 1, 1)),
]


def count_shapes(random: Random, rounds: int = 1) -> Iterator[str]:
    """All ways to split five, six and seven cards among ranks; every rank leads each of them once a round."""
    for _ in range(rounds):
        for shape in SHAPES:
            for leader in RANKS:
                others = random.sample(RANKS.replace(leader, ""), len(shape) - 1)
                ranks = [rank for rank, count in zip([leader, *others], shape, strict=True) for _ in range(count)]
                yield line(random, in_mixed_suits(random, ranks))
