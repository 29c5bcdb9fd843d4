"""Backtracking over the whole hand: the lowest tile must go somewhere, so try every place for it.

It is in the pair, in a triplet, or in one of the up to three runs of its suit that contain it. Tiles of that pair or
group which the hand does not have are wild tiles. (Never a wild one in place of a tile that the hand still has:
swapping the two changes nothing.)
"""

import sys

WILD = 11
ALL_TILES = [suit + value for suit in (0, 10, 20) for value in range(1, 10)]


def groups_with(tile):
    """List the triplet and the runs that contain the tile."""
    suit = tile // 10 * 10
    runs = [(suit + low, suit + low + 1, suit + low + 2) for low in range(1, 8)]
    return [(tile, tile, tile)] + [run for run in runs if tile in run]


GROUPS = {tile: groups_with(tile) for tile in ALL_TILES}


def take(tiles, part):
    """Take a pair or a group out of the tiles: what is left, and how many wild tiles it took."""
    left = list(tiles)
    wilds = 0
    for tile in part:
        if tile in left:
            left.remove(tile)
        else:
            wilds += 1
    return left, wilds


def splits(tiles, wilds, pair_missing):
    """Tell whether the sorted tiles and all the wild tiles split into groups and, if it is missing, the pair."""
    if not tiles:
        return wilds % 3 == (2 if pair_missing else 0)
    lowest = tiles[0]
    for group in GROUPS[lowest]:
        left, used = take(tiles, group)
        if used <= wilds and splits(left, wilds - used, pair_missing):
            return True
    if pair_missing:
        left, used = take(tiles, (lowest, lowest))
        return used <= wilds and splits(left, wilds - used, False)
    return False


def main():
    for line in sys.stdin:
        hand = sorted(map(int, line.split()))
        if hand:
            tiles = [tile for tile in hand if tile != WILD]
            print("YES" if splits(tiles, len(hand) - len(tiles), True) else "NO")


if __name__ == "__main__":
    main()
