"""Results by content: what a submission did on a case, found again as long as nothing that decides it has changed."""

import hashlib
import signal
import time
from pathlib import Path

import msgspec

from judge.history.database import Database
from judge.model import Case, CaseResult, Ending, Excerpt, Mismatch, RunResult, Verdict
from judge.units import MIB, Bytes

VERSION = 2
MOST = Bytes(64 * MIB)
"""How large the file may grow; then what was used least lately goes, down to three quarters of it."""

_FLUSH_EVERY_S = 1.0  # what a kill can lose
_AT_ONCE = 1000  # results of one submission that are held in memory
_REMEMBER_USE_EVERY_S = 3600
_FRESH = (Verdict.JE, Verdict.SK)  # never kept: they say nothing about the submission

_TABLES = """
CREATE TABLE IF NOT EXISTS submissions (submission BLOB PRIMARY KEY, used REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS results (
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


_SEAL = 8  # bytes


def _seal(submission: bytes, key: bytes, text: bytes) -> bytes:
    """Return the checksum of a result in its place."""
    return hashlib.blake2b(submission + key + text, digest_size=_SEAL).digest()


def _was_killed(result: CaseResult) -> bool:
    """Whether it was ended by a signal that may come from elsewhere, as from the kernel when memory runs out."""
    run = result.run
    return run is not None and run.ending is Ending.SIGNALED and run.signal in (signal.SIGKILL, signal.SIGTERM)


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Stored).decode


class ResultStore:
    """The results that are kept, of all submissions; used from one thread. See `Database` for what may go wrong."""

    def __init__(self, path: Path, most: Bytes = MOST) -> None:
        self._database = Database(path, version=VERSION, tables=_TABLES)
        self._most = most
        self._new: list[tuple[bytes, bytes, bytes]] = []
        self._used: set[bytes] = set()
        self._current = b""  # the submission that was asked for last
        self._is_large = False
        self._of_current: dict[bytes, bytes] = {}
        self._flushed = time.monotonic()

    @property
    def warning(self) -> str:
        """Why nothing, or nothing more, is remembered; "" when all is well."""
        return self._database.warning

    def find(self, submission: bytes, key: bytes, case: Case) -> CaseResult | None:
        """Return what a submission did on a case with this key, with the given case in it; None where nobody knows."""
        found = self._found(submission, key)
        if found is None:
            return None
        seal, text = found[:_SEAL], found[_SEAL:]
        if seal != _seal(submission, key, text):  # damage that SQLite does not see: it has no checksums
            return None
        try:
            stored = _decode(text)
        except (msgspec.DecodeError, TypeError):  # made by a judge that was built in between: judge anew
            return None
        return CaseResult(
            case=case,
            verdict=stored.verdict,
            reason=stored.reason,
            run=stored.run,
            mismatch=stored.mismatch,
            excerpt=stored.excerpt,
            output_digest=stored.output_digest,
            data_digest=stored.data_digest,
            is_cached=True,
        )

    def _found(self, submission: bytes, key: bytes) -> bytes | None:
        """Return what the file has; all of a submission is read at once where that is not too much."""
        if submission != self._current:
            rows = self._database.rows(
                'SELECT "case", result FROM results WHERE submission = ? LIMIT ?', (submission, _AT_ONCE + 1)
            )
            self._current, self._is_large = submission, len(rows) > _AT_ONCE
            self._of_current = {} if self._is_large else dict(rows)
            self._used.add(submission)
        if not self._is_large:
            return self._of_current.get(key)
        rows = self._database.rows('SELECT result FROM results WHERE submission = ? AND "case" = ?', (submission, key))
        return rows[0][0] if rows else None

    def keep(self, submission: bytes, key: bytes, result: CaseResult) -> None:
        """Remember a result; what is no fact about the submission is not kept."""
        if result.verdict in _FRESH or _was_killed(result):
            return
        stored = _Stored(
            verdict=result.verdict,
            reason=result.reason,
            run=result.run,
            mismatch=result.mismatch,
            excerpt=result.excerpt,
            output_digest=result.output_digest,
            data_digest=result.data_digest,
        )
        text = _encode(stored)
        self._new.append((submission, key, _seal(submission, key, text) + text))
        self._used.add(submission)
        if time.monotonic() - self._flushed > _FLUSH_EVERY_S:
            self.flush()

    def flush(self) -> None:
        """Write what is new; a result never without its submission, or it could not be forgotten."""
        new, self._new = self._new, []
        with self._database.transaction() as connection:
            if connection is not None and new:
                now = time.time()
                owners = {(submission, now) for submission, _, _ in new}
                connection.executemany("INSERT OR IGNORE INTO submissions VALUES (?, ?)", owners)
                connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", new)
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Write what is new, remember what was used, forget the oldest where there is too much."""
        self.flush()
        now = time.time()
        if used := [(each, now, now - _REMEMBER_USE_EVERY_S, now) for each in self._used]:
            self._database.write(
                "INSERT INTO submissions VALUES (?, ?) ON CONFLICT DO UPDATE SET used = excluded.used "
                "WHERE used < ? OR used > ?",  # a clock that jumped back left a time that is still to come
                used,
            )
        self._database.keep_within(self._most, self._forget)
        self._database.close()

    def _forget(self) -> bool:
        """Delete the quarter that was used least lately; False when there is nothing."""
        oldest = self._database.rows(
            "SELECT submission FROM submissions ORDER BY used LIMIT (SELECT 1 + count(*) / 4 FROM submissions)"
        )
        for table in ("results", "submissions"):
            self._database.write(f"DELETE FROM {table} WHERE submission = ?", oldest)  # noqa: S608 - our own word
        return bool(oldest)
