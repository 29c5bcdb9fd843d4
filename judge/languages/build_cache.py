"""What compilers made before, by the content that decides it: source, command, and the compiler itself.

Kept between runs of the judge; safe to delete at any time. A place that cannot be read or written is no cache, and
nothing else is wrong with it.
"""

import hashlib
import os
import shutil
import threading
from collections.abc import Iterable
from pathlib import Path

_MOST = 500  # programs; the oldest go first


class BuildCache:
    """Compiled programs in a folder; None keeps nothing."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def key(self, parts: Iterable[str | bytes], tools: Iterable[str]) -> str:
        """Return the key of a program: everything that decides what the compiler makes.

        A tool counts by its real path, size and time of change: an upgrade makes programs anew.
        """
        digest = hashlib.sha256()
        for part in (*parts, *map(identity_of, tools)):
            data = part if isinstance(part, bytes) else part.encode(errors="surrogateescape")
            digest.update(b"%d:" % len(data) + data)
        return digest.hexdigest()

    def restore(self, key: str, place: Path) -> bool:
        """Copy a program's files into a folder; False when it is not kept."""
        if self._folder is None:
            return False
        kept = self._folder / key
        try:
            paths = sorted(kept.iterdir())
            if not all(path.stat().st_size for path in paths):  # cut off by a power failure
                return False
            for path in paths:
                (place / path.name).unlink(missing_ok=True)  # a compiler may have left a link there
                shutil.copy(path, place / path.name)
            os.utime(kept)
        except OSError:
            return False
        return True

    def keep(self, key: str, place: Path, source: Path) -> None:
        """Keep all files of a folder but the source's copy; nothing where there is more than files, such as a link."""
        if self._folder is None:
            return
        new = self._folder / f".new-{os.getpid()}-{threading.get_ident()}"
        try:
            made = [path for path in place.iterdir() if path != source]
            if any(path.is_symlink() or not path.is_file() for path in made):
                return
            new.mkdir(parents=True)
            for path in made:
                shutil.copy(path, new / path.name)
            new.rename(self._folder / key)
            self._prune(self._folder)
        except OSError:  # no room, no permission, or another judge kept the same
            shutil.rmtree(new, ignore_errors=True)

    def _prune(self, folder: Path) -> None:
        kept = list(folder.iterdir())
        if len(kept) > _MOST:
            for path in sorted(kept, key=lambda path: path.stat().st_mtime)[: len(kept) - _MOST * 4 // 5]:
                # first out of the way, at once: a judge that is killed here leaves no half of a program under its key
                going = path.rename(folder / f".old-{os.getpid()}-{path.name}")
                shutil.rmtree(going, ignore_errors=True)


def identity_of(tool: str) -> str:
    """Return what tells a compiler or interpreter from another, and from itself before an upgrade.

    Raises:
        OSError: it is not there.
    """
    real = Path(tool).resolve()
    found = real.stat()
    return f"{real} {found.st_size} {found.st_mtime_ns}"
