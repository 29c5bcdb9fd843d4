"""What is valid at each place of a known input: ranges of numbers, letters and lengths of words.

One token is changed at a time, and a validator is asked. So guesses from a few samples become facts: how large a value
may be, and whether another value bounds it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from judge.inputs.observe import REAL, Observed, Values
from judge.inputs.structure import INTEGER

Accepts = Callable[[bytes], bool | None]
"""Returns whether an input is valid; None if there is no time left to find out."""

_MAX_BASE = 4_000  # bytes of an input that is changed
_MAX_BASES = 2
_MAX_ITEMS = 24
_LETTERS = b"azAZ09_-.*#+"
_RANGES = ((b"a", b"z"), (b"A", b"Z"), (b"0", b"9"))
_MAX_LENGTH = 200_000
_TOKEN = re.compile(rb"[^ \n]+")
_ALWAYS = (*(10**power for power in range(1, 19)), 2**31 - 1, 2**31, 2**63 - 1)


class _TimeOverError(Exception):
    """The time for questions to validators is over: what was not found out by then stays a guess."""


class _Place(Struct, frozen=True):
    """A token of an input: what is before and after it, its text, and the numbers before it by their items."""

    before: bytes
    after: bytes
    text: bytes
    known: dict[int, int]


def places_of(observed: Observed, known: Sequence[bytes]) -> dict[int, list[_Place]]:
    """Return some places for every item that counts nothing: the first and the last one of some inputs.

    The length of words counts, too: a validator never accepts another one alone.
    """
    counting = observed.counters | {each.length for each in observed.values.values()}
    found: dict[int, list[_Place]] = {}
    bases = sorted((each for each in known if len(each) <= _MAX_BASE), key=lambda each: (len(each), each))
    for base in [*bases[:1], *bases[-1:]][:_MAX_BASES]:
        here: dict[int, list[_Place]] = {}
        for token, place in zip(observed.structure.read(base) or (), _TOKEN.finditer(base), strict=False):
            if token.item not in counting and token.item in observed.values:
                text = _Place(base[: place.start()], base[place.end() :], token.text, token.known)
                here.setdefault(token.item, []).append(text)
        for item, places in here.items():
            found.setdefault(item, []).extend([*places[:1], *places[1:][-1:]])
    return dict(list(found.items())[:_MAX_ITEMS])


def probe_item(
    values: Values, item: int, places: Sequence[_Place], numbers: Sequence[int], accepts: Accepts
) -> "Probe":
    """Find out what one item may be."""
    probe = Probe(values, item, places, numbers, accepts)
    with suppress(_TimeOverError):
        match values.kind:
            case "integer" | "real":
                probe.find_range()
            case _:
                probe.find_letters()
                probe.find_lengths()
    return probe


class Probe:
    """What was found out about an item: its values, and valid inputs with other ones."""

    def __init__(
        self, values: Values, item: int, places: Sequence[_Place], numbers: Sequence[int], accepts: Accepts
    ) -> None:
        self.values = replace(values)
        self.inputs: list[bytes] = []
        self.item = item
        self._places = places
        self._accepts = accepts
        self._numbers = sorted({near for each in (*numbers, *_ALWAYS) for near in (each - 1, each, each + 1)})

    def _try(self, place: _Place, text: bytes) -> bool:
        """Return whether an input is valid with another token. Raises _TimeOverError if no time is left to ask."""
        data = place.before + text + place.after
        is_valid = self._accepts(data)
        if is_valid is None:
            raise _TimeOverError
        if is_valid:
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
        if guess in (None, bound) or any(
            high > known.get(guess, high) - self.values.is_below for known, high in limits
        ):
            self.values.bound, self.values.is_below = bound, is_below

    def _range_at(self, place: _Place, *, is_real: bool) -> tuple[int, int]:
        now = int(float(place.text))
        near = {number + by for number in place.known.values() for by in (-1, 0, 1)}
        every = sorted({*self._numbers, *near, *(-each for each in self._numbers)})

        decimals = self.values.decimals if is_real else 0

        def fits(number: int) -> bool:
            return self._try(place, b"%d" % number + (b"." + b"0" * decimals if decimals else b""))

        above = every[bisect_right(every, now) :]
        below = every[: bisect_left(every, now)][::-1]
        return furthest(below, now, fits), furthest(above, now, fits)

    def _relation(self, found: Sequence[tuple[dict[int, int], int]]) -> tuple[int | None, bool]:
        """Return the item whose value always is the limit, and whether the limit itself is not allowed."""
        common = set.intersection(*(set(known) for known, _ in found)) - {self.item}
        limits = {limit for _, limit in found}
        for is_strict in (False, True):
            for other in sorted(common, reverse=True):
                wanted = [known[other] - is_strict for known, _ in found]
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
