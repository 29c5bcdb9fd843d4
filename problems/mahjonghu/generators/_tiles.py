"""Tiles, groups, planted hands, and a plain solver whose rules can be bent.

A hand is a list of numbers. It is planted by putting a pair and groups together and turning some tiles into wild ones;
whether it wins is always asked of `wins`, never taken from the intention. A trap is a hand on which bent rules, those
of a program with a typical mistake, give another answer than the true ones.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

WILD = 11
COPIES = 4
SUITS = (0, 10, 20)
SIZES = (5, 8, 11, 14, 17)
KINDS = [suit + value for suit in SUITS for value in range(1, 10)]
NATURAL_KINDS = [kind for kind in KINDS if kind != WILD]
TRIPLETS = [(kind, kind, kind) for kind in KINDS]
RUNS = [(suit + low, suit + low + 1, suit + low + 2) for suit in SUITS for low in range(1, 8)]
GROUPS = [*TRIPLETS, *RUNS]
Group = tuple[int, ...]


def as_line(hand: Iterable[int]) -> str:
    return " ".join(map(str, hand))


def is_legal(hand: Sequence[int]) -> bool:
    """Tell whether no number occurs more often than there are tiles of it."""
    return all(count <= COPIES for count in Counter(hand).values())


def of_suits(suits: Iterable[int]) -> tuple[list[Group], list[int]]:
    """Return the groups and the kinds of these suits."""
    kinds = [suit + value for suit in suits for value in range(1, 10)]
    return [group for group in GROUPS if group[0] in kinds], kinds


def build(
    random: Random, size: int, wilds: int, *, groups: Sequence[Group] = GROUPS, pairs: Sequence[int] = KINDS
) -> list[int]:
    """Return a legal hand: a pair and (size - 2) // 3 groups in which `wilds` tiles have become wild, or were."""
    while True:
        hand = [random.choice(pairs)] * 2
        for _ in range(size // 3):
            hand += random.choice(groups)
        missing = wilds - hand.count(WILD)
        others = [place for place, tile in enumerate(hand) if tile != WILD]
        if not 0 <= missing <= len(others):
            continue
        for place in random.sample(others, missing):
            hand[place] = WILD
        if is_legal(hand):
            random.shuffle(hand)
            return hand


def moved(random: Random, hand: Sequence[int]) -> list[int]:
    """Return the hand with one tile that is not wild moved by one or two in its suit, or into the next suit."""
    while True:
        place = random.randrange(len(hand))
        changed = [*hand]
        changed[place] += random.choice([-2, -1, -1, 1, 1, 2, -10, 10])
        if hand[place] != WILD and changed[place] in NATURAL_KINDS and is_legal(changed):
            return changed


def take(counts: Sequence[int], part: Iterable[int]) -> tuple[list[int], list[int]]:
    """Return what is left after taking the part out, and the kinds in it that wild tiles must stand for."""
    left = [*counts]
    needed = []
    for kind in part:
        if left[kind]:
            left[kind] -= 1
        else:
            needed.append(kind)
    return left, needed


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of the game, or, where a field is given, those that a mistaken program follows.

    Attributes:
        groups: what counts as a group.
        copies: how many tiles of a kind there may be once the wild tiles have become others.
        pairs: the kinds that may be the pair, unless it is wild.
        pair_wilds: how many of the pair's tiles may be wild.
        group_wilds: how many tiles of a group may be wild beside one that is not.
        wild_places: where in a run a wild tile may stand; 0 is the low end.
        hurry: the lowest tile takes a "triplet" or a "run" that the hand's own tiles make at once, or ("cheap") the
            group that needs the fewest wild tiles, and the choice is never taken back.
        pair_last: a tile goes into the pair only where it fits into no group that the hand's own tiles make.
    """

    groups: Sequence[Group] = tuple(GROUPS)
    copies: int = 99
    pairs: Sequence[int] = tuple(KINDS)
    pair_wilds: int = 2
    group_wilds: int = 2
    wild_places: Sequence[int] = (0, 1, 2)
    hurry: str = ""
    pair_last: bool = False

    def wins(self, hand: Sequence[int]) -> bool:
        """Tell whether the hand wins, by trying every place for its lowest tile."""
        counts = [hand.count(number) if number != WILD else 0 for number in range(30)]
        return self._splits(counts, hand.count(WILD), counts, paired=False)

    def _splits(self, counts: list[int], wilds: int, made: list[int], *, paired: bool) -> bool:
        """Tell whether the tiles split. made: the hand as it is with the wild tiles turned into others so far."""
        lowest = next((kind for kind, count in enumerate(counts) if count), None)
        if lowest is None:
            spare = wilds if paired else wilds - 2
            return spare >= 0 and spare % 3 == 0 and (paired or self.pair_wilds == 2)
        for part in self._choices(counts, lowest, paired=paired):
            left, needed = take(counts, part)
            if len(needed) > wilds or not self._may_be_wild(part, needed):
                continue
            now_made = [*made]
            for kind in needed:
                now_made[kind] += 1
            if max(now_made) > self.copies:
                continue
            if self._splits(left, wilds - len(needed), now_made, paired=paired or len(part) == 2):
                return True
        return False

    def _may_be_wild(self, part: Group, needed: Sequence[int]) -> bool:
        if len(part) == 2:
            return len(needed) <= self.pair_wilds
        if len(needed) > self.group_wilds:
            return False
        return part[0] == part[1] or all(part.index(kind) in self.wild_places for kind in needed)

    def _choices(self, counts: list[int], lowest: int, *, paired: bool) -> list[Group]:
        """Return the groups, and the pair, that are tried for the lowest tile."""
        groups = self._homes[lowest]
        pair: list[Group] = [(lowest, lowest)] if lowest in self.pairs and not paired else []
        if self.hurry == "cheap":
            return [min(groups, key=lambda group: len(take(counts, group)[1])), *pair]
        whole = [group for group in groups if not take(counts, group)[1]]
        if whole and self.pair_last:
            pair = []
        if self.hurry:
            wanted = [group for group in whole if (group[0] == group[1]) == (self.hurry == "triplet")]
            groups = wanted or groups
        return [*groups, *pair]

    @cached_property
    def _homes(self) -> dict[int, list[Group]]:
        return {kind: [group for group in self.groups if kind in group] for kind in KINDS}


TRUE_RULES = Rules()


def wins(hand: Sequence[int]) -> bool:
    """Tell whether the hand wins by the true rules."""
    return TRUE_RULES.wins(hand)
