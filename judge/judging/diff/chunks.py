"""Compare two texts item by item (tokens or lines), one chunk at a time, in bounded memory.

A text of 64 MB can have 30 million tokens, and a list of them would need gigabytes. So only one chunk of each text is
split at a time, and the common prefix of both is never split.
"""

import re
from collections.abc import Callable
from itertools import islice, repeat

from msgspec import Struct

# The whitespace of the ICPC format (2025-09, default output validator), on which `bytes.split()` splits, too.
WHITESPACE = b" \t\n\r\x0b\x0c"
LINE_WHITESPACE = b" \t\r\x0b\x0c"  # without the newline

_CHUNK = 1 << 17  # bytes

Offsets = tuple[int, int]
"""0-based byte offsets in the answer and in the output."""


class Granularity(Struct, frozen=True, kw_only=True):
    """How a text is split into items.

    Attributes:
        split: splits a chunk into items.
        pattern: matches the same items one by one, to find their offsets.
        rest: matches from any offset up to one where a chunk may end, which is never inside an item.
        breaks: the bytes after which an item can begin.
    """

    split: Callable[[bytes], list[bytes]]
    pattern: re.Pattern[bytes]
    rest: re.Pattern[bytes]
    breaks: bytes


def _lines(chunk: bytes) -> list[bytes]:
    lines = list(map(bytes.rstrip, chunk.split(b"\n"), repeat(LINE_WHITESPACE)))
    if not lines[-1]:
        del lines[-1]  # the text after the last newline is a line only if it is not blank
    return lines


_TOKEN = re.compile(rb"[^ \t\n\r\x0b\x0c]+")
_TOKEN_OR_SPACE = re.compile(rb"[ \t\n\r\x0b\x0c]+|[^ \t\n\r\x0b\x0c]+")
_TO_TOKEN_END = re.compile(rb"[ \t\n\r\x0b\x0c]*[^ \t\n\r\x0b\x0c]*")

TOKENS = Granularity(split=bytes.split, pattern=_TOKEN, rest=_TO_TOKEN_END, breaks=WHITESPACE)
TOKENS_AND_SPACES = Granularity(
    split=_TOKEN_OR_SPACE.findall, pattern=_TOKEN_OR_SPACE, rest=_TO_TOKEN_END, breaks=WHITESPACE
)
LINES = Granularity(split=_lines, pattern=re.compile(rb"[^\n]*\n|[^\n]+"), rest=re.compile(rb"[^\n]*\n?"), breaks=b"\n")


def common_prefix(one: bytes, other: bytes, one_at: int = 0, other_at: int = 0) -> int:
    """Return how many bytes are the same in both texts from the given 0-based offsets."""
    low, high = 0, min(len(one) - one_at, len(other) - other_at)
    while low < high:
        middle = (low + high + 1) // 2
        if one[one_at + low : one_at + middle] == other[other_at + low : other_at + middle]:
            low = middle
        else:
            high = middle - 1
    return low


def line_count(text: bytes) -> int:
    """Return the number of lines, including a last line without a newline."""
    return text.count(b"\n") + (not text.endswith(b"\n") if text else 0)


def last_break(text: bytes, breaks: bytes, low: int, high: int) -> int:
    """Return the offset after the last of the bytes `breaks` in `text[low:high]`, or `low` if there is none."""
    return max(low, *(1 + text.rfind(byte, low, high) for byte in breaks))


def first_unequal(expected: list[bytes], found: list[bytes]) -> int | None:
    """Return the index of the first pair that is not equal, or None."""
    pairs = enumerate(zip(expected, found, strict=True))
    return next((index for index, (one, other) in pairs if one != other), None)


Agrees = Callable[[bytes, bytes], bool]
"""Whether the checker accepts a found line or token for the expected one."""

FindRejected = Callable[[list[bytes], list[bytes]], int | None]
"""Returns the index of the first pair of expected and found items that does not agree, or None."""


def first_difference(
    answer: bytes, output: bytes, granularity: Granularity, find_rejected: FindRejected = first_unequal
) -> Offsets | None:
    """Compare item by item; texts with different numbers of items differ.

    Items are what the granularity says; `find_rejected` compares lists of the same length.

    Returns:
        The offsets of the first two items that do not agree, or of the end of a text that has no more items; None if
        all items agree.
    """
    start = last_break(answer, granularity.breaks, 0, common_prefix(answer, output))
    answers, outputs = _ChunkReader(answer, start, granularity), _ChunkReader(output, start, granularity)
    while True:
        expected, found = answers.read(), outputs.read()
        count = min(len(expected), len(found))
        if not count:
            return (answers.offset(0), outputs.offset(0)) if expected or found else None
        expected, found = expected[:count], found[:count]
        index = None if expected == found else find_rejected(expected, found)
        if index is not None:
            return answers.offset(index), outputs.offset(index)
        answers.skip(count)
        outputs.skip(count)


class _ChunkReader:
    """Splits a text into items from an offset, one chunk at a time."""

    def __init__(self, text: bytes, start: int, granularity: Granularity) -> None:
        self._text = text
        self._granularity = granularity
        self._begin = self._end = start
        self._items: list[bytes] = []
        self._skipped = 0

    def read(self) -> list[bytes]:
        """Return the remaining items of the current chunk, or those of the next one; empty at the end of the text."""
        while not self._items and self._end < len(self._text):
            self._begin, self._skipped = self._end, 0
            rest = self._granularity.rest.match(self._text, self._begin + _CHUNK)
            self._end = rest.end() if rest else len(self._text)
            self._items = self._granularity.split(self._text[self._begin : self._end])
        return self._items

    def skip(self, count: int) -> None:
        """Skip the first items."""
        self._items = self._items[count:]
        self._skipped += count

    def offset(self, index: int) -> int:
        """Return the offset of an item of `read()`; the end of the text if there are no more items."""
        if not self._items:
            return len(self._text)
        matches = self._granularity.pattern.finditer(self._text, self._begin, self._end)
        return next(islice(matches, self._skipped + index, None)).start()
