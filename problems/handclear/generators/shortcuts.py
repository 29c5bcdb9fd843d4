"""Families of hands against shortcuts: rules of thumb, and guesses from the number of cards."""

from collections.abc import Iterator
from random import Random

from _cards import PACK, RANKS, Card, disturbed, line, shuffled
from _packs import stuck_pack
from _play import dealt, playable


def every_size(random: Random, fewest: int = 3, most: int = 49, each: int = 2) -> Iterator[str]:
    """For every number of cards hands that can be played and as many that just cannot.

    Hands of one or two cards are never playable, hands of 50 and more always are: there is nothing to draw. But a few
    hands of 50 are last, which could not be played without their last card.
    """
    for size in range(fewest, most + 1):
        hands = [dealt(random, size) for _ in range(each)] + [near_miss(random, size) for _ in range(each)]
        random.shuffle(hands)
        for hand in hands:
            yield shuffled(random, hand)
    for _ in range(each):
        pack = stuck_pack(random, random.random() < 0.5)
        missing = [card for card in PACK if card not in pack]
        yield line([*random.sample(pack, len(pack)), random.choice(missing)])


def near_miss(random: Random, size: int) -> list[Card]:
    """Return a hand of `size` cards that cannot be played: a playable one disturbed, or much of a stuck pack."""
    while True:
        if size < 44:
            hand = disturbed(random, dealt(random, max(size - random.choice([-1, 0, 1]), 3)))
        else:
            pack = stuck_pack(random, random.random() < 0.5)
            hand = sorted(random.sample(pack, size))
        if len(hand) == size and not playable(hand):
            return hand


def sets_all_the_way(random: Random, lines: int = 120) -> Iterator[str]:
    """Neighbouring ranks of three or four cards each, the missing suit another every time: many need all their sets.

    The first hand has nine ranks of four, never three in a row: the most sets of four that a hand can need.
    In every second hand some cards are taken away or moved: what had no need of runs must now find some.
    """
    yield shuffled(random, [card for card in PACK if RANKS[card[0]] in "A24578TJK"])
    for number in range(1, lines):
        height = random.randint(4, 13)
        first = random.randrange(13)
        cards: list[Card] = []
        for step in range(height):
            held = random.sample(range(4), random.choice([3, 3, 3, 4]))
            cards += [((first + step) % 13, suit) for suit in held]
        if number % 2:
            for _ in range(random.choice([1, 1, 2, 3])):
                cards = disturbed(random, cards)
        yield shuffled(random, cards)
