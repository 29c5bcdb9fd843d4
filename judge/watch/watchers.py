"""Watchers notice changed files: by inotify, which costs nothing while nothing happens, or by polling."""

import ctypes
import errno
import os
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISLNK

from msgspec import Struct

from judge.problems.paths import is_folder, is_leftover

# ---- what is watched ----------------------------------------------------------------------------------------------

TREES = ("problems", "testcases", "solutions")


class WatchSpec(Struct, frozen=True, kw_only=True):
    """The files and folders to watch.

    Attributes:
        root: the repository, absolute.
        problems: ids; None for all, including new ones.
        files: solutions anywhere on the disk, absolute.
        folders: folders of cases outside a repository, absolute.
        entries: folders of which every entry may be a case or a solution, but nothing below; absolute.
    """

    root: Path
    problems: frozenset[str] | None = None
    files: frozenset[Path] = frozenset()
    folders: frozenset[Path] = frozenset()
    entries: frozenset[Path] = frozenset()

    def trees(self) -> Iterator[Path]:
        """Yield the folders to watch with everything below them; they may not exist."""
        yield from (self.root / name for name in TREES)
        yield from sorted(self.folders)

    def single_folders(self) -> Iterator[Path]:
        """Yield the folders of which only the entries are watched: a tree or a file may appear there."""
        yield self.root
        parents = {path.parent for path in (*self.files, *self.folders)} | self.entries
        yield from sorted(folder for folder in parents if not self.is_in_tree(folder))

    def is_in_tree(self, path: Path) -> bool:
        """Return whether a path is a tree or below one."""
        return any(path.is_relative_to(tree) for tree in self.trees())

    def includes(self, path: Path) -> bool:
        """Return whether a change of this path matters."""
        if path in self.files:
            return True
        if path.parent in self.entries or any(path.is_relative_to(folder) for folder in self.folders):
            return not is_temporary(path.name)
        if path == self.root or not path.is_relative_to(self.root):
            return path == self.root
        top, *rest = path.relative_to(self.root).parts
        if top not in TREES or any(is_temporary(part) for part in rest):
            return False
        return not rest or self.problems is None or rest[0] in self.problems

    def everything(self) -> set[Path]:
        """Return paths whose change means that anything may have changed."""
        return {self.root, *self.files}


def is_temporary(name: str) -> bool:
    """Return whether a file or folder of this name never affects a verdict.

    Editors and tools leave some, vim creates `4913` to find out whether it may write into a folder, and baselines are
    output of the judge.
    """
    return is_leftover(name) or name == "4913" or (name.startswith("baseline") and name.endswith(".lock"))


def walk(top: Path) -> Iterator[tuple[Path, bool]]:
    """Yield each file, and each folder before its entries, with whether it is a folder.

    Follows links, except to a folder that contains the link. Two links to a folder are two folders: their names
    decide which problem a change affects. Skips folders that cannot be read.
    """
    waiting: list[tuple[Path, frozenset[tuple[int, int]]]] = [(top, frozenset())]
    while waiting:
        folder, parents = waiting.pop()
        try:
            status = folder.stat()
            identity = (status.st_dev, status.st_ino)
            if not S_ISDIR(status.st_mode) or identity in parents:
                continue
            yield folder, True
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            if is_temporary(entry.name):
                continue
            if is_folder(entry):
                waiting.append((folder / entry.name, parents | {identity}))
            else:
                yield folder / entry.name, False


# ---- inotify ------------------------------------------------------------------------------------------------------

# linux/inotify.h
ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x4, 0x8, 0x40, 0x80, 0x100, 0x200
DELETE_SELF, OVERFLOW, IGNORED = 0x400, 0x4000, 0x8000
_ONLY_FOLDERS, IS_FOLDER = 0x0100_0000, 0x4000_0000
_MASK = ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | _ONLY_FOLDERS

_HEADER = struct.Struct("iIII")  # struct inotify_event without its name: wd, mask, cookie, len


_NOT_WATCHABLE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP)


class InotifyWatcher:
    """Notices changes by inotify; see inotify(7).

    Raises:
        OSError: the system has no inotify, no more instances, or no more watches; also from `read_changes`.
    """

    name = "inotify"
    interval: float | None = None  # no polling

    def __init__(self, spec: WatchSpec) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)
        if not hasattr(self._library, "inotify_init1"):
            raise OSError("this system has no inotify")
        self._descriptor = _check(self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC), "inotify_init1")
        self._spec = spec
        self._folders: dict[int, set[Path]] = {}  # the kernel has one watch for a folder, however many links lead there
        try:
            self._watch_all()
        except OSError:
            self.close()
            raise

    def fileno(self) -> int:
        """Return the descriptor, which is readable when there are events."""
        return self._descriptor

    def close(self) -> None:
        """Close the instance."""
        os.close(self._descriptor)

    def read_changes(self) -> set[Path]:
        """Return the files that changed, and the folders that were created or removed, since the last call."""
        found: set[Path] = set()
        for watch, mask, name in self._read_events():
            if mask & OVERFLOW:  # events were lost
                self._watch_all()
                found |= self._spec.everything()
            elif watch in self._folders:
                for folder in list(self._folders[watch]):
                    path = folder / name if name else folder
                    if not (name and is_temporary(name)) or path in self._spec.files:
                        self._handle(mask, path, found)
                if mask & IGNORED:
                    self._folders.pop(watch, None)
        return found

    def _read_events(self) -> Iterator[tuple[int, int, str]]:
        """Yield the watch of a folder, the kind, and the name of an entry, "" for the folder itself; do not wait."""
        while True:
            try:
                data = os.read(self._descriptor, 1 << 16)
            except BlockingIOError:
                return
            start = 0
            while start < len(data):
                watch, mask, _, size = _HEADER.unpack_from(data, start)
                start += _HEADER.size + size
                yield watch, mask, os.fsdecode(data[start - size : start].rstrip(b"\0"))

    def _watch_all(self) -> None:
        for folder in self._spec.single_folders():
            self._watch(folder)
        for tree in self._spec.trees():
            self._watch_tree(tree, set())

    def _handle(self, mask: int, path: Path, found: set[Path]) -> None:
        """Add the paths that an event at a path concerns."""
        if mask & (IGNORED | DELETE_SELF):  # of the folder itself
            found.add(path)
            return
        if mask & IS_FOLDER and mask & MOVED_FROM:
            for watch, paths in list(self._folders.items()):
                paths -= {each for each in paths if each.is_relative_to(path)}
                if not paths:
                    self._library.inotify_rm_watch(self._descriptor, watch)
                    del self._folders[watch]
        if mask & CREATE and not mask & IS_FOLDER and not _is_complete(path):
            return
        if self._spec.is_in_tree(path):
            found.add(path)
            self._watch_tree(path, found)
        elif not mask & IS_FOLDER:
            found.add(path)

    def _watch(self, folder: Path) -> None:
        """Watch one folder, if it exists."""
        try:
            added = self._library.inotify_add_watch(self._descriptor, os.fsencode(folder), _MASK)
            self._folders.setdefault(_check(added, str(folder)), set()).add(folder)
        except OSError as error:
            if error.errno not in _NOT_WATCHABLE:
                raise

    def _watch_tree(self, top: Path, found: set[Path]) -> None:
        """Watch a folder and everything below; add what was created there before the watch."""
        for path, is_dir in walk(top):
            found.add(path)
            if is_dir:
                self._watch(path)


