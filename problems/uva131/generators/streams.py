"""Whole files: what one line leaves behind for the next, and sheer size."""

from collections.abc import Iterator
from itertools import cycle, islice
from random import Random

import _deals as deals


def same_cards(random: Random, lines: int = 150) -> Iterator[str]:
    """The same ten cards again: in another order, with the hand and the deck exchanged, shuffled, and unchanged."""
    yield from islice(_same_cards(random), lines)


def _same_cards(random: Random) -> Iterator[str]:
    for wanted in cycle(range(8)):
        deal = deals.rarest(random, deals.of_category(random, wanted), random.choice(deals.LEGAL_ENDS))
        hand, deck = deal[:5], deal[5:]
        yield deals.line(deal)
        yield deals.line(hand + random.sample(deck, 5))
        yield deals.line(deck + hand)
        yield deals.line(random.sample(hand, 5) + deck)
        yield deals.line(random.sample(deal, 10))
        yield deals.line(deal)


def one_card_changed(random: Random, lines: int = 160) -> Iterator[str]:
    """Two lines that differ in one card, and in the answer; each of the ten slots in turn."""
    for number in range(lines // 2):
        slot = number % 10
        deal, changed = _changed_deals(random, slot, number // 10 % 8)
        yield deals.line(deal)
        yield deals.line(changed)


def _changed_deals(random: Random, slot: int, wanted: int) -> tuple[list[str], list[str]]:
    ends = [end for end in deals.LEGAL_ENDS if slot in end]
    while True:
        deal = deals.rarest(random, deals.of_category(random, wanted), random.choice(ends), tries=4)
        changed = deal.copy()
        changed[slot] = random.choice([card for card in deals.PACK if card not in deal])
        if min(deals.reachable(changed)) != min(deals.reachable(deal)):
            return deal, changed


def same_ranks(random: Random, lines: int = 150) -> Iterator[str]:
    """A flush or straight flush, then the same ranks with one suit, two suits or all suits changed."""
    yield from islice(_same_ranks(random), lines)


def _same_ranks(random: Random) -> Iterator[str]:
    for wanted in cycle([deals.STRAIGHT_FLUSH, deals.FLUSH]):
        end = random.choice(deals.LEGAL_ENDS)
        deal = deals.rarest(random, deals.of_category(random, wanted), end)
        yield deals.line(deal)
        turned = dict(zip(deals.SUITS, random.sample(deals.SUITS, 4), strict=True))
        yield deals.line(card[0] + turned[card[1]] for card in deal)
        slot = random.choice(end)
        spoilt = [deal[slot][0] + suit for suit in deals.SUITS if deal[slot][0] + suit not in deal]
        yield deals.line([*deal[:slot], random.choice(spoilt), *deal[slot + 1 :]])
        yield from map(deals.line, _crossed(random, deal))
        yield deals.line(_other_suits(random, deal))


def _crossed(random: Random, deal: list[str]) -> tuple[list[str], list[str]]:
    """Exchange the suits of two cards of the hand, then their ranks instead; try for a change of the best hand."""
    by_suit, by_rank = deal, deal
    for _ in range(30):
        first, second = random.sample(range(5), 2)
        crossed = deal[first][0] + deal[second][1], deal[second][0] + deal[first][1]
        if crossed[0] in deal or crossed[1] in deal:
            continue
        by_suit, by_rank = deal.copy(), deal.copy()
        by_suit[first], by_suit[second] = crossed
        by_rank[second], by_rank[first] = crossed
        if min(deals.reachable(by_suit)) != min(deals.reachable(deal)):
            break
    return by_suit, by_rank


def _other_suits(random: Random, deal: list[str]) -> list[str]:
    """Keep the ranks in their places and draw the suits anew."""
    while True:
        turned = [card[0] + random.choice(deals.SUITS) for card in deal]
        if len(set(turned)) == len(turned):
            return turned


def good_then_bad(random: Random, lines: int = 120) -> Iterator[str]:
    """Every other line is nothing at all, after a good one: a best hand, count or list that is not reset shows."""
    for number in range(lines):
        if number % 2:
            yield deals.line(deals.highest_card_deal(random))
            continue
        cards = deals.of_category(random, number // 2 % 8)
        yield deals.line(deals.rarest(random, cards, random.choice(deals.LEGAL_ENDS), tries=4))


def mixed(random: Random, lines: int = 10_000) -> Iterator[str]:
    """A long file: hands of every category, planted where they can be reached or anywhere among the ten cards."""
    for _ in range(lines):
        cards = deals.of_category(random, random.randrange(9))
        yield deals.line(deals.planted(random, cards, random.choice(random.choice([deals.LEGAL_ENDS, deals.ALL_ENDS]))))
