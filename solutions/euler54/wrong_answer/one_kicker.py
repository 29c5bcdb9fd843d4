# Mistake: after the pair, or between two hands without one, only the highest other card is compared.
"""Compare the category, the ranks that make it, and the highest card beside them."""
import sys
from collections import Counter

VALUE = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}


def parts(hand):
    """Return (category, ranks that occur more than once, highest single rank)."""
    counts = Counter(VALUE[card[0]] for card in hand)
    repeated = sorted((rank for rank in counts if counts[rank] > 1), key=lambda rank: (-counts[rank], -rank))
    singles = [rank for rank in counts if counts[rank] == 1]
    flush = len({card[1] for card in hand}) == 1
    straight = len(singles) == 5 and max(singles) - min(singles) == 4
    shape = [counts[rank] for rank in repeated]
    if straight and flush:
        category = 8
    elif flush:
        category = 5
    elif straight:
        category = 4
    else:
        category = {(): 0, (2,): 1, (2, 2): 2, (3,): 3, (3, 2): 6, (4,): 7}[tuple(shape)]
    return category, repeated, max(singles, default=0)


def main():
    wins = 0
    for line in sys.stdin:
        cards = line.split()
        if cards and parts(cards[:5]) > parts(cards[5:]):
            wins += 1
    print(wins)


main()
