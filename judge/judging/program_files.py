"""The files of a program that judges: what it reads, and the feedback folder that it writes.

They are in the work folder of a worker's second box (`Box.partner`), where no submission can see them. A run may read
`data` and write `feedback` only; but where the sandbox offers less, it may have replaced either by something else. So
both are opened without following links, and a file is overwritten only if it is certainly the judge's own.
"""

import os
import stat
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from judge.data import Data, is_huge
from judge.judging.feedback import Feedback, read_feedback, take_file
from judge.sandbox.work_folder import remove

_FOLDER, _FILE = 0o755, 0o644  # the sandbox may run programs as another user
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_AGAIN = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class ProgramFiles:
    """The files of one run, or of the passes of one case.

    Attributes:
        data: the folder with the files that the program reads.
        feedback: the feedback folder.
        readable: what a run may read.

    Raises:
        OSError: from the methods that write: a file cannot be read or written.
    """

    def __init__(self, work_folder: Path) -> None:
        self.data, self.feedback = _child(work_folder, "data"), _child(work_folder, "feedback")
        self.readable: tuple[Path, ...] = (self.data,)

    @property
    def feedback_argument(self) -> str:
        """The feedback folder as an argument: with a final separator (ICPC 2025-09, "Output validator", Invocation)."""
        return f"{self.feedback}/"

    def write(self, name: str, data: Data) -> Path:
        """Make data readable under a name; return the path for the program. Huge files are not copied."""
        if isinstance(data, Path) and is_huge(data) and data.stat().st_mode & stat.S_IROTH:
            data = data.absolute()
            self.readable = (*self.readable, data)
            return data
        folder = _open_folder(self.data)
        try:
            file = _open_again(folder, name)
            if file is None:
                file = _create_file(folder, name)
        finally:
            os.close(folder)
        try:
            os.ftruncate(file, _copy(data, file))
        finally:
            os.close(file)
        return _child(self.data, name)

    def clear_feedback(self) -> None:
        """Empty the feedback folder. It stays the same folder: the sandbox allows writing to that one only."""
        folder = _open_folder(self.feedback)
        try:
            for name in os.listdir(folder):  # noqa: PTH208 - of a descriptor
                try:
                    os.unlink(name, dir_fd=folder)
                except OSError:
                    remove(str(self.feedback / name))
            os.fchmod(folder, _FOLDER)
        finally:
            os.close(folder)

    def read_feedback(self) -> Feedback:
        """Return what the program wrote; see `feedback.read_feedback`."""
        return read_feedback(self.feedback)

    def take(self, name: str, limit: int) -> bytes | None:
        """Return a file that the program wrote, once; see `feedback.take_file`."""
        return take_file(self.feedback, name, limit)


@lru_cache(maxsize=64)
def _child(folder: Path, name: str) -> Path:
    """Return the path of an entry: the same few for every case."""
    return folder / name


def _open_folder(path: Path) -> int:
    """Return a descriptor of a folder; create it if it does not exist yet, or a program has replaced it."""
    with suppress(OSError):
        return os.open(path, _OPEN_FOLDER)
    with suppress(OSError):
        if stat.S_ISDIR(path.lstat().st_mode):
            path.chmod(_FOLDER)  # a program took its own permissions away
            return os.open(path, _OPEN_FOLDER)
    remove(str(path))
    path.unlink(missing_ok=True)  # `remove` leaves what is no folder
    path.mkdir()
    path.chmod(_FOLDER)
    return os.open(path, _OPEN_FOLDER)


def _open_again(folder: int, name: str) -> int | None:
    """Return a descriptor of a file that an earlier run got, to overwrite it: that costs less than a new file.

    None if there is none, or if anything about it is not as it was: a program may have replaced it.
    """
    try:
        file = os.open(name, _OPEN_AGAIN, dir_fd=folder)
    except OSError:
        return None
    found = os.fstat(file)
    if found.st_mode == stat.S_IFREG | _FILE and found.st_nlink == 1 and found.st_uid == os.geteuid():
        return file
    os.close(file)
    return None


def _create_file(folder: int, name: str) -> int:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
    file = os.open(name, _CREATE, _FILE, dir_fd=folder)
    os.fchmod(file, _FILE)  # whatever the user's umask is
    return file


def _copy(data: Data, target: int) -> int:
    """Write data at the start of a file; return its size."""
    if isinstance(data, bytes):
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(target, rest) :]
        return len(data)
    source = os.open(data, os.O_RDONLY | os.O_CLOEXEC)
    size = 0
    try:
        while sent := os.sendfile(target, source, None, 1 << 30):
            size += sent
    finally:
        os.close(source)
    return size
