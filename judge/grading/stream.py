"""From a file of submissions to a file of results: reads, skips what is finished, grades, and yields as results come.

A thread reads and parses ahead of the workers, so a source that gives rows slowly never delays a result.
"""

import gzip
import math
import os
import sys
import threading
import time
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, cast

from judge.base.errors import JudgeError, UsageError, describe_error
from judge.base.units import MIB, Bytes
from judge.grading.results import Finished, Shard
from judge.grading.rows import mark_duplicate, parse_line
from judge.grading.values import Grade, GradeOptions, Row

if TYPE_CHECKING:  # a stream needs one of each pair
    from judge.grading.cluster.grader import ClusterGrader
    from judge.grading.folder import SubmissionFolder
    from judge.grading.grader import Grader

MAX_LINE = Bytes(512 * MIB)  # beyond that, something is wrong with the file


class LineReader(AbstractContextManager["LineReader"]):
    """Reads lines; a context manager.

    Args:
        path: the file; `-` is standard input.

    Raises:
        UsageError: there is no such file, or it is compressed by something that is not installed.
    """

    students: Sequence[str] = ()  # and the following: as of a `SubmissionFolder`; rows say all that they need
    problems: Mapping[str, Path] = {}
    late: Collection[str] = ()
    notes: Sequence[str] = ()

    def __init__(self, path: Path) -> None:
        self._size = 0
        self._errors: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error)
        self._raw: IO[bytes] | None = None
        if str(path) == "-":
            self._stream: IO[bytes] = sys.stdin.buffer
            return
        try:
            raw = path.open("rb")
        except OSError as error:
            raise UsageError(describe_error(error)) from error
        self._raw = raw
        self._size = os.fstat(raw.fileno()).st_size
        self._stream = self._decompress(raw, path)

    def __exit__(self, *_: object) -> None:
        if self._stream is not sys.stdin.buffer:
            self._stream.close()
        if self._raw is not None:
            self._raw.close()

    def _decompress(self, raw: IO[bytes], path: Path) -> IO[bytes]:
        match path.suffix:
            case ".gz":
                return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
            case ".zst":
                try:
                    zstd: Any = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
                except ImportError as error:
                    raw.close()
                    raise UsageError(
                        f"{path}: Python before 3.14 needs the package `backports.zstd` to read .zst: "
                        f"pip install backports.zstd, or pipe it in: zstd -dc {path} | judge grade -"
                    ) from error
                self._errors = (*self._errors, zstd.ZstdError)
                return cast("IO[bytes]", zstd.ZstdFile(raw))
            case _:
                return raw

    def share_read(self) -> float | None:
        """Return how much of the file was read, from 0 to 1; None if that is not known. Any thread may call it."""
        if self._raw is None or not self._size:
            return None
        try:
            return min(1.0, self._raw.tell() / self._size)
        except (OSError, ValueError):  # closed meanwhile
            return 1.0

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each line that is not blank, with its 1-based number.

        Raises:
            JudgeError: the file cannot be read any further, for example because it is cut off, or a line is too long.
        """
        number = 0
        try:
            while line := self._stream.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    raise JudgeError(f"line {number} of the submissions is longer than {MAX_LINE} bytes")
                if not line.isspace():
                    yield number, line
        except self._errors as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise JudgeError(f"cannot read the submissions after line {number}: {reason}") from error

    def rows(self, options: GradeOptions) -> Iterator[Row]:
        """Yield the row of each line.

        Raises:
            JudgeError: as for `lines`.
        """
        for line, data in self.lines():
            yield parse_line(data, line, options)


class Stream:
    """One pass over submissions.

    Args:
        finished: the rows that have results already; None for none.
        shard: the part of the rows to grade; None for all.
        place: the file of results, for messages.

    Attributes:
        is_stopping: `interrupt` was called.
        skipped: how many rows had a result already.
    """

    def __init__(
        self,
        grader: "Grader | ClusterGrader",
        source: "LineReader | SubmissionFolder",
        finished: Finished | None,
        shard: Shard | None,
        place: str,
    ) -> None:
        self._grader = grader
        self._source = source
        self._finished = finished
        self._shard = shard
        self._place = place
        self._slots = threading.Semaphore(grader.window)
        self._results: SimpleQueue[Grade | int | BaseException] = SimpleQueue()
        self._started = 0
        self.is_stopping = False
        self.skipped = 0

    def interrupt(self) -> None:
        """Read no more rows; those in flight may be finished for a moment. Safe in a signal handler."""
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
        deadline = math.inf
        while (started is None or yielded < started) and time.monotonic() < deadline:
            try:
                message = self._results.get(timeout=0.2)  # so that a signal just before it is noticed
            except Empty:
                continue
            match message:
                case Grade() as grade:
                    yielded += 1
                    self._slots.release()
                    yield grade
                case -1:  # interrupted: the reader may be waiting for a line that never comes
                    started = self._started
                    deadline = time.monotonic() + 0.8  # for the rows in flight
                case int(count):
                    started = count
                case BaseException() as error:
                    raise error

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
        seen: set[int] = set()  # hashes of ids: an id may be long
        for given in self._source.rows(self._grader.options):
            if self.is_stopping:
                return
            row = given
            if self._shard is not None and not self._shard.has(row.id):
                continue
            is_new = (key := hash(row.id)) not in seen
            seen.add(key)
            row = self._grader.prepare(row) if is_new else mark_duplicate(row)
            finished = self._finished
            if finished is not None and finished.has(row.id, row.digest):
                self.skipped += 1
                continue
            if finished is not None and is_new and finished.has_other(row.id):
                raise JudgeError(
                    f"line {row.line}: {self._place} has a result of {row.id} with another digest: its source, its "
                    "tests, the options or the judge have changed since; write to a new file, or remove that result"
                )
            yield row
