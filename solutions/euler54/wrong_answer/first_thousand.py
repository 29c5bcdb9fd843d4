# Mistake: reads the 1,000 lines of Project Euler's file and no more.
"""Count the ranks of each hand and compare (category, ranks by count)."""
import sys
from itertools import islice

RANKS = "23456789TJQKA"
SHAPES = ["1 1 1 1 1", "2 1 1 1", "2 2 1", "3 1 1", "straight", "flush", "3 2", "4 1", "straight flush"]


def strength(hand):
    ranks = [RANKS.index(card[0]) for card in hand]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    order = [rank for _, rank in groups]
    names = []
    if len(order) == 5 and order[0] - order[4] == 4:
        names.append("straight")
    if len({card[1] for card in hand}) == 1:
        names.append("flush")
    shape = " ".join(names) or " ".join(str(count) for count, _ in groups)
    return SHAPES.index(shape), order


def main():
    games = (line.split() for line in sys.stdin if line.strip())
    print(sum(strength(cards[:5]) > strength(cards[5:]) for cards in islice(games, 1000)))


main()
