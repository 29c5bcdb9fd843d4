"""Shards: which rows belong to one of n parts of a stream. Each row is in exactly one, whatever the order of rows."""

import hashlib
import re

from msgspec import Struct

from judge.errors import UsageError

_TEXT = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


class Shard(Struct, frozen=True):
    """Part `number` of `count`, from 1."""

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
