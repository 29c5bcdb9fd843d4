# Mistake: decides what to keep from the hand alone, as a player would who cannot see the deck.
"""The Psychic Poker Player (UVa 131): keeps a made hand, else equal ranks, else four of a suit; draws for the rest."""

import sys

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


def kept_cards(hand):
    """The cards of the hand that look worth keeping."""
    if category(hand) <= 4:
        return hand
    ranks = [card[0] for card in hand]
    suits = [card[1] for card in hand]
    equal = [card for card in hand if ranks.count(card[0]) > 1]
    suited = [card for card in hand if suits.count(card[1]) == 4]
    return equal or suited


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            hand, deck = cards[:5], cards[5:]
            kept = kept_cards(hand)
            best = min(category(hand), category(kept + deck[:5 - len(kept)]))
            print("Hand:", " ".join(hand), "Deck:", " ".join(deck), "Best hand:", CATEGORIES[best])


main()
