# Mistake: greedy, triplets before runs; it loses spare tiles and never makes the pair of wild tiles.
"""The first of two greedy methods: try each tile as the pair, then go upwards once and never look back.

At each value three equal tiles are a triplet. What remains of an 8 or a 9 is filled up with wild tiles to a triplet;
what remains of a lower value starts runs, and the tiles that these lack are wild. Where the next value has enough tiles
for the runs, all of them are taken away, also those that no run needs.
"""

import sys

WILD = 11


def lacks(counts):
    """Count the wild tiles needed without the pair; uses up the counts."""
    wilds = 0
    for tile in range(1, 30):
        if counts[tile] >= 3:
            counts[tile] -= 3
        rest = counts[tile]
        if rest == 0:
            continue
        if tile % 10 > 7:
            wilds += 3 - rest
            continue
        for following in (tile + 1, tile + 2):
            if counts[following] < rest:
                wilds += rest - counts[following]
            else:
                counts[following] = 0
    return wilds


def wins(hand):
    counts = [hand.count(tile) for tile in range(32)]
    wilds = counts[WILD]
    counts[WILD] = 0
    for tile in range(1, 30):
        own = min(counts[tile], 2)
        if own == 0 or own + wilds < 2:
            continue
        rest = list(counts)
        rest[tile] -= own
        if lacks(rest) <= wilds - (2 - own):
            return True
    return False


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


if __name__ == "__main__":
    main()
