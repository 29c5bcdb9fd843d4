"""Files of one run: standard input, output and error in memory, and the scratch folder at level `limits`."""

import fcntl
import io
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge.base.errors import SandboxError, describe_error
from judge.sandbox.work_folder import remove

# fcntl(2) seals, linux/fcntl.h: no one can change the input of a run, not even through /proc/self/fd/0
_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE

_MAX_COPY = 1 << 28  # bytes of an input

_OWNER_ONLY = 0o700


@contextmanager
def memory_file(name: str) -> Iterator[int]:
    """Open a file that exists in memory only: it fills no disk, has no path, and is gone when it is closed."""
    try:
        descriptor = os.memfd_create(name)
    except OSError as error:
        raise SandboxError(f"cannot create a file for {name}: {error.strerror}") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def open_input(source: bytes | Path) -> int:
    """Return a descriptor at the start of an input that no one can write any more.

    A file is copied as well: a run could open its descriptor again for writing, through /proc/self/fd/0.
    """
    descriptor = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        if isinstance(source, Path):
            _copy_file(source, descriptor)
        else:
            rest = memoryview(source)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
        os.lseek(descriptor, 0, os.SEEK_SET)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def is_too_large_to_copy(source: Path) -> bool:
    """Return whether a copy of an input would take too much memory; False if it cannot be read."""
    try:
        return source.stat().st_size > _MAX_COPY
    except OSError:  # `open_input` reports it
        return False


def open_file(source: Path) -> int:
    """Return a descriptor of an input file itself.

    Raises:
        SandboxError: it cannot be read.
    """
    try:
        return os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise SandboxError(f"cannot read the input {source}: {error.strerror}") from error


def _copy_file(source: Path, target: int) -> None:
    try:
        with io.FileIO(source) as file:  # cheaper than Path.open
            while os.sendfile(target, file.fileno(), None, 1 << 30):
                pass
    except OSError as error:
        raise SandboxError(f"cannot read the input {source}: {error.strerror}") from error


def read_at(fd: int, start: int, size: int) -> bytes:
    """Read `size` bytes from `start`, in as few calls as the kernel allows (at most 2 GiB in one)."""
    parts = []
    while size > 0 and (part := os.pread(fd, size, start)):
        parts.append(part)
        start, size = start + len(part), size - len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def describe_full_disk() -> str:
    """Return what to do if there is no space for the files of runs and compilers."""
    return f"no space in the folder {tempfile.gettempdir()}: free space there, or set TMPDIR to another folder"


class ScratchFolder:
    """The current folder of runs that may write files: empty before every run, whatever the last one did to it.

    It is inside a folder of the judge, so that a run that renames its folder leaves nothing outside.
    """

    def __init__(self) -> None:
        self._base: str | None = None

    def prepare(self) -> str:
        """Return the path of an empty folder, which is created if needed.

        Raises:
            SandboxError: it cannot be created.
        """
        if self._base is not None and not _holds_one_empty_folder(self._base):
            self.close()
        if self._base is None:
            try:
                self._base = tempfile.mkdtemp(prefix="judge-")
                os.mkdir(os.path.join(self._base, "run"), _OWNER_ONLY)
            except OSError as error:
                raise SandboxError(f"cannot create a work folder: {describe_error(error)}") from error
        return os.path.join(self._base, "run")

    def close(self) -> None:
        """Remove the folder and everything that runs left in it."""
        if self._base is not None:
            remove(self._base)
            self._base = None


def _holds_one_empty_folder(base: str) -> bool:
    """Return whether the last run left its folder as it was: alone, empty, accessible, and still a folder."""
    run = os.path.join(base, "run")
    try:
        return (
            os.listdir(base) == ["run"]
            and stat.S_ISDIR(os.lstat(run).st_mode)
            and not os.listdir(run)
            and os.access(run, os.R_OK | os.W_OK | os.X_OK)
        )
    except OSError:
        return False
