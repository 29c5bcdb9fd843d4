"""Which values occur at each place of some inputs of one structure, and how they depend on the numbers before them.

A few inputs show coincidences: if every one has 4 nodes, and lines of 3 tokens, then the 4 may count these tokens.
"""

import math
import re
from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct

from judge.inputs.structure import (
    INTEGER,
    Block,
    Count,
    Forms,
    Item,
    Line,
    Repeat,
    Structure,
    Token,
    Tokens,
    infer_structure,
    parts_of,
    walk,
)

REAL = re.compile(rb"-?\d{1,18}\.\d{1,18}")
_LONGEST_CODE = 6  # letters of words whose places differ, such as cards
_FEW_ROWS = 4  # of as many digits as a number says, from which on they are no numbers
_MANY = 2  # values from which a bound is believed
MOST_BYTES = 500_000  # of the inputs together, the small ones first: a megabyte takes a second
_MOST_WORDS = 200


class Values(Struct):
    """The values at a place.

    Attributes:
        kind: `integer`, `real` or `word`.
        low, high: of numbers; of the lengths of words.
        alphabet: the characters of words, sorted.
        bound: the item whose value no number exceeds; all are at least 0.
        is_below: the numbers are smaller than that value.
        length: the item whose value is the length of every word.
        decimals, least_decimals: how many digits follow the points.
        places: the characters at each place of words that all have the same length.
        least, most: what is valid for a number; None if nothing says so.
        longest: how long words may be; None if nothing says so.
    """

    kind: str
    low: int
    high: int
    often: int = 0
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
    longest: int | None = None


class Observed(Struct):
    """A structure with the values at its places, and the tokens of the inputs that were looked at."""

    structure: Structure
    readings: list[list[Token]]
    values: dict[int, Values]
    counters: frozenset[int]


def observe(inputs: Sequence[bytes]) -> Observed | None:
    """Return what the smaller half a megabyte of some inputs has in common; None if no structure is recognized."""
    small = take_small(inputs, MOST_BYTES)
    structure = infer_structure(small)
    if structure is None:
        return None
    readings = [reading for each in small if (reading := structure.read(each)) is not None]
    counts = {block.count for block, *_ in walk(structure.blocks) if isinstance(block, Repeat) and block.count}
    of_tokens = (part.count for part in parts_of(structure.blocks) if isinstance(part, Tokens))
    counts |= {count for count in of_tokens if count and not count.is_constant}
    counters = frozenset(count.item for count in counts)
    found: dict[int, list[Token]] = {}
    for reading in readings:
        for token in reading:
            found.setdefault(token.item, []).append(token)
    values = {item: _summarize(item, tokens, counters) for item, tokens in found.items()}
    _share_bounds(structure.blocks, values, found)
    observed = Observed(structure, readings, values, counters)
    _bound_positions(observed, found)
    return observed


def find_grid(observed: Observed) -> tuple[int, int, int] | None:
    """Return the items of the numbers of rows and columns of a grid, and the item of its rows or cells."""
    for block in observed.structure.blocks:
        match block:
            case Repeat(body=(Line(parts=(Item(row),)),), count=Count(rows, 0)):
                values = observed.values.get(row)
                if values is not None and values.length is not None:
                    return rows, values.length, row
            case Repeat(body=(Line(parts=(Tokens(item=Item(cell), count=Count(columns, 0)),)),), count=Count(rows, 0)):
                if columns:
                    return rows, columns, cell
    return None


def _bound_positions(observed: Observed, found: dict[int, list[Token]]) -> None:
    """Give the numbers of a line, of which one has a bound, the same one, or those of a grid in turn, if they fit."""
    values, grid = observed.values, find_grid(observed)
    for block in observed.structure.blocks:
        items = list(block.items) if isinstance(block, Line) else []
        bounds = [bound for item in items if item in values and (bound := values[item].bound) is not None]
        if not bounds or len(items) < len(getattr(block, "parts", ())) or observed.counters.intersection(items):
            continue
        for ends in ([grid[at % 2] for at in range(len(items))] if grid else [], [bounds[0]] * len(items)):
            if len(ends) == len(items) and all(_fits(found[item], end) for item, end in zip(items, ends, strict=True)):
                for item, end in zip(items, ends, strict=True):
                    values[item].bound = end
                    values[item].is_below = any(token.text == b"0" for each in items for token in found[each])
                break


