"""The history: every run with its verdicts, times, memory, commit, and the sources that were judged.

A run that finds the same results as an earlier one, because nothing changed and all came from the cache, refers to the
records of that run.
"""

import hashlib
import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from judge.base.units import MIB, Bytes, Seconds
from judge.history.database import Database
from judge.history.records import CaseRecord, CaseRow, SolutionRecord, case_row, row_bytes, to_sql
from judge.model import CaseResult, SolutionResult, Verdict

VERSION = 3
MAX_BYTES = Bytes(64 * MIB)
"""How large the file may grow; beyond that the oldest runs are deleted."""

_TABLES = """
CREATE TABLE runs (
    run INTEGER PRIMARY KEY AUTOINCREMENT, started REAL NOT NULL, arguments TEXT NOT NULL, level TEXT NOT NULL,
    version TEXT NOT NULL, wall REAL, "commit" TEXT NOT NULL DEFAULT '', dirty INTEGER NOT NULL DEFAULT 0,
    ending TEXT NOT NULL DEFAULT ''
);
CREATE TABLE solutions (
    record INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB UNIQUE, problem TEXT, solution TEXT, language TEXT,
    expected TEXT, source BLOB, verdict TEXT, as_expected INTEGER, complete INTEGER, score REAL, max_score REAL
);
CREATE INDEX solutions_by_path ON solutions (problem, solution);
CREATE TABLE cases (
    record INTEGER, position INTEGER, name TEXT NOT NULL, verdict TEXT NOT NULL, cpu_us INTEGER NOT NULL,
    memory INTEGER NOT NULL, output BLOB NOT NULL, data BLOB NOT NULL, score REAL, PRIMARY KEY (record, position)
) WITHOUT ROWID;
CREATE TABLE judged (
    run INTEGER, position INTEGER, record INTEGER NOT NULL, PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE INDEX judged_by_record ON judged (record);
CREATE TABLE sources (source BLOB PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID
"""


class RunRecord(Struct, frozen=True):
    """One run of the history; the fields are in the order of the columns of `_RUN`.

    Attributes:
        started: seconds since 1970, by the system clock at that time.
        commit: commit of the repository; "" outside a git repository.
        ending: `as expected`, `not as expected`, `errors`, `interrupted`, or "" when the judge was killed.
        surprises: number of solutions that were not as expected.
    """

    number: int
    started: Seconds
    wall: Seconds | None
    arguments: str
    level: str
    commit: str
    is_dirty: bool
    ending: str
    solutions: int
    surprises: int


