# Mistake: compares ranks as characters, by which the order of the letters is A J K Q T.
"""Count the ranks, look for runs in the text of all ranks, compare tuples of characters."""
import sys

RUN = "23456789TJQKA"


def score(hand):
    ranks = [card[0] for card in hand]
    order = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    counts = [ranks.count(rank) for rank in order]
    straight = len(order) == 5 and "".join(sorted(ranks, key=RUN.index)) in RUN
    flush = len({card[1] for card in hand}) == 1
    tests = [
        straight and flush,
        counts == [4, 1],
        counts == [3, 2],
        flush,
        straight,
        counts == [3, 1, 1],
        counts == [2, 2, 1],
        counts == [2, 1, 1, 1],
        True,
    ]
    return -tests.index(True), order


def main():
    wins = 0
    for line in sys.stdin:
        cards = line.split()
        if cards and score(cards[:5]) > score(cards[5:]):
            wins += 1
    print(wins)


main()
