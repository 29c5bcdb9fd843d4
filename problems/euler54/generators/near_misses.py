"""Hands that a careless program takes for more than they are.

In every family one player has the near miss and the other a hand near it in strength, mostly one that beats it but
would lose to what it looks like. `winner` is the player who wins every line.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, cycle, islice, pairwise, permutations
from math import prod
from random import Random

from _cards import (
    ACE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    ONE_PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUITED,
    SUITS,
    THREE,
    TWO_PAIRS,
    category_of,
    game,
    ranks_of,
    seat,
)

UNSUITED_RIVALS = [HIGH_CARD, ONE_PAIR, TWO_PAIRS, THREE, STRAIGHT]
SUITED_RIVALS = [STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH]


def _against(random: Random, ranks: Sequence[int], suited: bool, rival: int, winner: int) -> str:
    """Return a line of these ranks against a hand of category `rival`."""
    while True:
        hands = game(random, ranks, ranks_of(random, rival), (suited, rival in SUITED))
        if hands:
            return seat(*hands, winner)


def _wrapped(random: Random, runs: Sequence[Sequence[int]], deals: int, winner: int) -> Iterator[str]:
    for suited, rivals in ((False, UNSUITED_RIVALS), (True, SUITED_RIVALS)):
        for rival in rivals:
            for _ in range(deals):
                yield _against(random, random.choice(runs), suited, rival, winner)


def ace_low(random: Random, winner: int = 1, deals: int = 3) -> Iterator[str]:
    """A2345, suited and not: the highest of high cards, not the lowest of straights."""
    yield from _wrapped(random, [[ACE, 0, 1, 2, 3]], deals, winner)


def round_the_corner(random: Random, winner: int = 1, deals: int = 4) -> Iterator[str]:
    """KA234, QKA23 and JQKA2, suited and not."""
    runs = [[rank % (ACE + 1) for rank in range(low, low + 5)] for low in (9, 10, 11)]
    yield from _wrapped(random, runs, deals, winner)


def paired_spans(random: Random, winner: int = 1, deals: int = 2) -> Iterator[str]:
    """Highest and lowest rank four apart as in a straight, but with ranks that repeat."""
    rivals = {
        ONE_PAIR: [ONE_PAIR, TWO_PAIRS, THREE],
        TWO_PAIRS: [TWO_PAIRS, THREE, STRAIGHT],
        THREE: [THREE, STRAIGHT, FLUSH],
        FULL_HOUSE: [STRAIGHT, FLUSH, FULL_HOUSE],
        FOUR: [STRAIGHT, FULL_HOUSE, FOUR],
    }
    for category, others in rivals.items():
        for rival in others:
            for _ in range(deals):
                yield _against(random, _spanning(random, category), False, rival, winner)


def _spanning(random: Random, category: int) -> list[int]:
    while True:
        ranks = ranks_of(random, category)
        if max(ranks) - min(ranks) == 4:
            return ranks


def broken_runs(random: Random, winner: int = 1, deals: int = 2) -> Iterator[str]:
    """Five different ranks that are no straight, but nearly, or by one test of a straight."""
    tests: list[Callable[[list[int]], bool]] = [
        lambda ranks: ranks[4] - ranks[0] == 5,
        lambda ranks: ranks[3] - ranks[0] == 3,
        lambda ranks: ranks[4] - ranks[1] == 3,
        lambda ranks: sum(ranks) == 5 * ranks[2],
        lambda ranks: all(after - before == 2 for before, after in pairwise(ranks)),
        lambda ranks: ranks[2] - ranks[0] == ranks[4] - ranks[2] == 3,
    ]
    hands = [[*ranks] for ranks in combinations(range(ACE + 1), 5) if ranks[4] - ranks[0] > 4]
    for test in tests:
        broken = [ranks for ranks in hands if test(ranks)]
        for _ in range(deals):
            for rival in (ONE_PAIR, TWO_PAIRS, THREE):
                yield _against(random, random.choice(broken), False, rival, winner)
            for rival in (FULL_HOUSE, FOUR):
                yield _against(random, random.choice(broken), True, rival, winner)


def four_suited(random: Random, winner: int = 1) -> Iterator[str]:
    """Four cards of one suit, the odd one at each position of the hand in turn, or two suits of one colour."""
    rivals = {
        HIGH_CARD: [ONE_PAIR, TWO_PAIRS, THREE, STRAIGHT],
        ONE_PAIR: [TWO_PAIRS, THREE],
        STRAIGHT: [FLUSH, FULL_HOUSE],
    }
    for category, others in rivals.items():
        for rival in others:
            for position in range(5):
                yield _odd_card(random, category, rival, position, winner)


def _odd_card(random: Random, category: int, rival: int, position: int, winner: int) -> str:
    while True:
        hands = game(random, ranks_of(random, category), ranks_of(random, rival), (False, rival in SUITED))
        if hands is None:
            continue
        main, odd = random.choice([*permutations(SUITS, 2)])
        ranks = [card[0] for card in hands[1]]
        suits = [main] * 5
        suits[position] = odd
        if random.random() < 0.2:
            suits[(position + 2) % 5] = odd
        weaker = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
        if len({*weaker, *hands[0]}) == 10:
            return seat(hands[0], weaker, winner)


def near_royals(random: Random, winner: int = 1, deals: int = 3) -> Iterator[str]:
    """Ten to ace in several suits, flushes with four of the five royal cards, straight flushes up to the king."""
    royal = ranks_of(random, ROYAL_FLUSH)
    almost = [[low, *four] for low in range(8) for four in combinations(royal, 4)]
    flushes = [ranks for ranks in almost if category_of(ranks, True) == FLUSH]
    for _ in range(deals):
        for rival in (FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH):
            yield _against(random, royal, False, rival, winner)
        for rival in (FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH):
            yield _against(random, random.choice(flushes), True, rival, winner)
        for rival in (FULL_HOUSE, FOUR, ROYAL_FLUSH):
            yield _against(random, [7, *royal[:4]], True, rival, winner)


def look_alikes(random: Random, winner: int = 1, lines: int = 40) -> Iterator[str]:
    """Two hands that agree in what a poor memory key would keep: the ranks without suits, their set, sum or product."""
    keys: list[Callable[[list[int]], object]] = [
        lambda ranks: sorted(set(ranks)),
        sum,
        lambda ranks: prod(rank + 2 for rank in ranks),
        lambda ranks: (max(ranks), min(ranks), len(set(ranks))),
    ]
    yield from islice(_one_suited(random, winner), lines // 5)
    for key in islice(cycle(keys), lines - lines // 5):
        yield _alike(random, key, winner)


def _one_suited(random: Random, winner: int) -> Iterator[str]:
    while True:
        ranks = ranks_of(random, random.choice([FLUSH, STRAIGHT_FLUSH]))
        hands = game(random, ranks, ranks, (True, False))
        if hands:
            yield seat(*hands, winner)


def _alike(random: Random, key: Callable[[list[int]], object], winner: int) -> str:
    while True:
        seen: dict[object, list[int]] = {}
        for _ in range(60):
            category = random.choice([HIGH_CARD, ONE_PAIR, TWO_PAIRS, THREE, FULL_HOUSE, FOUR])
            ranks = ranks_of(random, category)
            other = seen.setdefault(str(key(ranks)), ranks)
            hands = game(random, ranks, other) if category_of(other, False) != category else None
            if hands:
                return seat(*hands, winner)
