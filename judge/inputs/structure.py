"""The structure of some inputs, inferred from them alone: which number counts which tokens and lines.

Recognized are lines of single tokens and of counted tokens, and lines that repeat: as often as an earlier number says,
or up to the end of the file. Lines that repeat may be of several forms, which begin with different words.

`judge.inputs.infer` describes what follows as a grammar.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count

from msgspec import Struct, field
from msgspec.structs import replace

INTEGER = re.compile(rb"-?(?:0|[1-9]\d{0,99})")
MAX_EXAMPLE = 20_000  # bytes; larger inputs show nothing that smaller ones do not
_MAX_EXAMPLES = 6  # for one inference; all others are compared with the result
_MAX_ROUNDS = 4
_MAX_STEPS = 80_000  # lines that an inference reads
_BOUNDS = (3.0, 5.0, *map(float, range(7, 17)), 18.0, 20.0, 24.0, 40.0)  # of the cost of a structure
_LINE, _LINES = 1.5, 2.5  # the lowest cost of a line, and of several
_TO_THE_END = 4.5  # the cost of repeating until the end of the file
_KINDS = ([b"0", b"1"], [b"1", b"2"], [b"1", b"2", b"3"])  # of queries
_FORMS = 2.0  # the cost of lines of several forms, and of each form:
_FORM = 0.1
_FIRST = re.compile(rb"[A-Za-z]+|[-+?!*/=<>#@]")  # what forms may begin with; or numbers from 0 or 1 on
_END = re.compile(rb"0( 0)*|-1( -1)*|[#.*]|(?i:end)")  # a line that ends an input
_SQUARE = 0.4  # the cost of as many tokens in each line as there are lines, and if their number never differs:
_ALWAYS_SQUARE = 1.4
_RAGGED = 5.0  # the cost of lines with any numbers of tokens, such as sentences
_MOST_FORMS = 8
_MOST_NAMED = 8  # tokens of a line; more are not distinguished
_MOST_FIXED = 4  # tokens of a line, from which on an offset from their number is believed, though it never differs
_COINCIDENCE = {0: 1.2, 1: 1.2, 2: 1.2, 3: 0.8, 4: 0.3}  # what a count of tokens that never differs costs more
_UNUSUAL = 0.05  # for each token between where the number of lines is and where it usually is
_WIDTH = 8  # beginnings of a body that are continued
_MAX_BODY = 4  # blocks that repeat together
_MAX_DEPTH = 3

Lines = Sequence[Sequence[bytes]]
Known = dict[int, int]
"""The latest numbers, by their items."""


class Count(Struct, frozen=True):
    """How often something occurs: the value of an earlier item plus an offset; item 0 is the constant 0."""

    item: int
    offset: int = 0

    @property
    def is_constant(self) -> bool:
        """Whether it is the same in every input."""
        return self.item == 0

    def resolve(self, known: Known) -> int | None:
        """Return the number; None if the item is not a number."""
        value = 0 if self.item == 0 else known.get(self.item)
        return None if value is None else value + self.offset


class Item(Struct, frozen=True):
    """One token; `id` is its place in the structure, the same in all repetitions."""

    id: int


class Tokens(Struct, frozen=True):
    """Several tokens of the same sort in a line; a count of None: as many as there are."""

    item: Item
    count: Count | None

    @property
    def id(self) -> int:
        """The place of all of them."""
        return self.item.id


class Line(Struct, frozen=True):
    """A line."""

    parts: tuple[Item | Tokens, ...]

    @property
    def items(self) -> tuple[int, ...]:
        """The places of its single tokens."""
        return tuple(part.id for part in self.parts if isinstance(part, Item))


class Forms(Struct, frozen=True):
    """A line of one of several forms, by its first token."""

    lines: tuple[tuple[bytes, Line], ...]


class Repeat(Struct, frozen=True):
    """Blocks that repeat; a count of None: until the end of the file."""

    body: tuple["Block", ...]
    count: Count | None


Block = Line | Forms | Repeat


def walk(blocks: Sequence[Block], scope: tuple[int, ...] = ()) -> Iterator[tuple[Block, tuple[int, ...], int]]:
    """Yield all blocks, each before those that it repeats; the single tokens before it, and how many of them around."""
    around = len(scope)
    for block in blocks:
        yield block, scope, around
        if isinstance(block, Repeat):
            yield from walk(block.body, scope)
        elif isinstance(block, Line):
            scope += block.items


def parts_of(blocks: Sequence[Block]) -> Iterator[Item | Tokens]:
    """Yield the parts of all lines, in order."""
    for block, *_ in walk(blocks):
        lines = [line for _, line in block.lines] if isinstance(block, Forms) else [block]
        yield from (part for line in lines if isinstance(line, Line) for part in line.parts)


class Token(Struct, frozen=True):
    """A token of an input, with the numbers before it."""

    item: int
    text: bytes
    known: Known


class _Stream(Struct):
    lines: Lines
    at: int
    known: Known
    tokens: list[Token] | None = None

    def copy(self) -> "_Stream":
        return _Stream(self.lines, self.at, self.known)

    def take(self) -> Sequence[bytes] | None:
        if self.at >= len(self.lines):
            return None
        self.at += 1
        return self.lines[self.at - 1]

    def note(self, item: int, text: bytes) -> None:
        """Take in a token: a number may count from now on."""
        if self.tokens is not None:
            self.tokens.append(Token(item, text, self.known))
        if INTEGER.fullmatch(text):
            if self.known.get(item) != (number := int(text)):
                self.known = {**self.known, item: number}
        elif item in self.known:
            self.known = {each: number for each, number in self.known.items() if each != item}

    @property
    def rest(self) -> int:
        """How many lines are left."""
        return len(self.lines) - self.at


class Structure(Struct, frozen=True):
    """The blocks of an input, and the line at its end that belongs to none of them, such as `0 0`."""

    blocks: tuple[Block, ...]
    end: bytes = b""

    def read(self, data: bytes) -> list[Token] | None:
        """Return the tokens of an input in order; None if it has another structure."""
        lines = _without_end(split_lines(data), self.end)
        if lines is None:
            return None
        tokens: list[Token] = []
        stream = _Stream(lines, 0, {}, tokens)
        return tokens if _take_blocks(self.blocks, stream) and not stream.rest else None


def split_lines(data: bytes) -> Lines | None:
    """Return the tokens of every line; None unless single spaces separate them and every line ends with LF."""
    if not data.endswith(b"\n"):
        return None
    tokens = [line.split(b" ") if line else [] for line in data[:-1].split(b"\n")]
    return None if any(b"" in each or any(b"\t" in t or b"\r" in t for t in each) for each in tokens) else tokens


def with_plain_white_space(data: bytes) -> bytes:
    """Return an input with single spaces between tokens, and a newline after each line.

    An empty line at its end stays only after a 0, which may say that it has no elements.
    """
    lines = data.rstrip().splitlines()
    if lines and lines[-1].split()[-1:] == [b"0"] and data.count(b"\n") > len(lines):
        lines.append(b"")
    return b"".join(b" ".join(line.split()) + b"\n" for line in lines)


def _without_end(lines: Lines | None, end: bytes) -> Lines | None:
    """Return the lines before the one that ends them all; None if that is somewhere else, too."""
    ends = [at for at, line in enumerate(lines or ()) if end and b" ".join(line) == end]
    if lines is None or not end:
        return lines
    return lines[:-1] if ends == [len(lines) - 1] else None


def _take_blocks(blocks: Sequence[Block], stream: _Stream) -> bool:
    """Move a stream past some blocks; return whether they match."""
    is_match = True
    for block in blocks:
        match block:
            case Line():
                is_match = _take_line(block, stream.take(), stream)
            case Forms(lines=lines):
                tokens = stream.take()
                line = next((each for first, each in lines if tokens and tokens[0] == first), None)
                is_match = line is not None and _take_line(line, tokens, stream)
            case Repeat():
                is_match = _take_repeat(block, stream)
        if not is_match:
            return False
    return True


def _take_line(line: Line, tokens: Sequence[bytes] | None, stream: _Stream) -> bool:
    if tokens is None:
        return False
    at = 0
    for part in line.parts:
        if isinstance(part, Item):
            if at >= len(tokens):
                return False
            stream.note(part.id, tokens[at])
            at += 1
            continue
        wanted = len(tokens) - at if part.count is None else part.count.resolve(stream.known)
        if wanted is None or wanted < 0 or at + wanted > len(tokens):
            return False
        if stream.tokens is not None:
            stream.tokens += [Token(part.item.id, text, stream.known) for text in tokens[at : at + wanted]]
        at += wanted
    return at == len(tokens)


def _take_repeat(repeat: Repeat, stream: _Stream) -> bool:
    wanted = None if repeat.count is None else repeat.count.resolve(stream.known)
    if repeat.count is not None and (wanted is None or wanted < 0):
        return False
    done = 0
    while stream.rest if wanted is None else done < wanted:
        start = stream.at
        if not _take_blocks(repeat.body, stream) or stream.at == start:  # no lines could repeat without end
            return False
        done += 1
    return True


class _Inference(Struct):
    """The search for the structure with the lowest cost, depth first.

    A cost is how much a structure says; a block that repeats says less than all its lines.

    Attributes:
        places: of single tokens: their number in the line, and how many the line has.
        failed: the bounds below which nothing matches, by what the streams have left and the numbers that may count.
    """

    steps: int = 0
    next_item: int = 0
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    failed: dict[object, float] = field(default_factory=dict)

    def grow(
        self, streams: list[_Stream], scope: tuple[int, ...], bound: float
    ) -> tuple[float, tuple[Block, ...]] | None:
        """Return the blocks with the lowest cost below the bound that match the rest of every stream."""
        if not any(each.rest for each in streams):
            return (0.0, ()) if bound > 0 else None
        if bound <= (_LINE if all(each.rest <= 1 for each in streams) else _LINES):
            return None
        numbers = frozenset(tuple(each.known.get(item) for each in streams) for item in scope)
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
            is_ragged = depth > 0 and any(isinstance(part, Tokens) and part.count is None for part in line.parts)
            cost = _RAGGED if is_ragged else 1.0 + sum(_part_cost(part, streams) for part in line.parts)
            if cost < bound:
                yield line, cost, (*scope, *reversed(line.items))  # the latest line first, and there the first number
        if depth < _MAX_DEPTH:
            known: dict[tuple[int, ...], list[tuple[tuple[Block, ...], float]]] = {}  # by the streams that repeat
            for offset in (0, -1):
                for item in reversed(scope[hidden:]):
                    count = Count(item, offset)
                    own = 1.0 - offset
                    if own >= bound or not self._is_countable(streams, count):
                        continue
                    left = tuple(each for each in scope if each != item)
                    active = tuple(at for at, each in enumerate(streams) if (count.resolve(each.known) or 0) > 0)
                    if active not in known:
                        inside = [streams[at] for at in active]
                        known[active] = list(self._bodies(inside, scope, depth + 1, bound - own))
                    for body, cost in known[active]:
                        more = _square_cost(body, count, streams) + self._unusual_cost(body, item, streams)
                        yield Repeat(body, count), own + cost + more, left
                    counts = [count.resolve(each.known) or 0 for each in streams]
                    pairs = zip(streams, counts, strict=True)
                    rows = [row for each, most in pairs for row in each.lines[each.at : each.at + most]]
                    self.steps += len(rows)
                    for forms, cost in self._forms(rows):
                        yield Repeat((forms,), count), own + cost, left
                    if all(rows) and len(set(map(len, rows))) > 1:
                        yield Repeat((Line((Tokens(self._item(), None),)),), count), own + _RAGGED, left
        if depth == 0 and bound > _TO_THE_END and any(each.rest > 1 for each in streams):
            for body, cost in self._bodies(streams, scope, depth + 1, bound - _TO_THE_END):
                yield Repeat(body, None), _TO_THE_END + cost, scope

    def _unusual_cost(self, body: Sequence[Block], item: int, streams: Sequence[_Stream]) -> float:
        """Return what it costs that of some equal numbers, another one than usual is the number of lines.

        That of pairs, such as edges, is the last one of its line, of words and rows of a grid the first one.
        """
        at, size = self.places.get(item, (0, 1))
        numbers = {other: [each.known.get(other) for each in streams] for other in streams[0].known}
        if list(numbers.values()).count(numbers.get(item, [])) < 2:
            return 0.0
        match body:
            case (Line(parts=parts),) if len(parts) > 1 and all(isinstance(part, Item) for part in parts):
                return _UNUSUAL * (size - 1 - at)
        return _UNUSUAL * at

    def _is_countable(self, streams: list[_Stream], count: Count) -> bool:
        counts = [count.resolve(each.known) for each in streams]
        if any(each is None or not 0 <= each <= stream.rest for each, stream in zip(counts, streams, strict=True)):
            return False
        return any(each is not None and each > 1 for each in counts)

    def _forms(self, rows: Lines) -> Iterator[tuple[Forms, float]]:
        """Yield the forms of some lines, if their first tokens decide how many tokens follow."""
        lengths = {row[0]: len(row) for row in rows if row}
        if not 2 <= len(lengths) <= min(_MOST_FORMS, len(rows) - 1) or len(set(lengths.values())) < 2:
            return
        if max(lengths.values()) > _MOST_NAMED or any(not row or lengths[row[0]] != len(row) for row in rows):
            return
        kinds = {b"%d" % (number + int(b"0" not in lengths)) for number in range(len(lengths))}
        if set(lengths) != kinds and not all(map(_FIRST.fullmatch, lengths)):
            return
        if all(INTEGER.fullmatch(first) and int(first) == length - 1 for first, length in lengths.items()):
            return  # it counts the rest
        lines = [(first, Line(tuple(self._item() for _ in range(size)))) for first, size in sorted(lengths.items())]
        yield Forms(tuple(lines)), _FORMS + _FORM * len(lines)

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
            is_match = _take_blocks((block,), copy)
            self.steps += 3 + copy.at - stream.at
            if not is_match:
                return None
            after.append(copy)
        return after

    def _lines(self, streams: list[_Stream], scope: tuple[int, ...]) -> Iterator[Line]:
        if not streams or any(not each.rest for each in streams):
            return
        rows = [each.lines[each.at] for each in streams]
        sizes = {len(row) for row in rows}
        smallest = min(sizes)
        for prefix in range(min(smallest, 3) + 1):
            for item in reversed(scope):
                for offset in (0, -1, 1) if len(sizes) > 1 or smallest > _MOST_FIXED else (0,):
                    count = Count(item, offset)
                    wanted = [count.resolve(each.known) for each in streams]
                    if all(value == len(row) - prefix for value, row in zip(wanted, rows, strict=True)):
                        items = tuple(self._item() for _ in range(prefix))
                        yield Line((*items, Tokens(self._item(), count)))
            for at in range(prefix):  # a number in the line itself counts the rest
                numbers = [int(row[at]) if INTEGER.fullmatch(row[at]) else -1 for row in rows]
                if all(value == len(row) - prefix for value, row in zip(numbers, rows, strict=True)):
                    items = tuple(self._item() for _ in range(prefix))
                    yield Line((*items, Tokens(self._item(), Count(items[at].id))))
        if len(sizes) == 1:
            if smallest <= _MOST_NAMED:
                items = tuple(self._item() for _ in range(smallest))
                self.places |= {item.id: (at, smallest) for at, item in enumerate(items)}
                yield Line(items)
            yield Line((Tokens(self._item(), Count(0, smallest)),))
        else:
            yield Line((Tokens(self._item(), None),))

    def _item(self) -> Item:
        self.next_item += 1
        return Item(self.next_item)


def _square_cost(body: Sequence[Block], count: Count, streams: Sequence[_Stream]) -> float:
    """Return what it costs more if the number of lines is that of the tokens in each, too, which may be by chance."""
    counts = [part.count for line in body if isinstance(line, Line) for part in line.parts if isinstance(part, Tokens)]
    if not any(each is not None and each.item == count.item for each in counts):
        return 0.0
    return _ALWAYS_SQUARE if len({each.known.get(count.item) for each in streams}) == 1 else _SQUARE


def _part_cost(part: Item | Tokens, streams: Sequence[_Stream]) -> float:
    if isinstance(part, Item):
        return 0.5
    if part.count is None:
        return 1.5
    if part.count.is_constant:
        return 2.0
    counts = {part.count.resolve(each.known) for each in streams}
    is_constant = len(counts) == 1
    if counts == {None}:  # a number in the line itself counts
        is_constant = len({len(each.lines[each.at]) for each in streams}) == 1
    return 0.5 + 0.4 * abs(part.count.offset) + (_COINCIDENCE.get(counts.pop() or 0, 0.0) if is_constant else 0.0)


def infer_structure(examples: Sequence[bytes]) -> Structure | None:
    """Return a structure of all examples that have single spaces and plain line ends; None if none was found."""
    every = sorted({each for each in examples if len(each) <= MAX_EXAMPLE}, key=lambda each: (len(each), each))
    parsed = {each: lines for each in every if (lines := split_lines(each))}
    if not parsed:
        return None
    end = _find_end(list(parsed.values()))
    parsed = {each: rest for each, lines in parsed.items() if (rest := _without_end(lines, end)) is not None}
    chosen = list(parsed)
    if len(chosen) > _MAX_EXAMPLES:  # of different sizes, most of them small
        steps = range(_MAX_EXAMPLES)
        chosen = [chosen[at * at * (len(parsed) - 1) // (_MAX_EXAMPLES - 1) ** 2] for at in steps]
    for _ in range(_MAX_ROUNDS):
        inference, found = _Inference(), None
        for bound in _BOUNDS:  # what is cheap is looked for first
            found = inference.grow([_Stream(parsed[each], 0, {}) for each in chosen], (), bound)
            if found is not None or inference.is_over():
                break
        if found is None:
            return None
        structure = Structure(found[1], end)
        contrary = next((each for each in parsed if structure.read(each) is None), None)
        if contrary is None:
            return _with_kinds(structure, list(parsed))
        chosen.append(contrary)
    return None


def _with_kinds(structure: Structure, examples: Sequence[bytes]) -> Structure:
    """Return a structure in which the first number of a line after a list says which query it is, if it is 1 or 2."""
    *before, last = structure.blocks
    lists = (part for block in before if isinstance(block, Line) for part in block.parts if isinstance(part, Tokens))
    match last:
        case Repeat(body=(Line(parts=(Item(id=kind), _, _, *_) as parts),)) if any(lists):
            tokens = [token for each in examples for token in structure.read(each) or ()]
            kinds = sorted({token.text for token in tokens if token.item == kind})
            if kinds in _KINDS and all(isinstance(part, Item) for part in parts):
                ids = count(max(token.item for token in tokens) + 1)
                forms = Forms(tuple((each, Line(tuple(Item(next(ids)) for _ in parts))) for each in kinds))
                return replace(structure, blocks=(*before, replace(last, body=(forms,))))
    return structure


def _find_end(examples: Sequence[Lines]) -> bytes:
    """Return the line with which all inputs end, and which is nowhere else, if it looks like one that ends them."""
    lines = {b" ".join(each[-1]) for each in examples}
    end = lines.pop()
    is_mark = bool(_END.fullmatch(end)) and not lines and all(len(each) > 1 for each in examples)
    return end if is_mark and all(_without_end(each, end) is not None for each in examples) else b""
