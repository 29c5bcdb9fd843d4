# Mistake: deals all the cards from the front of one list; each pop(0) moves all the cards that are left.
"""Put all cards in one list, take ten at a time, compare (category, ranks by count)."""
import sys

VALUE = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}
CATEGORY = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}


def strength(hand):
    values = [VALUE[rank] for rank, _ in hand]
    groups = sorted([(values.count(value), value) for value in set(values)], reverse=True)
    counts, order = zip(*groups)
    category = CATEGORY[counts]
    if len(order) == 5:
        straight = order[0] - order[4] == 4
        flush = len({suit for _, suit in hand}) == 1
        category = 8 if straight and flush else 5 if flush else 4 if straight else 0
    return category, order


def main():
    cards = sys.stdin.read().split()
    wins = 0
    while cards:
        first = [cards.pop(0) for _ in range(5)]
        second = [cards.pop(0) for _ in range(5)]
        wins += strength(first) > strength(second)
    print(wins)


main()