class CaseRows:
    """The rows of a solution's cases: the latest in memory, those of many cases already in the file.

    Attributes:
        rows: not written yet.
        written: number of rows in the file.
        record: their key; None when nothing is written.
        hash: of all rows.
    """

    def __init__(self) -> None:
        self.rows: list[CaseRow] = []
        self.written = 0
        self.record: int | None = None
        self.hash = hashlib.sha256()

    def add(self, result: CaseResult) -> None:
        """Append the next case's result."""
        row = case_row(result)
        self.rows.append(row)
        self.hash.update(row_bytes(row))

    @property
    def total(self) -> int:
        """The number of rows."""
        return self.written + len(self.rows)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the rows that are in memory."""
        if self.record is None:
            self.record = connection.execute("INSERT INTO solutions DEFAULT VALUES").lastrowid
        numbered = ((self.record, position, *row) for position, row in enumerate(self.rows, self.written))
        connection.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", numbered)
        self.written += len(self.rows)
        self.rows.clear()

    def delete(self, connection: sqlite3.Connection) -> None:
        """Delete the rows that are in the file."""
        for table in ("cases", "solutions") if self.written else ():
            connection.execute(f"DELETE FROM {table} WHERE record = ?", (self.record,))  # noqa: S608


class JudgedSolution(Struct, frozen=True):
    """One solution of a run, for the history.

    Attributes:
        cases: None if the history has a record of the same results (`History.has_record`).
        source: text of the source; None when it is unknown or in the history already.
    """

    problem: str
    result: SolutionResult
    cases: CaseRows | None
    source: bytes | None


def history_file(root: Path, state_folder: Path) -> Path:
    """Return the file of a workspace's history.

    Folders that are no repositories share a state folder. Each has a history of its own, since `a.py` is another file
    in each of them.
    """
    if state_folder.parent == root:
        return state_folder / "history.sqlite"
    return state_folder / "folders" / hashlib.sha256(os.fsencode(root)).hexdigest()[:16] / "history.sqlite"


class History:
    """The recorded runs; used from one thread at a time. Errors are never raised, see `Database`.

    The oldest runs are deleted when the file is larger than `max_bytes`.
    """

    def __init__(self, path: Path, max_bytes: Bytes = MAX_BYTES) -> None:
        self._database = Database(path, version=VERSION, tables=_TABLES)
        self._max_bytes = max_bytes

    @property
    def warning(self) -> str:
        """Why something is not read or saved; "" when all is well."""
        return self._database.warning

    def begin(self, *, arguments: str, level: str, version: str) -> int:
        """Record the start of a run; return its number."""
        values = (time.time(), to_sql(arguments), level, version)
        sql = "INSERT INTO runs (started, arguments, level, version) VALUES (?, ?, ?, ?)"
        return self._database.change(lambda connection: connection.execute(sql, values).lastrowid) or 0

    def write_cases(self, cases: CaseRows) -> None:
        """Move rows of a solution that has many cases from memory to the file, before `add`."""
        self._database.change(cases.write)

    def discard_cases(self, cases: CaseRows) -> None:
        """Delete what `write_cases` wrote of a solution that is not added."""
        self._database.change(cases.delete)

    def add(self, run: int, solutions: Sequence[JudgedSolution]) -> None:
        """Record some solutions of a run."""

        def insert(connection: sqlite3.Connection) -> None:
            for each in solutions:
                _insert(connection, run, each)

        self._database.change(insert)

    def end(self, run: int, *, wall: Seconds, ending: str, commit: str, is_dirty: bool) -> None:
        """Record how a run ended."""
        self._database.write(
            'UPDATE runs SET wall = ?, ending = ?, "commit" = ?, dirty = ? WHERE run = ?',
            [(wall, ending, commit, is_dirty, run)],
        )

    def has_record(self, problem: str, result: SolutionResult) -> bool:
        """Return whether the history has the results of a solution, so that its cases are not needed."""
        digest = _record_digest(problem, result, bytes.fromhex(result.cases_digest))
        return bool(self._database.rows("SELECT 1 FROM solutions WHERE digest = ?", (digest,)))

    def has_source(self, digest: str) -> bool:
        """Return whether the history has the source with this SHA-256."""
        return bool(self._database.rows("SELECT 1 FROM sources WHERE source = ?", (bytes.fromhex(digest),)))

    def runs(self, limit: int) -> list[RunRecord]:
        """Return the last runs, the newest first."""
        rows = self._database.rows(f"SELECT {_RUN} FROM runs ORDER BY run DESC LIMIT ?", (min(limit, sys.maxsize),))  # noqa: S608
        return [_run_record(*row) for row in rows]

    def runs_of_solution(
        self, problem: str | None, solution: str, limit: int
    ) -> list[tuple[RunRecord, SolutionRecord]]:
        """Return the last runs that judged a solution of a problem, or of any, the newest first, with its records."""
        rows = self._database.rows(
            f"SELECT {_RUN}, {_SOLUTION} FROM runs JOIN judged USING (run) JOIN solutions USING (record) "  # noqa: S608
            f"WHERE {'' if problem is None else 'problem = ? AND '}solution = ? ORDER BY run DESC LIMIT ?",
            (*([] if problem is None else [to_sql(problem)]), to_sql(solution), min(limit, sys.maxsize)),
        )
        columns = len(RunRecord.__struct_fields__)
        return [(_run_record(*row[:columns]), self._solution_record(row[columns:])) for row in rows]

    def records(self, run: int) -> list[SolutionRecord]:
        """Return the records of a run's solutions, in the order of judging."""
        rows = self._database.rows(
            f"SELECT {_SOLUTION} FROM judged JOIN solutions USING (record) WHERE run = ? ORDER BY position",  # noqa: S608
            (run,),
        )
        return [self._solution_record(row) for row in rows]

    def failed(self) -> set[tuple[str, str]]:
        """Return problem and path of the solutions that were not as expected when last judged.

        A later run of some cases clears a failure only if it judged all cases of the run that failed.
        """
        rows = self._database.rows(_FAILED)
        return {(_from_sql(problem), _from_sql(solution)) for problem, solution in rows}

    def source(self, digest: str) -> bytes | None:
        """Return the source with this SHA-256; None when the history does not have it."""
        found = self._database.rows("SELECT text FROM sources WHERE source = ?", (bytes.fromhex(digest),))
        return zlib.decompress(found[0][0]) if found else None

    def close(self) -> None:
        """Delete the oldest runs if the file is too large, and close it."""
        self._database.shrink_to(self._max_bytes, self._delete_oldest)
        self._database.close()

    def _delete_oldest(self) -> bool:
        """Delete the oldest quarter of the runs; return False when there are none."""
        oldest = self._database.rows("SELECT run FROM runs ORDER BY run LIMIT (SELECT max(1, count(*) / 4) FROM runs)")
        if oldest:
            for statement in _DELETE:
                self._database.write(statement, [oldest[-1]] if "?" in statement else [()])
        return bool(oldest)

    def _solution_record(self, row: tuple[Any, ...]) -> SolutionRecord:
        record, problem, solution, language, expected, source, result, as_expected, complete, own, max_score = row
        cases = self._database.rows(
            "SELECT name, verdict, cpu_us, memory, output, data, score FROM cases WHERE record = ? ORDER BY position",
            (record,),
        )
        return SolutionRecord(
            problem=_from_sql(problem),
            solution=_from_sql(solution),
            language=language,
            expected=expected,
            source=source.hex(),
            verdict=Verdict(result),
            as_expected=bool(as_expected),
            is_complete=bool(complete),
            cases={
                _from_sql(name): CaseRecord(
                    Verdict(verdict), Seconds(cpu / 1e6), Bytes(memory), output.hex(), data.hex(), score
                )
                for name, verdict, cpu, memory, output, data, score in cases
            },
            score=own,
            max_score=max_score,
        )


