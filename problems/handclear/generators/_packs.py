"""Big hands for the generators beside this file: full ranks, packs without a few cards, faults at one end."""

from random import Random

from _cards import ACE, KING, PACK, QUEEN, RANKS, SUITS, TWO, Card, run

# Packs without these cards can be played, but a search without a memory takes over 150,000 steps to find out. Found by
# trial: at least three each for lowest card first, kings first, twos first and suit by suit, with sets or runs first.
RARE_WAYS = [
    "AD 2C 2D 2S QD KH",
    "AH 2C 2D 2H QS",
    "AC AH 3C 3D QH",
    "JC JD JS QS KH KS",
    "AD AH AS 2H 3S",
    "AC AD 2H 2S",
    "JC QD QS KD KS",
    "JC QD QH KD KH KS",
    "AD AH 3D 3H QS",
    "AC AH AS 2S 3H 3S QC",
    "AH AS 2C 2S",
]


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


def rare_ways(random: Random) -> list[list[Card]]:
    """Return packs that can be played in few ways and begun in very many, each in three orders of the suits."""
    hands = []
    for names in RARE_WAYS:
        absent = [(RANKS.index(rank), SUITS.index(suit)) for rank, suit in names.split()]
        present = [card for card in PACK if card not in absent]
        orders = [range(4), range(3, -1, -1), random.sample(range(4), 4)]
        hands += [[(rank, order[suit]) for rank, suit in present] for order in orders]
    return hands
