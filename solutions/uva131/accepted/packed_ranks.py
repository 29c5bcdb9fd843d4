"""The Psychic Poker Player (UVa 131): 32 packed sums a line, each looked up once.

A card is an octal digit: a 1 in the place of its rank, 13 places from A (leftmost) to K. The sum of five cards says
how often each rank occurs, so equal sums are equal hands but for the suits, and a table remembers their categories.
Suits need no search: a flush of suit s is in reach exactly when the hand's cards of s and the unbroken run of s on
top of the deck are five or more. Only then the sums are taken once more with the cards of that suit alone.
"""

import sys
from operator import add, itemgetter

CATEGORIES = ("straight-flush", "four-of-a-kind", "full-house", "flush", "straight", "three-of-a-kind", "two-pairs",
              "one-pair", "highest-card")
STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, TWO_PAIRS, ONE_PAIR, HIGHEST_CARD = range(9)

CARD = {rank: 8 ** place for place, rank in enumerate("KQJT98765432A")}

# Picks the sum of the drawn cards for each of the 32 ways to keep some of the hand, in the order of best_of's sums.
drawn_for_each = itemgetter(*[5 - bin(kept).count("1") for kept in range(32)])


class CategoryTable(dict):
    """The category of five cards by the sum of their ranks, suits aside; worked out at the first question."""

    def __missing__(self, total):
        digits = "{:013o}".format(total)
        if "4" in digits:
            category = FOUR
        elif "3" in digits:
            category = FULL_HOUSE if "2" in digits else THREE
        elif "2" in digits:
            category = ONE_PAIR if digits.count("2") == 1 else TWO_PAIRS
        elif "11111" in digits + digits[0]:  # the ace stands at both ends
            category = STRAIGHT
        else:
            category = HIGHEST_CARD
        self[total] = category
        return category


category_of = CategoryTable().__getitem__


def best_of(hand, deck):
    """The best category in reach, suits aside, for five and five cards as numbers."""
    kept = [0]
    for card in hand:
        kept += [total + card for total in kept]
    first, second, third, fourth, fifth = deck
    second += first
    third += second
    fourth += third
    top = (0, first, second, third, fourth, fourth + fifth)
    return min(map(category_of, map(add, kept, drawn_for_each(top))))


def best_hand(ranks, suits):
    """The best category in reach; `ranks` and `suits` have ten characters, the hand's five first."""
    cards = [CARD[rank] for rank in ranks]
    best = best_of(cards[:5], cards[5:])
    hand_suits, deck_suits = suits[:5], suits[5:]
    for suit in {suits[0], suits[5]}:  # no other suit can fill a hand
        run = 5 - len(deck_suits.lstrip(suit))
        if hand_suits.count(suit) + run >= 5:
            best = min(best, FLUSH)
            cards = [CARD[rank] if its_suit == suit else 0 for rank, its_suit in zip(ranks, suits)]
            if best_of(cards[:5], cards[5:]) == STRAIGHT:
                return STRAIGHT_FLUSH
    return best


def main():
    answers = []
    for line in sys.stdin:
        cards = line.split()
        if cards:
            text = " ".join(cards)
            best = best_hand(text[0::3], text[1::3])
            answers.append("Hand: {} Deck: {} Best hand: {}\n".format(text[:14], text[15:], CATEGORIES[best]))
    sys.stdout.write("".join(answers))


main()
