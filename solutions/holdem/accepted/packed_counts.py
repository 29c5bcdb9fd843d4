"""Add the cards up as packed integers and remember the category of every sum of ranks.

A hand is one integer: fourteen 3-bit counters of ranks (the ace counts at both ends) and above them four 4-bit
counters of suits. The suit counters start at 3, so that five cards of a suit set the counter's top bit.
With five cards of a suit, at most two others are left: neither four of a kind nor a full house fits in, and the suit
decides. Without, the suits do not matter, and the category depends on the rank counters alone.
"""

import sys

RANKS = "A23456789TJQKA"
SUITS = "CDHS"
RANK_BITS = 3
SUIT_BITS = 4

SUITS_START = RANK_BITS * len(RANKS)
RANK_PART = (1 << SUITS_START) - 1
NO_CARDS = sum(3 << SUITS_START + SUIT_BITS * suit for suit in range(len(SUITS)))
ANY_FLUSH = sum(8 << SUITS_START + SUIT_BITS * suit for suit in range(len(SUITS)))

LOW_ACE = 7
ONES = sum(1 << RANK_BITS * rank for rank in range(len(RANKS)))
TWOS = 2 * ONES & ~LOW_ACE
FOURS = 4 * ONES & ~LOW_ACE
FROM_TEN = 1 << RANK_BITS * RANKS.index("T")


def packed(rank, suit):
    """Return the integer of one card."""
    counters = sum(1 << RANK_BITS * place for place, name in enumerate(RANKS) if name == rank)
    return counters + (1 << SUITS_START + SUIT_BITS * SUITS.index(suit))


CODES = {rank + suit: packed(rank, suit) for rank in RANKS for suit in SUITS}


def runs_of_five(present):
    """Return the lowest ranks of all runs of five, given the ranks that are there (one bit a counter)."""
    two = present & present >> RANK_BITS
    return two & two >> 2 * RANK_BITS & present >> 4 * RANK_BITS


class Categories(dict):
    """Rank counters to category, when no suit has five cards; worked out when first asked for."""

    def __missing__(self, counters):
        pairs = counters & TWOS  # a count of two or three
        trips = counters & pairs >> 1
        several = pairs & pairs - 1
        if counters & FOURS:
            category = 7
        elif trips and several:
            category = 6
        elif runs_of_five((counters | counters >> 1) & ONES):
            category = 4
        elif trips:
            category = 3
        elif several:
            category = 2
        else:
            category = 1 if pairs else 0
        self[counters] = text = str(category)
        return text


def category_with_flush(cards):
    """Return the category of a hand with five or more cards of one suit."""
    suits = [card[1] for card in cards]
    suit = max(SUITS, key=suits.count)
    runs = runs_of_five(sum(CODES[card] & RANK_PART for card in cards if card[1] == suit))
    if not runs:
        return "5"
    return "9" if runs >= FROM_TEN else "8"


def main():
    code = CODES.__getitem__
    category = Categories()
    answers = []
    for cards in map(str.split, sys.stdin.read().split("\n")):
        if cards:
            hand = sum(map(code, cards), NO_CARDS)
            answers.append(category_with_flush(cards) if hand & ANY_FLUSH else category[hand & RANK_PART])
    print("\n".join(answers))


if __name__ == "__main__":
    main()
