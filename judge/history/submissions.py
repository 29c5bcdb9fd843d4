"""What was handed over to online judges: so that nothing goes twice by accident, and the verdicts are kept.

A row is written before anything is sent, in the state `sending`: whoever is killed in the middle leaves it behind.

    sending   on its way; found later, it may have arrived
    refused   the judge did not take it: it may be sent again
    unknown   it may have arrived
    sent      it arrived and has no verdict yet
    judged    it has its verdict
    handed    a person was given it to paste; nothing more is known
"""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

from judge.errors import StoreError
from judge.units import Seconds

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
_COLUMNS = "id, time, judge, host, problem, sha256, language, remote_id, state, verdict, cpu"
_ALL = f"SELECT {_COLUMNS} FROM submissions ORDER BY id"  # noqa: S608 - nothing in it comes from outside
_LATEST = (
    f"SELECT {_COLUMNS} FROM submissions "  # noqa: S608 - see above
    "WHERE host = ? AND problem = ? AND sha256 = ? AND state != 'refused' ORDER BY id DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One row.

    Attributes:
        time: when it was begun, UTC, as `2026-01-31 12:00:00`.
        host: the judge's site, such as `https://open.kattis.com`.
        problem: as the judge calls it, its contest included.
        sha256: of the source, in hex.
        remote_id: the judge's number of it; "" while there is none.
        verdict: in the judge's words; "" while there is none.
        cpu: as the judge measured it; None where it does not say.
    """

    id: int
    time: str
    judge: str
    host: str
    problem: str
    sha256: str
    language: str
    remote_id: str
    state: str
    verdict: str
    cpu: Seconds | None


class Submissions:
    """The table; several processes may use it at once.

    Args:
        connection: to a database of their own, which outlives a history that is set aside; whoever opened it closes it.

    Raises:
        StoreError: the table cannot be made.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._do(_TABLE)

    def begin(
        self, *, judge: str, host: str, problem: str, sha256: str, language: str, again: bool = False
    ) -> int | Submission:
        """Write the row of what is about to be sent; return its id, or the earlier one that stands against it.

        Of two processes that ask at once, one gets the other's row.

        Args:
            judge: see `Submission`, here and below.
            host: the site.
            problem: there.
            sha256: of the source.
            language: there.
            again: send it whatever went before.

        Raises:
            StoreError: the history cannot be read or written.
        """
        self._do("BEGIN IMMEDIATE")
        try:
            earlier = self.latest(host=host, problem=problem, sha256=sha256)
            if earlier is not None and not again:
                return earlier
            time = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
            values = (time, judge, host, problem, sha256, language, "sending")
            places = "(time, judge, host, problem, sha256, language, state) VALUES (?, ?, ?, ?, ?, ?, ?)"
            number = self._do(f"INSERT INTO submissions {places}", values).lastrowid
            assert number is not None
            return number
        finally:
            self._do("COMMIT")

    def update(
        self, number: int, *, state: str, remote_id: str = "", verdict: str = "", cpu: Seconds | None = None
    ) -> None:
        """Write what is known of a row now; what was known of it stays where nothing new is given.

        Raises:
            StoreError: the history cannot be written.
        """
        self._do(
            "UPDATE submissions SET state = ?, remote_id = coalesce(nullif(?, ''), remote_id), "
            "verdict = coalesce(nullif(?, ''), verdict), cpu = coalesce(?, cpu) WHERE id = ?",
            (state, remote_id, verdict, cpu, number),
        )
        self._connection.commit()

    def latest(self, *, host: str, problem: str, sha256: str) -> Submission | None:
        """Return the latest row of a source for a problem that was not refused.

        Raises:
            StoreError: the history cannot be read.
        """
        row = self._do(_LATEST, (host, problem, sha256)).fetchone()
        return _submission(row) if row else None

    def all(self) -> list[Submission]:
        """Return every row, the oldest first.

        Raises:
            StoreError: the history cannot be read.
        """
        return [_submission(row) for row in self._do(_ALL).fetchall()]

    def _do(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(
                f"the history of submissions cannot be used ({error}): without it, nobody notices what is sent twice; "
                "make .judge/submissions.sqlite writable, or move it away"
            ) from error


def _submission(row: tuple[object, ...]) -> Submission:
    return Submission(**dict(zip(_COLUMNS.split(", "), row, strict=True)))  # type: ignore[arg-type]
