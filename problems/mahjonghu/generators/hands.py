"""Hands that win, hands that just do not, and dealt ones."""

from collections.abc import Iterator
from random import Random

from _tiles import (
    COPIES,
    GROUPS,
    KINDS,
    NATURAL_KINDS,
    SIZES,
    SUITS,
    WILD,
    Group,
    as_line,
    build,
    is_legal,
    moved,
    of_suits,
    wins,
)


def every_part(random: Random) -> Iterator[str]:
    """Each kind as the pair and as a triplet, each run, and all of these with a wild tile at each place in turn."""
    for kind in NATURAL_KINDS:
        yield as_line([kind, kind])
        yield as_line([kind, WILD])
    for group in GROUPS:
        pair = 5 if max(group) > 20 else 25
        for hand in [group, *(_with_wild(group, place) for place in range(3))]:
            whole = [*hand, pair, pair]
            random.shuffle(whole)
            yield as_line(whole)


def _with_wild(group: Group, place: int) -> Group:
    return (*group[:place], WILD, *group[place + 1 :])


def winning(random: Random, lines: int = 100, suits: int = 3) -> Iterator[str]:
    """A pair and groups of so many suits, some tiles turned into wild ones."""
    for _ in range(lines):
        groups, pairs = of_suits(random.sample(SUITS, suits))
        yield as_line(build(random, random.choice(SIZES), random.randint(0, COPIES), groups=groups, pairs=pairs))


def near_misses(random: Random, lines: int = 100, suits: int = 3) -> Iterator[str]:
    """Winning hands in which tiles were moved, one after the other, until they won no more."""
    for _ in range(lines):
        size = random.choice(SIZES if suits > 1 else SIZES[1:4])
        most_wilds = size // 3 - 1  # with more of them there may be no hand that loses
        yield as_line(_near_miss(random, size, random.randint(0, min(most_wilds, COPIES)), suits))


def _near_miss(random: Random, size: int, wilds: int, suits: int) -> list[int]:
    groups, pairs = of_suits(random.sample(SUITS, suits))
    hand = build(random, size, wilds, groups=groups, pairs=pairs)
    while wins(hand):
        hand = moved(random, hand)
    return hand


def one_suit(random: Random, lines: int = 100, wilds: int = 0) -> Iterator[str]:
    """Dense hands of one suit, in which every tile fits into many groups; half of them win, or nearly half."""
    for number in range(lines):
        suit = random.choice(SUITS)
        kinds = [kind for kind in NATURAL_KINDS if kind // 10 * 10 == suit]
        for _ in range(50):  # with wild tiles such hands hardly ever lose
            size = random.choice(SIZES[1:])
            hand = [WILD] * wilds + random.sample(kinds * COPIES, size - wilds)
            if wins(hand) == (number % 2 == 0):
                break
        random.shuffle(hand)
        yield as_line(hand)


def scattered(random: Random, lines: int = 100) -> Iterator[str]:
    """Few tiles beside many wild ones, so that single tiles, gaps and edges are completed by one of them or by two."""
    for _ in range(lines):
        size = random.choice((2, 5, 8, 8, 11))
        wilds = random.randint(1, min(COPIES, size - 1))
        suits = random.sample(SUITS, 3 if size > 8 else 2)
        kinds = [kind for kind in NATURAL_KINDS if kind // 10 * 10 in suits]
        hand = [WILD] * wilds + random.sample(kinds * 2, size - wilds)
        random.shuffle(hand)
        yield as_line(hand)


def other_lengths(random: Random, lines: int = 100) -> Iterator[str]:
    """Every length from 1 to 17; where it is not 3m + 2 the hand is a winning one with tiles too many or too few."""
    for number in range(lines):
        size = number % 17 + 1
        while True:
            winning_size = random.choice([other for other in (2, *SIZES) if abs(other - size) <= 2])
            hand = build(random, winning_size, random.randint(0, min(COPIES, winning_size)))
            extra = random.choice([WILD, random.choice(KINDS), random.choice(hand)])
            hand += [extra] * (size - winning_size)
            hand = random.sample(hand, size)
            if is_legal(hand) and (size % 3 != 2 or wins(hand)):
                break
        yield as_line(hand)


def dealt(random: Random, lines: int = 100) -> Iterator[str]:
    """Any number of tiles drawn from the whole game or from some kinds only; most of these hands lose."""
    for _ in range(lines):
        kinds = random.sample(KINDS, random.randint(5, len(KINDS)))
        yield as_line(random.sample(kinds * COPIES, random.randint(1, 17)))


def largest(random: Random, lines: int = 2000) -> Iterator[str]:
    """Hands of 17 tiles, mostly near misses with wild tiles: a search finds many ways, and none to the end."""
    for number in range(lines):
        if number % 5 == 0:
            yield as_line(build(random, 17, random.randint(0, COPIES)))
        else:
            yield as_line(_near_miss(random, 17, random.choice((1, 2, 2, 3, 3, 4)), random.choice((2, 3, 3))))
