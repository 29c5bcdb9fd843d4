"""Games that are decided by the category alone; the weaker hand has the higher cards wherever it can."""

from collections.abc import Iterator
from random import Random

from _cards import (
    ACE,
    CATEGORIES,
    FLUSH,
    FOUR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUITED,
    SUITS,
    Hands,
    best_of,
    duel,
    game,
    in_order,
    ranks_of,
    seat,
)


def ladder(random: Random, winner: int = 1, deals: int = 2) -> Iterator[str]:
    """Every category against every lower one."""
    for higher in range(len(CATEGORIES)):
        for lower in range(higher):
            for _ in range(deals):
                yield seat(*best_of(random, higher, lower), winner)


def every_rank(random: Random, categories: str = "one-pair", winner: int = 1) -> Iterator[str]:
    """The category with each rank at each place in it, against the category just below."""
    for name in categories.split():
        category = CATEGORIES.index(name)
        for rank in range(ACE + 1):
            for place in range(2):
                hands = _with_rank(random, category, rank, place)
                if hands:
                    yield seat(*hands, winner)


def _with_rank(random: Random, category: int, rank: int, place: int) -> Hands | None:
    below = FOUR if category == ROYAL_FLUSH else category - 1
    for _ in range(200):
        ranks = ranks_of(random, category)
        if in_order(ranks)[place] != rank:
            continue
        hands = game(random, ranks, ranks_of(random, below), (category in SUITED, below in SUITED))
        if hands:
            return hands
    return None


def every_suit(random: Random, winner: int = 1) -> Iterator[str]:
    """Flushes, straight flushes and royal flushes of each suit against what they just beat, and against one another."""
    rivals = [(FLUSH, STRAIGHT), (STRAIGHT_FLUSH, FOUR), (ROYAL_FLUSH, FOUR), (ROYAL_FLUSH, STRAIGHT_FLUSH)]
    for suit in SUITS:
        for higher, lower in rivals:
            stronger, weaker = duel(random, higher, lower)
            swap = str.maketrans(stronger[0][1] + suit, suit + stronger[0][1])
            yield seat([card.translate(swap) for card in stronger], [card.translate(swap) for card in weaker], winner)
