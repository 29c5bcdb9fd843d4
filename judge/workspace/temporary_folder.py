"""The temporary folder of a judge, with copies of sources and compiled programs."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.sandbox.work_folder import remove

_PREFIX = "judge-session-"
_MIN_AGE_S = 60.0  # a younger one may belong to a judge that has not locked it yet


@contextmanager
def open_temporary_folder() -> Iterator[Path]:
    """Create a folder and remove it at the end; also remove those of judges that were killed.

    A judge holds a lock on its folder, which the kernel releases when the judge ends in whatever way (flock(2)).
    """
    with TemporaryDirectory(prefix=_PREFIX) as name:
        lock = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with suppress(OSError):  # a file system without locks, or a folder that cannot be listed
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove_abandoned(Path(name).parent)
            yield Path(name)
        finally:
            os.close(lock)


def _remove_abandoned(parent: Path) -> None:
    with os.scandir(parent) as entries:
        names = [entry.name for entry in entries if entry.name.startswith(_PREFIX)]
    for name in names:
        with suppress(OSError):  # removed meanwhile, another user's, or in use
            _remove_if_abandoned(parent / name)


def _remove_if_abandoned(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(lock)
        if status.st_uid == os.geteuid() and time.time() - status.st_mtime > _MIN_AGE_S:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(str(folder))
    finally:
        os.close(lock)
