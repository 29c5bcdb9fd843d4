# Mistake: a full house asks for exactly one triple and one pair; two triples, or a triple and two pairs, are missed.
"""Sort the counts of the ranks and compare."""

import sys

ORDER = "A23456789TJQKA"


def has_straight(ranks):
    return any(set(ORDER[low : low + 5]) <= ranks for low in range(10))


def category(cards):
    for suit in "CDHS":
        own = {card[0] for card in cards if card[1] == suit}
        if len(own) >= 5:
            return 9 if own >= set("TJQKA") else 8 if has_straight(own) else 5
    ranks = [card[0] for card in cards]
    counts = [ranks.count(rank) for rank in set(ranks)]
    if 4 in counts:
        return 7
    if counts.count(3) == 1 and counts.count(2) == 1:
        return 6
    if has_straight(set(ranks)):
        return 4
    if 3 in counts:
        return 3
    return min(counts.count(2), 2)


def main():
    for line in sys.stdin:
        cards = line.split()
        if cards:
            print(category(cards))


main()
