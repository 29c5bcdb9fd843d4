"""Dynamic program: sweep over the values of each suit and remember how many runs are open.

A state says whether the pair is made, how many runs need the present value as their last tile and how many as their
middle one; it is mapped to the fewest wild tiles spent on the way there. Three equal runs are three triplets, so at
most two runs start at a value. States that cost more wild tiles than there are in the game are dropped. The same sets
of states come again and again, so each step from one set to the next is computed once.
"""

import sys
from functools import lru_cache

WILD = 11
WILDS_IN_GAME = 4
NEVER = 99
START = (((0, 0, 0), 0),)


@lru_cache(maxsize=None)
def step(states, count, may_start):
    """Place `count` tiles of one value. states: a tuple of (state, cost), and so is the result."""
    after = {}
    for (pairs, last, middle), spent in states:
        for first in range(3 if may_start else 1):
            for new_pair in range(2 - pairs):
                # Triplets take what is left over: none, or threes rounded up.
                left = count - last - middle - first - 2 * new_pair
                triplets = max(0, (left + 2) // 3)
                cost = spent + 3 * triplets - left
                state = (pairs + new_pair, middle, first)
                if cost <= WILDS_IN_GAME and cost < after.get(state, NEVER):
                    after[state] = cost
    return tuple(sorted(after.items()))


def fewest_wilds(counts):
    """Count the wild tiles that one suit lacks, without and with the pair in it. counts: of the values 1 to 9."""
    states = START
    for value, count in enumerate(counts, start=1):
        states = step(states, count, value <= 7)
    costs = dict(states)
    return costs.get((0, 0, 0), NEVER), costs.get((1, 0, 0), NEVER)


def wins(hand):
    """Tell whether a list of numbers is a winning hand."""
    counts = [hand.count(tile) if tile != WILD else 0 for tile in range(30)]
    plain, paired = zip(*[fewest_wilds(counts[first : first + 9]) for first in (1, 11, 21)])
    lacking = min(sum(plain) - plain[suit] + paired[suit] for suit in range(3))
    return len(hand) % 3 == 2 and lacking <= hand.count(WILD)


def main():
    for line in sys.stdin:
        hand = [int(word) for word in line.split()]
        if hand:
            print("YES" if wins(hand) else "NO")


if __name__ == "__main__":
    main()
