"""The pack, the groups of the game and the text of a hand, for the generators beside this file.

A card is a pair (rank 0..12, suit 0..3). All lists have a fixed order, so that the same seed gives the same bytes
everywhere.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

Card = tuple[int, int]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
ACE, TWO, JACK, QUEEN, KING = 0, 1, 10, 11, 12
PACK = [(rank, suit) for rank in range(13) for suit in range(4)]


def run(suit: int, low: int, length: int) -> list[Card]:
    """Return `length` cards of a suit from rank `low` up; rank 13 is the ace again, 14 the two: legal up to 13 only."""
    return [(rank % 13, suit) for rank in range(low, low + length)]


def all_runs(suit: int, longest: int = 13) -> list[list[Card]]:
    return [run(suit, low, length) for length in range(3, longest + 1) for low in range(15 - length)]


def all_sets(rank: int) -> list[list[Card]]:
    """Return the four sets of three cards of a rank and the set of four."""
    suits = [combinations(range(4), 3), combinations(range(4), 4)]
    return [[(rank, suit) for suit in chosen] for sizes in suits for chosen in sizes]


def line(cards: Sequence[Card]) -> str:
    """Return the input line of a hand, its cards in the order given."""
    return " ".join([str(len(cards))] + [RANKS[rank] + SUITS[suit] for rank, suit in cards])


def shuffled(random: Random, cards: Iterable[Card]) -> str:
    """Return the input line of a hand in random order; a card that was given twice is there once."""
    order = sorted(set(cards))
    random.shuffle(order)
    return line(order)


def planted(random: Random, most: int, longest: int = 6) -> list[Card]:
    """Draw groups that do not overlap, one after the other, up to `most` cards; prefer those that touch others."""
    hand: set[Card] = set()
    for _ in range(12):
        suit = random.randrange(4)
        groups = [random.choice(all_sets(random.randrange(13))), random.choice(all_runs(suit, longest))]
        near = [group for group in groups if hand & set(neighbours(group))]
        group = random.choice(near or groups)
        if not hand & set(group) and len(hand) + len(group) <= most:
            hand.update(group)
    return sorted(hand)


def neighbours(cards: Iterable[Card]) -> list[Card]:
    """List the cards one rank above or below (the ace is beside the king and the two) or of the same rank."""
    beside: list[Card] = []
    for rank, suit in cards:
        beside += [((rank - 1) % 13, suit), ((rank + 1) % 13, suit)]
        beside += [(rank, other) for other in range(4) if other != suit]
    return beside


def disturbed(random: Random, cards: Iterable[Card]) -> list[Card]:
    """Take away, add or move one card, to a place beside the others where that can be."""
    hand = set(cards)
    beside = sorted(set(neighbours(hand)) - hand) or PACK[:1]
    change = random.randrange(3)
    if change != 0 and hand:
        hand.discard(random.choice(sorted(hand)))
    if change != 1:
        hand.add(random.choice(beside))
    return sorted(hand)
