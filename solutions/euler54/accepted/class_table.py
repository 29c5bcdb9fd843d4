"""Write down all 7,462 kinds of hand from the weakest to the strongest and look both hands up.

A kind is the five ranks and whether they are of one suit. The list follows the rules category by category, and within
a category the rank that is compared first turns slowest; no two hands are ever compared in any other way.
"""
import sys
from itertools import combinations

RANKS = "23456789TJQKA"


def kinds():
    """Yield (ranks, one suit?) of every kind of hand, weakest first; ranks are numbers in any order."""
    every = range(len(RANKS))

    def falling(size, without=()):
        """Return the choices of different ranks, each from high to low, the lowest choice first."""
        return sorted(combinations([rank for rank in reversed(every) if rank not in without], size))

    runs = [tuple(range(low, low + 5)) for low in every[:-4]]
    no_runs = [hand for hand in falling(5) if hand[::-1] not in runs]

    for hand in no_runs:
        yield hand, False
    for pair in every:
        for kickers in falling(3, without=[pair]):
            yield (pair, pair) + kickers, False
    for high, low in falling(2):
        for (kicker,) in falling(1, without=[high, low]):
            yield (high, high, low, low, kicker), False
    for triple in every:
        for kickers in falling(2, without=[triple]):
            yield (triple, triple, triple) + kickers, False
    for hand in runs:
        yield hand, False
    for hand in no_runs:
        yield hand, True
    for triple in every:
        for (pair,) in falling(1, without=[triple]):
            yield (triple, triple, triple, pair, pair), False
    for four in every:
        for (kicker,) in falling(1, without=[four]):
            yield (four, four, four, four, kicker), False
    for hand in runs:
        yield hand, True


def main():
    place = {
        (suited, "".join(sorted(RANKS[rank] for rank in ranks))): i for i, (ranks, suited) in enumerate(kinds())
    }

    def strength(hand):
        ranks, suits = zip(*hand)
        return place[len(set(suits)) == 1, "".join(sorted(ranks))]

    wins = 0
    for line in sys.stdin:
        cards = line.split()
        if cards:
            wins += strength(cards[:5]) > strength(cards[5:])
    print(wins)


main()
