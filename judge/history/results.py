"""The results cache: what a submission did on a case, valid as long as nothing that decides it has changed.

A submission that was judged on all cases of a selection also has a summary of these results, so that a run in which
nothing has changed need not read each of them. New results of a submission delete its summaries.
"""

import hashlib
import signal
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.serialization import dump, restore
from judge.base.units import MIB, Bytes, Seconds
from judge.history.database import Database
from judge.model import Case, CaseResult, CheckerConfig, Ending, Inline, Limits, Scores, Verdict

VERSION = 4
MAX_BYTES = Bytes(64 * MIB)
"""How large the file may grow; beyond that the least recently used submissions are deleted, a quarter at a time."""

_NOT_CACHED = (Verdict.JE, Verdict.SK)  # they say nothing about the submission

_TABLES = """
CREATE TABLE submissions (submission BLOB PRIMARY KEY, used REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
    submission BLOB, "case" BLOB, result BLOB NOT NULL, PRIMARY KEY (submission, "case")
) WITHOUT ROWID;
CREATE TABLE summaries (
    submission BLOB, cases BLOB, summary BLOB NOT NULL, PRIMARY KEY (submission, cases)
) WITHOUT ROWID
"""
_CHECKSUM_BYTES = 8
_OTHER_FORM = (TypeError, LookupError, ValueError)  # written by another version
# Stands for the case of a stored result: which case that is, and its limits, its key says.
_NO_CASE = Case(
    group="",
    name="",
    input=Inline(b""),
    limits=Limits(cpu=Seconds(0), wall=Seconds(0), memory=Bytes(0), output=Bytes(0)),
    checker=CheckerConfig(),
    origin=Path(),
)


CaseAt = tuple[int, CaseResult]
"""A result with the position of its case among those that were judged."""


class StoredSummary(Struct, frozen=True, kw_only=True):
    """What is reported of a submission that was judged on some cases.

    Attributes:
        counts: the number of results by verdict.
        first: the first result with each verdict, in order.
        slowest, largest: as in `SolutionResult`.
        cases_digest, omitted, unmet: likewise.
        scores: None for a problem without scores.
    """

    counts: Mapping[Verdict, int]
    first: tuple[CaseAt, ...]
    slowest: CaseAt | None
    largest: CaseAt | None
    cases_digest: str
    omitted: int = 0
    scores: Scores | None = None
    unmet: tuple[str, ...] = ()

    def change(self, change: Callable[[int, CaseResult], CaseResult]) -> "StoredSummary":
        """Return the summary with other results; the function also gets the position of the case."""

        def changed(at: CaseAt) -> CaseAt:
            return at[0], change(*at)

        slowest, largest = self.slowest and changed(self.slowest), self.largest and changed(self.largest)
        return replace(self, first=tuple(map(changed, self.first)), slowest=slowest, largest=largest)


