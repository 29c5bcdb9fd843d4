# Mistake: lays each hand out in all its 120 orders and keeps the best reading; right, but far too slow.
"""Read a hand from left to right in every order: a straight downwards, or equal ranks first."""
import sys
from itertools import permutations

RANKS = "23456789TJQKA"


def read(hand):
    """Return (category, ranks) of a hand as it lies; the best order also puts the ranks as they are compared."""
    ranks = [RANKS.index(card[0]) for card in hand]
    a, b, c, d, e = ranks
    flush = all(card[1] == hand[0][1] for card in hand)
    straight = a - b == b - c == c - d == d - e == 1
    if straight and flush:
        return 8, ranks
    if a == b == c == d:
        return 7, ranks
    if a == b == c and d == e:
        return 6, ranks
    if flush:
        return 5, ranks
    if straight:
        return 4, ranks
    if a == b == c:
        return 3, ranks
    if a == b and c == d:
        return 2, ranks
    if a == b:
        return 1, ranks
    return 0, ranks


def main():
    wins = 0
    for line in sys.stdin:
        cards = line.split()
        if cards:
            wins += max(map(read, permutations(cards[:5]))) > max(map(read, permutations(cards[5:])))
    print(wins)


main()
