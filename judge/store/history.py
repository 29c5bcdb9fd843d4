"""The history: every run with its verdicts, times, memory, commit, and the sources that were judged.

A sheet that is the same as an earlier one (nothing changed, all came from the cache) is kept once.
"""

import hashlib
import os
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from judge.model import CaseResult, SolutionResult, Verdict
from judge.sheets import Mark, Sheet, mark_of
from judge.store.database import Database
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
CREATE TABLE IF NOT EXISTS sources (source BLOB PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID
"""

_QUICK = 1  # zlib's level
_ROWS = 1000  # that are packed at once

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
    """The marks of one solution, packed as they come: many cases take little memory."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(_QUICK)
        self._packed: list[bytes] = []
        self._rows: list[bytes] = []

    def add(self, result: CaseResult) -> None:
        """Take the next case's result."""
        mark = mark_of(result)
        row = _encode((_kept(result.case.id), mark.verdict, mark.cpu, mark.memory, mark.output, mark.data))
        self._rows += (len(row).to_bytes(4, "big"), row)
        if len(self._rows) >= _ROWS:
            self._pack()

    def packed(self) -> bytes:
        """Return all of them; nothing can be added any more."""
        self._pack()
        return b"".join([*self._packed, self._packer.flush()])

    def _pack(self) -> None:
        self._packed.append(self._packer.compress(b"".join(self._rows)))
        self._rows.clear()


def unpacked(data: bytes) -> Iterator[tuple[str, Mark]]:
    """Yield each case's id and mark."""
    rows, at = zlib.decompress(data), 0
    while at < len(rows):
        size = int.from_bytes(rows[at : at + 4], "big")
        name, verdict, cpu, memory, output, digest = _decode(rows[at + 4 : at + 4 + size])
        yield _text(name), Mark(verdict, Seconds(cpu), Bytes(memory), output, digest)
        at += 4 + size


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

    def add(self, run: int, judged: Sequence[tuple[str, SolutionResult, bytes, bytes | None]]) -> None:
        """Note some solutions of a run.

        Args:
            run: its number.
            judged: problem, result, packed marks, and the source's text where it is known.
        """
        with self._database.transaction() as connection:
            if connection is None:
                return
            for problem, result, marks, text in judged:
                sheet = hashlib.sha256(marks).digest()[:16]
                source = bytes.fromhex(result.source_digest)
                connection.execute("INSERT OR IGNORE INTO sheets VALUES (?, ?)", (sheet, marks))
                if text is not None:
                    connection.execute("INSERT OR IGNORE INTO sources VALUES (?, ?)", (source, zlib.compress(text)))
                connection.execute(
                    "INSERT INTO judged VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        run,
                        _kept(problem),
                        _kept(result.solution.shown),
                        result.language,
                        str(result.solution.expectation),
                        source,
                        result.verdict.value,
                        result.as_expected,
                        result.is_complete,
                        sheet,
                    ),
                )

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

    def of_solution(self, problem: str, solution: str, most: int) -> list[tuple[PastRun, Sheet]]:
        """Return what a solution did in the last runs that judged it, the newest first."""
        rows = self._database.rows(
            f"SELECT {_SHEET} FROM judged WHERE problem = ? AND solution = ? ORDER BY run DESC LIMIT ?",  # noqa: S608
            (_kept(problem), _kept(solution), min(most, _ALL)),
        )
        by_number = {run.number: run for run in self.runs(_ALL)} if rows else {}
        return [(by_number[row[0]], self._sheet(row)) for row in rows if row[0] in by_number]

    def sheets(self, run: int) -> list[Sheet]:
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

    def _passed_since(self, sheet: Sheet, run: int) -> Iterator[Sheet]:
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

    def _sheet(self, row: tuple[Any, ...]) -> Sheet:
        _, problem, solution, language, expected, source, verdict, as_expected, complete, sheet = row
        found = self._database.rows("SELECT marks FROM sheets WHERE sheet = ?", (sheet,))
        return Sheet(
            problem=_text(problem),
            solution=_text(solution),
            language=str(language),
            expected=str(expected),
            source=source.hex(),
            verdict=Verdict(str(verdict)),
            as_expected=bool(as_expected),
            is_complete=bool(complete),
            marks=dict(unpacked(found[0][0])) if found else {},
        )


_ALL = 1 << 40
_SHEET = "run, problem, solution, language, expected, source, verdict, as_expected, complete, sheet"
_FORGET = (
    "DELETE FROM judged WHERE run <= ?",
    "DELETE FROM runs WHERE run <= ?",
    "DELETE FROM sheets WHERE sheet NOT IN (SELECT sheet FROM judged)",
    "DELETE FROM sources WHERE source NOT IN (SELECT source FROM judged)",
)


def _covers(sheet: Sheet, other: Sheet) -> bool:
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
