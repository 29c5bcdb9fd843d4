"""Give every card a number so that five of them added up tell the ranks and the suits of a hand.

A number has 17 fields of three bits: how many cards of each of the 13 ranks, then of each of the 4 suits. No field
overflows (at most 4 of a rank, 5 of a suit), and a sum does not depend on the order of the cards. Only 6,175 rank sums
exist, so the strength of each is worked out once. The columns of all the lines are added at a time.
"""
import sys
from functools import lru_cache
from operator import gt

RANKS = "23456789TJQKA"
SUITS = "CDHS"
BITS = 3
SUITS_AT = BITS * len(RANKS)
RANK_FIELDS = (1 << SUITS_AT) - 1
FULL_SUITS = {5 << BITS * i for i in range(len(SUITS))}
CARD = {
    rank + suit: (1 << BITS * i) + (1 << SUITS_AT + BITS * j)
    for i, rank in enumerate(RANKS)
    for j, suit in enumerate(SUITS)
}

# Straight, flush and both of them stand beside the shapes; the royal flush is the highest straight flush.
SHAPES = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
STRAIGHT, FLUSH, STRAIGHT_FLUSH = 4, 5, 8


@lru_cache(maxsize=None)
def rank_strength(ranks, flush):
    """Return (category, ranks in the order in which they are compared) of a sum of rank fields."""
    counts = [(ranks >> BITS * i & 7, i) for i in range(len(RANKS))]
    groups = sorted([group for group in counts if group[0]], reverse=True)
    shape, order = zip(*groups)
    straight = len(order) == 5 and order[0] - order[4] == 4
    if straight and flush:
        return STRAIGHT_FLUSH, order
    if flush:
        return FLUSH, order
    if straight:
        return STRAIGHT, order
    return SHAPES[shape], order


def strengths(columns):
    """Return the strengths of the hands whose cards stand in five columns."""
    return [rank_strength(hand & RANK_FIELDS, hand >> SUITS_AT in FULL_SUITS) for hand in map(sum, zip(*columns))]


def main():
    numbers = [CARD[card] for card in sys.stdin.read().split()]
    columns = [numbers[i::10] for i in range(10)]
    print(sum(map(gt, strengths(columns[:5]), strengths(columns[5:]))))


main()
