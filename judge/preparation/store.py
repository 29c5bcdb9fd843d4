"""What is known about test data from earlier runs: files by their hash, and facts by the hash of what they follow from.

Everything here can be deleted at any time; it is made again. Nothing here decides a verdict: a file is only used when
its bytes have the hash that is asked for.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from judge.data import digest
from judge.files import write_cache


def key_of(*parts: str) -> str:
    """Return one key for a list of texts; different lists have different keys."""
    return digest(json.dumps(parts).encode())


class ObjectStore:
    """Files by their hash, in a folder that several judges, and the workers of each, may use at once.

    When the folder cannot be written, they are kept in memory for this run and `warning` says so.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.warning = ""
        self._in_memory: dict[str, bytes] = {}

    def path(self, sha256: str) -> Path:
        """Return where the file with this hash stands, if it does."""
        return self.folder / sha256[:2] / sha256[2:]

    def find(self, sha256: str) -> Path | bytes | None:
        """Return the file (or the bytes) with this hash, or None when it is absent or damaged."""
        if sha256 in self._in_memory:
            return self._in_memory[sha256]
        path = self.path(sha256)
        try:
            return path if digest(path) == sha256 else None
        except OSError:
            return None

    def add(self, data: bytes) -> tuple[str, Path | bytes]:
        """Keep some bytes; return their hash and where they are."""
        sha256 = digest(data)
        try:
            write_cache(self.path(sha256), data, self.folder.parent)
        except OSError as error:
            self.warning = (
                f"{self.folder} cannot be written ({error.strerror}): test data is made anew in each run; "
                "make the folder writable, or free some space, to keep it"
            )
            self._in_memory[sha256] = data
            return sha256, data
        return sha256, self.path(sha256)


class FactCache:
    """Short facts by key, in one JSON file: which hash an input has, which input is valid, which answer is confirmed.

    A damaged file counts as empty; two judges at once may lose each other's new facts, never more.

    Args:
        path: the file.
        anew: know nothing at first, as if the file were not there; what is found out is added to it all the same.
    """

    def __init__(self, path: Path, *, anew: bool = False) -> None:
        self.path = path
        self._facts = {} if anew else self._load()
        self._new = False

    def get(self, key: str) -> str | None:
        """Return a fact, or None when it is not known."""
        return self._facts.get(key)

    def put(self, key: str, value: str) -> None:
        """Remember a fact."""
        self._facts[key] = value
        self._new = True

    def forget(self, keys: Iterable[str]) -> None:
        """Take back facts that were put since the last `save`."""
        for key in keys:
            self._facts.pop(key, None)

    def save(self) -> None:
        """Write the facts if there are new ones; a folder that cannot be written is fine, they are found again."""
        if self._new:
            try:
                write_cache(self.path, json.dumps({**self._load(), **self._facts}).encode(), self.path.parent)
            except OSError:
                return
            self._new = False

    def _load(self) -> dict[str, str]:
        try:
            loaded = json.loads(self.path.read_bytes())
        except (OSError, ValueError):
            return {}
        if not isinstance(loaded, dict):
            return {}
        return {key: value for key, value in loaded.items() if isinstance(value, str)}
