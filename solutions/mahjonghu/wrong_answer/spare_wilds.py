# Mistake: the number of tiles is not looked at, so wild tiles may be left over.
"""Fewest wild tiles for each suit without and with the pair, remembered, then added up."""

import sys

WILD = 11
memo = {}


def need(counts, pairs):
    """Count the wild tiles that a suit lacks. counts: nine of them as a tuple; pairs: 0 or 1."""
    key = counts, pairs
    if key in memo:
        return memo[key]
    value = next((value for value in range(9) if counts[value]), None)
    if value is None:
        result = 2 * pairs
    else:
        parts = [(value,) * 3] + [(low, low + 1, low + 2) for low in range(value - 2, value + 1) if 0 <= low <= 6]
        if pairs:
            parts.append((value,) * 2)
        result = 99
        for part in parts:
            rest = list(counts)
            missing = 0
            for other in part:
                if rest[other]:
                    rest[other] -= 1
                else:
                    missing += 1
            result = min(result, missing + need(tuple(rest), pairs - (len(part) == 2)))
    memo[key] = result
    return result


def main():
    for line in sys.stdin:
        hand = list(map(int, line.split()))
        if not hand:
            continue
        suits = [[0] * 9 for _ in range(3)]
        for tile in hand:
            if tile != WILD:
                suits[tile // 10][tile % 10 - 1] += 1
        suits = [tuple(suit) for suit in suits]
        best = min(sum(need(suits[s], int(s == paired)) for s in range(3)) for paired in range(3))
        print("YES" if best <= hand.count(WILD) else "NO")


main()
