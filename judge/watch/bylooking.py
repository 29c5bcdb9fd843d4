"""Noticing by looking again and again: for network disks, and where inotify cannot be had."""

import time
from pathlib import Path

from judge.watch.places import Places
from judge.watch.walk import walk

_EVERY_S = 0.2
_SHARE = 0.05  # of a processor, at most, however large the trees are

_Stamp = tuple[int, ...]


class ByLooking:
    """Tells which paths of some places changed; see `ByKernel`."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.every = _EVERY_S
        self._seen = self._look()

    @property
    def name(self) -> str:
        """How it notices, for people."""
        return f"looking every {self.every:.1f} s"

    def fileno(self) -> None:
        """There is nothing to wait for."""

    def close(self) -> None:
        """There is nothing to end."""

    def changed(self) -> set[Path]:
        """Return what changed since the last call: files, and folders that came or went."""
        before, self._seen = self._seen, self._look()
        return {path for path in before.keys() | self._seen.keys() if before.get(path) != self._seen.get(path)}

    def _look(self) -> dict[Path, _Stamp]:
        begun = time.monotonic()
        found: dict[Path, _Stamp] = {}
        for tree in self._places.trees():
            for path, is_folder in walk(tree):
                if is_folder:
                    found[path] = ()
                else:
                    _note(path, found)
        for file in self._places.files:
            _note(file, found)
        self.every = max(_EVERY_S, (time.monotonic() - begun) / _SHARE)
        return found


def _note(file: Path, found: dict[Path, _Stamp]) -> None:
    try:
        stat = file.stat()
    except OSError:
        return
    found[file] = (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size, stat.st_ino)
