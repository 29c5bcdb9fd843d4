"""How the free parts of an input are chosen: as simply as possible, at random, or like another input.

`judge.inputs.build` asks a chooser for every count and value.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from judge.inputs.domains import MAX_LISTED, Domain, Integers, ListRules, Real, Words, scale_between
from judge.inputs.graphs import Components, Edge, GraphRules, draw_tree

AT_BOUNDARIES = {"uniform": 0.02, "boundary": 0.5}  # of the values of a style
SAME = 0.8  # of the values of the style "same" equal the one before
SMALL = 10  # values of the style "small"
_AT_ENDS = 0.3  # of the lists without repetition, in which
_EACH_END = 0.7  # is how often the least value, or the greatest one, occurs
_USUAL = (6, 30, 30, 300)  # the highest counts in an input that is drawn without a size
MAX_VALUES = 20_000_000  # of an input, so that it fits into memory
_DRAWS = 10  # attempts to draw a value that is not in a list yet


class GrammarError(ValueError):
    """No input was found; the message says why."""


class Rejected(Exception):  # noqa: N818 - not an error: another choice may work
    """What was chosen so far cannot be continued."""


class Chooser:
    """Chooses the simplest: the lowest counts, and values near zero.

    Subclasses make other choices; all of them are built on `below`. If the time `is_over`, `step` raises GrammarError.
    """

    retries = 0  # how often a part is chosen again after `Rejected`
    narrows = False  # whether to leave room for later rows where a row depends on the one before

    def __init__(self, is_over: Callable[[], bool] = bool) -> None:
        self._is_over = is_over

    def below(self, count: int) -> int:
        """Return a number from 0 to `count` - 1; 0 is the simplest choice."""
        return 0

    def count(self, name: str, low: int, high: int, guide: int | None) -> int:
        """Return how many there are of something; `name` is the field that says it, or the block or list."""
        return low + self.below(high - low + 1)

    def value(self, domain: Domain, name: str, guide: Any) -> Any:
        """Return a value of a field."""
        return domain.nth(self.below(domain.count))

    def values(self, kind: ListRules, domain: Domain, count: int, guide: Sequence[Any] | None) -> list[Any]:
        """Return the values of a list."""
        return self._arrange(kind, [], domain, count)

    def permutation(self, first: int, count: int, guide: Sequence[int] | None) -> list[int]:
        """Return numbers from `first` on in some order."""
        rest = list(range(first + count - 1, first - 1, -1))
        return [rest.pop(-1 - self.below(len(rest))) for _ in range(count)]

    def edges(self, graph: GraphRules, nodes: int, count: int, guide: Sequence[Edge] | None) -> list[Edge]:
        """Return the edges of a graph."""
        return self._complete(graph, nodes, count, [])

    def option(self, count: int, guide: int | None) -> int:
        """Return the number of an alternative."""
        return self.below(count)

    def enter(self, count: int) -> None:
        """Note that what follows is repeated so often."""

    def leave(self, count: int) -> None:
        """Note that the repetition is over."""

    def step(self) -> None:
        """End the search for an input if the time is over; called before the values of a list or a row are made."""
        if self._is_over():
            raise GrammarError("the time is over")

    def _arrange(self, kind: ListRules, values: list[Any], domain: Domain, count: int) -> list[Any]:
        """Return a list with some given values, as far as its rules allow, and others."""
        copies = 1 if kind.order.startswith("strictly") else kind.copies
        used: Counter[Any] = Counter()
        kept = []
        for value in values[:count]:
            if copies is None or used[value] < copies:
                used[value] += 1
                kept.append(value)
        kept += self._unused(domain, used, copies, count - len(kept))
        return in_order(kind, kept)

    def _unused(self, domain: Domain, used: Counter[Any], copies: int | None, count: int) -> list[Any]:
        """Return values that do not occur too often yet."""
        size = domain.count
        if copies is None:
            values = (self._new(domain) for _ in range(count))
            return [domain.nth(self.below(size)) if each is None else each for each in values]
        found: list[Any] = []
        full = sum(often >= copies for often in used.values())
        first = 0  # all values before this one occur often enough
        for _ in range(count):
            tried = (self._new(domain) for _ in range(_DRAWS))
            value = next((each for each in tried if each is not None and used[each] < copies), None)
            if value is None:
                if full >= size:
                    raise Rejected
                left, at = self.below(min(size - full, MAX_LISTED)), first
                last = left + full
                while left or used[value := _nth(domain, at, last)] >= copies:
                    if used[_nth(domain, at, last)] < copies:
                        left -= 1
                    elif at == first:
                        first += 1
                    at += 1
            found.append(value)
            used[value] += 1
            full += used[value] == copies
        return found

    def _new(self, domain: Domain) -> Any:
        """Return any value; None for the simplest one."""
        return None

    def _complete(self, graph: GraphRules, nodes: int, count: int, edges: list[Edge]) -> list[Edge]:
        """Add edges until there are enough, and all are connected if they must be."""
        if (count and nodes < 1) or (graph.is_simple and count > graph.most_edges(nodes)):
            raise Rejected
        seen = {graph.key(edge) for edge in edges}
        if graph.is_connected:
            components = Components(nodes)
            for one, other in edges:
                components.join(one - graph.first, other - graph.first)
            if components.count - 1 > count - len(edges):
                raise Rejected
            for node in range(1, nodes):
                at = self.below(node)  # all nodes before this one are connected
                if components.join(at, node):
                    edge = (at + graph.first, node + graph.first)
                    edges.append(edge)
                    seen.add(graph.key(edge))
        first = 0  # no pair before this one can be a new edge
        for _ in range(count - len(edges)):
            start = self.below(nodes * nodes) or first
            for step in range(nodes * nodes):
                at = (start + step) % (nodes * nodes)
                edge = (at // nodes + graph.first, at % nodes + graph.first)
                if graph.may_have(edge) and not (graph.is_simple and graph.key(edge) in seen):
                    break
            else:
                raise Rejected
            first = at if start == first else first
            edges.append(edge)
            seen.add(graph.key(edge))
        return edges


def _nth(domain: Domain, at: int, last: int) -> Any:
    """Return a value by its number, which is `last` at most. Raises Rejected if there are not so many."""
    try:
        if at <= last:
            return domain.nth(at)
    except IndexError:
        pass
    raise Rejected


@lru_cache(maxsize=100)
def _all_values(domain: Domain) -> tuple[Any, ...]:
    return tuple(domain.nth(at) for at in range(domain.count))


def in_order(kind: ListRules, values: list[Any]) -> list[Any]:
    """Return values in the order that a list must have. Raises Rejected if equal ones must not be in it."""
    if not kind.order:
        return values
    key = Decimal if isinstance(kind.item, Real) else None
    if kind.order.startswith("strictly") and len(set(map(key, values) if key else values)) < len(values):
        raise Rejected
    return sorted(values, key=key, reverse=kind.order.endswith("descending"))


class Random(Chooser):
    """Chooses at random.

    Args:
        size: from 0 (the smallest) to 1 (the largest); None draws it, and favours boundaries.
        attempt: the number of attempts before this one; values are taken from wider ranges after each.
        part: counts are in proportion to it, from 0 (the lowest) to 1 (the highest), and values of any size.
        lowest: the names of counts that are as low as possible.
    """

    retries = 30

    def __init__(
        self,
        rng: random.Random,
        size: float | None,
        attempt: int = 0,
        *,
        part: float | None = None,
        lowest: frozenset[str] = frozenset(),
        is_over: Callable[[], bool] = bool,
    ) -> None:
        super().__init__(is_over)
        self.narrows = attempt > 1
        self._part = part
        self._lowest = lowest
        self._rng = rng
        self._size = size
        self._span = None if size is None else size + attempt / 20
        self._level = rng.random() if size is None else size
        self._budget: float = rng.choice(_USUAL) if size is None else MAX_VALUES
        self._styles: dict[str, str] = {}
        self._last: dict[str, Any] = {}

    def below(self, count: int) -> int:
        return self._rng.randrange(count)

    def count(self, name: str, low: int, high: int, guide: int | None) -> int:
        if self._part is not None:
            return low if name in self._lowest else low + int((high - low) * min(1.0, max(0.0, self._part)))
        if self._size is not None:
            return scale_between(low, high, self._size)
        high = max(low, min(high, int(self._budget)))
        luck = self._rng.random()
        if luck < 0.15:
            return low
        if luck < 0.3:
            return high
        if luck < 0.6:
            return self._rng.randint(low, high)
        return scale_between(low, high, self._level * self._rng.random())

    def value(self, domain: Domain, name: str, guide: Any) -> Any:
        if self._part is not None:
            return domain.draw(self._rng)
        if self._span is not None and self._span < 1:
            domain = domain.scaled(self._span)
        elif isinstance(domain, Words) and domain.length is not None and self._size is None:
            domain = domain.scaled(self._level * self._rng.random()) if self._rng.random() < 0.7 else domain
            assert domain.length is not None
            low, high = domain.length
            domain = Words(domain.pattern, (low, max(low, min(high, int(self._budget)))))
        if name not in self._styles or self._rng.random() < 0.05:
            self._styles[name] = self._choose_style()
        value = self._draw(domain, self._styles[name], self._last.get(name))
        self._last[name] = value
        return value

    def values(self, kind: ListRules, domain: Domain, count: int, guide: Sequence[Any] | None) -> list[Any]:
        if self._span is not None and self._span < 1:
            scaled = domain.scaled(self._span)
            domain = scaled if scaled.count >= count else domain
        if kind.copies is not None or kind.order.startswith("strictly"):
            values = self._sample(domain, count, 1 if kind.order.startswith("strictly") else kind.copies or 1)
            if values and isinstance(domain, Integers) and self._rng.random() < _AT_ENDS:
                self._add_ends(values, domain)
        else:
            style = self._choose_style()
            if style == "few":
                some = [domain.draw(self._rng) for _ in range(self._rng.randint(1, 3))]
                values = self._rng.choices(some, k=count)
            else:
                values = self._draw_all(domain, style, count)
        values = in_order(kind, values)
        if not kind.order and self._rng.random() < 0.1 and isinstance(domain, Integers):
            values.sort(reverse=self._rng.random() < 0.5)
        return values

    def permutation(self, first: int, count: int, guide: Sequence[int] | None) -> list[int]:
        values = list(range(first, first + count))
        luck = self._rng.random()
        if luck < 0.1:
            values.reverse()
        elif luck > 0.2:
            self._rng.shuffle(values)
        return values

    def edges(self, graph: GraphRules, nodes: int, count: int, guide: Sequence[Edge] | None) -> list[Edge]:
        if (count and nodes < 1) or (graph.is_simple and count > graph.most_edges(nodes)):
            raise Rejected
        edges: list[Edge] = []
        if graph.is_connected:
            tree = draw_tree(self._rng, nodes)
            edges = [(one + graph.first, other + graph.first) for one, other in tree]
        if len(edges) > count:
            raise Rejected
        if graph.is_simple and nodes * nodes < 4 * (count + 8):
            edges = self._complete(graph, nodes, count, edges)
        else:
            seen = {graph.key(edge) for edge in edges}
            while len(edges) < count:
                one, other = (self._rng.randrange(nodes) + graph.first for _ in range(2))
                edge = (min(one, other), max(one, other)) if graph.is_acyclic else (one, other)
                key = graph.key(edge)
                if graph.may_have(edge) and not (graph.is_simple and key in seen):
                    seen.add(key)
                    edges.append(edge)
        return self._relabel(graph, nodes, edges)

    def enter(self, count: int) -> None:
        self._budget /= max(1, count)
        self._styles.clear()

    def leave(self, count: int) -> None:
        self._budget *= max(1, count)

    def _relabel(self, graph: GraphRules, nodes: int, edges: list[Edge]) -> list[Edge]:
        """Hide how the edges were made: other numbers, another order, and either end first."""
        if not graph.is_acyclic and self._rng.random() < 0.8:
            label = self.permutation(graph.first, nodes, None)
            edges = [(label[one - graph.first], label[other - graph.first]) for one, other in edges]
        if not graph.is_directed:
            edges = [edge if self._rng.random() < 0.5 else edge[::-1] for edge in edges]
        self._rng.shuffle(edges)
        return edges

    def _sample(self, domain: Domain, count: int, copies: int) -> list[Any]:
        size = domain.count
        if count > size * copies:
            raise Rejected
        if isinstance(domain, Integers) and copies == 1 and len(domain.ranges) == 1:
            low, high = domain.ranges[0]
            if self._size is None and self._rng.random() < 0.4:
                high = min(high, low + 2 * count)
            return self._rng.sample(range(low, high + 1), count)
        if size <= MAX_LISTED:
            pool = list(_all_values(domain)) * copies
            if self._rng.random() < 0.3 and len(pool) > count:
                pool = self._rng.sample(pool, self._rng.randint(count, len(pool)))
            return self._rng.sample(pool, count)
        used: Counter[Any] = Counter()
        values: list[Any] = []
        misses = 0
        while len(values) < count:
            value = domain.draw(self._rng)
            if used[value] < copies:
                used[value] += 1
                values.append(value)
            else:
                misses += 1
                if misses > 20 * count + 1000:
                    raise Rejected
        return values

    def _add_ends(self, values: list[int], domain: Integers) -> None:
        """Put the least and the greatest value, or one of them, in place of others."""
        ends = {domain.ranges[0][0], domain.ranges[-1][1]}
        for end in sorted(ends):
            places = [at for at, value in enumerate(values) if value not in ends]
            if end not in values and places and self._rng.random() < _EACH_END:
                values[self._rng.choice(places)] = end

    def _choose_style(self) -> str:
        return self._rng.choice(("uniform",) * 8 + ("small", "small", "small", "boundary", "boundary", "same", "few"))

    def _draw_all(self, domain: Domain, style: str, count: int) -> list[Any]:
        values: list[Any] = []
        for _ in range(count):
            values.append(self._draw(domain, style, values[-1] if values else None))
        return values

    def _draw(self, domain: Domain, style: str, last: Any) -> Any:
        luck = self._rng.random()
        if style == "uniform" and luck > AT_BOUNDARIES[style]:
            return domain.draw(self._rng)
        if style == "same" and last is not None and luck < SAME and domain.has(last):
            return last
        if style == "small" and isinstance(domain, Integers):
            return domain.nth(self._rng.randrange(min(domain.count, SMALL)))
        if style in AT_BOUNDARIES and luck < AT_BOUNDARIES[style]:
            return self._rng.choice(domain.boundaries() or [domain.nth(0)])
        return domain.draw(self._rng)


class Guided(Chooser):
    """Chooses what another input has, as far as that is allowed; the rest is up to another chooser."""

    def __init__(self, fallback: Chooser) -> None:
        super().__init__()
        self._fallback = fallback

    def step(self) -> None:
        self._fallback.step()

    def below(self, count: int) -> int:
        return self._fallback.below(count)

    def count(self, name: str, low: int, high: int, guide: int | None) -> int:
        if guide is None:
            return self._fallback.count(name, low, high, None)
        return min(max(guide, low), high)

    def value(self, domain: Domain, name: str, guide: Any) -> Any:
        near = domain.nearest(guide)
        return self._fallback.value(domain, name, None) if near is None else near

    def values(self, kind: ListRules, domain: Domain, count: int, guide: Sequence[Any] | None) -> list[Any]:
        near = [domain.nearest(each) for each in guide or ()]
        return self._arrange(kind, [each for each in near if each is not None], domain, count)

    def permutation(self, first: int, count: int, guide: Sequence[int] | None) -> list[int]:
        guide = [each for each in guide or () if type(each) is int]  # new ones are None
        if not guide:
            return self._fallback.permutation(first, count, None)
        kept = sorted(range(min(count, len(guide))), key=lambda at: guide[at])
        values = [0] * len(kept)
        for rank, at in enumerate(kept):
            values[at] = first + rank
        return values + list(range(first + len(kept), first + count))

    def edges(self, graph: GraphRules, nodes: int, count: int, guide: Sequence[Edge] | None) -> list[Edge]:
        if guide is None:
            return self._fallback.edges(graph, nodes, count, None)
        kept: list[Edge] = []
        seen: set[Edge] = set()
        components = Components(nodes)
        spare = count - (nodes - 1)
        last = graph.first + nodes - 1
        for one, other in guide:
            edge = (one, other)
            is_inside = graph.first <= min(edge) and max(edge) <= last
            if len(kept) == count or not is_inside or (graph.is_simple and one == other):
                continue
            if graph.is_simple and graph.key(edge) in seen:
                continue
            if graph.is_connected and not components.join(one, other):
                if spare <= 0:
                    continue
                spare -= 1
            seen.add(graph.key(edge))
            kept.append(edge)
        return self._complete(graph, nodes, count, kept)

    def option(self, count: int, guide: int | None) -> int:
        return self._fallback.option(count, None) if guide is None else min(guide, count - 1)

    def _new(self, domain: Domain) -> Any:
        return self._fallback.value(domain, "", None)