def _insert(connection: sqlite3.Connection, run: int, judged: JudgedSolution) -> None:
    result, cases = judged.result, judged.cases
    cases_digest = cases.hash.digest() if cases else bytes.fromhex(result.cases_digest)
    digest = _record_digest(judged.problem, result, cases_digest)
    found = connection.execute("SELECT record FROM solutions WHERE digest = ?", (digest,)).fetchone()
    if found is None:
        if cases is None:  # another judge has deleted it since as too old
            return
        cases.write(connection)
        record = cases.record
        connection.execute(
            "UPDATE solutions SET (digest, problem, solution, language, expected, source, verdict, as_expected, "
            "complete, score, max_score) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE record = ?",
            (digest, *_record_values(judged.problem, result), record),
        )
    else:
        (record,) = found
        if cases:
            cases.delete(connection)
    connection.execute(
        "INSERT INTO judged SELECT ?, (SELECT count(*) FROM judged WHERE run = ?), record FROM solutions "
        "WHERE record = ?",  # which another judge may have deleted as too old
        (run, run, record),
    )
    if judged.source is not None:
        source = (bytes.fromhex(result.source_digest), zlib.compress(judged.source))
        connection.execute("INSERT OR IGNORE INTO sources VALUES (?, ?)", source)


def _record_values(problem: str, result: SolutionResult) -> tuple[object, ...]:
    """Return a row of `solutions` without its key and its digest."""
    return (
        to_sql(problem),
        to_sql(result.solution.display_path),
        result.language,
        str(result.solution.expectation),
        bytes.fromhex(result.source_digest),
        result.verdict.value,
        result.as_expected,
        result.is_complete,
        result.score,
        result.max_score,
    )


def _record_digest(problem: str, result: SolutionResult, cases_digest: bytes) -> bytes:
    return hashlib.sha256(cases_digest + repr(_record_values(problem, result)).encode()).digest()[:16]


_RUN = (
    'run, started, wall, arguments, level, "commit", dirty, ending, '
    "(SELECT count(*) FROM judged AS each WHERE each.run = runs.run), "
    "(SELECT count(*) FROM judged AS each JOIN solutions USING (record) WHERE each.run = runs.run AND NOT as_expected)"
)
_SOLUTION = "record, problem, solution, language, expected, source, verdict, as_expected, complete, score, max_score"
_FAILED = """
WITH results AS (SELECT max(run) AS run, solutions.* FROM judged JOIN solutions USING (record) GROUP BY record)
SELECT problem, solution FROM results AS failure WHERE NOT as_expected AND NOT EXISTS (
    SELECT 1 FROM results AS later
    WHERE later.problem = failure.problem AND later.solution = failure.solution AND later.run > failure.run
    AND later.as_expected AND (later.complete OR NOT EXISTS (
        SELECT name FROM cases WHERE record = failure.record AND verdict NOT IN ('SK', 'NA')
        EXCEPT SELECT name FROM cases WHERE record = later.record AND verdict NOT IN ('SK', 'NA')
    ))
)
"""
_DELETE = (
    "DELETE FROM judged WHERE run <= ?",
    "DELETE FROM runs WHERE run <= ?",
    "DELETE FROM solutions WHERE record NOT IN (SELECT record FROM judged)",
    "DELETE FROM cases WHERE record NOT IN (SELECT record FROM solutions)",
    "DELETE FROM sources WHERE source NOT IN (SELECT source FROM solutions WHERE source IS NOT NULL)",
)


def _run_record(number: int, started: Seconds, wall: Seconds | None, arguments: str | bytes, *others: Any) -> RunRecord:
    level, commit, is_dirty, *counted = others
    return RunRecord(number, started, wall, _from_sql(arguments), level, commit, bool(is_dirty), *counted)


def _from_sql(value: str | bytes) -> str:
    return value if isinstance(value, str) else os.fsdecode(value)
