# Mistake: every line is handled by a call inside the call of the line before; a long file exceeds the recursion limit.
"""Recursion over the lines; the categories by counting."""

import sys

ORDER = "A23456789TJQKA"


def has_straight(ranks):
    return any(set(ORDER[low : low + 5]) <= ranks for low in range(10))


def category(cards):
    ranks = [card[0] for card in cards]
    suits = [card[1] for card in cards]
    for suit in set(suits):
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


def answer(hands):
    """Print the category of every hand, the first one and then the others."""
    hand = next(hands, None)
    if hand is not None:
        print(category(hand))
        answer(hands)


answer(line.split() for line in sys.stdin if line.strip())
