"""The file of results: one JSON object per line, complete or not there at all.

A row is written with one system call and never changed. A process that is killed leaves at most one incomplete last
line, which `--resume` removes. The results of a shard end with a line that says so: `{"shard": "2/5", "rows": 100}`.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from judge.errors import StoreError, UsageError, describe_error
from judge.grading.hash_set import HashSet
from judge.grading.values import VERSION, Grade

decode_result = msgspec.json.Decoder().decode
"""Decodes a line that was checked."""

_MAX_LINE = 1 << 24  # bytes of a result; texts in it are cut


class ResultFile(AbstractContextManager["ResultFile"]):
    """Writes results as they become known; a context manager.

    Args:
        path: the file; `-` is standard output.
        is_resumed: go on with the file if it exists.
        is_forced: overwrite the file if it exists.

    Raises:
        UsageError: the file exists, or cannot be written.
    """

    def __init__(self, path: Path, *, is_resumed: bool = False, is_forced: bool = False) -> None:
        self.path = path
        if str(path) == "-":
            self._file = sys.stdout.fileno()
            return
        if path.suffix in (".gz", ".zst"):
            raise UsageError(f"{path}: results are written as plain JSON lines; compress them afterwards")
        if not is_resumed and not is_forced and path.exists() and path.is_file() and path.stat().st_size:
            raise UsageError(f"{path} exists: --resume goes on with it, --force overwrites it")
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | (0 if is_resumed else os.O_TRUNC)
        try:
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            raise UsageError(f"cannot write the results: {describe_error(error)}") from error

    def __exit__(self, *_: object) -> None:
        if str(self.path) != "-":
            os.close(self._file)

    def write(self, grade: Grade) -> None:
        """Write a result.

        Raises:
            StoreError: the disk is full, for example; what was written before is complete.
        """
        self._write(json.dumps(grade.to_dict(), ensure_ascii=True, separators=(",", ":")))

    def end_shard(self, shard: str, rows: int) -> None:
        """Write that all results of a shard are in the file.

        Raises:
            StoreError: as for `write`.
        """
        self._write(json.dumps({"shard": shard, "rows": rows}))

    def _write(self, text: str) -> None:
        data = text.encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise StoreError(
                f"{self.path}: {error.strerror}: the results until now are complete; make room, and repeat the command "
                "with --resume"
            ) from error


class Finished:
    """What a file of results has: ids, and which rows exactly. Keeps 16 to 32 bytes for each.

    Attributes:
        shard: of which the file has all results, such as `2/5`; "" if it does not say so.
    """

    def __init__(self) -> None:
        self.shard = ""
        self._ids = HashSet()
        self._rows = HashSet()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row_id: str, digest: str) -> None:
        """Add a row."""
        self._ids.add(row_id)
        self._rows.add(f"{digest} {row_id}")

    def has(self, row_id: str, digest: str) -> bool:
        """Return whether a row has a result."""
        return f"{digest} {row_id}" in self._rows

    def has_other(self, row_id: str) -> bool:
        """Return whether a row with this id has a result, whatever decided it."""
        return row_id in self._ids


def repair(path: Path) -> int:
    """Remove an incomplete last line, which a process that was killed has left; return how many bytes that were.

    Raises:
        StoreError: the file cannot be read or written.
    """
    try:
        with path.open("r+b") as file:
            size = end = file.seek(0, os.SEEK_END)
            while end > 0:
                start = max(0, end - (1 << 16))
                file.seek(start)
                at = file.read(end - start).rfind(b"\n")
                if at >= 0:
                    end = start + at + 1
                    break
                end = start
            if end < size:
                file.truncate(end)
            return size - end
    except OSError as error:
        raise StoreError(describe_error(error)) from error


def read_finished(path: Path, use: Callable[[dict[str, Any]], object]) -> Finished:
    """Return which rows a file of results has.

    Args:
        path: the file, repaired.
        use: called with each result.

    Raises:
        UsageError: a line is not a result of this version, or results follow the end of a shard.
        StoreError: the file cannot be read.
    """
    finished = Finished()
    for _, found in read_results(path):
        if finished.shard:
            raise UsageError(f"{path}: results follow the line that ends the shard {finished.shard}; use a new file")
        if "shard" in found:
            finished.shard = str(found["shard"])
            continue
        finished.add(found["id"], found["digest"])
        use(found)
    return finished


def read_results(path: Path) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Yield each line of a file of results, with what it contains; the end of a shard is one of them.

    Raises:
        UsageError: a line is not a result of this version.
        StoreError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(_MAX_LINE):
                number += 1
                yield line, _check(line, f"{path}:{number}")
    except OSError as error:
        raise StoreError(describe_error(error)) from error


def _check(line: bytes, place: str) -> dict[str, Any]:
    try:
        found = decode_result(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(f"{place}: not a result of `judge grade`: {error}") from error
    if isinstance(found, dict) and found.keys() == {"shard", "rows"}:
        return found
    if not isinstance(found, dict) or "version" not in found:
        raise UsageError(f"{place}: not a result of `judge grade`")
    if found["version"] != VERSION:
        raise UsageError(
            f"{place}: a result of version {found['version']!r:.20}, and this judge writes version {VERSION}: "
            "use a new file"
        )
    if not all(isinstance(found.get(key), str) for key in ("id", "digest", "verdict", "task")) or not isinstance(
        found.get("line"), int
    ):
        raise UsageError(f"{place}: not a complete result: id, line, task, verdict and digest are expected")
    return found
