# Mistake: asks for the flush before the straight flush, so that a straight flush is only a flush.
"""Return at the first test that succeeds; the tests run through ranks and suits."""
import sys

RANKS = "23456789TJQKA"


def evaluate(hand):
    ranks = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    by_count = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    different = len(set(ranks))
    straight = different == 5 and ranks[0] - ranks[4] == 4
    flush = len(set(card[1] for card in hand)) == 1
    if different == 2:
        return (7 if ranks.count(by_count[0]) == 4 else 6), by_count
    if flush:
        return 5, by_count
    if straight:
        return 4, by_count
    if straight and flush:
        return 8, by_count
    if different == 3:
        return (3 if ranks.count(by_count[0]) == 3 else 2), by_count
    return 5 - different, by_count


def main():
    wins = 0
    for line in sys.stdin.read().splitlines():
        cards = line.split()
        if cards:
            wins += evaluate(cards[:5]) > evaluate(cards[5:])
    print(wins)


main()
