"""Inputs for a search: random ones with values in groups and at numbers of the problem, and all by growing size.

Values that are drawn one by one hardly ever contain several pairs or a long run, as in hands of cards, blocks of a
word, or steps, and few programs are wrong without them.
"""

import itertools
import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from judge.inputs.build import TooLargeError
from judge.inputs.choose import AT_BOUNDARIES, SAME, SMALL, Chooser, Random, Rejected, in_order
from judge.inputs.domains import MAX_LISTED, Domain, Integers, ListRules, Words, scale_between
from judge.inputs.forms import Body
from judge.inputs.parse import Tree

_GROUPED = 0.4  # of the lists
_HINTED = 0.1  # of the counts
_HINTED_VALUES = 0.3  # of the fields with values at their limits: some are numbers of the problem
_MAX_GROUPED = 2_000  # elements
_NARROW = 0.3  # of the lists without repetition: values close to each other
_WEIGHTS = (0, 1, 1, 5)  # of an alternative in an input: some inputs lack one (swarm testing, Groce et al. 2012)
_LETTER_WEIGHTS = (0, 1, 1, 1, 3, 9)  # of a letter in an input
_WEIGHED = 0.5  # of the inputs, and
_FEW_LETTERS = 0.15  # of the inputs have one to three letters
_WEIGHED_WORDS = 0.9  # of the words in them
_RELATED = 0.08  # of the values of fields
_LATEST = 20  # values to which others are related
_ANY_SIZE = 0.3  # of the counts of an input of a given size, which may contradict rules that tie counts
_EXTREME = 0.06  # of the inputs, in which so many values are the least or the greatest:
_EXTREME_VALUES = 0.8
_MOST_AT_ONCE = 1 << 40  # integers from which `choices` draws evenly: it draws a float
_WORD = 20  # characters that a word may have in an input of any size


