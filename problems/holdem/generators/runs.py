"""Straights, and hands that nearly hold one; no flushes."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from _cards import RANKS, SIZES, STRAIGHTS, WRAPPED, holds_straight, in_mixed_suits, in_one_suit, line


def straights(random: Random, lines: int = 300) -> Iterator[str]:
    """Every straight in turn, with equal ranks inside it, longer runs and cards that do not matter."""
    for number in range(lines):
        straight = STRAIGHTS[number % len(STRAIGHTS)]
        further = random.choice(SIZES) - 5
        pool = straight if random.random() < 0.6 else RANKS  # the same rank twice: three of a kind in the straight
        ranks = [*straight, *(random.choice(pool) for _ in range(further))]
        yield line(random, in_mixed_suits(random, ranks))


def nearly_straights(random: Random, lines: int = 300) -> Iterator[str]:
    """Four ranks of a straight, or five that would go on beyond the ace, and no straight."""
    made = 0
    while made < lines:
        five = random.choice(WRAPPED if made % 3 == 0 else STRAIGHTS)
        four = five if made % 3 == 0 else random.sample(five, 4)
        pool = four if random.random() < 0.3 else RANKS
        ranks = [*four, *(random.choice(pool) for _ in range(random.choice(SIZES) - len(four)))]
        if not holds_straight(ranks) and max(map(ranks.count, ranks)) <= 4:
            made += 1
            yield line(random, in_mixed_suits(random, ranks))


def rank_sets(random: Random, size: int = 7, suited: bool = False) -> Iterator[str]:
    """Every set of so many different ranks once: all in one suit, or no suit five times."""
    for ranks in combinations(RANKS, size):
        yield line(random, in_one_suit(random, ranks) if suited else in_mixed_suits(random, ranks))
