# Mistake: the ace is never above the king, so QKA is no run.
"""Exact cover with a memory: the lowest card left must be in some group in which it is the lowest."""
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
    line = RANKS
    for suit in SUITS:
        for length in (3, 4, 5):
            for low in range(len(line) - length + 1):
                yield [rank + suit for rank in line[low : low + length]]


GROUPS = {bit: [] for bit in BIT.values()}
for cards in all_groups():
    group = sum(BIT[card] for card in cards)
    GROUPS[group & -group].append(group)


def clears(hand, stuck):
    if not hand:
        return True
    if hand in stuck:
        return False
    for group in GROUPS[hand & -hand]:
        if group & hand == group and clears(hand ^ group, stuck):
            return True
    stuck.add(hand)
    return False


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            hand = sum(BIT[card] for card in fields[1:])
            print("YES" if clears(hand, set()) else "NO")


main()