class Proposer(Random):
    """Chooses at random for a search. What it chooses for a seed may change with a new version.

    `hints` are numbers at which programs may fail. An input has about `most` values at most, where the grammar allows
    so few.
    """

    def __init__(
        self,
        rng: random.Random,
        size: float | None,
        attempt: int,
        *,
        hints: Sequence[int],
        most: float,
        is_over: Callable[[], bool],
    ) -> None:
        super().__init__(rng, size, attempt, is_over=is_over)
        self._attempt = attempt
        self._is_extreme = rng.random() < _EXTREME
        self._budget = min(self._budget, most)
        self._hints = sorted(set(hints))
        self._weights: dict[int, list[int]] = {}  # of alternatives
        self._letters: dict[str, list[int]] = {}  # weights, by alphabet; [] if all are as frequent
        self._latest: deque[Any] = deque(maxlen=_LATEST)  # values

    def count(self, name: str, low: int, high: int, guide: int | None) -> int:
        if self._size is None and self._rng.random() < _HINTED:
            fitting = [each for each in self._hints if low <= each <= min(high, self._budget)]
            if fitting:
                return min(high, max(low, self._rng.choice(fitting) + self._rng.choice((-1, 0, 0, 1))))
        found = super().count(name, low, high, guide)
        if self._size is not None and self._rng.random() < _ANY_SIZE:
            highest = 1.0 if self._attempt > 1 else self._size
            found = scale_between(low, high, highest * self._rng.random())
        return max(low, min(found, int(self._budget)))

    def option(self, count: int, guide: int | None) -> int:
        if count not in self._weights:
            weights = [self._rng.choice(_WEIGHTS) for _ in range(count)]
            self._weights[count] = weights if any(weights) else [1] * count
        return self._rng.choices(range(count), self._weights[count])[0]

    def value(self, domain: Domain, name: str, guide: Any) -> Any:
        domain = self._bounded(domain)
        found = self._related(domain) if self._latest and self._rng.random() < _RELATED else None
        if found is None or not domain.has(found):
            found = super().value(domain, name, guide)
        self._latest.append(found)
        return found

    def _related(self, domain: Domain) -> Any:
        """Return what a recent value suggests, which may not be in the domain; None if there is nothing."""
        other = self._rng.choice(self._latest)
        if isinstance(domain, Integers) and isinstance(other, int):
            return self._rng.choice((other, other, other + 1, other - 1, 2 * other, other // 2))
        if not isinstance(domain, Words) or not isinstance(other, str):
            return None
        at, end = (self._rng.randrange(len(other) + 1) for _ in range(2))
        letter = self._rng.choice(self._rng.choice((domain.pattern.alphabet, other or domain.pattern.alphabet)))
        shuffled = "".join(self._rng.sample(other, len(other)))
        changed = other[:at] + letter + other[at + 1 :]
        return self._rng.choice((other, other[::-1], other[at:] + other[:at], other[at:end], shuffled, changed))

    def _bounded(self, domain: Domain) -> Domain:
        """Return a domain in which words are not much longer than an input may be."""
        if not isinstance(domain, Words) or domain.length is None:
            return domain
        low, high = domain.length
        return Words(domain.pattern, (low, max(low, min(high, max(int(self._budget), _WORD)))))

    def values(self, kind: ListRules, domain: Domain, count: int, guide: Sequence[Any] | None) -> list[Any]:
        self.step()
        domain = self._bounded(domain)
        if not kind.order and 3 <= count <= _MAX_GROUPED and _is_numbered(domain) and self._rng.random() < _GROUPED:
            if self._span is not None and self._span < 1 and (scaled := domain.scaled(self._span)).count >= count:
                domain = scaled
            if (numbers := draw_groups(self._rng, domain.count, count, kind.copies)) is not None:
                return [domain.nth(each) for each in numbers]
        return super().values(kind, domain, count, guide)

    def _sample(self, domain: Domain, count: int, copies: int) -> list[Any]:
        """Return values of which none occurs too often: close to each other, or any."""
        size = domain.count
        if 2 * count > size * copies or not _is_numbered(domain):
            return super()._sample(domain, count, copies)
        width = min(size, 4 * count + 1) if self._rng.random() < _NARROW else size
        low = self._rng.randint(0, size - width)
        used: Counter[int] = Counter()
        left = count
        while left:
            number = low + self._rng.randrange(width)
            if used[number] < copies:
                used[number] += 1
                left -= 1
        values = [domain.nth(number) for number in used.elements()]
        self._rng.shuffle(values)
        return values

    def _weigh_letters(self, alphabet: str) -> list[int]:
        """Return how often letters occur in the words of an input, as in a grid that is mostly open."""
        if alphabet not in self._letters:
            luck, few = self._rng.random(), self._rng.sample(alphabet, min(len(alphabet), self._rng.randint(1, 3)))
            weights = [self._rng.choice(_LETTER_WEIGHTS) for _ in alphabet] if luck < _WEIGHED else []
            weights = [int(letter in few) for letter in alphabet] if luck < _FEW_LETTERS else weights
            self._letters[alphabet] = weights if any(weights) else []
        return self._letters[alphabet]

    def _draw_all(self, domain: Domain, style: str, count: int) -> list[Any]:
        if not isinstance(domain, Integers):
            return super()._draw_all(domain, style, count)
        self.step()
        low, high = domain.ranges[0]
        if style == "small":
            values = self._rng.choices([domain.nth(at) for at in range(min(domain.count, SMALL))], k=count)
        elif len(domain.ranges) == 1 and high - low < _MOST_AT_ONCE:
            values = self._rng.choices(range(low, high + 1), k=count)
        else:
            values = [domain.draw(self._rng) for _ in range(count)]
        if style == "same":
            for at in range(1, count):
                values[at] = values[at - 1] if self._rng.random() < SAME else values[at]
        if style in AT_BOUNDARIES:
            self._replace(values, AT_BOUNDARIES[style], domain.boundaries())
        if style == "boundary":
            near = (sign * each + step for each in self._hints for sign in (1, -1) for step in (-1, 0, 0, 1))
            self._replace(values, _HINTED_VALUES, [each for each in near if domain.has(each)])
        if self._is_extreme:
            self._replace(values, _EXTREME_VALUES, (low, domain.ranges[-1][1]))
        return values

    def _replace(self, values: list[Any], share: float, others: Sequence[Any]) -> None:
        """Replace a share of some values, at random places, by others."""
        if others:
            for at in self._rng.sample(range(len(values)), int(share * len(values) + self._rng.random())):
                values[at] = self._rng.choice(others)

    def _draw(self, domain: Domain, style: str, last: Any) -> Any:
        self.step()
        if isinstance(domain, Words) and domain.length is not None and self._rng.random() < _WEIGHED_WORDS:
            letters = domain.pattern.alphabet
            if weights := self._weigh_letters(letters):
                return "".join(self._rng.choices(letters, weights, k=self._rng.randint(*domain.length)))
        if self._is_extreme and isinstance(domain, Integers) and self._rng.random() < _EXTREME_VALUES:
            return self._rng.choice((domain.ranges[0][0], domain.ranges[-1][1]))
        if style == "boundary" and isinstance(domain, Integers) and self._rng.random() < _HINTED_VALUES:
            number = self._rng.choice(self._hints or (0,)) + self._rng.choice((-1, 0, 0, 1))
            number = -number if not domain.has(number) else number
            if domain.has(number):
                return number
        return super()._draw(domain, style, last)


def _is_numbered(domain: Domain) -> bool:
    """Return whether a value is found by its number at once: of a pattern, all words before it are listed."""
    return not isinstance(domain, Words) or domain.length is not None or domain.count <= MAX_LISTED


_KINDS = (("equal", 1), ("equal", 2), ("equal", 3), ("equal", 4), ("run", 3), ("run", 4), ("run", 5))
_PATIENCE = 4  # groups for each value; some bring nothing


def draw_groups(rng: random.Random, size: int, count: int, copies: int | None = None) -> list[int] | None:
    """Return so many numbers from 0 to `size` - 1 in groups; None if this attempt found fewer.

    Each occurs at most `copies` times; None for any number of times.
    """
    if size < 1 or not count:
        return None
    kinds = rng.sample(_KINDS, rng.choice((1, 2, 2, 3)))
    width = min(size, rng.choice((size, max(2, count // 2), 2 * count, 10)))
    low = rng.randint(0, size - width)
    strides = [each for each in range(2, 16) if size % each == 0 and size > 2 * each]
    stride = rng.choice((1, 1, *(strides or (2,))))  # of all cards by rank and suit, a run of a suit has a step of four
    used: Counter[int] = Counter()
    found: list[int] = []
    for _ in range(_PATIENCE * count):
        kind, members = rng.choice(kinds)
        first = low + rng.randrange(width)
        for at in range(members):
            number = first + (at * stride if kind == "run" else 0)
            if number >= size or len(found) == count or (copies is not None and used[number] >= copies):
                break
            used[number] += 1
            found.append(number)
        if len(found) == count:
            if rng.random() < 0.4:
                rng.shuffle(found)
            return found
    return None


_FIRST_CHOICES = 8
_MAX_VALUES = 2_000  # of an input: there is a choice for each, and the trees grow with their square
_MAX_EMPTY = 40  # costs in a row for which there is no input


class _Listed(Chooser):
    """Makes the given choices, then the simplest; notes how many there were each time."""

    def __init__(self, choices: tuple[int, ...]) -> None:
        super().__init__()
        self._choices = choices
        self.options: list[int] = []

    def below(self, count: int) -> int:
        at = len(self.options)
        self.options.append(count)
        return self._choices[at] if at < len(self._choices) else 0

    def values(self, kind: ListRules, domain: Domain, count: int, guide: Sequence[Any] | None) -> list[Any]:
        is_strict = kind.order.startswith("strictly") or kind.copies == 1
        if not kind.order or (kind.copies is not None and not is_strict):
            return super().values(kind, domain, count, guide)
        most = domain.count - (count if is_strict else 1)  # the order is given: each set of values is chosen only once
        if count and most < 0:
            raise Rejected
        found = []
        for left in reversed(range(count)):
            most = self.below(most + 1)
            found.append(domain.nth(most + left if is_strict else most))
        return in_order(kind, found)


def smallest_trees(body: Body, is_over: Callable[[], bool]) -> Iterator[Tree]:
    """Yield trees by growing size, while there is time; without end if the grammar has so many."""
    empty = 0
    for cost in itertools.count():
        found = False
        for tree in _trees(body, cost, is_over):
            found = True
            yield tree
        empty = 0 if found else empty + 1
        if empty > _MAX_EMPTY or is_over():
            return


def _trees(body: Body, cost: int, is_over: Callable[[], bool]) -> Iterator[Tree]:
    """Yield the trees whose choices add up to `cost`."""
    pending: list[tuple[tuple[int, ...], int]] = [((), cost)]
    while pending and not is_over():
        choices, cost = pending.pop()
        chooser = _Listed(choices)
        tree = None
        try:
            tree = body.build(chooser, most=_MAX_VALUES)
        except Rejected:
            pass
        except TooLargeError:  # only the first choices, such as the counts, may make it smaller
            del chooser.options[_FIRST_CHOICES:]
        if cost == 0:
            if tree is not None:
                yield tree
            continue
        more = []
        for at in range(len(choices), len(chooser.options)):
            zeros = (0,) * (at - len(choices))
            more += [
                ((*choices, *zeros, value), cost - value) for value in range(1, min(chooser.options[at] - 1, cost) + 1)
            ]
        pending.extend(reversed(more))
