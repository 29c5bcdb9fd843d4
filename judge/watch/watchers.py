"""Which way of noticing serves some places on this machine."""

import ctypes
import errno
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR, S_ISLNK
from struct import Struct

from judge.errors import JudgeError, describe_error
from judge.problems.paths import is_folder, is_leftover

# linux/inotify.h
ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x4, 0x8, 0x40, 0x80, 0x100, 0x200
DELETE_SELF, OVERFLOW, IGNORED = 0x400, 0x4000, 0x8000
_ONLY_FOLDERS, IS_FOLDER = 0x0100_0000, 0x4000_0000
_WANTED = ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | _ONLY_FOLDERS

_HEAD = Struct("iIII")  # struct inotify_event without its name: wd, mask, cookie, len
_READ_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class InotifyEvent:
    """One event: in which watched folder (or of it), what, and the name of what it concerns, or ""."""

    watch: int
    mask: int
    name: str


class Inotify:
    """One inotify instance.

    Raises:
        OSError: this system has none, or no more of them.
    """

    def __init__(self) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        try:
            self._add, self._remove = library.inotify_add_watch, library.inotify_rm_watch
            make = library.inotify_init1
        except AttributeError as error:
            raise OSError("this system has no inotify") from error
        self._file = _checked(make(os.O_NONBLOCK | os.O_CLOEXEC), "inotify_init1")

    def fileno(self) -> int:
        """Return the descriptor that is readable when something happened."""
        return self._file

    def add(self, folder: str) -> int:
        """Watch a folder, not what is below it; return the watch's number, the same for the same folder.

        Raises:
            OSError: it is no folder, or no more can be watched.
        """
        return _checked(self._add(self._file, os.fsencode(folder), _WANTED), folder)

    def remove(self, watch: int) -> None:
        """Watch a folder no more; it may be gone already."""
        self._remove(self._file, watch)

    def read(self) -> Iterator[InotifyEvent]:
        """Yield what happened since the last call, without waiting."""
        while True:
            try:
                data = os.read(self._file, _READ_BYTES)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                watch, mask, _, size = _HEAD.unpack_from(data, at)
                at += _HEAD.size
                yield InotifyEvent(watch=watch, mask=mask, name=os.fsdecode(data[at : at + size].rstrip(b"\0")))
                at += size

    def close(self) -> None:
        """End it."""
        os.close(self._file)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def walk(top: Path) -> Iterator[tuple[Path, bool]]:
    """Yield each folder before it is looked into, and each file; with whether it is a folder.

    What cannot be looked into is passed over, and so is a link to a folder that it lies in. Two links to the same
    folder are two folders: what they are called decides whom a change concerns.
    """
    waiting: list[tuple[Path, frozenset[tuple[int, int]]]] = [(top, frozenset())]
    while waiting:
        folder, above = waiting.pop()
        try:
            status = folder.stat()
            identity = (status.st_dev, status.st_ino)
            if not S_ISDIR(status.st_mode) or identity in above:
                continue
            yield folder, True
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            if is_irrelevant(entry.name):
                continue
            if is_folder(entry):
                waiting.append((folder / entry.name, above | {identity}))
            else:
                yield folder / entry.name, False


# vim writes these to find out whether it may write into a folder.
_VIM_PROBES = ("4913", "5036")


def is_irrelevant(name: str) -> bool:
    """Return whether changes of a file or folder of this name are ignored."""
    is_baseline_lock = name.startswith("baseline") and name.endswith(".lock")
    return is_leftover(name) or name in _VIM_PROBES or is_baseline_lock


