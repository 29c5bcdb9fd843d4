"""Games between two hands of one category."""

from collections.abc import Iterator
from random import Random

from _cards import (
    ACE,
    CATEGORIES,
    SHAPES,
    STRAIGHT,
    STRAIGHT_FLUSH,
    SUITED,
    Hands,
    category_of,
    game,
    in_order,
    ranks_of,
    seat,
    spread,
)

RUNS = {STRAIGHT, STRAIGHT_FLUSH}


def first_difference(
    random: Random, categories: str = "one-pair", start: int = 0, winner: int = 1, far: bool = True
) -> Iterator[str]:
    """The hands agree up to a place, differ there by one step (or by more: far), and say the contrary after it.

    A place is a position in the order of comparison; `start` is the first that is tried. Every pair of neighbouring
    ranks that can stand at a place gets a line.
    """
    for name in categories.split():
        category = CATEGORIES.index(name)
        for place in range(start, len(SHAPES[category])):
            for rank in range(1, ACE + 1):
                for lower in (range(rank - 1, rank), range(rank - 1))[: 1 + far]:
                    hands = _decided_at(random, category, place, rank, lower)
                    if hands:
                        yield seat(*hands, winner)


def _decided_at(random: Random, category: int, place: int, rank: int, lower: range) -> Hands | None:
    """Return the most misleading hands found: `rank` at the place in the stronger, one of `lower` in the weaker."""
    found = []
    suited = (category in SUITED, category in SUITED)
    for _ in range(300):
        stronger = in_order(ranks_of(random, category))
        if stronger[place] != rank:
            continue
        weaker = _sharing(random, category, stronger[:place])
        if weaker is None or weaker[place] not in lower:
            continue
        hands = game(random, spread(category, stronger), spread(category, weaker), suited)
        if hands:
            found.append((sum(weaker[place + 1 :]) - sum(stronger[place + 1 :]), hands))
    return max(found, key=lambda item: item[0])[1] if found else None


def _sharing(random: Random, category: int, first: list[int]) -> list[int] | None:
    """Return the different ranks, in order, of a hand of the category that begins with `first`, if chance finds one."""
    if category in RUNS:
        return in_order(ranks_of(random, category)) if not first else None
    for _ in range(20):
        others = [rank for rank in range(ACE + 1) if rank not in first]
        order = [*first, *random.sample(others, len(SHAPES[category]) - len(first))]
        ranks = spread(category, order)
        order = in_order(ranks)
        if order[: len(first)] == first and category_of(ranks, category in SUITED) == category:
            return order
    return None
