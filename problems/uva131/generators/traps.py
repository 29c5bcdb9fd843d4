"""Deals on which a wrong reading of the rules sees more than there is."""

from collections.abc import Iterator
from itertools import cycle
from random import Random

import _deals as deals


def out_of_reach(random: Random, lines: int = 220) -> Iterator[str]:
    """A good hand lies where no way to discard brings it together; all 220 such sets of five cards in turn.

    Among them: deck cards drawn out of order, in the place of the discarded card, from the bottom, one too many or too
    few, and the deck's fifth card together with a card of the hand.
    """
    for number, end in enumerate(deals.spread(random, deals.ILLEGAL_ENDS, lines)):
        yield deals.line(deals.poorest(random, deals.of_category(random, number % 8), end))


def wrapped_runs(random: Random, lines: int = 120) -> Iterator[str]:
    """KA234, QKA23 and JQKA2 are in reach, by turns in several suits (nothing) and in one (a flush): no straights."""
    for number, end in enumerate(deals.spread(random, deals.LEGAL_ENDS, lines)):
        cards = deals.run(random, deals.WRAPPED[number % 3], suited=number // 3 % 2 == 1)
        yield deals.line(deals.poorest(random, cards, end))


def broken_runs(random: Random, lines: int = 160) -> Iterator[str]:
    """Four ranks of a straight with one from beyond its ends (suited or not) or with one of the four again."""
    for number, end in enumerate(deals.spread(random, deals.LEGAL_ENDS, lines)):
        low = number % 10
        window = list(deals.WINDOWS[low])
        del window[random.randrange(5)]
        beyond = [deals.RANKS[low - 1], deals.RANKS[(low + 5) % 13]]
        strangers = [rank for rank in beyond if {*window, rank} not in deals.STRAIGHTS and rank not in window]
        if number // 10 % 3 == 2 or not strangers:
            cards = _with_a_pair(random, window)
        else:
            cards = deals.run(random, [*window, random.choice(strangers)], suited=number // 10 % 3 == 1)
        yield deals.line(deals.poorest(random, cards, end))


def _with_a_pair(random: Random, four: list[str]) -> list[str]:
    """Draw four ranks and one of them twice."""
    while True:
        cards = deals.run(random, [*four, random.choice(four)], suited=False)
        if len(set(cards)) == len(cards):
            return cards


def four_suited(random: Random, lines: int = 96) -> Iterator[str]:
    """Four cards of one suit are in reach together with a fifth of another: no flush, and hardly anything else."""
    suits = cycle(deals.SUITS)
    for end in deals.spread(random, deals.LEGAL_ENDS, lines):
        suit = next(suits)
        odd = random.choice(deals.SUITS.replace(suit, ""))
        while True:
            cards = [rank + suit for rank in random.sample(deals.RANKS, 5)]
            cards[0] = cards[0][0] + odd
            if deals.category(cards) == deals.HIGHEST_CARD:
                break
        yield deals.line(deals.poorest(random, cards, end))


def straight_and_flush(random: Random, lines: int = 80) -> Iterator[str]:
    """A straight and a flush are in reach, sharing four cards, but no straight flush."""
    windows = cycle(deals.WINDOWS)
    for _ in range(lines):
        yield deals.line(_apart(random, next(windows)))


def _apart(random: Random, window: str) -> list[str]:
    """Give a suited run one card of another suit, and add a card of the run's suit."""
    while True:
        cards = deals.run(random, window, suited=True)
        suit = cards[0][1]
        odd = random.randrange(5)
        spare = random.choice([rank for rank in deals.RANKS if rank not in window]) + suit
        cards[odd] = window[odd] + random.choice(deals.SUITS.replace(suit, ""))
        taken = {*cards, spare}
        others = random.sample([card for card in deals.PACK if card not in taken], 4)
        deal = random.sample([*cards, spare, *others], 10)
        found = deals.reachable(deal)
        if min(found) == deals.FLUSH and deals.STRAIGHT in found:
            return deal


def nothing(random: Random, lines: int = 120) -> Iterator[str]:
    """The highest card is all there is; the fifth deck card often pairs a card of the hand, which it can never join."""
    for _ in range(lines):
        yield deals.line(deals.highest_card_deal(random))
