"""The file of results: one JSON object per line, complete or not there at all.

A row is written with one system call and never changed. A process that is killed leaves at most one incomplete last
line, which `--resume` removes. The results of a shard end with a line that says so, and names the options that can
change a verdict: `{"shard": "2/5", "rows": 100, "options": "--all"}`.
"""

import fcntl
import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from judge.base.errors import StoreError, UsageError, describe_error
from judge.base.units import format_count
from judge.grading.rows import DUPLICATE
from judge.grading.values import VERSION, Grade

_MAX_LINE = 1 << 24  # bytes of a result; texts in it are cut
_START_OF_LINE, _START_OF_END = b'{"version":', b'{"shard":'


class ShardEnd(Struct, frozen=True):
    """The last line of the results of a shard; `options` are those that can change a verdict."""

    shard: str
    rows: int
    options: str


class _Version(Struct):
    version: int


_decode_end = msgspec.json.Decoder(ShardEnd).decode
_decode_version = msgspec.json.Decoder(_Version).decode
_decode_result = msgspec.json.Decoder(Grade).decode


class ResultFile(AbstractContextManager["ResultFile"]):
    """Writes results as they become known; a context manager.

    Args:
        path: the file; `-` is standard output.
        is_resumed: go on with the file if it exists.
        is_forced: overwrite the file if it exists.
        source: the file of submissions, which is never overwritten; None if they come from elsewhere.

    Raises:
        UsageError: the file exists, is in use by another judge, or cannot be written.
    """

    def __init__(
        self, path: Path, *, is_resumed: bool = False, is_forced: bool = False, source: Path | None = None
    ) -> None:
        self.path = path
        self._keeps = is_resumed
        if str(path) == "-":
            self._file = sys.stdout.fileno()
            return
        if path.suffix in (".gz", ".zst"):
            raise UsageError(f"{path}: results are written as plain JSON lines; compress them afterwards")
        if source is not None and path.exists() and path.samefile(source):
            raise UsageError(f"{path} is the file of the submissions; choose another file for the results")
        if not is_resumed and not is_forced and path.exists() and path.is_file() and path.stat().st_size:
            raise UsageError(f"{path} exists: --resume goes on with it, --force overwrites it")
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise UsageError(f"cannot write the results: {describe_error(error)}") from error
        try:
            if path.is_file():
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._file)
            raise UsageError(f"{path}: another judge is writing its results to this file") from error
        except OSError:  # a file system without locks
            pass

    def __exit__(self, *_: object) -> None:
        if str(self.path) != "-":
            os.close(self._file)

    def begin(self) -> None:
        """Remove older results, unless they are resumed: from here on, nothing but a crash prevents new ones."""
        if not self._keeps and self.path.is_file():
            os.truncate(self._file, 0)

    def write(self, grade: Grade) -> None:
        """Write a result.

        Raises:
            StoreError: the disk is full, for example; what was written before is complete.
        """
        self._write(json.dumps(grade.to_dict(), ensure_ascii=True, separators=(",", ":")))

    def end_shard(self, shard: str, rows: int, options: str) -> None:
        """Write that all results of a shard, such as `2/5`, are in the file, and the options that can change a verdict.

        Raises:
            StoreError: as for `write`.
        """
        self._write(json.dumps(asdict(ShardEnd(shard, rows, options))))

    def _write(self, text: str) -> None:
        data = text.encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise StoreError(
                f"{self.path}: {error.strerror}: the results until now are complete; "
                + ("write to a file" if str(self.path) == "-" else "make room, and repeat the command with --resume")
            ) from error


