# Mistake: greedy. The longest run of each suit is played whenever there is one, and only what is left makes sets.
"""Take the longest runs suit by suit, then look whether the other cards are three or four of a kind."""
import sys

ORDER = "A23456789TJQKA"


def longest_run(held, suit):
    best = []
    for low in range(12):
        cards = []
        for rank in ORDER[low:]:
            if rank + suit not in held or rank + suit in cards:
                break
            cards.append(rank + suit)
        if len(cards) > len(best):
            best = cards
    return best if len(best) >= 3 else []


def clears(cards):
    held = set(cards)
    for suit in "CDHS":
        run = longest_run(held, suit)
        while run:
            held.difference_update(run)
            run = longest_run(held, suit)
    left = [card[0] for card in held]
    return all(left.count(rank) >= 3 for rank in left)


def main():
    for line in sys.stdin:
        fields = line.split()
        if fields:
            print("YES" if clears(fields[1:]) else "NO")


main()
