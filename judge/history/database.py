"""An SQLite file in `.judge` that survives concurrent judges, kills, damage and changes of its version.

SQLite's write-ahead log (https://www.sqlite.org/wal.html) lets one process write while others read, and rolls back a
transaction that a kill interrupts. A file that is damaged, or of another version, is renamed to `*.aside` and replaced
by a new one. So is one with views or triggers, whose SQL would run: the file may come with a repository from somewhere
else.
"""

import errno
import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from typing import Any, TypeVar

from judge.base.files import make_cache
from judge.base.units import Bytes

T = TypeVar("T")

_BUSY_TIMEOUT_S = 10.0  # for another judge's transaction, which takes milliseconds
_PARTS = ("", "-wal", "-shm", "-journal")  # what SQLite adds to the name of the file for its other files

ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; Python decodes its messages, which may quote a damaged file."""


class Database:
    """A file that may be missing, damaged, locked or read-only; queries then return nothing and writes do nothing.

    Used from one thread at a time. Errors are never raised: `warning` describes the first one.

    Args:
        path: the file; its folder is created.
        version: version of the tables.
        tables: SQL that creates them.
    """

    def __init__(self, path: Path, *, version: int, tables: str) -> None:
        self.path = path
        self.warning = ""
        self.is_writable = True
        self._connection: sqlite3.Connection | None = None
        try:
            self._connection = self._open(version, tables)
        except (*ERRORS, OSError) as error:
            self._open_read_only(version, error)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; none when the file cannot be read."""
        if self._connection is None:
            return []
        try:
            return self._connection.execute(sql, values).fetchall()
        except ERRORS as error:
            self._give_up(error)
            return []

    def change(self, apply: Callable[[sqlite3.Connection], T]) -> T | None:
        """Call a function whose changes are committed together; return None if the file cannot be written."""
        connection = self._connection
        if connection is None or not self.is_writable:
            return None
        try:
            connection.execute("BEGIN IMMEDIATE")
            found = apply(connection)
            connection.execute("COMMIT")
        except ERRORS as error:
            self._give_up(error)
            return None
        except BaseException:
            connection.rollback()
            raise
        return found

    def write(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute a statement for every row, in one transaction."""
        self.change(lambda connection: connection.executemany(sql, rows))

    def bytes_used(self) -> int:
        """Return the size of the file without its free pages."""
        found = self.rows(
            "SELECT (page_count - freelist_count) * page_size "
            "FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
        )
        return int(found[0][0]) if found else 0

    def shrink_to(self, limit: Bytes, delete_oldest: Callable[[], bool]) -> None:
        """Delete old rows while the file uses more than the limit, and return the freed space to the disk.

        `delete_oldest` deletes some rows, and returns False when there are none.
        """
        if self.bytes_used() <= limit:
            return
        while delete_oldest() and self.bytes_used() > limit:
            pass
        if self._connection is None or not self.is_writable:
            return
        with suppress(sqlite3.OperationalError):  # another judge uses the file: a later run shrinks it
            self._connection.execute("PRAGMA busy_timeout=0")
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _open(self, version: int, tables: str) -> sqlite3.Connection:
        make_cache(self.path.parent)
        with _lock_folder(self.path.parent):  # a second judge must not rename the file that the first one has replaced
            if reason := find_irregular(self.path):
                self._set_aside(reason)
            try:
                return self._prepare(version, tables)
            except sqlite3.OperationalError:
                raise
            except _VersionError as error:
                self._set_aside(str(error))
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                self._set_aside(f"is damaged ({error})")
            return self._prepare(version, tables)

    def _prepare(self, version: int, tables: str) -> sqlite3.Connection:
        """Return a connection to a file whose tables have this version."""
        connection = self._connect()
        try:
            # Taking the write lock fails where the file is read-only, even if there is nothing to write.
            connection.execute("BEGIN IMMEDIATE")
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone():
                raise sqlite3.DatabaseError("it has views or triggers")  # noqa: TRY301 - closes the file first
            if found not in (0, version):
                raise _VersionError(f"has version {found}, this judge reads version {version}")  # noqa: TRY301 - closes the file first
            if found != version:
                for statement in (*tables.split(";"), f"PRAGMA user_version={version:d}"):
                    connection.execute(statement)  # `executescript` would commit
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")  # a power failure may lose the last run, never the file
            connection.execute("PRAGMA cache_size=-512")  # KiB; the kernel caches the file's pages anyway
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection

    def _open_read_only(self, version: int, reason: Exception) -> None:
        """Open a file that cannot be written, such as one on a read-only disk."""
        self.is_writable = False
        self.warning = f"{self.path} cannot be written ({_reason(reason)}): nothing is saved in it"
        if find_irregular(self.path):
            return
        try:
            address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        except sqlite3.Error:
            return
        try:
            (found,) = connection.execute("PRAGMA user_version").fetchone()
        except ERRORS:
            found = None
        if found == version:
            self._connection = connection
        else:
            connection.close()

    def _set_aside(self, reason: str) -> None:
        aside = self.path.with_name(f"{self.path.name}.aside")
        for suffix in _PARTS:
            part = self.path.with_name(self.path.name + suffix)
            if os.path.lexists(part):
                part.replace(aside.with_name(aside.name + suffix))
        self.warning = f"{self.path} {reason}; it was renamed to {aside.name}, and a new file replaces it"

    def _give_up(self, error: Exception) -> None:
        """Stop using the file for the rest of this process."""
        self.close()
        if isinstance(error, sqlite3.OperationalError):  # the disk is full, or another judge hangs
            self.warning = f"{self.path} cannot be used ({error}): the rest of this run is not saved in it"
            return
        try:
            self._set_aside(f"is damaged ({error})")
        except OSError as second:
            self.warning = f"{self.path} is damaged ({error}) and cannot be renamed ({_reason(second)}): delete it"


class _VersionError(sqlite3.DatabaseError):
    """The file has a version that this judge cannot read."""


def find_irregular(path: Path) -> str:
    """Return why SQLite must not open a file, which may come with a repository from somewhere else; "" if it may.

    The reason follows the name of the file. Through a link, SQLite would change another program's file; at a pipe it
    would wait for ever.
    """
    for suffix in _PARTS:
        try:
            mode = path.with_name(path.name + suffix).lstat().st_mode
        except OSError:
            continue
        if not S_ISREG(mode):
            what = "is a link" if S_ISLNK(mode) else "is not a regular file"
            return what if not suffix else f"has a file {path.name}{suffix} that {what}"
    return ""


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Keep other judges out for a moment; the kernel releases the lock of a killed process (flock(2)).

    Raises:
        TimeoutError: another judge has the lock for too long; it may be stopped.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    deadline = time.monotonic() + _BUSY_TIMEOUT_S
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise TimeoutError(errno.ETIMEDOUT, "another judge keeps the folder locked", str(folder)) from None
                time.sleep(0.001)
            except OSError:  # a file system without locks
                break
            else:
                break
        yield
    finally:
        os.close(descriptor)
