# Mistake: an empty line is not skipped but judged as a hand without cards.
"""Count the ranks and the suits of every line."""

import sys

ORDER = "A23456789TJQKA"


def has_straight(ranks):
    return any(set(ORDER[low : low + 5]) <= ranks for low in range(10))


def category(cards):
    ranks = [card[0] for card in cards]
    suits = [card[1] for card in cards]
    suit = max(suits, key=suits.count)
    if suits.count(suit) >= 5:
        own = {card[0] for card in cards if card[1] == suit}
        return 9 if own >= set("TJQKA") else 8 if has_straight(own) else 5
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if has_straight(set(ranks)):
        return 4
    if counts[0] == 3:
        return 3
    return min(counts.count(2), 2)


for line in sys.stdin:
    print(category(line.split()))
