"""Data: an input, an answer or an output, as bytes in memory or as the path of a file."""

import hashlib
import os
from pathlib import Path

Data = bytes | Path

_CHUNK = 1 << 18  # bytes


def digest(data: Data) -> str:
    """Return the SHA-256 in hex; files are read in chunks.

    Raises:
        OSError: the file cannot be read.
    """
    if isinstance(data, bytes):
        return hashlib.sha256(data).hexdigest()
    hasher = hashlib.sha256()
    descriptor = os.open(data, os.O_RDONLY | os.O_CLOEXEC)  # most files are small: a file object would cost more
    try:
        while part := os.read(descriptor, _CHUNK):
            hasher.update(part)
    finally:
        os.close(descriptor)
    return hasher.hexdigest()


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
        while limit >= 0 and (part := os.read(descriptor, limit + 1)):
            parts.append(part)
            limit -= len(part)
    finally:
        os.close(descriptor)
    return b"".join(parts) if limit >= 0 else None
