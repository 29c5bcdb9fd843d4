# Mistake: tries every combination of sets over all ranks: up to six for each of 13 ranks, one after the other.
"""Choose the set of every rank (none, three cards or four) in all possible ways, then see whether the rest are runs."""
import sys
from itertools import combinations, product

RANKS = "A23456789TJQK"


def ways_to_set(suits):
    """List what a rank's suits can give to runs: all of them, or what a set of 3 or 4 leaves over."""
    rests = [suits]
    for size in (3, 4):
        for in_set in combinations(suits, size):
            rests.append([suit for suit in suits if suit not in in_set])
    return rests


def all_runs(held):
    """Tell whether one suit's ranks are runs: a line of 13 or 14 marks in which no stretch is shorter than 3."""
    low = "".join("x" if rank in held else " " for rank in range(13))
    lines = [low] if 0 not in held else [low, " " + low[1:] + "x"]
    return any(all(len(stretch) >= 3 for stretch in line.split()) for line in lines)


def clears(cards):
    rests = [ways_to_set([suit for r, suit in cards if r == rank]) for rank in RANKS]
    for choice in product(*rests):
        if all(all_runs([r for r in range(13) if suit in choice[r]]) for suit in "CDHS"):
            return True
    return False


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            print("YES" if clears(fields[1:]) else "NO")


main()
