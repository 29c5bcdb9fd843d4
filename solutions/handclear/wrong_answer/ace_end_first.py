# Mistake: an ace is low or high by the cards beside it, also for a set: only aces at one end are one.
"""Walk through the ranks with the length of each suit's open run; at each rank try every set, or none."""
import sys
from functools import lru_cache
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "CDHS"


def sets(suits):
    for size in (0, 3, 4):
        yield from combinations(suits, size)


def after_rank(lengths, running):
    """Return the lengths (3 is "3 and more") after a rank, or nothing if a run would be too short."""
    after = []
    for length, suit in zip(lengths, SUITS):
        if suit in running:
            after.append(min(length + 1, 3))
        elif length in (0, 3):
            after.append(0)
        else:
            return None
    return tuple(after)


def can_be_played(ranks):
    """`ranks` has the suits of every rank, the low aces first and the high ones last."""

    @lru_cache(maxsize=None)
    def goes_on(number, lengths):
        if number == 14:
            return all(length in (0, 3) for length in lengths)
        for in_set in sets(ranks[number]):
            after = after_rank(lengths, [suit for suit in ranks[number] if suit not in in_set])
            if after and goes_on(number + 1, after):
                return True
        return False

    return goes_on(0, (0, 0, 0, 0))


def clears(cards):
    held = ["".join(suit for suit in SUITS if rank + suit in cards) for rank in RANKS]
    queens, kings = held[11], held[12]
    may_be_low = [suit for suit in held[0] if suit in held[1] and suit in held[2]]
    may_be_high = [suit for suit in held[0] if suit in queens and suit in kings]
    both = [suit for suit in may_be_high if suit in may_be_low]
    for size in range(5):
        for turned in combinations(both, size):
            high = [suit for suit in held[0] if suit not in may_be_low or suit in turned]
            low = [suit for suit in held[0] if suit not in high]
            if can_be_played([low, *held[1:], high]):
                return True
    return False


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            print("YES" if clears(set(fields[1:])) else "NO")


main()
