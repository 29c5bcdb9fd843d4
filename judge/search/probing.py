"""What validators allow at each place of a known input: ranges of numbers, letters and lengths of words, order.

One token is changed at a time, and the validators are asked. So guesses from a few samples become facts: how large a
value may be, whether another value bounds it, and whether elements that happen to differ must differ.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from judge.search.learned import (
    REAL,
    Learned,
    RowRules,
    Values,
    is_sorted,
    items_of_lines,
    series_of,
    walk_values,
)
from judge.search.shape import INTEGER, Cell, Row, Tree, render, walk_rows

Accepts = Callable[[bytes], bool | None]
"""Returns whether an input is valid; None if there is no time left to find out."""

_Change = Callable[[Row, set[int]], None]

_MAX_BASE = 4_000  # bytes of an input that is changed
_MAX_BASES = 2
_MAX_ITEMS = 24
_MIN_PLACES = 2  # that show that two values of a line differ
_MIN_COLUMN = 4  # known tokens of a column for which rules are asked
_LETTERS = b"azAZ09_-.*#+"
_RANGES = ((b"a", b"z"), (b"A", b"Z"), (b"0", b"9"))
_MAX_LENGTH = 200_000
_ALWAYS = (*(10**power for power in range(1, 19)), 2**31 - 1, 2**31, 2**63 - 1)


class _TimeOverError(Exception):
    """The time for questions to validators is over: what was not found out by then stays a guess."""


class _Place(Struct, frozen=True):
    """A token of an input: the number of the token, its text, and the numbers before it by their items."""

    base: bytes
    at: int
    text: bytes
    known: dict[int, int]


class Probed(Struct):
    """What was found out about an item.

    Attributes:
        values: what is known now.
        inputs: that were accepted.
    """

    item: int
    values: Values
    inputs: list[bytes] = field(default_factory=list)


def places_of(learned: Learned, known: Sequence[bytes]) -> dict[int, list[_Place]]:
    """Return some places for every item that counts nothing: the first and the last one of some inputs.

    The length of words counts, too: a validator never accepts another one alone.
    """
    counting = learned.counters | {each.length for each in learned.values.values()}
    found: dict[int, list[_Place]] = {}
    bases = sorted((each for each in known if len(each) <= _MAX_BASE), key=lambda each: (len(each), each))
    for base in [*bases[:1], *bases[-1:]][:_MAX_BASES]:
        tree = learned.shape.parse(base)
        if tree is None:
            continue
        here: dict[int, list[_Place]] = {}
        for at, (cell, numbers) in enumerate(walk_values(tree)):
            if cell.item not in counting and cell.item in learned.values:
                here.setdefault(cell.item, []).append(_Place(base, at, cell.text, dict(numbers)))
        for item, places in here.items():
            found.setdefault(item, []).extend([*places[:1], *places[1:][-1:]])
    return dict(list(found.items())[:_MAX_ITEMS])


def probe_item(
    learned: Learned, item: int, places: Sequence[_Place], numbers: Sequence[int], accepts: Accepts
) -> Probed:
    """Find out what one item may be."""
    probe = _Probe(learned, item, places, numbers, accepts)
    with suppress(_TimeOverError):
        match learned.values[item].kind:
            case "integer" | "real":
                probe.find_range()
            case _:
                probe.find_letters()
                probe.find_lengths()
    return Probed(item, probe.values, probe.inputs)


class _Probe:
    def __init__(
        self, learned: Learned, item: int, places: Sequence[_Place], numbers: Sequence[int], accepts: Accepts
    ) -> None:
        self.values = replace(learned.values[item])
        self.inputs: list[bytes] = []
        self._learned = learned
        self._item = item
        line = next((each for each in items_of_lines(learned.shape.blocks) if item in each), [])
        self._earlier = line[: line.index(item)][::-1] if line else []
        self._places = places
        self._accepts = accepts
        self._numbers = sorted({near for each in (*numbers, *_ALWAYS) for near in (each - 1, each, each + 1)})

    def _try(self, place: _Place, text: bytes) -> bool:
        """Return whether an input is valid with another token at a place.

        Raises:
            _TimeOverError: there is no time left to find out.
        """
        data = with_token(self._learned, place.base, place.at, text)
        is_valid = False if data is None else self._accepts(data)
        if is_valid is None:
            raise _TimeOverError
        if data is not None and is_valid:
            self.inputs.append(data)
        return is_valid

    # ---- numbers --------------------------------------------------------------------------------------------------

    def find_range(self) -> None:
        """Find the smallest and the largest number, and what bounds it."""
        is_real = self.values.kind == "real"
        pattern = REAL if is_real else INTEGER
        found = [
            (place, *self._range_at(place, is_real=is_real)) for place in self._places if pattern.fullmatch(place.text)
        ]
        if not found:
            return
        self.values.least = min(self.values.low, *(low for _, low, _ in found))
        self.values.most = max(self.values.high, *(high for _, _, high in found))
        if is_real:
            return
        limits = [(place.known, high) for place, _, high in found]
        guess, (bound, is_below) = self.values.bound, self._relation(limits)
        if guess in (None, bound) or self._is_refuted(limits):
            self.values.bound, self.values.is_below = bound, is_below
        floor, is_above = self._relation([(place.known, -low) for place, low, _ in found], sign=-1)
        self.values.floor, self.values.is_above = floor, is_above
        self._check_steps()
        self._find_difference()

    def _is_refuted(self, limits: Sequence[tuple[dict[int, int], int]]) -> bool:
        """Return whether a number may be larger than the guessed bound allows."""
        bound, is_below = self.values.bound, self.values.is_below
        return bound is not None and any(high > known.get(bound, high) - is_below for known, high in limits)

    def _check_steps(self) -> None:
        """Forget the differences from another item if one that did not occur is valid."""
        values = self.values
        if values.near is None or values.least is None or values.most is None:
            return
        others = (values.steps[0] - 1, values.steps[-1] + 1, values.steps[-1] + 2)
        for place in self._places:
            numbers = [place.known[values.near] + step for step in others if values.near in place.known]
            if any(values.least <= each <= values.most and self._try(place, b"%d" % each) for each in numbers):
                self.values.near, self.values.steps = None, ()
                return

    def _find_difference(self) -> None:
        """Find an item before it in the line whose value it must not have."""
        least, most = self.values.least, self.values.most
        for other in self._earlier:
            values = [(place, place.known[other]) for place in self._places if other in place.known]
            inside = [pair for pair in values if least is not None and most is not None and least <= pair[1] <= most]
            if len(inside) >= _MIN_PLACES and not any(self._try(place, b"%d" % value) for place, value in inside):
                self.values.differs = other
                return

    def _range_at(self, place: _Place, *, is_real: bool) -> tuple[int, int]:
        now = int(float(place.text))
        near = {number + by for number in place.known.values() for by in (-1, 0, 1)}
        every = sorted({*self._numbers, *near, *(-each for each in self._numbers)})

        def fits(number: int) -> bool:
            return self._try(place, _as_text(number, self.values.decimals if is_real else None))

        above = every[bisect_right(every, now) :]
        below = every[: bisect_left(every, now)][::-1]
        return furthest(below, now, fits), furthest(above, now, fits)

    def _relation(self, found: Sequence[tuple[dict[int, int], int]], sign: int = 1) -> tuple[int | None, bool]:
        """Return the item whose value always is the limit, and whether the limit itself is not allowed."""
        common = set.intersection(*(set(known) for known, _ in found)) - {self._item}
        limits = {limit for _, limit in found}
        for is_strict in (False, True):
            for other in sorted(common, reverse=True):
                wanted = [sign * known[other] - is_strict for known, _ in found]
                is_alone = len(limits) == 1 and (limits <= set(self._numbers) or abs(next(iter(limits))) <= 1)
                if not is_alone and all(limit == want for (_, limit), want in zip(found, wanted, strict=True)):
                    return other, is_strict
        return None, False

    # ---- words ----------------------------------------------------------------------------------------------------

    def find_letters(self) -> None:
        """Find letters that words may have."""
        place = max(self._places, key=lambda each: len(each.text))
        others = (place.text + place.text[-1:], place.text[:-1], place.text[::-1])
        if self.values.places and any(each != place.text and self._try(place, each) for each in others):
            self.values.places = ()
        if not place.text or self.values.places:
            return
        found = set(self.values.alphabet)
        for letter in _LETTERS:
            if letter not in found and self._try(place, place.text[:-1] + bytes([letter])):
                found.add(letter)
        for first, last in _RANGES:
            if {first[0], last[0]} <= found:
                found |= set(range(first[0], last[0] + 1))
        self.values.alphabet = bytes(sorted(found))

    def find_lengths(self) -> None:
        """Find the shortest and the longest length of words."""
        place = max(self._places, key=lambda each: len(each.text))
        if not place.text or self.values.length is not None or self.values.places:
            return
        text = place.text

        def fits(length: int) -> bool:
            return self._try(place, (text * (length // len(text) + 1))[:length])

        longer = [each for each in self._numbers if len(text) < each <= _MAX_LENGTH]
        self.values.longest = max(self.values.high, furthest([len(text) + 1, *longer], len(text), fits))
        if self.values.low > 1 and fits(1):
            self.values.low = 1


def furthest(candidates: Sequence[int], now: int, fits: Callable[[int], bool]) -> int:
    """Return the last of some numbers that fits, if those before it fit, too; `now` if none does."""
    if not candidates or fits(candidates[-1]):
        return candidates[-1] if candidates else now
    first_wrong = bisect_left(candidates, True, hi=len(candidates) - 1, key=lambda each: not fits(each))
    return candidates[first_wrong - 1] if first_wrong else now


def _as_text(number: int, decimals: int | None) -> bytes:
    return b"%d" % number if not decimals else b"%d." % number + b"0" * decimals


def with_token(learned: Learned, base: bytes, at: int, text: bytes) -> bytes | None:
    """Return an input with another token at a place."""
    tree = learned.shape.parse(base)
    if tree is None:
        return None
    for number, (cell, _) in enumerate(walk_values(tree)):
        if number == at:
            cell.text = text
            break
    return render(tree, learned.shape)


def probe_rules(learned: Learned, known: Sequence[bytes], accepts: Accepts) -> dict[int, RowRules]:
    """Return the rules of rows and columns, without those that a changed input refutes, and with those it confirms.

    One changed input that is valid refutes a rule, whatever else is not valid for some other reason.
    """
    small = [each for each in known if len(each) <= _MAX_BASE]
    bases = sorted(small, key=len, reverse=True)[:_MAX_BASES]
    texts: dict[int, list[list[bytes]]] = {}
    lines = {item: set(line) for line in items_of_lines(learned.shape.blocks) for item in line}
    for each in small:
        for series in series_of(learned.shape.parse(each) or []):
            texts.setdefault(series[0].item, []).append([cell.text for cell in series])

    def ask(change: _Change, *groups: set[int]) -> list[bool | None]:
        changed = (_change_row(learned, base, group, change) for base in bases for group in groups)
        return [accepts(data) for data in dict.fromkeys(changed) if data is not None]

    rules = dict(learned.rules)
    for item, found in texts.items():
        line = lines.get(item, {item})
        group = _related(item, line, learned)
        if item in learned.rules:
            rules[item] = _probe_rule(learned.rules[item], found, ask, ({item},))
        elif item not in learned.counters and sum(map(len, found)) >= _MIN_COLUMN:
            guess = RowRules(is_sorted=all(map(is_sorted, found)))
            rule = _probe_rule(guess, found, ask, ({item}, group, line))
            if rule != RowRules():
                rules[item] = rule
    return rules


def _probe_rule(
    rule: RowRules,
    found: Sequence[Sequence[bytes]],
    ask: "Callable[..., list[bool | None]]",
    groups: Sequence[set[int]],
) -> RowRules:
    """Return what a guess becomes by the answers of validators.

    Args:
        rule: the guess.
        found: the known rows, or columns.
        ask: returns what validators say to a change of some items together.
        groups: items to change.
    """
    has_repeats = any(len(set(each)) < len(each) for each in found)
    repeated = [answer for change in ([] if has_repeats else _REPEATS) for answer in ask(change, *groups)]
    if True in repeated:
        rule = RowRules(is_sorted=rule.is_sorted)
    elif False in repeated and None not in repeated and not rule.is_permutation:
        rule = replace(rule, is_distinct=True)
    if rule.is_sorted and True in ask(_reverse, *groups):
        rule = replace(rule, is_sorted=False)
    return rule


def _related(item: int, line: set[int], learned: Learned) -> set[int]:
    """Return the items of a line that depend on an item, or on which it depends."""
    found = {item}
    for each in line & learned.values.keys():
        values = learned.values[each]
        others = {values.near, values.differs, values.bound, values.floor} & line
        if each == item:
            found |= {other for other in others if other is not None}
        elif item in others:
            found.add(each)
    return found


def _change_row(learned: Learned, base: bytes, items: set[int], change: _Change) -> bytes | None:
    """Return an input with a changed row, the first that has the items; None if it has none, or does not change."""
    tree = learned.shape.parse(base)
    rows = walk_rows(tree) if tree is not None else ()
    row = next((each for each in rows if len(each.elements) > 1 and items & set(_texts(each.elements[0]))), None)
    if tree is None or row is None:
        return None
    change(row, items)
    data = render(tree, learned.shape)
    return data if data != base else None


def _texts(element: Tree) -> dict[int, bytes]:
    return {each.item: each.text for each in element if isinstance(each, Cell)}


def _repeat(row: Row, items: set[int], *, source: int, target: int) -> None:
    _copy_texts(_texts(row.elements[source]), row.elements[target], items)


_REPEATS = [partial(_repeat, source=source, target=target) for source, target in ((0, 1), (0, -1), (-1, 0))]


def _reverse(row: Row, items: set[int]) -> None:
    for element, texts in zip(row.elements, [_texts(each) for each in row.elements][::-1], strict=True):
        _copy_texts(texts, element, items)


def _copy_texts(texts: dict[int, bytes], element: Tree, items: set[int]) -> None:
    for each in element:
        if isinstance(each, Cell) and each.item in items:
            each.text = texts.get(each.item, each.text)
