"""Very many names in little memory: noted in any order, taken in theirs, kept packed and asked for by number.

A text of six letters takes 55 bytes in Python, and 8 for each list that it is in; here it takes 6, and 5 with it.
"""

import heapq
import os
import re
from array import array
from collections.abc import Iterator
from itertools import groupby

_PORTION = 2048  # names that are sorted at once; what does not fit is merged from packed portions
_END = b"/"  # no file's name has it


class NoteBook:
    """Names in any order, each with bits that say what was seen of it (1 to 7)."""

    def __init__(self) -> None:
        self._open: dict[str, int] = {}
        self._packed: list[bytes] = []

    def note(self, name: str, bit: int) -> None:
        """Note a name, or one more bit of it."""
        self._open[name] = self._open.get(name, 0) | bit
        if len(self._open) >= _PORTION:
            self._packed.append(b"".join(_pack(*each) for each in _sorted(self._open)))
            self._open = {}

    def in_order(self) -> Iterator[tuple[str, int]]:
        """Yield each name once, with all of its bits; 2 comes before 10."""
        portions = [_unpack(portion) for portion in self._packed]
        keyed = ([(natural(name), name, bits) for name, bits in _sorted(self._open)], *map(_keyed, portions))
        for (_, name), same in groupby(heapq.merge(*keyed), key=lambda each: each[:2]):
            seen = 0
            for _, _, bits in same:
                seen |= bits
            yield name, seen


class PackedNames:
    """Names with a small number (0 to 255) each, by their place; as many as fit into 4 GiB."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._ends = array("I")
        self._numbers = bytearray()

    def append(self, name: str, number: int) -> None:
        """Add a name behind the others."""
        self._text += os.fsencode(name)
        self._ends.append(len(self._text))
        self._numbers.append(number)

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, at: int) -> tuple[str, int]:
        begin = self._ends[at - 1] if at else 0
        return os.fsdecode(bytes(self._text[begin : self._ends[at]])), self._numbers[at]


def natural(name: str) -> str:
    """Return a key that sorts 2 before 10: a number begins with a sign that sorts before all others, and its length."""

    def number(found: re.Match[str]) -> str:
        digits = found[0].lstrip("0")
        return f"\0{len(digits):06}{digits}"

    return f"{re.sub('[0-9]+', number, name)}\0{name}"


def _sorted(names: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(names.items(), key=lambda item: natural(item[0]))


def _pack(name: str, bits: int) -> bytes:
    return os.fsencode(name) + bytes((bits,)) + _END


def _unpack(portion: bytes) -> Iterator[tuple[str, int]]:
    begin = 0
    while begin < len(portion):
        end = portion.index(_END, begin)
        yield os.fsdecode(portion[begin : end - 1]), portion[end - 1]
        begin = end + 1


def _keyed(names: Iterator[tuple[str, int]]) -> Iterator[tuple[str, str, int]]:
    for name, bits in names:
        yield natural(name), name, bits