def _fits(tokens: Sequence[Token], bound: int) -> bool:
    """Return whether no number is larger than an earlier one."""
    return all(INTEGER.fullmatch(each.text) and 0 <= int(each.text) <= each.known.get(bound, -1) for each in tokens)


def take_small(inputs: Sequence[bytes], most: int) -> list[bytes]:
    """Return the smallest inputs that have so many bytes together."""
    ordered = sorted(inputs, key=len)
    ends = accumulate(map(len, ordered))
    return [each for each, end in zip(ordered, ends, strict=True) if end <= most]


def _summarize(item: int, tokens: Sequence[Token], counters: frozenset[int]) -> Values:
    texts = [token.text for token in tokens]
    common = set.intersection(*(set(token.known) for token in tokens))
    widths = (other for other in common if all(token.known[other] == len(token.text) > 1 for token in tokens))
    is_grid = any(widths) and len(texts) >= _FEW_ROWS and item not in counters  # of digits
    if all(map(INTEGER.fullmatch, texts)) and not is_grid:
        numbers = [int(text) for text in texts]
        values = Values("integer", min(numbers), max(numbers), len(texts))
        if item not in counters and values.low >= 0 and values.often >= _MANY:
            values.bound, values.is_below = _find_bound(numbers, tokens, common)
        return values
    if not is_grid and all(REAL.fullmatch(text) or INTEGER.fullmatch(text) for text in texts):
        reals = [float(text) for text in texts]
        digits = [len(text.partition(b".")[2]) for text in texts]
        low, high = math.floor(min(reals)), math.floor(max(reals)) + 1
        return Values("real", low, high, len(texts), decimals=max(digits), least_decimals=min(digits))
    lengths = [len(text) for text in texts]
    words = tuple(sorted(set(texts))[:_MOST_WORDS])
    values = Values("word", min(lengths), max(lengths), len(texts), bytes(sorted(set(b"".join(texts)))), words=words)
    if 1 < values.low == values.high <= _LONGEST_CODE:
        values.places = tuple(bytes(sorted({text[at] for text in texts})) for at in range(values.low))
    for other in sorted(common, key=lambda each: (each in counters, each)):  # a square has two equal numbers
        if values.high > 1 and all(token.known[other] == len(token.text) for token in tokens):
            values.length = other
            break
    return values


def _share_bounds(blocks: Sequence[Block], values: dict[int, Values], found: dict[int, list[Token]]) -> None:
    """Give the columns of a block one bound where they may have it, rather than the number of its lines."""
    for block in blocks:
        if not isinstance(block, Repeat):
            continue
        _share_bounds(block.body, values, found)
        lines = [each for each in block.body if isinstance(each, Line)]
        items = [each for line in lines for each in line.items if each in values]
        numbers = [item for item in items if values[item].kind == "integer" and values[item].low >= 0]
        own = None if block.count is None else block.count.item
        forms = [line for each in block.body if isinstance(each, Forms) for _, line in each.lines]
        for each in (each for line in forms for each in line.items):
            if own is not None and values[each].bound == own:  # by chance: the number of operations
                values[each].bound = None
        shared = {values[item].bound for item in numbers} - {own, None}
        for item in numbers:
            for bound in sorted(each for each in shared if each is not None):
                tokens = found[item]
                if values[item].bound in (None, own) and _fits(tokens, bound) and item != bound:
                    values[item].bound, values[item].is_below = bound, False


def _find_bound(numbers: Sequence[int], tokens: Sequence[Token], common: set[int]) -> tuple[int | None, bool]:
    """Return the item that bounds some numbers, and whether they are smaller."""
    for other in sorted(common):
        limits = [token.known[other] for token in tokens]
        is_near = max(limits) <= 2 * max(*numbers, 1)
        if is_near and all(number <= limit for number, limit in zip(numbers, limits, strict=True)):
            is_below = all(number < limit for number, limit in zip(numbers, limits, strict=True)) and min(numbers) == 0
            return other, is_below
    return None, False
