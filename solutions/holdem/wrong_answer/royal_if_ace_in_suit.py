# Mistake: a straight flush is royal when its suit has the ace, be it the low end or no part of the straight.
"""A table of the forty straight flushes, the rest by counting."""

import sys

ORDER = "A23456789TJQKA"
STRAIGHTS = [set(ORDER[low : low + 5]) for low in range(10)]


def category(cards):
    in_suit = {suit: {card[0] for card in cards if card[1] == suit} for suit in "CDHS"}
    ranks = [card[0] for card in cards]
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    for own in in_suit.values():
        if any(straight <= own for straight in STRAIGHTS):
            return 9 if "A" in own else 8
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if any(len(own) >= 5 for own in in_suit.values()):
        return 5
    if any(straight <= set(ranks) for straight in STRAIGHTS):
        return 4
    if counts[0] == 3:
        return 3
    return min(counts.count(2), 2)


for line in sys.stdin:
    if line.split():
        print(category(line.split()))
