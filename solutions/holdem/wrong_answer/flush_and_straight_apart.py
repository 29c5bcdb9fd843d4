# Mistake: a flush and a straight among the cards count as a straight flush, even when they are different cards.
"""Rank bits: one mask of thirteen bits for the straights, counts for the rest."""

import sys

RANKS = "23456789TJQKA"
WINDOWS = [0b11111 << low for low in range(9)] + [1 << 12 | 0b1111]
BROADWAY = 0b11111 << 8


def category(cards):
    ranks = [RANKS.index(card[0]) for card in cards]
    suits = [card[1] for card in cards]
    mask = 0
    for rank in ranks:
        mask |= 1 << rank
    straight = any(mask & window == window for window in WINDOWS)
    flush = max(map(suits.count, suits)) >= 5
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if flush and straight:
        return 9 if mask & BROADWAY == BROADWAY else 8
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if flush:
        return 5
    if straight:
        return 4
    if counts[0] == 3:
        return 3
    return min(counts.count(2), 2)


def main():
    for line in sys.stdin:
        if line.strip():
            print(category(line.split()))


if __name__ == "__main__":
    main()
