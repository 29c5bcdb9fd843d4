"""Cards, categories and deals for the generators of this folder.

A deal is ten different cards: the hand's five, then the deck's five from the top. Their places are the slots 0 to 9.
The player ends with the cards of five slots; such an end is legal when its deck slots are 5, 6, ... without a gap.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, islice
from random import Random

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
WINDOWS = [(RANKS + "A")[low : low + 5] for low in range(10)]
STRAIGHTS = [set(window) for window in WINDOWS]
WRAPPED = ["KA234", "QKA23", "JQKA2"]  # no straights: the ace is never inside one

# The categories, best first.
STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, TWO_PAIRS, ONE_PAIR, HIGHEST_CARD = range(9)

Slots = tuple[int, ...]

ALL_ENDS: list[Slots] = list(combinations(range(10), 5))
LEGAL_ENDS = [end for end in ALL_ENDS if max(end) < 5 or max(end) - 4 == sum(slot >= 5 for slot in end)]
ILLEGAL_ENDS = [end for end in ALL_ENDS if end not in LEGAL_ENDS]


def category(cards: Sequence[str]) -> int:
    """Say which category five cards are."""
    ranks = [card[0] for card in cards]
    kinds = set(ranks)
    if len(kinds) == 4:
        return ONE_PAIR
    if len(kinds) == 3:
        return THREE if max(map(ranks.count, kinds)) == 3 else TWO_PAIRS
    if len(kinds) == 2:
        return FOUR if max(map(ranks.count, kinds)) == 4 else FULL_HOUSE
    flush = len({card[1] for card in cards}) == 1
    if kinds in STRAIGHTS:
        return STRAIGHT_FLUSH if flush else STRAIGHT
    return FLUSH if flush else HIGHEST_CARD


def reachable(deal: Sequence[str]) -> list[int]:
    """Give the category of each of the 32 legal ends."""
    return [category([deal[slot] for slot in end]) for end in LEGAL_ENDS]


def of_category(random: Random, wanted: int) -> list[str]:
    """Draw five cards of a category; every rank and suit has its chance."""
    if wanted in (STRAIGHT_FLUSH, STRAIGHT):
        return run(random, random.choice(WINDOWS), suited=wanted == STRAIGHT_FLUSH)
    if wanted == FLUSH:
        cards = run(random, random.sample(RANKS, 5), suited=True)
        return cards if category(cards) == FLUSH else of_category(random, wanted)
    if wanted == HIGHEST_CARD:
        cards = run(random, random.sample(RANKS, 5), suited=False)
        return cards if category(cards) == HIGHEST_CARD else of_category(random, wanted)
    return alike(random, wanted, random.choice(RANKS))


def run(random: Random, ranks: Iterable[str], *, suited: bool) -> list[str]:
    """Give suits to five ranks, all the same or not all the same."""
    if suited:
        suit = random.choice(SUITS)
        return [rank + suit for rank in ranks]
    ranks = list(ranks)
    while True:
        suits = [random.choice(SUITS) for _ in ranks]
        if len(set(suits)) > 1:
            return [rank + suit for rank, suit in zip(ranks, suits, strict=True)]


def alike(random: Random, wanted: int, rank: str) -> list[str]:
    """Draw five cards of a category made of equal ranks; `rank` is the one that occurs most."""
    times = {FOUR: [4, 1], FULL_HOUSE: [3, 2], THREE: [3, 1, 1], TWO_PAIRS: [2, 2, 1], ONE_PAIR: [2, 1, 1, 1]}[wanted]
    ranks = [rank, *random.sample(RANKS.replace(rank, ""), len(times) - 1)]
    return [kind + suit for kind, count in zip(ranks, times, strict=True) for suit in random.sample(SUITS, count)]


def planted(random: Random, cards: Sequence[str], end: Slots) -> list[str]:
    """Deal five given cards to five given slots, in any order, and others of the pack to the rest."""
    return completed(random, dict(zip(end, random.sample(cards, len(cards)), strict=True)))


def completed(random: Random, placed: dict[int, str]) -> list[str]:
    """Deal the placed cards to their slots and others of the pack to the rest."""
    taken = set(placed.values())
    others = random.sample([card for card in PACK if card not in taken], 10 - len(placed))
    return [placed[slot] if slot in placed else others.pop() for slot in range(10)]


def rarest(random: Random, cards: Sequence[str], end: Slots, tries: int = 12) -> list[str]:
    """Plant the cards so that few other ends are as good and none is better, if one of the tries succeeds."""
    wanted = category(cards)

    def rivals(deal: list[str]) -> int:
        found = reachable(deal)
        return found.count(wanted) if min(found) == wanted else len(found) + 1

    return min((planted(random, cards, end) for _ in range(tries)), key=rivals)


def poorest(random: Random, cards: Sequence[str], end: Slots, tries: int = 12) -> list[str]:
    """Plant the cards so that the deal's true best is as low as the tries allow."""
    return max((planted(random, cards, end) for _ in range(tries)), key=lambda deal: min(reachable(deal)))


def highest_card_deal(random: Random) -> list[str]:
    """Deal ten cards from which nothing can be made."""
    while True:
        deal = planted(random, of_category(random, HIGHEST_CARD), LEGAL_ENDS[0])
        if min(reachable(deal)) == HIGHEST_CARD:
            return deal


def spread(random: Random, ends: Sequence[Slots], count: int) -> list[Slots]:
    """Take `count` ends, each about equally often, in random order."""
    ends = random.sample(ends, len(ends))
    return list(islice((end for _ in range(count // len(ends) + 1) for end in ends), count))


def line(deal: Iterable[str]) -> str:
    """Write a deal as a line of input."""
    return " ".join(deal)
