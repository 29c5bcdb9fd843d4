# Mistake: the ranks are a circle, so QKA23 is a straight.
"""Count with Counter; a straight is five ranks in a row modulo 13."""

import sys
from collections import Counter

RANKS = "A23456789TJQK"


def straights(ranks):
    """Return the straights that the ranks hold, as strings."""
    circle = RANKS + RANKS[:4]
    windows = [circle[low : low + 5] for low in range(len(RANKS))]
    return [window for window in windows if set(window) <= set(ranks)]


def category(cards):
    suit, cards_of_suit = Counter(card[1] for card in cards).most_common(1)[0]
    if cards_of_suit >= 5:
        found = straights([card[0] for card in cards if card[1] == suit])
        if "TJQKA" in found:
            return 9
        return 8 if found else 5
    ranks = Counter(card[0] for card in cards)
    counts = sorted(ranks.values(), reverse=True)
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if straights(ranks):
        return 4
    if counts[0] == 3:
        return 3
    return min(counts.count(2), 2)


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            print(category(cards))


main()
