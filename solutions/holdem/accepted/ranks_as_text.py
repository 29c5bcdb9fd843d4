"""Count ranks and suits in text; a straight is five characters in a row of A23456789TJQKA.

Every category is tested on all the cards at once, the best one first.
"""

import sys

ORDER = "A23456789TJQKA"
SUITS = "CDHS"


def best_straight(ranks):
    """Return the best straight that the ranks hold, as text; empty if there is none."""
    marked = "".join(rank if rank in ranks else " " for rank in ORDER)
    runs = [run for run in marked.split() if len(run) >= 5]
    return runs[-1][-5:] if runs else ""


def category(cards):
    """Return the best category among five, six or seven cards."""
    ranks = "".join(card[0] for card in cards)
    suits = "".join(card[1] for card in cards)
    for suit in SUITS:
        if suits.count(suit) >= 5:
            straight = best_straight([card[0] for card in cards if card[1] == suit])
            return 5 if not straight else 9 if straight == "TJQKA" else 8
    counts = sorted(map(ranks.count, set(ranks)), reverse=True)
    if counts[0] == 4:
        return 7
    if counts[0] == 3 and counts[1] >= 2:
        return 6
    if best_straight(ranks):
        return 4
    if counts[0] == 3:
        return 3
    return min(counts.count(2), 2)


def main():
    hands = (line.split() for line in sys.stdin)
    print("\n".join(str(category(cards)) for cards in hands if cards))


if __name__ == "__main__":
    main()
