# Mistake: walks through the lists of groups, wild tiles and all, instead of giving the lowest tile its place.
"""Take a pair, then any groups of the 48, the same one or later ones in the list, as long as the wild tiles last."""

import sys

WILD = 11
KINDS = [suit + value for suit in (0, 10, 20) for value in range(1, 10)]
GROUPS = [(kind,) * 3 for kind in KINDS]
GROUPS += [(kind, kind + 1, kind + 2) for kind in KINDS if kind % 10 <= 7]


def take(tiles, part):
    """Take the part out of the tiles: what is left, and how many wild tiles it took."""
    rest = tiles[:]
    for tile in part:
        if tile in rest:
            rest.remove(tile)
    return rest, len(part) - len(tiles) + len(rest)


def splits(tiles, wilds, first):
    """Tell whether groups from number `first` on use up the tiles."""
    if not tiles:
        return True
    for number in range(first, len(GROUPS)):
        rest, used = take(tiles, GROUPS[number])
        if used <= wilds and splits(rest, wilds - used, number):
            return True
    return False


def wins(hand):
    tiles = [tile for tile in hand if tile != WILD]
    wilds = len(hand) - len(tiles)
    if len(hand) % 3 != 2:
        return False
    for kind in KINDS:
        rest, used = take(tiles, (kind, kind))
        if used <= wilds and splits(rest, wilds - used, 0):
            return True
    return False


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


main()
