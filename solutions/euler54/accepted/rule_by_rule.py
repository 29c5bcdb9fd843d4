"""Ask for the categories from the best to the worst, each as the rules put it."""
import sys

VALUE = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}


def strength(hand):
    """Return [category, ranks to compare in turn]; the stronger hand has the greater list."""
    values = sorted([VALUE[rank] for rank, suit in hand], reverse=True)
    suits = [suit for rank, suit in hand]
    flush = suits.count(suits[0]) == 5
    straight = values == list(range(values[0], values[0] - 5, -1))
    times = {1: [], 2: [], 3: [], 4: []}
    for value in sorted(set(values), reverse=True):
        times[values.count(value)].append(value)
    singles, pairs, triples, fours = times.values()

    if straight and flush:
        return [9 if values[0] == VALUE["A"] else 8, values]
    if fours:
        return [7, fours, singles]
    if triples and pairs:
        return [6, triples, pairs]
    if flush:
        return [5, values]
    if straight:
        return [4, values]
    if triples:
        return [3, triples, singles]
    if len(pairs) == 2:
        return [2, pairs, singles]
    if pairs:
        return [1, pairs, singles]
    return [0, values]


def main():
    wins = 0
    for line in sys.stdin:
        cards = line.split()
        if cards and strength(cards[:5]) > strength(cards[5:]):
            wins += 1
    print(wins)


main()
