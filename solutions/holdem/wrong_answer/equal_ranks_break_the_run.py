# Mistake: the straight is searched in the sorted cards without dropping equal ranks, so a pair inside breaks the run.
"""Sort the values and look for five neighbours that rise by one."""

import sys

VALUES = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}


def straight_top(values):
    """Return the top of the highest straight, 0 if there is none."""
    if 14 in values:
        values = values + [1]
    ordered = sorted(values)
    for first in range(len(ordered) - 5, -1, -1):
        five = ordered[first : first + 5]
        if five == list(range(five[0], five[0] + 5)):
            return five[-1]
    return 0


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


if __name__ == "__main__":
    main()