class ResultStore:
    """The cached results of all submissions; one thread uses it at a time. It never raises errors, see `Database`."""

    def __init__(self, path: Path, max_bytes: Bytes = MAX_BYTES) -> None:
        self._database = Database(path, version=VERSION, tables=_TABLES)
        self._max_bytes = max_bytes
        self._new: list[tuple[bytes, bytes, bytes]] = []
        self._new_summaries: dict[bytes, tuple[bytes, bytes]] = {}  # of submissions without newer results
        self._used: set[bytes] = set()
        self._flushed = time.monotonic()

    @property
    def warning(self) -> str:
        """Why something is not read or saved; "" when all is well."""
        return self._database.warning

    def find(self, submission: bytes, key: bytes, case: Case) -> CaseResult | None:
        """Return the cached result of a submission on the case with this key; None if there is none."""
        self._used.add(submission)
        rows = self._database.rows('SELECT result FROM results WHERE submission = ? AND "case" = ?', (submission, key))
        try:
            data = _unseal(submission, key, rows[0][0] if rows else None)
            return None if data is None else replace(restore(data, CaseResult), case=case, is_cached=True)
        except _OTHER_FORM:
            return None

    def find_summary(self, submission: bytes, key: bytes, cases: Sequence[Case]) -> StoredSummary | None:
        """Return the summary of a submission on the cases that have this key together; None if there is none."""
        found = self._summary(submission, key)
        self._used.add(submission)
        try:
            if (data := _unseal(submission, key, found)) is None:
                return None
            summary = restore(data, StoredSummary)
            return summary.change(lambda position, result: replace(result, case=cases[position], is_cached=True))
        except _OTHER_FORM:
            return None

    def _summary(self, submission: bytes, key: bytes) -> bytes | None:
        rows = self._database.rows(
            "SELECT summary FROM summaries WHERE submission = ? AND cases = ?", (submission, key)
        )
        return rows[0][0] if rows else None

    def put(self, submission: bytes, key: bytes, result: CaseResult) -> bool:
        """Store a result, unless it may have another cause than the submission; return whether it is stored."""
        run = result.run  # a signal may come from elsewhere, such as the kernel's when memory is short
        if result.verdict in _NOT_CACHED or (
            run is not None and run.ending is Ending.SIGNALED and run.signal in (signal.SIGKILL, signal.SIGTERM)
        ):
            return False
        if (sealed := _seal(submission, key, _without_case(0, result))) is None:
            return False
        self._new.append((submission, key, sealed))
        self._new_summaries.pop(submission, None)
        self._used.add(submission)
        if time.monotonic() - self._flushed > 1.0:  # seconds: a kill loses at most this
            self.flush()
        return True

    def put_summary(self, submission: bytes, key: bytes, summary: StoredSummary) -> None:
        """Store a summary of results that are all stored."""
        sealed = _seal(submission, key, summary.change(_without_case))
        if sealed is not None and self._summary(submission, key) != sealed:
            self._new_summaries[submission] = (key, sealed)

    def flush(self) -> None:
        """Write new results; each with its submission in the same transaction, else it could never be deleted."""
        if self._new or self._new_summaries:
            self._database.change(self._write_new)
        self._new, self._new_summaries, self._flushed = [], {}, time.monotonic()

    def _write_new(self, connection: sqlite3.Connection) -> None:
        now = time.time()
        owners = {submission for submission, _, _ in self._new}
        used = [(submission, now) for submission in owners | self._new_summaries.keys()]
        connection.executemany("INSERT OR IGNORE INTO submissions VALUES (?, ?)", used)
        connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", self._new)
        connection.executemany("DELETE FROM summaries WHERE submission = ?", [(each,) for each in owners])
        rows = [(submission, *summary) for submission, summary in self._new_summaries.items()]
        connection.executemany("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Write new results and the time of use, delete the least recently used, and close the file."""
        self.flush()
        now = time.time()
        # to the hour, so that a run which only reads does not write
        if used := [(submission, now, now - 3600, now) for submission in self._used]:
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
        for table in ("results", "summaries", "submissions"):
            self._database.write(f"DELETE FROM {table} WHERE submission = ?", oldest)  # noqa: S608 - a literal
        return bool(oldest)


def _seal(submission: bytes, key: bytes, values: object) -> bytes | None:
    """Return bytes to store; None if a text has the name of a file that is not UTF-8."""
    try:
        text = dump(values)
    except ValueError:
        return None
    return _checksum(submission, key, text) + text


def _unseal(submission: bytes, key: bytes, found: bytes | None) -> bytes | None:
    """Return what was sealed under a key; None if there is nothing, or damage that SQLite does not detect.

    Raises:
        TypeError: the column has a value of another type, which SQLite permits.
    """
    if found is None or found[:_CHECKSUM_BYTES] != _checksum(submission, key, found[_CHECKSUM_BYTES:]):
        return None
    return found[_CHECKSUM_BYTES:]


def _checksum(submission: bytes, key: bytes, text: bytes) -> bytes:
    """Return the checksum of a result under its key: SQLite has none."""
    return hashlib.blake2b(submission + key + text, digest_size=_CHECKSUM_BYTES).digest()


def _without_case(_: int, result: CaseResult) -> CaseResult:
    """Return a result without what belongs to one run."""
    return replace(result, case=_NO_CASE, data=None, is_cached=False)
