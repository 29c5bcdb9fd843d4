"""Data: an input, an answer or an output, as bytes in memory or as the path of a file.

Inputs may be larger than the memory of the machine.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfileobj
from typing import BinaryIO

Data = bytes | Path

HUGE = 1 << 26  # bytes: a larger file is not copied or shown

_CHUNK = 1 << 16  # bytes; from 128 KiB on, each read would map and unmap memory (mallopt(3), M_MMAP_THRESHOLD)


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


def is_huge(data: Data) -> bool:
    """Return whether data is a file that must not be read as a whole.

    Raises:
        OSError: there is no such file.
    """
    return isinstance(data, Path) and data.stat().st_size > HUGE


def write_data(data: Data, target: BinaryIO) -> None:
    """Write the bytes to a stream; files are copied in parts.

    Raises:
        OSError: the file cannot be read, or the stream cannot be written.
    """
    if isinstance(data, bytes):
        target.write(data)
        return
    with data.open("rb", buffering=0) as file:
        copyfileobj(file, target)


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
