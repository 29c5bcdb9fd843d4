# Mistake: the 27 kinds are numbered without a gap, and runs go on from the 9 of a suit to the 1 of the next one.
"""Fewest groups for the whole hand, remembered by the tiles that are left and whether the pair is still to come."""

import sys
from functools import lru_cache

WILD = 11


@lru_cache(maxsize=None)
def groups(kinds, pair_missing):
    """Count the groups that hold all of the sorted kinds beside the pair; a wild tile completes any part of one."""
    if not kinds:
        return 0
    lowest = kinds[0]
    count = kinds.count(lowest)
    run = list(kinds[1:])
    for kind in (lowest + 1, lowest + 2):
        if kind in run:
            run.remove(kind)
    best = 1 + min(groups(kinds[min(count, 3) :], pair_missing), groups(tuple(run), pair_missing))
    if pair_missing:
        best = min(best, groups(kinds[min(count, 2) :], False))
    return best


def main():
    for line in sys.stdin:
        hand = list(map(int, line.split()))
        if hand:
            kinds = tuple(sorted(tile // 10 * 9 + tile % 10 for tile in hand if tile != WILD))
            print("YES" if len(hand) % 3 == 2 and groups(kinds, True) <= len(hand) // 3 else "NO")


main()
