# Mistake: takes every line for ten cards, so that a blank line ends the program with an IndexError.
"""Count the ranks, name the category by the counts, compare tuples."""
import sys

RANKS = "23456789TJQKA"


def strength(hand):
    ranks = [RANKS.index(card[0]) for card in hand]
    order = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    most = ranks.count(order[0])
    flush = len({card[1] for card in hand}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    by_shape = {(5, 1): 0, (4, 2): 1, (3, 2): 2, (3, 3): 3, (2, 3): 6, (2, 4): 7}
    category = by_shape[len(order), most]
    if flush or straight:
        category = 4 * straight + 5 * flush
    return category, order


def main():
    wins = 0
    for line in sys.stdin:
        cards = line.split()
        wins += strength(cards[:5]) > strength(cards[5:])
    print(wins)


main()
