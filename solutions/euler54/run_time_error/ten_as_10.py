# Mistake: knows the ten as "10" only, so that a T ends the program with a KeyError.
"""Count the ranks, name the category by the counts, compare tuples."""
import sys

VALUE = {"J": 11, "Q": 12, "K": 13, "A": 14}
VALUE.update((str(number), number) for number in range(2, 11))
CATEGORY = {5: 0, 4: 1}


def strength(hand):
    values = [VALUE[card[:-1]] for card in hand]
    order = sorted(set(values), key=lambda value: (values.count(value), value), reverse=True)
    most = values.count(order[0])
    straight = len(order) == 5 and order[0] - order[4] == 4
    flush = len({card[-1] for card in hand}) == 1
    if straight and flush:
        return 8, order
    if flush:
        return 5, order
    if straight:
        return 4, order
    if len(order) == 3:
        return most, order
    if len(order) == 2:
        return most + 3, order
    return CATEGORY[len(order)], order


def main():
    wins = 0
    for line in sys.stdin:
        cards = line.split()
        if cards:
            wins += strength(cards[:5]) > strength(cards[5:])
    print(wins)


main()
