# Mistake: a straight is looked for among the five highest different ranks, or A2345; lower ones are missed.
"""Sort the different values and look at the top of the list."""

import sys

VALUES = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}


def straight_top(values):
    """Return the top of the straight, 0 if there is none."""
    highest = sorted(set(values))[-5:]
    if len(highest) == 5 and highest[4] - highest[0] == 4:
        return highest[4]
    return 5 if {14, 2, 3, 4, 5} <= set(values) else 0


def category(cards):
    values = [VALUES[card[0]] for card in cards]
    for suit in "CDHS":
        own = [VALUES[card[0]] for card in cards if card[1] == suit]
        if len(own) >= 5:
            top = straight_top(own)
            return 5 if top == 0 else 9 if top == 14 else 8
    counts = sorted((values.count(value) for value in set(values)), reverse=True)
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if straight_top(values):
        return 4
    if counts[0] == 3:
        return 3
    return min(counts.count(2), 2)


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            print(category(cards))


main()
