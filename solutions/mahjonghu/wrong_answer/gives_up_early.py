# Mistake: the search gives up after a thousand steps and says NO; some hands show only later that they win.
"""Take each possible pair in turn, then give the lowest tile its triplet or run, and go back where that fails."""

import sys

WILD = 11
PATIENCE = 1000


def groups_with(tile):
    """List the triplet and the runs that contain the tile."""
    lows = [low for low in (tile - 2, tile - 1, tile) if low // 10 == tile // 10 and 1 <= low % 10 <= 7]
    return [(tile, tile, tile)] + [(low, low + 1, low + 2) for low in lows]


GROUPS = [groups_with(tile) for tile in range(30)]


class Search:
    """One hand: how many of each tile are left, and how many steps were made."""

    def __init__(self, hand):
        self.left = [0] * 30
        for tile in hand:
            self.left[tile] += 1
        self.wilds = self.left[WILD]
        self.left[WILD] = 0
        self.steps = 0

    def wins(self):
        kinds = [tile for tile in range(30) if self.left[tile]]
        if any(self.without((kind, kind), self.wilds, 1) for kind in kinds):
            return True
        return self.wilds >= 2 and self.splits(self.wilds - 2, 1)

    def without(self, part, wilds, lowest):
        """Take the part out, ask whether the rest splits, and put the part back."""
        left = self.left
        taken = []
        for tile in part:
            if left[tile]:
                left[tile] -= 1
                taken.append(tile)
            else:
                wilds -= 1
        answer = wilds >= 0 and self.splits(wilds, lowest)
        for tile in taken:
            left[tile] += 1
        return answer

    def splits(self, wilds, lowest):
        self.steps += 1
        if self.steps > PATIENCE:
            return False
        while lowest < 30 and not self.left[lowest]:
            lowest += 1
        if lowest == 30:
            return wilds % 3 == 0
        return any(self.without(group, wilds, lowest) for group in GROUPS[lowest])


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if len(hand) % 3 == 2 and Search(hand).wins() else "NO")


main()