def _check(result: int, name: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)
    return result


def _is_complete(path: Path) -> bool:
    """Return whether a created file is not written to any more, as a link; for others, CLOSE_WRITE follows.

    A hard link has content at once, even if its other name is gone by now.
    """
    try:
        status = path.lstat()
    except OSError:
        return False
    return S_ISLNK(status.st_mode) or status.st_nlink > 1 or status.st_size > 0


# ---- polling ------------------------------------------------------------------------------------------------------

_MIN_INTERVAL_S = 0.2
_Stamp = tuple[int, ...]


class PollingWatcher:
    """Notices changes by comparing the time and size of every file at intervals."""

    def __init__(self, spec: WatchSpec) -> None:
        self._spec = spec
        self.interval = _MIN_INTERVAL_S
        self._stamps = self._scan()

    @property
    def name(self) -> str:
        """The method, for people."""
        return f"polling every {self.interval:.1f} s"

    def fileno(self) -> None:
        """Return None: there is no descriptor to wait for."""

    def close(self) -> None:
        """Do nothing."""

    def read_changes(self) -> set[Path]:
        """Return the files that changed, and the folders that were created or removed, since the last call."""
        before, self._stamps = self._stamps, self._scan()
        return {path for path in before.keys() | self._stamps.keys() if before.get(path) != self._stamps.get(path)}

    def _scan(self) -> dict[Path, _Stamp]:
        started = time.monotonic()
        stamps: dict[Path, _Stamp] = {}
        for tree in self._spec.trees():
            for path, is_dir in walk(tree):
                if is_dir:
                    stamps[path] = ()
                else:
                    _add_stamp(path, stamps)
        for file in self._spec.files:
            _add_stamp(file, stamps)
        for folder in self._spec.entries:
            with suppress(OSError):
                for path in folder.iterdir():
                    _add_stamp(path, stamps)
        # at most a twentieth of a core, however large the trees are
        self.interval = max(_MIN_INTERVAL_S, 20 * (time.monotonic() - started))
        return stamps


def _add_stamp(file: Path, stamps: dict[Path, _Stamp]) -> None:
    try:
        status = file.stat()
    except OSError:
        return
    stamps[file] = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


# ---- which of them ------------------------------------------------------------------------------------------------

Watcher = InotifyWatcher | PollingWatcher

# Other machines change files there, which inotify does not report: inotify(7), "Limitations and caveats".
_REMOTE = ("9p", "afs", "ceph", "cifs", "davfs", "lustre", "nfs", "nfs4", "smb3", "smbfs", "vboxsf", "virtiofs")


def choose_watcher(spec: WatchSpec, *, poll: bool = False) -> tuple[Watcher, str]:
    """Return a watcher, and why it is polling unless that was asked for, or ""."""
    if poll:
        return PollingWatcher(spec), ""
    if kind := _remote_file_system(spec.root):
        return PollingWatcher(spec), f"polling for changes: inotify does not see all of them on {kind} ({spec.root})"
    try:
        return InotifyWatcher(spec), ""
    except OSError as error:
        return PollingWatcher(spec), describe_fallback(error)


def describe_fallback(error: OSError) -> str:
    """Return why inotify is not used, and what to do."""
    return (
        f"polling for changes: inotify is not available ({error.strerror or error}); if a limit is reached, raise "
        "fs.inotify.max_user_watches or max_user_instances (see `man 7 inotify`)"
    )


def _remote_file_system(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """Return the type of a path's file system if other machines may write to it, else ""; see proc(5), mountinfo."""
    try:
        lines = mounts.read_text(errors="surrogateescape").splitlines()
        real = path.resolve()
    except OSError:
        return ""
    longest, kind = Path("/"), ""
    for line in lines:
        fields, _, rest = line.partition(" - ")
        mount_point = Path(fields.split()[4].replace("\\040", " "))
        if real.is_relative_to(mount_point) and mount_point.is_relative_to(longest):
            longest, kind = mount_point, rest.split()[0]
    return kind if kind in _REMOTE or kind.startswith("fuse.") else ""
