# Mistake: the ten is taken for a number, "10", and int("T") is an error.
"""Exact cover with a memory: the lowest card left must be in some group in which it is the lowest."""
import sys

RANKS = range(13)
PICTURES = {"A": 1, "J": 11, "Q": 12, "K": 13}


def bit(card):
    name, suit = card[:-1], card[-1]
    rank = PICTURES[name] if name in PICTURES else int(name)
    return 1 << 4 * (rank - 1) + "CDHS".index(suit)


def all_groups():
    for rank in RANKS:
        four = [1 << 4 * rank + suit for suit in range(4)]
        yield sum(four)
        for card in four:
            yield sum(four) - card
    for suit in range(4):
        for length in (3, 4, 5):
            for low in range(15 - length):
                yield sum(1 << 4 * (rank % 13) + suit for rank in range(low, low + length))


GROUPS = {1 << place: [] for place in range(52)}
for group in all_groups():
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
            hand = sum(bit(card) for card in fields[1:])
            print("YES" if clears(hand, set()) else "NO")


main()
