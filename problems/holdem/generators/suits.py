"""Flushes and straight flushes, and hands that nearly hold one."""

from collections.abc import Iterator
from random import Random

from _cards import RANKS, ROUND_THE_ACE, SIZES, STRAIGHTS, SUITS, filled, line, other_suit


def flushes(random: Random, lines: int = 300) -> Iterator[str]:
    """Three to seven cards of a suit and equal ranks in the others."""
    for _ in range(lines):
        suit = random.choice(SUITS)
        size = random.choice(SIZES)
        own = random.sample(RANKS, random.randint(3, size))
        pool = own if random.random() < 0.5 else RANKS
        others = [rank + other for rank in pool for other in SUITS.replace(suit, "")]
        cards = [*(rank + suit for rank in own), *random.sample(others, size - len(own))]
        yield line(random, cards)


def straight_flushes(random: Random, lines: int = 300) -> Iterator[str]:
    """Every straight flush in turn, beside the ace of its suit, its neighbours in other suits, or random cards."""
    for number in range(lines):
        straight = STRAIGHTS[number % len(STRAIGHTS)]
        suit = random.choice(SUITS)
        cards = [rank + suit for rank in straight]
        tempting = [rank + random.choice(SUITS) for rank in RANKS if rank not in straight]
        tempting += ["A" + suit, "K" + suit, "A" + other_suit(random, suit)]
        tempting += [ROUND_THE_ACE[(ROUND_THE_ACE.index(straight[-1], 4) + 1) % 13] + suit for _ in range(3)]
        for card in random.sample(tempting, random.randint(0, 2)):
            if card not in cards:
                cards.append(card)
        yield line(random, filled(random, cards, random.choice([size for size in SIZES if size >= len(cards)])))


def torn_straight_flushes(random: Random, lines: int = 300) -> Iterator[str]:
    """A straight with one or two cards in a wrong suit; often a flush all the same."""
    for number in range(lines):
        straight = STRAIGHTS[number % len(STRAIGHTS)]
        suit = random.choice(SUITS)
        wrong = random.sample(straight, random.choice((1, 1, 2)))
        cards = [rank + (other_suit(random, suit) if rank in wrong else suit) for rank in straight]
        spare = [rank + suit for rank in RANKS if rank not in straight]
        cards += random.sample(spare, random.randint(0, 2))
        yield line(random, filled(random, cards, random.choice([size for size in SIZES if size >= len(cards)])))
