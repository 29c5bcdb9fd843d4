# Mistake: the ranks are a circle, so a run goes on after the high ace and KA2 is one.
"""List what each suit can put into runs and what it leaves for sets; combine the lists of the four suits."""
import sys

RANKS = "A23456789TJQK"
SUITS = "CDHS"
FULL = (1 << 13) - 1


def is_runs(ranks):
    """Tell whether one suit's cards are runs and nothing else: each is in the middle of three or beside such a card."""
    higher, lower = ranks >> 1 | (ranks & 1) << 12, ranks << 1 & FULL | ranks >> 12
    middle = ranks & higher & lower
    return middle | middle << 1 & FULL | middle >> 12 | middle >> 1 | (middle & 1) << 12 == ranks


RUN_PARTS = [ranks for ranks in range(1 << 13) if is_runs(ranks)]


def rests(held, often):
    """List what a suit may leave over for sets: only ranks in `often`, which have three cards or more."""
    seldom = held & ~often
    return [held ^ part for part in RUN_PARTS if part & held == part and part & seldom == seldom]


def combine(rests_1, held_1, rests_2, held_2, whole):
    """Map each union of two suits' rests to the ranks that both leave over, once for each way.

    In a rank that is not `whole` a card is missing: of the other three, all go into the set or none does.
    """
    same = held_1 & held_2 & ~whole
    partners = {}
    for rest in rests_2:
        partners.setdefault(rest & same, []).append(rest)
    both = {}
    for rest_1 in rests_1:
        for rest_2 in partners.get(rest_1 & same, ()):
            both.setdefault(rest_1 | rest_2, set()).add(rest_1 & rest_2)
    return both


def clears(clubs, diamonds, hearts, spades):
    whole = clubs & diamonds & hearts & spades
    often = clubs & diamonds & (hearts | spades) | (clubs | diamonds) & hearts & spades
    lists = [rests(held, often) for held in (clubs, diamonds, hearts, spades)]
    # A nearly full pack can be split in very many ways: first try those with few sets.
    for most in (2, 13):
        c, d, h, s = [[rest for rest in rests if bin(rest).count("1") <= most] for rests in lists]
        left = combine(c, clubs, d, diamonds, whole)
        right = combine(h, hearts, s, spades, whole)
        for union in left.keys() & right.keys():
            for both_left in left[union]:
                for both_right in right[union]:
                    if both_left | both_right == union:
                        return True
    return False


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            held = dict.fromkeys(SUITS, 0)
            for rank, suit in fields[1:]:
                held[suit] |= 1 << RANKS.index(rank)
            print("YES" if clears(*held.values()) else "NO")


main()
