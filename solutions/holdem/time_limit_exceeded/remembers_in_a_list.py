# Mistake: right but slow: hands that were seen before are looked up in a list, from its start.
"""Sort the cards, so that equal hands are equal texts, and work out only the new ones."""

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
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if has_straight(set(ranks)):
        return 4
    if counts[0] == 3:
        return 3
    return min(counts.count(2), 2)


def main():
    hands = []
    categories = []
    for line in sys.stdin:
        cards = sorted(line.split())
        if not cards:
            continue
        hand = " ".join(cards)
        if hand not in hands:
            hands.append(hand)
            categories.append(category(cards))
        print(categories[hands.index(hand)])


main()
