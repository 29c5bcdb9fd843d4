"""The lines of a file of submissions: plain, compressed by gzip or Zstandard, or standard input; read as a stream."""

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, BinaryIO, cast

from judge.errors import JudgeError, UsageError, describe_error
from judge.units import MIB, Bytes

MAX_LINE = Bytes(512 * MIB)
"""A longer line is not read; its row gets a fault."""

_SKIP = 1 << 20  # bytes of a line that is too long, read at a time


class LineReader(AbstractContextManager["LineReader"]):
    """Reads lines; a context manager.

    Args:
        path: the file; `-` is standard input.

    Raises:
        UsageError: there is no such file, or it is compressed by something that is not installed.
    """

    def __init__(self, path: Path) -> None:
        self._size = 0
        self._raw: IO[bytes] | None = None
        if str(path) == "-":
            self._stream: IO[bytes] = sys.stdin.buffer
            return
        try:
            if path.suffix == ".zst":
                self._stream = _open_zstd(path)
                return
            raw = path.open("rb")
        except OSError as error:
            raise UsageError(describe_error(error)) from error
        self._raw = raw
        self._size = os.fstat(raw.fileno()).st_size
        self._stream = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if path.suffix == ".gz" else raw

    def __exit__(self, *_: object) -> None:
        if self._stream is not sys.stdin.buffer:
            self._stream.close()
        if self._raw is not None:
            self._raw.close()

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


def _open_zstd(path: Path) -> IO[bytes]:
    """Open a file that is compressed by Zstandard.

    Raises:
        UsageError: neither Python 3.14's `compression.zstd` nor the package `zstandard` is there.
        OSError: the file cannot be opened.
    """
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # since Python 3.14

        return cast("IO[bytes]", zstd.open(path, "rb"))
    except ImportError:
        pass
    try:
        import zstandard  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise UsageError(
            f"{path}: Python before 3.14 needs the package `zstandard` to read .zst: "
            f"pip install 'judge-harness[zstd]', or pipe it in: zstd -dc {path} | judge grade -"
        ) from error
    return io.BufferedReader(cast("io.RawIOBase", zstandard.open(path, "rb")))


def _zstd_error() -> type[Exception]:
    """Return the exception of whichever module reads Zstandard."""
    for name, attribute in (("compression.zstd", "ZstdError"), ("zstandard", "ZstdError")):
        if (module := sys.modules.get(name)) is not None:
            return cast("type[Exception]", getattr(module, attribute))
    return EOFError
