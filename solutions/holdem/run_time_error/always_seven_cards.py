# Mistake: every line is unpacked into seven cards; after the flop and the turn there are only five or six.
"""Two hole cards, five community cards, counted by rank and by suit."""

import sys
from collections import Counter

ORDER = "A23456789TJQKA"


def has_straight(ranks):
    return any(set(ORDER[low : low + 5]) <= set(ranks) for low in range(10))


def category(cards):
    suit, size = Counter(card[1] for card in cards).most_common(1)[0]
    if size >= 5:
        own = [card[0] for card in cards if card[1] == suit]
        return 9 if set("TJQKA") <= set(own) else 8 if has_straight(own) else 5
    ranks = Counter(card[0] for card in cards)
    counts = sorted(ranks.values(), reverse=True)
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if has_straight(ranks):
        return 4
    if counts[0] == 3:
        return 3
    return min(counts.count(2), 2)


for line in sys.stdin:
    if line.split():
        hole1, hole2, flop1, flop2, flop3, turn, river = line.split()
        print(category([hole1, hole2, flop1, flop2, flop3, turn, river]))
