# Mistake: a run starts at a tile of the hand, so 8 and 9 are never completed by a wild 7.
"""Recursion upwards through the kinds of one suit after the other, remembering what was asked before."""

import sys
from functools import lru_cache

WILD = 11


@lru_cache(maxsize=None)
def fewest_wilds(counts, pairs):
    """Count the wild tiles needed for the values in `counts`, lowest first, with 0 or 1 pairs among them."""
    if not counts:
        return 2 * pairs
    count = counts[0]
    if count == 0:
        return fewest_wilds(counts[1:], pairs)
    together = min(count, 3)
    options = [3 - together + fewest_wilds((count - together,) + counts[1:], pairs)]
    if pairs:
        together = min(count, 2)
        options.append(2 - together + fewest_wilds((count - together,) + counts[1:], 0))
    if len(counts) >= 3:
        _, second, third = counts[:3]
        missing = (second == 0) + (third == 0)
        rest = (count - 1, max(second - 1, 0), max(third - 1, 0)) + counts[3:]
        options.append(missing + fewest_wilds(rest, pairs))
    return min(options)


def wins(hand):
    wilds = hand.count(WILD)
    suits = [tuple(0 if tile == WILD else hand.count(tile) for tile in range(low, low + 9)) for low in (1, 11, 21)]
    return any(
        sum(fewest_wilds(suit, int(number == paired)) for number, suit in enumerate(suits)) <= wilds
        for paired in range(3)
    )


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if len(hand) % 3 == 2 and wins(hand) else "NO")


main()
