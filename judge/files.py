"""Files: finding some that may be out of reach, writing so that nobody sees half of one, and the cache folder."""

import os
import secrets
from pathlib import Path


def found_below(folder: Path, pattern: str) -> list[Path]:
    """Return what matches a glob pattern below a folder, sorted; a folder that cannot be read holds nothing."""
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


def write_cache(path: Path, data: bytes, folder: Path) -> None:
    """Write a file of the cache `folder`, which hides itself from git wherever it is made.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    make_cache(folder)
    write_atomically(path, data)


def make_cache(folder: Path) -> None:
    """Make a cache folder, hidden from git, unless it is there.

    Raises:
        OSError: it cannot be made.
    """
    if not folder.exists():
        write_atomically(folder / ".gitignore", b"*\n")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees half of it.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".new-{os.getpid()}-{secrets.token_hex(8)}")
    try:
        with new.open("xb") as file:
            file.write(data)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
