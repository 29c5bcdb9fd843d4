"""The lines of a file of submissions: plain, compressed by gzip or Zstandard, or standard input; read as a stream."""

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import IO, Any, cast

from judge.errors import JudgeError, UsageError, describe_error
from judge.units import MIB, Bytes

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


class _ZstdReader(io.RawIOBase):
    """Reads frames of Zstandard; unlike the reader of the package `zstandard`, it notices a file that is cut off.

    Args:
        raw: the compressed file.
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
