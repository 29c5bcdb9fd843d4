"""Shards, the parts of a stream; merging their results: complete, disjoint, in the order of the submissions."""

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from judge.errors import StoreError, UsageError, describe_error
from judge.grading.hash_set import HashSet
from judge.grading.results import decode_result, read_results

_TEXT = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


def merge(paths: Sequence[Path], output: Path, use: Callable[[dict[str, Any]], object]) -> int:
    """Write the results of all shards to one file, sorted by line; return how many there are.

    The files may be given in any order. Keeps some 60 bytes for each result.

    Args:
        paths: the results of the shards.
        output: the file; replaced when it is complete.
        use: called with each result.

    Raises:
        UsageError: a shard is missing, incomplete or given twice, or a row is in several files.
        StoreError: a file cannot be read or written.
    """
    order: list[int] = []  # line, number of the file, and offset in one integer: the least memory that can be sorted
    seen = HashSet()
    shards: dict[str, Path] = {}
    for number, path in enumerate(paths):
        offset, rows, shard = 0, 0, ""
        for line, found in read_results(path):
            if shard:
                raise UsageError(f"{path}: there are lines after the one that ends shard {shard}")
            if "shard" in found:
                shard = str(found["shard"])
                if found["rows"] != rows:
                    raise UsageError(f"{path}: {rows} results, but its last line says {found['rows']}: it was changed")
            else:
                if not seen.add(f"{found['digest']} {found['id']}"):
                    raise UsageError(f"{path}: {found['id']} has a result in this file or another one already")
                order.append(found["line"] << 80 | number << 60 | offset)
                rows += 1
            offset += len(line)
        if not shard:
            raise UsageError(f"{path}: the shard is not complete: go on with `judge grade --shard I/N --resume`")
        if shard in shards:
            raise UsageError(f"{path}: shard {shard} is in {shards[shard]}, too")
        shards[shard] = path
    _require_all(shards)
    order.sort()
    _write(order, paths, output, use)
    return len(order)


def _require_all(shards: dict[str, Path]) -> None:
    """Check that all shards of one division are there.

    Raises:
        UsageError: one is missing, or they are of several divisions.
    """
    parsed = {parse_shard(text): path for text, path in shards.items()}
    counts = {shard.count for shard in parsed}
    if len(counts) > 1:
        found = ", ".join(f"{path}: {shard}" for shard, path in parsed.items())
        raise UsageError(f"the files are shards of several divisions: {found}")
    numbers = {shard.number for shard in parsed}
    if missing := sorted(set(range(1, max(counts) + 1)) - numbers):
        names = ", ".join(f"{each}/{max(counts)}" for each in missing)
        raise UsageError(f"shards are missing: {names}")


def _write(order: Sequence[int], paths: Sequence[Path], output: Path, use: Callable[[dict[str, Any]], object]) -> None:
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
                    use(decode_result(line))
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
