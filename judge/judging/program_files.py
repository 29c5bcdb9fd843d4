"""The files of a program that judges: what it reads, and the feedback folder that it writes.

They are in the work folder of a worker's second box (`Box.partner`), where no submission can see them. A run may read
`data` and write `feedback` only; but where the sandbox offers less, it may have replaced either by something else. So
both are opened without following links, only regular files are read, and a file is overwritten only if it is certainly
the judge's own. Messages are cut (ICPC 2025-09, "Reporting additional feedback").
"""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, is_huge, write_data
from judge.base.files import open_regular
from judge.base.units import format_count
from judge.model import Limits
from judge.model.programs import RawScore
from judge.sandbox.box import Command
from judge.sandbox.work_folder import remove

MAX_MESSAGE = 1 << 14  # bytes of a message that are kept
_FOLDER, _FILE = 0o755, 0o644  # the sandbox may run programs as another user
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_AGAIN = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class FeedbackError(Exception):
    """The feedback folder holds something else than the format allows: the program is wrong."""


class Feedback(Struct, frozen=True, kw_only=True):
    """What a program wrote into its feedback folder.

    Attributes:
        message: `judgemessage.txt`, cut.
        team_message: `teammessage.txt`, cut.
        error: `judgeerror.txt`, cut: why a program failed that uses the header `validate.h` of DOMjudge and BAPCtools.
        raw_score: `score.txt` or `score_multiplier.txt`, or both; None without any.
        has_next_pass: there is a `nextpass.in`.
    """

    message: str = ""
    team_message: str = ""
    error: str = ""
    raw_score: RawScore | None = None
    has_next_pass: bool = False


_NOTHING = Feedback()


def read_feedback(path: Path) -> Feedback:
    """Read the messages and scores in a feedback folder.

    Raises:
        FeedbackError: one of the files is not a regular file, or cannot be read; the message says which.
    """
    folder = _open_feedback(path)
    try:
        names = set(os.listdir(folder))  # noqa: PTH208 - of a descriptor
        if not names:  # most programs write nothing
            return _NOTHING
        score, multiplier = (
            found[0].decode(errors="replace").strip() if (found := _read(folder, name, 100)) else None
            for name in ("score.txt", "score_multiplier.txt")
        )
        message, team_message, error = (
            cut_message(*found) if (found := _read(folder, name, MAX_MESSAGE + 1)) else ""
            for name in ("judgemessage.txt", "teammessage.txt", "judgeerror.txt")
        )
        return Feedback(
            message=message,
            team_message=team_message,
            error=error,
            raw_score=None if score is multiplier is None else RawScore(score=score, multiplier=multiplier),
            has_next_pass="nextpass.in" in names,
        )
    finally:
        os.close(folder)


def cut_message(text: bytes, size: int | None = None) -> str:
    """Return a message as text, without white space at its ends, and cut to `MAX_MESSAGE`.

    `size` is the number of bytes of the whole message, if the text is only its beginning.
    """
    shown = text[:MAX_MESSAGE].decode(errors="replace").strip()
    left = (len(text) if size is None else size) - MAX_MESSAGE
    return f"{shown}\n... ({format_count(left, 'more byte')})" if left > 0 else shown


def _open_feedback(path: Path) -> int:
    try:
        return os.open(path, _OPEN_FOLDER)
    except OSError as error:
        raise FeedbackError(f"the feedback folder is gone or locked ({error.strerror})") from error


def _read(folder: int, name: str, limit: int) -> tuple[bytes, int] | None:
    """Return the beginning of a regular file, and its size; None if there is no file of that name."""
    try:
        file = open_regular(name, folder=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        what = "a symbolic link; expected a regular file" if error.errno == errno.ELOOP else f"{error.strerror}"
        raise FeedbackError(f"{name} in the feedback folder: {what}") from error
    with os.fdopen(file, "rb") as opened:
        return opened.read(limit), os.fstat(file).st_size


class ProgramFiles:
    """The files of one run, or of the passes of one case.

    Attributes:
        data: the folder with the files that the program reads.
        readable: what a run may read.

    Raises:
        OSError: from the methods that write: a file cannot be read or written.
    """

    def __init__(self, work_folder: Path) -> None:
        self.data, self.feedback = work_folder / "data", work_folder / "feedback"
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
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)
                file = os.open(name, _CREATE, _FILE, dir_fd=folder)
                os.fchmod(file, _FILE)  # whatever the user's umask is
        finally:
            os.close(folder)
        with os.fdopen(file, "wb") as opened:
            write_data(data, opened)
            opened.truncate()
        return self.data / name

    def add_to(self, command: Command, limits: Limits) -> Command:
        """Return a command that may read what was written, and write the feedback."""
        readable = (*command.readable, *self.readable)
        return replace(command, readable=readable, writable=self.feedback, disk=int(limits.output))

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

    def take(self, name: str, limit: int) -> bytes | None:
        """Remove a file that the program wrote and return its content; None if there is none.

        Raises:
            FeedbackError: it is not a regular file, cannot be read, or has more than `limit` bytes.
        """
        folder = _open_feedback(self.feedback)
        try:
            found = _read(folder, name, limit + 1)
            if found and len(found[0]) > limit:
                raise FeedbackError(f"{name} has more than {limit} bytes")
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
            return found and found[0]
        finally:
            os.close(folder)


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
