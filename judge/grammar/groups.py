"""Lists in which values come in groups: equal ones and runs, as in hands of cards, blocks of a word, or steps.

Values that are drawn one by one hardly ever contain several pairs or a long run, and few programs are wrong on those.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

_KINDS = (("equal", 1), ("equal", 2), ("equal", 3), ("equal", 4), ("run", 3), ("run", 4), ("run", 5))
_FAVOURED = 0.3  # of the groups
_MAX_STRIDE = 15
_PATIENCE = 4  # groups for each value; some bring nothing


def draw_groups(
    random: Random, size: int, count: int, copies: int | None = None, favourites: Sequence[int] = ()
) -> list[int] | None:
    """Return numbers from 0 to `size` - 1 in groups.

    Args:
        random: decides all.
        size: how many values there are.
        count: the length of the list.
        copies: how often each number may occur; None for any number of times.
        favourites: numbers that are chosen more often for a group.

    Returns:
        The list; None if this attempt did not fill it.
    """
    if size < 1 or not count:
        return None
    kinds = random.sample(_KINDS, random.choice((1, 2, 2, 3)))
    low, width = _window(random, size, count)
    stride = random.choice((1, 1, *_strides(size)))
    used: Counter[int] = Counter()
    found: list[int] = []
    for _ in range(_PATIENCE * count):
        kind, members = random.choice(kinds)
        if members > 1 and favourites and random.random() < _FAVOURED:
            first = random.choice(favourites)
        else:
            first = low + random.randrange(width)
        for at in range(members):
            number = first + (at * stride if kind == "run" else 0)
            if number >= size or len(found) == count or (copies is not None and used[number] >= copies):
                break
            used[number] += 1
            found.append(number)
        if len(found) == count:
            if random.random() < 0.4:
                random.shuffle(found)
            return found
    return None


def _window(random: Random, size: int, count: int) -> tuple[int, int]:
    """Return where values lie, so that they are close to each other, and how many there are."""
    width = min(size, random.choice((size, max(2, count // 2), 2 * count, 10)))
    return random.randint(0, size - width), width


def _strides(size: int) -> list[int]:
    """Return the steps of a run: in a list of all cards by rank and suit, runs of a suit have a step of four."""
    return [each for each in range(2, _MAX_STRIDE + 1) if size % each == 0 and size > 2 * each] or [2]
