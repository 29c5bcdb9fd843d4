# Mistake: takes A2345 for a straight, as in most games of poker; here the ace is high only.
"""Count the ranks, name the category by the counts, compare tuples."""
import sys
from collections import Counter

ORDER = {rank: i for i, rank in enumerate("..23456789TJQKA")}
BY_COUNTS = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}


def score(hand):
    ranks = Counter(ORDER[card[0]] for card in hand)
    groups = sorted(((count, rank) for rank, count in ranks.items()), reverse=True)
    counts, order = zip(*groups)
    if order == (14, 5, 4, 3, 2):
        order = (5, 4, 3, 2, 1)
    straight = len(order) == 5 and order[0] - order[4] == 4
    flush = len({card[1] for card in hand}) == 1
    if straight or flush:
        return 8 if straight and flush else 5 if flush else 4, order
    return BY_COUNTS.get(counts, 0), order


def main():
    lines = [line.split() for line in sys.stdin]
    print(sum(score(cards[:5]) > score(cards[5:]) for cards in lines if cards))


main()
