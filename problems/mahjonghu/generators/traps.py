"""Hands on which one typical mistake gives the wrong answer.

Each family bends one rule and keeps the hands that come out differently then.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from _tiles import (
    COPIES,
    GROUPS,
    KINDS,
    NATURAL_KINDS,
    RUNS,
    SIZES,
    SUITS,
    TRIPLETS,
    WILD,
    Group,
    Rules,
    as_line,
    build,
    is_legal,
    of_suits,
    wins,
)


def _where_wrong(
    random: Random,
    lines: int,
    bent: Rules,
    *,
    groups: Sequence[Group] = GROUPS,
    sizes: Sequence[int] = SIZES,
    wilds: Sequence[int] = range(COPIES + 1),
    suits: int = 3,
) -> Iterator[str]:
    """Yield hands, planted out of `groups` in so many suits, on which the bent rules are wrong."""
    while lines:
        allowed, pairs = of_suits(random.sample(SUITS, suits))
        mine = [group for group in groups if group in allowed or group not in GROUPS]
        hand = build(random, random.choice(sizes), random.choice(wilds), groups=mine, pairs=pairs)
        if bent.wins(hand) != wins(hand):
            yield as_line(hand)
            lines -= 1


def across_suits(random: Random, lines: int = 60) -> Iterator[str]:
    """Runs such as 8 9 | 12, 19 | 21 22 or 19 (20) 21, which go on in the next suit: no runs."""
    wrong = [
        run
        for kinds in (KINDS, NATURAL_KINDS)
        for run in zip(kinds, kinds[1:], kinds[2:], strict=False)
        if run[0] // 10 != run[2] // 10 and WILD not in run
    ]
    bent = Rules(groups=[*GROUPS, *wrong, (19, 20, 21)])
    yield from _where_wrong(random, lines, bent, groups=[*TRIPLETS[::4], *wrong, (19, WILD, 21)], wilds=range(4))


def round_the_corner(random: Random, lines: int = 60) -> Iterator[str]:
    """Runs such as 8 9 1 and 9 1 2: no runs."""
    wrong = [(suit + 9, suit + 1, suit + other) for suit in SUITS for other in (2, 8)]
    bent = Rules(groups=[*GROUPS, *wrong])
    yield from _where_wrong(random, lines, bent, groups=[*RUNS, *wrong * 4], wilds=range(3))


def no_runs(random: Random, lines: int = 60) -> Iterator[str]:
    """Three suits, as 5 15 25 or 4 15 26, and steps that are not one, as 2 4 6 or 3 4 6: no groups."""
    wrong = [(value, 10 + value, 20 + value) for value in range(2, 10)]
    wrong += [(value, 11 + value, 22 + value) for value in range(1, 8)]
    for second, third in ((2, 4), (1, 3), (2, 3), (3, 6)):
        wrong += [(kind, kind + second, kind + third) for kind in KINDS if kind % 10 + third <= 9]
    bent = Rules(groups=[*GROUPS, *wrong])
    yield from _where_wrong(random, lines, bent, groups=[*GROUPS, *wrong])


def kongs(random: Random, lines: int = 60) -> Iterator[str]:
    """Four of a kind: no group, though three kongs and a pair are as long as a hand that wins."""
    wrong = [(kind,) * 4 for kind in NATURAL_KINDS]
    bent = Rules(groups=[*GROUPS, *wrong])
    while lines:
        hand = [kind for kong in random.sample(wrong, 3) for kind in kong] + [random.choice(KINDS)] * 2
        hand += random.choice([(), random.choice(GROUPS)])
        hand = [WILD if random.random() < 0.1 else tile for tile in hand]
        random.shuffle(hand)
        if is_legal(hand) and bent.wins(hand) and not wins(hand):
            yield as_line(hand)
            lines -= 1


def seven_pairs(random: Random, lines: int = 60) -> Iterator[str]:
    """Seven pairs, wild ones among them. Every third hand wins, because it splits into groups as well."""
    for number in range(lines):
        may_win = number % 3 == 0
        while True:
            kinds = random.sample(KINDS, 7)
            if may_win:
                low = random.choice(RUNS)[0]
                kinds = [low, low + 1, low + 2, *random.choice(RUNS), kinds[0]]
            hand = [WILD if random.random() < 0.12 else kind for kind in kinds for _ in range(2)]
            if is_legal(hand) and wins(hand) == may_win:
                break
        random.shuffle(hand)
        yield as_line(hand)


def fifth_copies(random: Random, lines: int = 60) -> Iterator[str]:
    """Hands with all four tiles of a kind that win only because a wild tile may be a fifth one."""
    bent = Rules(copies=COPIES)
    while lines:
        kind = random.choice(NATURAL_KINDS)
        around = [group for group in GROUPS if kind in group]
        groups = [*around * 3, *of_suits([kind // 10 * 10])[0]]
        pairs = [kind, random.choice(KINDS)]
        hand = build(random, random.choice(SIZES), random.randint(1, COPIES), groups=groups, pairs=pairs)
        if hand.count(kind) == COPIES and wins(hand) and not bent.wins(hand):
            yield as_line(hand)
            lines -= 1


def wild_parts(random: Random, lines: int = 60) -> Iterator[str]:
    """Complete hands in which the pair or a whole group is wild, and up to two other tiles are."""
    while lines:
        size = random.choice(SIZES)
        if random.random() < 0.5:
            hand = [tile for _ in range(size // 3) for tile in random.choice(GROUPS)]
        else:
            hand = build(random, size - 3, 0)
        for place in random.sample(range(len(hand)), random.randint(0, 2)):
            hand[place] = WILD
        hand += [WILD] * (size - len(hand))
        random.shuffle(hand)
        if is_legal(hand):
            yield as_line(hand)
            lines -= 1


def wild_places(random: Random, lines: int = 60) -> Iterator[str]:
    """Hands that win only with a wild tile at the low end of a run, or in the middle, or at the top: a third each."""
    for place in range(3):
        bent = Rules(wild_places=[other for other in range(3) if other != place])
        yield from _where_wrong(random, lines // 3, bent)


def single_tile_pairs(random: Random, lines: int = 60) -> Iterator[str]:
    """Hands that win only with a tile and a wild one as the pair."""
    yield from _where_wrong(random, lines, Rules(pair_wilds=0), wilds=range(1, COPIES + 1))


def lone_tiles(random: Random, lines: int = 60) -> Iterator[str]:
    """Hands that win only with two wild tiles in one group."""
    yield from _where_wrong(random, lines, Rules(group_wilds=1), wilds=[COPIES])


def triplets_too_early(random: Random, lines: int = 60, wilds: int = 1) -> Iterator[str]:
    """Hands that are lost when a triplet in the hand is taken at once, before a run and before the pair."""
    bent = Rules(hurry="triplet", pair_last=True)
    yield from _where_wrong(random, lines, bent, wilds=range(wilds + 1), suits=1)


def runs_too_early(random: Random, lines: int = 60, wilds: int = 1) -> Iterator[str]:
    """Hands that are lost when a run in the hand is taken at once, before a triplet."""
    yield from _where_wrong(random, lines, Rules(hurry="run"), wilds=range(wilds + 1), suits=1)


def cheapest_too_early(random: Random, lines: int = 30) -> Iterator[str]:
    """Hands that are lost when the lowest tile takes the pair or the group that needs the fewest wild tiles."""
    yield from _where_wrong(random, lines, Rules(hurry="cheap"), wilds=[1], suits=1, sizes=SIZES[1:4])


def one_pair_of_many(random: Random, lines: int = 60, wilds: int = 0) -> Iterator[str]:
    """Hands with three or more kinds that occur twice, of which a single one may be the pair."""
    by_pair = [Rules(pairs=[kind], pair_wilds=1) for kind in KINDS]
    while lines:
        groups, pairs = of_suits(random.sample(SUITS, 2))
        hand = build(random, random.choice(SIZES[1:]), random.randint(0, wilds), groups=groups, pairs=pairs)
        doubles = [kind for kind, count in Counter(hand).items() if count >= 2 and kind != WILD]
        if len(doubles) >= 3 and sum(rules.wins(hand) for rules in by_pair) == 1:
            yield as_line(hand)
            lines -= 1
