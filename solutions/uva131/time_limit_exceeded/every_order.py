# Mistake: discards the first k cards of each of the 120 orders of the hand: 720 hands a line where 32 are enough.
"""The Psychic Poker Player (UVa 131): orders the hand in all ways, so that the discarded cards always come first."""

import sys
from itertools import permutations

CATEGORIES = ("straight-flush", "four-of-a-kind", "full-house", "flush", "straight", "three-of-a-kind", "two-pairs",
              "one-pair", "highest-card")
VALUE = {rank: value for value, rank in enumerate("A23456789TJQK", 1)}


def category(cards):
    """The place of five cards in CATEGORIES."""
    values = sorted([VALUE[card[0]] for card in cards])
    kinds = set(values)
    if len(kinds) == 5:
        straight = values[4] - values[0] == 4 or values == [1, 10, 11, 12, 13]
        flush = len({card[1] for card in cards}) == 1
        if straight:
            return 0 if flush else 4
        return 3 if flush else 8
    most = max([values.count(value) for value in kinds])
    return {2: 1 if most == 4 else 2, 3: 5 if most == 3 else 6, 4: 7}[len(kinds)]


def best_hand(hand, deck):
    best = 8
    for ordered in permutations(hand):
        for discarded in range(6):
            best = min(best, category(deck[:discarded] + list(ordered[discarded:])))
    return best


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            hand, deck = cards[:5], cards[5:]
            print("Hand:", " ".join(hand), "Deck:", " ".join(deck), "Best hand:", CATEGORIES[best_hand(hand, deck)])


main()
