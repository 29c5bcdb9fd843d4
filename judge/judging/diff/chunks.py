"""Walk two texts in step, piece by piece (tokens, lines, ...), in bounded memory.

A text of 64 MB can have 30 million tokens, and a list of them would need gigabytes: only a chunk of each text is in
pieces at a time, and the common beginning of both is never cut up at all.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice, repeat

# The white space of the ICPC format (2025-09, default output validator), and exactly what `bytes.split()` splits on.
WHITE = b" \t\n\r\x0b\x0c"
BLANKS = b" \t\r\x0b\x0c"

_CHUNK = 1 << 17


@dataclass(frozen=True, slots=True, kw_only=True)
class Granularity:
    """How a text is cut into pieces.

    Attributes:
        split: the pieces of a chunk.
        pattern: matches the same pieces one by one, to find their places.
        rest: matches from anywhere in a text up to where a chunk may end, never inside a piece.
        breaks: bytes after which a piece can begin.
    """

    split: Callable[[bytes], list[bytes]]
    pattern: re.Pattern[bytes]
    rest: re.Pattern[bytes]
    breaks: bytes


def _lines(chunk: bytes) -> list[bytes]:
    lines = list(map(bytes.rstrip, chunk.split(b"\n"), repeat(BLANKS)))
    if not lines[-1]:
        del lines[-1]  # what follows the last newline is a line only when it says something
    return lines


_TOKEN = re.compile(rb"[^ \t\n\r\x0b\x0c]+")
_TOKEN_OR_SPACE = re.compile(rb"[ \t\n\r\x0b\x0c]+|[^ \t\n\r\x0b\x0c]+")
_TO_TOKEN_END = re.compile(rb"[ \t\n\r\x0b\x0c]*[^ \t\n\r\x0b\x0c]*")

TOKENS = Granularity(split=bytes.split, pattern=_TOKEN, rest=_TO_TOKEN_END, breaks=WHITE)
TOKENS_AND_SPACES = Granularity(
    split=_TOKEN_OR_SPACE.findall, pattern=_TOKEN_OR_SPACE, rest=_TO_TOKEN_END, breaks=WHITE
)
LINES = Granularity(split=_lines, pattern=re.compile(rb"[^\n]*\n|[^\n]+"), rest=re.compile(rb"[^\n]*\n?"), breaks=b"\n")


def common_prefix(one: bytes, other: bytes, one_at: int = 0, other_at: int = 0) -> int:
    """Return how many bytes are the same in both from the given 0-based places on."""
    low, high = 0, min(len(one) - one_at, len(other) - other_at)
    while low < high:
        middle = (low + high + 1) // 2
        if one[one_at + low : one_at + middle] == other[other_at + low : other_at + middle]:
            low = middle
        else:
            high = middle - 1
    return low


def line_count(text: bytes) -> int:
    """Return how many lines a text has, a last one without its newline included."""
    return text.count(b"\n") + (not text.endswith(b"\n") if text else 0)


def last_break(text: bytes, breaks: bytes, low: int, high: int) -> int:
    """Return the place after the last of the bytes `breaks` in `text[low:high]`, or `low` where there is none."""
    return max(low, *(1 + text.rfind(byte, low, high) for byte in breaks))


def first_unequal(expected: list[bytes], found: list[bytes]) -> int | None:
    """Return the index of the first pair that is not the same, or None."""
    pairs = enumerate(zip(expected, found, strict=True))
    return next((index for index, (one, other) in pairs if one != other), None)


Rejects = Callable[[list[bytes], list[bytes]], int | None]


def first_difference(
    answer: bytes, output: bytes, grain: Granularity, rejects: Rejects = first_unequal
) -> tuple[int, int] | None:
    """Compare piece by piece; both texts must have the same number of pieces.

    Args:
        answer: what is expected.
        output: what was found.
        grain: what a piece is.
        rejects: given as many expected pieces as found ones, the index of the first pair that does not agree, or None.

    Returns:
        The 0-based places in the answer and in the output of the first two pieces that do not agree, the end of a text
        where it has no piece left; None when all agree.
    """
    start = last_break(answer, grain.breaks, 0, common_prefix(answer, output))
    ours, theirs = _Reader(answer, start, grain), _Reader(output, start, grain)
    while True:
        expected, found = ours.pieces(), theirs.pieces()
        count = min(len(expected), len(found))
        if not count:
            return (ours.place(0), theirs.place(0)) if expected or found else None
        expected, found = expected[:count], found[:count]
        index = None if expected == found else rejects(expected, found)
        if index is not None:
            return ours.place(index), theirs.place(index)
        ours.skip(count)
        theirs.skip(count)


class _Reader:
    """The pieces of one text from a place on, a chunk at a time."""

    def __init__(self, text: bytes, start: int, grain: Granularity) -> None:
        self._text = text
        self._grain = grain
        self._begin = self._end = start
        self._pieces: list[bytes] = []
        self._skipped = 0

    def pieces(self) -> list[bytes]:
        """Return what is left of the current chunk, or the next chunk; empty at the end of the text."""
        while not self._pieces and self._end < len(self._text):
            self._begin, self._skipped = self._end, 0
            rest = self._grain.rest.match(self._text, self._begin + _CHUNK)
            self._end = rest.end() if rest else len(self._text)
            self._pieces = self._grain.split(self._text[self._begin : self._end])
        return self._pieces

    def skip(self, count: int) -> None:
        """Be done with the first pieces."""
        self._pieces = self._pieces[count:]
        self._skipped += count

    def place(self, index: int) -> int:
        """Return where in the text a piece of `pieces()` begins; the end of the text when there are none."""
        if not self._pieces:
            return len(self._text)
        matches = self._grain.pattern.finditer(self._text, self._begin, self._end)
        return next(islice(matches, self._skipped + index, None)).start()
