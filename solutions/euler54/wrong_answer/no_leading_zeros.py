# Mistake: joins category and ranks to a string without leading zeros, so that a nine stands above an ace (14).
"""Write a hand as digits, most frequent rank first, and compare the strings."""
import sys
from collections import Counter

NUMBER = dict(zip("23456789TJQKA", range(2, 15)))


def digits(hand):
    ranks = Counter(NUMBER[card[0]] for card in hand)
    order = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    one_suit = len({card[1] for card in hand}) == 1
    run = len(order) == 5 and order[0] - order[4] == 4
    shape = tuple(ranks[rank] for rank in order)
    if len(order) == 5:
        category = {(False, False): 0, (True, False): 4, (False, True): 5, (True, True): 8}[run, one_suit]
    else:
        category = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}[shape]
    return str(category) + "".join(str(rank) * ranks[rank] for rank in order)


def main():
    games = [line.split() for line in sys.stdin]
    print(sum(digits(cards[:5]) > digits(cards[5:]) for cards in games if cards))


main()
