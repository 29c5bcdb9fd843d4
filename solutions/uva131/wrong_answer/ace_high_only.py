# Mistake: the ace is always the highest rank, so A2345 is no straight.
"""The Psychic Poker Player (UVa 131): tries all ways to discard; sorted ranks show straights and equal cards."""

import sys
from itertools import combinations

CATEGORIES = ("straight-flush", "four-of-a-kind", "full-house", "flush", "straight", "three-of-a-kind", "two-pairs",
              "one-pair", "highest-card")
ORDER = {rank: value for value, rank in enumerate("23456789TJQKA", 2)}
EQUAL_PAIRS = {6: 1, 4: 2, 3: 5, 2: 6, 1: 7}  # among the ten pairs of five cards


def category(cards):
    """The place of five (rank, suit) pairs in CATEGORIES."""
    values = sorted([value for value, _ in cards])
    a, b, c, d, e = values
    if a == b or b == c or c == d or d == e:
        return EQUAL_PAIRS[sum([x == y for x, y in combinations(values, 2)])]
    straight = e - a == 4
    flush = len({suit for _, suit in cards}) == 1
    if straight:
        return 0 if flush else 4
    return 3 if flush else 8


def main():
    for line in sys.stdin:
        names = line.split()
        if not names:
            continue
        cards = [(ORDER[name[0]], name[1]) for name in names]
        best = 8
        for kept_count in range(6):
            drawn = tuple(cards[5:10 - kept_count])
            for kept in combinations(cards[:5], kept_count):
                best = min(best, category(kept + drawn))
        print("Hand:", " ".join(names[:5]), "Deck:", " ".join(names[5:]), "Best hand:", CATEGORIES[best])


main()
