# Mistake: gives up after 2,000 steps and says NO: most hands are played by then or never.
"""Exact cover without a memory: the lowest card left must be in some group, so try every group that begins with it."""
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


def clears(hand, steps):
    if not hand:
        return True
    steps.append(hand)
    for group in GROUPS[hand & -hand]:
        if len(steps) < 2000 and group & hand == group and clears(hand ^ group, steps):
            return True
    return False


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            hand = sum(BIT[card] for card in fields[1:])
            print("YES" if clears(hand, []) else "NO")


main()
