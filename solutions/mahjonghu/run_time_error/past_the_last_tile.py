# Mistake: the counts end at tile 29, but a run that starts at 28 looks at the place behind it, too.
"""Fewest groups by recursion over one list of counts, taking the pair out first."""

import sys

WILD = 11


def groups(counts, tile):
    """Count the groups that hold all tiles from `tile` on; a wild tile completes any part of one."""
    while tile < 30 and counts[tile] == 0:
        tile += 1
    if tile >= 30:
        return 0
    triplet = counts[:]
    triplet[tile] -= min(3, triplet[tile])
    best = groups(triplet, tile)
    if tile % 10 < 9:
        run = counts[:]
        for part in (tile, tile + 1, tile + 2):
            if run[part]:
                run[part] -= 1
        best = min(best, groups(run, tile))
    return 1 + best


def wins(hand):
    counts = [0] * 30
    for tile in hand:
        counts[tile] += 1
    counts[WILD] = 0
    for tile in range(1, 30):
        rest = counts[:]
        rest[tile] -= min(2, rest[tile])
        if (tile == 1 or counts[tile]) and groups(rest, 1) <= len(hand) // 3:
            return len(hand) % 3 == 2
    return False


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


main()
