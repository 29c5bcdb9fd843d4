"""The history: every run with its verdicts, times, memory, commit, and the sources that were judged.

A sheet that is the same as an earlier one (nothing changed, all came from the cache) is kept once.
"""

import hashlib
import os
import sqlite3
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import msgspec

from judge.errors import describe_error
from judge.history.database import Database
from judge.history.records import CaseRecord, SolutionRecord, case_record
from judge.model import CaseResult, SolutionResult, Verdict
from judge.units import MIB, Bytes, Seconds

VERSION = 1
MOST = Bytes(64 * MIB)
"""How large the file may grow; then the oldest runs go."""

TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    run INTEGER PRIMARY KEY, began REAL NOT NULL, words TEXT NOT NULL, level TEXT NOT NULL, version TEXT NOT NULL,
    wall REAL, "commit" TEXT NOT NULL DEFAULT '', dirty INTEGER NOT NULL DEFAULT 0, ending TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS judged (
    run INTEGER NOT NULL, problem TEXT NOT NULL, solution TEXT NOT NULL, language TEXT NOT NULL,
    expected TEXT NOT NULL, source BLOB NOT NULL, verdict TEXT NOT NULL, as_expected INTEGER NOT NULL,
    complete INTEGER NOT NULL, sheet BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS judged_of_solution ON judged (problem, solution, run);
CREATE INDEX IF NOT EXISTS judged_in_run ON judged (run);
CREATE TABLE IF NOT EXISTS sheets (sheet BLOB PRIMARY KEY, marks BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (
    sheet BLOB NOT NULL, part INTEGER NOT NULL, marks BLOB NOT NULL, PRIMARY KEY (sheet, part)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sources (source BLOB PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID
"""

_QUICK = 1  # zlib's level
_ROWS = 1000  # that are packed at once
_PART = 64 * 1024  # bytes of packed marks that stay in memory, and that are a row

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[Any, Verdict, float, int, str, str]).decode


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """One run of the past.

    Attributes:
        began: seconds since 1970, by the clock of then.
        words: what stood on the command line.
        commit: of the repository; "" where there was none.
        is_dirty: files differed from that commit.
        ending: `as expected`, `not as expected`, `errors`, `interrupted`, or "" when the judge was killed.
        solutions, surprises: how many were judged, and how many did not earn what they should.
    """

    number: int
    began: Seconds
    wall: Seconds | None
    words: str
    level: str
    commit: str
    is_dirty: bool
    ending: str
    solutions: int
    surprises: int


class Marks:
    """The marks of one solution, packed as they come; those of many cases wait on the disk.

    Args:
        folder: where a file without a name is made once they are many.

    Attributes:
        failure: why they are not whole; None when all is well.
    """

    def __init__(self, folder: Path) -> None:
        self.failure: OSError | None = None
        self._packer = zlib.compressobj(_QUICK)
        self._hash = hashlib.sha256()
        self._packed = SpooledTemporaryFile(max_size=_PART, mode="w+b", dir=str(folder))  # noqa: SIM115 - see close
        self._size = 0
        self._rows: list[bytes] = []

    def add(self, result: CaseResult) -> None:
        """Take the next case's result."""
        mark = case_record(result)
        row = _encode((_kept(result.case.id), mark.verdict, mark.cpu, mark.memory, mark.output, mark.data))
        self._rows += (len(row).to_bytes(4, "big"), row)
        if len(self._rows) >= _ROWS:
            self._pack()

    def end(self) -> None:
        """Pack the last; nothing can be added any more."""
        self._pack()
        self._write(self._packer.flush())

    @property
    def digest(self) -> bytes:
        """Their name, once they have ended: the same for the same marks."""
        return self._hash.digest()[:16]

    @property
    def are_many(self) -> bool:
        """There is more than one part."""
        return self._size > _PART

    def parts(self) -> Iterator[bytes]:
        """Yield them in pieces, the first of which is never empty.

        Raises:
            OSError: the disk does not give them back.
        """
        self._packed.seek(0)
        while part := self._packed.read(_PART):
            yield part

    def close(self) -> None:
        """Forget them."""
        self._packed.close()

    def _pack(self) -> None:
        self._write(self._packer.compress(b"".join(self._rows)))
        self._rows.clear()

    def _write(self, packed: bytes) -> None:
        self._hash.update(packed)
        self._size += len(packed)
        try:
            self._packed.write(packed)
        except OSError as error:  # a full disk
            self.failure = self.failure or error


def unpacked(data: bytes) -> Iterator[tuple[str, CaseRecord]]:
    """Yield each case's id and mark."""
    rows, at = zlib.decompress(data), 0
    while at < len(rows):
        size = int.from_bytes(rows[at : at + 4], "big")
        name, verdict, cpu, memory, output, digest = _decode(rows[at + 4 : at + 4 + size])
        yield _text(name), CaseRecord(verdict, Seconds(cpu), Bytes(memory), output, digest)
        at += 4 + size


@dataclass(frozen=True, slots=True)
class Judged:
    """One solution of a run, to be noted.

    Attributes:
        problem: its id.
        marks: they have ended.
        text: the source's, where it is known and not kept yet.
    """

    problem: str
    result: SolutionResult
    marks: Marks
    text: bytes | None


class History:
    """All runs that are remembered; used from one thread. See `Database` for what may go wrong.

    Args:
        path: the file.
        most: how large it may grow.
    """

    def __init__(self, path: Path, most: Bytes = MOST) -> None:
        self._database = Database(path, version=VERSION, tables=TABLES)
        self._most = most

    @property
    def warning(self) -> str:
        """Why nothing, or nothing more, is remembered; "" when all is well."""
        return self._database.warning

    # ---- writing ----

    def begin(self, *, words: str, level: str, version: str) -> int:
        """Note that a run begins; return its number."""
        with self._database.transaction() as connection:
            if connection is None:
                return 0
            cursor = connection.execute(
                "INSERT INTO runs (began, words, level, version) VALUES (?, ?, ?, ?)",
                (time.time(), _kept(words), level, version),
            )
            return cursor.lastrowid or 0

    def marks(self) -> Marks:
        """Return a sheet to fill."""
        return Marks(self._database.path.parent)

    def add(self, run: int, judged: Sequence[Judged]) -> None:
        """Note some solutions of a run.

        Args:
            run: its number.
            judged: what they did.
        """
        try:
            with self._database.transaction() as connection:
                if connection is not None:
                    for each in judged:
                        if each.marks.failure is None:
                            _insert(connection, run, each)
                        else:
                            self._say(each.marks.failure)
        except OSError as error:
            self._say(error)

    def _say(self, error: OSError) -> None:
        self._database.warning = f"{self._database.path}: a run is not remembered whole ({describe_error(error)})"

    def end(self, run: int, *, wall: Seconds, ending: str, commit: str, is_dirty: bool) -> None:
        """Note how a run ended."""
        self._database.write(
            'UPDATE runs SET wall = ?, ending = ?, "commit" = ?, dirty = ? WHERE run = ?',
            [(wall, ending, commit, is_dirty, run)],
        )

    def knows_source(self, digest: str) -> bool:
        """Return whether a source's text is kept."""
        return bool(self._database.rows("SELECT 1 FROM sources WHERE source = ?", (bytes.fromhex(digest),)))

    # ---- reading ----

    def runs(self, most: int) -> list[PastRun]:
        """Return the last runs, the newest first."""
        rows = self._database.rows(
            'SELECT run, began, wall, words, level, "commit", dirty, ending, '
            "(SELECT count(*) FROM judged WHERE judged.run = runs.run), "
            "(SELECT count(*) FROM judged WHERE judged.run = runs.run AND NOT as_expected) "
            "FROM runs ORDER BY run DESC LIMIT ?",
            (min(most, _ALL),),
        )
        return [
            PastRun(
                number=row[0],
                began=row[1],
                wall=row[2],
                words=_text(row[3]),
                level=row[4],
                commit=row[5],
                is_dirty=bool(row[6]),
                ending=row[7],
                solutions=row[8],
                surprises=row[9],
            )
            for row in rows
        ]

    def of_solution(self, problem: str, solution: str, most: int) -> list[tuple[PastRun, SolutionRecord]]:
        """Return what a solution did in the last runs that judged it, the newest first."""
        rows = self._database.rows(
            f"SELECT {_SHEET} FROM judged WHERE problem = ? AND solution = ? ORDER BY run DESC LIMIT ?",  # noqa: S608
            (_kept(problem), _kept(solution), min(most, _ALL)),
        )
        by_number = {run.number: run for run in self.runs(_ALL)} if rows else {}
        return [(by_number[row[0]], self._sheet(row)) for row in rows if row[0] in by_number]

    def sheets(self, run: int) -> list[SolutionRecord]:
        """Return what the solutions of a run did."""
        rows = self._database.rows(f"SELECT {_SHEET} FROM judged WHERE run = ?", (run,))  # noqa: S608
        return [self._sheet(row) for row in rows]

    def failed(self) -> list[tuple[str, str]]:
        """Return problem and path of the solutions that did not earn what they should when they were judged last.

        A later run of some cases clears a failure only if the cases that were judged then are among them.
        """
        rows = self._database.rows(
            f"SELECT {_SHEET} FROM judged AS failure WHERE NOT as_expected AND run > coalesce("  # noqa: S608
            "(SELECT max(run) FROM judged AS passed WHERE passed.problem = failure.problem "
            "AND passed.solution = failure.solution AND as_expected AND complete), 0) ORDER BY rowid"
        )
        failures = [(row[0], self._sheet(row)) for row in rows]
        open_still = [
            (sheet.problem, sheet.solution)
            for run, sheet in failures
            if not any(_covers(later, sheet) for later in self._passed_since(sheet, run))
        ]
        return list(dict.fromkeys(open_still))

    def _passed_since(self, sheet: SolutionRecord, run: int) -> Iterator[SolutionRecord]:
        rows = self._database.rows(
            f"SELECT {_SHEET} FROM judged WHERE problem = ? AND solution = ? AND run > ? AND as_expected",  # noqa: S608
            (_kept(sheet.problem), _kept(sheet.solution), run),
        )
        yield from map(self._sheet, rows)

    def source(self, digest: str) -> bytes | None:
        """Return the text with this hash, if it is kept."""
        found = self._database.rows("SELECT text FROM sources WHERE source = ?", (bytes.fromhex(digest),))
        return zlib.decompress(found[0][0]) if found else None

    def close(self) -> None:
        """Forget the oldest runs where there is too much, and close the file."""
        self._database.keep_within(self._most, self._forget)
        self._database.close()

    def _forget(self) -> bool:
        """Delete the oldest quarter of the runs; False when there is none."""
        oldest = self._database.rows("SELECT run FROM runs ORDER BY run LIMIT (SELECT max(1, count(*) / 4) FROM runs)")
        if oldest:
            for statement in _FORGET:
                self._database.write(statement, [(oldest[-1][0],)] if "?" in statement else [()])
        return bool(oldest)

    def _sheet(self, row: tuple[Any, ...]) -> SolutionRecord:
        _, problem, solution, language, expected, source, verdict, as_expected, complete, sheet = row
        parts = self._database.rows("SELECT marks FROM sheets WHERE sheet = ?", (sheet,))
        parts += self._database.rows("SELECT marks FROM parts WHERE sheet = ? ORDER BY part", (sheet,))
        return SolutionRecord(
            problem=_text(problem),
            solution=_text(solution),
            language=str(language),
            expected=str(expected),
            source=source.hex(),
            verdict=Verdict(str(verdict)),
            as_expected=bool(as_expected),
            is_complete=bool(complete),
            marks=dict(unpacked(b"".join(part for (part,) in parts))) if parts else {},
        )


def _insert(connection: sqlite3.Connection, run: int, judged: Judged) -> None:
    """Note one solution.

    Raises:
        OSError: the disk does not give its marks back.
    """
    result, marks = judged.result, judged.marks
    sheet, source = marks.digest, bytes.fromhex(result.source_digest)
    if connection.execute("SELECT 1 FROM sheets WHERE sheet = ?", (sheet,)).fetchone() is None:
        parts = marks.parts()
        connection.execute("INSERT INTO sheets VALUES (?, ?)", (sheet, next(parts)))
        connection.executemany(
            "INSERT INTO parts VALUES (?, ?, ?)", ((sheet, number, part) for number, part in enumerate(parts))
        )
    if judged.text is not None:
        connection.execute("INSERT OR IGNORE INTO sources VALUES (?, ?)", (source, zlib.compress(judged.text)))
    connection.execute(
        "INSERT INTO judged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run,
            _kept(judged.problem),
            _kept(result.solution.display_path),
            result.language,
            str(result.solution.expectation),
            source,
            result.verdict.value,
            result.as_expected,
            result.is_complete,
            sheet,
        ),
    )


_ALL = 1 << 40
_SHEET = "run, problem, solution, language, expected, source, verdict, as_expected, complete, sheet"
_FORGET = (
    "DELETE FROM judged WHERE run <= ?",
    "DELETE FROM runs WHERE run <= ?",
    "DELETE FROM sheets WHERE sheet NOT IN (SELECT sheet FROM judged)",
    "DELETE FROM parts WHERE sheet NOT IN (SELECT sheet FROM sheets)",
    "DELETE FROM sources WHERE source NOT IN (SELECT source FROM judged)",
)


def _covers(sheet: SolutionRecord, other: SolutionRecord) -> bool:
    judged = {name for name, mark in sheet.marks.items() if mark.verdict is not Verdict.SK}
    return all(name in judged for name, mark in other.marks.items() if mark.verdict is not Verdict.SK)


def _kept(text: str) -> str | bytes:
    """Return a text as it is kept: one that is no UTF-8, which neither SQLite nor MessagePack takes, as bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return os.fsencode(text)
    return text


def _text(kept: str | bytes) -> str:
    return kept if isinstance(kept, str) else os.fsdecode(kept)
