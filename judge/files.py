"""Writing files atomically, and the cache folder."""

import os
from pathlib import Path


def write_cache(path: Path, data: bytes, folder: Path) -> None:
    """Write a file of the cache `folder`.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    make_cache(folder)
    write_atomically(path, data)


def make_cache(folder: Path) -> None:
    """Create a cache folder that git ignores, unless it exists.

    Raises:
        OSError: it cannot be created.
    """
    if not folder.exists():
        write_atomically(folder / ".gitignore", b"*\n")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that readers see either the old or the new content, never a part; creates its folder.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".new-{os.getpid()}-{os.urandom(8).hex()}")
    try:
        with new.open("xb") as file:
            file.write(data)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
