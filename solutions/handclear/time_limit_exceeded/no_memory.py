# Mistake: searches the same rest of a hand again for every way that leads to it.
"""Exact cover without a memory: the lowest card left must be in some group, so try every group that begins with it.

One order of the groups only, and yet the same rest of a hand is searched again for every way that leads to it.
"""
import sys

RANKS = "A23456789TJQK"
SUITS = "CDHS"
BIT = {rank + suit: 1 << 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}


def all_groups():
    for rank in RANKS:
        four = [rank + suit for suit in SUITS]
        yield four
        for card in four:
            yield [other for other in four if other != card]
    line = RANKS + "A"
    for suit in SUITS:
        for length in (3, 4, 5):
            for low in range(len(line) - length + 1):
                yield [rank + suit for rank in line[low : low + length]]


GROUPS = {bit: [] for bit in BIT.values()}
for cards in all_groups():
    group = sum(BIT[card] for card in cards)
    GROUPS[group & -group].append(group)


def clears(hand):
    if not hand:
        return True
    for group in GROUPS[hand & -hand]:
        if group & hand == group and clears(hand ^ group):
            return True
    return False


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            hand = sum(BIT[card] for card in fields[1:])
            print("YES" if clears(hand) else "NO")


main()
