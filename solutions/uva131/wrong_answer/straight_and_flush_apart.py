# Mistake: says straight-flush when a straight and a flush are both in reach, even with different cards.
"""The Psychic Poker Player (UVa 131): collects the features of all 32 hands, then names the best category."""

import sys
from itertools import combinations

STRAIGHTS = [set("A23456789TJQKA"[low:low + 5]) for low in range(10)]


def features(cards):
    """What five cards have: the counts of their ranks, and whether they are a straight or a flush."""
    ranks = [card[0] for card in cards]
    kinds = set(ranks)
    if len(kinds) < 5:
        yield tuple(sorted(map(ranks.count, kinds)))
        return
    if kinds in STRAIGHTS:
        yield "straight"
    if len({card[1] for card in cards}) == 1:
        yield "flush"


ORDER = (((1, 4), "four-of-a-kind"), ((2, 3), "full-house"), ("flush", "flush"), ("straight", "straight"),
         ((1, 1, 3), "three-of-a-kind"), ((1, 2, 2), "two-pairs"), ((1, 1, 1, 2), "one-pair"))


def best_hand(hand, deck):
    found = set()
    for count in range(6):
        for kept in combinations(hand, count):
            found.update(features(kept + tuple(deck[:5 - count])))
    if "straight" in found and "flush" in found:
        return "straight-flush"
    for feature, name in ORDER:
        if feature in found:
            return name
    return "highest-card"


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            hand, deck = cards[:5], cards[5:]
            print("Hand:", " ".join(hand), "Deck:", " ".join(deck), "Best hand:", best_hand(hand, deck))


main()
