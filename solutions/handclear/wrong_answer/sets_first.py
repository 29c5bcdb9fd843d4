# Mistake: greedy. Three or four of a rank are always played as a set, even where a run needs one of them.
"""Take away every set, then look whether what is left of each suit are runs."""
import sys

RANKS = "A23456789TJQK"


def are_runs(marks):
    return all(len(stretch) >= 3 for stretch in marks.split())


def clears(cards):
    ranks = [card[0] for card in cards]
    left = [card for card in cards if ranks.count(card[0]) < 3]
    for suit in "CDHS":
        marks = "".join("x" if rank + suit in left else " " for rank in RANKS)
        ace_high = " " + marks[1:] + marks[0]
        if not are_runs(marks) and not are_runs(ace_high):
            return False
    return True


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            print("YES" if clears(fields[1:]) else "NO")


main()
