"""The lock file of a problem: the hash of each input and answer that were confirmed, and of what validated the input.

A locked answer is proven: a solution that prints another one is wrong, even if it is the reference. The lock detects
generators whose output changes, and it saves a fresh clone from confirming again what was confirmed when the lock was
written. Only `judge lock` writes it.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from judge.errors import DataError, Diagnostic
from judge.files import write_atomically

VERSION = 1


class LockedCase(Struct, frozen=True, kw_only=True):
    """A case at the time of `judge lock`.

    Attributes:
        proof: the hash of the input and of the validator with its arguments, which accepted it.
    """

    input: str
    answer: str
    proof: str

    def has_data_of(self, other: "LockedCase | None") -> bool:
        """Return whether the input and the answer are those of another entry."""
        return other is not None and (self.input, self.answer) == (other.input, other.answer)


Lock = Mapping[str, LockedCase]  # by `group/name`


def read_lock(path: Path | None) -> Lock:
    """Read a lock file; without a file, the lock is empty.

    Raises:
        DataError: it is not a lock file of this version.
    """
    if path is None or not path.exists():
        return {}
    try:
        return _from_json(json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = f"not a lock file of version {VERSION} ({error})"
        raise DataError([Diagnostic(path=path, message=message, fix="run `judge lock` to write it again")]) from error


def write_lock(path: Path, lock: Lock) -> None:
    """Write a lock file with one case per line, for readable diffs.

    Raises:
        OSError: the file cannot be written.
    """
    lines = [f"    {json.dumps(name)}: {json.dumps(asdict(case))}" for name, case in sorted(lock.items())]
    text = f'{{\n  "version": {VERSION},\n  "cases": {{\n' + ",\n".join(lines) + "\n  }\n}\n"
    write_atomically(path, text.encode())


def _from_json(loaded: Any) -> Lock:
    if loaded["version"] != VERSION:
        raise ValueError(f"version {loaded['version']}")
    cases = {str(name): LockedCase(**case) for name, case in loaded["cases"].items()}
    if not all(isinstance(value, str) for case in cases.values() for value in asdict(case).values()):
        raise TypeError("a hash is not a string")
    return cases
