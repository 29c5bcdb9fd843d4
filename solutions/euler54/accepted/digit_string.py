"""Write a hand as digits (category, then two digits a card, most frequent rank first) and compare the strings.

The category follows from how many different ranks there are, how often the commonest occurs, how far the highest is
from the lowest, and the number of suits.
"""
import sys
from collections import Counter

NUMBER = dict(zip("23456789TJQKA", range(2, 15)))


def category(ranks, suits):
    different, commonest, span = len(ranks), max(ranks.values()), max(ranks) - min(ranks)
    if different == 5:
        one_suit, consecutive = len(suits) == 1, span == 4
        if one_suit and consecutive:
            return 9 if min(ranks) == 10 else 8
        if one_suit:
            return 5
        return 4 if consecutive else 0
    if different == 4:
        return 1
    if different == 3:
        return 3 if commonest == 3 else 2
    return 7 if commonest == 4 else 6


def digits(hand):
    ranks = Counter(NUMBER[card[0]] for card in hand)
    suits = {card[1] for card in hand}
    most_frequent_first = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    return str(category(ranks, suits)) + "".join("%02d" % rank * ranks[rank] for rank in most_frequent_first)


def main():
    games = filter(None, map(str.split, sys.stdin))
    print(sum(digits(cards[:5]) > digits(cards[5:]) for cards in games))


main()
