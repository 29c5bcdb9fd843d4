"""Deals whose best hand is planted, in every category, rank and way to discard."""

from collections.abc import Iterator
from itertools import cycle, permutations
from random import Random

import _deals as deals


def random_deals(random: Random, lines: int = 100) -> Iterator[str]:
    """Ten cards from a shuffled pack."""
    for _ in range(lines):
        yield deals.line(random.sample(deals.PACK, 10))


def one_way(random: Random, lines: int = 256) -> Iterator[str]:
    """One way to discard, or hardly more, reaches the best; all 32 ways with each of eight categories."""
    for number, end in enumerate(deals.spread(random, deals.LEGAL_ENDS, lines)):
        cards = deals.of_category(random, number // len(deals.LEGAL_ENDS) % 8)
        yield deals.line(deals.rarest(random, cards, end))


def straights(random: Random, lines: int = 160) -> Iterator[str]:
    """Each of the ten straights in turn, the ace low and high: first in several suits, then in one, and so on."""
    for number, end in enumerate(deals.spread(random, deals.LEGAL_ENDS, lines)):
        window = deals.WINDOWS[number % 10]
        yield deals.line(deals.rarest(random, deals.run(random, window, suited=number // 10 % 2 == 1), end))


def equal_ranks(random: Random, lines: int = 130) -> Iterator[str]:
    """Four, full house, three, two pairs and one pair, each for every rank."""
    for number, end in enumerate(deals.spread(random, deals.LEGAL_ENDS, lines)):
        wanted = [deals.FOUR, deals.FULL_HOUSE, deals.THREE, deals.TWO_PAIRS, deals.ONE_PAIR][number // 13 % 5]
        yield deals.line(deals.rarest(random, deals.alike(random, wanted, deals.RANKS[number % 13]), end))


def rivals(random: Random, lines: int = 112) -> Iterator[str]:
    """Two categories are in reach, by different ways to discard; all pairs of categories in turn."""
    pairs = cycle([(better, worse) for better in range(8) for worse in range(better + 1, 8)])
    for _ in range(lines):
        yield deals.line(_rival_deal(random, *next(pairs)))


def _rival_deal(random: Random, better: int, worse: int) -> list[str]:
    """Plant five cards of each category at two legal ends; try until nothing better is in reach by chance."""
    for _ in range(100):
        cards, rival = deals.of_category(random, better), deals.of_category(random, worse)
        shared = [card for card in cards if card in rival]
        end, rival_end = random.choice(_ENDS_BY_OVERLAP[len(shared)])
        slots = [
            *[slot for slot in end if slot in rival_end],
            *[slot for slot in end if slot not in rival_end],
            *[slot for slot in rival_end if slot not in end],
        ]
        own = [card for card in cards if card not in rival]
        missing = [card for card in rival if card not in cards]
        deal = deals.completed(random, dict(zip(slots, shared + own + missing, strict=True)))
        if min(deals.reachable(deal)) == better:
            return deal
    raise AssertionError(f"categories {better} and {worse}: something better is in reach of every deal tried")


_ENDS_BY_OVERLAP: dict[int, list[tuple[deals.Slots, deals.Slots]]] = {
    overlap: [
        (first, second)
        for first, second in permutations(deals.LEGAL_ENDS, 2)
        if len(set(first) & set(second)) == overlap
    ]
    for overlap in range(5)
}
