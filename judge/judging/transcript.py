"""Recording what a solution and an interactor write to each other, within a budget of memory."""

import time
from collections import deque
from collections.abc import Iterable

from msgspec.structs import replace

from judge.programs import Transcript, TranscriptEntry
from judge.units import Seconds

_HEAD = 48 * 1024  # bytes at the beginning that are kept
_TAIL = 16 * 1024  # bytes at the end that are kept: usually, that is where it went wrong
_PIECE = 16  # bytes that a piece counts besides its data


class TranscriptRecorder:
    """Keeps the beginning and the end of what is written."""

    def __init__(self) -> None:
        self._pass = 0
        self._start = 0.0
        self._head: list[TranscriptEntry] = []
        self._tail: deque[TranscriptEntry] = deque()
        self._head_left = _HEAD
        self._tail_left = _TAIL
        self._skipped = 0

    def begin_pass(self) -> None:
        """Note that the next pass, or the first, begins."""
        self._pass += 1
        self._start = time.monotonic()

    def record(self, is_solution: bool, data: bytes) -> None:
        """Add what a side has just written."""
        entry = TranscriptEntry(
            is_solution=is_solution,
            time=Seconds(time.monotonic() - self._start),
            data=data[: max(0, self._head_left)],
            pass_number=self._pass,
        )
        if entry.data:
            self._head.append(entry)
            self._head_left -= len(entry.data) + _PIECE
        if rest := data[len(entry.data) :]:
            kept = rest[-_TAIL:]
            self._skipped += len(rest) - len(kept)
            self._tail.append(replace(entry, data=kept))
            self._tail_left -= len(kept) + _PIECE
        while self._tail_left < 0 and len(self._tail) > 1:
            dropped = self._tail.popleft()
            self._tail_left += len(dropped.data) + _PIECE
            self._skipped += len(dropped.data)

    def transcript(self) -> Transcript:
        """Return what was recorded, the pieces of each line joined: some programs write lines in many pieces."""
        head = _join(self._head)
        if not self._skipped:
            return Transcript(entries=_join((*self._head, *self._tail)))
        return Transcript(entries=(*head, *_join(self._tail)), skipped=self._skipped, skipped_at=len(head))


def _join(pieces: Iterable[TranscriptEntry]) -> tuple[TranscriptEntry, ...]:
    entries: list[tuple[TranscriptEntry, list[bytes]]] = []
    for piece in pieces:
        if entries and _continues(*entries[-1], piece):
            entries[-1][1].append(piece.data)
        else:
            entries.append((piece, [piece.data]))
    return tuple(replace(first, data=b"".join(parts)) for first, parts in entries)


def _continues(first: TranscriptEntry, parts: list[bytes], piece: TranscriptEntry) -> bool:
    """Return whether a piece belongs to the same line as the one before it."""
    is_same = (first.is_solution, first.pass_number) == (piece.is_solution, piece.pass_number)
    return is_same and not parts[-1].endswith(b"\n")
