# Mistake: the ace is put below the two before the suits are looked at, so it ends up in every suit.
"""Values of each suit with the low ace as a one, and straights as five values in a row."""

import sys

VALUES = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}
STRAIGHTS = [set(range(low, low + 5)) for low in range(1, 11)]


def has_straight(values):
    return any(straight.issubset(values) for straight in STRAIGHTS)


def category(cards):
    values = [VALUES[card[0]] for card in cards]
    low_ace = [1] if 14 in values else []
    for suit in "CDHS":
        own = [VALUES[card[0]] for card in cards if card[1] == suit]
        if len(own + low_ace) >= 5 and has_straight(own + low_ace):
            return 9 if has_straight([value for value in own if value >= 10]) else 8
        if len(own) >= 5:
            return 5
    counts = sorted((values.count(value) for value in set(values)), reverse=True)
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if has_straight(values + low_ace):
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
