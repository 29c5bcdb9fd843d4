"""Families of hands: each is a way to go wrong, with hands that can be played and hands that just cannot."""

from collections.abc import Iterator
from random import Random

from _cards import ACE, JACK, KING, QUEEN, SUITS, TWO, all_runs, all_sets, disturbed, line, planted, run, shuffled
from _packs import block, open_pack, rare_ways, stuck_block, stuck_pack, without_some


def every_set(random: Random) -> Iterator[str]:
    """All the sets there are, every pair of a rank beside a card of the next rank, and every pair alone."""
    for rank in range(13):
        for cards in all_sets(rank):
            yield shuffled(random, cards)
        pair = [(rank, suit) for suit in random.sample(range(4), 2)]
        yield shuffled(random, [*pair, ((rank + 1) % 13, random.randrange(4))])
        yield shuffled(random, pair)


def every_run(random: Random, suits: str = SUITS, longest: int = 13, whole: bool = True) -> Iterator[str]:
    """All the runs of some suits; not `whole`: an inner card is missing or of another suit."""
    for suit in [SUITS.index(letter) for letter in suits]:
        for cards in all_runs(suit, longest):
            if not whole:
                inner = random.randrange(1, len(cards) - 1)
                rank = cards[inner][0]
                change = [[], [(rank, random.choice([s for s in range(4) if s != suit]))]]
                cards[inner : inner + 1] = random.choice(change)
            yield shuffled(random, cards)


def one_suit(random: Random, lines: int = 150) -> Iterator[str]:
    """Stretches of 1 to 5 cards of one suit with single gaps, anywhere from the low ace to the high one."""
    for _ in range(lines):
        suit, rank, cards = random.randrange(4), random.randrange(3), []
        while rank < 13:
            length = random.choice([1, 2, 3, 3, 3, 4, 4, 5])
            cards += run(suit, rank, min(length, 14 - rank))
            rank += length + random.choice([1, 1, 2])
        yield shuffled(random, cards)


def round_the_corner(random: Random, lines: int = 100) -> Iterator[str]:
    """Runs that go on after the high ace, in one suit or several, now and then with a set that rescues a card."""
    for _ in range(lines):
        cards = []
        for suit in random.sample(range(4), random.choice([1, 1, 2, 3])):
            low = random.randrange(9, 13)
            cards += run(suit, low, random.randrange(14 - low, 17 - low + 1))
        if random.random() < 0.6:
            cards += random.choice(all_sets(random.choice([ACE, ACE, TWO, KING])))
        yield shuffled(random, cards)


def aces(random: Random, lines: int = 200) -> Iterator[str]:
    """Every ace low, high, in a set, absent or too many: with the two cards it needs, or with one of them missing."""
    for _ in range(lines):
        cards = []
        shares = random.choice([(2, 2, 1, 4), (2, 2, 1, 4), (2, 2, 1, 4), (9, 1, 0, 1), (1, 9, 0, 1)])
        for suit in range(4):
            low = run(suit, TWO, random.choice([2, 2, 2, 2, 3]))
            high = run(suit, QUEEN, 2) if random.random() < 0.8 else run(suit, JACK, 3)
            role = random.choices([low, high, low + high, []], shares)[0]
            if role and random.random() < 0.12:
                role = random.sample(role, len(role) - 1)
            cards += role
            if random.random() < 0.9:
                cards.append((ACE, suit))
        yield shuffled(random, cards)


def shared_card(random: Random, lines: int = 150) -> Iterator[str]:
    """A set of a rank and runs through one to three of its suits: of four cards one run may have its own."""
    for _ in range(lines):
        rank = random.randrange(13)
        cards = list(random.choice(all_sets(rank)))
        for suit in random.sample(range(4), random.choice([1, 1, 2, 2, 3])):
            below, above = random.choice([(0, 2), (1, 1), (2, 0), (1, 2), (3, 3), (2, 3), (0, 3), (3, 0), (2, 2)])
            low, high = max(rank - below, 0), min(rank + above, 13)
            cards += run(suit, low, high - low + 1)
        yield shuffled(random, cards)


