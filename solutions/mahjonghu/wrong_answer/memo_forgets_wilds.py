# Mistake: what is remembered about the rest of a hand does not say how many wild tiles were left.
"""Backtracking from the lowest tile; rests that were tried before are looked up."""

import sys

WILD = 11


def wins(hand):
    memo = {}

    def splits(tiles, wilds, paired):
        if not tiles:
            return wilds % 3 == (0 if paired else 2)
        key = tiles, paired
        if key not in memo:
            memo[key] = search(tiles, wilds, paired)
        return memo[key]

    def search(tiles, wilds, paired):
        lowest = tiles[0]
        low_end = lowest // 10 * 10 + 1
        parts = [] if paired else [[lowest] * 2]
        parts.append([lowest] * 3)
        parts += [[low, low + 1, low + 2] for low in (lowest - 2, lowest - 1, lowest) if low_end <= low <= low_end + 6]
        for part in parts:
            rest = list(tiles)
            missing = 0
            for tile in part:
                if tile in rest:
                    rest.remove(tile)
                else:
                    missing += 1
            if missing <= wilds and splits(tuple(rest), wilds - missing, paired or len(part) == 2):
                return True
        return False

    tiles = tuple(sorted(tile for tile in hand if tile != WILD))
    return splits(tiles, len(hand) - len(tiles), False)


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


main()
