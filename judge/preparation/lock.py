"""The lock file of a problem's cases: the hash of every input and answer, and of what made and confirmed them.

It notices a generator or a reference that changes its mind, and it spares a fresh clone the work of confirming again
what was confirmed when the lock was written. `judge lock` writes it; nothing else does.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from judge.errors import DataError, Diagnostic
from judge.files import write_atomically

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedCase:
    """What was true of a case when `judge lock` ran.

    Attributes:
        input, answer: their hashes.
        proof: the hash of all that confirmed them (see `prepare`).
    """

    input: str
    answer: str
    proof: str


Lock = Mapping[str, LockedCase]  # by `group/name`


def read_lock(path: Path | None) -> Lock:
    """Read a lock file; no file is an empty lock.

    Raises:
        DataError: it is no lock file of this version.
    """
    if path is None or not path.exists():
        return {}
    try:
        return _from_json(json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        message = f"this is no lock file of version {VERSION} ({error}); `judge lock` writes it anew"
        raise DataError([Diagnostic(path=path, message=message)]) from error


def write_lock(path: Path, lock: Lock) -> None:
    """Write a lock file, a case a line so that changes read well in a diff.

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
        raise TypeError("a hash is no text")
    return cases
