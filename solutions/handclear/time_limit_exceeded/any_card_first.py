# Mistake: searches without an order and without a memory, and so comes to the same hands again and again.
"""Depth-first search that plays any group at any time: the order of the groups makes it repeat itself without end.

From the kings down, try every card as the upper end of a run, or with all the others of its rank. (Three of four cards
are never tried as a set, but that does no harm: the fourth may be played first.)
"""
import sys

RANKS = "A23456789TJQK"


def groups(held, rank, suit):
    others = held - {(rank, suit)}
    run = {(rank, suit)}
    lower = (rank - 1) % 13
    while (lower, suit) in others:
        run.add((lower, suit))
        if len(run) >= 3:
            yield frozenset(run)
        if lower == 0:
            break
        lower -= 1
    same = frozenset(card for card in held if card[0] == rank)
    if len(same) >= 3:
        yield same


def clears(held):
    if not held:
        return True
    for rank in range(12, -1, -1):
        for suit in "CDHS":
            if (rank, suit) in held:
                for group in groups(held, rank, suit):
                    if clears(held - group):
                        return True
    return False


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            held = frozenset((RANKS.index(rank), suit) for rank, suit in fields[1:])
            print("YES" if clears(held) else "NO")


main()
