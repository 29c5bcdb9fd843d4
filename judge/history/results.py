"""The results cache: what a submission did on a case, valid as long as nothing that decides it has changed."""

import hashlib
import signal
import time
from pathlib import Path

import msgspec

from judge.history.database import Database
from judge.model import Case, CaseResult, Ending, Excerpt, Mismatch, RunResult, Verdict
from judge.units import MIB, Bytes

VERSION = 2
MAX_BYTES = Bytes(64 * MIB)
"""How large the file may grow; beyond that the least recently used submissions are deleted, a quarter at a time."""

_FLUSH_INTERVAL_S = 1.0  # a kill loses at most this
_MAX_IN_MEMORY = 1000  # results of one submission that are read at once
_USED_RESOLUTION_S = 3600  # so that a run which only reads does not write
_NOT_CACHED = (Verdict.JE, Verdict.SK)  # they say nothing about the submission

_TABLES = """
CREATE TABLE submissions (submission BLOB PRIMARY KEY, used REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
    submission BLOB, "case" BLOB, result BLOB NOT NULL, PRIMARY KEY (submission, "case")
) WITHOUT ROWID
"""


class _Stored(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A `CaseResult` without its case."""

    verdict: Verdict
    reason: str
    run: RunResult | None
    mismatch: Mismatch | None
    excerpt: Excerpt | None
    output_digest: str
    data_digest: str


_CHECKSUM_BYTES = 8
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Stored).decode


class ResultStore:
    """The cached results of all submissions; one thread uses it at a time. It never raises errors, see `Database`."""

    def __init__(self, path: Path, max_bytes: Bytes = MAX_BYTES) -> None:
        self._database = Database(path, version=VERSION, tables=_TABLES)
        self._max_bytes = max_bytes
        self._new: list[tuple[bytes, bytes, bytes]] = []
        self._used: set[bytes] = set()
        self._current = b""  # the submission that was looked up last
        self._current_results: dict[bytes, bytes] | None = {}  # None if they are too many
        self._flushed = time.monotonic()

    @property
    def warning(self) -> str:
        """Why something is not read or saved; "" when all is well."""
        return self._database.warning

    def find(self, submission: bytes, key: bytes, case: Case) -> CaseResult | None:
        """Return the cached result of a submission on the case with this key; None if there is none."""
        found = self._read(submission, key)
        if found is None:
            return None
        checksum, text = found[:_CHECKSUM_BYTES], found[_CHECKSUM_BYTES:]
        if checksum != _checksum(submission, key, text):  # damage that SQLite does not detect
            return None
        try:
            stored = _decode(text)
        except (msgspec.DecodeError, TypeError):  # written by a development version with the same number
            return None
        return CaseResult(case=case, is_cached=True, **msgspec.structs.asdict(stored))

    def _read(self, submission: bytes, key: bytes) -> bytes | None:
        """Return a stored result; the results of a submission are read at once unless they are too many."""
        if submission != self._current:
            rows = self._database.rows(
                'SELECT "case", result FROM results WHERE submission = ? LIMIT ?', (submission, _MAX_IN_MEMORY + 1)
            )
            self._current = submission
            self._current_results = None if len(rows) > _MAX_IN_MEMORY else dict(rows)
            self._used.add(submission)
        if self._current_results is not None:
            return self._current_results.get(key)
        rows = self._database.rows('SELECT result FROM results WHERE submission = ? AND "case" = ?', (submission, key))
        return rows[0][0] if rows else None

    def put(self, submission: bytes, key: bytes, result: CaseResult) -> None:
        """Store a result, unless it may have another cause than the submission."""
        if result.verdict in _NOT_CACHED or _may_be_killed(result):
            return
        text = _encode(_Stored(**{name: getattr(result, name) for name in _Stored.__struct_fields__}))
        self._new.append((submission, key, _checksum(submission, key, text) + text))
        self._used.add(submission)
        if time.monotonic() - self._flushed > _FLUSH_INTERVAL_S:
            self.flush()

    def flush(self) -> None:
        """Write new results; each with its submission in the same transaction, else it could never be deleted."""
        new, self._new = self._new, []
        if new:
            with self._database.transaction() as connection:
                if connection is not None:
                    now = time.time()
                    owners = {(submission, now) for submission, _, _ in new}
                    connection.executemany("INSERT OR IGNORE INTO submissions VALUES (?, ?)", owners)
                    connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", new)
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Write new results and the time of use, delete the least recently used, and close the file."""
        self.flush()
        now = time.time()
        if used := [(submission, now, now - _USED_RESOLUTION_S, now) for submission in self._used]:
            self._database.write(
                "INSERT INTO submissions VALUES (?, ?) ON CONFLICT DO UPDATE SET used = excluded.used "
                "WHERE used < ? OR used > ?",  # a time in the future: the clock was set back since
                used,
            )
        self._database.shrink_to(self._max_bytes, self._delete_oldest)
        self._database.close()

    def _delete_oldest(self) -> bool:
        """Delete the least recently used quarter; return False when there is nothing."""
        oldest = self._database.rows(
            "SELECT submission FROM submissions ORDER BY used LIMIT (SELECT 1 + count(*) / 4 FROM submissions)"
        )
        for table in ("results", "submissions"):
            self._database.write(f"DELETE FROM {table} WHERE submission = ?", oldest)  # noqa: S608 - a literal
        return bool(oldest)


def _checksum(submission: bytes, key: bytes, text: bytes) -> bytes:
    """Return the checksum of a result under its key: SQLite has none."""
    return hashlib.blake2b(submission + key + text, digest_size=_CHECKSUM_BYTES).digest()


def _may_be_killed(result: CaseResult) -> bool:
    """Return whether a signal that may come from elsewhere ended the run, such as the kernel's when memory is short."""
    run = result.run
    return run is not None and run.ending is Ending.SIGNALED and run.signal in (signal.SIGKILL, signal.SIGTERM)
