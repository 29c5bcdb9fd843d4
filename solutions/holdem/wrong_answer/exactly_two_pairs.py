# Mistake: two pairs are asked for as exactly two pairs, so a hand with three pairs is only one pair.
"""Count how many ranks occur once, twice, three and four times."""

import sys

ORDER = "A23456789TJQKA"


def longest_run(ranks):
    """Return the length of the longest run and the rank that ends it."""
    best = length = 0
    end = ""
    for rank in ORDER:
        length = length + 1 if rank in ranks else 0
        if length >= best:
            best, end = length, rank
    return best, end


def category(cards):
    ranks = [card[0] for card in cards]
    times = [0] * 5
    for rank in set(ranks):
        times[ranks.count(rank)] += 1
    for suit in "CDHS":
        own = [card[0] for card in cards if card[1] == suit]
        if len(own) >= 5:
            length, end = longest_run(own)
            return 5 if length < 5 else 9 if end == "A" else 8
    if times[4]:
        return 7
    if times[3] == 2 or times[3] and times[2]:
        return 6
    if longest_run(ranks)[0] >= 5:
        return 4
    if times[3]:
        return 3
    if times[2] == 2:
        return 2
    return 1 if times[2] else 0


for line in sys.stdin:
    hand = line.split()
    if hand:
        print(category(hand))
