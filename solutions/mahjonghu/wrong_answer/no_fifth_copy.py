# Mistake: a wild tile may not stand for a tile of which the hand has all four already.
"""Backtracking from the lowest tile; the finished hand is kept along to count its copies."""

import sys

WILD = 11


def groups_with(tile):
    runs = [(low, low + 1, low + 2) for low in (tile - 2, tile - 1, tile) if 1 <= low % 10 <= 7]
    return [(tile,) * 3] + runs


GROUPS = {suit + value: groups_with(suit + value) for suit in (0, 10, 20) for value in range(1, 10)}


def splits(tiles, wilds, finished, pair_missing):
    """Tell whether the tiles split. finished: all the tiles, and what wild ones have become so far."""
    if not tiles:
        return wilds % 3 == (2 if pair_missing else 0)
    lowest = tiles[0]
    for part in GROUPS[lowest] + [(lowest, lowest)] * pair_missing:
        rest = tiles[:]
        made = []
        for tile in part:
            if tile in rest:
                rest.remove(tile)
            else:
                made.append(tile)
        if len(made) > wilds or any(finished.count(tile) + made.count(tile) > 4 for tile in made):
            continue
        if splits(rest, wilds - len(made), finished + made, pair_missing and len(part) == 3):
            return True
    return False


def main():
    for line in sys.stdin:
        hand = sorted(int(word) for word in line.split())
        if hand:
            tiles = [tile for tile in hand if tile != WILD]
            print("YES" if splits(tiles, len(hand) - len(tiles), tiles, True) else "NO")


main()
