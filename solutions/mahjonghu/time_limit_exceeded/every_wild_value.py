# Mistake: every wild tile is tried as every tile, 27,405 hands where there are four of them.
"""Replace the wild tiles in all ways, then ask suit by suit whether it splits, which is remembered."""

import sys
from functools import lru_cache
from itertools import combinations_with_replacement

WILD = 11
KINDS = [suit + value for suit in (0, 10, 20) for value in range(1, 10)]


@lru_cache(maxsize=None)
def splits(tiles, paired):
    """Tell whether sorted tiles, none wild, split into groups and, if `paired`, one pair."""
    if not tiles:
        return not paired
    lowest = tiles[0]
    if paired and tiles[:2] == (lowest, lowest) and splits(tiles[2:], False):
        return True
    if tiles[:3] == (lowest,) * 3 and splits(tiles[3:], paired):
        return True
    if lowest + 1 in tiles and lowest + 2 in tiles:
        rest = list(tiles)
        for tile in (lowest, lowest + 1, lowest + 2):
            rest.remove(tile)
        return splits(tuple(rest), paired)
    return False


def wins(hand):
    own = [tuple(sorted(tile for tile in hand if tile // 10 == suit and tile != WILD)) for suit in range(3)]

    @lru_cache(maxsize=None)
    def fits(suit, added):
        """Tell whether a suit splits with the tiles that wild ones have become; two tiles over must be the pair."""
        rest = (len(own[suit]) + len(added)) % 3
        return rest != 1 and splits(tuple(sorted(own[suit] + added)), rest == 2)

    if len(hand) % 3 != 2:
        return False
    for chosen in combinations_with_replacement(KINDS, hand.count(WILD)):
        if all(fits(suit, tuple(tile for tile in chosen if tile // 10 == suit)) for suit in range(3)):
            return True
    return False


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


main()
