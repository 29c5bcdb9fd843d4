"""Reads a history of version 1, which kept all cases of a solution in one compressed value, into the present tables."""

import sqlite3
import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

from judge.history.database import execute_all

_decode = msgspec.msgpack.Decoder(tuple[Any, str, float, int, str, str]).decode
_RESULT = "problem, solution, language, expected, source, verdict, as_expected, complete"


def upgrade_from_1(connection: sqlite3.Connection, tables: str) -> None:
    """Replace the tables of version 1 by the present ones; all runs stay.

    Raises:
        sqlite3.DatabaseError: the file is damaged.
    """
    connection.execute("ALTER TABLE runs RENAME TO old_runs")
    connection.execute("ALTER TABLE judged RENAME TO old_judged")
    connection.execute("ALTER TABLE sources RENAME TO old_sources")
    execute_all(connection, tables)
    connection.execute("INSERT INTO sources SELECT source, text FROM old_sources")
    connection.execute(
        'INSERT INTO runs SELECT run, began, words, level, version, wall, "commit", dirty, ending FROM old_runs'
    )
    records: dict[tuple[object, ...], int | None] = {}
    rows = connection.execute(f"SELECT rowid, run, {_RESULT}, sheet FROM old_judged ORDER BY rowid")  # noqa: S608
    for position, run, *key in rows:
        *values, sheet = key
        if tuple(key) not in records:
            record = connection.execute(
                f"INSERT INTO solutions ({_RESULT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                values,
            ).lastrowid
            records[tuple(key)] = record
            cases = ((record, number, *row) for number, row in enumerate(_case_rows(connection, sheet)))
            connection.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", cases)
        connection.execute("INSERT INTO judged VALUES (?, ?, ?)", (run, position, records[tuple(key)]))
    for table in ("old_runs", "old_judged", "old_sources", "sheets", "parts"):
        connection.execute(f"DROP TABLE {table}")


def _case_rows(connection: sqlite3.Connection, sheet: bytes) -> Iterator[tuple[str, str, int, int, bytes, bytes]]:
    """Yield the cases of a solution: values encoded with MessagePack, each after its size in 4 bytes, compressed."""
    pieces = connection.execute("SELECT marks FROM sheets WHERE sheet = ?", (sheet,)).fetchall()
    pieces += connection.execute("SELECT marks FROM parts WHERE sheet = ? ORDER BY part", (sheet,)).fetchall()
    try:
        data = zlib.decompress(b"".join(piece for (piece,) in pieces))
        start = 0
        while start < len(data):
            end = start + 4 + int.from_bytes(data[start : start + 4], "big")
            name, verdict, cpu, memory, output, digest = _decode(data[start + 4 : end])
            yield name, verdict, round(cpu * 1e6), memory, bytes.fromhex(output), bytes.fromhex(digest)
            start = end
    except (zlib.error, msgspec.MsgspecError, ValueError) as error:
        raise sqlite3.DatabaseError(str(error)) from error
