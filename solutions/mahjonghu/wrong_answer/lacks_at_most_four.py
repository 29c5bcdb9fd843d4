# Mistake: a suit is said to lack four wild tiles at most, since there are no more; seven then look like four.
"""Fewest wild tiles for each suit without and with the pair, remembered, then added up."""

import sys
from functools import lru_cache

WILD = 11
MOST = 4


@lru_cache(maxsize=None)
def lacks(counts, pairs):
    """Count the wild tiles for the values in `counts`, lowest first, with 0 or 1 pairs among them."""
    value = next((value for value, count in enumerate(counts) if count), None)
    if value is None:
        return 2 * pairs
    parts = [(value,) * 3] + [(low, low + 1, low + 2) for low in (value - 2, value - 1, value) if 0 <= low <= 6]
    if pairs:
        parts.append((value,) * 2)
    best = MOST
    for part in parts:
        rest = list(counts)
        missing = 0
        for other in part:
            if rest[other]:
                rest[other] -= 1
            else:
                missing += 1
        best = min(best, missing + lacks(tuple(rest), pairs - (len(part) == 2)))
    return best


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if not hand:
            continue
        wilds = hand.count(WILD)
        suits = [tuple(hand.count(low + i) if low + i != WILD else 0 for i in range(9)) for low in (1, 11, 21)]
        fewest = min(sum(lacks(suit, int(suit is paired)) for suit in suits) for paired in suits)
        print("YES" if len(hand) % 3 == 2 and fewest <= wilds else "NO")


main()
