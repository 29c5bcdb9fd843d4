"""Random hands, hands with a planted category, and the largest input."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import counts
import runs
import suits
from _cards import PACK, SIZES, filled, five_of_category, line


def uniform(random: Random, lines: int = 300, sizes: Sequence[int] = SIZES) -> Iterator[str]:
    """Hands as they are dealt; most of them are poor."""
    for _ in range(lines):
        yield " ".join(random.sample(PACK, random.choice(sizes)))


def every_category(random: Random, lines: int = 300) -> Iterator[str]:
    """All categories equally often, hidden among up to two random cards."""
    for number in range(lines):
        five = five_of_category(random, number % 10)
        yield line(random, filled(random, five, random.choice(SIZES)))


def positions(random: Random) -> Iterator[str]:
    """Every category at every choice of five of the seven positions."""
    for places in combinations(range(7), 5):
        for category in range(10):
            cards = filled(random, five_of_category(random, category), 7)
            five, others = random.sample(cards[:5], 5), cards[5:]
            yield " ".join((five if place in places else others).pop() for place in range(7))


def largest(random: Random, lines: int = 20_000) -> Iterator[str]:
    """As many hands as there may be: mostly seven cards as dealt, and all other families among them."""
    dealt = uniform(random, lines, sizes=(7,))
    families = [
        uniform(random, lines),
        every_category(random, lines),
        counts.count_shapes(random, rounds=lines),
        runs.straights(random, lines),
        runs.nearly_straights(random, lines),
        suits.flushes(random, lines),
        suits.straight_flushes(random, lines),
        suits.torn_straight_flushes(random, lines),
    ]
    for _ in range(lines):
        yield next(dealt if random.random() < 0.6 else random.choice(families))