def cut_run(random: Random, lines: int = 150) -> Iterator[str]:
    """A long run and sets at one or two of its ranks: played, they cut it into pieces of 0 to 5 cards."""
    for _ in range(lines):
        suit = random.randrange(4)
        length = random.randrange(5, 10)
        low = random.randrange(15 - length)
        cards = run(suit, low, length)
        pieces = [0, 1, 2, 3, 3, 3, 4, 5]
        cut = low + random.choice(pieces)
        for _ in range(random.choice([1, 1, 1, 2])):
            others = [other for other in range(4) if other != suit]
            cards += [(cut % 13, other) for other in random.sample(others, random.choice([2, 2, 2, 3]))]
            cut = min(cut + 1 + random.choice(pieces), 13)
        yield shuffled(random, cards)


def window(random: Random, ranks: int = 5, suits: int = 4, lines: int = 200) -> Iterator[str]:
    """Any cards of a few neighbouring ranks (the ace's too, from both sides): thick enough for many to be playable."""
    for _ in range(lines):
        first = random.randrange(13)
        held = random.sample(range(4), suits)
        share = random.choice([0.6, 0.8, 0.9])
        cards = [card for suit in held for card in run(suit, first, ranks) if random.random() < share]
        yield shuffled(random, cards)


def groups(random: Random, most: int = 12, lines: int = 150) -> Iterator[str]:
    """Groups that lie side by side: always playable, but seldom by the first groups that one sees."""
    for _ in range(lines):
        yield shuffled(random, planted(random, random.randint(min(most, 6), most)))


def near_misses(random: Random, most: int = 11, lines: int = 200) -> Iterator[str]:
    """Playable hands in which one card was taken away, added or moved."""
    for _ in range(lines):
        yield shuffled(random, disturbed(random, planted(random, random.randint(min(most, 3), most))))


def same_again(random: Random, most: int = 10, lines: int = 160) -> Iterator[str]:
    """A hand, part of it, more of it, its cards in another order or in other suits, an empty hand: in any order."""
    for _ in range(lines // 8):
        cards = planted(random, most)
        turn = random.randrange(1, 4)
        turned = [(rank, (suit + turn) % 4) for rank, suit in cards]
        mixed = [(rank, random.choice([suit, (suit + turn) % 4])) for rank, suit in cards]
        moved = [((rank + 1) % 13, suit) for rank, suit in cards]
        hands = [cards, cards, cards[1:], disturbed(random, cards), turned, mixed, moved, []]
        random.shuffle(hands)
        for hand in hands:
            yield shuffled(random, hand)


def sorted_hands(random: Random, most: int = 12, lines: int = 120) -> Iterator[str]:
    """Hands in order: by rank or by suit, upwards or downwards, the ace first or last."""
    for number in range(lines):
        cards = planted(random, most) if number % 2 else disturbed(random, planted(random, most))
        first, by_suit, downwards = random.choice([ACE, TWO]), random.random() < 0.5, random.random() < 0.5
        order = sorted(((rank - first) % 13, suit) for rank, suit in cards)
        if by_suit:
            order.sort(key=lambda card: card[1])
        if downwards:
            order.reverse()
        yield line([((step + first) % 13, suit) for step, suit in order])


def nearly_all(random: Random, fewest: int = 2, most: int = 9, lines: int = 64) -> Iterator[str]:
    """The whole pack but for a few cards, half the time close together: seldom playable by groups chosen at random."""
    for _ in range(lines):
        yield shuffled(random, without_some(random, random.randint(fewest, most)))


def big_hands(random: Random, lines: int = 100) -> Iterator[str]:
    """Three or four suits over many ranks, a few cards missing or one too many; and many groups side by side."""
    for number in range(lines):
        if number % 3 == 0:
            cards = planted(random, 40, longest=9)
        elif number % 3 == 1:
            cards = disturbed(random, planted(random, 40, longest=9))
        else:
            cards = block(random, ranks=random.randint(4, 12), suits=random.choice([3, 4]))
            cards = random.sample(cards, len(cards) - random.randint(0, 4))
        yield shuffled(random, cards)


def long_searches(random: Random, packs: int = 24, lines: int = 200) -> Iterator[str]:
    """Hands that can be begun in very many ways: most come to nothing at one end, a few are played in a rare way.

    The fault is at the kings or at the twos, in turn: a search from one end finds it at once, from the other at last.
    `packs` of the hands are nearly the whole pack, most others 5 to 8 full ranks and a cross; some may be playable.
    """
    hands = rare_ways(random)
    playable = lines // 16
    kinds = [stuck_pack] * packs + [open_pack] * playable + [stuck_block] * (lines - packs - playable - len(hands))
    for number, kind in enumerate(kinds):
        hands.append(kind(random, number % 2 == 1))
    random.shuffle(hands)
    for hand in hands:
        yield shuffled(random, hand)
