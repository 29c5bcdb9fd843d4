"""The definition itself: the best category over all choices of five cards.

A choice is worth the larger of two categories: what its ranks alone make, whatever the suits, and, if it is of one
suit, what the suit makes of it. So all choices of five ranks are tried, and all choices of five cards within a suit.
"""

import sys
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "CDHS"
STRAIGHTS = ["A2345"] + [RANKS[low : low + 5] for low in range(9)]
STRAIGHT_SETS = [set(straight) for straight in STRAIGHTS]
PLAIN_CATEGORIES = {
    (1, 1, 1, 1, 1): 0,
    (1, 1, 1, 2): 1,
    (1, 2, 2): 2,
    (1, 1, 3): 3,
    (2, 3): 6,
    (1, 4): 7,
}


class CategoriesOfRanks(dict):
    """Five ranks, as a tuple, to the category that they make in mixed suits."""

    def __missing__(self, ranks):
        counts = tuple(sorted(ranks.count(rank) for rank in set(ranks)))
        category = 4 if set(ranks) in STRAIGHT_SETS else PLAIN_CATEGORIES[counts]
        self[ranks] = category
        return category


def category_in_suit(ranks):
    """Return the category of five cards of one suit."""
    if set(ranks) == set("TJQKA"):
        return 9
    return 8 if set(ranks) in STRAIGHT_SETS else 5


def best_category(cards, category_of_ranks):
    """Return the best category over all choices of five of the cards."""
    ranks = sorted(card[0] for card in cards)
    best = max(map(category_of_ranks.__getitem__, combinations(ranks, 5)))
    for suit in SUITS:
        suited = [card[0] for card in cards if card[1] == suit]
        for five in combinations(suited, 5):
            best = max(best, category_in_suit(five))
    return best


def main():
    category_of_ranks = CategoriesOfRanks()
    for line in sys.stdin:
        cards = line.split()
        if cards:
            print(best_category(cards, category_of_ranks))


if __name__ == "__main__":
    main()
