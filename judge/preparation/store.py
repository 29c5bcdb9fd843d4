"""What earlier runs made and found out: files by their hash, facts by the hash of what they depend on, and cases.lock.

Files and facts can be deleted at any time and are made again. Nothing here decides a verdict: a file is used only if
its content has the requested hash. They may come with a repository from somewhere else, so any content is harmless.

The lock file of a problem has the hash of each input and answer that were confirmed, and of what validated the input.
A locked answer is proven: a solution that prints another one is wrong, even if it is the reference. The lock detects
generators whose output changes, and it saves a fresh clone from confirming again what was confirmed when the lock was
written. Only `judge lock` writes it.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from stat import S_ISREG
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from judge.base.data import HUGE, digest
from judge.base.errors import DataError, Diagnostic
from judge.base.files import read_cache, read_regular, write_atomically, write_cache
from judge.model import InFile, Inline, WindowsText

_SHA256 = re.compile(r"[0-9a-f]{64}")
DATA_VARIABLE = "JUDGE_DATA"


def make_key(*parts: str) -> str:
    """Return a key for a list of strings, the SHA-256 of it as JSON; different lists have different keys."""
    text = '", "'.join(parts)
    if parts and text.isascii() and text.isprintable() and "\\" not in text and text.count('"') == 2 * len(parts) - 2:
        return digest(f'["{text}"]'.encode())  # as it is: this is called for every case
    import json

    return digest(json.dumps(parts).encode())


class ObjectStore:
    """Files by their hash, in a folder that several processes, and the workers of each, may use at once.

    Attributes:
        warning: why files are kept in memory, for this run only; "" if the folder can be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.warning = ""
        self._in_memory: dict[str, bytes] = {}

    def path(self, sha256: str) -> Path:
        """Return the path of the file with a hash, whether or not it exists."""
        return self.folder / sha256[:2] / sha256[2:]

    def find(self, sha256: str) -> Path | bytes | None:
        """Return the file (or the bytes) with a hash, or None if it is missing or damaged."""
        if sha256 in self._in_memory:
            return self._in_memory[sha256]
        if not _SHA256.fullmatch(sha256):  # from a damaged file: it may be the path of a device
            return None
        path = self.path(sha256)
        try:
            return path if S_ISREG(path.lstat().st_mode) and digest(path) == sha256 else None
        except OSError:
            return None

    def add(self, data: bytes) -> tuple[str, Path | bytes]:
        """Store bytes; return their hash, and their path (or the bytes, if they are kept in memory)."""
        sha256 = digest(data)
        try:
            write_cache(self.path(sha256), data, self.folder.parent)
        except OSError as error:
            self.warning = (
                f"{self.folder} cannot be written ({error.strerror}): test data is made again in each run; "
                "to keep it, make the folder writable, or free some space"
            )
            self._in_memory[sha256] = data
            return sha256, data
        return sha256, self.path(sha256)

    def data_of(self, source: Inline | InFile) -> Path | bytes:
        """Return data as programs get it: a text of Windows is stored with LF at the ends of lines instead of CRLF.

        A file that is huge stays as it is; likewise one that cannot be read, which is reported where it is used.
        """
        if isinstance(source, Inline):
            return source.data
        path = source.path
        if not isinstance(source, WindowsText):
            return path
        try:
            if path.stat().st_size > HUGE:
                return path
            data = path.read_bytes().replace(b"\r\n", b"\n")
        except OSError:
            return path
        return self.find(digest(data)) or self.add(data)[1]


class FactCache:
    """Short facts by key, in one JSON file: the hash of an input, that an input is valid, that an answer is confirmed.

    A damaged file counts as empty. Two processes at once may lose each other's new facts, but no others.
    `start_empty` ignores the facts of the file; new ones are added to it nevertheless.
    """

    def __init__(self, path: Path, *, start_empty: bool = False) -> None:
        self.path = path
        self._facts = {} if start_empty else self._load()
        self._has_new = False

    def get(self, key: str) -> str | None:
        """Return a fact, or None if it is not known."""
        return self._facts.get(key)

    def put(self, key: str, value: str) -> None:
        """Add a fact."""
        self._facts[key] = value
        self._has_new = True

    def save(self) -> None:
        """Write the facts if there are new ones; if the folder cannot be written, a later run finds them out again."""
        if self._has_new:
            try:
                write_cache(self.path, msgspec.json.encode({**self._load(), **self._facts}), self.path.parent)
            except OSError:
                return
            self._has_new = False

    def _load(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(read_cache(self.path), type=dict[str, str])
        except (OSError, ValueError, RecursionError):
            return {}


def data_folders(option: Path | None) -> list[Path]:
    """Return the folders of external data: that of the option, then those of the environment variable JUDGE_DATA."""
    listed = [Path(part) for part in os.environ.get(DATA_VARIABLE, "").split(os.pathsep) if part]
    return [option, *listed] if option else listed


# ---- cases.lock ----------------------------------------------------------------------------------------------------


class LockedCase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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


class _LockFile(Struct):
    version: Literal[1]
    cases: dict[str, LockedCase]


def read_lock(path: Path | None) -> Lock:
    """Read a lock file; without a file, the lock is empty.

    Raises:
        DataError: it is not a lock file of this version.
    """
    if path is None or not path.exists():
        return {}
    try:
        return msgspec.json.decode(read_regular(path), type=_LockFile).cases
    except (OSError, ValueError, RecursionError) as error:  # a DecodeError is a ValueError
        message = f"not a lock file of version 1 ({error})"
        raise DataError([Diagnostic(path=path, message=message, fix="run `judge lock` to write it again")]) from error


def write_lock(path: Path, lock: Lock) -> None:
    """Write a lock file with one case per line, for readable diffs.

    Raises:
        OSError: the file cannot be written.
    """
    import json  # `judge lock` alone

    lines = [f"    {json.dumps(name)}: {json.dumps(asdict(case))}" for name, case in sorted(lock.items())]
    text = '{\n  "version": 1,\n  "cases": {\n' + ",\n".join(lines) + "\n  }\n}\n"
    write_atomically(path, text.encode())
