"""From a file of submissions to a file of results: reads, skips what is finished, grades, and yields as results come.

A thread reads and parses ahead of the workers, so a source that gives rows slowly never delays a result.
"""

import gzip
import io
import math
import os
import sys
import threading
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Protocol, cast

from judge.base.errors import JudgeError, UsageError, describe_error
from judge.base.units import MIB, Bytes
from judge.grading.results import Finished, Shard
from judge.grading.rows import mark_duplicate, parse_line, too_long
from judge.grading.values import Grade, GradeOptions, Row

MAX_LINE = Bytes(512 * MIB)
"""A longer line is not read; its row gets a fault."""

_COMPRESSED_CHUNK = 1 << 17  # bytes

_SKIP = 1 << 20  # bytes of a line that is too long, read at a time


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
                with ExitStack() as stack:
                    stack.callback(raw.close)
                    reader = _ZstdReader(raw, _zstd_decompressor(path))
                    stack.pop_all()
                return io.BufferedReader(reader, _COMPRESSED_CHUNK)
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

    def lines(self) -> Iterator[tuple[int, bytes | None]]:
        """Yield each line that is not blank, with its 1-based number; None for one that is too long.

        Raises:
            JudgeError: the file cannot be read any further, for example because it is cut off.
        """
        number = 0
        try:
            while line := self._stream.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    while line and not line.endswith(b"\n"):
                        line = self._stream.readline(_SKIP)
                    yield number, None
                elif not line.isspace():
                    yield number, line
        except (OSError, EOFError, zlib.error, _zstd_error()) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise JudgeError(f"cannot read the submissions after line {number}: {reason}") from error

    def rows(self, options: GradeOptions) -> Iterator[Row]:
        """Yield the row of each line.

        Raises:
            JudgeError: as for `lines`.
        """
        for line, data in self.lines():
            yield too_long(line, MAX_LINE) if data is None else parse_line(data, line, options)


class _ZstdReader(io.RawIOBase):
    """Reads frames of Zstandard; unlike the reader of the package `zstandard`, it notices a file that is cut off.

    Args:
        create: returns a decompressor of one frame.
    """

    def __init__(self, raw: IO[bytes], create: Callable[[], Any]) -> None:
        self._raw = raw
        self._create = create
        self._frame: Any = None
        self._ready = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes.

        Raises:
            EOFError: the file is cut off.
        """
        while not self._ready and self._fill():
            pass
        part = self._ready[: len(buffer)]
        buffer[: len(part)] = part
        self._ready = self._ready[len(part) :]
        return len(part)

    def _fill(self) -> bool:
        """Decompress the next part of the file; return False at its end."""
        rest = b"" if self._frame is None or not self._frame.eof else self._frame.unused_data
        data = rest or self._raw.read(_COMPRESSED_CHUNK)
        if not data:
            if self._frame is not None and not self._frame.eof:
                raise EOFError("the compressed data is cut off")
            return False
        if self._frame is None or self._frame.eof:
            self._frame = self._create()
        self._ready = self._frame.decompress(data)
        return True


def _zstd_decompressor(path: Path) -> Callable[[], Any]:
    """Return what creates a decompressor of one frame.

    Raises:
        UsageError: neither Python 3.14's `compression.zstd` nor the package `zstandard` is there.
    """
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # since Python 3.14
    except ImportError:
        pass
    else:
        return cast("Callable[[], Any]", zstd.ZstdDecompressor)
    try:
        import zstandard  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise UsageError(
            f"{path}: Python before 3.14 needs the package `zstandard` to read .zst: "
            f"pip install zstandard, or pipe it in: zstd -dc {path} | judge grade -"
        ) from error
    return cast("Callable[[], Any]", zstandard.ZstdDecompressor().decompressobj)


def _zstd_error() -> type[Exception]:
    """Return the exception of whichever module reads Zstandard."""
    for name in ("compression.zstd", "zstandard"):
        if (module := sys.modules.get(name)) is not None:
            return cast("type[Exception]", module.ZstdError)
    return EOFError


_SIGNAL_CHECK_S = 0.2
_PATIENCE_S = 0.8  # for the rows in flight after an interrupt


class RowSource(Protocol):
    """Where the rows of a stream come from: lines of a file, or a folder of submissions."""

    def rows(self, options: GradeOptions) -> Iterator[Row]:
        """Yield the rows."""

    def share_read(self) -> float | None:
        """Return how much was read, from 0 to 1; None if that is not known. Any thread may call it."""


class RowGrader(Protocol):
    """What grades the rows of a stream: a `Grader` of this machine, or a cluster."""

    options: GradeOptions

    @property
    def window(self) -> int:
        """How many rows are in memory at most."""

    def prepare(self, row: Row) -> Row:
        """Return a row whose problem, if it names one, is read."""

    def recall(self, rejections: Mapping[tuple[str, str], int]) -> None:
        """Order the tests as if some had rejected submissions before: the key has a task and the name of a test."""

    def start(self, row: Row, done: Callable[[Grade | JudgeError], object]) -> None:
        """Grade a row; call `done` with its result, or with the error that ends the stream."""


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
        self, grader: RowGrader, source: RowSource, finished: Finished | None, shard: Shard | None, place: str
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
                message = self._results.get(timeout=_SIGNAL_CHECK_S)  # so that a signal just before it is noticed
            except Empty:
                continue
            match message:
                case Grade() as grade:
                    yielded += 1
                    self._slots.release()
                    yield grade
                case -1:  # interrupted: the reader may be waiting for a line that never comes
                    started = self._started
                    deadline = time.monotonic() + _PATIENCE_S
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
                "the options or the judge have changed since; write to a new file, or remove that result"
            )
        return False
