"""Programs that were compiled in earlier runs, keyed by source, command and compiler.

All of it is safe to delete at any time. A folder that cannot be read or written only disables the cache.
"""

import errno
import hashlib
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Generic, TypeVar

from judge.base.units import MIB
from judge.languages.tools import tool_fingerprint

K = TypeVar("K")
V = TypeVar("V")

_MAX_PROGRAMS = 500  # the least recently used are removed first
_TEXT = "text"
# Nothing else is removed: the folder may be a link that came with a repository.
_ENTRY = re.compile(r"[0-9a-f]{64}|\.(new|old)-.*")


class Once(Generic[K, V]):
    """Makes a value for each key, on the first call; any other thread that needs it waits for that."""

    def __init__(self) -> None:
        self._locks: dict[K, threading.Lock] = {}
        self._made: dict[K, V] = {}

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key; what `make` raises is not kept."""
        with self._locks.setdefault(key, threading.Lock()):  # atomic: a method of dict
            if key not in self._made:
                self._made[key] = make()
            return self._made[key]


class BuildCache:
    """Compiled programs in a folder; without a folder, nothing is stored."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def key(self, parts: Iterable[str | bytes], tools: Iterable[str]) -> str:
        """Return the key of a program: a hash of everything that determines the compiler's output."""
        digest = hashlib.sha256()
        for part in (*parts, *map(tool_fingerprint, tools)):
            data = part if isinstance(part, bytes) else part.encode(errors="surrogateescape")
            digest.update(b"%d:" % len(data) + data)
        return digest.hexdigest()

    def restore(self, key: str, target: Path) -> bool:
        """Copy a program's files into a folder; return False if it is not in the cache."""
        if self._folder is None:
            return False
        entry = self._folder / key
        try:
            paths = sorted(_walk(entry))
            if not all(path.stat().st_size for path in paths):  # truncated by a power failure
                return False
            for path in paths:
                _restore_file(path, target, path.relative_to(entry))
            os.utime(entry)
        except OSError:
            return False
        return True

    def store(self, key: str, folder: Path, sources: Mapping[str, bytes]) -> None:
        """Store all files of a folder except its sources, unless they have changed.

        Does nothing if they are large or not all regular files.
        """
        if self._folder is None:
            return
        new = self._folder / f".new-{os.getpid()}-{threading.get_ident()}"
        try:
            if self._folder.is_symlink():  # it may have come with a repository
                return
            paths = []
            for path in _walk(folder):
                content = sources.get(path.relative_to(folder).as_posix())  # scripts may change sources
                if content is None or path.stat().st_size != len(content) or path.read_bytes() != content:
                    paths.append(path)
            if sum(path.stat().st_size for path in paths) > 64 * MIB or len(paths) > 1000:
                return
            new.mkdir(parents=True)
            for path in paths:
                copy = new / path.relative_to(folder)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)
            new.rename(self._folder / key)
            self._prune(self._folder)
        except OSError:  # disk full, no permission, or another judge has stored the same program
            shutil.rmtree(new, ignore_errors=True)

    def read(self, key: str) -> bytes:
        """Return the text under a key; nothing if there is none."""
        try:
            return b"" if self._folder is None else (self._folder / key / _TEXT).read_bytes()
        except OSError:
            return b""

    def write(self, key: str, text: bytes) -> None:
        """Store a text under a key that no program has."""
        with suppress(OSError), tempfile.TemporaryDirectory() as folder:
            (Path(folder) / _TEXT).write_bytes(text)
            self.store(key, Path(folder), {})

    def _prune(self, folder: Path) -> None:
        entries = [path for path in folder.iterdir() if _ENTRY.fullmatch(path.name)]
        if len(entries) > _MAX_PROGRAMS:
            by_age = sorted(entries, key=lambda path: path.stat().st_mtime)
            for path in by_age[: len(entries) - _MAX_PROGRAMS * 4 // 5]:
                # rename first: a judge that is killed here leaves no incomplete program under its key
                shutil.rmtree(path.rename(folder / f".old-{os.getpid()}-{path.name}"), ignore_errors=True)


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders.

    Raises:
        OSError: a folder cannot be read, or something is neither a folder nor a regular file.
    """
    for path in folder.iterdir():
        mode = path.lstat().st_mode
        if S_ISDIR(mode):
            yield from _walk(path)
        elif S_ISREG(mode):
            yield path
        else:
            raise OSError(errno.EINVAL, "not a regular file", str(path))


def _restore_file(path: Path, target: Path, name: Path) -> None:
    """Copy a file into a folder, where a compiler may have left links.

    Raises:
        OSError: it cannot be written, or one of its folders is a link.
    """
    copy = target / name
    for parent in reversed(name.parents[:-1]):
        folder = target / parent
        if folder.is_symlink():
            raise OSError(errno.ELOOP, "is a link", str(folder))
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # the sandbox may run programs as another user, whatever the umask
    copy.unlink(missing_ok=True)
    shutil.copy(path, copy)
