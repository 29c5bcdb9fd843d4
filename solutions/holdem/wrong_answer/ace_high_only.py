# Mistake: the ace is only high, so A2345 is neither a straight nor a straight flush.
"""Count ranks and suits in dictionaries and ask for every category, the best one first.

The straight is searched from the ace down: remember the last rank that was missing.
"""

import sys

VALUES = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}


def tally(items):
    counts = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return counts


def highest_of_straight(values):
    """Return the highest value of the best straight, 0 if there is none."""
    missing = 15
    for value in range(14, 1, -1):
        if value not in values:
            missing = value
        if missing - value >= 5:
            return missing - 1
    return 0


def values_of_flush(cards):
    """Return the values in the suit that has five cards or more, empty if there is none."""
    for suit, count in tally(suit for _, suit in cards).items():
        if count >= 5:
            return [value for value, other in cards if other == suit]
    return []


def category(cards):
    flush = values_of_flush(cards)
    top = highest_of_straight(flush)
    values = tally(value for value, _ in cards)
    trips = [value for value, count in values.items() if count == 3]
    pairs = [value for value, count in values.items() if count == 2]
    if top == 14:
        return 9
    if top:
        return 8
    if 4 in values.values():
        return 7
    if trips and len(trips) + len(pairs) >= 2:
        return 6
    if flush:
        return 5
    if highest_of_straight(values):
        return 4
    if trips:
        return 3
    if len(pairs) >= 2:
        return 2
    return 1 if pairs else 0


for line in sys.stdin:
    fields = line.split()
    if fields:
        print(category([(VALUES[card[0]], card[1]) for card in fields]))
