# Mistake: greedy, runs before triplets and the pair last of all, with the wild tiles in one fixed order.
"""The second of two greedy methods: three sweeps over the tiles, each taking what it finds.

First whole runs are taken, and a triplet only of a value that started a run or starts none (8 and 9). Then the first
kind of which two are left becomes the pair. Then wild tiles are spent: one for two equal tiles or for two tiles of
a run, one for a pair if there is none yet, two for a triplet. The hand wins when tiles and wild tiles run out together.
"""

import sys

WILD = 11


def take_whole_groups(counts):
    for tile in range(1, 30):
        if counts[tile] == 0:
            continue
        if tile % 10 <= 7:
            runs = min(counts[tile : tile + 3])
            if runs == 0:
                continue
            for part in range(tile, tile + 3):
                counts[part] -= runs
        if counts[tile] >= 3:
            counts[tile] -= 3


def take_pair(counts):
    for tile in range(1, 30):
        if counts[tile] == 2:
            counts[tile] = 0
            return True
    return False


def balance(counts, wilds, paired):
    """Spend wild tiles upwards. The result is what is left: tiles, plus wild tiles, minus those that were missing."""
    for tile in range(1, 30):
        if counts[tile] == 2:
            counts[tile] = 0
            wilds -= 1
        elif counts[tile] == 1:
            counts[tile] = 0
            neighbours = [other for other in (tile + 1, tile + 2) if tile % 10 <= 7 and counts[other]]
            if neighbours:
                counts[neighbours[0]] -= 1
                wilds -= 1
            elif not paired:
                paired = True
                wilds -= 1
            else:
                wilds -= 2
    return sum(counts) + wilds


def wins(hand):
    counts = [hand.count(tile) for tile in range(32)]
    wilds = counts[WILD]
    counts[WILD] = 0
    take_whole_groups(counts)
    paired = take_pair(counts)
    if sum(counts) + wilds == 0 or wilds > sum(counts):
        return True
    return balance(counts, wilds, paired) == 0


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


if __name__ == "__main__":
    main()
