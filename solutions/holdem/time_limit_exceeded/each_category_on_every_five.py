# Mistake: right but slow: every category is tested on every choice of five, from scratch.
"""Ask for the categories in order: is there a choice of five cards that makes it?"""

import sys
from collections import Counter
from itertools import combinations

ORDER = "A23456789TJQKA"
STRAIGHTS = [ORDER[low : low + 5] for low in range(10)]


def counts(five):
    return sorted(Counter(card[0] for card in five).values())


def is_flush(five):
    return len({card[1] for card in five}) == 1


def is_straight(five):
    ranks = {card[0] for card in five}
    return any(ranks == set(straight) for straight in STRAIGHTS)


def is_straight_flush(five):
    return is_straight(five) and is_flush(five)


def is_royal(five):
    return is_straight_flush(five) and {"T", "A"} <= {card[0] for card in five}


TESTS = [
    (9, is_royal),
    (8, is_straight_flush),
    (7, lambda five: counts(five) == [1, 4]),
    (6, lambda five: counts(five) == [2, 3]),
    (5, is_flush),
    (4, is_straight),
    (3, lambda five: counts(five) == [1, 1, 3]),
    (2, lambda five: counts(five) == [1, 2, 2]),
    (1, lambda five: counts(five) == [1, 1, 1, 2]),
]


def category(cards):
    for number, test in TESTS:
        if any(test(five) for five in combinations(cards, 5)):
            return number
    return 0


for line in sys.stdin:
    if line.strip():
        print(category(line.split()))
