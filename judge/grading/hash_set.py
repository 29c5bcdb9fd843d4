"""A set of texts that keeps eight bytes for each: an open-addressing table of 64-bit hashes.

A million texts take 16 MiB at most. Two of n texts have the same hash with a probability of about n^2 / 2^65: one in
37 million for a million texts.
"""

import hashlib
from array import array

_START = 1 << 10  # slots; a power of two


class HashSet:
    """A set of texts; only adding and asking are possible."""

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * _START))
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def __contains__(self, text: str) -> bool:
        found = _hash(text)
        return self._slots[self._find(found)] == found

    def add(self, text: str) -> bool:
        """Add a text; return whether it was new."""
        value = _hash(text)
        at = self._find(value)
        if self._slots[at] == value:
            return False
        self._slots[at] = value
        self._used += 1
        if 2 * self._used > len(self._slots):
            self._grow()
        return True

    def _find(self, value: int) -> int:
        """Return the slot with a hash, or the empty one where it belongs."""
        mask = len(self._slots) - 1
        at = value & mask
        while (held := self._slots[at]) and held != value:
            at = (at + 1) & mask
        return at

    def _grow(self) -> None:
        old = self._slots
        self._slots = array("Q", bytes(16 * len(old)))
        for value in old:
            if value:
                self._slots[self._find(value)] = value


def _hash(text: str) -> int:
    """Return 64 bits of a hash of a text, never 0, which marks an empty slot."""
    found = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(found, "little") or 1
