"""Series of hands that resemble each other: they trap what a program keeps from earlier lines."""

from collections.abc import Iterator
from random import Random

from _cards import PACK, RANKS, STRAIGHTS, SUITS, filled, five_of_category, in_mixed_suits, line


def same_ranks(random: Random, groups: int = 50) -> Iterator[str]:
    """The same seven ranks five times: straight flush, flush and straight, straight, and in random suits."""
    for _ in range(groups):
        straight = random.choice(STRAIGHTS)
        ranks = [*straight, *random.sample([rank for rank in RANKS if rank not in straight], 2)]
        suit, other = random.sample(SUITS, 2)
        torn = random.choice(straight)
        series = [
            [rank + (suit if rank in straight else other) for rank in ranks],
            [rank + (other if rank in (torn, ranks[-1]) else suit) for rank in ranks],  # as many of each suit
            [rank + (other if rank == torn else suit) for rank in ranks],
            in_mixed_suits(random, ranks),
            [rank + random.choice(SUITS) for rank in ranks],
        ]
        random.shuffle(series)
        for cards in series:
            yield line(random, cards)


def same_rank_set(random: Random, groups: int = 60) -> Iterator[str]:
    """The same few ranks in other numbers: pairs, triples, quadruples of them."""
    for _ in range(groups):
        kinds = random.sample(RANKS, random.randint(2, 4))
        for _ in range(4):
            pool = [rank + suit for rank in kinds for suit in SUITS]
            yield " ".join(random.sample(pool, random.randint(5, min(7, len(pool)))))


def same_sums(random: Random, groups: int = 60) -> Iterator[str]:
    """A hand, and the same with one card a rank higher and one a rank lower: the same sum, the same suits."""
    for number in range(groups):
        cards = filled(random, five_of_category(random, number % 10), 7)
        yield line(random, cards)
        for _ in range(3):
            up, down = random.sample(cards, 2)
            if up[0] != RANKS[-1] and down[0] != RANKS[0]:
                moved = {up: RANKS[RANKS.index(up[0]) + 1] + up[1], down: RANKS[RANKS.index(down[0]) - 1] + down[1]}
                hand = [moved.get(card, card) for card in cards]
                if len(set(hand)) == 7:
                    yield line(random, hand)


def streets(random: Random, groups: int = 100) -> Iterator[str]:
    """A hand after the flop, the turn and the river: five, six and seven of the same cards."""
    for number in range(groups):
        cards = filled(random, five_of_category(random, number % 10), 7)
        random.shuffle(cards)
        for size in random.sample((5, 6, 7), 3):
            yield line(random, cards[:size])


def one_card_changes(random: Random, lines: int = 300) -> Iterator[str]:
    """Each hand is the one before with one card exchanged, most often for one of its rank or its suit."""
    cards: list[str] = []
    for number in range(lines):
        if number % 10 == 0:
            cards = filled(random, five_of_category(random, 9 - number // 10 % 10), 7)
        else:
            old = cards.pop(random.randrange(7))
            rank = random.choice([old[0], random.choice(cards)[0], random.choice(RANKS)])
            wishes = [rank + random.choice([old[1], *SUITS]), *random.sample(PACK, 9)]
            cards.append(next(card for card in wishes if card not in [*cards, old]))
        yield line(random, cards)
