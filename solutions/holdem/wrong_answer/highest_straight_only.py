# Mistake: only the highest straight is asked whether it is of one suit; a lower one beside it may be.
"""Find the top of the straight, then look for its cards in each suit."""

import sys

ORDER = "A23456789TJQKA"


def category(cards):
    ranks = [card[0] for card in cards]
    straights = [ORDER[low : low + 5] for low in range(10) if set(ORDER[low : low + 5]) <= set(ranks)]
    if straights and any(all(rank + suit in cards for rank in straights[-1]) for suit in "CDHS"):
        return 9 if straights[-1] == "TJQKA" else 8
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    suits = [card[1] for card in cards]
    if any(suits.count(suit) >= 5 for suit in "CDHS"):
        return 5
    if straights:
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
