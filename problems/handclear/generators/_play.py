"""Play hands for the generators beside this file that must know the answer: is a hand playable, and hands that are."""

from random import Random

from _cards import PACK, Card, all_runs, all_sets

BIT = {card: 1 << place for place, card in enumerate(PACK)}
GROUPS: dict[int, list[int]] = {bit: [] for bit in BIT.values()}
for cards in [group for rank in range(13) for group in all_sets(rank)] + [
    group for suit in range(4) for group in all_runs(suit, longest=5)
]:
    mask = sum(BIT[card] for card in cards)
    GROUPS[mask & -mask].append(mask)


def playable(hand: list[Card]) -> bool:
    """Tell whether the hand can be laid down: cover its lowest card in all ways, and remember what is stuck."""
    stuck: set[int] = set()

    def covered(rest: int) -> bool:
        if not rest or rest in stuck:
            return not rest
        if any(group & rest == group and covered(rest ^ group) for group in GROUPS[rest & -rest]):
            return True
        stuck.add(rest)
        return False

    return covered(sum(BIT[card] for card in hand))


def tiling(random: Random) -> list[list[Card]]:
    """Split the pack into groups: sets of four, four runs side by side, or a run that is passed on through sets."""
    groups: list[list[Card]] = []
    first = random.randrange(2)  # 1: the aces are high
    low, end = first, first + 13
    while low < end:
        height = min(random.choice([1, 1, 3, 3, 4, 5, 6]), end - low)
        ranks = [rank % 13 for rank in range(low, low + height)]
        low += height
        if height < 3:
            groups += [[(rank, suit) for suit in range(4)] for rank in ranks]
        elif random.random() < 0.3:
            groups += [[(rank, suit) for rank in ranks] for suit in range(4)]
        else:
            own = random.randrange(4)
            groups.append([(rank, own) for rank in ranks])
            groups += [[(rank, suit) for suit in range(4) if suit != own] for rank in ranks]
    return groups


def dealt(random: Random, size: int) -> list[Card]:
    """Return a playable hand of `size` cards (0, or 3 to 52): a tiling of the pack that lost groups and spare cards."""
    while True:
        groups = tiling(random)
        random.shuffle(groups)
        over = 52 - size
        for group in groups:
            if len(group) <= over and random.random() < 0.7:
                over -= len(group)
                group.clear()
        for group in groups:
            while over and len(group) > 3:
                group.pop(random.choice([0, -1]))
                over -= 1
        if not over:
            return sorted(card for group in groups for card in group)
