"""From choices to an input: walks the grammar, and asks a chooser wherever there is a choice."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from judge.inputs.choose import MAX_VALUES, Chooser, GrammarError, Rejected
from judge.inputs.domains import Choices, Domain, Integer, Integers, Kind, Member, Scalar, Word, Words
from judge.inputs.expressions import Expression, ExpressionError, number_range, previous_name
from judge.inputs.forms import (
    Body,
    Either,
    Graph,
    Item,
    Line,
    Listed,
    Permutation,
    Relation,
    Repeat,
    Text,
    counted_words,
    fields_of,
    find_parts,
    own_fields,
    walk,
)
from judge.inputs.graphs import find_bad_graph
from judge.inputs.parse import FaultError, Node, Tree, hashable, lines_of_tree, parse, render


class TooLargeError(GrammarError):
    """An input has more values than it may have."""


def find_counts(body: Body) -> frozenset[str]:
    """Return the fields that say how many there are of something, and those that say how high such a field is at least.

    With `n: 1..10^5` and `m: n-1..10^5` edges, a large `n` makes a large input, too.
    """
    names: set[str] = set()
    for item in walk(body):
        if isinstance(item, Repeat):
            names.update(() if item.is_condition else item.count.names)
        elif isinstance(item, Graph):
            names.update(item.nodes.names, item.edges.names)
        for _, kind in fields_of(item):
            names.update(() if kind.size is None else kind.size.names)
    bodies = [body, *(item.body for item in walk(body) if isinstance(item, Repeat))]
    for each in reversed(bodies):
        for name, kind in reversed(own_fields(each).items()):
            if name in names and isinstance(kind, Integer):
                lows = [limits.low for limits in kind.ranges]
                lows += [other for operator, other in each.limits.get(name, ()) if operator in (">", ">=", "==")]
                names.update(name for low in lows for name in low.names)
    return frozenset(names)


class _Rows(Struct):
    """A field of a block about which a rule between repetitions says something.

    Attributes:
        count: the number of repetitions; `at` is the number of the current one, from 0.
        drawn: all values, if they were chosen before the block.
    """

    block: Repeat
    count: int
    order: str
    at: int = 0
    drawn: list[Any] = field(default_factory=list)


class Builder:
    """Builds one tree of a grammar.

    Args:
        body: the grammar.
        counts: see `find_counts`.
        chooser: decides.
        fixed: values of fields, and counts of blocks (`tests`, `repeat`), lists and words that the grammar leaves
            open, by their names.
        most: how many values an input may have.
    """

    def __init__(
        self,
        body: Body,
        counts: frozenset[str],
        chooser: Chooser,
        fixed: Mapping[str, Any],
        *,
        most: int = MAX_VALUES,
    ) -> None:
        self._most = most
        self._body = body
        self._counts = counts
        self._chooser = chooser
        self._fixed = fixed
        self._env: dict[str, Any] = {}
        self._left: dict[str, tuple[int, int]] = {}  # of fields with a total: what is left, for how many repetitions
        self._values = 0  # that were chosen so far
        self._rows: dict[str, _Rows] = {}  # of fields about which rules between repetitions say something

    def build(self, guide: Tree | None = None) -> Tree:
        """Return a tree.

        Raises:
            Rejected: these choices lead nowhere.
            TooLargeError: they lead to more values than an input may have.
        """
        try:
            tree = self._build(self._body, guide)
            if _places_characters(self._body):
                parse(self._body, render(self._body, tree))
        except (ExpressionError, FaultError) as error:
            raise Rejected from error
        return tree

    def _build(self, body: Body, guide: Tree | None) -> Tree:
        return [self._item(item, body, None if guide is None else guide[at]) for at, item in enumerate(body.items)]

    def _item(self, item: Item, body: Body, guide: Node) -> Node:
        match item:
            case Line():
                return self._line(item, body, guide)
            case Text():
                return None
            case Relation(expression):
                if not expression.evaluate(self._env):
                    raise Rejected
                return None
            case Repeat():
                return self._repeat(item, guide)
            case Graph():
                return self._graph(item, guide)
            case Either(options):
                at = self._chooser.option(len(options), None if guide is None else guide[0])
                same = guide is not None and guide[0] == at
                return [at, self._line(options[at], body, guide[1] if same else None)]

    def _line(self, line: Line, body: Body, guide: Sequence[Any] | None) -> list[Any]:
        values = []
        for at, (name, kind) in enumerate(line.fields):
            limits = body.limits.get(name, ())
            value = self._field(name, kind, limits, guide[at] if guide is not None else None)
            self._env[name] = value
            if name in self._left and isinstance(value, int):
                left, often = self._left[name]
                self._left[name] = left - value, often - 1
            values.append(value)
        return values

    def _field(self, name: str, kind: Kind, limits: Sequence[tuple[str, Expression]], guide: Any) -> Any:  # noqa: PLR0911
        rows = self._rows.get(name)
        if rows is not None and rows.drawn:
            return rows.drawn[rows.at]
        match kind:
            case Integer():
                return self._integer(name, kind, limits, guide)
            case Listed():
                return self._list(name, kind, guide)
            case Permutation(count=count, first=first):
                return self._chooser.permutation(first, self._add(count.evaluate(self._env)), guide)
            case Scalar():
                domain = self._domain(kind)
                fixed = self._fixed.get(name)
                if isinstance(kind, Word) and kind.characters:
                    length = guide if isinstance(guide, str) else None
                    return self._placed(kind, self._chooser.value(domain, name, length))
                if isinstance(domain, Words) and domain.length is not None and type(fixed) is int:
                    domain = Words(domain.pattern, _narrow(domain.length, fixed))
                elif fixed is not None:
                    return _require(domain, fixed)
                return self._chooser.value(domain, name, guide)
        raise TypeError(kind)

    def _placed(self, kind: Scalar, value: Any) -> Any:
        """Return a value in which characters occur as often as they must."""
        if not isinstance(kind, Word) or not kind.characters:
            return value
        rules = [(char, *often.evaluate(self._env)) for char, often in kind.characters]
        (word,) = _place_characters([value], rules, [kind.pattern.alphabet], self._chooser.below)
        return word

    def _integer(self, name: str, kind: Integer, limits: Sequence[tuple[str, Expression]], guide: Any) -> int:
        ranges = self._limited([each.evaluate(self._env) for each in kind.ranges], limits)
        if name in self._left:
            left, often = self._left[name]
            lowest = min(low for low, _ in ranges) if ranges else 0
            ranges = _restrict(ranges, "<=", left - (often - 1) * max(0, lowest))
        ranges = self._restrict_to_rows(name, kind, ranges)
        ranges = [(low, high) for low, high in ranges if low <= high]
        if not ranges:
            raise Rejected
        domain = Integers(tuple(ranges))
        if name in self._fixed:
            value = _require(domain, self._fixed[name])
            assert isinstance(value, int)
            return value
        if name in self._counts:
            low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
            near = domain.nearest(self._chooser.count(name, low, high, guide if isinstance(guide, int) else None))
            assert near is not None
            return near
        found = self._chooser.value(domain, name, guide)
        assert isinstance(found, int)
        return found

    def _limited(
        self, ranges: Sequence[tuple[int, int]], limits: Sequence[tuple[str, Expression]]
    ) -> Sequence[tuple[int, int]]:
        for operator, other in limits:
            ranges = _restrict(ranges, operator, other.evaluate(self._env))
        return ranges

    def _restrict_to_rows(
        self, name: str, kind: Integer, ranges: Sequence[tuple[int, int]]
    ) -> Sequence[tuple[int, int]]:
        """Restrict a value by the one in the row before, and leave room for the rows after it."""
        rows = self._rows.get(name)
        if rows is None:
            return ranges
        last = self._env.get(previous_name(name)) if rows.order else None
        if last is not None:
            sign = (">" if rows.order.endswith("ascending") else "<") + ("" if "strictly" in rows.order else "=")
            ranges = _restrict(ranges, sign, last)
        sources = [(each.low.source, each.high.source) for each in kind.ranges]
        rises = rows.order.endswith("ascending") or any("_previous_" in low for low, _ in sources)
        falls = rows.order.endswith("descending") or any("_previous_" in high for _, high in sources)
        is_chain = rows.order or rises != falls or not (rises or falls)
        left = rows.count - rows.at
        if not is_chain or left <= 1 or not self._chooser.narrows:
            return ranges
        if falls:
            return [(max(low, high - 2 * (high - low) // left), high) for low, high in ranges]
        return [(low, min(high, low + 2 * (high - low) // left)) for low, high in ranges]

    def _domain(self, kind: Scalar) -> Domain:
        """Return the values that may be chosen.

        Raises:
            Rejected: there are none.
        """
        match domain := kind.domain(self._env):
            case Integers(ranges=ranges):
                if found := tuple((low, high) for low, high in ranges if low <= high):
                    return Integers(found)
            case Words(pattern=pattern, length=(low, high)):
                if high >= max(0, low):
                    self._add(max(0, low))
                    return Words(pattern, (max(0, low), min(high, max(low, MAX_VALUES))))
            case Choices(values=()):
                pass
            case _:
                return domain
        raise Rejected

    def _list(self, name: str, kind: Listed, guide: Sequence[Any] | None) -> list[Any]:
        self._chooser.step()
        low, high = kind.count.evaluate(self._env)
        fixed = self._fixed.get(name)
        if isinstance(fixed, list):
            low, high = _narrow((low, high), len(fixed))
            guide = fixed
        elif type(fixed) is int:
            low, high = _narrow((low, high), fixed)
        if (count := self._count(name, low, high, guide)) == 0:
            return []
        if kind.index:  # the bounds of a value depend on its number
            values = []
            for at in range(count):
                self._env[kind.index] = at + 1
                known = guide[at] if guide is not None and at < len(guide) else None
                values.append(self._placed(kind.item, self._chooser.value(self._domain(kind.item), name, known)))
            return values
        domain = self._domain(kind.item)
        if isinstance(fixed, list):
            return [_require(domain, value) for value in fixed]
        return [self._placed(kind.item, value) for value in self._chooser.values(kind, domain, count, guide)]

    def _repeat(self, block: Repeat, guide: Sequence[Tree | None] | None) -> list[Tree]:
        low, high = block.count.evaluate(self._env)
        name = "tests" if block.is_tests else "repeat"
        fixed = self._fixed.get(name)
        if not block.count.is_exact and type(fixed) is int:
            low, high = _narrow((low, high), fixed)
        count = self._count(name, low, high, guide)
        limits = [most.evaluate(self._env) for _, most in block.sums]
        outer, outer_rows = dict(self._left), dict(self._rows)
        self._enter_rows(block, count, guide)
        for (what, _), most in zip(block.sums, limits, strict=True):
            self._left[what.text] = most, count
        totals = [0] * len(limits)
        seen: set[Any] = set()
        self._chooser.enter(count)
        found = []
        for at in range(count):
            piece = guide[at] if guide is not None and at < len(guide) else None
            if block.index:
                self._env[block.index] = at + 1
            for rows in self._rows.values():
                rows.at = at if rows.block is block else rows.at
            found.append(self._repetition(block, piece, limits, totals, seen))
            for name in (*block.previous, *(name for name, _ in block.orders)):
                self._env[previous_name(name)] = self._env[name]
        self._chooser.leave(count)
        self._left, self._rows = outer, outer_rows
        if block.characters:
            self._place_characters(block, found)
        for name in block.columns:
            self._env[name] = _column(block, name, found)
        return found

    def _enter_rows(self, block: Repeat, count: int, guide: Sequence[Tree | None] | None) -> None:
        """Prepare the fields about which rules between repetitions say something; choose their values, if possible."""
        orders = dict(block.orders)
        only = block.distinct if len(block.distinct) == 1 else ()
        fields = own_fields(block.body)
        for name in (*block.previous, *orders):
            self._env[previous_name(name)] = None
        uses_previous = [
            name
            for name, kind in fields.items()
            if isinstance(kind, Integer)
            and any("_previous_" in each.low.source + each.high.source for each in kind.ranges)
        ]
        for name in dict.fromkeys((*orders, *block.previous, *uses_previous, *only)):
            kind = fields.get(name)
            if not isinstance(kind, Scalar):
                continue
            self._rows[name] = rows = _Rows(block=block, count=count, order=orders.get(name, ""))
            own = {*fields, *map(previous_name, fields), block.index}
            is_free = not any(own.intersection(each.names) for each in find_parts(kind, Expression))
            if not count or name not in {*orders, *only} or not is_free or isinstance(kind, Member):
                continue
            if name in self._left or name in self._fixed:
                continue
            copies = 1 if name in only else None
            listed = Listed(item=kind, count=number_range(count, count), copies=copies, order=rows.order)
            known = _column(block, name, guide) if guide is not None else None
            limits = block.body.limits.get(name, ())
            domain = self._domain(kind)
            if isinstance(domain, Integers) and not any(own.intersection(each.names) for _, each in limits):
                ranges = self._limited(domain.ranges, limits)
                domain = Integers(tuple((low, high) for low, high in ranges if low <= high))
                if not domain.ranges:
                    raise Rejected
            rows.drawn = self._chooser.values(listed, domain, count, known)

    def _place_characters(self, block: Repeat, found: list[Tree]) -> None:
        """Change characters of the words of a block until each occurs as often as it must."""
        places = list(counted_words(block.body, found))
        rules = [(char, *often.evaluate(self._env)) for char, often in block.characters]
        alphabets = [kind.pattern.alphabet for _, _, kind in places]
        words = [values[number] for values, number, _ in places]
        changed = _place_characters(words, rules, alphabets, self._chooser.below)
        for (values, number, _), word in zip(places, changed, strict=True):
            values[number] = word

    def _repetition(
        self, block: Repeat, guide: Tree | None, limits: Sequence[int], totals: list[int], seen: set[Any]
    ) -> Tree:
        """Build one repetition, again and again if a rule between repetitions rejects it."""
        before = dict(self._left)
        for attempt in range(self._chooser.retries + 1):
            self._chooser.step()
            try:
                tree = self._build(block.body, guide)
                sums = [total + what.evaluate(self._env) for total, (what, _) in zip(totals, block.sums, strict=True)]
                key = tuple(hashable(self._env[name]) for name in block.distinct)
                is_wrong = any(total > most for total, most in zip(sums, limits, strict=True))
                ends = block.has_end_line and next(lines_of_tree(block.body, tree), None) == block.until
                if is_wrong or (key and key in seen) or ends:
                    raise Rejected  # noqa: TRY301 - another attempt follows
            except Rejected:
                self._left = dict(before)
                if attempt == self._chooser.retries:
                    raise
            else:
                totals[:] = sums
                seen.add(key)
                return tree
        raise Rejected

    def _count(self, name: str, low: int, high: int, guide: Sequence[Any] | None) -> int:
        """Choose how many values follow; raises what `_add` does."""
        if low > high:
            raise Rejected
        count = low if low == high else self._chooser.count(name, low, high, None if guide is None else len(guide))
        return self._add(count)

    def _add(self, count: Any) -> int:
        """Return the number of values that follow.

        Raises:
            Rejected: it is negative.
            TooLargeError: there are too many.
        """
        if not isinstance(count, int) or count < 0:
            raise Rejected
        self._values += count
        if self._values > self._most:
            raise TooLargeError(f"more than {self._most:,} values: ask for a smaller input")
        return count

    def _graph(self, graph: Graph, guide: Sequence[Any] | None) -> list[Any]:
        nodes, count = graph.nodes.evaluate(self._env), self._add(graph.edges.evaluate(self._env))
        guide = None if guide is None else [edge for edge in guide if edge is not None]
        pairs = None if guide is None else [(one, other) for one, other, _ in guide]
        edges = self._chooser.edges(graph, self._add(nodes), count, pairs)
        if graph.is_acyclic and find_bad_graph(graph, nodes, edges):
            raise Rejected
        weights: Sequence[Any] = [None] * len(edges)
        if graph.weight is not None:
            old = {(one, other): weight for one, other, weight in guide or ()}
            domain = self._domain(graph.weight)
            weights = [self._chooser.value(domain, "weight", old.get(edge)) for edge in edges]
        return [(one, other, weight) for (one, other), weight in zip(edges, weights, strict=True)]


def _column(block: Repeat, name: str, trees: Sequence[Tree | None]) -> list[Any]:
    """Return the values of a field in all repetitions."""
    for at, item in enumerate(block.body.items):
        names = [each for each, _ in item.fields] if isinstance(item, Line) else []
        if name in names:
            number = names.index(name)
            return [tree[at][number] for tree in trees if tree is not None and tree[at] is not None]
    return []


def _places_characters(body: Body) -> bool:
    """Return whether characters of words are placed, which may break other rules."""
    blocks = (item for item in walk(body) if isinstance(item, Repeat))
    kinds = (kind.item if isinstance(kind, Listed) else kind for item in walk(body) for _, kind in fields_of(item))
    return any(each.characters for each in blocks) or any(isinstance(each, Word) and each.characters for each in kinds)


def _restrict(ranges: Sequence[tuple[int, int]], operator: str, other: Any) -> list[tuple[int, int]]:
    if not isinstance(other, int):
        return list(ranges)
    match operator:
        case "<" | "<=":
            return [(low, min(high, other - (operator == "<"))) for low, high in ranges]
        case ">" | ">=":
            return [(max(low, other + (operator == ">")), high) for low, high in ranges]
        case "==":
            return [(max(low, other), min(high, other)) for low, high in ranges]
        case _:
            parts = [(low, min(high, other - 1)) for low, high in ranges]
            return parts + [(max(low, other + 1), high) for low, high in ranges]


def _narrow(ends: tuple[int, int], value: int) -> tuple[int, int]:
    if ends[0] <= value <= ends[1]:
        return value, value
    raise Rejected


def _require(domain: Domain, value: Any) -> Any:
    if isinstance(domain, Integers) is (type(value) is int) and domain.has(value):
        return value
    raise Rejected


def _place_characters(  # noqa: C901 - two passes over the rules
    words: Sequence[str],
    rules: Sequence[tuple[str, int, int]],
    alphabets: Sequence[str],
    below: Callable[[int], int],
) -> list[str]:
    """Change as few characters of some words as possible, so that some occur as often as they must.

    Args:
        words: stay as they are.
        rules: a character, and how often it occurs at least and at most.
        alphabets: what each word may have.
        below: returns a number from 0 to one less than its argument.

    Raises:
        Rejected: that is not possible.
    """
    found = [list(word) for word in words]
    special = {char for char, _, _ in rules}
    places: dict[str, list[tuple[int, int]]] = {char: [] for char in special}
    others: list[tuple[int, int]] = []
    for number, word in enumerate(found):
        for at, char in enumerate(word):
            places.get(char, others).append((number, at))

    def take(free: list[tuple[int, int]], wanted: str) -> tuple[int, int]:
        """Remove a place where a character is allowed."""
        for _ in range(len(free)):
            at = below(len(free))
            free[at], free[-1] = free[-1], free[at]
            if wanted in alphabets[free[-1][0]]:
                return free.pop()
        raise Rejected

    for char, _, most in rules:
        while len(places[char]) > most:
            number, at = take(places[char], char)
            left = [each for each in alphabets[number] if each not in special]
            left = left or [each for each, least, _ in rules if each in alphabets[number] and len(places[each]) < least]
            if not left:
                raise Rejected
            found[number][at] = left[below(len(left))]
            places.get(found[number][at], others).append((number, at))
    for char, least, _ in rules:
        while len(places[char]) < least:
            spare = next((places[each] for each, low, _ in rules if each != char and len(places[each]) > low), [])
            number, at = take(others or spare, char)
            found[number][at] = char
            places[char].append((number, at))
    return ["".join(word) for word in found]
