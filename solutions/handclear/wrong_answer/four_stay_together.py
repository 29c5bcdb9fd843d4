# Mistake: a rank's cards go into a set all together or not at all; three of four with the fourth in a run are missed.
"""Choose the ranks that are played as sets in all ways, then look whether the rest of every suit are runs."""
import sys

RANKS = "A23456789TJQK"


def is_runs(ranks):
    """Tell whether one suit's cards are runs and nothing else; the ace is bit 0 when low, bit 13 when high."""
    choices = [ranks] if not ranks & 1 else [ranks, ranks - 1 + (1 << 13)]
    for line in choices:
        middle = line & line << 1 & line >> 1
        if middle | middle << 1 | middle >> 1 == line:
            return True
    return False


RUN_PARTS = {ranks for ranks in range(1 << 13) if is_runs(ranks)}


def clears(clubs, diamonds, hearts, spades):
    often = clubs & diamonds & (hearts | spades) | (clubs | diamonds) & hearts & spades
    sets = often
    while True:
        if all(held & ~sets in RUN_PARTS for held in (clubs, diamonds, hearts, spades)):
            return True
        if not sets:
            return False
        sets = (sets - 1) & often


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            held = dict.fromkeys("CDHS", 0)
            for rank, suit in fields[1:]:
                held[suit] |= 1 << RANKS.index(rank)
            print("YES" if clears(*held.values()) else "NO")


main()
