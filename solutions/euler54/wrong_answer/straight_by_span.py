# Mistake: five cards whose highest and lowest are four apart count as a straight, even where ranks repeat.
"""Test the categories from the best to the worst; straight = span of four."""
import sys

VALUES = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}


def hand_key(hand):
    values = [VALUES[card[0]] for card in hand]
    groups = sorted(((values.count(value), value) for value in set(values)), reverse=True)
    counts = [count for count, _ in groups]
    flush = all(card[1] == hand[0][1] for card in hand)
    straight = max(values) - min(values) == 4
    if straight and flush:
        category = 8
    elif counts[0] == 4:
        category = 7
    elif counts[:2] == [3, 2]:
        category = 6
    elif flush:
        category = 5
    elif straight:
        category = 4
    elif counts[0] == 3:
        category = 3
    elif counts[:2] == [2, 2]:
        category = 2
    else:
        category = counts[0] - 1
    return [category] + [value for _, value in groups]


def main():
    games = [line.split() for line in sys.stdin if line.strip()]
    print(sum(1 for cards in games if hand_key(cards[:5]) > hand_key(cards[5:])))


main()
