# Mistake: settles two hands of one category by their cards from high to low, whatever the pair or the triple is.
"""Find the category from the sorted values, then compare the sorted values."""
import sys

VALUES = {rank: value for value, rank in enumerate("23456789TJQKA")}


def category(values, suits):
    flush = len(set(suits)) == 1
    straight = all(values[i] == values[0] - i for i in range(5))
    counts = sorted(values.count(value) for value in set(values))
    if straight and flush:
        return 8
    if counts == [1, 4]:
        return 7
    if counts == [2, 3]:
        return 6
    if flush:
        return 5
    if straight:
        return 4
    return {3: 3, 2: 2 if len(counts) == 3 else 1, 1: 0}[counts[-1]]


def strength(hand):
    values = sorted((VALUES[rank] for rank, _ in hand), reverse=True)
    return category(values, [suit for _, suit in hand]), values


def main():
    wins = 0
    for line in sys.stdin:
        cards = line.split()
        if cards:
            wins += strength(cards[:5]) > strength(cards[5:])
    print(wins)


main()
