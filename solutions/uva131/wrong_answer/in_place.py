# Mistake: a discarded card is replaced by the deck card in the same place, not by the top one.
"""The Psychic Poker Player (UVa 131): takes each of the five places from the hand or from the deck, 32 hands a line."""

import sys
from itertools import product

CATEGORIES = ("straight-flush", "four-of-a-kind", "full-house", "flush", "straight", "three-of-a-kind", "two-pairs",
              "one-pair", "highest-card")
STRAIGHTS = [set("A23456789TJQKA"[low:low + 5]) for low in range(10)]


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


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            hand, deck = cards[:5], cards[5:]
            best = min(map(category, product(*zip(hand, deck))))
            print("Hand:", *hand + ["Deck:"] + deck + ["Best hand:", CATEGORIES[best]])


main()
