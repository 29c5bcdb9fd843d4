"""The feedback folder of a program that judges (ICPC 2025-09, "Reporting additional feedback").

A program is not trusted: only regular files are read, no links are followed, and messages are cut.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from judge.files import open_regular
from judge.programs import RawScore

MAX_MESSAGE = 4096  # bytes of a message that are kept
_MAX_SCORE = 100  # bytes of a file with a number
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


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
    folder = _open_folder(path)
    try:
        names = set(os.listdir(folder))  # noqa: PTH208 - of a descriptor
        if not names:  # most programs write nothing
            return _NOTHING
        score, multiplier = (
            _read_score(folder, name) if name in names else None for name in ("score.txt", "score_multiplier.txt")
        )
        message, team_message, error = (
            _read_message(folder, name) if name in names else ""
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


def take_file(path: Path, name: str, limit: int) -> bytes | None:
    """Remove a file of the folder and return its content; None if there is none.

    Raises:
        FeedbackError: it is not a regular file, cannot be read, or has more than `limit` bytes.
    """
    folder = _open_folder(path)
    try:
        data = _read(folder, name, limit + 1)
        if data is not None and len(data) > limit:
            raise FeedbackError(f"{name} has more than {limit} bytes")
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        return data
    finally:
        os.close(folder)


def cut_message(text: bytes, size: int | None = None) -> str:
    """Return a message as text, without white space at its ends, and cut to `MAX_MESSAGE`.

    Args:
        text: the message, or the beginning of it.
        size: the number of bytes of the whole message.
    """
    shown = text[:MAX_MESSAGE].decode(errors="replace").strip()
    left = (len(text) if size is None else size) - MAX_MESSAGE
    return f"{shown}\n... ({left} more bytes)" if left > 0 else shown


def _open_folder(path: Path) -> int:
    try:
        return os.open(path, _OPEN_FOLDER)
    except OSError as error:
        raise FeedbackError(f"the feedback folder is gone or locked ({error.strerror})") from error


def _read_message(folder: int, name: str) -> str:
    file = _open_file(folder, name)
    if file is None:
        return ""
    with file:
        return cut_message(file.read(MAX_MESSAGE + 1), os.fstat(file.fileno()).st_size)


def _read_score(folder: int, name: str) -> str | None:
    data = _read(folder, name, _MAX_SCORE)
    return None if data is None else data.decode(errors="replace").strip()


def _read(folder: int, name: str, limit: int) -> bytes | None:
    file = _open_file(folder, name)
    if file is None:
        return None
    with file:
        return file.read(limit)


def _open_file(folder: int, name: str) -> BinaryIO | None:
    """Open a regular file; None if there is no file of that name."""
    try:
        return os.fdopen(open_regular(name, folder=folder), "rb")
    except FileNotFoundError:
        return None
    except OSError as error:
        what = "a symbolic link; expected a regular file" if error.errno == errno.ELOOP else f"{error.strerror}"
        raise FeedbackError(f"{name} in the feedback folder: {what}") from error
