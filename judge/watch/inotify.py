"""The Linux kernel's word that a folder changed: inotify(7), called through ctypes."""

import ctypes
import os
from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct

# linux/inotify.h
ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x4, 0x8, 0x40, 0x80, 0x100, 0x200
DELETE_SELF, OVERFLOW, IGNORED = 0x400, 0x4000, 0x8000
_ONLY_FOLDERS, IS_FOLDER = 0x0100_0000, 0x4000_0000
_WANTED = ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | _ONLY_FOLDERS

_HEAD = Struct("iIII")  # struct inotify_event without its name: wd, mask, cookie, len
_READ_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
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

    def read(self) -> Iterator[Happened]:
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
                yield Happened(watch=watch, mask=mask, name=os.fsdecode(data[at : at + size].rstrip(b"\0")))
                at += size

    def close(self) -> None:
        """End it."""
        os.close(self._file)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result
