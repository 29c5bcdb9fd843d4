"""The Psychic Poker Player (UVa 131): tries all 32 ways to discard, straight from the definition.

Keeping n cards means drawing the first 5 - n of the deck. The number of different ranks among the five cards already
says most: 5 is a straight, a flush or nothing, 4 a pair, 3 two pairs or three of a kind, 2 a full house or four.
"""

import sys
from itertools import combinations

CATEGORIES = ("straight-flush", "four-of-a-kind", "full-house", "flush", "straight", "three-of-a-kind", "two-pairs",
              "one-pair", "highest-card")
RANKS_WITH_BOTH_ACES = "A23456789TJQKA"
STRAIGHTS = [set(RANKS_WITH_BOTH_ACES[low:low + 5]) for low in range(10)]


def category(cards):
    """The place of five cards in CATEGORIES."""
    ranks = [card[0] for card in cards]
    kinds = set(ranks)
    if len(kinds) == 4:
        return 7
    if len(kinds) == 3:
        return 5 if max(map(ranks.count, kinds)) == 3 else 6
    if len(kinds) == 2:
        return 1 if max(map(ranks.count, kinds)) == 4 else 2
    straight = kinds in STRAIGHTS
    flush = len({card[1] for card in cards}) == 1
    if straight:
        return 0 if flush else 4
    return 3 if flush else 8


def reachable_hands(hand, deck):
    """All 32 hands that the player can end with."""
    for kept_count in range(6):
        drawn = deck[:5 - kept_count]
        for kept in combinations(hand, kept_count):
            yield list(kept) + drawn


def main():
    for line in sys.stdin:
        cards = line.split()
        if not cards:
            continue
        hand, deck = cards[:5], cards[5:]
        best = min(map(category, reachable_hands(hand, deck)))
        print("Hand:", " ".join(hand), "Deck:", " ".join(deck), "Best hand:", CATEGORIES[best])


main()
