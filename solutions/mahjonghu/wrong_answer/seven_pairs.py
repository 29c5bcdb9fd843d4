# Mistake: seven different pairs, wild tiles helping, count as a winning hand.
"""Count pairs first; otherwise the fewest groups for the tiles of each suit, with and without the pair."""

import sys
from functools import lru_cache

WILD = 11


@lru_cache(maxsize=None)
def groups(values, pairs):
    """Count the groups that hold one suit's sorted values beside 0 or 1 pairs; wild tiles complete any part of one."""
    if not values:
        return 0
    lowest = values[0]
    count = values.count(lowest)
    run = list(values[1:])
    for value in (lowest + 1, lowest + 2):
        if value in run:
            run.remove(value)
    best = 1 + min(groups(values[min(count, 3) :], pairs), groups(tuple(run), pairs))
    if pairs:
        best = min(best, groups(values[min(count, 2) :], 0))
    return best


def is_seven_pairs(tiles, size):
    return size == 14 and len(set(tiles)) <= 7 and all(tiles.count(kind) <= 2 for kind in tiles)


def wins(hand):
    tiles = sorted(tile for tile in hand if tile != WILD)
    if is_seven_pairs(tiles, len(hand)):
        return True
    suits = [tuple(tile % 10 for tile in tiles if tile // 10 == suit) for suit in range(3)]
    fewest = min(sum(groups(suits[suit], int(suit == paired)) for suit in range(3)) for paired in range(3))
    return len(hand) % 3 == 2 and fewest <= len(hand) // 3


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


main()
