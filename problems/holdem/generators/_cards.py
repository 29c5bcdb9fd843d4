"""Cards, and hands with chosen ranks or suits, for the generators of this problem."""

from collections.abc import Collection, Iterable, Sequence
from random import Random

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
SIZES = (5, 6, 7)

ROUND_THE_ACE = "A23456789TJQKA"
STRAIGHTS = [ROUND_THE_ACE[low : low + 5] for low in range(10)]
WRAPPED = ["JQKA2", "QKA23", "KA234"]
EQUAL_RANKS = {1: (0, 0, 1, 2, 3), 2: (0, 0, 1, 1, 2), 3: (0, 0, 0, 1, 2), 6: (0, 0, 0, 1, 1), 7: (0, 0, 0, 0, 1)}


def line(random: Random, cards: Sequence[str]) -> str:
    """Return the cards in random order, as a line of the input."""
    return " ".join(random.sample(cards, len(cards)))


def filled(random: Random, cards: Sequence[str], size: int) -> list[str]:
    """Return the cards and random others, `size` in all."""
    others = [card for card in PACK if card not in cards]
    return [*cards, *random.sample(others, size - len(cards))]


def in_mixed_suits(random: Random, ranks: Sequence[str], most: int = 4) -> list[str]:
    """Give every rank a suit, so that no card is there twice and no suit more than `most` times."""
    while True:
        cards: list[str] = []
        for rank in sorted(set(ranks)):
            cards += [rank + suit for suit in random.sample(SUITS, ranks.count(rank))]
        if all(sum(card[1] == suit for card in cards) <= most for suit in SUITS):
            return cards


def in_one_suit(random: Random, ranks: Iterable[str]) -> list[str]:
    """Give all the ranks, which must differ, one suit."""
    suit = random.choice(SUITS)
    return [rank + suit for rank in ranks]


def other_suit(random: Random, suit: str) -> str:
    """Return a suit, but not this one."""
    return random.choice(SUITS.replace(suit, ""))


def holds_straight(ranks: Collection[str]) -> bool:
    """Return whether five of the ranks make a straight."""
    return any(all(rank in ranks for rank in straight) for straight in STRAIGHTS)


def without_straight(random: Random, count: int) -> list[str]:
    """Return so many different ranks that hold no straight."""
    while True:
        ranks = random.sample(RANKS, count)
        if not holds_straight(ranks):
            return ranks


def five_of_category(random: Random, category: int) -> list[str]:
    """Return five cards that are worth just this category."""
    if category in EQUAL_RANKS:
        ranks = random.sample(RANKS, 4)
        return in_mixed_suits(random, [ranks[kind] for kind in EQUAL_RANKS[category]])
    if category in (0, 5):
        high = without_straight(random, 5)
        return in_one_suit(random, high) if category == 5 else in_mixed_suits(random, high)
    if category == 4:
        return in_mixed_suits(random, random.choice(STRAIGHTS))
    return in_one_suit(random, STRAIGHTS[-1] if category == 9 else random.choice(STRAIGHTS[:-1]))
