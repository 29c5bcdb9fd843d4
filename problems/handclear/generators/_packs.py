"""Big hands for the generators beside this file: full ranks, packs without a few cards, faults at one end."""

from random import Random

from _cards import ACE, KING, PACK, QUEEN, TWO, Card, run


def block(random: Random, ranks: int, suits: int, first: int | None = None) -> list[Card]:
    """Return all cards of some suits in neighbouring ranks, from `first` or from anywhere."""
    if first is None:
        first = random.randrange(15 - ranks)
    return [card for suit in random.sample(range(4), suits) for card in run(suit, first, ranks)]


def without_some(random: Random, missing: int) -> list[Card]:
    """Return the pack without some cards, half the time cards of four neighbouring ranks."""
    first = random.randrange(13)
    near = [((first + step) % 13, suit) for step in range(4) for suit in range(4)]
    absent = random.sample(near if random.random() < 0.5 else PACK, missing)
    return [card for card in PACK if card not in absent]


def open_pack(random: Random, at_kings: bool) -> list[Card]:
    """Return a pack without five to nine cards, a queen (or a two) among them; often enough it can be played."""
    absent = (QUEEN if at_kings else TWO, random.randrange(4))
    return [card for card in without_some(random, random.randint(4, 8)) if card != absent]


def stuck_pack(random: Random, at_kings: bool) -> list[Card]:
    """Return a pack without two kings (or twos) and a third card: the other two need runs, and the third stops one.

    Without the third in the next rank, one of the two has no run. Without it further inside, a suit that lost its king
    keeps a stretch of one or two cards there, and not all of these can have a set beside the runs.
    """
    one, two, three, _ = random.sample(range(4), 4)
    step, end = (-1, KING) if at_kings else (1, TWO)
    absent = [(end, one), (end, two)]
    absent.append(random.choice([(end + step, three), (end + 2 * step, one), (end + 3 * step, one)]))
    return [card for card in PACK if card not in absent]


def stuck_block(random: Random, at_kings: bool) -> list[Card]:
    """Return full ranks and a cross beyond a gap: a rank of four cards, two of them with a neighbour on both sides.

    Only one of the cross's two runs can have its middle card, yet every card of the hand is in some group.
    """
    ranks = random.randint(5, 8)
    middle = QUEEN if at_kings else TWO
    cross = [(middle, suit) for suit in range(4)]
    for suit in random.sample(range(4), 2):
        cross += run(suit, middle - 1, 3)
    first = random.randint(ACE, 9 - ranks) if at_kings else random.randint(4, 13 - ranks)
    cards = block(random, ranks, suits=4, first=first)
    return cross + random.sample(cards, len(cards) - random.randint(0, 1))
