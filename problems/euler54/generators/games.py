"""Mixed games, most of them won by player 1, so that errors in both directions cannot cancel out."""

from collections.abc import Iterator
from random import Random

from _cards import RANKS, ROYAL_FLUSH, SUITS, Hands, duel, seat, strength


def planted(random: Random, lines: int = 100, share: float = 0.8) -> Iterator[str]:
    """All pairs of categories equally often; player 1 wins the share `share` of the lines."""
    for _ in range(lines):
        first, second = random.randrange(10), random.randrange(ROYAL_FLUSH)
        yield seat(*duel(random, first, second), 1 if random.random() < share else 2)


def shuffled_pack(random: Random, lines: int = 100, share: float = 0.8) -> Iterator[str]:
    """Ten cards from the top of a shuffled pack, as in the file of Project Euler."""
    pack = [rank + suit for rank in RANKS for suit in SUITS]
    while lines:
        cards = random.sample(pack, 10)
        weaker, stronger = sorted([cards[:5], cards[5:]], key=strength)
        if strength(stronger) != strength(weaker):
            yield seat(stronger, weaker, 1 if random.random() < share else 2)
            lines -= 1


def long_evening(random: Random, lines: int = 50_000, hands: int = 400, share: float = 0.8) -> Iterator[str]:
    """As planted, but quick to make: the ranks of few games, in new suits and orders on each line.

    A stretch of lines at the end is won by player 1 alone, for programs that stop early.
    """
    games: list[Hands] = []
    while len(games) < hands:
        first, second = random.randrange(10), random.randrange(ROYAL_FLUSH)
        games.append(duel(random, first, second))
    suits = [dict(zip(SUITS, random.sample(SUITS, 4), strict=True)) for _ in range(24)]
    for i in range(lines):
        stronger, weaker = random.choice(games)
        new = random.choice(suits)
        stronger = [card[0] + new[card[1]] for card in random.sample(stronger, 5)]
        weaker = [card[0] + new[card[1]] for card in random.sample(weaker, 5)]
        yield seat(stronger, weaker, 1 if i >= lines - 1000 or random.random() < share else 2)
