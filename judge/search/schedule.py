"""Which source proposes next: time is shared by what the sources have brought.

Sources that end, such as the known cases, come first. Among the others, the one with the least time for its weight is
next; the weight is the mean of two shares: of its inputs that were valid, and of those with an answer not seen before.
"""

import threading
import time
from collections.abc import Sequence

from msgspec import Struct

from judge.data import digest
from judge.search.sources import Proposal, Source

_TRIALS = 8.0  # inputs after which experience counts as much as the first guess
_LEAST_WEIGHT = 0.02
_MAX_SEEN = 200_000
_ATTEMPTS = 50  # to get inputs that are new
_MAX_REPEATED = 500  # proposals in a row that are not new, after which a source is over


class _Record(Struct):
    spent: float = 0.0
    inputs: float = 0.0
    useful: float = 0.0
    repeated: int = 0
    is_over: bool = False

    @property
    def weight(self) -> float:
        return max(_LEAST_WEIGHT, (self.useful + _TRIALS / 2) / (self.inputs + _TRIALS))


class Scheduler:
    """Gives workers proposals; its methods may be called from any thread.

    Args:
        first: sources that are used up before all others.
        sources: the others.
    """

    def __init__(self, first: Sequence[Source], sources: Sequence[Source]) -> None:
        self._lock = threading.Lock()
        self._first = list(first)
        self._records = {source: _Record() for source in sources}
        self._seen: set[int] = set()
        self._answers: set[str] = set()

    def next(self, most: int = 1) -> tuple[Source, list[Proposal]] | None:
        """Return a source and its next inputs; several only from a source of single tests; None if all are used up."""
        with self._lock:
            while self._first:
                if (proposal := self._first[0].next()) is None:
                    self._first.pop(0)
                elif self._is_new(proposal):
                    return self._first[0], [proposal]
            while open_ones := [pair for pair in self._records.items() if not pair[1].is_over]:
                source, record = min(open_ones, key=lambda pair: pair[1].spent / pair[1].weight)
                if proposals := self._next_new(source, record, most if source.joins else 1):
                    return source, proposals
                record.is_over = True
            return None

    def learn(self, source: Source, data: bytes, *, is_valid: bool, answer: bytes | None) -> None:
        """Take in what came of an input."""
        with self._lock:
            is_new = False
            if is_valid and answer is not None:
                key = digest(answer)
                is_new = key not in self._answers
                if is_new and len(self._answers) < _MAX_SEEN:
                    self._answers.add(key)
            source.learn(data, is_valid=is_valid, is_new=is_new)
            if record := self._records.get(source):
                record.inputs += 1
                record.useful += 0.5 * is_valid + 0.5 * is_new

    def spend(self, source: Source, start: float, *, made: int) -> None:
        """Take in the time that the latest proposals of a source took, since `start`, and how many inputs they made."""
        with self._lock:
            if record := self._records.get(source):
                record.spent += time.monotonic() - start
                record.inputs += not made

    def _next_new(self, source: Source, record: _Record, most: int) -> list[Proposal]:
        """Return the next proposals that are not inputs that were proposed before; none if a source is used up."""
        proposals: list[Proposal] = []
        repeated = 0
        while len(proposals) < most and (repeated < _ATTEMPTS or not proposals):
            proposal = source.next()
            if proposal is None or record.repeated >= _MAX_REPEATED:
                break
            if self._is_new(proposal):
                proposals.append(proposal)
                record.repeated = 0
            else:
                record.repeated += 1
                repeated += 1
        return proposals

    def _is_new(self, proposal: Proposal) -> bool:
        """Return whether something was not proposed before, as far as is remembered."""
        if isinstance(proposal, bytes):
            key = hash(proposal)
            if key in self._seen:
                return False
            if len(self._seen) < _MAX_SEEN:
                self._seen.add(key)
        return True
