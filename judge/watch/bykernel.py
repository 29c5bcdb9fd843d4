"""Noticing by inotify: every folder of the trees has a watch, new ones get one as they come."""

import errno
from pathlib import Path
from stat import S_ISLNK

from judge.watch.inotify import CREATE, DELETE_SELF, IGNORED, IS_FOLDER, MOVED_FROM, OVERFLOW, Happened, Inotify
from judge.watch.names import is_leftover
from judge.watch.places import Places
from judge.watch.walk import walk

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
        self._folders: dict[int, set[Path]] = {}  # the kernel has one watch for a folder, however many links lead there
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
                for folder in list(self._folders[happened.watch]):
                    self._take(happened, folder, found)
                if happened.mask & IGNORED:
                    self._folders.pop(happened.watch, None)
        return found

    def _watch_all(self) -> None:
        for folder in self._places.singles():
            self._watch(folder)
        for tree in self._places.trees():
            self._watch_tree(tree, set())

    def _take(self, happened: Happened, folder: Path, found: set[Path]) -> None:
        """Add what one event means."""
        if happened.mask & (IGNORED | DELETE_SELF):
            found.add(folder)
            return
        path = folder / happened.name if happened.name else folder
        if happened.name and is_leftover(happened.name) and path not in self._places.files:
            return
        if happened.mask & IS_FOLDER and happened.mask & MOVED_FROM:
            self._unwatch(path)
        if happened.mask & CREATE and not happened.mask & IS_FOLDER and not _is_whole(path):
            return
        if self._places.within_trees(path):
            found.add(path)
            self._watch_tree(path, found)
        elif not happened.mask & IS_FOLDER:
            found.add(path)

    def _watch(self, folder: Path) -> None:
        """Watch one folder, if it is there."""
        try:
            self._folders.setdefault(self._inotify.add(str(folder)), set()).add(folder)
        except OSError as error:
            if error.errno not in _GONE:
                raise

    def _watch_tree(self, top: Path, found: set[Path]) -> None:
        """Watch a folder, or link to one, and all below; add what is there before anybody could notice it."""
        for path, is_folder in walk(top):
            found.add(path)
            if is_folder:
                self._watch(path)

    def _unwatch(self, folder: Path) -> None:
        for watch, paths in list(self._folders.items()):
            paths -= {path for path in paths if path.is_relative_to(folder)}
            if not paths:
                self._inotify.remove(watch)
                del self._folders[watch]


def _is_whole(path: Path) -> bool:
    """Return whether what has just come needs no writing, as a link does. Any other is told when it is closed.

    The other name of a hard link may be gone by now; then it is known by its having a content.
    """
    try:
        status = path.lstat()
    except OSError:
        return False
    return S_ISLNK(status.st_mode) or status.st_nlink > 1 or status.st_size > 0
