"""Random inputs of a learned shape: small ones first, with values that are few, usual, or at boundaries.

Whether one is valid, a validator decides. Sizes grow while inputs are valid.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import prod
from random import Random

from msgspec import Struct

from judge.grammar.graphs import TREES, draw_tree
from judge.grammar.propose import draw_groups
from judge.search.learned import Learned, Values, items_of_lines
from judge.search.shape import Block, Item, Line, Repeat
from judge.search.sources import Proposal, Source, seeded

MAX_SIZE = 1 << 20  # bytes of a large input
_OFTEN = (1, 1, 1, 4, 10)  # how often a letter occurs, next to others
_LETTERS = bytes(range(ord("a"), ord("z") + 1))
_FEW_WORDS = 8
_TRIES = 20
_STYLES = ("tiny", "small", "usual", "boundary", "equal", "large", "most", "near", "again", "beside", "signed")
_MAX_PENDING = 5_000
_BULK = 300  # elements; from here on they are made all at once
_GROUPED = 0.25  # of the rows
_SIZED = 0.6  # of the lengths of words
_TREE = 0.3  # of the graphs
_MAX_LISTED = 2_000  # words
_MOST_LATEST = 500  # values that may occur again


_DEVIATIONS = (0,) * 18 + (-1, 1)  # from a rule that numbers of a line follow
_KEPT_STEPS = 0.8  # of the inputs keep to the differences that occur
_NONE: Iterator[bytes] = iter(())


class _TooLargeError(Exception):
    """An input would be larger than `MAX_SIZE`."""


class _Graph(Struct, frozen=True):
    """Edges: the item that counts them, the one that counts the nodes, and the number of the first node."""

    counter: int
    nodes: int
    first: int


class InstanceMaker:
    """Makes one input: the number of elements, and the style of the values, are given.

    Args:
        learned: the shape.
        numbers: that the problem mentions.
        random: decides everything else.
    """

    def __init__(self, learned: Learned, numbers: Sequence[int], random: Random) -> None:
        self._learned = learned
        self._numbers = list(numbers)
        self._random = random
        self._size = 1
        self._written = 0
        self._known: dict[int, int] = {}
        self._style: dict[int, str] = {}
        self._trials: Counter[tuple[int, str]] = Counter()
        self._successes: Counter[tuple[int, str]] = Counter()
        self._pending: dict[int, dict[int, str]] = {}
        self._letters: dict[int, bytes] = {}
        self._latest: dict[int, list[int]] = {}
        self._columns: dict[int, Iterator[bytes]] = {}
        self._relations: dict[int, list[tuple[int, int]]] = {}
        self._keeps_steps = True
        self._salt = 0
        self._is_mixed = True
        self._beside = dict(_find_neighbours(learned))
        self._edges = dict(_find_edges(learned))
        self._nodes = {each.nodes for each in self._edges.values()} - learned.counters
        self._lengths = {each.length for each in learned.values.values()} - learned.counters

    def make(self, size: int, style: str = "") -> bytes | None:
        """Return an input with about so many elements; None if it would be too large."""
        self._size, self._written = max(size, 1), 0
        self._known.clear()
        self._letters.clear()
        self._latest.clear()
        self._columns.clear()
        self._relations.clear()
        self._keeps_steps = self._random.random() < _KEPT_STEPS
        self._salt = self._random.randrange(1000)
        items = self._learned.values
        self._is_mixed = not style
        if style:
            self._style = dict.fromkeys(items, style)
        else:
            self._style = {item: self._choose_style(item) for item in items}
        lines: list[bytes] = []
        try:
            self._blocks(self._learned.shape.blocks, lines)
        except _TooLargeError:
            return None
        data = b"".join(line + b"\n" for line in lines)
        if len(self._pending) < _MAX_PENDING:
            self._pending[hash(data)] = self._style
        return data

    def learn(self, data: bytes, *, is_valid: bool) -> None:
        """Take in whether an input was valid: values of a style that are not are made less often."""
        for pair in self._pending.pop(hash(data), {}).items():
            self._trials[pair] += 1
            self._successes[pair] += is_valid

    def _choose_style(self, item: int) -> str:
        weights = [(self._successes[item, each] + 1.0) / (self._trials[item, each] + 1.5) for each in _STYLES]
        values = self._learned.values[item]
        weights[-1] /= 3 if values.least is None or values.least < 0 else 100  # few problems have negative numbers
        return self._random.choices(_STYLES, weights)[0]

    def _blocks(self, blocks: Sequence[Block], lines: list[bytes]) -> None:
        for block in blocks:
            if isinstance(block, Line):
                line = self._line(block)
                self._written += len(line) + 1
                if self._written > MAX_SIZE:
                    raise _TooLargeError
                lines.append(line)
                continue
            if block.count is None:
                count = self._random.randint(1, self._size)
            else:
                count = self._known.get(block.count.item, 0) + block.count.offset
            if (edges := self._edges.get(id(block))) is not None:
                lines += self._edge_lines(block, edges, count)
                self._written += count * 4
                continue
            if count > _BULK and (rows := self._bulk_lines(block, count)) is not None:
                lines += rows
                continue
            self._draw_columns(block, count)
            for _ in range(max(count, 0)):
                self._blocks(block.body, lines)

    def _draw_columns(self, block: Repeat, count: int) -> None:
        """Draw the columns of some lines that have rules of their own."""
        for line in block.body:
            items = [part.id for part in line.parts if isinstance(part, Item)] if isinstance(line, Line) else []
            for item in items:
                self._columns.pop(item, None)
                if item in self._learned.rules and count > 1:
                    self._columns[item] = iter(self._list(item, count))

    def _line(self, line: Line) -> bytes:
        tokens: list[bytes] = []
        for part in line.parts:
            if isinstance(part, Item):
                tokens.append(self._token(part.id))
                continue
            if part.count is None:
                count = self._random.randint(1, min(self._size + 1, 1000))
            elif part.count.is_constant:
                count = part.count.offset
            else:
                count = self._known.get(part.count.item, 0) + part.count.offset
            if count * 2 + self._written > MAX_SIZE:
                raise _TooLargeError
            tokens += self._list(part.item.id, max(count, 0))
        return b" ".join(tokens)

    def _list(self, item: int, count: int) -> list[bytes]:
        """Return the tokens of a row or of a column."""
        rules, values = self._learned.rules.get(item), self._learned.values.get(item)
        if rules and rules.is_permutation and values:
            first = min(values.low, 1)
            row = [b"%d" % (first + at) for at in range(count)]
            self._random.shuffle(row)
            return row
        if 3 <= count <= _BULK and values and self._is_mixed and self._random.random() < _GROUPED:
            grouped = self._in_groups(item, values, count, is_distinct=rules is not None and rules.is_distinct)
            if grouped is not None:
                if rules and rules.is_sorted:
                    grouped.sort(key=_order)
                return grouped
        if count > _BULK and values and values.kind == "integer" and item not in self._learned.counters:
            row = list(map(b"%d".__mod__, self._bulk(item, values, count)))
        else:
            row = [self._token(item) for _ in range(count)]
        if rules and rules.is_distinct:
            row = self._distinct(row, item)
        if (rules and rules.is_sorted) or self._random.random() < 0.1:
            row.sort(key=_order)
        elif self._random.random() < 0.1:
            row.sort(key=_order, reverse=True)
        return row

    def _in_groups(self, item: int, values: Values, count: int, *, is_distinct: bool) -> list[bytes] | None:
        """Return a row with equal values and runs; None if there are no values to choose from."""
        copies = 1 if is_distinct else None
        if values.kind == "integer" and item not in self._learned.counters:
            low, high = self._limits_of(values)
            numbers = draw_groups(self._random, high - low + 1, count, copies)
            return None if numbers is None else [b"%d" % (low + each) for each in numbers]
        if values.kind != "word":
            return None
        words = list(map(bytes, product(*values.places))) if _is_listed(values.places) else list(values.words)
        numbers = draw_groups(self._random, len(words), count, copies)
        return None if numbers is None else [words[each] for each in numbers]

    def _distinct(self, row: list[bytes], item: int) -> list[bytes]:
        seen: dict[bytes, None] = {}
        for each in row:
            token = each
            for attempt in range(_TRIES):
                if token not in seen:
                    break
                token = self._token(item, style="usual" if attempt < _TRIES // 2 else "any")
            seen[token] = None
        return list(seen)

    def _token(self, item: int, style: str = "") -> bytes:
        values = self._learned.values.get(item)
        if values is None:
            return b"1"
        if (token := next(self._columns.get(item, _NONE), None)) is not None:
            if values.kind == "integer":
                self._known[item] = int(token)
            return token
        if item in self._learned.counters:
            number = self._count(item, values)
            self._known[item] = number
            return b"%d" % number
        if values.kind == "word":
            return self._word(item, values)
        if values.kind == "real":
            whole = self._number(item, values, style)
            digits = values.decimals or 1
            fraction = self._random.randrange(10**digits) if self._random.random() < 0.7 else 0
            return b"%d.%0*d" % (whole, digits, fraction)
        number = self._number(item, values, style)
        self._known[item] = number
        return b"%d" % number

    def _count(self, item: int, values: Values) -> int:
        """Return how many elements there are."""
        if self._style.get(item) == "usual" and values.high <= 4 * self._size:
            return self._random.randint(values.low, values.high)
        if (
            nodes := next((each.nodes for each in self._edges.values() if each.counter == item != each.nodes), None)
        ) is not None:
            known = self._known.get(nodes, self._size)
            most = min(known * (known - 1) // 2, 2 * self._size + 2)
            least = min(max(known - 1, 0), most)
            return least if self._random.random() < _TREE else self._random.randint(least, most)
        low = 0 if values.low == 0 and self._random.random() < 0.2 else 1
        return self._random.randint(low, self._size) if self._random.random() < 0.5 else self._size

    def _number(self, item: int, values: Values, style: str) -> int:
        style = style or self._style.get(item, "usual")
        low, high = self._limits_of(values)
        if item in self._nodes:
            return self._random.randint(1, self._size + 1) if self._random.random() < 0.5 else self._size + 1
        if item in self._lengths and self._random.random() < _SIZED:
            return min(max(self._count(item, values), low), high if values.most is not None else self._size)
        if values.near in self._known and self._keeps_steps:
            near = [self._known[values.near] + step for step in values.steps]
            number = self._random.choice([each for each in near if low <= each <= high] or near)
        else:
            number = self._number_in_style(item, values, style, low, high)
        if values.most is not None and not low <= number <= high:
            number = self._random.randint(low, high) if low <= high else low
        if values.differs in self._known and number == self._known[values.differs] and low < high:
            number = number + 1 if number < high else number - 1
        if len(latest := self._latest.setdefault(item, [])) < _MOST_LATEST:
            latest.append(number)
        else:
            latest[-1] = number
        return number

    def _bulk(self, item: int, values: Values, count: int) -> list[int]:  # noqa: PLR0911 - one for each style
        """Return many numbers, faster than one by one."""
        style, random = self._style.get(item, "usual"), self._random
        low, high = self._limits_of(values)
        match style:
            case "tiny":
                start = 0 if low <= 0 <= high else low
                return random.choices((start, min(start + 1, high), min(start + 2, high)), k=count)
            case "boundary":
                return random.choices((low, high), k=count)
            case "most":
                return [high] * count
            case "equal":
                return [random.randint(low, high)] * count
            case "near":
                first = random.randint(low, max(low, high - count))
                return [min(first + at, high) for at in range(count)]
            case "again":
                return random.choices([random.randint(low, high) for _ in range(5)], k=count)
            case "usual" if values.bound is None:
                low, high = max(low, values.low), max(low, values.low, min(high, values.high))
        return random.choices(range(low, high + 1), k=count) if high - low < 1 << 62 else [high] * count

    def _bulk_lines(self, block: Repeat, count: int) -> list[bytes] | None:
        """Return many lines of numbers; None if a line is not that simple."""
        if len(block.body) > 1 or not isinstance(line := block.body[0], Line):
            return None
        columns: dict[int, list[int]] = {}
        for part in line.parts:
            values = self._learned.values.get(part.id) if isinstance(part, Item) else None
            if values is None or values.kind != "integer" or not isinstance(part, Item):
                return None
            if part.id in self._learned.counters or {values.bound, values.near, values.differs} & columns.keys():
                return None
            if self._style.get(part.id) == "beside" and (lefts := columns.get(self._beside.get(part.id, -1))):
                column = [self._related(part.id, left, *self._limits_of(values)) for left in lefts]
            else:
                column = self._bulk(part.id, values, count)
            if (rules := self._learned.rules.get(part.id)) is not None:
                low, high = self._limits_of(values)
                if rules.is_distinct and not count <= high - low < 1 << 62:
                    return None
                column = self._random.sample(range(low, high + 1), count) if rules.is_distinct else column
                column = sorted(column) if rules.is_sorted else column
            if values.floor in columns:
                column = [
                    max(number, lower + values.is_above)
                    for number, lower in zip(column, columns[values.floor], strict=True)
                ]
            columns[part.id] = column
        form = b" ".join([b"%d"] * len(columns))
        self._written += count * 4 * len(columns)
        if self._written > MAX_SIZE:
            raise _TooLargeError
        return [form % row for row in zip(*columns.values(), strict=True)]

    def _limits_of(self, values: Values) -> tuple[int, int]:
        """Return the smallest and the largest number that seem to be allowed."""
        low = values.low if values.least is None else values.least
        high = values.high if values.most is None else values.most
        if values.bound is not None and values.bound in self._known:
            if values.least is None:
                low = min(low, 1)
            high = max(self._known[values.bound] - values.is_below, low)
        if values.floor is not None and values.floor in self._known:
            low = self._known[values.floor] + values.is_above
        return low, max(low, high)

    def _number_in_style(  # noqa: C901, PLR0911, PLR0912 - one for each style
        self, item: int, values: Values, style: str, low: int, high: int
    ) -> int:
        random = self._random
        is_bound = values.bound is not None and values.bound in self._known
        start = 0 if low <= 0 <= high else low
        if values.least is None:
            start = low if low in (0, 1) else 1 if low > 1 else -1
        latest = self._latest.get(item)
        match style:
            case "tiny":
                return random.randint(start, start + 2)
            case "small" if not is_bound:
                return random.randint(start if low >= 0 else max(low, -10), start + 10)
            case "signed" if not is_bound:
                return random.choice((-1, 1)) * random.choice((0, 1, 2, 3, *self._numbers))
            case "boundary":
                inside = [each for each in self._numbers if low <= each <= high] if values.most is not None else []
                others = [] if is_bound else inside or self._numbers
                number = random.choice([low, high, low, high, *others]) + random.choice((0, 0, 0, 0, -1, 1))
                return -number if low < 0 and random.random() < 0.5 else number
            case "most":
                return high if random.random() < 0.9 else random.randint(low, high)
            case "large" if values.most is None and not is_bound:
                top = max([high, *self._numbers[-3:]])
                limit = random.choice([each for each in self._numbers if each >= high] or [top])
                return random.randint(-limit if low < 0 else min(start, limit), limit)
            case "equal":
                return Random(f"{item}{self._size}{self._salt}").randint(low, high)  # everywhere in this input
            case "near" if latest:
                return latest[-1] + random.choice((-1, 0, 1, 1, 1, 2))
            case "beside" if (left := self._known.get(self._beside.get(item, -1))) is not None:
                return self._related(item, left, low, high)
            case "again" if latest:
                return random.choice(latest) if random.random() < 0.8 else random.randint(low, high)
            case "usual" if not is_bound and values.low <= values.high:
                return random.randint(max(low, values.low), max(low, values.low, min(high, values.high)))
            case _:
                return random.randint(low, high)

    def _related(self, item: int, left: int, low: int, high: int) -> int:
        """Return a number that depends on the one before it in the line, by one of a few rules, or nearly so.

        Rows are then points on a few lines, intervals of one length, or pairs with one sum.
        """
        if item not in self._relations:
            offsets = (0, 0, 1, -1, self._random.randint(0, self._size))
            self._relations[item] = [
                (self._random.choice((1, 1, -1, 0, 2)), self._random.choice(offsets))
                for _ in range(self._random.choice((1, 1, 2, 3, 4)))
            ]
        slope, offset = self._random.choice(self._relations[item])
        number = slope * left + (low + high - offset if slope < 0 else offset) + self._random.choice(_DEVIATIONS)
        return number if low <= number <= high else self._random.randint(low, high)

    def _word(self, item: int, values: Values) -> bytes:
        if values.places:
            if self._random.random() < 0.5:
                return self._random.choice(values.words)
            return bytes(self._random.choice(letters) for letters in values.places)
        if values.length is None and len(values.words) <= _FEW_WORDS and self._random.random() < 0.5:
            return self._random.choice(values.words)
        if values.length is not None:
            length = self._known.get(values.length, 1)
            if length + self._written > MAX_SIZE:  # the number before it may be any that the problem mentions
                raise _TooLargeError
        elif values.low == values.high and (values.longest or 0) <= values.high:
            length = values.low
        else:
            length = self._random.randint(1, max(self._size, 1))
            if values.longest:
                length = min(length, values.longest)
        if item not in self._letters:
            alphabet = values.alphabet
            if set(alphabet) <= set(_LETTERS) and self._random.random() < 0.5:
                alphabet = _LETTERS
            few = self._random.choice((1, 2, 3, len(alphabet)))
            chosen = self._random.sample(alphabet, min(few, len(alphabet)))
            self._letters[item] = b"".join(bytes([each]) * self._random.choice(_OFTEN) for each in chosen)
        letters = self._letters[item]
        half = bytes(self._random.choices(letters, k=length))
        return half[: (length + 1) // 2] + half[: length // 2][::-1] if self._random.random() < 0.15 else half

    def _edge_lines(self, block: Repeat, graph: _Graph, count: int) -> Iterator[bytes]:
        """Yield the ends of edges: of a tree if there are as many as that has, else of a simple graph."""
        (line,) = block.body
        assert isinstance(line, Line)
        total = self._known.get(graph.nodes, count + 1)
        if total > MAX_SIZE:  # each gets a name below
            raise _TooLargeError
        names = list(range(graph.first, graph.first + total))
        if self._random.random() < 0.8:
            self._random.shuffle(names)
        edges: dict[tuple[int, int], None] = {}
        if self._random.random() < 0.7 or count == total - 1:
            kinds = TREES if total <= _BULK else ("path", "path", "deep", "star", "any")  # large ones go to extremes
            for at, other in draw_tree(self._random, total, kinds):
                edges[min(names[at], names[other]), max(names[at], names[other])] = None
        for _ in range(_TRIES * count):
            if len(edges) >= count or total < 2:
                break
            first, second = self._random.sample(range(graph.first, graph.first + total), 2)
            edges[min(first, second), max(first, second)] = None
        chosen = list(edges)[:count]
        if self._random.random() < 0.5:
            self._random.shuffle(chosen)
        flips = self._random.random() < 0.5
        for first, second in chosen:
            pair = (second, first) if flips and self._random.random() < 0.5 else (first, second)
            rest = [self._token(part.id) for part in line.parts[2:] if isinstance(part, Item)]
            yield b" ".join([b"%d" % pair[0], b"%d" % pair[1], *rest])


def _is_listed(places: Sequence[bytes]) -> bool:
    """Return whether the words with these letters at each place are few enough to list."""
    return bool(places) and prod(map(len, places)) <= _MAX_LISTED


def _order(token: bytes) -> tuple[int, bytes]:
    try:
        return int(token), b""
    except ValueError:
        return 0, token


def _find_neighbours(learned: Learned) -> Iterator[tuple[int, int]]:
    """Yield numbers, each with the number before it in its line."""
    for line in items_of_lines(learned.shape.blocks):
        for left, item in pairwise(line):
            if all((values := learned.values.get(each)) and values.kind == "integer" for each in (left, item)):
                yield item, left


def _find_edges(learned: Learned) -> Iterator[tuple[int, _Graph]]:
    """Yield the ids of the blocks that are edges of a graph."""
    stack = list(learned.shape.blocks)
    while stack:
        block = stack.pop()
        if not isinstance(block, Repeat):
            continue
        stack += block.body
        if block.count is None or len(block.body) != 1 or not isinstance(line := block.body[0], Line):
            continue
        items = [part for part in line.parts if isinstance(part, Item)]
        if not 2 <= len(items) <= 3 or len(items) < len(line.parts):
            continue
        ends = [values for each in items[:2] if (values := learned.values.get(each.id)) and values.kind == "integer"]
        nodes = next((each.bound for each in ends if each.bound is not None), None)  # one of ends in order has none
        if len(ends) < 2 or nodes is None or (limit := learned.values.get(nodes)) is None:
            continue
        first = min(each.low if each.least is None else each.least for each in ends)
        is_below = all(each.is_below or each.bound is None for each in ends)
        if (first == 1 or (first == 0 and is_below)) and all(
            each.bound in (nodes, None) and each.high <= limit.high for each in ends
        ):
            yield id(block), _Graph(block.count.item, nodes, first)


class Instances(Source):
    """Inputs of a learned shape, whose sizes grow slowly from the smallest.

    Args:
        name: for people.
        largest: elements of the largest inputs.
        style: of all values; "" for a mixture.
    """

    def __init__(
        self,
        name: str,
        learned: Learned,
        numbers: Sequence[int],
        seed: int,
        *,
        largest: int,
        style: str = "",
        joins: bool = False,
    ) -> None:
        self.name = name
        self.joins = joins
        self._random = seeded(seed, name)
        self._maker = InstanceMaker(learned, numbers, self._random)
        self._largest = largest
        self._style = style
        self._count = 0

    def next(self) -> Proposal | None:
        """Return the next input."""
        self._count += 1
        most = min(self._largest, 1 + self._count // 40)
        made = (self._maker.make(self._random.randint(1, most), self._style) for _ in range(_TRIES))
        return next((each for each in made if each is not None), b"")  # not None, which would end the source

    def learn(self, data: bytes, *, is_valid: bool, is_new: bool) -> None:  # noqa: ARG002
        """Take in whether an input was valid."""
        self._maker.learn(data, is_valid=is_valid)


class Growing(Source):
    """Large inputs of a learned shape: twice as large after each valid one, and a little smaller after others."""

    name = "large inputs"

    def __init__(self, learned: Learned, numbers: Sequence[int], seed: int) -> None:
        self._random = seeded(seed, self.name)
        self._maker = InstanceMaker(learned, numbers, self._random)
        self._size = 32.0
        self._limits = sorted({each for each in numbers if 64 <= each <= 1_000_000})
        self._turn = 0

    def next(self) -> Proposal | None:
        """Return the next input."""
        self._turn += 1
        size = int(self._size)
        near = [each for each in self._limits if size / 2 < each <= size * 2]
        if near and self._turn % 2:
            size = near[-1]
        style = ("usual", "large", "", "tiny", "most", "equal", "")[self._turn % 7]
        return self._maker.make(size, style) or self._maker.make(max(size // 16, 1), style) or b""

    def learn(self, data: bytes, *, is_valid: bool, is_new: bool) -> None:  # noqa: ARG002
        """Grow after a valid input; otherwise shrink a little."""
        self._maker.learn(data, is_valid=is_valid)
        if is_valid:
            self._size = min(self._size * 2, 400_000.0)
        elif self._size > 2:
            self._size *= 0.7
