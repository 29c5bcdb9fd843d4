# Mistake: the pair is two real tiles or two wild ones, never a tile and a wild one.
"""Take out each possible pair, then count the wild tiles that each suit still lacks, remembered suit by suit."""

import sys
from functools import lru_cache

WILD = 11


@lru_cache(maxsize=None)
def lacks(values):
    """Count the wild tiles that complete the groups of one suit. values: sorted, 1 to 9."""
    if not values:
        return 0
    lowest = values[0]
    together = min(values.count(lowest), 3)
    best = 3 - together + lacks(values[together:])
    low = min(lowest, 7)
    rest = list(values)
    for value in (low, low + 1, low + 2):
        if value in rest:
            rest.remove(value)
    missing = 3 - (len(values) - len(rest))
    return min(best, missing + lacks(tuple(rest)))


def lacks_in_all(tiles):
    return sum(lacks(tuple(tile % 10 for tile in tiles if tile // 10 == suit)) for suit in range(3))


def wins(hand):
    tiles = sorted(tile for tile in hand if tile != WILD)
    wilds = len(hand) - len(tiles)
    if len(hand) % 3 != 2:
        return False
    if wilds >= 2 and lacks_in_all(tiles) <= wilds - 2:
        return True
    for kind in set(tiles):
        if tiles.count(kind) >= 2:
            rest = tiles[:]
            rest.remove(kind)
            rest.remove(kind)
            if lacks_in_all(rest) <= wilds:
                return True
    return False


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


main()
