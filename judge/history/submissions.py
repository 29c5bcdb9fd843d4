"""What was submitted to online judges: it prevents submitting twice by accident and keeps the verdicts.

The row is written before anything is sent, so an interrupted submission leaves a row in the state `sending`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from judge.base.errors import StoreError
from judge.base.files import make_cache
from judge.base.units import Seconds
from judge.history.database import ERRORS, find_irregular


class SubmissionState(StrEnum):
    """What is known about a submission; the values are stored in the database."""

    SENDING = "sending"  # being sent; found later, it may have arrived
    REJECTED = "refused"  # the judge does not have it, so it may be sent again
    UNKNOWN = "unknown"  # it may have arrived
    TAKEN = "taken"  # by a browser extension, which may have submitted it
    SENT = "sent"  # it arrived and has no verdict yet
    JUDGED = "judged"  # it has its verdict
    MANUAL = "handed"  # copied for the user to paste; whether it was submitted is not known

    @classmethod
    def _missing_(cls, _: object) -> "SubmissionState":
        return cls.UNKNOWN


_TABLE = """\
CREATE TABLE IF NOT EXISTS submissions (
    id INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    judge TEXT NOT NULL,
    host TEXT NOT NULL,
    problem TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    language TEXT NOT NULL,
    remote_id TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL,
    verdict TEXT NOT NULL DEFAULT '',
    cpu REAL
)
"""


class SubmissionRecord(Struct, frozen=True):
    """One row.

    Attributes:
        time: when sending started, UTC, as `2026-01-31 12:00:00`.
        host: the judge's site, such as `https://open.kattis.com`.
        problem: the judge's name of the problem, with its contest.
        sha256: of the source, in hex.
        remote_id: the judge's id of the submission; "" if unknown.
        verdict: in the judge's words; "" if there is none.
    """

    id: int
    time: str
    judge: str
    host: str
    problem: str
    sha256: str
    language: str
    remote_id: str
    state: SubmissionState
    verdict: str
    cpu: Seconds | None

    @property
    def local_time(self) -> str:
        """The time on the user's clock, in the same form."""
        return datetime.fromisoformat(f"{self.time}+00:00").astimezone().strftime("%Y-%m-%d %H:%M:%S")


_COLUMNS = ", ".join(SubmissionRecord.__struct_fields__)
_ALL = f"SELECT {_COLUMNS} FROM submissions ORDER BY id"  # noqa: S608 - made of constants
_LATEST = (
    f"SELECT {_COLUMNS} FROM submissions "  # noqa: S608 - made of constants
    "WHERE host = ? AND problem = ? AND sha256 = ? AND state NOT IN ('refused', 'handed') ORDER BY id DESC LIMIT 1"
)


@contextmanager
def open_submissions(folder: Path) -> Iterator["SubmissionStore"]:
    """Open `submissions.sqlite` in the state folder.

    Raises:
        StoreError: the file cannot be opened, or is a link, which may come with a repository.
    """
    path = folder / "submissions.sqlite"
    if reason := find_irregular(path):
        raise StoreError(f"{path}: the record of submissions {reason}: replace it by a regular file, or delete it")
    try:
        make_cache(folder)
        connection = sqlite3.connect(path, timeout=10)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path}: cannot open the record of submissions ({error})") from error
    with closing(connection):
        yield SubmissionStore(connection)


class SubmissionStore:
    """The table of submissions; several processes may use it at once.

    Args:
        connection: to a database that holds only this table, so that it survives when the history is set aside. The
            caller closes it.

    Raises:
        StoreError: from every method: the database cannot be read or written.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._execute(_TABLE)

    def begin(
        self, *, judge: str, host: str, problem: str, sha256: str, language: str, again: bool = False
    ) -> int | SubmissionRecord:
        """Add a row before sending and return its id, or return the earlier record of the same source.

        Of two processes that begin at once, one gets the other's record.
        `again` adds a row even if there is an earlier record. For the other arguments see `SubmissionRecord`.
        """
        self._execute("BEGIN IMMEDIATE")
        try:
            earlier = self.latest(host=host, problem=problem, sha256=sha256)
            if earlier is not None and not again:
                return earlier
            time = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
            values = (time, judge, host, problem, sha256, language, SubmissionState.SENDING)
            columns = "(time, judge, host, problem, sha256, language, state) VALUES (?, ?, ?, ?, ?, ?, ?)"
            row_id = self._execute(f"INSERT INTO submissions {columns}", values).lastrowid
            assert row_id is not None
            return row_id
        finally:
            self._execute("COMMIT")

    def update(
        self, row_id: int, *, state: SubmissionState, remote_id: str = "", verdict: str = "", cpu: Seconds | None = None
    ) -> None:
        """Update a row; columns without a new value keep the old one."""
        self._execute(
            "UPDATE submissions SET state = ?, remote_id = coalesce(nullif(?, ''), remote_id), "
            "verdict = coalesce(nullif(?, ''), verdict), cpu = coalesce(?, cpu) WHERE id = ?",
            (state, remote_id, verdict, cpu, row_id),
        )
        self._connection.commit()

    def latest(self, *, host: str, problem: str, sha256: str) -> SubmissionRecord | None:
        """Return the latest record of sending a source for a problem that the judge did not reject."""
        row = self._execute(_LATEST, (host, problem, sha256)).fetchone()
        return _record(row) if row else None

    def all(self) -> list[SubmissionRecord]:
        """Return all records, oldest first."""
        return [_record(row) for row in self._execute(_ALL).fetchall()]

    def _execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, values)
        except ERRORS as error:
            raise StoreError(
                f"cannot use the record of submissions ({error}), which prevents submitting twice by accident; make "
                ".judge/submissions.sqlite writable, or move it away"
            ) from error


def _record(row: tuple[Any, ...]) -> SubmissionRecord:
    values = dict(zip(SubmissionRecord.__struct_fields__, row, strict=True))
    return SubmissionRecord(**{**values, "state": SubmissionState(values["state"])})
