"""One SQLite file of ours: opened so that two judges, a kill and a damaged or older file do no harm.

SQLite's write-ahead log (https://www.sqlite.org/wal.html) lets one judge write while others read, and a transaction
that a kill cuts off never was. A file that is no database, is damaged, or was written by another version of us is set
aside under another name, said, and begun anew.
"""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from judge.files import make_cache
from judge.units import Bytes

_CACHE_KIB = 512  # of pages; SQLite would take 2 MB, and the system keeps the file's pages anyhow
_WAIT_S = 10.0  # for another judge's transaction; they take milliseconds


class Database:
    """A file that may be missing, damaged, locked or on a disk that cannot be written; then it knows nothing.

    Used from one thread. Whatever goes wrong is said once, in `warning`, and nothing is raised.

    Args:
        path: the file; its folder is made.
        version: of the tables; a file of another version is set aside.
        tables: SQL that makes them.
    """

    def __init__(self, path: Path, *, version: int, tables: str) -> None:
        self.path = path
        self.warning = ""
        self.is_writable = True
        self._connection: sqlite3.Connection | None = None
        try:
            self._connection = self._opened(version, tables)
        except (sqlite3.Error, OSError) as error:
            self._open_readable(version, error)

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds; nothing when the file cannot be read."""
        if self._connection is None:
            return []
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
            return []

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection | None]:
        """Give a connection whose changes are all made or none; None where nothing can be written."""
        if self._connection is None or not self.is_writable:
            yield None
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(error)
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise

    def write(self, sql: str, rows: Iterable[Sequence[object]]) -> bool:
        """Carry out a statement for every row, all or none; return whether that worked."""
        with self.transaction() as connection:
            if connection is not None:
                connection.executemany(sql, rows)
        return self._connection is not None and self.is_writable

    def bytes_used(self) -> int:
        """Return how many bytes of the file hold something."""
        found = self.rows(
            "SELECT (page_count - freelist_count) * page_size "
            "FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
        )
        return int(found[0][0]) if found else 0

    def keep_within(self, most: Bytes, forget: Callable[[], bool]) -> None:
        """Keep the file small.

        Args:
            most: how much it may hold.
            forget: called while it holds more; deletes something, or returns False when there is nothing.
        """
        if self.bytes_used() > most:
            while forget() and self.bytes_used() > most:
                pass
            self._shrink()

    def _shrink(self) -> None:
        """Give the disk back what was deleted, unless another judge is at work: then some other time."""
        if self._connection is None or not self.is_writable:
            return
        with suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA busy_timeout=0")
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _opened(self, version: int, tables: str) -> sqlite3.Connection:
        make_cache(self.path.parent)
        with _one_at_a_time(self.path.parent):  # else a second judge would set aside what the first began anew
            connection = self._usable(version)
        try:
            connection.executescript(f"BEGIN IMMEDIATE; {tables}; PRAGMA user_version={version:d}; COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection

    def _usable(self, version: int) -> sqlite3.Connection:
        """Return a connection to a file that is sound and of this version, or new."""
        try:
            connection, found = self._connected()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            self._set_aside(f"is damaged ({error})")
            connection, found = self._connected()
        if found not in (0, version):
            connection.close()
            self._set_aside(f"is of version {found}, this judge writes version {version}")
            connection, found = self._connected()
        return connection

    def _connected(self) -> tuple[sqlite3.Connection, int]:
        connection = sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")  # a power failure may lose the last run, never the file
            connection.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection, int(found)

    def _open_readable(self, version: int, why: Exception) -> None:
        """Read what cannot be written, such as a file on a read-only disk."""
        self.is_writable = False
        self.warning = f"{self.path} cannot be written ({_told(why)}): nothing new is remembered"
        try:
            connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        except sqlite3.Error:
            return
        try:
            (found,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error:
            found = None
        if found == version:
            self._connection = connection
        else:
            connection.close()

    def _set_aside(self, why: str) -> None:
        aside = self.path.with_name(f"{self.path.name}.aside")
        for ending in ("", "-wal", "-shm"):
            part = self.path.with_name(self.path.name + ending)
            if part.exists():
                part.replace(aside.with_name(aside.name + ending))
        self.warning = f"{self.path} {why}; it is set aside as {aside.name}, and a new one is begun"

    def _give_up(self, error: sqlite3.Error) -> None:
        """Stop using the file for the rest of this run."""
        self.close()
        if isinstance(error, sqlite3.OperationalError):  # a full disk, another judge that hangs
            self.warning = f"{self.path} cannot be used ({_told(error)}): the rest of nothing new is remembered"
            return
        try:
            self._set_aside(f"is damaged ({_told(error)})")
        except OSError as second:
            self.warning = f"{self.path} is damaged ({_told(error)}) and cannot be renamed ({_told(second)}): delete it"


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep other judges from the same for a moment; a kill ends that, too (flock(2))."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks: as well as it goes
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _told(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