class Finished:
    """What a file of results has: ids, and which rows exactly. Keeps two hashes for each, some 150 bytes.

    Attributes:
        shard: of which the file has all results, such as `2/5`; "" if it does not say so.
    """

    def __init__(self) -> None:
        self.shard = ""
        self._ids: set[int] = set()
        self._rows: set[int] = set()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, found: Grade) -> None:
        """Add a result. That of a row whose id an earlier row has says nothing about the earlier row."""
        self._rows.add(hash((found.digest, found.id)))
        if DUPLICATE not in found.fault:
            self._ids.add(hash(found.id))

    def has(self, row_id: str, digest: str) -> bool:
        """Return whether a row has a result."""
        return hash((digest, row_id)) in self._rows

    def has_other(self, row_id: str) -> bool:
        """Return whether a row with this id has a result, whatever decided it."""
        return hash(row_id) in self._ids


def repair(path: Path) -> int:
    """Remove an incomplete last line, which a process that was killed has left; return how many bytes that were.

    Raises:
        UsageError: the file does not begin or end like results; it is not changed.
        StoreError: the file cannot be read or written.
    """
    try:
        with path.open("r+b") as file:
            start_of_file = file.read(len(_START_OF_LINE))
            if not _START_OF_LINE.startswith(start_of_file) and not start_of_file.startswith(_START_OF_END):
                raise UsageError(f"{path}:1: not a result of `judge grade`")
            size = file.seek(0, os.SEEK_END)
            start = file.seek(max(0, size - _MAX_LINE))
            end = start + file.read().rfind(b"\n") + 1
            if end == start > 0:
                raise UsageError(f"{path}: its last line is not a result of `judge grade`: more than {_MAX_LINE} bytes")
            file.truncate(end)
            return size - end
    except OSError as error:
        raise StoreError(describe_error(error)) from error


def read_finished(path: Path, use: Callable[[Grade], object], shard: "Shard | None" = None) -> Finished:
    """Return which rows a file of results has.

    Args:
        path: the file, repaired.
        use: called with each result.
        shard: the part of the rows that is graded; None for all.

    Raises:
        UsageError: a line is not a result of this version, or of another shard, or results follow the end of a shard.
        StoreError: the file cannot be read.
    """
    finished, foreign = Finished(), ""
    for _, found in read_results(path):
        if finished.shard:
            raise UsageError(f"{path}: results follow the line that ends the shard {finished.shard}; use a new file")
        if isinstance(found, ShardEnd):
            finished.shard = found.shard
            continue
        if shard is not None and not shard.has(found.id):
            foreign = foreign or found.id
        finished.add(found)
        use(found)
    if foreign and not finished.shard:  # for a complete shard, the caller knows more
        raise UsageError(f"{path} has a result of {foreign!r:.80}, which is not in the shard {shard}; use a new file")
    return finished


def read_results(path: Path) -> Iterator[tuple[bytes, Grade | ShardEnd]]:
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


