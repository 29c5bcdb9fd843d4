# Mistake: a special hand of the sixteen-tile game, seven pairs and a triplet, counts as a winning hand.
"""Fewest groups by recursion from the lowest tile, with the pair still to come or not."""

import sys
from functools import lru_cache

WILD = 11


@lru_cache(maxsize=None)
def groups(tiles, pair_missing):
    """Count the groups that hold all of the sorted tiles beside the pair; a wild tile completes any part of one."""
    if not tiles:
        return 0
    lowest = tiles[0]
    count = tiles.count(lowest)
    run = list(tiles[1:])
    for tile in (lowest + 1, lowest + 2):
        if tile in run and tile // 10 == lowest // 10:
            run.remove(tile)
    options = [1 + groups(tiles[min(count, 3) :], pair_missing), 1 + groups(tuple(run), pair_missing)]
    if pair_missing:
        options.append(groups(tiles[min(count, 2) :], False))
    return min(options)


def wins(hand):
    if sorted(hand.count(tile) for tile in set(hand)) == [2] * 7 + [3]:
        return True
    tiles = tuple(sorted(tile for tile in hand if tile != WILD))
    return len(hand) % 3 == 2 and groups(tiles, True) <= len(hand) // 3


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


main()
