"""Recording what a solution and an interactor write to each other, within a budget of memory."""

import time
from collections import deque
from collections.abc import Iterable

from judge.programs import Transcript, TranscriptEntry
from judge.units import Seconds

_HEAD = 48 * 1024  # bytes at the beginning that are kept
_TAIL = 16 * 1024  # bytes at the end that are kept: usually, that is where it went wrong
_PIECE = 16  # bytes that a piece counts besides its data


_Piece = tuple[bool, float, bytes, int]
"""Is it the solution's, when (seconds since the start of the pass), the bytes, the pass; cheaper than an entry."""


class TranscriptRecorder:
    """Keeps the beginning and the end of what is written."""

    def __init__(self) -> None:
        self._pass = 0
        self._start = 0.0
        self._head: list[_Piece] = []
        self._tail: deque[_Piece] = deque()
        self._head_left = _HEAD
        self._tail_left = _TAIL
        self._skipped = 0

    def begin_pass(self) -> None:
        """Note that the next pass, or the first, begins."""
        self._pass += 1
        self._start = time.monotonic()

    def record(self, is_solution: bool, data: bytes) -> None:
        """Add what a side has just written."""
        now = time.monotonic() - self._start
        if data and self._head_left > 0:
            kept = data[: self._head_left]
            self._head.append((is_solution, now, kept, self._pass))
            self._head_left -= len(kept) + _PIECE
            data = data[len(kept) :]
        if data:
            kept = data[-_TAIL:]
            self._skipped += len(data) - len(kept)
            self._tail.append((is_solution, now, kept, self._pass))
            self._tail_left -= len(kept) + _PIECE
        while self._tail_left < 0 and len(self._tail) > 1:
            dropped = self._tail.popleft()[2]
            self._tail_left += len(dropped) + _PIECE
            self._skipped += len(dropped)

    def transcript(self) -> Transcript:
        """Return what was recorded, the pieces of each line joined: some programs write lines in many pieces."""
        head = _join(self._head)
        if not self._skipped:
            return Transcript(entries=_join((*self._head, *self._tail)))
        return Transcript(entries=(*head, *_join(self._tail)), skipped=self._skipped, skipped_at=len(head))


def _join(pieces: Iterable[_Piece]) -> tuple[TranscriptEntry, ...]:
    entries: list[tuple[_Piece, list[bytes]]] = []
    for piece in pieces:
        if entries and _continues(*entries[-1], piece):
            entries[-1][1].append(piece[2])
        else:
            entries.append((piece, [piece[2]]))
    return tuple(
        TranscriptEntry(is_solution=is_solution, time=Seconds(when), data=b"".join(parts), pass_number=number)
        for (is_solution, when, _, number), parts in entries
    )


def _continues(first: _Piece, parts: list[bytes], piece: _Piece) -> bool:
    """Return whether a piece belongs to the same line as the one before it."""
    is_same = (first[0], first[3]) == (piece[0], piece[3])
    return is_same and not parts[-1].endswith(b"\n")