def _check(line: bytes, place: str) -> Grade | ShardEnd:
    try:
        if line.startswith(_START_OF_END):
            return _decode_end(line)
        version = _decode_version(line).version
        if version == VERSION:
            return _decode_result(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UsageError(f"{place}: not a result of `judge grade`: {error}") from error
    raise UsageError(f"{place}: a result of version {version}, and this judge writes version {VERSION}: use a new file")


# ---- shards, the parts of a stream ----------------------------------------------------------------------------------


_TEXT = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


def merge(paths: Sequence[Path], output: Path, use: Callable[[Grade], object]) -> int:
    """Write the results of all shards to one file, sorted by line; return how many there are.

    The files may be given in any order. Keeps some 130 bytes for each result.

    Args:
        paths: the results of the shards.
        output: the file; replaced when it is complete.
        use: called with each result.

    Raises:
        UsageError: a shard is missing, incomplete, given twice or graded with other options, a row is in several
            files, or the shards are of different streams.
        StoreError: a file cannot be read or written.
    """
    order: list[int] = []  # line, number of the file, and offset in one integer: the least memory that can be sorted
    seen: set[int] = set()
    shards: dict[str, Path] = {}
    options: dict[str, Path] = {}
    for number, path in enumerate(paths):
        offset, rows, shard = 0, 0, ""
        for line, found in read_results(path):
            if shard:
                raise UsageError(f"{path}: there are lines after the one that ends shard {shard}")
            if isinstance(found, ShardEnd):
                shard = found.shard
                options.setdefault(found.options, path)
                if found.rows != rows:
                    raise UsageError(
                        f"{path}: {format_count(rows, 'result')}, its last line says {found.rows}: it was changed"
                    )
            else:
                if (row := hash((found.digest, found.id))) in seen:
                    raise UsageError(f"{path}: {found.id} has a result in this file or another one already")
                seen.add(row)
                order.append(found.line << 80 | number << 60 | offset)
                rows += 1
            offset += len(line)
        if not shard:
            raise UsageError(f"{path}: the shard is not complete: go on with `judge grade --shard I/N --resume`")
        if shard in shards:
            raise UsageError(f"{path}: shard {shard} is in {shards[shard]}, too")
        shards[shard] = path
    _require_all(shards, options)
    order.sort()
    _require_one_stream(order, paths)
    _write(order, paths, output, use)
    return len(order)


def _require_all(shards: dict[str, Path], options: dict[str, Path]) -> None:
    """Check that all shards of one division are there, graded with the same options."""
    parsed = {parse_shard(text): path for text, path in shards.items()}
    counts = {shard.count for shard in parsed}
    if len(counts) > 1:
        found = ", ".join(f"{path}: {shard}" for shard, path in parsed.items())
        raise UsageError(f"the files are shards of several divisions: {found}")
    numbers = {shard.number for shard in parsed}
    if missing := sorted(set(range(1, max(counts) + 1)) - numbers):
        names = ", ".join(f"{each}/{max(counts)}" for each in missing)
        raise UsageError(f"shards are missing: {names}")
    if len(options) > 1:
        found = "; ".join(f"{path}: {text or 'no options'}" for text, path in options.items())
        raise UsageError(f"the shards were graded with different options: {found}")


def _require_one_stream(order: Sequence[int], paths: Sequence[Path]) -> None:
    """Check that no line of the submissions has two results: else the shards are of different streams."""
    for one, other in pairwise(order):
        if one >> 80 == other >> 80:
            places = " and in ".join(str(paths[each >> 60 & 0xFFFFF]) for each in (one, other))
            raise UsageError(f"line {one >> 80} has results in {places}: these are not of the same submissions")


def _write(order: Sequence[int], paths: Sequence[Path], output: Path, use: Callable[[Grade], object]) -> None:
    try:
        files = [path.open("rb") for path in paths]
    except OSError as error:
        raise StoreError(describe_error(error)) from error
    try:
        with tempfile.NamedTemporaryFile(dir=output.parent, prefix=f".{output.name}-", delete=False) as target:
            try:
                for key in order:
                    file = files[key >> 60 & 0xFFFFF]
                    file.seek(key & ((1 << 60) - 1))
                    line = file.readline()
                    target.write(line)
                    use(_decode_result(line))
                target.flush()
                os.fchmod(target.fileno(), 0o644)
                Path(target.name).replace(output)
            except BaseException:
                Path(target.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise StoreError(f"cannot write {output}: {describe_error(error)}") from error
    finally:
        for file in files:
            file.close()


class Shard(Struct, frozen=True):
    """Part `number` of `count`, from 1. Each row is in exactly one part, whatever the order of the rows."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def has(self, row_id: str) -> bool:
        """Return whether the row with an id belongs to this part."""
        found = hashlib.blake2b(row_id.encode("utf-8", "surrogatepass"), digest_size=8, person=b"judge shard").digest()
        return int.from_bytes(found, "big") % self.count == self.number - 1


def parse_shard(text: str) -> Shard:
    """Parse `2/5`.

    Raises:
        UsageError: it is something else.
    """
    found = _TEXT.fullmatch(text)
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not 1 <= shard.number <= shard.count:
        raise UsageError(f"--shard {text}: expected I/N with 1 <= I <= N, such as 2/5")
    return shard
