"""All inputs by growing size: every sequence of choices, in the order of the sum of their numbers."""

from collections.abc import Callable, Iterator

from judge.grammar.build import Builder, TooLargeError
from judge.grammar.choose import Chooser, Rejected
from judge.grammar.forms import Body
from judge.grammar.parse import Tree

_MAX_COST = 1000
_FIRST = 8  # choices
_MAX_VALUES = 2_000  # of an input: there is a choice for each, and the trees grow with their square
_MAX_EMPTY = 40  # costs in a row for which there is no input


class _Listed(Chooser):
    """Makes the given choices, then the simplest; notes how many there were each time."""

    def __init__(self, choices: tuple[int, ...]) -> None:
        self._choices = choices
        self.options: list[int] = []

    def below(self, count: int) -> int:
        at = len(self.options)
        self.options.append(count)
        return self._choices[at] if at < len(self._choices) else 0


def smallest_trees(body: Body, counts: frozenset[str], is_over: Callable[[], bool]) -> Iterator[Tree]:
    """Yield trees by growing size; without end if the grammar has so many.

    Args:
        body: the grammar.
        counts: see `find_counts`.
        is_over: whether the time is over; no more trees are yielded then.
    """
    empty = 0
    for cost in range(_MAX_COST):
        found = False
        for tree in _trees(body, counts, cost, is_over):
            found = True
            yield tree
        empty = 0 if found else empty + 1
        if empty > _MAX_EMPTY or is_over():
            return


def _trees(body: Body, counts: frozenset[str], cost: int, is_over: Callable[[], bool]) -> Iterator[Tree]:
    """Yield the trees whose choices add up to `cost`."""
    pending: list[tuple[tuple[int, ...], int]] = [((), cost)]
    while pending and not is_over():
        choices, cost = pending.pop()
        chooser = _Listed(choices)
        tree = None
        try:
            tree = Builder(body, counts, chooser, {}, most=_MAX_VALUES).build()
        except Rejected:
            pass
        except TooLargeError:  # only the first choices, such as the counts, may make it smaller
            del chooser.options[_FIRST:]
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
