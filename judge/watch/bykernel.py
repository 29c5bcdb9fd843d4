"""Noticing by inotify: every folder of the trees has a watch, new ones get one as they come."""

import errno
import os
from pathlib import Path

from judge.watch.inotify import CREATE, DELETE_SELF, IGNORED, IS_FOLDER, MOVED_FROM, OVERFLOW, Happened, Inotify
from judge.watch.names import is_leftover
from judge.watch.places import Places

_GONE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP)


class ByKernel:
    """Tells which paths of some places changed; costs nothing while nothing happens.

    Raises:
        OSError: there is no inotify here, or no more watches; from `changed` too, when new folders come.
    """

    name = "inotify"
    every: float | None = None  # it need not look by itself

    def __init__(self, places: Places) -> None:
        self._places = places
        self._inotify = Inotify()
        self._folders: dict[int, Path] = {}
        try:
            self._watch_all()
        except OSError:
            self._inotify.close()
            raise

    def fileno(self) -> int:
        """Return the descriptor that is readable when something changed."""
        return self._inotify.fileno()

    def close(self) -> None:
        """End it."""
        self._inotify.close()

    def changed(self) -> set[Path]:
        """Return what changed since the last call: files, and folders that came or went."""
        found: set[Path] = set()
        for happened in self._inotify.read():
            if happened.mask & OVERFLOW:  # what was lost may be anything
                self._watch_all()
                found |= {self._places.root, *self._places.files}
            elif happened.watch in self._folders:
                self._take(happened, self._folders[happened.watch], found)
        return found

    def _watch_all(self) -> None:
        for folder in self._places.singles():
            self._watch(folder)
        for tree in self._places.trees():
            self._watch_tree(tree, set())

    def _take(self, happened: Happened, folder: Path, found: set[Path]) -> None:
        """Add what one event means."""
        if happened.mask & (IGNORED | DELETE_SELF):
            if happened.mask & IGNORED:
                del self._folders[happened.watch]
            found.add(folder)
            return
        path = folder / happened.name if happened.name else folder
        if happened.name and is_leftover(happened.name) and path not in self._places.files:
            return
        if not happened.mask & IS_FOLDER:
            if not happened.mask & CREATE or _is_whole(path):
                found.add(path)
            return
        if happened.mask & MOVED_FROM:
            self._unwatch(path)
        if self._places.within_trees(path):
            found.add(path)
            self._watch_tree(path, found)

    def _watch(self, folder: Path) -> bool:
        """Watch one folder, if it is there."""
        try:
            self._folders[self._inotify.add(str(folder))] = folder
        except OSError as error:
            if error.errno not in _GONE:
                raise
            return False
        return True

    def _watch_tree(self, folder: Path, found: set[Path]) -> None:
        """Watch a folder and all below; add the files that are there by now, before anybody could notice them."""
        if not self._watch(folder):
            return
        try:
            entries = list(os.scandir(folder))
        except OSError:
            return
        for entry in entries:
            if is_leftover(entry.name):
                continue
            path = folder / entry.name
            found.add(path)
            if _is_folder(entry) and not _is_loop(path):
                self._watch_tree(path, found)

    def _unwatch(self, folder: Path) -> None:
        for watch in [watch for watch, path in self._folders.items() if path.is_relative_to(folder)]:
            self._inotify.remove(watch)
            del self._folders[watch]


def _is_whole(path: Path) -> bool:
    """Return whether a file that has just come needs no writing: a link. Any other is told when it is closed."""
    try:
        return path.is_symlink() or path.stat().st_nlink > 1
    except OSError:
        return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_loop(path: Path) -> bool:
    return path.is_symlink() and path.parent.resolve().is_relative_to(path.resolve())
