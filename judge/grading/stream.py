"""From a file of submissions to a file of results: reads, skips what is finished, grades, and yields as results come.

A thread reads and parses ahead of the workers, so a source that gives rows slowly never delays a result.
"""

import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Protocol

from judge.errors import JudgeError
from judge.grading.hash_set import HashSet
from judge.grading.lines import MAX_LINE, LineReader
from judge.grading.merge import Shard
from judge.grading.results import Finished
from judge.grading.rows import mark_duplicate, parse_line, too_long
from judge.grading.values import Grade, GradeOptions, Row

_SIGNAL_CHECK_S = 0.5


class RowGrader(Protocol):
    """What grades the rows of a stream: a `Grader` of this machine, or a cluster."""

    options: GradeOptions

    @property
    def window(self) -> int:
        """How many rows are in memory at most."""

    def prepare(self, row: Row) -> Row:
        """Return a row whose problem, if it names one, is read."""

    def start(self, row: Row, done: Callable[[Grade | JudgeError], object]) -> None:
        """Grade a row; call `done` with its result, or with the error that ends the stream."""


class Stream:
    """One pass over a file of submissions.

    Args:
        grader: grades the rows.
        reader: the submissions.
        finished: the rows that have results already; None for none.
        shard: the part of the rows to grade; None for all.
        place: the file of results, for messages.

    Attributes:
        is_stopping: `interrupt` was called.
        skipped: how many rows had a result already.
    """

    def __init__(
        self, grader: RowGrader, reader: LineReader, finished: Finished | None, shard: Shard | None, place: str
    ) -> None:
        self._grader = grader
        self._reader = reader
        self._finished = finished
        self._shard = shard
        self._place = place
        self._slots = threading.Semaphore(grader.window)
        self._results: SimpleQueue[Grade | int | BaseException] = SimpleQueue()
        self._started = 0
        self.is_stopping = False
        self.skipped = 0

    def interrupt(self) -> None:
        """Read no more rows; those in flight are finished. Safe in a signal handler."""
        self.is_stopping = True
        self._slots.release()  # the reader may wait for one
        self._results.put(-1)

    def results(self) -> Iterator[Grade]:
        """Yield the results as they become known.

        Raises:
            UsageError: a row was graded before, with something else that decides its verdict.
            JudgeError: the submissions cannot be read to their end.
        """
        reader = threading.Thread(target=self._read, name="judge-reader", daemon=True)
        reader.start()
        started: int | None = None
        yielded = 0
        while started is None or yielded < started:
            match self._receive():
                case None:
                    continue
                case Grade() as grade:
                    yielded += 1
                    self._slots.release()
                    yield grade
                case -1:  # interrupted: the reader may be waiting for a line that never comes
                    started = self._started
                case int(count):
                    started = count
                case BaseException() as error:
                    raise error

    def _receive(self) -> Grade | int | BaseException | None:
        """Return the next message; None now and then, so that a signal just before a wait is noticed."""
        try:
            return self._results.get(timeout=_SIGNAL_CHECK_S)
        except Empty:
            return None

    def _read(self) -> None:
        """Start all rows; runs in a thread of its own."""
        try:
            for row in self._rows():
                self._slots.acquire()
                if self.is_stopping:
                    break
                self._started += 1
                self._grader.start(row, self._results.put)
            self._results.put(self._started)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the results must not be waited for
            self._results.put(error)

    def _rows(self) -> Iterator[Row]:
        """Yield the rows to grade."""
        seen = HashSet()
        for line, data in self._reader.lines():
            if self.is_stopping:
                return
            row = too_long(line, MAX_LINE) if data is None else parse_line(data, line, self._grader.options)
            if self._shard is not None and not self._shard.has(row.id):
                continue
            is_new = seen.add(row.id)
            row = self._grader.prepare(row) if is_new else mark_duplicate(row)
            if self._finished is not None and self._is_finished(row, is_new=is_new):
                self.skipped += 1
                continue
            yield row

    def _is_finished(self, row: Row, *, is_new: bool) -> bool:
        """Return whether a row has a result.

        Raises:
            JudgeError: its result is that of other contents.
        """
        assert self._finished is not None
        if self._finished.has(row.id, row.digest):
            return True
        if is_new and self._finished.has_other(row.id):
            raise JudgeError(
                f"line {row.line}: {self._place} has a result of {row.id} with another digest: its source, its tests, "
                "the options or the judge have changed since; write to a new file"
            )
        return False
