"""Cover the hand with as few groups as possible, suit by suit.

A wild tile can complete any part of a group, so a hand of 3m + 2 tiles wins exactly when its other tiles fit into one
pair and at most m groups; the wild tiles fill what is missing. A suit therefore needs two facts: the fewest groups that
hold all its tiles, and whether taking a pair out first saves one of them. (It never saves two: the pair that was taken
out fits into one group.)

The lowest tile of a suit lies in a triplet or in the run that it starts, and taking every tile that fits is never
worse. Near the nine this run hangs over the edge, but the 8 and the 9, or the 9 alone, are part of 7 8 9 too.
"""

import sys

SUIT = 5**9  # a suit is nine base-5 digits, how many of each value, the 1 lowest; a whole hand fits into 63 bits


def tile_weights():
    """Map each tile as it is written to the number that counts one of it; a wild tile counts for nothing."""
    weights = {}
    for suit in range(3):
        for value in range(1, 10):
            weights[b"%d" % (10 * suit + value)] = SUIT**suit * 5 ** (value - 1)
    weights[b"11"] = 0
    return weights


class Covers(dict):
    """Map a suit to 4 * (fewest groups) - (1 if a pair saves a group, else 0)."""

    def __missing__(self, suit):
        lowest = suit % 5
        if not lowest:
            cover = self[suit // 5]  # no tile of this value: the others may slide down
        else:
            run = 1 + 5 * (suit % 25 >= 5) + 25 * (suit % 125 >= 25)
            cover = 4 + min(self[suit - run], self[suit - min(lowest, 3)])
            groups_beside_pair = (self[suit - min(lowest, 2)] + 3) // 4
            cover = min(cover, 4 * (groups_beside_pair + 1) - 1)
        self[suit] = cover
        return cover


def main():
    weights = tile_weights()
    covers = Covers({0: 0})
    answers = []
    for line in sys.stdin.buffer.read().splitlines():
        tiles = line.split()
        if not tiles:
            continue
        groups, rest = divmod(len(tiles), 3)
        if rest != 2:
            answers.append("NO")
            continue
        hand = sum(map(weights.__getitem__, tiles))
        total = covers[hand % SUIT] + covers[hand // SUIT % SUIT] + covers[hand // SUIT**2]
        # A pair may save a group in up to three suits, but there is one pair: rounding down subtracts one at most.
        answers.append("YES" if total // 4 <= groups else "NO")
    print("\n".join(answers))


if __name__ == "__main__":
    main()
