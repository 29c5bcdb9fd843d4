"""The order of cards, of hands and of lines: none of it may matter, and no line may be lost or counted twice."""

from collections.abc import Iterator
from itertools import permutations
from random import Random

from _cards import CATEGORIES, ROYAL_FLUSH, STRAIGHT_FLUSH, duel, seat


def every_order(random: Random, higher: str = "two-pairs", lower: str = "one-pair", winner: int = 1) -> Iterator[str]:
    """One game, with both hands in all their 120 orders."""
    stronger, weaker = duel(random, CATEGORIES.index(higher), CATEGORIES.index(lower))
    orders = list(permutations(range(5)))
    shuffled = random.sample(orders, len(orders))
    for order, other in zip(orders, shuffled, strict=True):
        yield seat([stronger[i] for i in order], [weaker[i] for i in other], winner)


def repeats(random: Random, games: int = 8, times: int = 4) -> Iterator[str]:
    """Each game several times with player 1 winning and once with the hands exchanged, all in any order."""
    lines = []
    for _ in range(games):
        hands = duel(random, random.randrange(ROYAL_FLUSH), random.randrange(ROYAL_FLUSH))
        lines += [seat(*hands, 1)] * times + [seat(*hands, 2)]
    random.shuffle(lines)
    yield from lines


def last_line_counts(random: Random, lines: int = 1001) -> Iterator[str]:
    """Player 1 wins the last line and no other."""
    for i in range(1, lines + 1):
        hands = duel(random, random.randrange(STRAIGHT_FLUSH), random.randrange(STRAIGHT_FLUSH))
        yield seat(*hands, 1 if i == lines else 2)
