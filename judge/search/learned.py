"""What examples show beyond their shape: which values occur where, and how they depend on each other.

All of it is a guess. It decides what is worth trying, and, where there is no validator, what may count as valid: only
what looks like the examples in every respect.

A few examples show coincidences: if every one has 4 nodes, and lines of 3 tokens, then the 4 may count these tokens.
The validators know: they accept a 5 with the same lines. So variants of the examples are tried: what is accepted is one
more example.
"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

from msgspec import Struct, field

from judge.search.shape import INTEGER, Block, Cell, Item, Repeat, Row, Shape, Tokens, Tree, infer_shape, split_lines

REAL = re.compile(rb"-?\d{1,18}\.\d{1,18}")
_LONGEST_CODE = 6  # letters of words whose places differ, such as cards
_MIN_ROWS = 2  # from which a rule is believed, unless one is long
_MANY = 5  # examples of a value from which a rule is believed
_MOST_STEPS = 3
_MOST_BYTES = 500_000  # of the examples together, the small ones first: a megabyte takes a second


class Values(Struct):
    """The values of an item in all examples.

    Attributes:
        kind: `integer`, `real` or `word`.
        low, high: of numbers; of the lengths of words.
        alphabet: the characters of words, sorted.
        bound: the item whose value no number exceeds; its lowest value is 0 or 1.
        is_below: the numbers are smaller than that value.
        length: the item whose value is the length of every word.
        words: some that occur.
        decimals, least_decimals: how many digits follow the points.
        places: the characters at each place of words that all have the same length.
        least, most: what validators allow for a number; None if they were not asked.
        floor: the item whose value every number has at least, or exceeds if `is_above`.
        near, steps: an item before it in the line, and the differences from its value that occur, if they are few.
        differs: an item before it in the line whose value no number has.
        longest: how long validators allow words to be.
    """

    kind: str
    low: int
    high: int
    alphabet: bytes = b""
    bound: int | None = None
    is_below: bool = False
    length: int | None = None
    words: tuple[bytes, ...] = ()
    places: tuple[bytes, ...] = ()
    decimals: int = 0
    least_decimals: int = 0
    least: int | None = None
    most: int | None = None
    floor: int | None = None
    is_above: bool = False
    near: int | None = None
    steps: tuple[int, ...] = ()
    differs: int | None = None
    longest: int | None = None


class RowRules(Struct, frozen=True):
    """What the elements of a counted row, or of a column of counted lines, have in common."""

    is_distinct: bool = False
    is_permutation: bool = False
    is_sorted: bool = False


class Learned(Struct):
    """A shape with its values.

    Attributes:
        counters: the items that count something.
        rules: by the item of the elements. Those of columns are not guessed: only validators know them.
    """

    shape: Shape
    values: dict[int, Values] = field(default_factory=dict)
    counters: set[int] = field(default_factory=set)
    rules: dict[int, RowRules] = field(default_factory=dict)

    def accepts(self, data: bytes) -> bool:
        """Return whether an input looks like the examples in every respect."""
        tree = self.shape.parse(data)
        if tree is None:
            return False
        return all(self._is_usual(cell, known) for cell, known in walk_values(tree)) and all(
            self._is_regular(row) for row in token_rows(tree)
        )

    def _is_usual(self, cell: Cell, known: dict[int, int]) -> bool:
        values = self.values.get(cell.item)
        if values is None:
            return True
        if values.kind == "integer":
            if not INTEGER.fullmatch(cell.text):
                return False
            bound = known.get(values.bound, 0) - values.is_below if values.bound is not None else values.high
            low = min(values.low, 1) if cell.item in self.counters else values.low  # one sample has one count
            return low <= int(cell.text) <= bound
        if values.kind == "real":
            return bool(REAL.fullmatch(cell.text)) and values.low <= float(cell.text) <= values.high
        length = len(cell.text)
        is_long = known.get(values.length) == length if values.length else values.low <= length <= values.high
        return is_long and set(cell.text) <= set(values.alphabet)

    def _is_regular(self, row: Row) -> bool:
        texts = texts_of(row)
        rules = self.rules.get(item_of(row))
        if rules is None or not texts:
            return True
        if rules.is_distinct and len(set(texts)) < len(texts):
            return False
        if rules.is_sorted and not is_sorted(texts):
            return False
        return not rules.is_permutation or _is_permutation(texts)


def learn(examples: Sequence[bytes]) -> Learned | None:
    """Return what examples have in common; None if they have no shape that is recognized.

    The smaller half a megabyte of them is looked at.
    """
    small = take_small(examples, _MOST_BYTES)
    shape = infer_shape(small)
    if shape is None:
        return None
    trees = [tree for each in small if (tree := shape.parse(each)) is not None]
    learned = Learned(shape)
    found: dict[int, list[tuple[bytes, dict[int, int]]]] = {}
    rows: dict[int, list[list[bytes]]] = {}
    for tree in trees:
        for cell, known in walk_values(tree):
            found.setdefault(cell.item, []).append((cell.text, known))
        for row in token_rows(tree):
            rows.setdefault(item_of(row), []).append(texts_of(row))
    learned.counters = set(_counting_items(shape.blocks))
    learned.values = {item: _summarize(item, each, learned.counters) for item, each in found.items()}
    for line in items_of_lines(shape.blocks):
        for at, item in enumerate(line):
            if at and (values := learned.values.get(item)) is not None and values.kind == "integer":
                values.near, values.steps = _find_steps(found[item], line[:at][::-1])
    learned.rules = {item: _rules(each) for item, each in rows.items()}
    return learned


def take_small(examples: Sequence[bytes], most: int) -> list[bytes]:
    """Return the smallest examples that have so many bytes together."""
    ordered = sorted(examples, key=len)
    ends = accumulate(map(len, ordered))
    return [each for each, end in zip(ordered, ends, strict=True) if end <= most]


def _counting_items(blocks: Sequence[object]) -> Iterator[int]:
    for block in blocks:
        if isinstance(block, Repeat):
            if block.count is not None:
                yield block.count.item
            yield from _counting_items(block.body)
        else:
            for part in block.parts:  # type: ignore[attr-defined]
                if isinstance(part, Tokens) and part.count is not None and not part.count.is_constant:
                    yield part.count.item


def items_of_lines(blocks: Sequence[Block]) -> Iterator[list[int]]:
    """Yield the items of every line that has more than one, in order."""
    for block in blocks:
        if isinstance(block, Repeat):
            yield from items_of_lines(block.body)
        elif len(items := [part.id for part in block.parts if isinstance(part, Item)]) > 1:
            yield items


def walk_values(tree: Tree, known: dict[int, int] | None = None) -> Iterator[tuple[Cell, dict[int, int]]]:
    """Yield all tokens in order, each with the latest numbers before it, by their items."""
    known = known or {}
    for node in tree:
        if isinstance(node, Cell):
            yield node, known
            if INTEGER.fullmatch(node.text):
                known = {**known, node.item: int(node.text)} if known.get(node.item) != int(node.text) else known
        else:
            for element in node.elements:
                if len(element) == 1 and isinstance(element[0], Cell):
                    yield element[0], known
                else:
                    yield from walk_values(element, known)


def token_rows(tree: Tree) -> Iterator[Row]:
    """Yield the rows whose elements are single tokens."""
    for node in tree:
        if isinstance(node, Row):
            if node.elements and all(len(each) == 1 and isinstance(each[0], Cell) for each in node.elements):
                yield node
            else:
                for element in node.elements:
                    yield from token_rows(element)


def series_of(tree: Tree) -> Iterator[list[Cell]]:
    """Yield the tokens of every row, and of every column of lines: what may be distinct, or sorted."""
    for node in tree:
        if isinstance(node, Row):
            columns: dict[int, list[Cell]] = {}
            for element in node.elements:
                for each in element:
                    if isinstance(each, Cell):
                        columns.setdefault(each.item, []).append(each)
                yield from series_of(element)
            yield from columns.values()


def texts_of(row: Row) -> list[bytes]:
    """Return the tokens of such a row."""
    return [each[0].text for each in row.elements if isinstance(each[0], Cell)]


def item_of(row: Row) -> int:
    """Return what the tokens of such a row are."""
    first = row.elements[0][0]
    assert isinstance(first, Cell)
    return first.item


def _summarize(item: int, found: list[tuple[bytes, dict[int, int]]], counters: set[int]) -> Values:
    texts = [text for text, _ in found]
    if all(map(INTEGER.fullmatch, texts)):
        numbers = [int(text) for text in texts]
        low, high = min(numbers), max(numbers)
        if low < 0:  # the largest number may be negative, too, however few examples there are
            low, high = -max(-low, high), max(-low, high)
        values = Values("integer", low, high)
        if item not in counters and values.low in (0, 1):
            values.bound, values.is_below = _find_bound(numbers, [known for _, known in found])
        return values
    if all(REAL.fullmatch(text) or INTEGER.fullmatch(text) for text in texts):
        reals = [float(text) for text in texts]
        digits = [len(text.partition(b".")[2]) for text in texts]
        low, high = math.floor(min(reals)), math.floor(max(reals)) + 1
        return Values("real", low, high, decimals=max(digits), least_decimals=min(digits))
    lengths = [len(text) for text in texts]
    alphabet = bytes(sorted(set(b"".join(texts))))
    values = Values("word", min(lengths), max(lengths), alphabet, words=tuple(sorted(set(texts))[:200]))
    if 1 < values.low == values.high <= _LONGEST_CODE:
        values.places = tuple(bytes(sorted({text[at] for text in texts})) for at in range(values.low))
    common = set.intersection(*(set(known) for _, known in found)) if found else set()
    for other in sorted(common):
        if all(known[other] == len(text) for text, known in found) and max(lengths) > 1:
            values.length = other
            break
    return values


def _find_bound(numbers: list[int], known: list[dict[int, int]]) -> tuple[int | None, bool]:
    """Return the item that bounds some numbers, and whether they are smaller."""
    common = set.intersection(*map(set, known)) if known else set()
    if len(numbers) < _MANY:
        common = set()
    for other in sorted(common):
        limits = [each[other] for each in known]
        is_near = max(limits) <= 2 * max(*numbers, 1)
        if is_near and all(number <= limit for number, limit in zip(numbers, limits, strict=True)):
            is_below = all(number < limit for number, limit in zip(numbers, limits, strict=True)) and min(numbers) == 0
            return other, is_below
    return None, False


def _find_steps(
    found: list[tuple[bytes, dict[int, int]]], earlier: Sequence[int]
) -> tuple[int | None, tuple[int, ...]]:
    """Return an item before a number from which it differs by few amounts, and these; None if there is none."""
    for other in earlier:
        pairs = [(int(text), known[other]) for text, known in found if other in known]
        steps = {number - partner for number, partner in pairs}
        is_varied = len({partner for _, partner in pairs}) > len(steps) and len({number for number, _ in pairs}) > 1
        if len(found) == len(pairs) >= _MANY and len(steps) <= _MOST_STEPS and is_varied:
            return other, tuple(sorted(steps))
    return None, ()


def _rules(rows: list[list[bytes]]) -> RowRules:
    longest = max(map(len, rows))
    if longest < 3 or (len(rows) < _MIN_ROWS and longest < 2 * _MANY):  # by chance
        return RowRules()
    return RowRules(
        is_distinct=sum(map(len, rows)) >= _MANY and all(len(set(each)) == len(each) for each in rows),
        is_permutation=all(map(_is_permutation, rows)),
        is_sorted=sum(map(len, rows)) >= _MANY and all(map(is_sorted, rows)),
    )


def _is_permutation(texts: Sequence[bytes]) -> bool:
    if not all(map(INTEGER.fullmatch, texts)):
        return False
    numbers = sorted(map(int, texts))
    return numbers in (list(range(1, len(numbers) + 1)), list(range(len(numbers))))


def is_sorted(texts: Sequence[bytes]) -> bool:
    """Return whether tokens are in ascending order, as numbers if all are."""
    if all(map(INTEGER.fullmatch, texts)):
        numbers = list(map(int, texts))
        return numbers == sorted(numbers)
    return list(texts) == sorted(texts)


_MAX_BASE = 2_000  # bytes of an input that is changed
_MAX_BASES = 2
_MAX_NUMBERS = 12  # that are changed in an input: counts are at its beginning
_MAX_COUNTED = 200  # elements
_MAX_PLACES = 4  # lines, or blocks of lines, that a number may count or the tokens of

_Rows = list[list[bytes]]


def variants_of(known: Sequence[bytes]) -> list[bytes]:
    """Return inputs in which one number is changed, alone or together with what it may count; few may be valid."""
    bases = sorted((each for each in known if len(each) <= _MAX_BASE), key=lambda each: (len(each), each))
    found = (_join(rows) for base in bases[:_MAX_BASES] for rows in _vary(split_lines(base) or ()))
    return list(dict.fromkeys(found))


def _join(rows: _Rows) -> bytes:
    return b"".join(b" ".join(row) + b"\n" for row in rows)


def _vary(lines: Sequence[Sequence[bytes]]) -> Iterator[_Rows]:
    rows = [list(row) for row in lines]
    places = ((line, at) for line, row in enumerate(rows) for at, text in enumerate(row) if INTEGER.fullmatch(text))
    for line, at in islice(places, _MAX_NUMBERS):
        number = int(rows[line][at])
        yield _with_number(rows, line, at, number + 1)
        yield _with_number(rows, line, at, number - 1)
        if 2 <= number <= _MAX_COUNTED:
            fewer = _with_number(rows, line, at, number - 1)
            yield from _without_token(fewer, line, number)
            yield from _without_line(fewer, line, number)


def _with_number(rows: _Rows, line: int, at: int, number: int) -> _Rows:
    changed = [list(row) for row in rows]
    changed[line][at] = b"%d" % number
    return changed


def _without_token(rows: _Rows, line: int, number: int) -> Iterator[_Rows]:
    """Yield the rows without the last token of a line, or of all lines, that a number may count the tokens of."""
    counted = [at for at in range(line, len(rows)) if len(rows[at]) >= number]
    for chosen in [[at] for at in counted[:_MAX_PLACES]] + [[at for at in counted if at > line]]:
        if chosen:
            yield [row[:-1] if at in chosen else row for at, row in enumerate(rows)]


def _without_line(rows: _Rows, line: int, number: int) -> Iterator[_Rows]:
    """Yield the rows without the last line of a block that a number may count the lines of."""
    ends = range(line + number, len(rows))
    for end in dict.fromkeys((*ends[:_MAX_PLACES], *ends[-1:])):
        yield rows[:end] + rows[end + 1 :]