TREES = ("problems", "testcases", "solutions")


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSpec:
    """What a person wants to have watched.

    Attributes:
        root: the repository, absolute.
        problems: ids; None for all, those to come too.
        files: files that may stand anywhere, absolute.
        folders: of cases, beside a repository; absolute.
    """

    root: Path
    problems: frozenset[str] | None = None
    files: frozenset[Path] = frozenset()
    folders: frozenset[Path] = frozenset()

    def trees(self) -> Iterator[Path]:
        """Yield folders that are watched with all that is below them; they need not exist."""
        yield from (self.root / name for name in TREES)
        yield from sorted(self.folders)

    def singles(self) -> Iterator[Path]:
        """Yield folders of which only the entries are watched: one of them may become a tree, or is a file of ours."""
        yield self.root
        above = {path.parent for path in (*self.files, *self.folders)}
        yield from sorted(folder for folder in above if not self.within_trees(folder))

    def within_trees(self, path: Path) -> bool:
        """Return whether a path is, or is below, a folder that is watched with all that is below it."""
        return any(path.is_relative_to(tree) for tree in self.trees())

    def concern(self, path: Path) -> bool:
        """Return whether a change of this path concerns anybody."""
        if path in self.files:
            return True
        if any(path.is_relative_to(folder) for folder in self.folders):
            return not is_irrelevant(path.name)
        if path == self.root or not path.is_relative_to(self.root):
            return path == self.root
        top, *rest = path.relative_to(self.root).parts
        if top not in TREES or any(is_irrelevant(part) for part in rest):
            return False
        return not rest or self.problems is None or rest[0] in self.problems


_GONE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP)


class InotifyWatcher:
    """Tells which paths of some places changed; costs nothing while nothing happens.

    Raises:
        OSError: there is no inotify here, or no more watches; from `changed` too, when new folders come.
    """

    name = "inotify"
    every: float | None = None  # it need not look by itself

    def __init__(self, places: WatchSpec) -> None:
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

    def _take(self, happened: InotifyEvent, folder: Path, found: set[Path]) -> None:
        """Add what one event means."""
        if happened.mask & (IGNORED | DELETE_SELF):
            found.add(folder)
            return
        path = folder / happened.name if happened.name else folder
        if happened.name and is_irrelevant(happened.name) and path not in self._places.files:
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
        for path, is_dir in walk(top):
            found.add(path)
            if is_dir:
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


_EVERY_S = 0.2
_SHARE = 0.05  # of a processor, at most, however large the trees are

_Stamp = tuple[int, ...]


class PollingWatcher:
    """Tells which paths of some places changed; see `InotifyWatcher`."""

    def __init__(self, places: WatchSpec) -> None:
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
            for path, is_dir in walk(tree):
                if is_dir:
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


Noticing = InotifyWatcher | PollingWatcher

# Other machines change files there; inotify tells what this one does: inotify(7), "Limitations and caveats".
_REMOTE = ("9p", "afs", "ceph", "cifs", "davfs", "lustre", "nfs", "nfs4", "smb3", "smbfs", "vboxsf", "virtiofs")


def choose_watcher(places: WatchSpec, *, only_looking: bool = False) -> tuple[Noticing, str]:
    """Return what notices changes of some places, and why it is not inotify, or ""."""
    if only_looking:
        return PollingWatcher(places), ""
    if remote := _remote_disk(places.root):
        return PollingWatcher(
            places
        ), f"{places.root} is on a disk of type {remote}, where inotify does not see all changes"
    try:
        return InotifyWatcher(places), ""
    except OSError as error:
        return PollingWatcher(places), why_no_inotify(error)


def why_no_inotify(error: OSError) -> str:
    """Say why inotify does not serve, and what could be done."""
    return (
        f"no inotify: {describe_error(_nameless(error))}; changes are noticed by looking, a little later "
        "(the limits are fs.inotify.max_user_watches and max_user_instances, see `man 7 inotify`)"
    )


def _nameless(error: OSError) -> OSError | JudgeError:
    return OSError(error.errno, error.strerror) if error.errno else error


def _remote_disk(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """Return the type of the disk that a path is on if other machines may write to it, else ""; proc(5), mountinfo."""
    try:
        lines = mounts.read_text(errors="surrogateescape").splitlines()
        real = path.resolve()
    except OSError:
        return ""
    best, kind = Path("/"), ""
    for line in lines:
        fields, _, rest = line.partition(" - ")
        where = Path(fields.split()[4].replace("\\040", " "))
        if real.is_relative_to(where) and where.is_relative_to(best):
            best, kind = where, rest.split()[0]
    return kind if kind in _REMOTE or kind.startswith("fuse.") else ""
