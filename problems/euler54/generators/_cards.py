"""Hands of a wished category, suits for them, and lines with a known winner.

Ranks are numbers here, 0 for the two up to 12 for the ace. A hand is born as a list of five ranks and the wish for one
suit; `deal` turns two of them into cards of one pack. Who wins is decided here by `strength` alone, so that no family
has to be trusted: a line is seated by the outcome, never by the intention.
"""

from collections.abc import Sequence
from random import Random

RANKS = "23456789TJQKA"
SUITS = "CDHS"
ACE = 12
CATEGORIES = [
    "high-card",
    "one-pair",
    "two-pairs",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
]
HIGH_CARD, ONE_PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
SUITED = {FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH}
SHAPES = {
    HIGH_CARD: (1, 1, 1, 1, 1),
    ONE_PAIR: (2, 1, 1, 1),
    TWO_PAIRS: (2, 2, 1),
    THREE: (3, 1, 1),
    STRAIGHT: (1, 1, 1, 1, 1),
    FLUSH: (1, 1, 1, 1, 1),
    FULL_HOUSE: (3, 2),
    FOUR: (4, 1),
    STRAIGHT_FLUSH: (1, 1, 1, 1, 1),
    ROYAL_FLUSH: (1, 1, 1, 1, 1),
}
ATTEMPTS = 400
Hands = tuple[list[str], list[str]]


def in_order(ranks: Sequence[int]) -> list[int]:
    """Return the different ranks in the order in which the rules compare them."""
    return sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)


def category_of(ranks: Sequence[int], suited: bool) -> int:
    """Return the category, 0 to 9, of five ranks."""
    order = in_order(ranks)
    if len(order) == 5 and order[0] - order[4] == 4:
        if not suited:
            return STRAIGHT
        return ROYAL_FLUSH if order[0] == ACE else STRAIGHT_FLUSH
    if suited:
        return FLUSH
    shape = tuple(ranks.count(rank) for rank in order)
    return next(category for category, counts in SHAPES.items() if counts == shape)


def strength(hand: Sequence[str]) -> tuple[int, list[int]]:
    """Return (category, ranks to compare in turn) of five cards."""
    ranks = [RANKS.index(card[0]) for card in hand]
    return category_of(ranks, len({card[1] for card in hand}) == 1), in_order(ranks)


def spread(category: int, order: Sequence[int]) -> list[int]:
    """Return the five ranks of a hand whose different ranks are `order`."""
    return [rank for rank, count in zip(order, SHAPES[category], strict=True) for _ in range(count)]


def ranks_of(random: Random, category: int) -> list[int]:
    """Return five random ranks that make the category."""
    if category == ROYAL_FLUSH:
        return list(range(ACE - 4, ACE + 1))
    if category in {STRAIGHT, STRAIGHT_FLUSH}:
        low = random.randrange(9 if category == STRAIGHT else 8)
        return list(range(low, low + 5))
    while True:
        ranks = spread(category, random.sample(range(13), len(SHAPES[category])))
        if category_of(ranks, category in SUITED) == category:
            return ranks


def give_suits(random: Random, ranks: Sequence[int], suited: bool, taken: set[str]) -> list[str] | None:
    """Return cards outside `taken` with these ranks, of one suit or of several; None where luck or the pack fails."""
    if suited:
        suit = random.choice(SUITS)
        cards = [RANKS[rank] + suit for rank in ranks]
    else:
        cards = [RANKS[rank] + random.choice(SUITS) for rank in ranks]
        if len({card[1] for card in cards}) == 1:
            return None
    return cards if len({*cards} - taken) == 5 else None


def deal(random: Random, first: Sequence[int], second: Sequence[int], suited: tuple[bool, bool]) -> Hands | None:
    """Return two hands of one pack with these ranks; None where the pack does not allow it."""
    if any((*first, *second).count(rank) > 4 for rank in first):
        return None
    for _ in range(ATTEMPTS):
        hand = give_suits(random, first, suited[0], set())
        other = hand and give_suits(random, second, suited[1], {*hand})
        if hand and other:
            return hand, other
    return None


def game(
    random: Random, first: Sequence[int], second: Sequence[int], suited: tuple[bool, bool] = (False, False)
) -> Hands | None:
    """Return (stronger hand, weaker hand), both shuffled; None for a tie or a deal that the pack does not allow."""
    hands = deal(random, first, second, suited)
    if hands is None or strength(hands[0]) == strength(hands[1]):
        return None
    stronger, weaker = sorted(hands, key=strength, reverse=True)
    random.shuffle(stronger)
    random.shuffle(weaker)
    return stronger, weaker


def duel(random: Random, first: int, second: int) -> Hands:
    """Return (stronger hand, weaker hand) of two categories; not two royal flushes, which always tie."""
    while True:
        suited = (first in SUITED, second in SUITED)
        hands = game(random, ranks_of(random, first), ranks_of(random, second), suited)
        if hands:
            return hands


def seat(stronger: Sequence[str], weaker: Sequence[str], winner: int) -> str:
    """Return the line on which player `winner` (1 or 2) has the stronger hand."""
    if strength(stronger) <= strength(weaker):
        raise ValueError(f"{stronger} does not beat {weaker}")
    return " ".join([*stronger, *weaker] if winner == 1 else [*weaker, *stronger])


def best_of(random: Random, first: int, second: int, deals: int = 12) -> Hands:
    """Return the duel, of several, in which the weaker hand has the most misleading high cards."""
    return max((duel(random, first, second) for _ in range(deals)), key=deception)


def deception(hands: Hands) -> tuple[int, int]:
    """Return by how much the weaker hand is ahead in its highest card and in the sum of its ranks."""
    stronger, weaker = ([RANKS.index(card[0]) for card in hand] for hand in hands)
    return max(weaker) - max(stronger), sum(weaker) - sum(stronger)
