"""Data: an input, an answer or an output, as bytes in memory or as the path of a file.

Files may be larger than the memory of the machine. A file above `HUGE` is never read as a whole, and is hashed once.
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

Data = bytes | Path

HUGE = 1 << 26  # bytes

_CHUNK = 1 << 16  # bytes; from 128 KiB on, each read would map and unmap memory (mallopt(3), M_MMAP_THRESHOLD)
# A file system's clock may stand still for so long: a file that was changed less than this ago could be changed again
# without a trace in its times.
_CLOCK_TICK_NS = 2_000_000_000

_Identity = tuple[int, int, int, int, int]
_huge_digests: dict[_Identity, str] = {}


def digest(data: Data, must_stop: Callable[[], bool] = bool) -> str:
    """Return the SHA-256 in hex; files are read in chunks.

    Args:
        data: the bytes or the file.
        must_stop: asked before each chunk; True makes it raise InterruptedError, which is an OSError.

    Raises:
        OSError: the file cannot be read.
    """
    if isinstance(data, bytes):
        return hashlib.sha256(data).hexdigest()
    descriptor = os.open(data, os.O_RDONLY | os.O_CLOEXEC)  # most files are small: a file object would cost more
    try:
        if os.fstat(descriptor).st_size > HUGE:
            return _digest_huge(descriptor, must_stop)
        return _digest_rest(descriptor, must_stop)
    finally:
        os.close(descriptor)


def digest_files(contents: Mapping[str, bytes]) -> str:
    """Return the SHA-256 in hex of files: of their names and contents."""
    found = hashlib.sha256()
    for name in sorted(contents):
        encoded = os.fsencode(name)
        found.update(b"%d:%s%d:" % (len(encoded), encoded, len(contents[name])) + contents[name])
    return found.hexdigest()


def data_digest(given: str, answer: str) -> str:
    """Return a short hash of a case by the SHA-256 of its input and of its answer, "" if there is none; all in hex."""
    return hashlib.blake2b(f"{given} {answer}".encode(), digest_size=12).hexdigest()


def _digest_rest(descriptor: int, must_stop: Callable[[], bool]) -> str:
    hasher = hashlib.sha256()
    while part := os.read(descriptor, _CHUNK):
        if must_stop():
            raise InterruptedError
        hasher.update(part)
    return hasher.hexdigest()


def _digest_huge(descriptor: int, must_stop: Callable[[], bool]) -> str:
    """Return the hash of a file from an earlier call, unless the file was changed since."""
    identity = _identify(descriptor)
    if identity in _huge_digests:
        return _huge_digests[identity]
    changed = max(identity[-2:])
    is_settled = changed + _CLOCK_TICK_NS < time.time_ns()
    found = _digest_rest(descriptor, must_stop)
    if is_settled and _identify(descriptor) == identity:
        _huge_digests[identity] = found
    return found


def _identify(descriptor: int) -> _Identity:
    """Return what changes with every change of a file; no program can set the last one, the time of the change."""
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def is_huge(data: Data) -> bool:
    """Return whether data is a file that must not be read as a whole.

    Raises:
        OSError: there is no such file.
    """
    return isinstance(data, Path) and data.stat().st_size > HUGE


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file in parts of some hundred KiB.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb", buffering=0) as file:
        while part := file.read(_CHUNK):
            yield part


def write_data(data: Data, target: BinaryIO) -> None:
    """Write the bytes to a stream; files are copied in parts.

    Raises:
        OSError: the file cannot be read, or the stream cannot be written.
    """
    target.writelines([data] if isinstance(data, bytes) else read_chunks(data))


def read_data(data: Data) -> bytes:
    """Return the bytes.

    Raises:
        OSError: the file cannot be read.
    """
    return data if isinstance(data, bytes) else data.read_bytes()


def read_small_file(path: Path, limit: int) -> bytes | None:
    """Return the content of a file, or None if it has more than `limit` bytes.

    Raises:
        OSError: the file cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while limit >= 0 and (part := os.read(descriptor, min(limit + 1, _CHUNK))):
            parts.append(part)
            limit -= len(part)
    finally:
        os.close(descriptor)
    return b"".join(parts) if limit >= 0 else None
