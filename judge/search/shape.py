"""The shape of inputs, inferred from examples: which number counts what, and which values occur where.

A shape is a guess; a validator decides. It parses an input into a tree of values, whose counts are derived again after
a change, so that rows and tokens can be dropped, added and replaced without breaking the format.

Recognized are lines of single tokens and of counted tokens, and blocks that repeat: as often as an earlier number says,
or until the end of the file.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

INTEGER = re.compile(rb"-?(?:0|[1-9]\d{0,18})")
MAX_EXAMPLE = 20_000  # bytes; larger inputs show nothing that smaller ones do not
_MAX_EXAMPLES = 6  # for one inference; all others are compared with the result
_MAX_ROUNDS = 4
_MAX_STEPS = 80_000  # lines that an inference reads
_BOUNDS = (3.0, 5.0, *map(float, range(7, 17)), 18.0, 20.0, 24.0, 40.0)  # of the cost of a shape
_LINE, _LINES = 1.5, 2.5  # the lowest cost of a line, and of several
_TO_THE_END = 4.0  # the cost of repeating until the end of the file
_MOST_NAMED = 8  # tokens of a line; more are not distinguished
_MOST_FIXED = 4  # tokens of a line, from which on an offset from their number is believed, though it never differs
_WIDTH = 8  # beginnings of a body that are continued
_MAX_BODY = 4  # blocks that repeat together
_MAX_DEPTH = 3

Lines = Sequence[Sequence[bytes]]
Environment = dict[int, int]


class Count(Struct, frozen=True):
    """How often something occurs: the value of an earlier item plus an offset; item 0 is the constant 0."""

    item: int
    offset: int = 0

    @property
    def is_constant(self) -> bool:
        """Whether it is the same in every input."""
        return self.item == 0


class Item(Struct, frozen=True):
    """One token; `id` is its place in the shape, the same in all repetitions."""

    id: int


class Tokens(Struct, frozen=True):
    """Several tokens of the same sort in a line; None for as many as there are."""

    item: Item
    count: Count | None


class Line(Struct, frozen=True):
    """A line."""

    parts: tuple[Item | Tokens, ...]


class Repeat(Struct, frozen=True):
    """Blocks that repeat; None: until the end of the file."""

    body: tuple["Line | Repeat", ...]
    count: Count | None


Block = Line | Repeat


class Cell(Struct):
    """A token of a parsed input; changing its text changes the input."""

    item: int
    text: bytes


class Row(Struct):
    """The tokens of a `Tokens`, or the repetitions of a `Repeat`: what can be dropped and added.

    Attributes:
        counter: the token with their number; None if nothing counts them.
        is_fixed: their number is the same in every input.
    """

    elements: list["list[Node]"]
    offset: int = 0
    counter: Cell | None = None
    is_lines: bool = False
    is_fixed: bool = False


Node = Cell | Row
Tree = list[Node]


class _Stream(Struct):
    lines: Lines
    at: int
    values: Environment

    def copy(self) -> "_Stream":
        return _Stream(self.lines, self.at, dict(self.values))

    def take(self) -> Sequence[bytes] | None:
        if self.at >= len(self.lines):
            return None
        self.at += 1
        return self.lines[self.at - 1]


class Shape(Struct, frozen=True):
    """The blocks of an input."""

    blocks: tuple[Block, ...]

    def parse(self, data: bytes) -> Tree | None:
        """Return the values of an input; None if it has another shape."""
        lines = split_lines(data)
        if lines is None:
            return None
        stream = _Stream(lines, 0, {})
        cells: dict[int, Cell] = {}
        tree = _parse_blocks(self.blocks, stream, cells)
        return tree if tree is not None and stream.at == len(lines) else None


def split_lines(data: bytes) -> Lines | None:
    """Return the tokens of every line; None unless single spaces separate them and every line ends with LF."""
    if not data.endswith(b"\n"):
        return None
    lines = data[:-1].split(b"\n")
    tokens = [line.split(b" ") if line else [] for line in lines]
    return None if any(b"" in each or any(b"\t" in t or b"\r" in t for t in each) for each in tokens) else tokens


def _parse_blocks(blocks: Sequence[Block], stream: _Stream, cells: dict[int, Cell]) -> Tree | None:
    tree: Tree = []
    for block in blocks:
        part = _parse_line(block, stream, cells) if isinstance(block, Line) else _parse_repeat(block, stream, cells)
        if part is None:
            return None
        tree += part
    return tree


def _parse_line(line: Line, stream: _Stream, cells: dict[int, Cell]) -> Tree | None:
    tokens = stream.take()
    if tokens is None:
        return None
    tree: Tree = []
    at = 0
    for part in line.parts:
        if isinstance(part, Item):
            if at >= len(tokens):
                return None
            cell = Cell(part.id, tokens[at])
            at += 1
            cells[part.id] = cell
            if INTEGER.fullmatch(cell.text):
                stream.values[part.id] = int(cell.text)
            else:
                stream.values.pop(part.id, None)
            tree.append(cell)
        else:
            wanted = len(tokens) - at if part.count is None else _resolve(part.count, stream.values)
            if wanted is None or wanted < 0 or at + wanted > len(tokens):
                return None
            row = Row(
                elements=[[Cell(part.item.id, token)] for token in tokens[at : at + wanted]],
                offset=part.count.offset if part.count else 0,
                counter=cells[part.count.item] if part.count and not part.count.is_constant else None,
                is_fixed=part.count is not None and part.count.is_constant,
            )
            at += wanted
            tree.append(row)
    return tree if at == len(tokens) else None


def _parse_repeat(repeat: Repeat, stream: _Stream, cells: dict[int, Cell]) -> Tree | None:
    wanted = None if repeat.count is None else _resolve(repeat.count, stream.values)
    if repeat.count is not None and (wanted is None or wanted < 0):
        return None
    row = Row(
        elements=[],
        offset=repeat.count.offset if repeat.count else 0,
        counter=cells[repeat.count.item] if repeat.count else None,
        is_lines=True,
    )
    while stream.at < len(stream.lines) if wanted is None else len(row.elements) < wanted:
        start = stream.at
        body = _parse_blocks(repeat.body, stream, cells)
        if body is None or stream.at == start:  # what has no lines could repeat without end
            return None
        row.elements.append(body)
    return [row]


def _resolve(count: Count, values: Environment) -> int | None:
    if count.is_constant:
        return count.offset
    value = values.get(count.item)
    return None if value is None else value + count.offset


def render(tree: Tree, shape: Shape) -> bytes | None:
    """Return the text of a tree, with its counts derived from what is there; None if two counts contradict."""
    lengths: dict[int, int] = {}
    if not _derive(tree, lengths):
        return None
    lines: list[bytes] = []
    _write(shape.blocks, iter(tree), lines)
    return b"".join(line + b"\n" for line in lines)


def _derive(nodes: Tree, lengths: dict[int, int]) -> bool:
    for node in nodes:
        if isinstance(node, Row):
            if node.counter is not None:
                value = len(node.elements) - node.offset
                if lengths.setdefault(id(node.counter), value) != value:
                    return False
                node.counter.text = b"%d" % value
            for element in node.elements:
                if not (len(element) == 1 and isinstance(element[0], Cell)) and not _derive(element, lengths):
                    return False
    return True


def _write(blocks: Sequence[Block], nodes: Iterator[Node], lines: list[bytes]) -> None:
    for block in blocks:
        if isinstance(block, Repeat):
            row = next(nodes)
            assert isinstance(row, Row)
            for element in row.elements:
                _write(block.body, iter(element), lines)
            continue
        tokens: list[bytes] = []
        for _ in block.parts:
            node = next(nodes)
            if isinstance(node, Cell):
                tokens.append(node.text)
            else:
                tokens += [each[0].text for each in node.elements if isinstance(each[0], Cell)]
        lines.append(b" ".join(tokens))


def walk_rows(tree: Tree) -> Iterator[Row]:
    """Yield all rows, outer ones first."""
    for node in tree:
        if isinstance(node, Row):
            yield node
            for element in node.elements:
                if not (len(element) == 1 and isinstance(element[0], Cell)):
                    yield from walk_rows(element)


def walk_cells(tree: Tree) -> Iterator[Cell]:
    """Yield all tokens, in order."""
    for node in tree:
        if isinstance(node, Cell):
            yield node
        else:
            for element in node.elements:
                yield from walk_cells(element)


# ---- inference ----------------------------------------------------------------------------------------------------


class _Inference(Struct):
    """The search for the shape with the lowest cost, depth first.

    A cost is how much a shape says; a block that repeats says less than all its lines.

    Attributes:
        failed: the bounds below which nothing matches, by what the streams have left and the numbers that may count.
    """

    steps: int = 0
    next_item: int = 0
    failed: dict[object, float] = field(default_factory=dict)

    def grow(
        self, streams: list[_Stream], scope: tuple[int, ...], bound: float
    ) -> tuple[float, tuple[Block, ...]] | None:
        """Return the blocks with the lowest cost below the bound that match the rest of every stream."""
        if all(each.at == len(each.lines) for each in streams):
            return (0.0, ()) if bound > 0 else None
        if bound <= (_LINE if all(len(each.lines) - each.at <= 1 for each in streams) else _LINES):
            return None
        numbers = frozenset(tuple(each.values.get(item) for each in streams) for item in scope)
        state = (tuple(each.at for each in streams), numbers)
        if bound <= self.failed.get(state, 0.0):
            return None
        first_bound = bound
        best: tuple[float, tuple[Block, ...]] | None = None
        choices = list(self._choices(streams, scope, 0, bound))
        for block, cost, new_scope in sorted(choices, key=lambda each: each[1]):
            if cost >= bound:
                break
            after = self._advance(block, streams)
            if after is None:
                continue
            if rest := self.grow(after, new_scope, bound - cost):
                bound = cost + rest[0]
                best = (bound, (block, *rest[1]))
            if self.is_over():
                return best
        if best is None:
            self.failed[state] = first_bound
        return best

    def is_over(self) -> bool:
        """Return whether the search has taken long enough."""
        return self.steps > _MAX_STEPS

    def _choices(  # noqa: C901 - a loop for each kind of block
        self, streams: list[_Stream], scope: tuple[int, ...], depth: int, bound: float, hidden: int = 0
    ) -> Iterator[tuple[Block, float, tuple[int, ...]]]:
        """Yield blocks that may match the next lines of every stream, their costs, and what may count then.

        The first `hidden` items count no lines: those of a repetition in a repetition are counted inside it.
        """
        for line in self._lines(streams, scope):
            cost = 1.0 + sum(map(_part_cost, line.parts))
            if cost < bound:
                found = [part.id for part in line.parts if isinstance(part, Item)]
                yield line, cost, (*scope, *reversed(found))  # the latest line first, and there the first number
        if depth < _MAX_DEPTH:
            known: dict[tuple[int, ...], list[tuple[tuple[Block, ...], float]]] = {}  # by the streams that repeat
            for offset in (0, -1):
                for item in reversed(scope[hidden:]):
                    count = Count(item, offset)
                    own = 1.0 - offset
                    if own >= bound or not self._is_countable(streams, count):
                        continue
                    left = tuple(each for each in scope if each != item)
                    active = tuple(at for at, each in enumerate(streams) if (_resolve(count, each.values) or 0) > 0)
                    if active not in known:
                        inside = [streams[at] for at in active]
                        known[active] = list(self._bodies(inside, scope, depth + 1, bound - own))
                    for body, cost in known[active]:
                        yield Repeat(body, count), own + cost, left
        if depth == 0 and bound > _TO_THE_END and any(len(each.lines) - each.at > 1 for each in streams):
            for body, cost in self._bodies(streams, scope, depth + 1, bound - _TO_THE_END):
                yield Repeat(body, None), _TO_THE_END + cost, scope

    def _is_countable(self, streams: list[_Stream], count: Count) -> bool:
        counts = [_resolve(count, each.values) for each in streams]
        rests = [len(each.lines) - each.at for each in streams]
        if any(each is None or each < 0 or each > rest for each, rest in zip(counts, rests, strict=True)):
            return False
        return any(each is not None and each > 1 for each in counts)

    def _bodies(
        self, streams: list[_Stream], scope: tuple[int, ...], depth: int, bound: float
    ) -> Iterator[tuple[tuple[Block, ...], float]]:
        """Yield what may repeat, as far as the first repetition in every stream shows, and its cost below the bound."""
        level: list[tuple[tuple[Block, ...], float, list[_Stream], tuple[int, ...]]] = [((), 0.0, streams, scope)]
        hidden = len(scope) if depth > 1 else 0
        for size in range(1, _MAX_BODY + 1):
            following = []
            for body, total, at, inner in level:
                for block, cost, new_scope in self._choices(at, inner, depth, bound - total, hidden):
                    if self.is_over():
                        return
                    if (after := self._advance(block, at)) is not None:
                        yield (*body, block), total + cost
                        following.append(((*body, block), total + cost, after, new_scope))
            level = following[: _WIDTH - size]

    def _advance(self, block: Block, streams: list[_Stream]) -> list[_Stream] | None:
        """Return the streams after a block; None if it does not match one."""
        after = []
        for stream in streams:
            copy = stream.copy()
            cells = {item: Cell(item, b"") for item in copy.values}
            is_match = _parse_blocks((block,), copy, cells) is not None
            self.steps += 3 + copy.at - stream.at
            if not is_match:
                return None
            after.append(copy)
        return after

    def _lines(self, streams: list[_Stream], scope: tuple[int, ...]) -> Iterator[Line]:
        """Yield lines that match the next one of every stream."""
        if not streams or any(each.at >= len(each.lines) for each in streams):
            return
        rows = [each.lines[each.at] for each in streams]
        sizes = {len(row) for row in rows}
        smallest = min(sizes)
        for prefix in range(min(smallest, 3) + 1):
            for item in reversed(scope):
                for offset in (0, -1, 1) if len(sizes) > 1 or smallest > _MOST_FIXED else (0,):
                    wanted = [_resolve(Count(item, offset), each.values) for each in streams]
                    if all(value == len(row) - prefix for value, row in zip(wanted, rows, strict=True)):
                        items = tuple(self._item() for _ in range(prefix))
                        yield Line((*items, Tokens(self._item(), Count(item, offset))))
            for at in range(prefix):  # a number in the line itself counts the rest
                numbers = [int(row[at]) if INTEGER.fullmatch(row[at]) else -1 for row in rows]
                if all(value == len(row) - prefix for value, row in zip(numbers, rows, strict=True)):
                    items = tuple(self._item() for _ in range(prefix))
                    yield Line((*items, Tokens(self._item(), Count(items[at].id))))
        if len(sizes) == 1:
            if smallest <= _MOST_NAMED:
                yield Line(tuple(self._item() for _ in range(smallest)))
            yield Line((Tokens(self._item(), Count(0, smallest)),))
        else:
            yield Line((Tokens(self._item(), None),))

    def _item(self) -> Item:
        self.next_item += 1
        return Item(self.next_item)


def _part_cost(part: Item | Tokens) -> float:
    if isinstance(part, Item):
        return 0.5
    if part.count is None:
        return 1.5
    return 2.0 if part.count.is_constant else 0.5 + 0.4 * abs(part.count.offset)


def infer_shape(examples: Sequence[bytes]) -> Shape | None:
    """Return a shape of all examples that have single spaces and plain line ends; None if none was found."""
    every = sorted({each for each in examples if len(each) <= MAX_EXAMPLE}, key=lambda each: (len(each), each))
    parsed = {each: lines for each in every if (lines := split_lines(each))}
    if not parsed:
        return None
    chosen = _spread(list(parsed))
    for _ in range(_MAX_ROUNDS):
        blocks = _find_cheapest([parsed[each] for each in chosen])
        if blocks is None:
            return None
        shape = Shape(blocks)
        contrary = next((each for each in parsed if shape.parse(each) is None), None)
        if contrary is None:
            return shape
        chosen.append(contrary)
    return None


def _find_cheapest(examples: Sequence[Lines]) -> tuple[Block, ...] | None:
    """Return the blocks with the lowest cost: what is cheap is looked for first."""
    inference = _Inference()
    for bound in _BOUNDS:
        found = inference.grow([_Stream(lines, 0, {}) for lines in examples], (), bound)
        if found is not None or inference.is_over():
            return found and found[1]
    return None


def _spread(examples: Sequence[bytes]) -> list[bytes]:
    """Return a few examples of different sizes, most of them small."""
    if len(examples) <= _MAX_EXAMPLES:
        return list(examples)
    return [examples[at * at * (len(examples) - 1) // (_MAX_EXAMPLES - 1) ** 2] for at in range(_MAX_EXAMPLES)]
